"""The database file: format marks, connections, transactions, migration with a backup.

New files are created with mode 0600; SQLite errors are raised as StoreError.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from threading import Lock
from typing import TYPE_CHECKING

from todo_tui.domain.errors import StoreReplaced, StoreUnreadable, StoreUnwritable
from todo_tui.store.connection import (
    BUSY_SECONDS,
    Access,
    FileId,
    OpenFiles,
    begin_immediate,
    connect,
    corrupt_file_error,
    obstacle_in,
    obstacle_to_writing,
    translate_errors,
)

if TYPE_CHECKING:
    from sqlite_utils import Migrations

_CHECKPOINT_WAIT = 500
"""Milliseconds to wait for readers at a checkpoint."""
APPLICATION_ID = 0x746F646F
"""`todo` in ASCII; marks a SQLite file as ours."""
SCHEMA_VERSION = 7
"""Stored in `PRAGMA user_version`, so that opening reads one integer; each migration adds 1."""
FIRST_SCHEMA_VERSION = 7
"""Version after the first migration; development versions wrote lower ones."""
OPEN_SCOPE = "status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0"
"""Condition of the index over open tasks; a query must repeat it literally to use the index."""
STARTS_OF_OPS = "(actor <> 'import' OR kind <> 'set' OR field = 'parent')"
"""Condition of the index over operations by task; see `OPS_OF_TASKS` for those it leaves out."""
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_APPLICATION_ID_AT = slice(68, 72)


class DatabaseFile:
    """One writer and one reader connection, each behind its own lock.

    So a read in one thread never waits for a write of another thread that waits for another
    process. `given` is the path as requested, `path` the target if that is a link; `database`
    is the identity of the file from before `writer` opened it.
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
        """The error that every use raises after the file was replaced, until it is reopened."""

    @property
    def given(self) -> Path:
        """The requested path; may be a link."""
        return self._files.given

    @property
    def is_in_place(self) -> bool:
        """True if the path still leads to the opened file, whatever its contents."""
        return self._files.is_database_in_place

    @property
    def is_read_only(self) -> bool:
        """True if every write will fail."""
        return self._access != "rw"

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction that holds the write lock from its start.

        Raises:
            StoreReplaced: the file is not the one that was opened; nothing is in it.
            StoreError: SQLite could not write; nothing of the block was kept.
        """
        with self._writer_lock, translate_errors(self.path), self._guarded():
            begin_immediate(self._writer, self._busy_seconds)
            try:
                self._files.check()
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled back already; then rollback() does nothing.
                self._writer.rollback()
                raise
            self._files.check_names()
            self._files.note_own_write()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the reader inside one snapshot of the file.

        Raises:
            StoreError: SQLite could not read.
        """
        with self._reader_lock, translate_errors(self.path):
            reader = self._open_reader()
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                reader.rollback()

    def changed_by_others(self) -> bool:
        """Return True if another process has written since the last call; never waits.

        Raises:
            StoreReplaced: the file is not the one that was opened.
        """
        if not self._writer_lock.acquire(blocking=False):
            self._files.check_names()
            return False
        try:
            with translate_errors(self.path), self._guarded():
                self._files.check()
                version = self._read_data_version()
        finally:
            self._writer_lock.release()
        changed = version != self._data_version
        self._data_version = version
        return changed

    def truncate_wal(self) -> None:
        """Empty the write-ahead log, which still holds erased text.

        While other processes read, the log is emptied later, as it fills up.
        """
        with self._writer_lock, translate_errors(self.path), self._guarded():
            self._files.check()
            self._writer.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT}").fetchall()
            try:
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                waiting = int(self._busy_seconds * 1000)
                self._writer.execute(f"PRAGMA busy_timeout = {waiting}").fetchall()
                self._files.note_own_write()

    def problems(self) -> tuple[str, ...]:
        """Return the findings of SQLite's integrity check; empty if the file is sound."""
        with self.reading() as database:
            found = [str(row[0]) for row in database.execute("PRAGMA quick_check").fetchall()]
        return () if found == ["ok"] else tuple(found)

    def reopen(self, open_again: Callable[[], DatabaseFile]) -> None:
        """Reopen the path; does nothing if the opened file is still in place.

        `open_again` opens it, after the connections to the previous file are closed.

        Raises:
            StoreReplaced: the log of the previous file lies beside the new one.
            StoreError: it cannot be opened.
        """
        with self._writer_lock, self._reader_lock, translate_errors(self.path):
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
                # SQLite checkpoints the log into the file on closing.
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
        """Prevent the log of a replaced file from being applied to its replacement."""
        if self._lost is not None:
            raise StoreReplaced(self._lost.message)
        try:
            yield
        except StoreReplaced as error:
            self._files.secure(error)
            if error.is_overwritten:
                # Reads would return a mix of both files.
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


