"""Daily budget: what was spent of it today, whether a warning is due, and extensions."""

import asyncio
from dataclasses import dataclass

from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import Provider
from todo_tui.domain.text import format_dollars
from todo_tui.store.store import Store

WARNING_SHARE = 0.8
"""Share of the budget after which the user is warned."""
_WARNED_KEY = "budget:warned"
_EXTENDED_KEY = "budget:extended"


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


def check_budget(store: Store, budget: float, unstored: float) -> BudgetState:
    """Read today's spending; a warning that is due is given only once a day. Blocks."""
    state = _read(store, budget, unstored)
    if state.must_warn:
        store.app_state.set(_WARNED_KEY, state.day)
    return state


def extend_budget(store: Store, state: BudgetState, budget: float) -> None:
    """Allow the budget once more, on the day of the state. Blocks."""
    # In dollars, so that it also bounds what other processes spend meanwhile.
    store.decisions.set(_EXTENDED_KEY, f"{state.day} {state.spent + budget!r}")


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
