"""Opening the database file: born private, brought up to date, or refused untouched."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from todo_tui.domain.clock import Clock, NewId, random_id
from todo_tui.domain.errors import StoreUnreadable, StoreUnwritable
from todo_tui.domain.when import DateStyle
from todo_tui.store.connection import BUSY_SECONDS, connect
from todo_tui.store.database import DatabaseFile
from todo_tui.store.faults import is_busy, is_read_only, translated
from todo_tui.store.file_checks import create_private, refuse_foreign, refuse_missing
from todo_tui.store.open_files import file_id
from todo_tui.store.upgrading import PRESENT, Format, migrate, schema_version
from todo_tui.store.workspace import Store

_CACHE_KILOBYTES = 32_000
_PAGE_BYTES = 16_384
"""Of a new file. Each page costs two writes apart from its bytes, which a long import notices."""
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

    A file that may only be read is opened all the same; then writes raise
    StoreUnwritable.

    Raises:
        StoreUnreadable: a foreign, newer, corrupt or unreadable file; left untouched.
        StoreUnwritable: folder or file cannot be made, or not be brought up to date.
        StoreBusy: another process held the file longer than `busy_seconds`.
    """
    file = open_database(path, busy_seconds=busy_seconds)
    return Store(file, user=user, clock=clock, new_id=new_id, style=style or DateStyle())


def open_database(
    path: Path,
    *,
    wanted: Format = PRESENT,
    busy_seconds: float = BUSY_SECONDS,
    may_create: bool = True,
) -> DatabaseFile:
    """Open the file, brought up to the format that is wanted.

    Raises:
        StoreError: as `open_store`, or there is no file and it may not be made.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreUnreadable(
            f"This Python comes with SQLite {sqlite3.sqlite_version}; 3.37 or newer is needed.",
            hint="Use a newer Python.",
        )
    if not may_create:
        refuse_missing(path)
    refuse_foreign(path)
    given = path
    if path.is_symlink():
        path = path.resolve()
    if may_create:
        create_private(path)
    with translated(path):
        try:
            return _open_writable(given, path, wanted, busy_seconds)
        except sqlite3.OperationalError as error:
            if not is_read_only(error):
                raise
            if _log_is_needed(path):
                raise StoreUnwritable(
                    f"{path} cannot be opened where nothing can be written: {path.name}-wal has "
                    "changes that are not in it yet.",
                    hint="Copy both files to a writable folder, and open the copy with --db.",
                ) from error
            as_it_lies = _open_read_only(given, path, wanted.version, busy_seconds)
            if as_it_lies is None:
                raise
            return as_it_lies


def reopen_database(file: DatabaseFile, busy_seconds: float = BUSY_SECONDS) -> None:
    """Go on with the file that lies at the path now, after `StoreReplaced`.

    Raises:
        StoreError: as `open_database`; no file is made.
    """
    if not file.is_in_place:
        # While the file before it is still open: it can be shown on where this one is refused.
        refuse_missing(file.given)
        refuse_foreign(file.given)
    file.reopen(lambda: open_database(file.given, busy_seconds=busy_seconds, may_create=False))


def _open_writable(given: Path, path: Path, wanted: Format, busy_seconds: float) -> DatabaseFile:
    database = file_id(path)
    writer = connect(path, busy_seconds=busy_seconds)
    try:
        _set_up(writer)
        found = schema_version(writer)
        _refuse_newer(path, found, wanted.version)
        if found < wanted.version:
            migrate(writer, path, wanted, busy_seconds)
        _switch_to_wal(writer, busy_seconds)
        return DatabaseFile(path, writer, busy_seconds, given=given, database=database)
    except BaseException:
        writer.close()
        raise


def _log_is_needed(path: Path) -> bool:
    """Whether the write-ahead log holds commits that the main file does not have yet."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _open_read_only(
    given: Path, path: Path, version: int, busy_seconds: float
) -> DatabaseFile | None:
    """Open a file in a place where SQLite cannot even make its lock files; None if it is old.

    Nobody who is bound by the same permissions can change it, so it is read as it lies.
    """
    database = file_id(path)
    writer = connect(path, busy_seconds=busy_seconds, access="immutable")
    try:
        found = schema_version(writer)
        _refuse_newer(path, found, version)
    except BaseException:
        writer.close()
        raise
    if found < version:
        writer.close()
        return None
    return DatabaseFile(
        path, writer, busy_seconds, access="immutable", given=given, database=database
    )


def _refuse_newer(path: Path, found: int, version: int) -> None:
    if found > version:
        raise StoreUnreadable(
            f"{path} was written by a newer todo-tui (format {found}, this one reads {version}).",
            hint="Upgrade todo-tui; the file was left as it is.",
        )


def _set_up(writer: sqlite3.Connection) -> None:
    # Only a file that has nothing in it yet takes this.
    writer.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    # NORMAL: with a write-ahead log a commit is in the kernel's hands when it is
    # confirmed, so no kill of the process can lose it and the file stays sound even
    # when the power fails, which may then cost the last seconds. FULL would wait for
    # the disk at every key press to save those. Checkpoints, the one at the last
    # close too, do wait for the disk.
    writer.execute("PRAGMA synchronous = NORMAL")
    writer.execute("PRAGMA foreign_keys = ON")
    # What is purged is overwritten, not just unlinked.
    writer.execute("PRAGMA secure_delete = ON")
    # The default of 2 MB makes large imports crawl; it is only taken as it is needed.
    writer.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")


def _switch_to_wal(writer: sqlite3.Connection, busy_seconds: float) -> None:
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
