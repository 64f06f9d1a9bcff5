"""The server as a process of its own, over its standard streams."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.mcp_server.conftest import Agent
from tests.mcp_server.greeting import HELLO
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import Implementation

_PRINTING = """
import sys, threading, time
from todo_tui.cli.main import main
from todo_tui.tools.tasks import list_tasks
from todo_tui.tools.base import Tool
run = Tool.run
def careless(self, *arguments):
    print("stray", flush=True)
    return run(self, *arguments)
Tool.run = careless
sys.exit(main(["mcp"]))
"""
"""A server in which each call prints, as a careless library does."""
_TIMEOUT = 300
"""Seconds: a busy machine is not a bug."""


class Server:
    """How to start the server on a database of its own."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "tasks.db"
        self.errors = folder / "stderr"
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TODO_TUI_DB": str(self.path),
            "TODO_TUI_USER": "ann",
            "TODO_TUI_NOW": "2026-11-18T14:30",
            "TZ": "Europe/Berlin",
        }
        if "PYTHONPYCACHEPREFIX" in os.environ:
            self.environment["PYTHONPYCACHEPREFIX"] = os.environ["PYTHONPYCACHEPREFIX"]

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-m", "todo_tui", "mcp", *options]

    @asynccontextmanager
    async def connect(self, *options: str, name: str = "one") -> AsyncIterator[Agent]:
        command, *arguments = self.command(*options)
        parameters = StdioServerParameters(
            command=command, args=arguments, env=dict(self.environment)
        )
        with self.errors.open("a") as errors:
            async with Client(
                stdio_client(parameters, errlog=errors),
                client_info=Implementation(name=name, version="1"),
                read_timeout_seconds=_TIMEOUT,
            ) as client:
                yield Agent(client)

    def start(self, command: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command or self.command(),
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def open(self) -> Store:
        clock = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
        return open_store(self.path, user="ann", clock=clock)


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def call(number: int, name: str, **arguments: object) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def say(process: subprocess.Popen[bytes], *messages: object) -> None:
    assert process.stdin is not None
    for message in messages:
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        process.stdin.write(text + b"\n")
    process.stdin.flush()


def answers(process: subprocess.Popen[bytes], count: int) -> dict[int, dict[str, Any]]:
    """Return the first answers by the id of their request, then end the input."""
    assert process.stdout is not None
    found: dict[int, dict[str, Any]] = {}
    while len(found) < count:
        answer = json.loads(process.stdout.readline())
        if answer.get("id") is not None:
            found[answer["id"]] = answer
    process.communicate(timeout=_TIMEOUT)
    assert process.returncode == 0
    return found


async def test_two_agents_and_the_app_write_at_once_and_nothing_is_lost(server: Server) -> None:
    app = server.open()

    async def add_in_app() -> None:
        for number in range(10):
            by = app.new_change_context(Actor.USER)
            await asyncio.to_thread(app.tasks.add, {"title": f"app {number}"}, by=by)

    async with server.connect(name="one") as one, server.connect(name="two") as two:
        adds = [
            agent("add_task", title=f"{name} {number}", details="tomorrow")
            for agent, name in ((one, "one"), (two, "two"))
            for number in range(30)
        ]
        reads = [one("list_tasks", filter="due:tomorrow") for _ in range(60)]
        found = await asyncio.gather(*adds, *reads, add_in_app())
        assert Counter(each["status"] for each in found if each) == {"success": 120}
        await one.data("undo")
    assert Counter(task.title.split()[0] for task in app.tasks.find()) == (
        {"app": 10, "one": 29, "two": 30}
    )
    app.close()
    with sqlite3.connect(server.path) as database:
        query = "SELECT agent, count(*) FROM batches GROUP BY agent ORDER BY agent"
        assert database.execute(query).fetchall() == [(None, 10), ("one", 31), ("two", 30)]
    database.close()
    assert "Traceback" not in server.errors.read_text()


def test_rubbish_stray_prints_and_large_arguments_leave_the_stream_whole(server: Server) -> None:
    process = server.start([sys.executable, "-c", _PRINTING])
    say(
        process,
        b"rubbish",
        b'{"jsonrpc": "2.0", "id": ',
        b"\xff\xfe\x00",
        b"[]",
        b'"text"',
        HELLO,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        b"{}",
        call(1, "add_task", title="milk", notes="x" * 10_000_000),
        call(2, "add_task", title="x" * 10_000_000),
        call(3, "add_task", title="milk \u202e", notes="\u2028 \u0000"),
        call(4, "list_tasks", filter="(" * 100_000),
        {"jsonrpc": "2.0", "id": 5, "method": "no/such", "params": {}},
        call(6, "list_tasks", **{"x" * 1_000: [[[[]]]]}),
        {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": 5}},
        call(8, "add_task", title="last"),
    )
    found = answers(process, 9)
    assert [n for n, each in sorted(found.items()) if "error" in each] == [5, 7]
    failed = [n for n in (1, 2, 3, 4, 6, 8) if found[n]["result"]["isError"]]
    assert failed == [1, 2, 4, 6]
    with server.open() as store:
        assert [task.title for task in store.tasks.find()] == ["milk", "last"]


def test_a_kill_in_a_call_leaves_whole_tasks(server: Server) -> None:
    process = server.start()
    say(process, HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    say(process, *(call(n, "add_task", title=f"task {n}", details="@a @b") for n in range(1, 400)))
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=_TIMEOUT)
    with server.open() as store:
        assert store.problems() == ()
        tasks = store.tasks.find()
        assert len(tasks) >= 19
        assert {task.tags for task in tasks} == {("a", "b")}
        by = store.new_change_context(Actor.USER)
        assert len(store.tasks.undo(by=by).changes) == 1


def test_the_client_of_version_1_is_served(server: Server, request: pytest.FixtureRequest) -> None:
    folder = request.config.rootpath / ".pytest_cache" / "mcp-1"
    marker = folder / "complete"
    if not marker.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps"]
        # What version 2 needs too is here already.
        wanted = ["mcp>=1.30,<2", "httpx-sse", "pydantic-settings", "python-dotenv"]
        command = [*pip, "--target", str(folder), *wanted]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("no registry: version 1 of the client could not be installed")
        marker.touch()
    finished = subprocess.run(
        [sys.executable, Path(__file__).with_name("old_client.py"), *server.command()],
        env={**server.environment, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    found = json.loads(finished.stdout)
    assert found["tools"][0] == "add_task"
    assert found["deleted"]["data"]["succeeded"] == 6
    assert found["is_error"] is False
    assert "#6 task 5" in found["trash"]
