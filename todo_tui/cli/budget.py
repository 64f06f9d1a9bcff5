"""How today's budget stands, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
        near = self.today.cost_usd >= self.daily_usd * 0.8
        return BudgetState.NEAR if near else BudgetState.WITHIN

    def words(self) -> str:
        """One line."""
        spent = f"${self.today.cost_usd:,.2f}"
        match self.state:
            case BudgetState.NONE:
                return f"Today: {spent}. There is no daily budget; daily_budget_usd sets one."
            case BudgetState.SPENT:
                return f"Today: {spent}. The budget of ${self.daily_usd:,.2f} is spent."
            case BudgetState.NEAR:
                return f"Today: {spent}, most of the budget of ${self.daily_usd:,.2f}."
            case BudgetState.WITHIN:
                return f"Today: {spent} of the budget of ${self.daily_usd:,.2f}."

    def to_json(self) -> dict[str, JsonValue]:
        """The object `budget` of `usage --json`."""
        return {
            "daily_usd": self.daily_usd,
            "spent_usd": self.today.cost_usd,
            "state": self.state.value,
        }
