"""Resident memory of the app with its list open and idle, beside bare Textual's."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.first_frame import app_command, bare_command
from tests.benchmarks.report import Plotted, Row
from tests.benchmarks.seeding import seed_tasks

AIMED_AT = 100_000
_LOOK_SECONDS = 0.5
_QUIET_LOOKS = 4
"""Looks in a row without work, until the app is taken to have loaded all that it will."""
_IDLE_TICKS = 5
"""Hundredths of a second of CPU that a blinking cursor and looks at the clock may take."""
_MAX_SECONDS = 60.0


def compare(folder: Path, size: int, *, runs: int) -> Row:
    """A row for so many tasks, in MB; the median of `runs` starts."""
    home = folder / f"memory-{size}"
    home.mkdir()
    database = home / "tasks.db"
    seed_tasks(database, size)
    pairs = [(resident(*app_command(database)), resident(*bare_command(home))) for _ in range(runs)]
    return Row(
        f"resident memory, {size:,} tasks",
        statistics.median(ours for ours, _ in pairs),
        statistics.median(bare for _, bare in pairs),
        "MB",
        statistics.median(ours / bare for ours, bare in pairs),
        2.5 if size >= AIMED_AT else None,
        plotted=Plotted("resident memory", "todo-tui", size, "bare Textual"),
    )


def resident(command: Sequence[str], env: Mapping[str, str]) -> float:
    """Megabytes that the process keeps once it has come to rest."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], list(command), {**os.environ, **env})  # noqa: S606
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
    try:
        _come_to_rest(pid, terminal)
        status = Path(f"/proc/{pid}/status").read_text()
    finally:
        os.kill(pid, signal.SIGKILL)
        os.wait4(pid, 0)
        os.close(terminal)
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None, status
    return int(found[1]) / 1024


def _come_to_rest(pid: int, terminal: int) -> None:
    began = time.monotonic()
    quiet, used = 0, 0
    while quiet < _QUIET_LOOKS:
        assert time.monotonic() - began < _MAX_SECONDS, "it does not come to rest"
        looked = time.monotonic()
        while time.monotonic() - looked < _LOOK_SECONDS:
            if select.select([terminal], [], [], 0.1)[0]:
                os.read(terminal, 65536)
        before, used = used, _ticks(pid)
        quiet = quiet + 1 if used - before <= _IDLE_TICKS else 0


def _ticks(pid: int) -> int:
    """Hundredths of a second of CPU, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])
