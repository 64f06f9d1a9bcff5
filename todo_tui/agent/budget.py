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
"""The part of the budget from which on a person is warned."""

_WARNED_KEY = "budget:warned"

_EXTENDED_KEY = "budget:extended"

_SAMPLE = Usage(input_tokens=1000, output_tokens=1000)


class BudgetExceeded(TodoError):
    """What may be spent today is spent, and the person did not want to spend more."""


@dataclass(frozen=True, slots=True)
class _BudgetState:
    """How the day stands, in US dollars."""

    day: str
    spent: float
    allowed: float
    """The budget, and what was agreed to beyond it."""
    warned: bool


async def require_budget(turn: Turn) -> None:
    """Go on if the next model call may cost something; a person may be asked.

    Raises:
        BudgetExceeded: it may not.
        TurnStopped: the person stopped the turn.
    """
    budget, provider = turn.config.daily_budget_usd, turn.provider_chain.provider
    if budget is None or provider.local:
        return
    standing = await _warn_if_due(turn, budget)
    if standing.spent < standing.allowed or await _is_free(turn, provider):
        return
    if not await _ask_to_extend(turn, standing.spent, budget):
        raise BudgetExceeded(
            f"Today's budget of {format_dollars(budget)} is used up "
            f"({format_dollars(standing.spent)} spent).",
            hint="Use a local model or the built-in assistant, or raise limits.daily_budget_usd.",
        )
    # In dollars, so that it holds for what others spend at the same time too.
    allowed = f"{standing.day} {standing.spent + budget!r}"
    await asyncio.to_thread(turn.config.store.memory.set, _EXTENDED_KEY, allowed)


async def has_budget(turn: Turn, provider: Provider) -> bool:
    """Whether a call beside the turn may cost something; nobody is asked."""
    store, budget = turn.config.store, turn.config.daily_budget_usd
    return await is_budget_left(store, budget, provider, unstored=turn.writer.unstored_usd)


async def is_budget_left(
    store: Store, budget: float | None, provider: Provider, *, unstored: float = 0.0
) -> bool:
    """Whether anything of the day's budget is left for who may cost something.

    `unstored` is what was spent that the store does not know of yet.
    """
    if budget is None or provider.local:
        return True
    standing = await asyncio.to_thread(_budget_state, store, budget)
    return standing.spent + unstored < standing.allowed


async def warn_near_limit(turn: Turn) -> None:
    """Tell, once a day, that most of the budget is spent."""
    budget = turn.config.daily_budget_usd
    if budget is not None and turn.writer.unstored_usd > 0:
        await _warn_if_due(turn, budget)


async def _warn_if_due(turn: Turn, budget: float) -> _BudgetState:
    """How the day stands, this turn included; the person is warned if that is due."""
    store, unstored = turn.config.store, turn.writer.unstored_usd

    def looked() -> tuple[_BudgetState, bool]:
        stored = _budget_state(store, budget)
        spent = stored.spent + unstored
        near = 0 < WARNING_SHARE * budget <= spent and not stored.warned
        if near:
            store.memory.set(_WARNED_KEY, stored.day)
        return _BudgetState(stored.day, spent, stored.allowed, stored.warned), near

    standing, near = await asyncio.to_thread(looked)
    if near:
        turn.emit(BudgetWarning(turn.id, standing.spent, budget))
    return standing


def _budget_state(store: Store, budget: float) -> _BudgetState:
    today = store.usage.today()
    day = today.day.isoformat()
    agreed_on, _, agreed = (store.memory.get(_EXTENDED_KEY) or "").partition(" ")
    allowed = max(budget, float(agreed)) if agreed_on == day else budget
    return _BudgetState(day, today.cost_usd, allowed, store.memory.get(_WARNED_KEY) == day)


async def _is_free(turn: Turn, provider: Provider) -> bool:
    """Whether its price is known to be nothing; one that is not known may be anything."""
    return await turn.config.pricing(provider, _SAMPLE) == 0


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
