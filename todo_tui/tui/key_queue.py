"""Queue that delivers keys one at a time, each to the widget that the one before it focused."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input, TextArea

from todo_tui.config.keymap import TEXT_KEYS
from todo_tui.tui.task_list.actions import REPEAT_SECONDS, HeldKeyFilter, PressDecision

InputEvent = events.Key | events.Paste

_DELIVERY_TIMEOUT_SECONDS = 5.0
"""Longest time that a key may delay the next one, in case a handler hangs."""
_FOLLOW_UP_MESSAGES = 2
"""Messages caused by Enter in an input: one to its drawer, one from that to the pane."""
_BOX_KEYS = TEXT_KEYS | {"enter"}
"""Keys that an input handles besides text, whatever is bound to them elsewhere."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Queued key, and whether it is a press or the repeat of a held key."""

    pressed: InputEvent
    held: HeldKeyFilter
    press: PressDecision


class KeyQueue:
    """Delivers keys one at a time, each after the one before it was handled.

    Textual hands keys to the focused widget as fast as they come. A key that opens a box acts only
    when its event has bubbled to the app, and letters of the same burst have gone to the old widget
    by then. Here the next key waits until the one before has bubbled and its focus change is done.

    Until `open` is called all keys wait, so that none typed before the first frame is lost.
    `deliver` passes a key to Textual.
    """

    def __init__(self, app: App[None], deliver: Callable[[InputEvent], Awaitable[None]]) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[_Waiting] = deque()
        self._under_way: _Waiting | None = None
        self._held_name = ""
        self._held = HeldKeyFilter()
        self._is_open = False
        self._delivery_timeout: asyncio.TimerHandle | None = None
        """Timeout of the key being delivered; None when there is none."""
        self._screen: Screen[object] | None = None
        self._taken_at = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last key."""
        return time.monotonic() - self._taken_at

    @property
    def is_for_box(self) -> bool:
        """True if the key being delivered is text, or edits text, for the focused input."""
        if self._under_way is None or not isinstance(self._app.focused, Input | TextArea):
            return False
        pressed = self._under_way.pressed
        if isinstance(pressed, events.Paste):
            return True
        return bool(character_of(pressed)) or pressed.key in _BOX_KEYS

    def act_once(self, act: Callable[[], None]) -> None:
        """Call `act` for the key being delivered, but not for the repeats of a held key.

        A second press acts a moment later, when no third one has followed.
        """
        under_way = self._under_way
        if under_way is None:
            act()
            return

        def go_by(press: PressDecision) -> None:
            match press:
                case PressDecision.ACT:
                    act()
                case PressDecision.WAIT:
                    self._app.set_timer(
                        REPEAT_SECONDS, lambda: go_by(under_way.held.confirm(time.monotonic()))
                    )

        go_by(under_way.press)

    async def take(self, pressed: InputEvent) -> None:
        """Queue a key and deliver it when its turn comes."""
        if not self._is_open and isinstance(pressed, events.Key) and pressed.key == "ctrl+j":
            # The terminal was still in line mode, in which Enter arrives as a line feed.
            pressed = events.Key("enter", "\r")
        self._taken_at = time.monotonic()
        name = "" if isinstance(pressed, events.Paste) else pressed.key
        if name != self._held_name:
            self._held_name = name
            self._held = HeldKeyFilter(counts_double_press=True)
        press = self._held.press(self._taken_at)
        self._waiting.append(_Waiting(pressed, self._held, press))
        await self._deliver_next()

    def open(self) -> str:
        """Start delivery.

        Returns:
            Leading characters typed until now, which the composer shows in the first frame.
        """
        self._is_open = True
        self._screen = self._app.screen
        written = ""
        while self._waiting and (character := character_of(self._waiting[0].pressed)):
            written += character
            self._waiting.popleft()
        self._app.call_next(self._deliver_next)
        return written

    async def _deliver_next(self) -> None:
        if not self._is_open or not self._waiting or self._delivery_timeout is not None:
            return
        self._under_way = self._waiting.popleft()
        pressed = self._under_way.pressed
        loop = asyncio.get_running_loop()
        self._delivery_timeout = loop.call_later(_DELIVERY_TIMEOUT_SECONDS, self._on_timeout)
        place: DOMNode = self._app.focused or self._app.screen
        await self._deliver(pressed)
        # An input handles text without further messages.
        is_text = isinstance(pressed, events.Paste) or pressed.is_printable
        is_written = isinstance(place, Input | TextArea) and is_text
        self._follow_bubbling(place, [place] * (0 if is_written else _FOLLOW_UP_MESSAGES))

    def _on_timeout(self) -> None:
        self._delivery_timeout = None
        self._under_way = None
        self._app.call_later(self._deliver_next)

    def _follow_bubbling(self, place: MessagePump | None, further: Sequence[MessagePump]) -> None:
        """Follow the key through the message queues that its event bubbles through.

        Then follow, from each of the further widgets, the messages that it caused.
        """
        while place is not None and place is not self._app:
            if place.call_later(self._follow_bubbling, place._parent, further):
                return
            place = place._parent
        self._app.call_later(self._has_bubbled, further)

    def _has_bubbled(self, further: Sequence[MessagePump]) -> None:
        if further:
            self._follow_bubbling(further[0], further[1:])
            return
        # Its focus change is queued behind this.
        self._app.call_later(self._settle)

    async def _settle(self) -> None:
        """Deliver the next key, after a newly opened screen was drawn and focused."""
        # Let a worker that the key started, which may open a screen, take its first step.
        await asyncio.sleep(0)
        if self._app.screen is not self._screen:
            self._screen = self._app.screen
            self._screen.call_after_refresh(self._settle)
            return
        if self._delivery_timeout is not None:
            self._delivery_timeout.cancel()
            self._delivery_timeout = None
        self._under_way = None
        await self._deliver_next()


def character_of(pressed: InputEvent) -> str:
    """Return the character a key types; empty for a paste, which may have to be folded."""
    if isinstance(pressed, events.Paste) or "+" in pressed.key or not pressed.is_printable:
        return ""
    return pressed.character or ""
