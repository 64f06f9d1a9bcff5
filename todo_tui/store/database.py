"""The two connections to the database file, and the one way of writing to it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Literal

from todo_tui.store.faults import is_busy, translated

BUSY_SECONDS = 15.0
"""How long a write waits for another process before it gives up."""

Access = Literal["rw", "ro", "immutable"]

_PAUSE = 0.01
_CHECKPOINT_WAIT = 500
"""Milliseconds."""


def connect(path: Path, *, busy_seconds: float, access: Access = "rw") -> sqlite3.Connection:
    """A connection that any thread may use, one at a time, and that opens no transaction itself.

    `access` is `rw`, `ro`, or `immutable` for a file that nobody can change.
    """
    question = "mode=ro&immutable=1" if access == "immutable" else f"mode={access}"
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{question}",
        uri=True,
        timeout=busy_seconds,
        isolation_level=None,
        check_same_thread=False,
    )


def begin_immediate(database: sqlite3.Connection, busy_seconds: float) -> None:
    """Take the write lock of the file, waiting up to `busy_seconds` for other processes.

    SQLite's busy handler does most of the waiting, but is not asked in every
    case (recovery, another process closing the last connection).
    """
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            database.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


class DatabaseFile:
    """One writer and one reader of the file, each behind its lock.

    So a read in one thread never waits for a write in another that waits for
    another process.
    """

    def __init__(
        self, path: Path, writer: sqlite3.Connection, busy_seconds: float, access: Access = "rw"
    ) -> None:
        self.path = path
        self._access: Access = access
        self._busy_seconds = busy_seconds
        self._writer = writer
        self._writer_lock = Lock()
        self._reader: sqlite3.Connection | None = None
        self._reader_lock = Lock()
        self._data_version = self._read_data_version()

    @property
    def is_read_only(self) -> bool:
        """Whether every write will fail."""
        return self._access != "rw"

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that holds the write lock from its start; all of it or nothing.

        Raises:
            StoreError: SQLite could not write; nothing of the block was kept.
        """
        with self._writer_lock, translated(self.path):
            begin_immediate(self._writer, self._busy_seconds)
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back already; rollback() knows.
                self._writer.rollback()
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The reader, inside one snapshot of the file.

        Raises:
            StoreError: SQLite could not read.
        """
        with self._reader_lock, translated(self.path):
            reader = self._open_reader()
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.rollback()

    def changed_by_others(self) -> bool:
        """Whether another process has written since the last call; never waits."""
        if not self._writer_lock.acquire(blocking=False):
            return False
        try:
            with translated(self.path):
                version = self._read_data_version()
        finally:
            self._writer_lock.release()
        changed = version != self._data_version
        self._data_version = version
        return changed

    def forget_erased_text(self) -> None:
        """Empty the write-ahead log, which still holds what was erased.

        While other processes read, it is emptied later, as it fills.
        """
        with self._writer_lock, translated(self.path):
            self._writer.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT}").fetchall()
            try:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                waiting = int(self._busy_seconds * 1000)
                self._writer.execute(f"PRAGMA busy_timeout = {waiting}").fetchall()

    def problems(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the file; empty where it is sound."""
        with self.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA quick_check").fetchall()]
        return () if found == ["ok"] else tuple(found)

    def close(self) -> None:
        """Close both connections."""
        with self._reader_lock:
            if self._reader is not None:
                self._reader.close()
        with self._writer_lock:
            self._writer.close()

    def _open_reader(self) -> sqlite3.Connection:
        if self._reader is None:
            self._reader = connect(self.path, busy_seconds=self._busy_seconds, access=self._access)
            self._reader.execute("PRAGMA query_only = ON")
        return self._reader

    def _read_data_version(self) -> int:
        version: int = self._writer.execute("PRAGMA data_version").fetchone()[0]
        return version
