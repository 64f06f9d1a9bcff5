"""`todo-tui providers`: status of all providers and their live models."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import click
from rich.text import Text

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import json_option
from todo_tui.cli.output.console import open_console
from todo_tui.cli.output.messages import print_json, print_note, print_result
from todo_tui.cli.output.tables import TableCell, TableColumn, print_columns
from todo_tui.cli.wiring.clients import ProviderClients, add_keys, find_endpoint
from todo_tui.cli.wiring.providers import install_hint, list_provider_options, may_send_of
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.endpoint import Endpoint
from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, StoreError, TodoError
from todo_tui.domain.messages import ModelInfo
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState
from todo_tui.providers.registry import Wire
from todo_tui.providers.server import anywhere

UNKNOWN = "–"
_COLUMNS = (
    TableColumn("ID", "Provider"),
    TableColumn("Model", "Address"),
    TableColumn("State", "Key"),
    TableColumn("$ per M", "Tools"),
)
_MODEL_COLUMNS = (
    TableColumn("Model", main=True),
    TableColumn("Context", whole=True, number=True),
    TableColumn("Tools", whole=True),
    TableColumn("$ per M in/out", whole=True),
)
_HERE = "this machine"
"""Address of the built-in assistant."""
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
    """None if it has none, or an unusable one."""
    settings: ProviderSettings
    price: _Price
    install_hint: str
    """How to install what is missing; empty if nothing is."""
    test: CheckResult | TodoError | None = None
    """Result of a test request; None if none was sent."""
    no_test_reason: str = ""
    """Reason why no test request was sent, if one was wanted."""

    @property
    def model(self) -> str:
        """Return the configured model, else the first of the server."""
        listed = self.readiness.models[0].name if self.readiness.models else ""
        return self.option.model or listed

    @property
    def built_in(self) -> bool:
        """Return true if the provider needs no server."""
        return self.option.row.wire is Wire.OFFLINE

    @property
    def configured(self) -> bool:
        """Return true if package, address and key are present."""
        addressed = self.built_in or self.endpoint is not None
        keyed = self.settings.has_key or not self.option.row.needs_key
        return not self.install_hint and addressed and keyed

    @property
    def ready(self) -> bool:
        """Return true if the provider can be used as far as is known."""
        return self.readiness.ready and not self.install_hint

    @property
    def reason(self) -> str:
        """Return `ready`, or what is missing."""
        return self.install_hint or self.readiness.reason

    @property
    def reachable(self) -> bool | None:
        """Return true if the server answers at all; None if it was not contacted."""
        match self.test:
            case CheckResult():
                return True
            case ProviderError(kind=kind):
                return kind not in _UNREACHED
            case TodoError():
                return None
        if self.built_in:
            return True
        # Remote servers are not contacted, nor one without its key.
        if self.option.costs or not self.configured:
            return None
        return self.readiness.state is not ReadyState.NOT_RUNNING

    @property
    def calls_tools(self) -> bool | None:
        """Return true if the model can call tools; None if unknown."""
        if self.built_in:
            return True
        if self.test is not None:
            return self.test.calls_tools if isinstance(self.test, CheckResult) else None
        models = (model for model in self.readiness.models if model.name == self.model)
        return next((model.calls_tools for model in models), None)

    @property
    def answered(self) -> bool | None:
        """Return true if a test request was answered; None if none was sent."""
        return None if self.test is None else isinstance(self.test, CheckResult)

    @property
    def milliseconds(self) -> int | None:
        """Return the duration of the test request; None without an answer."""
        return self.test.milliseconds if isinstance(self.test, CheckResult) else None

    @property
    def test_summary(self) -> str:
        """Return the result of the test request in one line; empty if none was wanted."""
        match self.test:
            case None:
                return self.no_test_reason
            case TodoError() as error:
                return error.text
            case CheckResult(milliseconds=milliseconds):
                tools = ", but does not support tools" if self.calls_tools is False else ""
                return f"answers in {milliseconds:,.0f} ms{tools}"

    def to_json(self) -> dict[str, JsonValue]:
        """Return the object of `providers --json`; null for what is unknown."""
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
    """Return `0.15 / 0.6`; `free` for what runs locally, a dash if the price is unknown."""
    if not costs:
        return "free"
    if price is None:
        return UNKNOWN
    return " / ".join(f"{usd:.3f}".rstrip("0").rstrip(".") for usd in price)


def _print_table(reports: Sequence[ProviderReport]) -> None:
    print_columns(_COLUMNS, map(_cells, reports))
    for report in reports:
        if report.test_summary and not report.answered:
            print_result(f"{report.option.row.id}: {report.test_summary}")


def _cells(report: ProviderReport) -> list[TableCell]:
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
        TableCell(row.id, "bold" if works else "", row.label),
        TableCell(report.model or UNKNOWN, "", _HERE if report.built_in else place),
        TableCell(state, style, key),
        TableCell(
            _format_price(report.price, costs=option.costs),
            "",
            _TOOLS[report.calls_tools] or UNKNOWN,
        ),
    ]


def print_models(settings: Settings, option: ProviderOption, *, as_json: bool) -> int:
    """Print the models that a provider lists; to name it is consent to contact it.

    Raises:
        TodoError: the server cannot be reached, or has no list.
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
        price_text = _format_price(price, costs=option.costs)
        rows.append((name, context, _TOOLS[model.calls_tools], price_text))
    print_columns(_MODEL_COLUMNS, rows)
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
@click.option("--check", is_flag=True, help="Send a test request to each ready provider.")
@click.option("--models", "models_of", metavar="ID", help="List the models of this provider.")
@json_option
@click.pass_obj
def providers(
    session: CliSession, ids: tuple[str, ...], check: bool, models_of: str | None, as_json: bool
) -> int:
    """List providers and their status.

    --check sends a small test request without personal data to each provider that is ready.
    A provider on another host must be allowed first: in the app, with --provider or in the
    configuration. The exit status is 1 when a check fails.
    """
    if models_of is not None:
        if ids or check:
            raise click.UsageError("--models cannot be combined with --provider or --check.")
        (option,) = _find_options(session, (models_of,))
        return print_models(session.settings, option, as_json=as_json)
    options, is_named = _find_options(session, ids), bool(ids)
    reports = asyncio.run(_collect_reports(session, options, is_named=is_named, check=check))
    if as_json:
        print_json([report.to_json() for report in reports])
    else:
        _print_table(reports)
    # A provider that is checked by name has to work: it is not enough that no request failed.
    is_unready = is_named and check and not all(report.ready for report in reports)
    return int(is_unready or any(report.answered is False for report in reports))


