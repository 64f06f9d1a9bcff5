"""The list as light rows: which task stands under which heading, in order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.urgency import LAST, NEXT_DAYS, SortKey, TaskGroup, newest_first
from todo_tui.store.search import EXISTS, NOT_TRASHED, OPEN, ORDER, Condition
from todo_tui.store.search_days import Column, due_local, local_text, start_local

# The same rules as domain.urgency.group_of and order_in_group.
_GROUP = f"""CASE
    WHEN NOT {NOT_TRASHED} THEN 'trash'
    WHEN NOT {OPEN} THEN 'done'
    WHEN t.start IS NOT NULL AND {start_local} > ? THEN 'waiting'
    WHEN t.due IS NULL THEN 'none'
    WHEN {due_local} < ? THEN 'overdue'
    WHEN substr(t.due, 1, 10) <= ? THEN 'today'
    WHEN substr(t.due, 1, 10) <= ? THEN 'next'
    ELSE 'later' END"""


def group_column(now: datetime) -> Column:
    """The name of the heading that a task stands under."""
    today = now.date()
    soon = today + timedelta(days=NEXT_DAYS)
    moment = local_text(now)
    return Column(_GROUP, (moment, moment, today.isoformat(), soon.isoformat()))


class OutlineRow(NamedTuple):
    """One line of the list before it is drawn, by its heading and its place under it."""

    id: int
    group: TaskGroup
    key: SortKey


def read_outline(
    database: Connection, user: str, condition: Condition, now: datetime
) -> Iterator[OutlineRow]:
    """A row for each task that the condition holds for, almost in order within its group."""
    group_name = group_column(now)
    rows = database.execute(
        f"SELECT t.id, {group_name.sql}, t.due_at, t.position, t.completed_at"  # noqa: S608
        f" FROM {condition.source} WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        f" ORDER BY {ORDER}",
        (*group_name.values, user, *condition.values),
    )
    for task_id, group, due_at, position, finished in rows:
        if group == "done" and finished is not None:
            key: SortKey = (newest_first(datetime.fromisoformat(finished)), "", task_id)
        else:
            key = (LAST if due_at is None else due_at, position, task_id)
        yield OutlineRow(task_id, _GROUPS[group], key)


_GROUPS = {group.value: group for group in TaskGroup}
