"""The app with a real SDK on a real socket: what Esc does to it, and what a switch loads."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from textual import events

from tests.providers.wire import WireServer, delta, provider_at, sse, wire_server
from tests.tui.conftest import AppOpener, AppSetup, OpenApp
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import JsonValue

_PATIENCE_SECONDS = 300.0
"""Until a test gives up; a server that plays here never ends, and is never given up so soon."""


def use(app_setup: AppSetup, server: WireServer) -> None:
    """Let the app talk to that server, through the SDK of its row."""
    opened: list[Provider] = []

    def open_provider(row_id: str, model: str) -> Provider:
        app_setup.opened.append((row_id, model))
        opened.append(provider_at(server.url))
        return opened[-1]

    app_setup.open_provider = open_provider


def chunk(words: str) -> bytes:
    event: JsonValue = delta(content=words)
    return sse(event, done=False).partition(b"\r\n\r\n")[2]


HEAD = sse(done=False)


async def tells_a_story(writer: asyncio.StreamWriter) -> None:
    writer.write(HEAD)
    while True:
        writer.write(chunk("and so on "))
        await writer.drain()
        await asyncio.sleep(0.01)


async def says_nothing(reader: asyncio.StreamReader) -> None:
    if not await reader.read():
        raise ConnectionError("the client has gone")


@contextmanager
def no_task_left() -> Iterator[None]:
    """But for those that each widget on screen has to itself, and the timer of the draft."""
    before = asyncio.all_tasks()
    yield
    left = [task.get_name() for task in asyncio.all_tasks() - before if not task.done()]
    assert not [
        name for name in left if not name.startswith(("message pump", "Timer", "set_timer"))
    ]


async def closed_by_esc(running: OpenApp, server: WireServer) -> None:
    """Stop a turn in mid-stream; its server sees the socket closed."""
    await running.type("go on")
    heard = len(server.received)
    # Not by the pilot, which waits for rest before it goes on: a stream leaves none.
    running.app.post_message(events.Key("enter", None))
    while len(server.received) == heard or not running.screen.chat.session.busy:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    server.gone.clear()

    running.app.post_message(events.Key("escape", None))
    await asyncio.wait_for(server.gone.wait(), _PATIENCE_SECONDS)
    await running.settle()


async def test_esc_closes_the_socket_at_once_and_leaves_no_task(
    app_setup: AppSetup, open_app: AppOpener
) -> None:
    connections = count()

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The first is silent before its first byte, the second in mid-stream.
        await (tells_a_story(writer) if next(connections) else says_nothing(reader))

    async with wire_server(play) as server:
        use(app_setup, server)
        async with open_app() as running:
            await closed_by_esc(running, server)
            with no_task_left():
                await closed_by_esc(running, server)
            assert "Stopped. Partial" in running.shown()
    gc.collect()
