"""TaskQueries: each question in one snapshot of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from todo_tui.domain.filters.terms import And, AnyStatus, Filter, Query, SortTerm
from todo_tui.domain.task import Task
from todo_tui.domain.when import Clock
from todo_tui.store.database import DatabaseFile
from todo_tui.store.tasks.filter_sql import SqlCondition, compile_filter
from todo_tui.store.tasks.select import (
    count_tasks,
    order_by,
    read_counts,
    read_list,
    read_page,
    read_page_of_any_status,
    read_projects,
    read_tag_names,
    read_tags,
    read_task,
    read_tasks,
)

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import PlainTaskRow, TaskCounts, TaskPage
    from todo_tui.store.tasks.sorting import TaskListing

QueryOrFilter = Filter | Query | None
"""A filter with or without an order; None stands for the open tasks."""
_ALL = -1
"""SQLite's value for no limit."""


class TaskQueries:
    """Task queries of one user; TaskStore documents each method."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def get(self, task_id: int) -> Task | None:
        """Return the task of that id, also one in the trash; None if unknown."""
        with self._file.reading() as database:
            return read_task(database, self._user, task_id)

    def page(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> TaskPage:
        """Return a page of the matching tasks, and their total number."""
        # Deferred here and below: the lists of the shell do not need it.
        from todo_tui.store.tasks.select import TaskPage

        tasks = self.find(wanted, limit=limit, offset=offset)
        if offset == 0 and (limit is None or len(tasks) < limit):
            return TaskPage(tasks, len(tasks))
        return TaskPage(tasks, self.count(wanted))

    def find(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> tuple[Task, ...]:
        """Return a page of the matching tasks without counting them."""
        query = _query(wanted)
        with self._file.reading() as database:
            condition = self._condition(query.filter)
            order = order_by(condition, query.sort, self._clock.now())
            if limit is None and offset == 0:
                return read_list(database, self._user, condition, order)
            most = _ALL if limit is None else limit
            if not query.sort and _is_of_any_status(query.filter):
                return read_page_of_any_status(
                    database, self._user, condition, limit=most, offset=offset
                )
            return read_page(database, self._user, condition, order, limit=most, offset=offset)

    def plain_rows(self, wanted: QueryOrFilter) -> Sequence[PlainTaskRow]:
        """Return the matching tasks with only the fields of a plain list."""
        from todo_tui.store.tasks.select import read_plain_rows

        query = _query(wanted)
        with self._file.reading() as database:
            condition = self._condition(query.filter)
            order = order_by(condition, query.sort, self._clock.now())
            return read_plain_rows(database, self._user, condition, order)

    def count(self, wanted: QueryOrFilter) -> int:
        """Count the matching tasks."""
        with self._file.reading() as database:
            condition = self._condition(_query(wanted).filter)
            return count_tasks(database, self._user, condition)

    def listing(self, wanted: QueryOrFilter, *, limit: int | None) -> TaskListing:
        """Return the ids of the matching tasks, in order under their headings."""
        from todo_tui.store.tasks.sorting import read_listing

        query, now, zone = _query(wanted), self._clock.now(), self._clock.zone
        with self._file.reading() as database:
            condition = self._condition(query.filter)
            return read_listing(database, self._user, condition, query, now, zone, limit)

    def have_equal_sort_values(self, ids: Sequence[int], sort: Sequence[SortTerm]) -> bool:
        """Return True if only the manual order and the id decide the order of these tasks."""
        from todo_tui.store.tasks.sorting import have_equal_sort_values

        with self._file.reading() as database:
            return have_equal_sort_values(database, self._user, ids, sort, self._clock.now())

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order."""
        with self._file.reading() as database:
            return read_tasks(database, self._user, ids)

    def counts(self) -> TaskCounts:
        """Count the open, overdue and due-today tasks."""
        with self._file.reading() as database:
            return read_counts(database, self._user, self._clock.now())

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash."""
        with self._file.reading() as database:
            return read_projects(database, self._user)

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash."""
        with self._file.reading() as database:
            return read_tags(database, self._user)

    def tag_names(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, each in one of its spellings."""
        with self._file.reading() as database:
            return read_tag_names(database, self._user)

    def _condition(self, wanted: Filter) -> SqlCondition:
        return compile_filter(wanted, self._clock.now(), self._clock.zone, self._user)


def _query(wanted: QueryOrFilter) -> Query:
    if wanted is None:
        return Query()
    return wanted if isinstance(wanted, Query) else Query(wanted)


def _is_of_any_status(wanted: Filter) -> bool:
    """Return True if a filter admits every status, as `all` does."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return any(isinstance(part, AnyStatus) for part in parts)
