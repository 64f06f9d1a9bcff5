"""SQLite connections: opening, immediate transactions, and errors as StoreError.

Also what keeps a file from being written, and how a deleted or replaced file is noticed.
"""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Literal, NamedTuple

from todo_tui.domain.errors import (
    StoreBusy,
    StoreError,
    StoreReplaced,
    StoreUnreadable,
    StoreUnwritable,
)

_ELSEWHERE = "or choose another place with --db."
_PRIMARY_CODE = 0xFF
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    }
)
_UNREADABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
BUSY_SECONDS = 15.0
"""Longest wait for another process's write lock."""
Access = Literal["rw", "ro", "immutable"]
_STARVING_SECONDS = (0.05, 2.0)
_PAUSE = (0.001, 0.01)
_STARVING_PAUSE = (0.0003, 0.001)
"""Shortest and longest sleep in seconds between two attempts to take the write lock."""
FileId = tuple[int, int]
"""Device and inode."""
_NOT_SAVED = ": changes are not saved."
_CHECKPOINT_WAIT = 500
"""Milliseconds; the screen may wait for it."""
_FOREIGN_CHECKPOINT_SECONDS = 30.0
"""Time another process gets to checkpoint its commits, which it does right after them."""


class Obstacle(NamedTuple):
    """Reason why a file cannot be written, as the rest of a sentence, and its remedy."""

    what: str
    hint: str


_READ_ONLY_MOUNT = Obstacle(
    "is on a read-only file system", f"Mount it writable (mount -o remount,rw), {_ELSEWHERE}"
)

_FULL = Obstacle("is on a full disk", f"Free some space, {_ELSEWHERE}")

_OVER_QUOTA = Obstacle("is over your disk quota", f"Free some space, {_ELSEWHERE}")


def obstacle_to_writing(path: Path) -> Obstacle | None:
    """Find what keeps this user from writing the file, which may not exist yet; None if unknown.

    Called only after a write has failed.
    """
    if os.name != "posix":
        return None
    folder = next(each for each in path.absolute().parents if each.is_dir())
    try:
        if os.statvfs(path if path.exists() else folder).f_flag & os.ST_RDONLY:
            return _READ_ONLY_MOUNT
        if path.exists() and not os.access(path, os.W_OK):
            return _closed(path, "is")
    except OSError:
        return None
    # SQLite creates its log beside the file.
    if not os.access(folder, os.W_OK | os.X_OK):
        return _closed(folder, f"is in a folder ({folder}) that is")
    return None


def obstacle_in(error: OSError) -> Obstacle | None:
    """Translate the operating system's error; None for errors without a known remedy."""
    match error.errno:
        case errno.EROFS:
            return _READ_ONLY_MOUNT
        case errno.ENOSPC:
            return _FULL
        case errno.EDQUOT:
            return _OVER_QUOTA
        case _:
            return None


def _closed(path: Path, subject: str) -> Obstacle:
    found = path.stat()
    user = os.geteuid()
    is_own = found.st_uid == user
    if user == 0 or (is_own and found.st_mode & stat.S_IWUSR):
        # Permissions allow it, so it must be the immutable attribute, which binds root too.
        return Obstacle(f"{subject} marked immutable", f"Run: sudo chattr -i {_quoted(path)}")
    if is_own:
        return Obstacle(f"{subject} write-protected", f"Run: chmod u+w {_quoted(path)}")
    return Obstacle(
        f"{subject} not writable for you", f"Ask its owner for permission to write, {_ELSEWHERE}"
    )


def _quoted(path: Path) -> str:
    from shlex import quote  # deferred: only errors need it

    return quote(str(path))


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code; 0 if Python raised the error itself."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE


def is_busy(error: sqlite3.Error) -> bool:
    """Return True if another connection holds a lock, so that a retry may succeed."""
    return primary_code(error) in _BUSY


