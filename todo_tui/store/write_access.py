"""Why a file cannot be written, and what to do: SQLite only says that it is read-only."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple


class Obstacle(NamedTuple):
    """What is in the way of writing, as the rest of a sentence, and what to do about it."""

    what: str
    hint: str


_ELSEWHERE = "or choose another place with --db."
_READ_ONLY_MOUNT = Obstacle(
    "is on a read-only file system", f"Mount it writable (mount -o remount,rw), {_ELSEWHERE}"
)
_FULL = Obstacle("is on a full disk", f"Free some space, {_ELSEWHERE}")
_OVER_QUOTA = Obstacle("is over your disk quota", f"Free some space, {_ELSEWHERE}")


def obstacle_to_writing(path: Path) -> Obstacle | None:
    """Look what keeps this user from writing the file, which may not exist yet.

    None where nothing is found. Asked only after a write has failed.
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
    # SQLite makes its log beside the file.
    if not os.access(folder, os.W_OK | os.X_OK):
        return _closed(folder, f"is in a folder ({folder}) that is")
    return None


def obstacle_in(error: OSError) -> Obstacle | None:
    """Read the reason out of the error of the system; None where it is another."""
    match error.errno:
        case errno.EROFS:
            return _READ_ONLY_MOUNT
        case errno.ENOSPC:
            return _FULL
        case errno.EDQUOT:
            return _OVER_QUOTA
        case _:
            return None


def _closed(path: Path, subject: str) -> Obstacle:
    found = path.stat()
    user = os.geteuid()
    is_own = found.st_uid == user
    if user == 0 or (is_own and found.st_mode & stat.S_IWUSR):
        # Permissions allow it: what is left is the attribute that binds everybody.
        return Obstacle(f"{subject} marked immutable", f"Run: sudo chattr -i {_quoted(path)}")
    if is_own:
        return Obstacle(f"{subject} write-protected", f"Run: chmod u+w {_quoted(path)}")
    return Obstacle(
        f"{subject} not writable for you", f"Ask its owner for permission to write, {_ELSEWHERE}"
    )


def _quoted(path: Path) -> str:
    from shlex import quote  # only for what went wrong

    return quote(str(path))
