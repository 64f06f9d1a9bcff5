"""Task list controller: reads the current view, shows and marks changes; empty-state texts."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.worker import Worker

from todo_tui.domain.changes import CLOSING_KINDS, ChangeKind, TaskChange
from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.filters.views import SavedView
from todo_tui.domain.text import shorten
from todo_tui.store.store import Store
from todo_tui.tui.actions.hints import format_hint
from todo_tui.tui.background import run_in_background
from todo_tui.tui.store_writer import StoreWriter
from todo_tui.tui.task_list.header import HeaderState
from todo_tui.tui.task_list.outline import TaskOutline
from todo_tui.tui.task_list.painter import ChangeMark
from todo_tui.tui.task_list.query import ListContent, ListQuery
from todo_tui.tui.task_list.views import (
    ALL,
    EMPTY_VIEW_TEXTS,
    ORDERS,
    ListOrder,
    View,
    ViewKind,
    all_views,
)
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.theme import MUTED

_MARKS = {
    ChangeKind.ADDED: ChangeMark.NEW,
    ChangeKind.RESTORED: ChangeMark.NEW,
    ChangeKind.REOPENED: ChangeMark.CHANGED,
    ChangeKind.UPDATED: ChangeMark.CHANGED,
}
_NO_TASKS = (
    "No tasks yet.",
    "Tell the assistant “add buy milk tomorrow 5pm”, or press {list.add}.",
)
_ALL_DONE = ("All tasks completed.",)
JUST_DONE_SECONDS = 1.6
"""Time that a completed task keeps its row, struck through and green."""
MARK_SECONDS = 10.0
"""Time that a changed row stays marked."""
_FIRST_ROWS = 60
"""Rows in the first frame, more than most screens have lines.