def _find_options(session: CliSession, ids: Sequence[str]) -> tuple[ProviderOption, ...]:
    """Return the providers of these ids, or all of them without ids."""
    options = list_provider_options(session.settings)
    by_id = {option.row.id: option for option in options}
    for row_id in ids:
        if row_id not in by_id:
            known = ", ".join(by_id)
            raise click.UsageError(f"Unknown provider {row_id!r}. Available: {known}.")
    return tuple(by_id[row_id] for row_id in dict.fromkeys(ids)) if ids else options


async def _collect_reports(
    session: CliSession, options: Sequence[ProviderOption], *, is_named: bool, check: bool
) -> list[ProviderReport]:
    settings = await add_keys(session.settings, options)
    consents = {
        # Without --check keys are sent to local servers only.
        option.row.id: is_named
        or ((check or (option.key_found and not option.remote)) and _has_consent(session, option))
        for option in options
    }
    reports = await asyncio.gather(
        *(
            _build_report(settings, option, has_consent=consents[option.row.id])
            for option in options
        )
    )
    if not check:
        return reports
    clients = ProviderClients(settings, lambda _: anywhere)

    async def test(report: ProviderReport) -> ProviderReport:
        row_id = report.option.row.id
        if not report.ready:
            return report
        if not consents[row_id]:
            how = f"`todo-tui providers {row_id} --check`, or --provider {row_id}"
            return replace(report, no_test_reason=f"not checked: {how} sends a test request")
        try:
            return replace(report, test=await clients.check(row_id, report.model))
        except TodoError as error:
            return replace(report, test=error)

    tested = [report for report in reports if report.ready and consents[report.option.row.id]]
    with _waiting_notice(tested):
        return await asyncio.gather(*map(test, reports))


async def _build_report(
    settings: Settings, option: ProviderOption, *, has_consent: bool
) -> ProviderReport:
    """Report on a provider without contacting a remote server.

    A local server is contacted, with its key only if the user agreed to that.
    """
    row, price = option.row, None
    if option.costs and option.model:
        price = await asyncio.to_thread(price_per_million, row.id, option.model)
    clients = ProviderClients(settings, lambda _: lambda _: has_consent)
    return ProviderReport(
        option=option,
        readiness=await clients.readiness(row.id),
        endpoint=find_endpoint(settings, row),
        settings=settings.providers[row.id],
        price=price,
        install_hint=install_hint(row),
    )


def _has_consent(session: CliSession, option: ProviderOption) -> bool:
    if option.agreed or not option.host:
        return True
    if not session.settings.db.exists():
        return False
    try:
        may_send = may_send_of(session.settings, option.row.id, session.store)
        return bool(option.places) and all(map(may_send, option.places))
    except StoreError:
        # A damaged database is not a reason to hide the status of providers.
        return False


def _waiting_notice(reports: Sequence[ProviderReport]) -> AbstractContextManager[object]:
    if not reports or not sys.stderr.isatty():
        return nullcontext()
    names = ", ".join(report.option.row.id for report in reports)
    console = open_console(stderr=True)
    return console.status(Text(plain_line(f"Checking {names}…"), "dim"))
