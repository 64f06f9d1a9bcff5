"""Files that only their owner can read: made, and changed by one process at a time."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from todo_tui.domain.errors import TodoError

_PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.02


def create_private(path: Path, text: str) -> bool:
    """Make a file with that text, born 0600; whether it was made: one that is there stays.

    Raises:
        TodoError: it cannot be made.
    """
    if os.path.lexists(path):
        return False
    try:
        make_private_folder(path.parent)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise _unwritable(path, error) from error
    _close_to_others(handle)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return True


@contextlib.contextmanager
def changing(path: Path) -> Iterator[Callable[[str], None]]:
    """Hold the file against other processes, and get what writes it anew.

    Whoever reads it meanwhile sees the old text or the new one, whole. A link stays a
    link. Every file that is made on the way is born 0600.

    Raises:
        TodoError: it cannot be written, or another process holds it for too long.
    """
    try:
        target = path.resolve()
    except RuntimeError as error:
        raise TodoError(f"{path} is a link to itself.", hint="Remove it.") from error
    try:
        make_private_folder(target.parent)
        with _locked(target):
            yield lambda text: _replace(target, text)
    except OSError as error:
        raise _unwritable(path, error) from error


def make_private_folder(folder: Path) -> None:
    """Make the folder and those above it that are missing, 0700 under any umask.

    Raises:
        OSError: it cannot be made.
    """
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    try:
        folder.mkdir()
    except FileExistsError:
        if not folder.is_dir():
            raise
        # Another process was faster; what it made is not ours to change.
    else:
        # A mode given to mkdir would have the bits of the umask taken away, the owner's too.
        folder.chmod(0o700)


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[None]:
    # The file itself is replaced, so that a lock on it would be one on the old file.
    handle = os.open(target.with_name(f".{target.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    try:
        while not _lock(handle):
            if time.monotonic() > deadline:
                raise TodoError(
                    f"Another program has been changing {target} for too long.",
                    hint="Try again when it is done.",
                )
            time.sleep(_PAUSE_SECONDS)
        yield
    finally:
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock the file, until it is closed; False where another process has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _replace(target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        _close_to_others(handle)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _close_to_others(handle: int) -> None:
    """Give the file to its owner alone, who may write it even where the umask says no."""
    if sys.platform != "win32":
        os.fchmod(handle, 0o600)


def _unwritable(path: Path, error: OSError) -> TodoError:
    return TodoError(
        f"{path} cannot be written: {error.strerror or type(error).__name__}.",
        hint="Check the permissions of the file and its folder.",
    )
