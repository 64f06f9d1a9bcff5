"""The database file and its log files as they were opened, held against what lies there now.

SQLite goes on with the files that it has open, whatever becomes of their names. A write to a
file that was deleted or replaced is confirmed, and is then in no file that anybody opens again.
Worse, a write-ahead log that stays beside another database is applied to that one: measured,
both `mv backup.db todo.db` and `cp backup.db todo.db` under an open app left a damaged file.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from todo_tui.domain.errors import StoreReplaced
from todo_tui.store.connection import connect

FileId = tuple[int, int]
"""Device and inode."""

_NOT_SAVED = ": changes are not saved."
_CHECKPOINT_WAIT = 500
"""Milliseconds; the screen may wait for it."""
_FOREIGN_CHECKPOINT_SECONDS = 30.0
"""Another process copies its commits from the log into the database right after them."""


class OpenFiles:
    """Which files the connections have open; `given` is the path that was asked for, or a link.

    Made after the first read, when SQLite has opened the log files too. `database` is the
    identity of the file from before it was opened, so that no replacement is missed.
    """

    def __init__(
        self, given: Path, path: Path, database: FileId | None, writer: sqlite3.Connection
    ) -> None:
        self.given = given
        self._path = path
        self._log = _sibling(path, "-wal")
        self._index = _sibling(path, "-shm")
        self._opened = {
            given: database,
            path: database,
            self._log: file_id(self._log),
            self._index: file_id(self._index),
        }
        self._writer = writer
        self._stamp = _stamp(path)
        self._commits = self._data_version()
        self._foreign_commit_at = float("-inf")
        self._newest = _last_operation(writer)

    def check(self) -> None:
        """Compare names and contents; takes about 20 microseconds.

        Raises:
            StoreReplaced: a file was deleted, replaced or overwritten.
        """
        self._note_foreign_commits()
        self.check_names()
        if self._opened[self._log] is not None:
            self._check_contents()

    def check_names(self) -> None:
        """Compare device and inode.

        Raises:
            StoreReplaced: a file was deleted or replaced.
        """
        for path, opened in self._opened.items():
            # Some network file systems have no inodes: there is nothing to compare.
            if opened is None:
                continue
            try:
                present = _identity(path.stat())
            except (FileNotFoundError, NotADirectoryError) as error:
                raise StoreReplaced(f"{path} was deleted or moved{_NOT_SAVED}") from error
            except OSError as error:
                raise StoreReplaced(
                    f"{path} cannot be reached ({error.strerror}){_NOT_SAVED}"
                ) from error
            if present is not None and present != opened:
                raise StoreReplaced(f"{path} was replaced by another file{_NOT_SAVED}")

    def note_own_write(self) -> None:
        """Remember how the file looks after a write of this process, which may checkpoint."""
        self._stamp = _stamp(self._path)
        self._newest = _last_operation(self._writer)

    def secure(self, error: StoreReplaced) -> None:
        """Keep the log from being applied to the file that lies there now.

        Where the file was replaced, all commits are copied into the file that is open; where
        it was overwritten, the log is set aside and emptied. No failure is raised: a log
        that could not be emptied is named by `refuse_leftovers`.
        """
        with suppress(OSError, sqlite3.Error):
            if error.is_overwritten:
                self._set_log_aside()
            elif self._is_ours(self._index) or not self._is_ours(self._log):
                # With another index, other processes may have commits in the same log.
                self._writer.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT}").fetchall()
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with suppress(OSError):
            if self._is_ours(self._log) and self._log.stat().st_size == 0:
                self._log.unlink()
            if self._is_ours(self._index) and not self._is_ours(self._log):
                self._index.unlink()

    @property
    def is_database_in_place(self) -> bool:
        """Whether the database is where it was opened, whatever became of its log."""
        return self._is_ours(self.given)

    def refuse_leftovers(self) -> None:
        """Refuse another file beside which the log of the one before it lies.

        Raises:
            StoreReplaced: opening it would apply commits of another database to it.
        """
        if self._is_ours(self._log):
            raise StoreReplaced(
                f"{self._log} still belongs to the previous database.",
                hint=f"Quit todo-tui everywhere, then move {self._log.name} elsewhere.",
            )

    def _check_contents(self) -> None:
        """Tell a checkpoint of another process from a copy over the file, as by `cp`."""
        stamp = _stamp(self._path)
        if stamp == self._stamp:
            return
        is_checkpoint = (
            time.monotonic() - self._foreign_commit_at < _FOREIGN_CHECKPOINT_SECONDS
            or _has_last_operation(self._path, self._newest)
        )
        if not is_checkpoint:
            raise StoreReplaced(
                f"{self._path} was overwritten by another program{_NOT_SAVED}",
                is_overwritten=True,
            )
        self._stamp = stamp

    def _note_foreign_commits(self) -> None:
        commits = self._data_version()
        if commits != self._commits:
            self._commits, self._foreign_commit_at = commits, time.monotonic()
            self._newest = _last_operation(self._writer)

    def _set_log_aside(self) -> None:
        if not self._is_ours(self._log):
            return
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        copy = self._log.with_name(f"{self._log.name}.{stamp}.bak")
        handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(self._log.read_bytes())
        os.truncate(self._log, 0)

    def _is_ours(self, path: Path) -> bool:
        opened = self._opened[path]
        return opened is not None and file_id(path) == opened

    def _data_version(self) -> int:
        version: int = self._writer.execute("PRAGMA data_version").fetchone()[0]
        return version


def file_id(path: Path) -> FileId | None:
    """Device and inode; None where there is no file or where it has no inode."""
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _identity(found: os.stat_result) -> FileId | None:
    return (found.st_dev, found.st_ino) if found.st_dev and found.st_ino else None


def _sibling(path: Path, suffix: str) -> Path:
    return path.with_name(f"{path.name}{suffix}")


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _last_operation(database: sqlite3.Connection) -> object:
    return database.execute("SELECT seq, op_id FROM ops ORDER BY seq DESC LIMIT 1").fetchone()


def _has_last_operation(path: Path, wanted: object) -> bool:
    """Whether the database file without its log ends with that operation."""
    try:
        with closing(connect(path, busy_seconds=0.0, access="immutable")) as bare:
            return _last_operation(bare) == wanted
    except sqlite3.Error:
        return False
