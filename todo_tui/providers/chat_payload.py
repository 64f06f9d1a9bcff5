"""A request in the OpenAI chat format: messages, tools and tool choice as JSON values.

Follows the API reference "Create chat completion", less what a dialect refuses.
Thinking is never sent: Groq answers 400 to it, and no server needs it back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from todo_tui.domain.conversation import Message, Role, Text, ToolCall
from todo_tui.domain.request import NamedTool, Request, ToolChoice, ToolMode, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.context_text import spoken
from todo_tui.providers.dialects import Dialect
from todo_tui.providers.foreign import json_object
from todo_tui.providers.tool_calls import EXTRA

JsonObject = dict[str, JsonValue]

_FOREIGN_SIGNATURE: JsonValue = {
    "google": {"thought_signature": "skip_thought_signature_validator"}
}
"""What Gemini accepts in place of its own signature on calls of another model."""


@dataclass(frozen=True, slots=True)
class ChatPayload:
    """The moving part of a request body; tools are empty where none are sent."""

    messages: list[JsonObject]
    tools: list[JsonObject]
    tool_choice: JsonValue = None
    """None where the server's default, to choose freely, is meant."""


def chat_payload(request: Request, dialect: Dialect, origin: str) -> ChatPayload:
    """Render a request; `origin` is `provider:model`, whose own meta alone is replayed."""
    messages: list[JsonObject] = []
    if request.system:
        messages.append({"role": "system", "content": whole_characters(request.system)})
    for message in request.messages:
        messages += _messages(message, dialect, origin)
    refused = request.tool_choice is ToolMode.NONE and not dialect.refuses_calls
    tools = () if refused else request.tools
    return ChatPayload(
        messages=messages,
        tools=[_tool(spec, dialect) for spec in tools],
        tool_choice=_tool_choice(request.tool_choice) if tools else None,
    )


def _messages(message: Message, dialect: Dialect, origin: str) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            words = whole_characters(spoken(message))
            if words.strip():
                yield {"role": "user", "content": words}
        case Role.ASSISTANT:
            yield from _assistant(message, dialect, same_origin=message.origin == origin)
        case Role.TOOL:
            yield from _results(message, dialect)
        case _:
            assert_never(message.role)


def _assistant(message: Message, dialect: Dialect, *, same_origin: bool) -> Iterator[JsonObject]:
    words = whole_characters(message.text)
    calls = message.tool_calls
    if not words.strip() and not calls:
        return
    rendered: JsonObject = {"role": "assistant"}
    if words.strip():
        rendered["content"] = words
    elif dialect.empty_content:
        rendered["content"] = ""
    if calls:
        rendered["tool_calls"] = [
            _call(call, dialect, first=position == 0, same_origin=same_origin)
            for position, call in enumerate(calls)
        ]
    elif dialect.signatures and same_origin:
        for part in message.parts:
            if isinstance(part, Text) and EXTRA in part.meta:
                rendered[EXTRA] = part.meta[EXTRA]
    yield rendered


def _call(call: ToolCall, dialect: Dialect, *, first: bool, same_origin: bool) -> JsonObject:
    rendered: JsonObject = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": sendable_arguments(call.arguments)},
    }
    if dialect.signatures and same_origin and EXTRA in call.meta:
        rendered[EXTRA] = call.meta[EXTRA]
    elif dialect.signatures and first and not same_origin:
        rendered[EXTRA] = _FOREIGN_SIGNATURE
    return rendered


def sendable_arguments(arguments: str) -> str:
    """The arguments if they are a JSON object, else an object that quotes what they were.

    llama.cpp answers 500 to a history with arguments that are no JSON, and Gemini
    400 to any that are no object.
    """
    if not arguments.strip():
        return "{}"
    value = json_object(arguments)
    if value is not None and _encodes(value):
        return whole_characters(arguments)
    return json.dumps({"invalid_json": whole_characters(arguments)}, ensure_ascii=False)


def _results(message: Message, dialect: Dialect) -> Iterator[JsonObject]:
    for result in message.tool_results:
        rendered: JsonObject = {
            "role": "tool",
            "tool_call_id": result.call_id,
            "content": whole_characters(result.content) or "{}",
        }
        if dialect.names_results:
            rendered["name"] = result.name
        yield rendered


def _tool(spec: ToolSpec, dialect: Dialect) -> JsonObject:
    parameters: JsonValue = dict(spec.parameters)
    if dialect.dropped_schema_keys:
        parameters = _without(spec.parameters, dialect.dropped_schema_keys)
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": parameters,
        },
    }


def _without(schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]) -> JsonValue:
    """The schema without the keywords; a union with null as its other half alone."""
    if isinstance(schema, list):
        return [_without(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Below it, keys are parameters' names: one may well be called `title`.
            kept[key] = {name: _without(each, dropped) for name, each in value.items()}
        elif key == "anyOf" and isinstance(value, list) and len(_not_null(value)) == 1:
            kept |= _object(_without(_not_null(value)[0], dropped))
        elif key not in dropped:
            kept[key] = _without(value, dropped)
    return kept


def _not_null(options: Iterable[JsonValue]) -> list[JsonValue]:
    return [option for option in options if option != {"type": "null"}]


def _object(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _tool_choice(choice: ToolChoice) -> JsonValue:
    match choice:
        case ToolMode.AUTO:
            return None
        case ToolMode.NONE | ToolMode.REQUIRED:
            return choice.value
        case NamedTool(name):
            return {"type": "function", "function": {"name": name}}
        case _:
            assert_never(choice)


def _encodes(value: JsonValue) -> bool:
    """Whether no escape in it stands for half a character."""
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
