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
"""How long a key may hold up the next one; something is stuck then, and typing must go on."""

_FOLLOW_UP_MESSAGES = 2
"""Enter in a box is a message of the box to its drawer, and then one of that to the pane."""

_BOX_KEYS = TEXT_KEYS | {"enter"}
"""What a box takes beside text, whatever other places make of these keys."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A key, and whether it is one press or the repeat of a held key."""

    pressed: InputEvent
    held: HeldKeyFilter
    press: PressDecision


class KeyQueue:
    """A turnstile between the terminal and the widget that has the focus.

    Textual hands keys to the focused widget as fast as they come. A key that opens a
    box acts only when its event has climbed to the app, and letters of the same burst
    have gone to the old place by then. Here the next key waits until the one before
    has climbed and what it did to the focus is done.

    Until `open` is called all keys wait, so that none typed before the first frame
    is lost. `deliver` gives a key to Textual.
    """

    def __init__(self, app: App[None], deliver: Callable[[InputEvent], Awaitable[None]]) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[_Waiting] = deque()
        self._under_way: _Waiting | None = None
        self._held_name = ""
        self._held = HeldKeyFilter()
        self._is_open = False
        self._giving_up: asyncio.TimerHandle | None = None
        """Set while a key is under way."""
        self._screen: Screen[object] | None = None
        self._taken_at = time.monotonic()

    @property
    def idle_seconds(self) -> float:
        """How long ago the last key came."""
        return time.monotonic() - self._taken_at

    @property
    def is_for_box(self) -> bool:
        """Whether the key under way is text or edits text where the focus is."""
        if self._under_way is None or not isinstance(self._app.focused, Input | TextArea):
            return False
        pressed = self._under_way.pressed
        if isinstance(pressed, events.Paste):
            return True
        return bool(character_of(pressed)) or pressed.key in _BOX_KEYS

    def act_once(self, act: Callable[[], None]) -> None:
        """Act for the key under way, but not for the repeats of a held key.

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
        """Deliver a key, now or after those before it."""
        if not self._is_open and isinstance(pressed, events.Key) and pressed.key == "ctrl+j":
            # The terminal was still in line mode, in which Enter arrives as a line feed.
            pressed = events.Key("enter", "\r")
        self._taken_at = time.monotonic()
        self._waiting.append(self._judged(pressed))
        await self._deliver_next()

    def _judged(self, pressed: InputEvent) -> _Waiting:
        name = "" if isinstance(pressed, events.Paste) else pressed.key
        if name != self._held_name:
            self._held_name = name
            self._held = HeldKeyFilter(counts_double_press=True)
        return _Waiting(pressed, self._held, self._held.press(self._taken_at))

    def open(self) -> str:
        """There is somewhere for keys to go.

        Returns:
            What was written until now, up to the first key that is more than a character:
            whoever has it can show it in the first frame.
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
        if not self._is_open or not self._waiting or self._giving_up is not None:
            return
        self._under_way = self._waiting.popleft()
        pressed = self._under_way.pressed
        loop = asyncio.get_running_loop()
        self._giving_up = loop.call_later(_DELIVERY_TIMEOUT_SECONDS, self._give_up)
        place: DOMNode = self._app.focused or self._app.screen
        await self._deliver(pressed)
        is_written = isinstance(place, Input | TextArea) and _is_text_input(pressed)
        self._follow_bubbling(place, [place] * (0 if is_written else _FOLLOW_UP_MESSAGES))

    def _give_up(self) -> None:
        """What waits goes on, although nobody knows what became of the key before it."""
        self._giving_up = None
        self._under_way = None
        self._app.call_later(self._deliver_next)

    def _follow_bubbling(self, place: MessagePump | None, further: Sequence[MessagePump]) -> None:
        """Follow the key through the queues that its event climbs, from parent to parent.

        Then, from each of the further places, what it set going, which climbs behind it.
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
        self._under_way = None
        await self._deliver_next()


def _is_text_input(pressed: InputEvent) -> bool:
    """Whether a box takes it as text and is done with it."""
    return isinstance(pressed, events.Paste) or pressed.is_printable


def character_of(pressed: InputEvent) -> str:
    """Return what a key writes into a box; nothing for a paste, which may have to be folded."""
    if isinstance(pressed, events.Paste) or "+" in pressed.key or not pressed.is_printable:
        return ""
    return pressed.character or ""