def refuse_foreign_file(path: Path) -> None:
    """Check the file header without opening a connection, so that a foreign file is not locked.

    Our application id is in the main file from the first commit on, because the migration
    commits before the switch to the write-ahead log.

    Raises:
        StoreUnreadable: the file is not our database; left untouched.
        StoreUnwritable: no file can exist at this path.
    """
    header = _first_bytes(path)
    if not header:
        return
    if not header.startswith(_MAGIC):
        raise StoreUnreadable(
            f"{path} is not a todo-tui database; it was left as it is.",
            hint="Choose another file with --db.",
        )
    if len(header) < _HEADER:
        raise corrupt_file_error(path)
    if int.from_bytes(header[_APPLICATION_ID_AT], "big") != APPLICATION_ID:
        raise StoreUnreadable(
            f"{path} is a SQLite database of another program; it was left as it is.",
            hint="Choose another file with --db.",
        )


def refuse_missing(path: Path) -> None:
    """Refuse to create an empty database in place of a deleted one.

    Raises:
        StoreReplaced: there is no file, or an empty one.
        StoreUnreadable: it cannot be read.
    """
    if not _first_bytes(path):
        raise StoreReplaced(
            f"There is no database at {path}.", hint="Put the file back, then reopen it."
        )


def _first_bytes(path: Path) -> bytes:
    """Return the header of the file; empty if there is none yet."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise StoreUnreadable(
                f"{path} is a folder, not a database file.", hint="Name a file in it with --db."
            )
        if not stat.S_ISREG(mode):
            raise StoreUnreadable(
                f"{path} is not an ordinary file.", hint="Choose another file with --db."
            )
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except NotADirectoryError as error:
        raise StoreUnwritable(
            f"{path} cannot be made: a part of its folder is a file.",
            hint="Choose another place with --db.",
        ) from error
    except ValueError as error:
        raise StoreUnreadable(
            f"{str(path)!r} cannot be the name of a file.", hint="Choose another with --db."
        ) from error
    except OSError as error:
        raise StoreUnreadable(
            f"{path} cannot be read ({error.strerror}).",
            hint="Check its permissions, or choose another file with --db.",
        ) from error


def create_private_file(path: Path) -> None:
    """Create missing folders (0700) and the empty file (0600), whatever the umask.

    Raises:
        StoreUnwritable: folder or file cannot be created.
    """
    try:
        _create_folders(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        obstacle = obstacle_in(error) or obstacle_to_writing(path)
        if obstacle is not None:
            raise StoreUnwritable(
                f"{path} cannot be made: it {obstacle.what}.", hint=obstacle.hint
            ) from error
        raise StoreUnwritable(
            f"{path} cannot be made ({error.strerror}).",
            hint="Check the permissions of its folder, or choose another place with --db.",
        ) from error
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def _create_folders(folder: Path) -> None:
    if folder.is_dir():
        return
    _create_folders(folder.parent)
    try:
        folder.mkdir()
    except FileExistsError:
        if folder.is_dir():
            # Another process was faster; keep the permissions that it set.
            return
        raise
    folder.chmod(0o700)


@dataclass(frozen=True, slots=True)
class SchemaFormat:
    """A schema version and its `migrations`, which are loaded only for a file that lacks some."""

    version: int
    migrations: Callable[[], Migrations]


def _present_migrations() -> Migrations:
    # The schema and sqlite-utils take a fifth of the time of a quick command, and few starts
    # need them.
    from todo_tui.store.schema import MIGRATIONS

    return MIGRATIONS


CURRENT_FORMAT = SchemaFormat(SCHEMA_VERSION, _present_migrations)


def schema_version(database: Connection) -> int:
    """Return the schema version of the file; 0 for a new one."""
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    return found


def migrate(writer: Connection, path: Path, wanted: SchemaFormat, busy_seconds: float) -> None:
    """Apply the missing migrations in one transaction."""
    from sqlite_utils import Database  # deferred like the schema

    migrations = wanted.migrations()
    begin_immediate(writer, busy_seconds)
    try:
        found = schema_version(writer)
        # Another process may have migrated the file while this one waited for the lock.
        if found < wanted.version:
            if found > 0:
                _back_up(path, found)
            migrations.apply(Database(writer, execute_plugins=False, recursive_triggers=False))
            writer.execute(f"PRAGMA user_version = {wanted.version:d}")
            writer.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        writer.execute("COMMIT")
    except BaseException:
        writer.rollback()
        raise


def _back_up(path: Path, version: int) -> None:
    """Copy the file with mode 0600; the caller holds the write lock."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.name}.format{version}-{stamp}.bak")
    copy.unlink(missing_ok=True)
    create_private_file(copy)
    source = connect(path, busy_seconds=BUSY_SECONDS, access="ro")
    target = connect(copy, busy_seconds=BUSY_SECONDS)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
