"""Status of providers: package, key, address, and the result of a test request."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli.clients import ProviderClients
from todo_tui.cli.output.messages import print_note
from todo_tui.cli.provider_options import (
    add_key_from_keyring,
    install_hint,
    provider_settings,
)
from todo_tui.config.settings import Settings
from todo_tui.domain.errors import (
    ConfigError,
    ProviderError,
    ProviderErrorKind,
    TodoError,
    Unauthorized,
)
from todo_tui.providers.endpoint import Endpoint
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState, check_provider
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.providers.server import anywhere, servers_of
from todo_tui.tui.services import ProviderOption

_UNREACHED = (ProviderErrorKind.NETWORK, ProviderErrorKind.TIMEOUT)


@dataclass(frozen=True, slots=True)
class ProviderReport:
    """Status of one provider as far as it is known."""

    option: ProviderOption
    readiness: Readiness
    endpoint: Endpoint | None
    """None where it has none, or one that cannot be used."""
    key_source: str | None
    has_key: bool
    price: tuple[float, float] | None
    """US dollars for a million tokens in and out; None where unknown."""
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
        row = self.option.row
        addressed = self.built_in or self.endpoint is not None
        return not self.install_hint and addressed and (self.has_key or not row.needs_key)

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
    def milliseconds(self) -> float | None:
        """Duration of the test request; None if there was no answer."""
        return self.tested.milliseconds if isinstance(self.tested, CheckResult) else None

    @property
    def test_summary(self) -> str:
        """Result of the test request in one line; empty if none was requested."""
        match self.tested:
            case None:
                return self.untested_reason
            case TodoError() as error:
                return f"{error.message} {error.hint or ''}".strip()
            case CheckResult(milliseconds=milliseconds):
                tools = ", but calls no tools" if self.calls_tools is False else ""
                return f"answers in {milliseconds:,.0f} ms{tools}"


async def add_keys(settings: Settings, options: Sequence[ProviderOption]) -> Settings:
    """The settings with the keys that the system keyring holds for these providers alone.

    It is not asked again. One that is locked or does not answer counts as empty, and
    that is told once.
    """
    providers = dict(settings.providers)
    try:
        for option in options:
            found = providers[option.row.id]
            providers[option.row.id] = await asyncio.to_thread(
                add_key_from_keyring, settings, option.row, found
            )
    except Unauthorized as error:
        print_note(f"{error.message} {error.hint or ''}".strip())
    return replace(settings, providers=providers, keyring=None)


async def build_report(
    settings: Settings, option: ProviderOption, *, agreed: bool
) -> ProviderReport:
    """Build the report of a provider without contacting a remote server.

    A server nearby is asked, with its key only where the person agreed to that.
    """
    row = option.row
    found = settings.providers[row.id]
    price = None
    if option.costs and option.model:
        price = await asyncio.to_thread(price_per_million, row.id, option.model)
    clients = ProviderClients(settings, lambda _: lambda _: agreed)
    return ProviderReport(
        option=option,
        readiness=await clients.readiness(row.id),
        endpoint=find_endpoint(settings, row),
        key_source=found.key_source,
        has_key=found.has_key,
        price=price,
        install_hint=install_hint(row),
    )


async def test_providers(
    settings: Settings, reports: Sequence[ProviderReport]
) -> list[ProviderReport]:
    """Send a test request to each of them, to which the person agreed, all at the same time."""
    clients = ProviderClients(settings, lambda _: anywhere)
    # Two SDKs that are imported at once may each find the other's half done.
    opening = asyncio.Lock()

    async def test(report: ProviderReport) -> ProviderReport:
        try:
            async with opening:
                provider = await asyncio.to_thread(clients.open, report.option.row.id, report.model)
            try:
                return replace(report, tested=await check_provider(provider))
            finally:
                await provider.aclose()
        except TodoError as error:
            return replace(report, tested=error)

    return list(await asyncio.gather(*map(test, reports)))


def find_endpoint(settings: Settings, row: ProviderRow) -> Endpoint | None:
    """Return the provider's endpoint; None if it has no server or the address is unusable.

    Of an address that cannot be used nothing is shown: it may hold a password.
    """
    try:
        servers = servers_of(row, provider_settings(settings, row.id))
    except ConfigError:
        return None
    return servers[0].endpoint if servers else None
