"""Delivery of keys: one at a time, each to the widget that the one before it focused.

Also the filter that tells presses from the repeats of a held key.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input, TextArea

from todo_tui.tui.actions.keys import TEXT_KEYS

InputEvent = events.Key | events.Paste
_DELIVERY_TIMEOUT_SECONDS = 5.0
"""Longest time that a key may delay the next one, in case a handler hangs."""
_FOLLOW_UP_MESSAGES = 2
"""Messages caused by Enter in an input: one to its drawer, one from that to the pane."""
_BOX_KEYS = TEXT_KEYS | {"enter"}
"""Keys that an input handles besides text, whatever is bound to them elsewhere."""
REPEAT_SECONDS = 0.15
"""Longest gap between the repeats of a held key; deliberate presses are slower."""
SETTLED_SECONDS = 0.8
"""Gap after which a press starts a new series; longer than usual keyboard repeat delays."""


class PressDecision(Enum):
    """Decision on one press of a key."""

    ACT = auto()
    """A separate press."""
    WAIT = auto()
    """A second press or the first repeat: act if nothing follows within REPEAT_SECONDS."""
    IGNORE = auto()
    """A repeat of a held key."""


@dataclass(slots=True)
class HeldKeyFilter:
    """Filter that drops the repeats of a held key, for actions that are costly to repeat.

    Terminals report no key release, so only timing tells: repeats come in quick succession, after
    a delay in which a deliberate second press may come too.
    """

    set_timer: Callable[[float, Callable[[], None]], object]
    monotonic: Callable[[], float] = time.monotonic
    counts_double_press: bool = False
    """True if a quick second press may act; a third one shows that the key is held."""
    _presses: int = 0
    _last: float = float("-inf")
    _waits_since: float | None = None

    def press(self) -> PressDecision:
        """Judge a press that comes now."""
        now = self.monotonic()
        since, self._last = now - self._last, now
        self._waits_since = None
        if since >= SETTLED_SECONDS:
            self._presses = 1
            return PressDecision.ACT
        self._presses += 1
        is_double_press = self.counts_double_press and self._presses == 2
        if since < REPEAT_SECONDS and not is_double_press:
            return PressDecision.IGNORE
        self._waits_since = now
        return PressDecision.WAIT

    def follow(self, decision: PressDecision, act: Callable[[], None]) -> None:
        """Call `act` if a press is to act, at once or when its delay has shown that."""
        match decision:
            case PressDecision.ACT:
                act()
            case PressDecision.WAIT:
                self.set_timer(REPEAT_SECONDS, partial(self._confirm, act))

    def _confirm(self, act: Callable[[], None]) -> None:
        """Judge a waiting press after its delay.

        A call that comes much too late waits again: the event loop was blocked and has not
        delivered further presses either.
        """
        if self._waits_since is None:
            return
        now = self.monotonic()
        if now - self._waits_since > 2 * REPEAT_SECONDS:
            self._waits_since = now
            self.follow(PressDecision.WAIT, act)
        else:
            self._waits_since = None
            act()


@dataclass(frozen=True, slots=True)
class _QueuedKey:
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
        self._waiting: deque[_QueuedKey] = deque()
        self._under_way: _QueuedKey | None = None
        self._held_name = ""
        self._held = HeldKeyFilter(app.set_timer, counts_double_press=True)
        self._is_open = self._is_held = False
        self._delivery_timeout: asyncio.TimerHandle | None = None
        self._screen: Screen[object] | None = None

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
        if self._under_way is None:
            act()
        else:
            self._under_way.held.follow(self._under_way.press, act)

    async def take(self, pressed: InputEvent) -> None:
        """Queue a key and deliver it when its turn comes."""
        if not self._is_open and isinstance(pressed, events.Key) and pressed.key == "ctrl+j":
            # The terminal was still in line mode, in which Enter arrives as a line feed.
            pressed = events.Key("enter", "\r")
        name = "" if isinstance(pressed, events.Paste) else pressed.key
        if name != self._held_name:
            self._held_name = name
            self._held = HeldKeyFilter(self._app.set_timer, counts_double_press=True)
        self._waiting.append(_QueuedKey(pressed, self._held, self._held.press()))
        await self._deliver_next()

    def open(self) -> str:
        """Start delivery; return the leading characters typed so far, for the first frame."""
        self._is_open = True
        self._screen = self._app.screen
        written = ""
        while self._waiting and (character := character_of(self._waiting[0].pressed)):
            written += character
            self._waiting.popleft()
        self._app.call_next(self._deliver_next)
        return written

    def hold(self) -> None:
        """Keep keys until `release`, while the terminal belongs to another program."""
        self._is_held = True

    def release(self) -> None:
        """Deliver the keys that were kept."""
        self._is_held = False
        self._app.call_next(self._deliver_next)

    async def _deliver_next(self) -> None:
        if (
            not self._is_open
            or self._is_held
            or not self._waiting
            or self._delivery_timeout is not None
        ):
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
        way: list[MessagePump] = [*place.ancestors_with_self[:-1], self._app]
        rounds = 1 if is_written else 1 + _FOLLOW_UP_MESSAGES
        # Its focus change is queued behind the last.
        await self._follow([*way * rounds, self._app])

    async def _follow(self, way: list[MessagePump]) -> None:
        """Wait until each queue on the way has handled what is in it, then settle.

        The way is that of the key's event, and from the same widget again those of the messages
        that it caused.
        """
        while way:
            if way.pop(0).call_later(self._follow, way):
                return
        await self._settle()

    def _on_timeout(self) -> None:
        self._delivery_timeout = None
        self._under_way = None
        self._app.call_later(self._deliver_next)

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
