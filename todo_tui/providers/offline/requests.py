"""Requests: what one clause of a message asks for, as values, and the tasks found for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from todo_tui.providers.offline.tool_results import ShownTask


class Verb(StrEnum):
    """What is done to existing tasks; the value is the tool's name."""

    COMPLETE = "complete_task"
    REOPEN = "reopen_task"
    DELETE = "delete_task"
    UPDATE = "update_task"


MAX_UNASKED = 5
"""Tasks that one message closes without a question."""


@dataclass(frozen=True, slots=True)
class NewTask:
    """A task to add; `details` are change words."""

    title: str
    details: str = ""
    notes: str = ""
    remarks: tuple[str, ...] = ()
    """Why date words of the title are no date of the task."""
    subtasks: tuple[tuple[str, str], ...] = ()
    """Tasks to add below it: title and change words of each."""

    def with_details(self, words: str) -> NewTask:
        """Return the task with more change words."""
        return replace(self, details=f"{self.details} {words}".strip())


@dataclass(frozen=True, slots=True)
class Add:
    """Add tasks. `is_certain` is False for a statement that may be no task: then ask first."""

    tasks: tuple[NewTask, ...]
    is_certain: bool = True
    is_explicit: bool = False
    """True for `add …`: an addition even where it begins like another command."""
    known: str = ""
    """A project that must be in use already, or the request is not meant."""
    tags: tuple[str, ...] = ()
    """Tags of which the same is true."""
    under: str = ""
    """Words that refer to the parent task."""
    is_guess: bool = False
    """True where `under` must be a whole title, or the request is not meant."""

    def with_details(self, words: str) -> Add:
        """Return the addition with change words for all of its tasks."""
        return replace(self, tasks=tuple(task.with_details(words) for task in self.tasks))

    def doubted(self) -> Add:
        """Return the addition as one to ask about."""
        return replace(self, is_certain=False)


@dataclass(frozen=True, slots=True)
class Change:
    """Do something to the tasks that `tasks` refers to.

    `details` are change words for Verb.UPDATE; `{other}` in them is the id of the task that
    `other` refers to.
    """

    verb: Verb
    tasks: str
    details: str = ""
    other: str = ""
    title: str = ""
    notes: str | None = None
    known: str = ""
    """A project that must be in use already, or the request is not meant."""
    ends_link: bool = False
    """True where `other` must be the parent, a blocker, or a group of the tasks."""
    is_guess: bool = False
    """True for words that mean something else where no task fits: `slides due monday`."""
    scope: str = ""
    """Where to look first: `trash`, or empty for the usual place."""

    @property
    def closes(self) -> bool:
        """True if tasks are completed, cancelled or deleted by it, or brought back."""
        return self.verb is not Verb.UPDATE or "cancelled" in self.details


@dataclass(frozen=True, slots=True)
class Report:
    """Something the user did, `I bought the milk`: completes the task that it fits."""

    verb: str
    object: str
    is_certain: bool = True
    """False where somebody else did it: then ask first."""
    is_undone: bool = False
    """True for `I did not buy the milk`: reopens it, if it was completed."""


class Aspect(StrEnum):
    """What a question asks about tasks."""

    LIST = "list"
    COUNT = "count"
    ONE = "one"
    NEXT = "next"
    GROUPS = "groups"
    BLOCKED = "blocked"
    """Tasks that are blocked by the one named."""
    DONE = "done"
    """When the one named was done last."""
    BELOW = "below"
    """Subtasks of the one named."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about the tasks that `tasks` describes."""

    aspect: Aspect
    tasks: str = ""
    is_guess: bool = False
    """True for a question in words that are not known: documents may answer it better."""
    rank: str = ""
    """Word for the order of which only the first tasks are asked for: `oldest`."""
    most: int = 0
    """How many; 0 for all."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo or redo, `times` times."""

    redo: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True)
class FixedAnswer:
    """Answer with a fixed text of replies.py, and change nothing."""

    key: str
    topic: str = ""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """A command that lacks a part: ask for it."""

    question: str
    template: str
    """The command with `{}` for the answer."""
    tasks: str = ""
    """Words that must refer to tasks, or the question makes no sense."""


Request: TypeAlias = Add | Change | Report | Ask | Undo | FixedAnswer | MissingPart


@dataclass(frozen=True, slots=True)
class FoundTasks:
    """The tasks meant. `filter` finds them all where they are more than were looked at."""

    tasks: tuple[ShownTask, ...]
    total: int = 0
    filter: str = ""
    is_bulk: bool = False
    is_everything: bool = False
    roots: tuple[ShownTask, ...] = ()
    """The tasks named, where `tasks` has their subtasks too."""
    stays: str = ""
    """Sentence on tasks that were named and are left as they are."""

    @property
    def count(self) -> int:
        """Number of tasks."""
        return self.total or len(self.tasks)


@dataclass(frozen=True, slots=True)
class TaskRequest:
    """A request with its tasks found."""

    request: Request
    found: FoundTasks | None = None
    other: FoundTasks | None = None

    @property
    def details(self) -> str:
        """The change words, with the ids of the other tasks."""
        words = self.request.details if isinstance(self.request, Change) else ""
        others = self.other.tasks if self.other else ()
        linked = dict.fromkeys(words.replace("{other}", f"#{task.id}") for task in others)
        return " ".join(linked) or words
