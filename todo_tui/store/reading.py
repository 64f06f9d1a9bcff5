"""The statements that read tasks: one, some, a page in its order, counts, names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from sqlite3 import Connection
from typing import TYPE_CHECKING

from todo_tui.domain.filter_query import SortTerm
from todo_tui.domain.task import Status, Task
from todo_tui.store.rows import TASK_SELECT, task_from_row, tasks_by_row
from todo_tui.store.search import EXISTS, NOT_TRASHED, OPEN, ORDER, STARTED, Condition
from todo_tui.store.search_days import Column, due_local, local_text

if TYPE_CHECKING:
    from todo_tui.store.results import TaskCounts


def read_task(database: Connection, user: str, task_id: int) -> Task | None:
    """The task of that id, also one in the trash."""
    row = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND t.id = ? AND {EXISTS}", (user, task_id)
    ).fetchone()
    return None if row is None else task_from_row(row)


def read_tasks(database: Connection, user: str, ids: Sequence[int]) -> tuple[Task, ...]:
    """The tasks of these ids, in the order asked; unknown ones are left out."""
    rows = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND {EXISTS}"  # noqa: S608 - constants only
        " AND t.id IN (SELECT value FROM json_each(?))",
        (user, json.dumps(list(ids))),
    )
    tasks = {task.id: task for task in map(task_from_row, rows)}
    return tuple(tasks[task_id] for task_id in dict.fromkeys(ids) if task_id in tasks)


def read_list(
    database: Connection, user: str, condition: Condition, order: Column
) -> tuple[Task, ...]:
    """All tasks that the condition holds for, in order."""
    rows = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {order.sql}",
        (user, *condition.values, *order.values),
    )
    return tuple(map(task_from_row, rows))


def read_page(
    database: Connection,
    user: str,
    condition: Condition,
    order: Column,
    *,
    limit: int,
    offset: int,
) -> tuple[Task, ...]:
    """Some of the tasks that the condition holds for, in order.

    Only what an index holds is sorted; whole tasks are read for the page alone.
    """
    rows = database.execute(
        f"SELECT t.row FROM {condition.source} WHERE t.user = ? AND {EXISTS}"  # noqa: S608 - bound values
        f" AND {condition.sql} ORDER BY {order.sql} LIMIT ? OFFSET ?",
        (user, *condition.values, *order.values, limit, offset),
    )
    return _in_order(database, [row for (row,) in rows])


def read_page_of_any_status(
    database: Connection, user: str, condition: Condition, *, limit: int, offset: int
) -> tuple[Task, ...]:
    """As `read_page` in the order of every list: one index for each status is merged."""
    one = (
        "SELECT * FROM (SELECT t.row, (t.due IS NULL) AS undated, t.due_at, t.position, t.id"  # noqa: S608
        f" FROM tasks t INDEXED BY tasks_by_status WHERE t.user = ? AND {EXISTS}"
        f" AND {condition.sql} AND t.status = ? ORDER BY {ORDER} LIMIT ?)"
    )
    values = [
        value
        for status in Status
        for value in (user, *condition.values, status.value, limit + offset)
    ]
    rows = database.execute(
        f"SELECT row FROM ({' UNION ALL '.join([one] * len(Status))})"  # noqa: S608
        " ORDER BY undated, due_at, position, id LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    return _in_order(database, [row for (row,) in rows])


def order_by(condition: Condition, sort: Sequence[SortTerm], now: datetime) -> Column:
    """The order that is asked for; without one, that of every list."""
    if not sort:
        return Column(condition.order, ())
    # Most lists are in the order of every list.
    from todo_tui.store.ordering import order_of

    return order_of(sort, now)


def _in_order(database: Connection, rows: list[int]) -> tuple[Task, ...]:
    tasks = tasks_by_row(database, rows)
    return tuple(tasks[row] for row in rows)


def count_tasks(database: Connection, user: str, condition: Condition) -> int:
    """How many tasks the condition holds for."""
    found: tuple[int] = database.execute(
        f"SELECT count(*) FROM {condition.source}"  # noqa: S608 - bound values
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql}",
        (user, *condition.values),
    ).fetchone()
    return found[0]


def read_counts(database: Connection, user: str, now: datetime) -> TaskCounts:
    """How many open tasks there are, of which overdue and due today."""
    from todo_tui.store.results import TaskCounts  # lists do without

    moment = local_text(now)
    row = database.execute(
        f"SELECT count(*), coalesce(sum({due_local} < ?), 0),"  # noqa: S608
        " coalesce(sum(substr(t.due, 1, 10) = ?), 0) FROM tasks t"
        f" WHERE t.user = ? AND {EXISTS} AND {OPEN} AND {NOT_TRASHED} AND {STARTED}",
        (moment, now.date().isoformat(), user, moment),
    ).fetchone()
    return TaskCounts(*row)


def read_projects(database: Connection, user: str) -> tuple[str, ...]:
    """The projects of tasks outside the trash, by name."""
    rows = database.execute(
        "SELECT DISTINCT t.project, t.project_folded FROM tasks t"  # noqa: S608
        f" WHERE t.user = ? AND t.project IS NOT NULL AND {EXISTS} AND {NOT_TRASHED}"
        " ORDER BY t.project_folded, t.project",
        (user,),
    )
    return tuple(row[0] for row in rows)


def read_tags(database: Connection, user: str) -> tuple[str, ...]:
    """The tags of tasks outside the trash, by name, each in its most common spelling."""
    # SQLite takes the bare column `tag` from the row that has the maximum.
    rows = database.execute(
        "SELECT tag, folded, max(uses) FROM (SELECT g.tag, g.folded, count(*) AS uses"  # noqa: S608
        f" FROM task_tags g JOIN tasks t ON t.row = g.task"
        f" WHERE t.user = ? AND g.gone = 0 AND {EXISTS} AND {NOT_TRASHED} GROUP BY g.tag, g.folded)"
        " GROUP BY folded ORDER BY folded",
        (user,),
    )
    return tuple(row[0] for row in rows)


def read_tag_names(database: Connection, user: str) -> tuple[str, ...]:
    """The same tags, each in one of its spellings: quick where many tasks share few of them."""
    # From one name to the next through the index, instead of over all that tasks have.
    rows = database.execute(
        "WITH RECURSIVE name (folded) AS (SELECT min(folded) FROM task_tags UNION ALL"  # noqa: S608
        " SELECT (SELECT min(g.folded) FROM task_tags g WHERE g.folded > name.folded)"
        " FROM name WHERE name.folded IS NOT NULL)"
        " SELECT (SELECT g.tag FROM task_tags g JOIN tasks t ON t.row = g.task"
        f" WHERE g.folded = name.folded AND t.user = ? AND g.gone = 0 AND {EXISTS}"
        f" AND {NOT_TRASHED} LIMIT 1) FROM name WHERE name.folded IS NOT NULL",
        (user,),
    )
    return tuple(row[0] for row in rows if row[0] is not None)
