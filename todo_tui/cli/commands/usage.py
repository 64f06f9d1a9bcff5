"""`todo-tui usage`: tokens, cost, and today's budget."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from todo_tui.cli.options import command, days_option, json_option
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.session import CliSession
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When
from todo_tui.store.conversations.records import DayUsage, ModelUsage

_Spent = DayUsage | ModelUsage
UNKNOWN = "–"
_COLUMNS = tuple(
    TableColumn(title, number=True, whole=True, shown_from=room)
    for title, room in (
        ("Calls", 66),
        ("Input", 52),
        ("Cached", 76),
        ("Thinking", 76),
        ("Output", 52),
        ("Cost", 0),
    )
)
_WHOLE = 100_000
"""From here on a table for people shows thousands."""


class BudgetState(StrEnum):
    """State of the daily budget."""

    NONE = "none"
    WITHIN = "within"
    NEAR = "near"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class BudgetStatus:
    """Daily budget (None: unlimited) and today's spending, in US dollars."""

    daily_usd: float | None
    today: DayUsage

    @property
    def state(self) -> BudgetState:
        """As the agent sees it, which warns from `near` on and asks from `spent` on."""
        if self.daily_usd is None:
            return BudgetState.NONE
        if self.today.cost_usd >= self.daily_usd:
            return BudgetState.SPENT
        # The agent takes its time to import: only who has a budget pays for it.
        from todo_tui.agent.budget import WARNING_SHARE

        near = self.today.cost_usd >= self.daily_usd * WARNING_SHARE
        return BudgetState.NEAR if near else BudgetState.WITHIN

    def words(self) -> str:
        """One line."""
        spent = f"Today: {format_dollars(self.today.cost_usd)}"
        if self.daily_usd is None:
            return f"{spent}. There is no daily budget; `daily_budget_usd` under [limits] sets one."
        daily = format_dollars(self.daily_usd)
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


@dataclass(frozen=True, slots=True)
class _Day:
    """A day on which a model was called."""

    total: DayUsage
    models: tuple[ModelUsage, ...]


@command("usage")
@days_option(7)
@json_option
def usage(session: CliSession, days: int, as_json: bool) -> int:
    """Show what models were used for, and its cost, day by day and model by model.

    Cached tokens are part of the input, thinking is part of the output. Costs follow the
    price lists: a dash stands where no price is known, a + where some calls have none.
    """
    today = session.clock.now().date()
    spending = session.store.usage
    found = [
        _Day(total, spending.models(total.day))
        for total in spending.days(days)
        if (today - total.day).days < days
    ]
    budget = BudgetStatus(session.settings.daily_budget_usd, spending.today())
    if as_json:
        print_json({"days": [_day_json(each) for each in found], "budget": budget.to_json()})
        return 0
    if found:
        _print(found, session)
    else:
        print_note(
            "No model was called today." if days == 1 else f"No model was called in {days} days."
        )
    print_result(budget.words())
    return 0


def _print(days: Sequence[_Day], session: CliSession) -> None:
    if sys.stdout.isatty():
        columns = (TableColumn("Day and model"), *_COLUMNS)
        rows = list(_table(days, session.clock.now()))
        print_columns(columns, rows, no_color=session.settings.no_color)
    else:
        columns = (TableColumn("Day"), TableColumn("Model"), *_COLUMNS)
        print_columns(columns, list(_lines(days)), no_color=True)


def _table(days: Sequence[_Day], now: datetime) -> Iterator[list[TableCell]]:
    """A row for each day, and below it one for each model; numbers as people read them."""
    for day in days:
        yield [
            TableCell(text, "bold") for text in (_day_words(day.total.day, now), *_sums(day.total))
        ]
        for model in day.models:
            yield [TableCell(text) for text in (f"  {_name(model)}", *_sums(model))]


def _lines(days: Sequence[_Day]) -> Iterator[list[TableCell]]:
    """A row for each day and model, with whole numbers, for programs that read lines."""
    for day in days:
        for model in day.models:
            texts = (day.total.day.isoformat(), _name(model), *map(str, _counts(model)))
            yield [TableCell(text) for text in (*texts, _cost_words(model))]


def _name(spent: ModelUsage) -> str:
    return f"{spent.provider}:{spent.model}"


def _sums(spent: _Spent) -> tuple[str, ...]:
    return (*map(_count_words, _counts(spent)), _cost_words(spent))


def _counts(spent: _Spent) -> tuple[int, ...]:
    tokens = spent.usage
    return (
        spent.model_calls,
        tokens.input_tokens,
        tokens.cached_tokens,
        tokens.thinking_tokens,
        tokens.output_tokens,
    )


def _count_words(count: int) -> str:
    if count < _WHOLE:
        return f"{count:,}"
    return f"{count / 1000:,.0f}k" if count < 100 * _WHOLE else f"{count / 1_000_000:,.0f}M"


def _cost(spent: _Spent) -> float | None:
    """US dollars; None where no call has a known price."""
    return None if spent.unpriced_calls and not spent.cost_usd else spent.cost_usd


def _cost_words(spent: _Spent) -> str:
    cost = _cost(spent)
    if cost is None:
        return UNKNOWN
    return f"{format_dollars(cost)}+" if spent.unpriced_calls else format_dollars(cost)


def _day_words(day: date, now: datetime) -> str:
    words = format_when(When(day), now)
    return words[:1].upper() + words[1:]


def _day_json(day: _Day) -> dict[str, JsonValue]:
    models: list[JsonValue] = [
        {"provider": each.provider, "model": each.model, **_spent_json(each)} for each in day.models
    ]
    return {"day": day.total.day.isoformat(), **_spent_json(day.total), "models": models}


def _spent_json(spent: _Spent) -> dict[str, JsonValue]:
    tokens = spent.usage
    return {
        "model_calls": spent.model_calls,
        "input_tokens": tokens.input_tokens,
        "cached_tokens": tokens.cached_tokens,
        "thinking_tokens": tokens.thinking_tokens,
        "output_tokens": tokens.output_tokens,
        "cost_usd": _cost(spent),
        "unpriced_calls": spent.unpriced_calls,
    }
