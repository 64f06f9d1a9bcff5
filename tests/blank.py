"""Empty database files, copied: to make one takes longer than most of what is tried with it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from todo_tui.store.migrations import open_database


def blank(path: Path) -> Path:
    """Put an empty file of the present format there, as `open_store` makes it; the path again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(_made())
    return path


@cache
def _made() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "tasks.db")
        open_database(path).close()
        return path.read_bytes()
