"""What a filter can ask of a task: its terms, with their days resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar

from todo_tui.domain.task import Priority, Status


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
class Below:
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


PRIORITY_LADDER = (None, Priority.LOW, Priority.MEDIUM, Priority.HIGH)
"""The priorities by which filters compare, the lowest first; None is to have none."""


@dataclass(frozen=True, slots=True)
class PriorityWithin:
    """With a priority from `lowest` to `highest`, both included; None is to have none."""

    lowest: Priority | None
    highest: Priority | None

    @property
    def priorities(self) -> tuple[Priority | None, ...]:
        """Those that it lets in, the lowest first."""
        lowest, highest = map(PRIORITY_LADDER.index, (self.lowest, self.highest))
        return PRIORITY_LADDER[lowest : highest + 1]


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
class Has:
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
class Within:
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
class Side:
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
class Says:
    """These words stand in title, notes, project or tags, in whatever case."""

    words: str


class State:
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


class IsOpen(State):
    """Todo or doing, and not waiting for its start: what a list shows unless it is told more."""

    __slots__ = ()
    word = "open"


class AnyStatus(State):
    """With any status."""

    __slots__ = ()
    word = "all"


class InTrash(State):
    """In the trash."""

    __slots__ = ()
    word = "trash"


class IsOverdue(State):
    """Open, and its due moment has passed."""

    __slots__ = ()
    word = "overdue"


class IsWaiting(State):
    """Open, and its start lies in the future."""

    __slots__ = ()
    word = "waiting"


class IsStarted(State):
    """Open, and either in progress or with a start that has come."""

    __slots__ = ()
    word = "started"


class IsBlocked(State):
    """Waits for another task that is open."""

    __slots__ = ()
    word = "blocked"


class IsBlocking(State):
    """Open, and another open task waits for it."""

    __slots__ = ()
    word = "blocking"


class IsReady(State):
    """Open, with nothing to wait for: neither its start nor another task."""

    __slots__ = ()
    word = "ready"


KnownState = (
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

Single = (
    HasId
    | HasIds
    | ChildOf
    | Below
    | InProject
    | HasTag
    | HasPriority
    | PriorityWithin
    | Has
    | Within
    | Side
    | HasStatus
    | Says
    | KnownState
)
"""A term that holds no others."""

Filter = And | Or | Not | Single

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
