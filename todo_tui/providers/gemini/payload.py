"""A request in the format of Gemini's generateContent: contents, tools and configuration.

Follows the API reference "Generating content" and the guides "Function calling" and
"Thought signatures": the first content is a user's, each content of calls is followed
by one with as many results, no part is empty, and what a signature came with is sent
back with it.
"""

from __future__ import annotations

from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.conversation import (
    Message,
    Meta,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from todo_tui.domain.request import NamedTool, Request, ToolChoice, ToolMode, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.context_text import spoken
from todo_tui.providers.foreign import json_object
from todo_tui.providers.gemini.parts import CONTINUATION, GIVEN_ID, SIGNATURE
from todo_tui.providers.model_traits import traits_of
from todo_tui.providers.schemas import without_keywords
from todo_tui.providers.tool_arguments import sendable_arguments, sendable_name, sendable_object
from todo_tui.providers.wire_format import JsonObject

_FOREIGN_SIGNATURE = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""`skip_thought_signature_validator`: taken in place of a signature on calls of others."""
_REFUSED_KEYWORDS = frozenset(
    {
        "$schema",
        "const",
        "discriminator",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "title",
    }
)
"""JSON Schema keywords that it refuses in the parameters of a tool."""


def gemini_body(
    request: Request, origin: str, model: str, settings: ProviderSettings
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, whose own meta alone is replayed.

    The model's name is among the fields, and belongs into the path.
    """
    token = _continuation(request.messages, origin)
    messages = request.messages[:-1] if token else request.messages
    body: JsonObject = {"model": model, "contents": _Contents(origin).of(messages)}
    if token:
        body["continuationToken"] = token
    if request.system:
        body["systemInstruction"] = {"parts": [{"text": whole_characters(request.system)}]}
    if request.tools:
        body["tools"] = [{"functionDeclarations": [_declaration(tool) for tool in request.tools]}]
        choice = _calling(request.tool_choice)
        if choice:
            body["toolConfig"] = {"functionCallingConfig": choice}
    configuration = _configuration(model, settings)
    if configuration:
        body["generationConfig"] = configuration
    return body


class _Contents:
    """The contents of a request, put together message by message."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._given_ids: dict[str, JsonValue] = {}
        """What the server itself calls a call, by our id."""

    def of(self, messages: tuple[Message, ...]) -> list[JsonValue]:
        contents: list[JsonValue] = []
        for message in messages:
            parts = self._parts(message)
            opened = contents or (message.role is Role.USER)
            if parts and opened:
                role = "model" if message.role is Role.ASSISTANT else "user"
                contents.append({"role": role, "parts": parts})
        return contents

    def _parts(self, message: Message) -> list[JsonValue]:
        match message.role:
            case Role.USER:
                words = whole_characters(spoken(message))
                return [{"text": words}] if words.strip() else []
            case Role.ASSISTANT:
                return self._said(message, own=message.origin == self._origin)
            case Role.TOOL:
                return [self._result(result) for result in message.tool_results]
            case _:
                assert_never(message.role)

    def _said(self, message: Message, *, own: bool) -> list[JsonValue]:
        parts: list[JsonValue] = []
        stand_in = {} if own else {SIGNATURE: _FOREIGN_SIGNATURE}
        for part in message.parts:
            meta = part.meta if own and not isinstance(part, ToolResult) else {}
            match part:
                case Text() if part.text.strip():
                    parts.append({"text": whole_characters(part.text), **_signed(meta)})
                case Thinking() if part.text.strip() and SIGNATURE in meta:
                    words = whole_characters(part.text)
                    parts.append({"text": words, "thought": True, **_signed(meta)})
                case ToolCall():
                    # Of calls made together, the first alone has to be signed.
                    parts.append({**self._call(part, meta), **_signed(meta or stand_in)})
                    stand_in = {}
                case _:
                    pass
        return parts

    def _call(self, call: ToolCall, meta: Meta) -> JsonObject:
        named: JsonObject = {"name": sendable_name(call.name)}
        if GIVEN_ID in meta:
            self._given_ids[call.id] = named["id"] = meta[GIVEN_ID]
        named["args"] = json_object(sendable_arguments(call.arguments)) or {}
        return {"functionCall": named}

    def _result(self, result: ToolResult) -> JsonObject:
        named: JsonObject = {"name": sendable_name(result.name)}
        if result.call_id in self._given_ids:
            named["id"] = self._given_ids[result.call_id]
        answer = sendable_object(result.content)
        quoted: JsonObject = {"output": whole_characters(result.content)}
        named["response"] = quoted if answer is None else answer
        return {"functionResponse": named}


def _signed(meta: Meta) -> JsonObject:
    return {"thoughtSignature": meta[SIGNATURE]} if SIGNATURE in meta else {}


def _continuation(messages: tuple[Message, ...], origin: str) -> JsonValue:
    """The token by which the server goes on with the last message, where it gave one."""
    last = messages[-1] if messages else None
    if last is None or last.role is not Role.ASSISTANT or last.origin != origin:
        return None
    metas = [part.meta for part in last.parts if not isinstance(part, ToolResult)]
    return metas[-1].get(CONTINUATION) if metas else None


def _declaration(tool: ToolSpec) -> JsonValue:
    declared: JsonObject = {"name": tool.name, "description": tool.description}
    if tool.parameters.get("properties"):
        declared["parametersJsonSchema"] = without_keywords(tool.parameters, _REFUSED_KEYWORDS)
    return declared


def _calling(choice: ToolChoice) -> JsonObject:
    match choice:
        case ToolMode.AUTO:
            return {}
        case ToolMode.NONE:
            return {"mode": "NONE"}
        case ToolMode.REQUIRED:
            return {"mode": "ANY"}
        case NamedTool(name):
            return {"mode": "ANY", "allowedFunctionNames": [name]}
        case _:
            assert_never(choice)


def _configuration(model: str, settings: ProviderSettings) -> JsonObject:
    """What the person has set and this model takes, and that its thoughts are to be shown."""
    traits = traits_of(model)
    effort = traits.effort(settings.effort)
    configuration: JsonObject = {}
    if settings.temperature is not None and traits.takes_temperature(effort):
        configuration["temperature"] = settings.temperature
    if settings.max_output_tokens is not None:
        configuration["maxOutputTokens"] = settings.max_output_tokens
    thinking: JsonObject = {"includeThoughts": True} if traits.thinks(effort) else {}
    if effort and traits.budgets:
        thinking["thinkingBudget"] = traits.budgets[effort]
    elif effort:
        thinking["thinkingLevel"] = effort.upper()
    if thinking:
        configuration["thinkingConfig"] = thinking
    return configuration
