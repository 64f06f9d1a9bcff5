"""Tasks in words: one line for what a command did, and cells for the list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from todo_tui.domain.date_text import when_words
from todo_tui.domain.task import Status, Task
from todo_tui.domain.when import When

SIGNS = {Status.TODO: "○", Status.DOING: "◐", Status.DONE: "✓", Status.CANCELLED: "✗"}
BLOCKED = "⊘"
"""The sign of an open task that waits for another one."""

_PREVIEWED = 3
"""Dates of a repeating task that are named, the one that is due included."""


def named(task: Task) -> str:
    """`#12 Pay rent`."""
    return f"#{task.id} {task.title}"


def described(task: Task, now: datetime) -> str:
    """`#12 Pay rent · tomorrow 17:00 · every month · high · #home · @bills`."""
    facts = [named(task)]
    if task.due is not None:
        facts.append(when_words(task.due, now))
    if task.recurrence is not None:
        facts.append(repeat_words(task))
        facts.extend(_then(task, now))
    if task.start is not None:
        facts.append(f"hidden until {when_words(task.start, now)}")
    if task.priority is not None:
        facts.append(task.priority.value)
    if task.project is not None:
        facts.append(f"#{task.project}")
    facts.extend(f"@{tag}" for tag in task.tags)
    if task.parent is not None:
        facts.append(f"part of #{task.parent}")
    if task.blocked_by:
        facts.append(f"waits for {', '.join(f'#{blocker}' for blocker in task.blocked_by)}")
    return " · ".join(facts)


def repeat_words(task: Task) -> str:
    """`every Monday`, of a task that repeats."""
    # `todo-tui done` of a plain task does without the grammar of repeats.
    from todo_tui.domain.recurrence import Recurrence, recurrence_told

    return recurrence_told(Recurrence(task.recurrence or "", task.repeat_from))


def state(task: Task) -> str:
    """The sign of the list: open, doing, done, cancelled."""
    return SIGNS[task.status]


def next_words(following: Task | None, now: datetime) -> str:
    """` · next #14: Mon 23 Nov` of a task that comes again; empty of one that does not."""
    if following is None or following.due is None:
        return ""
    return f" · next #{following.id}: {when_words(following.due, now)}"


def with_words(others: Sequence[Task]) -> str:
    """` with 2 subtasks` of a task that took others along; empty of one that did not."""
    return f" with {counted(len(others), 'subtask')}" if others else ""


def counted(count: int, noun: str) -> str:
    """`1 subtask`, `1,200 subtasks`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def days_words(days: Sequence[When], now: datetime) -> str:
    """`Mon 23 Nov, Mon 30 Nov`."""
    return ", ".join(when_words(day, now) for day in days)


def _then(task: Task, now: datetime) -> list[str]:
    """`then Mon 30 Nov, Mon 7 Dec`, of a task that is still to be done."""
    if task.due is None or not task.is_open:
        return []
    from todo_tui.domain.recurrence import Recurrence, upcoming
    from todo_tui.domain.zones import is_zone

    rhythm = Recurrence(task.recurrence or "", task.repeat_from)
    zone = task.due_zone if task.due_zone and is_zone(task.due_zone) else None
    later = upcoming(rhythm, task.due, _PREVIEWED, zone)[1:]
    return [f"then {days_words(later, now)}"] if later else ["for the last time"]
