"""Which process owns a running turn, and whether it still lives."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

_START_TIME = 19
"""Index of `starttime` in /proc/PID/stat behind the name, which may hold anything: proc(5)."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process; `started` tells it from a later one with the same number, where that is known."""

    pid: int
    started: str

    @classmethod
    def current(cls) -> Process:
        """This process."""
        return cls(os.getpid(), _started(os.getpid()))

    def is_alive(self) -> bool:
        """Whether it still runs; in doubt it does."""
        started = _started(self.pid)
        if started and self.started:
            return started == self.started
        return _exists(self.pid)


def _started(pid: int) -> str:
    """Boot and moment at which the process was started; empty where the system does not say."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return f"{boot}:{stat.rpartition(')')[2].split()[_START_TIME]}"


def _exists(pid: int) -> bool:
    if sys.platform == "win32":
        # Signal 0 would be Ctrl+C there.
        import ctypes

        query_limited_information = 0x1000
        handle = ctypes.windll.kernel32.OpenProcess(query_limited_information, False, pid)
        if not handle:
            return False
        ctypes.windll.kernel32.CloseHandle(handle)
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
