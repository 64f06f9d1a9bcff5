"""Filters of the task list: read from words, held against a task, said back in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filter_terms import (
    And,
    AnyStatus,
    DayField,
    Filter,
    Has,
    HasId,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsOpen,
    IsOverdue,
    IsWaiting,
    Not,
    Or,
    Says,
    Side,
    TaskField,
    Within,
    start_moment,
    with_default_scope,
)
from todo_tui.domain.filter_words import FilterProblem, read_filter
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded, search_text
from todo_tui.domain.when import DateStyle

__all__ = ["Filter", "FilterProblem", "describe", "matches", "parse_filter"]


def parse_filter(text: str, now: datetime, style: DateStyle) -> Filter:
    """Read a filter; `now` is naive and local. An empty text asks for the open tasks.

    Raises:
        FilterProblem: a word stands where it cannot, or its value is none that fits.
    """
    return with_default_scope(read_filter(text, now, style))


def matches(
    wanted: Filter,
    task: Task,
    now: datetime,
    *,
    zone: str | None = None,
    is_open: Callable[[int], bool] | None = None,
) -> bool:
    """Whether a filter holds for a task, as the store would say.

    Args:
        wanted: what `parse_filter` answered.
        task: the task.
        now: naive local wall time.
        zone: in which instants such as `completed_at` have their day; the system's if None.
        is_open: whether the task of an id is open, for `blocked`; if None, all are.
    """

    def holds(term: Filter) -> bool:
        match term:
            case And(parts):
                return all(holds(part) for part in parts)
            case Or(parts):
                return any(holds(part) for part in parts)
            case Not(part):
                return not holds(part)
            case HasId(number):
                return task.id == number
            case InProject(name):
                return _is_below(task.project, name)
            case HasTag(name):
                return folded(name) in map(folded, task.tags)
            case HasPriority(priority):
                return task.priority is priority
            case Has(field):
                return _has(task, field)
            case Within(field, first, last):
                day = _day_of(task, field, zone)
                return day is not None and (first or day) <= day <= (last or day)
            case Side(field, moment, before, inclusive):
                at = _moment_of(task, field, zone)
                if at is None or at == moment:
                    return inclusive and at is not None
                return (at < moment) is before
            case HasStatus(status):
                return task.status is status
            case IsOpen():
                return task.status.is_open and not _starts_later(task, now)
            case AnyStatus():
                return True
            case InTrash():
                return task.deleted_at is not None
            case IsOverdue():
                return task.is_overdue(now)
            case IsWaiting():
                return task.is_open and _starts_later(task, now)
            case IsBlocked():
                return any(is_open is None or is_open(blocker) for blocker in task.blocked_by)
            case Says(words):
                said = search_text(task.title, task.notes, task.project, task.tags)
                return folded(words) in said
            case _:
                assert_never(term)

    return holds(wanted)


def _starts_later(task: Task, now: datetime) -> bool:
    return task.start is not None and start_moment(task.start) > now


def _is_below(project: str | None, name: str) -> bool:
    if project is None:
        return False
    path, wanted = folded(project), folded(name)
    return path == wanted or path.startswith(f"{wanted}.")


def _has(task: Task, field: TaskField) -> bool:
    match field:
        case TaskField.DUE:
            return task.due is not None
        case TaskField.START:
            return task.start is not None
        case TaskField.PROJECT:
            return task.project is not None
        case TaskField.TAGS:
            return bool(task.tags)
        case TaskField.PRIORITY:
            return task.priority is not None
        case TaskField.NOTES:
            return bool(task.notes)
        case TaskField.RECURRENCE:
            return task.recurrence is not None
        case TaskField.BLOCKERS:
            return bool(task.blocked_by)
        case _:
            assert_never(field)


def _moment_of(task: Task, field: DayField, zone: str | None) -> datetime | None:
    match field:
        case DayField.DUE:
            return None if task.due is None else task.due.local()
        case DayField.START:
            return None if task.start is None else start_moment(task.start)
        case DayField.COMPLETED:
            if task.completed_at is None:
                return None
            local = task.completed_at.astimezone(None if zone is None else ZoneInfo(zone))
            return local.replace(tzinfo=None)
        case _:
            assert_never(field)


def _day_of(task: Task, field: DayField, zone: str | None) -> date | None:
    moment = _moment_of(task, field, zone)
    return None if moment is None else moment.date()


def describe(wanted: Filter) -> str:
    """The filter as a person would say it: `open · due this week · in work`."""
    return _described(wanted, top=True)


def _described(term: Filter, *, top: bool = False) -> str:
    match term:
        case And(parts):
            # That the trash is left out goes without saying.
            said = [_described(part) for part in parts if part != Not(InTrash())]
            return " · ".join(said) if top else f"({' and '.join(said)})"
        case Or(parts):
            said = [_described(part) for part in parts]
            return " or ".join(said) if top else f"({' or '.join(said)})"
        case Not(Has(field)):
            return f"no {field.value}"
        case Not(part):
            return f"not {_described(part)}"
        case HasId(number):
            return f"#{number}"
        case InProject(name):
            return f"in {name}"
        case HasTag(name):
            return f"tagged {name}"
        case HasPriority(priority):
            return f"{priority.value} priority"
        case Has(field):
            return "repeating" if field is TaskField.RECURRENCE else f"with {field.value}"
        case Within(field, first, last, words):
            return f"{field.value} {_days(first, last, words)}"
        case Side(field, moment, before, inclusive):
            strict, loose = ("before", "by") if before else ("after", "since")
            return f"{field.value} {loose if inclusive else strict} {_day(moment)} {moment:%H:%M}"
        case HasStatus(status):
            return status.value
        case IsOpen():
            return "open"
        case AnyStatus():
            return "all"
        case InTrash():
            return "in the trash"
        case IsOverdue():
            return "overdue"
        case IsWaiting():
            return "waiting"
        case IsBlocked():
            return "blocked"
        case Says(words):
            return f"“{words}”"
        case _:
            assert_never(term)


def _days(first: date | None, last: date | None, words: str) -> str:
    if first is not None and first == last:
        return f"{words} ({_day(first)})" if words else _day(first)
    if first is not None and last is not None:
        span = f"{_day(first)} – {_day(last)}"
        return f"{words} ({span})" if words else span
    if last is not None:
        return f"until {_day(last)}"
    return "any day" if first is None else f"from {_day(first)}"


def _day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b}"
