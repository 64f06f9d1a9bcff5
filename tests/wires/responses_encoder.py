"""Stream of OpenAI's Responses format."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.stream_parts import (
    TOKENS_CACHED,
    TOKENS_IN,
    TOKENS_OUT,
    TOKENS_THINKING,
    JsonObject,
    fragments,
    given,
    pieces,
    typed,
)
from todo_tui.domain.task import JsonValue


def responses(said: ModelMessage, sealed: str) -> Iterator[bytes]:
    """Encode events of `POST responses`: reasoning, text and calls as items."""
    items = [
        *([_reasoning(said.thinking, sealed)] if said.thinking else []),
        *([_message(said.text)] if said.text or not said.calls else []),
        *(_function_call(call, number) for number, call in enumerate(said.calls)),
    ]
    begun = _response([], "in_progress")
    yield typed("response.created", response=begun)
    yield typed("response.in_progress", response=begun)
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
            "output_tokens_details": {"reasoning_tokens": TOKENS_THINKING},
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }
    yield typed(f"response.{status}", response=whole)


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


def _function_call(call: ModelCall, number: int) -> JsonObject:
    return {
        "type": "function_call",
        "id": f"fc_{number}",
        "name": call.name,
        "status": "completed",
        **given("call_id", call.id),
        **given("arguments", call.arguments),
    }


def _item(item: JsonObject, index: int) -> Iterator[bytes]:
    """Encode the events of one output item; `item` is its final form."""
    place: JsonObject = {"item_id": item["id"], "output_index": index}
    match item["type"]:
        case "reasoning":
            begun = {**item, "summary": [], "encrypted_content": None}
            yield typed("response.output_item.added", output_index=index, item=begun)
            (summary,) = _list(item["summary"])
            part: JsonObject = {"type": "summary_text", "text": ""}
            place["summary_index"] = 0
            yield typed("response.reasoning_summary_part.added", **place, part=part)
            for words in pieces(str(summary["text"])):
                yield typed("response.reasoning_summary_text.delta", **place, delta=words)
            text = summary["text"]
            yield typed("response.reasoning_summary_text.done", **place, text=text)
            yield typed("response.reasoning_summary_part.done", **place, part=summary)
        case "message":
            begun = {**item, "status": "in_progress", "content": []}
            yield typed("response.output_item.added", output_index=index, item=begun)
            (part,) = _list(item["content"])
            place["content_index"] = 0
            yield typed("response.content_part.added", **place, part={**part, "text": ""})
            for words in pieces(str(part["text"])):
                yield typed("response.output_text.delta", **place, delta=words, logprobs=[])
            yield typed("response.output_text.done", **place, text=part["text"], logprobs=[])
            yield typed("response.content_part.done", **place, part=part)
        case _:
            arguments = item.get("arguments")
            begun = {**item, "status": "in_progress", "arguments": ""}
            yield typed("response.output_item.added", output_index=index, item=begun)
            for fragment in fragments(arguments):
                yield typed("response.function_call_arguments.delta", **place, delta=fragment)
            whole = given("arguments", arguments)
            yield typed("response.function_call_arguments.done", **place, **whole)
    yield typed("response.output_item.done", output_index=index, item=item)


def _list(value: JsonValue) -> list[JsonObject]:
    assert isinstance(value, list)
    return [each for each in value if isinstance(each, dict)]
