"""Streams of the same message in each wire format.

Follows the events that the SDKs' own types describe (`openai.types.responses`,
`anthropic.types`, `google.genai.types`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.responses_encoder import responses as responses
from tests.wires.stream_parts import (
    TOKENS_CACHED,
    TOKENS_IN,
    TOKENS_OUT,
    TOKENS_THINKING,
    JsonObject,
    event,
    fragments,
    given,
    pieces,
    typed,
    whole,
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import ProviderRow, Wire

Encoder = Callable[[ModelMessage, str], Iterator[bytes]]
"""Server-sent events of one message; the text is the encrypted content."""


def chat(
    said: ModelMessage, sealed: str, *, thoughts: str = "reasoning_content"
) -> Iterator[bytes]:
    """Encode chunks of `POST chat/completions`; servers name the thinking in one of two ways."""
    yield _chunk({"role": "assistant", "content": None if said.calls else ""})
    for words in pieces(said.thinking):
        yield _chunk({thoughts: words})
    for words in pieces(said.text):
        yield _chunk({"content": words})
    for index, call in enumerate(said.calls):
        begun: JsonObject = {"name": call.name, **whole("arguments", call.arguments)}
        head: JsonObject = {"index": index, "type": "function", "function": begun}
        yield _chunk({"tool_calls": [{**head, **given("id", call.id)}]})
        for part in fragments(call.arguments):
            yield _chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    yield _chunk({}, _finish(said, "length", "tool_calls", "stop"))
    if said.usage:
        usage: JsonObject = {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
            "prompt_tokens_details": {"cached_tokens": TOKENS_CACHED},
            "completion_tokens_details": {"reasoning_tokens": TOKENS_THINKING},
        }
        yield event({**_CHAT_CHUNK, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def groq(said: ModelMessage, sealed: str) -> Iterator[bytes]:
    """Encode as chat, with Groq's own name for thinking."""
    return chat(said, sealed, thoughts="reasoning")


def gemini_compatible(said: ModelMessage, sealed: str) -> Iterator[bytes]:
    """Encode whole calls at index 0, each with `stop`; the first carries the signature."""
    for words in pieces(said.text):
        yield _chunk({"role": "assistant", "content": words})
    for number, call in enumerate(said.calls):
        function: JsonObject = {"name": call.name, **given("arguments", call.arguments)}
        sent: JsonObject = {"index": 0, "type": "function", "function": function}
        sent |= given("id", call.id)
        if number == 0:
            sent["extra_content"] = {"google": {"thought_signature": sealed}}
        yield _chunk({"role": "assistant", "tool_calls": [sent]})
    usage: JsonObject = {
        "prompt_tokens": TOKENS_IN,
        "completion_tokens": TOKENS_OUT - TOKENS_THINKING,
        "total_tokens": TOKENS_IN + TOKENS_OUT,
        "prompt_tokens_details": {"cached_tokens": TOKENS_CACHED},
    }
    counted: JsonObject = {"usage": usage} if said.usage else {}
    yield _chunk({"role": "assistant"}, "length" if said.cut else "stop", **counted)
    yield b"data: [DONE]\n\n"


def messages(said: ModelMessage, sealed: str) -> Iterator[bytes]:
    """Encode events of `POST messages`: one content block after the other."""
    started: JsonObject = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
    }
    if said.usage:
        started["usage"] = {
            "input_tokens": TOKENS_IN - TOKENS_CACHED,
            "cache_read_input_tokens": TOKENS_CACHED,
            "cache_creation_input_tokens": 0,
            "output_tokens": 1,
        }
    yield typed("message_start", message=started)
    yield typed("ping")
    for index, (block, deltas) in enumerate(_blocks(said, sealed)):
        yield typed("content_block_start", index=index, content_block=block)
        for delta in deltas:
            yield typed("content_block_delta", index=index, delta=delta)
        yield typed("content_block_stop", index=index)
    stop: JsonObject = {
        "stop_reason": _finish(said, "max_tokens", "tool_use", "end_turn"),
        "stop_sequence": None,
    }
    usage: JsonObject = {"usage": {"output_tokens": TOKENS_OUT}} if said.usage else {}
    yield typed("message_delta", delta=stop, **usage)
    yield typed("message_stop")


