"""A turn as it runs, for whoever sits at the shell: words, traces, what is waited for."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, assert_never

from rich.console import Console
from rich.status import Status
from rich.text import Text

from todo_tui.cli.output import complain, note
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import (
    ApprovalAsked,
    BudgetNeared,
    CallRestarted,
    HistoryShortened,
    Retrying,
    StepStatus,
    TakenOver,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    TraceStep,
    TurnCancelled,
    TurnEnd,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.money import dollars
from todo_tui.domain.text import plain_line, plain_text

if TYPE_CHECKING:
    from todo_tui.cli.streamed_markdown import StreamedMarkdown

_SIGNS = {
    StepStatus.SUCCESS: ("✓", "green"),
    StepStatus.ERROR: ("✗", "red"),
    StepStatus.INTERRUPTED: ("–", "yellow"),
}


class TurnReport:
    """Shows the events of one turn.

    On a terminal the answer streams; in a pipe it is printed once it is whole, so
    that words of a call that had to be repeated are not in it. Everything else
    goes to standard error.
    """

    def __init__(self, *, no_color: bool) -> None:
        self._console = _console(no_color, stderr=True)
        self._status: Status | None = None
        self._answer: StreamedMarkdown | None = None
        if sys.stdout.isatty():
            # Markdown is for terminals: a pipe does without the import.
            from todo_tui.cli.streamed_markdown import StreamedMarkdown

            self._answer = StreamedMarkdown(_console(no_color))

    def show(self, event: TurnEvent) -> None:
        """Show one event, if there is anything to see of it."""
        if isinstance(event, TurnFinished | TurnFailed | TurnCancelled):
            self._end(event)
            return
        match event:
            case TurnStarted() | ThinkingDelta():
                self._wait("Thinking…")
            case TextDelta(text=text):
                self._speak(text)
            case ToolStarted(label=label):
                self._wait(label)
            case ToolFinished(step=step):
                self._trace(step)
            case Retrying() | TakenOver() | HistoryShortened() | BudgetNeared():
                self._remark(_sentence(event))
                if isinstance(event, Retrying):
                    self._wait(_Countdown(event.seconds))
            case CallRestarted():
                self._start_over()
            case ApprovalAsked() | UsageReported():
                # Whoever decides asks, with what else there is to say of it.
                pass
            case _:
                assert_never(event)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._status is not None:
            self._status.stop()
            self._status = None
        if self._answer is not None:
            self._answer.finish()

    def _end(self, ended: TurnEnd) -> None:
        self.close()
        if self._answer is None and ended.outcome.answer:
            sys.stdout.write(plain_text(ended.outcome.answer).rstrip("\n") + "\n")
            sys.stdout.flush()
        match ended:
            case TurnFailed(error=error):
                complain(TodoError(error.message, hint=error.hint))
            case TurnCancelled():
                note("Stopped. What was done until then is kept; `todo-tui undo` takes it back.")
            case TurnFinished():
                return
            case _:
                assert_never(ended)

    def _speak(self, text: str) -> None:
        if self._answer is None or not text:
            return
        if self._status is not None:
            self._status.stop()
            self._status = None
        self._answer.feed(text)

    def _start_over(self) -> None:
        # In a pipe nothing was said yet.
        if self._answer is not None:
            self._remark("What was said so far does not count; here it comes anew.")

    def _trace(self, step: TraceStep) -> None:
        sign, color = _SIGNS[step.status]
        self._print(
            Text.assemble(
                (f"{sign} ", color),
                plain_line(step.summary),
                (f"  {step.milliseconds:.0f} ms", "dim"),
            )
        )

    def _remark(self, sentence: str) -> None:
        self._print(Text(plain_line(sentence), style="yellow"))

    def _print(self, line: Text) -> None:
        self.close()
        self._console.print(line, soft_wrap=True)

    def _wait(self, label: str | _Countdown) -> None:
        if not self._console.is_terminal:
            return
        shown = Text(plain_line(label), style="dim") if isinstance(label, str) else label
        if self._status is not None:
            self._status.update(shown)
            return
        self.close()
        self._status = self._console.status(shown)
        self._status.start()


def _sentence(event: Retrying | TakenOver | HistoryShortened | BudgetNeared) -> str:
    match event:
        case Retrying(reason=reason, seconds=seconds, attempt=attempt, attempts=attempts):
            return f"{reason} Trying again in {seconds:.0f} s ({attempt} of {attempts})."
        case TakenOver(step=step) | HistoryShortened(step=step):
            return step.summary
        case BudgetNeared(spent_usd=spent, budget_usd=budget):
            return f"Today's turns have cost {dollars(spent)} of {dollars(budget)}."


class _Countdown:
    """How long it takes until the model is asked again."""

    def __init__(self, seconds: float) -> None:
        self._ends = time.monotonic() + seconds

    def __rich__(self) -> Text:
        left = max(0, math.ceil(self._ends - time.monotonic()))
        return Text(f"Trying again in {left} s · Ctrl+C stops", style="dim")


def _console(no_color: bool, *, stderr: bool = False) -> Console:
    return Console(
        stderr=stderr, no_color=no_color or None, highlight=False, markup=False, emoji=False
    )
