"""Comparison: the answer of another model to the same message, beside the first one."""

from __future__ import annotations

from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static
from textual.worker import Worker

from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.domain.events import TurnEnd
from todo_tui.domain.metrics_text import SLOW_MS, format_milliseconds
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import COMPARISON
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.chat.answer import excerpt
from todo_tui.tui.chat.turn_view import TurnLabels, TurnView
from todo_tui.tui.clipboard import copy_to_clipboard

if TYPE_CHECKING:
    from todo_tui.agent.run_config import RunConfig
    from todo_tui.store.conversations.records import TurnRecord

_SIDE_BY_SIDE_WIDTH = 90
_MESSAGE_LINES, _MESSAGE_CHARACTERS = 4, 400


class AnswerColumn(VerticalScroll, can_focus=True, can_focus_children=False):
    """One of the two answers; its border names the model."""

    def __init__(self, view: TurnView, title: str) -> None:
        super().__init__()
        self.view = view
        self.border_title = title

    def compose(self) -> ComposeResult:
        """Lay out the turn; its message stands above both."""
        yield self.view

    def on_focus(self) -> None:
        """Show the keys."""
        self.border_subtitle = format_hint(
            self.app,
            "{compare.keep} keep · {compare.other} other · {compare.copy} copy"
            " · {compare.close} keep first",
        )

    def on_blur(self) -> None:
        """Remove the keys."""
        self.border_subtitle = None


class ComparisonScreen(ActionHost, ModalScreen[str]):
    """Answers a message again with another model, which changes no tasks.

    `first` is the turn that was answered, `config` that of the other model. Returns the id of the
    turn to keep; both are stored, as versions of one message.
    """

    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS = ""
    ACTIONS = COMPARISON

    def __init__(self, first: TurnRecord, config: RunConfig, labels: TurnLabels) -> None:
        super().__init__()
        self._first = first
        self._config = config
        self._label = labels.model_label
        present = TurnView(
            first.user_text, first.started_at, labels, ("", ""), past=first, rich=True
        )
        names = config.provider.id, config.provider.model
        other = TurnView(first.user_text, labels.clock.utc(), labels, names)
        self._left = AnswerColumn(
            present,
            self._title(
                first.provider, first.model, first.latency_ms, first.cost_usd, is_first=True
            ),
        )
        self._right = AnswerColumn(other, self._title(*names))
        self._handle = TurnHandle()
        self._worker: Worker[None] | None = None

    def _title(
        self,
        provider: str,
        model: str,
        ms: float | None = None,
        cost: float | None = None,
        *,
        is_first: bool = False,
    ) -> str:
        """Return `Groq · gpt-oss-120b · 1.2 s · $0.0004 · changes nothing`."""
        facts = [self._label(provider, model), *(["answering…"] if ms is None else [])]
        facts += [format_milliseconds(ms)] if ms is not None and ms >= SLOW_MS else []
        facts += [format_dollars(cost)] if cost else []
        facts += [] if is_first else ["changes nothing"]
        return plain_line(" · ".join(filter(None, facts)))

    def compose(self) -> ComposeResult:
        """Lay out the message above both answers."""
        shown = excerpt(self._first.user_text, characters=_MESSAGE_CHARACTERS, lines=_MESSAGE_LINES)
        with Container(id="comparison"):
            yield Static(Content(shown.lines), classes="user-message", markup=False)
            with Container(id="answers"):
                yield self._left
                yield self._right

    def on_mount(self) -> None:
        """Ask the other model."""
        self._right.focus()
        self._worker = self.run_worker(self._ask, group="turn")

    async def _ask(self) -> None:
        view = self._right.view
        turn = run_turn(
            self._first.user_text,
            self._config,
            conversation_id=self._first.conversation_id,
            replaces=self._first.id,
            handle=self._handle,
        )
        async with aclosing(turn):
            async for event in turn:
                await view.show(event)
                if isinstance(event, TurnEnd):
                    done = event.outcome
                    self._right.border_title = self._title(
                        done.provider, done.model, done.latency_ms, done.cost_usd
                    )

    @property
    def second_is_complete(self) -> bool:
        """True once the other model has answered, or failed."""
        return self._worker is not None and self._worker.is_finished

    async def stop(self, *, interrupted: bool = False) -> None:
        """Stop the answer and wait until it is stored."""
        self._handle.stop(interrupted=interrupted)
        if self._worker is not None and not self._worker.is_finished:
            await self._worker.wait()

    @on(events.Resize)
    def _lay_out(self, event: events.Resize) -> None:
        self.query_one("#answers").set_class(event.size.width < _SIDE_BY_SIDE_WIDTH, "-stacked")

    async def action_keep(self) -> None:
        """Keep the focused answer; the other one stays as a version of the message."""
        if self._left.has_focus_within or not self._right.view.turn_id:
            await self.action_close()
        elif self.second_is_complete:
            self.dismiss(self._right.view.turn_id)
        else:
            self.app.notify("Wait until both answers are complete.", timeout=2)

    async def action_close(self) -> None:
        """Keep the first answer; one that is still written is stopped, and stored before."""
        await self.stop()
        self.dismiss(self._first.id)

    def action_other(self) -> None:
        """Focus the other answer."""
        (self._right if self._left.has_focus_within else self._left).focus()

    def action_copy(self) -> None:
        """Copy the focused answer."""
        column = self._left if self._left.has_focus_within else self._right
        if (answer := column.view.answer) is None:
            self.app.notify("No answer to copy yet.", timeout=3)
        else:
            copy_to_clipboard(self.app, answer.copied_text, answer.noun)
