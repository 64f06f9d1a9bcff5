"""A streamed answer in the Messages format, read event by event into StreamEvents.

Follows the API reference "Streaming messages" and "Handling stop reasons", and what
servers send instead: pings, errors in mid-stream, a whole message, no usage.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from todo_tui.domain.clock import NewId
from todo_tui.domain.conversation import Message, Role, ToolCall
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.request import Completed, Request, StopReason, StreamEvent, TextDelta
from todo_tui.domain.usage import Usage
from todo_tui.providers.complaints import read_complaint
from todo_tui.providers.failures import complained
from todo_tui.providers.foreign import count_of, items_of, member, text_of
from todo_tui.providers.messages.blocks import (
    Block,
    RedactedBlock,
    TextBlock,
    ThinkingBlock,
    ToolUseBlock,
)
from todo_tui.providers.messages.payload import prefix_mark
from todo_tui.providers.server import Server

_STILL_WRITING = TextDelta("")
"""Says that an event came, where none of it is to be seen: the stream is not silent."""
_FULL = "model_context_window_exceeded"
_LENGTH = ("max_tokens", _FULL)
_COUNTS = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)
_KINDS = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "tool_use"}
"""Which block a delta is of."""


class MessagesAnswer:
    """Takes the events of one answer; yields its deltas and, at last, the whole message."""

    def __init__(self, request: Request, server: Server, origin: str, new_id: NewId) -> None:
        self._request = request
        self._server = server
        self._origin = origin
        self._new_id = new_id
        self._taken = {call.id for message in request.messages for call in message.tool_calls}
        self._blocks: list[Block] = []
        self._open: dict[int, Block | None] = {}
        self._counts: dict[str, int] = {}
        self._stop = ""
        self._refusal = ""
        self._over = False

    @property
    def ended(self) -> bool:
        """Whether the model has said that this was all; only counts may still come."""
        return self._over

    @property
    def complete(self) -> bool:
        """Whether nothing of the message can be missing, whatever becomes of the stream."""
        return self._over and bool(self._stop)

    @property
    def usage(self) -> Usage | None:
        """What the server has counted so far; None where it counted nothing."""
        counts = self._counts
        if not any(counts.values()):
            return None
        read, written = counts["cache_read_input_tokens"], counts["cache_creation_input_tokens"]
        return Usage(
            input_tokens=counts["input_tokens"] + read + written,
            cached_tokens=read,
            output_tokens=counts["output_tokens"],
            thinking_tokens=counts["thinking_tokens"],
            cache_written_tokens=written,
        )

    def feed(self, chunk: object) -> Iterator[StreamEvent]:
        """Read one event, or a whole message; each yields something, so that silence can be told.

        Raises:
            ProviderError: it says that the stream failed.
        """
        if error := member(chunk, "error"):
            raise complained(read_complaint(error, headers={}), self._server, detail=str(error))
        yield from tuple(self._read(chunk)) or (_STILL_WRITING,)

    def finish(self) -> Iterator[StreamEvent]:
        """The stream has ended: the one Completed.

        Raises:
            ProviderError: the answer is not complete, was refused or is empty.
        """
        yield from self._close()
        self._check_end()
        yield self._completed()

    def salvage(self, error: ProviderError) -> Iterator[StreamEvent]:
        """Nothing is to be made of a stream that failed.

        Raises:
            ProviderError: always; it is the error itself.
        """
        raise error

    def _read(self, event: object) -> Iterator[StreamEvent]:
        match text_of(event, "type"):
            case "message_start":
                self._count(member(event, "message"))
            case "content_block_start":
                yield from self._begin(count_of(event, "index"), member(event, "content_block"))
            case "content_block_delta":
                yield from self._go_on(count_of(event, "index"), member(event, "delta"))
            case "content_block_stop":
                block = self._open.pop(count_of(event, "index"), None)
                if block is not None:
                    yield from block.finish()
            case "message_delta":
                self._end(member(event, "delta"))
                self._count(event)
            case "message_stop":
                self._over = True
            case "message":
                yield from self._whole(event)
            case _:
                pass

    def _begin(self, index: int, beginning: object) -> Iterator[StreamEvent]:
        block = self._open[index] = self._block(text_of(beginning, "type"))
        if block is not None:
            self._blocks.append(block)
            yield from block.feed(beginning)

    def _go_on(self, index: int, delta: object) -> Iterator[StreamEvent]:
        if index not in self._open:
            # No word is lost of a server that spares the beginning.
            kind = _KINDS.get(text_of(delta, "type"), "")
            yield from self._begin(index, {"type": kind})
        block = self._open[index]
        if block is not None:
            yield from block.feed(delta)

    def _block(self, kind: str) -> Block | None:
        """An empty block of that kind; None for those of tools that run at the server."""
        match kind:
            case "text":
                return TextBlock()
            case "thinking":
                return ThinkingBlock(lambda: self._mark)
            case "redacted_thinking":
                return RedactedBlock(lambda: self._mark)
            case "tool_use":
                return ToolUseBlock(self._taken, self._new_id)
            case _:
                return None

    def _whole(self, message: object) -> Iterator[StreamEvent]:
        """A server that does not stream sends its message in one piece."""
        for beginning in items_of(message, "content"):
            yield from self._begin(0, beginning)
            yield from self._close()
        self._end(message)
        self._count(message)
        self._over = True

    def _close(self) -> Iterator[StreamEvent]:
        """No more of any block is to come."""
        for block in self._open.values():
            if block is not None:
                yield from block.finish()
        self._open.clear()

    def _end(self, ending: object) -> None:
        self._stop = text_of(ending, "stop_reason") or self._stop
        details = member(ending, "stop_details")
        self._refusal = text_of(details, "explanation") or text_of(details, "category")

    def _count(self, bearer: object) -> None:
        usage = member(bearer, "usage")
        thinking = member(usage, "output_tokens_details")
        # All counts are cumulative, and some servers know them at one end of the stream only.
        for name, count in (
            *((name, count_of(usage, name)) for name in _COUNTS),
            ("thinking_tokens", count_of(thinking, "thinking_tokens")),
        ):
            self._counts[name] = max(count, self._counts.get(name, 0))

    @cached_property
    def _mark(self) -> str:
        return prefix_mark(self._request)

    def _check_end(self) -> None:
        if self._stop == "refusal":
            raise self._server.error(ProviderErrorKind.REFUSED, reason=self._refusal)
        if not self._stop or not self._over:
            raise self._server.error(ProviderErrorKind.TRUNCATED, detail=f"stop: {self._stop}")
        if self._said or self._stop in ("max_tokens", "pause_turn"):
            return
        if self._stop == _FULL:
            raise self._server.error(ProviderErrorKind.CONTEXT_TOO_LONG, detail=self._stop)
        if self._request.messages and self._request.messages[-1].role is Role.USER:
            raise self._server.error(
                ProviderErrorKind.MALFORMED, message="{label} sent an empty answer"
            )

    @property
    def _said(self) -> bool:
        """Whether there are words or calls, not thinking alone."""
        return any(
            isinstance(block, ToolUseBlock) or (isinstance(block, TextBlock) and block.part())
            for block in self._blocks
        )

    def _completed(self) -> Completed:
        parts = tuple(part for block in self._blocks if (part := block.part()) is not None)
        calls = any(isinstance(part, ToolCall) for part in parts)
        message = Message(Role.ASSISTANT, parts, origin=self._origin)
        if self._stop in _LENGTH:
            stop = StopReason.LENGTH
        elif calls:
            stop = StopReason.TOOL_CALLS
        elif self._stop == "pause_turn":
            stop = StopReason.PAUSED
        else:
            stop = StopReason.END
        return Completed(message, stop, self.usage)
