"""The composition root: settings become a clock, a store, providers, a desk, a workbench."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.config.settings import ModelName, ProviderSettings, Settings
from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import ConfigError
from todo_tui.providers.registry import ProviderRow, provider_row, rows_of

if TYPE_CHECKING:
    # Each of these costs more to import than `todo-tui done` takes to run: they
    # are imported where they are made.
    from todo_tui.agent.desk import Desk, Understudy
    from todo_tui.domain.request import Provider
    from todo_tui.providers.readiness import Readiness
    from todo_tui.store.workspace import Store
    from todo_tui.tui.workbench import ProviderChoice, ProviderOption, Workbench


def clock_of(settings: Settings) -> Clock:
    """The clock of the person's zone, standing still where the settings say so."""
    return Clock(settings.zone, settings.now)


def open_store_of(settings: Settings, clock: Clock) -> Store:
    """The person's store.

    Raises:
        StoreError: the file cannot be used.
    """
    from todo_tui.store.opening import open_store

    return open_store(settings.db, user=settings.user, clock=clock, style=settings.dates)


def provider_settings(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """How that provider is reached; a model that is named wins over the row's own."""
    found = settings.providers[row_id]
    if not model and row_id == settings.provider and settings.model:
        model = settings.model
    return replace(found, model=model) if model else found


def rows_in(settings: Settings) -> tuple[ProviderRow, ...]:
    """Our rows and the person's own, the hidden ones too."""
    return rows_of(settings.own_providers)


def row_in(settings: Settings, row_id: str) -> ProviderRow:
    """The row of that id.

    Raises:
        NotFound: there is none.
    """
    return provider_row(row_id, rows_in(settings))


def open_provider_of(settings: Settings, row_id: str, model: str = "") -> Provider:
    """A client for that row; slow, since it imports an SDK.

    Raises:
        TodoError: a key is missing, or a setting cannot be used.
    """
    from todo_tui.providers.opening import open_provider

    return open_provider(row_in(settings, row_id), provider_settings(settings, row_id, model))


async def readiness_of(settings: Settings, row_id: str) -> Readiness:
    """Whether that provider can be talked to; may ask its server."""
    from todo_tui.providers.readiness import readiness

    return await readiness(row_in(settings, row_id), provider_settings(settings, row_id))


def desk_of(settings: Settings, store: Store, provider: Provider) -> Desk:
    """What a turn is run with."""
    from todo_tui.agent.desk import Desk, Limits
    from todo_tui.agent.retry import RetryPolicy

    own = settings.providers.get(provider.id)
    limits = Limits(
        max_iterations=settings.max_iterations,
        context_messages=settings.context_messages,
        context_tokens=settings.context_tokens,
        stall_seconds=own.timeout if own else settings.timeout,
        retry=RetryPolicy(tries=settings.retries, waiting=settings.retry_seconds),
    )
    return Desk(
        store,
        provider,
        limits=limits,
        approvals=settings.approvals,
        fallbacks=tuple(_understudy(settings, name) for name in settings.fallback),
        compact=settings.roles.compact and _understudy(settings, settings.roles.compact),
        daily_budget_usd=settings.daily_budget_usd,
    )


def _understudy(settings: Settings, name: ModelName) -> Understudy:
    """A provider that the configuration names, opened when it is needed."""
    from todo_tui.agent.desk import Understudy

    async def opened() -> Provider:
        # Not at the top: `todo-tui done` runs no event loop.
        import asyncio

        return await asyncio.to_thread(open_provider_of, settings, name.provider, name.model)

    return Understudy(name.provider, row_in(settings, name.provider).label, opened)


def provider_options(settings: Settings) -> tuple[ProviderOption, ...]:
    """What the settings say of each row that can be chosen, ours first, in registry order."""
    return tuple(provider_option(settings, row) for row in rows_in(settings) if not row.hidden)


def provider_option(settings: Settings, row: ProviderRow) -> ProviderOption:
    """What the settings say of one row; nobody is asked."""
    from todo_tui.tui.workbench import ProviderOption

    found = provider_settings(settings, row.id)
    host, remote = _whereabouts(row, found)
    return ProviderOption(
        row=row,
        model=found.model,
        host=host,
        key_found=found.key is not None,
        remote=remote,
        agreed=row.id in _named_ids(settings),
    )


def _named_ids(settings: Settings) -> set[str]:
    """Providers that a flag, a variable or the configuration names: that is agreement."""
    roles = (settings.roles.title, settings.roles.compact)
    named = [name.provider for name in (*settings.fallback, *roles) if name is not None]
    return {*named, *([settings.provider] if settings.provider else [])}


def workbench_of(
    settings: Settings, store: Store, clock: Clock, *, log_path: Path | None = None
) -> Workbench:
    """Everything the app works with."""
    from todo_tui.tui.workbench import Workbench

    workbench = Workbench(
        store=store,
        clock=clock,
        style=settings.dates,
        options=provider_options(settings),
        open_provider=partial(open_provider_of, settings),
        readiness=partial(readiness_of, settings),
        make_desk=partial(desk_of, settings, store),
        theme=settings.theme,
        no_color=settings.no_color,
        log_path=log_path,
    )
    return replace(workbench, named=_named_choice(settings, workbench))


def _named_choice(settings: Settings, workbench: Workbench) -> ProviderChoice | None:
    """What flags, environment or file ask for; None where they leave it to the person.

    A model that is named alone goes with the person's last provider.
    """
    from todo_tui.tui.workbench import ProviderChoice

    if settings.provider is not None:
        return ProviderChoice(settings.provider, settings.model or "")
    if settings.model is None:
        return None
    from todo_tui.tui.provider_switch import ProviderSwitch

    return ProviderChoice(ProviderSwitch(workbench).choice.row_id, settings.model)


def _whereabouts(row: ProviderRow, found: ProviderSettings) -> tuple[str, bool]:
    """The host for people, and whether it is on another network."""
    from todo_tui.providers.opening import servers_of

    try:
        servers = servers_of(row, found)
    except ConfigError:
        # Opening it says so to the person; until then it counts as far away.
        return found.base_url, True
    if not servers:
        return "", False
    return servers[0].endpoint.address, not servers[0].endpoint.near
