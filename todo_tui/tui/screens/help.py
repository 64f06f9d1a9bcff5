"""Help (F1): keys by place, taken from the bindings, and the slash commands; with a filter."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.chat import APPROVAL_CARD
from todo_tui.tui.actions.hints import KeyNames, format_hint
from todo_tui.tui.actions.registry import ACTIONS, SECTIONS, SLASH_COMMANDS, section_of
from todo_tui.tui.actions.screens import HELP
from todo_tui.tui.fuzzy_search import contains_words
from todo_tui.tui.theme import MUTED
from todo_tui.tui.widgets.dialog import Dialog
from todo_tui.tui.widgets.line_input import LineInput

_TYPED = "Slash commands"
_KEY_COLUMN, _BELOW = 17, 4
_NARROW = 42
"""Columns from which descriptions have room beside their keys."""
_FIRST_TITLE = "Most used"
_FIRST = (
    "write.send",
    "app.to_list",
    "list.add",
    "list.tick",
    "list.undo",
    "list.filter",
    "app.pick_model",
    "app.conversations",
    "app.command_palette",
    "app.quit",
)
"""Actions of the main screen that come first, and nowhere else."""
_BREAKPOINTS = [(0, "-one"), (100, "-two")]
Line = tuple[str, str]
Section = tuple[str, list[Line]]
"""Place and the keys that work there."""


class HelpScreen(ActionHost, Dialog[None]):
    """Keys grouped by place, in two columns where there is room.

    What is typed filters them, and finds those of other screens too.
    `find` is typed at first.
    """

    ACTIONS = HELP
    AUTO_FOCUS = "#help-filter"
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS

    def __init__(self, below: Screen[object], key_names: KeyNames, find: str = "") -> None:
        super().__init__()
        self._find = find
        self._below = below
        self._key_names = key_names
        self._columns = (KeyTable(), KeyTable())
        self._sections: list[Section] = []
        self._elsewhere: list[Section] = []
        """Keys of other screens, which are only searched."""

    def compose(self) -> ComposeResult:
        """Lay out the filter above two columns."""
        with VerticalScroll(id="help") as scroll:
            scroll.border_title = "Keyboard shortcuts"
            scroll.border_subtitle = format_hint(self.app, "↑ ↓ scroll · {help.close} close")
            yield LineInput(placeholder="Find a key or action", id="help-filter")
            with Horizontal():
                yield from self._columns

    def on_mount(self) -> None:
        """Read the keys."""
        inside = [each for each in self._below.walk_children(Widget) if _can_have_focus(each)]
        here = _action_ids([self._below, self.app, *inside])
        elsewhere = [each for each in ACTIONS if each not in here]
        sections = [*keys_by_place(self._key_names, here, _FIRST).items()]
        self._elsewhere = [*keys_by_place(self._key_names, elsewhere).items()]
        commands = [(command.usage, command.summary) for command in SLASH_COMMANDS.values()]
        sections = [(title, merge_keys(lines)) for title, lines in sections]
        sections.append((_TYPED, commands))
        near = [_FIRST_TITLE, *self._near_sections()]
        if self._below.query("ApprovalCard"):
            near.insert(0, section_of(APPROVAL_CARD[0]))
        ranks = {title: rank for rank, title in reversed([*enumerate(near)])}
        self._sections = sorted(sections, key=lambda section: ranks.get(section[0], len(near)))
        self.query_one(LineInput).put(self._find)
        self._show(self._find)

    def _near_sections(self) -> list[str]:
        """Return the sections of the focused widget and of what is around it, nearest first."""
        below = self._below
        around: list[DOMNode] = [below] if below.is_modal else []
        if below.focused is not None:
            around = [*below.focused.ancestors_with_self[:-2], *around]
        return [section_of(ACTIONS[each]) for each in _action_ids(around)]

    @on(Input.Changed)
    def _filter(self, event: Input.Changed) -> None:
        event.stop()
        if event.value == "?":
            # The key that opened the help closes it.
            self.dismiss(None)
        self._show(event.value)

    def _show(self, typed: str) -> None:
        """Show the lines with all typed words, in two columns that are about as high."""
        found = [
            (title, [line for line in lines if contains_words(typed, f"{title} {' '.join(line)}")])
            for title, lines in (*self._sections, *self._elsewhere)
        ]
        sections = [each for each in found if each[1]] if typed.strip() else self._sections
        heights = [len(lines) + 2 for _, lines in sections]
        starts = [sum(heights[:place]) for place in range(len(sections) + 1)]
        half = min(range(len(starts)), key=lambda place: abs(2 * starts[place] - starts[-1]))
        half = max(half, 1)
        self._columns[0].sections = sections[:half] or [("No such key or action.", [])]
        self._columns[1].sections = sections[half:]
        self.query_one("#help").scroll_home(animate=False)


class KeyTable(Widget):
    """Sections of keys with descriptions beside them, at any width."""

    sections: reactive[list[Section]] = reactive(list, layout=True)

    def render(self) -> Content:
        """Draw the sections; descriptions wrap under themselves."""
        width = self.content_size.width
        # On a narrow terminal descriptions stand below their keys.
        indent = _KEY_COLUMN + 1 if width >= _NARROW else _BELOW
        room = max(width - indent, 10)
        lines: list[Content] = []
        for title, pairs in self.sections:
            if lines:
                lines.append(Content(""))
            lines.append(Content.styled(title, "bold" if pairs else MUTED))
            for keys, what in pairs:
                first, *rest = Content(what).wrap(room)
                names = Content.styled(f"  {keys:<{_KEY_COLUMN - 2}} ", "$text-primary")
                if width < _NARROW or names.cell_length > _KEY_COLUMN + 1:
                    lines.append(names)
                    names = Content(" " * indent)
                lines.append(names + first)
                lines.extend(Content(" " * indent) + more for more in rest)
        return Content("\n").join(lines)


def keys_by_place(
    key_names: KeyNames, ids: Iterable[str] = ACTIONS, first: Sequence[str] = ()
) -> dict[str, list[Line]]:
    """Return the keys of these actions by place, one line per label.

    Those of the `first` ids stand in a place of their own, in that order, if all are there.
    """
    ids = list(ids)
    if not set(first) <= set(ids):
        first = ()
    places: dict[str, dict[str, Line]] = {title: {} for title in (_FIRST_TITLE, *SECTIONS)}
    places[_FIRST_TITLE] = {ACTIONS[name].label: ("", "") for name in first}
    for row in map(ACTIONS.__getitem__, ids):
        if shown := key_names.shown(row):
            lines = places[_FIRST_TITLE if row.id in first else section_of(row)]
            before = lines.get(row.label, ("", ""))[0].split()
            lines[row.label] = (" ".join(dict.fromkeys([*before, *shown.split()])), row.label)
    return {title: list(lines.values()) for title, lines in places.items() if lines}


def merge_keys(lines: Iterable[Line]) -> list[Line]:
    """Return the lines of a place with one for each key, which names all that it does."""
    merged: dict[str, list[str]] = {}
    for keys, what in lines:
        merged.setdefault(keys, []).append(what)
    return [(keys, " · ".join(every)) for keys, every in merged.items()]


def _can_have_focus(widget: Widget) -> bool:
    """Return False for a widget in a container that keeps the focus from what is in it."""
    around = (each for each in widget.ancestors if isinstance(each, Widget))
    return all(each.can_focus_children for each in around)


def _action_ids(nodes: Iterable[DOMNode]) -> list[str]:
    """Return the ids of the actions that the classes of these nodes have bindings for."""
    kinds = dict.fromkeys(kind for node in nodes for kind in type(node).__mro__)
    own = (each for kind in kinds for each in kind.__dict__.get("BINDINGS", ()))
    ids = (each.id for each in own if isinstance(each, Binding) and each.id)
    return [name for name in dict.fromkeys(ids) if name in ACTIONS]
