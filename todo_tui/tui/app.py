"""Textual application.

Global keys, themes, notifications, clipboard, shutdown, a lost terminal, the minimum size.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import select
import signal
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, ClassVar, cast

from rich.console import Console, RenderableType
from rich.text import Text
from textual import events, on, work
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._compositor import CompositorUpdate
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.geometry import Size
from textual.keys import Keys
from textual.message_pump import MessagePump
from textual.notifications import SeverityLevel
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.store.database import guards_event_loop
from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import KeyNames, format_hint
from todo_tui.tui.actions.keymap import complete_keymap
from todo_tui.tui.actions.keys import display_key
from todo_tui.tui.actions.main import APP
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.key_queue import KeyQueue
from todo_tui.tui.links import open_link
from todo_tui.tui.palette import PaletteCommands
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.screens.live_screen import RequestToMain
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import DARK, LIGHT, theme_name

if TYPE_CHECKING:
    from todo_tui.tui.chat.turn_view import TurnView

if sys.platform != "win32":
    from textual.drivers.linux_driver import LinuxDriver

MINIMUM = Size(30, 8)
"""Smallest columns and lines in which every screen is usable."""
Leave = Callable[[int], object]
_TERMINATION_SIGNALS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_HANGUP_STATUS = 128 + 1
_TERMINAL_CLOSED_ERRNOS = frozenset(
    {errno.EIO, errno.EPIPE, errno.ENXIO, errno.EBADF, errno.ENOTTY}
)
_log = logging.getLogger(__name__)
_THEME = "theme"
_QUIT_AGAIN_SECONDS = 2.0
_QUIT_SECONDS = 5.0
"""Longest wait for another program's lock when the app is left."""
_WAITING = "Waiting for another program to finish with the database…"
_WAITING_SHOWN_AFTER_SECONDS = 0.5
_WAITING_CHECK_SECONDS = 0.5
_NOTICE_SECONDS_WHILE_WAITING = 3600.0
_MAX_NOTICE_LENGTH = 1_000
"""Characters; a longer notice would cover the screen."""
_MAX_CONFIG_ERRORS = 3
"""Number of configuration errors shown; more would cover the list."""


def on_termination_signal(leave: Leave) -> None:
    """Call `leave` with the exit status on the first termination signal.

    A second signal ends the process at once. An ignored signal (`nohup`) stays ignored.
    """
    loop = asyncio.get_running_loop()
    handled = [
        each for each in _TERMINATION_SIGNALS if signal.getsignal(each) is not signal.SIG_IGN
    ]

    def on_signal(number: int) -> None:
        for each in handled:
            loop.remove_signal_handler(each)
        leave(128 + number)

    # Windows event loops and loops in threads support no signal handlers.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        for each in handled:
            loop.add_signal_handler(each, on_signal, each)


class SuspendedOutput(Driver):
    """Discards output while an editor has the terminal; the app goes on and is redrawn after it.

    Textual has stopped the writer thread by then: writes would wait for it for ever.
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
    within seconds, and the next write blocks for ever. Its reader shows a crash.
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


def fix_alt_keys() -> None:
    """Fix Textual's parsing of Alt+digit (not `™`) and Alt+Enter (a new line, not Enter).

    Textual maps escape and a digit to what the Option key of a Mac types; such a terminal sends
    that character itself, so the sequence always means Alt. There is no public API for this.
    """
    if isinstance(ANSI_SEQUENCES_KEYS, dict):
        for digit in "123456789":
            ANSI_SEQUENCES_KEYS.pop(f"\x1b{digit}", None)
        ANSI_SEQUENCES_KEYS["\x1b\r"] = (Keys.ControlJ,)


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
    the mouse has nothing to point at.
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


class MessageLoopEnded(RuntimeError):
    """Raised when a message loop ended although its widget was not closed."""


class WatchedApp(App[None]):
    """Ends the app when the message loop of a widget or screen ends unexpectedly.

    Textual ends a loop silently when CancelledError is raised in one of its handlers, which any
    task can cause that is awaited there and was cancelled (textual 8.2, message_pump.py
    `_process_messages`). The process would go on with a screen that takes no key.
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


_PACKAGE_DIR = Path(__file__).parent
_STYLE_SHEETS: list[str | PurePath] = [
    _PACKAGE_DIR / f"{name}.tcss"
    for name in (
        "screens/main",
        "chat/pane",
        "chat/composer",
        "widgets/key_bar",
        "widgets/status_bar",
        "task_list/widget",
        "task_list/pane",
    )
]
"""Style sheets of the first frame; other screens load their own when they open."""


