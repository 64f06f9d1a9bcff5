"""The terminal app: opens the main screen, holds the looks and the keys that work everywhere."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.command import Provider as CommandProvider
from textual.driver import Driver
from textual.filter import LineFilter, NoColor
from textual.notifications import SeverityLevel
from textual.screen import Screen

from todo_tui.domain.errors import StoreError
from todo_tui.domain.text import plain_line, plain_text
from todo_tui.tui.action_keys import KeyNames, bind, whole_keymap
from todo_tui.tui.clipboard import terminal_copy
from todo_tui.tui.ending import on_signal_to_end, outliving_terminal
from todo_tui.tui.key_names import key_name
from todo_tui.tui.key_order import KeyOrder
from todo_tui.tui.minimum_size import MinimumSizeApp
from todo_tui.tui.screens.main import MainScreen
from todo_tui.tui.terminal_keys import mend_alt_keys
from todo_tui.tui.theme import DARK, LIGHT, theme_name
from todo_tui.tui.watched_app import WatchedApp
from todo_tui.tui.wishes import Wish
from todo_tui.tui.workbench import Workbench

_log = logging.getLogger(__name__)

_THEME = "theme"
_QUIT_AGAIN_SECONDS = 2.0
_LONGEST_NOTICE = 1_000
"""Characters; what is over that covers the screen."""
_MOST_TOLD = 3
"""Mistakes of the configuration; more would cover the list."""
_HERE = Path(__file__).parent
_STYLE_SHEETS: list[str | PurePath] = [
    _HERE / "screens" / "main.tcss",
    *(
        _HERE / "widgets" / f"{widget}.tcss"
        for widget in (
            "activity_line",
            "composer",
            "key_footer",
            "status_line",
            "task_list",
            "task_pane",
        )
    ),
]
"""Of the first frame; other screens bring their own when they open."""


def _palette_commands() -> type[CommandProvider]:
    """Imported when the palette opens, not before the first frame."""
    from todo_tui.tui.commands import PaletteCommands

    return PaletteCommands


class TodoApp(MinimumSizeApp, WatchedApp):
    """Talk to a to-do list: the conversation on the left, the tasks on the right."""

    TITLE = "todo-tui"
    CSS_PATH = _STYLE_SHEETS
    PAUSE_GC_ON_SCROLL = True
    COMMANDS: ClassVar = {_palette_commands}
    BINDING_GROUP_TITLE = "Everywhere"

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("app.help", "help", "help", show=True),
        bind("app.command_palette", "command_palette", "commands", show=True, priority=True),
        bind("app.toggle_theme", "toggle_theme", "Light or dark"),
        bind("app.quit", "quit", "quit", show=True, priority=True),
        bind("app.interrupt", "interrupt", "Copy, stop"),
    ]

    def __init__(self, workbench: Workbench) -> None:
        self._colourless = workbench.no_color or "NO_COLOR" in os.environ
        # Without colours the terminal's own hold, and what has the focus is shown reversed.
        super().__init__(ansi_color=True if self._colourless else None)
        mend_alt_keys()
        self.workbench = workbench
        self.key_names = KeyNames(workbench.keymap)
        self._keys = KeyOrder(self, super().on_event)
        self._interrupted_at = 0.0
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = theme_name(workbench.theme or self._remembered_theme())
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled_for = self.theme
        self.set_keymap(whole_keymap(workbench.keymap))

    def get_default_screen(self) -> Screen[None]:
        """The one screen: no empty one is drawn before it."""
        return MainScreen(self.workbench, self._keys)

    def refresh_css(self, animate: bool = True) -> None:
        """Restyle all for another theme; not at start, when nothing has other looks yet."""
        if self._styled_for != self.theme:
            self._styled_for = self.theme
            super().refresh_css(animate=animate)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Take colour away where the settings say so and the environment does not."""
        filters = super().get_line_filters()
        return [*filters, NoColor()] if self._colourless and not self.no_color else filters

    def get_driver_class(self) -> type[Driver]:
        """Use a driver that survives the end of its terminal."""
        return outliving_terminal(super().get_driver_class(), self._leave_soon)

    def get_key_display(self, binding: Binding) -> str:
        """Name keys as people and manuals do."""
        return binding.key_display or key_name(binding.key)

    def on_mount(self) -> None:
        """Tell what the configuration has wrong; the defaults hold there."""
        if not self.is_headless:
            on_signal_to_end(self._leave_soon)
        for words in _told(self.workbench.mistakes):
            self.notify(words, title="Configuration", severity="warning", timeout=12)

    async def on_event(self, event: events.Event) -> None:
        """Let keys through one at a time, and none before there is a composer."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await super().on_event(event)

    def action_toggle_theme(self) -> None:
        """Light to dark and back; kept for the next start."""
        self.choose_theme("light" if self.current_theme.dark else "dark")

    def choose_theme(self, word: str) -> None:
        """`light` or `dark`, from now on."""
        self.theme = theme_name(word)
        try:
            self.workbench.store.memory.set(_THEME, word)
        except StoreError as error:
            self.notify(error.message, severity="warning", markup=False)

    def action_help(self) -> None:
        """Show the keys."""
        from todo_tui.tui.screens.help import HelpScreen  # not needed before the first frame

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen, self.key_names))

    def action_interrupt(self) -> None:
        """Copy the selection, else stop the turn, else ask for the key once more to quit."""
        selected = self.screen.get_selected_text()
        main = self.screen_stack[0]
        if selected:
            self.copy_to_clipboard(selected)
        elif isinstance(main, MainScreen) and main.busy:
            self.call_next(main.action_talk, Wish.STOP)
        elif time.monotonic() - self._interrupted_at < _QUIT_AGAIN_SECONDS:
            self.call_next(self.action_quit)
        else:
            self._interrupted_at = time.monotonic()
            self.notify(
                "Ctrl+C again quits. Nothing is lost: all is saved.", timeout=2, markup=False
            )

    def copy_to_clipboard(self, text: str) -> None:
        """Hand text to the terminal, which puts it on the clipboard if it may."""
        self.hand_to_terminal(text)
        self.notify("Sent to the terminal's clipboard.", timeout=2, markup=False)

    def hand_to_terminal(self, text: str) -> None:
        """The same without a notice, for whoever says it in a place of their own."""
        super().copy_to_clipboard(text)
        if self._driver is not None:
            terminal_copy(text, self._driver.write, os.environ)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notice as plain text: titles, paths and servers' words end up in them.

        The same one again takes the place of the first.
        """
        text = plain_text(message[:_LONGEST_NOTICE])
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
        """Stop the turn, wait until what it did is stored, then leave."""
        await self._leave(0)

    def _leave_soon(self, status: int) -> None:
        self.call_later(self._leave, status)

    async def _leave(self, status: int) -> None:
        main = self.screen_stack[0]
        if isinstance(main, MainScreen):
            # Left with a status other than 0, it was ended by a signal.
            await main.wind_up(interrupted=status != 0)
        self.workers.cancel_all()
        self.exit(return_code=status)

    def _fatal_error(self) -> None:
        """Leave with a sentence; the stack goes to the log, and values of variables nowhere."""
        _log.exception("the app broke")
        log = f" Details: {self.workbench.log_path}" if self.workbench.log_path else ""
        self.panic(
            Text(
                "todo-tui had to stop because of an internal error; everything up to that point "
                f"is saved, so start it again to continue.{log}"
            )
        )

    def _remembered_theme(self) -> str:
        try:
            return self.workbench.store.memory.get(_THEME) or ""
        except StoreError:
            return ""


def _told(mistakes: Sequence[str]) -> Iterator[str]:
    """The first mistakes, and how to see the others."""
    yield from mistakes[:_MOST_TOLD]
    if (more := len(mistakes) - _MOST_TOLD) > 0:
        yield f"{more} more; `todo-tui config check` tells all."
