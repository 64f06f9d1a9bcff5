"""A message loop that ends by itself ends the app, which would take no key any more."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect  # type: ignore[import-untyped]  # it ships no types
import pytest
from textual.message_pump import MessagePump
from textual.screen import ModalScreen
from textual.widgets import Static

from tests.tui.conftest import AppSetup
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.composer import Composer
from todo_tui.tui.screens.live_screen import LiveScreen
from todo_tui.tui.services import AppServices
from todo_tui.tui.task_list.pane import TaskPane
from todo_tui.tui.textual_fixes import MessageLoopEnded


async def raise_of_a_cancelled_task() -> None:
    """What is raised where a task is awaited that was cancelled before it began."""
    task = asyncio.create_task(asyncio.sleep(10))
    task.cancel()
    await task


class BrokenScreen(ModalScreen[None]):
    """Fails as it opens."""

    async def on_mount(self) -> None:
        await raise_of_a_cancelled_task()


def cancel(pump: MessagePump) -> None:
    pump.task.cancel()


def fail(pump: MessagePump) -> None:
    pump.call_later(raise_of_a_cancelled_task)


PARTS: dict[str, Callable[[TodoApp], MessagePump]] = {
    "screen": lambda app: app.screen,
    "composer": lambda app: app.screen.query_one(Composer),
    "pane": lambda app: app.screen.query_one(TaskPane),
}


async def run_until_it_ends(app: TodoApp, breaks: Callable[[], object]) -> None:
    async with asyncio.timeout(300), app.run_test() as pilot:
        await pilot.pause()
        breaks()
        while app.return_code is None:  # noqa: ASYNC110 - the app tells nobody
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("part", "end"), [("screen", cancel), ("composer", fail), ("pane", cancel)]
)
async def test_the_app_ends_with_an_error(
    app_setup: AppSetup, part: str, end: Callable[[MessagePump], None]
) -> None:
    app = TodoApp(app_setup.services())
    with pytest.raises(MessageLoopEnded):
        await run_until_it_ends(app, lambda: end(PARTS[part](app)))
    assert app.return_code == 1


async def test_a_handler_of_the_app_itself_ends_it_with_an_error(app_setup: AppSetup) -> None:
    app = TodoApp(app_setup.services())
    with pytest.raises(MessageLoopEnded):
        await run_until_it_ends(app, lambda: fail(app))
    assert app.return_code == 1


async def test_a_screen_that_fails_as_it_opens_ends_the_app(app_setup: AppSetup) -> None:
    app = TodoApp(app_setup.services())
    with pytest.raises(MessageLoopEnded):
        await run_until_it_ends(app, lambda: app.call_later(app.push_screen, BrokenScreen()))
    assert app.return_code == 1


class SlowScreen(LiveScreen[None]):
    """Reads until it is closed, and then looks for its widget."""

    ERROR_PLACE = "#numbers"

    def __init__(self, services: AppServices) -> None:
        super().__init__(services)
        self.closed = asyncio.Event()

    async def load(self) -> None:
        await self.closed.wait()
        self.query_one("#numbers", Static).update("12")


async def test_a_screen_that_is_closed_while_it_reads_ends_nothing(app_setup: AppSetup) -> None:
    services = app_setup.services()
    app = TodoApp(services)
    async with app.run_test() as pilot:
        screen = SlowScreen(services)
        app.push_screen(screen)
        await pilot.pause()
        closing = app.pop_screen()
        screen.closed.set()
        await closing
        await pilot.pause()
        assert app.is_running
        await app.action_quit()
        assert app.leaving is not None
        await app.leaving
    assert app.return_code == 0


def test_the_terminal_is_restored_and_a_sentence_says_what_happened(tmp_path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "tests.tui.app_child", str(tmp_path), "screen"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "TERM": "xterm-256color"},
        cwd=str(Path(__file__).parents[2]),
        dimensions=(24, 80),
        timeout=300,
    )
    child.expect(pexpect.EOF)
    child.close()
    written = child.before.decode()
    assert child.exitstatus == 1
    left = written[written.index("\x1b[?1049l") :]
    assert "todo-tui stopped because of an internal error" in left
    assert "\x1b[?25h" in left, "the cursor is shown"
    assert "Traceback" not in written
