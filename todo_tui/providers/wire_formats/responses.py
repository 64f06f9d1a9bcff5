"""Responses format: format object, SDK client and stream reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderErrorKind
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
    Usage,
)
from todo_tui.domain.task import JsonValue
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
from todo_tui.providers.wire_formats.responses_payload import (
    ENCRYPTED_CONTENT,
    PARAGRAPH,
    PHASE,
    RefusedFields,
    responses_body,
)

_FAILURES = ("failed", "cancelled")
_GOOD_ENDS = ("completed", "incomplete")
_ENDS = (*_GOOD_ENDS, *_FAILURES)
_LENGTH = ("max_output_tokens", "max_tokens", "length")


def connect_responses(server: Server) -> Connection:
    """Import openai and build its client; blocks for up to a second.

    Raises:
        ConfigError: the package is missing, or the proxy settings cannot be used.
    """
    with translate_sdk_errors(server):
        # Costs 0.4 to 0.7 s of CPU: paid when the provider is first used.
        import httpx2
        from openai import APIStatusError, AsyncOpenAI, AsyncStream, OpenAIError

        client = AsyncOpenAI(
            api_key=PLACEHOLDER_KEY,
            base_url=server.endpoint.url,
            max_retries=0,
            http_client=httpx2_client(server),
        )
    refused = RefusedFields()

    async def post(body: JsonObject) -> ChunkStream:
        # By `responses.create` the SDK would import 150 ms of types, check the body
        # against them, and build each event of 60 possible ones: most of a call's CPU.
        stream = await client.post(
            "/responses", cast_to=object, body=body, stream=True, stream_cls=AsyncStream[object]
        )
        return SseStream(stream.response)

    async def send(body: JsonObject) -> ChunkStream:
        while True:
            reduced = refused.without_refused(body)
            try:
                return await post(reduced)
            except APIStatusError as error:
                if not refused.record_refusal(error.status_code, error.body, reduced):
                    raise

    return Connection(
        send, client.close, (OpenAIError, httpx2.HTTPError, httpx2.InvalidURL, *DECODING_ERRORS)
    )


class ItemKind(StrEnum):
    """Types of items that are read; all others are ignored."""

    MESSAGE = "message"
    CALL = "function_call"
    REASONING = "reasoning"


class ItemTextKind(StrEnum):
    """Kinds of text in an item."""

    TEXT = "output_text"
    REFUSAL = "refusal"
    ARGUMENTS = "arguments"
    SUMMARY = "summary_text"
    THINKING = "reasoning_text"


TextKey = tuple[ItemTextKind, int]
"""Kind of text, and its index among several in the item."""


@dataclass(slots=True, eq=False)
class OutputItem:
    """Output item, as far as received."""

    kind: ItemKind
    id: str
    index: object
    """Position in the answer, if the server sent it."""
    name: str = ""
    call_id: str = ""
    phase: str = ""
    encrypted: str = ""
    done: bool = False
    shown: list[str] = field(default_factory=list)
    """Text shown so far."""
    _texts: dict[TextKey, list[str]] = field(default_factory=dict)

    def add(self, key: TextKey, delta: str) -> None:
        """Append a delta to one of the texts."""
        self._texts.setdefault(key, []).append(delta)

    def complete(self, key: TextKey, whole: str) -> str:
        """Set one of the texts as a whole; return the part that is new.

        Text that was shown stays unchanged; for arguments the last version before the item is
        done counts.
        """
        known = "".join(self._texts.get(key, ()))
        if whole.startswith(known):
            self._texts[key] = [whole]
            return whole[len(known) :]
        if whole and key[0] is ItemTextKind.ARGUMENTS and not self.done:
            self._texts[key] = [whole]
        return ""

    def text(self, text_kind: ItemTextKind) -> str:
        """Return all text of a kind."""
        return "".join(self._all_of(text_kind))

    def _all_of(self, text_kind: ItemTextKind) -> list[str]:
        keys = sorted(key for key in self._texts if key[0] is text_kind)
        return [repair_surrogates("".join(self._texts[key])) for key in keys]

    @property
    def meta(self) -> Meta:
        """Meta to be sent back with the item."""
        if self.kind is ItemKind.MESSAGE:
            return {PHASE: self.phase} if self.phase else {}
        if self.kind is ItemKind.CALL:
            return {}
        meta: dict[str, JsonValue] = {"summary": self._parts(ItemTextKind.SUMMARY)}
        if self.id:
            meta["id"] = repair_surrogates(self.id)
        if self.encrypted:
            meta[ENCRYPTED_CONTENT] = self.encrypted
        elif content := self._parts(ItemTextKind.THINKING):
            meta["content"] = content
        return meta

    def _parts(self, text_kind: ItemTextKind) -> list[JsonValue]:
        return [{"type": text_kind.value, "text": text} for text in self._all_of(text_kind)]


class OutputItems:
    """Items of an answer, found by the fields of an event."""

    def __init__(self) -> None:
        self._items: list[OutputItem] = []

    def __iter__(self) -> Iterator[OutputItem]:
        """Iterate in the order of the answer."""
        by_index = {item.index: item for item in self._items if isinstance(item.index, int)}
        if len(by_index) < len(self._items):
            return iter(self._items)
        return iter([by_index[index] for index in sorted(by_index)])

    def of(self, kind: ItemKind) -> list[OutputItem]:
        """Return the items of one kind, in the order of the answer."""
        return [item for item in self if item.kind is kind]

    def begin(self, kind: ItemKind, item_id: str, index: object) -> OutputItem:
        """Add a new item."""
        item = OutputItem(kind, item_id, index)
        self._items.append(item)
        return item

    def about(self, kind: ItemKind, item_id: str, index: object) -> OutputItem | None:
        """Return the item that an event belongs to; None if there is none."""
        candidates = [item for item in reversed(self._items) if item.kind is kind]
        same_id = [item for item in candidates if item_id and item.id == item_id]
        for item in same_id:
            if item.index == index:
                return item
        if same_id:
            return same_id[0]
        # Some servers change the id with each event, others give all items one index.
        unfinished = [item for item in candidates if not item.done]
        if index is not None:
            unfinished = [item for item in unfinished if item.index == index]
        return unfinished[0] if unfinished else None

    def matching(self, kind: ItemKind, value: object, taken: list[OutputItem]) -> OutputItem | None:
        """Return the item that matches an entry of the final response, apart from those taken."""
        item_id, name = get_text(value, "id"), get_text(value, "name")
        candidates = [item for item in self.of(kind) if item not in taken]
        same_id = [item for item in candidates if item_id and item.id == item_id]
        alike = [item for item in candidates if not item.name or item.name == name]
        return next(iter(same_id or alike), None)


def update_item(item: OutputItem, value: object) -> None:
    """Update an item from its object, apart from its texts."""
    item.id = item.id or get_text(value, "id")
    item.name = item.name or repair_surrogates(get_text(value, "name"))
    item.call_id = item.call_id or get_text(value, "call_id")
    item.phase = item.phase or repair_surrogates(get_text(value, "phase"))


def texts_of(kind: ItemKind, value: object) -> Iterator[tuple[TextKey, str]]:
    """Yield the whole texts in an item's object."""
    match kind:
        case ItemKind.MESSAGE:
            yield (ItemTextKind.TEXT, 0), get_text(value, "content")
            yield from _texts(value, "content", (ItemTextKind.TEXT, ItemTextKind.REFUSAL))
        case ItemKind.CALL:
            yield (ItemTextKind.ARGUMENTS, 0), arguments_text(get_member(value, "arguments"))
        case ItemKind.REASONING:
            yield from _texts(value, "summary", (ItemTextKind.SUMMARY,))
            yield from _texts(value, "content", (ItemTextKind.THINKING,))


