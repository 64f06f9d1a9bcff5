"""The texts that searches look through, held in memory by a program that stays open.

SQLite looks at a rare word's every row, which takes a tenth of a second where there are
100,000; here they are one long string. Who reads keeps it true by the operation log, in
which every write of every process stands.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from sqlite3 import Connection

from todo_tui.domain.text import folded
from todo_tui.store.database import DatabaseFile

MOST_FOUND = 1_000
"""A word that stands in more tasks than that is better left to the indexes of the lists."""

_BETWEEN = b"\xff"
"""Stands between two texts; no UTF-8 has it."""
_LONGEST = 4_000
_MOST_BYTES = 64_000_000
"""Bytes: a longer text is not held but always a candidate, and so is what comes too late."""
_MOST_CHANGED = 5_000
_SLICE = 5_000


class SearchTexts:
    """Which tasks of a user may hold some words: never too few, at times too many."""

    def __init__(self, user: str) -> None:
        self._user = user
        self._known_until = -1
        self._joined = b""
        self._rows = array("q")
        self._ends = array("Q")
        self._changed: dict[int, bytes] = {}
        self._unread: set[int] = set()

    def load(self, file: DatabaseFile) -> None:
        """Read all texts, in slices between which others can read the file."""
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
        """The rows that may hold all of these words; None where there are too many."""
        self._catch_up(database)
        fewest: set[int] | None = None
        for word in words:
            found = self._rows_of(_encoded(folded(word)))
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
        """Read again what was written since, here or by another process."""
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
