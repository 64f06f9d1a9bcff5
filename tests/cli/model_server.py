"""A server with an OpenAI-compatible API on the loopback, for commands that ask one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.providers.wire import WireServer, delta, fragment, http, sse, wire_server

WORDS = sse(delta(content="ok"), delta("stop"))
CALL = sse(
    delta(tool_calls=[fragment("answer", '{"word": "ok"}', index=0, id="c1")]), delta("tool_calls")
)
NO_TOOLS = http({"error": {"message": "m does not support tools"}}, status="400 Bad Request")
BAD_KEY = http({"error": {"message": "Invalid API Key"}}, status="401 Unauthorized")


@dataclass
class ModelServer:
    """Lists models, and answers every chat in the same way once enough of them came."""

    answer: bytes = CALL
    models: Sequence[str] = ("m",)
    together: int = 1
    """Chats that have to be open at the same time before any is answered."""
    _chats: int = field(default=0, init=False)
    _enough: asyncio.Event = field(default_factory=asyncio.Event, init=False)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[WireServer]:
        """Serve on a free port."""
        served: list[WireServer] = []

        async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if served[0].received[-1].line.startswith("GET"):
                writer.write(http({"data": [{"id": name} for name in self.models]}))
            else:
                self._chats += 1
                if self._chats >= self.together:
                    self._enough.set()
                await self._enough.wait()
                writer.write(self.answer)
            await writer.drain()

        async with wire_server(play) as server:
            served.append(server)
            yield server
