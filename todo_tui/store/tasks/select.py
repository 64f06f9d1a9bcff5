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

from todo_tui.domain.task import Actor, Status, Task
from todo_tui.store.rows import TASK_SELECT, task_from_row, tasks_by_row
from todo_tui.store.tasks.filter_sql import (
    EXISTS,
    NOT_TRASHED,
    ORDER,
    SqlColumn,
    SqlCondition,
)

_FEW = 1_000
"""Tasks whose tags are looked up one by one; for more, all tags of the file are read at once."""


class PlainTaskRow(NamedTuple):
    """A task with the fields of a plain list; texts in stored form."""

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
    """Read all matching tasks in order."""
    found = database.execute(
        "SELECT t.row, t.id, t.status, t.title, t.due, t.recurrence, t.repeat_from,"  # noqa: S608
        " t.priority, t.project FROM tasks t"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {order.sql}",
        (user, *condition.values, *order.values),
    ).fetchall()
    tags = _tags(database, [row for row, *_ in found])
    return [PlainTaskRow._make((*columns, tags.get(row, ()))) for row, *columns in found]


def _tags(database: Connection, rows: list[int]) -> dict[int, tuple[str, ...]]:
    """Read the tags of these rows, in the order added."""
    few = "" if len(rows) > _FEW else " AND task IN (SELECT value FROM json_each(?))"
    values = (json.dumps(rows),) if few else ()
    tags: dict[int, list[str]] = defaultdict(list)
    query = f"SELECT task, tag FROM task_tags WHERE gone = 0{few} ORDER BY row"  # noqa: S608
    for task, tag in database.execute(query, values):
        tags[task].append(tag)
    return {task: tuple(each) for task, each in tags.items()}


def read_tasks(database: Connection, user: str, ids: Sequence[int]) -> tuple[Task, ...]:
    """Read the tasks of these ids, in the given order; unknown ids are left out."""
    rows = database.execute(
        f"{TASK_SELECT} WHERE t.user = ? AND {EXISTS}"  # noqa: S608 - constants only
        " AND t.id IN (SELECT value FROM json_each(?))",
        (user, json.dumps(list(ids))),
    )
    tasks = {task.id: task for task in map(task_from_row, rows)}
    return tuple(tasks[task_id] for task_id in dict.fromkeys(ids) if task_id in tasks)


def read_page_of_any_status(
    database: Connection, user: str, condition: SqlCondition, *, limit: int, offset: int
) -> tuple[Task, ...]:
    """Read a page in default order, by merging one index scan per status."""
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


def _in_order(database: Connection, rows: list[int]) -> tuple[Task, ...]:
    tasks = tasks_by_row(database, rows)
    return tuple(tasks[row] for row in rows)


def read_projects(database: Connection, user: str) -> tuple[str, ...]:
    """Read the projects of tasks outside the trash, by name."""
    rows = database.execute(
        "SELECT DISTINCT t.project, t.project_folded FROM tasks t"  # noqa: S608
        f" WHERE t.user = ? AND t.project IS NOT NULL AND {EXISTS} AND {NOT_TRASHED}"
        " ORDER BY t.project_folded, t.project",
        (user,),
    )
    return tuple(row[0] for row in rows)


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page of the matching tasks, and their total number."""

    tasks: tuple[Task, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Numbers of open (without those that wait for their start), overdue and due-today tasks."""

    open: int
    overdue: int
    today: int


@dataclass(frozen=True, slots=True)
class CompletionResult:
    """A completed task and the changes that its completion caused."""

    task: Task
    next: Task | None
    """Next occurrence of a recurring task."""
    children: tuple[Task, ...] = ()
    """Subtasks completed along with it."""
    reopened_subtasks: tuple[Task, ...] = ()
    """Subtasks of the next occurrence, open again."""
    unblocked: tuple[Task, ...] = ()
    """Open tasks that waited for it and have no open blocker left."""


@dataclass(frozen=True, slots=True)
class SkipResult:
    """A recurring task advanced to its next date without being completed."""

    task: Task
    reopened_subtasks: tuple[Task, ...] = ()
    """Its subtasks, open again."""


@dataclass(frozen=True, slots=True)
class SubtaskProgress:
    """Completed and total descendants of a task, without cancelled ones."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class DependencyStatus:
    """Blockers and subtask progress of a task; changes as other tasks do."""

    blocked: bool = False
    """True if it is open and waits for another open task."""
    progress: SubtaskProgress | None = None
    """Progress of its subtasks; None without any."""


@dataclass(frozen=True, slots=True)
class Descendant:
    """A descendant of a task; direct subtasks have depth 1."""

    depth: int
    task: Task


class Origin(StrEnum):
    """Origin of a change as seen from a conversation."""

    CONVERSATION = "in this conversation"
    OTHER_CONVERSATION = "in another conversation"
    APP = "in the task list"
    SHELL = "from the shell"
    MCP = "by an MCP client"
    IMPORT = "by an import"


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """The next undo batch of a conversation, determined without writing."""

    batch: str
    at: datetime
    """Aware, UTC."""
    origin: Origin
    is_expected: bool
    """True if a bare "undo" means it: the conversation's own last change, done or undone by its
    last turn or the current one, and nothing was changed elsewhere since.
    """
    tasks: tuple[tuple[int, str, str], ...]
    """(id, title, verb) of its tasks, by id; the verb is that of the change: `Added`."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change in the history of a task: when, by which actor, and the values.

    `field` is None if the task itself was created or removed. `old` and `new` are in the form
    of the log: ISO dates, other tasks by their ids; None for a purged one.
    """

    at: datetime
    actor: Actor
    kind: str
    field: str | None
    old: str | None
    new: str | None
    undoes: bool
    """True if it was made by an undo or redo."""
