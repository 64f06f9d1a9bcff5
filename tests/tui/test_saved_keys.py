"""API keys that are saved while the app is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.blank import blank
from tests.cli.model_server import BAD_KEY
from tests.providers.wire import delta, http, sse, wire_server
from tests.tui.conftest import WIDE, OpenApp
from todo_tui.cli.wiring.session import CliSession
from todo_tui.cli.wiring.tui_services import build_tui_services
from todo_tui.config.key_file import KeyFile
from todo_tui.domain.secret import Secret
from todo_tui.tui.app import TodoApp
from todo_tui.tui.chat.transcript import Transcript
from todo_tui.tui.models.picker import ModelPicker


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path))


def name_address(session: CliSession, url: str) -> None:
    path = session.machine.paths.config
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'[providers.local]\nbase_url = "{url}"\n')


@asynccontextmanager
async def open_with_key(folder: Path, key: str) -> AsyncIterator[tuple[OpenApp, CliSession]]:
    """Open the app, with its settings, on a local server that takes the key `right` alone."""
    async with wire_server() as server:

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            request = server.received[-1]
            if request.headers.get("authorization") != "bearer right":
                writer.write(BAD_KEY)
            elif request.line.startswith("GET"):
                writer.write(http({"data": [{"id": "m"}]}))
            else:
                writer.write(sse(delta(content="Hi there."), delta("stop")))
            await writer.drain()

        server.plays = [answer]
        environ = {
            "TODO_TUI_DB": str(blank(folder / "tasks.db")),
            "TODO_TUI_PROVIDER": "local",
        }
        session = CliSession(environ)
        name_address(session, f"{server.url}/v1")
        KeyFile(session.machine.paths.keys).keep("local", Secret(key))
        services = build_tui_services(
            session.settings,
            session.store,
            session.clock,
            read_configuration=session.read_configuration,
        )
        app = TodoApp(services)
        app.animation_level = "none"
        async with app.run_test(size=WIDE) as pilot:
            running = OpenApp(app, pilot)
            await running.until(lambda: running.screen.query(Transcript))
            await running.settle()
            yield running, session
            await app.action_quit()
            assert app.leaving is not None
            await app.leaving
        session.close()


async def open_picker(running: OpenApp) -> None:
    await running.press("f2")
    await running.until(lambda: isinstance(running.app.screen, ModelPicker))
    await running.type("local")
    await running.settle()


async def choose_in_picker(running: OpenApp) -> None:
    await open_picker(running)
    assert "API key rejected" not in running.shown()
    await running.press("enter")
    await running.settle()


async def choose_by_command(running: OpenApp) -> None:
    await running.send("/model local")


async def send_again(running: OpenApp) -> None:
    """Choose nothing: the key was rejected, so that the next message reads it again."""


@pytest.mark.parametrize("choose", [choose_in_picker, choose_by_command, send_again])
async def test_a_key_saved_while_the_app_is_open_is_used(
    tmp_path: Path, choose: Callable[[OpenApp], Awaitable[None]]
) -> None:
    async with open_with_key(tmp_path, "wrong") as (running, session):
        await running.send("hello")
        assert "Hi there." not in running.shown()
        await open_picker(running)
        assert "API key rejected" in running.shown()
        await running.press("escape")

        KeyFile(session.machine.paths.keys).keep("local", Secret("right"))
        await choose(running)
        await running.send("hello again")
        await running.until(lambda: "Hi there." in running.shown())
        # The log leaves out the key of before, too.
        assert {"wrong", "right"} <= set(session.secrets())


async def test_testing_a_rejected_model_reads_the_key_again(tmp_path: Path) -> None:
    async with open_with_key(tmp_path, "wrong") as (running, session):
        await open_picker(running)
        KeyFile(session.machine.paths.keys).keep("local", Secret("right"))
        await running.press("ctrl+e")
        await running.until(lambda: "Answers in" in running.shown())


async def test_a_removed_key_is_not_sent_any_more(tmp_path: Path) -> None:
    async with open_with_key(tmp_path, "right") as (running, session):
        KeyFile(session.machine.paths.keys).remove("local")
        await choose_by_command(running)
        await running.send("hello")
        assert "Hi there." not in running.shown()


async def test_a_key_saved_for_another_address_is_not_sent_to_the_one_in_use(
    tmp_path: Path,
) -> None:
    async with open_with_key(tmp_path, "right") as (running, session):
        name_address(session, "http://127.0.0.1:9/v1")
        KeyFile(session.machine.paths.keys).keep("local", Secret("of-another-server"))
        await choose_by_command(running)
        await running.send("hello")
        await running.until(lambda: "Hi there." in running.shown())
