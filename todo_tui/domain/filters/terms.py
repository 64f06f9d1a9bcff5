"""Filter terms and queries: the syntax tree of the filter language.

Also sort and group fields, and the default scope: open tasks outside the trash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar, NamedTuple

from todo_tui.domain.task import Priority, Status

PRIORITY_ORDER = (None, Priority.LOW, Priority.MEDIUM, Priority.HIGH)
"""Priorities in the order of comparisons, lowest first; None is no priority."""


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
class HasId:
    """Match the task with this id."""

    id: int


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
    """Match tasks with exactly this priority."""

    priority: Priority


@dataclass(frozen=True, slots=True)
class PriorityBetween:
    """Match priorities from `lowest` to `highest`, both included; None is no priority."""

    lowest: Priority | None
    highest: Priority | None

    @property
    def priorities(self) -> tuple[Priority | None, ...]:
        """Matching priorities, lowest first."""
        lowest, highest = map(PRIORITY_ORDER.index, (self.lowest, self.highest))
        return PRIORITY_ORDER[lowest : highest + 1]


class TaskField(StrEnum):
    """Field that a task may have or lack."""

    DUE = "due date"
    START = "start"
    PROJECT = "project"
    TAGS = "tags"
    PRIORITY = "priority"
    NOTES = "notes"
    RECURRENCE = "repeat"
    BLOCKERS = "blockers"
    PARENT = "parent"
    CHILDREN = "children"
    REMARKS = "remarks"


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


class StateTerm:
    """Base of terms without values; `description` is their text for users.

    As dataclasses, these would make `todo-tui list` wait.
    """

    __slots__ = ()
    description: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class IsOpen(StateTerm):
    """Match todo or doing, not waiting for its start: the default scope of lists."""

    __slots__ = ()
    description = "open"


class AnyStatus(StateTerm):
    """Match any status."""

    __slots__ = ()
    description = "all"


class InTrash(StateTerm):
    """Match tasks in the trash."""

    __slots__ = ()
    description = "in the trash"


class IsOverdue(StateTerm):
    """Match open tasks whose due moment has passed."""

    __slots__ = ()
    description = "overdue"


class IsWaiting(StateTerm):
    """Match open tasks whose start lies in the future."""

    __slots__ = ()
    description = "waiting"


class IsStarted(StateTerm):
    """Match open tasks in progress or with a start that has passed."""

    __slots__ = ()
    description = "started"


class IsBlocked(StateTerm):
    """Match tasks that wait for an open task."""

    __slots__ = ()
    description = "blocked"


class IsBlocking(StateTerm):
    """Match open tasks that another open task waits for."""

    __slots__ = ()
    description = "blocking"


class IsReady(StateTerm):
    """Match open tasks that wait for neither a start nor another task."""

    __slots__ = ()
    description = "ready"


AnyStateTerm = (
    IsOpen
    | AnyStatus
    | InTrash
    | IsOverdue
    | IsWaiting
    | IsStarted
    | IsBlocked
    | IsBlocking
    | IsReady
)
"""Union of all states, for exhaustive `match` statements."""

SingleTerm = (
    HasId
    | HasIds
    | ChildOf
    | DescendantOf
    | InProject
    | HasTag
    | HasPriority
    | PriorityBetween
    | HasField
    | WithinDays
    | BeforeOrAfter
    | HasStatus
    | ContainsText
    | AnyStateTerm
)
"""Term without nested terms."""

Filter = And | Or | Not | SingleTerm

EVERYTHING = And(())
"""Matches every task."""


def all_of(*parts: Filter) -> Filter:
    """Return the conjunction of the parts, nested ones flattened."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def any_of(*parts: Filter) -> Filter:
    """Return the disjunction of the parts, nested ones flattened."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


NOT_IN_TRASH = Not(InTrash())

OPEN_TASKS = all_of(NOT_IN_TRASH, IsOpen())
"""Filter of a list without one."""

_DECIDES_STATUS = (
    HasId,
    HasIds,
    HasStatus,
    IsOpen,
    AnyStatus,
    InTrash,
    IsWaiting,
    IsStarted,
    IsReady,
)


def with_default_scope(condition: Filter) -> Filter:
    """Restrict a filter to open tasks outside the trash, unless it says otherwise.

    Each side of an `or` is completed by itself, so `done or today` means done tasks,
    and open tasks due today. Negations decide nothing: `not done` still means open
    tasks. The function is idempotent.
    """
    for scope, decides in ((IsOpen(), _decides_status), (NOT_IN_TRASH, _decides_trash)):
        completed = _completed(condition, scope, decides)
        condition = all_of(scope, condition) if completed is None else completed
    return condition


def _decides_status(term: Filter) -> bool:
    if isinstance(term, WithinDays | BeforeOrAfter):
        return term.of is DayField.COMPLETED
    return isinstance(term, _DECIDES_STATUS)


def _decides_trash(term: Filter) -> bool:
    return isinstance(term, InTrash) or term == NOT_IN_TRASH


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

    An empty `sort` is the default order: by due moment, then by position. `group` is
    None if not given.
    """

    filter: Filter = OPEN_TASKS
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None
