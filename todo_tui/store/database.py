"""The two connections to the database file, and the one way of writing to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from todo_tui.domain.errors import StoreReplaced
from todo_tui.store.connection import Access, begin_immediate, connect
from todo_tui.store.faults import translated
from todo_tui.store.open_files import FileId, OpenFiles

_CHECKPOINT_WAIT = 500
"""Milliseconds."""


class DatabaseFile:
    """One writer and one reader of the file, each behind its lock.

    So a read in one thread never waits for a write in another that waits for
    another process. `given` is the path that was asked for, where `path` is what a link
    leads to; `database` is the identity of the file from before `writer` opened it.
    """

    def __init__(
        self,
        path: Path,
        writer: sqlite3.Connection,
        busy_seconds: float,
        access: Access = "rw",
        *,
        given: Path | None = None,
        database: FileId | None = None,
    ) -> None:
        self.path = path
        self._access: Access = access
        self._busy_seconds = busy_seconds
        self._writer = writer
        self._writer_lock = Lock()
        self._reader: sqlite3.Connection | None = None
        self._reader_lock = Lock()
        self._data_version = self._read_data_version()
        self._files = OpenFiles(given or path, path, database, writer)
        self._lost: StoreReplaced | None = None
        """Why nothing is read from the connections any more, until the file is reopened."""

    @property
    def given(self) -> Path:
        """The path that was asked for; may be a link."""
        return self._files.given

    @property
    def is_in_place(self) -> bool:
        """Whether the database is where it was opened; it may have other contents."""
        return self._files.is_database_in_place

    @property
    def is_read_only(self) -> bool:
        """Whether every write will fail."""
        return self._access != "rw"

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that holds the write lock from its start; all of it or nothing.

        Raises:
            StoreReplaced: the file is not the one that was opened; nothing is in it.
            StoreError: SQLite could not write; nothing of the block was kept.
        """
        with self._writer_lock, translated(self.path), self._guarded():
            begin_immediate(self._writer, self._busy_seconds)
            try:
                self._files.check()
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back already; rollback() knows.
                self._writer.rollback()
                raise
            self._files.check_names()
            self._files.note_own_write()

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
        """Whether another process has written since the last call; never waits.

        Raises:
            StoreReplaced: the file is not the one that was opened.
        """
        if not self._writer_lock.acquire(blocking=False):
            self._files.check_names()
            return False
        try:
            with translated(self.path), self._guarded():
                self._files.check()
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
        with self._writer_lock, translated(self.path), self._guarded():
            self._files.check()
            self._writer.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT}").fetchall()
            try:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                waiting = int(self._busy_seconds * 1000)
                self._writer.execute(f"PRAGMA busy_timeout = {waiting}").fetchall()
                self._files.note_own_write()

    def problems(self) -> tuple[str, ...]:
        """What SQLite's own check finds wrong with the file; empty where it is sound."""
        with self.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA quick_check").fetchall()]
        return () if found == ["ok"] else tuple(found)

    def reopen(self, open_again: Callable[[], DatabaseFile]) -> None:
        """Go on with the file that lies at the path now; nothing changes where it is in place.

        `open_again` opens it, once the connections to the file before it are closed.

        Raises:
            StoreReplaced: the log of the file before it lies beside it.
            StoreError: it cannot be opened.
        """
        with self._writer_lock, self._reader_lock, translated(self.path):
            if self._lost is None and self._is_in_place():
                return
            if self._lost is not None or not self._files.is_database_in_place:
                self._files.refuse_leftovers()
            self._lost = self._lost or StoreReplaced(f"{self.given} is not open.")
            self._close_connections()
            other = open_again()
            self.path, self._access = other.path, other._access
            self._writer, self._files = other._writer, other._files
            self._data_version, self._lost = other._data_version, None

    def close(self) -> None:
        """Close both connections."""
        with self._writer_lock, self._reader_lock:
            if self._lost is None:
                # SQLite writes the log into the file as it closes it.
                self._is_in_place()
            self._close_connections()

    def _is_in_place(self) -> bool:
        try:
            with self._guarded():
                self._files.check()
        except (StoreReplaced, sqlite3.Error):
            return False
        return True

    def _close_connections(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._writer.close()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Keep the log of a file that was replaced away from the one in its place."""
        if self._lost is not None:
            raise StoreReplaced(self._lost.message)
        try:
            yield
        except StoreReplaced as error:
            self._files.secure(error)
            if error.is_overwritten:
                # What is read now would be a mix of both files.
                self._lost = error
            raise

    def _open_reader(self) -> sqlite3.Connection:
        if self._lost is not None:
            raise StoreReplaced(self._lost.message)
        if self._reader is None:
            reader = connect(self.path, busy_seconds=self._busy_seconds, access=self._access)
            try:
                self._files.check_names()
                reader.execute("PRAGMA query_only = ON")
            except BaseException:
                reader.close()
                raise
            self._reader = reader
        return self._reader

    def _read_data_version(self) -> int:
        version: int = self._writer.execute("PRAGMA data_version").fetchone()[0]
        return version
