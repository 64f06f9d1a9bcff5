"""All drawers and the detail panel of one pane, imported on first use."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widget import Widget

from todo_tui.tui.actions import KeyNames
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.detail import TaskDetail
from todo_tui.tui.task_list.drawers.base import Drawer
from todo_tui.tui.task_list.drawers.change import ChangeDrawer
from todo_tui.tui.task_list.drawers.filter import FilterDrawer
from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer
from todo_tui.tui.task_list.drawers.rename import RenameInput
from todo_tui.tui.task_list.drawers.save_view import SaveViewDrawer
from todo_tui.tui.widgets.line_input import NameCache


class DrawerSet:
    """Detail panel, drawers and rename input of one pane, all closed at first."""

    def __init__(self, services: AppServices) -> None:
        clock, style = services.clock, services.style
        names, keys = NameCache(services.store), KeyNames(services.keymap)
        self.detail = TaskDetail(services.store.tasks)
        self.quick_add = QuickAddDrawer(clock, style, names, keys, id="quick-add")
        self.filter = FilterDrawer(clock, style, names, keys, id="task-filter")
        self.save_view = SaveViewDrawer(services.store.views, keys, id="save-view")
        self.change = ChangeDrawer(clock, style, keys, id="set-box")
        self.rename = RenameInput(id="rename")

    @property
    def drawers(self) -> tuple[Drawer, ...]:
        """Return the drawers; of several open ones the first has the focus."""
        return self.save_view, self.change, self.quick_add, self.filter

    @property
    def wants_keys(self) -> Widget | None:
        """Return the input that is open, if any."""
        if self.rename.task_id is not None:
            return self.rename
        for drawer in self.drawers:
            if drawer.is_open:
                return drawer.box
        return None

    def lay_rename_box(self, corner: Offset, width: int) -> None:
        """Place the rename input over a title; `corner` is in cells of the pane."""
        self.rename.styles.offset = (corner.x, corner.y)
        self.rename.styles.width = width
