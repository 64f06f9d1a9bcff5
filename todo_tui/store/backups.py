"""Backups beside the database: made, found, and searched for what was erased since.

All of them are kept: one from before each migration, one of the log of each overwritten database.
"""

import mmap
import os
from contextlib import closing, suppress
from datetime import datetime
from glob import escape
from pathlib import Path
from shlex import quote

from todo_tui.domain.private_writing import open_new_file
from todo_tui.store.connection import BUSY_SECONDS, connect, create_empty_file

_KINDS = (".format*.bak", "-wal.*.bak")
"""Copies from before a migration, and logs of a database that was overwritten."""


def copy_database(path: Path, copy: Path) -> None:
    """Copy a database that may be in use to a new file with mode 0600.

    Raises:
        sqlite3.Error: it cannot be read, or the copy cannot be written.
    """
    create_empty_file(copy)
    with (
        closing(connect(path, busy_seconds=BUSY_SECONDS, access="ro")) as source,
        closing(connect(copy, busy_seconds=BUSY_SECONDS)) as target,
    ):
        source.backup(target)


def copy_before_migration(path: Path, version: int) -> Path:
    """Copy the file with mode 0600 before its migration; the caller holds the write lock.

    Returns the path of the copy, which ends in `.part`: whatever ends in `.bak` is complete.
    """
    for leftover in path.parent.glob(f"{escape(path.name)}.format*.bak.part*"):
        with suppress(OSError):
            leftover.unlink()
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    copy = path.with_name(f"{path.name}.format{version}-{stamp}.bak.part")
    try:
        copy_database(path, copy)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    return copy


def set_log_aside(log: Path) -> None:
    """Copy the log of a database that was overwritten, and empty it; raises OSError."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    copy = log.with_name(f"{log.name}.{stamp}.bak")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(open_new_file(part), "wb") as file:
        file.write(log.read_bytes())
    part.rename(copy)
    os.truncate(log, 0)


def find_backups(database: Path) -> tuple[Path, ...]:
    """Return the complete backups of a database file, by name."""
    found = [database.parent.glob(f"{escape(database.name)}{kind}") for kind in _KINDS]
    return tuple(sorted(path for paths in found for path in paths))


def backups_with(database: Path, *ids: str) -> tuple[Path, ...]:
    """Return the backups that contain a conversation or task with one of these unique ids.

    Their bytes are searched, since a log is not a database by itself: 100 MB take 50 ms.
    """
    wanted = [each.encode() for each in ids]
    return tuple(path for path in find_backups(database) if _contains(path, wanted))


def _contains(path: Path, wanted: list[bytes]) -> bool:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(each) >= 0 for each in wanted)
    except ValueError:  # an empty file cannot be mapped
        return False
    except OSError:
        return True


def removal_line(backups: tuple[Path, ...]) -> str:
    """Return the command that removes the files."""
    return f"rm {' '.join(quote(str(path.absolute())) for path in backups)}"


def describe_leftovers(backups: tuple[Path, ...]) -> str:
    """Return a sentence for the user about what was erased; empty without backups."""
    if not backups:
        return ""
    one = len(backups) == 1
    subject = "A backup still contains" if one else f"{len(backups)} backups still contain"
    return (
        f"{subject} the deleted text. To remove the {'backup' if one else 'backups'}:"
        f" {removal_line(backups)}"
    )
