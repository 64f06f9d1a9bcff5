"""Errors of SQLite and of the file system, as StoreError with a remedy."""

import errno
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from todo_tui.domain.errors import StoreBusy, StoreError, StoreUnreadable, StoreUnwritable
from todo_tui.store.file_system import lacks_locks

_ELSEWHERE = "or use another database with --db."
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


class Obstacle(NamedTuple):
    """Reason why a file cannot be written, as the rest of a sentence, and its remedy."""

    what: str
    hint: str


_READ_ONLY_MOUNT = Obstacle(
    "is on a read-only file system", f"Mount it writable (mount -o remount,rw), {_ELSEWHERE}"
)
_NO_LOCKS = Obstacle(
    "is on a file system without file locks, as many network folders are",
    "Keep the database on a local disk: --db.",
)
_NO_SHARED_MEMORY = Obstacle(
    "is on a file system without shared memory, as many network folders are", _NO_LOCKS.hint
)
_LOCK_ERRORS = frozenset(
    {
        sqlite3.SQLITE_IOERR_LOCK,
        sqlite3.SQLITE_IOERR_RDLOCK,
        sqlite3.SQLITE_IOERR_UNLOCK,
        sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
    }
)
_SHARED_MEMORY_ERRORS = frozenset({sqlite3.SQLITE_IOERR_SHMMAP, sqlite3.SQLITE_IOERR_SHMLOCK})


def obstacle_to_writing(path: Path) -> Obstacle | None:
    """Find what keeps this user from writing the file, which may not exist yet; None if unknown.

    Called only after a write has failed.
    """
    if os.name != "posix":
        return None
    folder = next(each for each in path.absolute().parents if each.is_dir())
    try:
        if os.statvfs(path if path.exists() else folder).f_flag & os.ST_RDONLY:
            return _READ_ONLY_MOUNT
        if path.exists() and not os.access(path, os.W_OK):
            return _closed(path, "is")
    except OSError:
        return None
    # SQLite creates its log beside the file.
    if not os.access(folder, os.W_OK | os.X_OK):
        return _closed(folder, f"is in a folder ({folder}) that is")
    return _NO_LOCKS if lacks_locks(folder) else None


def obstacle_in(error: OSError) -> Obstacle | None:
    """Translate the operating system's error; None for errors without a known remedy."""
    return {
        errno.EROFS: _READ_ONLY_MOUNT,
        errno.ENOSPC: Obstacle("is on a full disk", f"Free some space, {_ELSEWHERE}"),
        errno.EDQUOT: Obstacle("is over your disk quota", f"Free some space, {_ELSEWHERE}"),
    }.get(error.errno or 0)


def _closed(path: Path, subject: str) -> Obstacle:
    found = path.stat()
    user = os.geteuid()
    is_own = found.st_uid == user
    if user == 0 or (is_own and found.st_mode & stat.S_IWUSR):
        # Permissions allow it, so it must be the immutable attribute, which binds root too.
        return Obstacle(f"{subject} marked immutable", f"Run: sudo chattr -i {quote(str(path))}")
    if is_own:
        return Obstacle(f"{subject} write-protected", f"Run: chmod u+w {quote(str(path))}")
    return Obstacle(f"{subject} not writable", f"Ask the owner for write permission, {_ELSEWHERE}")


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary error code; 0 if Python raised the error itself."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE


def is_busy(error: sqlite3.Error) -> bool:
    """Return True if another connection holds a lock, so that a retry may succeed."""
    return primary_code(error) in _BUSY


def needs_shared_memory(error: sqlite3.Error) -> bool:
    """Return True if the file system cannot share the index of the write-ahead log."""
    return getattr(error, "sqlite_errorcode", 0) in _SHARED_MEMORY_ERRORS


def is_read_only(error: sqlite3.Error) -> bool:
    """Return True if the file, or the folder for SQLite's lock files, is not writable."""
    return primary_code(error) in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def store_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Translate an error of SQLite for the user."""
    code = primary_code(error)
    obstacle = _obstacle_of(error, path)
    if obstacle is not None:
        return StoreUnwritable(f"{path} {obstacle.what}.", hint=obstacle.hint)
    if code in _BUSY:
        return busy_error(path)
    if code in _UNREADABLE:
        return corrupt_file_error(path)
    if code not in _UNWRITABLE:
        return StoreError(f"Database error in {path} ({error}).", hint="Run `todo-tui doctor`.")
    if code == sqlite3.SQLITE_FULL:
        return StoreUnwritable(
            f"Disk full: could not save to {path}.",
            hint="Free some space, then try again.",
        )
    if (obstacle := obstacle_to_writing(path)) is not None:
        return StoreUnwritable(f"Could not save: {path} {obstacle.what}.", hint=obstacle.hint)
    if code == sqlite3.SQLITE_IOERR:
        hint = "Free some disk space, or check the disk for errors."
    else:
        hint = "Check the permissions of the file and its folder, or use another with --db."
    return StoreUnwritable(f"Could not save to {path} ({error}).", hint=hint)


def _obstacle_of(error: sqlite3.Error, path: Path) -> Obstacle | None:
    """Find a lack of the file system in an error that SQLite reports as something else."""
    if getattr(error, "sqlite_errorcode", 0) in _LOCK_ERRORS:
        return _NO_LOCKS
    if needs_shared_memory(error):
        return _NO_SHARED_MEMORY
    # SQLite takes ENOLCK for a lock of another program.
    return _NO_LOCKS if is_busy(error) and lacks_locks(path.parent) else None


def busy_error(path: Path) -> StoreBusy:
    """Create the error for a lock that another process holds for too long."""
    return StoreBusy(
        f"{path} is locked by another program.", hint="Close the program, or try again."
    )


def corrupt_file_error(path: Path) -> StoreUnreadable:
    """Create the error for a damaged file, which was left as it is."""
    return StoreUnreadable(
        f"{path} is damaged. The file was not changed.",
        hint="Restore a backup (in the same folder), or start a new database with --db OTHER.db.",
    )


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Translate SQLite errors raised inside the block.

    Raises:
        StoreError: whatever SQLite raised.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise store_error(error, path) from error
