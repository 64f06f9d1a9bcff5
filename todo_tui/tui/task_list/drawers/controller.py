"""Drawer controller.

Creates the drawers on first use and handles their messages; renaming in place.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.geometry import Offset, clamp
from textual.widget import Widget

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task, TaskFields
from todo_tui.tui.background import LazyCoroutine, yielding_imports
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.actions import TaskActions
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.drawers.base import (
    AddManyRequested,
    AddRequested,
    ChangeClosed,
    ChangeRequested,
    Drawer,
    DrawerMessage,
    FilterApplied,
    FilterChanged,
    FilterCleared,
    QuickAddClosed,
    RenameClosed,
    RenameRequested,
    SaveViewClosed,
    SaveViewRequested,
    ViewSaved,
)
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.task_list.outline import TaskOutline
from todo_tui.tui.task_list.row import TITLE_COLUMN
from todo_tui.tui.task_list.widget import TaskList

if TYPE_CHECKING:
    from todo_tui.tui.task_list.drawers.drawer_set import DrawerSet


def _load_drawer_set(loop: asyncio.AbstractEventLoop) -> type[DrawerSet]:
    """Import the drawers with the date grammar in a thread, as typing goes on meanwhile."""
    with yielding_imports(loop):
        from todo_tui.tui.task_list.drawers.drawer_set import DrawerSet

    return DrawerSet


class LazyDrawers:
    """Creates and mounts the drawers on first use; the detail panel goes above `notice`."""

    def __init__(self, pane: Widget, workbench: AppServices, notice: Widget) -> None:
        self._pane = pane
        self._workbench = workbench
        self._notice = notice
        self._making = asyncio.Lock()
        self.made: DrawerSet | None = None
        """The drawers; None before the first use."""

    @property
    def loaded(self) -> DrawerSet:
        """Return the drawers where one of them must have been created."""
        assert self.made is not None  # noqa: S101  # no box speaks before it is made
        return self.made

    @property
    def wants_keys(self) -> Widget | None:
        """Return the input of the open drawer, if any."""
        return None if self.made is None else self.made.wants_keys

    def prepare(self) -> None:
        """Create the drawers in the background."""
        if self.made is None and not self._making.locked():
            self._pane.run_worker(LazyCoroutine(self.load), group="task-boxes", exit_on_error=False)

    async def load(self) -> DrawerSet:
        """Return the drawers, created and mounted if needed."""
        async with self._making:
            if self.made is None:
                make_boxes = await asyncio.to_thread(_load_drawer_set, asyncio.get_running_loop())
                boxes = make_boxes(self._workbench)
                await self._pane.mount(boxes.detail, before=self._notice)
                await self._pane.mount(*boxes.drawers, boxes.rename)
                self.made = boxes
        return self.made


class TitleEditor:
    """Places the rename input over a task of the list and closes it afterwards."""

    def __init__(
        self,
        pane: Widget,
        view: TaskList,
        outline: TaskOutline,
        boxes: LazyDrawers,
        hand: TaskCommands,
    ) -> None:
        self._pane = pane
        self._view = view
        self._outline = outline
        self._boxes = boxes
        self._hand = hand

    async def open(self, task: Task) -> None:
        """Edit the title of a task in place."""
        boxes = await self._boxes.load()
        self._view.move_cursor_to(task.id)
        boxes.rename.open(task.id, task.title)
        self.place()

    def place(self) -> None:
        """Keep the input over its title while rows move; leave it if the row disappears."""
        boxes = self._boxes.made
        task_id = None if boxes is None else boxes.rename.task_id
        line = None if task_id is None else self._outline.line_of(task_id)
        if boxes is None or line is None:
            return
        inside = self._view.content_region
        corner = inside.offset - self._pane.content_region.offset
        below = clamp(line - self._view.scroll_offset.y, 0, inside.height - 1)
        boxes.lay_rename_box(
            Offset(corner.x + TITLE_COLUMN, corner.y + below), inside.width - TITLE_COLUMN
        )

    def rename(self, task_id: int, title: str) -> None:
        """Rename a task; the input stays open until that has succeeded."""
        self._hand.rename(task_id, title, lambda: self._close(task_id))

    def leave(self) -> None:
        """Cancel renaming."""
        self._close(self._boxes.loaded.rename.task_id)

    def _close(self, task_id: int | None) -> None:
        rename = self._boxes.loaded.rename
        if rename.task_id != task_id:
            return
        had_focus = rename.has_focus
        rename.close()
        if had_focus:
            self._view.focus(scroll_visible=False)


class DrawerController:
    """Handles the messages of the drawers and closes them.

    `filter_by` sets the filter of the list; `views_key` opens the menu of all views.
    """

    def __init__(
        self,
        boxes: LazyDrawers,
        view: TaskList,
        notice: NoticeLine,
        hand: TaskCommands,
        deeds: TaskActions,
        titles: TitleEditor,
        filter_by: Callable[[str], None],
        views_key: str,
    ) -> None:
        self._boxes = boxes
        self._view = view
        self._notice = notice
        self._hand = hand
        self._deeds = deeds
        self._titles = titles
        self._filter_by = filter_by
        self._views_key = views_key

    def take(self, asked: DrawerMessage) -> None:
        """Handle a message of a drawer."""
        match asked:
            case AddRequested() | AddManyRequested() | QuickAddClosed():
                self._take_from_quick_add(asked)
            case FilterChanged() | FilterApplied() | FilterCleared():
                self._take_from_filter(asked)
            case SaveViewRequested() | ViewSaved() | SaveViewClosed():
                self._take_from_view(asked)
            case ChangeRequested():
                self._deeds.change(
                    asked.tasks, asked.words, lambda error: self._put_change_back(asked, error)
                )
            case ChangeClosed():
                self._close(self._boxes.loaded.change)
            case RenameRequested():
                self._titles.rename(asked.task_id, asked.title)
            case RenameClosed():
                self._titles.leave()

    def _take_from_quick_add(self, asked: AddRequested | AddManyRequested | QuickAddClosed) -> None:
        match asked:
            case AddRequested():
                fields = self._deeds.under_parent(asked.fields)
                self._hand.add(fields, lambda error: self._put_back(asked.text, error))
            case AddManyRequested():
                shared = self._deeds.under_parent(TaskFields())
                self._hand.add_many(
                    lambda: [{**fields, **shared} for fields in asked.read()],
                    lambda error: self._put_lines_back(asked.lines, error),
                )
            case QuickAddClosed():
                self._deeds.parent = None
                self._close(self._boxes.loaded.quick_add)

    def _put_back(self, text: str, error: TodoError) -> None:
        """Restore the input of a failed add, even if quick add was closed meanwhile."""
        self._notice.display = False
        self._boxes.loaded.quick_add.put_back(text, error)

    def _put_lines_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        self._notice.display = False
        self._boxes.loaded.quick_add.put_lines_back(lines, error)

    def _put_change_back(self, asked: ChangeRequested, error: TodoError) -> None:
        self._notice.display = False
        self._boxes.loaded.change.put_back(asked.tasks, asked.text, error)

    def _take_from_filter(self, asked: FilterChanged | FilterApplied | FilterCleared) -> None:
        match asked:
            case FilterChanged():
                self._filter_by(asked.text)
            case FilterApplied():
                self._close(self._boxes.loaded.filter)
            case FilterCleared():
                self._close(self._boxes.loaded.filter)
                self._filter_by("")

    def _take_from_view(self, asked: SaveViewRequested | ViewSaved | SaveViewClosed) -> None:
        boxes = self._boxes.loaded
        match asked:
            case SaveViewRequested():
                self._notice.display = False
                boxes.save_view.open_for(asked.text)
            case ViewSaved():
                self._close(boxes.save_view)
                self._close(boxes.filter)
                name = short_title(asked.view.name)
                self._notice.say(f"Saved as {name}. {self._views_key} lists it.")
            case SaveViewClosed():
                boxes.save_view.close()
                (boxes.wants_keys or self._view).focus(scroll_visible=False)

    def _close(self, drawer: Drawer) -> None:
        drawer.close()
        self._notice.display = True
        self._view.focus(scroll_visible=False)
