"""The boxes that open over and under the list, and which of them has the keys."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widget import Widget

from todo_tui.domain.clock import Clock
from todo_tui.domain.when import DateStyle
from todo_tui.tui.widgets.filter_box import FilterDrawer
from todo_tui.tui.widgets.quick_add import QuickAddDrawer
from todo_tui.tui.widgets.rename_box import RenameBox
from todo_tui.tui.widgets.task_detail import TaskDetail


class PaneBoxes:
    """Details, quick add, filter and rename of one pane, all closed at first."""

    def __init__(self, clock: Clock, style: DateStyle) -> None:
        self.detail = TaskDetail()
        self.quick_add = QuickAddDrawer(clock, style, id="quick-add")
        self.filter = FilterDrawer(id="task-filter")
        self.rename = RenameBox(id="rename")

    @property
    def wants_keys(self) -> Widget | None:
        """The box that is open to be typed in, if one is."""
        if self.rename.task_id is not None:
            return self.rename
        for drawer in (self.quick_add, self.filter):
            if drawer.is_open:
                return drawer.box
        return None

    def lay_rename_box(self, corner: Offset, width: int) -> None:
        """Lay it over a title; `corner` is in cells of the pane."""
        self.rename.styles.offset = (corner.x, corner.y)
        self.rename.styles.width = width
