"""A turn with one tool call against a bare loop that makes the same calls and commits.

Both sides run in this process against a server in another one that answers at once.
The bare loop sends the very requests that the app sent, through the same SDK, and
writes the very rows in the same transactions with plain sqlite3.
"""

from __future__ import annotations

import asyncio
import gc
import re
import sqlite3
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, groupby
from pathlib import Path
from typing import Any

from tests.benchmarks.bare_loops import BareClient, bare_client
from tests.benchmarks.instant_server import InstantServer, base_url
from tests.benchmarks.report import Row
from tests.wires.remotes import Remote
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import Limits, RunConfig
from todo_tui.domain.events import TurnFinished
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store

_WARM_UP = 5
_LITERAL = re.compile(r"'(?:[^']|'')*'|\bNULL\b|(?<![\w.\"])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])")

Statement = tuple[str, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Recording:
    """What the app did turn by turn: bodies of its requests, statements that write."""

    bodies: tuple[dict[str, Any], ...]
    statements: tuple[tuple[Statement, ...], ...]


def compare(folder: Path, server: InstantServer, asked: Remote, *, turns: int, rounds: int) -> Row:
    """CPU seconds of `turns` warm turns on both sides, the median of `rounds` pairs."""
    home = folder / f"turns-{asked.id}"
    home.mkdir()
    url = base_url(server.root, asked)
    numbers = count()
    server.requests()
    statements = asyncio.run(_record(home / "recorded.db", asked, url, turns + _WARM_UP))
    recording = Recording(tuple(each["body"] for each in server.requests()), statements)

    def ours() -> float:
        return asyncio.run(_ours(home / f"ours-{next(numbers)}.db", asked, url, turns))

    def bare() -> float:
        return asyncio.run(_bare(home / f"bare-{next(numbers)}.db", asked, url, recording))

    pairs = [(ours(), bare()) for _ in range(rounds)]
    return Row(
        f"a turn with one tool call, {asked.row.label}, over {turns}, CPU",
        statistics.median(a for a, _ in pairs) / turns * 1000,
        statistics.median(b for _, b in pairs) / turns * 1000,
        "ms",
        statistics.median(a / b for a, b in pairs),
        1.15,
        ceiling=20.0,
    )


@contextmanager
def _desk(database: Path, asked: Remote, url: str) -> Iterator[RunConfig]:
    with open_store(database, user="me", clock=Clock("UTC")) as store:
        yield RunConfig(store, asked.at(url), limits=Limits())


async def _turn(desk: RunConfig, number: int, conversation_id: str | None) -> str:
    text = f"add buy milk tomorrow 5pm, number {number}"
    async for event in run_turn(text, desk, conversation_id=conversation_id):
        if isinstance(event, TurnFinished):
            return event.conversation_id
    raise AssertionError("the turn did not finish")


async def _record(
    database: Path, asked: Remote, url: str, turns: int
) -> tuple[tuple[Statement, ...], ...]:
    recorded: list[tuple[Statement, ...]] = []
    with _desk(database, asked, url) as desk:
        current: list[str] = []
        # The benchmark looks under the store's hood: only there are its statements.
        desk.store._db.file.files.writer.set_trace_callback(current.append)
        conversation_id = desk.store.conversations.start().id
        for number in range(turns):
            await _turn(desk, number, conversation_id)
            # A statement is traced again for each trigger that it fires.
            written = [sql for sql, _ in groupby(filter(_writes, current))]
            recorded.append(tuple(map(_parameterised, written)))
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


async def _ours(database: Path, asked: Remote, url: str, turns: int) -> float:
    with _desk(database, asked, url) as desk:
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


async def _bare(database: Path, asked: Remote, url: str, recording: Recording) -> float:
    with open_store(database, user="me", clock=Clock("UTC")):
        pass
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA synchronous = NORMAL")
    client = bare_client(asked, url)
    try:
        requests = iter(recording.bodies)
        for statements in recording.statements[:_WARM_UP]:
            await _bare_turn(client, connection, statements, requests)
        gc.collect()
        started = time.process_time()
        for statements in recording.statements[_WARM_UP:]:
            await _bare_turn(client, connection, statements, requests)
        return time.process_time() - started
    finally:
        await client.close()
        connection.close()


async def _bare_turn(
    client: BareClient,
    connection: sqlite3.Connection,
    statements: Sequence[Statement],
    requests: Iterator[dict[str, Any]],
) -> None:
    for _ in range(2):
        await client.ask(next(requests))
    for sql, values in statements:
        connection.execute(sql, values).fetchall()
