"""The boxes that open over and under the list, and which of them has the keys."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widget import Widget

from todo_tui.tui.action_keys import KeyNames
from todo_tui.tui.widgets.filter_box import FilterDrawer
from todo_tui.tui.widgets.known_names import KnownNames
from todo_tui.tui.widgets.quick_add import QuickAddDrawer
from todo_tui.tui.widgets.rename_box import RenameBox
from todo_tui.tui.widgets.save_view import SaveViewDrawer
from todo_tui.tui.widgets.set_box import SetDrawer
from todo_tui.tui.widgets.task_detail import TaskDetail
from todo_tui.tui.widgets.task_drawer import TaskDrawer
from todo_tui.tui.workbench import Workbench


class PaneBoxes:
    """Details, quick add, filter and rename of one pane, all closed at first."""

    def __init__(self, workbench: Workbench) -> None:
        clock, style = workbench.clock, workbench.style
        names, keys = KnownNames(workbench.store), KeyNames(workbench.keymap)
        self.detail = TaskDetail(workbench.store.tasks)
        self.quick_add = QuickAddDrawer(clock, style, names, keys, id="quick-add")
        self.filter = FilterDrawer(clock, style, names, keys, id="task-filter")
        self.save_view = SaveViewDrawer(workbench.store.views, keys, id="save-view")
        self.change = SetDrawer(clock, style, keys, id="set-box")
        self.rename = RenameBox(id="rename")

    @property
    def drawers(self) -> tuple[TaskDrawer, ...]:
        """What opens below the list; of several open ones the first has the keys."""
        return self.save_view, self.change, self.quick_add, self.filter

    @property
    def wants_keys(self) -> Widget | None:
        """The box that is open to be typed in, if one is."""
        if self.rename.task_id is not None:
            return self.rename
        for drawer in self.drawers:
            if drawer.is_open:
                return drawer.box
        return None

    def lay_rename_box(self, corner: Offset, width: int) -> None:
        """Lay it over a title; `corner` is in cells of the pane."""
        self.rename.styles.offset = (corner.x, corner.y)
        self.rename.styles.width = width
