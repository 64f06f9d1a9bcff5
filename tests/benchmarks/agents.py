"""The MCP server beside a bare import of its SDK and the bare store; the log of all changes."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tests.benchmarks.first_frame import quiet_environment
from tests.benchmarks.report import Row, cpu_of, paired
from tests.mcp_server.greeting import HELLO
from todo_tui.config.settings import ApprovalSettings
from todo_tui.domain.task import Actor
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store
from todo_tui.tools.base import ToolContext, TurnBatch
from todo_tui.tools.registry import TOOLS

_CALLS = 300
_OPERATIONS_OF_TASK = 5
_CALL_MS = 5.0
_LOG_MS = 100.0


def compare(folder: Path, operations: int, *, runs: int) -> Iterator[Row]:
    """Rows for start, calls, many calls at once, and the log over so many operations."""
    home = folder / "agents"
    home.mkdir()
    yield _ready(home, runs=runs)
    yield from _calls(home)
    yield _log(home, operations, runs=runs)


def _ready(home: Path, *, runs: int) -> Row:
    hello = home / "hello.jsonl"
    hello.write_text(json.dumps(HELLO) + "\n", encoding="utf-8")
    serving = [sys.executable, "-m", "todo_tui", "--db", str(home / "tasks.db"), "mcp"]
    env = quiet_environment(home)
    return paired(
        "`todo-tui mcp` until it is ready, beside `import mcp`, CPU",
        lambda: cpu_of(serving, env, stdin=hello),
        lambda: cpu_of([sys.executable, "-c", "import mcp"], env),
        runs=runs,
        target=1.5,
    )


def _calls(home: Path) -> Iterator[Row]:
    ours, added = asyncio.run(_served(_opened(home / "served.db")))
    theirs = _bare(_opened(home / "bare.db"))
    yield Row(
        f"a call of `add_task` over MCP, client included, beside the tool alone, {_CALLS} at once",
        ours / _CALLS * 1000,
        theirs / _CALLS * 1000,
        "ms",
        ours / theirs,
        None,
        above=_CALL_MS,
    )
    yield Row(f"tasks lost of {_CALLS} added at once", _CALLS - added, 0, "", 0, None, ceiling=0)


async def _served(store: Store) -> tuple[float, int]:
    """Return the CPU seconds of the calls of a client in this process, and the tasks added."""
    from mcp import Client  # not for the other benchmarks

    from todo_tui.mcp_server.roles import AgentRole
    from todo_tui.mcp_server.server import build_server
    from todo_tui.mcp_server.session import AgentSession

    server = build_server(AgentSession(store, AgentRole.ALL, ApprovalSettings()), "1")
    async with Client(server, mode="legacy") as client:
        await client.call_tool("list_tasks", {})
        began = time.process_time()
        await asyncio.gather(
            *(client.call_tool("add_task", {"title": f"task {n}"}) for n in range(_CALLS))
        )
        spent = time.process_time() - began
    added = len(store.tasks.find())
    store.close()
    return spent, added


def _bare(store: Store) -> float:
    """Return the CPU seconds of the same calls of the tool, with nothing around them."""
    add_task = next(tool for tool in TOOLS if tool.name == "add_task")
    began = time.process_time()
    for number in range(_CALLS):
        batch = TurnBatch(lambda: store.new_change_context(Actor.MCP, agent="bare"))
        add_task.run(json.dumps({"title": f"task {number}"}), ToolContext(store, batch))
    spent = time.process_time() - began
    store.close()
    return spent


def _log(home: Path, operations: int, *, runs: int) -> Row:
    store = _opened(home / "log.db")
    with store.transaction():
        for number in range(operations // _OPERATIONS_OF_TASK):
            is_agent = number % 50 == 0
            by = store.new_change_context(
                Actor.MCP if is_agent else Actor.USER, agent="claude-code" if is_agent else None
            )
            fields = {"title": f"task {number}", "tags": ("a", "b"), "notes": "x"}
            store.tasks.add(fields, by=by)  # type: ignore[arg-type]  # fields by name
    spent = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        store.change_log.entries(limit=200)
        store.change_log.entries(actor="claude", limit=200)
        spent.append((time.perf_counter() - began) / 2 * 1000)
    store.close()
    name = f"the log of all changes over {operations:,} operations"
    return Row(name, min(spent), 0, "ms", 0, None, ceiling=_LOG_MS)


def _opened(path: Path) -> Store:
    return open_store(path, user="ann", clock=Clock("UTC", datetime(2026, 11, 18, 14, 30)))
