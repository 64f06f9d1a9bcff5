"""Filters held against one task, with the same outcome as in the store."""

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
)
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded, search_text


def matches(  # noqa: C901 - as `holds`, which is all of it
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

    def holds(term: Filter) -> bool:  # noqa: C901 - one case a kind of term
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
