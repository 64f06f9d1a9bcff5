"""The questions that the store answers about tasks, each in one snapshot of the file."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.domain.clock import Clock
from todo_tui.domain.filter_terms import EVERYTHING, Filter, with_default_scope
from todo_tui.domain.task import Task
from todo_tui.store.database import DatabaseFile
from todo_tui.store.outline import OutlineRow, read_outline
from todo_tui.store.reading import (
    read_counts,
    read_page,
    read_projects,
    read_tags,
    read_task,
    read_tasks,
)
from todo_tui.store.results import TaskCounts, TaskPage
from todo_tui.store.search import Condition, condition_of


class TaskQueries:
    """Reads the tasks of one user; see TaskStore for what each method answers."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def get(self, task_id: int) -> Task | None:
        """The task of that id, also one in the trash."""
        with self._file.reading() as database:
            return read_task(database, self._user, task_id)

    def page(self, wanted: Filter | None, *, limit: int | None, offset: int) -> TaskPage:
        """Tasks that a filter holds for; without one, the open tasks."""
        condition = self._condition(wanted)
        with self._file.reading() as database:
            return read_page(database, self._user, condition, limit=limit, offset=offset)

    def outline(self, wanted: Filter | None) -> tuple[OutlineRow, ...]:
        """A light row for each task that a filter holds for."""
        condition = self._condition(wanted)
        with self._file.reading() as database:
            return read_outline(database, self._user, condition, self._clock.now())

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """The tasks of these ids, in the order asked."""
        with self._file.reading() as database:
            return read_tasks(database, self._user, ids)

    def counts(self) -> TaskCounts:
        """How many tasks are open, overdue and due today."""
        with self._file.reading() as database:
            return read_counts(database, self._user, self._clock.now())

    def projects(self) -> tuple[str, ...]:
        """The projects of tasks outside the trash."""
        with self._file.reading() as database:
            return read_projects(database, self._user)

    def tags(self) -> tuple[str, ...]:
        """The tags of tasks outside the trash."""
        with self._file.reading() as database:
            return read_tags(database, self._user)

    def _condition(self, wanted: Filter | None) -> Condition:
        scoped = with_default_scope(EVERYTHING) if wanted is None else wanted
        return condition_of(scoped, self._clock.now(), self._clock.zone)
