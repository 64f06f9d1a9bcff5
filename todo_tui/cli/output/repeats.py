"""Words about tasks that repeat; imported for those alone, since the rules take 9 ms."""

from datetime import datetime
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    count_missed_occurrences,
    first_occurrences,
    occurrences_after,
)
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import RepeatFrom, Task
from todo_tui.domain.when import When, effective_zone, is_known_zone

_PREVIEWED = 3
"""Dates of a repeating task that are named, the one that is due included."""
_SHOWN = 3
"""Dates after the present one that are shown among the details."""


def format_recurrence(rule: str, repeat_from: str) -> str:
    """`every Monday`."""
    return describe_recurrence(Recurrence(rule, RepeatFrom(repeat_from)))


def describe_repeat(task: Task, now: datetime) -> list[str]:
    """`every Monday` and, of an open task, `then Mon 30 Nov, Mon 7 Dec`."""
    recurrence = Recurrence(task.recurrence or "", task.repeat_from)
    words = [describe_recurrence(recurrence)]
    if task.due is not None and task.is_open:
        zone = task.due_zone if task.due_zone and is_known_zone(task.due_zone) else None
        later = first_occurrences(recurrence, task.due, _PREVIEWED, zone)[1:]
        words.append(f"then {_format_days(later, now)}" if later else "last occurrence")
    return words


def format_later_dates(task: Task, now: datetime, zone: str) -> str:
    """The dates after the present one, if it is done now and those on their day."""
    later = occurrences_after(
        Recurrence(task.recurrence or "", task.repeat_from),
        When(now.date()) if task.due is None else task.due,
        now.replace(tzinfo=ZoneInfo(zone)),
        _SHOWN,
        effective_zone(task.due_zone, zone),
    )
    return _format_days(later, now) or "none, this is the last occurrence"


def missed_hint(task: Task, now: datetime, zone: str) -> str:
    """Remark on dates that have gone by, and how to pass them over; empty if none have."""
    if task.due is None or task.recurrence is None or not task.is_overdue(now):
        return ""
    missed = count_missed_occurrences(
        Recurrence(task.recurrence, task.repeat_from),
        task.due,
        now.replace(tzinfo=ZoneInfo(zone)),
        effective_zone(task.due_zone, zone),
    )
    if not missed:
        return ""
    dates = "1 occurrence was" if missed == 1 else f"{missed} occurrences were"
    return f"{dates} missed; skip with `todo-tui skip {task.id} --missed`"


def _format_days(days: list[When], now: datetime) -> str:
    return ", ".join(format_when(day, now) for day in days)
