"""One turn in the transcript: what was asked, the traces, the answer, how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from todo_tui.domain.conversation import TurnStatus
from todo_tui.domain.events import (
    ApprovalAsked,
    CallRestarted,
    Retrying,
    StepStatus,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    TraceStep,
    TurnCancelled,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnOutcome,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.text import plain_text
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.answer import Answer
from todo_tui.tui.widgets.key_words import key_words
from todo_tui.tui.widgets.trace_row import TraceRow
from todo_tui.tui.widgets.trouble import RetryLine, Trouble

_MOST_SHOWN_LINES = 30
_MOST_SHOWN_CHARACTERS = 4000

_AFTER_CALLS = "-after-calls"
_BARE = "-bare"

_UNDO_KEYS = ("Alt+U undo turn",)

_ENDINGS = {
    TurnStatus.CANCELLED: "■ Stopped. What was said and done is kept.",
    TurnStatus.INTERRUPTED: "■ The app ended before this turn did. What was done is kept.",
    TurnStatus.RUNNING: "… Still running in another window.",
}


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A stored turn as the transcript redraws it; `at` is naive, local."""

    turn_id: str
    at: datetime
    asked: str
    answer: str
    steps: tuple[TraceStep, ...]
    status: TurnStatus
    error: TurnError | None = None


