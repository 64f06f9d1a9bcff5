"""Task list controller.

Loading, updates from task changes, highlights of recent changes, empty-state texts, periodic
reloads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from textual.timer import Timer
from textual.widget import Widget

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.tui.actions import format_hint
from todo_tui.tui.background import LazyCoroutine, low_priority
from todo_tui.tui.task_list.header import HeaderState, ListCounts
from todo_tui.tui.task_list.outline import TaskOutline, TaskPlace
from todo_tui.tui.task_list.query import ListQuery, QueryKey
from todo_tui.tui.task_list.row import ChangeMark
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.task_list.widget import TaskList
from todo_tui.tui.views.view import ALL, EMPTY_VIEW_TEXTS, View, ViewKind

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import TaskCounts

FIRST_CHECK_SECONDS, CHECK_SECONDS = 3.0, 60.0
_MAX_AGE_SECONDS = 900.0
"""Upper limit between reloads: equal counts can hide that one task became overdue as another was
done."""
_MARKS = {
    ChangeKind.ADDED: ChangeMark.NEW,
    ChangeKind.RESTORED: ChangeMark.NEW,
    ChangeKind.REOPENED: ChangeMark.NEW,
    ChangeKind.UPDATED: ChangeMark.CHANGED,
}
_NO_TASKS_YET = (
    "Nothing here yet.",
    "Press {list.add}, or tell the assistant: add buy milk tomorrow 5pm.",
)
_ALL_DONE = ("All done. Enjoy the quiet.",)
JUST_DONE_SECONDS = 1.6
"""Time that a completed task keeps its row, struck through and green."""
MARK_SECONDS = 10.0
"""Time that a changed row stays marked."""
_REMAINING_ROWS_DELAY_SECONDS = 0.25
"""Delay between the first page of a long list and reading the rest, so that typing goes first."""


class TimeChangeDetector:
    """Detects a stale list by counting tasks each minute.

    Reading a long list instead would take 0.5 s.
    """

    def __init__(
        self, count: Callable[[], TaskCounts], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._count = count
        self._monotonic = monotonic
        self._counts: TaskCounts | None = None
        self._reported_at = monotonic()

    def is_list_stale(self) -> bool:
        """Return True if the list must be reloaded since the last call; thread-safe.

        The first call returns False and stores the counts.

        Raises:
            StoreError: the file cannot be read.
        """
        before, self._counts = self._counts, self._count()
        is_late = self._monotonic() - self._reported_at >= _MAX_AGE_SECONDS
        if before is None or (self._counts == before and not is_late):
            return False
        self._reported_at = self._monotonic()
        return True


class RecentChanges:
    """Change marks of one undo batch or one chat turn, replaced by those of the next.

    Completed tasks keep their row until `settle`.
    """

    def __init__(self) -> None:
        self.marks: dict[int, ChangeMark] = {}
        self.just_done: set[int] = set()
        self._origin: str | None = None

    def add(self, changes: Iterable[TaskChange]) -> None:
        """Mark the tasks touched by these changes."""
        for change in changes:
            origin = change.context.turn_id or change.context.batch
            if origin != self._origin:
                self._origin = origin
                self.marks = {}
            task_id = change.task.id
            mark = _MARKS.get(change.kind)
            if mark is None:
                self.marks.pop(task_id, None)
            elif self.marks.get(task_id) is not ChangeMark.NEW:
                self.marks[task_id] = mark

    def fade(self) -> None:
        """Remove the marks."""
        self.marks = {}

    def settle(self, task_ids: Iterable[int]) -> None:
        """Remove tasks from the ones that keep their row."""
        self.just_done.difference_update(task_ids)


class EmptyState:
    """Empty-state and error text of the task list, with the current key names."""

    def __init__(self, view: Widget, query: ListQuery, counts: ListCounts) -> None:
        self._view = view
        self._query = query
        self._counts = counts

    def paragraphs(self, error: TodoError | None) -> tuple[str, ...]:
        """Return the paragraphs, heading first; empty above a list of tasks."""
        if error is not None:
            return tuple(filter(None, (error.message, error.hint)))
        view = self._query.view
        is_empty = not self._counts.lines
        if self._counts.open or (self._query.text and not is_empty):
            return self._above() if view.kind is ViewKind.TODAY else ()
        if not is_empty and view.kind is not ViewKind.ALL:
            return ()
        if self._query.text:
            return self._nothing_fits()
        if view.kind is not ViewKind.ALL:
            return self._with_keys(EMPTY_VIEW_TEXTS[view.kind])
        return self._with_keys(_NO_TASKS_YET) if is_empty else _ALL_DONE

    def _above(self) -> tuple[str, ...]:
        """Return the text above Today when nothing is for today but open tasks exist."""
        return () if self._counts.total else self._with_keys(EMPTY_VIEW_TEXTS[ViewKind.TODAY])

    def _nothing_fits(self) -> tuple[str, ...]:
        view, instead = self._query.view, self._query.filter.suggestion
        all_of_it = "tasks again." if view == ALL else f"of {view.name} again."
        return (
            f"Nothing fits “{self._query.text}”.",
            *([f"{instead} shows what is due then."] if instead else []),
            f"{self._hint('{list.back}')} shows all {all_of_it}",
        )

    def _with_keys(self, paragraphs: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self._hint, paragraphs))

    def _hint(self, text: str) -> str:
        return format_hint(self._view.app, text)


class TaskListController:
    """Updates the list widget from the store and from task changes.

    `header_changed` is called when counts or filter may have changed.
    """

    def __init__(
        self,
        view: TaskList,
        outline: TaskTree,
        query: ListQuery,
        header_changed: Callable[[HeaderState], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._query = query
        self._header_changed = header_changed
        self._counts = ListCounts(outline, query)
        self._empty_state = EmptyState(view, query, self._counts)
        self._recent_changes = RecentChanges()
        self._error: TodoError | None = None
        self._change_count = 0
        self._shown_key: QueryKey | None = None
        self._cursor_after_load: int | None = None
        """The task under the cursor before the first page of another list was shown."""
        self._page_cursor: int | None = None
        self._previous_tree: TaskTree | None = None
        self._fade_timer: Timer | None = None
        self._shown = query.view
        self._cursors: dict[View, int | None] = {}

    def load(self) -> None:
        """Read the list; of a long one the first page, and the rest soon after."""
        try:
            page = self._query.first_page()
            if page:
                self._show_page(page)
                self._view.call_after_refresh(self._load_rest)
            else:
                self._show(self._read())
        except TodoError as error:
            self._show_error(error)

    def _load_rest(self) -> None:
        reading = LazyCoroutine(self.load_in_background, _REMAINING_ROWS_DELAY_SECONDS)
        self._view.run_worker(reading, group="task-rest", exit_on_error=False)

    async def load_in_background(self, pause: float) -> None:
        """Read the list in a thread after a pause in seconds; repeat if tasks changed meanwhile."""
        await asyncio.sleep(pause)
        if self._query.query_key != self._shown_key:
            await self._show_first_page()
        while True:
            change_count = self._change_count
            query_key = self._query.query_key
            try:
                tree = await asyncio.to_thread(self._read)
            except TodoError as error:
                if query_key == self._query.query_key:
                    self._show_error(error)
                    return
                continue
            is_current = change_count == self._change_count and query_key == self._query.query_key
            if is_current and self._outline.fits(tree):
                self._show(tree)
                self._previous_tree = None
                return

    async def _show_first_page(self) -> None:
        """Show the first page if another, long list was requested."""
        query_key = self._query.query_key
        try:
            page = await asyncio.to_thread(self._query.first_page)
        except TodoError:
            # Reading the whole list reports the error.
            return
        if page and query_key == self._query.query_key:
            self._show_page(page)
            await asyncio.sleep(_REMAINING_ROWS_DELAY_SECONDS)

    def _show_page(self, page: tuple[Task, ...]) -> None:
        """Show the first page of the list; its counts are not known yet."""
        cursor_after_load = self._find_cursor_after_load()
        parents = {task.id: task.parent for task in page if task.parent is not None}
        tree = self._outline.prepared(self._query.places_on_page(page), parents)
        self._show(tree, page)
        # After the swap this holds the old list; freeing a long one would delay a key.
        self._previous_tree = tree
        self._view.go_back_to(None)
        self._cursor_after_load, self._page_cursor = cursor_after_load, self._view.cursor_task

    def _find_cursor_after_load(self) -> int | None:
        """Return the task to put the cursor on when all rows are loaded."""
        if self._query.view != self._shown:
            return self._cursors.get(self._query.view)
        cursor = self._view.cursor_task
        is_page_cursor = self._cursor_after_load is not None and cursor == self._page_cursor
        return self._cursor_after_load if is_page_cursor else cursor

    def apply_changes(self, changes: tuple[TaskChange, ...], *, follow: bool) -> None:
        """Update and mark changed tasks; with `follow` scroll to them."""
        self._change_count += 1
        self._recent_changes.add(changes)
        self._view.update_tasks(change.task for change in changes)
        with self._view.rearranging() as outline:
            for change in changes:
                self._place(change, outline)
        self._view.show_just_done(self._recent_changes.just_done)
        self._view.mark(self._recent_changes.marks)
        self._show_counts()
        if follow:
            self._view.bring_into_view(change.task.id for change in changes)
        if self._fade_timer is not None:
            self._fade_timer.stop()
        self._fade_timer = self._view.set_timer(MARK_SECONDS, self._fade)

    def settle(self, task_ids: Iterable[int]) -> None:
        """Move completed tasks to their new place; the cursor stays behind."""
        leaving = [each for each in task_ids if each in self._recent_changes.just_done]
        if not leaving:
            return
        self._recent_changes.settle(leaving)
        with self._view.rearranging(leaving=leaving) as outline:
            for task_id in leaving:
                task = self._view.task_of(task_id)
                outline.put(task_id, *(() if task is None else self._query.places(task)))
        self._view.show_just_done(self._recent_changes.just_done)
        self._show_counts()

    def _place(self, change: TaskChange, outline: TaskOutline) -> None:
        task = change.task
        present = outline.place_of(task.id)
        if (
            change.kind is ChangeKind.COMPLETED
            and present is not None
            and not present.section.is_closed
        ):
            self._recent_changes.just_done.add(task.id)
            self._view.set_timer(JUST_DONE_SECONDS, lambda: self.settle([task.id]))
            return
        self._recent_changes.just_done.discard(task.id)
        # A purged task is reported in its last state, which would still match.
        is_gone = change.kind is ChangeKind.PURGED
        self._outline.set_parent(task.id, None if is_gone else task.parent)
        outline.put(task.id, *(() if is_gone else self._query.places(task)))

    def fold(self, task_id: int, *, folded: bool) -> bool:
        """Fold or unfold a task or project (negative id); return True if that changed it."""
        if task_id < 0:
            return self._fold_projects(frozenset({task_id}), folded=folded)
        with self._view.rearranging():
            return self._outline.fold(task_id, folded=folded)

    def toggle_project(self) -> bool:
        """Fold or unfold the project under the cursor; return False if there is none."""
        cursor = self._view.cursor_task
        if cursor is None or cursor not in self._query.projects.drawn:
            return False
        self.toggle_fold(cursor)
        return True

    def toggle_fold(self, task_id: int) -> None:
        """Toggle the fold of a task or project."""
        project = self._query.projects.drawn.get(task_id)
        is_folded = self._outline.is_folded(task_id) if project is None else project.is_folded
        self.fold(task_id, folded=not is_folded)

    def fold_all(self, *, folded: bool) -> None:
        """Fold or unfold all tasks or projects of the list."""
        if self._query.view.kind is ViewKind.PROJECTS:
            self._fold_projects(self._query.projects.numbers, folded=folded)
        else:
            self._outline.fold_all(folded=folded)

    def _fold_projects(self, numbers: frozenset[int], *, folded: bool) -> bool:
        changed = self._query.fold(numbers, closed=folded)
        if changed:
            self.reload()
        return changed

    def _read(self) -> TaskTree:
        """Read all tasks into a tree; slow, thread-safe."""
        with low_priority():
            # Streamed, as all places at once would take much memory.
            parents = self._query.parents()
            return self._outline.prepared(self._query.read(), parents)

    def _show(self, tree: TaskTree, page: tuple[Task, ...] = ()) -> None:
        """Show another list; `page` has the tasks just read if it is a first page only."""
        self._error = None
        self._shown_key = self._query.query_key
        view = self._query.view
        is_other, self._shown = view != self._shown, view
        kept_places = {} if is_other else self._just_done_places()
        self._recent_changes.just_done.intersection_update(kept_places)
        self._view.show_just_done(self._recent_changes.just_done)
        with self._view.rearranging() as outline:
            outline.swap(tree)
            for task_id, present in kept_places.items():
                outline.put(task_id, *present)
        self._view.update_projects(self._query.projects.drawn)
        self._view.highlight(self._query.filter.searched)
        self._view.forget(page)
        if page:
            self._view.show_message(())
            self.show_loading()
        else:
            self._show_counts()
        if is_other:
            self._view.go_back_to(self._cursors.get(view))
        elif self._cursor_after_load is not None and self._view.cursor_task == self._page_cursor:
            # The cursor has not moved since the first page was shown.
            self._view.move_cursor_to(self._cursor_after_load)
        self._cursor_after_load = None

    def _just_done_places(self) -> dict[int, tuple[TaskPlace, ...]]:
        """Return the places of tasks that were just completed; a reload leaves them there."""
        return {each: self._outline.own_places(each) for each in self._recent_changes.just_done}

    def _show_error(self, error: TodoError) -> None:
        self._error = error
        if self._query.view != self._shown:
            self._show(self._outline.prepared((), {}))
            self._error = error
        self._show_counts()

    @property
    def task_count(self) -> int:
        """Return the number of tasks in the list, each counted once."""
        return self._counts.tasks

    def leave(self) -> None:
        """Remember the cursor of the current view before another one is shown."""
        self._cursors[self._shown] = self._view.cursor_task

    def show_loading(self) -> None:
        """Show the header without counts while the list is being read."""
        self._header_changed(self._counts.loading_state)

    def _fade(self) -> None:
        self._recent_changes.fade()
        self._view.mark({})

    def _show_counts(self) -> None:
        self._view.show_message(self._empty_state.paragraphs(self._error))
        self._header_changed(self._counts.header_state(self._recent_changes.just_done))

    def reload(self, *, pause: float = 0.0) -> None:
        """Reload in the background after a pause in seconds; of several requests the last wins."""
        self._view.run_worker(
            LazyCoroutine(self.load_in_background, pause), group="task-reload", exclusive=True
        )

    def follow_clock(self, time_changes: TimeChangeDetector) -> None:
        """Check each minute whether passing time has changed the list."""

        def check() -> None:
            self._view.run_worker(
                LazyCoroutine(self._reload_if_stale, time_changes),
                group="task-clock",
                exclusive=True,
            )

        self._view.set_timer(FIRST_CHECK_SECONDS, check)
        self._view.set_interval(CHECK_SECONDS, check)

    async def _reload_if_stale(self, time_changes: TimeChangeDetector) -> None:
        try:
            is_stale = await asyncio.to_thread(time_changes.is_list_stale)
        except TodoError:
            # Reloading reports the error.
            is_stale = True
        if is_stale:
            self.reload()
        else:
            # Relative dates can still have changed.
            self._view.refresh()
