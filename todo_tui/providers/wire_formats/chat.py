"""Chat completions format: format object, SDK clients (openai, groq) and stream reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    MessagePart,
    Meta,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallStarted,
    ToolMode,
    Usage,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import NewId
from todo_tui.providers.base import ChunkStream, Connection, JsonObject, StreamReader, user_text
from todo_tui.providers.errors import parse_error_body, server_error_of
from todo_tui.providers.json_values import (
    SurrogateJoiner,
    clean_value,
    get_count,
    get_items,
    get_member,
    get_text,
    parse_json_object,
)
from todo_tui.providers.server import Server
from todo_tui.providers.sse import SseStream
from todo_tui.providers.tool_calls import EXTRA_CONTENT, ToolCallAssembler, valid_call_id
from todo_tui.providers.transport import (
    DECODING_ERRORS,
    PLACEHOLDER_KEY,
    httpx2_client,
    httpx_client,
    import_httpx,
    translate_sdk_errors,
)
from todo_tui.providers.wire_formats.chat_payload import Dialect, Sdk, chat_body
from todo_tui.providers.wire_formats.text_tool_calls import (
    AnswerPiece,
    ReclassifiedThinking,
    TextCall,
    TextCallParser,
    TextCallReader,
    ThinkingText,
    occurs_in,
)

_LENGTH = ("length", "max_tokens", "max_output_tokens")
_REFUSALS = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")


class ChatStreamReader(StreamReader):
    """Reader of one chat completions stream."""

    def __init__(
        self, request: Request, dialect: Dialect, server: Server, origin: str, new_id: NewId
    ) -> None:
        super().__init__(request, server, origin, new_id)
        self._dialect = dialect
        self._text_calls = _text_call_parser(request, dialect)
        self._joiner = SurrogateJoiner()
        self._thinking_joiner = SurrogateJoiner()
        self._calls = ToolCallAssembler()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._refusal: list[str] = []
        self._extra: JsonValue = None
        self._finish = ""
        self._error: object = None

    @property
    def is_ended(self) -> bool:
        """True once the model has ended its message; only usage may still come."""
        return bool(self._finish)

    @property
    def is_complete(self) -> bool:
        """True once no part of the message can be missing, even if the stream breaks."""
        # Gemini sends a finish reason with each of several calls.
        return self.is_ended and not self._dialect.signatures

    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield text that was held back, then Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._add_text(self._joiner.finish())
        yield from self._add_thinking(self._thinking_joiner.finish())
        if self._text_calls is not None:
            yield from self._shown(self._text_calls.finish())
        self._check_end()
        found = self._text_calls.calls if self._text_calls else []
        for call in found:
            yield ToolCallStarted(call.name)
        yield self._completed(found)

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Recover calls that Groq could not parse (`tool_use_failed`).

        Raises:
            ProviderError: the error is of another kind.
        """
        cause = error.__cause__
        sent = server_error_of(cause) if cause else parse_error_body(self._error, headers={})
        if sent is None or not sent.failed_generation:
            raise error
        reader = TextCallReader(self._request.tools, any_name=True)
        found = reader.search(sent.failed_generation)
        if not found:
            raise error
        self._calls.drop_incomplete()
        for call in found:
            yield ToolCallStarted(call.name)
        yield self._completed(found)

    def _completed(self, found: Sequence[TextCall]) -> Completed:
        calls = self._calls.finish(self._call_ids, self._new_id)
        # Some servers parse a call out of the text and leave it there too.
        known = [(call.name, parse_json_object(call.arguments)) for call in calls]
        found = [
            each for each in found if (each.name, parse_json_object(each.arguments)) not in known
        ]
        calls += tuple(
            ToolCall(valid_call_id("", self._call_ids, self._new_id), call.name, call.arguments)
            for call in found
        )
        message = Message(Role.ASSISTANT, self._parts(calls), origin=self._origin)
        # A call in the text was complete: whatever length cut off came after it.
        if self._finish.lower() in _LENGTH and not found:
            return Completed(message, StopReason.LENGTH, self._usage)
        return Completed(message, StopReason.TOOL_CALLS if calls else StopReason.END, self._usage)

    def _parts(self, calls: tuple[ToolCall, ...]) -> tuple[MessagePart, ...]:
        meta: Meta = {EXTRA_CONTENT: self._extra} if self._extra else {}
        parts: list[MessagePart] = []
        if self._thinking:
            parts.append(Thinking("".join(self._thinking)))
        if self._text:
            parts.append(Text("".join(self._text), {} if calls else meta))
        if calls and EXTRA_CONTENT not in calls[0].meta:
            calls = (replace(calls[0], meta={**calls[0].meta, **meta}), *calls[1:])
        return (*parts, *calls)

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        self._check(chunk)
        self._usage = _usage(chunk) or self._usage
        for choice in get_items(chunk, "choices")[:1]:
            # A server that does not stream sends the whole message in place of a delta.
            yield from self._delta(get_member(choice, "delta") or get_member(choice, "message"))
            self._finish = get_text(choice, "finish_reason") or self._finish

    def _delta(self, delta: object) -> Iterator[StreamEvent]:
        yield from self._add_thinking(
            self._thinking_joiner.feed(
                get_text(delta, "reasoning") or get_text(delta, "reasoning_content")
            )
        )
        yield from self._add_text(self._joiner.feed(_content(delta)))
        self._refusal.append(get_text(delta, "refusal"))
        extra = get_member(delta, EXTRA_CONTENT)
        if isinstance(extra, Mapping) and extra:
            self._extra = clean_value(extra)
        deprecated = get_member(delta, "function_call")
        # Older servers send one call per answer, under another name; some send both.
        fragments = get_items(delta, "tool_calls") or (
            [{"function": deprecated}] if deprecated else []
        )
        for fragment in fragments:
            name = self._calls.feed(fragment)
            if name:
                yield ToolCallStarted(name)

    def _add_text(self, text: str) -> Iterator[StreamEvent]:
        if not text:
            return
        if self._text_calls is None:
            self._text.append(text)
            yield TextDelta(text)
            return
        yield from self._shown(self._text_calls.feed(text))

    def _add_thinking(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._thinking.append(text)
            yield ThinkingDelta(text)

    def _shown(self, pieces: Iterable[AnswerPiece]) -> Iterator[StreamEvent]:
        for piece in pieces:
            if isinstance(piece, ReclassifiedThinking):
                # The text that was shown is replaced with the whole message.
                self._thinking += self._text
                self._text = []
            elif isinstance(piece, ThinkingText):
                yield from self._add_thinking(piece.text)
            else:
                self._text.append(piece.text)
                yield TextDelta(piece.text)

    def _check(self, chunk: object) -> None:
        error = get_member(chunk, "error") or get_member(get_member(chunk, "x_groq"), "error")
        if get_text(chunk, "object") == "error":
            # vLLM and Mistral send the error itself.
            error = chunk
        if error:
            self._error = error
            raise self._sent_error(error)

    def _check_end(self) -> None:
        finish = self._finish.lower()
        refusal = "".join(self._refusal)
        if refusal or finish in _REFUSALS:
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=finish)
        if "malformed" in finish or finish == "error":
            raise self._server.error(ProviderErrorKind.MALFORMED, detail=f"finish reason {finish}")
        if not finish:
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail="no finish reason")
        found = self._text_calls is not None and self._text_calls.calls
        if not (self._text or self._calls or found) and finish not in _LENGTH:
            self._check_answered()


