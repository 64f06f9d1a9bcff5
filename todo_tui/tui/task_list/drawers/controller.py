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
from todo_tui.tui.background import LazyCoroutine, low_priority
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.actions import TaskActions
from todo_tui.tui.task_list.commands import TaskCommands
from todo_tui.tui.task_list.drawers.base import (
    AddManyRequested,
    AddRequested,
    ChangeRequested,
    Drawer,
    DrawerClosed,
    DrawerMessage,
    FilterChanged,
    RenameClosed,
    RenameRequested,
    SaveViewRequested,
    ViewSaved,
)
from todo_tui.tui.task_list.notices import NoticeLine, short_title
from todo_tui.tui.task_list.row import TITLE_COLUMN
from todo_tui.tui.task_list.widget import TaskList

if TYPE_CHECKING:
    from todo_tui.tui.task_list.drawers.drawer_set import DrawerSet


def _load_drawer_set() -> type[DrawerSet]:
    """Import the drawers with the date grammar in a thread, as typing goes on meanwhile."""
    with low_priority():
        from todo_tui.tui.task_list.drawers.drawer_set import DrawerSet

    return DrawerSet


class LazyDrawers:
    """Creates and mounts the drawers on first use; the detail panel goes above `notice`."""

    def __init__(self, pane: Widget, services: AppServices, notice: Widget) -> None:
        self._pane = pane
        self._services = services
        self._notice = notice
        self._lock = asyncio.Lock()
        self.current: DrawerSet | None = None
        """The drawers; None before the first use."""

    @property
    def loaded(self) -> DrawerSet:
        """Return the drawers where one of them must have been created."""
        assert self.current is not None  # noqa: S101  # drawers post no messages before they exist
        return self.current

    @property
    def wants_keys(self) -> Widget | None:
        """Return the input of the open drawer, if any."""
        return None if self.current is None else self.current.wants_keys

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
                drawer_set_class = await asyncio.to_thread(_load_drawer_set)
                drawers = drawer_set_class(self._services)
                await self._pane.mount(drawers.detail, before=self._notice)
                await self._pane.mount(*drawers.drawers, drawers.rename)
                self.current = drawers
        return self.current


class DrawerController:
    """Handles the messages of the drawers and closes them.

    `filter_by` sets the filter of the list; `views_key` opens the menu of all views.
    """

    def __init__(
        self,
        pane: Widget,
        drawers: LazyDrawers,
        view: TaskList,
        notice: NoticeLine,
        commands: TaskCommands,
        actions: TaskActions,
        filter_by: Callable[[str], None],
        views_key: str,
    ) -> None:
        self._drawers = drawers
        self._view = view
        self._notice = notice
        self._commands = commands
        self._actions = actions
        self._pane = pane
        self._filter_by = filter_by
        self._views_key = views_key

    async def open_rename(self, task: Task) -> None:
        """Edit the title of a task in place."""
        drawers = await self._drawers.load()
        self._view.move_cursor_to(task.id)
        drawers.rename.open(task.id, task.title)
        self.place_rename_input()

    def place_rename_input(self) -> None:
        """Keep the input over its title while rows move; leave it if the row disappears."""
        drawers = self._drawers.current
        task_id = None if drawers is None else drawers.rename.task_id
        line = None if task_id is None else self._view.outline.line_of(task_id)
        if drawers is None or line is None:
            return
        inside = self._view.content_region
        corner = inside.offset - self._pane.content_region.offset
        below = clamp(line - self._view.scroll_offset.y, 0, inside.height - 1)
        drawers.place_rename_input(
            Offset(corner.x + TITLE_COLUMN, corner.y + below), inside.width - TITLE_COLUMN
        )

    def handle(self, message: DrawerMessage) -> None:
        """Handle a message of a drawer."""
        match message:
            case DrawerClosed(drawer):
                self._close(drawer)
            case AddRequested():
                fields = self._actions.under_parent(message.fields)
                self._commands.add(fields, lambda error: self._put_back(message.text, error))
            case AddManyRequested():
                shared = self._actions.under_parent(TaskFields())
                self._commands.add_many(
                    lambda: [{**fields, **shared} for fields in message.read()],
                    lambda error: self._put_lines_back(message.lines, error),
                )
            case FilterChanged():
                self._filter_by(message.text)
            case SaveViewRequested():
                self._notice.display = False
                self._drawers.loaded.save_view.open_for(message.text)
            case ViewSaved():
                self._close(self._drawers.loaded.save_view)
                self._close(self._drawers.loaded.filter)
                name = short_title(message.view.name)
                self._notice.say(f"Saved as {name}. {self._views_key} lists it.")
            case ChangeRequested():
                self._actions.change(
                    message.tasks,
                    message.words,
                    lambda error: self._put_change_back(message, error),
                )
            case RenameRequested(task_id, title):
                # The input stays open until that has succeeded.
                self._commands.rename(task_id, title, lambda: self._close_rename(task_id))
            case RenameClosed():
                self._close_rename(self._drawers.loaded.rename.task_id)

    def _put_back(self, text: str, error: TodoError) -> None:
        """Restore the input of a failed add, even if quick add was closed meanwhile."""
        self._notice.display = False
        self._drawers.loaded.quick_add.put_back(text, error)

    def _put_lines_back(self, lines: tuple[str, ...], error: TodoError) -> None:
        self._notice.display = False
        self._drawers.loaded.quick_add.put_lines_back(lines, error)

    def _put_change_back(self, message: ChangeRequested, error: TodoError) -> None:
        self._notice.display = False
        self._drawers.loaded.change.put_back(message.tasks, message.text, error)

    def _close(self, drawer: Drawer) -> None:
        drawer.close()
        if drawer is self._drawers.loaded.quick_add:
            self._actions.parent = None
        if drawer is self._drawers.loaded.save_view:
            # The filter that it saves may still be open.
            (self._drawers.wants_keys or self._view).focus(scroll_visible=False)
        else:
            self._notice.display = True
            self._view.focus(scroll_visible=False)

    def _close_rename(self, task_id: int | None) -> None:
        rename = self._drawers.loaded.rename
        if rename.task_id != task_id:
            return
        had_focus = rename.has_focus
        rename.close()
        if had_focus:
            self._view.focus(scroll_visible=False)
