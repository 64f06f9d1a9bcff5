"""Chat completions format: request body, and one row per server dialect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Message,
    NamedTool,
    Request,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolChoice,
    ToolMode,
    ToolSpec,
    current_turn_length,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.base import JsonObject, user_text, without_keywords
from todo_tui.providers.tool_calls import EXTRA_CONTENT, sendable_arguments, sendable_name
from todo_tui.providers.traits import ModelTraits, traits_of

_GEMINI_SCHEMA = frozenset(
    {
        "$schema",
        "additionalProperties",
        "const",
        "discriminator",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "title",
    }
)
_FOREIGN_SIGNATURE: JsonValue = {
    "google": {"thought_signature": "skip_thought_signature_validator"}
}
"""Value that Gemini accepts in place of its own signature on calls of another model."""


class Sdk(StrEnum):
    """SDK that sends the requests."""

    OPENAI = "openai"
    GROQ = "groq"


@dataclass(frozen=True, slots=True)
class Dialect:
    """Differences of one server from the common format."""

    sdk: Sdk = Sdk.OPENAI
    names_results: bool = True
    """Tool messages carry the tool's `name`: required by Gemini, refused by Groq."""
    empty_content: bool = False
    """Assistant messages with calls alone carry `content: ""`; otherwise no content."""
    signatures: bool = False
    """Calls carry `extra_content` with a thought signature to be echoed (Gemini 3)."""
    dropped_schema_keys: frozenset[str] = frozenset()
    """JSON Schema keywords refused in tool parameters."""
    accepts_choice_none: bool = True
    """Honours `tool_choice: none`; otherwise the tools are left out instead."""
    text_calls: bool = False
    """Models may write calls and thinking as text, for lack of a chat template."""
    takes_thinking: bool = False
    """Accepts thinking from models that want it back; Groq answers 400."""
    limit_field: str = "max_tokens"
    """Name of the output limit."""


DIALECTS: dict[str, Dialect] = {
    "groq": Dialect(
        sdk=Sdk.GROQ,
        names_results=False,
        limit_field="max_completion_tokens",
    ),
    "gemini": Dialect(signatures=True, dropped_schema_keys=_GEMINI_SCHEMA),
    "ollama": Dialect(empty_content=True, accepts_choice_none=False, text_calls=True),
    "local": Dialect(empty_content=True, text_calls=True, takes_thinking=True),
}
"""Dialects by row id."""

_BY_HOST = {
    # Groq's SDK would append its own path to that of the user's base URL.
    "api.groq.com": replace(DIALECTS["groq"], sdk=Sdk.OPENAI),
    "generativelanguage.googleapis.com": DIALECTS["gemini"],
}


def dialect_of(row_id: str, host: str) -> Dialect:
    """Return the dialect of a row; for a user's own provider that of its server, or `local`."""
    return DIALECTS.get(row_id) or _BY_HOST.get(host) or DIALECTS["local"]


def chat_body(
    request: Request, dialect: Dialect, origin: str, model: str, settings: ProviderSettings
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, and only its own meta is replayed."""
    messages: list[JsonValue] = []
    if request.system:
        messages.append({"role": "system", "content": repair_surrogates(request.system)})
    thinks = dialect.takes_thinking and traits_of(model).wants_thinking_back
    start = current_turn_length(request.messages) if thinks else len(request.messages)
    for position, message in enumerate(request.messages):
        rendered = _messages(message, dialect, origin)
        if position >= start and message.tool_calls and message.origin == origin:
            rendered = (each | _thinking(message) for each in rendered)
        messages += rendered
    body: JsonObject = {
        "model": model,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    refused = request.tool_choice is ToolMode.NONE and not dialect.accepts_choice_none
    body |= _options(model, dialect, settings, tools=bool(request.tools and not refused))
    if request.tools and not refused:
        body["tools"] = [_tool(spec, dialect) for spec in request.tools]
        choice = _tool_choice(request.tool_choice, traits_of(model))
        if choice is not None:
            body["tool_choice"] = choice
    return body


def _options(
    model: str, dialect: Dialect, settings: ProviderSettings, *, tools: bool
) -> JsonObject:
    """Return the user's settings that the model accepts."""
    traits = traits_of(model)
    # Newer OpenAI models refuse tools here unless thinking is disabled.
    effort = traits.effort(settings.effort if traits.thinks_beside_tools or not tools else "none")
    options: JsonObject = {}
    if settings.temperature is not None and traits.takes_temperature(effort):
        options["temperature"] = settings.temperature
    if settings.max_output_tokens is not None:
        limit = "max_completion_tokens" if traits.completion_limit else dialect.limit_field
        options[limit] = settings.max_output_tokens
    if effort:
        options["reasoning_effort"] = effort
    return options


def _messages(message: Message, dialect: Dialect, origin: str) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            text = repair_surrogates(user_text(message))
            if text.strip():
                yield {"role": "user", "content": text}
        case Role.ASSISTANT:
            yield from _assistant(message, dialect, same_origin=message.origin == origin)
        case Role.TOOL:
            yield from _results(message, dialect)
        case _:
            assert_never(message.role)


def _assistant(message: Message, dialect: Dialect, *, same_origin: bool) -> Iterator[JsonObject]:
    text = repair_surrogates(message.text)
    calls = message.tool_calls
    if not text.strip() and not calls:
        return
    rendered: JsonObject = {"role": "assistant"}
    if text.strip():
        rendered["content"] = text
    elif dialect.empty_content:
        rendered["content"] = ""
    if calls:
        rendered["tool_calls"] = [
            _call(call, dialect, first=position == 0, same_origin=same_origin)
            for position, call in enumerate(calls)
        ]
    elif dialect.signatures and same_origin:
        for part in message.parts:
            if isinstance(part, Text) and EXTRA_CONTENT in part.meta:
                rendered[EXTRA_CONTENT] = part.meta[EXTRA_CONTENT]
    yield rendered


def _thinking(message: Message) -> JsonObject:
    """Return the thinking before the calls of a message, for DeepSeek and Kimi."""
    thinking = "".join(part.text for part in message.parts if isinstance(part, Thinking))
    return {"reasoning_content": repair_surrogates(thinking)} if thinking else {}


def _call(call: ToolCall, dialect: Dialect, *, first: bool, same_origin: bool) -> JsonObject:
    rendered: JsonObject = {
        "id": call.id,
        "type": "function",
        "function": {
            "name": sendable_name(call.name),
            "arguments": sendable_arguments(call.arguments),
        },
    }
    if dialect.signatures and same_origin and EXTRA_CONTENT in call.meta:
        rendered[EXTRA_CONTENT] = call.meta[EXTRA_CONTENT]
    elif dialect.signatures and first and not same_origin:
        rendered[EXTRA_CONTENT] = _FOREIGN_SIGNATURE
    return rendered


def _results(message: Message, dialect: Dialect) -> Iterator[JsonObject]:
    for result in message.tool_results:
        rendered: JsonObject = {
            "role": "tool",
            "tool_call_id": result.call_id,
            "content": repair_surrogates(result.content) or "{}",
        }
        if dialect.names_results:
            rendered["name"] = sendable_name(result.name)
        yield rendered


def _tool(spec: ToolSpec, dialect: Dialect) -> JsonObject:
    parameters: JsonValue = dict(spec.parameters)
    if dialect.dropped_schema_keys:
        parameters = without_keywords(spec.parameters, dialect.dropped_schema_keys)
    return {
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": parameters,
        },
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
            named: JsonValue = {"type": "function", "function": {"name": name}}
            return named if traits.forced_choice else None
        case _:
            assert_never(choice)
