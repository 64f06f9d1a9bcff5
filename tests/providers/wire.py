"""HTTP server that plays raw answers, and helpers for requests to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.wires.encoders import chat as encode_chat
from tests.wires.encoders import gemini as encode_gemini
from tests.wires.encoders import messages as encode_messages
from tests.wires.encoders import responses as encode_responses
from tests.wires.model_messages import ModelMessage
from todo_tui.config.endpoint import Endpoint
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StreamEvent,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolSpec,
)
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import Wire, provider_row
from todo_tui.providers.server import Server
from todo_tui.providers.wire_formats.chat_completions import ChatFormat, Dialect
from todo_tui.providers.wire_formats.wire_format import WireFormat

RECORDED = Path(__file__).parents[1] / "data" / "wire" / "llamacpp"
KEY = "gsk_0123456789abcdef"

ADD_TASK = ToolSpec(
    name="add_task",
    description="Add a task to the list.",
    parameters={
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "due": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Due"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["title"],
        "additionalProperties": False,
    },
)
COMPLETE_TASK = ToolSpec(
    name="complete_task",
    description="Tick tasks off.",
    parameters={
        "type": "object",
        "properties": {"task_ids": {"type": "array", "items": {"type": "integer"}}},
    },
)
TOOLS = (ADD_TASK, COMPLETE_TASK)

Play = bytes | Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class Received:
    """Request as received."""

    line: str
    headers: dict[str, str]
    body: dict[str, JsonValue]


@dataclass(slots=True)
class WireServer:
    """Plays one answer per connection, then the last one again and again."""

    plays: Sequence[Play]
    received: list[Received] = field(default_factory=list)
    port: int = 0
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has closed its connection before the answer was complete."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.received.append(Received(head[0], headers, json.loads(body or b"{}")))
            play = self.plays[min(len(self.received), len(self.plays)) - 1]
            if isinstance(play, bytes):
                writer.write(play)
                await writer.drain()
            else:
                await play(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()


@asynccontextmanager
async def wire_server(*plays: Play) -> AsyncIterator[WireServer]:
    """Serve on a free port of the loopback."""
    served = WireServer(plays)
    server = await asyncio.start_server(served.handle, "127.0.0.1", 0)
    served.port = server.sockets[0].getsockname()[1]
    async with server:
        yield served


def http(
    body: bytes | JsonValue,
    *,
    status: str = "200 OK",
    content_type: str = "application/json",
    headers: Sequence[str] = (),
) -> bytes:
    """Build a whole answer that ends with the connection."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *headers]
    return "\r\n".join([*head, "Connection: close", "", ""]).encode() + raw


def sse(*chunks: JsonValue, done: bool = True) -> bytes:
    """Build a streamed answer of these chunks."""
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    text = "".join(lines) + ("data: [DONE]\n\n" if done else "")
    return http(text.encode(), content_type="text/event-stream")


def saying(text: str, wire: Wire) -> bytes:
    """Build a streamed text answer in that format; empty for providers without a server."""
    speakers = {
        Wire.CHAT: encode_chat,
        Wire.RESPONSES: encode_responses,
        Wire.MESSAGES: encode_messages,
        Wire.GEMINI: encode_gemini,
    }
    events = speakers[wire](ModelMessage(text), "") if wire in speakers else ()
    return http(b"".join(events), content_type="text/event-stream")


def delta(finish: str | None = None, /, **members: JsonValue) -> JsonValue:
    """Build a chunk with one delta."""
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": members, "finish_reason": finish}],
    }


def candidate(
    *parts: JsonValue, finish: str | None = None, usage: JsonValue = None, **members: JsonValue
) -> JsonValue:
    """Build a chunk of Gemini's own protocol, with the parts of its one candidate."""
    content: JsonValue = {"role": "model", "parts": list(parts)}
    finished: dict[str, JsonValue] = {"finishReason": finish} if finish is not None else {}
    chunk: dict[str, JsonValue] = {
        "candidates": [{"content": content, "index": 0, **finished, **members}]
    }
    if usage is not None:
        chunk["usageMetadata"] = usage
    return chunk


def fragment(
    name: str | None = None, arguments: JsonValue = None, **members: JsonValue
) -> JsonValue:
    """Build one element of `delta.tool_calls`."""
    function: dict[str, JsonValue] = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    return {"type": "function", "function": function, **members}


def recorded(name: str, *, piece: int = 61) -> bytes:
    """Return a recorded answer; chunked ones in pieces that split lines anywhere."""
    raw = (RECORDED / f"{name}.http").read_bytes()
    head, _, body = raw.partition(b"\r\n\r\n")
    if b"chunked" not in head:
        return raw
    pieces = [body[at : at + piece] for at in range(0, len(body), piece)]
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(each), each) for each in pieces)
    return head + b"\r\n\r\n" + chunked + b"0\r\n\r\n"


def provider_at(
    url: str, row_id: str = "local", *, key: str | None = KEY, model: str = "m"
) -> Provider:
    """Return the provider of a row, moved to that address."""
    settings = ProviderSettings(base_url=url, key=Secret(key) if key else None, model=model)
    return open_provider(provider_row(row_id), settings)


def request(text: str = "add eggs", *, tools: tuple[ToolSpec, ...] = TOOLS) -> Request:
    """Return a conversation of one message."""
    return Request("Be brief.", (Message(Role.USER, (Text(text),)),), tools)


def server_of(model: str = "m") -> Server:
    """Return a server that is never contacted."""
    endpoint = Endpoint("https", "api.example.com", 443)
    return Server("Mine", endpoint, "MINE_API_KEY", "MINE_BASE_URL", model=model)


def body_of(wire: WireFormat, asked: Request, origin: str, model: str = "m") -> Any:  # noqa: ANN401 - JSON of any shape
    """Return a request body, as JSON."""
    return wire.body(asked, server_of(model), origin)


def chat_body_of(
    asked: Request,
    dialect: Dialect,
    origin: str,
    model: str = "m",
    settings: ProviderSettings | None = None,
) -> Any:  # noqa: ANN401 - as above
    """Return a request body of that dialect, as JSON."""
    return body_of(ChatFormat(settings or ProviderSettings(), dialect), asked, origin, model)


async def collect(provider: Provider, asked: Request | None = None) -> list[StreamEvent]:
    """Return all events of one request, and close the provider."""
    try:
        return [event async for event in provider.stream(asked or request())]
    finally:
        await provider.aclose()


async def answered(
    *plays: Play, row_id: str = "local", asked: Request | None = None
) -> list[StreamEvent]:
    """Return the events that a server's answer is read as."""
    async with wire_server(*plays) as server:
        return await collect(provider_at(server.url, row_id), asked)


def completed(events: list[StreamEvent]) -> Completed:
    """Return the last event, which is the only Completed."""
    assert [isinstance(event, Completed) for event in events].count(True) == 1
    last = events[-1]
    assert isinstance(last, Completed)
    return last


def words(events: list[StreamEvent]) -> str:
    """Return the text of the deltas."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def thoughts(events: list[StreamEvent]) -> str:
    """Return the thinking of the deltas."""
    return "".join(event.text for event in events if isinstance(event, ThinkingDelta))
