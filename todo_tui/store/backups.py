"""Backups beside the database: found, and searched for what was erased since."""

import mmap
from glob import escape
from pathlib import Path
from shlex import quote

_KINDS = (".format*.bak", "-wal.*.bak")
"""Copies from before a migration, and logs of a database that was overwritten."""


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