def is_read_only(error: sqlite3.Error) -> bool:
    """Return True if the file, or the folder for SQLite's lock files, is not writable."""
    return primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Translate an error of SQLite for the user."""
    code = primary_code(error)
    if code in _BUSY:
        return StoreBusy(
            f"Another program is holding {path}.", hint="Close it, or try again in a moment."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreUnwritable(
            f"The disk that holds {path} is full: this was not saved.",
            hint="Free some space, then try again.",
        )
    if code in _UNWRITABLE and (obstacle := obstacle_to_writing(path)) is not None:
        return StoreUnwritable(f"{path} {obstacle.what}: this was not saved.", hint=obstacle.hint)
    if code == sqlite3.SQLITE_IOERR:
        return StoreUnwritable(
            f"{path} cannot be written ({error}): this was not saved.",
            hint="The disk or your quota may be full: free some space, or check that it works.",
        )
    if code in _UNWRITABLE:
        return StoreUnwritable(
            f"{path} cannot be written ({error}): this was not saved.",
            hint="Check the permissions of the file and its folder, or choose another with --db.",
        )
    if code in _UNREADABLE:
        return corrupt_file_error(path)
    return StoreError(f"{path} could not do what was asked ({error}).", hint="Run todo-tui doctor.")


def corrupt_file_error(path: Path) -> StoreUnreadable:
    """Create the error for a damaged file, which was left as it is."""
    return StoreUnreadable(
        f"{path} is damaged; it was left as it is.",
        hint="Put a backup in its place (they lie beside it), or start afresh with --db OTHER.db.",
    )


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate SQLite errors raised inside the block.

    Raises:
        StoreError: whatever SQLite raised.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(error, path) from error


def connect(path: Path, *, busy_seconds: float, access: Access = "rw") -> sqlite3.Connection:
    """Open a connection in autocommit mode that any thread may use, one at a time.

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

    SQLite's busy handler sleeps longer after each attempt, so that a process that has waited
    long gets the lock less often than a newcomer: with 8 processes of 200 writes each, the
    longest wait was 3.8 seconds. Retrying faster the longer the wait lasts brings it to 0.3
    seconds. After some seconds one process holds a long lock, and faster retries are useless.
    """
    begun = time.monotonic()
    first, last = _STARVING_SECONDS
    _set_busy_timeout(database, 0.0)
    try:
        while True:
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                waited = time.monotonic() - begun
                if not is_busy(error) or waited >= busy_seconds:
                    raise
                pause = _STARVING_PAUSE if first <= waited < last else _PAUSE
                time.sleep(random.uniform(*pause))  # noqa: S311 - to differ from the others
            else:
                return
    finally:
        _set_busy_timeout(database, busy_seconds)


def _set_busy_timeout(database: sqlite3.Connection, seconds: float) -> None:
    database.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}").fetchall()


class OpenFiles:
    """Identities of the files that the connections have open, to notice their replacement.

    Created after the first read, when SQLite has opened the log files too. `given` is the
    requested path, maybe a link; `database` is the identity of the file from before it was
    opened, so that no replacement is missed.
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
        """Compare names and contents, in about 20 microseconds.

        Raises:
            StoreReplaced: a file was deleted, replaced or overwritten.
        """
        self._note_foreign_commits()
        self.check_names()
        if self._opened[self._log] is not None:
            self._check_contents()

    def check_names(self) -> None:
        """Compare device and inode of each file.

        Raises:
            StoreReplaced: a file was deleted or replaced.
        """
        for path, opened in self._opened.items():
            # Some network file systems have no inodes to compare.
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
        """Record size and time of the files after a write of this process, which may checkpoint."""
        self._stamp = _stamp(self._path)
        self._newest = _last_operation(self._writer)

    def secure(self, error: StoreReplaced) -> None:
        """Prevent the log from being applied to the file that is at the path now.

        If the file was replaced, all commits are copied into the open file; if it was
        overwritten, the log is moved aside and emptied. Raises nothing: `refuse_leftovers`
        reports a log that could not be emptied.
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
        """True if the path still leads to the opened database, whatever happened to its log."""
        return self._is_ours(self.given)

    def refuse_leftovers(self) -> None:
        """Refuse a new file if the log of the previous one lies beside it.

        Raises:
            StoreReplaced: opening it would apply commits of another database to it.
        """
        if self._is_ours(self._log):
            raise StoreReplaced(
                f"{self._log} still belongs to the previous database.",
                hint=f"Quit todo-tui everywhere, then move {self._log.name} elsewhere.",
            )

    def _check_contents(self) -> None:
        """Distinguish a checkpoint of another process from a copy over the file, as by `cp`."""
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
    """Return device and inode; None without a file, or on a file system without inodes."""
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
    """Return True if the main file alone, without its log, ends with that operation."""
    try:
        with closing(connect(path, busy_seconds=0.0, access="immutable")) as bare:
            return _last_operation(bare) == wanted
    except sqlite3.Error:
        return False
