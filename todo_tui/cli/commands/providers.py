"""`todo-tui providers`: status of all providers and their live models."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli.base import TodoCommand
from todo_tui.cli.clients import ProviderClients, add_keys, find_endpoint
from todo_tui.cli.options import json_option
from todo_tui.cli.output.messages import print_json, print_note
from todo_tui.cli.output.tables import (
    TableCell,
    TableColumn,
    align_rows,
    open_console,
    print_columns,
)
from todo_tui.cli.provider_options import install_hint, list_provider_options, may_send_of
from todo_tui.cli.session import CliSession
from todo_tui.config.endpoint import Endpoint
from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, StoreError, TodoError
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState
from todo_tui.providers.registry import Wire
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
_UNREACHED = (ProviderErrorKind.NETWORK, ProviderErrorKind.TIMEOUT)
_Price = tuple[float, float] | None
"""US dollars for a million tokens in and out; None where unknown."""


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """Status of one provider as far as it is known."""

    option: ProviderOption
    readiness: Readiness
    endpoint: Endpoint | None
    """None where it has none, or one that cannot be used."""
    settings: ProviderSettings
    price: _Price
    install_hint: str
    """What to install first; empty: nothing is missing."""
    tested: CheckResult | TodoError | None = None
    """What came of a test request; None: none was sent."""
    untested_reason: str = ""
    """Why no test request was sent, where one was wanted."""

    @property
    def model(self) -> str:
        """The model that would answer: the one set, else the first of its server."""
        listed = self.readiness.models[0].name if self.readiness.models else ""
        return self.option.model or listed

    @property
    def built_in(self) -> bool:
        """True if the provider needs no server."""
        return self.option.row.wire in (Wire.OFFLINE, Wire.SCRIPTED)

    @property
    def configured(self) -> bool:
        """True if package, address and key are present."""
        addressed = self.built_in or self.endpoint is not None
        keyed = self.settings.has_key or not self.option.row.needs_key
        return not self.install_hint and addressed and keyed

    @property
    def ready(self) -> bool:
        """True if the provider can be used as far as is known."""
        return self.readiness.ready and not self.install_hint

    @property
    def reason(self) -> str:
        """`ready`, or what is missing, in a few words."""
        return self.install_hint or self.readiness.reason

    @property
    def reachable(self) -> bool | None:
        """True if the server answers at all; None if it was not contacted."""
        match self.tested:
            case CheckResult():
                return True
            case ProviderError(kind=kind):
                return kind not in _UNREACHED
            case TodoError():
                return None
        if self.built_in:
            return True
        # Remote servers are not asked; neither is one that lacks its key.
        if self.option.costs or not self.configured:
            return None
        return self.readiness.state is not ReadyState.NOT_RUNNING

    @property
    def calls_tools(self) -> bool | None:
        """True if the model can call tools; None if unknown."""
        if self.built_in:
            return True
        if self.tested is not None:
            return self.tested.calls_tools if isinstance(self.tested, CheckResult) else None
        listed = (each for each in self.readiness.models if each.name == self.model)
        return next((each.calls_tools for each in listed), None)

    @property
    def answered(self) -> bool | None:
        """True if a test request was answered; None if none was sent."""
        return None if self.tested is None else isinstance(self.tested, CheckResult)

    @property
    def milliseconds(self) -> int | None:
        """Duration of the test request; None if there was no answer."""
        return self.tested.milliseconds if isinstance(self.tested, CheckResult) else None

    @property
    def test_summary(self) -> str:
        """Result of the test request in one line; empty if none was requested."""
        match self.tested:
            case None:
                return self.untested_reason
            case TodoError() as error:
                return error.text
            case CheckResult(milliseconds=milliseconds):
                tools = ", but does not support tools" if self.calls_tools is False else ""
                return f"answers in {milliseconds:,.0f} ms{tools}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the object of `providers --json`; null for what nobody asked or knows."""
        option = self.option
        return {
            "id": option.row.id,
            "label": option.row.label,
            "configured": self.configured,
            "ready": self.ready,
            "reason": self.reason,
            "reachable": self.reachable,
            "calls_tools": self.calls_tools,
            "model": self.model or None,
            "models": [model.name for model in self.readiness.models],
            "address": self.endpoint.address if self.endpoint else None,
            "endpoint": self.endpoint.url if self.endpoint else None,
            "remote": option.remote,
            "key_source": self.settings.key_source,
            "usd_per_million": _price_json(self.price),
            "answered": self.answered,
            "milliseconds": self.milliseconds,
            "remark": self.test_summary or None,
        }


def _price_json(price: _Price) -> JsonValue:
    return price and {"input": round(price[0], 6), "output": round(price[1], 6)}


def _format_price(price: _Price, *, costs: bool) -> str:
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
        _format_price(report.price, costs=option.costs),
        _TOOLS[report.calls_tools] or UNKNOWN,
        report.settings.key_source or "",
        report.endpoint.url if report.endpoint else "",
        report.test_summary or report.reason,
    )


def _print_table(reports: Sequence[ProviderReport], *, no_color: bool) -> None:
    console = open_console(no_color)
    padding = (0, 2 if console.width >= _ROOMY else 1, 0, 0)
    table = Table(box=None, padding=padding, pad_edge=False, show_edge=False, header_style="dim")
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
            name = Text(report.option.row.id, "red" if report.answered is False else "dim")
            console.print(Text.assemble(name, f": {plain_line(report.test_summary)}"))


