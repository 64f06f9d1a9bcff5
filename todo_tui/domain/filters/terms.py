"""Filter terms and queries: the syntax tree of the filter language.

Also sort and group fields, and the default scope: open tasks outside the trash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum, StrEnum
from typing import NamedTuple

from todo_tui.domain.task import Priority, Status

PRIORITY_ORDER = (None, Priority.LOW, Priority.MEDIUM, Priority.HIGH)
"""Priorities in the order of comparisons, lowest first; None means no priority."""


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction; without parts, every task matches."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction; without parts, no task matches."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    part: Filter


@dataclass(frozen=True, slots=True)
class HasIds:
    """Match tasks with one of these ids: (first, last) ranges, sorted and disjoint."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ChildOf:
    """Match direct subtasks of a task."""

    id: int


@dataclass(frozen=True, slots=True)
class DescendantOf:
    """Match subtasks of a task at any depth, without the task itself."""

    id: int


@dataclass(frozen=True, slots=True)
class InProject:
    """Match tasks in this project or below it, ignoring case."""

    name: str


@dataclass(frozen=True, slots=True)
class HasTag:
    """Match tasks with this tag, ignoring case."""

    name: str


@dataclass(frozen=True, slots=True)
class HasPriority:
    """Match any of these priorities, lowest first; None means no priority."""

    priorities: tuple[Priority | None, ...]


@dataclass(frozen=True, slots=True)
class EstimateWithin:
    """Match estimates of `lowest` to `highest` minutes, both included; None leaves a side open."""

    lowest: int | None
    highest: int | None


class TaskField(StrEnum):
    """Field that a task may have or lack."""

    DUE = "due date"
    START = "start"
    PROJECT = "project"
    TAGS = "tags"
    PRIORITY = "priority"
    ESTIMATE = "estimate"
    NOTES = "notes"
    RECURRENCE = "repeat"
    BLOCKERS = "blockers"
    PARENT = "parent"
    CHILDREN = "children"
    ANNOTATIONS = "annotations"


@dataclass(frozen=True, slots=True)
class HasField:
    """Match tasks with the field set."""

    of: TaskField


class DayField(StrEnum):
    """Field that holds a day."""

    DUE = "due"
    START = "start"
    COMPLETED = "completed"
    CREATED = "created"
    UPDATED = "updated"


@dataclass(frozen=True, slots=True)
class WithinDays:
    """Match a day from `first` to `last`, both included; None leaves that side open.

    `words` are the user's, for a description.
    """

    of: DayField
    first: date | None
    last: date | None
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BeforeOrAfter:
    """Match before or after a local moment, itself included if `inclusive`."""

    of: DayField
    moment: datetime
    before: bool
    inclusive: bool


@dataclass(frozen=True, slots=True)
class HasStatus:
    """Match tasks with this status."""

    status: Status


@dataclass(frozen=True, slots=True)
class ContainsText:
    """Match tasks with these words in title, notes, project or tags, ignoring case."""

    words: str


class TaskState(Enum):
    """Match tasks in a state; the value is its text for users."""

    OPEN = "open"
    """Todo or doing, not waiting for its start: the default scope of lists."""
    ANY = "all"
    IN_TRASH = "in the trash"
    OVERDUE = "overdue"
    """Open, and its due moment has passed."""
    WAITING = "waiting"
    """Open, and its start lies in the future."""
    STARTED = "started"
    """Open, and in progress or with a start that has passed."""
    BLOCKED = "blocked"
    """Waiting for an open task."""
    BLOCKING = "blocking"
    """Open, and another open task waits for it."""
    READY = "ready"
    """Open, and waiting for neither a start nor another task."""


SingleTerm = (
    HasIds
    | ChildOf
    | DescendantOf
    | InProject
    | HasTag
    | HasPriority
    | EstimateWithin
    | HasField
    | WithinDays
    | BeforeOrAfter
    | HasStatus
    | ContainsText
    | TaskState
)
"""Term without nested terms."""
Filter = And | Or | Not | SingleTerm
EVERYTHING = And(())
"""Matches every task."""


def all_of(*parts: Filter) -> Filter:
    """Return the conjunction of the parts, nested ones flattened."""
    return _joined(And, parts)


def any_of(*parts: Filter) -> Filter:
    """Return the disjunction of the parts, nested ones flattened."""
    return _joined(Or, parts)


def _joined(join: type[And] | type[Or], parts: Iterable[Filter]) -> Filter:
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, join) else (part,))
    return flat[0] if len(flat) == 1 else join(tuple(flat))


