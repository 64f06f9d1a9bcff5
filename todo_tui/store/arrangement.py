"""Light rows of a list in the order, and under the headings, that its filter asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from sqlite3 import Connection
from typing import NamedTuple, assert_never

from todo_tui.domain.filter_order import (
    Heading,
    KeyPart,
    day_heading,
    done_heading,
    due_heading,
    placed,
    priority_heading,
    project_heading,
    status_heading,
    tag_heading,
)
from todo_tui.domain.filter_query import Grouping, SortTerm
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import folded
from todo_tui.domain.urgency import LAST, SortKey, TaskGroup
from todo_tui.store.local_days import LocalDays
from todo_tui.store.ordering import column_of, key_part
from todo_tui.store.outline import group_column
from todo_tui.store.reading import read_projects
from todo_tui.store.search import EXISTS, ORDER, Condition
from todo_tui.store.search_days import Column

_UNGROUPED = Heading((), "")
_TAGS = " LEFT JOIN task_tags g ON g.task = t.row AND g.gone = 0"

HeadingOf = Callable[[str | None], Heading]


class ArrangedRow(NamedTuple):
    """One line of a list before it is drawn; a task has one for each of its headings."""

    id: int
    heading: Heading
    key: SortKey


def arranged_rows(
    database: Connection,
    user: str,
    condition: Condition,
    sort: Sequence[SortTerm],
    group: Grouping,
    now: datetime,
    zone: str,
) -> Iterator[ArrangedRow]:
    """A row for each task that the condition holds for and each of its headings, unsorted."""
    columns = [_group_column(group, now, zone), *(column_of(term.field, now) for term in sort)]
    rows = database.execute(
        f"SELECT t.id, t.due_at, t.position, {', '.join(column.sql for column in columns)}"  # noqa: S608
        f" FROM {condition.source}{_TAGS if group is Grouping.TAG else ''}"
        f" WHERE t.user = ? AND {EXISTS} AND {condition.sql} ORDER BY {ORDER}",
        (*(value for column in columns for value in column.values), user, *condition.values),
    )
    headings: dict[str | None, Heading] = {}
    heading_of = _headings(database, user, group, now)
    for task_id, due_at, position, name, *values in rows:
        if name not in headings:
            headings[name] = heading_of(name)
        key = (*_sorted_by(sort, values), LAST if due_at is None else due_at, position, task_id)
        yield ArrangedRow(task_id, headings[name], key)


def _sorted_by(sort: Sequence[SortTerm], values: Sequence[KeyPart | None]) -> list[KeyPart]:
    parts: list[KeyPart] = []
    for term, value in zip(sort, values, strict=True):
        parts += placed(key_part(term.field, value), term)
    return parts


def _group_column(group: Grouping, now: datetime, zone: str) -> Column:
    match group:
        case Grouping.DUE:
            return group_column(now)
        case Grouping.DAY:
            return Column("substr(t.due, 1, 10)", ())
        case Grouping.PROJECT:
            return Column("t.project_folded", ())
        case Grouping.PRIORITY:
            return Column("t.priority", ())
        case Grouping.STATUS:
            return Column("t.status", ())
        case Grouping.TAG:
            return Column("g.tag", ())
        case Grouping.DONE:
            day = LocalDays(zone, now.date()).day("t.completed_at")
            return Column(day.sql, day.values)
        case Grouping.NONE:
            return Column("NULL", ())
        case _:
            assert_never(group)


def _headings(database: Connection, user: str, group: Grouping, now: datetime) -> HeadingOf:
    """What makes a heading of a value of the group's column."""
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
    """Headings of projects that are known by their folded name."""
    known: dict[str, Heading] = {}
    for name in read_projects(database, user):
        known.setdefault(folded(name), project_heading(name))

    def heading_of(name: str | None) -> Heading:
        return project_heading(None) if name is None else known.get(name) or project_heading(name)

    return heading_of
