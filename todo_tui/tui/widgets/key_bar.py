"""Key bar at the bottom: the bindings that are enabled now; and key hints as styled text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from todo_tui.tui.theme import FAINT, MUTED

_GAP = "   "
_KEY_STYLE = "bold $primary"
_GLOBAL_ACTIONS = ("help", "command_palette", "quit")
"""Actions shown last, in this order."""


class _Key(NamedTuple):
    """Key shown in the bar."""

    key: str
    display: str
    """Label of the key."""
    description: str


class KeyBar(Widget):
    """Shows the enabled bindings of the focused widget and its ancestors in one row.

    One widget instead of one per key: the bindings change with every focus change, and nothing is
    mounted for that.
    """

    ALLOW_SELECT = False

    def __init__(self) -> None:
        super().__init__()
        self._keys: tuple[_Key, ...] = ()
        self._redraw_pending = False

    def on_mount(self) -> None:
        """Subscribe to changes of the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._redraw_soon)
        self._keys = tuple(self._shown())

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _redraw_soon(self, _screen: Screen[object]) -> None:
        """Redraw once after all changes of a step, separate from the drawing of what changed."""
        if not self._redraw_pending:
            self._redraw_pending = self.call_later(self._redraw)

    def _redraw(self) -> None:
        self._redraw_pending = False
        keys = tuple(self._shown())
        if keys != self._keys:
            self._keys = keys
            self.refresh()

    def render(self) -> Content:
        """Draw as many keys as fit."""
        pieces: list[Content | str] = []
        room = self.content_size.width
        for key in self._keys:
            meta = Style.from_meta({"key": key.key})
            piece = Content.assemble(
                (key.display, _KEY_STYLE), " ", (key.description, MUTED)
            ).stylize(meta)
            room -= piece.cell_length + (len(_GAP) if pieces else 0)
            if room < 0:
                break
            pieces += [_GAP, piece] if pieces else [piece]
        return Content.assemble(*pieces)

    def _shown(self) -> Iterator[_Key]:
        """Return the enabled bindings that are shown, one per action."""
        shown: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled:
                shown.setdefault(active.binding.action, active.binding)
        last = [shown.pop(action) for action in _GLOBAL_ACTIONS if action in shown]
        for binding in (*shown.values(), *last):
            yield _Key(binding.key, self.app.get_key_display(binding), binding.description)

    def on_click(self, event: events.Click) -> None:
        """Run the action of the clicked key."""
        key = event.style.meta.get("key")
        if isinstance(key, str):
            self.app.simulate_key(key)


def format_keys(keys: tuple[str, ...]) -> Content:
    """Style hints such as `Esc stop · Ctrl+T other model`: keys brighter than descriptions."""
    pieces = []
    for text in keys:
        key, _, action = text.partition(" ")
        pieces.append(Content.assemble((key, "bold $primary"), (f" {action}", MUTED)))
    return Content.styled(" · ", FAINT).join(pieces)
