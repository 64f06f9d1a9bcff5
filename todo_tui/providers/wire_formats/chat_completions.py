"""Chat completions format: one row per server dialect, request body, SDK clients, stream reader."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
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
    ToolSpec,
    Usage,
    answer_start,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.errors import parse_error_body, server_error_of
from todo_tui.providers.json_values import (
    JsonObject,
    clean_value,
    get_count,
    get_items,
    get_member,
    get_text,
)
from todo_tui.providers.server import Server
from todo_tui.providers.traits import ModelTraits, traits_of
from todo_tui.providers.wire_formats.failed_generation import read_failed_generation
from todo_tui.providers.wire_formats.gemini import REFUSED_BY_GEMINI, without_keywords
from todo_tui.providers.wire_formats.stream_reader import StreamReader, TextDraft
from todo_tui.providers.wire_formats.tool_calls import (
    EXTRA_CONTENT,
    ToolCallAssembler,
    distinct_parts,
    sendable_arguments,
    sendable_name,
)
from todo_tui.providers.wire_formats.wire_format import (
    PLACEHOLDER_KEY,
    Connection,
    WireFormat,
    accepted_tool_choice,
    user_text,
)

_FOREIGN_SIGNATURE: JsonValue = {
    "google": {"thought_signature": "skip_thought_signature_validator"}
}
"""Value that Gemini accepts in place of its own signature on calls of another model."""
_LENGTH = ("length", "max_tokens", "max_output_tokens")
_REFUSALS = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")
_MINIMAX_STATUSES = {
    1000: 500,
    1001: 504,
    1002: 429,
    1004: 401,
    1008: 402,
    1013: 500,
    1024: 500,
    1033: 500,
    1039: 413,
    2049: 401,
}
"""HTTP statuses by MiniMax's codes; the others are bad requests."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Differences of one server from the common format."""

    http_stack: str = "httpx2"
    """Package of the HTTP client: with `httpx2` OpenAI's SDK sends, with `httpx` Groq's."""
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
    takes_thinking: bool = False
    """Accepts thinking from models that want it back; Groq answers 400."""
    limit_field: str = "max_tokens"
    """Name of the output limit."""


DIALECTS: dict[str, Dialect] = {
    "groq": Dialect(
        http_stack="httpx",
        names_results=False,
        limit_field="max_completion_tokens",
    ),
    "gemini": Dialect(
        signatures=True, dropped_schema_keys=REFUSED_BY_GEMINI | {"additionalProperties"}
    ),
    "ollama": Dialect(empty_content=True, accepts_choice_none=False),
    "local": Dialect(empty_content=True, takes_thinking=True),
}
"""Dialects by row id."""
_BY_HOST = {
    # Groq's SDK would append its own path to that of the user's base URL.
    "api.groq.com": replace(DIALECTS["groq"], http_stack="httpx2"),
    "generativelanguage.googleapis.com": DIALECTS["gemini"],
}


def dialect_of(row_id: str, host: str) -> Dialect:
    """Return the dialect of a row; for a user's own provider that of its server, or `local`."""
    return DIALECTS.get(row_id) or _BY_HOST.get(host) or DIALECTS["local"]


