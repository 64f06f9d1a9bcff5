"""Keeps the list true: what the store announces, what a filter asks, what was just done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from textual.timer import Timer

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.tui.later import Later
from todo_tui.tui.long_reading import long_reading
from todo_tui.tui.views.view import View, ViewKind
from todo_tui.tui.widgets.afterglow import Afterglow
from todo_tui.tui.widgets.list_counts import ListCounts
from todo_tui.tui.widgets.list_lessons import ListLessons
from todo_tui.tui.widgets.task_contents import TaskContents, Wanted
from todo_tui.tui.widgets.task_header import HeaderFacts
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_outline import Place, TaskOutline
from todo_tui.tui.widgets.task_tree import TaskTree

JUST_DONE_SECONDS = 1.6
"""How long a task that was completed keeps its row, struck and green."""
MARK_SECONDS = 10.0
"""How long a changed row stays marked."""

_REST_SECONDS = 0.25
"""After the first page of a long list, until the rest of it is read: typing goes first."""


class LiveList:
    """What stands between the store's news and the widget that draws.

    `facts_changed` is called whenever the counts or the filter may have changed.
    """

    def __init__(
        self,
        view: TaskList,
        outline: TaskTree,
        contents: TaskContents,
        facts_changed: Callable[[HeaderFacts], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._contents = contents
        self._facts_changed = facts_changed
        self._counts = ListCounts(outline, contents)
        self._lessons = ListLessons(view, contents, self._counts)
        self._afterglow = Afterglow()
        self._trouble: TodoError | None = None
        self._news = 0
        self._wanted: Wanted | None = None
        self._sought: int | None = None
        """The task that was under the cursor before the first page of another list came."""
        self._page_cursor: int | None = None
        self._before_page: TaskTree | None = None
        self._fading: Timer | None = None
        self._shown = contents.view
        self._cursors: dict[View, int | None] = {}

    def load(self) -> None:
        """Read the list; of a long one the first page, which the rest soon follows."""
        try:
            page = self._contents.first_page()
            if page:
                self._show_page(page)
                self._view.call_after_refresh(self._have_rest)
            else:
                self._show(self._read())
        except TodoError as error:
            self._show_trouble(error)

    def _have_rest(self) -> None:
        reading = Later(self.load_in_background, _REST_SECONDS)
        self._view.run_worker(reading, group="task-rest", exit_on_error=False)

    async def load_in_background(self, pause: float) -> None:
        """After a pause in seconds read the list in a thread, again where tasks changed then."""
        await asyncio.sleep(pause)
        if self._contents.wanted != self._wanted:
            await self._begin()
        while True:
            news = self._news
            wanted = self._contents.wanted
            try:
                tree = await asyncio.to_thread(self._read)
            except TodoError as error:
                if wanted == self._contents.wanted:
                    self._show_trouble(error)
                    return
                continue
            is_true = news == self._news and wanted == self._contents.wanted
            if is_true and self._outline.fits(tree):
                self._show(tree)
                self._before_page = None
                return

    async def _begin(self) -> None:
        """Of another list than the one that is shown, show the first page if it is long."""
        wanted = self._contents.wanted
        try:
            page = await asyncio.to_thread(self._contents.first_page)
        except TodoError:
            # Reading the whole list will say what is wrong.
            return
        if page and wanted == self._contents.wanted:
            self._show_page(page)
            await asyncio.sleep(_REST_SECONDS)

    def _show_page(self, page: tuple[Task, ...]) -> None:
        """Show the beginning of the list; how many tasks there are is not known yet."""
        sought = self._sought_after_page()
        parents = {task.id: task.parent for task in page if task.parent is not None}
        tree = self._outline.prepared(self._contents.places_on_page(page), parents)
        self._show(tree, page)
        # It has what was shown before, and to let go of a long list takes longer than a key may.
        self._before_page = tree
        self._view.go_back_to(None)
        self._sought, self._page_cursor = sought, self._view.cursor_task

    def _sought_after_page(self) -> int | None:
        """The task that the cursor is to go to when all have come, if it does not move before."""
        if self._contents.view != self._shown:
            return self._cursors.get(self._contents.view)
        cursor = self._view.cursor_task
        is_page_cursor = self._sought is not None and cursor == self._page_cursor
        return self._sought if is_page_cursor else cursor

    def take(self, changes: tuple[TaskChange, ...], *, follow: bool) -> None:
        """Bring changed tasks up to date and mark them; `follow`: scroll to them too."""
        self._news += 1
        self._afterglow.take(changes)
        self._view.know(change.task for change in changes)
        with self._view.rearranging() as outline:
            for change in changes:
                self._place(change, outline)
        self._view.show_just_done(self._afterglow.just_done)
        self._view.mark(self._afterglow.marks)
        self._tell()
        if follow:
            self._view.bring_into_view(change.task.id for change in changes)
        if self._fading is not None:
            self._fading.stop()
        self._fading = self._view.set_timer(MARK_SECONDS, self._fade)

    def settle(self, task_ids: Iterable[int]) -> None:
        """Let tasks that were completed go where they belong; the cursor stays behind."""
        leaving = [each for each in task_ids if each in self._afterglow.just_done]
        if not leaving:
            return
        self._afterglow.settle(leaving)
        with self._view.rearranging(leaving=leaving) as outline:
            for task_id in leaving:
                task = self._view.task_of(task_id)
                outline.put(task_id, *(() if task is None else self._contents.places(task)))
        self._view.show_just_done(self._afterglow.just_done)
        self._tell()

    def _place(self, change: TaskChange, outline: TaskOutline) -> None:
        task = change.task
        present = outline.place_of(task.id)
        if (
            change.kind is ChangeKind.COMPLETED
            and present is not None
            and not present.section.is_closed
        ):
            self._afterglow.just_done.add(task.id)
            self._view.set_timer(JUST_DONE_SECONDS, lambda: self.settle([task.id]))
            return
        self._afterglow.just_done.discard(task.id)
        # What is purged is told of in its last state, in which it would still fit.
        is_gone = change.kind is ChangeKind.PURGED
        self._outline.adopt(task.id, None if is_gone else task.parent)
        outline.put(task.id, *(() if is_gone else self._contents.places(task)))

    def fold(self, task_id: int, *, folded: bool) -> bool:
        """Fold or unfold what is below a task or in a project; whether that changed anything."""
        if task_id < 0:
            return self._fold_projects(frozenset({task_id}), folded=folded)
        with self._view.rearranging():
            return self._outline.fold(task_id, folded=folded)

    def toggle_project(self) -> bool:
        """Fold or unfold the project under the cursor; whether it is on one."""
        cursor = self._view.cursor_task
        if cursor is None or cursor not in self._contents.projects.drawn:
            return False
        self.toggle_fold(cursor)
        return True

    def toggle_fold(self, task_id: int) -> None:
        """Fold what is open, and the other way round."""
        project = self._contents.projects.drawn.get(task_id)
        is_folded = self._outline.is_folded(task_id) if project is None else project.is_folded
        self.fold(task_id, folded=not is_folded)

    def fold_all(self, *, folded: bool) -> None:
        """Fold or unfold everything that the list has."""
        if self._contents.view.kind is ViewKind.PROJECTS:
            self._fold_projects(self._contents.projects.numbers, folded=folded)
        else:
            self._outline.fold_all(folded=folded)

    def _fold_projects(self, numbers: frozenset[int], *, folded: bool) -> bool:
        changed = self._contents.fold(numbers, closed=folded)
        if changed:
            self._view.run_worker(
                Later(self.load_in_background, 0), group="task-reload", exclusive=True
            )
        return changed

    def _read(self) -> TaskTree:
        """All tasks where they belong; takes a while, from any thread."""
        with long_reading():
            # The places come while they are read: all of them at once take much memory.
            parents = self._contents.parents()
            return self._outline.prepared(self._contents.read(), parents)

    def _show(self, tree: TaskTree, page: tuple[Task, ...] = ()) -> None:
        """Show other tasks, all of them or the first page, whose tasks were just read."""
        self._trouble = None
        self._wanted = self._contents.wanted
        view = self._contents.view
        is_other, self._shown = view != self._shown, view
        lingering = {} if is_other else self._lingering()
        self._afterglow.just_done.intersection_update(lingering)
        self._view.show_just_done(self._afterglow.just_done)
        with self._view.rearranging() as outline:
            outline.become(tree)
            for task_id, present in lingering.items():
                outline.put(task_id, *present)
        self._view.know_projects(self._contents.projects.drawn)
        self._view.highlight(self._contents.filter.searched)
        self._view.forget(page)
        if page:
            self._view.teach(())
            self.announce()
        else:
            self._tell()
        if is_other:
            self._view.go_back_to(self._cursors.get(view))
        elif self._sought is not None and self._view.cursor_task == self._page_cursor:
            # Nobody moved since the first page came.
            self._view.move_cursor_to(self._sought)
        self._sought = None

    def _lingering(self) -> dict[int, tuple[Place, ...]]:
        """Where those are that were done a moment ago: a new list leaves them there."""
        return {each: self._outline.given(each) for each in self._afterglow.just_done}

    def _show_trouble(self, error: TodoError) -> None:
        self._trouble = error
        if self._contents.view != self._shown:
            self._show(self._outline.prepared((), {}))
            self._trouble = error
        self._tell()

    @property
    def task_count(self) -> int:
        """How many tasks the list has, each counted once."""
        return self._counts.tasks

    def leave(self) -> None:
        """Another view will be shown: know where the cursor was in this one."""
        self._cursors[self._shown] = self._view.cursor_task

    def announce(self) -> None:
        """Say what is on its way: there is nothing to count yet."""
        self._facts_changed(self._counts.facts_to_come)

    def _fade(self) -> None:
        self._afterglow.fade()
        self._view.mark({})

    def _tell(self) -> None:
        self._view.teach(self._lessons.paragraphs(self._trouble))
        self._facts_changed(self._counts.facts(self._afterglow.just_done))
