"""Messages format: request body, prompt caching, and which thinking blocks are sent back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Message,
    MessagePart,
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
    current_turn_length,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.base import JsonObject, user_text
from todo_tui.providers.tool_calls import arguments_object, sendable_name
from todo_tui.providers.traits import ModelTraits, traits_of

_PREFIX = "prefix"
_REDACTED = "redacted"
_SIGNATURE = "signature"
PrefixDigest = Callable[[], str]
"""Function that digests the request up to the newest user message; costs some time."""
_CACHED: JsonValue = {"type": "ephemeral"}
_CONTINUE_MESSAGE: JsonObject = {"role": "user", "content": [{"type": "text", "text": "Go on."}]}
"""Message inserted where an assistant message would open, follow another or close."""


def read_thinking(text: str, signature: str, digest: PrefixDigest) -> Thinking:
    """Build thinking as received; without a signature it is only shown."""
    return Thinking(text, {_SIGNATURE: signature, _PREFIX: digest()} if signature else {})


def redacted_thinking(data: str, digest: PrefixDigest) -> Thinking:
    """Build encrypted thinking."""
    return Thinking("", {_REDACTED: data, _PREFIX: digest()})


def thinking_block(part: Thinking) -> JsonObject:
    """Return the block that the part came from."""
    if _REDACTED in part.meta:
        return {"type": "redacted_thinking", "data": part.meta[_REDACTED]}
    return {"type": "thinking", "thinking": part.text, "signature": part.meta[_SIGNATURE]}


def with_valid_thinking(
    messages: Sequence[Message], origin: str, digest: PrefixDigest
) -> list[Message]:
    """Return the messages with no thinking but that of `origin` in this turn with a current digest.

    `digest` is only called if there is any.
    """
    start = current_turn_length(messages)
    valid = ""
    kept: list[Message] = []
    for position, message in enumerate(messages):
        own = position >= start and message.origin == origin and _has_content(message)
        if own and not valid and _signed(message):
            valid = digest()
        kept.append(_with_thinking_of(message, valid if own else ""))
    return kept


def without_thinking(messages: Sequence[Message]) -> list[Message]:
    """Return the messages as other models get them."""
    return [_with_thinking_of(message, "") for message in messages]


def _with_thinking_of(message: Message, digest: str) -> Message:
    """Return the message with only the thinking that has that digest."""
    if not any(isinstance(part, Thinking) for part in message.parts):
        return message
    parts = [part for part in message.parts if not _is_stale(part, digest)]
    return replace(message, parts=tuple(parts))


def _is_stale(part: MessagePart, digest: str) -> bool:
    return isinstance(part, Thinking) and (not digest or part.meta.get(_PREFIX) != digest)


def _signed(message: Message) -> bool:
    return any(isinstance(part, Thinking) and _PREFIX in part.meta for part in message.parts)


def _has_content(message: Message) -> bool:
    """Return True if there is more than thinking, which no message may consist of."""
    return bool(message.tool_calls or message.text.strip())


class RenderCache:
    """Cache of rendered messages, kept from one request to the next."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Message, list[JsonValue]]] = {}

    def blocks(self, messages: Sequence[Message]) -> Iterator[tuple[Message, list[JsonValue]]]:
        """Yield each message with its content blocks, which must not be changed."""
        known, self._known = self._known, {}
        for message in messages:
            # By identity: a message is frozen, and the cache keeps it alive.
            pair = known.get(id(message)) or (message, [*_blocks(message)])
            self._known[id(message)] = pair
            yield pair


def messages_body(
    request: Request,
    origin: str,
    model: str,
    settings: ProviderSettings,
    rendered: RenderCache | None = None,
) -> JsonObject:
    """Render a request; `origin` is `provider:model`, and only its own thinking is replayed."""
    traits = traits_of(model)
    messages = with_valid_thinking(request.messages, origin, lambda: prefix_digest(request))
    return {
        "model": model,
        "max_tokens": settings.max_output_tokens or traits.output_tokens,
        "stream": True,
        # This cache point moves with the newest message; the one at `system` stays.
        "cache_control": _CACHED,
        **_fixed(request),
        "messages": [*_in_turns((rendered or RenderCache()).blocks(messages))],
        **_options(request, traits, settings),
    }


def prefix_digest(request: Request) -> str:
    """Return a digest that two requests share if equal up to the newest user message."""
    past = without_thinking(request.messages[: current_turn_length(request.messages)])
    rendered = json.dumps([_fixed(request), *_in_turns(RenderCache().blocks(past))])
    return hashlib.blake2b(rendered.encode(), digest_size=12).hexdigest()


def _fixed(request: Request) -> JsonObject:
    """Return the fields that are byte-identical from turn to turn, and cached."""
    fixed: JsonObject = {}
    if request.system.strip():
        text = repair_surrogates(request.system)
        fixed["system"] = [{"type": "text", "text": text, "cache_control": _CACHED}]
    if request.tools:
        fixed["tools"] = [_tool(spec) for spec in request.tools]
    return fixed


def _options(request: Request, traits: ModelTraits, settings: ProviderSettings) -> JsonObject:
    """Return the tool choice and the user's settings that the model accepts."""
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
    if effort == "none" and traits.disabled_thinking:
        options["thinking"] = {"type": traits.disabled_thinking}
    elif traits.adaptive and traits.thinks(effort) and not (forced and traits.forced_choice):
        # Newer models send no thinking unless asked for a summary. A forced call comes
        # without thinking, and some servers refuse both at once.
        options["thinking"] = {"type": "adaptive", "display": "summarized"}
    return options


def _in_turns(messages: Iterable[tuple[Message, list[JsonValue]]]) -> Iterator[JsonObject]:
    """Yield the non-empty messages, with a user message before each assistant message."""
    last = "assistant"
    for message, blocks in messages:
        if not blocks:
            continue
        role = "assistant" if message.role is Role.ASSISTANT else "user"
        if role == last == "assistant":
            yield _CONTINUE_MESSAGE
        yield {"role": role, "content": blocks}
        last = role
    if last == "assistant":
        yield _CONTINUE_MESSAGE


def _blocks(message: Message) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            yield from _text(user_text(message))
        case Role.ASSISTANT:
            for part in _in_order(message.parts):
                yield from _block(part)
        case Role.TOOL:
            for result in message.tool_results:
                yield from _block(result)
        case _:
            assert_never(message.role)


def _in_order(parts: Sequence[MessagePart]) -> Sequence[MessagePart]:
    """Return the parts with calls last, as text behind a call would separate it from its result.

    Parts with signed thinking keep their order, which the signature covers.
    """
    if any(isinstance(part, Thinking) for part in parts):
        return parts
    return sorted(parts, key=lambda part: isinstance(part, ToolCall))


def _block(part: MessagePart) -> Iterator[JsonObject]:
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
            content = repair_surrogates(part.content) or "{}"
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
        yield {"type": "text", "text": repair_surrogates(text)}


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": dict(spec.parameters),
    }


def _tool_choice(choice: ToolChoice) -> JsonObject | None:
    """Render the tool choice; None for the default."""
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
