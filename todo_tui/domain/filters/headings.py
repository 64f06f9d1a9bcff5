"""Headings above tasks, by each kind of grouping."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_day
from todo_tui.domain.filters.terms import Grouping
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.urgency import TaskGroup, task_group

SortKey = tuple[int | str, ...]
_GROUP_LABELS = {TaskGroup.NEXT: "soon", TaskGroup.NONE: "no due date"}
STATUS_ORDER = (Status.DOING, Status.TODO, Status.DONE, Status.CANCELLED)
PRIORITY_ORDER = (Priority.HIGH, Priority.MEDIUM, Priority.LOW)
_GROUPS = list(TaskGroup)


class GroupHeading(NamedTuple):
    """Heading above tasks; headings sort by `order`, `label` is the text shown."""

    order: SortKey
    label: str


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
    return GroupHeading((STATUS_ORDER.index(status),), label)
