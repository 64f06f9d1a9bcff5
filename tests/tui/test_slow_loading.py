"""Loading in a thread: the event loop goes first, and no collection comes in between."""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import threading
import time
from pathlib import Path

import pytest

from todo_tui.tui.background import yielding_imports


@pytest.fixture
def many_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Modules that each take a while to be imported."""
    names = [f"slow_module_{number}" for number in range(30)]
    for name in names:
        (tmp_path / f"{name}.py").write_text("sum(number for number in range(200_000))\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return names


async def test_the_event_loop_gets_its_turn_between_imports(many_modules: list[str]) -> None:
    loop = asyncio.get_running_loop()
    turns: list[float] = []

    def load() -> None:
        with yielding_imports(loop):
            for name in many_modules:
                importlib.import_module(name)

    work = asyncio.create_task(asyncio.to_thread(load))
    while not work.done():
        turns.append(time.monotonic())
        await asyncio.sleep(0)
    await work
    assert len(turns) > len(many_modules), "it went round at least once for each"


async def test_a_loop_that_stands_still_holds_up_one_import_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"quick_module_{number}" for number in range(50)]
    for name in names:
        (tmp_path / f"{name}.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    loop, done = asyncio.get_running_loop(), threading.Event()

    def load() -> float:
        began = time.monotonic()
        with yielding_imports(loop):
            for name in names:
                importlib.import_module(name)
        done.set()
        return time.monotonic() - began

    work = asyncio.create_task(asyncio.to_thread(load))
    await asyncio.sleep(0)
    done.wait(30)
    assert await work < len(names) * 0.02, "as if it were waited for each time"


async def test_nothing_is_left_behind_and_collections_go_on(many_modules: list[str]) -> None:
    finders = list(sys.meta_path)
    loop = asyncio.get_running_loop()
    assert gc.isenabled()

    def load() -> bool:
        with yielding_imports(loop):
            importlib.import_module(many_modules[0])
            return gc.isenabled()

    assert not await asyncio.to_thread(load)
    assert gc.isenabled()
    assert sys.meta_path == finders


def test_a_loop_that_is_closed_holds_nothing_up(many_modules: list[str]) -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    with yielding_imports(loop):
        time.sleep(0.01)
        importlib.import_module(many_modules[0])
