"""One row of the benchmarks' table, and how pairs are measured."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A measured ratio and what it was aimed at; both sides in `unit`."""

    name: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    target: float | None

    def markdown(self) -> str:
        """The row as the README shows it."""
        target = "–" if self.target is None else f"≤ {self.target:.2f}"
        return (
            f"| {self.name} | {self.ours:.1f} {self.unit} | {self.theirs:.1f} {self.unit} "
            f"| {self.ratio:.2f} | {target} |"
        )


HEADER = "| what | ours | beside | ratio | aim |\n|---|---|---|---|---|"


def paired(
    name: str,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    runs: int,
    target: float | None,
) -> Row:
    """Measure the two in turn, `runs` times after one warm-up; seconds in, milliseconds out.

    The ratio is the median of the ratios pair by pair, so that a machine whose
    speed drifts does not tilt it.
    """
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(runs)]
    return Row(
        name,
        statistics.median(a for a, _ in pairs) * 1000,
        statistics.median(b for _, b in pairs) * 1000,
        "ms",
        statistics.median(a / b for a, b in pairs),
        target,
    )


def cpu_of(command: Sequence[str], env: Mapping[str, str]) -> float:
    """CPU seconds, user and system, of a command and its children.

    Raises:
        subprocess.CalledProcessError: it did not exit with 0.
    """
    process = subprocess.Popen(
        command, env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime
