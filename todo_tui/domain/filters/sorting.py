"""Sort keys and group headings of single tasks; the store sorts by the same keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_day
from todo_tui.domain.filters.matching import NoRelations, TaskRelations
from todo_tui.domain.filters.terms import Grouping, SortField, SortTerm
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import SORTS_LAST, SortKey, TaskGroup, explain_urgency, task_group
from todo_tui.domain.when import When, effective_zone

URGENCY_PRECISION = 28
"""Units per point of urgency; all scores are whole units, so that sums are exact."""

KeyPart = int | str

_HIGHEST = 0x10FFFF


class GroupHeading(NamedTuple):
    """Heading above tasks; headings sort by `order`, `label` is the text shown."""

    order: SortKey
    label: str


def sort_key(
    task: Task,
    sort: Sequence[SortTerm],
    now: datetime,
    zone: str,
    relations: TaskRelations | None = None,
) -> SortKey:
    """Return the sort key of a task: its fields, then due moment, position and id."""
    others = relations or NoRelations()
    key: list[KeyPart] = []
    for term in sort:
        key += nulls_last(_value(task, term.field, now, zone, others), term)
    due = task.due
    due_at = SORTS_LAST if due is None else _due_at(due, effective_zone(task.due_zone, zone))
    return (*key, due_at, task.position, task.id)


def nulls_last(value: KeyPart | None, term: SortTerm) -> tuple[KeyPart, KeyPart]:
    """Return a value as two parts of a key: missing ones come last in either direction."""
    if value is None:
        return (1, 0)
    if not term.descending:
        return (0, value)
    return (0, -value if isinstance(value, int) else invert_text(value))


def invert_text(text: str) -> str:
    """Return a text that sorts in reverse order."""
    return "".join(chr(_HIGHEST - ord(character)) for character in text) + chr(_HIGHEST)


def to_milliseconds(instant: datetime) -> int:
    """Return an instant as whole milliseconds since 1970."""
    return round(instant.timestamp() * 1000)


def group_headings(
    task: Task, grouping: Grouping, now: datetime, zone: str | None = None
) -> tuple[GroupHeading, ...]:
    """Return the headings of a task: one for each tag, or one of any other kind.

    `zone` decides the day of completion; the system's if None.
    """
    match grouping:
        case Grouping.DUE:
            return (due_heading(task_group(task, now)),)
        case Grouping.DAY:
            return (day_heading(None if task.due is None else task.due.day, now),)
        case Grouping.PROJECT:
            return (project_heading(task.project),)
        case Grouping.PRIORITY:
            return (priority_heading(task.priority),)
        case Grouping.STATUS:
            return (status_heading(task.status),)
        case Grouping.DONE:
            return (done_heading(_day_done(task, zone), now),)
        case Grouping.TAG:
            return tuple(map(tag_heading, task.tags)) or (tag_heading(None),)
        case Grouping.NONE:
            return (GroupHeading((), ""),)
        case _:
            assert_never(grouping)


_GROUPS = list(TaskGroup)

_GROUP_LABELS = {TaskGroup.NEXT: "soon", TaskGroup.NONE: "no due date"}

_STATUS_ORDER = (Status.DOING, Status.TODO, Status.DONE, Status.CANCELLED)


def due_heading(group: TaskGroup) -> GroupHeading:
    """Return the heading of a default group."""
    return GroupHeading((_GROUPS.index(group),), _GROUP_LABELS.get(group, group.value))


def day_heading(day: date | None, now: datetime) -> GroupHeading:
    """Return the heading of a due day; None sorts last."""
    if day is None:
        return GroupHeading((1, 0), "no due date")
    return GroupHeading((0, day.toordinal()), _format_heading_day(day, now.date()))


def done_heading(day: date | None, now: datetime) -> GroupHeading:
    """Return the heading of a completion day; None sorts last."""
    if day is None:
        return GroupHeading((1, 0), "not done")
    return GroupHeading((0, -day.toordinal()), _format_heading_day(day, now.date()))


def _day_done(task: Task, zone: str | None) -> date | None:
    if task.completed_at is None:
        return None
    return task.completed_at.astimezone(None if zone is None else ZoneInfo(zone)).date()


def _format_heading_day(day: date, today: date) -> str:
    name = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get((day - today).days)
    words = format_day(day, today)
    return f"{name} · {words}" if name else words


def project_heading(project: str | None) -> GroupHeading:
    """Return the heading of a project; None sorts last."""
    return GroupHeading((1, ""), "no project") if project is None else GroupHeading(
        (0, fold_case(project)), project
    )  # fmt: skip


def tag_heading(tag: str | None) -> GroupHeading:
    """Return the heading of a tag; None sorts last."""
    return (
        GroupHeading((1, ""), "no tag")
        if tag is None
        else GroupHeading((0, fold_case(tag)), f"@{tag}")
    )


def priority_heading(priority: Priority | None) -> GroupHeading:
    """Return the heading of a priority, highest first."""
    if priority is None:
        return GroupHeading((0,), "no priority")
    return GroupHeading((-priority.rank,), f"{priority.value} priority")


def status_heading(status: Status) -> GroupHeading:
    """Return the heading of a status: in progress, to do, done, cancelled."""
    label = {Status.DOING: "in progress", Status.TODO: "to do"}.get(status, status.value)
    return GroupHeading((_STATUS_ORDER.index(status),), label)


def _value(  # noqa: C901 - one case a field
    task: Task, field: SortField, now: datetime, zone: str, others: TaskRelations
) -> KeyPart | None:
    match field:
        case SortField.DUE:
            return (
                None if task.due is None else _due_at(task.due, effective_zone(task.due_zone, zone))
            )
        case SortField.START:
            return None if task.start is None else _wall_seconds(task.start.begins())
        case SortField.PRIORITY:
            return None if task.priority is None else task.priority.rank
        case SortField.URGENCY:
            return _urgency(task, now, others)
        case SortField.CREATED:
            return to_milliseconds(task.created_at)
        case SortField.UPDATED:
            return to_milliseconds(task.updated_at)
        case SortField.DONE:
            return None if task.completed_at is None else to_milliseconds(task.completed_at)
        case SortField.DELETED:
            return None if task.deleted_at is None else to_milliseconds(task.deleted_at)
        case SortField.TITLE:
            return fold_case(task.title)
        case SortField.PROJECT:
            return None if task.project is None else fold_case(task.project)
        case SortField.POSITION:
            return task.position
        case SortField.ID:
            return task.id
        case _:
            assert_never(field)


def _urgency(task: Task, now: datetime, others: TaskRelations) -> int | None:
    """Return the urgency in its smallest units; None for closed tasks."""
    if not task.is_open:
        return None
    blocked = any(map(others.is_open, task.blocked_by))
    points = sum(part.points for part in explain_urgency(task, now, blocked=blocked))
    return round(points * URGENCY_PRECISION)


def _due_at(due: When, zone: str) -> int:
    return int(due.instant(zone).timestamp())


def _wall_seconds(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())
