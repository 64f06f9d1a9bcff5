"""The drawers and the detail panel of one pane: created on first use, opened, placed, closed."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.geometry import Offset, clamp
from textual.widget import Widget

from todo_tui.domain.task import Task
from todo_tui.tui import deferred
from todo_tui.tui.actions import KeyNames
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.drawers.base import Drawer
from todo_tui.tui.task_list.notices import NoticeLine
from todo_tui.tui.task_list.painter import TITLE_COLUMN
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.widgets.line_input import LineInput, NameCache

if TYPE_CHECKING:
    from todo_tui.tui.task_list.detail import TaskDetail
    from todo_tui.tui.task_list.drawers.change import ChangeDrawer, RenameInput
    from todo_tui.tui.task_list.drawers.filter import FilterDrawer
    from todo_tui.tui.task_list.drawers.quick_add import QuickAddDrawer
    from todo_tui.tui.task_list.drawers.save_view import SaveViewDrawer


@dataclass(frozen=True, slots=True)
class DrawerSet:
    """Detail panel, drawers and rename input, all closed at first."""

    detail: TaskDetail
    quick_add: QuickAddDrawer
    filter: FilterDrawer
    save_view: SaveViewDrawer
    change: ChangeDrawer
    rename: RenameInput

    @property
    def drawers(self) -> tuple[Drawer, ...]:
        """Return the drawers; of several open ones the first has the focus."""
        return self.save_view, self.change, self.quick_add, self.filter


def _import_drawers() -> None:
    """Import the drawers with the date grammar, in a thread, as typing goes on meanwhile."""
    for name in ("TaskDetail", "QuickAddDrawer", "FilterDrawer", "SaveViewDrawer"):
        getattr(deferred, name)


class Drawers:
    """The drawers of one pane; the detail panel goes above the notice line."""

    def __init__(
        self, pane: Widget, services: AppServices, view: TaskList, notice: NoticeLine
    ) -> None:
        self._pane = pane
        self._services = services
        self._view = view
        self._notice = notice
        self._lock = asyncio.Lock()
        self.current: DrawerSet | None = None
        """The drawers; None before the first use."""

    @property
    def loaded(self) -> DrawerSet:
        """Return the drawers where one of them must have been created."""
        assert self.current is not None  # noqa: S101  # drawers post no messages before they exist
        return self.current

    def prepare(self) -> None:
        """Create the drawers in the background."""
        if self.current is None and not self._lock.locked():
            self._pane.run_worker(
                LazyCoroutine(self.load), group="task-drawers", exit_on_error=False
            )

    async def load(self) -> DrawerSet:
        """Return the drawers, created and mounted if needed."""
        async with self._lock:
            if self.current is None:
                await asyncio.to_thread(_import_drawers)
                store, clock, style = (
                    self._services.store,
                    self._services.clock,
                    self._services.style,
                )
                names, keys = NameCache(store), KeyNames(self._services.keymap)
                created = DrawerSet(
                    deferred.TaskDetail(store.tasks),
                    deferred.QuickAddDrawer(clock, style, names, keys, id="quick-add"),
                    deferred.FilterDrawer(clock, style, names, keys, id="task-filter"),
                    deferred.SaveViewDrawer(store.views, keys, id="save-view"),
                    deferred.ChangeDrawer(clock, style, keys, id="set-box"),
                    deferred.RenameInput(id="rename"),
                )
                await self._pane.mount(created.detail, before=self._notice)
                await self._pane.mount(*created.drawers, created.rename)
                self.current = created
        return self.current

    async def load_in_place_of_notice(self) -> DrawerSet:
        """Return the drawers; the one that opens now takes the place of the notice line."""
        drawers = await self.load()
        self._notice.display = False
        return drawers

    @property
    def is_detail_open(self) -> bool:
        """Return True while the detail panel is shown."""
        return self.current is not None and self.current.detail.is_open

    @property
    def open_input(self) -> LineInput | None:
        """Return the input that is open, if any."""
        if self.current is None:
            return None
        if self.current.rename.task_id is not None:
            return self.current.rename
        return next((each.box for each in self.current.drawers if each.is_open), None)

    def focus(self) -> None:
        """Focus the drawer that is open, else the list."""
        (self.open_input or self._view).focus(scroll_visible=False)

    async def open_rename(self, task: Task) -> None:
        """Edit the title of a task in place."""
        rename = (await self.load()).rename
        self._view.move_cursor_to(task.id)
        rename.open(task.id, task.title)
        self.place_rename_input()

    def place_rename_input(self) -> None:
        """Keep the input over its title while rows move; leave it if the row disappears."""
        rename = None if self.current is None else self.current.rename
        task_id = None if rename is None else rename.task_id
        line = None if task_id is None else self._view.outline.line_of(task_id)
        if rename is None or line is None:
            return
        inside = self._view.content_region
        corner = inside.offset - self._pane.content_region.offset
        below = clamp(line - self._view.scroll_offset.y, 0, inside.height - 1)
        rename.place(Offset(corner.x + TITLE_COLUMN, corner.y + below), inside.width - TITLE_COLUMN)

    def close(self, drawer: Drawer | LineInput) -> None:
        """Close a drawer, or the input of a title, and return to the list."""
        if isinstance(drawer, Drawer):
            drawer.close()
            if drawer is self.loaded.save_view:
                # The filter that it saves may still be open.
                self.focus()
            else:
                self._notice.display = True
                self._view.focus(scroll_visible=False)
        else:
            had_focus = drawer.has_focus
            self.loaded.rename.close()
            if had_focus:
                self._view.focus(scroll_visible=False)

    def close_rename(self, task_id: int) -> None:
        """Close the input of a title, unless it is open for another task by now."""
        if self.loaded.rename.task_id == task_id:
            self.close(self.loaded.rename)
