"""Writing of folders and files that only their owner can use, under any umask."""

import os
import sys
import tempfile
from pathlib import Path


def make_private_folder(folder: Path) -> None:
    """Create the folder and its missing parents, with mode 0700.

    Raises:
        OSError: it cannot be created.
    """
    if folder.is_dir():
        return
    make_private_folder(folder.parent)
    try:
        folder.mkdir()
    except FileExistsError:
        if not folder.is_dir():
            raise
        # Another process was faster; its folder is not ours to change.
    else:
        # mkdir would take the bits of the umask away from a mode, the owner's too.
        folder.chmod(0o700)


def open_new_file(path: Path) -> int:
    """Create an empty file with mode 0600; return its descriptor, for writing.

    Raises:
        FileExistsError: there is one already.
        OSError: it cannot be created.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    _close_to_others(handle)
    return handle


def replace_file(target: Path, text: str) -> None:
    """Write a file with mode 0600, so that readers see the old text or the new one, whole.

    Raises:
        OSError: it cannot be written; the old text is kept.
    """
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
    if sys.platform != "win32":
        os.fchmod(handle, 0o600)
