"""One database file: its connections, transactions, and the check that it was not replaced."""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Lock, get_ident
from typing import Any, NamedTuple

from todo_tui.domain.errors import StoreError, StoreReplaced
from todo_tui.domain.when import Clock, DateStyle, NewId
from todo_tui.store.backups import set_log_aside
from todo_tui.store.connection import (
    Access,
    begin_immediate,
    connect,
    open_reader,
    set_busy_timeout,
)
from todo_tui.store.sqlite_errors import busy_error, is_busy, translate_errors

OPEN_SCOPE = "status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0"
"""Condition of the index over open tasks; a query must repeat it literally to use the index."""
STARTS_OF_OPS = "(actor <> 'import' OR kind <> 'set' OR field = 'parent')"
"""Condition of the index over operations by task; see `OPS_OF_TASKS` for those it leaves out."""
SqlValue = str | int | float | None
FileId = tuple[int, int]
"""Device and inode."""
_NOT_SAVED = ". Changes are not saved."
_CHECKPOINT_WAIT = 0.5
"""Seconds to wait for readers at a checkpoint; the screen may wait for it."""
_MIN_WAIT = 1.0
"""Seconds that a write waits for other processes, however long it waited for its own."""
_GIVE_UP_POLL_SECONDS = 0.05
"""Time between two looks at whether to wait on, for a write behind another one that waits."""
_FOREIGN_CHECKPOINT_SECONDS = 30.0
"""Time another process gets to checkpoint its commits, which it does right after them."""

guards_event_loop: ContextVar[bool] = ContextVar("guards_event_loop", default=False)
"""True in tasks of the app. There a write on the event loop is reported as ResourceWarning: while
another process holds the lock, no key would be drawn."""


def _never() -> bool:
    return False


def _report_event_loop() -> None:
    if not guards_event_loop.get():
        return
    # Loaded, as the app runs; commands do without it.
    from asyncio import get_running_loop

    with suppress(RuntimeError):
        get_running_loop()
        warnings.warn("a write to the store on the event loop", ResourceWarning, stacklevel=4)


def file_id(path: Path) -> FileId | None:
    """Return device and inode; None without a file, or on a file system without inodes."""
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _identity(found: os.stat_result) -> FileId | None:
    return (found.st_dev, found.st_ino) if found.st_dev and found.st_ino else None


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _data_version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA data_version").fetchone()[0])


def _last_operation(database: sqlite3.Connection) -> object:
    return database.execute("SELECT seq, op_id FROM ops ORDER BY seq DESC LIMIT 1").fetchone()


def _has_last_operation(path: Path, wanted: object) -> bool:
    """Return True if the main file alone, without its log, ends with that operation."""
    try:
        with closing(connect(path, busy_seconds=0.0, access="immutable")) as bare:
            return _last_operation(bare) == wanted
    except sqlite3.Error:
        return False


class OpenFiles:
    """The writer and the identities of the files that it has open, to notice their replacement.

    Created after the first read, when SQLite has opened the log files too. `given` is the
    requested path, `path` the target if that is a link; `database` is the identity of the file
    from before it was opened, so that no replacement is missed. The checks raise StoreReplaced
    if a file was deleted, replaced or overwritten.
    """

    def __init__(
        self, given: Path, path: Path, database: FileId | None, writer: sqlite3.Connection
    ) -> None:
        self.given, self.path, self.writer = given, path, writer
        self._log = path.with_name(f"{path.name}-wal")
        self._index = path.with_name(f"{path.name}-shm")
        self._opened = {
            given: database,
            path: database,
            self._log: file_id(self._log),
            self._index: file_id(self._index),
        }
        self._stamp = _stamp(path)
        self._commits = _data_version(writer)
        self._foreign_commit_at = float("-inf")
        self.has_foreign_commits = False
        """True if `check` found commits of other processes; whoever acts on them resets it."""
        self._newest = _last_operation(writer)

    def check(self) -> None:
        """Compare names and contents, in about 20 microseconds."""
        commits = _data_version(self.writer)
        if commits != self._commits:
            self._commits, self._foreign_commit_at = commits, time.monotonic()
            self.has_foreign_commits = True
            self._newest = _last_operation(self.writer)
        self.check_names()
        stamp = _stamp(self.path)
        if self._opened[self._log] is None or stamp == self._stamp:
            return
        # A checkpoint of another process, or a copy over the file, as by `cp`?
        if (
            time.monotonic() - self._foreign_commit_at >= _FOREIGN_CHECKPOINT_SECONDS
            and not _has_last_operation(self.path, self._newest)
        ):
            raise StoreReplaced(
                f"{self.path} was overwritten by another program{_NOT_SAVED}",
                is_overwritten=True,
            )
        self._stamp = stamp

    def check_names(self) -> None:
        """Compare device and inode of each file."""
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
                    f"{path} is not accessible ({error.strerror}){_NOT_SAVED}"
                ) from error
            if present is not None and present != opened:
                raise StoreReplaced(f"{path} was replaced by another file{_NOT_SAVED}")

    def note_own_write(self) -> None:
        """Record size and time of the files after a write of this process, which may checkpoint."""
        self._stamp = _stamp(self.path)
        self._newest = _last_operation(self.writer)

    def secure(self, error: StoreReplaced) -> None:
        """Prevent the log from being applied to the file that is at the path now.

        If the file was replaced, all commits are copied into the open file; if it was
        overwritten, the log is moved aside and emptied. Raises nothing: `refuse_leftovers`
        reports a log that could not be emptied.
        """
        with suppress(OSError, sqlite3.Error):
            if error.is_overwritten:
                if self._is_ours(self._log):
                    set_log_aside(self._log)
            elif self._is_ours(self._index) or not self._is_ours(self._log):
                # With another index, other processes may have commits in the same log.
                set_busy_timeout(self.writer, _CHECKPOINT_WAIT)
                self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
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

    def _is_ours(self, path: Path) -> bool:
        opened = self._opened[path]
        return opened is not None and file_id(path) == opened