def arguments_text(arguments: object) -> str:
    """Return arguments as JSON text; some servers send the object itself."""
    if isinstance(arguments, str):
        return arguments
    return "" if arguments is None else json.dumps(arguments, ensure_ascii=False)


def _texts(
    value: object, name: str, text_kinds: tuple[ItemTextKind, ...]
) -> Iterator[tuple[TextKey, str]]:
    for number, part in enumerate(get_items(value, name)):
        for text_kind in text_kinds:
            if get_text(part, "type") == text_kind:
                text = get_text(part, "refusal" if text_kind is ItemTextKind.REFUSAL else "text")
                yield (text_kind, number), text


_KINDS = {kind.value: kind for kind in ItemKind}

_TEXTS: dict[str, tuple[ItemKind, ItemTextKind, str]] = {
    "response.output_text": (ItemKind.MESSAGE, ItemTextKind.TEXT, "content_index"),
    "response.refusal": (ItemKind.MESSAGE, ItemTextKind.REFUSAL, "content_index"),
    "response.function_call_arguments": (ItemKind.CALL, ItemTextKind.ARGUMENTS, ""),
    "response.reasoning_summary_text": (ItemKind.REASONING, ItemTextKind.SUMMARY, "summary_index"),
    "response.reasoning_text": (ItemKind.REASONING, ItemTextKind.THINKING, "content_index"),
}
"""Item kind, text kind and index field by event name, less `.delta` or `.done`."""

