"""Help (F1): all keys by place, taken from the bindings, and the slash commands."""

from collections.abc import Iterable, Iterator

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from todo_tui.tui.actions.action import ActionHost, bindings
from todo_tui.tui.actions.hints import KeyNames, format_hint
from todo_tui.tui.actions.registry import ACTIONS, SECTIONS, SLASH_COMMANDS, section_of
from todo_tui.tui.actions.screens import HELP

_TYPED = "Slash commands"
_KEY_COLUMN = 17
_BREAKPOINTS = [(0, "-one"), (100, "-two")]
Line = tuple[str, str]
Section = tuple[str, list[Line]]
"""Place and the keys that work there."""


class HelpScreen(ActionHost, ModalScreen[None]):
    """Keys grouped by place, in two columns where there is room."""

    ACTIONS = HELP
    BINDINGS = bindings(HELP)
    CSS_PATH = "help.tcss"
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS

    def __init__(self, below: Screen[object], key_names: KeyNames) -> None:
        super().__init__()
        self._below = below
        self._key_names = key_names

    def compose(self) -> ComposeResult:
        """Lay out the sections in two columns that are about as high."""
        nodes = [self._below, self.app, *self._below.walk_children()]
        # The keys of the focused widget and its ancestors come first.
        focused = self._below.focused
        close_by = focused.ancestors_with_self[:-2] if focused is not None else []
        near = {section_of(ACTIONS[each.id]) for each in _bindings(close_by) if each.id}
        commands = [(command.usage, command.summary) for command in SLASH_COMMANDS.values()]
        sections = [*keys_by_place(nodes, self._key_names).items(), (_TYPED, commands)]
        sections.sort(key=lambda section: section[0] not in near)
        heights = [len(lines) + 2 for _, lines in sections]
        starts = [sum(heights[:place]) for place in range(len(sections) + 1)]
        half = min(range(len(starts)), key=lambda place: abs(2 * starts[place] - starts[-1]))
        left, right = sections[:half], sections[half:]
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = "Keyboard shortcuts"
            scroll.border_subtitle = format_hint(self.app, "↑ ↓ scroll · {help.close} close")
            with Horizontal():
                yield KeyTable(left)
                yield KeyTable(right)


class KeyTable(Widget):
    """Sections of keys with descriptions beside them, at any width."""

    def __init__(self, sections: list[Section]) -> None:
        super().__init__()
        self._sections = sections

    def render(self) -> Content:
        """Draw the sections; descriptions wrap under themselves."""
        room = max(self.content_size.width - _KEY_COLUMN - 1, 10)
        lines: list[Content] = []
        for title, pairs in self._sections:
            if lines:
                lines.append(Content(""))
            lines.append(Content.styled(title, "bold"))
            for keys, what in pairs:
                first, *rest = Content(what).wrap(room)
                names = (f"  {keys:<{_KEY_COLUMN - 2}}", "$text-primary")
                lines.append(Content.assemble(names, first))
                lines.extend(Content(" " * _KEY_COLUMN) + more for more in rest)
        return Content("\n").join(lines)


def keys_by_place(nodes: Iterable[DOMNode], key_names: KeyNames) -> dict[str, list[Line]]:
    """Return the described bindings by place, one line per action."""
    places: dict[str, dict[str, Line]] = {section: {} for section in SECTIONS}
    for binding in _bindings(nodes):
        if binding.id is None or not binding.tooltip:
            continue
        lines = places[section_of(ACTIONS[binding.id])]
        before = lines.get(binding.tooltip, ("", ""))[0].split()
        keys = dict.fromkeys([*before, *key_names.shown(binding).split()])
        lines[binding.tooltip] = (" ".join(keys), binding.tooltip)
    return {title: list(lines.values()) for title, lines in places.items() if lines}


def _bindings(nodes: Iterable[DOMNode]) -> Iterator[Binding]:
    seen: set[type] = set()
    for node in nodes:
        for kind in type(node).__mro__:
            if kind.__module__.startswith("textual.") or kind in seen:
                continue
            seen.add(kind)
            own = kind.__dict__.get("BINDINGS", ())
            yield from (binding for binding in own if isinstance(binding, Binding))
