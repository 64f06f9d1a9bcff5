"""Messages format (Anthropic): request body, SDK client, stream reader.

Includes prompt caching, and which thinking blocks are sent back.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, assert_never

from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    NamedTool,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    Thinking,
    ToolCall,
    ToolCallStarted,
    ToolMode,
    ToolResult,
    ToolSpec,
    Usage,
    answer_start,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.json_values import (
    JsonObject,
    get_count,
    get_items,
    get_member,
    get_text,
)
from todo_tui.providers.server import Server
from todo_tui.providers.traits import ModelTraits, traits_of
from todo_tui.providers.wire_formats.stream_reader import StreamReader, TextDraft
from todo_tui.providers.wire_formats.tool_calls import (
    ToolCallAssembler,
    ToolCallDraft,
    arguments_object,
    sendable_name,
)
from todo_tui.providers.wire_formats.wire_format import (
    PLACEHOLDER_KEY,
    Connection,
    WireFormat,
    accepted_tool_choice,
    user_text,
)

_PREFIX = "prefix"
"""Meta key of the digest of the request that a thinking block is bound to."""
_REDACTED = "redacted"
_SIGNATURE = "signature"
_CACHED: JsonValue = {"type": "ephemeral"}
_CONTINUE_MESSAGE: JsonObject = {"role": "user", "content": [{"type": "text", "text": "Go on."}]}
"""Message inserted where an assistant message would open, follow another or close."""
_CHOICES = {ToolMode.NONE: "none", ToolMode.REQUIRED: "any"}
_CONTEXT_FULL = "model_context_window_exceeded"
_STOPS = {
    "max_tokens": StopReason.LENGTH,
    _CONTEXT_FULL: StopReason.LENGTH,
    "pause_turn": StopReason.PAUSED,
}
"""Stop reasons by name; any other means the end."""
_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)
_KINDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "tool_use"}
"""Block type by delta type."""


class MessagesFormat(WireFormat):
    """Format of Anthropic and its likes; options differ by model family, not by server."""

    def open_client(self, url: str, http: Any) -> Connection:  # noqa: ANN401 - as in the base class
        """Import anthropic and build its client; blocks for one or two seconds."""
        # It can be imported as a whole only.
        from anthropic import AnthropicError, AsyncAnthropic

        client = AsyncAnthropic(
            # An option that is set is not read from the environment.
            api_key=PLACEHOLDER_KEY,
            webhook_key=PLACEHOLDER_KEY,
            base_url=url,
            open_telemetry=False,
            max_retries=0,
            http_client=http,
        )
        create = client.messages.with_streaming_response.create
        return Connection(
            lambda body: create(model="", messages=(), max_tokens=1, stream=True, extra_body=body),
            client.close,
            (AnthropicError,),
        )

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST /v1/messages`.

        Thinking is bound to what was before it: only that of `origin` in the current turn is
        replayed, and only while the request is the same up to the newest user message.
        """
        traits = traits_of(server.model)
        start = answer_start(request.messages)
        own = {
            id(message)
            for message in request.messages[start:]
            if message.origin == origin and (message.tool_calls or message.text.strip())
        }
        signed = any(
            isinstance(part, Thinking) and _PREFIX in part.meta
            for message in request.messages[start:]
            for part in message.parts
        )
        digest = prefix_digest(request) if own and signed else ""
        messages = _in_turns(
            (each.role, _blocks(each, digest if id(each) in own else ""))
            for each in request.messages
        )
        return {
            "model": server.model,
            "max_tokens": self.settings.max_output_tokens or traits.output_tokens,
            "stream": True,
            # This cache point moves with the newest message; the one at `system` stays.
            "cache_control": _CACHED,
            **_fixed(request),
            "messages": [*messages],
            **self._options(request, traits),
        }

    def reader(self, request: Request, server: Server, origin: str) -> StreamReader:
        """Return a reader for the answer to that request."""
        return MessagesStreamReader(request, server, origin)

    def _options(self, request: Request, traits: ModelTraits) -> JsonObject:
        settings, options = self.settings, JsonObject()
        choice = accepted_tool_choice(request.tool_choice, traits) if request.tools else None
        if isinstance(choice, NamedTool):
            options["tool_choice"] = {"type": "tool", "name": choice.name}
        elif choice is not None:
            options["tool_choice"] = {"type": _CHOICES[choice]}
        effort = traits.effort(settings.effort)
        if settings.temperature is not None and traits.takes_temperature(effort):
            options["temperature"] = settings.temperature
        if effort and effort != "none":
            options["output_config"] = {"effort": effort}
        if effort == "none" and traits.disabled_thinking:
            options["thinking"] = {"type": traits.disabled_thinking}
        elif traits.adaptive and traits.thinks(effort) and choice in (None, ToolMode.NONE):
            # Newer models send no thinking unless asked for a summary. A forced call comes
            # without thinking, and some servers refuse both at once.
            options["thinking"] = {"type": "adaptive", "display": "summarized"}
        return options


