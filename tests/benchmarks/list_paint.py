"""From a key to the painted screen in the list: 10,000 tasks against 100.

Both apps run in this process on files of their own; the keys go to one and the other
in turn, so that a machine whose speed drifts does not tilt the ratio.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from tests.benchmarks.report import Row
from tests.benchmarks.seeding import seed_tasks
from tests.tui.conftest import Bench
from todo_tui.domain.clock import Clock
from todo_tui.store.opening import open_store
from todo_tui.tui.app import TodoApp

MANY, FEW = 10_000, 100
_SIZE = (120, 36)
_FRAME_SECONDS = 0.03
"""Textual paints sixty times a second; after so long what a key changed is on screen."""
_WARM_UP = 5


@dataclass(frozen=True, slots=True)
class _Side:
    """One running app."""

    app: TodoApp
    pilot: Pilot[None]

    async def cpu_of(self, *keys: str) -> float:
        """CPU seconds from these keys until all that they began is painted."""
        began = time.process_time()
        await self.pilot.press(*keys)
        for worker in list(self.app.workers):
            await worker.wait()
        await asyncio.sleep(_FRAME_SECONDS)
        return time.process_time() - began


def compare(folder: Path, *, repeats: int) -> Iterator[Row]:
    """A row for moving the cursor and one for ticking a task, the median of `repeats`."""
    yield from asyncio.run(_compare(folder, repeats))


async def _compare(folder: Path, repeats: int) -> list[Row]:
    async with AsyncExitStack() as stack:
        many = await _open(stack, folder, MANY)
        few = await _open(stack, folder, FEW)
        moves = await _pairs(many, few, ["down"], ["down"], repeats)
        ticks = await _pairs(many, few, ["space"], ["u"], repeats)
    return [
        _row("key to paint, move", moves),
        _row("key to paint, tick", ticks),
    ]


async def _open(stack: AsyncExitStack, folder: Path, count: int) -> _Side:
    database = folder / f"list-{count}.db"
    seed_tasks(database, count)
    clock = Clock("UTC")
    store = stack.enter_context(open_store(database, user="me", clock=clock))
    app = TodoApp(Bench(store, clock).workbench())
    app.animation_level = "none"
    pilot = await stack.enter_async_context(app.run_test(size=_SIZE))
    side = _Side(app, pilot)
    await side.cpu_of("tab")
    return side


async def _pairs(
    many: _Side, few: _Side, keys: list[str], back: list[str], repeats: int
) -> list[tuple[float, float]]:
    """Press `keys` on both sides; what is pressed `back` after that does not count."""
    pairs = []
    for _ in range(_WARM_UP + repeats):
        pairs.append((await many.cpu_of(*keys), await few.cpu_of(*keys)))
        if keys != back:
            await many.cpu_of(*back)
            await few.cpu_of(*back)
    return pairs[_WARM_UP:]


def _row(name: str, pairs: list[tuple[float, float]]) -> Row:
    return Row(
        f"{name}, {MANY:,} tasks beside {FEW}, CPU",
        statistics.median(many for many, _ in pairs) * 1000,
        statistics.median(few for _, few in pairs) * 1000,
        "ms",
        statistics.median(many for many, _ in pairs) / statistics.median(few for _, few in pairs),
        1.2,
    )
