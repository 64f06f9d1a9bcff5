"""Task, its enums, writable fields and JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypedDict

from todo_tui.domain.when import When

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
MAX_ID = 2**63 - 1
"""Largest id that SQLite keeps."""


class Status(StrEnum):
    """Status of a task."""

    TODO = "todo"
    DOING = "doing"
    DONE = "done"
    CANCELLED = "cancelled"

    @property
    def is_open(self) -> bool:
        """True for todo and doing."""
        return self in (Status.TODO, Status.DOING)


class Priority(StrEnum):
    """Priority of a task; most tasks have none."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """Rank of the priority: 3 for high, 2 for medium, 1 for low; no priority ranks 0."""
        return {Priority.HIGH: 3, Priority.MEDIUM: 2, Priority.LOW: 1}[self]


PRIORITY_WORDS: Mapping[str, Priority] = {
    **dict.fromkeys(("high", "hi", "h", "1"), Priority.HIGH),
    **dict.fromkeys(("medium", "med", "m", "2"), Priority.MEDIUM),
    **dict.fromkeys(("low", "lo", "l", "3"), Priority.LOW),
}
"""Names and abbreviations of priorities in quick add and filters."""


class RepeatFrom(StrEnum):
    """Base from which the next occurrence is counted."""

    DUE = "due"
    NEXT = "next"
    COMPLETION = "completion"


class Actor(StrEnum):
    """Origin of a change."""

    USER = "user"
    ASSISTANT = "assistant"
    CLI = "cli"
    MCP = "mcp"
    SYNC = "sync"
    IMPORT = "import"

    @property
    def label(self) -> str:
        """Name for people: `you` for what was done in the app."""
        named = {Actor.USER: "you", Actor.CLI: "shell", Actor.MCP: "an MCP client"}
        return named.get(self, self.value)


OWN_ACTORS = frozenset({Actor.USER, Actor.ASSISTANT, Actor.CLI})
"""Actors that write what the user typed or approved; the others write text from outside."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Dated remark; `at` is aware, UTC."""

    at: datetime
    text: str


class TaskFields(TypedDict, total=False):
    """Fields that a write may set; absent fields stay unchanged.

    `None` clears. A timed `due` without `due_zone` gets the store's zone, an
    all-day one none. `estimate` is in minutes. `parent` and `blocked_by` are ids of the same user.
    """

    title: str
    notes: str
    status: Status
    priority: Priority | None
    due: When | None
    due_zone: str | None
    start: When | None
    start_zone: str | None
    estimate: int | None
    project: str | None
    tags: tuple[str, ...]
    recurrence: str | None
    repeat_from: RepeatFrom
    parent: int | None
    blocked_by: tuple[int, ...]
    position: str
    annotations: tuple[Annotation, ...]
    extra: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Task:
    """Task as stored; instants (`…_at`) are aware, UTC."""

    id: int
    uuid: str
    title: str
    created_at: datetime
    updated_at: datetime
    notes: str = ""
    annotations: tuple[Annotation, ...] = ()
    status: Status = Status.TODO
    priority: Priority | None = None
    due: When | None = None
    due_zone: str | None = None
    start: When | None = None
    start_zone: str | None = None
    estimate: int | None = None
    """Minutes."""
    project: str | None = None
    tags: tuple[str, ...] = ()
    recurrence: str | None = None
    repeat_from: RepeatFrom = RepeatFrom.DUE
    series: str | None = None
    slot: str | None = None
    parent: int | None = None
    blocked_by: tuple[int, ...] = ()
    position: str = ""
    completed_at: datetime | None = None
    deleted_at: datetime | None = None
    extra: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """True if the status is open and the task is not in the trash."""
        return self.status.is_open and self.deleted_at is None

    def is_overdue(self, now: datetime, zone: str) -> bool:
        """Return True if open and past due; `now` is naive, local in `zone`."""
        due = self.due_in(zone)
        return self.is_open and due is not None and due.local() < now

    def due_in(self, zone: str) -> When | None:
        """Return the due date as it is in a zone; a day without time is the same everywhere."""
        return None if self.due is None else self.due.moved(self.due_zone, zone)

    def due_place(self, zone: str) -> str:
        """Return the place of a due time that is another one in `zone`: `Tokyo`; else nothing."""
        is_same = self.due_zone is None or self.due_in(zone) == self.due
        return "" if is_same else str(self.due_zone).rpartition("/")[2].replace("_", " ")

    def start_in(self, zone: str) -> When | None:
        """Return the start as it is in a zone; a day without time is the same everywhere."""
        return None if self.start is None else self.start.moved(self.start_zone, zone)

    def starts_later(self, now: datetime, zone: str) -> bool:
        """Return True if the start is in the future, which hides it.

        `now` is naive, local in `zone`.
        """
        start = self.start_in(zone)
        return start is not None and start.begins() > now

    def to_json(self) -> dict[str, JsonValue]:
        """Return the JSON form: every field by name, absent values null."""
        return {
            "id": self.id,
            "uuid": self.uuid,
            "title": self.title,
            "notes": self.notes or None,
            "annotations": [{"at": _utc(a.at), "text": a.text} for a in self.annotations],
            "status": self.status.value,
            "priority": self.priority.value if self.priority else None,
            "due": self.due.iso() if self.due else None,
            "due_zone": self.due_zone,
            "start": self.start.iso() if self.start else None,
            "start_zone": self.start_zone,
            "estimate": self.estimate,
            "project": self.project,
            "tags": list(self.tags),
            "recurrence": self.recurrence,
            "repeat_from": self.repeat_from.value if self.recurrence else None,
            "series": self.series,
            "slot": self.slot,
            "parent": self.parent,
            "blocked_by": list(self.blocked_by),
            "position": self.position,
            "created_at": _utc(self.created_at),
            "updated_at": _utc(self.updated_at),
            "completed_at": _utc(self.completed_at),
            "deleted_at": _utc(self.deleted_at),
            "extra": dict(self.extra) or None,
        }


def _utc(instant: datetime | None) -> str | None:
    return None if instant is None else instant.isoformat(timespec="milliseconds")
