"""Chat completions format: format object, SDK clients (openai, groq) and stream reader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

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
from todo_tui.providers.errors import (
    ServerError,
    parse_error_body,
    provider_error_from,
    server_error_of,
)
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

_KEEPALIVE = TextDelta("")
"""Event for a chunk without visible content, so that the stream does not count as silent."""
_LENGTH = ("length", "max_tokens", "max_output_tokens")
_REFUSALS = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")


class ChatStreamReader:
    """Reader of one chat completions stream."""

    def __init__(
        self, request: Request, dialect: Dialect, server: Server, origin: str, new_id: NewId
    ) -> None:
        self._request = request
        self._dialect = dialect
        self._origin = origin
        self._server = server
        self._new_id = new_id
        self._text_calls = _text_call_parser(request, dialect)
        self._joiner = SurrogateJoiner()
        self._thought_joiner = SurrogateJoiner()
        self._calls = ToolCallAssembler()
        self._words: list[str] = []
        self._thoughts: list[str] = []
        self._refusal: list[str] = []
        self._extra: JsonValue = None
        self._finish = ""
        self._usage: Usage | None = None
        self._complaint: ServerError | None = None

    @property
    def is_ended(self) -> bool:
        """True once the model has ended its message; only usage may still come."""
        return bool(self._finish)

    @property
    def is_complete(self) -> bool:
        """True once no part of the message can be missing, even if the stream breaks."""
        # Gemini says with each of several calls that this was all.
        return self.is_ended and not self._dialect.signatures

    @property
    def usage(self) -> Usage | None:
        """Tokens reported so far; None if the server reported none."""
        return self._usage

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one chunk, or a list of them; yield at least one event.

        Raises:
            ProviderError: it says that the stream failed.
        """
        events: list[StreamEvent] = []
        for each in chunk if isinstance(chunk, list) else [chunk]:
            self._check(each)
            events += self._read(each)
        yield from events or (_KEEPALIVE,)

    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield text that was held back, then Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._heard(self._joiner.finish())
        yield from self._thought(self._thought_joiner.finish())
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
        complaint = server_error_of(error.__cause__) if error.__cause__ else self._complaint
        if complaint is None or not complaint.failed_generation:
            raise error
        reader = TextCallReader(self._request.tools, any_name=True)
        found = reader.search(complaint.failed_generation)
        if not found:
            raise error
        self._calls.drop_incomplete()
        for call in found:
            yield ToolCallStarted(call.name)
        yield self._completed(found)

    def _completed(self, found: Sequence[TextCall]) -> Completed:
        taken = {call.id for message in self._request.messages for call in message.tool_calls}
        calls = self._calls.finish(taken, self._new_id)
        # Some servers read a call out of the words and leave it there too.
        known = [(call.name, parse_json_object(call.arguments)) for call in calls]
        found = [
            each for each in found if (each.name, parse_json_object(each.arguments)) not in known
        ]
        calls += tuple(
            ToolCall(valid_call_id("", taken, self._new_id), call.name, call.arguments)
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
        if self._thoughts:
            parts.append(Thinking("".join(self._thoughts)))
        if self._words:
            parts.append(Text("".join(self._words), {} if calls else meta))
        if calls and EXTRA_CONTENT not in calls[0].meta:
            calls = (replace(calls[0], meta={**calls[0].meta, **meta}), *calls[1:])
        return (*parts, *calls)

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        self._usage = _usage(chunk) or self._usage
        for choice in get_items(chunk, "choices")[:1]:
            # A server that does not stream sends the whole message in place of a delta.
            yield from self._delta(get_member(choice, "delta") or get_member(choice, "message"))
            self._finish = get_text(choice, "finish_reason") or self._finish

    def _delta(self, delta: object) -> Iterator[StreamEvent]:
        yield from self._thought(
            self._thought_joiner.feed(
                get_text(delta, "reasoning") or get_text(delta, "reasoning_content")
            )
        )
        yield from self._heard(self._joiner.feed(_content(delta)))
        self._refusal.append(get_text(delta, "refusal"))
        extra = get_member(delta, EXTRA_CONTENT)
        if isinstance(extra, Mapping) and extra:
            self._extra = clean_value(extra)
        older = get_member(delta, "function_call")
        # Older servers know one call an answer, under another name; some send both.
        fragments = get_items(delta, "tool_calls") or ([{"function": older}] if older else [])
        for fragment in fragments:
            name = self._calls.feed(fragment)
            if name:
                yield ToolCallStarted(name)

    def _heard(self, text: str) -> Iterator[StreamEvent]:
        if not text:
            return
        if self._text_calls is None:
            self._words.append(text)
            yield TextDelta(text)
            return
        yield from self._shown(self._text_calls.feed(text))

    def _thought(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._thoughts.append(text)
            yield ThinkingDelta(text)

    def _shown(self, pieces: Iterable[AnswerPiece]) -> Iterator[StreamEvent]:
        for piece in pieces:
            if isinstance(piece, ReclassifiedThinking):
                # What was shown as words is taken back with the whole message.
                self._thoughts += self._words
                self._words = []
            elif isinstance(piece, ThinkingText):
                yield from self._thought(piece.text)
            else:
                self._words.append(piece.text)
                yield TextDelta(piece.text)

    def _check(self, chunk: object) -> None:
        error = get_member(chunk, "error") or get_member(get_member(chunk, "x_groq"), "error")
        if get_text(chunk, "object") == "error":
            # vLLM and Mistral send the error itself.
            error = chunk
        if error:
            self._complaint = complaint = parse_error_body(error, headers={})
            raise provider_error_from(complaint, self._server, detail=str(error))

    def _check_end(self) -> None:
        finish = self._finish.lower()
        refusal = "".join(self._refusal)
        if refusal or finish in _REFUSALS:
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=finish)
        if "malformed" in finish or finish == "error":
            raise self._server.error(ProviderErrorKind.MALFORMED, detail=f"finish reason {finish}")
        if not finish:
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail="no finish reason")
        said = (
            self._words or self._calls or (self._text_calls is not None and self._text_calls.calls)
        )
        asked = self._request.messages and self._request.messages[-1].role is Role.USER
        if not said and asked and finish not in _LENGTH:
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )


