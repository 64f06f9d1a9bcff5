"""Order, headings and urgency of tasks in SQL: the rows of the task list."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from sqlite3 import Connection
from typing import NamedTuple, assert_never

from todo_tui.domain.filters.headings import (
    PRIORITY_ORDER,
    STATUS_ORDER,
    GroupHeading,
    day_heading,
    done_heading,
    due_heading,
    priority_heading,
    project_heading,
    status_heading,
    tag_heading,
)
from todo_tui.domain.filters.terms import And, Filter, Grouping, IsOpen, Query, SortField, SortTerm
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import NEXT_DAYS, TaskGroup, explain_urgency
from todo_tui.domain.when import When
from todo_tui.store.tasks.filter_sql import (
    BLOCKED,
    EXISTS,
    NOT_TRASHED,
    OPEN,
    ORDER,
    LocalDays,
    SqlColumn,
    SqlCondition,
    Value,
    due_local,
    local_text,
    start_local,
)
from todo_tui.store.tasks.select import read_projects

_GROUPS = tuple(TaskGroup)
_RANKS = {group: rank for rank, group in enumerate(_GROUPS)}
# The same rules as domain.urgency.task_group.
_GROUP = f"""CASE
    WHEN NOT {NOT_TRASHED} THEN {_RANKS[TaskGroup.TRASH]}
    WHEN NOT {OPEN} THEN {_RANKS[TaskGroup.DONE]}
    WHEN t.start IS NOT NULL AND {start_local} > ? THEN {_RANKS[TaskGroup.WAITING]}
    WHEN t.due IS NULL THEN {_RANKS[TaskGroup.NONE]}
    WHEN t.due > ? THEN {_RANKS[TaskGroup.LATER]}
    WHEN t.due > ? THEN {_RANKS[TaskGroup.NEXT]}
    WHEN {due_local} < ? THEN {_RANKS[TaskGroup.OVERDUE]}
    ELSE {_RANKS[TaskGroup.TODAY]} END"""
_CLOSED = f"NOT {OPEN} AND {NOT_TRASHED} AND t.completed_at IS NOT NULL"
_NEWEST_DONE_FIRST = (
    f"CASE WHEN {_CLOSED} THEN t.completed_at END DESC, CASE WHEN {_CLOSED} THEN t.id END"
)
_URGENCY_UNITS = 28
"""Units per point of urgency; all scores are whole units, so that sums are exact."""
_FARTHEST = 31
"""Distance in days from today beyond which urgency no longer changes."""
_NOON = datetime(2001, 1, 15, 12)
"""Arbitrary reference time: urgency depends only on the distance to it."""
Ladder = tuple[tuple[int, int], ...]
"""Steps of (days from today, points of dates from there to the previous step)."""
_COLUMNS = {
    SortField.DUE: "t.due_at",
    SortField.START: f"CAST(strftime('%s', {start_local}) AS INTEGER)",
    SortField.PRIORITY: "CASE t.priority WHEN 'high' THEN 3 WHEN 'medium' THEN 2"
    " WHEN 'low' THEN 1 END",
    SortField.CREATED: "t.created_at",
    SortField.UPDATED: "t.updated_at",
    SortField.DONE: "t.completed_at",
    SortField.DELETED: "t.deleted_at",
    # The search text begins with the title on its own line.
    SortField.TITLE: "substr(t.folded, 1, instr(t.folded, char(10)) - 1)",
    SortField.PROJECT: "t.project_folded",
    SortField.POSITION: "t.position",
    SortField.ID: "t.id",
}
_TAGS = " LEFT JOIN task_tags g ON g.task = t.row AND g.gone = 0"
_PARENT_ID = (
    "CASE WHEN t.parent IS NOT NULL AND t.deleted_at IS NULL THEN (SELECT p.id FROM tasks p"
    " WHERE p.uuid = t.parent AND p.gone = 0 AND p.deleted_at IS NULL) END"
)
_LABELS = {Grouping.TAG: "g.tag"}
HeadingOf = Callable[[str | int | None], GroupHeading]


def group_column(now: datetime) -> SqlColumn:
    """Return an expression for the rank of a task's group in the default list."""
    today = now.date()
    soon = today + timedelta(days=NEXT_DAYS)
    moment = local_text(now)
    return SqlColumn(_GROUP, (moment, f"{soon}~", f"{today}~", moment))


