"""F1: every key and what it does, taken from the bindings themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from todo_tui.tui.key_names import key_name

_REST = "Tasks"
_KEY_COLUMN = 18

Line = tuple[str, str]
"""Keys, and what they do."""


class HelpScreen(ModalScreen[None]):
    """Keys by the place where they work, in two columns where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1,q", "dismiss(None)", "close", tooltip="Back to where you were"),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-one"), (100, "-two")]

    def __init__(self, below: Screen[object]) -> None:
        super().__init__()
        self._below = below

    def compose(self) -> ComposeResult:
        """The longer half on the left."""
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = "Keys"
            scroll.border_subtitle = "↑ ↓ scroll · Esc close"
            sections = list(
                keys_by_place([*self._below.walk_children(), self._below, self.app]).items()
            )
            total = sum(len(lines) + 2 for _, lines in sections)
            left: list[tuple[str, list[Line]]] = []
            while sections and sum(len(lines) + 2 for _, lines in left) < total / 2:
                left.append(sections.pop(0))
            with Horizontal():
                yield Static(_column(left), markup=False)
                yield Static(_column(sections), markup=False)


def keys_by_place(nodes: Iterable[DOMNode]) -> dict[str, list[Line]]:
    """The bindings that explain themselves, by the title of the widget that has them."""
    places: dict[str, list[Line]] = {}
    seen: set[type[DOMNode]] = set()
    for node in nodes:
        for kind in type(node).__mro__:
            if not issubclass(kind, DOMNode) or kind in seen:
                continue
            seen.add(kind)
            own = [each for each in kind.__dict__.get("BINDINGS", ()) if isinstance(each, Binding)]
            explained = [binding for binding in own if binding.tooltip]
            if explained:
                title = kind.__dict__.get("BINDING_GROUP_TITLE") or _REST
                lines = places.setdefault(title, [])
                lines.extend(line for line in map(_line, explained) if line not in lines)
    return places


def _line(binding: Binding) -> Line:
    keys = binding.key_display or " ".join(key_name(key) for key in binding.key.split(","))
    return keys, binding.tooltip


def _column(sections: list[tuple[str, list[Line]]]) -> Content:
    lines: list[Content] = []
    for title, pairs in sections:
        if lines:
            lines.append(Content(""))
        lines.append(Content.styled(title, "bold"))
        lines.extend(
            Content.assemble((f"  {keys:<{_KEY_COLUMN}} ", "$text-primary"), what)
            for keys, what in pairs
        )
    return Content("\n").join(lines)
