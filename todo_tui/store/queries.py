"""The questions that the store answers about tasks, each in one snapshot of the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING

from todo_tui.domain.clock import Clock
from todo_tui.domain.filter_query import Grouping, Query
from todo_tui.domain.filter_terms import And, AnyStatus, Filter, Says
from todo_tui.domain.task import Task
from todo_tui.store.database import DatabaseFile
from todo_tui.store.reading import (
    count_tasks,
    order_by,
    read_counts,
    read_list,
    read_page,
    read_page_of_any_status,
    read_projects,
    read_tag_names,
    read_tags,
    read_task,
    read_tasks,
)
from todo_tui.store.search import Condition, condition_of

if TYPE_CHECKING:
    from todo_tui.store.arrangement import ArrangedRow
    from todo_tui.store.listing import ListedTask
    from todo_tui.store.outline import OutlineRow
    from todo_tui.store.results import TaskCounts, TaskPage
    from todo_tui.store.search_texts import SearchTexts

Asked = Filter | Query | None
"""A filter, with its order or without; None stands for the open tasks."""

_ALL = -1
"""The limit that is none."""


class TaskQueries:
    """Reads the tasks of one user; see TaskStore for what each method answers."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock
        self._texts: SearchTexts | None = None

    def get(self, task_id: int) -> Task | None:
        """The task of that id, also one in the trash."""
        with self._file.reading() as database:
            return read_task(database, self._user, task_id)

    def page(self, wanted: Asked, *, limit: int | None, offset: int) -> TaskPage:
        """Tasks that a filter holds for, and how many there are."""
        # Here and below: what the shell's lists do without is imported where it is used.
        from todo_tui.store.results import TaskPage

        tasks = self.some(wanted, limit=limit, offset=offset)
        if offset == 0 and (limit is None or len(tasks) < limit):
            return TaskPage(tasks, len(tasks))
        return TaskPage(tasks, self.count(wanted))

    def some(self, wanted: Asked, *, limit: int | None, offset: int) -> tuple[Task, ...]:
        """Tasks that a filter holds for; how many there are costs extra."""
        query = _query(wanted)
        with self._file.reading() as database:
            condition = self._condition(database, query.filter)
            order = order_by(condition, query.sort, self._clock.now())
            if limit is None and offset == 0:
                return read_list(database, self._user, condition, order)
            most = _ALL if limit is None else limit
            if not (query.sort or condition.is_narrow) and _is_of_any_status(query.filter):
                return read_page_of_any_status(
                    database, self._user, condition, limit=most, offset=offset
                )
            return read_page(database, self._user, condition, order, limit=most, offset=offset)

    def listed(self, wanted: Asked) -> Sequence[ListedTask]:
        """Tasks that a filter holds for, as a list in a pipe shows them."""
        from todo_tui.store.listing import read_listed

        query = _query(wanted)
        with self._file.reading() as database:
            condition = self._condition(database, query.filter)
            order = order_by(condition, query.sort, self._clock.now())
            return read_listed(database, self._user, condition, order)

    def count(self, wanted: Asked) -> int:
        """How many tasks a filter holds for."""
        with self._file.reading() as database:
            condition = self._condition(database, _query(wanted).filter)
            return count_tasks(database, self._user, condition)

    def outline(self, wanted: Filter | None) -> Iterator[OutlineRow]:
        """A light row for each task that a filter holds for, while the file is being read."""
        from todo_tui.store.outline import read_outline

        with self._file.reading() as database:
            condition = self._condition(database, _query(wanted).filter)
            yield from read_outline(database, self._user, condition, self._clock.now())

    def arranged_rows(self, query: Query) -> Iterator[ArrangedRow]:
        """A light row for each task that a query holds for, while the file is being read."""
        from todo_tui.store.arrangement import arranged_rows

        group, now = query.group or Grouping.NONE, self._clock.now()
        with self._file.reading() as database:
            condition = self._condition(database, query.filter)
            yield from arranged_rows(
                database, self._user, condition, query.sort, group, now, self._clock.zone
            )

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

    def tag_names(self) -> tuple[str, ...]:
        """The same, each in one of its spellings."""
        with self._file.reading() as database:
            return read_tag_names(database, self._user)

    def prepare_search(self) -> None:
        """Read the texts of all tasks into memory."""
        # Only for programs that stay open.
        from todo_tui.store.search_texts import SearchTexts

        texts = SearchTexts(self._user)
        texts.load(self._file)
        self._texts = texts

    def _condition(self, database: Connection, wanted: Filter) -> Condition:
        condition = condition_of(wanted, self._clock.now(), self._clock.zone, self._user)
        if self._texts is None:
            return condition
        rows = self._texts.rows_with(database, _required_words(wanted))
        return condition if rows is None else condition.among(rows)


def _required_words(wanted: Filter) -> list[str]:
    """Words without which the filter does not hold."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return [part.words for part in parts if isinstance(part, Says)]


def _query(wanted: Asked) -> Query:
    if wanted is None:
        return Query()
    return wanted if isinstance(wanted, Query) else Query(wanted)


def _is_of_any_status(wanted: Filter) -> bool:
    """Whether a filter lets in every status, as `all` does."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return any(isinstance(part, AnyStatus) for part in parts)
