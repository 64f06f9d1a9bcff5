"""Metrics as text: times, counts and costs, facts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.events import StepStatus
from todo_tui.domain.messages import TurnStatus, UsageSum
from todo_tui.domain.text import format_dollars
from todo_tui.domain.when import When

if TYPE_CHECKING:
    from todo_tui.domain.metrics import (
        DayMetrics,
        ErrorCount,
        ModelMetrics,
        Spread,
        ToolMetrics,
        TurnSums,
    )

UNKNOWN = "–"
SLOW_MS = 1000.0
"""Milliseconds from which the time that an answer or a step took is shown."""
_THOUSANDS_FROM = 100_000
_MILLIONS_FROM = 10_000_000
_MINUTE = 60


class TextTable(NamedTuple):
    """Table of text; all columns but the first are numbers."""

    titles: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def format_milliseconds(milliseconds: float | None) -> str:
    """Return `8 ms`, `0.42 s`, `12.3 s` or `2 min 5 s`."""
    if milliseconds is None:
        return UNKNOWN
    if milliseconds < 99.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if round(seconds, 1) < _MINUTE:
        return f"{seconds:.2f} s" if seconds < 1 else f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    return f"{minutes:,} min {rest} s"


def format_number(count: int) -> str:
    """Return `12,345`, `123k` or `12M`."""
    if count < _THOUSANDS_FROM:
        return f"{count:,}"
    if count < _MILLIONS_FROM:
        return f"{count / 1000:,.0f}k"
    return f"{count / 1_000_000:,.0f}M"


def format_cost(spent: UsageSum) -> str:
    """Return `$1.20`; a dash if no price is known, with a `+` if some are not."""
    if spent.unpriced_calls and not spent.cost_usd:
        return UNKNOWN
    return format_dollars(spent.cost_usd) + ("+" if spent.unpriced_calls else "")


def turn_facts(total: TurnSums) -> list[tuple[str, str]]:
    """Return label and value of each fact about the turns of a period."""
    ended = [f"{total.by_status[each]:,} {each}" for each in TurnStatus if each in total.by_status]
    facts = [("Turns", f"{total.turns:,} ({', '.join(ended)})")]
    for label, spread in (("Latency", total.latency), ("First token", total.first_token)):
        if spread is not None:
            numbers = map(format_milliseconds, (spread.median, spread.p90, spread.p99))
            facts.append((label, "{} median · {} p90 · {} p99".format(*numbers)))
    calls = f"{total.model_calls / total.turns:.1f} model calls"
    tokens = f"{format_number(round(total.tokens / total.turns))} tokens"
    cost = UNKNOWN if total.mean_cost_usd is None else format_dollars(total.mean_cost_usd)
    facts.append(("Per turn", f"{calls} · {tokens} · {cost}"))
    facts.append(("Retries", f"{total.retries:,}"))
    facts.append(("Failovers", f"{total.failovers:,}"))
    if total.quality is not None:
        facts.append(("Fact check", f"{total.quality:.2f} on average"))
    return facts


def day_table(days: Iterable[DayMetrics], now: datetime) -> TextTable:
    """Return turns, tokens, cost and median latency by day."""
    rows = []
    for each in days:
        day = format_when(When(each.day), now)
        turns = each.turns
        rows.append(
            (
                day[:1].upper() + day[1:],
                f"{turns.turns:,}",
                *_usage(each.usage),
                _median(turns.latency),
                _median(turns.first_token),
            )
        )
    return TextTable(("Day", "Turns", "Calls", "Tokens", "Cost", "Latency", "First"), rows)


def model_table(
    models: Iterable[ModelMetrics], model_label: Callable[[str, str], str]
) -> TextTable:
    """Return model calls, tokens, cost and median latency by model."""
    rows = [
        (
            model_label(each.provider, each.model),
            *_usage(each),
            f"{each.failed:,}",
            _median(each.latency),
            _median(each.first_token),
        )
        for each in models
    ]
    return TextTable(("Model", "Calls", "Tokens", "Cost", "Failed", "Latency", "First"), rows)


def error_table(errors: Iterable[ErrorCount]) -> TextTable:
    """Return failed model calls and turns by kind of error."""
    rows = [(each.kind, f"{each.model_calls:,}", f"{each.turns:,}") for each in errors]
    return TextTable(("Error", "Model calls", "Turns"), rows)


def tool_table(tools: Iterable[ToolMetrics]) -> TextTable:
    """Return calls by outcome and latency of each tool."""
    rows = []
    for each in tools:
        counts = [each.calls, *(each.by_status.get(status, 0) for status in StepStatus)]
        spread = each.latency
        times = (spread.median, spread.p90, spread.p99) if spread else (None, None, None)
        texts = (*(f"{count:,}" for count in counts), *map(format_milliseconds, times))
        rows.append((each.name, *texts))
    titles = ("Tool", "Calls", "OK", "Errors", "Stopped", "Median", "p90", "p99")
    return TextTable(titles, rows)


def tool_error_table(tools: Iterable[ToolMetrics]) -> TextTable:
    """Return tool calls by kind of error."""
    rows = [
        (f"{each.name}: {kind}", f"{count:,}")
        for each in tools
        for kind, count in each.errors.items()
    ]
    return TextTable(("Error", "Calls"), rows)


def _median(spread: Spread | None) -> str:
    return format_milliseconds(spread.median if spread else None)


def _usage(spent: UsageSum) -> tuple[str, str, str]:
    tokens = spent.usage.input_tokens + spent.usage.output_tokens
    return f"{spent.model_calls:,}", format_number(tokens), format_cost(spent)
