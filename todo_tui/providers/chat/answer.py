"""A streamed answer in the OpenAI chat format, read chunk by chunk into StreamEvents.

Follows the API reference "The chat completion chunk object", and what servers
send instead: null choices, reasoning in two fields, refusals, usage in several
places, and no finish reason at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from todo_tui.domain.clock import NewId
from todo_tui.domain.conversation import Message, Meta, Part, Role, Text, Thinking, ToolCall
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.request import (
    Completed,
    Request,
    StopReason,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
    ToolMode,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.usage import Usage
from todo_tui.providers.chat.dialects import Dialect
from todo_tui.providers.chat.printed_answer import Piece, PrintedAnswer, SecondThoughts, Thought
from todo_tui.providers.chat.printed_calls import CallReader, PrintedCall, is_told
from todo_tui.providers.chat.tool_calls import EXTRA, ToolCallAssembler
from todo_tui.providers.complaints import Complaint, read_complaint
from todo_tui.providers.context_text import spoken
from todo_tui.providers.failures import complained, complaint_of
from todo_tui.providers.foreign import (
    count_of,
    items_of,
    json_object,
    member,
    text_of,
    whole_value,
)
from todo_tui.providers.server import Server
from todo_tui.providers.surrogates import SurrogateJoiner
from todo_tui.providers.tool_arguments import call_id

_STILL_WRITING = TextDelta("")
"""Says that a chunk came, where none of it is to be seen yet: the stream is not silent."""
_LENGTH = ("length", "max_tokens", "max_output_tokens")
_REFUSALS = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii")


class ChatAnswer:
    """Takes the chunks of one answer; yields its deltas and, at last, the whole message."""

    def __init__(
        self, request: Request, dialect: Dialect, server: Server, origin: str, new_id: NewId
    ) -> None:
        self._request = request
        self._dialect = dialect
        self._origin = origin
        self._server = server
        self._new_id = new_id
        self._printed = _printed_answer(request, dialect)
        self._joiner = SurrogateJoiner()
        self._thought_joiner = SurrogateJoiner()
        self._calls = ToolCallAssembler()
        self._words: list[str] = []
        self._thoughts: list[str] = []
        self._refusal: list[str] = []
        self._extra: JsonValue = None
        self._finish = ""
        self._usage: Usage | None = None
        self._complaint: Complaint | None = None

    @property
    def ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        return bool(self._finish)

    @property
    def complete(self) -> bool:
        """Whether nothing of the message can be missing, whatever becomes of the stream."""
        # Gemini says with each of several calls that this was all.
        return self.ended and not self._dialect.signatures

    @property
    def usage(self) -> Usage | None:
        """What the server has counted so far; None where it counted nothing."""
        return self._usage

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one chunk, or a list of them; each yields at least one event.

        Raises:
            ProviderError: it says that the stream failed.
        """
        events: list[StreamEvent] = []
        for each in chunk if isinstance(chunk, list) else [chunk]:
            self._check(each)
            events += self._read(each)
        yield from events or (_STILL_WRITING,)

    def finish(self) -> Iterator[StreamEvent]:
        """The stream has ended: what was held back, and the one Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._heard(self._joiner.finish())
        yield from self._thought(self._thought_joiner.finish())
        if self._printed is not None:
            yield from self._shown(self._printed.finish())
        self._check_end()
        printed = self._printed.calls if self._printed else []
        for call in printed:
            yield ToolCallStarted(call.name)
        yield self._completed(printed)

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """The calls that a model wrote and Groq could not read (`tool_use_failed`).

        Raises:
            ProviderError: it says nothing of that kind.
        """
        complaint = complaint_of(error.__cause__) if error.__cause__ else self._complaint
        if complaint is None or not complaint.failed_generation:
            raise error
        printed = PrintedAnswer(CallReader(self._request.tools, any_name=True))
        for _ in (*printed.feed(complaint.failed_generation), *printed.finish()):
            pass
        if not printed.calls:
            raise error
        self._calls.drop_incomplete()
        for call in printed.calls:
            yield ToolCallStarted(call.name)
        yield self._completed(printed.calls)

    def _completed(self, printed: list[PrintedCall]) -> Completed:
        taken = {call.id for message in self._request.messages for call in message.tool_calls}
        calls = self._calls.finish(taken, self._new_id)
        # Some servers read a call out of the words and leave it there too.
        known = [(call.name, json_object(call.arguments)) for call in calls]
        printed = [
            each for each in printed if (each.name, json_object(each.arguments)) not in known
        ]
        calls += tuple(
            ToolCall(call_id("", taken, self._new_id), call.name, call.arguments)
            for call in printed
        )
        message = Message(Role.ASSISTANT, self._parts(calls), origin=self._origin)
        # A printed call was read whole: whatever length cut off came after it.
        if self._finish.lower() in _LENGTH and not printed:
            return Completed(message, StopReason.LENGTH, self._usage)
        return Completed(message, StopReason.TOOL_CALLS if calls else StopReason.END, self._usage)

    def _parts(self, calls: tuple[ToolCall, ...]) -> tuple[Part, ...]:
        meta: Meta = {EXTRA: self._extra} if self._extra else {}
        parts: list[Part] = []
        if self._thoughts:
            parts.append(Thinking("".join(self._thoughts)))
        if self._words:
            parts.append(Text("".join(self._words), {} if calls else meta))
        if calls and EXTRA not in calls[0].meta:
            calls = (replace(calls[0], meta={**calls[0].meta, **meta}), *calls[1:])
        return (*parts, *calls)

    def _read(self, chunk: object) -> Iterator[StreamEvent]:
        self._usage = _usage(chunk) or self._usage
        for choice in items_of(chunk, "choices")[:1]:
            # A server that does not stream sends the whole message in place of a delta.
            yield from self._delta(member(choice, "delta") or member(choice, "message"))
            self._finish = text_of(choice, "finish_reason") or self._finish

    def _delta(self, delta: object) -> Iterator[StreamEvent]:
        yield from self._thought(
            self._thought_joiner.feed(
                text_of(delta, "reasoning") or text_of(delta, "reasoning_content")
            )
        )
        yield from self._heard(self._joiner.feed(_content(delta)))
        self._refusal.append(text_of(delta, "refusal"))
        extra = member(delta, EXTRA)
        if isinstance(extra, Mapping) and extra:
            self._extra = whole_value(extra)
        older = member(delta, "function_call")
        # Older servers know one call an answer, under another name; some send both.
        fragments = items_of(delta, "tool_calls") or ([{"function": older}] if older else [])
        for fragment in fragments:
            name = self._calls.feed(fragment)
            if name:
                yield ToolCallStarted(name)

    def _heard(self, text: str) -> Iterator[StreamEvent]:
        if not text:
            return
        if self._printed is None:
            self._words.append(text)
            yield TextDelta(text)
            return
        yield from self._shown(self._printed.feed(text))

    def _thought(self, text: str) -> Iterator[StreamEvent]:
        if text:
            self._thoughts.append(text)
            yield ThinkingDelta(text)

    def _shown(self, pieces: Iterable[Piece]) -> Iterator[StreamEvent]:
        for piece in pieces:
            if isinstance(piece, SecondThoughts):
                # What was shown as words is taken back with the whole message.
                self._thoughts += self._words
                self._words = []
            elif isinstance(piece, Thought):
                yield from self._thought(piece.text)
            else:
                self._words.append(piece.text)
                yield TextDelta(piece.text)

    def _check(self, chunk: object) -> None:
        error = member(chunk, "error") or member(member(chunk, "x_groq"), "error")
        if text_of(chunk, "object") == "error":
            # vLLM and Mistral send the error itself.
            error = chunk
        if error:
            self._complaint = complaint = read_complaint(error, headers={})
            raise complained(complaint, self._server, detail=str(error))

    def _check_end(self) -> None:
        finish = self._finish.lower()
        refusal = "".join(self._refusal)
        if refusal or finish in _REFUSALS:
            raise self._server.error(ProviderErrorKind.REFUSED, reason=refusal, detail=finish)
        if "malformed" in finish or finish == "error":
            raise self._server.error(ProviderErrorKind.MALFORMED, detail=f"finish reason {finish}")
        if not finish:
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail="no finish reason")
        said = self._words or self._calls or (self._printed is not None and self._printed.calls)
        asked = self._request.messages and self._request.messages[-1].role is Role.USER
        if not said and asked and finish not in _LENGTH:
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )


def _printed_answer(request: Request, dialect: Dialect) -> PrintedAnswer | None:
    if not dialect.prints_calls:
        return None
    # Without offered tools nothing is a call, but thoughts are still thoughts.
    offered = () if request.tool_choice is ToolMode.NONE else request.tools
    return PrintedAnswer(CallReader(offered, told=lambda text: is_told(text, _told(request))))


def _told(request: Request) -> tuple[str, ...]:
    """What the model was told that others wrote: words of people, and titles in results."""
    texts = [spoken(message) for message in request.messages if message.role is Role.USER]
    results = (result for message in request.messages for result in message.tool_results)
    return (*texts, *(result.content for result in results))


def _content(delta: object) -> str:
    """The words of a delta; some servers send a list of parts."""
    parts = items_of(delta, "content")
    return "".join(text_of(part, "text") for part in parts) or text_of(delta, "content")


def _usage(chunk: object) -> Usage | None:
    reported = member(chunk, "usage") or member(member(chunk, "x_groq"), "usage")
    asked = count_of(reported, "prompt_tokens")
    answered = count_of(reported, "completion_tokens")
    if not asked and not answered:
        return None
    thinking = count_of(member(reported, "completion_tokens_details"), "reasoning_tokens")
    # Gemini leaves thoughts out of the completion and counts them in the total alone.
    apart = count_of(reported, "total_tokens") - asked - answered
    if apart > 0:
        answered, thinking = answered + apart, max(thinking, apart)
    cached = (
        count_of(member(reported, "prompt_tokens_details"), "cached_tokens")
        or count_of(reported, "prompt_cache_hit_tokens")  # DeepSeek
        or count_of(reported, "cached_tokens")  # Kimi
    )
    return Usage(asked, cached, answered, thinking)
