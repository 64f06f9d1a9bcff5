"""Opening the database file: born private, brought up to date, or refused untouched."""

from __future__ import annotations

import os
import sqlite3
import time
from datetime import datetime
from pathlib import Path

from sqlite_utils import Database, Migrations

from todo_tui.domain.clock import Clock, NewId, random_id
from todo_tui.domain.errors import StoreUnreadable, StoreUnwritable
from todo_tui.domain.when import DateStyle
from todo_tui.store.database import BUSY_SECONDS, DatabaseFile, begin_immediate, connect
from todo_tui.store.faults import corrupt, is_busy, translated
from todo_tui.store.schema import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from todo_tui.store.workspace import Store

_MAGIC = b"SQLite format 3\x00"
_APPLICATION_ID_AT = slice(68, 72)
_OLDEST_SQLITE = (3, 37, 0)  # STRICT tables


def open_store(
    path: Path,
    *,
    user: str,
    clock: Clock,
    new_id: NewId = random_id,
    style: DateStyle | None = None,
    busy_seconds: float = BUSY_SECONDS,
) -> Store:
    """Open the file for one user, making folder and file where there are none.

    Raises:
        StoreUnreadable: a foreign, newer, corrupt or unreadable file; left untouched.
        StoreUnwritable: folder or file cannot be written.
        StoreBusy: another process held the file longer than `busy_seconds`.
    """
    file = open_database(path, busy_seconds=busy_seconds)
    return Store(file, user=user, clock=clock, new_id=new_id, style=style or DateStyle())


def open_database(
    path: Path,
    *,
    migrations: Migrations = MIGRATIONS,
    version: int = SCHEMA_VERSION,
    busy_seconds: float = BUSY_SECONDS,
) -> DatabaseFile:
    """Open the file with its schema at `version`, the number of `migrations`.

    Raises:
        StoreError: as `open_store`.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreUnreadable(
            f"This Python comes with SQLite {sqlite3.sqlite_version}; 3.37 or newer is needed.",
            hint="Use a newer Python.",
        )
    path = path.expanduser()
    _refuse_foreign(path)
    _create_private(path)
    with translated(path):
        writer = connect(path, busy_seconds=busy_seconds)
        try:
            _prepare(writer, path, migrations, version, busy_seconds)
            return DatabaseFile(path, writer, busy_seconds)
        except BaseException:
            writer.close()
            raise


def _refuse_foreign(path: Path) -> None:
    """Look at the first bytes only, so that a foreign file is not even locked.

    The mark is in the main file from its first byte on, because the first
    migration commits before the switch to the write-ahead log.
    """
    try:
        with path.open("rb") as file:
            header = file.read(100)
    except FileNotFoundError:
        return
    except NotADirectoryError as error:
        raise StoreUnwritable(
            f"{path} cannot be made: a part of its folder is a file.",
            hint="Choose another place with --db.",
        ) from error
    except IsADirectoryError as error:
        raise StoreUnreadable(
            f"{path} is a folder, not a database file.", hint="Name a file in it with --db."
        ) from error
    except OSError as error:
        raise StoreUnreadable(
            f"{path} cannot be read ({error.strerror}).",
            hint="Check its permissions, or choose another file with --db.",
        ) from error
    if not header:
        return
    if not header.startswith(_MAGIC):
        raise StoreUnreadable(
            f"{path} is not a todo-tui database; it was left as it is.",
            hint="Choose another file with --db.",
        )
    if len(header) < 100:
        raise corrupt(path)
    if int.from_bytes(header[_APPLICATION_ID_AT], "big") != APPLICATION_ID:
        raise StoreUnreadable(
            f"{path} is a SQLite database of another program; it was left as it is.",
            hint="Choose another file with --db.",
        )


def _create_private(path: Path) -> None:
    """Make missing folders (0700) and the empty file (0600), whatever the umask."""
    try:
        _create_folders(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
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
        # Another process was faster; what it made is not ours to change.
        return
    folder.chmod(0o700)


def _prepare(
    writer: Database, path: Path, migrations: Migrations, version: int, busy_seconds: float
) -> None:
    # NORMAL: with a write-ahead log a commit is in the kernel's hands when it is
    # confirmed, so no kill of the process can lose it and the file stays sound even
    # when the power fails, which may then cost the last seconds. FULL would wait for
    # the disk at every key press to save those. Checkpoints, the one at the last
    # close too, do wait for the disk.
    writer.execute("PRAGMA synchronous = NORMAL")
    writer.execute("PRAGMA foreign_keys = ON")
    # What is purged is overwritten, not just unlinked.
    writer.execute("PRAGMA secure_delete = ON")
    found = _schema_version(writer)
    if found > version:
        raise StoreUnreadable(
            f"{path} was written by a newer todo-tui (format {found}, this one reads {version}).",
            hint="Upgrade todo-tui; the file was left as it is.",
        )
    if found < version:
        _migrate(writer, path, migrations, version, busy_seconds)
    _switch_to_wal(writer, busy_seconds)


def _schema_version(database: Database) -> int:
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    return found


def _migrate(
    writer: Database, path: Path, migrations: Migrations, version: int, busy_seconds: float
) -> None:
    begin_immediate(writer, busy_seconds)
    try:
        found = _schema_version(writer)
        # Another process may have done it while this one waited for the lock.
        if found < version:
            if found > 0:
                _back_up(path, found)
            migrations.apply(writer)
            writer.execute(f"PRAGMA user_version = {version:d}")
            writer.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        writer.execute("COMMIT")
    except BaseException:
        writer.rollback()
        raise


def _back_up(path: Path, version: int) -> None:
    """Copy the file as it stands, born 0600; the caller holds the write lock."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.name}.format{version}-{stamp}.bak")
    copy.unlink(missing_ok=True)
    _create_private(copy)
    source = connect(path, busy_seconds=BUSY_SECONDS, read_only=True)
    target = connect(copy, busy_seconds=BUSY_SECONDS)
    try:
        source.conn.backup(target.conn)
    finally:
        target.close()
        source.close()


def _switch_to_wal(writer: Database, busy_seconds: float) -> None:
    """Turn the write-ahead log on once for the file; SQLite's busy handler does not wait here."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            mode = writer.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() >= deadline:
                raise
        else:
            if mode == "wal" or time.monotonic() >= deadline:
                return
        time.sleep(0.01)
