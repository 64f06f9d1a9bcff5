"""Agent loop: run one turn, from the user message to the final event.

A turn runs in an asyncio task of its own and reports through a queue, so that a slow
consumer does not delay the model and a cancelled one does not interrupt a write. A turn is
stopped with TurnHandle.stop (it ends in TurnCancelled), by cancelling the task that reads
the events (TurnCancelled is still delivered, then the cancellation propagates), or by
closing the iterator; in each case all messages and tool calls so far are stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

from todo_tui.agent.budget import BudgetExceeded
from todo_tui.agent.config import RunConfig
from todo_tui.agent.model_calls import get_reply
from todo_tui.agent.tool_calls import run_tool_calls
from todo_tui.agent.turn import Emit, Selection, Turn, TurnHandle, TurnStopped
from todo_tui.domain.errors import ProviderError, TodoError, error_kind
from todo_tui.domain.events import (
    TurnCancelled,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnOutcome,
)
from todo_tui.domain.messages import TurnStatus, Usage

_log = logging.getLogger(__name__)


async def run_turn(
    text: str,
    config: RunConfig,
    *,
    conversation_id: str | None = None,
    selection: Selection = (),
    handle: TurnHandle | None = None,
) -> AsyncGenerator[TurnEvent, None]:
    """Run one turn; yields TurnStarted first and exactly one TurnEnd last.

    Without `conversation_id` a new conversation is created. A TurnFailed without a
    TurnStarted means that the message could not be stored: nothing is kept.
    """
    handle = handle or TurnHandle()
    events: asyncio.Queue[TurnEvent] = asyncio.Queue()
    turn = asyncio.create_task(
        _run_to_end(text, config, conversation_id, selection, events.put_nowait, handle)
    )
    try:
        while True:
            event = await events.get()
            yield event
            if isinstance(event, TurnEnd):
                return
    except asyncio.CancelledError:
        await _stop_and_wait(turn, handle)
        while not events.empty():
            yield events.get_nowait()
        raise
    finally:
        await _stop_and_wait(turn, handle)


async def _take_turn(turn: Turn) -> None:
    """Alternate model calls and tool calls until the model requests no tool.

    The last call that the limit allows is made without tools.
    """
    await turn.load_history()
    rounds = turn.config.limits.max_iterations
    for number in range(1, rounds + 1):
        reply = await get_reply(turn, last=number == rounds or turn.repeats.is_stuck)
        if reply.message.tool_calls:
            await run_tool_calls(turn, reply)
        elif not reply.is_unfinished:
            return


async def _run_to_end(
    text: str,
    config: RunConfig,
    conversation_id: str | None,
    selection: Selection,
    emit: Emit,
    handle: TurnHandle,
) -> None:
    """Run the turn and emit its TurnEnd, whatever happens."""
    try:
        turn = await Turn.open(text, config, conversation_id, selection, emit, handle)
    except Exception as error:
        emit(TurnFailed("", conversation_id or "", _empty_outcome(config), _turn_error(error)))
        return
    status, problem = TurnStatus.FINISHED, None
    try:
        await _take_turn(turn)
    except (TurnStopped, asyncio.CancelledError):
        # CancelledError arrives only when the event loop shuts down; the turn is stored then too.
        status = TurnStatus.INTERRUPTED if handle.interrupted else TurnStatus.CANCELLED
    except Exception as error:
        status, problem = TurnStatus.FAILED, _turn_error(error)
    try:
        outcome = await turn.close(status, problem)
    except Exception as error:
        outcome = turn.outcome()
        status, problem = TurnStatus.FAILED, problem or _turn_error(error)
    emit(_final_event(turn, status, problem, outcome))


def _final_event(
    turn: Turn, status: TurnStatus, problem: TurnError | None, outcome: TurnOutcome
) -> TurnEnd:
    if problem is not None:
        return TurnFailed(turn.id, turn.conversation_id, outcome, problem)
    if status in (TurnStatus.CANCELLED, TurnStatus.INTERRUPTED):
        return TurnCancelled(turn.id, turn.conversation_id, outcome)
    return TurnFinished(turn.id, turn.conversation_id, outcome)


def _turn_error(error: Exception) -> TurnError:
    """Return the error as shown to the user, and log the details."""
    match error:
        case ProviderError():
            _log.warning("model call failed: %s (%s)", error.message, error.detail)
            return TurnError(error.kind.value, error.message, error.hint)
        case BudgetExceeded():
            return TurnError("budget", error.message, error.hint)
        case TodoError():
            _log.warning("turn failed: %s", error.message)
            return TurnError(error_kind(error), error.message, error.hint)
        case _:
            _log.error("turn failed", exc_info=error)
            return TurnError(
                "internal_error", "Something went wrong inside todo-tui.", "The log has more."
            )


def _empty_outcome(config: RunConfig) -> TurnOutcome:
    return TurnOutcome("", (), config.provider.id, config.provider.model, Usage(), 0.0, 0, 0.0)


async def _stop_and_wait(turn: asyncio.Task[None], handle: TurnHandle) -> None:
    """Stop the turn and wait until it is stored, even if the caller is cancelled again."""
    handle.stop()
    while not turn.done():
        try:
            await asyncio.wait({turn})
        except asyncio.CancelledError:
            continue