def prefix_digest(request: Request) -> str:
    """Return a digest that two requests share if equal up to the newest user message."""
    past = request.messages[: answer_start(request.messages)]
    turns = _in_turns((each.role, _blocks(each, "")) for each in past)
    rendered = json.dumps([_fixed(request), *turns])
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


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "name": spec.name,
        "description": spec.description,
        "input_schema": dict(spec.parameters),
    }


def _in_turns(messages: Iterable[tuple[Role, list[JsonValue]]]) -> Iterator[JsonObject]:
    """Yield the non-empty messages, with a user message before each assistant message."""
    last = "assistant"
    for sender, blocks in messages:
        if not blocks:
            continue
        role = "assistant" if sender is Role.ASSISTANT else "user"
        if role == last == "assistant":
            yield _CONTINUE_MESSAGE
        yield {"role": role, "content": blocks}
        last = role
    if last == "assistant":
        yield _CONTINUE_MESSAGE


def _blocks(message: Message, digest: str) -> list[JsonValue]:
    """Render the content; of its thinking only that bound to `digest`, if there is any."""
    if message.role is Role.USER:
        return _text_block(user_text(message))
    parts = [
        part
        for part in message.parts
        if not isinstance(part, Thinking) or (digest and part.meta.get(_PREFIX) == digest)
    ]
    # Calls go last, as text behind a call would separate it from its result; parts with
    # signed thinking keep their order, which the signature covers.
    if not any(isinstance(part, Thinking) for part in parts):
        parts.sort(key=lambda part: isinstance(part, ToolCall))
    return [block for part in parts for block in _part_blocks(part)]


def _part_blocks(part: MessagePart) -> list[JsonValue]:
    match part:
        case Text():
            return _text_block(repair_surrogates(part.text))
        case Thinking() if _REDACTED in part.meta:
            return [{"type": "redacted_thinking", "data": part.meta[_REDACTED]}]
        case Thinking():
            signature = part.meta[_SIGNATURE]
            return [{"type": "thinking", "thinking": part.text, "signature": signature}]
        case ToolCall():
            name, given = sendable_name(part.name), arguments_object(part.arguments)
            return [{"type": "tool_use", "id": part.id, "name": name, "input": given}]
        case ToolResult():
            result: JsonObject = {"type": "tool_result", "tool_use_id": part.call_id}
            result["content"] = repair_surrogates(part.content) or "{}"
            if part.is_error:
                result["is_error"] = True
            return [result]
        case _:
            assert_never(part)


def _text_block(text: str) -> list[JsonValue]:
    return [{"type": "text", "text": text}] if text.strip() else []


