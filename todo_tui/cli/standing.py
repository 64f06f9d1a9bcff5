"""How a provider stands: what the settings say of it, and what a test request showed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from todo_tui.agent.pricing import price_per_million
from todo_tui.cli import wiring
from todo_tui.cli.key_lookup import with_keyring
from todo_tui.cli.missing_packages import cure_if_missing
from todo_tui.cli.output import note
from todo_tui.config.settings import Settings
from todo_tui.domain.errors import (
    ConfigError,
    ProviderError,
    ProviderErrorKind,
    TodoError,
    Unauthorized,
)
from todo_tui.providers.consent import anywhere
from todo_tui.providers.endpoint import Endpoint
from todo_tui.providers.opening import servers_of
from todo_tui.providers.readiness import Readiness, ReadyState, check
from todo_tui.providers.registry import ProviderRow, Wire
from todo_tui.tui.workbench import ProviderOption

_UNREACHED = (ProviderErrorKind.NETWORK, ProviderErrorKind.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a test request; `calls_tools` is None where the answer did not show it."""

    milliseconds: float = 0.0
    calls_tools: bool | None = None
    error: TodoError | None = None

    @property
    def reached(self) -> bool | None:
        """Whether the server said anything; None where it was not even asked."""
        match self.error:
            case None:
                return True
            case ProviderError(kind=kind):
                return kind not in _UNREACHED
            case _:
                return None


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of one provider."""

    option: ProviderOption
    readiness: Readiness
    endpoint: Endpoint | None
    """None where it has none, or one that cannot be used."""
    key_source: str | None
    has_key: bool
    price: tuple[float, float] | None
    """US dollars for a million tokens in and out; None where unknown."""
    cure_if_missing: str
    """What to install first; empty: nothing is missing."""
    tried: Tried | None = None
    """None: no test request was sent."""
    unasked: str = ""
    """Why no test request was sent, where one was wanted."""

    @property
    def model(self) -> str:
        """The model that would answer: the one set, else the first of its server."""
        listed = self.readiness.models[0].name if self.readiness.models else ""
        return self.option.model or listed

    @property
    def built_in(self) -> bool:
        """Whether it needs no server."""
        return self.option.row.wire in (Wire.OFFLINE, Wire.SCRIPTED)

    @property
    def configured(self) -> bool:
        """Whether package, address and key are there; nobody was asked for that."""
        row = self.option.row
        addressed = self.built_in or self.endpoint is not None
        return not self.cure_if_missing and addressed and (self.has_key or not row.needs_key)

    @property
    def ready(self) -> bool:
        """Whether it can be talked to, as far as is known."""
        return self.readiness.ready and not self.cure_if_missing

    @property
    def reason(self) -> str:
        """`ready`, or what is missing, in a few words."""
        return self.cure_if_missing or self.readiness.reason

    @property
    def reachable(self) -> bool | None:
        """Whether its server answers; None where it was not asked."""
        if self.tried is not None:
            return self.tried.reached
        if self.built_in:
            return True
        # Remote servers are not asked; neither is one that lacks its key.
        remote = self.option.row.remote or self.option.remote
        if remote or not self.configured:
            return None
        return self.readiness.state is not ReadyState.NOT_RUNNING

    @property
    def calls_tools(self) -> bool | None:
        """Whether its model can call tools; None where that did not show."""
        if self.built_in:
            return True
        if self.tried is not None:
            return self.tried.calls_tools
        listed = (each for each in self.readiness.models if each.name == self.model)
        return next((each.calls_tools for each in listed), None)

    @property
    def answered(self) -> bool | None:
        """Whether it answered a test request; None where none was sent."""
        return None if self.tried is None else self.tried.error is None

    @property
    def milliseconds(self) -> float | None:
        """How long the answer to a test request took; None where none came."""
        return None if self.tried is None or self.tried.error else self.tried.milliseconds

    @property
    def remark(self) -> str:
        """What came of the test request, in one line; empty where none was wanted."""
        if self.tried is None:
            return self.unasked
        error = self.tried.error
        if error is not None:
            return f"{error.message} {error.hint or ''}".strip()
        tools = ", but calls no tools" if self.calls_tools is False else ""
        return f"answers in {self.tried.milliseconds:,.0f} ms{tools}"


async def with_keys(settings: Settings, options: Sequence[ProviderOption]) -> Settings:
    """The settings with the keys that the system keyring holds for these providers alone.

    It is not asked again. One that is locked or does not answer counts as empty, and
    that is told once.
    """
    return await asyncio.to_thread(_with_keys, settings, options)


def _with_keys(settings: Settings, options: Sequence[ProviderOption]) -> Settings:
    providers = dict(settings.providers)
    try:
        for option in options:
            row_id = option.row.id
            providers[row_id] = with_keyring(settings, option.row, providers[row_id])
    except Unauthorized as error:
        note(f"{error.message} {error.hint or ''}".strip())
    return replace(settings, providers=providers, keyring=None)


async def standings_of(
    settings: Settings, options: Sequence[ProviderOption], agreed: Collection[str]
) -> list[Standing]:
    """How each of them stands; nothing remote is asked.

    A server nearby is asked, with its key only where its id is among the `agreed`.
    """
    standings = (_standing(settings, option, option.row.id in agreed) for option in options)
    return list(await asyncio.gather(*standings))


async def try_all(settings: Settings, standings: Sequence[Standing]) -> list[Standing]:
    """Send a test request to each of them, to which the person agreed, all at the same time."""
    # Two SDKs that are imported at once may each find the other's half done.
    opening = asyncio.Lock()
    tried = await asyncio.gather(*(_try(settings, each, opening) for each in standings))
    return [replace(each, tried=one) for each, one in zip(standings, tried, strict=True)]


def endpoint_of(settings: Settings, row: ProviderRow) -> Endpoint | None:
    """Where it is reached; None where it needs no server, or its address cannot be used.

    Of an address that cannot be used nothing is shown: it may hold a password.
    """
    try:
        servers = servers_of(row, wiring.provider_settings(settings, row.id))
    except ConfigError:
        return None
    return servers[0].endpoint if servers else None


async def _standing(settings: Settings, option: ProviderOption, agreed: bool) -> Standing:
    row = option.row
    found = settings.providers[row.id]
    price = None
    if option.costs and option.model:
        price = await asyncio.to_thread(price_per_million, row.id, option.model)
    return Standing(
        option=option,
        readiness=await wiring.readiness_of(settings, row.id, may_send=lambda _: agreed),
        endpoint=endpoint_of(settings, row),
        key_source=found.key_source,
        has_key=found.has_key,
        price=price,
        cure_if_missing=cure_if_missing(row),
    )


async def _try(settings: Settings, standing: Standing, opening: asyncio.Lock) -> Tried:
    row_id = standing.option.row.id
    try:
        async with opening:
            provider = await asyncio.to_thread(
                wiring.open_provider_of, settings, row_id, standing.model, may_send=anywhere
            )
        try:
            checked = await check(provider)
        finally:
            await provider.aclose()
    except TodoError as error:
        return Tried(error=error)
    return Tried(checked.milliseconds, checked.calls_tools)
