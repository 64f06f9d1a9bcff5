"""From a key to the painted screen in the list: a long one beside one of a hundred.

Both apps run in this process on files of their own; the keys go to one and the other
in turn, so that a machine whose speed drifts does not tilt the ratio. What is told is
the 95th percentile: a list feels as slow as its slow moments.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

from textual import events
from textual.worker import WorkerCancelled

from tests.benchmarks.report import Plotted, Row
from tests.benchmarks.seeding import seed_tasks
from tests.tui.conftest import AppSetup
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store
from todo_tui.tui.app import TodoApp
from todo_tui.tui.task_list.widget import TaskList

FEW = 100
CEILING_MS = {"move": 16.0, "page": 16.0, "end": 16.0, "tick": 20.0, "filter keystroke": 25.0}
"""At 1,000 and 10,000 tasks; 16 ms are one frame of a screen that shows sixty in a second."""
LONG_LIST_CEILING_MS = 100.0
"""At 100,000 tasks."""
_SIZE = (120, 36)
_FRAME_SECONDS = 0.04
"""Textual paints sixty times a second; after so long what a key changed is on screen."""
_WARM_UP = 5
_SETTLED_SECONDS = 0.4
_PATIENCE_SECONDS = 30.0
_KEYS: tuple[tuple[str, list[str], list[str]], ...] = (
    ("move", ["down"], []),
    ("tick", ["space"], ["u"]),
    ("page", ["pagedown"], ["pageup"]),
    ("end", ["end"], ["home"]),
)
"""What is pressed, and what is pressed after that to be where it was."""
_LETTERS = "dentist"


@dataclass(frozen=True, slots=True)
class _Side:
    """One running app."""

    app: TodoApp

    async def cpu_of(self, *keys: str) -> float:
        """CPU seconds from these keys until all that they began is painted."""
        began = time.process_time()
        for key in keys:
            self._press(key)
        await asyncio.sleep(_FRAME_SECONDS)
        await self._have_worked()
        await asyncio.sleep(_FRAME_SECONDS / 2)
        return time.process_time() - began

    def _press(self, key: str) -> None:
        """As the terminal's driver does; a pilot's key waits for every widget besides."""
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    async def cpu_of_filter(self, key: str) -> float:
        """CPU seconds from a key in the filter box until its rows are painted."""
        rows = self.app.screen.query_one(TaskList)
        before = rows.outline
        began = time.process_time()
        self._press(key)
        until = time.monotonic() + _PATIENCE_SECONDS
        while rows.outline is before:
            assert time.monotonic() < until, "the filter shows nothing"
            await asyncio.sleep(0.005)
        await asyncio.sleep(_FRAME_SECONDS / 2)
        return time.process_time() - began

    async def settle(self) -> None:
        """Wait for what may follow the key."""
        await asyncio.sleep(_SETTLED_SECONDS)
        await self._have_worked()

    async def _have_worked(self) -> None:
        for worker in list(self.app.workers):
            with suppress(WorkerCancelled):
                await worker.wait()


def compare(folder: Path, sizes: Sequence[int], *, repeats: int) -> Iterator[Row]:
    """Rows for each size: one for each kind of key, the 95th percentile of `repeats`."""
    for size in sizes:
        yield from asyncio.run(_compare(folder, size, repeats))


async def _compare(folder: Path, size: int, repeats: int) -> list[Row]:
    rows = []
    async with AsyncExitStack() as stack:
        many = await _open(stack, folder, "many", size)
        few = await _open(stack, folder, "few", FEW)
        for name, keys, back in _KEYS:
            rows.append(_row(name, size, await _pairs(many, few, keys, back, repeats)))
        rows.append(_row("filter keystroke", size, await _filter_pairs(many, few, repeats)))
    return rows


async def _open(stack: AsyncExitStack, folder: Path, name: str, count: int) -> _Side:
    database = folder / f"list-{name}-{count}.db"
    seed_tasks(database, count)
    clock = Clock("UTC")
    store = stack.enter_context(open_store(database, user="me", clock=clock))
    app = TodoApp(AppSetup(store, clock).services())
    app.animation_level = "none"
    # As the command line does: the main screen then sets the collector's thresholds.
    gc.disable()
    await stack.enter_async_context(app.run_test(size=_SIZE))
    side = _Side(app)
    await side.cpu_of("tab")
    await side.settle()
    return side


async def _pairs(
    many: _Side, few: _Side, keys: list[str], back: list[str], repeats: int
) -> list[tuple[float, float]]:
    """Press `keys` on both sides; what is pressed `back` after that does not count."""
    pairs = []
    for _ in range(_WARM_UP + repeats):
        pairs.append((await many.cpu_of(*keys), await few.cpu_of(*keys)))
        if back:
            await many.cpu_of(*back)
            await few.cpu_of(*back)
    await many.cpu_of("home")
    await few.cpu_of("home")
    return pairs[_WARM_UP:]


async def _filter_pairs(many: _Side, few: _Side, repeats: int) -> list[tuple[float, float]]:
    """Type a filter letter by letter; it is taken away again, which does not count."""
    pairs = []
    for side in (many, few):
        await side.cpu_of("slash")
    letters = cycle(_LETTERS)
    for _ in range(2 + min(repeats // 2, 40)):
        key = next(letters)
        pair = []
        for side in (many, few):
            pair.append(await side.cpu_of_filter(key))
            await side.settle()
        pairs.append((pair[0], pair[1]))
        if len(pairs) % len(_LETTERS) == 0:
            for side in (many, few):
                await side.cpu_of(*["backspace"] * len(_LETTERS))
                await side.settle()
    return pairs[2:]


def _row(name: str, size: int, pairs: list[tuple[float, float]]) -> Row:
    ours, few = (_percentile(side) * 1000 for side in zip(*pairs, strict=True))
    return Row(
        f"key to paint, {name}, {size:,} tasks beside {FEW}, 95th percentile, CPU",
        ours,
        few,
        "ms",
        ours / few,
        None,
        ceiling=CEILING_MS[name] if size <= 10_000 else LONG_LIST_CEILING_MS,
        plotted=Plotted("key to paint", name, size),
    )


def _percentile(seconds: Sequence[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1]
