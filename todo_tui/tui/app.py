"""Textual application.

Global keys, themes, notifications, clipboard, shutdown, a lost terminal, the minimum size.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events, on, work
from textual.binding import Binding
from textual.driver import Driver
from textual.filter import LineFilter, Monochrome, NoColor
from textual.notifications import Notification, Notify, SeverityLevel
from textual.screen import ModalScreen, Screen

from todo_tui.config.kinds import shorten_for_message
from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.store.database import guards_event_loop
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.hints import KeyNames, format_hint
from todo_tui.tui.actions.keymap import complete_keymap
from todo_tui.tui.actions.keys import display_key
from todo_tui.tui.actions.main import APP
from todo_tui.tui.clipboard import copy_to_clipboard
from todo_tui.tui.key_queue import KeyQueue
from todo_tui.tui.links import open_link
from todo_tui.tui.palette import Palette, PaletteCommands
from todo_tui.tui.screens.help import HelpScreen
from todo_tui.tui.screens.live_screen import RequestToMain
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.textual_fixes import (
    Leave,
    MinimumSizeApp,
    WatchedApp,
    fix_alt_keys,
    hangup_tolerant_driver,
    shown_notices,
    withdraw_notice,
)
from todo_tui.tui.theme import DARK, LIGHT, theme_name, theme_names

if TYPE_CHECKING:
    from todo_tui.tui.chat.turn_view import TurnView
    from todo_tui.tui.screens.settings import SettingsScreen

_TERMINATION_SIGNALS = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_log = logging.getLogger(__name__)
_THEME = "theme"
_QUIT_OFFER_SECONDS = 2.0
_QUIT_SECONDS = 5.0
"""Longest wait for another program's lock when the app is left."""
_WAITING = "Waiting for another program to finish with the database…"
_WAITING_SHOWN_AFTER_SECONDS = 0.5
_WAITING_CHECK_SECONDS = 0.5
_NOTICE_SECONDS_WHILE_WAITING = 3600.0
_MAX_NOTICES = 2
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

    ACTIONS = APP

    def __init__(self, services: AppServices) -> None:
        self._colourless = services.settings.no_color
        # Without colours the terminal's own apply, and the focus is shown in reverse.
        super().__init__(ansi_color=True if self._colourless else None)
        self.no_color = self._colourless
        fix_alt_keys()
        self.services = services
        self.key_names = KeyNames(services.keymap)
        self._keys = KeyQueue(self, self._deliver)
        self._quit_offer: Notification | None = None
        """Notice that offers to quit: while it is shown, a second press does."""
        self._key_time = self._offer_time = 0.0
        """Seconds of the monotonic clock: when the last key was pressed, and the one that led to
        the offer to quit. Keys may wait while the app works."""
        self.leaving: asyncio.Task[None] | None = None
        """What saves and exits, once that was requested."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        theme = services.settings.theme
        if not theme:
            with suppress(StoreError):
                theme = services.store.app_state.get(_THEME) or ""
        is_known = theme_name(theme) in self.available_themes
        self.theme = theme_name(theme if is_known else "")
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_for = self.theme
        self.set_keymap(complete_keymap(services.keymap))

    def on_settings_screen_keys_changed(self, event: SettingsScreen.KeysChanged) -> None:
        """Give actions other keys, and draw again what names them."""
        self.key_names = KeyNames(event.keymap)
        self.set_keymap(complete_keymap(event.keymap))
        for screen in self.screen_stack:
            screen.refresh_bindings()
            for widget in screen.walk_children():
                widget.refresh()

    def get_default_screen(self) -> Screen[None]:
        """Return the main screen, so that no empty screen is drawn before it."""
        return MainScreen(self.services, self._keys)

    def refresh_css(self, animate: bool = True) -> None:
        """Restyle for another theme; skipped at start, when nothing is styled differently yet."""
        if self._styled_for != self.theme:
            self._styled_for = self.theme
            super().refresh_css(animate=animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Remove colour where the settings ask for it; Textual takes an empty NO_COLOR for one."""
        filters = super().get_line_filters()
        filters = [each for each in filters if not isinstance(each, Monochrome | NoColor)]
        return [*filters, NoColor()] if self._colourless else filters

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
        configured = self.services.settings.theme
        if configured and theme_name(configured) not in self.available_themes:
            name = shorten_for_message(configured)
            errors.append(f"Unknown theme “{name}”. Press F9 to choose one.")
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
        """Deliver a key; those for help work in modal screens too, which hide the app's.

        What an input takes as text is none.
        """
        screen = self.screen
        if isinstance(screen, MainScreen):
            screen.chat.conversation.unmark_found()
        key = event.key if isinstance(event, events.Key) else ""
        self._key_time = event.time
        if key not in self.key_names.keys("app.interrupt"):
            self._withdraw_quit_offer()
        is_help = key in self.key_names.keys("app.help") and not (
            isinstance(event, events.Key)
            and screen.focused is not None
            and screen.focused.check_consume_key(key, event.character)
        )
        if is_help and isinstance(screen, ModalScreen):
            if isinstance(screen, HelpScreen):
                screen.dismiss(None)
            else:
                self.action_help()
        else:
            await super().on_event(event)

    def action_choose_theme(self) -> None:
        """Open the menu of themes, and remember the choice."""
        from todo_tui.tui.screens.theme_menu import ThemeMenu  # opened by a key

        def choose(place: int | None) -> None:
            if place is not None:
                self.action_apply_theme(theme_names()[place])

        self.push_screen(ThemeMenu(self), choose)

    def action_apply_theme(self, word: str) -> None:
        """Apply and remember a theme: `light`, `dark` or one of Textual's."""
        self.theme = theme_name(word)
        self._remember_theme(word)

    @work(group="theme")
    async def _remember_theme(self, word: str) -> None:
        from todo_tui.config.config_file_edit import (
            write_setting,  # 10 ms: not before the first frame
        )

        try:
            await self.services.writer.run(self.services.store.app_state.set, _THEME, word)
            if (read := self.services.read_configuration) is not None:
                settings = (await asyncio.to_thread(read)).settings
                if settings.theme:
                    # The file counts at the next start, not what was remembered.
                    await asyncio.to_thread(write_setting, settings.config, _THEME, word)
        except TodoError as error:
            self.notify(error.text, severity="warning")

    def action_command_palette(self) -> None:
        """Open the command palette."""
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def action_help(self, find: str = "") -> None:
        """Open the help, at the keys that match `find`."""
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen, self.key_names, find))

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
        elif (
            self._quit_offer is not None and self._key_time - self._offer_time < _QUIT_OFFER_SECONDS
        ):
            if isinstance(main, MainScreen):
                main.chat.composer.put_back_cleared()
            self.call_next(self.action_quit)
        else:
            text = "Press Ctrl+C again to quit."
            if self._is_saved:
                text = f"Everything is saved. {text}"
            if isinstance(main, MainScreen) and main.chat.composer.clear_text():
                text = format_hint(self, f"Message cleared: {{write.older}} brings it back. {text}")
            self._quit_offer = Notification(text, timeout=_QUIT_OFFER_SECONDS)
            self._offer_time = self._key_time
            self.post_message(Notify(self._quit_offer))

    def _withdraw_quit_offer(self) -> None:
        if self._quit_offer is not None:
            withdraw_notice(self, self._quit_offer)
            self._quit_offer = None

    @property
    def _is_saved(self) -> bool:
        """True if no write waits, and the last one reached the file."""
        services = self.services
        return not (services.writer.is_busy or services.store.file.has_failed_write)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy selected text, and say where it went."""
        copy_to_clipboard(self, text, "selected text")

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Open a web or mail link with the desktop's program, else copy and show it.

        Textual's own would start a browser that draws in this terminal where there is no other.
        """
        self._open_url(url)

    @work(group="links")
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

        Replaces an earlier notice with the same text, and information beside the last one, so
        that the conversation stays in sight; warnings and errors stay.
        """
        text = plain_text(message[:_MAX_NOTICE_LENGTH])
        for shown in shown_notices(self):
            if shown.message == text:
                withdraw_notice(self, shown, refresh=False)
        told = [each for each in shown_notices(self) if each.severity == "information"]
        for shown in told[: 1 - _MAX_NOTICES]:
            withdraw_notice(self, shown, refresh=False)
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
            asyncio.get_running_loop().call_later(_QUIT_SECONDS, store.file.stop_waiting)
            # A handler that waited would handle no second press.
            self.leaving = asyncio.create_task(self._shut_down(status))
        else:
            store.file.stop_waiting()

    async def _shut_down(self, status: int) -> None:
        main, unsaved = self.screen_stack[0], ""
        failures = self.services.store.file.failed_writes
        try:
            if isinstance(main, MainScreen):
                # A status other than 0 means a signal.
                unsaved = await main.shut_down(interrupted=status != 0)
        except Exception:
            _log.exception("internal error on leaving")
        finally:
            self.services.store.file.stop_waiting()
            self.workers.cancel_all()
            message = None
            if self.services.store.file.failed_writes > failures:
                message = Text(_unsaved_text(self.services.store.path, unsaved))
            self.exit(return_code=status, message=message)

    def _show_waiting(self) -> None:
        """Show a notice as long as a write waits for another program."""
        text = _WAITING
        if self.leaving is not None:
            text += f" {format_hint(self, '{app.quit}')} again quits without saving."
        is_waiting = self.services.store.file.waiting_seconds >= _WAITING_SHOWN_AFTER_SECONDS
        shown = [each for each in shown_notices(self) if each.message.startswith(_WAITING)]
        for each in shown:
            if not is_waiting or each.message != text:
                withdraw_notice(self, each)
        if is_waiting and text not in [each.message for each in shown]:
            self.notify(text, timeout=_NOTICE_SECONDS_WHILE_WAITING)

    def report_crash(self) -> None:
        """Exit with one sentence; the traceback goes to the log, without local variables."""
        _log.exception("internal error in the app")
        saved = "Your data is saved; restart" if self._is_saved else "Restart"
        log = f" Details: {self.services.log_path}" if self.services.log_path else ""
        self.panic(
            Text(
                f"todo-tui stopped because of an internal error. {saved} todo-tui to continue.{log}"
            )
        )
