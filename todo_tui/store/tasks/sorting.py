"""The task list: ids of the tasks of a query in order, under their headings."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.dates.text import DAY_NAMES, format_day
from todo_tui.domain.filters.terms import And, Filter, Grouping, Query, TaskState
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import NEXT_DAYS, TaskGroup
from todo_tui.domain.when import Clock, start_of_day
from todo_tui.store.tasks.conditions import (
    DUE_DAY,
    EXISTS,
    NOT_TRASHED,
    OPEN,
    ORDER,
    PROJECT,
    START_LOCAL,
    SqlCondition,
    compare_due,
    local_text,
)
from todo_tui.store.tasks.filter_sql import (
    as_query,
    compile_filter,
    compile_order,
)

SortKey = tuple[int | str, ...]
HeadingValue = str | int | None
STATUS_ORDER = (Status.DOING, Status.TODO, Status.DONE, Status.CANCELLED)
PRIORITY_ORDER = (Priority.HIGH, Priority.MEDIUM, Priority.LOW)
GROUP_ORDER = tuple(TaskGroup)
_RANKS = {group: rank for rank, group in enumerate(GROUP_ORDER)}
_LABELS = {
    Grouping.DUE: [
        {TaskGroup.NEXT: f"next {NEXT_DAYS} days", TaskGroup.NONE: "no due date"}.get(
            group, group.value
        )
        for group in GROUP_ORDER
    ],
    Grouping.PRIORITY: [f"{priority.value} priority" for priority in PRIORITY_ORDER],
    Grouping.STATUS: [
        {Status.DOING: "in progress", Status.TODO: "to do"}.get(status, status.value)
        for status in STATUS_ORDER
    ],
}
"""Labels by rank."""
_LABELS_WITHOUT = {
    Grouping.DAY: "no due date",
    Grouping.DONE: "not done",
    Grouping.PROJECT: "no project",
    Grouping.PRIORITY: "no priority",
    Grouping.TAG: "no tag",
}


def _ranked(column: str, values: Sequence[str]) -> str:
    cases = " ".join(f"WHEN '{value}' THEN {rank}" for rank, value in enumerate(values))
    return f"CASE {column} {cases} END"


_COLUMNS = {
    Grouping.DAY: DUE_DAY,
    Grouping.DONE: "substr(local_time(t.completed_at), 1, 10)",
    Grouping.PROJECT: PROJECT,
    Grouping.PRIORITY: _ranked("t.priority", PRIORITY_ORDER),
    Grouping.STATUS: _ranked("t.status", STATUS_ORDER),
    Grouping.TAG: "g.folded",
    Grouping.NONE: "NULL",
}
"""Value that decides the heading of a task, as for `heading_of`, except for `_due_group`."""
_CLOSED = f"NOT {OPEN} AND {NOT_TRASHED} AND t.completed_at IS NOT NULL"
_NEWEST_DONE_FIRST = (
    f"CASE WHEN {_CLOSED} THEN t.completed_at END DESC, CASE WHEN {_CLOSED} THEN t.id END"
)
_PARENT_ID = (
    "CASE WHEN t.parent IS NOT NULL AND t.deleted_at IS NULL THEN (SELECT p.id FROM tasks p"
    " WHERE p.uuid = t.parent AND p.gone = 0 AND p.deleted_at IS NULL) END"
)
# Of several spellings the first.
_PROJECT_NAMES = (
    "SELECT t.project_folded, min(t.project) FROM tasks t"  # noqa: S608 - constants
    f" WHERE t.user = ? AND t.project IS NOT NULL AND {EXISTS} AND {NOT_TRASHED} GROUP BY 1"
)


class GroupHeading(NamedTuple):
    """Heading above tasks; headings sort by `order`, `label` is the text shown."""

    order: SortKey
    label: str


class ListGroup(NamedTuple):
    """Tasks under one heading, in order."""

    heading: GroupHeading
    ids: array[int]


class TaskListing(NamedTuple):
    """Tasks in order under their headings; a task is in one group for each of its headings."""

    groups: list[ListGroup]
    parents: dict[int, int]
    """Parents of the subtasks among them; without tasks in the trash."""
    minutes: dict[int, int]
    """Estimates of the open tasks among them that have one."""


def read_listing(
    database: Connection,
    user: str,
    wanted: Filter | Query | None,
    clock: Clock,
    limit: int | None,
) -> TaskListing:
    """Read the ids of all tasks of a query, grouped and in order.

    Without order and grouping: under the headings of the default list, done tasks newest first.
    With `limit` the first tasks are taken before they are grouped.
    """
    query, now = as_query(wanted), clock.now()
    condition = compile_filter(query.filter, now, clock.zone, user)
    is_default = not query.sort and query.group is None
    group = Grouping.DUE if is_default else query.group or Grouping.NONE
    names: dict[HeadingValue, str] = {}
    if group is Grouping.PROJECT:
        names = dict(database.execute(_PROJECT_NAMES, (user,)).fetchall())
    order = compile_order(query, now, clock.zone)
    parts = query.filter.parts if isinstance(query.filter, And) else (query.filter,)
    if is_default and limit is None and TaskState.OPEN not in parts:
        # Only where there can be any: the plain order is that of an index.
        order = SqlCondition(f"{_NEWEST_DONE_FIRST}, {ORDER}")
    by_tag = group is Grouping.TAG
    column = (
        SqlCondition(_COLUMNS[group]) if group is not Grouping.DUE else _due_group(now, clock.zone)
    )
    tags = " LEFT JOIN task_tags g ON g.task = t.row AND g.gone = 0"
    rows = database.execute(
        f"SELECT t.id, {column.sql}, {'g.tag' if by_tag else 'NULL'}, {_PARENT_ID},"  # noqa: S608
        f" CASE WHEN {OPEN} AND {NOT_TRASHED} THEN t.estimate END"
        f" FROM tasks t{tags if by_tag else ''}"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        f" ORDER BY {order.sql} LIMIT ?",
        (
            *column.values, user,
            *condition.values, *order.values, -1 if limit is None else limit,
        ),
    )  # fmt: skip
    groups: dict[HeadingValue, ListGroup] = {}
    parents: dict[int, int] = {}
    minutes: dict[int, int] = {}
    ids = array("q")
    last: object = groups
    for task_id, name, label, parent, estimate in rows:
        if name != last:
            last = name
            if name not in groups:
                shown = names.get(name, name) if label is None else label
                groups[name] = ListGroup(heading_of(group, shown, now), array("q"))
            ids = groups[name].ids
        ids.append(task_id)
        if parent is not None:
            parents[task_id] = parent
        if estimate is not None:
            minutes[task_id] = estimate
    in_order = sorted(groups.values(), key=lambda each: each.heading.order)
    return TaskListing(in_order, parents, minutes)


def _due_group(now: datetime, zone: str) -> SqlCondition:
    """Compile the rank in `GROUP_ORDER` of a task."""
    today = start_of_day(now.date())
    later = compare_due(">=", today + timedelta(days=NEXT_DAYS), zone)
    following = compare_due(">=", today + timedelta(days=1), zone)
    late = compare_due("<", now, zone)
    sql = f"""CASE
        WHEN NOT {NOT_TRASHED} THEN {_RANKS[TaskGroup.TRASH]}
        WHEN NOT {OPEN} THEN {_RANKS[TaskGroup.DONE]}
        WHEN t.start IS NOT NULL AND {START_LOCAL} > ? THEN {_RANKS[TaskGroup.WAITING]}
        WHEN t.due IS NULL THEN {_RANKS[TaskGroup.NONE]}
        WHEN {later.sql} THEN {_RANKS[TaskGroup.LATER]}
        WHEN {following.sql} THEN {_RANKS[TaskGroup.NEXT]}
        WHEN {late.sql} THEN {_RANKS[TaskGroup.OVERDUE]}
        ELSE {_RANKS[TaskGroup.TODAY]} END"""
    return SqlCondition(sql, (local_text(now), *later.values, *following.values, *late.values))


def heading_of(group: Grouping, value: HeadingValue, now: datetime) -> GroupHeading:
    """Return the heading of the tasks with a value; those without one come last.

    The value is a project, a tag or an ISO date, else the rank in `GROUP_ORDER`,
    `PRIORITY_ORDER` or `STATUS_ORDER`.
    """
    if value is None:
        return GroupHeading((1, ""), _LABELS_WITHOUT.get(group, ""))
    match group:
        case Grouping.DUE:
            return GroupHeading((int(value),), _LABELS[group][int(value)])
        case Grouping.PRIORITY | Grouping.STATUS:
            return GroupHeading((0, int(value)), _LABELS[group][int(value)])
        case Grouping.DAY | Grouping.DONE:
            day = date.fromisoformat(str(value))
            ordinal = day.toordinal() if group is Grouping.DAY else -day.toordinal()
            name, words = DAY_NAMES.get((day - now.date()).days), format_day(day, now.date())
            return GroupHeading((0, ordinal), f"{name} · {words}" if name else words)
        case _:
            label = f"@{value}" if group is Grouping.TAG else str(value)
            return GroupHeading((0, fold_case(str(value))), label)
