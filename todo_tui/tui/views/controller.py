"""View controller: switching views by key, name or mouse, the calendar, the urgency panel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, assert_never

from textual.widget import Widget

from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.task import Task
from todo_tui.tui import deferred
from todo_tui.tui.actions import ViewAction
from todo_tui.tui.background import LazyCoroutine
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.controller import TaskListController
from todo_tui.tui.task_list.query import ListQuery
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.views.urgency import explain_task_urgency
from todo_tui.tui.views.view import ALL, View, ViewKind, all_views, restore_view

if TYPE_CHECKING:
    from todo_tui.tui.views.urgency import UrgencyPanel


_LAST_VIEW_KEY = "list.view"


class ViewController:
    """Switching between views, their menu, the calendar and the urgency panel of one pane.

    `filter_by` sets the filter of the list and reloads it; the urgency panel opens above the
    widget `below`.
    """

    def __init__(
        self,
        pane: Widget,
        services: AppServices,
        query: ListQuery,
        view: TaskList,
        controller: TaskListController,
        filter_by: Callable[[str], None],
        below: Widget,
    ) -> None:
        self._pane = pane
        self._services = services
        self._store = services.store
        self._query = query
        self._list = view
        self._controller = controller
        self._filter_by = filter_by
        self._below = below
        self._urgency_panel: UrgencyPanel | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Return True if Esc has something to leave: another view, or the urgency panel."""
        return self._query.view != ALL or self._is_explaining

    @property
    def _is_explaining(self) -> bool:
        return self._urgency_panel is not None and self._urgency_panel.is_open

    @property
    def memento(self) -> str:
        """Return the view stored at exit; empty for all tasks."""
        try:
            return self._store.memory.get(_LAST_VIEW_KEY) or ""
        except StoreError:
            return ""

    async def restore(self, memento: str) -> None:
        """Show the view of the last run."""
        self._go_to(restore_view(memento, await self._all()))

    async def perform(self, action: ViewAction, task: Task | None) -> None:
        """Run a view action; `task` is the one under the cursor."""
        match action:
            case ViewAction.BEFORE:
                await self._step(-1)
            case ViewAction.AFTER:
                await self._step(1)
            case ViewAction.MENU:
                await self._open_menu()
            case ViewAction.CALENDAR:
                self._open_calendar()
            case ViewAction.WHY:
                await self._explain(task)
            case _:
                assert_never(action)

    async def go_back(self) -> None:
        """Close the urgency panel, else show all tasks."""
        if self._urgency_panel is not None and self._urgency_panel.is_open:
            self._urgency_panel.close()
        else:
            await self.show(ALL)

    async def show(self, view: View) -> None:
        """Show a view and store it for the next start."""
        if view == self._query.view:
            return
        self._go_to(view)
        try:
            memento = None if view == ALL else view.memento
            await asyncio.to_thread(self._store.memory.set, _LAST_VIEW_KEY, memento)
        except StoreError:
            # The view is shown all the same; only storing it failed.
            return

    def follow(self, task: Task | None) -> None:
        """Update the urgency panel after the cursor or its task changed."""
        if self._urgency_panel is not None and self._urgency_panel.is_open:
            self._explain_in(self._urgency_panel, task)

    async def _all(self) -> tuple[View, ...]:
        """Return all views, saved ones last."""
        try:
            return all_views(await asyncio.to_thread(self._store.views.list))
        except StoreError:
            return all_views(())

    async def _step(self, steps: int) -> None:
        views = await self._all()
        present = self._query.view
        place = views.index(present) if present in views else 0
        await self.show(views[(place + steps) % len(views)])

    async def _open_menu(self) -> None:
        menu = deferred.ViewMenu(await self._all(), self._query.view, self._query.count_of)
        self._pane.app.push_screen(menu, self._show_chosen)

    def _show_chosen(self, view: View | None) -> None:
        if view is not None:
            self._pane.run_worker(LazyCoroutine(self.show, view), group="task-view")

    def _open_calendar(self) -> None:
        self._pane.app.push_screen(deferred.CalendarScreen(self._services), self._show_chosen_day)

    def _show_chosen_day(self, day: date | None) -> None:
        if day is not None:
            self._pane.run_worker(LazyCoroutine(self._show_day, day), group="task-view")

    async def _show_day(self, day: date) -> None:
        await self.show(ALL)
        self._filter_by(f"due:{day.isoformat()}")

    async def _explain(self, task: Task | None) -> None:
        if self._urgency_panel is None:
            from todo_tui.tui.views.urgency import UrgencyPanel  # as above

            self._urgency_panel = UrgencyPanel()
            await self._pane.mount(self._urgency_panel, before=self._below)
        elif self._urgency_panel.is_open:
            self._urgency_panel.close()
            return
        self._explain_in(self._urgency_panel, task)

    def _explain_in(self, panel: UrgencyPanel, task: Task | None) -> None:
        if task is None:
            panel.show(None, "")
            return
        try:
            blockers = self._store.tasks.rows(task.blocked_by) if task.blocked_by else ()
        except TodoError:
            blockers = ()
        explanation = explain_task_urgency(task, blockers, self._services.clock.now())
        panel.show(explanation, self._format_place(task))

    def _format_place(self, task: Task) -> str:
        """Return `3 of 12 in Next, the most urgent first`; empty in other views."""
        row = self._list.outline.row_of(task.id)
        if self._query.view.kind is not ViewKind.NEXT or row is None:
            return ""
        return f"{row + 1:,} of {self._list.outline.row_count:,} in Next, the most urgent first"

    def _go_to(self, view: View) -> None:
        self._controller.leave()
        self._query.view = view
        self._controller.show_loading()
        self._controller.reload()
