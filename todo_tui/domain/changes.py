"""Change context of a write, announced task changes, and undo reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from todo_tui.domain.task import Actor, Task


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """Who writes, and which writes belong together.

    All writes with one `batch` are undone together: one key press, one command,
    or all the tool calls of one chat turn. `turn_id` names that turn.
    """

    actor: Actor
    batch: str
    turn_id: str | None = None


class SubtaskPolicy(StrEnum):
    """What becomes of open subtasks when the task that they are part of is closed."""

    ASK = "ask"
    """Nothing is written; OpenSubtasks names them."""
    CLOSE = "close"
    """They are closed with it."""
    LEAVE = "leave"
    """They stay open; of a repeating task they go on to its next occurrence."""


class ChangeKind(StrEnum):
    """What happened to a task."""

    ADDED = "added"
    UPDATED = "updated"
    COMPLETED = "completed"
    REOPENED = "reopened"
    DELETED = "deleted"
    RESTORED = "restored"
    PURGED = "purged"


@dataclass(frozen=True, slots=True)
class TaskChange:
    """One task after a write, as announced to subscribers; of a purged one, its last state."""

    kind: ChangeKind
    task: Task
    context: ChangeContext


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field that undo or redo left alone, because it was changed since."""

    task_id: int
    title: str
    field: str


@dataclass(frozen=True, slots=True)
class UndoReport:
    """What an undo or redo did; `changes` is empty where there was nothing to do."""

    changes: tuple[TaskChange, ...] = ()
    conflicts: tuple[FieldConflict, ...] = ()
