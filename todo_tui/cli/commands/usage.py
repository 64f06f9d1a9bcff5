"""`todo-tui usage`: tokens, cost, today's budget; metrics of turns and tools."""

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import json_option
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.period import count_days, period_options
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.events import StepStatus
from todo_tui.domain.messages import TurnStatus, UsageSum
from todo_tui.domain.metrics import Spread, ToolMetrics, TurnMetrics, TurnSums
from todo_tui.domain.metrics_text import (
    TextTable,
    day_table,
    error_table,
    format_cost,
    format_number,
    model_table,
    tool_error_table,
    tool_table,
    turn_facts,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When
from todo_tui.store.conversations.records import DayUsage, ModelUsage

_Spent = DayUsage | ModelUsage
_Day = tuple[DayUsage, Sequence[ModelUsage]]
"""A day on which a model was called, and its models."""
_TOKENS = ("input_tokens", "cached_tokens", "thinking_tokens", "output_tokens")
_SHOWN_FROM = {"Calls": 66, "Input": 52, "Cached": 76, "Thinking": 76, "Output": 52, "Cost": 0}
"""Widths of a terminal from which on there is room for a column."""
_COLUMNS = tuple(
    TableColumn(
        title, number=True, whole=True, shown_from=room, minor=title in ("Cached", "Thinking")
    )
    for title, room in _SHOWN_FROM.items()
)
_DEFAULT_DAYS = 7


@click.command("usage", cls=TodoCommand, only_reads=True)
@period_options(_DEFAULT_DAYS)
@click.option("--turns", "shows_turns", is_flag=True, help="Show latency and errors of turns.")
@click.option("--tools", "shows_tools", is_flag=True, help="Show tool calls by name and outcome.")
@json_option
@click.pass_obj
def usage(
    session: CliSession,
    days: int | None,
    since: str | None,
    shows_turns: bool,
    shows_tools: bool,
    as_json: bool,
) -> None:
    """Show token usage and cost by day and model.

    Input includes cached tokens; output includes thinking. – = price unknown, + = partly
    unknown. With --turns and --tools, latencies are medians unless named otherwise, and failed
    calls include those that were retried.
    """
    now = session.clock.now()
    period = count_days(session, days, since, _DEFAULT_DAYS)
    if shows_turns and shows_tools:
        raise click.UsageError("--turns cannot be combined with --tools.")
    if shows_turns or shows_tools:
        (_show_turns if shows_turns else _show_tools)(session, period, as_json=as_json)
        return
    store = session.store.usage
    usage_by_day = [
        (total, store.models(total.day))
        for total in store.days(period)
        if (now.date() - total.day).days < period
    ]
    daily, spent = session.settings.limits.daily_budget_usd, store.today().cost_usd
    state = _budget_state(daily, spent)
    if as_json:
        budget: JsonValue = {"daily_usd": daily, "spent_usd": spent, "state": state}
        print_json({"days": [_day_json(day) for day in usage_by_day], "budget": budget})
        return
    if not usage_by_day:
        print_note(f"No usage {'today' if period == 1 else f'in {period:,} days'}.")
    elif sys.stdout.isatty():
        columns = (TableColumn("Day and model"), *_COLUMNS)
        print_columns(columns, _table(usage_by_day, now))
    else:
        columns = (TableColumn("Day"), TableColumn("Model"), *_COLUMNS)
        print_columns(columns, _lines(usage_by_day))
    print_result(f"Today: {format_dollars(spent)}{_format_budget(daily, state)}")


def _budget_state(daily: float | None, spent: float) -> str:
    """Return the state as the agent sees it, which warns from `near` on and asks at `spent`."""
    if daily is None:
        return "none"
    if spent >= daily:
        return "spent"
    from todo_tui.agent.daily_budget import WARNING_SHARE  # 80 ms: few have a budget

    return "near" if spent >= daily * WARNING_SHARE else "within"


def _format_budget(daily: float | None, state: str) -> str:
    if daily is None:
        return ". No daily budget (`daily_budget_usd` under [limits])."
    amount = format_dollars(daily)
    if state == "spent":
        return f". Budget of {amount} used up."
    return f"{', most' if state == 'near' else ''} of the budget of {amount}."


def _table(days: Sequence[_Day], now: datetime) -> Iterator[list[TableCell]]:
    """Yield a row for each day and below it one for each model, for people."""
    for total, models in days:
        day = format_when(When(total.day), now)
        titles: list[tuple[str, str, _Spent]] = [(day[:1].upper() + day[1:], "bold", total)]
        titles += [(f"  {model.provider}:{model.model}", "", model) for model in models]
        for title, style, spent in titles:
            texts = (title, *map(format_number, _counts(spent)), format_cost(spent))
            yield [TableCell(text, style) for text in texts]


def _lines(days: Sequence[_Day]) -> Iterator[list[str]]:
    """Yield a row for each day and model, with whole numbers, for programs."""
    for total, models in days:
        for model in models:
            name = f"{model.provider}:{model.model}"
            yield [total.day.isoformat(), name, *map(str, _counts(model)), format_cost(model)]


def _counts(spent: UsageSum) -> list[int]:
    return [spent.model_calls, *(getattr(spent.usage, name) for name in _TOKENS)]


def _day_json(day: _Day) -> JsonValue:
    total, models = day
    return {
        "day": total.day.isoformat(),
        **_spent_json(total),
        "models": [
            {"provider": model.provider, "model": model.model, **_spent_json(model)}
            for model in models
        ],
    }


def _spent_json(spent: UsageSum) -> dict[str, JsonValue]:
    is_unknown = spent.unpriced_calls and not spent.cost_usd
    return {
        **dict(zip(("model_calls", *_TOKENS), _counts(spent), strict=True)),
        "cost_usd": None if is_unknown else spent.cost_usd,
        "unpriced_calls": spent.unpriced_calls,
    }


def _show_turns(session: CliSession, days: int, *, as_json: bool) -> None:
    metrics = session.store.metrics.turns(days)
    if as_json:
        print_json({"period": _period_json(session, days), **_turns_json(metrics)})
        return
    if metrics.total.turns:
        for label, value in turn_facts(metrics.total):
            print_result(f"{label:<13} {value}")
    else:
        print_note(f"No turns {_format_period(days)}.")
    tables = (
        day_table(metrics.days, session.clock.now()),
        model_table(metrics.models, "{}:{}".format),
        error_table(metrics.errors),
    )
    for number, table in enumerate(tables):
        _print_table(table, below=number > 0 or metrics.total.turns > 0)


def _show_tools(session: CliSession, days: int, *, as_json: bool) -> None:
    tools = session.store.metrics.tools(days)
    if as_json:
        period = _period_json(session, days)
        print_json({"period": period, "tools": [_tool_json(tool) for tool in tools]})
    elif not tools:
        print_note(f"No tool calls {_format_period(days)}.")
    else:
        _print_table(tool_table(tools), below=False)
        _print_table(tool_error_table(tools), below=True)


def _print_table(table: TextTable, *, below: bool) -> None:
    """Print a table, with an empty line above if `below`."""
    if not table.rows:
        return
    if below:
        print_result("")
    columns = [
        TableColumn(title, number=at > 0, whole=at > 0) for at, title in enumerate(table.titles)
    ]
    print_columns(columns, table.rows)


def _format_period(days: int) -> str:
    return "today" if days == 1 else f"in {days:,} days"


def _period_json(session: CliSession, days: int) -> JsonValue:
    last = session.clock.now().date()
    first = last - timedelta(days=days - 1)
    return {"first": first.isoformat(), "last": last.isoformat(), "days": days}


def _turns_json(metrics: TurnMetrics) -> dict[str, JsonValue]:
    """Return the object of docs/metrics.md, without its period."""
    total = metrics.total
    return {
        **_turn_sums_json(total),
        "statuses": {
            status.value: total.by_status.get(status, 0)
            for status in TurnStatus
            if status is not TurnStatus.RUNNING
        },
        "model_calls_per_turn": _mean(total.model_calls, total.turns),
        "tokens_per_turn": _mean(total.tokens, total.turns),
        "cost_usd_per_turn": total.mean_cost_usd,
        "retries": total.retries,
        "failovers": total.failovers,
        "quality_score": None if total.quality is None else round(total.quality, 4),
        "days": [
            {
                "day": day.day.isoformat(),
                **_turn_sums_json(day.turns),
                **_spent_json(day.usage),
            }
            for day in metrics.days
        ],
        "models": [
            {
                "provider": model.provider,
                "model": model.model,
                **_spent_json(model),
                "failed_calls": model.failed,
                "latency_ms": _spread_json(model.latency),
                "first_token_ms": _spread_json(model.first_token),
            }
            for model in metrics.models
        ],
        "errors": [dict(error._asdict()) for error in metrics.errors],
    }


def _turn_sums_json(sums: TurnSums) -> dict[str, JsonValue]:
    return {
        "turns": sums.turns,
        "latency_ms": _spread_json(sums.latency),
        "first_token_ms": _spread_json(sums.first_token),
    }


def _tool_json(tool: ToolMetrics) -> JsonValue:
    return {
        "name": tool.name,
        "calls": tool.calls,
        **{status.value: tool.by_status.get(status, 0) for status in StepStatus},
        "errors": dict(tool.errors),
        "latency_ms": _spread_json(tool.latency),
    }


def _spread_json(spread: Spread | None) -> JsonValue:
    if spread is None:
        return None
    return {
        "median": round(spread.median, 1),
        "p90": round(spread.p90, 1),
        "p99": round(spread.p99, 1),
    }


def _mean(total: int, turns: int) -> float | None:
    return round(total / turns, 2) if turns else None
