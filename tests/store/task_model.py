"""A plain model of filters and orders, one task at a time, to hold the answers of SQL against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Protocol, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filters.terms import (
    And,
    BeforeOrAfter,
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
    EstimateWithin,
    Filter,
    Grouping,
    HasField,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    Not,
    Or,
    SortField,
    SortTerm,
    TaskField,
    TaskState,
    WithinDays,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import fold_case, search_text
from todo_tui.domain.urgency import NEXT_DAYS, TaskGroup, explain_urgency
from todo_tui.domain.when import When, effective_zone
from todo_tui.store.tasks.sorting import (
    GROUP_ORDER,
    PRIORITY_ORDER,
    STATUS_ORDER,
    GroupHeading,
    HeadingValue,
    heading_of,
)


class TaskRelations(Protocol):
    """Relations between tasks, by id; tasks in the trash exist, too."""

    def is_open(self, task_id: int) -> bool:
        """Return True for a task that is todo or doing, and not in the trash."""

    def parent_of(self, task: Task) -> Task | None:
        """Return the parent of a task."""

    def has_children(self, task_id: int) -> bool:
        """Return True if a child of the task is outside the trash."""

    def is_blocking(self, task_id: int) -> bool:
        """Return True if an open task waits for this one."""


class NoRelations:
    """Relations of a single task without others; all blockers count as open."""

    def is_open(self, task_id: int) -> bool:
        """Return True."""
        return True

    def parent_of(self, task: Task) -> Task | None:
        """Return None."""
        return None

    def has_children(self, task_id: int) -> bool:
        """Return False."""
        return False

    def is_blocking(self, task_id: int) -> bool:
        """Return False."""
        return False


def matches(
    wanted: Filter,
    task: Task,
    now: datetime,
    *,
    zone: str,
    relations: TaskRelations | None = None,
) -> bool:
    """Return True if a task matches a filter, with the same answer as the store.

    Args:
        wanted: the filter.
        task: the task.
        now: naive local wall time.
        zone: zone of `now` and of the days of instants such as `completed_at`.
        relations: relations to other tasks; without them the task stands alone.
    """
    return _TaskMatcher(task, now, zone, relations or NoRelations()).holds(wanted)


@dataclass(frozen=True, slots=True)
class _TaskMatcher:
    """Match of one task at one moment, in one zone, among others."""

    task: Task
    now: datetime
    zone: str
    relations: TaskRelations

    def holds(self, term: Filter) -> bool:  # noqa: C901 - one case a kind of term
        match term:
            case And(parts):
                return all(map(self.holds, parts))
            case Or(parts):
                return any(map(self.holds, parts))
            case Not(part):
                return not self.holds(part)
            case TaskState():
                return self._has_state(term)
            case HasIds(ranges):
                return any(first <= self.task.id <= last for first, last in ranges)
            case ChildOf(number):
                return self.task.parent == number
            case DescendantOf(number):
                return self._is_descendant_of(number)
            case InProject(name):
                return _is_in_project(project_of(self.task, self.relations), name)
            case HasTag(name):
                return fold_case(name) in map(fold_case, self.task.tags)
            case HasPriority(priorities):
                return self.task.priority in priorities
            case EstimateWithin(lowest, highest):
                minutes = self.task.estimate
                return minutes is not None and (lowest or 0) <= minutes <= (highest or minutes)
            case HasField(field):
                return self._has_field(field)
            case WithinDays():
                return self._is_within(term)
            case BeforeOrAfter():
                return self._is_before_or_after(term)
            case HasStatus(status):
                return self.task.status is status
            case ContainsText(words):
                return fold_case(words) in self._text()
            case _:
                assert_never(term)

    def _has_state(self, state: TaskState) -> bool:
        task = self.task
        match state:
            case TaskState.OPEN:
                return task.status.is_open and not task.starts_later(self.now, self.zone)
            case TaskState.ANY:
                return True
            case TaskState.IN_TRASH:
                return task.deleted_at is not None
            case TaskState.OVERDUE:
                return task.is_overdue(self.now, self.zone)
            case TaskState.WAITING:
                return task.is_open and task.starts_later(self.now, self.zone)
            case TaskState.STARTED:
                begun = task.start is not None and not task.starts_later(self.now, self.zone)
                return task.is_open and (begun or task.status is Status.DOING)
            case TaskState.BLOCKED:
                return self._is_blocked()
            case TaskState.BLOCKING:
                return task.is_open and self.relations.is_blocking(task.id)
            case TaskState.READY:
                return task.is_open and not (
                    task.starts_later(self.now, self.zone) or self._is_blocked()
                )
            case _:
                assert_never(state)

    def _is_blocked(self) -> bool:
        return any(map(self.relations.is_open, self.task.blocked_by))

    def _is_descendant_of(self, number: int) -> bool:
        ancestor = self.relations.parent_of(self.task)
        while ancestor is not None and ancestor.id != number:
            ancestor = self.relations.parent_of(ancestor)
        return ancestor is not None

    def _has_field(self, field: TaskField) -> bool:  # noqa: C901 - one case a field
        match field:
            case TaskField.DUE:
                return self.task.due is not None
            case TaskField.START:
                return self.task.start is not None
            case TaskField.PROJECT:
                return project_of(self.task, self.relations) is not None
            case TaskField.TAGS:
                return bool(self.task.tags)
            case TaskField.PRIORITY:
                return self.task.priority is not None
            case TaskField.ESTIMATE:
                return self.task.estimate is not None
            case TaskField.NOTES:
                return bool(self.task.notes)
            case TaskField.RECURRENCE:
                return self.task.recurrence is not None
            case TaskField.BLOCKERS:
                return bool(self.task.blocked_by)
            case TaskField.PARENT:
                return self.task.parent is not None
            case TaskField.CHILDREN:
                return self.relations.has_children(self.task.id)
            case TaskField.ANNOTATIONS:
                return bool(self.task.annotations)
            case _:
                assert_never(field)

    def _is_within(self, days: WithinDays) -> bool:
        moment = self._moment(days.of)
        if moment is None:
            return False
        day = moment.date()
        return (days.first or day) <= day <= (days.last or day)

    def _is_before_or_after(self, side: BeforeOrAfter) -> bool:
        moment = self._moment(side.of)
        if moment is None or moment == side.moment:
            return side.inclusive and moment is not None
        return (moment < side.moment) is side.before

    def _moment(self, field: DayField) -> datetime | None:
        task = self.task
        match field:
            case DayField.DUE:
                due = task.due_in(self.zone)
                return None if due is None else due.local()
            case DayField.START:
                start = task.start_in(self.zone)
                return None if start is None else start.begins()
            case DayField.COMPLETED:
                return None if task.completed_at is None else self._local(task.completed_at)
            case DayField.CREATED:
                return self._local(task.created_at)
            case DayField.UPDATED:
                return self._local(task.updated_at)
            case _:
                assert_never(field)

    def _local(self, instant: datetime) -> datetime:
        return instant.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)

    def _text(self) -> str:
        task = self.task
        return search_text(task.title, task.notes, task.project, task.tags)


def project_of(task: Task, relations: TaskRelations) -> str | None:
    """Return the project of a task, or of the nearest task above it that has one.

    None where a task is open below a closed one, or was not deleted with the one above it.
    """
    below = task
    while below.project is None:
        above = relations.parent_of(below)
        if above is None or above.deleted_at != task.deleted_at:
            return None
        if below.status.is_open and not above.status.is_open:
            return None
        below = above
    return below.project


def _is_in_project(project: str | None, name: str) -> bool:
    if project is None:
        return False
    path, wanted = fold_case(project), fold_case(name)
    return path == wanted or path.startswith(f"{wanted}.")


KeyPart = int | str
SortKey = tuple[KeyPart, ...]
_HIGHEST = 0x10FFFF
_URGENCY_UNITS = 28
SORTS_LAST = 1 << 62
"""Sort key after every due instant."""


def sort_key(
    task: Task,
    sort: Sequence[SortTerm],
    now: datetime,
    zone: str,
    relations: TaskRelations | None = None,
) -> SortKey:
    """Return the sort key of a task: its fields, then due moment, position and id."""
    others = relations or NoRelations()
    key: list[KeyPart] = []
    for term in sort:
        key += nulls_last(_value(task, term.field, now, zone, others), term)
    due = task.due
    due_at = SORTS_LAST if due is None else _due_at(due, effective_zone(task.due_zone, zone))
    return (*key, due_at, task.position, task.id)


def nulls_last(value: KeyPart | None, term: SortTerm) -> tuple[KeyPart, KeyPart]:
    """Return a value as two parts of a key: missing ones come last in either direction."""
    if value is None:
        return (1, 0)
    if not term.descending:
        return (0, value)
    return (0, -value if isinstance(value, int) else invert_text(value))


def invert_text(text: str) -> str:
    """Return a text that sorts in reverse order."""
    return "".join(chr(_HIGHEST - ord(character)) for character in text) + chr(_HIGHEST)


def to_milliseconds(instant: datetime) -> int:
    """Return an instant as whole milliseconds since 1970."""
    return round(instant.timestamp() * 1000)


def group_sort_key(task: Task, zone: str) -> SortKey:
    """Return the sort key of a task under its heading, as in the store's outline.

    By due instant, those without one last; then by manual order. Under "done" the
    newest comes first. `zone` is for all-day moments.
    """
    is_done = not task.status.is_open and task.deleted_at is None
    if is_done and task.completed_at is not None:
        return (-to_milliseconds(task.completed_at), "", task.id)
    if task.due is None:
        return (SORTS_LAST, task.position, task.id)
    due_at = task.due.instant(effective_zone(task.due_zone, zone))
    return (int(due_at.timestamp()), task.position, task.id)


def _value(  # noqa: C901 - one case a field
    task: Task, field: SortField, now: datetime, zone: str, others: TaskRelations
) -> KeyPart | None:
    match field:
        case SortField.DUE:
            return (
                None if task.due is None else _due_at(task.due, effective_zone(task.due_zone, zone))
            )
        case SortField.START:
            return None if (start := task.start_in(zone)) is None else _wall_seconds(start.begins())
        case SortField.PRIORITY:
            return None if task.priority is None else task.priority.rank
        case SortField.ESTIMATE:
            return task.estimate
        case SortField.URGENCY:
            return _urgency(task, now, zone, others)
        case SortField.CREATED:
            return to_milliseconds(task.created_at)
        case SortField.UPDATED:
            return to_milliseconds(task.updated_at)
        case SortField.DONE:
            return None if task.completed_at is None else to_milliseconds(task.completed_at)
        case SortField.DELETED:
            return None if task.deleted_at is None else to_milliseconds(task.deleted_at)
        case SortField.TITLE:
            return fold_case(task.title)
        case SortField.PROJECT:
            return None if task.project is None else fold_case(task.project)
        case SortField.POSITION:
            return task.position
        case SortField.ID:
            return task.id
        case _:
            assert_never(field)


def _urgency(task: Task, now: datetime, zone: str, others: TaskRelations) -> int | None:
    """Return the urgency in its smallest units; None for closed tasks."""
    if not task.is_open:
        return None
    blocked = any(map(others.is_open, task.blocked_by))
    points = sum(part.points for part in explain_urgency(task, now, zone, blocked=blocked))
    return round(points * _URGENCY_UNITS)


def _due_at(due: When, zone: str) -> int:
    return int(due.instant(zone).timestamp())


def _wall_seconds(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())


def group_headings(
    task: Task, grouping: Grouping, now: datetime, zone: str, relations: TaskRelations
) -> tuple[GroupHeading, ...]:
    """Return the headings of a task: one for each tag, or one of any other kind."""
    values: tuple[HeadingValue, ...]
    due = task.due_in(zone)
    match grouping:
        case Grouping.DUE:
            values = (GROUP_ORDER.index(task_group(task, now, zone)),)
        case Grouping.DAY:
            values = (None if due is None else due.day.isoformat(),)
        case Grouping.PROJECT:
            values = (project_of(task, relations),)
        case Grouping.PRIORITY:
            values = (None if task.priority is None else PRIORITY_ORDER.index(task.priority),)
        case Grouping.STATUS:
            values = (STATUS_ORDER.index(task.status),)
        case Grouping.DONE:
            day = _day_done(task, zone)
            values = (None if day is None else day.isoformat(),)
        case Grouping.TAG:
            values = task.tags or (None,)
        case Grouping.NONE:
            values = (None,)
        case _:
            assert_never(grouping)
    return tuple(heading_of(grouping, value, now) for value in values)


def _day_done(task: Task, zone: str) -> date | None:
    if task.completed_at is None:
        return None
    return task.completed_at.astimezone(ZoneInfo(zone)).date()


def task_group(task: Task, now: datetime, zone: str) -> TaskGroup:
    """Return the heading of a task; `now` is naive and local in `zone`."""
    due = task.due_in(zone)
    if task.deleted_at is not None:
        return TaskGroup.TRASH
    if not task.status.is_open:
        return TaskGroup.DONE
    if task.starts_later(now, zone):
        return TaskGroup.WAITING
    if due is None:
        return TaskGroup.NONE
    if task.is_overdue(now, zone):
        return TaskGroup.OVERDUE
    if due.day == now.date():
        return TaskGroup.TODAY
    soon = now.date() + timedelta(days=NEXT_DAYS - 1)
    return TaskGroup.NEXT if due.day <= soon else TaskGroup.LATER
