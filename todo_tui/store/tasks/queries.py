"""TaskQueries: each question in one snapshot of the file; the in-memory search index."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from sqlite3 import Connection
from typing import TYPE_CHECKING

from todo_tui.domain.filters.terms import And, AnyStatus, ContainsText, Filter, Query, SortTerm
from todo_tui.domain.task import Task
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import Clock
from todo_tui.store.database import DatabaseFile
from todo_tui.store.tasks.filter_sql import SqlCondition, compile_filter
from todo_tui.store.tasks.select import (
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

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import PlainTaskRow, TaskCounts, TaskPage
    from todo_tui.store.tasks.sorting import TaskListing

QueryOrFilter = Filter | Query | None
"""A filter with or without an order; None stands for the open tasks."""
_ALL = -1
"""SQLite's value for no limit."""
MOST_FOUND = 1_000
"""With more matches than this, the indexes of the lists are faster than row numbers."""
_BETWEEN = b"\xff"
"""Separator of texts; does not occur in UTF-8."""
_LONGEST = 4_000
_MOST_BYTES = 64_000_000
"""Bytes to index; texts beyond that, and texts longer than `_LONGEST`, are always candidates."""
_MOST_CHANGED = 5_000
_SLICE = 5_000


class TaskQueries:
    """Task queries of one user; TaskStore documents each method."""

    def __init__(self, file: DatabaseFile, *, user: str, clock: Clock) -> None:
        self._file = file
        self._user = user
        self._clock = clock
        self._texts: SearchIndex | None = None

    def get(self, task_id: int) -> Task | None:
        """Return the task of that id, also one in the trash; None if unknown."""
        with self._file.reading() as database:
            return read_task(database, self._user, task_id)

    def page(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> TaskPage:
        """Return a page of the matching tasks, and their total number."""
        # Deferred here and below: the lists of the shell do not need it.
        from todo_tui.store.tasks.select import TaskPage

        tasks = self.find(wanted, limit=limit, offset=offset)
        if offset == 0 and (limit is None or len(tasks) < limit):
            return TaskPage(tasks, len(tasks))
        return TaskPage(tasks, self.count(wanted))

    def find(self, wanted: QueryOrFilter, *, limit: int | None, offset: int) -> tuple[Task, ...]:
        """Return a page of the matching tasks without counting them."""
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

    def plain_rows(self, wanted: QueryOrFilter) -> Sequence[PlainTaskRow]:
        """Return the matching tasks with only the fields of a plain list."""
        from todo_tui.store.tasks.select import read_plain_rows

        query = _query(wanted)
        with self._file.reading() as database:
            condition = self._condition(database, query.filter)
            order = order_by(condition, query.sort, self._clock.now())
            return read_plain_rows(database, self._user, condition, order)

    def count(self, wanted: QueryOrFilter) -> int:
        """Count the matching tasks."""
        with self._file.reading() as database:
            condition = self._condition(database, _query(wanted).filter)
            return count_tasks(database, self._user, condition)

    def listing(self, wanted: QueryOrFilter, *, limit: int | None) -> TaskListing:
        """Return the ids of the matching tasks, in order under their headings."""
        from todo_tui.store.tasks.sorting import read_listing

        query, now, zone = _query(wanted), self._clock.now(), self._clock.zone
        with self._file.reading() as database:
            condition = self._condition(database, query.filter)
            return read_listing(database, self._user, condition, query, now, zone, limit)

    def have_equal_sort_values(self, ids: Sequence[int], sort: Sequence[SortTerm]) -> bool:
        """Return True if only the manual order and the id decide the order of these tasks."""
        from todo_tui.store.tasks.sorting import have_equal_sort_values

        with self._file.reading() as database:
            return have_equal_sort_values(database, self._user, ids, sort, self._clock.now())

    def rows(self, ids: Sequence[int]) -> tuple[Task, ...]:
        """Return the tasks of these ids, in the given order."""
        with self._file.reading() as database:
            return read_tasks(database, self._user, ids)

    def counts(self) -> TaskCounts:
        """Count the open, overdue and due-today tasks."""
        with self._file.reading() as database:
            return read_counts(database, self._user, self._clock.now())

    def projects(self) -> tuple[str, ...]:
        """Return the projects of tasks outside the trash."""
        with self._file.reading() as database:
            return read_projects(database, self._user)

    def tags(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash."""
        with self._file.reading() as database:
            return read_tags(database, self._user)

    def tag_names(self) -> tuple[str, ...]:
        """Return the tags of tasks outside the trash, each in one of its spellings."""
        with self._file.reading() as database:
            return read_tag_names(database, self._user)

    def prepare_search(self) -> None:
        """Load the texts of all tasks into memory."""
        texts = SearchIndex(self._user)
        texts.load(self._file)
        self._texts = texts

    def _condition(self, database: Connection, wanted: Filter) -> SqlCondition:
        condition = compile_filter(wanted, self._clock.now(), self._clock.zone, self._user)
        if self._texts is None:
            return condition
        rows = self._texts.rows_with(database, _required_words(wanted))
        return condition if rows is None else condition.among(rows)


def _required_words(wanted: Filter) -> list[str]:
    """Return words that every matching task contains."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return [part.words for part in parts if isinstance(part, ContainsText)]


def _query(wanted: QueryOrFilter) -> Query:
    if wanted is None:
        return Query()
    return wanted if isinstance(wanted, Query) else Query(wanted)


def _is_of_any_status(wanted: Filter) -> bool:
    """Return True if a filter admits every status, as `all` does."""
    parts = wanted.parts if isinstance(wanted, And) else (wanted,)
    return any(isinstance(part, AnyStatus) for part in parts)


class SearchIndex:
    """Texts of a user's tasks in memory; finds all tasks that contain a word, and maybe others."""

    def __init__(self, user: str) -> None:
        self._user = user
        self._known_until = -1
        self._joined = b""
        self._rows = array("q")
        self._ends = array("Q")
        self._changed: dict[int, bytes] = {}
        self._unread: set[int] = set()

    def load(self, file: DatabaseFile) -> None:
        """Load all texts in slices, so that other readers need not wait."""
        with file.reading() as database:
            newest = _newest_change(database)
        self._fill(_in_slices(file, self._user), newest)

    def _fill(self, texts: Iterable[tuple[int, str]], known_until: int) -> None:
        rows = array("q")
        ends = array("Q")
        pieces: list[bytes] = []
        unread: set[int] = set()
        length = 0
        for row, text in texts:
            encoded = _encoded(text)
            if len(encoded) > _LONGEST or length > _MOST_BYTES:
                unread.add(row)
                continue
            length += len(encoded) + len(_BETWEEN)
            rows.append(row)
            ends.append(length)
            pieces.append(encoded)
        self._rows, self._ends, self._unread = rows, ends, unread
        self._joined = _BETWEEN.join((*pieces, b""))
        self._changed = {}
        self._known_until = known_until

    def rows_with(self, database: Connection, words: Iterable[str]) -> list[int] | None:
        """Return the rows that may contain all these words; None if there are too many."""
        self._catch_up(database)
        fewest: set[int] | None = None
        for word in words:
            found = self._rows_of(_encoded(fold_case(word)))
            if found is not None:
                fewest = found if fewest is None else fewest & found
        return None if fewest is None else sorted(fewest)

    def _rows_of(self, word: bytes) -> set[int] | None:
        if not word:
            return None
        found = set(self._unread)
        found.update(row for row, text in self._changed.items() if word in text)
        at = self._joined.find(word)
        while at >= 0 and len(found) <= MOST_FOUND:
            number = bisect_right(self._ends, at)
            if self._rows[number] not in self._changed:
                found.add(self._rows[number])
            at = self._joined.find(word, self._ends[number])
        return None if len(found) > MOST_FOUND else found

    def _catch_up(self, database: Connection) -> None:
        """Reload texts that this or another process has changed since."""
        newest = _newest_change(database)
        if newest == self._known_until:
            return
        changed = database.execute(
            "SELECT DISTINCT task_uuid FROM ops WHERE seq > ? AND user = ? LIMIT ?",
            (self._known_until, self._user, _MOST_CHANGED + 1),
        ).fetchall()
        if newest < self._known_until or len(changed) + len(self._changed) > _MOST_CHANGED:
            rows = database.execute("SELECT row, folded FROM tasks WHERE user = ?", (self._user,))
            self._fill(rows, newest)
            return
        self._known_until = newest
        uuids = json.dumps([uuid for (uuid,) in changed])
        for row, text in database.execute(
            "SELECT row, folded FROM tasks WHERE uuid IN (SELECT value FROM json_each(?))", (uuids,)
        ):
            self._changed[row] = _encoded(text)


def _in_slices(file: DatabaseFile, user: str) -> Iterator[tuple[int, str]]:
    last = 0
    while True:
        with file.reading() as database:
            texts = database.execute(
                "SELECT row, folded FROM tasks WHERE user = ? AND row > ? ORDER BY row LIMIT ?",
                (user, last, _SLICE),
            ).fetchall()
        if not texts:
            return
        yield from texts
        last = texts[-1][0]


def _newest_change(database: Connection) -> int:
    found: tuple[int] = database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
    return found[0]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
