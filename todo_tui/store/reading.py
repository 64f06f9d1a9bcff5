"""Queries for tasks that change nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlite_utils import Database

from todo_tui.domain.task import Task
from todo_tui.store.results import TaskCounts, TaskPage
from todo_tui.store.rows import TASK_SELECT, task_from_row
from todo_tui.store.search import (
    EXISTS,
    NOT_TRASHED,
    OPEN,
    ORDER,
    STARTED,
    Condition,
    due_local,
    local_text,
)


def read_task(database: Database, user: str, task_id: int) -> Task | None:
    """The task of that id, also one in the trash."""
    row = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND t.id = ? AND {EXISTS}", (user, task_id)
    ).fetchone()
    return None if row is None else task_from_row(row)


def read_tasks(database: Database, user: str, ids: Sequence[int]) -> tuple[Task, ...]:
    """The tasks of these ids, in the order asked; unknown ones are left out."""
    rows = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND {EXISTS}"  # noqa: S608 - constants only
        " AND t.id IN (SELECT value FROM json_each(?))",
        (user, json.dumps(list(ids))),
    )
    tasks = {task.id: task for task in map(task_from_row, rows)}
    return tuple(tasks[task_id] for task_id in dict.fromkeys(ids) if task_id in tasks)


def read_page(
    database: Database, user: str, condition: Condition, *, limit: int | None, offset: int
) -> TaskPage:
    """Some of the tasks that the condition holds for, in the order of every list."""
    where = f"WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
    values = (user, *condition.values)
    rows = database.execute(
        f"{TASK_SELECT} {where} ORDER BY {ORDER} LIMIT ? OFFSET ?",
        (*values, -1 if limit is None else limit, offset),
    ).fetchall()
    tasks = tuple(map(task_from_row, rows))
    if offset == 0 and (limit is None or len(tasks) < limit):
        return TaskPage(tasks, len(tasks))
    (total,) = database.execute(f"SELECT count(*) FROM tasks t {where}", values).fetchone()  # noqa: S608
    return TaskPage(tasks, total)


def read_counts(database: Database, user: str, now: datetime) -> TaskCounts:
    """How many open tasks there are, of which overdue and due today."""
    moment = local_text(now)
    row = database.execute(
        f"SELECT count(*), coalesce(sum({due_local} < ?), 0),"  # noqa: S608
        " coalesce(sum(substr(t.due, 1, 10) = ?), 0) FROM tasks t"
        f" WHERE t.user = ? AND {EXISTS} AND {OPEN} AND {NOT_TRASHED} AND {STARTED}",
        (moment, now.date().isoformat(), user, moment),
    ).fetchone()
    return TaskCounts(*row)


def read_projects(database: Database, user: str) -> tuple[str, ...]:
    """The projects of tasks outside the trash, by name."""
    rows = database.execute(
        "SELECT DISTINCT t.project, t.project_folded FROM tasks t"  # noqa: S608
        f" WHERE t.user = ? AND t.project IS NOT NULL AND {EXISTS} AND {NOT_TRASHED}"
        " ORDER BY t.project_folded, t.project",
        (user,),
    )
    return tuple(row[0] for row in rows)


def read_tags(database: Database, user: str) -> tuple[str, ...]:
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
