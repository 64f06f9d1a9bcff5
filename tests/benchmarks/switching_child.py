"""One switch of provider in the app, or one import of an SDK beside it, in a fresh process.

Run as `python -m tests.benchmarks.switching_child switch|import PROVIDER URL FOLDER`; prints
a JSON object: when it began, when it ended (`time.monotonic`), and each moment at which
the event loop came back late, with the seconds that it had been away.
"""

from __future__ import annotations

import asyncio
import gc
import importlib
import json
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from tests.wires.remotes import KEY, remote
from todo_tui.cli.wiring.session import build_clock, open_user_store
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.config.load import load_settings
from todo_tui.config.machine import Machine
from todo_tui.config.paths import Paths
from todo_tui.config.settings import Flags
from todo_tui.domain.when import DateStyle
from todo_tui.providers.registry import PROVIDERS, Wire
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.screens.main import MainScreen

_TICK = 0.001
LATE = 0.004
"""Seconds: shorter gaps are not told."""
_SDKS = {Wire.MESSAGES: "anthropic", Wire.GEMINI: "google.genai"}


def sdk_of(row_id: str) -> str:
    """The package that carries its requests."""
    return "groq" if row_id == "groq" else _SDKS.get(remote(row_id).wire, "openai")


class _Ticker:
    """Notes when the event loop was away for longer than it should be."""

    def __init__(self) -> None:
        self.late: list[tuple[float, float]] = []

    async def run(self) -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(_TICK)
            now = time.monotonic()
            if now - before > LATE:
                self.late.append((now, now - before))
            before = now


@asynccontextmanager
async def _app(row_id: str, url: str, folder: Path) -> AsyncIterator[tuple[TodoApp, Pilot[None]]]:
    """The app at rest with a message in its box, and a key for the provider at hand."""
    row = remote(row_id).row
    environ = {row.base_url_variable: url, row.key_variable: KEY}
    machine = Machine("UTC", DateStyle(), Paths(*[folder] * 4))
    settings = load_settings(Flags(), environ, PROVIDERS, machine)
    clock = build_clock(settings)
    with open_user_store(settings, clock) as store:
        app = TodoApp(build_tui_services(settings, store, clock))
        app.animation_level = "none"
        async with app.run_test(size=(120, 36)) as pilot:
            await _until(lambda: bool(app.screen.query(Composer)))
            app.screen.query_one(Composer).insert("add buy milk tomorrow 5pm")
            for _ in range(6):
                await pilot.pause()
                for worker in list(app.workers):
                    await worker.wait()
            yield app, pilot


async def _switch(row_id: str, url: str, folder: Path) -> tuple[float, float, _Ticker]:
    number = [row.id for row in PROVIDERS].index(row_id) + 1
    ticker = _Ticker()
    async with _app(row_id, url, folder) as (app, _):
        screen = app.screen
        assert isinstance(screen, MainScreen)
        ticking = asyncio.create_task(ticker.run())
        began = time.monotonic()
        screen.models.choose_number(number)
        # Typed once the status line names it, as a person would.
        await _until(lambda: screen.models.switch.choice.provider == row_id)
        app.simulate_key("enter")
        await _until(lambda: screen.chat.session.busy)
        # Seldom: to look each millisecond would cost what only one side has to pay.
        await _until(lambda: not screen.chat.session.busy, every=0.05)
        ended = time.monotonic()
        ticking.cancel()
    return began, ended, ticker


async def _until(holds: Callable[[], bool], *, every: float = _TICK) -> None:
    while not holds():  # noqa: ASYNC110 - the app has no event for it
        await asyncio.sleep(every)


async def _import(row_id: str, url: str, folder: Path) -> tuple[float, float, _Ticker]:
    """After the app has been there: what both share is loaded, and nothing of it runs."""
    ticker = _Ticker()
    async with _app(row_id, url, folder):
        pass
    ticking = asyncio.create_task(ticker.run())
    await asyncio.sleep(_TICK)
    began = time.monotonic()
    await asyncio.to_thread(importlib.import_module, sdk_of(row_id))
    ended = time.monotonic()
    await asyncio.sleep(_TICK)
    ticking.cancel()
    return began, ended, ticker


def main() -> None:
    """Do what the arguments say, once."""
    # As the command line starts.
    gc.disable()
    task, row_id, url, folder = sys.argv[1:]
    assert sdk_of(row_id) not in sys.modules
    run = _switch if task == "switch" else _import
    began, ended, ticker = asyncio.run(run(row_id, url, Path(folder)))
    print(json.dumps({"began": began, "ended": ended, "late": ticker.late}))


if __name__ == "__main__":
    main()
