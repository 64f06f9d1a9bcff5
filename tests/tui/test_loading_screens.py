"""Screens that read when they open say nothing of what they have not read yet."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.config.home import Home
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from tests.tui.driving import held_threads
from todo_tui.tui.screens.main import MainScreen

SCREENS: list[tuple[Callable[[MainScreen], object], str, str, str]] = [
    (lambda main: main.opener.open_settings(), "Settings", "No such setting.", "General"),
    (lambda main: main.action_documents(), "Documents", "No documents.", ""),
    (lambda main: main.opener.open_changes(), "Changes", "No changes.", ""),
    (lambda main: main.action_conversations(), "Conversations", "No conversations.", ""),
]
"""What opens a screen, its title, its text for an empty list, and what it shows if not that."""


@contextmanager
def held_readers() -> Iterator[None]:
    """Keep all threads for reading busy."""
    loop: Any = asyncio.get_running_loop()
    release = threading.Event()

    def wait() -> None:
        held_threads.add(threading.get_ident())
        release.wait(300)
        held_threads.discard(threading.get_ident())

    for _ in range(loop._default_executor._max_workers):
        loop.run_in_executor(None, wait)
    try:
        yield
    finally:
        release.set()


def is_shown(running: OpenApp, text: str) -> bool:
    return text in running.shown()


async def test_screens_do_not_say_none_before_they_know(
    app_setup: AppSetup, open_app: AppOpener, tmp_path: Path
) -> None:
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    app_setup.read_configuration = home.configuration
    async with open_app() as running:
        main = running.screen
        for open_screen, title, none, found in SCREENS:
            with held_readers():
                open_screen(main)
                await running.until(partial(is_shown, running, title))
                assert none not in running.shown()
            await running.until(partial(is_shown, running, found or none))
            await running.press("escape")
