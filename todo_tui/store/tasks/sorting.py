"""Order, groups and urgency of tasks in SQL, as light rows.

Agrees with `todo_tui.domain.filters.sorting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from sqlite3 import Connection
from typing import NamedTuple, assert_never

from todo_tui.domain.filters.sorting import (
    URGENCY_PRECISION,
    GroupHeading,
    KeyPart,
    day_heading,
    done_heading,
    due_heading,
    nulls_last,
    priority_heading,
    project_heading,
    status_heading,
    tag_heading,
    to_milliseconds,
)
from todo_tui.domain.filters.terms import Grouping, SortField, SortTerm
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import (
    NEXT_DAYS,
    SORTS_LAST,
    SortKey,
    TaskGroup,
    explain_urgency,
    newest_first_key,
)
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
_GROUPS = {group.value: group for group in TaskGroup}
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
_INSTANTS = frozenset({SortField.CREATED, SortField.UPDATED, SortField.DONE, SortField.DELETED})
_ALWAYS_SET = frozenset(
    {SortField.CREATED, SortField.UPDATED, SortField.TITLE, SortField.POSITION, SortField.ID}
)
_UNGROUPED = GroupHeading((), "")
_TAGS = " LEFT JOIN task_tags g ON g.task = t.row AND g.gone = 0"
HeadingOf = Callable[[str | None], GroupHeading]


def group_column(now: datetime) -> SqlColumn:
    """Return an expression for the name of a task's group."""
    today = now.date()
    soon = today + timedelta(days=NEXT_DAYS)
    moment = local_text(now)
    return SqlColumn(_GROUP, (moment, moment, today.isoformat(), soon.isoformat()))


class OutlineRow(NamedTuple):
    """A list row before rendering: task id, group and sort key."""

    id: int
    group: TaskGroup
    key: SortKey


def read_outline(
    database: Connection, user: str, condition: SqlCondition, now: datetime
) -> Iterator[OutlineRow]:
    """Yield a row for each matching task, almost sorted within its group."""
    group_name = group_column(now)
    rows = database.execute(
        f"SELECT t.id, {group_name.sql}, t.due_at, t.position, t.completed_at"  # noqa: S608
        f" FROM {condition.source} WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        f" ORDER BY {ORDER}",
        (*group_name.values, user, *condition.values),
    )
    for task_id, group, due_at, position, finished in rows:
        if group == "done" and finished is not None:
            key: SortKey = (newest_first_key(datetime.fromisoformat(finished)), "", task_id)
        else:
            key = (SORTS_LAST if due_at is None else due_at, position, task_id)
        yield OutlineRow(task_id, _GROUPS[group], key)


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
    return round(points * URGENCY_PRECISION)


def _day(today: date, days: int) -> str:
    return date.fromordinal(min(max(today.toordinal() + days, 1), date.max.toordinal())).isoformat()


def sort_order_sql(sort: Sequence[SortTerm], now: datetime) -> SqlColumn:
    """Return the ORDER BY terms; tasks that lack a field come last in either direction."""
    parts = []
    values: list[Value] = []
    for term in sort:
        column = sort_column(term.field, now)
        values += column.values * (1 if term.descending or term.field in _ALWAYS_SET else 2)
        # NULL is the smallest value in SQLite: in descending order it comes last anyway.
        if term.field not in _ALWAYS_SET and not term.descending:
            parts.append(f"({column.sql}) IS NULL")
        parts.append(f"{column.sql} DESC" if term.descending else column.sql)
    return SqlColumn(", ".join([*parts, ORDER]), tuple(values))


def sort_column(field: SortField, now: datetime) -> SqlColumn:
    """Return an expression for the sort value; `key_part` converts it."""
    if field is SortField.URGENCY:
        return urgency_column(now)
    return SqlColumn(_COLUMNS[field], ())


