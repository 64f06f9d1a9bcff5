"""Starting the processes of `tests.store.worker`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(mode: str, path: Path, count: int = 0, *, user_id: int = 0) -> subprocess.Popen[str]:
    """Start one; its output is for `communicate`."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.worker", mode, str(path), str(count), str(user_id)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run(mode: str, path: Path, count: int = 0, *, user_id: int = 0) -> str:
    """Run one to its end; everything it printed."""
    output, _ = start(mode, path, count, user_id=user_id).communicate(timeout=300)
    return output
