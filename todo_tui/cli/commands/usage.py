"""`todo-tui usage`: tokens, cost, and today's budget."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime

from todo_tui.cli.options import command, count_days, json_option, period_options
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.session import CliSession
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When
from todo_tui.store.conversations.records import DayUsage, ModelUsage

_Spent = DayUsage | ModelUsage
_Day = tuple[DayUsage, Sequence[ModelUsage]]
"""A day on which a model was called, and its models."""
_TOKENS = ("input_tokens", "cached_tokens", "thinking_tokens", "output_tokens")
_SHOWN_FROM = {
    "Calls": 66, "Input": 52, "Cached": 76, "Thinking": 76, "Output": 52, "Cost": 0,
}  # fmt: skip
"""Widths of a terminal from which on there is room for a column."""
_COLUMNS = tuple(
    TableColumn(title, number=True, whole=True, shown_from=room)
    for title, room in _SHOWN_FROM.items()
)
_USUAL_DAYS = 7
_WHOLE = 100_000
"""From here on a table for people shows thousands."""


@command("usage")
@period_options(_USUAL_DAYS)
@json_option
def usage(session: CliSession, days: int | None, since: str | None, as_json: bool) -> None:
    """Show token usage and cost by day and model.

    Input includes cached tokens; output includes reasoning. – = price unknown, + = partly
    unknown.
    """
    now = session.clock.now()
    period = count_days(session, days, since, _USUAL_DAYS)
    store = session.store.usage
    found = [
        (total, store.models(total.day))
        for total in store.days(period)
        if (now.date() - total.day).days < period
    ]
    daily, spent = session.settings.daily_budget_usd, store.today().cost_usd
    state = _budget_state(daily, spent)
    if as_json:
        budget: JsonValue = {"daily_usd": daily, "spent_usd": spent, "state": state}
        print_json({"days": [_day_json(each) for each in found], "budget": budget})
        return
    if not found:
        print_note(f"No usage {'today' if period == 1 else f'in {period:,} days'}.")
    elif sys.stdout.isatty():
        columns = (TableColumn("Day and model"), *_COLUMNS)
        print_columns(columns, _table(found, now), no_color=session.settings.no_color)
    else:
        columns = (TableColumn("Day"), TableColumn("Model"), *_COLUMNS)
        print_columns(columns, _lines(found), no_color=True)
    print_result(f"Today: {format_dollars(spent)}{_budget_words(daily, state)}")


def _budget_state(daily: float | None, spent: float) -> str:
    """The state as the agent sees it, which warns from `near` on and asks from `spent` on."""
    if daily is None:
        return "none"
    if spent >= daily:
        return "spent"
    from todo_tui.agent.budget import WARNING_SHARE  # 80 ms: few have a budget

    return "near" if spent >= daily * WARNING_SHARE else "within"


def _budget_words(daily: float | None, state: str) -> str:
    if daily is None:
        return ". No daily budget (`daily_budget_usd` under [limits])."
    amount = format_dollars(daily)
    if state == "spent":
        return f". Budget of {amount} used up."
    return f"{', most' if state == 'near' else ''} of the budget of {amount}."


def _table(days: Sequence[_Day], now: datetime) -> Iterator[list[TableCell]]:
    """A row for each day, and below it one for each model; numbers as people read them."""
    for total, models in days:
        day = format_when(When(total.day), now)
        titles: list[tuple[str, str, _Spent]] = [(day[:1].upper() + day[1:], "bold", total)]
        titles += [(f"  {each.provider}:{each.model}", "", each) for each in models]
        for title, style, spent in titles:
            texts = (title, *map(_count_words, _counts(spent)), _cost_words(spent))
            yield [TableCell(text, style) for text in texts]


def _lines(days: Sequence[_Day]) -> Iterator[list[str]]:
    """A row for each day and model, with whole numbers, for programs that read lines."""
    for total, models in days:
        for model in models:
            name = f"{model.provider}:{model.model}"
            yield [total.day.isoformat(), name, *map(str, _counts(model)), _cost_words(model)]


def _counts(spent: _Spent) -> list[int]:
    return [spent.model_calls, *(getattr(spent.usage, name) for name in _TOKENS)]


def _count_words(count: int) -> str:
    if count < _WHOLE:
        return f"{count:,}"
    return f"{count / 1000:,.0f}k" if count < 100 * _WHOLE else f"{count / 1_000_000:,.0f}M"


def _cost(spent: _Spent) -> float | None:
    return None if spent.unpriced_calls and not spent.cost_usd else spent.cost_usd


def _cost_words(spent: _Spent) -> str:
    cost = _cost(spent)
    if cost is None:
        return "–"
    return f"{format_dollars(cost)}+" if spent.unpriced_calls else format_dollars(cost)


def _day_json(day: _Day) -> JsonValue:
    total, models = day
    return {
        "day": total.day.isoformat(),
        **_spent_json(total),
        "models": [
            {"provider": each.provider, "model": each.model, **_spent_json(each)} for each in models
        ],
    }


def _spent_json(spent: _Spent) -> dict[str, JsonValue]:
    return {
        **dict(zip(("model_calls", *_TOKENS), _counts(spent), strict=True)),
        "cost_usd": _cost(spent),
        "unpriced_calls": spent.unpriced_calls,
    }
