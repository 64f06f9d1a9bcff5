"""The tasks of one user as they are read: lists, counts, how tasks hang together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.clock import Clock
from todo_tui.domain.task import Task
from todo_tui.store.database import DatabaseFile
from todo_tui.store.task_records import no_such_task

if TYPE_CHECKING:
    from todo_tui.domain.filter_query import Query
    from todo_tui.domain.filter_terms import Filter
    from todo_tui.store.arrangement import ArrangedRow
    from todo_tui.store.listing import ListedTask
    from todo_tui.store.outline import OutlineRow
    from todo_tui.store.queries import TaskQueries
    from todo_tui.store.relations import StoredRelations
    from todo_tui.store.results import Descendant, PastChange, Standing, TaskCounts, TaskPage


class TaskReader:
    """Answers what is asked about tasks; every query is bound to one user.

    What is imported where it is used is what `todo-tui add` does without.
    """

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock

    def get(self, task_id: int) -> Task:
        """The task of that id, also one in the trash.

        Raises:
            NotFound: this user has none.
        """
        task = self._queries.get(task_id)
        if task is None:
            raise no_such_task(task_id)
        return task

    def list(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> TaskPage:
        """Tasks that a filter holds for; without one, the open tasks.

        In the order of the query; else by due moment, those without one last; then by
        manual order.
        """
        return self._queries.page(wanted, limit=limit, offset=offset)

    def some(
        self, wanted: Filter | Query | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Task, ...]:
        """As `list`, without counting those that are left out: a first page at once."""
        return self._queries.some(wanted, limit=limit, offset=offset)

    def listed(self, wanted: Filter | Query | None = None) -> Sequence[ListedTask]:
        """As `some`, with a few fields as they are stored: for long lists in a pipe."""
        return self._queries.listed(wanted)

    def count(self, wanted: Filter | Query | None = None) -> int:
        """How many tasks a filter holds for."""
        return self._queries.count(wanted)

    def outline(self, wanted: Filter | None = None) -> Iterator[OutlineRow]:
        """A light row for each task that a filter holds for, in no order to rely on.

        They come as they are read, since all of a long list at once take much memory:
        whoever takes them reads nothing else of the store until the last one has come.

        Raises:
            StoreError: with the first row or a later one.
        """
        return self._queries.outline(wanted)

    def arrangement(self, query: Query) -> tuple[ArrangedRow, ...]:
        """As `outline`, in the order and under the headings that the query asks for.

        A task has a row for each of its headings: one for each tag under `group:tag`.
        """
        rows = self._queries.arranged_rows(query)
        return tuple(sorted(rows, key=lambda row: (row.heading.order, row.key)))

    def arranged_rows(self, query: Query) -> Iterator[ArrangedRow]:
        """As `arrangement`, in no order that matters: for those who sort them anyway."""
        return self._queries.arranged_rows(query)

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """The tasks of these ids, in the order asked; unknown ones are left out."""
        return self._queries.rows(ids)

    def counts(self) -> TaskCounts:
        """How many tasks are open, overdue and due today; those that wait are left out."""
        return self._queries.counts()

    def projects(self) -> tuple[str, ...]:
        """The projects of tasks outside the trash, by name."""
        return self._queries.projects()

    def tags(self) -> tuple[str, ...]:
        """The tags of tasks outside the trash, by name."""
        return self._queries.tags()

    def tag_names(self) -> tuple[str, ...]:
        """As `tags`, in whichever spelling each is found first; quick with many tasks."""
        return self._queries.tag_names()

    def prepare_search(self) -> None:
        """Make searches for words quick, for a program that stays open.

        Reads all texts into memory, which takes a while; from any thread.
        """
        self._queries.prepare_search()

    def standing(self, ids: Sequence[int]) -> dict[int, Standing]:
        """Of each of these tasks whether it is blocked, and how far its subtasks are.

        Ask again after any write: it changes with other tasks, which are not announced.
        """
        from todo_tui.store.relatives import read_standing

        with self._file.reading() as database:
            return read_standing(database, self._user, ids)

    def parents(self) -> dict[int, int]:
        """By id of every subtask outside the trash, the id of its parent."""
        from todo_tui.store.relatives import read_parents

        with self._file.reading() as database:
            return read_parents(database, self._user)

    def blocked_ids(self) -> frozenset[int]:
        """The ids of all open tasks that wait for another open one."""
        from todo_tui.store.relatives import read_blocked

        with self._file.reading() as database:
            return read_blocked(database, self._user)

    def waiting_for(self, task_id: int) -> tuple[Task, ...]:
        """The open tasks that wait for this one, by id."""
        from todo_tui.store.relatives import read_waiting

        with self._file.reading() as database:
            return read_waiting(database, self._user, task_id)

    def subtree(self, task_id: int, *, deleted_along: bool = False) -> tuple[Descendant, ...]:
        """All subtasks outside the trash, each followed by its own, in manual order.

        Of a task in the trash those that went there with it, if `deleted_along`.
        """
        from todo_tui.store.relatives import read_subtree

        with self._file.reading() as database:
            return read_subtree(database, self._user, task_id, deleted_along=deleted_along)

    def history(self, task_id: int) -> tuple[PastChange, ...]:
        """Every change of a task, oldest first."""
        from todo_tui.store.history import read_history

        with self._file.reading() as database:
            return read_history(database, self._user, task_id)

    @cached_property
    def relations(self) -> StoredRelations:
        """How tasks hang together, for filters that are held against one task."""
        from todo_tui.store.relations import StoredRelations

        return StoredRelations(self._file, user=self._user)

    def forget_held(self) -> None:
        """Drop what is held in memory of the file, after another one was opened."""
        self.__dict__.pop("_queries", None)

    @cached_property
    def _queries(self) -> TaskQueries:
        # Filters are the largest part that `todo-tui add` does without.
        from todo_tui.store.queries import TaskQueries

        return TaskQueries(self._file, user=self._user, clock=self._clock)