@dataclass(slots=True, eq=False)
class ChatFormat(WireFormat):
    """Format of Groq, Gemini's compatible endpoint and local servers."""

    dialect: Dialect

    @property
    def http_stack(self) -> str:
        """Package of the HTTP client that the dialect's SDK takes."""
        return self.dialect.http_stack

    def open_client(self, url: str, http: Any) -> Connection:  # noqa: ANN401 - as in the base class
        """Import the dialect's SDK and build its client; blocks for up to a second."""
        options: dict[str, Any] = {"base_url": url, "max_retries": 0, "http_client": http}
        client: Any
        sdk_error: type[Exception]
        if self.http_stack == "httpx":
            from groq import AsyncGroq, GroqError

            client, sdk_error = AsyncGroq(api_key=PLACEHOLDER_KEY, **options), GroqError
        else:
            from openai import AsyncOpenAI, OpenAIError

            client, sdk_error = AsyncOpenAI(api_key=PLACEHOLDER_KEY, **options), OpenAIError
        create = client.chat.completions.with_streaming_response.create
        return Connection(
            lambda body: create(model="", messages=(), stream=True, extra_body=body),
            client.close,
            (sdk_error,),
        )

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST chat/completions`."""
        dialect, traits = self.dialect, traits_of(server.model)
        messages: list[JsonValue] = []
        if request.system:
            messages.append({"role": "system", "content": repair_surrogates(request.system)})
        thinks = dialect.takes_thinking and traits.wants_thinking_back
        turn = answer_start(request.messages) if thinks else len(request.messages)
        for position, message in enumerate(request.messages):
            messages += self._messages(message, origin, with_thinking=position >= turn)
        offered = request.tools
        if request.tool_choice is ToolMode.NONE and not dialect.accepts_choice_none:
            offered = ()
        body: JsonObject = {
            "model": server.model,
            "messages": messages,
            "stream": True,
            "stream_options": {"include_usage": True},
            **self._options(traits, tools=bool(offered)),
        }
        if offered:
            body["tools"] = [self._tool(spec) for spec in offered]
            choice = accepted_tool_choice(request.tool_choice, traits)
            if isinstance(choice, NamedTool):
                body["tool_choice"] = {"type": "function", "function": {"name": choice.name}}
            elif choice is not None:
                body["tool_choice"] = choice.value
        return body

    def reader(self, request: Request, server: Server, origin: str) -> StreamReader:
        """Return a reader for the answer to that request."""
        return ChatStreamReader(request, self.dialect, server, origin)

    def _options(self, traits: ModelTraits, *, tools: bool) -> JsonObject:
        settings, options = self.settings, JsonObject()
        # Newer OpenAI models refuse tools here unless thinking is disabled.
        effort = traits.effort(
            settings.effort if traits.thinks_beside_tools or not tools else "none"
        )
        if settings.temperature is not None and traits.takes_temperature(effort):
            options["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            completion = traits.completion_limit
            limit = "max_completion_tokens" if completion else self.dialect.limit_field
            options[limit] = settings.max_output_tokens
        if effort:
            options["reasoning_effort"] = effort
        return options

    def _messages(
        self, message: Message, origin: str, *, with_thinking: bool
    ) -> Iterator[JsonObject]:
        match message.role:
            case Role.USER:
                if (text := user_text(message)).strip():
                    yield {"role": "user", "content": text}
            case Role.ASSISTANT:
                own = message.origin == origin
                if message.text.strip() or message.tool_calls:
                    yield self._assistant(message, same_origin=own, with_thinking=with_thinking)
            case Role.TOOL:
                for result in message.tool_results:
                    content = repair_surrogates(result.content) or "{}"
                    named: JsonObject = {"name": sendable_name(result.name)}
                    yield {
                        "role": "tool",
                        "tool_call_id": result.call_id,
                        "content": content,
                        **(named if self.dialect.names_results else {}),
                    }
            case _:
                assert_never(message.role)

    def _assistant(self, message: Message, *, same_origin: bool, with_thinking: bool) -> JsonObject:
        text, calls = repair_surrogates(message.text), message.tool_calls
        rendered: JsonObject = {"role": "assistant"}
        if text.strip():
            rendered["content"] = text
        elif self.dialect.empty_content:
            rendered["content"] = ""
        if calls:
            rendered["tool_calls"] = [
                self._call(call, first=position == 0, same_origin=same_origin)
                for position, call in enumerate(calls)
            ]
            parts = (part.text for part in message.parts if isinstance(part, Thinking))
            if same_origin and with_thinking and (thinking := "".join(parts)):
                rendered["reasoning_content"] = repair_surrogates(thinking)
        elif self.dialect.signatures and same_origin:
            for part in message.parts:
                if isinstance(part, Text) and EXTRA_CONTENT in part.meta:
                    rendered[EXTRA_CONTENT] = part.meta[EXTRA_CONTENT]
        return rendered

    def _call(self, call: ToolCall, *, first: bool, same_origin: bool) -> JsonObject:
        function: JsonObject = {
            "name": sendable_name(call.name),
            "arguments": sendable_arguments(call.arguments),
        }
        rendered: JsonObject = {"id": call.id, "type": "function", "function": function}
        if self.dialect.signatures and same_origin and EXTRA_CONTENT in call.meta:
            rendered[EXTRA_CONTENT] = call.meta[EXTRA_CONTENT]
        elif self.dialect.signatures and first and not same_origin:
            rendered[EXTRA_CONTENT] = _FOREIGN_SIGNATURE
        return rendered

    def _tool(self, spec: ToolSpec) -> JsonObject:
        dropped = self.dialect.dropped_schema_keys
        function: JsonObject = {
            "name": spec.name,
            "description": spec.description,
            "parameters": without_keywords(spec.parameters, dropped)
            if dropped
            else dict(spec.parameters),
        }
        return {"type": "function", "function": function}


class ChatStreamReader(StreamReader):
    """Reader of one chat completions stream."""

    def __init__(self, request: Request, dialect: Dialect, server: Server, origin: str) -> None:
        super().__init__(request, server, origin)
        self._dialect = dialect
        self._calls = ToolCallAssembler(self._tool_names)
        self._text = self._new_text()
        self._thinking = TextDraft()
        self._received_text: list[str] = []
        """Text of deltas."""
        self._received_thinking: list[str] = []
        self._refusal: list[str] = []
        self._extra: JsonValue = None
        self._finish = ""
        self._error: object = None

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Recover calls that Groq could not parse (`tool_use_failed`).

        Raises:
            ProviderError: the error is of another kind.
        """
        cause = error.__cause__
        reported = server_error_of(cause) if cause else parse_error_body(self._error, headers={})
        if reported is None or not reported.failed_generation:
            raise error
        recovered = read_failed_generation(reported.failed_generation, self._request.tools)
        if not recovered:
            raise error
        self._calls.drop_incomplete()
        for call in recovered:
            yield ToolCallStarted(call.name)
        yield from self._flush()
        parts = distinct_parts(self._parts(recovered), self._tool_names)
        yield self._completed(parts, StopReason.END)

    def _flush(self) -> Iterator[StreamEvent]:
        yield from self._thinking.finish()
        yield from self._text.finish()

    def _stop_reason(self) -> StopReason | None:
        finish, refusal = self._finish, "".join(self._refusal)
        if refusal or finish in _REFUSALS:
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=finish)
        if "malformed" in finish or finish == "error":
            raise self._server.error(ProviderErrorKind.MALFORMED, detail=f"finish reason {finish}")
        if not finish:
            return None
        return StopReason.LENGTH if finish in _LENGTH else StopReason.END

    def _parts(self, recovered: Sequence[ToolCall] = ()) -> Iterator[MessagePart]:
        calls = [*(draft.part for draft in self._calls.drafts), *recovered]
        if self._extra and not calls:
            self._text.meta[EXTRA_CONTENT] = self._extra
        elif self._extra and EXTRA_CONTENT not in calls[0].meta:
            calls[0] = replace(calls[0], meta={**calls[0].meta, EXTRA_CONTENT: self._extra})
        yield from self._thinking.parts
        yield from self._text.parts
        yield from calls

    def _read(self, event: object) -> Iterator[StreamEvent]:
        error = get_member(event, "error") or get_member(get_member(event, "x_groq"), "error")
        if get_text(event, "object") == "error":
            # vLLM and Mistral send the error itself.
            error = event
        state = get_member(event, "base_resp")
        if code := get_count(state, "status_code"):
            # MiniMax answers 200 to all requests, and has its own number here.
            error = {
                "code": _MINIMAX_STATUSES.get(code, 400),
                "message": get_text(state, "status_msg"),
            }
        if error:
            self._error = error
            raise self._sent_error(error)
        self.usage = _usage(event) or self.usage
        for choice in get_items(event, "choices")[:1]:
            # A server that does not stream sends the whole message in place of a delta; some
            # send it after the deltas too.
            delta, whole = get_member(choice, "delta"), get_member(choice, "message")
            yield from self._delta(delta or whole, is_whole=not delta)
            self._finish = get_text(choice, "finish_reason").lower() or self._finish
        self.is_ended = bool(self._finish)
        # Gemini sends a finish reason with each of several calls.
        self.is_complete = self.is_ended and not self._dialect.signatures

    def _delta(self, delta: object, *, is_whole: bool) -> Iterator[StreamEvent]:
        """Read a delta, or the whole message, which may repeat the deltas before it."""
        thinking = (
            get_text(delta, "reasoning")
            or get_text(delta, "reasoning_content")
            or _joined(delta, "reasoning_details")  # OpenRouter
            or "".join(_joined(part, "thinking") for part in get_items(delta, "content"))  # Mistral
        )
        # Some servers send a list of parts.
        text = _joined(delta, "content") or get_text(delta, "content")
        if is_whole:
            thinking = thinking.removeprefix("".join(self._received_thinking))
            text = text.removeprefix("".join(self._received_text))
        else:
            self._received_thinking.append(thinking)
            self._received_text.append(text)
        yield from self._thinking.append(thinking)
        yield from self._text.append(text)
        self._refusal.append(get_text(delta, "refusal"))
        extra = get_member(delta, EXTRA_CONTENT)
        if isinstance(extra, Mapping) and extra:
            self._extra = clean_value(extra)
        # Older servers send one call per answer, under another name; some send both.
        deprecated = get_member(delta, "function_call")
        fragments = get_items(delta, "tool_calls") or (
            [{"function": deprecated}] if deprecated else []
        )
        for fragment in fragments:
            if name := self._calls.feed(fragment):
                yield ToolCallStarted(name)


def _joined(value: object, name: str) -> str:
    """Return the text of a list of parts, which may be summaries."""
    parts = get_items(value, name)
    return "".join(get_text(part, "text") or get_text(part, "summary") for part in parts)


def _usage(event: object) -> Usage | None:
    reported = get_member(event, "usage") or get_member(get_member(event, "x_groq"), "usage")
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
