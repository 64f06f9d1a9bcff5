"""Results of the task store: pages, counts, completions, previews of an undo."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.task import Task


class PlainTaskRow(NamedTuple):
    """A task with the fields of a list, texts as stored; `due` in the zone of the clock."""

    id: int
    status: str
    title: str
    due: str | None
    recurrence: str | None
    repeat_from: str
    priority: str | None
    project: str | None
    estimate: int | None
    tags: tuple[str, ...]


class TaskPage(NamedTuple):
    """A page of the matching tasks, and their total number."""

    tasks: tuple[Task, ...]
    total: int


class TaskCounts(NamedTuple):
    """Numbers of open tasks, and among them of overdue ones and others due today."""

    open: int
    overdue: int
    today: int


class CompletionResult(NamedTuple):
    """A completed task and the changes that its completion caused."""

    task: Task
    next: Task | None
    """Next occurrence of a recurring task."""
    children: tuple[Task, ...] = ()
    """Subtasks completed along with it."""
    reopened_subtasks: tuple[Task, ...] = ()
    """Subtasks of the next occurrence, open again."""
    unblocked: tuple[Task, ...] = ()
    """Open tasks that waited for it and have no open blocker left."""
    open_blockers: tuple[Task, ...] = ()
    """Open tasks that it waited for when it was completed."""


class ReopenResult(NamedTuple):
    """A reopened task; its next occurrence that was removed, or the one that stays."""

    task: Task
    removed: Task | None = None
    kept: Task | None = None

    @property
    def remark(self) -> str:
        """Return `next occurrence removed`, `its next occurrence #32 stays`; empty without one."""
        if self.removed is not None:
            return "next occurrence removed"
        return "" if self.kept is None else f"its next occurrence #{self.kept.id} stays"


class SkipResult(NamedTuple):
    """A recurring task advanced to its next date, with its subtasks that are open again."""

    task: Task
    reopened_subtasks: tuple[Task, ...] = ()


class SubtaskProgress(NamedTuple):
    """Completed and total descendants of a task, without cancelled ones."""

    done: int
    total: int


class DependencyStatus(NamedTuple):
    """Blockers and subtask progress of a task; changes as other tasks do."""

    blocked: bool = False
    """True if it is open and waits for another open task."""
    progress: SubtaskProgress | None = None
    """Progress of its subtasks; None without any."""


class Descendant(NamedTuple):
    """A descendant of a task; direct subtasks have depth 1."""

    depth: int
    task: Task


class Origin(StrEnum):
    """Origin of a change as seen from a conversation."""

    CONVERSATION = "in this conversation"
    OTHER_CONVERSATION = "in another conversation"
    APP = "by you in the app"
    SHELL = "from the shell"
    MCP = "by an MCP client"
    SYNC = "by a sync"
    IMPORT = "by an import"


class UndoPreview(NamedTuple):
    """The next undo batch of a conversation, determined without writing."""

    batch: str
    at: datetime
    """Aware, UTC."""
    origin: Origin
    is_expected: bool
    """True if a bare "undo" means it: the conversation's own last change, and nothing was changed
    elsewhere since. A "redo" also means what the user undid of the conversation by hand.
    """
    is_users: bool
    """True if the user made it, and the conversation begins with undos: a bare "undo" of the user
    means it, one of a model does not.
    """
    tasks: tuple[tuple[int, str, str], ...]
    """(id, title, verb) of its tasks, by id: `Added` for an addition that is undone or redone."""
