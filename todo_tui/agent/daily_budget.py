"""Daily budget: what was spent of it today, its warning, and its end, at which the user is asked.

`BudgetedModel` is one of the policies around a model call.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from todo_tui.agent.approver import ApprovalQuestion
from todo_tui.agent.model_calls import TurnScope
from todo_tui.domain.errors import TodoError
from todo_tui.domain.events import BudgetWarning
from todo_tui.domain.messages import Provider, Usage
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.store.store import Store

if TYPE_CHECKING:
    from todo_tui.agent.model_call_policies import Model, ModelEvent, Prompt

WARNING_SHARE = 0.8
"""Share of the budget after which the user is warned."""
_WARNED_KEY = "budget:warned"
_EXTENDED_KEY = "budget:extended"
_SAMPLE = Usage(input_tokens=1000, output_tokens=1000)


class BudgetExceeded(TodoError):
    """The daily budget is used up and the user did not extend it."""

    def __init__(self, budget: float, spent: float) -> None:
        super().__init__(
            f"Today's budget of {format_dollars(budget)} is used up "
            f"({format_dollars(spent)} spent).",
            hint="Use a local model or the built-in assistant, or raise limits.daily_budget_usd.",
        )


@dataclass(frozen=True, slots=True)
class BudgetState:
    """Spending of one day, in US dollars."""

    day: str
    spent: float
    allowed: float
    """Budget plus approved extensions."""
    must_warn: bool
    """True if most of it is spent and the user was not warned on this day."""

    @property
    def is_used_up(self) -> bool:
        """True if nothing is left."""
        return self.spent >= self.allowed


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """Checks the daily budget; the user is warned near its end, and asked when it is used up."""

    scope: TurnScope
    provider: Provider
    model: Model

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Yield the events of the model between BudgetWarnings.

        Raises:
            BudgetExceeded: The user did not extend the budget.
        """
        config, provider = self.scope.config, self.provider
        budget = config.daily_budget_usd
        if budget is not None and not provider.local:
            state = await self._check(budget)
            if state.must_warn:
                yield BudgetWarning(self.scope.turn_id, state.spent, budget)
            # An unknown price is None, and may be anything.
            if state.is_used_up and await config.pricing(provider, _SAMPLE) != 0:
                limit, spent = format_dollars(budget), format_dollars(state.spent)
                answers_next = plain_line(f"{provider.model or provider.id} answers next")
                question = ApprovalQuestion(
                    f"Today's budget of {limit} is used up. Spend up to {limit} more?",
                    (f"{spent} spent today", answers_next),
                )
                yield self.scope.question_event(question)
                if not await self.scope.is_approved(question):
                    raise BudgetExceeded(budget, state.spent)
                # In dollars, so that it also bounds what other processes spend meanwhile.
                extended = f"{state.day} {state.spent + budget!r}"
                await asyncio.to_thread(config.store.decisions.set, _EXTENDED_KEY, extended)
        async for event in self.model.reply(prompt):
            yield event
        if budget is not None and self.scope.writer.unstored_usd > 0:
            state = await self._check(budget)
            if state.must_warn:
                yield BudgetWarning(self.scope.turn_id, state.spent, budget)

    async def _check(self, budget: float) -> BudgetState:
        store, unstored = self.scope.config.store, self.scope.writer.unstored_usd
        return await asyncio.to_thread(_check_budget, store, budget, unstored)


def _check_budget(store: Store, budget: float, unstored: float) -> BudgetState:
    """Read today's spending; a warning that is due is given only once a day. Blocks."""
    state = _read(store, budget, unstored)
    if state.must_warn:
        store.app_state.set(_WARNED_KEY, state.day)
    return state


async def is_budget_left(
    store: Store, budget: float | None, provider: Provider, *, unstored: float = 0.0
) -> bool:
    """Return True if today's budget is not used up; local providers are always allowed.

    `unstored` is the cost of calls that are not stored yet.
    """
    if budget is None or provider.local:
        return True
    state = await asyncio.to_thread(_read, store, budget, unstored)
    return not state.is_used_up


def _read(store: Store, budget: float, unstored: float) -> BudgetState:
    today = store.usage.today()
    day, spent = today.day.isoformat(), today.cost_usd + unstored
    extended_on, _, extended_to = (store.decisions.get(_EXTENDED_KEY) or "").partition(" ")
    allowed = max(budget, float(extended_to)) if extended_on == day else budget
    is_near = 0 < WARNING_SHARE * budget <= spent
    must_warn = is_near and store.app_state.get(_WARNED_KEY) != day
    return BudgetState(day, spent, allowed, must_warn)
