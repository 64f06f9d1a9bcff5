"""Deviations from Textual 8: its private names, overridden private methods, and what they repair.

No other module uses a private name of Textual. Each deviation names the issue, or says "not
reported" and how to show it; `tests/tui/test_textual_fixes.py` fails when one can go.
"""

from __future__ import annotations

import asyncio
import errno
import select
import signal
import sys
import textwrap
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import IO, Any, cast

from rich.console import Console, RenderableType
from textual import events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.driver import Driver
from textual.geometry import Size
from textual.keys import Keys
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.screen import Screen
from textual.widget import Widget

if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

MINIMUM = Size(30, 8)
"""Smallest columns and lines in which every screen is usable."""
Leave = Callable[[int], object]
_HANGUP_STATUS = 128 + 1
_TERMINAL_CLOSED_ERRNOS = frozenset(
    {errno.EIO, errno.EPIPE, errno.ENXIO, errno.EBADF, errno.ENOTTY}
)


# Without a public interface


def write_to_terminal(app: App[Any], sequence: str) -> None:
    """Write an escape sequence to the terminal unchanged; a headless app discards it.

    Not reported: Textual offers OSC 52, the bell and links, but no other sequence.
    """
    if app._driver is not None:
        app._driver.write(sequence)


def shown_notices(app: App[Any]) -> list[Notification]:
    """Return the notices that have not expired, oldest first.

    Not reported: the public `clear_notifications` removes all, and nothing lists them.
    """
    return list(app._notifications)


def withdraw_notice(app: App[Any], notice: Notification, *, refresh: bool = True) -> None:
    """Remove one notice; without `refresh` when the next one is drawn. Not reported, as above."""
    app._unnotify(notice, refresh=refresh)


def own_bindings(widget: Widget) -> dict[str, list[Binding]]:
    """Return the widget's own bindings by key, with the user's keymap applied.

    Textual runs bindings from the app's queue, behind letters that a widget takes from its own:
    https://github.com/Textualize/textual/issues/6605. A widget that runs them itself keeps the
    order; `active_bindings` has one binding a key only, and of every ancestor.
    """
    bindings = widget._bindings.copy()
    bindings.apply_keymap(widget.app._keymap)
    return bindings.key_to_bindings


def drop_style_caches(widgets: Iterable[Widget]) -> None:
    """Empty the caches of widgets that are removed, of which Textual keeps 1,024 for good.

    https://github.com/Textualize/textual/issues/6665
    """
    for widget in widgets:
        widget._styles_cache.clear()


# Keys


def fix_alt_keys() -> None:
    r"""Fix Textual's parsing of Alt+digit (not `™`) and Alt+Enter (a new line, not Enter).

    Textual maps escape and a digit to what the Option key of a Mac types; such a terminal sends
    that character itself, so the sequence always means Alt. Not reported:
    `list(XTermParser().feed("\x1b2"))` has a key `™`. For Alt+Enter
    https://github.com/Textualize/textual/pull/6577.
    """
    if isinstance(ANSI_SEQUENCES_KEYS, dict):
        for digit in "123456789":
            ANSI_SEQUENCES_KEYS.pop(f"\x1b{digit}", None)
        ANSI_SEQUENCES_KEYS["\x1b\r"] = (Keys.ControlJ,)


# Terminals


class SuspendedOutput(Driver):
    """Discards output while an editor has the terminal; the app goes on and is redrawn after it.

    Textual has stopped the writer thread by then: its queue is full after 30 writes, and the
    next one blocks the event loop (https://github.com/Textualize/textual/issues/6692).
    """

    _is_suspended = False

    def suspend_application_mode(self) -> None:
        """Give the terminal away."""
        super().suspend_application_mode()
        self._is_suspended = True

    def resume_application_mode(self) -> None:
        """Take the terminal back."""
        self._is_suspended = False
        super().resume_application_mode()

    def write(self, data: str) -> None:
        """Write, unless the terminal is given away."""
        if not self._is_suspended:
            super().write(data)  # type: ignore[safe-super]  # that of the driver beside it


def hangup_tolerant_driver(driver: type[Driver], leave: Leave) -> type[Driver]:
    """Return a driver class that tolerates a closed terminal while the app saves its state.

    Textual's writer thread ends at the first failed write; its queue of 30 pieces is then full
    within seconds, and the next write blocks for ever. Its reader shows a crash, or spins
    (https://github.com/Textualize/textual/pull/6690).
    """
    if sys.platform == "win32":
        return driver
    if not issubclass(driver, LinuxDriver):
        return driver

    class TerminalDriver(SuspendedOutput, driver):  # type: ignore[valid-type, misc]  # a class that is chosen at run time
        _is_watched = False

        def start_application_mode(self) -> None:
            if not self._is_watched:
                output: IO[str] = self._file
                self._file: IO[str] = cast("IO[str]", _Output(output))
            super().start_application_mode()  # type: ignore[safe-super]  # the driver is beside it
            if callable(resized := signal.getsignal(signal.SIGWINCH)):
                # Run by the loop: a handler may interrupt itself, and the older size come last.
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(signal.SIGWINCH, resized, signal.SIGWINCH, None)
            if not self._is_watched:
                self._is_watched = True
                watch = Thread(target=_wait_for_hang_up, args=(self.fileno, leave), daemon=True)
                watch.start()

        def run_input_thread(self) -> None:
            try:
                super().run_input_thread()
            except OSError as error:
                if error.errno not in _TERMINAL_CLOSED_ERRNOS:
                    raise

    return TerminalDriver


