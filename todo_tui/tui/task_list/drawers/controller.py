"""The drawers and the detail panel of one pane: created on first use, opened, placed, closed."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from textual.geometry import clamp
from textual.widget import Widget

from todo_tui.domain.task import Task
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import run_in_background
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.drawers.base import Drawer
from todo_tui.tui.task_list.notices import NoticeLine
from todo_tui.tui.task_list.painter import TITLE_COLUMN
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.widgets.line_input import LineInput, NameCache

if TYPE_CHECKING:
    from todo_tui.tui.task_list.detail import TaskDetail
    from todo_tui.tui.task_list.drawers.change import ChangeDrawer, RenameInput
    from todo_tui.tui.task_list.drawers.filter import FilterDrawer, SaveViewDrawer
    from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer


class Drawers:
    """The drawers, detail panel and rename input of one pane; they exist once `is_loaded`."""

    detail: TaskDetail
    quick_add: QuickAddDrawer
    filter: FilterDrawer
    save_view: SaveViewDrawer
    change: ChangeDrawer
    rename: RenameInput

    def __init__(
        self, pane: Widget, services: AppServices, view: TaskList, notice: NoticeLine
    ) -> None:
        self._pane = pane
        self._services = services
        self._view = view
        self._notice = notice
        self._lock = asyncio.Lock()
        self.is_loaded = False
        self._drawers: tuple[Drawer, ...] = ()

    def prepare(self) -> None:
        """Create the drawers in the background."""
        if not self.is_loaded and not self._lock.locked():
            run_in_background(self._pane, self.load, group="task-drawers", exit_on_error=False)

    async def load(self) -> None:
        """Create and mount the drawers if needed; the detail panel goes above the notice line."""
        async with self._lock:
            if self.is_loaded:
                return
            # 80 ms with the text editor and the date grammar, in a thread as typing goes on.
            for name in ("detail", "drawers.change", "drawers.filter", "drawers.quick_add"):
                await asyncio.to_thread(import_module, f"todo_tui.tui.task_list.{name}")
            from todo_tui.tui.task_list.detail import TaskDetail
            from todo_tui.tui.task_list.drawers.change import ChangeDrawer, RenameInput
            from todo_tui.tui.task_list.drawers.filter import FilterDrawer, SaveViewDrawer
            from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer

            services, names = self._services, NameCache(self._services.store)
            self.detail = TaskDetail(services.store.tasks)
            self.quick_add = QuickAddDrawer(services, names)
            self.filter = FilterDrawer(services, names)
            self.save_view = SaveViewDrawer(services)
            self.change = ChangeDrawer(services)
            self.rename = RenameInput()
            await self._pane.mount(self.detail, before=self._notice)
            # Of several open ones the first has the focus.
            self._drawers = (self.save_view, self.change, self.quick_add, self.filter)
            await self._pane.mount(*self._drawers, self.rename)
            self.is_loaded = True

    async def load_in_place_of_notice(self) -> None:
        """Load the drawers; the one that opens now takes the place of the notice line."""
        await self.load()
        self._notice.display = False

    @property
    def is_detail_open(self) -> bool:
        """Return True while the detail panel is shown."""
        return self.is_loaded and self.detail.is_open

    @property
    def open_input(self) -> LineInput | None:
        """Return the input that is open, if any."""
        if self.is_loaded and self.rename.task_id is not None:
            return self.rename
        return next((each.box for each in self._drawers if each.is_open), None)

    def focus(self) -> None:
        """Focus the open drawer if something is typed there; else close it and focus the list."""
        box = self.open_input
        if box is None or box.value.strip():
            (box or self._view).focus(scroll_visible=False)
        else:
            # Keys that are meant for the list would become its text.
            self.close(next((each for each in self._drawers if each.box is box), box))

    async def open_rename(self, task: Task) -> None:
        """Edit the title of a task in place."""
        await self.load()
        self._view.move_cursor_to(task.id)
        self.rename.open(task.id, task.title)
        self._notice.keep(format_hint(self._pane.app, "Enter save · {box.leave} cancel"))
        self.place_rename_input()

    def place_rename_input(self) -> None:
        """Keep the input over its title while rows move; leave it if the row disappears."""
        task_id = self.rename.task_id if self.is_loaded else None
        line = None if task_id is None else self._view.outline.line_of(task_id)
        if line is None:
            return
        inside = self._view.content_region
        corner = inside.offset - self._pane.content_region.offset
        below = clamp(line - self._view.scroll_offset.y, 0, inside.height - 1)
        self.rename.styles.offset = (corner.x + TITLE_COLUMN, corner.y + below)
        self.rename.styles.width = inside.width - TITLE_COLUMN

    def close(self, drawer: Drawer | LineInput) -> None:
        """Close a drawer, or the input of a title, and return to the list."""
        if isinstance(drawer, Drawer):
            drawer.close()
            if drawer is self.save_view:
                # The filter that it saves may still be open.
                self.focus()
            else:
                self._notice.display = True
                self._view.focus(scroll_visible=False)
        else:
            had_focus = drawer.has_focus
            self.rename.close()
            self._notice.keep("")
            if had_focus:
                self._view.focus(scroll_visible=False)

    def close_rename(self, task_id: int, title: str | None = None) -> None:
        """Close the input of a title, unless it is open for another task or title by now."""
        if self.rename.task_id == task_id and title in (None, self.rename.value.strip()):
            self.close(self.rename)
