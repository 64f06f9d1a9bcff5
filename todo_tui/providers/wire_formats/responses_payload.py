"""Responses format: request body, and fields dropped after a server refused them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Message,
    Meta,
    NamedTool,
    Request,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolChoice,
    ToolMode,
    ToolResult,
    ToolSpec,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.base import JsonObject, user_text
from todo_tui.providers.json_values import get_text
from todo_tui.providers.tool_calls import sendable_arguments, sendable_name
from todo_tui.providers.traits import ModelTraits, traits_of

_OPTIONAL_FIELDS = ("include", "reasoning.summary", "reasoning.effort", "temperature")
"""Optional fields, named as in an error's `param`."""
_UNSUPPORTED = ("", "unsupported_parameter", "unsupported_value", "unknown_parameter")
_NO_SUMMARY = re.compile(r"reasoning summar", re.IGNORECASE)
_THINKING = re.compile(
    r"invalid_encrypted_content|encrypted content|'reasoning'|reasoning item|\brs_\w+"
    r"|items are not persisted",
    re.IGNORECASE,
)
_REFUSALS = (400, 404, 422)
PARAGRAPH = "\n\n"
"""Separator of two messages of one answer, which are shown and stored as one."""
PHASE = "phase"
"""Key of a message's phase, commentary or final answer: echoed, on the wire and in meta."""
ENCRYPTED_CONTENT = "encrypted_content"
"""Key of encrypted thinking, on the wire and in meta."""
_LEAST_OUTPUT = 16
"""Smallest limit that OpenAI accepts."""


class RefusedFields:
    """Fields that a server refused, remembered for the connection."""

    def __init__(self) -> None:
        self._fields: set[str] = set()
        self._refused_thinking: list[JsonValue] = []

    def without_refused(self, body: JsonObject) -> JsonObject:
        """Return the body without the fields refused before."""
        if self._refused_thinking:
            body = {
                **body,
                "input": [each for each in _input(body) if each not in self._refused_thinking],
            }
        for field in self._fields:
            body = _without(body, field)
        return body

    def record_refusal(self, status: int, error: object, sent: JsonObject) -> bool:
        """Record an optional field that the error refuses; return False if `sent` has none."""
        if status not in _REFUSALS:
            return False
        text = f"{get_text(error, 'code')} {get_text(error, 'message')}"
        field = "reasoning.summary" if _NO_SUMMARY.search(text) else get_text(error, "param")
        if field in _OPTIONAL_FIELDS and _holds(sent, field):
            if get_text(error, "code") not in _UNSUPPORTED:
                return False
            self._fields.add(field)
            return True
        thinking = [item for item in _input(sent) if get_text(item, "type") == "reasoning"]
        if not thinking or not _THINKING.search(text):
            return False
        self._refused_thinking += thinking
        return True


def _input(body: JsonObject) -> list[JsonValue]:
    items = body.get("input")
    return items if isinstance(items, list) else []


def _holds(body: JsonObject, field: str) -> bool:
    name, _, inner = field.partition(".")
    value = body.get(name)
    return value is not None and (not inner or (isinstance(value, dict) and inner in value))


def _without(body: JsonObject, field: str) -> JsonObject:
    name, _, inner = field.partition(".")
    kept = {key: value for key, value in body.items() if key != name}
    value = body.get(name)
    if inner and isinstance(value, dict):
        rest = {key: each for key, each in value.items() if key != inner}
        if rest:
            kept[name] = rest
    return kept


