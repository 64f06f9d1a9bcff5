"""The line at the bottom: only the keys that do something now."""

from __future__ import annotations

from collections.abc import Iterator

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from todo_tui.tui.theme import MUTED

_GAP = "   "
_ALWAYS_THERE = ("help", "command_palette", "quit")
"""Actions named last, in this order."""


class KeyFooter(Widget):
    """Draws the shown bindings of the focused widget and those above it in one row.

    One widget instead of one for each key: bindings change with every step of the
    focus, and nothing is mounted for it.
    """

    ALLOW_SELECT = False

    def on_mount(self) -> None:
        """Redraw whenever the keys that work change."""
        self.screen.bindings_updated_signal.subscribe(self, self._redraw)

    def on_unmount(self) -> None:
        """Stop listening."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _redraw(self, _screen: Screen[object]) -> None:
        self.refresh()

    def render(self) -> Content:
        """Keys and what they do, as many as fit; F1 names the rest."""
        line = Content("")
        room = self.content_size.width
        for binding in self._shown():
            piece = Content.assemble(
                (self.app.get_key_display(binding), "bold $primary"),
                " ",
                (binding.description, MUTED),
            ).stylize(Style.from_meta({"key": binding.key}))
            wider = line + _GAP + piece if line else piece
            if wider.cell_length > room:
                break
            line = wider
        return line

    def _shown(self) -> Iterator[Binding]:
        """Enabled bindings that want to be seen, one for each action."""
        shown: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled:
                shown.setdefault(active.binding.action, active.binding)
        last = [shown.pop(action) for action in _ALWAYS_THERE if action in shown]
        yield from shown.values()
        yield from last

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked on."""
        key = event.style.meta.get("key")
        if isinstance(key, str):
            self.app.simulate_key(key)
