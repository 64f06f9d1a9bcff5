"""One model call: streamed, watched for silence, asked again where that may help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from todo_tui.agent.turn import Turn
from todo_tui.domain.conversation import Message, Role, Text, ToolCall
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.events import Retrying
from todo_tui.domain.request import (
    Completed,
    Request,
    StopReason,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
    ToolMode,
    Usage,
)

STEPS_USED_UP = (
    "I stopped here: this took more steps than one turn may have. What was done so far stands."
)
NOTHING_SAID = "The model gave no answer. Please ask again, or in other words."
NOTHING_ADDED = "The model ran the steps above and added no words."
NOTHING_FITTED = "The model reached its length limit before it said anything. Ask for less at once."
CUT_OFF = "(The answer was cut off at the model's length limit.)"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answered; `cut` where its length limit ended the message."""

    message: Message
    cut: bool


async def ask(turn: Turn, *, last: bool) -> Reply:
    """Ask the model once more, and again as long as the retry policy has it.

    With `last` the tools are refused, so that the turn ends in a summary.

    Raises:
        ProviderError: there is no complete answer.
        TurnStopped: the person stopped the turn.
    """
    turn.model_calls += 1
    attempt = 1
    while True:
        started = time.perf_counter()
        turn.speech.expect()
        try:
            completed = await _stream(turn, turn.request(ToolMode.NONE if last else ToolMode.AUTO))
        except ProviderError as error:
            turn.failed_call(error.message, _milliseconds_since(started))
            attempt += 1
            await _wait_to_retry(turn, attempt, error)
            continue
        message = _spoken(completed, last=last, worked=bool(turn.steps))
        turn.speech.settle(message.text)
        usage = completed.usage or Usage()
        message = await turn.heard(message, usage, _milliseconds_since(started))
        return Reply(message, completed.stop is StopReason.LENGTH)


async def _stream(turn: Turn, request: Request) -> Completed:
    """Send the request once and pass on what streams back."""
    limits, provider = turn.desk.limits, turn.desk.provider
    first = limits.first_token_local_seconds
    if not provider.local:
        first = limits.first_token_remote_seconds
    loop = asyncio.get_running_loop()
    try:
        with turn.handle.interruptible():
            async with (
                asyncio.timeout(first) as silence,
                _closing(provider.stream(request)) as stream,
            ):
                async for event in stream:
                    silence.reschedule(loop.time() + limits.stall_seconds)
                    match event:
                        case TextDelta():
                            turn.speech.say(event.text)
                        case ThinkingDelta():
                            turn.speech.think(event.text)
                        case ToolCallStarted():
                            turn.speech.begin()
                        case Completed():
                            return event
    except TimeoutError as error:
        raise ProviderError(
            ProviderErrorKind.TIMEOUT,
            "The model has been silent for too long.",
            hint="Try again, or switch to another model.",
        ) from error
    raise ProviderError(
        ProviderErrorKind.TRUNCATED,
        "The answer broke off before it was complete.",
        hint="Try again, or switch to another model.",
    )


async def _wait_to_retry(turn: Turn, attempt: int, error: ProviderError) -> None:
    """Say why and for how long, then wait; or give up by raising the error."""
    tries = turn.patience.policy.tries
    if error.kind is ProviderErrorKind.CONTEXT_TOO_LONG and turn.forget_older_turns():
        reason = "The conversation is too long for this model: asking without its older part."
        turn.emit(Retrying(turn.id, error.kind, reason, 0.0, attempt, tries))
        return
    seconds = turn.patience.wait_before(attempt, error)
    if seconds is None:
        raise error
    turn.emit(Retrying(turn.id, error.kind, error.message, seconds, attempt, tries))
    with turn.handle.interruptible():
        await turn.desk.sleep(seconds)


def _spoken(completed: Completed, *, last: bool, worked: bool) -> Message:
    """The message as it counts: with words where it would be empty, without refused calls."""
    message = completed.message
    if last:
        parts = tuple(part for part in message.parts if not isinstance(part, ToolCall))
        message = replace(message, parts=parts)
    if message.tool_calls:
        return message
    cut = completed.stop is StopReason.LENGTH
    if not message.text.strip():
        words = NOTHING_FITTED if cut else NOTHING_ADDED if worked else NOTHING_SAID
        added = Text(STEPS_USED_UP if last else words)
        return Message(Role.ASSISTANT, (*message.parts, added), message.origin)
    if cut:
        return replace(message, parts=(*message.parts, Text(f"\n\n{CUT_OFF}")))
    return message


@asynccontextmanager
async def _closing(stream: AsyncIterator[StreamEvent]) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Close the stream's connection at the end, also where it is not read to its end."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()


def _milliseconds_since(started: float) -> float:
    return (time.perf_counter() - started) * 1000
