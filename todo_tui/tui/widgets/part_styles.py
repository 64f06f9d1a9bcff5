"""The styles of the parts of a row, as the style sheet has them at the moment."""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget

from todo_tui.tui.widgets.task_row import Part, RowState

CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in Part), CURSOR_CLASS}


class PartStyles:
    """Asks the style sheet once for each part, on the row of the cursor and elsewhere."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._known: dict[tuple[Part, bool], Style] = {}

    def __call__(self, part: Part, state: RowState) -> Style:
        """The style of a part of a row in a state."""
        key = (part, state.cursor)
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = self._asked(*key)
        return style

    @property
    def plain(self) -> Style:
        """The style of a line on which nothing stands."""
        return self(Part.ROW, RowState())

    def forget(self) -> None:
        """Theme or focus changed: every style is another."""
        self._known.clear()

    def _asked(self, part: Part, is_cursor: bool) -> Style:
        names = [f"task-list--{Part.ROW}", f"task-list--{part}"]
        if is_cursor:
            names.insert(1, CURSOR_CLASS)
        style = self._owner.get_visual_style(*names).rich_style
        if is_cursor and self._owner.get_component_styles(CURSOR_CLASS).text_style.reverse:
            style += Style(reverse=True)
        return style
