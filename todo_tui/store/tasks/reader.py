"""TaskReader: reads of a user's tasks, and of the relations between them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.task import Actor, Task
from todo_tui.store.database import Repository
from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.rows import TASK_SELECT, task_from_row
from todo_tui.store.tasks.unit_of_work import task_not_found

if TYPE_CHECKING:
    from todo_tui.domain.filters.terms import Filter, Query, SortTerm
    from todo_tui.store.tasks.queries import TaskQueries
    from todo_tui.store.tasks.select import (
        DependencyStatus,
        Descendant,
        HistoryEntry,
        PlainTaskRow,
        TaskCounts,
        TaskPage,
    )
    from todo_tui.store.tasks.sorting import TaskListing

_IS_OPEN = "{0}.status IN ('todo', 'doing') AND {0}.deleted_at IS NULL AND {0}.gone = 0"
_BLOCKED = f"""
SELECT DISTINCT t.id FROM tasks t
    JOIN task_blockers k ON k.task = t.row AND k.gone = 0
    JOIN tasks b ON b.row = k.blocker AND {_IS_OPEN.format("b")}
WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?)) AND {_IS_OPEN.format("t")}
"""  # noqa: S608 - constants only
_ALL_BLOCKED = f"""
SELECT DISTINCT t.id FROM task_blockers k
    JOIN tasks t ON t.row = k.task AND +t.user = ? AND {_IS_OPEN.format("t")}
    JOIN tasks b ON b.row = k.blocker AND {_IS_OPEN.format("b")}
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
    f" WHERE b.user = ? AND b.id = ? AND {_IS_OPEN.format('t')} ORDER BY t.id"
)

_NAMED = (
    "CASE WHEN o.field IN ('parent', 'blocked_by') THEN (SELECT CAST(r.id AS TEXT)"
    " FROM tasks r WHERE r.uuid = o.{0} AND r.user = o.user) ELSE o.{0} END"
)
"""Logged value, with uuids of tasks replaced by ids."""
_HISTORY = (
    f"{OPS_OF_TASKS} SELECT o.at, o.actor, o.kind, o.field, {_NAMED.format('old')},"  # noqa: S608
    f" {_NAMED.format('new')}, o.undoes IS NOT NULL FROM own JOIN ops o ON o.seq = own.seq"
    " WHERE o.user = ? AND o.kind <> 'skip' ORDER BY o.seq"
)


class TaskReader(Repository):
    """Reads tasks; every query is bound to one user.

    Deferred imports in this module save startup time of `todo-tui add`: filters would take 17
    milliseconds besides its 140.
    """

    def get(self, task_id: int) -> Task:
        """Return the task of that id, also one in the trash.

        Raises:
            NotFound: this user has none.
        """
        task = self._queries.get(task_id)
        if task is None:
            raise task_not_found(task_id)
        return task

    def list(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> TaskPage:
        """Return a page of the matching tasks and their total number; default: the open tasks.

        Ordered as the query says; else by due moment with undated tasks last, then by manual
        order.
        """
        return self._queries.page(wanted, limit=limit, offset=offset)

    def find(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Task, ...]:
        """Return a page as `list` does, without counting, for the first page of a long list."""
        return self._queries.find(wanted, limit=limit, offset=offset)

    def plain_rows(self, wanted: Filter | Query | None = None) -> Sequence[PlainTaskRow]:
        """Return all matching tasks with a few fields as stored, for long lists in a pipe."""
        return self._queries.plain_rows(wanted)

    def count(self, wanted: Filter | Query | None = None) -> int:
        """Count the matching tasks."""
        return self._queries.count(wanted)

    def listing(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None
    ) -> TaskListing:
        """Return the ids of the matching tasks, in the order and under the headings wanted.

        A task is in one group for each of its headings: one per tag under `group:tag`. Without
        order and grouping the headings are those of the default list, done tasks newest first.
        """
        return self._queries.listing(wanted, limit=limit)

    def have_equal_sort_values(self, ids: Sequence[int], sort: Sequence[SortTerm]) -> bool:
        """Return True if only the manual order and the id decide the order of these tasks.

        `sort` goes before the due moment, as in a query.
        """
        return self._queries.have_equal_sort_values(ids, sort)

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order; unknown ids are left out."""
        return self._queries.rows(ids)

    def counts(self) -> TaskCounts:
        """Count the open, overdue and due-today tasks, without those that wait for their start."""
        return self._queries.counts()

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash, by name."""
        return self._queries.projects()

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, by name."""
        return self._queries.tags()

    def tag_names(self) -> tuple[str, ...]:
        """Return the same tags, each in the spelling found first; fast with many tasks."""
        return self._queries.tag_names()

    def log_position(self) -> int:
        """Return a number that grows with every write to tasks, by any process."""
        return int(self._db.rows("SELECT coalesce(max(seq), 0) FROM ops")[0][0])

    def dependency_status(self, ids: Sequence[int]) -> dict[int, DependencyStatus]:
        """Return for each task if it is blocked, and the progress of its subtasks.

        Query again after any write: it depends on other tasks and is not announced.
        """
        from todo_tui.store.tasks.select import DependencyStatus, SubtaskProgress

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
        from todo_tui.store.tasks.select import Descendant

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
        from todo_tui.store.tasks.select import HistoryEntry

        user = self._db.user
        with self._db.file.reading() as database:
            uuid = database.execute(
                "SELECT uuid FROM tasks WHERE user = ? AND id = ? AND gone = 0", (user, task_id)
            ).fetchone()
            rows = database.execute(_HISTORY, (json.dumps(uuid or ()), user)).fetchall()
        return tuple(
            HistoryEntry(
                datetime.fromisoformat(at), Actor(actor), kind, field, old, new, bool(undoes)
            )
            for at, actor, kind, field, old, new, undoes in rows
        )

    @cached_property
    def _queries(self) -> TaskQueries:
        from todo_tui.store.tasks.queries import TaskQueries

        return TaskQueries(self._db)