def urgency_column(now: datetime) -> SqlColumn:
    """Return an expression for the urgency of open tasks, as an integer; NULL for others."""
    due, due_values = _due_points(now)
    points = (
        f"{due} + CASE t.priority {_priority_cases()} ELSE 0 END"
        f" + CASE WHEN {BLOCKED} THEN {_points(blocked=True)}"
        f" WHEN t.start IS NOT NULL AND {start_local} > ?"
        f" THEN {_points(start=When(date.max))}"
        f" WHEN t.status = 'doing' THEN {_points(status=Status.DOING)} ELSE 0 END"
    )
    return SqlColumn(
        f"CASE WHEN {OPEN} AND {NOT_TRASHED} THEN {points} END", (*due_values, local_text(now))
    )


def _due_points(now: datetime) -> SqlColumn:
    """Return a CASE over due dates, compared as text, latest first."""
    today, late, coming = now.date(), *_ladders()
    cases: list[str] = []
    values: list[Value] = []
    for days, points in coming:
        cases.append(f"WHEN t.due >= ? THEN {points}")
        values.append(_day(today, days))
    cases.append(f"WHEN {due_local} >= ? THEN {_points(due=When(_NOON.date()))}")
    values.append(local_text(now))
    for days, points in late:
        cases.append(f"WHEN t.due >= ? THEN {points}")
        values.append(_day(today, days))
    earliest = late[-1][1]
    return SqlColumn(
        f"CASE WHEN t.due IS NULL THEN 0 {' '.join(cases)} ELSE {earliest} END", tuple(values)
    )


@lru_cache(maxsize=1)
def _ladders() -> tuple[Ladder, Ladder]:
    """Return the steps of past dates from today backwards, and of future dates from the latest."""
    late = [(0, _points(due=When.of(datetime.combine(_NOON.date(), time(11)))))]
    late += [(-days, _due_in(-days)) for days in range(1, _FARTHEST)]
    coming = [(days, _due_in(days)) for days in range(_FARTHEST, 0, -1)]
    return _steps(late), _steps(coming)


def _steps(days: list[tuple[int, int]]) -> Ladder:
    """Keep the last of consecutive days with equal points."""
    return tuple(
        each
        for each, following in zip(days, [*days[1:], None], strict=True)
        if following is None or following[1] != each[1]
    )


def _due_in(days: int) -> int:
    return _points(due=When(_NOON.date() + timedelta(days=days)))


def _priority_cases() -> str:
    return " ".join(f"WHEN '{each.value}' THEN {_points(priority=each)}" for each in Priority)


def _points(
    *,
    due: When | None = None,
    start: When | None = None,
    priority: Priority | None = None,
    status: Status = Status.TODO,
    blocked: bool = False,
) -> int:
    """Return the urgency of a task with only these fields."""
    at = _NOON.replace(tzinfo=UTC)
    task = Task(0, "", "", at, at, due=due, start=start, priority=priority, status=status)
    points = sum(part.points for part in explain_urgency(task, _NOON, blocked=blocked))
    return round(points * _URGENCY_UNITS)


def _day(today: date, days: int) -> str:
    return date.fromordinal(min(max(today.toordinal() + days, 1), date.max.toordinal())).isoformat()


def sort_order_sql(sort: Sequence[SortTerm], now: datetime) -> SqlColumn:
    """Return the ORDER BY terms; tasks that lack a field come last in either direction."""
    columns = [sort_column(term.field, now) for term in sort]
    parts = [
        f"{column.sql} {'DESC' if term.descending else 'ASC'} NULLS LAST"
        for term, column in zip(sort, columns, strict=True)
    ]
    values = tuple(value for column in columns for value in column.values)
    return SqlColumn(", ".join([*parts, ORDER]), values)


def sort_column(field: SortField, now: datetime) -> SqlColumn:
    """Return an expression for the sort value of a task."""
    if field is SortField.URGENCY:
        return urgency_column(now)
    return SqlColumn(_COLUMNS[field], ())


class ListGroup(NamedTuple):
    """Tasks under one heading, in order."""

    heading: GroupHeading
    ids: array[int]


class TaskListing(NamedTuple):
    """Tasks in order under their headings; a task is in one group for each of its headings."""

    groups: list[ListGroup]
    parents: dict[int, int]
    """Parents of the subtasks among them; without tasks in the trash."""


