"""Stream reader: puts the streamed pieces of an answer together, and checks that it is complete."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
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
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolMode,
    Usage,
)
from todo_tui.domain.text import repair_surrogates
from todo_tui.providers.errors import parse_error_body, provider_error_from
from todo_tui.providers.json_values import JsonObject, parse_json_object
from todo_tui.providers.server import Server
from todo_tui.providers.wire_formats.answer_marks import (
    AnswerMarks,
    AnswerPiece,
    ReclassifiedThinking,
)
from todo_tui.providers.wire_formats.tool_calls import distinct_parts


@dataclass(slots=True, eq=False)
class TextDraft:
    """Consecutive text or thinking of an answer, as far as received.

    Without `marks` it is thinking.
    """

    marks: AnswerMarks | None = None
    """Finder of thinking, marks and printed calls in the text; None for thinking."""
    meta: JsonObject = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    lead: str = ""
    """Separator to show before its first text."""
    _thinking: list[str] = field(default_factory=list)
    """Thinking that the text of an answer contained."""
    _half: str = ""
    """High surrogate at the end of the last delta, which waits for its other half."""

    @property
    def is_thinking(self) -> bool:
        """True for thinking."""
        return self.marks is None

    def append(self, text: str) -> Iterator[TextDelta | ThinkingDelta]:
        """Append a delta; yield what can be shown now."""
        text, self._half = self._half + text, ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        if text:
            yield from self._read(repair_surrogates(text))

    def finish(self) -> Iterator[TextDelta | ThinkingDelta]:
        """Yield the rest: half a character, replaced, and what might have become a mark."""
        rest, self._half = repair_surrogates(self._half), ""
        if rest:
            yield from self._read(rest)
        if self.marks is not None:
            yield from self._sort(self.marks.finish())

    def _read(self, text: str) -> Iterator[TextDelta | ThinkingDelta]:
        if self.marks is not None:
            yield from self._sort(self.marks.feed(text))
        else:
            self.pieces.append(text)
            yield ThinkingDelta(text)

    def _sort(self, answer: Iterable[AnswerPiece]) -> Iterator[TextDelta | ThinkingDelta]:
        for piece in answer:
            if isinstance(piece, ReclassifiedThinking):
                # The text that was shown is replaced with the whole message.
                self._thinking += self.pieces
                self.pieces.clear()
            elif isinstance(piece, ThinkingDelta):
                self._thinking.append(piece.text)
                yield piece
            else:
                text = piece.text if self.pieces else self.lead + piece.text
                self.pieces.append(text)
                yield TextDelta(text)

    @property
    def parts(self) -> Iterator[Text | Thinking]:
        """Parts of the message: thinking that was found in the text, then the draft itself."""
        if thinking := "".join(self._thinking).strip():
            yield Thinking(thinking)
        text = "".join(self.pieces)
        if self.marks is None and (text or self.meta):
            yield Thinking(text, self.meta)
        elif text:
            yield Text(text, self.meta)


class StreamReader(ABC):
    """Reader of one streamed answer: yields deltas, then Completed with the whole message."""

    def __init__(self, request: Request, server: Server, origin: str) -> None:
        self.is_ended = False
        """True once the model has ended its message; only usage may still come."""
        self.is_complete = False
        """True once no part of the message can be missing, even if the stream breaks."""
        self.has_end_marker = False
        """True once the server sent `[DONE]`, which ends a stream that names no stop reason."""
        self.usage: Usage | None = None
        """Tokens reported so far; None if the server reported none."""
        self._request = request
        self._server = server
        self._origin = origin
        self._tool_names = {tool.name for tool in request.tools}
        self._texts: list[TextDraft] = []
        """Drafts of text, in which a printed call may be found."""

    def read(self, event: object) -> Iterator[StreamEvent]:
        """Read one event of the server, or a list of them; yield at least one event.

        An empty delta stands for an event without visible content, so that the stream does
        not count as silent.

        Raises:
            ProviderError: the event says that the stream failed.
        """
        events = event if isinstance(event, list) else [event]
        yield from [delta for one in events for delta in self._read(one)] or (TextDelta(""),)

    def finish(self) -> Iterator[StreamEvent]:
        """End the stream: yield text that was held back, then Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._flush()
        stop, parts = self._stop_reason(), distinct_parts(self._parts(), self._tool_names)
        self._check_answer(stop, parts)
        yield self._completed(parts, stop or StopReason.END)

    def _check_answer(self, stop: StopReason | None, parts: tuple[MessagePart, ...]) -> None:
        calls = [part for part in parts if isinstance(part, ToolCall)]
        has_text = any(isinstance(part, Text) for part in parts)
        has_printed = any(each.marks and each.marks.has_printed_call for each in self._texts)
        if stop is None:
            is_whole = all(parse_json_object(call.arguments) is not None for call in calls)
            if not (self.has_end_marker and is_whole and (calls or has_text or has_printed)):
                raise self._server.error(ProviderErrorKind.TRUNCATED, detail="no stop reason")
        # After tool results an empty answer is allowed.
        answers_user = self._request.messages and self._request.messages[-1].role is Role.USER
        is_allowed = self._request.tool_choice is ToolMode.NONE and (has_text or not answers_user)
        # Some servers parse a printed call and leave it in the text too.
        if has_printed and not calls and not is_allowed:
            raise self._server.error(
                ProviderErrorKind.TOOLS_UNSUPPORTED,
                message="{model} wrote a tool call as text, so it was not run",
            )
        has_thinking = any(isinstance(part, Thinking) and part.text for part in parts)
        if stop is StopReason.END and answers_user and not (calls or has_text or has_thinking):
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Recover a message from a failed stream, if possible; yield Completed last.

        Raises:
            ProviderError: the error itself, if nothing can be recovered.
        """
        raise error

    @abstractmethod
    def _read(self, event: object) -> Iterator[StreamEvent]:
        """Read one event."""

    @abstractmethod
    def _flush(self) -> Iterator[StreamEvent]:
        """Yield text that was held back."""

    @abstractmethod
    def _stop_reason(self) -> StopReason | None:
        """Return why the model stopped; END also for tool calls; None if the server did not say.

        Raises:
            ProviderError: the answer is not complete, or was refused.
        """

    @abstractmethod
    def _parts(self) -> Iterable[MessagePart]:
        """Return the parts of the message, none of them empty, calls as the server sent them."""

    def _new_text(self) -> TextDraft:
        """Return a draft of text of the answer."""
        self._texts.append(TextDraft(AnswerMarks(self._tool_names)))
        return self._texts[-1]

    def _completed(self, parts: tuple[MessagePart, ...], stop: StopReason) -> Completed:
        message = Message(Role.ASSISTANT, parts, origin=self._origin)
        if stop is StopReason.END and message.tool_calls:
            stop = StopReason.TOOL_CALLS
        return Completed(message, stop, self.usage)

    def _sent_error(self, error: object) -> ProviderError:
        return provider_error_from(
            parse_error_body(error, headers={}), self._server, detail=str(error)
        )