They spare the eye an empty list, for 5 ms at 1,000 tasks and 0.4 s at 100,000.
"""
_SHOWN_FILTER = 60
"""Characters of a filter without a match."""
_LAST_VIEW_KEY = "list.view"


class TaskListController:
    """Updates the list widget from the store and from task changes; switches views."""

    @dataclass
    class HeaderChanged(Message):
        """Posted by the list when counts or filter may have changed."""

        state: HeaderState

    @dataclass
    class ChangesShown(Message):
        """Posted by the list when it has been read after changes."""

        changes: Sequence[TaskChange]

    def __init__(
        self,
        store: Store,
        writer: StoreWriter,
        view: TaskList,
        query: ListQuery,
    ) -> None:
        self._store = store
        self._writer = writer
        self._view = view
        self._query = query
        self._error: TodoError | None = None
        self._reader: Worker[None] | None = None
        self._is_stale = False
        """True if the list must be read again, also when a read of it is under way."""
        self._content = ListContent(TaskOutline(), query.view)
        self._marks_origin = ""
        """Undo batch or chat turn whose changes are marked, until those of the next are."""
        self._pending: list[TaskChange] = []
        """Changes that the list has not been read after."""
        self._followed: list[int] = []
        """Changed tasks to scroll to when the list has been read."""
        self._leaving: set[int] = set()
        self._return_to: int | None = None
        """The task to move the cursor to when the filter is gone."""
        self._fade_timer: Timer | None = None
        self._cursors: dict[View, int | None] = {}
        """Tasks under the cursor of views that were left."""
        self._counted: tuple[int, int, int] | None = None
        """Numbers of lines, of open tasks and of the total; None until the list has been read."""

    # Reading

    def start(self) -> None:
        """Show the view of the last run; of all tasks the first rows already in the first frame."""
        try:
            if stored := self._store.app_state.get(_LAST_VIEW_KEY):
                run_in_background(self._view, partial(self._restore, stored), group="task-view")
                return
            self._view.show(self._query.read(limit=_FIRST_ROWS).outline)
        except TodoError as error:
            self._show_error(error)
        else:
            self._view.call_after_refresh(self.reload)

    async def _restore(self, stored: str) -> None:
        views = await self.read_views()
        self._go_to(next((view for view in views if view.stored_name == stored), ALL))

    def reload(self) -> None:
        """Read the list in a thread and show it; again if it becomes stale meanwhile."""
        self._is_stale = True
        if self._reader is None or self._reader.is_finished:
            self._reader = self._view.run_worker(self._read, group="task-reload")

    async def _read(self) -> None:
        while self._is_stale:
            self._is_stale = False
            # Completed tasks keep their row until `_settle`.
            kept = frozenset() if self._shows_other_view else self._view.just_done - self._leaving
            read = partial(self._query.read, kept=kept, before=self._content.outline)
            try:
                content = await asyncio.to_thread(read)
            except TodoError as error:
                if not self._is_stale:
                    self._show_error(error)
            else:
                if not self._is_stale:
                    self._show(content)

    @property
    def _shows_other_view(self) -> bool:
        """True until the view that was switched to has been read."""
        return self._query.view != self._content.view

    def _show(self, content: ListContent) -> None:
        self._error = None
        is_other = self._shows_other_view
        self._content = content
        waiting = frozenset() if is_other else self._view.just_done - self._leaving
        self._view.just_done = frozenset(filter(content.outline.section_of, waiting))
        moved = {change.task.id for change in self._pending}
        self._view.show(content.outline, content.projects, leaving=self._leaving, moved=moved)
        self._view.searched = self._query.searched
        self._view.forget_tasks()
        self._leaving.clear()
        self._show_counts()
        if is_other:
            self._view.go_back_to(self._cursors.get(content.view))
        if self._return_to is not None:
            self._view.move_cursor_to(self._return_to)
            self._return_to = None
        self._report_changes()

    def _report_changes(self) -> None:
        changes, self._pending = self._pending, []
        if self._followed:
            self._view.bring_into_view(self._followed)
            self._followed = []
        # Rows move without changes too: a completed task leaves its place a while later.
        self._view.post_message(self.ChangesShown(changes))

    def _show_error(self, error: TodoError) -> None:
        if self._shows_other_view:
            self._show(ListContent(TaskOutline(), self._query.view))
        self._error = error
        self._show_counts()

    # Changes

    def apply_changes(self, changes: Sequence[TaskChange], *, follow: bool) -> None:
        """Redraw and mark changed tasks and read the list; with `follow` scroll to them."""
        self._view.update_tasks([change.task for change in changes])
        # In the plain list a completed task lets no other one in: it is read when the task leaves
        # its row. A tick takes 18 ms of CPU, not 27, at 1,000 tasks and 22, not 59, at 10,000.
        is_stale = not self._query.is_plain
        just_done = set(self._view.just_done)
        for change in changes:
            task_id = change.task.id
            section = self._view.outline.section_of(task_id)
            if change.kind in CLOSING_KINDS and section and not section.is_closed:
                just_done.add(task_id)
                self._leaving.discard(task_id)
                self._view.set_timer(JUST_DONE_SECONDS, partial(self._settle, task_id))
            else:
                just_done.discard(task_id)
                is_stale = True
        self._view.just_done = frozenset(just_done)
        self._mark(changes)
        is_first = not self._pending
        self._pending += changes
        if follow:
            self._followed = [change.task.id for change in changes]
        if self._fade_timer is not None:
            self._fade_timer.stop()
        self._fade_timer = self._view.set_timer(
            MARK_SECONDS, partial(setattr, self._view, "change_marks", {})
        )
        self._show_counts()
        if is_stale:
            self.reload()
        elif is_first:
            self._report_changes()

    def _mark(self, changes: Iterable[TaskChange]) -> None:
        marks = dict(self._view.change_marks)
        for change in changes:
            origin = change.context.turn_id or change.context.batch
            if origin != self._marks_origin:
                self._marks_origin = origin
                marks.clear()
            task_id, mark = change.task.id, _MARKS.get(change.kind)
            if mark is None:
                marks.pop(task_id, None)
            elif marks.get(task_id) is not ChangeMark.NEW:
                marks[task_id] = mark
        self._view.change_marks = marks

    def _settle(self, task_id: int) -> None:
        """Move a completed task to its new place, once the cursor is on another one.

        Under a key that completes and reopens, or an input that was opened for the task, no other
        task may slide.
        """
        if task_id not in self._view.just_done:
            return
        outline = self._view.outline
        closed = sum(count for section, count in outline.sections if section.is_closed)
        is_last = outline.count - closed <= len(self._view.just_done)
        if self._is_in_pane and task_id == self._view.cursor_task and not is_last:
            self._view.set_timer(JUST_DONE_SECONDS, partial(self._settle, task_id))
        else:
            self._leaving.add(task_id)
            self.reload()

    # Folds

    def fold(self, task_id: int, *, folded: bool) -> bool:
        """Fold or unfold a task or project (negative id); return True if that changed it."""
        if task_id < 0:
            return self._fold_projects(frozenset({task_id}), folded=folded)
        is_folded = task_id in self._query.folded
        if is_folded == folded or (folded and not self._view.outline.has_below(task_id)):
            return False
        self._set_folds(self._query.folded ^ {task_id})
        return True

    def toggle_fold(self, task_id: int) -> None:
        """Toggle the fold of a task or project."""
        project = self._content.projects.get(task_id)
        is_folded = task_id in self._query.folded if project is None else project.is_folded
        self.fold(task_id, folded=not is_folded)

    def fold_all(self, *, folded: bool) -> None:
        """Fold or unfold all tasks or projects of the list."""
        if self._content.projects:
            self._fold_projects(self._query.project_folds.numbers, folded=folded)
        else:
            self._set_folds(self._view.outline.parents() if folded else frozenset())

    def _set_folds(self, folded: frozenset[int]) -> None:
        self._is_stale = True
        self._query.folded = folded
        self._view.show(self._view.outline.with_folds(folded))

    def _fold_projects(self, numbers: frozenset[int], *, folded: bool) -> bool:
        changed = self._query.project_folds.fold(numbers, closed=folded)
        if changed:
            self._writer.start(self._query.store_folds)
            self.reload()
        return changed

    # Views

    def describe(self, view: View) -> str:
        """Return what a view shows, and in which order."""
        return self._query.describe(view)

    async def read_views(self) -> Sequence[View]:
        """Return all views, saved ones last; without them if they cannot be read."""
        saved: Sequence[SavedView] = ()
        with suppress(StoreError):
            saved = await asyncio.to_thread(self._store.views.list)
        return all_views(saved)

    def show_view(self, view: View) -> None:
        """Show a view and store it for the next start."""
        if view != self._query.view:
            self._go_to(view)
            stored = None if view == ALL else view.stored_name
            self._writer.start(self._store.app_state.set, _LAST_VIEW_KEY, stored)

    def set_order(self, order: ListOrder) -> None:
        """Sort and group the view in another way, now and at later starts."""
        self._query.set_order(order)
        self._writer.start(self._query.store_orders)
        self.reload()

    async def step_view(self, steps: int) -> None:
        """Show a view before or after the current one, around the end."""
        views = await self.read_views()
        place = views.index(self._query.view) if self._query.view in views else 0
        self.show_view(views[(place + steps) % len(views)])

    def return_to(self, task_id: int | None) -> None:
        """Move the cursor to a task as soon as the list that is read next has it."""
        self._return_to = task_id

    def _go_to(self, view: View) -> None:
        self._cursors[self._content.view] = self._view.cursor_task
        self._query.view = view
        self.reload()

    # Header and empty-state text

    def _show_counts(self) -> None:
        """Update header and empty-state text."""
        outline = self._view.outline
        leaving = self._view.just_done - outline.staying
        places = Counter(map(outline.home_of, leaving))
        sections = [(section, count - places[section]) for section, count in outline.sections]
        closed = sum(count for section, count in sections if section.is_closed)
        projects = self._content.projects.values()
        total = outline.count - len(projects) - len(leaving)
        if projects and not self._query.text:
            # A row of a project counts also what is folded.
            total = sum(row.open for row in projects if row.depth == 0)
        total -= sum(count for section, count in sections if section.shown_at_most is not None)
        late = sum(count for section, count in sections if section.is_late)
        still_open = outline.count - closed - len(self._view.just_done)
        counts = [(f"{late:,} overdue", "$text-error")] if late else []
        if self._content.noun:
            counts.insert(0, (f"{total:,} {self._content.noun}", MUTED))
        else:
            shown_closed = 0 if self._query.is_plain else closed
            if still_open or not shown_closed:
                counts.insert(0, (f"{still_open:,} open", MUTED))
            if shown_closed:
                counts.append((f"{shown_closed:,} closed", MUTED))
        order = self._query.order_in_use
        if order is not None and order != ORDERS[0]:
            counts.append((f"by {order.name.lower()}", "$text-accent"))
        # The empty-state text comes when the last row goes.
        self._counted = outline.count, outline.count - closed, total + len(leaving)
        self.show_message()
        view, text, shown = self._query.view, self._query.text, outline.count - len(projects)
        state = HeaderState(view.name, text, tuple(counts), shown)
        self._view.post_message(self.HeaderChanged(state))

    def show_message(self) -> None:
        """Show the empty-state text, which names the keys that work where the focus is."""
        if self._counted is not None:
            self._view.show_message(self._paragraphs(*self._counted))

    @property
    def _is_in_pane(self) -> bool:
        pane = self._view.parent
        return isinstance(pane, Widget) and pane.has_focus_within

    def _hint(self, text: str) -> str:
        """Fill in keys of the list; from the chat, one that leads there comes first."""
        if not self._is_in_pane:
            text = text.replace("{list.", "{app.to_list} and then {list.")
        return format_hint(self._view.app, text)

    def _paragraphs(self, lines: int, open_tasks: int, total: int) -> Sequence[str]:
        if self._error is not None:
            return tuple(filter(None, (self._error.message, self._error.hint)))
        view, text = self._query.view, self._query.text
        paragraphs: Iterable[str] = ()
        if open_tasks or (text and lines):
            # Today says so when nothing is for today but open tasks exist.
            if view.kind is ViewKind.TODAY and not total:
                paragraphs = EMPTY_VIEW_TEXTS[view.kind]
        elif lines and view.kind is not ViewKind.ALL:
            pass
        elif text:
            instead = self._query.suggestion
            back = self._hint("{list.back}")
            return (
                f"No tasks match “{shorten(text, _SHOWN_FILTER)}”.",
                *([f"Type {instead} to search by due date."] if instead else []),
                f"{back} clears the filter{'' if view == ALL else f' of {view.name}'}.",
            )
        elif view.kind is not ViewKind.ALL:
            paragraphs = EMPTY_VIEW_TEXTS[view.kind]
        elif lines:
            paragraphs = _ALL_DONE
        elif count := self._content.in_trash:
            trash = f"{count:,} in the trash: press {{list.views}} and choose Trash."
            paragraphs = ("No tasks.", trash, _NO_TASKS[1])
        else:
            paragraphs = _NO_TASKS
        if self._is_in_pane and not self._view.has_focus:
            # An open input of the pane takes letters as text.
            paragraphs = (each for each in paragraphs if "{list." not in each)
        return [self._hint(each) for each in paragraphs]
