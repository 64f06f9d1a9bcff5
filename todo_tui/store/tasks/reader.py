"""TaskReader: reads of a user's tasks, and of the relations between them."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING

from todo_tui.domain.changes import HistoryEntry
from todo_tui.domain.task import Actor, Task
from todo_tui.domain.when import day_after, start_of_day
from todo_tui.store.database import Repository
from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.operations.provenance import fields_with_foreign_names, have_others_named
from todo_tui.store.rows import TASK_SELECT, task_from_row, tasks_by_row
from todo_tui.store.tasks.conditions import (
    BLOCKED_ROWS,
    DUE_HERE,
    EXISTS,
    IS_OPEN,
    NOT_TRASHED,
    OPEN,
    STARTED,
    compare_due,
    local_text,
)
from todo_tui.store.tasks.results import (
    DependencyStatus,
    Descendant,
    PlainTaskRow,
    SubtaskProgress,
    TaskCounts,
    TaskPage,
)
from todo_tui.store.tasks.unit_of_work import task_not_found

if TYPE_CHECKING:
    from sqlite3 import Connection

    from todo_tui.domain.filters.terms import Filter, Query, SortTerm
    from todo_tui.store.tasks.conditions import SqlCondition
    from todo_tui.store.tasks.sorting import TaskListing

_BLOCKED = f"""
SELECT t.id FROM tasks t WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?))
    AND {IS_OPEN.format("t")} AND t.row IN ({BLOCKED_ROWS})
"""  # noqa: S608 - constants only
_ALL_BLOCKED = f"""
SELECT DISTINCT t.id FROM task_blockers k
    JOIN tasks t ON t.row = k.task AND +t.user = ? AND {IS_OPEN.format("t")}
    JOIN tasks b ON b.row = k.blocker AND {IS_OPEN.format("b")}
