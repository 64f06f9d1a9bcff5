"""All drawers and the detail panel of one pane, imported on first use."""

from __future__ import annotations

from textual import events, on
from textual.geometry import Offset
from textual.widget import Widget
from textual.widgets import Input

from todo_tui.tui.actions import KeyNames
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.detail import TaskDetail
from todo_tui.tui.task_list.drawers.base import Drawer, RenameClosed, RenameRequested
from todo_tui.tui.task_list.drawers.change import ChangeDrawer
from todo_tui.tui.task_list.drawers.filter import FilterDrawer
from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer
from todo_tui.tui.task_list.drawers.save_view import SaveViewDrawer
from todo_tui.tui.widgets.line_input import LineInput, NameCache


class RenameInput(LineInput):
    """Input for one title, in place."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._task_id: int | None = None
        self._before = ""

    @property
    def task_id(self) -> int | None:
        """Return the task being renamed; None while the input is closed."""
        return self._task_id

    def open(self, task_id: int, title: str) -> None:
        """Show a title for editing, with the whole text as typed."""
        self._task_id = task_id
        self.put(title)
        self._before = self.value
        self.add_class("-open")
        self.focus(scroll_visible=False)

    def close(self) -> None:
        """Hide the input."""
        self._task_id = None
        self.remove_class("-open")

    @on(Input.Submitted)
    def _rename(self, event: Input.Submitted) -> None:
        event.stop()
        title = event.value.strip()
        if self._task_id is None or not title or title == self._before:
            self.post_message(RenameClosed())
        else:
            self.post_message(RenameRequested(self._task_id, title))

    @on(LineInput.Cancelled)
    def _leave(self, event: LineInput.Cancelled) -> None:
        event.stop()
        self.post_message(RenameClosed())

    def on_blur(self, _event: events.Blur) -> None:
        """Close an unchanged title when the focus leaves."""
        if self._task_id is not None and self.value == self._before:
            self.post_message(RenameClosed())


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

    def place_rename_input(self, corner: Offset, width: int) -> None:
        """Place the rename input over a title; `corner` is in cells of the pane."""
        self.rename.styles.offset = (corner.x, corner.y)
        self.rename.styles.width = width
