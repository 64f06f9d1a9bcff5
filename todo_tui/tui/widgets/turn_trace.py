"""The steps of one turn as rows: which run, which have ended."""

from __future__ import annotations

from collections.abc import Iterable

from todo_tui.domain.events import StepStatus, ToolStarted, TraceStep
from todo_tui.tui.widgets.trace_row import TraceRow


class TurnTrace:
    """Makes the rows and keeps them true; whoever shows them mounts them."""

    def __init__(self) -> None:
        self._rows: dict[str, TraceRow] = {}
        self._started: dict[str, float] = {}

    @property
    def rows(self) -> tuple[TraceRow, ...]:
        """All of them, in order."""
        return tuple(self._rows.values())

    def begin(self, event: ToolStarted, seconds: float) -> TraceRow:
        """The row of a call that runs now; `seconds` is a clock that only moves forward."""
        self._started[event.call_id] = seconds
        row = self._rows[event.call_id] = TraceRow.running(event)
        return row

    def finish(self, step: TraceStep) -> TraceRow | None:
        """A step has ended: its row, where it has none yet, else None."""
        row = self._rows.get(step.call_id)
        if row is not None:
            row.step = step
            return None
        row = self._rows[step.call_id] = TraceRow(step=step)
        return row

    def finish_all(self, steps: Iterable[TraceStep]) -> list[TraceRow]:
        """These are all the steps of a turn that has ended; the rows that are new.

        The end of calls that were stopped is not reported by itself.
        """
        unreported = [
            step
            for step in steps
            if step.call_id not in self._rows or self._rows[step.call_id].step is None
        ]
        rows = [row for step in unreported if (row := self.finish(step)) is not None]
        self.stop()
        return rows

    def stop(self) -> None:
        """Nothing spins in a turn that has ended."""
        for call_id, row in self._rows.items():
            if row.step is None:
                row.step = TraceStep(call_id, "", "Stopped", "", "", StepStatus.INTERRUPTED, 0.0)

    def tick(self, tick: int, seconds: float) -> None:
        """Turn the spinners, without any layout."""
        for call_id, row in self._rows.items():
            if row.step is None:
                row.tick = tick
                row.seconds = seconds - self._started.get(call_id, seconds)
