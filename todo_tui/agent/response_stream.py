"""Reading of one streamed response up to its end: timeouts and size limits."""

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
"""Characters of words and thinking together: more than any model writes in one go."""

MAX_EVENTS = 200_000
"""Also of those that bring nothing to see, as while a model writes a call."""

OnDelta = Callable[[TextDelta | ThinkingDelta | ToolCallStarted], None]

_TIMER_SLACK = 0.05
"""Part of a silence by which it may last longer: to move a timer at each event costs more."""

_TRY_ANOTHER = "Try again, or switch to another model."


class ResponseTooLong(ProviderError):
    """An answer that does not end; asked again it would hardly be shorter."""

    def __init__(self, message: str) -> None:
        super().__init__(ProviderErrorKind.MALFORMED, message, hint=_TRY_ANOTHER)

    @property
    def retryable(self) -> bool:
        """Not by whoever wrote it."""
        return False


@dataclass(frozen=True, slots=True)
class StreamTimeouts:
    """Seconds without a sign of life after which a model counts as stuck."""

    first: float
    """Before its first word."""
    between: float


async def read_stream(
    provider: Provider, request: Request, silence: StreamTimeouts, hear: OnDelta
) -> Completed:
    """Send the request once and pass on what streams back, up to the complete answer.

    What comes behind that is not read.

    Raises:
        ProviderError: there is none, or it is longer than an answer can be.
    """
    time = asyncio.get_running_loop().time
    measure = _SizeLimit()
    slack = silence.between * _TIMER_SLACK
    moved = float("-inf")
    try:
        async with (
            asyncio.timeout(silence.first) as timer,
            _closing_stream(provider.stream(request)) as stream,
        ):
            async for event in stream:
                now = time()
                if now - moved >= slack:
                    moved = now
                    timer.reschedule(now + silence.between + slack)
                if isinstance(event, Completed):
                    _check_size(event.message)
                    return event
                measure.add(event)
                hear(event)
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
    """How much has come so far."""

    def __init__(self) -> None:
        self._events = 0
        self._characters = 0

    def add(self, event: TextDelta | ThinkingDelta | ToolCallStarted) -> None:
        """Count one event.

        Raises:
            ProviderError: it is too much.
        """
        self._events += 1
        if not isinstance(event, ToolCallStarted):
            self._characters += len(event.text)
        if self._characters > MAX_ANSWER_CHARACTERS or self._events > MAX_EVENTS:
            raise ResponseTooLong("The answer did not end, so it was broken off.")


def _check_size(message: Message) -> None:
    """Refuse a message that is too long to keep, however it came."""
    spoken = sum(len(part.text) for part in message.parts if isinstance(part, Text | Thinking))
    if spoken > MAX_ANSWER_CHARACTERS:
        raise ResponseTooLong(
            f"The answer is {spoken:,} characters long, which is too much to keep."
        )


@asynccontextmanager
async def _closing_stream(
    stream: AsyncIterator[StreamEvent],
) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Close the stream's connection at the end, also where it is not read to its end."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