def gemini(said: ModelMessage, sealed: str) -> Iterator[bytes]:
    """Encode chunks of `streamGenerateContent?alt=sse`: a call comes whole, in one part."""
    parts: list[JsonObject] = [{"text": words, "thought": True} for words in pieces(said.thinking)]
    parts += [{"text": words} for words in pieces(said.text)]
    for number, call in enumerate(said.calls):
        function: JsonObject = {"name": call.name, **given("id", call.id)}
        function |= given("args", _object(call.arguments))
        part: JsonObject = {"functionCall": function}
        if number == 0:
            part["thoughtSignature"] = sealed
        parts.append(part)
    parts = parts or [{"text": ""}]
    for number, each in enumerate(parts):
        content: JsonObject = {"role": "model", "parts": [each]}
        candidate: JsonObject = {"content": content, "index": 0}
        chunk: JsonObject = {"candidates": [candidate], "modelVersion": "m", "responseId": "r"}
        if number == len(parts) - 1:
            candidate["finishReason"] = "MAX_TOKENS" if said.cut else "STOP"
            if said.usage:
                chunk["usageMetadata"] = {
                    "promptTokenCount": TOKENS_IN,
                    "cachedContentTokenCount": TOKENS_CACHED,
                    "candidatesTokenCount": TOKENS_OUT - TOKENS_THINKING,
                    "thoughtsTokenCount": TOKENS_THINKING,
                    "totalTokenCount": TOKENS_IN + TOKENS_OUT,
                }
        yield event(chunk)


_CHAT_CHUNK: JsonObject = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
}


def _chunk(delta: JsonObject, finish: str | None = None, **more: JsonValue) -> bytes:
    choice: JsonObject = {"index": 0, "delta": delta, "finish_reason": finish}
    return event({**_CHAT_CHUNK, "choices": [choice], **more})


def _input(call: ModelCall) -> JsonObject:
    return {"input": {}} if isinstance(call.arguments, str) else given("input", call.arguments)


def _object(arguments: JsonValue) -> JsonValue:
    """Parse arguments for formats that send an object; None if it is none."""
    if not isinstance(arguments, str):
        return arguments
    try:
        value: JsonValue = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _finish(said: ModelMessage, cut: str, called: str, ended: str) -> str:
    if said.cut:
        return cut
    return called if said.calls else ended


def _blocks(said: ModelMessage, sealed: str) -> Iterator[tuple[JsonObject, list[JsonObject]]]:
    if said.thinking:
        thoughts: list[JsonObject] = [
            {"type": "thinking_delta", "thinking": words} for words in pieces(said.thinking)
        ]
        thoughts.append({"type": "signature_delta", "signature": sealed})
        yield {"type": "thinking", "thinking": "", "signature": ""}, thoughts
    if said.text:
        yield (
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": words} for words in pieces(said.text)],
        )
    for call in said.calls:
        yield (
            {"type": "tool_use", **given("id", call.id), "name": call.name, **_input(call)},
            [
                {"type": "input_json_delta", "partial_json": fragment}
                for fragment in fragments(call.arguments)
            ],
        )


_BY_ID: dict[str, Encoder] = {"groq": groq, "gemini": gemini_compatible}
_BY_WIRE: dict[Wire, Encoder] = {
    Wire.CHAT: chat,
    Wire.RESPONSES: responses,
    Wire.MESSAGES: messages,
    Wire.GEMINI: gemini,
}


def encoder_of(row: ProviderRow) -> Encoder:
    """Return the encoder of a row."""
    return _BY_ID.get(row.id, _BY_WIRE.get(row.wire, chat))
