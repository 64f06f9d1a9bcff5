"""Query of the list: current view and filter, and the places of the tasks that match."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from todo_tui.domain.errors import StoreError, TodoError, ValidationError
from todo_tui.domain.filters.matching import matches
from todo_tui.domain.filters.terms import (
    And,
    ContainsText,
    DayField,
    Filter,
    HasStatus,
    InTrash,
    IsOpen,
    Not,
    Or,
    WithinDays,
    all_of,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.urgency import TaskGroup, group_sort_key, task_group
from todo_tui.domain.when import Clock, DateStyle
from todo_tui.tui.task_list.outline import TaskPlace
from todo_tui.tui.views.view import ALL, SECTIONS, VIEW_NOUNS, ProjectRows, View, ViewKind

if TYPE_CHECKING:
    from todo_tui.domain.filters.terms import Query
    from todo_tui.store.store import Store
    from todo_tui.tui.views.arrangement import Arrangement, ParsedFilter, ProjectTree

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
Places = tuple[tuple[int, TaskPlace], ...]
"""Ids of tasks with the place of each, in no order that matters."""
QueryKey = tuple[View, str, int]
"""A view, a filter in it, and how often what is folded has changed."""


class ActiveFilter:
    """Reads a text once for each minute: what it says of days and times changes with them."""

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._filter: Filter | None = None
        self._known: tuple[str, datetime, ParsedFilter] | None = None
        self.text = ""
        """The filter as it was typed, as far as it could be read; empty where none is on."""

    def put(self, text: str) -> None:
        """Filter by a text, or by the longest beginning of it that is a filter."""
        words = text.split()
        text = text.strip()
        while text:
            try:
                self._filter = self._scoped(text)
            except TodoError:
                words.pop()
                text = " ".join(words)
                continue
            break
        else:
            self._filter = None
        self.text = text

    def read(self, text: str) -> ParsedFilter:
        """What a filter says at this minute.

        Raises:
            FilterProblem: it cannot be read.
        """
        from todo_tui.tui.views.arrangement import parse_filter

        now = self._clock.now()
        minute = now.replace(second=0, microsecond=0)
        known = self._known
        if known is not None and known[:2] == (text, minute):
            return known[2]
        typed = parse_filter(text, now, self._style, self._store)
        self._known = (text, minute, typed)
        return typed

    @property
    def meaning(self) -> str:
        """What the filter was understood as; empty where none is on."""
        if self._filter is None:
            return ""
        from todo_tui.domain.filters.text import describe_filter

        return describe_filter(self._filter)

    @property
    def searched(self) -> tuple[str, ...]:
        """The words that the filter searches for."""
        if self._filter is None:
            return ()
        from todo_tui.domain.filters.matching import search_words

        return search_words(self._filter)

    @property
    def suggestion(self) -> str:
        """Another filter that was perhaps meant: `due:friday` for a search for `friday`."""
        if self._filter is None or not _has_term(self._filter, ContainsText):
            return ""
        from todo_tui.domain.dates.reader import read_range
        from todo_tui.domain.errors import DateNotUnderstood

        try:
            read_range(self.text, self._clock.now(), self._style)
        except DateNotUnderstood:
            return ""
        quoted = f'"{self.text}"' if " " in self.text else self.text
        return f"due:{quoted}"

    def _scoped(self, text: str) -> Filter:
        from todo_tui.domain.filters.terms import with_default_scope

        return with_default_scope(self.read(text).filter)


def _has_term(wanted: Filter, kind: type[Filter]) -> bool:
    match wanted:
        case And(parts) | Or(parts):
            return any(_has_term(part, kind) for part in parts)
        case Not(part):
            return _has_term(part, kind)
        case _:
            return isinstance(wanted, kind)


class ListQuery:
    """The view that is shown, the filter that is on, and what both let in.

    Without either these are the open tasks, and what was done of late.
    """

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._arranged: tuple[QueryKey, datetime, Arrangement | ProjectTree] | None = None
        self._folds = 0
        self._kept_folds: str | None = None
        self.projects = ProjectRows()
        """The rows of the view of projects."""
        self.view = ALL
        self.filter = ActiveFilter(store, clock, style)
        """The filter that is on in it."""

    @property
    def text(self) -> str:
        """The filter as it was typed; empty where none is on."""
        return self.filter.text

    @property
    def wanted(self) -> QueryKey:
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
        return "" if by_due else VIEW_NOUNS.get(self.view.kind, "shown")

    def count_of(self, view: View) -> int:
        """How many tasks a view is about, without the filter that is on; from any thread.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view cannot be read any more.
        """
        if view.kind is ViewKind.ALL:
            return self._store.tasks.count()
        return sum(map(self._store.tasks.count, self._arrange(view, "").queries))

    def read(self) -> Iterator[tuple[int, TaskPlace]]:
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
                yield row.id, TaskPlace(_WITH_DONE_OF_LATE[row.group], row.key)

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
        tasks = self._store.tasks.find(wanted, limit=_PAGE)
        # What is closed comes after everything else, also after what is not on the page.
        is_the_beginning = len(tasks) == _PAGE and all(task.is_open for task in tasks)
        return tasks if is_the_beginning else ()

    def places_on_page(self, page: tuple[Task, ...]) -> Places:
        """Where the tasks of a first page belong: the store has said that they fit."""
        now, zone = self._clock.now(), self._clock.zone
        return tuple(
            (task.id, TaskPlace(SECTIONS[task_group(task, now)], group_sort_key(task, zone)))
            for task in page
        )

    def parents(self) -> dict[int, int]:
        """The parent of every subtask; from any thread.

        Raises:
            StoreError: the file cannot be read.
        """
        return self._store.tasks.parents()

    def places(self, task: Task) -> tuple[TaskPlace, ...]:
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
                section = _WITH_DONE_OF_LATE[task_group(task, now)]
                return (TaskPlace(section, group_sort_key(task, zone)),)
        return ()

    @property
    def is_plain(self) -> bool:
        """Whether all tasks are shown, without a filter."""
        return self.view.kind is ViewKind.ALL and not self.text

    def _plain(self) -> tuple[Filter, ...]:
        """Filters of which one must hold; apart, each can use its index."""
        since = self._clock.now().date() - timedelta(days=DONE_DAYS - 1)
        done_of_late = all_of(HasStatus(Status.DONE), WithinDays(DayField.COMPLETED, since, None))
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
        from todo_tui.tui.views.arrangement import arrange_view, parse_filter

        now, zone = self._clock.now(), self._clock.zone
        typed = self.filter.read(text)
        if view.kind is ViewKind.PROJECTS:
            from todo_tui.tui.views.arrangement import ProjectTree

            return ProjectTree(typed, now, zone, self.projects)
        saved = parse_filter(view.text, now, self._style, self._store)
        return arrange_view(view, typed, saved, now, zone)
