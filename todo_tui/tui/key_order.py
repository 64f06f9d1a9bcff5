"""Keys one at a time: each goes where the one before it led."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input, TextArea

Pressed = events.Key | events.Paste

_PATIENCE_SECONDS = 5.0
"""How long a key may hold up the next one; something is stuck then, and typing must go on."""
_FURTHER_CLIMBS = 2
"""Enter in a box is a message of the box to its drawer, and then one of that to the pane."""


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
        self._giving_up: asyncio.TimerHandle | None = None
        """Set while a key is under way."""
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

    def open(self) -> str:
        """There is somewhere for keys to go.

        Returns:
            What was written until now, up to the first key that is more than a character:
            whoever has it can show it in the first frame.
        """
        self._is_open = True
        self._screen = self._app.screen
        written = ""
        while self._waiting and (character := _character(self._waiting[0])):
            written += character
            self._waiting.popleft()
        self._app.call_next(self._deliver_next)
        return written

    async def _deliver_next(self) -> None:
        if not self._is_open or not self._waiting or self._giving_up is not None:
            return
        pressed = self._waiting.popleft()
        loop = asyncio.get_running_loop()
        self._giving_up = loop.call_later(_PATIENCE_SECONDS, self._give_up)
        place: DOMNode = self._app.focused or self._app.screen
        await self._deliver(pressed)
        is_written = isinstance(place, Input | TextArea) and _is_written(pressed)
        self._climb(place, [place] * (0 if is_written else _FURTHER_CLIMBS))

    def _give_up(self) -> None:
        """What waits goes on, although nobody knows what became of the key before it."""
        self._giving_up = None
        self._app.call_later(self._deliver_next)

    def _climb(self, place: MessagePump | None, further: Sequence[MessagePump]) -> None:
        """Follow the key through the queues that its event climbs, from parent to parent.

        Then, from each of the further places, what it set going, which climbs behind it.
        """
        while place is not None and place is not self._app:
            if place.call_later(self._climb, place._parent, further):
                return
            place = place._parent
        self._app.call_later(self._has_climbed, further)

    def _has_climbed(self, further: Sequence[MessagePump]) -> None:
        if further:
            self._climb(further[0], further[1:])
            return
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
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None
        await self._deliver_next()


def _is_written(pressed: Pressed) -> bool:
    """Whether a box takes it as text and is done with it."""
    return isinstance(pressed, events.Paste) or pressed.is_printable


def _character(pressed: Pressed) -> str:
    """What a key writes into a box; nothing for a paste, which may have to be looked at."""
    if isinstance(pressed, events.Paste) or "+" in pressed.key or not pressed.is_printable:
        return ""
    return pressed.character or ""
