"""Opening of a database file: refuses foreign and newer ones, creates, migrates with a backup.

sqlite-utils runs the migrations, and lists in the file which have run; everything else is plain
SQL, since its own transactions are deferred and fail when two processes write.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.errors import StoreReplaced, StoreUnreadable, StoreUnwritable
from todo_tui.store.backups import copy_before_migration
from todo_tui.store.connection import (
    BUSY_SECONDS,
    Access,
    begin_immediate,
    choose_journal,
    create_empty_file,
    open_writer,
)
from todo_tui.store.database import DatabaseFile, OpenFiles, file_id
from todo_tui.store.sqlite_errors import (
    corrupt_file_error,
    is_read_only,
    obstacle_to_writing,
    translate_errors,
)

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

APPLICATION_ID = 0x746F646F
"""`todo` in ASCII; marks a SQLite file as ours."""
SCHEMA_VERSION = 12
"""Stored in `PRAGMA user_version`, so that opening reads one integer; each migration adds 1."""
OLDEST_SCHEMA_VERSION = 11
"""Oldest version that is migrated; development versions wrote lower ones."""
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_APPLICATION_ID_AT = slice(68, 72)
OLDEST_SQLITE = (3, 37, 0)  # STRICT tables
_HAS_FTS5 = "SELECT 1 FROM pragma_module_list WHERE name = 'fts5'"


class SchemaFormat(NamedTuple):
    """A schema version and its `migrations`, which are loaded only for a file that lacks some."""

    version: int
    migrations: Callable[[], Migrations]


def _migrations() -> Migrations:
    # sqlite-utils takes a fifth of the time of a quick command, and few starts need it.
    from sqlite_utils import Migrations

    migrations = Migrations("todo_tui")
    migrations(name="first_release")(_create_or_upgrade)
    return migrations


def _create_or_upgrade(db: Database) -> None:
    (found,) = db.execute("PRAGMA user_version").fetchone()
    script = Path(__file__).with_name("upgrade_11.sql" if found else "schema.sql")
    # sqlite-utils would look for the end of each statement character by character.
    for statement in script.read_text(encoding="utf-8").split(";\n"):
        db.execute(statement)


CURRENT_FORMAT = SchemaFormat(SCHEMA_VERSION, _migrations)


def open_database(
    path: Path,
    *,
    wanted: SchemaFormat = CURRENT_FORMAT,
    busy_seconds: float = BUSY_SECONDS,
    may_create: bool = True,
    zone: str = "UTC",
) -> DatabaseFile:
    """Open the file and migrate it to the wanted schema; open it as read-only if it must be.

    `zone` is that of `local_time` in SQL.

    Raises:
        StoreUnreadable: a foreign, newer, older, corrupt or unreadable file; left untouched.
        StoreUnwritable: folder or file cannot be created, or the file not be migrated.
        StoreBusy: another process held the file longer than `busy_seconds`.
        StoreReplaced: there is no file and `may_create` is False.
    """
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise StoreUnreadable(
            f"SQLite 3.37 or newer is required; this Python has {sqlite3.sqlite_version}.",
            hint="Install a newer Python.",
        )
    _check_header(path, may_create=may_create)
    given, path = path, path.resolve() if path.is_symlink() else path
    if may_create:
        create_empty_file(path)
    with translate_errors(path):
        try:
            return _open(given, path, wanted, busy_seconds, "rw", zone)
        except sqlite3.OperationalError as error:
            if not is_read_only(error):
                raise
            log = path.with_name(f"{path.name}-wal")
            if log.exists() and log.stat().st_size > 0:
                raise StoreUnwritable(
                    f"Cannot open {path} in a read-only folder: {path.name}-wal has "
                    "pending changes.",
                    hint="Copy both files to a writable folder and open the copy with --db.",
                ) from error
            # No process with the same permissions can change it.
            return _open(given, path, wanted, busy_seconds, "immutable", zone)


def reopen_database(file: DatabaseFile) -> None:
    """Reopen the path of `file` after `StoreReplaced`, as `open_database`; creates no file."""
    given = file.files.given
    if not file.files.is_database_in_place:
        # Checked while the previous file is still open, so that it stays usable on refusal.
        _check_header(given, may_create=False)
    file.reopen(lambda: open_database(given, may_create=False, zone=file.zone))


def _open(
    given: Path, path: Path, wanted: SchemaFormat, busy_seconds: float, access: Access, zone: str
) -> DatabaseFile:
    database = file_id(path)
    writer = open_writer(path, busy_seconds, access, zone)
    try:
        if not writer.execute(_HAS_FTS5).fetchone():
            raise StoreUnreadable(
                "SQLite of this Python lacks full-text search (FTS5).",
                hint="Install another Python.",
            )
        found = _schema_version(writer)
        if found > wanted.version:
            raise StoreUnreadable(
                f"{path} was written by a newer todo-tui (format {found}, supported:"
                f" {wanted.version}).",
                hint="Upgrade todo-tui. The file was not changed.",
            )
        if 0 < found < OLDEST_SCHEMA_VERSION:
            raise StoreUnreadable(
                f"{path} is from a development version. The file was not changed.",
                hint="Export your tasks with that version, then import them here.",
            )
        if found < wanted.version:
            if access != "rw":
                obstacle = obstacle_to_writing(path)
                raise StoreUnwritable(
                    f"{path} has an older format and cannot be upgraded:"
                    f" the file {obstacle.what if obstacle else 'is not writable'}.",
                    hint="Copy the file to a writable folder, then open the copy with --db.",
                )
            _migrate(writer, path, wanted, busy_seconds)
        if access == "rw":
            choose_journal(writer, path, busy_seconds)
        return DatabaseFile(OpenFiles(given, path, database, writer), busy_seconds, access, zone)
    except BaseException:
        writer.close()
        raise


def _schema_version(database: Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _check_header(path: Path, *, may_create: bool) -> None:
    """Check the file header without opening a connection, so that a foreign file is not locked.

    Our application id is in the main file from the first commit on, because the migration
    commits before the switch to the write-ahead log.
    """
    header = _first_bytes(path)
    if not header:
        if may_create:
            return
        raise StoreReplaced(f"No database found at {path}.", hint="Put the file back, then reopen.")
    if not header.startswith(_MAGIC):
        raise StoreUnreadable(
            f"{path} is not a todo-tui database. The file was not changed.",
            hint="Choose another file with --db.",
        )
    if len(header) < _HEADER:
        raise corrupt_file_error(path)
    if int.from_bytes(header[_APPLICATION_ID_AT], "big") != APPLICATION_ID:
        raise StoreUnreadable(
            f"{path} is a SQLite database of another program. The file was not changed.",
            hint="Choose another file with --db.",
        )


def _first_bytes(path: Path) -> bytes:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise StoreUnreadable(
                f"{path} is a folder, not a database file.",
                hint="Choose a file in this folder with --db.",
            )
        if not stat.S_ISREG(mode):
            raise StoreUnreadable(
                f"{path} is not a regular file.", hint="Choose another file with --db."
            )
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except NotADirectoryError as error:
        raise StoreUnwritable(
            f"Cannot create {path}: part of its path is a file.",
            hint="Choose another path with --db.",
        ) from error
    except ValueError as error:
        raise StoreUnreadable(
            f"Invalid file name {str(path)!r}.", hint="Choose another path with --db."
        ) from error
    except OSError as error:
        raise StoreUnreadable(
            f"Cannot read {path} ({error.strerror}).",
            hint="Check the permissions of the file, or choose another with --db.",
        ) from error


def _migrate(writer: Connection, path: Path, wanted: SchemaFormat, busy_seconds: float) -> None:
    from sqlite_utils import Database  # deferred like the schema

    migrations = wanted.migrations()
    begin_immediate(writer, busy_seconds)
    copy: Path | None = None
    try:
        found = _schema_version(writer)
        # Another process may have migrated the file while this one waited for the lock.
        if found < wanted.version:
            # A transaction begins on a read-only file, too; the first write fails.
            writer.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
            if found > 0:
                copy = copy_before_migration(path, found)
            migrations.apply(Database(writer, execute_plugins=False, recursive_triggers=False))
            writer.execute(f"PRAGMA user_version = {wanted.version:d}")
            if copy is not None:
                copy = copy.rename(copy.with_suffix(""))
        writer.execute("COMMIT")
    except BaseException:
        writer.rollback()
        if copy is not None:
            copy.unlink(missing_ok=True)
        raise
