"""How today's budget stands, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from todo_tui.domain.money import dollars
from todo_tui.domain.task import JsonValue
from todo_tui.store.records import DaySpending


class BudgetState(StrEnum):
    """How much of it is spent."""

    NONE = "none"
    WITHIN = "within"
    NEAR = "near"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent in a day, in US dollars (None: however much), and what was, today."""

    daily_usd: float | None
    today: DaySpending

    @property
    def state(self) -> BudgetState:
        """As the agent sees it, which warns from `near` on and asks from `spent` on."""
        if self.daily_usd is None:
            return BudgetState.NONE
        if self.today.cost_usd >= self.daily_usd:
            return BudgetState.SPENT
        # The agent takes its time to import: only who has a budget pays for it.
        from todo_tui.agent.budget import NEAR

        near = self.today.cost_usd >= self.daily_usd * NEAR
        return BudgetState.NEAR if near else BudgetState.WITHIN

    def words(self) -> str:
        """One line."""
        spent = f"Today: {dollars(self.today.cost_usd)}"
        if self.daily_usd is None:
            return f"{spent}. There is no daily budget; `daily_budget_usd` under [limits] sets one."
        daily = dollars(self.daily_usd)
        match self.state:
            case BudgetState.SPENT:
                return f"{spent}. The budget of {daily} is spent."
            case BudgetState.NEAR:
                return f"{spent}, most of the budget of {daily}."
            case _:
                return f"{spent} of the budget of {daily}."

    def to_json(self) -> dict[str, JsonValue]:
        """The object `budget` of `usage --json`."""
        return {
            "daily_usd": self.daily_usd,
            "spent_usd": self.today.cost_usd,
            "state": self.state.value,
        }