def _cells(report: ProviderReport) -> list[tuple[str, str, str]]:
    """Return for each column its upper line, its lower line, and the style of the upper one."""
    option, row = report.option, report.option.row
    if report.answered is False:
        style = "red"
    elif report.calls_tools is False:
        style = "yellow"
    else:
        style = "green" if report.ready else "dim"
    if report.install_hint:
        state = "not installed"
    elif report.milliseconds is not None:
        state = f"answers, {report.milliseconds:,.0f} ms"
    else:
        state = "failed" if report.answered is False else report.readiness.state.value
    if report.ready or report.readiness.state is ReadyState.KEY_REFUSED:
        source = report.settings.key_source or ""
        key = Path(source).name if Path(source).is_absolute() else source
    else:
        is_off = report.readiness.state is ReadyState.NOT_RUNNING and not report.install_hint
        key = "" if is_off else report.reason
    place = report.endpoint.address if report.endpoint else ""
    works = report.ready and report.answered is not False
    return [
        (row.id, row.label, "bold" if works else ""),
        (report.model or UNKNOWN, row.about if report.built_in else place, ""),
        (state, key, style),
        (
            _format_price(report.price, costs=option.costs),
            _TOOLS[report.calls_tools] or UNKNOWN,
            "",
        ),
    ]


def print_models(settings: Settings, option: ProviderOption, *, as_json: bool) -> int:
    """Ask the provider, to which naming it is consent, and print what it lists.

    Raises:
        TodoError: it cannot be asked, or gives no list.
    """
    models = asyncio.run(_models(settings, option))
    if as_json:
        names = ("name", "context_tokens", "calls_tools")
        print_json(
            [
                {name: getattr(model, name) for name in names}
                | {"usd_per_million": _price_json(price)}
                for model, price in models
            ]
        )
        return 0
    if not models:
        print_note(f"{option.row.label} has no models. {option.row.setup}")
    rows = []
    for model, price in models:
        name = TableCell(model.name, "bold" if model.name == option.model else "")
        context = f"{model.context_tokens:,}" if model.context_tokens else ""
        words = _format_price(price, costs=option.costs)
        rows.append((name, context, _TOOLS[model.calls_tools], words))
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


@click.command("providers", cls=TodoCommand)
@click.argument("ids", metavar="[ID...]", nargs=-1)
@click.option("--check", "asked", is_flag=True, help="Send a test request to each ready provider.")
@click.option("--models", "listed", metavar="ID", help="List the models of this provider.")
@json_option
@click.pass_obj
def providers(
    session: CliSession, ids: tuple[str, ...], asked: bool, listed: str | None, as_json: bool
) -> int:
    """List providers and their status.

    --check sends a small test request without personal data to each provider that is ready.
    A provider on another host must be allowed first: in the app, with --provider or in the
    configuration. The exit status is 1 when a check fails.
    """
    if listed is not None:
        if ids or asked:
            raise click.UsageError("--models cannot be combined with --provider or --check.")
        (option,) = _named(session, (listed,))
        return print_models(session.settings, option, as_json=as_json)
    named = bool(ids)
    reports = asyncio.run(_collect_reports(session, _named(session, ids), named=named, asked=asked))
    if as_json:
        print_json([each.to_json() for each in reports])
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
            raise click.UsageError(f"Unknown provider {each!r}. Available: {known}.")
    return tuple(by_id[each] for each in dict.fromkeys(ids)) if ids else options


async def _collect_reports(
    session: CliSession, options: Sequence[ProviderOption], *, named: bool, asked: bool
) -> list[ProviderReport]:
    settings = await add_keys(session.settings, options)
    agreed = {
        # A list alone shows keys only to servers nearby, and most have none.
        each.row.id: named
        or ((asked or (each.key_found and not each.remote)) and _agreed(session, each))
        for each in options
    }
    reports = await asyncio.gather(
        *(_build_report(settings, each, agreed=agreed[each.row.id]) for each in options)
    )
    if not asked:
        return reports
    clients = ProviderClients(settings, lambda _: anywhere)

    async def tested(report: ProviderReport) -> ProviderReport:
        row_id = report.option.row.id
        if not report.ready:
            return report
        if not agreed[row_id]:
            how = f"`todo-tui providers {row_id} --check`, or --provider {row_id}"
            return replace(report, untested_reason=f"not checked: {how} sends a test request")
        try:
            return replace(report, tested=await clients.check(row_id, report.model))
        except TodoError as error:
            return replace(report, tested=error)

    allowed = [each for each in reports if each.ready and agreed[each.option.row.id]]
    with _waiting_notice(allowed):
        return await asyncio.gather(*map(tested, reports))


async def _build_report(
    settings: Settings, option: ProviderOption, *, agreed: bool
) -> ProviderReport:
    """Report on a provider without contacting a remote server.

    A server nearby is asked, with its key only where the person agreed to that.
    """
    row, price = option.row, None
    if option.costs and option.model:
        price = await asyncio.to_thread(price_per_million, row.id, option.model)
    clients = ProviderClients(settings, lambda _: lambda _: agreed)
    return ProviderReport(
        option=option,
        readiness=await clients.readiness(row.id),
        endpoint=find_endpoint(settings, row),
        settings=settings.providers[row.id],
        price=price,
        install_hint=install_hint(row),
    )


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
    return Console(stderr=True, emoji=False).status(Text(plain_line(f"Checking {names}…"), "dim"))
