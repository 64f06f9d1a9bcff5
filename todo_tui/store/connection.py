"""Opening of a connection to a database file: settings, journal, and the write lock."""

import os
import random
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import StoreUnwritable
from todo_tui.domain.private_writing import make_private_folder, open_new_file
from todo_tui.domain.when import When
from todo_tui.store.file_system import lacks_locks, lacks_shared_memory
from todo_tui.store.sqlite_errors import (
    is_busy,
    needs_shared_memory,
    obstacle_in,
    obstacle_to_writing,
)

BUSY_SECONDS = 15.0
"""Longest wait for another process's write lock."""
Access = Literal["rw", "ro", "immutable"]
_STARVING_SECONDS = (0.05, 2.0)
_PAUSE = (0.001, 0.01)
_STARVING_PAUSE = (0.0003, 0.001)
"""Shortest and longest sleep in seconds between two attempts to take the write lock."""
_WRITER_SETTINGS = (
    # Takes effect on an empty file only; each page costs two writes besides its bytes, which
    # slows imports.
    "PRAGMA page_size = 16384",
    # NORMAL: with a write-ahead log a commit is in the kernel's hands when it is confirmed, so no
    # kill of the process can lose it and the file stays sound even when the power fails, which
    # may then cost the last seconds. FULL would wait for the disk at every key press to save
    # those. Checkpoints, the one at the last close too, do wait for the disk.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    # Purged text is overwritten, not just unlinked.
    "PRAGMA secure_delete = ON",
    # The default of 2 MB makes large imports slow; memory is allocated as needed.
    "PRAGMA cache_size = -32000",
    # The log is copied into the file at 4 MB, as with pages of the usual size, not at 1000 pages,
    # 16 MB; what a large import made of it is cut. A limit near 4 MB would cut it every time.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 8000000",
)
_READER_SETTINGS = (
    "PRAGMA query_only = ON",
    # A search for words reads open tasks in the order of their index: 6 ms among 10,000 tasks,
    # and 22 with the default of 2 MB, which reads pages repeatedly.
    "PRAGMA cache_size = -8000",
)
_FIRST_WAIT = 0.2
"""Seconds to wait for a lock before finding out whether the file system has any."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


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


def open_writer(path: Path, busy_seconds: float, access: Access, zone: str) -> sqlite3.Connection:
    """Open the connection that writes, with its settings; `choose_journal` completes it.

    Refuses a file system without locks soon.
    """
    writer = _connect_with_locks(path, busy_seconds, access)
    try:
        add_local_time(writer, zone)
        if access == "rw":
            for setting in _WRITER_SETTINGS:
                writer.execute(setting)
    except BaseException:
        writer.close()
        raise
    return writer


def open_reader(path: Path, busy_seconds: float, access: Access, zone: str) -> sqlite3.Connection:
    """Open the connection that only reads."""
    reader = connect(path, busy_seconds=busy_seconds, access=access)
    try:
        add_local_time(reader, zone)
        for setting in _READER_SETTINGS:
            reader.execute(setting)
    except BaseException:
        reader.close()
        raise
    return reader


def add_local_time(database: sqlite3.Connection, zone: str) -> None:
    """Add the SQL function `local_time`: the wall time in the zone of an instant, to the minute.

    The instant is a text in stored form, or seconds since 1970, or the wall time of another zone
    with the name of that zone.
    """
    there = ZoneInfo(zone)

    def local_time(instant: str | int | None) -> str | None:
        if instant is None:
            return None
        try:
            if isinstance(instant, int):
                moment = _EPOCH + timedelta(seconds=instant)
            else:
                moment = datetime.fromisoformat(instant)
            return moment.astimezone(there).isoformat()[:16]
        except OverflowError:
            return str(instant)

    def local_time_of(wall_time: str | None, origin: str | None) -> str | None:
        return None if wall_time is None else When.parse(wall_time).moved(origin, zone).iso()

    database.create_function("local_time", 1, local_time, deterministic=True)
    database.create_function("local_time", 2, local_time_of, deterministic=True)


def _connect_with_locks(path: Path, busy_seconds: float, access: Access) -> sqlite3.Connection:
    """Connect and read for the first time; soon refuses a file system without locks."""
    first = connect(path, busy_seconds=min(busy_seconds, _FIRST_WAIT), access=access)
    try:
        first.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as error:
        first.close()
        if needs_shared_memory(error):
            _leave_wal(path, busy_seconds)
        elif not is_busy(error):
            raise
        elif lacks_locks(path.parent):
            if path.stat().st_size == 0:
                # Created for nothing, and nobody can have it in use.
                path.unlink()
            raise
        return connect(path, busy_seconds=busy_seconds, access=access)
    except BaseException:
        first.close()
        raise
    set_busy_timeout(first, busy_seconds)
    return first


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


def _leave_wal(path: Path, busy_seconds: float) -> None:
    """Turn a database with a write-ahead log into one with a rollback journal.

    Under an exclusive lock SQLite needs no shared memory for that.
    """
    with closing(connect(path, busy_seconds=busy_seconds)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        alone.execute("PRAGMA journal_mode = DELETE").fetchall()


def begin_immediate(
    database: sqlite3.Connection,
    busy_seconds: float,
    gives_up: Callable[[], bool] = lambda: False,
) -> None:
    """Take the write lock of the file, waiting up to `busy_seconds` for other processes.

    `gives_up` is called after each attempt in vain; True ends the wait.

    SQLite's busy handler sleeps longer after each attempt, so that a process that has waited
    long gets the lock less often than a newcomer: with 8 processes of 200 writes each, the
    longest wait was 3.8 seconds. Retrying faster the longer the wait lasts brings it to 0.3
    seconds. After some seconds one process holds a long lock, and faster retries are useless.
    """
    start = time.monotonic()
    first, last = _STARVING_SECONDS
    set_busy_timeout(database, 0.0)
    try:
        while True:
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                waited = time.monotonic() - start
                if not is_busy(error) or gives_up() or waited >= busy_seconds:
                    raise
                pause = _STARVING_PAUSE if first <= waited < last else _PAUSE
                time.sleep(random.uniform(*pause))  # noqa: S311 - to differ from the others
            else:
                return
    finally:
        set_busy_timeout(database, busy_seconds)


def set_busy_timeout(database: sqlite3.Connection, seconds: float) -> None:
    """Set the time that SQLite itself waits for a lock."""
    database.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}").fetchall()


def create_empty_file(path: Path) -> None:
    """Create missing folders (0700) and the empty file (0600), whatever the umask."""
    try:
        make_private_folder(path.parent)
        os.close(open_new_file(path))
    except FileExistsError:
        return
    except OSError as error:
        reason = f" ({error.strerror})"
        hint = "Check the permissions of the folder, or choose another path with --db."
        if (obstacle := obstacle_in(error) or obstacle_to_writing(path)) is not None:
            reason, hint = f": the file {obstacle.what}", obstacle.hint
        raise StoreUnwritable(f"Cannot create {path}{reason}.", hint=hint) from error
