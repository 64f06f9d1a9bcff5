"""What a filter can ask of a task: its terms, with their days resolved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from todo_tui.domain.task import Priority, Status
from todo_tui.domain.when import When


@dataclass(frozen=True, slots=True)
class And:
    """All parts hold; without parts, every task fits."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part holds."""

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


@dataclass(frozen=True, slots=True)
class Has:
    """The field is set."""

    of: TaskField


class DayField(StrEnum):
    """A field that says a day."""

    DUE = "due"
    START = "start"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class Within:
    """On a day from `first` to `last`, both included; None leaves that side open.

    `words` are those of the person, for the description.
    """

    of: DayField
    first: date | None
    last: date | None
    words: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Side:
    """Before or after a local moment, which itself counts when `inclusive`."""

    of: DayField
    moment: datetime
    before: bool
    inclusive: bool


@dataclass(frozen=True, slots=True)
class HasStatus:
    """With this status."""

    status: Status


@dataclass(frozen=True, slots=True)
class IsOpen:
    """Todo or doing, and not waiting for its start: what a list shows unless it is told more."""


@dataclass(frozen=True, slots=True)
class AnyStatus:
    """With any status: `all`."""


@dataclass(frozen=True, slots=True)
class InTrash:
    """In the trash."""


@dataclass(frozen=True, slots=True)
class IsOverdue:
    """Open, and its due moment has passed."""


@dataclass(frozen=True, slots=True)
class IsWaiting:
    """Open, and its start lies in the future."""


@dataclass(frozen=True, slots=True)
class IsBlocked:
    """Waits for another task that is open."""


@dataclass(frozen=True, slots=True)
class Says:
    """These words stand in title, notes, project or tags, in whatever case."""

    words: str


Filter = (
    And
    | Or
    | Not
    | HasId
    | InProject
    | HasTag
    | HasPriority
    | Has
    | Within
    | Side
    | HasStatus
    | IsOpen
    | AnyStatus
    | InTrash
    | IsOverdue
    | IsWaiting
    | IsBlocked
    | Says
)

EVERYTHING = And(())
"""Holds for every task."""

_DECIDES_STATUS = (HasId, HasStatus, IsOpen, AnyStatus, InTrash, IsWaiting)


def all_of(*parts: Filter) -> Filter:
    """The parts together, nested ones laid flat."""
    flat: list[Filter] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def with_default_scope(wanted: Filter) -> Filter:
    """What was asked for, among open tasks and outside the trash unless it says otherwise.

    Each side of an `or` is asked by itself, so `done or today` means what is done,
    and what is open and due today. What is denied decides nothing: `not done`
    still means open tasks.
    """
    return _scoped(_scoped(wanted, IsOpen(), _decides_status), Not(InTrash()), _decides_trash)


def _decides_status(term: Filter) -> bool:
    if isinstance(term, Within):
        return term.of is DayField.COMPLETED
    return isinstance(term, _DECIDES_STATUS)


def _decides_trash(term: Filter) -> bool:
    return isinstance(term, InTrash)


class _Decision(StrEnum):
    NEVER = "never"
    PARTLY = "partly"
    ALWAYS = "always"


def _decision(wanted: Filter, decides: Callable[[Filter], bool]) -> _Decision:
    """Whether a filter says by itself what the scope would say."""
    match wanted:
        case And(parts):
            found = {_decision(part, decides) for part in parts}
            strongest = (_Decision.ALWAYS, _Decision.PARTLY)
            return next((each for each in strongest if each in found), _Decision.NEVER)
        case Or(parts):
            found = {_decision(part, decides) for part in parts}
            return found.pop() if len(found) == 1 else _Decision.PARTLY
        case Not():
            return _Decision.NEVER
        case _:
            return _Decision.ALWAYS if decides(wanted) else _Decision.NEVER


def _scoped(wanted: Filter, scope: Filter, decides: Callable[[Filter], bool]) -> Filter:
    match _decision(wanted, decides), wanted:
        case _Decision.ALWAYS, _:
            return wanted
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


def start_of(day: date) -> datetime:
    """The first moment of a local day."""
    return datetime.combine(day, time())


def start_moment(start: When) -> datetime:
    """The local moment from which a task is shown: an all-day start is its first minute."""
    return start_of(start.day) if start.at is None else start.local()


def day_after(day: date) -> date:
    """The next day; the last one of the calendar is its own."""
    return day if day == date.max else day + timedelta(days=1)


def day_before(day: date) -> date:
    """The day before; the first one of the calendar is its own."""
    return day if day == date.min else day - timedelta(days=1)
