"""The left half: transcript, what goes on, composer; shows a turn as it happens."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer

from todo_tui.domain.events import TurnCancelled, TurnError, TurnEvent, TurnFailed, TurnFinished
from todo_tui.tui.widgets.activity_line import ActivityLine
from todo_tui.tui.widgets.composer import Composer
from todo_tui.tui.widgets.spinner import SPIN_SECONDS
from todo_tui.tui.widgets.transcript import Transcript
from todo_tui.tui.widgets.turn_view import PastTurn, TurnView


class ChatPane(Vertical):
    """Arranges its parts and turns the spinners; what to send and when is not its affair."""

    def __init__(self, now: Callable[[], datetime], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._now = now
        self.transcript = Transcript(id="transcript")
        self.activity = ActivityLine()
        self.composer = Composer(id="composer")
        self.other_model_key = "Ctrl+T"
        """The key that leads to another model, if the one that answers fails."""
        self._turn: TurnView | None = None
        self._spin: Timer | None = None
        self._ticks = 0

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield self.transcript
        yield self.activity
        yield self.composer

    async def begin_turn(self, text: str) -> None:
        """Show what was sent, before anything answers."""
        self._turn = await self.transcript.begin(
            text, self._now(), other_model_key=self.other_model_key
        )
        if self._spin is None:
            self._spin = self.set_interval(SPIN_SECONDS, self._tick, pause=True)
        # Who asked for no animations gets still marks instead of turning ones.
        if self.app.animation_level != "none":
            self._spin.resume()

    async def show_event(self, event: TurnEvent) -> None:
        """Draw what the running turn reports."""
        if self._turn is None:
            return
        await self.transcript.show_event(self._turn, event, time.monotonic())
        if isinstance(event, TurnFinished | TurnFailed | TurnCancelled):
            self._rest()

    async def drop_turn(self) -> None:
        """Take away the turn that never began."""
        view = self._turn
        self._rest()
        if view is not None:
            await self.transcript.drop(view)

    async def break_turn(self, error: TurnError | None) -> None:
        """End the running turn here, because it has no end of its own."""
        if self._turn is not None:
            await self._turn.break_off(error)
        self._rest()

    async def show_page(self, turns: Sequence[PastTurn], *, more: bool, newcomer: bool) -> None:
        """Show a stored conversation, or an empty one."""
        self.transcript.welcome.newcomer = newcomer
        await self.transcript.show_conversation(turns, more=more)
        if turns:
            self.composer.remember_sent([turn.asked for turn in turns])

    def _rest(self) -> None:
        self._turn = None
        if self._spin is not None:
            self._spin.pause()

    def _tick(self) -> None:
        self._ticks += 1
        self.activity.tick = self._ticks
        if self._turn is not None:
            self._turn.tick(self._ticks, time.monotonic())

    @on(Transcript.NewsBelowChanged)
    def mark_news_below(self, event: Transcript.NewsBelowChanged) -> None:
        """Say that something arrived where the reader does not look."""
        event.stop()
        self.activity.news_below = event.news_below

    @on(ActivityLine.NewestRequested)
    def go_to_newest(self, event: ActivityLine.NewestRequested) -> None:
        """The mark was clicked."""
        event.stop()
        self.transcript.go_to_newest()
