"""Bringing a file's schema up to date, in one transaction and with a backup before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from sqlite_utils import Database, Migrations

from todo_tui.store.database import BUSY_SECONDS, begin_immediate, connect
from todo_tui.store.file_checks import create_private
from todo_tui.store.schema import APPLICATION_ID


def schema_version(database: Database) -> int:
    """How many migrations the file has had; 0 for a new one."""
    found: int = database.execute("PRAGMA user_version").fetchone()[0]
    return found


def migrate(
    writer: Database, path: Path, migrations: Migrations, version: int, busy_seconds: float
) -> None:
    """Apply the migrations that the file lacks; all or none of them."""
    begin_immediate(writer, busy_seconds)
    try:
        found = schema_version(writer)
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
    create_private(copy)
    source = connect(path, busy_seconds=BUSY_SECONDS, access="ro")
    target = connect(copy, busy_seconds=BUSY_SECONDS)
    try:
        source.conn.backup(target.conn)
    finally:
        target.close()
        source.close()