class _DryRunEnded(Exception):
    """Rolls a dry run back."""


class DatabaseFile:
    """One writer and one reader connection, each behind its own lock.

    So a read in one thread never waits for a write of another thread that waits for another
    process. Methods raise StoreReplaced if the file is not the one that was opened, and another
    StoreError if SQLite fails; nothing of a failed write is in the file.
    """

    def __init__(self, files: OpenFiles, busy_seconds: float, access: Access, zone: str) -> None:
        self.files = files
        self.zone = zone
        """Time zone of `local_time` in SQL."""
        self._access = access
        self._busy_seconds = busy_seconds
        self._writer_lock = Lock()
        self._reader: sqlite3.Connection | None = None
        self._reader_lock = Lock()
        self._joined_by: int | None = None
        """Thread whose reads and writes are one transaction."""
        self._is_dry_run = False
        self._after_commit: list[Callable[[], None]] = []
        self._waits_since: float | None = None
        """Instant since which a write waits for another process; None while none does."""
        self._waits_no_more = False
        self.failed_writes = 0
        """Number of writes that SQLite or another process prevented."""
        self.has_failed_write = False
        """True if the last write was prevented."""
        self._lost: StoreReplaced | None = None
        """The error that every use raises after the file was replaced, until it is reopened."""

    @property
    def path(self) -> Path:
        """The opened file: the requested path, or the target if that is a link."""
        return self.files.path

    @property
    def is_read_only(self) -> bool:
        """True if every write will fail."""
        return self._access != "rw"

    @property
    def waiting_seconds(self) -> float:
        """Time that a write has been waiting for another process; 0 while none does."""
        since = self._waits_since
        return 0.0 if since is None else time.monotonic() - since

    def stop_waiting(self) -> None:
        """End all waits for other processes: writes fail with StoreBusy from now on."""
        self._waits_no_more = True

    @contextmanager
    def writing(self, gives_up: Callable[[], bool] = _never) -> Iterator[sqlite3.Connection]:
        """Run one transaction that holds the write lock from its start.

        Raises:
            StoreBusy: another process held it too long, or `gives_up` returned True meanwhile.
        """
        if self._in_transaction:
            with self._savepoint() as writer:
                yield writer
            return
        _report_event_loop()
        try:
            with self._alone(gives_up) as since, translate_errors(self.path), self._guarded():
                self._begin(since, gives_up)
                try:
                    self.files.check()
                    yield self.files.writer
                    self.files.writer.execute("COMMIT")
                except BaseException:
                    # A full disk may have rolled back already; then rollback() does nothing.
                    self.files.writer.rollback()
                    raise
                self.files.check_names()
                self.files.note_own_write()
        except StoreError:
            self.failed_writes += 1
            self.has_failed_write = True
            raise
        self.has_failed_write = False

    @contextmanager
    def transaction(self, *, dry_run: bool) -> Iterator[None]:
        """Make all reads and writes of this thread one transaction; roll a dry run back.

        Inside another one it is a part of that.
        """
        if self._in_transaction:
            with self._savepoint():
                yield
            return
        with suppress(_DryRunEnded):
            with self.writing():
                self._joined_by, self._is_dry_run = get_ident(), dry_run
                try:
                    yield
                finally:
                    self._joined_by = None
                    actions, self._after_commit = self._after_commit, []
                if dry_run:
                    raise _DryRunEnded
            for action in actions:
                action()

    @property
    def _in_transaction(self) -> bool:
        return self._joined_by == get_ident()

    @contextmanager
    def _savepoint(self) -> Iterator[sqlite3.Connection]:
        """Run a part of the open transaction, which alone is rolled back if it fails."""
        writer = self.files.writer
        with translate_errors(self.path):
            writer.execute("SAVEPOINT part")
            try:
                yield writer
            except BaseException:
                writer.execute("ROLLBACK TO part")
                raise
            finally:
                writer.execute("RELEASE part")

    def after_commit(self, action: Callable[[], None]) -> None:
        """Run `action` after the commit: now, unless this thread is in a transaction."""
        if self._in_transaction and not self._is_dry_run:
            self._after_commit.append(action)
        else:
            action()

    @contextmanager
    def _alone(self, gives_up: Callable[[], bool]) -> Iterator[float]:
        """Hold the writer; yields the instant of the request."""
        requested_at = time.monotonic()
        while not self._writer_lock.acquire(timeout=_GIVE_UP_POLL_SECONDS):
            # Behind a write that waits for another process, not behind a long one of our own.
            if self._waits_since is not None and (self._waits_no_more or gives_up()):
                raise busy_error(self.path)
        try:
            yield requested_at
        finally:
            self._writer_lock.release()

    def _begin(self, since: float, gives_up: Callable[[], bool]) -> None:
        def gives_up_now() -> bool:
            self._waits_since = since
            return self._waits_no_more or gives_up()

        left = max(self._busy_seconds - (time.monotonic() - since), _MIN_WAIT)
        try:
            begin_immediate(self.files.writer, min(left, self._busy_seconds), gives_up_now)
        finally:
            self._waits_since = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the reader inside one snapshot of the file.

        In a transaction of this thread it is the writer, which sees what is not committed.
        """
        if self._in_transaction:
            with translate_errors(self.path):
                yield self.files.writer
            return
        with self._reader_lock, translate_errors(self.path):
            reader = self._open_reader()
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.rollback()

    def changed_by_others(self) -> bool:
        """Return True if another process has written since the last call; never waits."""
        if not self._writer_lock.acquire(blocking=False):
            self.files.check_names()
            return False
        try:
            with translate_errors(self.path), self._guarded():
                set_busy_timeout(self.files.writer, 0.0)
                try:
                    self.files.check()
                except sqlite3.OperationalError as error:
                    if not is_busy(error):
                        raise
                    return False
                finally:
                    set_busy_timeout(self.files.writer, self._busy_seconds)
                changed = self.files.has_foreign_commits
                self.files.has_foreign_commits = False
                return changed
        finally:
            self._writer_lock.release()

    def truncate_wal(self) -> None:
        """Empty the write-ahead log, which still holds erased text.

        While other processes read, the log is emptied later, as it fills up.
        """
        if self._in_transaction:
            # Only a dry run purges in a transaction.
            return
        _report_event_loop()
        with self._writer_lock, translate_errors(self.path), self._guarded():
            self.files.check()
            set_busy_timeout(self.files.writer, _CHECKPOINT_WAIT)
            try:
                self.files.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                set_busy_timeout(self.files.writer, self._busy_seconds)
                self.files.note_own_write()

    def problems(self) -> tuple[str, ...]:
        """Return the findings of SQLite's integrity check; empty if the file is sound."""
        with self.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA quick_check").fetchall()]
        return () if found == ["ok"] else tuple(found)

    def reopen(self, open_again: Callable[[], DatabaseFile]) -> None:
        """Reopen the path; does nothing if the opened file is still in place.

        `open_again` opens it, after the connections to the previous file are closed. The log of
        the previous file beside a new one is refused.
        """
        with self._writer_lock, self._reader_lock, translate_errors(self.path):
            if self._lost is None and self._is_in_place():
                return
            if self._lost is not None or not self.files.is_database_in_place:
                self.files.refuse_leftovers()
            self._lost = self._lost or StoreReplaced(f"{self.files.given} is not open.")
            self._close_connections()
            other = open_again()
            self.files, self._access = other.files, other._access
            self._lost = None

    def close(self) -> None:
        """Close both connections."""
        with self._writer_lock, self._reader_lock:
            if self._lost is None:
                # SQLite checkpoints the log into the file on closing.
                self._is_in_place()
            self._close_connections()

    def _is_in_place(self) -> bool:
        try:
            with self._guarded():
                self.files.check()
        except (StoreReplaced, sqlite3.Error):
            return False
        return True

    def _close_connections(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self.files.writer.close()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Prevent the log of a replaced file from being applied to its replacement."""
        if self._lost is not None:
            raise StoreReplaced(self._lost.message)
        try:
            yield
        except StoreReplaced as error:
            self.files.secure(error)
            if error.is_overwritten:
                # Reads would return a mix of both files.
                self._lost = error
            raise

    def _open_reader(self) -> sqlite3.Connection:
        if self._lost is not None:
            raise StoreReplaced(self._lost.message)
        if self._reader is None:
            reader = open_reader(self.path, self._busy_seconds, self._access, self.zone)
            try:
                self.files.check_names()
            except BaseException:
                reader.close()
                raise
            self._reader = reader
        return self._reader


class UserDatabase(NamedTuple):
    """A database file opened for one user, with the clock and ids of its writes."""

    file: DatabaseFile
    user: str
    clock: Clock
    new_id: NewId
    style: DateStyle

    def rows(self, query: str, *values: SqlValue) -> list[tuple[Any, ...]]:
        """Run one query in a snapshot of the file."""
        with self.file.reading() as database:
            return database.execute(query, values).fetchall()


class Repository:
    """Base of the repositories: reads and writes of one user in one database file."""

    def __init__(self, db: UserDatabase) -> None:
        self._db = db
