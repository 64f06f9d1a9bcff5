"""What a database file may be before SQLite is let near it, and how a new one is born."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from todo_tui.domain.errors import StoreReplaced, StoreUnreadable, StoreUnwritable
from todo_tui.store.faults import corrupt
from todo_tui.store.file_format import APPLICATION_ID
from todo_tui.store.write_access import obstacle_in, obstacle_to_writing

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100
_APPLICATION_ID_AT = slice(68, 72)


def refuse_foreign(path: Path) -> None:
    """Look at the first bytes only, so that a foreign file is not even locked.

    The mark is in the main file from its first byte on, because the first
    migration commits before the switch to the write-ahead log.

    Raises:
        StoreUnreadable: there is something that is not our database; left untouched.
        StoreUnwritable: there can be nothing at this path.
    """
    header = _first_bytes(path)
    if not header:
        return
    if not header.startswith(_MAGIC):
        raise StoreUnreadable(
            f"{path} is not a todo-tui database; it was left as it is.",
            hint="Choose another file with --db.",
        )
    if len(header) < _HEADER:
        raise corrupt(path)
    if int.from_bytes(header[_APPLICATION_ID_AT], "big") != APPLICATION_ID:
        raise StoreUnreadable(
            f"{path} is a SQLite database of another program; it was left as it is.",
            hint="Choose another file with --db.",
        )


def refuse_missing(path: Path) -> None:
    """Refuse to make a new list where one was deleted.

    Raises:
        StoreReplaced: there is no file, or an empty one.
        StoreUnreadable: it cannot be read.
    """
    if not _first_bytes(path):
        raise StoreReplaced(
            f"There is no database at {path}.", hint="Put the file back, then reopen it."
        )


def _first_bytes(path: Path) -> bytes:
    """The header of the file; empty where there is none yet."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise StoreUnreadable(
                f"{path} is a folder, not a database file.", hint="Name a file in it with --db."
            )
        if not stat.S_ISREG(mode):
            raise StoreUnreadable(
                f"{path} is not an ordinary file.", hint="Choose another file with --db."
            )
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        return b""
    except NotADirectoryError as error:
        raise StoreUnwritable(
            f"{path} cannot be made: a part of its folder is a file.",
            hint="Choose another place with --db.",
        ) from error
    except ValueError as error:
        raise StoreUnreadable(
            f"{str(path)!r} cannot be the name of a file.", hint="Choose another with --db."
        ) from error
    except OSError as error:
        raise StoreUnreadable(
            f"{path} cannot be read ({error.strerror}).",
            hint="Check its permissions, or choose another file with --db.",
        ) from error


def create_private(path: Path) -> None:
    """Make missing folders (0700) and the empty file (0600), whatever the umask.

    Raises:
        StoreUnwritable: folder or file cannot be made.
    """
    try:
        _create_folders(path.parent)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return
    except OSError as error:
        obstacle = obstacle_in(error) or obstacle_to_writing(path)
        if obstacle is not None:
            raise StoreUnwritable(
                f"{path} cannot be made: it {obstacle.what}.", hint=obstacle.hint
            ) from error
        raise StoreUnwritable(
            f"{path} cannot be made ({error.strerror}).",
            hint="Check the permissions of its folder, or choose another place with --db.",
        ) from error
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(handle, 0o600)
    finally:
        os.close(handle)


def _create_folders(folder: Path) -> None:
    if folder.is_dir():
        return
    _create_folders(folder.parent)
    try:
        folder.mkdir()
    except FileExistsError:
        if folder.is_dir():
            # Another process was faster; what it made is not ours to change.
            return
        raise
    folder.chmod(0o700)
