"""The turn on screen that runs now: where it is drawn, and what turns while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime

from textual.timer import Timer

from todo_tui.domain.events import TurnCancelled, TurnError, TurnEvent, TurnFailed, TurnFinished
from todo_tui.tui.widgets.activity_line import ActivityLine
from todo_tui.tui.widgets.spinner import SPIN_SECONDS
from todo_tui.tui.widgets.transcript import Transcript
from todo_tui.tui.widgets.turn_view import TroubleKeys, TurnView


class LiveTurn:
    """At most one; its view stays in the transcript when it has ended."""

    def __init__(
        self, transcript: Transcript, activity: ActivityLine, now: Callable[[], datetime]
    ) -> None:
        self._transcript = transcript
        self._activity = activity
        self._now = now
        self._view: TurnView | None = None
        self._spin: Timer = transcript.set_interval(SPIN_SECONDS, self._tick, pause=True)
        self._ticks = 0

    async def begin(self, text: str, *, keys: Callable[[], TroubleKeys]) -> None:
        """Show what was sent, before anything answers; `keys` help where that goes wrong."""
        self._view = await self._transcript.begin(text, self._now(), keys=keys)
        # Who asked for no animations gets still marks instead of turning ones.
        if self._transcript.app.animation_level != "none":
            self._spin.resume()

    async def show(self, event: TurnEvent) -> None:
        """Draw what it reports; after its last event it runs no more."""
        if self._view is None:
            return
        await self._transcript.show_event(self._view, event, time.monotonic())
        if isinstance(event, TurnFinished | TurnFailed | TurnCancelled):
            self._rest()
            await self._transcript.unmount_far_turns()

    async def drop(self) -> None:
        """Take away what never began."""
        view = self._view
        self._rest()
        if view is not None:
            await self._transcript.drop(view)

    async def break_off(self, error: TurnError | None) -> None:
        """End it here, because it has no end of its own."""
        if self._view is not None:
            await self._view.break_off(error)
        self._rest()

    def _rest(self) -> None:
        self._view = None
        self._spin.pause()

    def _tick(self) -> None:
        self._ticks += 1
        self._activity.tick = self._ticks
        if self._view is not None:
            self._view.tick(self._ticks, time.monotonic())
