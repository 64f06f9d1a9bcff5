"""Fake model server: streams scripted messages and records requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import Remote
from tests.wires.stream_parts import encrypted_content_of

Body = dict[str, Any]

BEFORE_HEADERS = -1
"""Value of `silent_after`: not even a status line is sent."""


@dataclass
class FakeServer:
    """Answers each request with what `says` returns for its body.

    A model message is encoded in the wire format; events, perhaps without end, are sent
    unchanged, and so is a whole response.
    """

    remote: Remote
    says: Callable[[Body], ModelMessage | Iterator[bytes] | bytes]
    silent_after: int | None = None
    """Number of events after which the server is silent and waits for the client to leave."""
    received: list[Body] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a request was received and its answer was sent as far as scripted."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a client closed its connection in the middle of an answer."""
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    _connections: dict[asyncio.Task[None], asyncio.StreamWriter] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                body = json.loads(await reader.readexactly(length))
                self.received.append(body)
                await self._answer(body, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            del self._connections[task]
            writer.close()

    async def hang_up(self) -> None:
        """Close open connections, and wait for their tasks."""
        tasks = list(self._connections)
        for writer in self._connections.values():
            writer.close()
        await asyncio.gather(*tasks)

    async def _answer(
        self, body: Body, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        says = self.says(body)
        if isinstance(says, bytes):
            writer.write(says)
            await writer.drain()
            raise ConnectionResetError
        if not isinstance(says, ModelMessage):
            writer.write(_CLOSING)
            for event in says:
                writer.write(event)
                await writer.drain()
            raise ConnectionResetError
        events = list(encoder_of(self.remote.row)(says, encrypted_content_of(self.remote.origin)))
        if self.silent_after is None:
            said = b"".join(events)
            head = f"{_OK}Content-Length: {len(said)}\r\n\r\n".encode()
            writer.write(head + said)
            await writer.drain()
            self.asked.set()
            return
        if self.silent_after != BEFORE_HEADERS:
            writer.write(_CLOSING)
            writer.write(b"".join(events[: self.silent_after]))
            await writer.drain()
        self.asked.set()
        await reader.read()
        self.left.set()


_OK = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
_CLOSING = f"{_OK}Connection: close\r\n\r\n".encode()


@asynccontextmanager
async def fake_server(
    remote: Remote,
    says: Callable[[Body], ModelMessage | Iterator[bytes] | bytes],
    *,
    silent_after: int | None = None,
) -> AsyncIterator[FakeServer]:
    """Serve on a free port of the loopback."""
    server = FakeServer(remote, says, silent_after)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        await server.hang_up()


def answered(body: Body) -> bool:
    """Return True if the newest message holds results of tools, in any format."""
    messages = body.get("messages") or body.get("input") or body["contents"]
    newest = json.dumps(messages[-1])
    kinds = ('"role": "tool"', "function_call_output", "tool_result", "functionResponse")
    return any(kind in newest for kind in kinds)
