"""What a folder's file system can do that SQLite needs: file locks and shared memory."""

import errno
import mmap
import sys
import tempfile
from pathlib import Path

_LACKING = frozenset(
    {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL, errno.ENODEV}
)
"""Errors of a file system that lacks a function, not of its present state."""
_SHARED_TYPES = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "davfs", "fuse", "glusterfs", "lustre", "ncpfs",
        "nfs", "nfs4", "prl_fs", "smb3", "smbfs", "vboxsf", "vmhgfs",
    }
)  # fmt: skip
"""Types of mounts on which locks and shared memory may be missing or only pretended."""
_ESCAPES = {r"\040": " ", r"\011": "\t", r"\012": "\n", r"\134": "\\"}


def lacks_locks(folder: Path) -> bool:
    """Return True if files in the folder surely cannot be locked; tries it on a temporary one.

    The database itself is not touched: closing it would drop the locks of this process.
    """
    if sys.platform == "win32":
        return False
    import fcntl  # not on Windows

    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in _LACKING
    return False


def lacks_shared_memory(folder: Path) -> bool:
    """Return True if files in the folder surely cannot be mapped as shared memory."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.truncate(mmap.PAGESIZE)
            mmap.mmap(file.fileno(), mmap.PAGESIZE).close()
    except OSError as error:
        return error.errno in _LACKING
    return False


def shared_type(path: Path, mounts: Path = Path("/proc/self/mounts")) -> str:
    """Return the type of the network or FUSE file system that a path is on; else an empty text.

    `mounts` lists device, folder and type of each mount, as Linux does.
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    resolved = path.absolute().resolve()
    found, depth = "", -1
    for line in lines:
        _, folder, kind, *_ = [*line.split(" "), "", "", ""]
        for escape, character in _ESCAPES.items():
            folder = folder.replace(escape, character)
        # Of two mounts on one folder the later one holds.
        if resolved.is_relative_to(folder or "//") and len(Path(folder).parts) >= depth:
            found, depth = kind, len(Path(folder).parts)
    is_shared = found.partition(".")[0] in _SHARED_TYPES
    return found if is_shared else ""