def _text_call_parser(request: Request, dialect: Dialect) -> TextCallParser | None:
    if not dialect.text_calls:
        return None
    # Without offered tools nothing is a call, but thinking is still separated.
    offered = () if request.tool_choice is ToolMode.NONE else request.tools
    return TextCallParser(
        TextCallReader(offered, is_quoted=lambda text: occurs_in(text, _untrusted_texts(request)))
    )


def _untrusted_texts(request: Request) -> tuple[str, ...]:
    """Return text of others that the model may repeat: user messages and tool results."""
    texts = [user_text(message) for message in request.messages if message.role is Role.USER]
    results = (result for message in request.messages for result in message.tool_results)
    return (*texts, *(result.content for result in results))


def _content(delta: object) -> str:
    """Return the text of a delta; some servers send a list of parts."""
    parts = get_items(delta, "content")
    return "".join(get_text(part, "text") for part in parts) or get_text(delta, "content")


def _usage(chunk: object) -> Usage | None:
    reported = get_member(chunk, "usage") or get_member(get_member(chunk, "x_groq"), "usage")
    sent = get_count(reported, "prompt_tokens")
    received = get_count(reported, "completion_tokens")
    if not sent and not received:
        return None
    thinking = get_count(get_member(reported, "completion_tokens_details"), "reasoning_tokens")
    # Gemini counts thinking only in the total, not in the completion.
    missing = get_count(reported, "total_tokens") - sent - received
    if missing > 0:
        received, thinking = received + missing, max(thinking, missing)
    cached = (
        get_count(get_member(reported, "prompt_tokens_details"), "cached_tokens")
        or get_count(reported, "prompt_cache_hit_tokens")  # DeepSeek
        or get_count(reported, "cached_tokens")  # Kimi
    )
    return Usage(sent, cached, received, thinking)


def connect_openai(server: Server) -> Connection:
    """Import openai and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with translate_sdk_errors(server):
        # Costs 0.4 to 0.7 s of CPU: paid when the provider is first used.
        import httpx2
        from openai import AsyncOpenAI, AsyncStream, OpenAIError

        client = AsyncOpenAI(
            api_key=PLACEHOLDER_KEY,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx2_client(server),
        )

    async def send(body: JsonObject) -> ChunkStream:
        # By `completions.create` the SDK would check the body and build each chunk
        # against its types: most of a call's CPU.
        stream = await client.post(
            "/chat/completions",
            cast_to=object,
            body=body,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return SseStream(stream.response)

    return Connection(
        send, client.close, (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_ERRORS)
    )


def connect_groq(server: Server) -> Connection:
    """Import groq and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with translate_sdk_errors(server):
        # A second HTTP stack and SDK: paid when Groq is first used.
        import_httpx()
        import httpx
        from groq import AsyncGroq, AsyncStream, GroqError

        client = AsyncGroq(
            api_key=PLACEHOLDER_KEY,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx_client(server),
        )

    async def send(body: JsonObject) -> ChunkStream:
        # As above.
        stream = await client.post(
            "/openai/v1/chat/completions",
            cast_to=object,
            body=body,
            stream=True,
            stream_cls=AsyncStream[object],
        )
        return SseStream(stream.response)

    return Connection(
        send, client.close, (GroqError, httpx.HTTPError, httpx.InvalidURL, *DECODING_ERRORS)
    )


_CONNECT = {Sdk.OPENAI: connect_openai, Sdk.GROQ: connect_groq}


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """Implements WireFormat for Groq, Gemini's compatible endpoint and local servers."""

    dialect: Dialect
    settings: ProviderSettings

    def connect(self, server: Server) -> Connection:
        """Import the dialect's SDK and build its client; blocks for up to a second."""
        return _CONNECT[self.dialect.sdk](server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST chat/completions`."""
        return chat_body(request, self.dialect, origin, server.model, self.settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """Return a reader for the answer to that request."""
        return ChatStreamReader(request, self.dialect, server, origin, new_id)
