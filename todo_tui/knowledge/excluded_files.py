"""Files that are never indexed: the program's own, and what the kernel only shows as files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

_BESIDE = re.compile(r"|-(?:wal|shm|journal)|\..*\.(?:bak|part)|\.(?:bak|part|tmp)")
"""What follows a file's name in those that belong to it: SQLite's, backups, unfinished copies."""
_SYSTEM_FOLDERS = (Path("/proc"), Path("/sys"))


class PrivateFiles:
    """Our own files: configuration, keys, state, logs and databases.

    `paths` are files and folders. To a file belong its backups and what SQLite keeps beside it,
    to a folder all that is below. Hard and symbolic links to them are recognised by what they
    lead to; copies are not.
    """

    def __init__(self, paths: Iterable[Path] = ()) -> None:
        self._paths = frozenset(Path(os.path.realpath(each)) for each in paths)

    def covers(self, path: Path, found: os.stat_result) -> bool:
        """Return True for one of these; `found` describes the file that is at `path`."""
        return (found.st_dev, found.st_ino) in self._identities or self._has(
            Path(os.path.realpath(path))
        )

    def _has(self, real: Path) -> bool:
        return any(
            each in self._paths or any(_belongs(each, own) for own in self._paths)
            for each in (real, *real.parents)
        )

    @cached_property
    def _identities(self) -> frozenset[tuple[int, int]]:
        """Device and inode of each file that exists: a hard link has another path."""
        return frozenset(found for own in self._paths for found in _identities(own))


def _belongs(path: Path, own: Path) -> bool:
    return (
        path.parent == own.parent
        and path.name.startswith(own.name)
        and _BESIDE.fullmatch(path.name, len(own.name)) is not None
    )


def _identities(own: Path) -> Iterator[tuple[int, int]]:
    with suppress(OSError):
        for top in own.parent.iterdir():
            if _belongs(top, own):
                for each in (top, *top.rglob("*")):
                    with suppress(OSError):
                        found = each.stat()
                        yield found.st_dev, found.st_ino


@cache
def _system_devices() -> frozenset[int]:
    return frozenset(each.stat().st_dev for each in _SYSTEM_FOLDERS if each.is_mount())


def is_of_system(found: os.stat_result) -> bool:
    """Return True for what is in `/proc` or `/sys`, such as the environment of a process."""
    return found.st_dev in _system_devices()
