"""Commands of the command palette: current key bindings, slash commands, models and themes."""

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.dom import DOMNode
from textual.fuzzy import FuzzySearch

from todo_tui.domain.text import plain_line
from todo_tui.tui.actions import SLASH_COMMANDS, app_key_names, command_for_action
from todo_tui.tui.services import AppServices
from todo_tui.tui.theme import MUTED, THEMES

_NAVIGATION_KEYS = frozenset(
    "up down left right pageup pagedown home end enter tab j k ctrl+j".split()
)
_EXCLUDED_ACTIONS = ("answer", "command_palette", "go_to_provider")


class PaletteCommands(Provider):
    """Command source built from the bindings and the provider registry."""

    async def search(self, query: str) -> Hits:
        """Return the matching commands, scored by Textual's fuzzy matcher."""
        fuzzy = FuzzySearch()
        for found in self._commands():
            score, _ = fuzzy.match(query, found.text or "")
            if score > 0:
                yield Hit(score, found.display, found.command, found.text)

    async def discover(self) -> Hits:
        """Return all commands."""
        for found in self._commands():
            yield found

    def _commands(self) -> Iterator[DiscoveryHit]:
        yield from self._key_commands()
        # The answers to an approval card, whether one is open or not.
        names = app_key_names(self.app)
        keys = {"approve": names.first("chat.yes"), "deny": names.first("chat.no")}
        for command in SLASH_COMMANDS:
            if command.answers_card:
                yield self._command(
                    command.summary,
                    f"{keys[command.name]}  /{command.name}",
                    f"screen.{command.action}",
                )
        services = getattr(self.app, "services", None)
        options = services.options if isinstance(services, AppServices) else ()
        for number, option in enumerate(options, start=1):
            yield self._command(
                f"Switch to {plain_line(option.row.label)}: {plain_line(option.row.about)}",
                f"Alt+{number}" if number <= 9 else "",
                f"screen.go_to_provider({number})",
            )
        for word, theme in THEMES.items():
            if self.app.theme != theme.name:
                name = f"{word.capitalize()} theme"
                yield self._command(name, "", f"app.choose_theme('{word}')")

    def _command(
        self, name: str, key: str, action: str, node: DOMNode | None = None
    ) -> DiscoveryHit:
        """Return an entry: its name with key and slash command, if any, beside it."""
        display = Content.assemble(name, (f"  {key}", MUTED) if key else "")
        return DiscoveryHit(display, partial(self.app.run_action, action, node), name)

    def _key_commands(self) -> Iterator[DiscoveryHit]:
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
            yield self._command(tooltip, self.app.get_key_display(binding) + typed, action, node)
