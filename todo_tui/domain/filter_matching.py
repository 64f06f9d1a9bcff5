"""Filters held against one task, with the same outcome as in the store."""

from __future__ import annotations

from datetime import datetime
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
    KnownState,
    Not,
    Or,
    PriorityWithin,
    Says,
    Side,
    State,
    TaskField,
    Within,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import folded, search_text


def matches(
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
    return _Sight(task, now, zone, relations or NoRelations()).holds(wanted)


class _Sight:
    """A task as filters see it: at one moment, in one zone, among others."""

    __slots__ = ("_now", "_others", "_task", "_zone")

    def __init__(self, task: Task, now: datetime, zone: str | None, others: Relations) -> None:
        self._task = task
        self._now = now
        self._zone = zone
        self._others = others

    def holds(self, term: Filter) -> bool:  # noqa: C901 - one case a kind of term
        match term:
            case And(parts):
                return all(map(self.holds, parts))
            case Or(parts):
                return any(map(self.holds, parts))
            case Not(part):
                return not self.holds(part)
            case State():
                return self._is(term)
            case HasId(number):
                return self._task.id == number
            case HasIds(stretches):
                return any(first <= self._task.id <= last for first, last in stretches)
            case ChildOf(number):
                return self._task.parent == number
            case Below(number):
                return self._lies_below(number)
            case InProject(name):
                return _is_part(self._task.project, name)
            case HasTag(name):
                return folded(name) in map(folded, self._task.tags)
            case HasPriority(priority):
                return self._task.priority is priority
            case PriorityWithin():
                return self._task.priority in term.priorities
            case Has(field):
                return self._has(field)
            case Within():
                return self._lies_within(term)
            case Side():
                return self._lies_beside(term)
            case HasStatus(status):
                return self._task.status is status
            case Says(words):
                return folded(words) in self._text()
            case _:
                assert_never(term)

    def _is(self, state: KnownState) -> bool:
        task = self._task
        match state:
            case IsOpen():
                return task.status.is_open and not task.starts_later(self._now)
            case AnyStatus():
                return True
            case InTrash():
                return task.deleted_at is not None
            case IsOverdue():
                return task.is_overdue(self._now)
            case IsWaiting():
                return task.is_open and task.starts_later(self._now)
            case IsStarted():
                begun = task.start is not None and not task.starts_later(self._now)
                return task.is_open and (begun or task.status is Status.DOING)
            case IsBlocked():
                return self._is_blocked()
            case IsBlocking():
                return task.is_open and self._others.holds_up(task.id)
            case IsReady():
                return task.is_open and not (task.starts_later(self._now) or self._is_blocked())
            case _:
                assert_never(state)

    def _is_blocked(self) -> bool:
        return any(map(self._others.is_open, self._task.blocked_by))

    def _lies_below(self, number: int) -> bool:
        seen: set[int] = set()
        above = self._task.parent
        while above is not None and above not in seen:
            if above == number:
                return True
            seen.add(above)
            above = self._others.parent_of(above)
        return False

    def _has(self, field: TaskField) -> bool:  # noqa: C901 - one case a field
        match field:
            case TaskField.DUE:
                return self._task.due is not None
            case TaskField.START:
                return self._task.start is not None
            case TaskField.PROJECT:
                return self._task.project is not None
            case TaskField.TAGS:
                return bool(self._task.tags)
            case TaskField.PRIORITY:
                return self._task.priority is not None
            case TaskField.NOTES:
                return bool(self._task.notes)
            case TaskField.RECURRENCE:
                return self._task.recurrence is not None
            case TaskField.BLOCKERS:
                return bool(self._task.blocked_by)
            case TaskField.PARENT:
                return self._task.parent is not None
            case TaskField.CHILDREN:
                return self._others.has_children(self._task.id)
            case TaskField.REMARKS:
                return bool(self._task.annotations)
            case _:
                assert_never(field)

    def _lies_within(self, days: Within) -> bool:
        moment = self._moment(days.of)
        if moment is None:
            return False
        day = moment.date()
        return (days.first or day) <= day <= (days.last or day)

    def _lies_beside(self, side: Side) -> bool:
        moment = self._moment(side.of)
        if moment is None or moment == side.moment:
            return side.inclusive and moment is not None
        return (moment < side.moment) is side.before

    def _moment(self, field: DayField) -> datetime | None:
        task = self._task
        match field:
            case DayField.DUE:
                return None if task.due is None else task.due.local()
            case DayField.START:
                return None if task.start is None else task.start.begins()
            case DayField.COMPLETED:
                return None if task.completed_at is None else self._local(task.completed_at)
            case DayField.CREATED:
                return self._local(task.created_at)
            case DayField.UPDATED:
                return self._local(task.updated_at)
            case _:
                assert_never(field)

    def _local(self, instant: datetime) -> datetime:
        zone = None if self._zone is None else ZoneInfo(self._zone)
        return instant.astimezone(zone).replace(tzinfo=None)

    def _text(self) -> str:
        task = self._task
        return search_text(task.title, task.notes, task.project, task.tags)


def _is_part(project: str | None, name: str) -> bool:
    if project is None:
        return False
    path, wanted = folded(project), folded(name)
    return path == wanted or path.startswith(f"{wanted}.")
