"""SQLite's and the file system's errors turned into ours, with the file named."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from todo_tui.domain.errors import StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from todo_tui.store.write_access import obstacle_to_writing

_PRIMARY_CODE = 0xFF
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
_UNWRITABLE = frozenset(
    {
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    }
)
_UNREADABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's error code without its extension; 0 where Python raised the error itself."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another connection is in the way, so that trying again may help."""
    return primary_code(error) in _BUSY


def is_read_only(error: sqlite3.Error) -> bool:
    """Whether the file, or the folder where SQLite keeps its lock files, takes no writes."""
    return primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """The error a person gets to see for one of SQLite's."""
    code = primary_code(error)
    if code in _BUSY:
        return StoreBusy(
            f"Another program is holding {path}.", hint="Close it, or try again in a moment."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreUnwritable(
            f"The disk that holds {path} is full: this was not saved.",
            hint="Free some space, then try again.",
        )
    if code in _UNWRITABLE and (obstacle := obstacle_to_writing(path)) is not None:
        return StoreUnwritable(f"{path} {obstacle.what}: this was not saved.", hint=obstacle.hint)
    if code == sqlite3.SQLITE_IOERR:
        return StoreUnwritable(
            f"{path} cannot be written ({error}): this was not saved.",
            hint="The disk or your quota may be full: free some space, or check that it works.",
        )
    if code in _UNWRITABLE:
        return StoreUnwritable(
            f"{path} cannot be written ({error}): this was not saved.",
            hint="Check the permissions of the file and its folder, or choose another with --db.",
        )
    if code in _UNREADABLE:
        return corrupt(path)
    return StoreError(f"{path} could not do what was asked ({error}).", hint="Run todo-tui doctor.")


def corrupt(path: Path) -> StoreUnreadable:
    """The file is damaged; it was left as it is."""
    return StoreUnreadable(
        f"{path} is damaged; it was left as it is.",
        hint="Put a backup in its place (they lie beside it), or start afresh with --db OTHER.db.",
    )


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's errors inside the block into ours.

    Raises:
        StoreError: whatever SQLite raised.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(error, path) from error
