"""Cancelled turns close their connections at once, for each provider, and leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.providers.wire import http, wire_server
from tests.turns.conversation import ConversationDriver, open_conversation, with_stall_seconds
from tests.turns.single_request import every_wire
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import Remote
from tests.wires.server import BEFORE_HEADERS, FakeServer, fake_server
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.domain.events import TurnCancelled, TurnFinished

_PATIENCE_SECONDS = 300.0
"""Time limit of a test; far longer than needed."""
_SILENCE_SECONDS = 3600.0
"""Silence that no test reaches: only the cancellation ends a turn here."""


@pytest.fixture
async def clean(caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Check that no task, connection or asyncio warning is left."""
    gc.freeze()  # only what comes from now on is looked through
    yield
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    gc.collect()  # what was left open warns now, and a warning is an error
    gc.unfreeze()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


@asynccontextmanager
async def _listening(
    remote: Remote, database: Path, silent_after: int
) -> AsyncIterator[tuple[ConversationDriver, FakeServer]]:
    """Open a conversation with a server that falls silent in the middle of its answer."""
    said = ModelMessage("One two three four five six.", thinking="Well, well, well.")
    async with (
        fake_server(remote, lambda _: said, silent_after=silent_after) as server,
        open_conversation(remote.at(server.url), database) as talk,
        asyncio.timeout(_PATIENCE_SECONDS),
    ):
        talk.limits = with_stall_seconds(talk.limits, _SILENCE_SECONDS)
        yield talk, server


@every_wire
@pytest.mark.parametrize(
    "silent_after",
    [BEFORE_HEADERS, 0, 1, 5],
    ids=["before headers", "after headers", "at the first event", "in mid-stream"],
)
async def test_stopping_closes_the_connection_at_once(
    remote: Remote, silent_after: int, database: Path, clean: None
) -> None:
    async with _listening(remote, database, silent_after) as (talk, server):
        handle = TurnHandle()
        turn = asyncio.create_task(talk.say("Hello", handle))
        await server.asked.wait()
        await asyncio.sleep(0.02)  # until what was said has been heard
        handle.stop()
        await server.left.wait()
        assert isinstance(await turn, TurnCancelled)
        assert len(server.received) == 1


@every_wire
async def test_cancelling_whoever_reads_the_turn_closes_the_connection_too(
    remote: Remote, database: Path, clean: None
) -> None:
    async with _listening(remote, database, 3) as (talk, server):
        turn = asyncio.create_task(talk.say("Hello"))
        await server.asked.wait()
        await asyncio.sleep(0.02)
        turn.cancel()
        await server.left.wait()
        with pytest.raises(asyncio.CancelledError):
            await turn
        (stored,) = talk.store.turns.list(talk.store.conversations.list()[0].id)
        assert stored.status.value == "cancelled"


@every_wire
async def test_stopping_ends_the_wait_for_a_retry_at_once(
    remote: Remote, database: Path, clean: None
) -> None:
    limited = http({}, status="429 Too Many Requests", headers=("Retry-After: 30",))
    async with (
        wire_server(limited) as server,
        open_conversation(remote.at(server.url), database) as talk,
        asyncio.timeout(_PATIENCE_SECONDS),
    ):
        talk.naps.pace = 100.0
        handle = TurnHandle()
        turn = asyncio.create_task(talk.say("Hello", handle))
        await talk.naps.begun.wait()
        handle.stop()
        assert isinstance(await turn, TurnCancelled)
        assert talk.naps.taken == [30.0]
        assert len(server.received) == 1


@every_wire
async def test_after_a_stop_the_next_turn_works(
    remote: Remote, database: Path, clean: None
) -> None:
    async with _listening(remote, database, 4) as (talk, server):
        handle = TurnHandle()
        turn = asyncio.create_task(talk.say("Hello", handle))
        await server.asked.wait()
        await asyncio.sleep(0.02)
        handle.stop()
        cancelled = await turn
        server.silent_after = None
        assert isinstance(await talk.say("Again"), TurnFinished)
        assert cancelled.conversation_id == talk.conversation_id
