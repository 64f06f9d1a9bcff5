"""One request to a provider: read within limits, measured, and recorded with its cost."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.cancellation import TurnHandle, TurnStopped
from todo_tui.agent.run_config import Limits, RunConfig
from todo_tui.agent.turn_writer import TurnWriter
from todo_tui.domain.errors import (
    NobodyToAsk,
    ProviderError,
    ProviderErrorKind,
)
from todo_tui.domain.events import (
    ApprovalAsked,
)
from todo_tui.domain.messages import (
    Completed,
    Exchange,
    Message,
    Provider,
    Request,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCallStarted,
    Usage,
    new_call_id,
)
from todo_tui.store.conversations.records import ModelCall

MAX_ANSWER_CHARACTERS = 400_000
"""Characters of text and thinking together: more than any model writes in one message."""
MAX_EVENTS = 200_000
"""Includes events without text, such as those while a model writes a tool call."""
_TRY_ANOTHER = "Try again, or switch to another model."
_CLOSE_TIMEOUT_SECONDS = 2.0
_log = logging.getLogger(__name__)


class ResponseTooLong(ProviderError):
    """The answer exceeds the limits; a retry would hardly be shorter."""

    def __init__(self, message: str) -> None:
        super().__init__(ProviderErrorKind.MALFORMED, message, hint=_TRY_ANOTHER)

    @property
    def retryable(self) -> bool:
        """False: the same model would write as much again."""
        return False


async def read_stream(
    provider: Provider, request: Request, limits: Limits
) -> AsyncIterator[StreamEvent]:
    """Send the request once and yield its events, the last of which is Completed.

    A model without an event for longer than the limits allow counts as stuck. Nothing
    after Completed is read.

    Raises:
        ProviderError: The stream failed or ended without Completed, or is too long.
    """
    now = asyncio.get_running_loop().time
    events = characters = 0
    try:
        async with (
            asyncio.timeout(limits.first_token_seconds(provider)) as timer,
            _closing_stream(provider.stream(request)) as stream,
        ):
            async for event in stream:
                timer.reschedule(now() + limits.stall_seconds)
                if isinstance(event, Completed):
                    _check_size(event.message)
                    yield event
                    return
                events += 1
                characters += 0 if isinstance(event, ToolCallStarted) else len(event.text)
                if characters > MAX_ANSWER_CHARACTERS or events > MAX_EVENTS:
                    raise ResponseTooLong("The answer was too long and was stopped.")
                yield event
    except TimeoutError as error:
        raise ProviderError(
            ProviderErrorKind.TIMEOUT,
            "The model stopped responding.",
            hint=_TRY_ANOTHER,
        ) from error
    raise ProviderError(
        ProviderErrorKind.TRUNCATED,
        "The answer ended before it was complete.",
        hint=_TRY_ANOTHER,
    )


def _check_size(message: Message) -> None:
    """Check the complete message too, which may differ from the sum of its deltas."""
    length = sum(len(part.text) for part in message.parts if isinstance(part, Text | Thinking))
    if length > MAX_ANSWER_CHARACTERS:
        raise ResponseTooLong(f"The answer is too long ({length:,} characters).")


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


@dataclass(slots=True)
class TurnScope:
    """Parts of a turn that its model calls share."""

    turn_id: str
    config: RunConfig
    handle: TurnHandle
    writer: TurnWriter
    waited_seconds: float = 0.0
    """Time for which the turn has waited for answers of the user; no latency of anything."""

    def new_call_id(self) -> str:
        """Create a call id, also for a trace step that no model requested."""
        return new_call_id(self.config.new_id)

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Wait for the user's answer.

        Raises:
            NobodyToAsk: There is nobody to answer.
            TurnStopped: The user stopped the turn.
        """
        started = time.perf_counter()
        try:
            with self.handle.interruptible():
                return await self.config.approver.decide(question)
        finally:
            self.waited_seconds += time.perf_counter() - started

    async def is_approved(self, question: ApprovalQuestion) -> bool:
        """Wait for the user's answer; False if there is nobody to ask."""
        try:
            return (await self.decide(question)).approves
        except NobodyToAsk:
            return False

    def question_event(self, question: ApprovalQuestion) -> ApprovalAsked:
        """Return the event of a question."""
        return ApprovalAsked(self.turn_id, question.call_id, question.words, question.details)


async def call_provider(
    scope: TurnScope, provider: Provider, request: Request
) -> AsyncIterator[StreamEvent]:
    """Send the request once; record usage and cost, whatever the result.

    Raises:
        ConsentNeeded: The user has not agreed to the host; nothing was sent.
        ProviderError: No complete answer came.
        TurnStopped: The user stopped the turn.
    """
    started = time.perf_counter()
    first_token_ms: float | None = None
    note_call = scope.config.note_call
    exchanges: list[Exchange] = []
    if note_call is not None:
        request = replace(request, exchanges=exchanges)

    async def record(usage: Usage | None, status: str, error: ProviderError | None = None) -> None:
        # Before the price: its first look-up takes 0.3 s.
        ms, ended = (time.perf_counter() - started) * 1000, time.time_ns()
        # The cost is unknown without usage.
        cost = None if usage is None else await scope.config.pricing(provider, usage)
        call = ModelCall(
            provider.id,
            provider.model,
            usage or Usage(),
            cost,
            ms,
            status,
            error=error.message if error else None,
            error_kind=error.kind.value if error else None,
            first_token_ms=first_token_ms,
            exchanges=exchanges,
        )
        scope.writer.add_call(call)
        if note_call is not None:
            note_call(scope.turn_id, call)
        if scope.config.telemetry is not None:
            scope.config.telemetry.note_call(scope.turn_id, call, ended)

    try:
        with scope.handle.interruptible():
            async for event in read_stream(provider, request, scope.config.limits):
                if first_token_ms is None and is_output(event):
                    first_token_ms = (time.perf_counter() - started) * 1000
                if not isinstance(event, Completed):
                    yield event
    except ProviderError as error:
        await record(error.usage, "failed", error)
        raise
    except (TurnStopped, asyncio.CancelledError):
        await record(None, "cancelled")
        raise
    assert isinstance(event, Completed)  # noqa: S101  # the last event of any stream
    await record(event.usage or Usage(), "finished")
    yield event


def is_output(event: object) -> bool:
    """Return True for a piece of what the model writes, or all of it."""
    if isinstance(event, TextDelta | ThinkingDelta):
        return bool(event.text)
    return isinstance(event, ToolCallStarted | Completed)


async def close_provider(provider: Provider) -> None:
    """Close a provider's connections; log errors and go on."""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
            await provider.aclose()
    except Exception:
        _log.warning("%s could not be closed", provider.id, exc_info=True)