class MessagesStreamReader(StreamReader):
    """Reader of one Messages stream."""

    def __init__(self, request: Request, server: Server, origin: str) -> None:
        super().__init__(request, server, origin)
        self._drafts: list[TextDraft | ToolCallDraft] = []
        self._calls = ToolCallAssembler(self._tool_names)
        self._open: dict[int, TextDraft | ToolCallAssembler | None] = {}
        """Readers of the open blocks by index; None for tools that run on the server."""
        self._counts: dict[str, int] = {}
        self._stop = ""
        self._refusal = ""

    def _read(self, event: object) -> Iterator[StreamEvent]:
        if error := get_member(event, "error"):
            raise self._sent_error(error)
        index = get_count(event, "index")
        match get_text(event, "type"):
            case "message_start":
                self._count(get_member(event, "message"))
            case "content_block_start":
                yield from self._begin(index, get_member(event, "content_block"))
            case "content_block_delta":
                yield from self._continue(index, get_member(event, "delta"))
            case "content_block_stop":
                draft = self._open.pop(index, None)
                if isinstance(draft, TextDraft):
                    yield from draft.finish()
            case "message_delta":
                self._end(get_member(event, "delta"))
                self._count(event)
            case "message_stop":
                self.is_ended = self.has_end_marker = True
            case "message":
                yield from self._whole(event)
            case _:
                pass
        # The reason comes after all blocks; some servers leave out `message_stop` behind it.
        self.is_complete = bool(self._stop)

    def _begin(self, index: int, block: object) -> Iterator[StreamEvent]:
        kind = get_text(block, "type")
        self._open[index] = None
        if kind == "tool_use":
            self._open[index] = self._calls
        elif kind in ("text", "thinking", "redacted_thinking"):
            draft = self._new_text() if kind == "text" else TextDraft()
            self._drafts.append(draft)
            self._open[index] = draft
        yield from self._feed(index, block)

    def _continue(self, index: int, delta: object) -> Iterator[StreamEvent]:
        if index not in self._open:
            # Some servers leave out the start of a block.
            yield from self._begin(index, {"type": _KINDS.get(get_text(delta, "type"), "")})
        yield from self._feed(index, delta)

    def _whole(self, message: object) -> Iterator[StreamEvent]:
        """Read a whole message, from a server that does not stream."""
        for index, block in enumerate(get_items(message, "content")):
            yield from self._begin(index, block)
            yield from self._flush()
        self._end(message)
        self._count(message)
        self.is_ended = True

    def _feed(self, index: int, delta: object) -> Iterator[StreamEvent]:
        """Read a block, or a delta of one."""
        match draft := self._open[index]:
            case TextDraft(is_thinking=True):
                for key, name in ((_SIGNATURE, "signature"), (_REDACTED, "data")):
                    if seal := repair_surrogates(get_text(delta, name)):
                        draft.meta[key] = seal
                yield from draft.append(get_text(delta, "thinking"))
            case TextDraft():
                yield from draft.append(get_text(delta, "text"))
            case ToolCallAssembler():
                given = get_text(delta, "partial_json") or get_member(delta, "input")
                function = {"name": get_text(delta, "name"), "arguments": given}
                fragment = {"index": index, "id": get_text(delta, "id"), "function": function}
                if tool := draft.feed(fragment):
                    yield ToolCallStarted(tool)
                known = sum(isinstance(each, ToolCallDraft) for each in self._drafts)
                self._drafts += draft.drafts[known:]
            case None:
                pass

    def _end(self, ending: object) -> None:
        self._stop = get_text(ending, "stop_reason") or self._stop
        details = get_member(ending, "stop_details")
        self._refusal = get_text(details, "explanation") or get_text(details, "category")

    def _count(self, source: object) -> None:
        usage = get_member(source, "usage")
        thinking = get_member(usage, "output_tokens_details")
        counts = self._counts
        # All counts are cumulative, and some servers send them at one end of the stream only.
        for name, count in (
            *((name, get_count(usage, name)) for name in _COUNTS),
            ("thinking_tokens", get_count(thinking, "thinking_tokens")),
        ):
            counts[name] = max(count, counts.get(name, 0))
        if any(counts.values()):
            read, written = counts["cache_read_input_tokens"], counts["cache_creation_input_tokens"]
            self.usage = Usage(
                input_tokens=counts["input_tokens"] + read + written,
                cached_tokens=read,
                output_tokens=counts["output_tokens"],
                thinking_tokens=counts["thinking_tokens"],
                cache_written_tokens=written,
            )

    def _flush(self) -> Iterator[StreamEvent]:
        for draft in self._open.values():
            if isinstance(draft, TextDraft):
                yield from draft.finish()
        self._open.clear()

    def _stop_reason(self) -> StopReason | None:
        if self._stop == "refusal":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=self._refusal)
        if not self.is_complete:
            return None
        calls = any(isinstance(draft, ToolCallDraft) for draft in self._drafts)
        has_text = any(
            isinstance(draft, TextDraft) and draft.pieces and not draft.is_thinking
            for draft in self._drafts
        )
        if self._stop == _CONTEXT_FULL and not (calls or has_text):
            raise self._server.error(ProviderErrorKind.CONTEXT_TOO_LONG, detail=self._stop)
        stop = _STOPS.get(self._stop, StopReason.END)
        return StopReason.END if stop is StopReason.PAUSED and calls else stop

    def _parts(self) -> Iterator[MessagePart]:
        digest = ""
        for draft in self._drafts:
            match draft:
                case ToolCallDraft():
                    yield draft.part
                case TextDraft(meta=meta):
                    if meta:
                        digest = meta[_PREFIX] = digest or prefix_digest(self._request)
                    yield from draft.parts
