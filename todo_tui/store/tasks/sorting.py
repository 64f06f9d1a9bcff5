"""The task list: ids of the tasks of a query in order, under their headings."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from sqlite3 import Connection
from typing import NamedTuple, assert_never

from todo_tui.domain.dates.text import format_day
from todo_tui.domain.filters.terms import And, Filter, Grouping, Query, TaskState
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import NEXT_DAYS, TaskGroup
from todo_tui.domain.when import Clock
from todo_tui.store.database import SqlValue
from todo_tui.store.rows import add_local_time
from todo_tui.store.tasks.filter_sql import (
    SqlCondition,
    as_query,
    compile_filter,
    compile_order,
)
from todo_tui.store.tasks.select import (
    DUE_LOCAL,
    EXISTS,
    NOT_TRASHED,
    OPEN,
    ORDER,
    START_LOCAL,
    local_text,
)

SortKey = tuple[int | str, ...]
STATUS_ORDER = (Status.DOING, Status.TODO, Status.DONE, Status.CANCELLED)
PRIORITY_ORDER = (Priority.HIGH, Priority.MEDIUM, Priority.LOW)
_GROUP_LABELS = {TaskGroup.NEXT: "soon", TaskGroup.NONE: "no due date"}
_GROUPS = tuple(TaskGroup)
_RANKS = {group: rank for rank, group in enumerate(_GROUPS)}
_GROUP = f"""CASE
    WHEN NOT {NOT_TRASHED} THEN {_RANKS[TaskGroup.TRASH]}
    WHEN NOT {OPEN} THEN {_RANKS[TaskGroup.DONE]}
    WHEN t.start IS NOT NULL AND {START_LOCAL} > ? THEN {_RANKS[TaskGroup.WAITING]}
    WHEN t.due IS NULL THEN {_RANKS[TaskGroup.NONE]}
    WHEN t.due > ? THEN {_RANKS[TaskGroup.LATER]}
    WHEN t.due > ? THEN {_RANKS[TaskGroup.NEXT]}
    WHEN {DUE_LOCAL} < ? THEN {_RANKS[TaskGroup.OVERDUE]}
    ELSE {_RANKS[TaskGroup.TODAY]} END"""
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
_HeadingValue = str | int | None


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


class _Headings(NamedTuple):
    """Column that decides the heading of a task, and the heading of each of its values.

    `label` is a column with the value as shown, where that differs.
    """

    column: str
    heading_of: Callable[[_HeadingValue], GroupHeading]
    label: str = "NULL"
    values: tuple[SqlValue, ...] = ()


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
    names: dict[str, str] = {}
    if group is Grouping.PROJECT:
        names = dict(database.execute(_PROJECT_NAMES, (user,)).fetchall())
    headings = _headings(group, now, names)
    order = compile_order(query, now)
    parts = query.filter.parts if isinstance(query.filter, And) else (query.filter,)
    if is_default and limit is None and TaskState.OPEN not in parts:
        # Only where there can be any: the plain order is that of an index.
        order = SqlCondition(f"{_NEWEST_DONE_FIRST}, {ORDER}")
    add_local_time(database, clock.zone)
    tags = " LEFT JOIN task_tags g ON g.task = t.row AND g.gone = 0"
    rows = database.execute(
        f"SELECT t.id, {headings.column}, {headings.label}, {_PARENT_ID}"  # noqa: S608
        f" FROM tasks t{tags if group is Grouping.TAG else ''}"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql}"
        f" ORDER BY {order.sql} LIMIT ?",
        (*headings.values, user, *condition.values, *order.values, -1 if limit is None else limit),
    )
    groups: dict[_HeadingValue, ListGroup] = {}
    parents: dict[int, int] = {}
    ids = array("q")
    last: object = groups
    for task_id, name, label, parent in rows:
        if name != last:
            last = name
            if name not in groups:
                heading = headings.heading_of(name if label is None else label)
                groups[name] = ListGroup(heading, array("q"))
            ids = groups[name].ids
        ids.append(task_id)
        if parent is not None:
            parents[task_id] = parent
    return TaskListing(sorted(groups.values(), key=lambda each: each.heading.order), parents)


def _headings(group: Grouping, now: datetime, projects: Mapping[str, str]) -> _Headings:
    match group:
        case Grouping.DUE:
            today, moment = now.date(), local_text(now)
            soon = today + timedelta(days=NEXT_DAYS)
            values = (moment, f"{soon}~", f"{today}~", moment)
            return _Headings(
                _GROUP, lambda rank: due_heading(_GROUPS[int(rank or 0)]), values=values
            )
        case Grouping.DAY:
            return _Headings("substr(t.due, 1, 10)", lambda name: day_heading(_day_of(name), now))
        case Grouping.DONE:
            day = "substr(local_time(t.completed_at), 1, 10)"
            return _Headings(day, lambda name: done_heading(_day_of(name), now))
        case Grouping.PROJECT:
            return _Headings(
                "t.project_folded",
                lambda name: project_heading(projects.get(str(name), str(name)) if name else None),
            )
        case Grouping.PRIORITY:
            return _Headings(
                _ranked("t.priority", PRIORITY_ORDER),
                lambda rank: priority_heading(None if rank is None else PRIORITY_ORDER[int(rank)]),
            )
        case Grouping.STATUS:
            return _Headings(
                _ranked("t.status", STATUS_ORDER),
                lambda rank: status_heading(STATUS_ORDER[int(rank or 0)]),
            )
        case Grouping.TAG:
            return _Headings("g.folded", lambda name: tag_heading(_text(name)), "g.tag")
        case Grouping.NONE:
            return _Headings("NULL", lambda _: GroupHeading((), ""))
        case _:
            assert_never(group)


def _ranked(column: str, values: Sequence[str]) -> str:
    cases = " ".join(f"WHEN '{value}' THEN {rank}" for rank, value in enumerate(values))
    return f"CASE {column} {cases} END"


def _text(value: _HeadingValue) -> str | None:
    return None if value is None else str(value)


def _day_of(value: _HeadingValue) -> date | None:
    return None if value is None else date.fromisoformat(str(value))


def due_heading(group: TaskGroup) -> GroupHeading:
    """Return the heading of a default group."""
    return GroupHeading((_GROUPS.index(group),), _GROUP_LABELS.get(group, group.value))


def day_heading(day: date | None, now: datetime) -> GroupHeading:
    """Return the heading of a due day; None sorts last."""
    if day is None:
        return GroupHeading((1, 0), "no due date")
    return GroupHeading((0, day.toordinal()), _heading_day(day, now.date()))


def done_heading(day: date | None, now: datetime) -> GroupHeading:
    """Return the heading of a completion day; None sorts last."""
    if day is None:
        return GroupHeading((1, 0), "not done")
    return GroupHeading((0, -day.toordinal()), _heading_day(day, now.date()))


def _heading_day(day: date, today: date) -> str:
    name = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get((day - today).days)
    words = format_day(day, today)
    return f"{name} · {words}" if name else words


def project_heading(project: str | None) -> GroupHeading:
    """Return the heading of a project; None sorts last."""
    if project is None:
        return GroupHeading((1, ""), "no project")
    return GroupHeading((0, fold_case(project)), project)


def tag_heading(tag: str | None) -> GroupHeading:
    """Return the heading of a tag; None sorts last."""
    if tag is None:
        return GroupHeading((1, ""), "no tag")
    return GroupHeading((0, fold_case(tag)), f"@{tag}")


def priority_heading(priority: Priority | None) -> GroupHeading:
    """Return the heading of a priority, highest first."""
    if priority is None:
        return GroupHeading((0,), "no priority")
    return GroupHeading((-priority.rank,), f"{priority.value} priority")


def status_heading(status: Status) -> GroupHeading:
    """Return the heading of a status: in progress, to do, done, cancelled."""
    label = {Status.DOING: "in progress", Status.TODO: "to do"}.get(status, status.value)
    return GroupHeading((STATUS_ORDER.index(status),), label)