def responses_body(
    request: Request, origin: str, model: str, settings: ProviderSettings
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, and only its own meta is replayed."""
    traits = traits_of(model)
    body: JsonObject = {"model": model, "stream": True, "store": False}
    if request.system:
        body["instructions"] = repair_surrogates(request.system)
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
        choice = _tool_choice(request.tool_choice, traits)
        if choice is not None:
            body["tool_choice"] = choice
    items = (item for message in request.messages for item in _items(message, origin))
    body["input"] = list(_without_repeats(items))
    return body | _options(traits, settings)


def _options(traits: ModelTraits, settings: ProviderSettings) -> JsonObject:
    """Return the user's settings that the model accepts."""
    effort = traits.effort(settings.effort)
    options: JsonObject = {}
    if settings.temperature is not None and traits.takes_temperature(effort):
        options["temperature"] = settings.temperature
    if settings.max_output_tokens is not None:
        options["max_output_tokens"] = max(settings.max_output_tokens, _LEAST_OUTPUT)
    reasoning: JsonObject = {"effort": effort} if effort else {}
    if traits.summaries and traits.thinks(effort):
        reasoning["summary"] = "auto"
    if reasoning:
        options["reasoning"] = reasoning
    if traits.encrypted_thinking:
        options["include"] = [f"reasoning.{ENCRYPTED_CONTENT}"]
    return options


def _items(message: Message, origin: str) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            text = repair_surrogates(user_text(message))
            if text.strip():
                yield {"type": "message", "role": "user", "content": text}
        case Role.ASSISTANT:
            own = message.origin == origin
            yield from _own_items(message) if own else _foreign_items(message)
        case Role.TOOL:
            for result in message.tool_results:
                yield {
                    "type": "function_call_output",
                    "call_id": result.call_id,
                    "output": repair_surrogates(result.content) or "{}",
                }
        case _:
            assert_never(message.role)


def _without_repeats(items: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """Yield the items, dropping thinking with a repeated id, which servers refuse."""
    seen: set[str] = set()
    for item in items:
        thought_id = item.get("id")
        if isinstance(thought_id, str):
            if thought_id in seen:
                continue
            seen.add(thought_id)
        yield item


def _foreign_items(message: Message) -> Iterator[JsonObject]:
    """Yield text and calls of another model, without its thinking."""
    if message.text.strip():
        yield _message(message.text)
    for call in message.tool_calls:
        yield _call(call)


def _own_items(message: Message) -> Iterator[JsonObject]:
    """Yield the items as received; thinking goes before the item that it led to, never alone."""
    thinking: list[JsonObject] = []
    follows = False
    for part in message.parts:
        match part:
            case Thinking():
                thinking += _reasoning(part.meta)
                continue
            case Text():
                text = part.text.removeprefix(PARAGRAPH) if follows else part.text
                if not text.strip():
                    continue
                follows = True
                item = _message(text)
                if PHASE in part.meta:
                    item[PHASE] = part.meta[PHASE]
            case ToolCall():
                item = _call(part)
            case ToolResult():
                continue
            case _:
                assert_never(part)
        yield from thinking
        thinking.clear()
        yield item


def _message(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": repair_surrogates(text)}


def _call(call: ToolCall) -> JsonObject:
    return {
        "type": "function_call",
        "call_id": call.id,
        "name": sendable_name(call.name),
        "arguments": sendable_arguments(call.arguments),
    }


def _reasoning(meta: Meta) -> Iterator[JsonObject]:
    """Yield the reasoning item, if complete: with `store: false` the server keeps none."""
    item: JsonObject = {"type": "reasoning", "summary": meta.get("summary") or []}
    if meta.get("id"):
        item["id"] = meta["id"]
    if meta.get(ENCRYPTED_CONTENT):
        yield item | {ENCRYPTED_CONTENT: meta[ENCRYPTED_CONTENT]}
    elif meta.get("content"):
        # Open models, such as gpt-oss, send their thinking as plain text.
        yield item | {"content": meta["content"]}


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.parameters),
        # Strict mode would make every parameter required; leaving it out is an error.
        "strict": False,
    }


def _tool_choice(choice: ToolChoice, traits: ModelTraits) -> JsonValue:
    match choice:
        case ToolMode.AUTO:
            return None
        case ToolMode.NONE:
            return choice.value
        case ToolMode.REQUIRED:
            return choice.value if traits.forced_choice else None
        case NamedTool(name):
            return {"type": "function", "name": name} if traits.forced_choice else None
        case _:
            assert_never(choice)
