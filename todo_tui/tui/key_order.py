"""Keys one at a time: each goes where the one before it led."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen

Pressed = events.Key | events.Paste

_PATIENCE_SECONDS = 0.25
"""How long a key may hold up the next one; something is stuck then, and typing must go on."""


class KeyOrder:
    """A turnstile between the terminal and the widget that has the focus.

    Textual hands keys to the focused widget as fast as they come. A key that opens a
    box acts only when its event has climbed to the app, and letters of the same burst
    have gone to the old place by then. Here the next key waits until the one before
    has climbed and what it did to the focus is done.

    Until `open` is called all keys wait, so that none typed before the first frame
    is lost. `deliver` gives a key to Textual.
    """

    def __init__(self, app: App[None], deliver: Callable[[Pressed], Awaitable[None]]) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[Pressed] = deque()
        self._is_open = False
        self._under_way_since: float | None = None
        self._screen: Screen[object] | None = None
        self._taken_at = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long ago the last key came."""
        return time.monotonic() - self._taken_at

    async def take(self, pressed: Pressed) -> None:
        """Deliver a key, now or after those before it."""
        if not self._is_open and isinstance(pressed, events.Key) and pressed.key == "ctrl+j":
            # The terminal was still in line mode, in which Enter arrives as a line feed.
            pressed = events.Key("enter", "\r")
        self._taken_at = time.monotonic()
        self._waiting.append(pressed)
        await self._deliver_next()

    def open(self) -> None:
        """There is somewhere for keys to go."""
        self._is_open = True
        self._screen = self._app.screen
        self._app.call_next(self._deliver_next)

    async def _deliver_next(self) -> None:
        if not self._is_open or not self._waiting or self._is_under_way():
            return
        pressed = self._waiting.popleft()
        self._under_way_since = time.monotonic()
        place: DOMNode = self._app.focused or self._app.screen
        await self._deliver(pressed)
        self._climb(place)

    def _is_under_way(self) -> bool:
        since = self._under_way_since
        return since is not None and time.monotonic() - since < _PATIENCE_SECONDS

    def _climb(self, place: MessagePump | None) -> None:
        """Follow the key through the queues that its event climbs, from parent to parent."""
        while place is not None and place is not self._app:
            if place.call_later(self._climb, place._parent):
                return
            place = place._parent
        self._app.call_later(self._has_climbed)

    def _has_climbed(self) -> None:
        # What it did to the focus is queued behind this.
        self._app.call_later(self._settle)

    async def _settle(self) -> None:
        """Go on, after a new screen that it opened has been drawn and given the focus."""
        # A worker that the key started, which may open a screen, gets its first turn.
        await asyncio.sleep(0)
        if self._app.screen is not self._screen:
            self._screen = self._app.screen
            self._screen.call_after_refresh(self._settle)
            return
        self._under_way_since = None
        await self._deliver_next()
