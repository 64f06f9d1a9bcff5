"""The rows of the benchmarks' table, and how pairs are measured."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Plotted:
    """Where a measurement stands in the picture: its panel, its line, how many tasks."""

    panel: str
    line: str
    size: int
    beside: str = ""
    """The line of the other side; empty: only ours is drawn."""


@dataclass(frozen=True, slots=True)
class Row:
    """A measured ratio and what it was aimed at; both sides in `unit`.

    `above` is an aim for the difference instead, `ceiling` one for our side alone. With both
    `target` and `ceiling` either is enough.
    """

    name: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    target: float | None
    above: float | None = None
    ceiling: float | None = None
    plotted: Plotted | None = None

    def markdown(self) -> str:
        """Return the row of the table in docs."""
        told, aim = f"{self.ratio:.2f}", "–"
        if self.target is not None:
            aim = f"≤ {self.target:.2f}"
        elif self.above is not None:
            told = f"{self.ours - self.theirs:+,.0f} {self.unit}"
            aim = f"≤ +{self.above:.0f} {self.unit}"
        if self.ceiling is not None:
            aim = "" if aim == "–" else f"{aim} or "
            aim += f"≤ {self.ceiling:.0f} {self.unit}"
        missed = "" if self.is_met else " **missed**"
        return (
            f"| {self.name} | {self.ours:,.1f} {self.unit} | {self.theirs:,.1f} {self.unit} "
            f"| {told} | {aim}{missed} |"
        )

    @property
    def is_met(self) -> bool:
        """Return True if the aim was reached."""
        if self.ceiling is not None and self.ours <= self.ceiling:
            return True
        if self.target is None and self.above is None:
            return self.ceiling is None
        return (self.target is None or round(self.ratio, 2) <= self.target) and (
            self.above is None or self.ours - self.theirs <= self.above
        )

    @property
    def has_aim(self) -> bool:
        """True if the row is for the table, too, and not for the picture alone."""
        return not (self.target is None and self.above is None and self.ceiling is None)


HEADER = "| what | ours | beside | ratio | aim |\n|---|---|---|---|---|"


def paired(
    name: str,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    runs: int,
    target: float | None,
    above: float | None = None,
    plotted: Plotted | None = None,
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
        above,
        plotted=plotted,
    )


def cpu_of(
    command: Sequence[str], env: Mapping[str, str], *, stdin: Path = Path(os.devnull)
) -> float:
    """CPU seconds, user and system, of a command and its children; it reads a file.

    Raises:
        subprocess.CalledProcessError: it did not exit with 0.
    """
    with stdin.open("rb") as file:
        process = subprocess.Popen(
            command,
            env={**os.environ, **env},
            stdin=file,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime
