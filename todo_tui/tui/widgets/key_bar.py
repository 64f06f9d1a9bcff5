"""Key bar at the bottom: the bindings that are enabled now; and key hints as styled text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from textual import events
from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from todo_tui.tui.actions.action import performer
from todo_tui.tui.actions.registry import ACTIONS
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.text import wrap_pieces

_GAP = "  "


class KeyBar(Widget):
    """Shows the enabled bindings of the focused widget and its ancestors in one row.

    One widget, as the bindings change with every focus change and mounting is slow.
    """

    ALLOW_SELECT = False

    def on_mount(self) -> None:
        """Subscribe to changes of the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._redraw_soon)

    def _redraw_soon(self, _screen: Screen[object]) -> None:
        # Separate from the drawing of what changed; below another screen the keys stay.
        if self.screen.is_active:
            self.call_later(self.refresh)

    def __init__(self) -> None:
        super().__init__()
        self._pieces: tuple[list[Content], list[Content]] | None = None
        """Keys that are left out first, from the end, and the others, as read last."""

    def render(self) -> Content:
        """Draw as many keys as fit, one per action; below another screen those read before."""
        if self.screen.is_active or self._pieces is None:
            self._pieces = self._read()
        own, last = map(list, self._pieces)
        while (line := Content(_GAP).join([*own, *last])).cell_length > self.content_size.width:
            (own or last).pop()
        return line

    def _read(self) -> tuple[list[Content], list[Content]]:
        own: dict[str, Binding] = {}
        last: dict[str, Binding] = {}
        for active in self.screen.active_bindings.values():
            if active.binding.show and active.enabled and (binding := _shown(active)) is not None:
                # Keys of the app itself are left out last.
                shown = last if active.node is self.app else own
                shown.setdefault(binding.id or binding.action, binding)
        return self._pieces_of(own), self._pieces_of(last)

    def _pieces_of(self, shown: Mapping[str, Binding]) -> list[Content]:
        ranked = sorted(shown.values(), key=_rank)
        pairs = groupby(ranked, key=lambda binding: binding.description)
        return [self._piece([*bindings]) for _, bindings in pairs]

    def _piece(self, bindings: Sequence[Binding]) -> Content:
        """Draw the keys of bindings with the same description, such as `[ ] version`."""
        keys = [
            Content.styled(self.app.get_key_display(each), "bold $primary").stylize(
                Style.from_meta({"key": each.key})
            )
            for each in bindings
        ]
        about = Content.assemble(" ", (bindings[0].description, MUTED))
        about = about.stylize(Style.from_meta({"key": bindings[0].key}))
        return Content.assemble(Content(" ").join(keys), about)

    def on_click(self, event: events.Click) -> None:
        """Run the action of the clicked key."""
        key = event.style.meta.get("key")
        if isinstance(key, str):
            self.app.simulate_key(key)


def _shown(active: ActiveBinding) -> Binding | None:
    """Return the binding with its present label; None if its action does nothing now."""
    host, row = performer(active) or (None, None)
    if host is None or row is None:
        return active.binding
    if row.why_not(host) or not (row.applies is None or row.applies(host)):
        return None
    if row.hint_now is None:
        return active.binding
    return replace(active.binding, description=row.hint_now(host))


def _rank(binding: Binding) -> int:
    row = ACTIONS.get(binding.id or "")
    return row.hint_rank if row is not None else 0


def format_keys(keys: tuple[str, ...], width: int = 0) -> Content:
    """Style hints such as `Esc stop · Ctrl+T next model`: keys brighter than descriptions.

    Lines of `width` cells break between hints; 0: one line.
    """
    pieces = []
    for text in keys:
        key, _, action = text.partition(" ")
        pieces.append(Content.assemble((key, "bold $primary"), (f" {action}", MUTED)))
    return wrap_pieces(pieces, Content.styled(" · ", FAINT), width)
