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
    """A line of the palette; `key` is what does the same without it, or empty.

    Of a command that can be typed the words are beside the key.
    """

    name: str
    key: str
    run: IgnoreReturnCallbackType

    @property
    def display(self) -> Content:
        """The name, and the key beside it."""
        key = (f"  {self.key}", MUTED) if self.key else ""
        return Content.assemble(self.name, key)


class PaletteCommands(Provider):
    """Derives its lines from the bindings and from the provider registry."""

    async def search(self, query: str) -> Hits:
        """The commands that fit, scored by Textual's fuzzy match."""
        fuzzy = FuzzySearch()
        for command in self._commands():
            score, _ = fuzzy.match(query, command.name)
            if score > 0:
                yield Hit(score, command.display, command.run, command.name)

    async def discover(self) -> Hits:
        """All of them."""
        for command in self._commands():
            yield DiscoveryHit(command.display, command.run, command.name)

    def _commands(self) -> Iterator[PaletteCommand]:
        yield from self._keys()
        yield from self._answers()
        yield from self._switching()
        yield from self._looks()

    def _switching(self) -> Iterator[PaletteCommand]:
        """A line for each provider."""
        app = self.app
        if not isinstance(app, TodoApp):
            return
        for number, option in enumerate(app.workbench.options, start=1):
            yield PaletteCommand(
                f"Switch to {plain_line(option.row.label)}: {plain_line(option.row.about)}",
                f"Alt+{number}" if number <= 9 else "",
                partial(app.run_action, f"screen.go_to_provider({number})"),
            )

    def _answers(self) -> Iterator[PaletteCommand]:
        """A line for each answer to an approval card, open or not."""
        names = app_key_names(self.app)
        keys = {"approve": names.first("chat.yes"), "deny": names.first("chat.no")}
        for command in SLASH_COMMANDS:
            if command.answers_card:
                yield PaletteCommand(
                    command.summary,
                    f"{keys[command.name]}  /{command.name}",
                    partial(self.app.run_action, f"screen.{command.action}"),
                )

    def _looks(self) -> Iterator[PaletteCommand]:
        """A line for each theme of ours that is not on."""
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

    def _keys(self) -> Iterator[PaletteCommand]:
        """What keys do now, but for those that only move."""
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