WHERE k.gone = 0
"""  # noqa: S608
_PROGRESS = """
WITH RECURSIVE below (root, row, uuid, status) AS (
    SELECT t.id, c.row, c.uuid, c.status FROM tasks t
        JOIN tasks c ON c.parent = t.uuid AND c.gone = 0 AND c.deleted_at IS NULL
    WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?))
    UNION
    SELECT below.root, t.row, t.uuid, t.status FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS NULL
) SELECT root, sum(status = 'done'), sum(status <> 'cancelled') FROM below GROUP BY root
"""
_SUBTREE = f"""
WITH RECURSIVE below (row, uuid, above, stamp) AS (
    SELECT row, uuid, NULL, CASE WHEN ? THEN deleted_at END FROM tasks WHERE user = ? AND id = ?
    UNION
    SELECT t.row, t.uuid, below.row, below.stamp FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS below.stamp
)
{TASK_SELECT.replace("SELECT t.id", "SELECT below.row, below.above, t.id", 1)}
JOIN below ON below.row = t.row
"""  # noqa: S608
_WAITING = (
    TASK_SELECT + "JOIN task_blockers k ON k.task = t.row AND k.gone = 0"
    " JOIN tasks b ON b.row = k.blocker"
    f" WHERE b.user = ? AND b.id = ? AND {IS_OPEN.format('t')} ORDER BY t.id"
)
_NAMED = (
    "CASE WHEN o.field IN ('parent', 'blocked_by') THEN (SELECT CAST(r.id AS TEXT)"
    " FROM tasks r WHERE r.uuid = o.{0} AND r.user = o.user) ELSE o.{0} END"
)
"""Logged value, with uuids of tasks replaced by ids."""
_HISTORY = (
    f"{OPS_OF_TASKS} SELECT o.at, o.actor, o.kind, o.field, {_NAMED.format('old')},"  # noqa: S608
    f" {_NAMED.format('new')}, o.undoes IS NOT NULL, o.batch FROM own JOIN ops o ON o.seq = own.seq"
    " WHERE o.user = ? AND o.kind <> 'skip' ORDER BY o.seq"
)
# Skips from name to name in the index instead of reading the tags of all tasks.
_TAGS = (
    "WITH RECURSIVE name (folded) AS (SELECT min(folded) FROM task_tags UNION ALL"  # noqa: S608
    " SELECT (SELECT min(g.folded) FROM task_tags g WHERE g.folded > name.folded)"
    " FROM name WHERE name.folded IS NOT NULL)"
    " SELECT (SELECT g.tag FROM task_tags g JOIN tasks t ON t.row = g.task"
    f" WHERE g.folded = name.folded AND t.user = ? AND g.gone = 0 AND {EXISTS}"
    f" AND {NOT_TRASHED} LIMIT 1) FROM name WHERE name.folded IS NOT NULL"
)
_READ_AT_ONCE = 500


class TaskReader(Repository):
    """Reads tasks; every query is bound to one user.

    A wanted filter or query may be None: the open tasks. The deferred imports keep the filters
    out of `todo-tui add`, which would take 17 milliseconds longer than its 140.
    """

    def get(self, task_id: int) -> Task:
        """Return the task of that id, also one in the trash.

        Raises:
            NotFound: this user has none.
        """
        for task in self.rows((task_id,)):
            return task
        raise task_not_found(task_id)

    def list(self, wanted: Filter | Query | None = None, *, limit: int | None = None) -> TaskPage:
        """Return the first of the matching tasks and their total number.

        Ordered as the query says; else by due moment with undated tasks last, then by manual
        order.
        """
        tasks = self.find(wanted, limit=limit)
        is_all = limit is None or len(tasks) < limit
        return TaskPage(tasks, len(tasks) if is_all else self.count(wanted))

    def find(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None
    ) -> tuple[Task, ...]:
        """Return the tasks as `list` does, without counting, for the first page of a long list."""
        return tuple(self.iterate(wanted, limit=limit))

    def iterate(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None
    ) -> Iterator[Task]:
        """Yield the tasks that `find` returns, a few read at a time.

        A long list takes 8 bytes a task and is not an open transaction while its reader is slow. A
        task that another process erases meanwhile is left out.
        """
        where, order = self._compile(wanted)
        # Sorting reads only the index.
        query = f"SELECT t.row FROM tasks t {where.sql} ORDER BY {order.sql} LIMIT ?"  # noqa: S608
        values = (*where.values, *order.values, -1 if limit is None else limit)
        with self._db.file.reading() as database:
            rows = array("q", (row for (row,) in database.execute(query, values)))
        for first in range(0, len(rows), _READ_AT_ONCE):
            some = rows[first : first + _READ_AT_ONCE].tolist()
            with self._db.file.reading() as database:
                tasks = tasks_by_row(database, some)
            yield from (tasks[row] for row in some if row in tasks)

    def plain_rows(
        self, wanted: Filter | Query | None = None, limit: int | None = None
    ) -> Sequence[PlainTaskRow]:
        """Return the matching tasks with the fields of a list, in a third of the time."""
        where, order = self._compile(wanted)
        with self._db.file.reading() as database:
            found = database.execute(
                f"SELECT t.row, t.id, t.status, t.title, {DUE_HERE}, t.recurrence, t.repeat_from,"  # noqa: S608
                f" t.priority, t.project, t.estimate FROM tasks t {where.sql}"
                f" ORDER BY {order.sql} LIMIT ?",
                (*where.values, *order.values, -1 if limit is None else limit),
            ).fetchall()
            tags: dict[int, list[str]] = defaultdict(list)
            for task, tag in database.execute(
                "SELECT task, tag FROM task_tags WHERE gone = 0"
                " AND task IN (SELECT value FROM json_each(?)) ORDER BY row",
                (json.dumps([row for row, *_ in found]),),
            ):
                tags[task].append(tag)
        return [PlainTaskRow._make((*columns, tuple(tags[row]))) for row, *columns in found]

    def count(self, wanted: Filter | Query | None = None) -> int:
        """Count the matching tasks."""
        where, _ = self._compile(wanted)
        query = f"SELECT count(*) FROM tasks t {where.sql}"  # noqa: S608 - bound values
        return int(self._db.rows(query, *where.values)[0][0])

    def listing(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None
    ) -> TaskListing:
        """Return the ids of the matching tasks, in the order and under the headings wanted.

        A task is in one group for each of its headings: one per tag under `group:tag`. Without
        order and grouping the headings are those of the default list, done tasks newest first.
        """
        from todo_tui.store.tasks.sorting import read_listing

        with self._db.file.reading() as database:
            return read_listing(database, self._db.user, wanted, self._db.clock, limit)

    def have_equal_sort_values(self, ids: Sequence[int], sort: Sequence[SortTerm]) -> bool:
        """Return True if only the manual order and the id decide the order of these tasks.

        `sort` goes before the due moment, as in a query; what follows the position decides nothing.
        """
        from todo_tui.domain.filters.terms import MANUAL
        from todo_tui.store.tasks.filter_sql import sort_column

        ahead = list(takewhile(lambda term: term != MANUAL, sort))
        clock = self._db.clock
        columns = [sort_column(term.field, clock.now(), clock.zone) for term in ahead]
        last = "t.due_at" if MANUAL not in sort else "NULL"
        compared = ", ".join([last, *(column.sql for column in columns)])
        rows = self._db.rows(
            f"SELECT DISTINCT {compared} FROM tasks t"  # noqa: S608 - bound values
            " WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?)) LIMIT 2",
            *(value for column in columns for value in column.values),
            self._db.user,
            json.dumps(list(ids)),
        )
        return len(rows) == 1

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order; unknown ids are left out."""
        with self._db.file.reading() as database:
            return read_tasks(database, self._db.user, ids)

    def foreign_names(self, ids: Sequence[int], agent: str | None = None) -> frozenset[str]:
        """Return in which of title, project and tags one of these tasks has a text of others.

        An `agent` is not another one to itself.
        """
        with self._db.file.reading() as database:
            tasks = read_tasks(database, self._db.user, ids)
            return fields_with_foreign_names(database, self._db.user, tasks, agent)

    def have_others_named(self) -> bool:
        """Return True if others ever wrote a project or tag of this user."""
        with self._db.file.reading() as database:
            return have_others_named(database, self._db.user)

    def counts(self) -> TaskCounts:
        """Count open tasks, overdue ones and others due today; none that waits for its start."""
        now, zone = self._db.clock.now(), self._db.clock.zone
        late = compare_due("<", now, zone)
        by_today = compare_due("<", start_of_day(day_after(now.date())), zone)
        rows = self._db.rows(
            f"SELECT count(*), coalesce(sum({late.sql}), 0),"  # noqa: S608
            f" coalesce(sum({by_today.sql}), 0) - coalesce(sum({late.sql}), 0) FROM tasks t"
            f" WHERE t.user = ? AND {EXISTS} AND {OPEN} AND {NOT_TRASHED} AND {STARTED}",
            *late.values,
            *by_today.values,
            *late.values,
            self._db.user,
            local_text(now),
        )
        return TaskCounts(*rows[0])

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash, by name."""
        rows = self._db.rows(
            "SELECT DISTINCT t.project, t.project_folded FROM tasks t"  # noqa: S608
            f" WHERE t.user = ? AND t.project IS NOT NULL AND {EXISTS} AND {NOT_TRASHED}"
            " ORDER BY t.project_folded, t.project",
            self._db.user,
        )
        return tuple(name for name, _ in rows)

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash by name, each in the spelling found first."""
        return tuple(tag for (tag,) in self._db.rows(_TAGS, self._db.user) if tag)

    def log_position(self) -> int:
        """Return a number that grows with every write to tasks, by any process."""
        return int(self._db.rows("SELECT coalesce(max(seq), 0) FROM ops")[0][0])

    def dependency_status(self, ids: Sequence[int]) -> dict[int, DependencyStatus]:
        """Return for each task if it is blocked, and the progress of its subtasks.

        Query again after any write: it depends on other tasks and is not announced.
        """
        values = (self._db.user, json.dumps(list(ids)))
        with self._db.file.reading() as database:
            blocked = {row[0] for row in database.execute(_BLOCKED, values)}
            progress = {
                root: SubtaskProgress(done, total)
                for root, done, total in database.execute(_PROGRESS, values)
            }
        return {each: DependencyStatus(each in blocked, progress.get(each)) for each in ids}

    def blocked_ids(self) -> frozenset[int]:
        """Return the ids of all open tasks that wait for another open one."""
        return frozenset(row[0] for row in self._db.rows(_ALL_BLOCKED, self._db.user))

    def waiting_for(self, task_id: int) -> tuple[Task, ...]:
        """Return the open tasks that wait for this one, by id."""
        return tuple(map(task_from_row, self._db.rows(_WAITING, self._db.user, task_id)))

    def subtree(self, task_id: int, *, deleted_along: bool = False) -> tuple[Descendant, ...]:
        """Return all descendants outside the trash in depth-first and manual order.

        With `deleted_along`, those of a task in the trash that were deleted with it.
        """
        tasks: dict[int, Task] = {}
        children: dict[int | None, list[int]] = defaultdict(list)
        for row, above, *values in self._db.rows(_SUBTREE, deleted_along, self._db.user, task_id):
            tasks[row] = task_from_row(tuple(values))
            children[above].append(row)

        in_order: list[Descendant] = []
        # Iterative: a thousand levels exceed the recursion limit.
        ahead = [(0, root) for root in children[None]]
        while ahead:
            depth, row = ahead.pop()
            in_order.append(Descendant(depth, tasks[row]))
            # Last in manual order first, because rows are popped from the end.
            below = sorted(
                children[row], key=lambda each: (tasks[each].position, tasks[each].id), reverse=True
            )
            ahead += [(depth + 1, child) for child in below]
        return tuple(in_order[1:])

    def history(self, task_id: int) -> tuple[HistoryEntry, ...]:
        """Return every change of a task, oldest first, without those that undo left alone."""
        user = self._db.user
        with self._db.file.reading() as database:
            uuid = database.execute(
                "SELECT uuid FROM tasks WHERE user = ? AND id = ? AND gone = 0", (user, task_id)
            ).fetchone()
            rows = database.execute(_HISTORY, (json.dumps(uuid or ()), user)).fetchall()
        return tuple(
            HistoryEntry(
                datetime.fromisoformat(at), Actor(actor), kind, field, old, new, bool(undoes), batch
            )
            for at, actor, kind, field, old, new, undoes, batch in rows
        )

    def _compile(self, wanted: Filter | Query | None) -> tuple[SqlCondition, SqlCondition]:
        """Compile the WHERE clause and the ORDER BY terms."""
        from todo_tui.store.tasks.filter_sql import as_query, compile_filter, compile_order

        query, clock, user = as_query(wanted), self._db.clock, self._db.user
        condition = compile_filter(query.filter, clock.now(), clock.zone, user)
        where = f"WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        return (
            condition._replace(sql=where, values=(user, *condition.values)),
            compile_order(query, clock.now(), clock.zone),
        )


def read_tasks(database: Connection, user: str, ids: Sequence[int]) -> tuple[Task, ...]:
    """Read the tasks of these ids, in the given order; unknown ids are left out."""
    rows = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND {EXISTS}"  # noqa: S608 - constants only
        " AND t.id IN (SELECT value FROM json_each(?))",
        (user, json.dumps(list(ids))),
    )
    tasks = {task.id: task for task in map(task_from_row, rows)}
    return tuple(tasks[task_id] for task_id in dict.fromkeys(ids) if task_id in tasks)
