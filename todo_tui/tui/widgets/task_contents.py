"""What the list is to have: the view, the filter, and the places of the tasks that fit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import StoreError, ValidationError
from todo_tui.domain.filter_matching import matches
from todo_tui.domain.filter_terms import (
    DayField,
    Filter,
    HasStatus,
    InTrash,
    IsOpen,
    Not,
    Within,
    all_of,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.urgency import TaskGroup, group_of, order_in_group
from todo_tui.domain.when import DateStyle
from todo_tui.tui.views.project_rows import ProjectRows
from todo_tui.tui.views.section import SECTIONS
from todo_tui.tui.views.view import ALL, NOUNS, View, ViewKind
from todo_tui.tui.widgets.list_filter import ListFilter
from todo_tui.tui.widgets.task_outline import Place

if TYPE_CHECKING:
    # The store is opened by others; loading it here would pull SQLite into every import.
    # The grammar of filters is large, and the first frame has no filter to read.
    from todo_tui.domain.filter_query import Query
    from todo_tui.store.workspace import Store
    from todo_tui.tui.views.arranging import Arrangement
    from todo_tui.tui.views.project_tree import ProjectTree

DONE_DAYS = 7
"""The unfiltered list ends with what was done on so many days, today being the last."""

_DONE_SHOWN = 5
_FOLDED = "list.folded_projects"
_PAGE = 60
"""Tasks; more than most screens have lines."""
_WITH_DONE_OF_LATE = {
    **SECTIONS,
    TaskGroup.DONE: SECTIONS[TaskGroup.DONE]._replace(shown_at_most=_DONE_SHOWN, rest="/ done"),
}

Places = tuple[tuple[int, Place], ...]
"""Ids of tasks with the place of each, in no order that matters."""
Wanted = tuple[View, str, int]
"""A view, a filter in it, and how often what is folded has changed."""


class TaskContents:
    """The view that is shown, the filter that is on, and what both let in.

    Without either these are the open tasks, and what was done of late.
    """

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._arranged: tuple[Wanted, datetime, Arrangement | ProjectTree] | None = None
        self._folds = 0
        self._kept_folds: str | None = None
        self.projects = ProjectRows()
        """The rows of the view of projects."""
        self.view = ALL
        self.filter = ListFilter(store, clock, style)
        """The filter that is on in it."""

    @property
    def text(self) -> str:
        """The filter as it was typed; empty where none is on."""
        return self.filter.text

    @property
    def wanted(self) -> Wanted:
        """What is read next; another one makes what is being read old."""
        return self.view, self.text, self._folds

    def fold(self, numbers: frozenset[int], *, closed: bool) -> bool:
        """Fold projects, or unfold them; tells whether that is new and the list to be read."""
        is_new = self.projects.fold(numbers, closed=closed)
        self._folds += is_new
        return is_new

    @property
    def asks_of_others(self) -> bool:
        """Whether the change of one task can let in another, such as one that it blocks."""
        if self.is_plain:
            return False
        try:
            return self._arrangement().asks_of_others
        except ValidationError:
            return False

    @property
    def noun(self) -> str:
        """What its tasks are called in a count; empty where they stand by due day."""
        if self.is_plain:
            return ""
        try:
            by_due = self._arrangement().is_by_due
        except ValidationError:
            by_due = False
        return "" if by_due else NOUNS.get(self.view.kind, "shown")

    def count_of(self, view: View) -> int:
        """How many tasks a view is about, without the filter that is on; from any thread.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view cannot be read any more.
        """
        if view.kind is ViewKind.ALL:
            return self._store.tasks.count()
        return sum(map(self._store.tasks.count, self._arrange(view, "").queries))

    def read(self) -> Iterator[tuple[int, Place]]:
        """The places of all tasks of the list as they are read; takes a while, from any thread.

        Meanwhile the thread reads nothing else of the store.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view cannot be read any more.
        """
        if self.view.kind is ViewKind.PROJECTS:
            self._keep_folds()
        if not self.is_plain:
            yield from self._arrangement().read(self._store)
            return
        for wanted in self._plain():
            for row in self._store.tasks.outline(wanted):
                yield row.id, Place(_WITH_DONE_OF_LATE[row.group], row.key)

    def _keep_folds(self) -> None:
        """Fold the projects that were folded when the app was left; keep what is folded now."""
        memory = self._store.memory
        try:
            if self._kept_folds is None:
                self._kept_folds = memory.get(_FOLDED) or ""
                self.projects.recall(self._kept_folds)
            elif (present := self.projects.memento) != self._kept_folds:
                memory.set(_FOLDED, present or None)
                self._kept_folds = present
        except StoreError:
            # They are folded all the same; the next start begins with others.
            return

    def first_page(self) -> tuple[Task, ...]:
        """The tasks that a long list begins with, read much quicker than all places of it.

        Nothing where the list is short, or is not in the order of due days.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view cannot be read any more.
        """
        wanted: Query | Filter = self._plain()[0]
        if not self.is_plain:
            arrangement = self._arrangement()
            if not arrangement.is_by_due or len(arrangement.queries) != 1:
                return ()
            (wanted,) = arrangement.queries
        tasks = self._store.tasks.some(wanted, limit=_PAGE)
        # What is closed comes after everything else, also after what is not on the page.
        is_the_beginning = len(tasks) == _PAGE and all(task.is_open for task in tasks)
        return tasks if is_the_beginning else ()

    def places_on_page(self, page: tuple[Task, ...]) -> Places:
        """Where the tasks of a first page belong: the store has said that they fit."""
        now, zone = self._clock.now(), self._clock.zone
        return tuple(
            (task.id, Place(SECTIONS[group_of(task, now)], order_in_group(task, zone)))
            for task in page
        )

    def parents(self) -> dict[int, int]:
        """The parent of every subtask; from any thread.

        Raises:
            StoreError: the file cannot be read.
        """
        return self._store.tasks.parents()

    def places(self, task: Task) -> tuple[Place, ...]:
        """Where a task belongs; nowhere where view and filter leave it out."""
        relations = self._store.tasks.relations
        if not self.is_plain:
            try:
                return self._arrangement().places(task, relations)
            except ValidationError:
                # A saved view that cannot be read any more has said so, and is empty.
                return ()
        now, zone = self._clock.now(), self._clock.zone
        for wanted in self._plain():
            if matches(wanted, task, now, zone=zone, relations=relations):
                section = _WITH_DONE_OF_LATE[group_of(task, now)]
                return (Place(section, order_in_group(task, zone)),)
        return ()

    @property
    def is_plain(self) -> bool:
        """Whether all tasks are shown, without a filter."""
        return self.view.kind is ViewKind.ALL and not self.text

    def _plain(self) -> tuple[Filter, ...]:
        """Filters of which one must hold; apart, each can use its index."""
        since = self._clock.now().date() - timedelta(days=DONE_DAYS - 1)
        done_of_late = all_of(HasStatus(Status.DONE), Within(DayField.COMPLETED, since, None))
        return all_of(IsOpen(), Not(InTrash())), all_of(done_of_late, Not(InTrash()))

    @property
    def _minute(self) -> datetime:
        return self._clock.now().replace(second=0, microsecond=0)

    def _arrangement(self) -> Arrangement | ProjectTree:
        """What view and filter are now: "today" is another day after midnight."""
        minute = self._minute
        known = self._arranged
        if known is not None and known[:2] == (self.wanted, minute):
            return known[2]
        wanted = self.wanted
        arrangement = self._arrange(*wanted[:2])
        self._arranged = (wanted, minute, arrangement)
        return arrangement

    def _arrange(self, view: View, text: str) -> Arrangement | ProjectTree:
        from todo_tui.tui.views.arranging import arranged, read_typed

        now, zone = self._clock.now(), self._clock.zone
        typed = self.filter.read(text)
        if view.kind is ViewKind.PROJECTS:
            from todo_tui.tui.views.project_tree import ProjectTree

            return ProjectTree(typed, now, zone, self.projects)
        saved = read_typed(view.text, now, self._style, self._store)
        return arranged(view, typed, saved, now, zone)
