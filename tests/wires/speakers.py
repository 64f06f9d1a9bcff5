"""What servers stream: the same words, thoughts and calls in each wire format.

Follows the events that the SDKs' own types describe (`openai.types.responses`,
`anthropic.types`, `google.genai.types`).
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from zlib import crc32

from tests.wires.said import Called, Said
from todo_tui.domain.task import JsonValue
from todo_tui.providers.registry import ProviderRow, Wire

JsonObject = dict[str, JsonValue]

Speaker = Callable[[Said, str], Iterator[bytes]]
"""The server-sent events of one message; the text is the seal of what only it can read."""

TOKENS_IN, TOKENS_CACHED, TOKENS_OUT, TOKENS_THOUGHT = 1200, 1000, 30, 10
"""What each server reports; the outgoing ones include the thinking."""


def seal(origin: str) -> str:
    """What a server seals its thoughts with: opaque, and no other may be sent it."""
    return b64encode(f"sealed by {origin}".encode()).decode()


def event(data: JsonValue, name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def chat(said: Said, sealed: str, *, thoughts: str = "reasoning_content") -> Iterator[bytes]:
    """Chunks of `POST chat/completions`; servers name the thoughts in one of two ways."""

    yield _chunk({"role": "assistant", "content": None if said.calls else ""})
    for words in _pieces(said.thinking):
        yield _chunk({thoughts: words})
    for words in _pieces(said.text):
        yield _chunk({"content": words})
    for index, call in enumerate(said.calls):
        begun: JsonObject = {"name": call.name, **_whole("arguments", call.arguments)}
        head: JsonObject = {"index": index, "type": "function", "function": begun}
        yield _chunk({"tool_calls": [{**head, **_given("id", call.id)}]})
        for part in _fragments(call.arguments):
            yield _chunk({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    yield _chunk({}, _finish(said, "length", "tool_calls", "stop"))
    if said.usage:
        usage: JsonObject = {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
            "prompt_tokens_details": {"cached_tokens": TOKENS_CACHED},
            "completion_tokens_details": {"reasoning_tokens": TOKENS_THOUGHT},
        }
        yield event({**_CHAT_CHUNK, "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def groq(said: Said, sealed: str) -> Iterator[bytes]:
    """As chat, with its own name for thoughts."""
    return chat(said, sealed, thoughts="reasoning")


def gemini_compatible(said: Said, sealed: str) -> Iterator[bytes]:
    """Whole calls at index 0, each with `stop` at the end; the first carries the signature."""

    for words in _pieces(said.text):
        yield _chunk({"role": "assistant", "content": words})
    for number, call in enumerate(said.calls):
        function: JsonObject = {"name": call.name, **_given("arguments", call.arguments)}
        whole: JsonObject = {"index": 0, "type": "function", "function": function}
        whole |= _given("id", call.id)
        if number == 0:
            whole["extra_content"] = {"google": {"thought_signature": sealed}}
        yield _chunk({"role": "assistant", "tool_calls": [whole]})
    usage: JsonObject = {
        "prompt_tokens": TOKENS_IN,
        "completion_tokens": TOKENS_OUT - TOKENS_THOUGHT,
        "total_tokens": TOKENS_IN + TOKENS_OUT,
        "prompt_tokens_details": {"cached_tokens": TOKENS_CACHED},
    }
    counted: JsonObject = {"usage": usage} if said.usage else {}
    yield _chunk({"role": "assistant"}, "length" if said.cut else "stop", **counted)
    yield b"data: [DONE]\n\n"


def responses(said: Said, sealed: str) -> Iterator[bytes]:
    """Events of `POST responses`: reasoning, words and calls as items."""
    items = [
        *([_reasoning(said.thinking, sealed)] if said.thinking else []),
        *([_message(said.text)] if said.text or not said.calls else []),
        *(_function_call(call, number) for number, call in enumerate(said.calls)),
    ]
    begun = _response([], "in_progress")
    yield _typed("response.created", response=begun)
    yield _typed("response.in_progress", response=begun)
    for index, item in enumerate(items):
        yield from _item(item, index)
    status = "incomplete" if said.cut else "completed"
    whole = _response(items, status)
    if said.cut:
        whole["incomplete_details"] = {"reason": "max_output_tokens"}
    if said.usage:
        whole["usage"] = {
            "input_tokens": TOKENS_IN,
            "input_tokens_details": {"cached_tokens": TOKENS_CACHED},
            "output_tokens": TOKENS_OUT,
            "output_tokens_details": {"reasoning_tokens": TOKENS_THOUGHT},
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }
    yield _typed(f"response.{status}", response=whole)


def messages(said: Said, sealed: str) -> Iterator[bytes]:
    """Events of `POST messages`: one content block after the other."""
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
    yield _typed("message_start", message=started)
    yield _typed("ping")
    for index, (block, deltas) in enumerate(_blocks(said, sealed)):
        yield _typed("content_block_start", index=index, content_block=block)
        for delta in deltas:
            yield _typed("content_block_delta", index=index, delta=delta)
        yield _typed("content_block_stop", index=index)
    stop: JsonObject = {
        "stop_reason": _finish(said, "max_tokens", "tool_use", "end_turn"),
        "stop_sequence": None,
    }
    usage: JsonObject = {"usage": {"output_tokens": TOKENS_OUT}} if said.usage else {}
    yield _typed("message_delta", delta=stop, **usage)
    yield _typed("message_stop")


def gemini(said: Said, sealed: str) -> Iterator[bytes]:
    """Chunks of `streamGenerateContent?alt=sse`: a call comes whole, in one part."""
    parts: list[JsonObject] = [{"text": words, "thought": True} for words in _pieces(said.thinking)]
    parts += [{"text": words} for words in _pieces(said.text)]
    for number, call in enumerate(said.calls):
        function: JsonObject = {"name": call.name, **_given("id", call.id)}
        function |= _given("args", _object(call.arguments))
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
                    "candidatesTokenCount": TOKENS_OUT - TOKENS_THOUGHT,
                    "thoughtsTokenCount": TOKENS_THOUGHT,
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


def _typed(kind: str, **fields: JsonValue) -> bytes:
    return event({"type": kind, **fields}, kind)


def _pieces(text: str) -> list[str]:
    """Word by word; together they are the text."""
    words = text.split(" ")
    return [f"{word} " for word in words[:-1]] + [words[-1]] if text else []


def _fragments(arguments: JsonValue) -> list[str]:
    """The text in pieces; what is no text comes in one, elsewhere."""
    text = arguments if isinstance(arguments, str) else ""
    return [text[at : at + 12] for at in range(0, len(text), 12)]


def _whole(name: str, value: JsonValue) -> JsonObject:
    """Text will come in pieces; anything else is here already."""
    return {name: ""} if isinstance(value, str) else _given(name, value)


def _given(name: str, value: JsonValue) -> JsonObject:
    """The member, if it is given at all."""
    return {} if value is None or value == "" else {name: value}


def _input(call: Called) -> JsonObject:
    return {"input": {}} if isinstance(call.arguments, str) else _given("input", call.arguments)


def _object(arguments: JsonValue) -> JsonValue:
    """Where arguments come as an object, text that is none does not come."""
    if not isinstance(arguments, str):
        return arguments
    try:
        value: JsonValue = json.loads(arguments)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _finish(said: Said, cut: str, called: str, ended: str) -> str:
    if said.cut:
        return cut
    return called if said.calls else ended


def _response(items: list[JsonObject], status: str) -> JsonObject:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": status,
        "output": list(items),
        "error": None,
        "incomplete_details": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _reasoning(thinking: str, sealed: str) -> JsonObject:
    summary: JsonObject = {"type": "summary_text", "text": thinking}
    item_id = f"rs_{crc32(thinking.encode('utf-8', 'replace')):08x}"
    return {"type": "reasoning", "id": item_id, "summary": [summary], "encrypted_content": sealed}


def _message(text: str) -> JsonObject:
    part: JsonObject = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {
        "type": "message",
        "id": "msg_1",
        "status": "completed",
        "role": "assistant",
        "content": [part],
    }


def _function_call(call: Called, number: int) -> JsonObject:
    return {
        "type": "function_call",
        "id": f"fc_{number}",
        "name": call.name,
        "status": "completed",
        **_given("call_id", call.id),
        **_given("arguments", call.arguments),
    }


def _item(item: JsonObject, index: int) -> Iterator[bytes]:
    """The events of one output item; `item` is how it ends up."""
    place: JsonObject = {"item_id": item["id"], "output_index": index}
    match item["type"]:
        case "reasoning":
            begun = {**item, "summary": [], "encrypted_content": None}
            yield _typed("response.output_item.added", output_index=index, item=begun)
            (summary,) = _list(item["summary"])
            part: JsonObject = {"type": "summary_text", "text": ""}
            place["summary_index"] = 0
            yield _typed("response.reasoning_summary_part.added", **place, part=part)
            for words in _pieces(str(summary["text"])):
                yield _typed("response.reasoning_summary_text.delta", **place, delta=words)
            text = summary["text"]
            yield _typed("response.reasoning_summary_text.done", **place, text=text)
            yield _typed("response.reasoning_summary_part.done", **place, part=summary)
        case "message":
            begun = {**item, "status": "in_progress", "content": []}
            yield _typed("response.output_item.added", output_index=index, item=begun)
            (part,) = _list(item["content"])
            place["content_index"] = 0
            yield _typed("response.content_part.added", **place, part={**part, "text": ""})
            for words in _pieces(str(part["text"])):
                yield _typed("response.output_text.delta", **place, delta=words, logprobs=[])
            yield _typed("response.output_text.done", **place, text=part["text"], logprobs=[])
            yield _typed("response.content_part.done", **place, part=part)
        case _:
            arguments = item.get("arguments")
            begun = {**item, "status": "in_progress", "arguments": ""}
            yield _typed("response.output_item.added", output_index=index, item=begun)
            for fragment in _fragments(arguments):
                yield _typed("response.function_call_arguments.delta", **place, delta=fragment)
            whole = _given("arguments", arguments)
            yield _typed("response.function_call_arguments.done", **place, **whole)
    yield _typed("response.output_item.done", output_index=index, item=item)


def _list(value: JsonValue) -> list[JsonObject]:
    assert isinstance(value, list)
    return [each for each in value if isinstance(each, dict)]


def _blocks(said: Said, sealed: str) -> Iterator[tuple[JsonObject, list[JsonObject]]]:
    if said.thinking:
        thoughts: list[JsonObject] = [
            {"type": "thinking_delta", "thinking": words} for words in _pieces(said.thinking)
        ]
        thoughts.append({"type": "signature_delta", "signature": sealed})
        yield {"type": "thinking", "thinking": "", "signature": ""}, thoughts
    if said.text:
        yield (
            {"type": "text", "text": ""},
            [{"type": "text_delta", "text": words} for words in _pieces(said.text)],
        )
    for call in said.calls:
        yield (
            {"type": "tool_use", **_given("id", call.id), "name": call.name, **_input(call)},
            [
                {"type": "input_json_delta", "partial_json": fragment}
                for fragment in _fragments(call.arguments)
            ],
        )


_BY_ID: dict[str, Speaker] = {"groq": groq, "gemini": gemini_compatible}
_BY_WIRE: dict[Wire, Speaker] = {
    Wire.CHAT: chat,
    Wire.RESPONSES: responses,
    Wire.MESSAGES: messages,
    Wire.GEMINI: gemini,
}


def speaker(row: ProviderRow) -> Speaker:
    """How the server of that row speaks."""
    return _BY_ID.get(row.id, _BY_WIRE.get(row.wire, chat))
