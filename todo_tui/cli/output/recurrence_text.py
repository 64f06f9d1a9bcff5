"""Texts about recurring tasks; imported for those alone, since the rules take 9 ms."""

from datetime import datetime
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    count_missed_occurrences,
    occurrences_after,
    slot_of,
    upcoming_dates,
)
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import RepeatFrom, Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import When, effective_zone

_PREVIEW_DATES = 2
"""Dates after the due date in a line about a recurring task."""
_LATER_DATES = 3
"""Dates after the due date that the details name."""


def format_recurrence(rule: str, repeat_from: str) -> str:
    """Return `every Monday`."""
    return describe_recurrence(Recurrence(rule, RepeatFrom(repeat_from)))


def describe_repeat(task: Task, now: datetime, zone: str) -> list[str]:
    """Return `every Monday` and, for an open task, `then Mon 30 Nov, Mon 7 Dec`."""
    recurrence = Recurrence.of(task)
    facts = [describe_recurrence(recurrence)]
    if task.due is not None and task.is_open:
        there, count = effective_zone(task.due_zone, zone), _PREVIEW_DATES
        here = now.replace(tzinfo=ZoneInfo(zone))
        done_at = here if task.is_overdue(now, zone) else task.due.local()
        later = occurrences_after(recurrence, task.due, done_at, count, there, slot=task.slot)
        days = [when.moved(there, zone) for when in later]
        facts.append(f"then {_format_days(days, now)}" if days else "last occurrence")
    return facts


def format_later_dates(task: Task, now: datetime, zone: str) -> str:
    """Return the next dates, if the task is completed now and they on their days."""
    dates = upcoming_dates(task, now, zone, _LATER_DATES)
    later = [when.moved(task.due_zone, zone) for when in dates]
    return _format_days(later, now) or "none, this is the last occurrence"


def missed_hint(task: Task, now: datetime, zone: str) -> str:
    """Return how many occurrences were missed, and how to skip them; empty if none were."""
    if task.due is None or task.recurrence is None or not task.is_overdue(now, zone):
        return ""
    recurrence = Recurrence.of(task)
    # A due date that was moved back misses nothing.
    missed = count_missed_occurrences(
        recurrence,
        slot_of(recurrence, task.due, task.slot),
        now.replace(tzinfo=ZoneInfo(zone)),
        effective_zone(task.due_zone, zone),
    )
    if not missed:
        return ""
    were = format_count(missed, "occurrence was", "occurrences were")
    return f"{were} missed; skip with `todo-tui skip {task.id} --missed`"


def _format_days(days: list[When], now: datetime) -> str:
    return ", ".join(format_when(day, now) for day in days)