_WHOLES = {ItemTextKind.REFUSAL: "refusal", ItemTextKind.ARGUMENTS: "arguments"}
"""Fields of the text in a `.done` event, if not `text`."""


class ResponsesStreamReader(StreamReader):
    """Reader of one Responses stream."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        super().__init__(request, server, origin, new_id)
        self._items = OutputItems()
        self._text_stream = _DeltaStream(TextDelta)
        self._thinking_stream = _DeltaStream(ThinkingDelta)
        self._status = ""
        self._reason = ""

    @property
    def is_ended(self) -> bool:
        """True once the model has ended its message; only usage may still come."""
        return bool(self._status)

    @property
    def is_complete(self) -> bool:
        """True once no part of the message can be missing, even if the stream breaks."""
        return self._status in _GOOD_ENDS

    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield text that was held back, then Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._thinking_stream.finish()
        yield from self._text_stream.finish()
        self._check_end()
        yield self._completed()

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        name = get_text(chunk, "type")
        stem, _, ending = name.rpartition(".")
        if text := _TEXTS.get(stem):
            yield from self._text(chunk, *text, whole=ending == "done")
        elif stem == "response.output_item":
            yield from self._item(chunk, done=ending == "done")
        elif name == "error" or (not name and get_member(chunk, "error")):
            raise self._sent_error(chunk)
        elif stem == "response":
            yield from self._response(get_member(chunk, "response"), ending)
        elif not name:
            # A server that does not stream sends the whole response.
            yield from self._response(chunk, "")

    def _text(
        self, event: object, kind: ItemKind, text_kind: ItemTextKind, number: str, *, whole: bool
    ) -> Iterator[StreamEvent]:
        item_id, index = get_text(event, "item_id"), get_member(event, "output_index")
        item = self._items.about(kind, item_id, index) or self._items.begin(kind, item_id, index)
        key = (text_kind, get_count(event, number))
        if whole:
            text = item.complete(
                key, arguments_text(get_member(event, _WHOLES.get(text_kind, "text")))
            )
        else:
            text = get_text(event, "delta")
            item.add(key, text)
        yield from self._shown(item, key, text)

    def _item(self, event: object, *, done: bool) -> Iterator[StreamEvent]:
        value, index = get_member(event, "item"), get_member(event, "output_index")
        kind, item_id = _KINDS.get(get_text(value, "type")), get_text(value, "id")
        if kind is None:
            return
        item = self._items.about(kind, item_id, index) if done else None
        if item is None or (item.done and (item.id, item.index) != (item_id, index)):
            item = self._items.begin(kind, item_id, index)
        yield from self._update(item, value)
        if done:
            yield from self._completed_texts(item, value)

    def _update(self, item: OutputItem, value: object) -> Iterator[StreamEvent]:
        known = bool(item.name)
        update_item(item, value)
        if item.kind is ItemKind.CALL and item.name and not known:
            yield ToolCallStarted(item.name)

    def _completed_texts(self, item: OutputItem, value: object) -> Iterator[StreamEvent]:
        # Encrypted content may be incomplete until the item is done.
        item.encrypted = repair_surrogates(get_text(value, ENCRYPTED_CONTENT)) or item.encrypted
        for key, whole in texts_of(item.kind, value):
            yield from self._shown(item, key, item.complete(key, whole))
        item.done = True

    def _response(self, response: object, ending: str) -> Iterator[StreamEvent]:
        status = get_text(response, "status")
        status = status if status in _ENDS else ending
        if status not in _ENDS:
            return
        self._status = status
        self._reason = get_text(get_member(response, "incomplete_details"), "reason")
        self._usage = _usage(response) or self._usage
        if status in _FAILURES:
            raise self._sent_error(get_member(response, "error"))
        yield from self._last(get_items(response, "output"))

    def _last(self, output: Iterable[object]) -> Iterator[StreamEvent]:
        """Read the final response for whatever no event before it brought."""
        taken: list[OutputItem] = []
        for index, value in enumerate(output):
            kind = _KINDS.get(get_text(value, "type"))
            if kind is None:
                continue
            item = self._items.matching(kind, value, taken)
            item = item or self._items.begin(kind, get_text(value, "id"), index)
            item.index = index
            taken.append(item)
            yield from self._update(item, value)
            yield from self._completed_texts(item, value)

    def _shown(self, item: OutputItem, key: TextKey, text: str) -> Iterator[StreamEvent]:
        match key[0]:
            case ItemTextKind.TEXT:
                yield from self._text_stream.append(item, 0, text)
            case ItemTextKind.SUMMARY | ItemTextKind.THINKING:
                yield from self._thinking_stream.append(item, key[1], text)
            case ItemTextKind.REFUSAL | ItemTextKind.ARGUMENTS:
                pass

    def _check_end(self) -> None:
        messages, calls = self._items.of(ItemKind.MESSAGE), self._items.of(ItemKind.CALL)
        refusal = "".join(message.text(ItemTextKind.REFUSAL) for message in messages)
        if refusal or self._reason == "content_filter":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=self._reason)
        if not self._status or (self._status == "incomplete" and self._reason not in _LENGTH):
            detail = f"{self._status or 'no end'} {self._reason}"
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail=detail)
        has_content = calls or any(message.shown for message in messages)
        if not has_content and self._status == "completed":
            self._check_answered()

    def _completed(self) -> Completed:
        parts = tuple(part for item in self._items if (part := self._part(item)))
        message = Message(Role.ASSISTANT, parts, origin=self._origin)
        if self._status == "incomplete":
            return Completed(message, StopReason.LENGTH, self._usage)
        stop = StopReason.TOOL_CALLS if message.tool_calls else StopReason.END
        return Completed(message, stop, self._usage)

    def _part(self, item: OutputItem) -> MessagePart | None:
        shown = "".join(item.shown)
        match item.kind:
            case ItemKind.MESSAGE:
                return Text(shown, item.meta) if shown else None
            case ItemKind.REASONING:
                return Thinking(shown, item.meta) if shown or item.encrypted else None
            case ItemKind.CALL:
                return ToolCall(
                    valid_call_id(item.call_id or item.id, self._call_ids, self._new_id),
                    item.name,
                    item.text(ItemTextKind.ARGUMENTS).strip() or "{}",
                )


class _DeltaStream:
    """Visible stream of text or thinking, in whole characters."""

    def __init__(self, event: type[TextDelta] | type[ThinkingDelta]) -> None:
        self._event = event
        self._joiner = SurrogateJoiner()
        self._current: tuple[OutputItem, int] | None = None

    def append(self, item: OutputItem, number: int, text: str) -> Iterator[StreamEvent]:
        """Append text of an item; start a paragraph where the item or the text changes."""
        if not text:
            return
        if self._current != (item, number):
            if self._current is not None:
                yield from self.finish()
                text = PARAGRAPH + text
            self._current = (item, number)
        yield from self._show(self._joiner.feed(text))

    def finish(self) -> Iterator[StreamEvent]:
        """Yield text that was held back."""
        yield from self._show(self._joiner.finish())

    def _show(self, text: str) -> Iterator[StreamEvent]:
        if text and self._current is not None:
            self._current[0].shown.append(text)
            yield self._event(text)


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


@dataclass(frozen=True, slots=True)
class ResponsesFormat:
    """Implements WireFormat for any server with `POST responses`."""

    settings: ProviderSettings

    def connect(self, server: Server) -> Connection:
        """Import OpenAI's SDK and build its client; blocks for up to a second."""
        return connect_responses(server)

    def body(self, request: Request, server: Server, origin: str) -> JsonObject:
        """Render the body of `POST responses`."""
        return responses_body(request, origin, server.model, self.settings)

    def reader(self, request: Request, server: Server, origin: str, new_id: NewId) -> StreamReader:
        """Return a reader for the answer to that request."""
        return ResponsesStreamReader(request, server, origin, new_id)
