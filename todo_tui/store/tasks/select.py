"""SELECT statements of tasks, and the result values of the task store."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.filters.terms import SortTerm
from todo_tui.domain.task import Actor, Status, Task
from todo_tui.store.rows import TASK_SELECT, task_from_row, tasks_by_row
from todo_tui.store.tasks.filter_sql import (
    EXISTS,
    NOT_TRASHED,
    OPEN,
    ORDER,
    STARTED,
    SqlColumn,
    SqlCondition,
    due_local,
    local_text,
)

_FEW = 1_000
"""Tasks whose tags are looked up one by one; of more, all tags of the file are read at once."""


class PlainTaskRow(NamedTuple):
    """A task without what no list shows; texts as they are stored."""

    id: int
    status: str
    title: str
    due: str | None
    recurrence: str | None
    repeat_from: str
    priority: str | None
    project: str | None
    tags: tuple[str, ...]


def read_plain_rows(
    database: Connection, user: str, condition: SqlCondition, order: SqlColumn
) -> list[PlainTaskRow]:
    """All tasks that the condition holds for, in order."""
    found = database.execute(
        "SELECT t.row, t.id, t.status, t.title, t.due, t.recurrence, t.repeat_from,"  # noqa: S608
        " t.priority, t.project FROM tasks t"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {order.sql}",
        (user, *condition.values, *order.values),
    ).fetchall()
    tags = _tags(database, [row for row, *_ in found])
    return [PlainTaskRow._make((*columns, tags.get(row, ()))) for row, *columns in found]


def _tags(database: Connection, rows: list[int]) -> dict[int, tuple[str, ...]]:
    """The tags of these rows, each as they were added."""
    few = "" if len(rows) > _FEW else " AND task IN (SELECT value FROM json_each(?))"
    values = (json.dumps(rows),) if few else ()
    tags: dict[int, list[str]] = defaultdict(list)
    query = f"SELECT task, tag FROM task_tags WHERE gone = 0{few} ORDER BY row"  # noqa: S608
    for task, tag in database.execute(query, values):
        tags[task].append(tag)
    return {task: tuple(each) for task, each in tags.items()}


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
    database: Connection, user: str, condition: SqlCondition, order: SqlColumn
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
    condition: SqlCondition,
    order: SqlColumn,
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
    database: Connection, user: str, condition: SqlCondition, *, limit: int, offset: int
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


def order_by(condition: SqlCondition, sort: Sequence[SortTerm], now: datetime) -> SqlColumn:
    """The order that is asked for; without one, that of every list."""
    if not sort:
        return SqlColumn(condition.order, ())
    # Most lists are in the order of every list.
    from todo_tui.store.tasks.sorting import sort_order_sql

    return sort_order_sql(sort, now)


def _in_order(database: Connection, rows: list[int]) -> tuple[Task, ...]:
    tasks = tasks_by_row(database, rows)
    return tuple(tasks[row] for row in rows)


def count_tasks(database: Connection, user: str, condition: SqlCondition) -> int:
    """How many tasks the condition holds for."""
    found: tuple[int] = database.execute(
        f"SELECT count(*) FROM {condition.source}"  # noqa: S608 - bound values
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql}",
        (user, *condition.values),
    ).fetchone()
    return found[0]


def read_counts(database: Connection, user: str, now: datetime) -> TaskCounts:
    """How many open tasks there are, of which overdue and due today."""
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


@dataclass(frozen=True, slots=True)
class TaskPage:
    """Some of the tasks that a filter holds for, and how many there are in all."""

    tasks: tuple[Task, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Open tasks (those that wait for their start left out), overdue ones, those of today."""

    open: int
    overdue: int
    today: int


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """A task that was completed, and what came of it."""

    task: Task
    next: Task | None
    """The occurrence that follows if it repeats."""
    children: tuple[Task, ...] = ()
    """Subtasks that were completed with it."""
    reopened_subtasks: tuple[Task, ...] = ()
    """Subtasks of the next occurrence, open again."""
    unblocked: tuple[Task, ...] = ()
    """Open tasks that waited for it, and wait for nothing else now."""


@dataclass(frozen=True, slots=True)
class SkipResult:
    """A repeating task that goes on to its next date without being done."""

    task: Task
    reopened_subtasks: tuple[Task, ...] = ()
    """Its subtasks, open again."""


@dataclass(frozen=True, slots=True)
class SubtaskProgress:
    """How far the subtasks of a task are, at any depth; cancelled ones do not count."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DependencyStatus:
    """How a task stands among the others; it changes as they do."""

    blocked: bool = False
    """Whether it is open and waits for another open task."""
    progress: SubtaskProgress | None = None
    """Of its subtasks; None where it has none."""


@dataclass(frozen=True, slots=True)
class Descendant:
    """A subtask at some depth below a task; 1 is right below it."""

    depth: int
    task: Task


class Origin(StrEnum):
    """Where a change was made, as seen from a conversation."""

    CONVERSATION = "in this conversation"
    OTHER_CONVERSATION = "in another conversation"
    APP = "in the task list"
    SHELL = "from the shell"
    MCP = "by an MCP client"
    IMPORT = "by an import"


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """The undo batch that comes next in a conversation, found out without writing."""

    batch: str
    at: datetime
    """Aware, UTC."""
    origin: Origin
    is_expected: bool
    """Whether it is what a bare "undo" means there: the conversation's own last change,
    made or undone by its last turn or the current one, and nothing changed elsewhere since."""
    tasks: tuple[tuple[int, str, str], ...]
    """(id, title, verb) of its tasks, by id; the verb says what was done: `Added`."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of a task as its history tells it: who, when, and which values.

    `field` is None where the task itself came or went. `old` and `new` are as the
    log holds them: ISO dates, other tasks by their ids; None of one that was purged.
    """

    at: datetime
    actor: Actor
    kind: str
    field: str | None
    old: str | None
    new: str | None
    undoes: bool
    """Whether an undo or redo made it."""
