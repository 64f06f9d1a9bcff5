"""A streamed answer of generateContent, read chunk by chunk into StreamEvents.

Follows the API reference "GenerateContentResponse". Calls come whole, words and
thoughts in pieces, a signature with any part or with an empty one after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

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
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.providers.complaints import read_complaint
from todo_tui.providers.failures import complained
from todo_tui.providers.foreign import count_of, items_of, member, text_of
from todo_tui.providers.gemini.parts import CONTINUATION, GIVEN_ID, SIGNATURE
from todo_tui.providers.server import Server
from todo_tui.providers.surrogates import SurrogateJoiner
from todo_tui.providers.tool_arguments import call_id

_Kind = ProviderErrorKind

_STILL_WRITING = TextDelta("")
"""Says that a chunk came, where none of it is to be seen: the stream is not silent."""
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
    "": _Kind.TRUNCATED,
}
"""Whatever is in neither table is a reason to withhold the answer: `SAFETY`, `RECITATION`, …"""


@dataclass(slots=True)
class _Passage:
    """Words or thoughts one after the other, up to a signature."""

    thought: bool
    words: list[str] = field(default_factory=list)
    joiner: SurrogateJoiner = field(default_factory=SurrogateJoiner)
    meta: dict[str, JsonValue] = field(default_factory=dict)

    def hear(self, text: str) -> Iterator[StreamEvent]:
        """What can be shown of it."""
        if text:
            self.words.append(text)
            yield ThinkingDelta(text) if self.thought else TextDelta(text)

    @property
    def part(self) -> Text | Thinking:
        """As it is kept."""
        words = "".join(self.words)
        return Thinking(words, self.meta) if self.thought else Text(words, self.meta)


class GeminiAnswer:
    """Takes the chunks of one answer; yields its deltas and, at last, the whole message."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        self._request = request
        self._server = server
        self._origin = origin
        self._new_id = new_id
        self._taken = {call.id for message in request.messages for call in message.tool_calls}
        self._drafts: list[_Passage | ToolCall] = []
        self._finish = ""
        self._remark = ""
        self._continuation = ""
        self._usage: Usage | None = None

    @property
    def ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        return bool(self._finish)

    @property
    def complete(self) -> bool:
        """Whether nothing of the message can be missing, whatever becomes of the stream."""
        # Each chunk may have a reason to finish, and one more behind it.
        return False

    @property
    def usage(self) -> Usage | None:
        """What the server has counted so far; None where it counted nothing."""
        return self._usage

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one chunk, or a list of them; each yields at least one event.

        Raises:
            ProviderError: it says that the stream failed, or that the request is refused.
        """
        chunks = chunk if isinstance(chunk, list) else [chunk]
        events = [event for each in chunks for event in self._read(each)]
        yield from events or (_STILL_WRITING,)

    def finish(self) -> Iterator[StreamEvent]:
        """The stream has ended: what was held back, and the one Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._closed()
        stop = _STOPS.get(self._finish)
        if stop is None:
            kind = _FAILURES.get(self._finish, _Kind.REFUSED)
            raise self._failed(kind, self._finish)
        message = Message(Role.ASSISTANT, self._parts(), origin=self._origin)
        asked = self._request.messages and self._request.messages[-1].role is Role.USER
        if stop is StopReason.END and asked and not (message.text or message.tool_calls):
            raise self._server.error(_Kind.MALFORMED, message="{label} sent an empty answer")
        if stop is StopReason.END and message.tool_calls:
            stop = StopReason.TOOL_CALLS
        yield Completed(message, stop, self._usage)

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Nothing can be made of a stream that failed.

        Raises:
            ProviderError: the error itself.
        """
        raise error

    def _parts(self) -> tuple[Part, ...]:
        parts: list[Text | Thinking | ToolCall] = [
            each.part if isinstance(each, _Passage) else each for each in self._drafts
        ]
        if self._continuation and parts:
            meta = {**parts[-1].meta, CONTINUATION: self._continuation}
            parts[-1] = replace(parts[-1], meta=meta)
        return tuple(parts)

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        self._check(chunk)
        self._usage = _usage(member(chunk, "usageMetadata")) or self._usage
        for candidate in items_of(chunk, "candidates")[:1]:
            for part in items_of(member(candidate, "content"), "parts"):
                yield from self._part(part)
            self._finish = text_of(candidate, "finishReason").upper() or self._finish
            self._remark = text_of(candidate, "finishMessage") or self._remark
            token = whole_characters(text_of(candidate, "continuationToken"))
            self._continuation = token or self._continuation

    def _part(self, part: object) -> Iterator[StreamEvent]:
        signature = whole_characters(text_of(part, "thoughtSignature"))
        call = member(part, "functionCall")
        if isinstance(call, Mapping):
            yield from self._closed()
            yield self._called(call, signature)
            return
        thought = member(part, "thought") is True
        passage = self._drafts[-1] if self._drafts else None
        goes_on = isinstance(passage, _Passage) and passage.thought is thought
        text = text_of(part, "text")
        if not isinstance(passage, _Passage) or not goes_on or SIGNATURE in passage.meta:
            if not text:
                return
            yield from self._closed()
            passage = _Passage(thought)
            self._drafts.append(passage)
        yield from passage.hear(passage.joiner.feed(text))
        if signature:
            passage.meta[SIGNATURE] = signature

    def _closed(self) -> Iterator[StreamEvent]:
        """The half of a character that the last passage still waited with."""
        if self._drafts and isinstance(self._drafts[-1], _Passage):
            yield from self._drafts[-1].hear(self._drafts[-1].joiner.finish())

    def _called(self, call: Mapping[str, object], signature: str) -> StreamEvent:
        name = whole_characters(text_of(call, "name"))
        given = text_of(call, "id")
        meta: dict[str, JsonValue] = {SIGNATURE: signature} if signature else {}
        if given:
            meta[GIVEN_ID] = whole_characters(given)
        own_id = call_id(given, self._taken, self._new_id)
        self._drafts.append(ToolCall(own_id, name, _arguments(call.get("args")), meta))
        return ToolCallStarted(name)

    def _check(self, chunk: object) -> None:
        error = member(chunk, "error")
        if error:
            complaint = read_complaint(error, headers={})
            raise complained(complaint, self._server, detail=str(error))
        blocked = text_of(member(chunk, "promptFeedback"), "blockReason")
        if blocked:
            self._remark = text_of(member(chunk, "promptFeedback"), "blockReasonMessage")
            raise self._failed(_Kind.REFUSED, blocked)

    def _failed(self, kind: ProviderErrorKind, why: str) -> ProviderError:
        reason = self._remark or why.lower().replace("_", " ") if kind is _Kind.REFUSED else ""
        return self._server.error(kind, reason=reason, detail=f"{why} {self._remark}".strip())


def _arguments(sent: object) -> str:
    """The arguments as JSON text, as they came: whether they fit is for the tools to say."""
    if isinstance(sent, str):
        return whole_characters(sent).strip() or "{}"
    return "{}" if sent is None else whole_characters(json.dumps(sent, ensure_ascii=False))


def _usage(reported: object) -> Usage | None:
    thinking = count_of(reported, "thoughtsTokenCount")
    asked = count_of(reported, "promptTokenCount") + count_of(reported, "toolUsePromptTokenCount")
    answered = count_of(reported, "candidatesTokenCount") + thinking
    if not asked and not answered:
        return None
    return Usage(asked, count_of(reported, "cachedContentTokenCount"), answered, thinking)
