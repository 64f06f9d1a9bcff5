"""Commands of the command palette: current key bindings, slash commands, models and themes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import FuzzySearch
from textual.types import IgnoreReturnCallbackType

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import app_key_names
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.slash_commands import SLASH_COMMANDS, command_for_action
from todo_tui.tui.theme import MUTED, THEMES

_NAVIGATION_KEYS = frozenset(
    (
        "up",
        "down",
        "left",
        "right",
        "pageup",
        "pagedown",
        "home",
        "end",
        "enter",
        "tab",
        "j",
        "k",
        "ctrl+j",
    )
)

_EXCLUDED_ACTIONS = ("answer", "command_palette", "go_to_provider")


@dataclass(frozen=True, slots=True)
class PaletteCommand:
    """Entry of the palette; `key` is the shortcut, if any.

    Commands that can be typed show their slash command beside the key.
    """

    name: str
    key: str
    run: IgnoreReturnCallbackType

    @property
    def display(self) -> Content:
        """Name with the shortcut beside it."""
        key = (f"  {self.key}", MUTED) if self.key else ""
        return Content.assemble(self.name, key)


class PaletteCommands(Provider):
    """Command source built from the bindings and the provider registry."""

    async def search(self, query: str) -> Hits:
        """Return the matching commands, scored by Textual's fuzzy matcher."""
        fuzzy = FuzzySearch()
        for command in self._commands():
            score, _ = fuzzy.match(query, command.name)
            if score > 0:
                yield Hit(score, command.display, command.run, command.name)

    async def discover(self) -> Hits:
        """Return all commands."""
        for command in self._commands():
            yield DiscoveryHit(command.display, command.run, command.name)

    def _commands(self) -> Iterator[PaletteCommand]:
        yield from self._key_commands()
        yield from self._approval_commands()
        yield from self._provider_commands()
        yield from self._theme_commands()

    def _provider_commands(self) -> Iterator[PaletteCommand]:
        """Return one command per provider."""
        app = self.app
        if not isinstance(app, TodoApp):
            return
        for number, option in enumerate(app.services.options, start=1):
            yield PaletteCommand(
                f"Switch to {plain_line(option.row.label)}: {plain_line(option.row.about)}",
                f"Alt+{number}" if number <= 9 else "",
                partial(app.run_action, f"screen.go_to_provider({number})"),
            )

    def _approval_commands(self) -> Iterator[PaletteCommand]:
        """Return the answers to an approval card, whether one is open or not."""
        names = app_key_names(self.app)
        keys = {"approve": names.first("chat.yes"), "deny": names.first("chat.no")}
        for command in SLASH_COMMANDS:
            if command.answers_card:
                yield PaletteCommand(
                    command.summary,
                    f"{keys[command.name]}  /{command.name}",
                    partial(self.app.run_action, f"screen.{command.action}"),
                )

    def _theme_commands(self) -> Iterator[PaletteCommand]:
        """Return one command per theme that is not active."""
        app = self.app
        if not isinstance(app, TodoApp):
            return
        for word, theme in THEMES.items():
            if app.theme != theme.name:
                yield PaletteCommand(
                    f"{word.capitalize()} theme",
                    "",
                    partial(app.choose_theme, word),
                )

    def _key_commands(self) -> Iterator[PaletteCommand]:
        """Return the enabled key bindings, without those that only move."""
        seen: set[str] = set()
        for node, binding, enabled, tooltip in self.screen.active_bindings.values():
            action = binding.action
            if binding.key in _NAVIGATION_KEYS:
                seen.add(action)
            if not tooltip or not enabled or action in seen:
                continue
            if action.startswith(_EXCLUDED_ACTIONS):
                continue
            seen.add(action)
            command = command_for_action(action)
            typed = f"  /{command.name}" if command else ""
            yield PaletteCommand(
                tooltip,
                self.app.get_key_display(binding) + typed,
                partial(self.app.run_action, action, node),
            )
