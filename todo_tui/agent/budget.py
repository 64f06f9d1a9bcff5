"""Daily budget: warning near its end, approval when it is used up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from todo_tui.agent.approval import ApprovalQuestion, is_approved
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import ApprovalAsked, BudgetWarning
from todo_tui.domain.messages import Provider, Usage
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.store.store import Store

WARNING_SHARE = 0.8
"""Share of the budget after which the user is warned."""

_WARNED_KEY = "budget:warned"

_EXTENDED_KEY = "budget:extended"

_SAMPLE = Usage(input_tokens=1000, output_tokens=1000)


class BudgetExceeded(TodoError):
    """The daily budget is used up and the user did not extend it."""


@dataclass(frozen=True, slots=True)
class _BudgetState:
    """Spending of one day, in US dollars."""

    day: str
    spent: float
    allowed: float
    """Budget plus approved extensions."""
    warned: bool


async def require_budget(turn: Turn) -> None:
    """Check the daily budget before a model call; ask the user when it is used up.

    Raises:
        BudgetExceeded: The user did not extend it.
        TurnStopped: The user stopped the turn.
    """
    budget, provider = turn.config.daily_budget_usd, turn.provider_chain.provider
    if budget is None or provider.local:
        return
    state = await _warn_if_due(turn, budget)
    if state.spent < state.allowed:
        return
    # An unknown price is None, and may be anything.
    if await turn.config.pricing(provider, _SAMPLE) == 0:
        return
    if not await _ask_to_extend(turn, state.spent, budget):
        raise BudgetExceeded(
            f"Today's budget of {format_dollars(budget)} is used up "
            f"({format_dollars(state.spent)} spent).",
            hint="Use a local model or the built-in assistant, or raise limits.daily_budget_usd.",
        )
    # Stored in dollars, so that it also bounds what other processes spend meanwhile.
    allowed = f"{state.day} {state.spent + budget!r}"
    await asyncio.to_thread(turn.config.store.memory.set, _EXTENDED_KEY, allowed)


async def is_budget_left(
    store: Store, budget: float | None, provider: Provider, *, unstored: float = 0.0
) -> bool:
    """Return True if today's budget is not used up; local providers are always allowed.

    `unstored` is the cost of calls that are not stored yet.
    """
    if budget is None or provider.local:
        return True
    state = await asyncio.to_thread(_budget_state, store, budget)
    return state.spent + unstored < state.allowed


async def warn_near_limit(turn: Turn) -> None:
    """Emit BudgetWarning, once a day, when most of the budget is spent."""
    budget = turn.config.daily_budget_usd
    if budget is not None and turn.writer.unstored_usd > 0:
        await _warn_if_due(turn, budget)


async def _warn_if_due(turn: Turn, budget: float) -> _BudgetState:
    """Return the state including this turn; emit BudgetWarning if due."""
    store, unstored = turn.config.store, turn.writer.unstored_usd

    def check() -> tuple[_BudgetState, bool]:
        stored = _budget_state(store, budget)
        spent = stored.spent + unstored
        near = 0 < WARNING_SHARE * budget <= spent and not stored.warned
        if near:
            store.memory.set(_WARNED_KEY, stored.day)
        return _BudgetState(stored.day, spent, stored.allowed, stored.warned), near

    state, near = await asyncio.to_thread(check)
    if near:
        turn.emit(BudgetWarning(turn.id, state.spent, budget))
    return state


def _budget_state(store: Store, budget: float) -> _BudgetState:
    today = store.usage.today()
    day = today.day.isoformat()
    extended_on, _, extended_to = (store.memory.get(_EXTENDED_KEY) or "").partition(" ")
    allowed = max(budget, float(extended_to)) if extended_on == day else budget
    return _BudgetState(day, today.cost_usd, allowed, store.memory.get(_WARNED_KEY) == day)


async def _ask_to_extend(turn: Turn, spent: float, budget: float) -> bool:
    provider = turn.provider_chain.provider
    question = ApprovalQuestion(
        f"Today's budget of {format_dollars(budget)} is used up. "
        f"Spend up to {format_dollars(budget)} more?",
        (
            f"{format_dollars(spent)} spent today",
            plain_line(f"{provider.model or provider.id} answers next"),
        ),
    )
    turn.emit(ApprovalAsked(turn.id, "", question.words, question.details))
    with turn.handle.interruptible():
        return await is_approved(turn.config.approver, question)
