"""Filters held against one task, with the same outcome as in the store."""

from __future__ import annotations

from datetime import date, datetime
from typing import assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filter_relations import NoRelations, Relations
from todo_tui.domain.filter_terms import (
    And,
    AnyStatus,
    Below,
    ChildOf,
    DayField,
    Filter,
    Has,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsBlocking,
    IsOpen,
    IsOverdue,
    IsReady,
    IsStarted,
    IsWaiting,
    Not,
    Or,
    PriorityWithin,
    Says,
    Side,
    TaskField,
    Within,
    priorities_within,
    start_moment,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import folded, search_text


def matches(  # noqa: C901 - as `holds`, which is all of it
    wanted: Filter,
    task: Task,
    now: datetime,
    *,
    zone: str | None = None,
    relations: Relations | None = None,
) -> bool:
    """Whether a filter holds for a task, as the store would say.

    Args:
        wanted: what `parse_filter` answered.
        task: the task.
        now: naive local wall time.
        zone: in which instants such as `completed_at` have their day; the system's if None.
        relations: what other tasks tell; without it the task stands alone.
    """
    others = relations or NoRelations()

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
            case HasIds(stretches):
                return any(first <= task.id <= last for first, last in stretches)
            case ChildOf(number):
                return task.parent == number
            case Below(number):
                return _is_under(task, number, others)
            case InProject(name):
                return _is_below(task.project, name)
            case HasTag(name):
                return folded(name) in map(folded, task.tags)
            case HasPriority(priority):
                return task.priority is priority
            case PriorityWithin():
                return task.priority in priorities_within(term)
            case Has(field):
                return _has(task, field, others)
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
            case IsStarted():
                begun = task.start is not None and not _starts_later(task, now)
                return task.is_open and (begun or task.status is Status.DOING)
            case IsBlocked():
                return _is_blocked(task, others)
            case IsBlocking():
                return task.is_open and others.holds_up(task.id)
            case IsReady():
                is_held = _starts_later(task, now) or _is_blocked(task, others)
                return task.is_open and not is_held
            case Says(words):
                said = search_text(task.title, task.notes, task.project, task.tags)
                return folded(words) in said
            case _:
                assert_never(term)

    return holds(wanted)


def _is_under(task: Task, number: int, others: Relations) -> bool:
    seen: set[int] = set()
    above = task.parent
    while above is not None and above not in seen:
        if above == number:
            return True
        seen.add(above)
        above = others.parent_of(above)
    return False


def _is_blocked(task: Task, others: Relations) -> bool:
    return any(others.is_open(blocker) for blocker in task.blocked_by)


def _starts_later(task: Task, now: datetime) -> bool:
    return task.start is not None and start_moment(task.start) > now


def _is_below(project: str | None, name: str) -> bool:
    if project is None:
        return False
    path, wanted = folded(project), folded(name)
    return path == wanted or path.startswith(f"{wanted}.")


def _has(task: Task, field: TaskField, others: Relations) -> bool:  # noqa: C901 - one case a field
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
        case TaskField.PARENT:
            return task.parent is not None
        case TaskField.CHILDREN:
            return others.has_children(task.id)
        case TaskField.REMARKS:
            return bool(task.annotations)
        case _:
            assert_never(field)


def _moment_of(task: Task, field: DayField, zone: str | None) -> datetime | None:
    match field:
        case DayField.DUE:
            return None if task.due is None else task.due.local()
        case DayField.START:
            return None if task.start is None else start_moment(task.start)
        case DayField.COMPLETED:
            return None if task.completed_at is None else _local(task.completed_at, zone)
        case DayField.CREATED:
            return _local(task.created_at, zone)
        case DayField.UPDATED:
            return _local(task.updated_at, zone)
        case _:
            assert_never(field)


def _local(instant: datetime, zone: str | None) -> datetime:
    return instant.astimezone(None if zone is None else ZoneInfo(zone)).replace(tzinfo=None)


def _day_of(task: Task, field: DayField, zone: str | None) -> date | None:
    moment = _moment_of(task, field, zone)
    return None if moment is None else moment.date()