class TurnView(Vertical):
    """Grows downward as events arrive; what is drawn already stays where it is."""

    def __init__(
        self,
        asked: str,
        at: datetime,
        *,
        past: PastTurn | None = None,
        other_model_key: str = "Ctrl+T",
    ) -> None:
        super().__init__()
        self._other_model = f"{other_model_key} other model"
        self.asked = asked
        self.turn_id = past.turn_id if past else ""
        self._rich = True
        self._last = True
        self._at = at
        self._past = past
        self._rows: dict[str, TraceRow] = {}
        self._answer: Answer | None = None
        self._retry: RetryLine | None = None
        self._waiting_since = 0.0
        self._row_started: dict[str, float] = {}
        self._foot: Static | None = None

    @classmethod
    def stored(cls, past: PastTurn, *, rich: bool = False, last: bool = False) -> TurnView:
        """A turn of earlier; `rich` draws Markdown, which is dear, else plain text.

        The `last` of a conversation says which keys help where it did not finish.
        """
        view = cls(past.asked, past.at, past=past)
        view._rich = rich
        view._last = last
        return view

    def compose(self) -> ComposeResult:
        """The question, and of a stored turn all the rest."""
        heading = Content.styled(f"you · {self._at:%H:%M}", MUTED)
        yield Static(heading + "\n" + _shown(self.asked), classes="asked", markup=False)
        past = self._past
        if past is None:
            return
        for step in past.steps:
            self._rows[step.call_id] = row = TraceRow(step=step)
            yield row
        below: list[Widget] = []
        if past.answer:
            plain = Static(Content(plain_text(past.answer)), classes="plain-answer", markup=False)
            below.append(Answer(past.answer) if self._rich else plain)
        below += self._ending(past.status, past.error)
        if below and past.steps:
            below[0].add_class(_AFTER_CALLS)
        self.set_class(bool(past.steps) and not below, _BARE)
        yield from below

    @property
    def trace_rows(self) -> tuple[TraceRow, ...]:
        """The rows of the tool calls, in order."""
        return tuple(self._rows.values())

    async def show(self, event: TurnEvent, seconds: float) -> None:
        """Draw what the turn reports; `seconds` is a clock that only moves forward."""
        await self._end_wait()
        match event:
            case TurnStarted():
                self.turn_id = event.turn_id
            case TextDelta():
                await self._speak(event.text)
            case ToolStarted():
                await self._close_answer()
                self._row_started[event.call_id] = seconds
                await self._add_row(event.call_id, TraceRow.running(event))
            case ToolFinished():
                await self._finish_row(event.step)
            case Retrying():
                await self._wait(event, seconds)
            case CallRestarted():
                await self._forget_answer()
            case UsageReported():
                await self._close_answer()
            case ThinkingDelta() | ApprovalAsked():
                return
            case _:
                await self._end(event)

    def tick(self, tick: int, seconds: float) -> None:
        """Turn the spinners and count down, without any layout."""
        for call_id, row in self._rows.items():
            if row.step is None:
                row.tick = tick
                row.seconds = seconds - self._row_started.get(call_id, seconds)
        if self._retry is not None:
            self._retry.count_down(seconds - self._waiting_since)

    async def offer_undo(self) -> None:
        """Say which key takes back what this turn wrote."""
        if self._foot is None:
            self._foot = Static(key_words(_UNDO_KEYS), classes="foot", markup=False)
            await self.mount(self._foot)

    async def withdraw_undo(self) -> None:
        """The offer no longer holds: something else was written since."""
        if self._foot is not None:
            await self._foot.remove()
            self._foot = None

    def say_undone(self) -> None:
        """The offer was taken."""
        if self._foot is not None:
            self._foot.update(Content.styled("↺ undone", MUTED), layout=False)

    async def retire(self) -> None:
        """Another turn has begun: what was offered for this one no longer holds."""
        await self.withdraw_undo()
        for trouble in self.query(Trouble):
            trouble.retire()

    async def break_off(self, error: TurnError | None) -> None:
        """End without a last event: an error, or the person has stopped it."""
        await self._close_answer()
        self._stop_rows()
        status = TurnStatus.FAILED if error else TurnStatus.CANCELLED
        await self._append(*self._ending(status, error))

    async def _speak(self, words: str) -> None:
        if self._answer is None:
            self._answer = Answer()
            await self._append(self._answer)
        await self._answer.write(words)

    async def _append(self, *widgets: Widget) -> None:
        """Mount at the end, with a line of air after tool calls."""
        if widgets and isinstance(self.children[-1], TraceRow):
            widgets[0].add_class(_AFTER_CALLS)
        await self.mount_all(widgets)
        self.set_class(isinstance(self.children[-1], TraceRow), _BARE)

    async def _close_answer(self, text: str | None = None) -> None:
        answer, self._answer = self._answer, None
        if answer is not None:
            await answer.settle(text)

    async def _forget_answer(self) -> None:
        if self._answer is not None:
            await self._answer.start_over()

    async def _add_row(self, call_id: str, row: TraceRow) -> None:
        self._rows[call_id] = row
        await self.mount(row)

    async def _finish_row(self, step: TraceStep) -> None:
        row = self._rows.get(step.call_id)
        if row is None:
            await self._close_answer()
            await self._add_row(step.call_id, TraceRow(step=step))
        else:
            row.step = step

    async def _wait(self, event: Retrying, seconds: float) -> None:
        self._retry = RetryLine(event, ("Esc stop", self._other_model))
        self._waiting_since = seconds
        await self._append(self._retry)

    async def _end_wait(self) -> None:
        retry, self._retry = self._retry, None
        if retry is not None:
            await retry.remove()

    async def _end(self, event: TurnEnd) -> None:
        await self._close_answer()
        outcome = event.outcome
        await self._settle_rows(outcome)
        if outcome.answer and not self.query(Answer):
            await self._append(Answer(outcome.answer))
        status, error = TurnStatus.FINISHED, None
        if isinstance(event, TurnFailed):
            status, error = TurnStatus.FAILED, event.error
        elif isinstance(event, TurnCancelled):
            status = TurnStatus.CANCELLED
        await self._append(*self._ending(status, error))

    async def _settle_rows(self, outcome: TurnOutcome) -> None:
        """Rows whose end was not reported by itself: those of calls that were stopped."""
        for step in outcome.trace:
            row = self._rows.get(step.call_id)
            if row is None or row.step is None:
                await self._finish_row(step)
        self._stop_rows()

    def _stop_rows(self) -> None:
        """Nothing spins in a turn that has ended."""
        for call_id, row in self._rows.items():
            if row.step is None:
                row.step = TraceStep(call_id, "", "Stopped", "", "", StepStatus.INTERRUPTED, 0.0)

    def _ending(self, status: TurnStatus, error: TurnError | None) -> list[Widget]:
        """What is said below a turn that did not finish, with keys while it is the last one."""
        if status is TurnStatus.FINISHED:
            return []
        if status is TurnStatus.FAILED:
            cause = error or TurnError("internal", "The turn could not go on.")
            return [Trouble(cause, keys=("Ctrl+R retry", self._other_model) if self._last else ())]
        words = Content.styled(_ENDINGS[status], "$text-warning")
        return [Static(words, classes="ending", markup=False)]


def _shown(asked: str) -> str:
    """The question as the transcript shows it: a megabyte is not laid out."""
    text = plain_text(asked)
    lines = text[:_MOST_SHOWN_CHARACTERS].splitlines()
    shown = "\n".join(lines[:_MOST_SHOWN_LINES])
    hidden = len(text) - len(shown)
    return shown if hidden <= 0 else f"{shown}\n… and {hidden:,} more characters"
