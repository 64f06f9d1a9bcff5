"""Tasks as a list in a pipe shows them: the few columns that it prints, and no more."""

from __future__ import annotations

import json
from collections import defaultdict
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.store.search import EXISTS, Condition
from todo_tui.store.search_days import Column

_FEW = 1_000
"""Tasks whose tags are looked up one by one; of more, all tags of the file are read at once."""


class ListedTask(NamedTuple):
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


def read_listed(
    database: Connection, user: str, condition: Condition, order: Column
) -> list[ListedTask]:
    """All tasks that the condition holds for, in order."""
    found = database.execute(
        "SELECT t.row, t.id, t.status, t.title, t.due, t.recurrence, t.repeat_from,"  # noqa: S608
        " t.priority, t.project FROM tasks t"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {order.sql}",
        (user, *condition.values, *order.values),
    ).fetchall()
    tags = _tags(database, [row for row, *_ in found])
    return [ListedTask._make((*columns, tags.get(row, ()))) for row, *columns in found]


def _tags(database: Connection, rows: list[int]) -> dict[int, tuple[str, ...]]:
    """The tags of these rows, each as they were added."""
    few = "" if len(rows) > _FEW else " AND task IN (SELECT value FROM json_each(?))"
    values = (json.dumps(rows),) if few else ()
    tags: dict[int, list[str]] = defaultdict(list)
    query = f"SELECT task, tag FROM task_tags WHERE gone = 0{few} ORDER BY row"  # noqa: S608
    for task, tag in database.execute(query, values):
        tags[task].append(tag)
    return {task: tuple(each) for task, each in tags.items()}
