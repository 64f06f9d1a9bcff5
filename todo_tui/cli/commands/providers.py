"""`todo-tui providers`: status of all providers and their live models."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli.clients import ProviderClients
from todo_tui.cli.options import command, json_option
from todo_tui.cli.output.messages import print_json, print_note
from todo_tui.cli.output.tables import TableCell, TableColumn, align_rows, print_columns
from todo_tui.cli.provider_options import list_provider_options, may_send_of
from todo_tui.cli.provider_status import ProviderReport, add_keys, build_report, test_providers
from todo_tui.cli.session import CliSession
from todo_tui.config.settings import Settings
from todo_tui.domain.errors import StoreError
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.providers.readiness import ReadyState
from todo_tui.providers.server import anywhere
from todo_tui.tui.services import ProviderOption

UNKNOWN = "–"
_ROOMY = 90
"""Columns of a terminal from which on a second blank between columns breaks no address."""
_TITLES = (("ID", ""), ("Model", "Address"), ("State", "Key"), ("$ per M", "Tools"))
_COLUMNS = (
    TableColumn("Model", main=True),
    TableColumn("Context", whole=True, number=True),
    TableColumn("Tools", whole=True),
    TableColumn("$ per M in/out", whole=True),
)
_TOOLS = {True: "tools", False: "no tools", None: ""}
_Price = tuple[float, float] | None


def provider_report_to_json(report: ProviderReport) -> dict[str, JsonValue]:
    """The object of `providers --json`; null for what nobody asked or knows."""
    option, took = report.option, report.milliseconds
    return {
        "id": option.row.id,
        "label": option.row.label,
        "configured": report.configured,
        "ready": report.ready,
        "reason": report.reason,
        "reachable": report.reachable,
        "calls_tools": report.calls_tools,
        "model": report.model or None,
        "models": [model.name for model in report.readiness.models],
        "address": report.endpoint.address if report.endpoint else None,
        "endpoint": report.endpoint.url if report.endpoint else None,
        "remote": option.remote,
        "key_source": report.key_source,
        "usd_per_million": price_to_json(report.price),
        "answered": report.answered,
        "milliseconds": None if took is None else round(took, 1),
        "remark": report.test_summary or None,
    }


def price_to_json(price: tuple[float, float] | None) -> JsonValue:
    """Dollars for a million tokens in and out; null where unknown."""
    if price is None:
        return None
    return {"input": round(price[0], 6), "output": round(price[1], 6)}


def format_price(price: tuple[float, float] | None, *, costs: bool) -> str:
    """`0.15 / 0.6`; `free` for what runs here, a dash where the price is not known."""
    if not costs:
        return "free"
    if price is None:
        return UNKNOWN
    return " / ".join(f"{each:.3f}".rstrip("0").rstrip(".") for each in price)


def _line(report: ProviderReport) -> tuple[str, ...]:
    option = report.option
    return (
        option.row.id,
        option.row.label,
        report.model or UNKNOWN,
        format_price(report.price, costs=option.costs),
        _tools_words(report),
        report.key_source or "",
        report.endpoint.url if report.endpoint else "",
        report.test_summary or report.reason,
    )


def _print_table(reports: Sequence[ProviderReport], *, no_color: bool) -> None:
    console = Console(no_color=no_color or None, highlight=False, markup=False, emoji=False)
    gap = 2 if console.width >= _ROOMY else 1
    table = Table(
        box=None, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False, header_style="dim"
    )
    for above, below in _TITLES:
        table.add_column(f"{above}\n{below}", overflow="fold")
    for report in reports:
        cells = []
        for above, below, style in _cells(report):
            cell = Text(plain_line(above), style)
            cells.append(cell.append(f"\n{plain_line(below)}", "dim") if below else cell)
        table.add_row(*cells)
    console.print(table)
    for report in reports:
        if report.test_summary and not report.answered:
            style = "red" if report.answered is False else "dim"
            line = Text.assemble(
                (report.option.row.id, style), f": {plain_line(report.test_summary)}"
            )
            console.print(line)


def _cells(report: ProviderReport) -> Iterator[tuple[str, str, str]]:
    option, row = report.option, report.option.row
    works = report.ready and report.answered is not False
    place = report.endpoint.address if report.endpoint else ""
    yield row.id, row.label, "bold" if works else ""
    yield report.model or UNKNOWN, row.about if report.built_in else place, ""
    if report.answered is False:
        style = "red"
    elif report.calls_tools is False:
        style = "yellow"
    else:
        style = "green" if report.ready else "dim"
    yield _state_words(report), _key_words(report), style
    yield format_price(report.price, costs=option.costs), _tools_words(report), ""


def _state_words(report: ProviderReport) -> str:
    if report.install_hint:
        return "not installed"
    if report.milliseconds is not None:
        return f"answers, {report.milliseconds:,.0f} ms"
    return "failed" if report.answered is False else report.readiness.state.value


def _key_words(report: ProviderReport) -> str:
    state = report.readiness.state
    if not report.ready and state is not ReadyState.KEY_REFUSED:
        is_off = state is ReadyState.NOT_RUNNING and not report.install_hint
        return "" if is_off else report.reason
    source = report.key_source or ""
    return Path(source).name if Path(source).is_absolute() else source


def _tools_words(report: ProviderReport) -> str:
    return _TOOLS[report.calls_tools] or UNKNOWN


def print_models(settings: Settings, option: ProviderOption, *, as_json: bool) -> int:
    """Ask the provider, to which naming it is consent, and print what it lists.

    Raises:
        TodoError: it cannot be asked, or gives no list.
    """
    models = asyncio.run(_models(settings, option))
    if as_json:
        print_json(
            [
                {
                    "name": model.name,
                    "context_tokens": model.context_tokens,
                    "calls_tools": model.calls_tools,
                    "usd_per_million": price_to_json(price),
                }
                for model, price in models
            ]
        )
        return 0
    if not models:
        print_note(f"{option.row.label} lists no model. {option.row.setup}")
    rows = [
        [
            TableCell(model.name, "bold" if model.name == option.model else ""),
            TableCell(f"{model.context_tokens:,}" if model.context_tokens else ""),
            TableCell(_TOOLS[model.calls_tools]),
            TableCell(format_price(price, costs=option.costs)),
        ]
        for model, price in models
    ]
    print_columns(_COLUMNS, rows, no_color=settings.no_color)
    return 0


async def _models(settings: Settings, option: ProviderOption) -> list[tuple[ModelInfo, _Price]]:
    row_id = option.row.id
    if not option.row.base_url:
        return [(ModelInfo(option.model, calls_tools=True), None)]
    listed = await ProviderClients(settings, lambda _: anywhere).models(row_id)
    if not option.costs:
        return [(model, None) for model in listed]
    names = [model.name for model in listed]
    # In a thread: the first look-up parses the price list.
    prices = await asyncio.to_thread(lambda: [price_per_million(row_id, name) for name in names])
    return list(zip(listed, prices, strict=True))


@command("providers")
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--check", "asked", is_flag=True, help="Send a test request to those that are ready.")
@click.option("--models", "listed", metavar="ID", help="List the models that this one offers now.")
@json_option
def providers(
    session: CliSession, ids: tuple[str, ...], asked: bool, listed: str | None, as_json: bool
) -> int:
    """Show which models can be talked to, and why the others cannot.

    --check sends a small test request, with nothing of yours in it, to those that are
    ready; only where you have allowed sending to that host before, or name the provider
    here, with --provider or in the configuration. The exit status is 1 when one fails.
    """
    if listed is not None:
        if ids or asked:
            raise click.UsageError("--models ID goes with no other provider and no --check.")
        (option,) = _named(session, (listed,))
        return print_models(session.settings, option, as_json=as_json)
    named = bool(ids)
    reports = asyncio.run(_collect_reports(session, _named(session, ids), named=named, asked=asked))
    if as_json:
        print_json([provider_report_to_json(each) for each in reports])
    elif sys.stdout.isatty():
        _print_table(reports, no_color=session.settings.no_color)
    else:
        for line in align_rows([[plain_line(text) for text in _line(each)] for each in reports]):
            sys.stdout.write(f"{line}\n")
    # Who checks one by name wants to know whether it works, not only whether it failed.
    unready = named and asked and not all(each.ready for each in reports)
    return int(unready or any(each.answered is False for each in reports))


def _named(session: CliSession, ids: Sequence[str]) -> tuple[ProviderOption, ...]:
    """The providers of these ids, each once; all of them where none is named."""
    options = list_provider_options(session.settings)
    by_id = {option.row.id: option for option in options}
    for each in ids:
        if each not in by_id:
            known = ", ".join(by_id)
            raise click.UsageError(f"There is no provider {each!r}. Known are: {known}.")
    return tuple(by_id[each] for each in dict.fromkeys(ids)) if ids else options


async def _collect_reports(
    session: CliSession, options: Sequence[ProviderOption], *, named: bool, asked: bool
) -> list[ProviderReport]:
    settings = await add_keys(session.settings, options)
    agreed = [
        # A list alone shows keys only to servers nearby, and most have none.
        named or ((asked or (each.key_found and not each.remote)) and _agreed(session, each))
        for each in options
    ]
    building = (
        build_report(settings, option, agreed=each)
        for option, each in zip(options, agreed, strict=True)
    )
    reports = list(await asyncio.gather(*building))
    if not asked:
        return reports
    allowed = [
        report for report, each in zip(reports, agreed, strict=True) if each and report.ready
    ]
    with _waiting_notice(allowed):
        tested = {each.option.row.id: each for each in await test_providers(settings, allowed)}
    return [tested.get(each.option.row.id, _mark_untested(each)) for each in reports]


def _mark_untested(report: ProviderReport) -> ProviderReport:
    if not report.ready:
        return report
    row_id = report.option.row.id
    how = f"`todo-tui providers {row_id} --check`, or --provider {row_id}, sends it a test request"
    return replace(report, untested_reason=f"not asked: {how}")


def _agreed(session: CliSession, option: ProviderOption) -> bool:
    if option.agreed or not option.host:
        return True
    if not session.settings.db.exists():
        return False
    try:
        may_send = may_send_of(session.settings, option.row.id, session.store)
        return bool(option.places) and all(map(may_send, option.places))
    except StoreError:
        # Whatever is wrong with the tasks, it is no reason to hide how the providers stand.
        return False


def _waiting_notice(reports: Sequence[ProviderReport]) -> AbstractContextManager[object]:
    if not reports or not sys.stderr.isatty():
        return nullcontext()
    names = ", ".join(each.option.row.id for each in reports)
    return Console(stderr=True, emoji=False).status(Text(plain_line(f"Asking {names}…"), "dim"))
