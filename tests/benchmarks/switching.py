"""Switching provider in the app until the first byte of the request leaves.

Beside it, in another fresh process, the same app imports the SDK in a thread, and does
no more: a switch may take 50 ms longer than that, and hold the event loop up no longer.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from tests.benchmarks.first_frame import quiet_environment
from tests.benchmarks.instant_server import InstantServer, base_url
from tests.benchmarks.report import Row
from tests.benchmarks.switching_child import LATE
from tests.wires.remotes import Remote

ALLOWANCE = 0.05
"""Seconds that a switch may take beyond the import."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds that it took, and the longest that the event loop was away meanwhile."""

    seconds: float
    longest_gap: float


def compare(folder: Path, server: InstantServer, asked: Remote, *, runs: int) -> Iterator[Row]:
    """A row for the time and one for the longest gap, the medians of `runs` pairs."""
    home = folder / f"switch-{asked.id}"
    home.mkdir()
    pairs = [
        (_measure("switch", asked, server, home), _measure("import", asked, server, home))
        for _ in range(runs)
    ]
    yield _row(
        f"first byte after a switch to {asked.row.label}, beside its import + 50 ms",
        [(ours.seconds, bare.seconds + ALLOWANCE) for ours, bare in pairs],
        1.0,
    )
    yield _row(
        f"longest gap of the event loop in a switch to {asked.row.label}, beside its import",
        [(ours.longest_gap, bare.longest_gap) for ours, bare in pairs],
        1.2,
    )


def _measure(task: str, asked: Remote, server: InstantServer, home: Path) -> Measured:
    command = [sys.executable, "-m", "tests.benchmarks.switching_child", task, asked.id]
    server.requests()
    ran = subprocess.run(
        [*command, base_url(server.root, asked), mkdtemp(dir=home)],
        # With the bytecode that lies beside the sources, as in an installed program.
        env={**os.environ, **quiet_environment(home), "PYTHONPYCACHEPREFIX": ""},
        stdout=subprocess.PIPE,
        check=True,
    )
    told = json.loads(ran.stdout)
    began, ended = told["began"], told["ended"]
    if task == "switch":
        ended = server.requests()[0]["arrived"]
    gaps = [gap for at, gap in told["late"] if began < at and at - gap < ended]
    return Measured(ended - began, max(gaps, default=LATE))


def _row(name: str, pairs: list[tuple[float, float]], target: float) -> Row:
    return Row(
        name,
        statistics.median(ours for ours, _ in pairs) * 1000,
        statistics.median(beside for _, beside in pairs) * 1000,
        "ms",
        statistics.median(ours / beside for ours, beside in pairs),
        target,
    )
