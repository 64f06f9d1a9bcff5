"""What the store answers with, beside the domain's own values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from todo_tui.domain.task import Actor, Task


@dataclass(frozen=True, slots=True)
class TaskPage:
    """Some of the tasks that a filter holds for, and how many there are in all."""

    tasks: tuple[Task, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Open tasks (those that wait for their start left out), overdue ones, those of today."""

    open: int
    overdue: int
    today: int


@dataclass(frozen=True, slots=True)
class Completion:
    """A task that was completed, and what came of it."""

    task: Task
    next: Task | None
    """The occurrence that follows if it repeats."""
    children: tuple[Task, ...] = ()
    """Subtasks that were completed with it."""
    renewed: tuple[Task, ...] = ()
    """Subtasks of the next occurrence, open again."""
    unblocked: tuple[Task, ...] = ()
    """Open tasks that waited for it, and wait for nothing else now."""


@dataclass(frozen=True, slots=True)
class Skip:
    """A repeating task that goes on to its next date without being done."""

    task: Task
    renewed: tuple[Task, ...] = ()
    """Its subtasks, open again."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the subtasks of a task are, at any depth; cancelled ones do not count."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How a task stands among the others; it changes as they do."""

    blocked: bool = False
    """Whether it is open and waits for another open task."""
    progress: Progress | None = None
    """Of its subtasks; None where it has none."""


@dataclass(frozen=True, slots=True)
class Descendant:
    """A subtask at some depth below a task; 1 is right below it."""

    depth: int
    task: Task


class Origin(StrEnum):
    """Where a change was made, as seen from a conversation."""

    CONVERSATION = "in this conversation"
    OTHER_CONVERSATION = "in another conversation"
    APP = "in the task list"
    SHELL = "from the shell"
    MCP = "by an MCP client"
    IMPORT = "by an import"


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """The undo batch that comes next in a conversation, found out without writing."""

    batch: str
    at: datetime
    """Aware, UTC."""
    origin: Origin
    is_expected: bool
    """Whether it is what a bare "undo" means there: the conversation's own last change,
    made or undone by its last turn or the current one, and nothing changed elsewhere since."""
    tasks: tuple[tuple[int, str, str], ...]
    """(id, title, verb) of its tasks, by id; the verb says what was done: `Added`."""


@dataclass(frozen=True, slots=True)
class PastChange:
    """One change of a task as its history tells it: who, when, and which values.

    `field` is None where the task itself came or went. `old` and `new` are as the
    log holds them: ISO dates, other tasks by their ids; None of one that was purged.
    """

    at: datetime
    actor: Actor
    kind: str
    field: str | None
    old: str | None
    new: str | None
    undoes: bool
    """Whether an undo or redo made it."""
