"""OpenAI's Responses format: request body, SDK client, stream reader."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, assert_never

from todo_tui.domain.errors import ProviderErrorKind
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
)
from todo_tui.providers.server import Server
from todo_tui.providers.traits import ModelTraits, traits_of
from todo_tui.providers.wire_formats.stream_reader import StreamReader, TextDraft
from todo_tui.providers.wire_formats.tool_calls import (
    has_content,
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

_PARAGRAPH = "\n\n"
"""Separator of two messages of one answer, which are shown and stored as one."""
_PHASE = "phase"
"""Key of a message's phase, commentary or final answer: echoed, on the wire and in meta."""
_ENCRYPTED = "encrypted_content"
"""Key of encrypted thinking, on the wire and in meta."""
_MIN_OUTPUT = 16
"""Smallest limit that OpenAI accepts."""
_FAILURES = ("failed", "cancelled")
_GOOD_ENDS = ("completed", "incomplete")
_LENGTH = ("max_output_tokens", "max_tokens", "length")
_MESSAGE, _CALL, _REASONING = "message", "function_call", "reasoning"
"""Types of items that are read; all others are ignored."""
_TEXT, _REFUSAL, _ARGUMENTS = "output_text", "refusal", "arguments"
_SUMMARY, _THINKING = "summary_text", "reasoning_text"
_DELTAS = {
    "response.output_text": (_MESSAGE, _TEXT, "content_index"),
    "response.refusal": (_MESSAGE, _REFUSAL, "content_index"),
    "response.function_call_arguments": (_CALL, _ARGUMENTS, ""),
    "response.reasoning_summary_text": (_REASONING, _SUMMARY, "summary_index"),
    "response.reasoning_text": (_REASONING, _THINKING, "content_index"),
}
"""Item type, kind of text and index field by event name, less `.delta` or `.done`."""
_TEXTS_IN_LISTS = {(item_kind, kind) for item_kind, kind, index in _DELTAS.values() if index}
_OPTIONAL_FIELDS = ("include", "reasoning.summary", "reasoning.effort", "temperature")
"""Fields that may be left out, named as in an error's `param`."""
_UNSUPPORTED = ("", "unsupported_parameter", "unsupported_value", "unknown_parameter")
_NO_SUMMARY = re.compile(r"reasoning summar", re.IGNORECASE)
_NO_THINKING = re.compile(
    r"invalid_encrypted_content|encrypted content|'reasoning'|reasoning item|\brs_\w+"
    r"|items are not persisted",
    re.IGNORECASE,
)
_REFUSALS = (400, 404, 422)


@dataclass(slots=True, eq=False)
class RefusedFields:
    """Fields, and items of thinking, that the server of one client has refused."""

    names: set[str] = field(default_factory=set)
    """Names as in `_OPTIONAL_FIELDS`."""
    thinking: list[JsonValue] = field(default_factory=list)

    def record(self, status: int, error: object, body: JsonObject) -> bool:
        """Note what the error of a request refuses; return False if it is nothing optional."""
        if status not in _REFUSALS:
            return False
        text = f"{get_text(error, 'code')} {get_text(error, 'message')}"
        refused = "reasoning.summary" if _NO_SUMMARY.search(text) else get_text(error, "param")
        outer, _, inner = refused.partition(".")
        value = get_member(body.get(outer), inner) if inner else body.get(outer)
        if refused in _OPTIONAL_FIELDS and value is not None:
            if get_text(error, "code") not in _UNSUPPORTED:
                return False
            self.names.add(refused)
            return True
        items = body["input"] if isinstance(body["input"], list) else []
        thinking = [item for item in items if get_text(item, "type") == "reasoning"]
        if not thinking or not _NO_THINKING.search(text):
            return False
        self.thinking += thinking
        return True


