"""Bringing a file's schema up to date, in one transaction and with a backup before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING

from todo_tui.store.connection import BUSY_SECONDS, begin_immediate, connect
from todo_tui.store.file_checks import create_private
from todo_tui.store.file_format import APPLICATION_ID, SCHEMA_VERSION

if TYPE_CHECKING:
    from sqlite_utils import Migrations


@dataclass(frozen=True, slots=True)
class Format:
    """A version of the file; `migrations`, as many as it, are only called for where they lack."""

    version: int
    migrations: Callable[[], Migrations]


def _present_migrations() -> Migrations:
    # The tables, and sqlite-utils to make them, are a fifth of what a quick command costs;
    # few starts find a file without them.
    from todo_tui.store.schema import MIGRATIONS

    return MIGRATIONS


PRESENT = Format(SCHEMA_VERSION, _present_migrations)


def schema_version(database: Connection) -> int:
    """How many migrations the file has had; 0 for a new one."""
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    return found


def migrate(writer: Connection, path: Path, wanted: Format, busy_seconds: float) -> None:
    """Apply the migrations that the file lacks; all or none of them."""
    from sqlite_utils import Database  # as little needed at most starts as the tables

    migrations = wanted.migrations()
    begin_immediate(writer, busy_seconds)
    try:
        found = schema_version(writer)
        # Another process may have done it while this one waited for the lock.
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
    """Copy the file as it stands, born 0600; the caller holds the write lock."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.name}.format{version}-{stamp}.bak")
    copy.unlink(missing_ok=True)
    create_private(copy)
    source = connect(path, busy_seconds=BUSY_SECONDS, access="ro")
    target = connect(copy, busy_seconds=BUSY_SECONDS)
    try:
        source.backup(target)
    finally:
        target.close()
        source.close()