def _wait_for_hang_up(terminal: int, leave: Leave) -> None:
    """Call `leave` when the terminal is closed, which not always sends SIGHUP (`nohup`, `sudo`).

    Reading a closed terminal returns nothing at once, so Textual's reader would spin at full CPU.
    """
    watched = select.poll()
    watched.register(terminal, 0)
    if any(event & (select.POLLHUP | select.POLLERR) for _, event in watched.poll()):
        leave(_HANGUP_STATUS)


class _Output:
    """File-like wrapper of the terminal; discards writes once it is closed."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        try:
            return self._file.write(text)
        except OSError as error:
            if error.errno not in _TERMINAL_CLOSED_ERRNOS:
                raise
            return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


class TooSmallNotice(CompositorUpdate):
    """Notice that is drawn on a terminal of any size."""

    def __init__(self, size: Size) -> None:
        text = f"Terminal too small: {size.width}×{size.height}, needs {MINIMUM.width}×"
        lines = textwrap.wrap(f"{text}{MINIMUM.height}", max(size.width, 1))
        self._lines = lines[: size.height]
        self._top = (size.height - len(self._lines)) // 2
        self._width = size.width

    def render_segments(self, console: Console) -> str:
        """Clear the terminal and position each line."""
        written = "\x1b[0m\x1b[2J"
        for row, line in enumerate(self._lines, self._top + 1):
            column = (self._width - len(line)) // 2 + 1
            written += f"\x1b[{row};{column}H{line}"
        return written


class MinimumSizeApp(App[None]):
    """Shows a notice instead of the screens below the minimum size.

    Screens keep the minimum size, with their focus and text, and are not drawn. Keys still arrive;
    the mouse has nothing to point at. Not reported: Textual has no smallest size, and a modal
    screen in its place would take the keys.
    """

    _terminal: Size | None = None
    """Real size, once it is known."""
    _notified: Size | None = None

    @property
    def is_too_small(self) -> bool:
        """True if the notice replaces all screens."""
        return self._terminal is not None and self._terminal != _at_least_minimum(self._terminal)

    @property
    def size(self) -> Size:
        """Size in which screens are laid out."""
        return _at_least_minimum(super().size)

    async def on_event(self, event: events.Event) -> None:
        """Pass on a resize with at least the minimum size."""
        if isinstance(event, events.Resize):
            was_too_small, self._terminal = self.is_too_small, event.size
            if was_too_small or self.is_too_small:
                # Redraw everything, although the screens may keep their size.
                self._size = None
                self._notified = None
            size = _at_least_minimum(event.size)
            event = event if size == event.size else events.Resize(size, size)
        elif isinstance(event, events.MouseEvent) and self.is_too_small:
            return
        await super().on_event(event)

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if renderable is not None and self._terminal is not None and self.is_too_small:
            renderable = None
            # Within a batch it would not be drawn.
            if self._notified != self._terminal and not self._batch_count:
                self._notified = self._terminal
                renderable = cast("RenderableType", TooSmallNotice(self._terminal))
        super()._display(screen, renderable)


def _at_least_minimum(size: Size) -> Size:
    return Size(max(size.width, MINIMUM.width), max(size.height, MINIMUM.height))


# Message loops


class MessageLoopEnded(RuntimeError):
    """Raised when a message loop ended although its widget was not closed."""


class WatchedApp(App[None]):
    """Ends the app when the message loop of a widget or screen ends unexpectedly.

    Textual ends a loop silently when CancelledError is raised in one of its handlers, which any
    task can cause that is awaited there and was cancelled (textual 8.2, message_pump.py
    `_process_messages`). The process would go on with a screen that takes no key. Not reported:

        class Deaf(App):
            async def on_key(self):
                task = asyncio.create_task(asyncio.sleep(1))
                task.cancel()
                await task
    """

    def _register(self, parent: DOMNode, *widgets: Widget, **places: Any) -> list[Widget]:  # noqa: ANN401 - Textual's
        """Watch every widget and screen at the place where all of them are started."""
        registered = super()._register(parent, *widgets, **places)
        for widget in registered:
            if widget._task is not None:
                widget._task.add_done_callback(partial(self._on_loop_end, widget))
        return registered

    async def _process_messages_loop(self) -> None:
        """Watch the app's own loop, in which an error may be raised in the same way."""
        try:
            await super()._process_messages_loop()
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                self._report_loop_end(self)
            raise

    def _on_loop_end(self, widget: Widget, task: asyncio.Task[None]) -> None:
        is_leaving = not self._running or self.return_code is not None
        if not is_leaving and not widget._closing:
            # Removing the widget would otherwise await a task that raises.
            widget._running = False
            widget._task = None
            self._report_loop_end(widget)

    def _report_loop_end(self, pump: MessagePump) -> None:
        # Raised, so that the report has a traceback.
        try:
            raise MessageLoopEnded(f"the message loop of {pump!r} has ended")
        except MessageLoopEnded as error:
            self._handle_exception(error)

    def _fatal_error(self) -> None:
        """Leave the report to `report_crash`: Textual prints local variables, which hold texts."""
        self.report_crash()

    def report_crash(self) -> None:
        """Exit after an unhandled exception; called while that is handled."""
        super()._fatal_error()
