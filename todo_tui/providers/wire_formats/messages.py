"""Messages format (Anthropic): format object, SDK client and stream reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    MessagePart,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolCallStarted,
    Usage,
)
from todo_tui.domain.text import repair_surrogates
from todo_tui.domain.when import NewId
from todo_tui.providers.base import ChunkStream, Connection, JsonObject, StreamReader
from todo_tui.providers.json_values import (
    SurrogateJoiner,
    get_count,
    get_items,
    get_member,
    get_text,
)
from todo_tui.providers.server import Server
from todo_tui.providers.sse import SseStream
from todo_tui.providers.tool_calls import valid_call_id
from todo_tui.providers.transport import (
    DECODING_ERRORS,
    PLACEHOLDER_KEY,
    httpx2_client,
    translate_sdk_errors,
)
from todo_tui.providers.wire_formats.messages_payload import (
    PrefixDigest,
    RenderCache,
    messages_body,
    prefix_digest,
    read_thinking,
    redacted_thinking,
)

_CONTEXT_FULL = "model_context_window_exceeded"
_LENGTH = ("max_tokens", _CONTEXT_FULL)
_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)
_KINDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "tool_use"}
"""Block type by delta type."""


class TextBlock:
    """Text of the answer."""

    def __init__(self) -> None:
        self._joiner = SurrogateJoiner()
        self._text: list[str] = []

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """Read a delta, or the start of the block."""
        yield from self._append(self._joiner.feed(get_text(delta, "text")))

    def finish(self) -> Iterator[StreamEvent]:
        """Yield text that was held back."""
        yield from self._append(self._joiner.finish())

    def part(self) -> MessagePart | None:
        """Return the part of the message; None if empty."""
        return Text("".join(self._text)) if self._text else None

    def _append(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._text.append(text)
            yield TextDelta(text)


class ThinkingBlock:
    """Thinking with its signature; its text may be a summary, or missing."""

    def __init__(self, digest: PrefixDigest) -> None:
        self._digest = digest
        self._joiner = SurrogateJoiner()
        self._text: list[str] = []
        self._signature = ""

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """Read a delta: text or the signature."""
        self._signature = repair_surrogates(get_text(delta, "signature")) or self._signature
        yield from self._append(self._joiner.feed(get_text(delta, "thinking")))

    def finish(self) -> Iterator[StreamEvent]:
        """Yield text that was held back."""
        yield from self._append(self._joiner.finish())

    def part(self) -> MessagePart | None:
        """Return the part of the message; None without text and signature."""
        if not self._text and not self._signature:
            return None
        return read_thinking("".join(self._text), self._signature, self._digest)

    def _append(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._text.append(text)
            yield ThinkingDelta(text)


class RedactedBlock:
    """Encrypted thinking, which comes whole."""

    def __init__(self, digest: PrefixDigest) -> None:
        self._digest = digest
        self._data = ""

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """Read the data of the block."""
        self._data = repair_surrogates(get_text(delta, "data")) or self._data
        yield from ()

    def finish(self) -> Iterator[StreamEvent]:
        """Yield nothing: no text is held back."""
        yield from ()

    def part(self) -> MessagePart | None:
        """Return the part of the message; None if empty."""
        return redacted_thinking(self._data, self._digest) if self._data else None


class ToolUseBlock:
    """Tool call, its arguments as fragments of JSON text."""

    def __init__(self, taken: set[str], new_id: NewId) -> None:
        self._taken = taken
        self._new_id = new_id
        self._given_id = ""
        self.name = ""
        self._fragments: list[str] = []
        self._whole: object = None

    def feed(self, delta: object) -> Iterator[StreamEvent]:
        """Read id and name at the start, then fragments of the arguments."""
        self._given_id = self._given_id or get_text(delta, "id")
        if self._whole is None:
            self._whole = get_member(delta, "input")
        self._fragments.append(get_text(delta, "partial_json"))
        if not self.name and (name := repair_surrogates(get_text(delta, "name"))):
            self.name = name
            yield ToolCallStarted(name)

    def finish(self) -> Iterator[StreamEvent]:
        """Yield nothing: no text is held back."""
        yield from ()

    def part(self) -> MessagePart | None:
        """Return the call, with a unique id and `{}` for missing arguments."""
        return ToolCall(
            valid_call_id(self._given_id, self._taken, self._new_id), self.name, self._text()
        )

    def _text(self) -> str:
        written = "".join(self._fragments).strip()
        if not written and isinstance(self._whole, str):
            written = self._whole.strip()
        elif not written and self._whole is not None:
            written = json.dumps(self._whole, ensure_ascii=False)
        return repair_surrogates(written) or "{}"


Block = TextBlock | ThinkingBlock | RedactedBlock | ToolUseBlock


class MessagesStreamReader(StreamReader):
    """Reader of one Messages stream."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        super().__init__(request, server, origin, new_id)
        self._blocks: list[Block] = []
        self._open: dict[int, Block | None] = {}
        self._counts: dict[str, int] = {}
        self._stop = ""
        self._refusal = ""
        self._ended = False

    @property
    def is_ended(self) -> bool:
        """True once the model has ended its message; only usage may still come."""
        return self._ended

    @property
    def is_complete(self) -> bool:
        """True once no part of the message can be missing, even if the stream breaks."""
        return self._ended and bool(self._stop)

    @property
    def usage(self) -> Usage | None:
        """Tokens reported so far; None if the server reported none."""
        counts = self._counts
        if not any(counts.values()):
            return None
        read, written = counts["cache_read_input_tokens"], counts["cache_creation_input_tokens"]
        return Usage(
            input_tokens=counts["input_tokens"] + read + written,
            cached_tokens=read,
            output_tokens=counts["output_tokens"],
            thinking_tokens=counts["thinking_tokens"],
            cache_written_tokens=written,
        )

    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._close()
        self._check_end()
        yield self._completed()

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        if error := get_member(chunk, "error"):
            raise self._sent_error(error)
        match get_text(chunk, "type"):
            case "message_start":
                self._count(get_member(chunk, "message"))
            case "content_block_start":
                yield from self._begin(
                    get_count(chunk, "index"), get_member(chunk, "content_block")
                )
            case "content_block_delta":
                yield from self._continue(get_count(chunk, "index"), get_member(chunk, "delta"))
            case "content_block_stop":
                block = self._open.pop(get_count(chunk, "index"), None)
                if block is not None:
                    yield from block.finish()
            case "message_delta":
                self._end(get_member(chunk, "delta"))
                self._count(chunk)
            case "message_stop":
                self._ended = True
            case "message":
                yield from self._whole(chunk)
            case _:
                pass

    def _begin(self, index: int, beginning: object) -> Iterator[StreamEvent]:
        block = self._open[index] = self._block(get_text(beginning, "type"))
        if block is not None:
            self._blocks.append(block)
            yield from block.feed(beginning)

    def _continue(self, index: int, delta: object) -> Iterator[StreamEvent]:
        if index not in self._open:
            # Some servers leave out the start of a block.
            kind = _KINDS.get(get_text(delta, "type"), "")
            yield from self._begin(index, {"type": kind})
        block = self._open[index]
        if block is not None:
            yield from block.feed(delta)

    def _block(self, kind: str) -> Block | None:
        """Return an empty block of that type; None for tools that run on the server."""
        match kind:
            case "text":
                return TextBlock()
            case "thinking":
                return ThinkingBlock(lambda: self._digest)
            case "redacted_thinking":
                return RedactedBlock(lambda: self._digest)
            case "tool_use":
                return ToolUseBlock(self._call_ids, self._new_id)
            case _:
                return None

    def _whole(self, message: object) -> Iterator[StreamEvent]:
        """Read a whole message, from a server that does not stream."""
        for beginning in get_items(message, "content"):
            yield from self._begin(0, beginning)
            yield from self._close()
        self._end(message)
        self._count(message)
        self._ended = True

    def _close(self) -> Iterator[StreamEvent]:
        """Finish all open blocks."""
        for block in self._open.values():
            if block is not None:
                yield from block.finish()
        self._open.clear()

    def _end(self, ending: object) -> None:
        self._stop = get_text(ending, "stop_reason") or self._stop
        details = get_member(ending, "stop_details")
        self._refusal = get_text(details, "explanation") or get_text(details, "category")

    def _count(self, source: object) -> None:
        usage = get_member(source, "usage")
        thinking = get_member(usage, "output_tokens_details")
        # All counts are cumulative, and some servers send them at one end of the stream only.
        for name, count in (
            *((name, get_count(usage, name)) for name in _COUNTS),
            ("thinking_tokens", get_count(thinking, "thinking_tokens")),
        ):
            self._counts[name] = max(count, self._counts.get(name, 0))

    @cached_property
    def _digest(self) -> str:
        return prefix_digest(self._request)

    def _check_end(self) -> None:
        if self._stop == "refusal":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=self._refusal)
        if not self._stop or not self._ended:
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail=f"stop: {self._stop}")
        if self._has_content or self._stop in ("max_tokens", "pause_turn"):
            return
        if self._stop == _CONTEXT_FULL:
            raise self._server.error(ProviderErrorKind.CONTEXT_TOO_LONG, detail=self._stop)
        self._check_answered()

    @property
    def _has_content(self) -> bool:
        """True if there is text or a call, not thinking alone."""
        return any(
            isinstance(block, ToolUseBlock) or (isinstance(block, TextBlock) and block.part())
            for block in self._blocks
        )

    def _completed(self) -> Completed:
        parts = tuple(part for block in self._blocks if (part := block.part()) is not None)
        calls = any(isinstance(part, ToolCall) for part in parts)
        message = Message(Role.ASSISTANT, parts, origin=self._origin)
        if self._stop in _LENGTH:
            stop = StopReason.LENGTH
        elif calls:
            stop = StopReason.TOOL_CALLS
        elif self._stop == "pause_turn":
            stop = StopReason.PAUSED
        else:
            stop = StopReason.END
        return Completed(message, stop, self.usage)


