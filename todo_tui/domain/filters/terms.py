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
"""The priorities by which filters compare, the lowest first; None is to have none."""


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; without parts, every task fits."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds; without parts, no task fits."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Filter


@dataclass(frozen=True, slots=True)
class HasId:
    """The task with this number."""

    id: int


@dataclass(frozen=True, slots=True)
class HasIds:
    """A task with one of these numbers: stretches from first to last, sorted and apart."""

    stretches: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ChildOf:
    """A subtask of this task, one level down."""

    id: int


@dataclass(frozen=True, slots=True)
class DescendantOf:
    """A subtask of this task at any depth; the task itself is none."""

    id: int


@dataclass(frozen=True, slots=True)
class InProject:
    """In this project or one below it, in whatever case it is written."""

    name: str


@dataclass(frozen=True, slots=True)
class HasTag:
    """With this tag, in whatever case it is written."""

    name: str


@dataclass(frozen=True, slots=True)
class HasPriority:
    """With exactly this priority."""

    priority: Priority


@dataclass(frozen=True, slots=True)
class PriorityBetween:
    """With a priority from `lowest` to `highest`, both included; None is to have none."""

    lowest: Priority | None
    highest: Priority | None

    @property
    def priorities(self) -> tuple[Priority | None, ...]:
        """Those that it lets in, the lowest first."""
        lowest, highest = map(PRIORITY_ORDER.index, (self.lowest, self.highest))
        return PRIORITY_ORDER[lowest : highest + 1]


class TaskField(StrEnum):
    """A field that a task may have or lack."""

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
    """The field is set."""

    of: TaskField


class DayField(StrEnum):
    """A field that says a day."""

    DUE = "due"
    START = "start"
    COMPLETED = "completed"
    CREATED = "created"
    UPDATED = "updated"


@dataclass(frozen=True, slots=True)
class WithinDays:
    """On a day from `first` to `last`, both included; None leaves that side open.

    `words` are those of the person, and `sense` is how they were meant (`before`, `after`,
    `until`, `since`, or nothing for the days themselves).
    """

    of: DayField
    first: date | None
    last: date | None
    words: str = field(default="", compare=False)
    sense: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BeforeOrAfter:
    """Before or after a local moment, which itself counts when `inclusive`; `words` say it."""

    of: DayField
    moment: datetime
    before: bool
    inclusive: bool
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class HasStatus:
    """With this status."""

    status: Status


@dataclass(frozen=True, slots=True)
class ContainsText:
    """These words stand in title, notes, project or tags, in whatever case."""

    words: str


class StateTerm:
    """How a task stands: a term without values, which a filter names by its `word` alone.

    As dataclasses, these would make `todo-tui list` wait.
    """

    __slots__ = ()
    word: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class IsOpen(StateTerm):
    """Todo or doing, and not waiting for its start: what a list shows unless it is told more."""

    __slots__ = ()
    word = "open"


class AnyStatus(StateTerm):
    """With any status."""

    __slots__ = ()
    word = "all"


class InTrash(StateTerm):
    """In the trash."""

    __slots__ = ()
    word = "trash"


class IsOverdue(StateTerm):
    """Open, and its due moment has passed."""

    __slots__ = ()
    word = "overdue"


class IsWaiting(StateTerm):
    """Open, and its start lies in the future."""

    __slots__ = ()
    word = "waiting"


class IsStarted(StateTerm):
    """Open, and either in progress or with a start that has come."""

    __slots__ = ()
    word = "started"


class IsBlocked(StateTerm):
    """Waits for another task that is open."""

    __slots__ = ()
    word = "blocked"


class IsBlocking(StateTerm):
    """Open, and another open task waits for it."""

    __slots__ = ()
    word = "blocking"


class IsReady(StateTerm):
    """Open, with nothing to wait for: neither its start nor another task."""

    __slots__ = ()
    word = "ready"


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
"""Every state, so that a `match` over them can be complete."""

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
"""A term that holds no others."""

Filter = And | Or | Not | SingleTerm

EVERYTHING = And(())
"""Holds for every task."""


def all_of(*parts: Filter) -> Filter:
    """The parts together, nested ones laid flat."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def any_of(*parts: Filter) -> Filter:
    """One of the parts at least, nested ones laid flat."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


NOT_IN_TRASH = Not(InTrash())

OPEN_TASKS = all_of(NOT_IN_TRASH, IsOpen())
"""What a list without a filter shows."""

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


def with_default_scope(wanted: Filter) -> Filter:
    """What was asked for, among open tasks and outside the trash unless it says otherwise.

    Each side of an `or` is asked by itself, so `done or today` means what is done,
    and what is open and due today. What is denied decides nothing: `not done`
    still means open tasks. Done twice it is as if done once.
    """
    return _scoped(_scoped(wanted, IsOpen(), _decides_status), NOT_IN_TRASH, _decides_trash)


def _decides_status(term: Filter) -> bool:
    if isinstance(term, WithinDays | BeforeOrAfter):
        return term.of is DayField.COMPLETED
    return isinstance(term, _DECIDES_STATUS)


def _decides_trash(term: Filter) -> bool:
    return isinstance(term, InTrash) or term == NOT_IN_TRASH


class _Decision(StrEnum):
    NEVER = "never"
    PARTLY = "partly"
    ALWAYS = "always"


def _decision(wanted: Filter, decides: Callable[[Filter], bool]) -> _Decision:
    """Whether a filter says by itself what the scope would say."""
    if decides(wanted):
        return _Decision.ALWAYS
    match wanted:
        case And(parts):
            found = {_decision(part, decides) for part in parts}
            strongest = (_Decision.ALWAYS, _Decision.PARTLY)
            return next((each for each in strongest if each in found), _Decision.NEVER)
        case Or(parts):
            found = {_decision(part, decides) for part in parts}
            return found.pop() if len(found) == 1 else _Decision.PARTLY
        case Not(Not(part)):
            return _decision(part, decides)
        case _:
            return _Decision.NEVER


def _scoped(wanted: Filter, scope: Filter, decides: Callable[[Filter], bool]) -> Filter:
    match _decision(wanted, decides), wanted:
        case _Decision.ALWAYS, _:
            return wanted
        case _Decision.PARTLY, Not(Not(part)):
            return _scoped(part, scope, decides)
        case _Decision.PARTLY, Or(parts):
            return Or(tuple(_scoped(part, scope, decides) for part in parts))
        case _Decision.PARTLY, And(parts):
            return And(
                tuple(
                    _scoped(part, scope, decides)
                    if _decision(part, decides) is _Decision.PARTLY
                    else part
                    for part in parts
                )
            )
        case _:
            return all_of(scope, wanted)


class SortField(StrEnum):
    """What tasks can be sorted by, as it is written behind `sort:`."""

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
        """Whether, without a sign, the greatest comes first: what matters most."""
        return self in (SortField.PRIORITY, SortField.URGENCY)


class SortTerm(NamedTuple):
    """One field to sort by; tasks that lack it come last either way."""

    field: SortField
    descending: bool


class Grouping(StrEnum):
    """What tasks can be put under headings by, as it is written behind `group:`."""

    DUE = "due"
    """Overdue, today, next and so on: the headings of the list."""
    DAY = "day"
    """A heading for each due day."""
    PROJECT = "project"
    PRIORITY = "priority"
    TAG = "tag"
    STATUS = "status"
    DONE = "done"
    """A heading for each day on which something was done, the newest first."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asked for.

    Without `sort` the order is that of every list: by due moment, then by hand.
    `group` is None where nothing was said of headings.
    """

    filter: Filter = OPEN_TASKS
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None
