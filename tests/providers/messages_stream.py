"""Builders of Messages events, and a reader of their answers."""

from __future__ import annotations

import json
from typing import Any

from tests.providers.wire import KEY, Play, answered, http
from tests.providers.wire import body_of as rendered
from todo_tui.config.provider_row import custom_provider
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import Message, Provider, Request, StreamEvent
from todo_tui.domain.secret import Secret
from todo_tui.domain.task import JsonValue
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import PROVIDERS, provider_row
from todo_tui.providers.wire_formats.anthropic_messages import MessagesFormat

MODEL = "claude-haiku-5-5"
ORIGIN = f"anthropic:{MODEL}"
OWN = custom_provider("mine", "Mine", "messages", "https://messages.example.com", needs_key=True)

Event = dict[str, JsonValue]


def event(kind: str, **members: JsonValue) -> Event:
    """Build an event with its type in its data."""
    return {"type": kind, **members}


def stream(*events: Event | bytes) -> bytes:
    """Build a streamed answer of these events; bytes are sent unchanged."""
    parts = [each if isinstance(each, bytes) else _named(each) for each in events]
    return http(b"".join(parts), content_type="text/event-stream")


def _named(each: Event) -> bytes:
    return f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode()


def start(**usage: JsonValue) -> Event:
    """Build the first event of a stream."""
    empty: Event = {"id": "msg_1", "type": "message", "role": "assistant", "content": []}
    return event("message_start", message={**empty, "model": MODEL, "usage": usage})


def block(index: int, kind: str, *deltas: Event, **members: JsonValue) -> list[Event]:
    """Build a content block from its start to its stop."""
    return [
        event("content_block_start", index=index, content_block={"type": kind, **members}),
        *(event("content_block_delta", index=index, delta=delta) for delta in deltas),
        event("content_block_stop", index=index),
    ]


def text(index: int, *words: str) -> list[Event]:
    """Build a text block."""
    return block(index, "text", *(event("text_delta", text=each) for each in words), text="")


def thinking(index: int, *words: str, signature: str = "c2lnbmVk") -> list[Event]:
    """Build a thinking block with its signature."""
    deltas = [event("thinking_delta", thinking=each) for each in words]
    signed = [event("signature_delta", signature=signature)] if signature else []
    return block(index, "thinking", *deltas, *signed, thinking="", signature="")


def call(index: int, name: str, *fragments: str, call_id: str = "toolu_01") -> list[Event]:
    """Build a tool call block."""
    deltas = (event("input_json_delta", partial_json=each) for each in fragments)
    return block(index, "tool_use", *deltas, id=call_id, name=name, input={})


def stop(reason: str | None = "end_turn", **members: JsonValue) -> list[Event]:
    """Build the last events of a stream."""
    delta: Event = {"stop_reason": reason, "stop_sequence": None}
    return [event("message_delta", delta=delta, **members), event("message_stop")]


def messages_provider(url: str, **fields: Any) -> Provider:  # noqa: ANN401 - settings by name
    """Return Anthropic's provider, moved to that address."""
    settings = {"key": Secret(KEY), "model": MODEL, **fields}
    return open_provider(
        provider_row("anthropic"),
        ProviderSettings(base_url=url, **settings),
    )


def own_provider(url: str, model: str = "glm-5") -> Provider:
    """Return a user-defined provider of the format."""
    settings = ProviderSettings(base_url=url, key=Secret(KEY), model=model)
    return open_provider(provider_row("mine", (*PROVIDERS, OWN)), settings)


async def read(*events: Event | bytes, asked: Request | None = None) -> list[StreamEvent]:
    """Return the events that a stream is read as."""
    return await answered(stream(*events), row_id="anthropic", asked=asked)


async def read_play(play: Play) -> list[StreamEvent]:
    """Return the events that a raw answer is read as."""
    return await answered(play, row_id="anthropic")


def body_of(
    asked: Request,
    *,
    model: str = MODEL,
    origin: str = ORIGIN,
    settings: ProviderSettings | None = None,
) -> Any:  # noqa: ANN401 - JSON of any shape
    """Return a request body as JSON."""
    return rendered(MessagesFormat(settings or ProviderSettings()), asked, origin, model)


def sent(*messages: Message, origin: str = ORIGIN) -> list[Any]:
    """Return the messages of a request body."""
    found = body_of(Request("", messages), origin=origin)["messages"]
    assert isinstance(found, list)
    return found
