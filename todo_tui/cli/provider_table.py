"""Providers as people and programs read them: a table, lines in a pipe, JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from todo_tui.cli.columns import aligned
from todo_tui.cli.standing import Standing
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.providers.readiness import ReadyState

UNKNOWN = "–"
_ROOMY = 90
"""Columns of a terminal from which on a second blank between columns breaks no address."""
_TITLES = (("ID", ""), ("Model", "Address"), ("State", "Key"), ("$ per M", "Tools"))


def print_standings(standings: Sequence[Standing], *, no_color: bool) -> None:
    """Print a table on a terminal, and one line each in a pipe."""
    if sys.stdout.isatty():
        _print_table(standings, no_color=no_color)
        return
    for line in aligned([[plain_line(text) for text in _line(each)] for each in standings]):
        sys.stdout.write(f"{line}\n")


def standing_to_json(standing: Standing) -> dict[str, JsonValue]:
    """The object of `providers --json`; null for what nobody asked or knows."""
    option = standing.option
    return {
        "id": option.row.id,
        "label": option.row.label,
        "configured": standing.configured,
        "ready": standing.ready,
        "reason": standing.reason,
        "reachable": standing.reachable,
        "calls_tools": standing.calls_tools,
        "model": standing.model or None,
        "models": [model.name for model in standing.readiness.models],
        "address": standing.endpoint.address if standing.endpoint else None,
        "endpoint": standing.endpoint.url if standing.endpoint else None,
        "remote": option.remote,
        "key_source": standing.key_source,
        "usd_per_million": price_to_json(standing.price),
        "answered": standing.answered,
        "milliseconds": _rounded(standing.milliseconds),
        "remark": standing.remark or None,
    }


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 1)


def price_to_json(price: tuple[float, float] | None) -> JsonValue:
    """Dollars for a million tokens in and out; null where unknown."""
    if price is None:
        return None
    return {"input": round(price[0], 6), "output": round(price[1], 6)}


def price_words(price: tuple[float, float] | None, *, costs: bool) -> str:
    """`0.15 / 0.6`; `free` for what runs here, a dash where the price is not known."""
    if not costs:
        return "free"
    if price is None:
        return UNKNOWN
    return " / ".join(f"{each:.3f}".rstrip("0").rstrip(".") for each in price)


def _line(standing: Standing) -> tuple[str, ...]:
    option = standing.option
    return (
        option.row.id,
        option.row.label,
        standing.model or UNKNOWN,
        price_words(standing.price, costs=option.costs),
        _tools_words(standing),
        standing.key_source or "",
        standing.endpoint.url if standing.endpoint else "",
        standing.remark or standing.reason,
    )


def _print_table(standings: Sequence[Standing], *, no_color: bool) -> None:
    # Drawing is for terminals: a pipe does without these imports.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(no_color=no_color or None, highlight=False, markup=False, emoji=False)
    gap = 2 if console.width >= _ROOMY else 1
    table = Table(
        box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False, header_style="dim"
    )
    for above, below in _TITLES:
        table.add_column(f"{above}\n{below}", overflow="fold")
    for standing in standings:
        cells = []
        for above, below, style in _cells(standing):
            cell = Text(plain_line(above), style)
            cells.append(cell.append(f"\n{plain_line(below)}", "dim") if below else cell)
        table.add_row(*cells)
    console.print(table)
    for standing in standings:
        if standing.remark and not standing.answered:
            style = "red" if standing.answered is False else "dim"
            line = Text.assemble(
                (standing.option.row.id, style), f": {plain_line(standing.remark)}"
            )
            console.print(line)


def _cells(standing: Standing) -> Iterator[tuple[str, str, str]]:
    """Two lines and the style of the first, column by column."""
    option = standing.option
    works = standing.ready and standing.answered is not False
    yield option.row.id, option.row.label, "bold" if works else ""
    yield standing.model or UNKNOWN, _place_words(standing), ""
    yield _state_words(standing), _key_words(standing), _state_style(standing)
    yield price_words(standing.price, costs=option.costs), _tools_words(standing), ""


def _place_words(standing: Standing) -> str:
    if standing.built_in:
        return standing.option.row.about
    return standing.endpoint.address if standing.endpoint else ""


def _state_words(standing: Standing) -> str:
    if standing.cure_if_missing:
        return "not installed"
    if standing.milliseconds is not None:
        return f"answers, {standing.milliseconds:,.0f} ms"
    if standing.answered is False:
        return "failed"
    return standing.readiness.state.value


def _state_style(standing: Standing) -> str:
    if standing.answered is False:
        return "red"
    if standing.calls_tools is False:
        return "yellow"
    return "green" if standing.ready else "dim"


def _key_words(standing: Standing) -> str:
    """Where its key comes from, else what there is to do."""
    state = standing.readiness.state
    if not standing.ready and state is not ReadyState.KEY_REFUSED:
        told_by_state = state is ReadyState.NOT_RUNNING
        return "" if told_by_state and not standing.cure_if_missing else standing.reason
    source = standing.key_source or ""
    return Path(source).name if Path(source).is_absolute() else source


def _tools_words(standing: Standing) -> str:
    match standing.calls_tools:
        case None:
            return UNKNOWN
        case True:
            return "tools"
        case False:
            return "no tools"
