"""Imports and long reads in a thread: the event loop runs meanwhile, without collections."""

from __future__ import annotations

import asyncio
import gc
import importlib
import sys
import threading
import time
from pathlib import Path

import pytest

from todo_tui.tui.background import low_priority


@pytest.fixture
def many_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Modules that each take a while to be imported."""
    names = [f"slow_module_{number}" for number in range(30)]
    for name in names:
        (tmp_path / f"{name}.py").write_text("sum(number for number in range(200_000))\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return names


async def test_the_event_loop_runs_between_imports(many_modules: list[str]) -> None:
    turns: list[float] = []

    def load() -> None:
        with low_priority():
            for name in many_modules:
                importlib.import_module(name)

    work = asyncio.create_task(asyncio.to_thread(load))
    while not work.done():
        turns.append(time.monotonic())
        await asyncio.sleep(0)
    await work
    assert len(turns) > len(many_modules), "it went round at least once for each"


async def test_settings_of_the_interpreter_are_restored_after_the_last_block() -> None:
    interval = sys.getswitchinterval()
    first_is_in, second_is_out = threading.Event(), threading.Event()
    assert gc.isenabled()

    def first() -> bool:
        with low_priority():
            first_is_in.set()
            second_is_out.wait()
            return gc.isenabled()

    def second() -> None:
        first_is_in.wait()
        with low_priority():
            pass
        second_is_out.set()

    was_collecting, _ = await asyncio.gather(asyncio.to_thread(first), asyncio.to_thread(second))
    assert not was_collecting, "the second block has ended, the first has not"
    assert gc.isenabled()
    assert sys.getswitchinterval() == interval
