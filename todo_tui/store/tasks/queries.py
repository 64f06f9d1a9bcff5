"""TaskQueries: each question in one snapshot of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from todo_tui.domain.filters.terms import And, AnyStatus, Filter, Query, SortTerm
from todo_tui.domain.task import Task
from todo_tui.store.database import UserDatabase
from todo_tui.store.rows import TASK_SELECT, task_from_row, tasks_by_row
from todo_tui.store.tasks.filter_sql import (
    EXISTS,
    NOT_TRASHED,
    OPEN,
    STARTED,
    SqlColumn,
    SqlCondition,
    compile_filter,
    due_local,
    local_text,
)
from todo_tui.store.tasks.select import (
    PlainTaskRow,
    TaskCounts,
    TaskPage,
    read_page_of_any_status,
    read_plain_rows,
    read_projects,
    read_tasks,
)

if TYPE_CHECKING:
    from todo_tui.store.tasks.sorting import TaskListing

QueryOrFilter = Filter | Query | None
"""A filter with or without an order; None stands for the open tasks."""
_ALL = -1
"""SQLite's value for no limit."""
# SQLite takes the bare column `tag` from the row with the maximum.
_TAGS = (
    "SELECT tag, folded, max(uses) FROM (SELECT g.tag, g.folded, count(*) AS uses"  # noqa: S608
    " FROM task_tags g JOIN tasks t ON t.row = g.task"
    f" WHERE t.user = ? AND g.gone = 0 AND {EXISTS} AND {NOT_TRASHED} GROUP BY g.tag, g.folded)"
    " GROUP BY folded ORDER BY folded"
)
# Skips from name to name in the index instead of reading the tags of all tasks.
_TAG_NAMES = (
    "WITH RECURSIVE name (folded) AS (SELECT min(folded) FROM task_tags UNION ALL"  # noqa: S608
    " SELECT (SELECT min(g.folded) FROM task_tags g WHERE g.folded > name.folded)"
    " FROM name WHERE name.folded IS NOT NULL)"
    " SELECT (SELECT g.tag FROM task_tags g JOIN tasks t ON t.row = g.task"
    f" WHERE g.folded = name.folded AND t.user = ? AND g.gone = 0 AND {EXISTS}"
    f" AND {NOT_TRASHED} LIMIT 1) FROM name WHERE name.folded IS NOT NULL"
)


class TaskQueries:
    """Task queries of one user; TaskReader documents each method."""

    def __init__(self, db: UserDatabase) -> None:
        self._db = db

    def get(self, task_id: int) -> Task | None:
        """Return the task of that id, also one in the trash; None if unknown."""
        with self._db.file.reading() as database:
            return next(iter(read_tasks(database, self._db.user, (task_id,))), None)

    def page(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> TaskPage:
        """Return a page of the matching tasks, and their total number."""
        tasks = self.find(wanted, limit=limit, offset=offset)
        if offset == 0 and (limit is None or len(tasks) < limit):
            return TaskPage(tasks, len(tasks))
        return TaskPage(tasks, self.count(wanted))

    def find(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> tuple[Task, ...]:
        """Return a page of the matching tasks without counting them."""
        query = _query(wanted)
        condition, user = self._condition(query.filter), self._db.user
        order = self._order(condition, query)
        values = (user, *condition.values, *order.values)
        where = f"WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {order.sql}"
        if limit is None and offset == 0:
            return tuple(map(task_from_row, self._db.rows(f"{TASK_SELECT} {where}", *values)))
        most = _ALL if limit is None else limit
        with self._db.file.reading() as database:
            if not query.sort and _is_of_any_status(query.filter):
                return read_page_of_any_status(database, user, condition, limit=most, offset=offset)
            # Sorting reads only the index; whole tasks are read for the page alone.
            found = database.execute(
                f"SELECT t.row FROM tasks t {where} LIMIT ? OFFSET ?",  # noqa: S608 - bound values
                (*values, most, offset),
            )
            rows = [row for (row,) in found]
            tasks = tasks_by_row(database, rows)
        return tuple(tasks[row] for row in rows)

    def plain_rows(self, wanted: QueryOrFilter) -> Sequence[PlainTaskRow]:
        """Return the matching tasks with only the fields of a plain list."""
        query = _query(wanted)
        condition = self._condition(query.filter)
        with self._db.file.reading() as database:
            order = self._order(condition, query)
            return read_plain_rows(database, self._db.user, condition, order)

    def count(self, wanted: QueryOrFilter) -> int:
        """Count the matching tasks."""
        condition = self._condition(_query(wanted).filter)
        query = f"SELECT count(*) FROM tasks t WHERE t.user = ? AND {EXISTS} AND {condition.sql}"  # noqa: S608
        return int(self._db.rows(query, self._db.user, *condition.values)[0][0])

    def listing(self, wanted: QueryOrFilter, *, limit: int | None) -> TaskListing:
        """Return the ids of the matching tasks, in order under their headings."""
        from todo_tui.store.tasks.sorting import read_listing

        query, clock = _query(wanted), self._db.clock
        condition = self._condition(query.filter)
        with self._db.file.reading() as database:
            return read_listing(
                database, self._db.user, condition, query, clock.now(), clock.zone, limit
            )

    def have_equal_sort_values(self, ids: Sequence[int], sort: Sequence[SortTerm]) -> bool:
        """Return True if only the manual order and the id decide the order of these tasks."""
        from todo_tui.store.tasks.sorting import have_equal_sort_values

        with self._db.file.reading() as database:
            return have_equal_sort_values(database, self._db.user, ids, sort, self._db.clock.now())

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order."""
        with self._db.file.reading() as database:
            return read_tasks(database, self._db.user, ids)

    def counts(self) -> TaskCounts:
        """Count the open, overdue and due-today tasks."""
        now = self._db.clock.now()
        moment = local_text(now)
        rows = self._db.rows(
            f"SELECT count(*), coalesce(sum({due_local} < ?), 0),"  # noqa: S608
            " coalesce(sum(substr(t.due, 1, 10) = ?), 0) FROM tasks t"
            f" WHERE t.user = ? AND {EXISTS} AND {OPEN} AND {NOT_TRASHED} AND {STARTED}",
            moment,
            now.date().isoformat(),
            self._db.user,
            moment,
        )
        return TaskCounts(*rows[0])

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash."""
        with self._db.file.reading() as database:
            return read_projects(database, self._db.user)

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, each in its most common spelling."""
        return tuple(row[0] for row in self._db.rows(_TAGS, self._db.user))

    def tag_names(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, each in one of its spellings."""
        return tuple(row[0] for row in self._db.rows(_TAG_NAMES, self._db.user) if row[0])

    def _order(self, condition: SqlCondition, query: Query) -> SqlColumn:
        if not query.sort:
            return SqlColumn(condition.order, ())
        # Most lists have the default order.
        from todo_tui.store.tasks.sorting import sort_order_sql

        return sort_order_sql(query.sort, self._db.clock.now())

    def _condition(self, wanted: Filter) -> SqlCondition:
        clock = self._db.clock
        return compile_filter(wanted, clock.now(), clock.zone, self._db.user)


def _query(wanted: QueryOrFilter) -> Query:
    if wanted is None:
        return Query()
    return wanted if isinstance(wanted, Query) else Query(wanted)


def _is_of_any_status(wanted: Filter) -> bool:
    """Return True if a filter admits every status, as `all` does."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return any(isinstance(part, AnyStatus) for part in parts)