def _text_call_parser(request: Request, dialect: Dialect) -> TextCallParser | None:
    if not dialect.text_calls:
        return None
    # Without offered tools nothing is a call, but thoughts are still thoughts.
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
    asked = get_count(reported, "prompt_tokens")
    answered = get_count(reported, "completion_tokens")
    if not asked and not answered:
        return None
    thinking = get_count(get_member(reported, "completion_tokens_details"), "reasoning_tokens")
    # Gemini leaves thoughts out of the completion and counts them in the total alone.
    apart = get_count(reported, "total_tokens") - asked - answered
    if apart > 0:
        answered, thinking = answered + apart, max(thinking, apart)
    cached = (
        get_count(get_member(reported, "prompt_tokens_details"), "cached_tokens")
        or get_count(reported, "prompt_cache_hit_tokens")  # DeepSeek
        or get_count(reported, "cached_tokens")  # Kimi
    )
    return Usage(asked, cached, answered, thinking)


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


class ChatFormat:
    """Implements WireFormat for Groq, Gemini's compatible endpoint and local servers."""

    def __init__(self, dialect: Dialect, settings: ProviderSettings) -> None:
        self._dialect = dialect
        self._settings = settings

    def connect(self, server: Server) -> Connection:
        """Import the dialect's SDK and build its client; blocks for up to a second."""
        return _CONNECT[self._dialect.sdk](server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST chat/completions`."""
        return chat_body(request, self._dialect, origin, server.model, self._settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """Return a reader for the answer to that request."""
        return ChatStreamReader(request, self._dialect, server, origin, new_id)
