"""One request to a model on behalf of a turn: stopped with it, and booked to it."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace

from todo_tui.agent.handle import TurnStopped
from todo_tui.agent.listening import Hear, listen
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import ProviderError
from todo_tui.domain.request import Completed, Provider, Request
from todo_tui.domain.usage import Usage
from todo_tui.store.records import ModelCall


async def call_model(turn: Turn, provider: Provider, request: Request, hear: Hear) -> Completed:
    """Send the request once; what it cost is booked, whatever comes of it.

    Raises:
        ProviderError: no complete answer came.
        TurnStopped: the person stopped the turn.
    """
    started = time.perf_counter()
    silence = turn.desk.limits.silence(provider)
    try:
        with turn.handle.interruptible():
            completed = await listen(provider, request, silence, hear)
    except ProviderError as error:
        call = await _call(turn, provider, error.usage, started)
        turn.ledger.add_call(replace(call, status="failed", error=error.message))
        raise
    except (TurnStopped, asyncio.CancelledError):
        call = await _call(turn, provider, None, started)
        turn.ledger.add_call(replace(call, status="cancelled"))
        raise
    call = await _call(turn, provider, completed.usage or Usage(), started)
    turn.ledger.add_call(call)
    turn.spent(call.usage, call.cost_usd)
    return completed


async def _call(turn: Turn, provider: Provider, usage: Usage | None, started: float) -> ModelCall:
    """The call as it is booked; one that broke off has a price if its tokens are known."""
    # Before the price: the first look-up takes a while.
    milliseconds = (time.perf_counter() - started) * 1000
    cost = None if usage is None else await turn.desk.pricing(provider, usage)
    return ModelCall(provider.id, provider.model, usage or Usage(), cost, milliseconds)