@dataclass(slots=True, eq=False)
class ResponsesFormat(WireFormat):
    """Format of any server with `POST responses`.

    Optional fields that the server refused are left out from then on.
    """

    _refused: RefusedFields = field(default_factory=RefusedFields, init=False)

    def open_client(self, url: str, http: Any) -> Connection:  # noqa: ANN401 - as in the base class
        """Import OpenAI's SDK and build its client; blocks for up to a second."""
        from openai import AsyncOpenAI, OpenAIError

        client = AsyncOpenAI(api_key=PLACEHOLDER_KEY, base_url=url, max_retries=0, http_client=http)
        create = client.responses.with_streaming_response.create
        return Connection(
            lambda body: create(stream=True, extra_body=body), client.close, (OpenAIError,)
        )

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST responses`."""
        traits = traits_of(server.model)
        body: JsonObject = {"model": server.model, "stream": True, "store": False}
        if request.system:
            body["instructions"] = repair_surrogates(request.system)
        if request.tools:
            body["tools"] = [_tool(spec) for spec in request.tools]
            choice = accepted_tool_choice(request.tool_choice, traits)
            if isinstance(choice, NamedTool):
                body["tool_choice"] = {"type": "function", "name": choice.name}
            elif choice is not None:
                body["tool_choice"] = choice.value
        items = [item for message in request.messages for item in _items(message, origin)]
        # Servers refuse thinking with a repeated id.
        unique: dict[object, JsonObject] = {}
        for position, item in enumerate(items):
            unique.setdefault(item.get("id", position), item)
        body["input"] = [item for item in unique.values() if item not in self._refused.thinking]
        return body | self._options(traits)

    def reader(self, request: Request, server: Server, origin: str) -> StreamReader:
        """Return a reader for the answer to that request."""
        return ResponsesStreamReader(request, server, origin)

    def records_refusal(self, status: int, error: object, body: JsonObject) -> bool:
        """Note an optional field that the server refuses; return True if a new body lacks it."""
        return self._refused.record(status, error, body)

    def _options(self, traits: ModelTraits) -> JsonObject:
        settings, refused = self.settings, self._refused.names
        effort = traits.effort(settings.effort)
        options: JsonObject = {}
        takes_temperature = traits.takes_temperature(effort) and "temperature" not in refused
        if settings.temperature is not None and takes_temperature:
            options["temperature"] = settings.temperature
        if settings.max_output_tokens is not None:
            options["max_output_tokens"] = max(settings.max_output_tokens, _MIN_OUTPUT)
        reasoning: JsonObject = {}
        if effort and "reasoning.effort" not in refused:
            reasoning["effort"] = effort
        if traits.summaries and traits.thinks(effort) and "reasoning.summary" not in refused:
            reasoning["summary"] = "auto"
        if reasoning:
            options["reasoning"] = reasoning
        if traits.encrypted_thinking and "include" not in refused:
            options["include"] = [f"reasoning.{_ENCRYPTED}"]
        return options


def _tool(spec: ToolSpec) -> JsonObject:
    return {
        "type": "function",
        "name": spec.name,
        "description": spec.description,
        "parameters": dict(spec.parameters),
        # Strict mode would make every parameter required; leaving it out is an error.
        "strict": False,
    }


def _items(message: Message, origin: str) -> Iterator[JsonObject]:
    match message.role:
        case Role.USER:
            if (text := user_text(message)).strip():
                yield {"type": "message", "role": "user", "content": text}
        case Role.ASSISTANT if message.origin == origin:
            yield from _own_items(message)
        case Role.ASSISTANT:
            # Text and calls of another model, without its thinking.
            if message.text.strip():
                yield _message(message.text)
            yield from map(_call, message.tool_calls)
        case Role.TOOL:
            for result in message.tool_results:
                yield {
                    "type": "function_call_output",
                    "call_id": result.call_id,
                    "output": repair_surrogates(result.content) or "{}",
                }
        case _:
            assert_never(message.role)


def _own_items(message: Message) -> Iterator[JsonObject]:
    """Yield the items as received; thinking goes before the item that it led to, never alone."""
    thinking: list[JsonObject] = []
    follows = False
    for part in message.parts:
        match part:
            case Thinking():
                thinking += _reasoning(part.meta)
                continue
            case Text():
                text = part.text.removeprefix(_PARAGRAPH) if follows else part.text
                if not text.strip():
                    continue
                follows = True
                item = _message(text)
                if _PHASE in part.meta:
                    item[_PHASE] = part.meta[_PHASE]
            case ToolCall():
                item = _call(part)
            case ToolResult():
                continue
            case _:
                assert_never(part)
        yield from thinking
        thinking.clear()
        yield item


def _message(text: str) -> JsonObject:
    return {"type": "message", "role": "assistant", "content": repair_surrogates(text)}


def _call(call: ToolCall) -> JsonObject:
    return {
        "type": "function_call",
        "call_id": call.id,
        "name": sendable_name(call.name),
        "arguments": sendable_arguments(call.arguments),
    }


def _reasoning(meta: Meta) -> Iterator[JsonObject]:
    """Yield the reasoning item, if complete: with `store: false` the server keeps none."""
    item: JsonObject = {"type": "reasoning", "summary": meta.get("summary") or []}
    if meta.get("id"):
        item["id"] = meta["id"]
    if meta.get(_ENCRYPTED):
        yield item | {_ENCRYPTED: meta[_ENCRYPTED]}
    elif meta.get("content"):
        # Open models, such as gpt-oss, send their thinking as plain text.
        yield item | {"content": meta["content"]}


@dataclass(slots=True, eq=False)
class _Item:
    kind: str
    id: str
    index: object
    """Position in the answer, if the server sent it."""
    name: str = ""
    call_id: str = ""
    phase: str = ""
    encrypted: str = ""
    done: bool = False
    shown: TextDraft = field(default_factory=TextDraft)
    """Draft of its text or thinking."""
    texts: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Texts by kind and index."""

    def complete(self, kind: str, number: int, whole: str) -> str:
        """Set one of the texts as a whole; return the part that is new.

        Text that was shown stays unchanged; for arguments the last version before the item is
        done counts.
        """
        known = "".join(self.texts.get((kind, number), ()))
        is_longer = whole.startswith(known)
        if is_longer or (kind == _ARGUMENTS and not self.done and has_content(whole)):
            self.texts[kind, number] = [whole]
        return whole[len(known) :] if is_longer else ""

    def texts_of(self, kind: str) -> list[str]:
        """Return the texts of a kind."""
        keys = sorted(key for key in self.texts if key[0] == kind)
        return [repair_surrogates("".join(self.texts[key])) for key in keys]

    @property
    def parts(self) -> Iterator[MessagePart]:
        """Parts of the message."""
        if self.kind == _CALL:
            arguments = "".join(self.texts_of(_ARGUMENTS))
            yield ToolCall(self.call_id or self.id, self.name, arguments)
            return
        if self.kind == _MESSAGE and self.phase:
            self.shown.meta[_PHASE] = self.phase
        elif self.kind == _REASONING and (self.shown.pieces or self.encrypted):
            self.shown.meta |= self._thinking_meta()
        yield from self.shown.parts

    def _thinking_meta(self) -> Meta:
        meta: JsonObject = {"summary": self._text_objects(_SUMMARY)}
        if self.id:
            meta["id"] = repair_surrogates(self.id)
        if self.encrypted:
            meta[_ENCRYPTED] = self.encrypted
        elif content := self._text_objects(_THINKING):
            meta["content"] = content
        return meta

    def _text_objects(self, kind: str) -> list[JsonValue]:
        return [{"type": kind, "text": text} for text in self.texts_of(kind)]


def _whole_texts(kind: str, value: object) -> Iterator[tuple[str, int, str]]:
    """Yield kind, index and text of all texts in the object of an item."""
    if kind == _CALL:
        yield _ARGUMENTS, 0, json_text(get_member(value, "arguments"))
    elif kind == _MESSAGE:
        # Some servers send bare text.
        yield _TEXT, 0, get_text(value, "content")
    for name in ("summary", "content"):
        for number, part in enumerate(get_items(value, name)):
            text_kind = get_text(part, "type")
            if (kind, text_kind) in _TEXTS_IN_LISTS:
                name_of_text = _REFUSAL if text_kind == _REFUSAL else "text"
                yield text_kind, number, get_text(part, name_of_text)


class ResponsesStreamReader(StreamReader):
    """Reader of one Responses stream."""

    def __init__(self, request: Request, server: Server, origin: str) -> None:
        super().__init__(request, server, origin)
        self._items: list[_Item] = []
        self._current: dict[bool, tuple[_Item, int]] = {}
        """Item and text that are shown now, of the answer and (True) of the thinking."""
        self._status = ""
        self._reason = ""

    def _read(self, event: object) -> Iterator[StreamEvent]:
        name = get_text(event, "type")
        stem, _, ending = name.rpartition(".")
        if delta := _DELTAS.get(stem):
            yield from self._text(event, *delta, is_whole=ending == "done")
        elif stem == "response.output_item":
            yield from self._item(event, is_done=ending == "done")
        elif name == "error" or (not name and get_member(event, "error")):
            raise self._sent_error(event)
        elif stem == "response":
            yield from self._response(get_member(event, "response"), ending)
        elif not name:
            # A server that does not stream sends the whole response.
            yield from self._response(event, "")

    def _text(
        self, event: object, item_kind: str, text_kind: str, index_field: str, *, is_whole: bool
    ) -> Iterator[StreamEvent]:
        item_id, index = get_text(event, "item_id"), get_member(event, "output_index")
        item = self._find(item_kind, item_id, index) or self._begin(item_kind, item_id, index)
        number = get_count(event, index_field)
        if is_whole:
            name = text_kind if text_kind in (_REFUSAL, _ARGUMENTS) else "text"
            text = item.complete(text_kind, number, json_text(get_member(event, name)))
        else:
            text = get_text(event, "delta")
            item.texts.setdefault((text_kind, number), []).append(text)
        yield from self._show(item, text_kind, number, text)

    def _item(self, event: object, *, is_done: bool) -> Iterator[StreamEvent]:
        value, index = get_member(event, "item"), get_member(event, "output_index")
        kind, item_id = get_text(value, "type"), get_text(value, "id")
        if kind not in (_MESSAGE, _CALL, _REASONING):
            return
        item = self._find(kind, item_id, index)
        is_new = item is None or (item.done and (item.id, item.index) != (item_id, index))
        if item is not None and not is_done:
            # A call whose name and id come in two events begins once.
            is_rest = not (item.name and get_text(value, "name"))
            is_new = kind != _CALL or item.done or index is None or not is_rest
        if item is None or is_new:
            item = self._begin(kind, item_id, index)
        yield from self._update(item, value, is_done=is_done)

    def _response(self, response: object, ending: str) -> Iterator[StreamEvent]:
        status = get_text(response, "status")
        status = status if status in (*_GOOD_ENDS, *_FAILURES) else ending
        if status not in (*_GOOD_ENDS, *_FAILURES):
            return
        self.is_ended, self.is_complete = True, status in _GOOD_ENDS
        self._status = status
        self._reason = get_text(get_member(response, "incomplete_details"), "reason")
        self.usage = _usage(response) or self.usage
        if status in _FAILURES:
            raise self._sent_error(get_member(response, "error"))
        # The final response has whatever no event before it brought.
        taken: list[_Item] = []
        for index, value in enumerate(get_items(response, "output")):
            kind = get_text(value, "type")
            if kind not in (_MESSAGE, _CALL, _REASONING):
                continue
            item_id, name = get_text(value, "id"), get_text(value, "name")
            left = [each for each in self._in_order() if each.kind == kind and each not in taken]
            same_id = [each for each in left if item_id and each.id == item_id]
            alike = [each for each in left if not each.name or each.name == name]
            item = next(iter(same_id or alike), None) or self._begin(kind, item_id, index)
            item.index = index
            taken.append(item)
            yield from self._update(item, value, is_done=True)

    def _find(self, kind: str, item_id: str, index: object) -> _Item | None:
        newest_first = [item for item in reversed(self._items) if item.kind == kind]
        same_id = [item for item in newest_first if item_id and item.id == item_id]
        if same_id:
            return next((item for item in same_id if item.index == index), same_id[0])
        # Some servers change the id with each event, others give all items one index.
        unfinished = (item for item in newest_first if not item.done)
        return next((item for item in unfinished if index in (None, item.index)), None)

    def _begin(self, kind: str, item_id: str, index: object) -> _Item:
        shown = self._new_text() if kind == _MESSAGE else TextDraft()
        self._items.append(_Item(kind, item_id, index, shown=shown))
        return self._items[-1]

    def _update(self, item: _Item, value: object, *, is_done: bool) -> Iterator[StreamEvent]:
        was_named = bool(item.name)
        item.id = item.id or get_text(value, "id")
        name = repair_surrogates(get_text(value, "name"))
        item.name = name if name and (is_done or not item.name) else item.name
        item.call_id = item.call_id or get_text(value, "call_id")
        item.phase = item.phase or repair_surrogates(get_text(value, "phase"))
        if item.kind == _CALL and item.name and not was_named:
            yield ToolCallStarted(item.name)
        if is_done:
            # Encrypted content may be incomplete until then.
            item.encrypted = repair_surrogates(get_text(value, _ENCRYPTED)) or item.encrypted
            for kind, number, whole in _whole_texts(item.kind, value):
                yield from self._show(item, kind, number, item.complete(kind, number, whole))
            item.done = True

    def _show(self, item: _Item, kind: str, number: int, text: str) -> Iterator[StreamEvent]:
        """Show new text; start a paragraph where the item or its text changes."""
        if not text or kind in (_REFUSAL, _ARGUMENTS):
            return
        here = (item, 0 if kind == _TEXT else number)
        before = self._current.get(item.shown.is_thinking)
        if before is not None and before != here:
            yield from before[0].shown.finish()
            if item.shown.is_thinking:
                text = _PARAGRAPH + text
            else:
                item.shown.lead = _PARAGRAPH
        self._current[item.shown.is_thinking] = here
        yield from item.shown.append(text)

    def _flush(self) -> Iterator[StreamEvent]:
        for item, _ in self._current.values():
            yield from item.shown.finish()

    def _stop_reason(self) -> StopReason | None:
        refusal = "".join(
            text
            for item in self._items
            if item.kind == _MESSAGE
            for text in item.texts_of(_REFUSAL)
        )
        if refusal or self._reason == "content_filter":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=self._reason)
        if not self._status:
            return None
        if self._status == "incomplete" and self._reason not in _LENGTH:
            detail = f"{self._status} {self._reason}"
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail=detail)
        return StopReason.LENGTH if self._status == "incomplete" else StopReason.END

    def _parts(self) -> Iterator[MessagePart]:
        for item in self._in_order():
            yield from item.parts

    def _in_order(self) -> list[_Item]:
        by_index = {item.index: item for item in self._items if isinstance(item.index, int)}
        if len(by_index) < len(self._items):
            return self._items
        return [by_index[index] for index in sorted(by_index)]


def _usage(response: object) -> Usage | None:
    reported = get_member(response, "usage")
    sent, received = get_count(reported, "input_tokens"), get_count(reported, "output_tokens")
    if not sent and not received:
        return None
    details = get_member(reported, "input_tokens_details")
    return Usage(
        sent,
        get_count(details, "cached_tokens"),
        received,
        get_count(get_member(reported, "output_tokens_details"), "reasoning_tokens"),
        get_count(details, "cache_write_tokens"),
    )