def read_listing(
    database: Connection,
    user: str,
    condition: SqlCondition,
    query: Query,
    now: datetime,
    zone: str,
    limit: int | None,
) -> TaskListing:
    """Read the ids of all tasks of a query, grouped and in order.

    Without order and grouping: under the headings of the default list, done tasks newest first.
    With `limit` the first tasks are taken before they are grouped.
    """
    is_default = not query.sort and query.group is None
    group = Grouping.DUE if is_default else query.group or Grouping.NONE
    heading = _heading_column(group, now, zone)
    order = SqlColumn(condition.order, ())
    if query.sort:
        order = sort_order_sql(query.sort, now)
    elif is_default and limit is None and not _is_of_open_tasks(query.filter):
        # Only where there can be any: the plain order is that of an index.
        order = SqlColumn(f"{_NEWEST_DONE_FIRST}, {ORDER}", ())
    rows = database.execute(
        f"SELECT t.id, {heading.sql}, {_LABELS.get(group, 'NULL')}, {_PARENT_ID}"  # noqa: S608
        f" FROM tasks t{_TAGS if group is Grouping.TAG else ''}"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        f" ORDER BY {order.sql} LIMIT ?",
        (*heading.values, user, *condition.values, *order.values, -1 if limit is None else limit),
    )
    heading_of = _headings(database, user, group, now)
    groups: dict[str | int | None, ListGroup] = {}
    parents: dict[int, int] = {}
    ids = array("q")
    last: object = groups
    for task_id, name, label, parent in rows:
        if name != last:
            last = name
            if name not in groups:
                groups[name] = ListGroup(heading_of(name if label is None else label), array("q"))
            ids = groups[name].ids
        ids.append(task_id)
        if parent is not None:
            parents[task_id] = parent
    return TaskListing(sorted(groups.values(), key=lambda each: each.heading.order), parents)


def _is_of_open_tasks(wanted: Filter) -> bool:
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return IsOpen() in parts


def have_equal_sort_values(
    database: Connection, user: str, ids: Sequence[int], sort: Sequence[SortTerm], now: datetime
) -> bool:
    """Return True if only the manual order and the id decide the order of these tasks."""
    columns = [SqlColumn("t.due_at", ()), *(sort_column(term.field, now) for term in sort)]
    found: tuple[int] = database.execute(
        f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(each.sql for each in columns)}"  # noqa: S608
        " FROM tasks t WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?)))",
        (*(value for each in columns for value in each.values), user, json.dumps(list(ids))),
    ).fetchone()
    return found[0] == 1


def _heading_column(group: Grouping, now: datetime, zone: str) -> SqlColumn:
    match group:
        case Grouping.DUE:
            return group_column(now)
        case Grouping.DAY:
            return SqlColumn("substr(t.due, 1, 10)", ())
        case Grouping.PROJECT:
            return SqlColumn("t.project_folded", ())
        case Grouping.PRIORITY:
            return SqlColumn(_ranked("t.priority", PRIORITY_ORDER), ())
        case Grouping.STATUS:
            return SqlColumn(_ranked("t.status", STATUS_ORDER), ())
        case Grouping.TAG:
            return SqlColumn("g.folded", ())
        case Grouping.DONE:
            day = LocalDays(zone, now.date()).day("t.completed_at")
            return SqlColumn(day.sql, day.values)
        case Grouping.NONE:
            return SqlColumn("NULL", ())
        case _:
            assert_never(group)


def _ranked(column: str, values: Sequence[str]) -> str:
    cases = " ".join(f"WHEN '{value}' THEN {rank}" for rank, value in enumerate(values))
    return f"CASE {column} {cases} END"


def _headings(database: Connection, user: str, group: Grouping, now: datetime) -> HeadingOf:
    """Return a function from a value of the heading column to its heading."""
    if group is Grouping.PROJECT:
        names: dict[str, str] = {}
        for name in read_projects(database, user):
            names.setdefault(fold_case(name), name)
        return lambda name: project_heading(names.get(str(name), str(name)) if name else None)
    heading_of: dict[Grouping, HeadingOf] = {
        Grouping.DUE: lambda rank: due_heading(_GROUPS[int(rank or 0)]),
        Grouping.DAY: lambda name: day_heading(_day_of(name), now),
        Grouping.DONE: lambda name: done_heading(_day_of(name), now),
        Grouping.PRIORITY: lambda rank: priority_heading(
            None if rank is None else PRIORITY_ORDER[int(rank)]
        ),
        Grouping.STATUS: lambda rank: status_heading(STATUS_ORDER[int(rank or 0)]),
        Grouping.TAG: lambda name: tag_heading(None if name is None else str(name)),
        Grouping.NONE: lambda _: GroupHeading((), ""),
    }
    return heading_of[group]


def _day_of(text: str | int | None) -> date | None:
    return None if text is None else date.fromisoformat(str(text))
