"""StoreIndex: the tasks of a store as the built-in assistant may read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from todo_tui.domain.task_index import IndexedTask, IndexPage

if TYPE_CHECKING:
    from todo_tui.domain.filters.terms import Query
    from todo_tui.store.tasks.reader import TaskReader


class StoreIndex:
    """Reads the file at each call, so that it is current whoever changed the tasks."""

    def __init__(self, tasks: TaskReader, read_query: Callable[[str], Query]) -> None:
        self._tasks = tasks
        self._read_query = read_query

    def find(self, words: str, limit: int) -> IndexPage:
        """Return the tasks of a filter, the open ones without words.

        Raises:
            ValidationError: the filter has an error.
        """
        page = self._tasks.list(self._read_query(words), limit=limit)
        status = self._tasks.dependency_status([task.id for task in page.tasks])
        found = (
            IndexedTask(task, status[task.id].blocked, *(status[task.id].progress or ()))
            for task in page.tasks
        )
        return IndexPage(tuple(found), page.total)

    def projects(self) -> Sequence[str]:
        """Return the names of the projects in use."""
        return self._tasks.projects()

    def tags(self) -> Sequence[str]:
        """Return the tags in use."""
        return self._tasks.tags()
