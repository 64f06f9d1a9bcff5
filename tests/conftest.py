"""What holds for every test."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import settings

from tests.blank import blank
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

NOW = datetime(2026, 11, 18, 14, 30)
"""A Wednesday."""

# Apps and stores by the thousand come and go: to look for cycles less often is quicker.
gc.set_threshold(50_000, 20, 50)


def pytest_collection_finish() -> None:
    """Leave the thousands of tests that were collected out of every search for cycles."""
    gc.collect()
    gc.freeze()


if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Every worker imports all tests, and hundreds of processes the package: 0.3 s each to
    # compile. What the first has compiled serves them all, and nothing lies beside a source.
    sys.pycache_prefix = str(Path(__file__).parent.parent / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    sys.dont_write_bytecode = False

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As in the background of a shell. Programs under test inherit it, and are interrupted by tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is not a bug: no test is judged by its time.
settings.register_profile("unhurried", deadline=None, max_examples=50)
settings.load_profile("unhurried")

_MEMORY = Path("/dev/shm")  # noqa: S108 - who writes there makes a folder of its own
_ROOM_BYTES = 2 * 1024**3
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES:
    # Thousands of databases are written for a moment each, and a disk would be waited for.
    os.environ.setdefault("TMPDIR", str(_MEMORY))
    tempfile.tempdir = None


@pytest.fixture
def open_as(tmp_path: Path) -> Iterator[Callable[[str], Store]]:
    """Opens one file for any user, at a fixed moment."""
    path = blank(tmp_path / "tasks.db")
    opened: list[Store] = []

    def opening(user: str) -> Store:
        clock = Clock("Europe/Berlin", NOW)
        store = open_store(path, user=user, clock=clock)
        opened.append(store)
        return store

    yield opening
    for store in opened:
        store.close()
