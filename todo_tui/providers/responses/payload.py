"""A request in the Responses format: instructions, tools and input items as JSON values.

Follows the API reference "Create a model response", and the guide "Reasoning" for
what goes back when the server stores nothing. Ids of messages and calls are not
sent: a server that stores nothing does not know them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.conversation import Message, Meta, Role, Text, Thinking, ToolCall, ToolResult
from todo_tui.domain.request import NamedTool, Request, ToolChoice, ToolMode, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.context_text import spoken
from todo_tui.providers.model_traits import ModelTraits, traits_of
from todo_tui.providers.tool_arguments import sendable_arguments, sendable_name
from todo_tui.providers.wire_format import JsonObject

PARAGRAPH = "\n\n"
"""Stands between two messages of one answer, where they are shown and stored as one."""
PHASE = "phase"
"""Whether a message is commentary or the final answer: echoed, on the wire and in a meta."""
SEALED = "encrypted_content"
"""Thinking that the server alone can read, on the wire and in a meta."""

_LEAST_OUTPUT = 16
"""OpenAI refuses a smaller limit."""


def responses_body(
    request: Request, origin: str, model: str, settings: ProviderSettings
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, whose own meta alone is replayed."""
    traits = traits_of(model)
    body: JsonObject = {"model": model, "stream": True, "store": False}
    if request.system:
        body["instructions"] = whole_characters(request.system)
    if request.tools:
        body["tools"] = [_tool(spec) for spec in request.tools]
        choice = _tool_choice(request.tool_choice, traits)
        if choice is not None:
            body["tool_choice"] = choice
    items = (item for message in request.messages for item in _items(message, origin))
    body["input"] = list(_without_repeats(items))
    return body | _options(traits, settings)


def _options(traits: ModelTraits, settings: ProviderSettings) -> JsonObject:
    """What the person has set and this model takes."""
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
    if traits.sealed_thinking:
        options["include"] = [f"reasoning.{SEALED}"]
    return options


def _items(message: Message, origin: str) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            words = whole_characters(spoken(message))
            if words.strip():
                yield {"type": "message", "role": "user", "content": words}
        case Role.ASSISTANT:
            own = message.origin == origin
            yield from _own_items(message) if own else _foreign_items(message)
        case Role.TOOL:
            for result in message.tool_results:
                yield {
                    "type": "function_call_output",
                    "call_id": result.call_id,
                    "output": whole_characters(result.content) or "{}",
                }
        case _:
            assert_never(message.role)


def _without_repeats(items: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """The items, of thinking with one id the first alone: a second is refused."""
    seen: set[str] = set()
    for item in items:
        thought_id = item.get("id")
        if isinstance(thought_id, str):
            if thought_id in seen:
                continue
            seen.add(thought_id)
        yield item


def _foreign_items(message: Message) -> Iterator[JsonObject]:
    """What another model said and asked for; what it thought is its own."""
    if message.text.strip():
        yield _words(message.text)
    for call in message.tool_calls:
        yield _call(call)


def _own_items(message: Message) -> Iterator[JsonObject]:
    """The items as they came; thinking goes before what it led to, and never alone."""
    thoughts: list[JsonObject] = []
    follows = False
    for part in message.parts:
        match part:
            case Thinking():
                thoughts += _thought(part.meta)
                continue
            case Text():
                words = part.text.removeprefix(PARAGRAPH) if follows else part.text
                if not words.strip():
                    continue
                follows = True
                item = _words(words)
                if PHASE in part.meta:
                    item[PHASE] = part.meta[PHASE]
            case ToolCall():
                item = _call(part)
            case ToolResult():
                continue
            case _:
                assert_never(part)
        yield from thoughts
        thoughts.clear()
        yield item


def _words(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": whole_characters(text)}


def _call(call: ToolCall) -> JsonObject:
    return {
        "type": "function_call",
        "call_id": call.id,
        "name": sendable_name(call.name),
        "arguments": sendable_arguments(call.arguments),
    }


def _thought(meta: Meta) -> Iterator[JsonObject]:
    """The reasoning item, if all of it is here: the server keeps none that it could look up."""
    item: JsonObject = {"type": "reasoning", "summary": meta.get("summary") or []}
    if meta.get("id"):
        item["id"] = meta["id"]
    if meta.get(SEALED):
        yield item | {SEALED: meta[SEALED]}
    elif meta.get("content"):
        # Models that are open, as gpt-oss, think in plain words.
        yield item | {"content": meta["content"]}


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.parameters),
        # Strict would make every parameter required; not to say it is an error.
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
