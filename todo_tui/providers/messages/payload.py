"""A request in the Messages format: system, tools, messages and settings as JSON values.

Follows the API reference "Create a Message", version 2026-10-21.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.conversation import (
    Message,
    Part,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    turn_start,
)
from todo_tui.domain.request import NamedTool, Request, ToolChoice, ToolMode, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.providers.context_text import spoken
from todo_tui.providers.messages.thinking import (
    thinking_block,
    with_valid_thinking,
    without_thinking,
)
from todo_tui.providers.model_traits import ModelTraits, traits_of
from todo_tui.providers.tool_arguments import arguments_object, sendable_name
from todo_tui.providers.wire_format import JsonObject

_CACHED: JsonValue = {"type": "ephemeral"}
_GO_ON: JsonObject = {"role": "user", "content": [{"type": "text", "text": "Go on."}]}
"""Said where an assistant would open, speak twice or close: newer models refuse that."""


class Rendered:
    """What messages are in this format; those that the last request had too are not done anew."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Message, list[JsonValue]]] = {}

    def blocks(self, messages: Sequence[Message]) -> Iterator[tuple[Message, list[JsonValue]]]:
        """Each message with its content; nobody may change that."""
        known, self._known = self._known, {}
        for message in messages:
            # By identity: a message is frozen, and kept here as long as it is known.
            pair = known.get(id(message)) or (message, [*_blocks(message)])
            self._known[id(message)] = pair
            yield pair


def messages_body(
    request: Request,
    origin: str,
    model: str,
    settings: ProviderSettings,
    rendered: Rendered | None = None,
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, whose own thinking alone is replayed."""
    traits = traits_of(model)
    said = with_valid_thinking(request.messages, origin, lambda: prefix_mark(request))
    return {
        "model": model,
        "max_tokens": settings.max_output_tokens or traits.output_tokens,
        "stream": True,
        # This mark moves along with the newest message; the one at `system` stays.
        "cache_control": _CACHED,
        **_fixed(request),
        "messages": [*_in_turns((rendered or Rendered()).blocks(said))],
        **_options(request, traits, settings),
    }


def prefix_mark(request: Request) -> str:
    """The same for two requests that say the same up to the newest message of the user."""
    past = without_thinking(request.messages[: turn_start(request.messages)])
    told = json.dumps([_fixed(request), *_in_turns(Rendered().blocks(past))])
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()


def _fixed(request: Request) -> JsonObject:
    """What is the same bytes from turn to turn, and is cached."""
    fixed: JsonObject = {}
    if request.system.strip():
        words = whole_characters(request.system)
        fixed["system"] = [{"type": "text", "text": words, "cache_control": _CACHED}]
    if request.tools:
        fixed["tools"] = [_tool(spec) for spec in request.tools]
    return fixed


def _options(request: Request, traits: ModelTraits, settings: ProviderSettings) -> JsonObject:
    """What was asked for, or set by the person, and this model takes."""
    options: JsonObject = {}
    choice = _tool_choice(request.tool_choice) if request.tools else None
    forced = choice is not None and choice["type"] in ("any", "tool")
    if choice is not None and (traits.forced_choice or not forced):
        options["tool_choice"] = choice
    effort = traits.effort(settings.effort)
    if settings.temperature is not None and traits.takes_temperature(effort):
        options["temperature"] = settings.temperature
    if effort and effort != "none":
        options["output_config"] = {"effort": effort}
    if effort == "none" and traits.unthinking:
        options["thinking"] = {"type": traits.unthinking}
    elif traits.adaptive and traits.thinks(effort) and not (forced and traits.forced_choice):
        # A newer model keeps its thoughts to itself unless it is asked for a summary. Who
        # must call a tool does so without a thought, and some servers refuse both at once.
        options["thinking"] = {"type": "adaptive", "display": "summarized"}
    return options


def _in_turns(messages: Iterable[tuple[Message, list[JsonValue]]]) -> Iterator[JsonObject]:
    """The messages without the empty ones; none of an assistant lacks one of a user before it."""
    last = "assistant"
    for message, blocks in messages:
        if not blocks:
            continue
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if role == last == "assistant":
            yield _GO_ON
        yield {"role": role, "content": blocks}
        last = role
    if last == "assistant":
        yield _GO_ON


def _blocks(message: Message) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            yield from _text(spoken(message))
        case Role.ASSISTANT:
            for part in _in_order(message.parts):
                yield from _block(part)
        case Role.TOOL:
            for result in message.tool_results:
                yield from _block(result)
        case _:
            assert_never(message.role)


def _in_order(parts: Sequence[Part]) -> Sequence[Part]:
    """Calls last, since words behind them part them from their results.

    Beside signed thinking all stays as it came: its signature covers the order too.
    """
    if any(isinstance(part, Thinking) for part in parts):
        return parts
    return sorted(parts, key=lambda part: isinstance(part, ToolCall))


def _block(part: Part) -> Iterator[JsonObject]:
    match part:
        case Text():
            yield from _text(part.text)
        case Thinking():
            yield thinking_block(part)
        case ToolCall():
            yield {
                "type": "tool_use",
                "id": part.id,
                "name": sendable_name(part.name),
                "input": arguments_object(part.arguments),
            }
        case ToolResult():
            content = whole_characters(part.content) or "{}"
            failed: JsonObject = {"is_error": True} if part.is_error else {}
            yield {
                "type": "tool_result",
                "tool_use_id": part.call_id,
                "content": content,
                **failed,
            }
        case _:
            assert_never(part)


def _text(text: str) -> Iterator[JsonObject]:
    if text.strip():
        yield {"type": "text", "text": whole_characters(text)}


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": dict(spec.parameters),
    }


def _tool_choice(choice: ToolChoice) -> JsonObject | None:
    """How it is said; None where it goes without saying."""
    match choice:
        case ToolMode.AUTO:
            return None
        case ToolMode.NONE:
            return {"type": "none"}
        case ToolMode.REQUIRED:
            return {"type": "any"}
        case NamedTool(name):
            return {"type": "tool", "name": name}
        case _:
            assert_never(choice)