def key_part(field: SortField, value: KeyPart | None) -> KeyPart | None:
    """Convert a value of `sort_column` to a part of a sort key."""
    if field in _INSTANTS and isinstance(value, str):
        return to_milliseconds(datetime.fromisoformat(value))
    return value


class GroupedRow(NamedTuple):
    """A list row before rendering; a task has one for each of its headings."""

    id: int
    heading: GroupHeading
    key: SortKey


def read_grouped_rows(
    database: Connection,
    user: str,
    condition: SqlCondition,
    sort: Sequence[SortTerm],
    group: Grouping,
    now: datetime,
    zone: str,
) -> Iterator[GroupedRow]:
    """Yield a row for each matching task and each of its headings, unsorted."""
    columns = [_group_column(group, now, zone), *(sort_column(term.field, now) for term in sort)]
    rows = database.execute(
        f"SELECT t.id, t.due_at, t.position, {', '.join(column.sql for column in columns)}"  # noqa: S608
        f" FROM {condition.source}{_TAGS if group is Grouping.TAG else ''}"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {ORDER}",
        (*(value for column in columns for value in column.values), user, *condition.values),
    )
    headings: dict[str | None, GroupHeading] = {}
    heading_of = _headings(database, user, group, now)
    for task_id, due_at, position, name, *values in rows:
        if name not in headings:
            headings[name] = heading_of(name)
        key = (
            *_sort_columns(sort, values),
            SORTS_LAST if due_at is None else due_at,
            position,
            task_id,
        )
        yield GroupedRow(task_id, headings[name], key)


def _sort_columns(sort: Sequence[SortTerm], values: Sequence[KeyPart | None]) -> list[KeyPart]:
    parts: list[KeyPart] = []
    for term, value in zip(sort, values, strict=True):
        parts += nulls_last(key_part(term.field, value), term)
    return parts


def _group_column(group: Grouping, now: datetime, zone: str) -> SqlColumn:
    match group:
        case Grouping.DUE:
            return group_column(now)
        case Grouping.DAY:
            return SqlColumn("substr(t.due, 1, 10)", ())
        case Grouping.PROJECT:
            return SqlColumn("t.project_folded", ())
        case Grouping.PRIORITY:
            return SqlColumn("t.priority", ())
        case Grouping.STATUS:
            return SqlColumn("t.status", ())
        case Grouping.TAG:
            return SqlColumn("g.tag", ())
        case Grouping.DONE:
            day = LocalDays(zone, now.date()).day("t.completed_at")
            return SqlColumn(day.sql, day.values)
        case Grouping.NONE:
            return SqlColumn("NULL", ())
        case _:
            assert_never(group)


def _headings(database: Connection, user: str, group: Grouping, now: datetime) -> HeadingOf:
    """Return a function from a value of the group column to its heading."""
    match group:
        case Grouping.DUE:
            return lambda name: due_heading(TaskGroup(str(name)))
        case Grouping.DAY:
            return lambda name: day_heading(None if name is None else date.fromisoformat(name), now)
        case Grouping.DONE:
            return lambda name: done_heading(
                None if name is None else date.fromisoformat(name), now
            )
        case Grouping.PROJECT:
            return _project_headings(database, user)
        case Grouping.PRIORITY:
            return lambda name: priority_heading(None if name is None else Priority(name))
        case Grouping.STATUS:
            return lambda name: status_heading(Status(str(name)))
        case Grouping.TAG:
            return tag_heading
        case Grouping.NONE:
            return lambda _: _UNGROUPED
        case _:
            assert_never(group)


def _project_headings(database: Connection, user: str) -> HeadingOf:
    """Return a function from a folded project name to its heading."""
    known: dict[str, GroupHeading] = {}
    for name in read_projects(database, user):
        known.setdefault(fold_case(name), project_heading(name))

    def heading_of(name: str | None) -> GroupHeading:
        return project_heading(None) if name is None else known.get(name) or project_heading(name)

    return heading_of
