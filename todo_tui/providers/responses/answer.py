"""A streamed answer in the Responses format, read event by event into StreamEvents.

Follows the API reference "Streaming events"; see `items` for what servers leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from todo_tui.domain.clock import NewId
from todo_tui.domain.conversation import Message, Part, Role, Text, Thinking, ToolCall
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.request import (
    Completed,
    Request,
    StopReason,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
)
from todo_tui.domain.text import whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.providers.complaints import read_complaint
from todo_tui.providers.failures import complained
from todo_tui.providers.foreign import count_of, items_of, member, text_of
from todo_tui.providers.responses.items import (
    Item,
    Items,
    Kind,
    Piece,
    Place,
    arguments_text,
    learn,
    texts_of,
)
from todo_tui.providers.responses.payload import PARAGRAPH, SEALED
from todo_tui.providers.server import Server
from todo_tui.providers.surrogates import SurrogateJoiner
from todo_tui.providers.tool_arguments import call_id

_STILL_WRITING = (TextDelta(""),)
"""Says that an event came, where none of it is to be seen yet: the stream is not silent."""
_FAILURES = ("failed", "cancelled")
_GOOD_ENDS = ("completed", "incomplete")
_ENDS = (*_GOOD_ENDS, *_FAILURES)
_LENGTH = ("max_output_tokens", "max_tokens", "length")
_KINDS = {kind.value: kind for kind in Kind}
_TEXTS: dict[str, tuple[Kind, Piece, str]] = {
    "response.output_text": (Kind.MESSAGE, Piece.WORDS, "content_index"),
    "response.refusal": (Kind.MESSAGE, Piece.REFUSAL, "content_index"),
    "response.function_call_arguments": (Kind.CALL, Piece.ARGUMENTS, ""),
    "response.reasoning_summary_text": (Kind.REASONING, Piece.SUMMARY, "summary_index"),
    "response.reasoning_text": (Kind.REASONING, Piece.THOUGHT, "content_index"),
}
"""What brings text, less `.delta` or `.done`: to which item, which piece, which of several."""
_WHOLES = {Piece.REFUSAL: "refusal", Piece.ARGUMENTS: "arguments"}
"""Where a `.done` event has its text, if not under `text`."""


class ResponsesAnswer:
    """Takes the events of one answer; yields its deltas and, at last, the whole message."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        self._request = request
        self._server = server
        self._origin = origin
        self._new_id = new_id
        self._items = Items()
        self._words = _Voice(TextDelta)
        self._thoughts = _Voice(ThinkingDelta)
        self._status = ""
        self._reason = ""
        self._usage: Usage | None = None

    @property
    def ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        return bool(self._status)

    @property
    def complete(self) -> bool:
        """Whether nothing of the message can be missing, whatever becomes of the stream."""
        return self._status in _GOOD_ENDS

    @property
    def usage(self) -> Usage | None:
        """What the server has counted so far; None where it counted nothing."""
        return self._usage

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one event; each yields at least one, so that silence can be told.

        Raises:
            ProviderError: it says that the stream failed.
        """
        yield from tuple(self._read(chunk)) or _STILL_WRITING

    def finish(self) -> Iterator[StreamEvent]:
        """The stream has ended: what was held back, and the one Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._thoughts.finish()
        yield from self._words.finish()
        self._check_end()
        yield self._completed()

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Nothing can be made of a stream that failed.

        Raises:
            ProviderError: the error itself.
        """
        raise error

    def _read(self, event: object) -> Iterator[StreamEvent]:
        name = text_of(event, "type")
        stem, _, ending = name.rpartition(".")
        if text := _TEXTS.get(stem):
            yield from self._text(event, *text, whole=ending == "done")
        elif stem == "response.output_item":
            yield from self._item(event, done=ending == "done")
        elif name == "error" or (not name and member(event, "error")):
            raise complained(read_complaint(event, headers={}), self._server, detail=str(event))
        elif stem == "response":
            yield from self._response(member(event, "response"), ending)
        elif not name:
            # A server that does not stream sends the whole response.
            yield from self._response(event, "")

    def _text(
        self, event: object, kind: Kind, piece: Piece, number: str, *, whole: bool
    ) -> Iterator[StreamEvent]:
        item_id, index = text_of(event, "item_id"), member(event, "output_index")
        item = self._items.about(kind, item_id, index) or self._items.begin(kind, item_id, index)
        place = (piece, count_of(event, number))
        if whole:
            text = item.complete(place, arguments_text(member(event, _WHOLES.get(piece, "text"))))
        else:
            text = text_of(event, "delta")
            item.add(place, text)
        yield from self._shown(item, place, text)

    def _item(self, event: object, *, done: bool) -> Iterator[StreamEvent]:
        value, index = member(event, "item"), member(event, "output_index")
        kind, item_id = _KINDS.get(text_of(value, "type")), text_of(value, "id")
        if kind is None:
            return
        item = self._items.about(kind, item_id, index) if done else None
        if item is None or (item.done and (item.id, item.index) != (item_id, index)):
            item = self._items.begin(kind, item_id, index)
        yield from self._learned(item, value)
        if done:
            yield from self._completed_texts(item, value)

    def _learned(self, item: Item, value: object) -> Iterator[StreamEvent]:
        known = bool(item.name)
        learn(item, value)
        if item.kind is Kind.CALL and item.name and not known:
            yield ToolCallStarted(item.name)

    def _completed_texts(self, item: Item, value: object) -> Iterator[StreamEvent]:
        # What comes of it before it is complete may not be all of it.
        item.sealed = whole_characters(text_of(value, SEALED)) or item.sealed
        for place, whole in texts_of(item.kind, value):
            yield from self._shown(item, place, item.complete(place, whole))
        item.done = True

    def _response(self, response: object, ending: str) -> Iterator[StreamEvent]:
        status = text_of(response, "status")
        status = status if status in _ENDS else ending
        if status not in _ENDS:
            return
        self._status = status
        self._reason = text_of(member(response, "incomplete_details"), "reason")
        self._usage = _usage(response) or self._usage
        if status in _FAILURES:
            error = member(response, "error")
            raise complained(read_complaint(error, headers={}), self._server, detail=str(error))
        yield from self._last(items_of(response, "output"))

    def _last(self, output: Iterable[object]) -> Iterator[StreamEvent]:
        """Take from the last response what no event before it has brought."""
        taken: list[Item] = []
        for index, value in enumerate(output):
            kind = _KINDS.get(text_of(value, "type"))
            if kind is None:
                continue
            item = self._items.matching(kind, value, taken)
            item = item or self._items.begin(kind, text_of(value, "id"), index)
            item.index = index
            taken.append(item)
            yield from self._learned(item, value)
            yield from self._completed_texts(item, value)

    def _shown(self, item: Item, place: Place, text: str) -> Iterator[StreamEvent]:
        match place[0]:
            case Piece.WORDS:
                yield from self._words.say(item, 0, text)
            case Piece.SUMMARY | Piece.THOUGHT:
                yield from self._thoughts.say(item, place[1], text)
            case Piece.REFUSAL | Piece.ARGUMENTS:
                pass

    def _check_end(self) -> None:
        messages, calls = self._items.of(Kind.MESSAGE), self._items.of(Kind.CALL)
        refusal = "".join(message.text(Piece.REFUSAL) for message in messages)
        if refusal or self._reason == "content_filter":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=self._reason)
        if not self._status or (self._status == "incomplete" and self._reason not in _LENGTH):
            detail = f"{self._status or 'no end'} {self._reason}"
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail=detail)
        said = calls or any(message.shown for message in messages)
        asked = self._request.messages and self._request.messages[-1].role is Role.USER
        if not said and asked and self._status == "completed":
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )

    def _completed(self) -> Completed:
        taken = {call.id for message in self._request.messages for call in message.tool_calls}
        parts = tuple(part for item in self._items if (part := self._part(item, taken)))
        message = Message(Role.ASSISTANT, parts, origin=self._origin)
        if self._status == "incomplete":
            return Completed(message, StopReason.LENGTH, self._usage)
        stop = StopReason.TOOL_CALLS if message.tool_calls else StopReason.END
        return Completed(message, stop, self._usage)

    def _part(self, item: Item, taken: set[str]) -> Part | None:
        shown = "".join(item.shown)
        match item.kind:
            case Kind.MESSAGE:
                return Text(shown, item.meta) if shown else None
            case Kind.REASONING:
                return Thinking(shown, item.meta) if shown or item.sealed else None
            case Kind.CALL:
                return ToolCall(
                    call_id(item.call_id or item.id, taken, self._new_id),
                    item.name,
                    item.text(Piece.ARGUMENTS).strip() or "{}",
                )


class _Voice:
    """One of the two streams that a person sees, words or thoughts, in whole characters."""

    def __init__(self, event: type[TextDelta] | type[ThinkingDelta]) -> None:
        self._event = event
        self._joiner = SurrogateJoiner()
        self._speaking: tuple[Item, int] | None = None

    def say(self, item: Item, number: int, text: str) -> Iterator[StreamEvent]:
        """More of a text of an item; a paragraph begins where it is another than before."""
        if not text:
            return
        if self._speaking != (item, number):
            if self._speaking is not None:
                yield from self.finish()
                text = PARAGRAPH + text
            self._speaking = (item, number)
        yield from self._heard(self._joiner.feed(text))

    def finish(self) -> Iterator[StreamEvent]:
        """What was held back of the text."""
        yield from self._heard(self._joiner.finish())

    def _heard(self, text: str) -> Iterator[StreamEvent]:
        if text and self._speaking is not None:
            self._speaking[0].shown.append(text)
            yield self._event(text)


def _usage(response: object) -> Usage | None:
    reported = member(response, "usage")
    asked, answered = count_of(reported, "input_tokens"), count_of(reported, "output_tokens")
    if not asked and not answered:
        return None
    details = member(reported, "input_tokens_details")
    return Usage(
        asked,
        count_of(details, "cached_tokens"),
        answered,
        count_of(member(reported, "output_tokens_details"), "reasoning_tokens"),
        count_of(details, "cache_write_tokens"),
    )