def connect_anthropic(server: Server) -> Connection:
    """Import anthropic and build its client; blocks for one or two seconds.

    The stream is read here: the SDK's own iterator drops the pings, which are all that
    a model sends while it thinks for long.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with translate_sdk_errors(server):
        # Costs over a second of CPU and imports only as a whole: paid when first used.
        import httpx2
        from anthropic import AnthropicError, AsyncAnthropic, AsyncStream

        client = AsyncAnthropic(
            # An option that is set is not read from the environment.
            api_key=PLACEHOLDER_KEY,
            webhook_key=PLACEHOLDER_KEY,
            base_url=server.endpoint.url,
            open_telemetry=False,
            max_retries=0,
            http_client=httpx2_client(server),
        )

    async def send(body: JsonObject) -> ChunkStream:
        # By `messages.create` the SDK would copy the body node by node first.
        stream = await client.post(
            "/v1/messages",
            cast_to=object,
            content=json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode(),
            options={"headers": {"Content-Type": "application/json"}},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return SseStream(stream.response)

    return Connection(
        send, client.close, (AnthropicError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_ERRORS)
    )


@dataclass(frozen=True, slots=True)
class MessagesFormat:
    """Implements WireFormat; options differ by model family, not by server."""

    settings: ProviderSettings
    _rendered: RenderCache = field(default_factory=RenderCache)

    def connect(self, server: Server) -> Connection:
        """Import anthropic and build its client; blocks for one or two seconds."""
        return connect_anthropic(server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST /v1/messages`."""
        return messages_body(request, origin, server.model, self.settings, self._rendered)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """Return a reader for the answer to that request."""
        return MessagesStreamReader(request, server, origin, new_id)
