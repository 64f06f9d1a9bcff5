"""Journal of a database: a write-ahead log, or a rollback journal without shared memory."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from todo_tui.store.connection import connect, is_busy
from todo_tui.store.file_system import lacks_shared_memory


def choose_journal(writer: sqlite3.Connection, path: Path, busy_seconds: float) -> None:
    """Keep a write-ahead log, or a rollback journal where memory cannot be shared."""
    if writer.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        return
    if lacks_shared_memory(path.parent):
        # A commit is in the journal only when the disk has it.
        writer.execute("PRAGMA synchronous = FULL")
        return
    _switch_to_wal(writer, busy_seconds)


def _switch_to_wal(writer: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to write-ahead logging; SQLite's busy handler does not cover this statement."""
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


def leave_wal(path: Path, busy_seconds: float) -> None:
    """Turn a database with a write-ahead log into one with a rollback journal.

    Under an exclusive lock SQLite needs no shared memory for that.
    """
    with closing(connect(path, busy_seconds=busy_seconds)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        alone.execute("PRAGMA journal_mode = DELETE").fetchall()
