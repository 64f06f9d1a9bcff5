"""A turn with one tool call against a bare loop that makes the same calls and commits.

Both sides run in this process against a server in another one that answers at once.
The bare loop sends the very requests that the app sent, through the same SDK, and
writes the very rows in the same transactions with plain sqlite3.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from openai import AsyncOpenAI

from tests.benchmarks.report import Row
from todo_tui.agent.desk import Desk, Limits
from todo_tui.agent.loop import run_turn
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.clock import Clock
from todo_tui.domain.events import TurnFinished
from todo_tui.providers.opening import open_provider
from todo_tui.providers.registry import provider_row
from todo_tui.store.opening import open_store

_WARM_UP = 5
_LITERAL = re.compile(r"'(?:[^']|'')*'|\bNULL\b|(?<![\w.\"])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")

Statement = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Recording:
    """What the app did turn by turn: bodies of its requests, statements that write."""

    bodies: tuple[dict[str, Any], ...]
    statements: tuple[tuple[Statement, ...], ...]


def compare(folder: Path, *, turns: int, rounds: int) -> Row:
    """CPU seconds of `turns` warm turns on both sides, the median of `rounds` pairs."""
    bodies_file = folder / "bodies.jsonl"
    numbers = count()
    with _server(bodies_file) as port:
        statements = asyncio.run(_record(folder / "recorded.db", port, turns + _WARM_UP))
        bodies = [json.loads(line) for line in bodies_file.read_text("utf-8").splitlines()]
        recording = Recording(tuple(bodies), statements)

        def ours() -> float:
            return asyncio.run(_ours(folder / f"ours-{next(numbers)}.db", port, turns))

        def bare() -> float:
            return asyncio.run(_bare(folder / f"bare-{next(numbers)}.db", port, recording))

        ours(), bare()
        pairs = [(ours(), bare()) for _ in range(rounds)]
    return Row(
        f"a turn with one tool call, over {turns}, CPU",
        statistics.median(a for a, _ in pairs) / turns * 1000,
        statistics.median(b for _, b in pairs) / turns * 1000,
        "ms",
        statistics.median(a / b for a, b in pairs),
        1.25,
    )


@contextmanager
def _server(record: Path) -> Iterator[int]:
    command = [sys.executable, "-m", "tests.benchmarks.instant_server", str(record)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


@contextmanager
def _desk(database: Path, port: int) -> Iterator[Desk]:
    with open_store(database, user="me", clock=Clock("UTC")) as store:
        settings = ProviderSettings(base_url=f"http://127.0.0.1:{port}/v1", model="instant")
        provider = open_provider(provider_row("local"), settings)
        yield Desk(store, provider, limits=Limits())


async def _turn(desk: Desk, number: int, conversation_id: str | None) -> str:
    text = f"add buy milk tomorrow 5pm, number {number}"
    async for event in run_turn(text, desk, conversation_id=conversation_id):
        if isinstance(event, TurnFinished):
            return event.conversation_id
    raise AssertionError("the turn did not finish")


async def _record(database: Path, port: int, turns: int) -> tuple[tuple[Statement, ...], ...]:
    recorded: list[tuple[Statement, ...]] = []
    with _desk(database, port) as desk:
        current: list[str] = []
        # The benchmark looks under the store's hood: only there are its statements.
        desk.store._file._writer.conn.set_trace_callback(current.append)
        conversation_id = desk.store.conversations.start().id
        for number in range(turns):
            await _turn(desk, number, conversation_id)
            recorded.append(tuple(_parameterised(sql) for sql in current if _writes(sql)))
            current.clear()
        await desk.provider.aclose()
    return tuple(recorded)


def _writes(sql: str) -> bool:
    return sql.split(maxsplit=1)[0].upper() in {"BEGIN", "COMMIT", "INSERT", "UPDATE", "DELETE"}


def _parameterised(sql: str) -> Statement:
    """The statement with `?` for its literals, so that SQLite prepares it only once."""
    if sql.split(maxsplit=1)[0].upper() in {"BEGIN", "COMMIT"}:
        return sql, ()
    values: list[object] = []

    def lift(match: re.Match[str]) -> str:
        literal = match.group()
        if literal == "NULL":
            return literal
        if literal.startswith("'"):
            values.append(literal[1:-1].replace("''", "'"))
        else:
            values.append(float(literal) if re.search(r"[.e]", literal) else int(literal))
        return "?"

    return _LITERAL.sub(lift, sql), tuple(values)


async def _ours(database: Path, port: int, turns: int) -> float:
    with _desk(database, port) as desk:
        conversation_id = desk.store.conversations.start().id
        for number in range(_WARM_UP):
            await _turn(desk, number, conversation_id)
        gc.collect()
        started = time.process_time()
        for number in range(turns):
            await _turn(desk, number, conversation_id)
        spent = time.process_time() - started
        await desk.provider.aclose()
    return spent


async def _bare(database: Path, port: int, recording: Recording) -> float:
    with open_store(database, user="me", clock=Clock("UTC")):
        pass
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    client = AsyncOpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", max_retries=0)
    try:
        calls = iter(recording.bodies)
        for statements in recording.statements[:_WARM_UP]:
            await _bare_turn(client, connection, statements, calls)
        gc.collect()
        started = time.process_time()
        for statements in recording.statements[_WARM_UP:]:
            await _bare_turn(client, connection, statements, calls)
        return time.process_time() - started
    finally:
        await client.close()
        connection.close()


async def _bare_turn(
    client: AsyncOpenAI,
    connection: sqlite3.Connection,
    statements: Sequence[Statement],
    calls: Iterator[dict[str, Any]],
) -> None:
    for _ in range(2):
        stream = await client.chat.completions.create(**next(calls))
        words: list[str] = []
        arguments: list[str] = []
        async for chunk in stream:
            for choice in chunk.choices:
                words.append(choice.delta.content or "")
                for call in choice.delta.tool_calls or ():
                    if call.function is not None:
                        arguments.append(call.function.arguments or "")
        if text := "".join(arguments):
            json.loads(text)
    for sql, values in statements:
        connection.execute(sql, values).fetchall()
