"""Urgency scores with their reasons, and the default groups of the task list."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import When


class TaskGroup(StrEnum):
    """Headings of the default list, in the order shown."""

    OVERDUE = "overdue"
    TODAY = "today"
    NEXT = "next"
    LATER = "later"
    NONE = "none"
    WAITING = "waiting"
    DONE = "done"
    TRASH = "trash"


class UrgencyPart(NamedTuple):
    """Part of an urgency score with its reason, short and lower case."""

    reason: str
    points: float


class DueWeight(NamedTuple):
    """Points of a due date up to `last_day` days ahead, and more or less for each of the days."""

    last_day: int
    points: float
    per_day: float
    reason: str


# Weights of the score, which the store reads for its ORDER BY. All are whole multiples of
# 1 / URGENCY_SCALE, so that the store adds whole numbers and equal scores are equal there.
URGENCY_SCALE = 28
OVERDUE_POINTS, OVERDUE_PER_DAY, MAX_DAYS_OVERDUE = 12.0, 1 / 7, 14
DUE_WEIGHTS = (
    DueWeight(0, 9.0, 0.0, "due today"),
    DueWeight(1, 6.0, 0.0, "due tomorrow"),
    DueWeight(7, 5.0, -1 / 4, "due in {days} days"),
    DueWeight(14, 1.0, 0.0, "due later"),
)
PRIORITY_POINTS = {Priority.HIGH: 6.0, Priority.MEDIUM: 3.0, Priority.LOW: -1.0}
BLOCKED_POINTS, WAITING_POINTS, DOING_POINTS = -15.0, -20.0, 4.0
NEXT_DAYS = 7
"""Days that today and the heading "next 7 days" span, as the filter of that name does."""


def explain_urgency(
    task: Task, now: datetime, zone: str, *, blocked: bool = False
) -> tuple[UrgencyPart, ...]:
    """Return the parts of the urgency of an open task, the heaviest first; their sum is its score.

    `now` is naive, local in `zone`. `blocked` means that it waits for another one.
    """
    starts_later = task.starts_later(now, zone)
    parts = (
        _due_part(task.due_in(zone), now),
        _priority_part(task),
        _state_part(task, starts_later, blocked),
    )
    return tuple(sorted(filter(None, parts), key=lambda part: -abs(part.points)))


def _due_part(due: When | None, now: datetime) -> UrgencyPart | None:
    if due is None:
        return None
    days = (due.day - now.date()).days
    if due.local() < now:
        late = "overdue" if days == 0 else f"{format_count(-days, 'day')} late"
        points = OVERDUE_POINTS + OVERDUE_PER_DAY * min(-days, MAX_DAYS_OVERDUE)
        return UrgencyPart(late, points)
    weight = next((each for each in DUE_WEIGHTS if days <= each.last_day), None)
    if weight is None:
        return None
    return UrgencyPart(weight.reason.format(days=days), weight.points + weight.per_day * days)


def _priority_part(task: Task) -> UrgencyPart | None:
    if task.priority is None:
        return None
    return UrgencyPart(f"{task.priority.value} priority", PRIORITY_POINTS[task.priority])


def _state_part(task: Task, starts_later: bool, blocked: bool) -> UrgencyPart | None:
    if blocked:
        return UrgencyPart("blocked by another task", BLOCKED_POINTS)
    if starts_later:
        return UrgencyPart("starts later", WAITING_POINTS)
    return UrgencyPart("started", DOING_POINTS) if task.status is Status.DOING else None
