"""Change context of a write, announced and logged task changes, undo reports; their words."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.task import Actor, Task

FIELD_WORDS = {
    "due": "due date",
    "due_zone": "due date",
    "start_zone": "start",
    "repeat_from": "recurrence",
    "blocked_by": "blockers",
    "completed_at": "status",
    "deleted_at": "deletion",
    "position": "order",
}
"""Words for fields whose names do not say what they are; parts have the word of the whole."""
PART_WORDS = {
    "due_zone": "time zone of due date",
    "start_zone": "time zone of start",
    "repeat_from": "repeat counts from",
}
"""Words for parts where they stand alone."""
HIDDEN_FIELDS = frozenset(("series", "slot", "created_at", "completed_at", "extra"))
"""Fields that follow from others or are for programs."""
_FIELDS_NAMED = 2


def name_fields(fields: Iterable[str]) -> str:
    """Return `due date and tags`; nothing for more than two fields or none that users see."""
    words = sorted({FIELD_WORDS.get(each, each) for each in fields if each not in HIDDEN_FIELDS})
    return " and ".join(words) if len(words) <= _FIELDS_NAMED else ""


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """Actor of a write, and the batch and turn it belongs to.

    All writes with one `batch` are undone together: one key press, one command,
    or all the tool calls of one chat turn. `agent` is the name of an MCP client.
    """

    actor: Actor
    batch: str
    turn_id: str | None = None
    agent: str | None = None


class SubtaskPolicy(StrEnum):
    """Treatment of open subtasks when their parent is closed."""

    ASK = "ask"
    """Write nothing and raise OpenSubtasks."""
    CLOSE = "close"
    """Close them, too."""
    LEAVE = "leave"
    """Leave them open; those of a recurring task move to its next occurrence."""


class ChangeKind(StrEnum):
    """Kind of a change to a task."""

    ADDED = "added"
    UPDATED = "updated"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    REOPENED = "reopened"
    DELETED = "deleted"
    RESTORED = "restored"
    PURGED = "purged"


CLOSING_KINDS = frozenset({ChangeKind.COMPLETED, ChangeKind.CANCELLED})
"""Kinds of changes after which a task is no longer open."""


class ChangeWords(NamedTuple):
    """Past participles for a kind of change to a task."""

    done: str
    """Also where a redo made the change again."""
    by_undo: str
    """Where an undo made the change."""
    undone: str
    """The change that this undo took back."""
    will_undo: str
    """Third person of what an undo will do that makes the change."""


CHANGE_WORDS: Mapping[str, ChangeWords] = {
    ChangeKind.ADDED: ChangeWords("added", "restored", "removed", "restores"),
    ChangeKind.UPDATED: ChangeWords("changed", "reverted", "changed", "changes"),
    ChangeKind.COMPLETED: ChangeWords("completed", "completed", "reopened", "completes"),
    ChangeKind.CANCELLED: ChangeWords("cancelled", "cancelled", "reopened", "cancels"),
    ChangeKind.REOPENED: ChangeWords("reopened", "reopened", "completed", "reopens"),
    ChangeKind.DELETED: ChangeWords("deleted", "deleted", "restored", "deletes"),
    ChangeKind.RESTORED: ChangeWords("restored", "restored", "deleted", "restores"),
    ChangeKind.PURGED: ChangeWords("removed", "removed", "added", "removes"),
}


def undo_word(kind: ChangeKind, *, redo: bool) -> str:
    """Return the word for a change that an undo or a redo made."""
    words = CHANGE_WORDS[kind]
    return words.done if redo else words.by_undo


def inverted_word(kind: ChangeKind, was: str | None, *, redo: bool) -> str:
    """Return the word for the change that was undone or redone, as in `Undone: completed Milk`.

    `was` is the status before the undo, which tells a completion from a cancellation.
    """
    words = CHANGE_WORDS[kind]
    if redo:
        return words.done
    turned = kind in CLOSING_KINDS or kind is ChangeKind.REOPENED
    return {"done": "completed", "cancelled": "cancelled"}.get(
        was or "" if turned else "", words.undone
    )


UNDO_TOOLS = frozenset({"undo", "redo"})
"""Names of the tools that undo and redo: a turn may run one of them once without approval."""


@dataclass(frozen=True, slots=True)
class TaskChange:
    """Task after a write, as announced to subscribers; for a purged task, its last state."""

    kind: ChangeKind
    task: Task
    context: ChangeContext


class HistoryEntry(NamedTuple):
    """One change in the history of a task: when, by which actor, and the values.

    `field` is None if the task itself was created or removed. `old` and `new` are in the form
    of the log: ISO dates, other tasks by their ids; None for a purged one.
    """

    at: datetime
    actor: Actor
    kind: str
    field: str | None
    old: str | None
    new: str | None
    undoes: bool
    """True if it was made by an undo or redo."""
    batch: str
    """Undo batch that it belongs to."""


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """Field that undo or redo left alone because it was changed since."""

    task_id: int
    title: str
    field: str

    @property
    def field_word(self) -> str:
        """Word for the field; that of the whole for a part."""
        return FIELD_WORDS.get(self.field, self.field)


@dataclass(frozen=True, slots=True)
class UndoReport:
    """Result of an undo or redo; `changes` is empty if there was nothing to do."""

    changes: tuple[TaskChange, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
    fields: Mapping[int, Collection[str]] = field(default_factory=dict)
    """Fields that were changed, by task id."""
    values: Mapping[int, Mapping[str, tuple[str | None, str | None]]] = field(default_factory=dict)
    """Values before and after of the fields that were set, in the form of the log, by task id."""

    def inverted_word(self, change: TaskChange, *, redo: bool) -> str:
        """Return the word for what was undone or redone of a task: `completed`."""
        was, _ = self.values.get(change.task.id, {}).get("status", (None, None))
        return inverted_word(change.kind, was, redo=redo)

    @property
    def named_conflicts(self) -> tuple[FieldConflict, ...]:
        """Return the conflicts that a person tells apart: parts of one thing are named once."""
        named = {(each.task_id, each.field_word): each for each in reversed(self.conflicts)}
        return tuple(reversed(named.values()))
