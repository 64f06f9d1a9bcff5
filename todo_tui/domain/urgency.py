"""Urgency scores with their reasons, and the default groups of the task list."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.task import Priority, Status, Task

NEXT_DAYS = 14
"""Days ahead that count as "next"; later ones are "later"."""


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


@dataclass(frozen=True, slots=True)
class Urgency:
    """Urgency score; `reasons` are short and lower case, the strongest first."""

    score: float
    reasons: tuple[str, ...]


_PRIORITY_SCORE = {Priority.HIGH: 6.0, Priority.MEDIUM: 3.0, Priority.LOW: -1.0}


class UrgencyPart(NamedTuple):
    """Part of an urgency score with its reason."""

    reason: str
    points: float


def compute_urgency(task: Task, now: datetime, *, blocked: bool = False) -> Urgency:
    """Compute the urgency of an open task; `blocked` means that it waits for another one."""
    parts = explain_urgency(task, now, blocked=blocked)
    return Urgency(sum(part.points for part in parts), tuple(part.reason for part in parts))


def explain_urgency(task: Task, now: datetime, *, blocked: bool = False) -> tuple[UrgencyPart, ...]:
    """Return the parts of the urgency of an open task, the heaviest first."""
    parts = (_due_part(task, now), _priority_part(task), _state_part(task, now, blocked))
    return tuple(sorted(filter(None, parts), key=lambda part: -abs(part.points)))


def _due_part(task: Task, now: datetime) -> UrgencyPart | None:
    if task.due is None:
        return None
    days = (task.due.day - now.date()).days
    if task.is_overdue(now):
        late = "overdue" if days == 0 else f"{-days} day{'s' if days < -1 else ''} late"
        return UrgencyPart(late, 12 + min(-days, 14) / 7)
    if days == 0:
        return UrgencyPart("due today", 9.0)
    if days == 1:
        return UrgencyPart("due tomorrow", 6.0)
    if days <= 7:
        return UrgencyPart(f"due in {days} days", 5 - days / 4)
    return UrgencyPart("due later", 1.0) if days <= NEXT_DAYS else None


def _priority_part(task: Task) -> UrgencyPart | None:
    if task.priority is None:
        return None
    return UrgencyPart(f"{task.priority.value} priority", _PRIORITY_SCORE[task.priority])


def _state_part(task: Task, now: datetime, blocked: bool) -> UrgencyPart | None:
    if blocked:
        return UrgencyPart("blocked by another task", -15.0)
    if task.starts_later(now):
        return UrgencyPart("starts later", -20.0)
    return UrgencyPart("started", 4.0) if task.status is Status.DOING else None
