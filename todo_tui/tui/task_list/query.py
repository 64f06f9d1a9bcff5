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
"""Days of done tasks at the end of the unfiltered list, today included."""
_DONE_SHOWN = 5
_FOLDED = "list.folded_projects"
_PAGE = 60
"""Tasks of a first page; more than most screens have lines."""
_WITH_DONE_OF_LATE = {
    **SECTIONS,
    TaskGroup.DONE: SECTIONS[TaskGroup.DONE]._replace(shown_at_most=_DONE_SHOWN, rest="/ done"),
}
Places = tuple[tuple[int, TaskPlace], ...]
"""Task ids with their places, in no particular order."""
QueryKey = tuple[View, str, int]
"""View, filter text and version of the folded projects."""


class ActiveFilter:
    """The current filter, parsed once per minute as relative dates change with time."""

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._filter: Filter | None = None
        self._known: tuple[str, datetime, ParsedFilter] | None = None
        self.text = ""
        """The filter as typed, as far as it parses; empty without a filter."""

    def put(self, text: str) -> None:
        """Set the filter to the longest prefix of a text that parses."""
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
        """Parse a filter at the current minute.

        Raises:
            FilterProblem: the filter is invalid.
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
        """Return the filter in words; empty without a filter."""
        if self._filter is None:
            return ""
        from todo_tui.domain.filters.text import describe_filter

        return describe_filter(self._filter)

    @property
    def searched(self) -> tuple[str, ...]:
        """Return the words that the filter searches for."""
        if self._filter is None:
            return ()
        from todo_tui.domain.filters.matching import search_words

        return search_words(self._filter)

    @property
    def suggestion(self) -> str:
        """Return a likely intended filter: `due:friday` for a search for `friday`."""
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
    """The current view and filter, and the tasks that match both.

    Without either: open tasks and recently done ones.
    """

    def __init__(self, store: Store, clock: Clock, style: DateStyle) -> None:
        self._store = store
        self._clock = clock
        self._style = style
        self._arranged: tuple[QueryKey, datetime, Arrangement | ProjectTree] | None = None
        self._folds = 0
        self._kept_folds: str | None = None
        self.projects = ProjectRows()
        """Rows of the project view."""
        self.view = ALL
        self.filter = ActiveFilter(store, clock, style)
        """The filter within the view."""

    @property
    def text(self) -> str:
        """Return the filter as typed; empty without a filter."""
        return self.filter.text

    @property
    def query_key(self) -> QueryKey:
        """Return the key of the next read; a changed key makes a running read obsolete."""
        return self.view, self.text, self._folds

    def fold(self, numbers: frozenset[int], *, closed: bool) -> bool:
        """Fold or unfold projects; return True if the list must be reloaded."""
        is_new = self.projects.fold(numbers, closed=closed)
        self._folds += is_new
        return is_new

    @property
    def asks_of_others(self) -> bool:
        """Return True if a change of one task can let in another, such as one it blocks."""
        if self.is_plain:
            return False
        try:
            return self._arrangement().asks_of_others
        except ValidationError:
            return False

    @property
    def noun(self) -> str:
        """Return the noun for counts of this view; empty where it is grouped by due day."""
        if self.is_plain:
            return ""
        try:
            by_due = self._arrangement().is_by_due
        except ValidationError:
            by_due = False
        return "" if by_due else VIEW_NOUNS.get(self.view.kind, "shown")

    def count_of(self, view: View) -> int:
        """Count the tasks of a view, ignoring the current filter; thread-safe.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view no longer parses.
        """
        if view.kind is ViewKind.ALL:
            return self._store.tasks.count()
        return sum(map(self._store.tasks.count, self._arrange(view, "").queries))

    def read(self) -> Iterator[tuple[int, TaskPlace]]:
        """Yield the places of all tasks of the list; slow, thread-safe.

        The thread must read nothing else from the store meanwhile.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view no longer parses.
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
        """Restore the stored folds on first use; store changed ones."""
        memory = self._store.memory
        try:
            if self._kept_folds is None:
                self._kept_folds = memory.get(_FOLDED) or ""
                self.projects.recall(self._kept_folds)
            elif (present := self.projects.memento) != self._kept_folds:
                memory.set(_FOLDED, present or None)
                self._kept_folds = present
        except StoreError:
            # The folds hold for this run; only storing them failed.
            return

    def first_page(self) -> tuple[Task, ...]:
        """Return the first tasks of a long list, much faster than reading all places.

        Empty if the list is short or not grouped by due day.

        Raises:
            StoreError: the file cannot be read.
            ValidationError: the filter of a saved view no longer parses.
        """
        wanted: Query | Filter = self._plain()[0]
        if not self.is_plain:
            arrangement = self._arrangement()
            if not arrangement.is_by_due or len(arrangement.queries) != 1:
                return ()
            (wanted,) = arrangement.queries
        tasks = self._store.tasks.find(wanted, limit=_PAGE)
        # Closed tasks sort after all others, also after those beyond the page.
        is_the_beginning = len(tasks) == _PAGE and all(task.is_open for task in tasks)
        return tasks if is_the_beginning else ()

    def places_on_page(self, page: tuple[Task, ...]) -> Places:
        """Return the places of tasks on a first page, which are known to match."""
        now, zone = self._clock.now(), self._clock.zone
        return tuple(
            (task.id, TaskPlace(SECTIONS[task_group(task, now)], group_sort_key(task, zone)))
            for task in page
        )

    def parents(self) -> dict[int, int]:
        """Return the parent of every subtask; thread-safe.

        Raises:
            StoreError: the file cannot be read.
        """
        return self._store.tasks.parents()

    def places(self, task: Task) -> tuple[TaskPlace, ...]:
        """Return the places of a task; empty if view or filter exclude it."""
        relations = self._store.tasks.relations
        if not self.is_plain:
            try:
                return self._arrangement().places(task, relations)
            except ValidationError:
                # A saved view that no longer parses is empty; reading it reported the error.
                return ()
        now, zone = self._clock.now(), self._clock.zone
        for wanted in self._plain():
            if matches(wanted, task, now, zone=zone, relations=relations):
                section = _WITH_DONE_OF_LATE[task_group(task, now)]
                return (TaskPlace(section, group_sort_key(task, zone)),)
        return ()

    @property
    def is_plain(self) -> bool:
        """Return True if all tasks are shown without a filter."""
        return self.view.kind is ViewKind.ALL and not self.text

    def _plain(self) -> tuple[Filter, ...]:
        """Return alternative filters, separate so that each can use its index."""
        since = self._clock.now().date() - timedelta(days=DONE_DAYS - 1)
        done_of_late = all_of(HasStatus(Status.DONE), WithinDays(DayField.COMPLETED, since, None))
        return all_of(IsOpen(), Not(InTrash())), all_of(done_of_late, Not(InTrash()))

    @property
    def _minute(self) -> datetime:
        return self._clock.now().replace(second=0, microsecond=0)

    def _arrangement(self) -> Arrangement | ProjectTree:
        """Return the arrangement of view and filter at the current minute."""
        minute = self._minute
        known = self._arranged
        if known is not None and known[:2] == (self.query_key, minute):
            return known[2]
        wanted = self.query_key
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
