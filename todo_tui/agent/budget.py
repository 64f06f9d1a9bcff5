"""What may be spent on models in a day: a warning near its end, and a question after it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from todo_tui.agent.approval import Question, is_approved
from todo_tui.agent.turn import Turn
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import ApprovalAsked, BudgetNeared
from todo_tui.domain.money import dollars
from todo_tui.domain.request import Provider
from todo_tui.domain.text import plain_line
from todo_tui.domain.usage import Usage
from todo_tui.store.workspace import Store

NEAR = 0.8
"""The part of the budget from which on a person is warned."""

_WARNED = "budget:warned"
_EXTENDED = "budget:extended"
_SAMPLE = Usage(input_tokens=1000, output_tokens=1000)


class BudgetUsedUp(TodoError):
    """What may be spent today is spent, and the person did not want to spend more."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """How the day stands, in US dollars."""

    day: str
    spent: float
    allowed: float
    """The budget, and what was agreed to beyond it."""
    warned: bool


async def afford(turn: Turn) -> None:
    """Go on if the next model call may cost something; a person may be asked.

    Raises:
        BudgetUsedUp: it may not.
        TurnStopped: the person stopped the turn.
    """
    budget, provider = turn.desk.daily_budget_usd, turn.cast.provider
    if budget is None or provider.local:
        return
    standing = await _warned(turn, budget)
    if standing.spent < standing.allowed or await _is_free(turn, provider):
        return
    if not await _agreed(turn, standing.spent, budget):
        raise BudgetUsedUp(
            f"Today's budget of {dollars(budget)} is used up ({dollars(standing.spent)} spent).",
            hint="Use a local model or the built-in assistant, or raise limits.daily_budget_usd.",
        )
    # In dollars, so that it holds for what others spend at the same time too.
    allowed = f"{standing.day} {standing.spent + budget!r}"
    await asyncio.to_thread(turn.desk.store.memory.set, _EXTENDED, allowed)


async def has_room(turn: Turn, provider: Provider) -> bool:
    """Whether a call beside the turn may cost something; nobody is asked."""
    store, budget = turn.desk.store, turn.desk.daily_budget_usd
    return await is_left(store, budget, provider, unstored=turn.ledger.unstored_usd)


async def is_left(
    store: Store, budget: float | None, provider: Provider, *, unstored: float = 0.0
) -> bool:
    """Whether anything of the day's budget is left for who may cost something.

    `unstored` is what was spent that the store does not know of yet.
    """
    if budget is None or provider.local:
        return True
    standing = await asyncio.to_thread(_standing, store, budget)
    return standing.spent + unstored < standing.allowed


async def warn(turn: Turn) -> None:
    """Tell, once a day, that most of the budget is spent."""
    budget = turn.desk.daily_budget_usd
    if budget is not None and turn.ledger.unstored_usd > 0:
        await _warned(turn, budget)


async def _warned(turn: Turn, budget: float) -> _Standing:
    """How the day stands, this turn included; the person is warned if that is due."""
    store, unstored = turn.desk.store, turn.ledger.unstored_usd

    def looked() -> tuple[_Standing, bool]:
        stored = _standing(store, budget)
        spent = stored.spent + unstored
        near = 0 < NEAR * budget <= spent and not stored.warned
        if near:
            store.memory.set(_WARNED, stored.day)
        return _Standing(stored.day, spent, stored.allowed, stored.warned), near

    standing, near = await asyncio.to_thread(looked)
    if near:
        turn.emit(BudgetNeared(turn.id, standing.spent, budget))
    return standing


def _standing(store: Store, budget: float) -> _Standing:
    today = store.spending.today()
    day = today.day.isoformat()
    agreed_on, _, agreed = (store.memory.get(_EXTENDED) or "").partition(" ")
    allowed = max(budget, float(agreed)) if agreed_on == day else budget
    return _Standing(day, today.cost_usd, allowed, store.memory.get(_WARNED) == day)


async def _is_free(turn: Turn, provider: Provider) -> bool:
    """Whether its price is known to be nothing; one that is not known may be anything."""
    return await turn.desk.pricing(provider, _SAMPLE) == 0


async def _agreed(turn: Turn, spent: float, budget: float) -> bool:
    provider = turn.cast.provider
    question = Question(
        f"Today's budget of {dollars(budget)} is used up. Spend up to {dollars(budget)} more?",
        (
            f"{dollars(spent)} spent today",
            plain_line(f"{provider.model or provider.id} answers next"),
        ),
    )
    turn.emit(ApprovalAsked(turn.id, "", question.words, question.details))
    with turn.handle.interruptible():
        return await is_approved(turn.desk.approver, question)
