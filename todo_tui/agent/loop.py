"""Agent loop: run one turn, from the user message to the final event.

A turn runs in an asyncio task of its own and reports through a queue, so that a slow
consumer does not delay the model and a cancelled one does not interrupt a write. A turn is
stopped with TurnHandle.stop (it ends in TurnCancelled), by cancelling the task that reads
the events (TurnCancelled is still delivered, then the cancellation propagates), or by
closing the iterator; in each case all messages and tool calls so far are stored.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable

from todo_tui.agent.cancellation import TurnHandle, TurnStopped
from todo_tui.agent.daily_budget import BudgetExceeded
from todo_tui.agent.model_call_policies import Model, with_policies
from todo_tui.agent.run_config import RunConfig
from todo_tui.agent.tool_calls import run_tool_calls
from todo_tui.agent.turn import Selection, Turn
from todo_tui.domain.errors import ProviderError, TodoError, error_kind
from todo_tui.domain.events import (
    TurnCancelled,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnOutcome,
    TurnStarted,
)
from todo_tui.domain.messages import TurnStatus

_log = logging.getLogger(__name__)


async def run_turn(
    text: str,
    config: RunConfig,
    *,
    conversation_id: str | None = None,
    selection: Selection = (),
    replaces: str | None = None,
    handle: TurnHandle | None = None,
) -> AsyncGenerator[TurnEvent, None]:
    """Run one turn; yields TurnStarted first and exactly one TurnEnd last.

    Without `conversation_id` a new conversation is created. With `replaces`, the id of a turn
    of the conversation, the turn opens another branch beside that one. A TurnFailed without a
    TurnStarted means that the message could not be stored: nothing is kept.
    """
    handle = handle or TurnHandle()
    events: asyncio.Queue[TurnEvent] = asyncio.Queue()
    tools = {tool.name for tool in config.tools}

    def emit(event: TurnEvent) -> None:
        if config.telemetry is not None:
            config.telemetry.note_event(event, tools)
        events.put_nowait(event)

    turn = asyncio.create_task(
        _run_to_end(text, config, conversation_id, selection, replaces, emit, handle)
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


async def _take_turn(turn: Turn, model: Model) -> AsyncIterator[TurnEvent]:
    """Alternate model calls and tool calls until the model requests no tool.

    The last call that `limits.max_iterations` allows offers no tools (`Turn.next_prompt`); what the
    user gets then is in `final_answer.py`.
    """
    await asyncio.to_thread(turn.load_history)
    limit = turn.config.limits.max_iterations
    for number in range(1, limit + 1):
        prompt = turn.next_prompt(is_last_allowed=number == limit)
        async for event in model.reply(prompt):
            for turn_event in turn.apply(event):
                yield turn_event
        if turn.reply.message.tool_calls:
            async for tool_event in run_tool_calls(turn, turn.reply):
                yield tool_event
        elif turn.history.unfinished is None:
            return


async def _run_to_end(
    text: str,
    config: RunConfig,
    conversation_id: str | None,
    selection: Selection,
    replaces: str | None,
    emit: Callable[[TurnEvent], None],
    handle: TurnHandle,
) -> None:
    """Run the turn and emit its TurnEnd, whatever happens."""
    try:
        turn = await Turn.open(text, config, conversation_id, selection, replaces, handle)
    except Exception as error:
        provider = config.provider
        outcome = TurnOutcome(provider=provider.id, model=provider.model, cost_usd=0.0)
        emit(TurnFailed("", conversation_id or "", outcome, _turn_error(error)))
        return
    emit(TurnStarted(turn.id, turn.conversation_id, config.provider.id, config.provider.model))
    model = with_policies(turn.scope)
    status, problem = TurnStatus.FINISHED, None
    saving = asyncio.create_task(turn.save_partial_answers())
    try:
        async for event in _take_turn(turn, model):
            emit(event)
    except (TurnStopped, asyncio.CancelledError):
        # CancelledError arrives only when the event loop shuts down; the turn is stored then too.
        status = TurnStatus.INTERRUPTED if handle.interrupted else TurnStatus.CANCELLED
    except Exception as error:
        status, problem = TurnStatus.FAILED, _turn_error(error)
    saving.cancel()
    try:
        outcome = await turn.close(status, problem, model.provider)
    except Exception as error:
        outcome = turn.outcome(model.provider)
        problem = problem or _turn_error(error)
    finally:
        await model.aclose()
    if problem is not None:
        emit(TurnFailed(turn.id, turn.conversation_id, outcome, problem))
    elif status is TurnStatus.FINISHED:
        emit(TurnFinished(turn.id, turn.conversation_id, outcome))
    else:
        emit(TurnCancelled(turn.id, turn.conversation_id, outcome))


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
                "internal_error", "Internal error in todo-tui.", "Open the log for details."
            )


async def _stop_and_wait(turn: asyncio.Task[None], handle: TurnHandle) -> None:
    """Stop the turn and wait until it is stored, even if the caller is cancelled again."""
    handle.stop()
    while not turn.done():
        try:
            await asyncio.wait({turn})
        except asyncio.CancelledError:
            continue
