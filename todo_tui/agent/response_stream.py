"""Read one streamed response to its end, within timeouts and size limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCallStarted,
)

MAX_ANSWER_CHARACTERS = 400_000
"""Characters of text and thinking together: more than any model writes in one message."""

MAX_EVENTS = 200_000
"""Includes events without text, such as those while a model writes a tool call."""

OnDelta = Callable[[TextDelta | ThinkingDelta | ToolCallStarted], None]

_TIMER_SLACK = 0.05
"""Share of the timeout by which it may last longer, to save moving the timer at each event."""

_TRY_ANOTHER = "Try again, or switch to another model."


class ResponseTooLong(ProviderError):
    """The answer exceeds the limits; a retry would hardly be shorter."""

    def __init__(self, message: str) -> None:
        super().__init__(ProviderErrorKind.MALFORMED, message, hint=_TRY_ANOTHER)

    @property
    def retryable(self) -> bool:
        """False: the same model would write as much again."""
        return False


@dataclass(frozen=True, slots=True)
class StreamTimeouts:
    """Seconds without a stream event after which the model counts as stuck."""

    first: float
    """Before the first event."""
    between: float


async def read_stream(
    provider: Provider, request: Request, timeouts: StreamTimeouts, on_delta: OnDelta
) -> Completed:
    """Send the request once, pass each delta to `on_delta` and return the Completed event.

    Nothing after Completed is read.

    Raises:
        ProviderError: The stream failed or ended without Completed, or is too long.
    """
    time = asyncio.get_running_loop().time
    size = _SizeLimit()
    slack = timeouts.between * _TIMER_SLACK
    moved = float("-inf")
    try:
        async with (
            asyncio.timeout(timeouts.first) as timer,
            _closing_stream(provider.stream(request)) as stream,
        ):
            async for event in stream:
                now = time()
                if now - moved >= slack:
                    moved = now
                    timer.reschedule(now + timeouts.between + slack)
                if isinstance(event, Completed):
                    _check_size(event.message)
                    return event
                size.add(event)
                on_delta(event)
    except TimeoutError as error:
        raise ProviderError(
            ProviderErrorKind.TIMEOUT,
            "The model has been silent for too long.",
            hint=_TRY_ANOTHER,
        ) from error
    raise ProviderError(
        ProviderErrorKind.TRUNCATED,
        "The answer broke off before it was complete.",
        hint=_TRY_ANOTHER,
    )


class _SizeLimit:
    """Counts events and characters of one response."""

    def __init__(self) -> None:
        self._events = 0
        self._characters = 0

    def add(self, event: TextDelta | ThinkingDelta | ToolCallStarted) -> None:
        """Count one event.

        Raises:
            ResponseTooLong: A limit is exceeded.
        """
        self._events += 1
        if not isinstance(event, ToolCallStarted):
            self._characters += len(event.text)
        if self._characters > MAX_ANSWER_CHARACTERS or self._events > MAX_EVENTS:
            raise ResponseTooLong("The answer did not end, so it was broken off.")


def _check_size(message: Message) -> None:
    """Check the complete message too, which may differ from the sum of its deltas.

    Raises:
        ResponseTooLong: The message is too long to keep.
    """
    length = sum(len(part.text) for part in message.parts if isinstance(part, Text | Thinking))
    if length > MAX_ANSWER_CHARACTERS:
        raise ResponseTooLong(
            f"The answer is {length:,} characters long, which is too much to keep."
        )


@asynccontextmanager
async def _closing_stream(
    stream: AsyncIterator[StreamEvent],
) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Close the stream on exit, even if it was not read to its end."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