NOT_IN_TRASH = Not(TaskState.IN_TRASH)
OPEN_TASKS = all_of(NOT_IN_TRASH, TaskState.OPEN)
"""Filter of a list without one."""
_LEAVE_STATUS_OPEN = (TaskState.OVERDUE, TaskState.BLOCKED, TaskState.BLOCKING)
"""States to which the default scope is added."""


def asks_for_closed(condition: Filter) -> bool:
    """Return True if only closed tasks outside the trash match: done or cancelled ones."""
    match condition:
        case And(parts):
            return TaskState.IN_TRASH not in parts and any(map(asks_for_closed, parts))
        case Or(parts):
            return bool(parts) and all(map(asks_for_closed, parts))
        case WithinDays() | BeforeOrAfter():
            return condition.of is DayField.COMPLETED
        case HasStatus(status):
            return status in (Status.DONE, Status.CANCELLED)
        case _:
            return False


def with_default_scope(condition: Filter) -> Filter:
    """Restrict a filter to open tasks outside the trash, unless it says otherwise.

    Each side of an `or` is completed by itself, so `done or today` means done tasks,
    and open tasks due today. Negations decide nothing: `not done` still means open
    tasks. The function is idempotent.
    """
    for scope, decides in ((TaskState.OPEN, _decides_status), (NOT_IN_TRASH, _decides_trash)):
        completed = _completed(condition, scope, decides)
        condition = all_of(scope, condition) if completed is None else completed
    return condition


def _decides_status(term: Filter) -> bool:
    if isinstance(term, WithinDays | BeforeOrAfter):
        return term.of is DayField.COMPLETED
    if isinstance(term, TaskState):
        return term not in _LEAVE_STATUS_OPEN
    return isinstance(term, HasIds | HasStatus)


def _decides_trash(term: Filter) -> bool:
    return term in (TaskState.IN_TRASH, NOT_IN_TRASH)


def _completed(
    condition: Filter, scope: Filter, decides: Callable[[Filter], bool]
) -> Filter | None:
    """Add the scope to the alternatives that do not decide it; None if nothing decides it."""
    if decides(condition):
        return condition
    match condition:
        case Not(Not(part)):
            found = _completed(part, scope, decides)
            return condition if found == part else found
        case And(parts) | Or(parts):
            completed = [_completed(part, scope, decides) for part in parts]
            if condition != Or(()) and all(each is None for each in completed):
                return None
            pairs = tuple(zip(parts, completed, strict=True))
            if isinstance(condition, Or):
                return Or(tuple(new or all_of(scope, part) for part, new in pairs))
            # A part that decides it in all cases does so for the others.
            is_decided = any(part == new for part, new in pairs)
            return condition if is_decided else And(tuple(new or part for part, new in pairs))
        case _:
            return None


class SortField(StrEnum):
    """Field to sort by, as written after `sort:`."""

    DUE = "due"
    START = "start"
    PRIORITY = "priority"
    URGENCY = "urgency"
    ESTIMATE = "estimate"
    CREATED = "created"
    UPDATED = "updated"
    DONE = "done"
    DELETED = "deleted"
    TITLE = "title"
    PROJECT = "project"
    POSITION = "position"
    ID = "id"

    @property
    def highest_first(self) -> bool:
        """True if the highest value comes first without a sign."""
        return self in (SortField.PRIORITY, SortField.URGENCY)


class SortTerm(NamedTuple):
    """Field to sort by with its direction; tasks without it come last either way."""

    field: SortField
    descending: bool


MANUAL = SortTerm(SortField.POSITION, descending=False)


class Grouping(StrEnum):
    """Field to group by, as written after `group:`."""

    DUE = "due"
    """Default groups of the list: overdue, today, next and so on."""
    DAY = "day"
    """Due day."""
    PROJECT = "project"
    PRIORITY = "priority"
    TAG = "tag"
    STATUS = "status"
    DONE = "done"
    """Day of completion, newest first."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Query:
    """Filter with its sort order and grouping.

    An empty `sort` is the default order: by due moment, then by position; closed tasks alone are
    ordered and grouped by the day on which they were closed. `group` is None if not given.
    """

    filter: Filter = OPEN_TASKS
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None

    def __post_init__(self) -> None:
        if self.group is Grouping.DAY and asks_for_closed(self.filter):
            object.__setattr__(self, "group", Grouping.DONE)
