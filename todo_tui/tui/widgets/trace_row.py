"""One step of a turn in the transcript: a line that opens to arguments and result."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive

from todo_tui.domain.events import StepStatus, ToolStarted, TraceStep
from todo_tui.domain.text import plain_line
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.excerpt import excerpt
from todo_tui.tui.widgets.opening_row import INDENT, OpeningRow, duration_words
from todo_tui.tui.widgets.response_lines import response_lines
from todo_tui.tui.widgets.spinner import spinner_frame

_MARKS = {
    StepStatus.SUCCESS: ("✓", "$text-success"),
    StepStatus.ERROR: ("✗", "$text-error"),
    StepStatus.INTERRUPTED: ("■", "$text-warning"),
}
_OWN_MARKS = {
    "take_over": ("⇄", "$text-warning"),
    "summarise": ("≡", "$text-accent"),
    "leave_out": ("≡", "$text-accent"),
}
"""Of steps that the app took by itself: no tool was called, so they have no arguments."""
_MOST_LINES = 40
_MOST_CHARACTERS = 4_000
"""Of each of a call's parts: more than those lines hold."""
_RIGHT = 9
"""Cells that the milliseconds and the triangle take."""


class TraceRow(OpeningRow):
    """Spinner and label while the tool runs, then ✓ ✗ ■, one sentence, milliseconds.

    A tick redraws one row of a fixed height and never lays out the history.
    """

    step: reactive[TraceStep | None] = reactive(None, layout=True)
    """The finished call; None while it runs."""
    tick: reactive[int] = reactive(0)
    seconds: reactive[float] = reactive(0.0)
    """How long it has been running."""

    def __init__(self, *, label: str = "", step: TraceStep | None = None) -> None:
        super().__init__()
        self._label = _short(label)
        self.set_reactive(TraceRow.step, step)
        self.set_class(step is None, "-running", update=False)

    @classmethod
    def running(cls, started: ToolStarted) -> TraceRow:
        """The row of a call that has just begun."""
        return cls(label=started.label)

    @property
    def can_open(self) -> bool:
        """A running call has nothing to show yet."""
        return self.step is not None

    def watch_step(self, step: TraceStep | None) -> None:
        """A finished row no longer spins."""
        self.set_class(step is None, "-running")

    def render(self) -> Content:
        """The line, and below it what went in and what came out."""
        step = self.step
        if step is None:
            spinner = (f" {spinner_frame(self.tick)} ", "$accent")
            passed = f"{self.seconds:.1f} s" if self.seconds >= 0.1 else ""
            return self.line(Content.assemble(spinner, self._label), passed)
        own = _OWN_MARKS.get(step.name)
        mark, style = own if own and step.status is StepStatus.SUCCESS else _MARKS[step.status]
        summary = _short(step.summary)
        sentence = Content.assemble((f" {mark} ", style), summary)
        took = "" if own else f"{duration_words(step.milliseconds)} "
        line = self.line(sentence, f"{took}{'▾' if self.opened else '▸'}")
        if not self.opened:
            return line
        full = Content(summary)
        cut = full.cell_length > self.width - 3 - _RIGHT
        whole = self.folded(full) if cut else []
        return Content("\n").join([line, *whole, *self._details(step)])

    def _details(self, step: TraceStep) -> list[Content]:
        """Arguments on a line, then the result, indented under the sentence."""
        lines: list[Content] = []
        if step.name not in _OWN_MARKS:
            arguments = excerpt(step.arguments, characters=_MOST_CHARACTERS)
            called = f"{_short(step.name)}  {plain_line(arguments.text)}{arguments.note}"
            lines = self.folded(Content.styled(called, MUTED))
        for text in response_lines(step.result):
            lines.extend(self.folded(Content.styled(text[:_MOST_CHARACTERS], MUTED)))
            if len(lines) >= _MOST_LINES:
                return [*lines[: _MOST_LINES - 1], Content.styled(" " * INDENT + "…", FAINT)]
        return lines


def _short(text: str) -> str:
    return plain_line(text[:_MOST_CHARACTERS])
