"""What holds for every test."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

from hypothesis import settings

# Apps and stores by the thousand come and go: to look for cycles less often is quicker.
gc.set_threshold(50_000, 20, 50)

# A busy machine is no bug: no test is judged by its time.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in it
_ROOM_BYTES = 2 * 1024**3
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES:
    # Thousands of databases are written for a moment each, and a disk would be waited for.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))