def _unsaved_text(path: Path, draft: str) -> str:
    """Return what was not saved on leaving, with the text of the draft, which would be lost."""
    text = f"todo-tui: could not write to {path}, so the last changes were not saved."
    return f"{text}\nYour unsent message:\n{plain_text(draft)}" if draft else text


class TodoApp(ActionHost, MinimumSizeApp, WatchedApp):
    """Chat with a to-do list: conversation on the left, tasks on the right."""

    TITLE = "todo-tui"
    CSS_PATH = _STYLE_SHEETS
    COMMANDS: ClassVar = {PaletteCommands}
    BINDING_GROUP_TITLE = "Everywhere"

    ACTIONS = APP
    BINDINGS = bindings(APP)

    def __init__(self, services: AppServices) -> None:
        self._colourless = services.no_color or "NO_COLOR" in os.environ
        # Without colours the terminal's own apply, and the focus is shown in reverse.
        super().__init__(ansi_color=True if self._colourless else None)
        fix_alt_keys()
        self.services = services
        self.key_names = KeyNames(services.keymap)
        self._keys = KeyQueue(self, self._deliver)
        self._interrupted_at = float("-inf")
        self.leaving: asyncio.Task[None] | None = None
        """What saves and exits, once that was requested."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        theme = services.theme
        if not theme:
            with suppress(StoreError):
                theme = services.store.memory.get(_THEME) or ""
        self.theme = theme_name(theme)
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_for = self.theme
        self.set_keymap(complete_keymap(services.keymap))

    def get_default_screen(self) -> Screen[None]:
        """Return the main screen, so that no empty screen is drawn before it."""
        return MainScreen(self.services, self._keys)

    def refresh_css(self, animate: bool = True) -> None:
        """Restyle for another theme; skipped at start, when nothing is styled differently yet."""
        if self._styled_for != self.theme:
            self._styled_for = self.theme
            super().refresh_css(animate=animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Remove colour where the settings ask for it and the environment does not."""
        filters = super().get_line_filters()
        return [*filters, NoColor()] if self._colourless and not self.no_color else filters

    def get_driver_class(self) -> type[Driver]:
        """Use a driver that survives the end of its terminal."""
        return hangup_tolerant_driver(super().get_driver_class(), self._leave_soon)

    def get_key_display(self, binding: Binding) -> str:
        """Return the key's label as keyboards and manuals write it."""
        return binding.key_display or display_key(binding.key)

    def on_load(self) -> None:
        """Report writes on the event loop from here on: all tasks of the app inherit this."""
        guards_event_loop.set(True)

    def on_mount(self) -> None:
        """Show errors of the configuration, whose defaults apply."""
        self.set_interval(_WAITING_CHECK_SECONDS, self._show_waiting)
        if not self.is_headless:
            on_termination_signal(self._leave_soon)
        errors = [*self.services.config_errors]
        if (more := len(errors) - _MAX_CONFIG_ERRORS) > 0:
            errors[_MAX_CONFIG_ERRORS:] = [f"{more} more. Run `todo-tui config check` to list all."]
        for text in errors:
            self.notify(text, title="Configuration", severity="warning", timeout=12)

    async def on_event(self, event: events.Event) -> None:
        """Deliver keys one at a time, and none before the composer exists."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await super().on_event(event)

    async def _deliver(self, event: events.Key | events.Paste) -> None:
        """Deliver a key; the one for help works in modal screens too, which hide the app's."""
        screen = self.screen
        key = event.key if isinstance(event, events.Key) else ""
        if key not in self.key_names.keys("app.interrupt"):
            self._interrupted_at = float("-inf")  # any other input withdraws the offer to quit
        is_help = (
            isinstance(event, events.Key)
            and not event.is_printable
            and event.key in self.key_names.keys("app.help")
        )
        if is_help and isinstance(screen, ModalScreen):
            if isinstance(screen, HelpScreen):
                screen.dismiss(None)
            else:
                self.action_help()
        else:
            await super().on_event(event)

    def action_toggle_theme(self) -> None:
        """Toggle light and dark, and remember the choice."""
        self.action_choose_theme("light" if self.current_theme.dark else "dark")

    def action_choose_theme(self, word: str) -> None:
        """Apply and remember a theme: `light` or `dark`."""
        self.theme = theme_name(word)
        self._remember_theme(word)

    @work(group="theme")
    async def _remember_theme(self, word: str) -> None:
        try:
            await self.services.writer.run(self.services.store.memory.set, _THEME, word)
        except StoreError as error:
            self.notify(error.message, severity="warning")

    def action_help(self) -> None:
        """Open the help."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen, self.key_names))

    @on(RequestToMain)
    def _pass_to_main(self, event: RequestToMain) -> None:
        event.stop()
        self.screen_stack[0].post_message(event)

    def on_turn_view_source_requested(self, event: TurnView.SourceRequested) -> None:
        """Show the source of a citation."""
        from todo_tui.tui.screens.source import SourceScreen  # 85 ms with the Markdown widgets

        self.push_screen(SourceScreen(self.services, event.passages, event.at))

    def action_interrupt(self) -> None:
        """Copy the selection, stop the turn or clear the message; quit on a second press."""
        selected = self.screen.get_selected_text()
        main = self.screen_stack[0]
        if selected:
            self.copy_to_clipboard(selected)
        elif isinstance(main, MainScreen) and main.stop():
            pass
        elif time.monotonic() - self._interrupted_at < _QUIT_AGAIN_SECONDS:
            if isinstance(main, MainScreen):
                main.chat.composer.put_back_cleared()
            self.call_next(self.action_quit)
        else:
            self._interrupted_at = time.monotonic()
            text = "Press Ctrl+C again to quit."
            if self._is_saved:
                text = f"Everything is saved. {text}"
            if isinstance(main, MainScreen) and main.chat.composer.clear_text():
                text = format_hint(self, f"Message cleared: {{write.older}} brings it back. {text}")
            self.notify(text, timeout=2)

    @property
    def _is_saved(self) -> bool:
        """True if no write waits, and the last one reached the file."""
        services = self.services
        return not (services.writer.is_busy or services.store.has_failed_write)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy selected text, and say where it went."""
        copy_to_clipboard(self, text, "selected text")

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Open a web or mail link with the desktop's program, else copy and show it.

        Textual's own would start a browser that draws in this terminal where there is no other.
        """
        self.run_worker(LazyCoroutine(partial(self._open_url, url)), group="links")

    async def _open_url(self, url: str) -> None:
        try:
            await asyncio.to_thread(open_link, url)
        except TodoError as error:
            copy_to_clipboard(self, url, "link", error.message)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notice as plain text, since titles, paths and server messages end up in it.

        Replaces an earlier notice with the same text.
        """
        text = plain_text(message[:_MAX_NOTICE_LENGTH])
        for shown in [each for each in self._notifications if each.message == text]:
            self._unnotify(shown, refresh=False)
        super().notify(
            text,
            title=plain_line(title),
            severity=severity,
            timeout=timeout,
            markup=markup,
        )

    async def action_quit(self) -> None:
        """Stop the turn and exit once it is stored; a second press does not wait for a lock."""
        self._leave(0)

    def _leave_soon(self, status: int) -> None:
        self.call_later(self._leave, status)

    def _leave(self, status: int) -> None:
        store = self.services.store
        if self.leaving is None:
            asyncio.get_running_loop().call_later(_QUIT_SECONDS, store.stop_waiting)
            # A handler that waited would handle no second press.
            self.leaving = asyncio.create_task(self._shut_down(status))
        else:
            store.stop_waiting()

    async def _shut_down(self, status: int) -> None:
        main, unsaved = self.screen_stack[0], ""
        failures = self.services.store.failed_writes
        try:
            if isinstance(main, MainScreen):
                # A status other than 0 means a signal.
                unsaved = await main.shut_down(interrupted=status != 0)
        except Exception:
            _log.exception("internal error on leaving")
        finally:
            self.services.store.stop_waiting()
            self.workers.cancel_all()
            message = None
            if self.services.store.failed_writes > failures:
                message = Text(_unsaved_text(self.services.store.path, unsaved))
            self.exit(return_code=status, message=message)

    def _show_waiting(self) -> None:
        """Show a notice as long as a write waits for another program."""
        text = _WAITING
        if self.leaving is not None:
            text += f" {format_hint(self, '{app.quit}')} again quits without saving."
        is_waiting = self.services.store.waiting_seconds >= _WAITING_SHOWN_AFTER_SECONDS
        shown = [each for each in self._notifications if each.message.startswith(_WAITING)]
        for each in shown:
            if not is_waiting or each.message != text:
                self._unnotify(each)
        if is_waiting and text not in [each.message for each in shown]:
            self.notify(text, timeout=_NOTICE_SECONDS_WHILE_WAITING)

    def _fatal_error(self) -> None:
        """Exit with one sentence; the traceback goes to the log, without local variables."""
        _log.exception("internal error in the app")
        saved = "Your data is saved; restart" if self._is_saved else "Restart"
        log = f" Details: {self.services.log_path}" if self.services.log_path else ""
        self.panic(
            Text(
                f"todo-tui stopped because of an internal error. {saved} todo-tui to continue.{log}"
            )
        )
