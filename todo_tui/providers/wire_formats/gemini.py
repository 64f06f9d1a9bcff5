"""Gemini's generateContent: request body, SDK client, stream reader."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, assert_never
from urllib.parse import quote

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Meta,
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
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.json_values import (
    JsonObject,
    get_count,
    get_items,
    get_member,
    get_text,
    json_text,
    parse_sendable_object,
)
from todo_tui.providers.server import Server
from todo_tui.providers.traits import ModelTraits, traits_of
from todo_tui.providers.wire_formats.stream_reader import StreamReader, TextDraft
from todo_tui.providers.wire_formats.tool_calls import arguments_object, sendable_name
from todo_tui.providers.wire_formats.wire_format import (
    PLACEHOLDER_KEY,
    Connection,
    StreamedResponse,
    WireFormat,
    user_text,
)

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client

SIGNATURE = "thought_signature"
"""Meta key of a part's signature, in base64; Gemini 3 refuses a call without it."""
GIVEN_ID = "given_id"
"""Meta key of the server's own id of a call, sent back unchanged."""
CONTINUATION = "continuation_token"
"""Meta key of a token that, sent in place of its message, makes the server continue it."""
_Kind = ProviderErrorKind
_MODES = {ToolMode.NONE: "NONE", ToolMode.REQUIRED: "ANY"}
_STOPS = {
    "STOP": StopReason.END,
    "MAX_TOKENS": StopReason.LENGTH,
    "CONTINUATION": StopReason.PAUSED,
}
_FAILURES = {
    "MALFORMED_FUNCTION_CALL": _Kind.MALFORMED,
    "MALFORMED_RESPONSE": _Kind.MALFORMED,
    "UNEXPECTED_TOOL_CALL": _Kind.MALFORMED,
    "TOO_MANY_TOOL_CALLS": _Kind.MALFORMED,
    "MISSING_THOUGHT_SIGNATURE": _Kind.BAD_REQUEST,
    "OTHER": _Kind.TRUNCATED,
    "FINISH_REASON_UNSPECIFIED": _Kind.TRUNCATED,
}
"""Finish reasons of failures; any in neither table means a refusal: `SAFETY`, `RECITATION`, …"""
_FOREIGN_SIGNATURE = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""`skip_thought_signature_validator`, accepted in place of a signature on calls of other models."""
REFUSED_BY_GEMINI = frozenset(
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
"""JSON Schema keywords that both APIs of Gemini refuse in the parameters of a tool."""


class GeminiFormat(WireFormat):
    """Format of Gemini's own API."""

    extra: ClassVar[str] = "gemini"

    def open_client(self, url: str, http: Any) -> Connection:  # noqa: ANN401 - as in the base class
        """Import google-genai and build its client; blocks for up to a second."""
        import google.genai as genai

        client = _genai_client(genai, url, http)
        opened: ContextVar[httpx2.Response] = ContextVar("opened")

        async def keep(response: httpx2.Response) -> None:
            opened.set(response)

        async def set_timeout(request: httpx2.Request) -> None:
            # The SDK has one time limit for everything, and otherwise sets none.
            request.extensions["timeout"] = http.timeout.as_dict()

        http.event_hooks["request"].append(set_timeout)
        http.event_hooks["response"].append(keep)

        @asynccontextmanager
        async def send(body: JsonObject) -> AsyncIterator[StreamedResponse]:
            fields: dict[str, object] = {**body}
            model = str(fields.pop("model"))
            is_path = model.startswith(("models/", "tunedModels/"))
            resource = quote(model if is_path else f"models/{model}")
            path = f"{resource}:streamGenerateContent?alt=sse"
            # The one private call of an SDK, through which its own calls go:
            # `generate_content_stream` can neither be closed nor kept from retrying, and
            # fails on calls and errors that differ from its models.
            await client._api_client.async_request_streamed("post", path, fields)
            response = opened.get()
            try:
                yield _Response(response)
            finally:
                await response.aclose()

        async def close() -> None:
            await http.aclose()
            client.close()

        return Connection(send, close, (genai.errors.APIError,))

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST models/…:streamGenerateContent`, plus `model` for the path."""
        token = _continuation(request.messages, origin)
        messages = request.messages[:-1] if token else request.messages
        body: JsonObject = {"model": server.model, "contents": _contents(messages, origin)}
        if token:
            body["continuationToken"] = token
        if request.system:
            body["systemInstruction"] = {"parts": [{"text": repair_surrogates(request.system)}]}
        if request.tools:
            declared: list[JsonValue] = [_declaration(tool) for tool in request.tools]
            body["tools"] = [{"functionDeclarations": declared}]
            choice = request.tool_choice
            if isinstance(choice, NamedTool):
                calling: JsonObject = {"mode": "ANY", "allowedFunctionNames": [choice.name]}
                body["toolConfig"] = {"functionCallingConfig": calling}
            elif choice is not ToolMode.AUTO:
                body["toolConfig"] = {"functionCallingConfig": {"mode": _MODES[choice]}}
        configuration = self._configuration(traits_of(server.model))
        if configuration:
            body["generationConfig"] = configuration
        return body

    def reader(self, request: Request, server: Server, origin: str) -> StreamReader:
        """Return a reader for the answer to that request."""
        return GeminiStreamReader(request, server, origin)

    def _configuration(self, traits: ModelTraits) -> JsonObject:
        settings, configuration = self.settings, JsonObject()
        effort = traits.effort(settings.effort)
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


@dataclass(frozen=True, slots=True)
class _Response:
    http_response: httpx2.Response


def _genai_client(genai: ModuleType, url: str, http: httpx2.AsyncClient) -> Client:
    """Build the client with every option set, so that it reads no environment variable."""
    # For SDK clients that are never used: loading certificates costs 20 ms each.
    trusting_nobody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client: Client = genai.Client(
        api_key=PLACEHOLDER_KEY,
        enterprise=False,
        debug_config=genai.client.DebugConfig(client_mode="", replays_directory="", replay_id=""),
        http_options=genai.types.HttpOptions(
            base_url=url,
            api_version="v1beta",
            httpx_async_client=http,
            client_args={"verify": trusting_nobody, "trust_env": False},
            async_client_args={"ssl": trusting_nobody},
        ),
    )
    return client


def _contents(messages: tuple[Message, ...], origin: str) -> list[JsonValue]:
    given_ids = {
        call.id: call.meta[GIVEN_ID]
        for message in messages
        for call in message.tool_calls
        if message.origin == origin and GIVEN_ID in call.meta
    }
    contents: list[JsonValue] = []
    for message in messages:
        parts: list[JsonValue]
        match message.role:
            case Role.USER:
                text = user_text(message)
                parts = [{"text": text}] if text.strip() else []
            case Role.ASSISTANT:
                parts = _model_parts(message, own=message.origin == origin)
            case Role.TOOL:
                parts = [
                    _result(each, given_ids.get(each.call_id)) for each in message.tool_results
                ]
            case _:
                assert_never(message.role)
        if parts and (contents or message.role is Role.USER):
            role = "model" if message.role is Role.ASSISTANT else "user"
            contents.append({"role": role, "parts": parts})
    return contents


def _model_parts(message: Message, *, own: bool) -> list[JsonValue]:
    parts: list[JsonValue] = []
    stand_in = {} if own else {SIGNATURE: _FOREIGN_SIGNATURE}
    for part in message.parts:
        meta = part.meta if own and not isinstance(part, ToolResult) else {}
        match part:
            case Text() if part.text.strip():
                parts.append({"text": repair_surrogates(part.text), **_signed(meta)})
            case Thinking() if part.text.strip() and SIGNATURE in meta:
                text = repair_surrogates(part.text)
                parts.append({"text": text, "thought": True, **_signed(meta)})
            case ToolCall():
                named: JsonObject = {"name": sendable_name(part.name)}
                if GIVEN_ID in meta:
                    named["id"] = meta[GIVEN_ID]
                named["args"] = arguments_object(part.arguments)
                # Of parallel calls, only the first has to be signed.
                parts.append({"functionCall": named, **_signed(meta or stand_in)})
                stand_in = {}
            case _:
                pass
    return parts


def _result(result: ToolResult, given_id: JsonValue) -> JsonObject:
    named: JsonObject = {"name": sendable_name(result.name)}
    if given_id is not None:
        named["id"] = given_id
    answer = parse_sendable_object(result.content)
    quoted: JsonObject = {"output": repair_surrogates(result.content)}
    named["response"] = quoted if answer is None else answer
    return {"functionResponse": named}


def _signed(meta: Meta) -> JsonObject:
    return {"thoughtSignature": meta[SIGNATURE]} if SIGNATURE in meta else {}


def _continuation(messages: tuple[Message, ...], origin: str) -> JsonValue:
    """Return the token with which the server continues the last message; None without one."""
    last = messages[-1] if messages else None
    if last is None or last.role is not Role.ASSISTANT or last.origin != origin:
        return None
    metas = [part.meta for part in last.parts if not isinstance(part, ToolResult)]
    return metas[-1].get(CONTINUATION) if metas else None


def _declaration(tool: ToolSpec) -> JsonValue:
    declared: JsonObject = {"name": tool.name, "description": tool.description}
    if tool.parameters.get("properties"):
        declared["parametersJsonSchema"] = without_keywords(tool.parameters, REFUSED_BY_GEMINI)
    return declared


def without_keywords(
    schema: JsonValue | Mapping[str, JsonValue], dropped: frozenset[str]
) -> JsonValue:
    """Return the schema without the keywords, and optional types without null."""
    if isinstance(schema, list):
        return [without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: JsonObject = {}
    for key, value in schema.items():
        if key == "properties" and isinstance(value, Mapping):
            # Keys below are names of parameters, one of which may be called `title`.
            kept[key] = {name: without_keywords(each, dropped) for name, each in value.items()}
            continue
        options = value if key == "anyOf" and isinstance(value, list) else []
        types = [option for option in options if option != {"type": "null"}]
        only = without_keywords(types[0], dropped) if len(types) == 1 else None
        if isinstance(only, dict):
            kept |= only
        elif key not in dropped:
            kept[key] = without_keywords(value, dropped)
    return kept


class GeminiStreamReader(StreamReader):
    """Reader of one Gemini stream."""

    def __init__(self, request: Request, server: Server, origin: str) -> None:
        super().__init__(request, server, origin)
        self._drafts: list[TextDraft | ToolCall] = []
        self._finish = ""
        self._finish_message = ""
        self._continuation = ""

    def _read(self, event: object) -> Iterator[StreamEvent]:
        if error := get_member(event, "error"):
            raise self._sent_error(error)
        feedback = get_member(event, "promptFeedback")
        if blocked := get_text(feedback, "blockReason"):
            self._finish_message = get_text(feedback, "blockReasonMessage")
            raise self._failed(_Kind.REFUSED, blocked)
        self.usage = _usage(get_member(event, "usageMetadata")) or self.usage
        for candidate in get_items(event, "candidates")[:1]:
            for part in get_items(get_member(candidate, "content"), "parts"):
                yield from self._part(part)
            self._finish = get_text(candidate, "finishReason").upper() or self._finish
            self._finish_message = get_text(candidate, "finishMessage") or self._finish_message
            token = repair_surrogates(get_text(candidate, "continuationToken"))
            self._continuation = token or self._continuation
        # Each event may carry a finish reason and be followed by another: it is never complete.
        self.is_ended = bool(self._finish)

    def _part(self, part: object) -> Iterator[StreamEvent]:
        signature = repair_surrogates(get_text(part, "thoughtSignature"))
        call = get_member(part, "functionCall")
        if isinstance(call, Mapping):
            yield from self._flush()
            yield self._call(call, signature)
            return
        thought = get_member(part, "thought") is True
        last = self._drafts[-1] if self._drafts else None
        text = get_text(part, "text")
        if (
            not isinstance(last, TextDraft)
            or last.is_thinking is not thought
            or SIGNATURE in last.meta
        ):
            if not text:
                return
            yield from self._flush()
            last = TextDraft() if thought else self._new_text()
            self._drafts.append(last)
        yield from last.append(text)
        if signature:
            last.meta[SIGNATURE] = signature

    def _call(self, call: Mapping[str, object], signature: str) -> StreamEvent:
        name = repair_surrogates(get_text(call, "name"))
        given = get_text(call, "id")
        meta: dict[str, JsonValue] = {SIGNATURE: signature} if signature else {}
        if given:
            meta[GIVEN_ID] = repair_surrogates(given)
        self._drafts.append(ToolCall(given, name, json_text(call.get("args")), meta))
        return ToolCallStarted(name)

    def _failed(self, kind: ProviderErrorKind, why: str) -> ProviderError:
        reason = (
            self._finish_message or why.lower().replace("_", " ") if kind is _Kind.REFUSED else ""
        )
        return self._server.error(
            kind, reason=reason, detail=f"{why} {self._finish_message}".strip()
        )

    def _flush(self) -> Iterator[StreamEvent]:
        if self._drafts and isinstance(self._drafts[-1], TextDraft):
            yield from self._drafts[-1].finish()

    def _stop_reason(self) -> StopReason | None:
        stop = _STOPS.get(self._finish)
        if stop is None and self._finish:
            raise self._failed(_FAILURES.get(self._finish, _Kind.REFUSED), self._finish)
        return stop

    def _parts(self) -> tuple[MessagePart, ...]:
        parts: list[MessagePart] = []
        for draft in self._drafts:
            parts += draft.parts if isinstance(draft, TextDraft) else (draft,)
        if self._continuation and parts:
            last = parts[-1]
            assert not isinstance(last, ToolResult)  # noqa: S101  # a model sends none
            parts[-1] = replace(last, meta={**last.meta, CONTINUATION: self._continuation})
        return tuple(parts)


def _usage(reported: object) -> Usage | None:
    thinking = get_count(reported, "thoughtsTokenCount")
    sent = get_count(reported, "promptTokenCount") + get_count(reported, "toolUsePromptTokenCount")
    received = get_count(reported, "candidatesTokenCount") + thinking
    if not sent and not received:
        return None
    return Usage(sent, get_count(reported, "cachedContentTokenCount"), received, thinking)
