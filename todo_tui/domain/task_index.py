"""TaskIndex: the person's tasks as the built-in assistant may read them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from todo_tui.domain.task import Task


class IndexedTask(NamedTuple):
    """A task with what depends on others: open blockers, subtasks done and all of them."""

    task: Task
    blocked: bool = False
    subtasks_done: int = 0
    subtasks: int = 0


class IndexPage(NamedTuple):
    """The first of the tasks that a filter finds, and the number of all."""

    tasks: Sequence[IndexedTask] = ()
    total: int = 0


class TaskIndex(Protocol):
    """Read-only; always current, whoever changed the tasks."""

    def find(self, words: str, limit: int) -> IndexPage:
        """Return the tasks of a filter, the open ones without words.

        Raises:
            ValidationError: the filter has an error.
        """
        ...

    def projects(self) -> Sequence[str]:
        """Return the names of the projects in use."""
        ...

    def tags(self) -> Sequence[str]:
        """Return the tags in use."""
        ...


class NoTasks:
    """The index where there is no store, as in a check of a provider."""

    def find(self, words: str, limit: int) -> IndexPage:
        """Return no tasks."""
        return IndexPage()

    def projects(self) -> Sequence[str]:
        """Return no names."""
        return ()

    def tags(self) -> Sequence[str]:
        """Return no tags."""
        return ()
