"""The composition root: settings become a clock, a store, providers, a desk, a workbench."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.config.settings import ModelName, ProviderSettings, Settings
from todo_tui.domain.clock import Clock
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.providers.registry import ProviderRow, provider_row, rows_of

if TYPE_CHECKING:
    # Each of these, asyncio too, costs more to import than `todo-tui done` takes to
    # run: they are imported where they are made.
    from todo_tui.agent.desk import Desk, Understudy
    from todo_tui.domain.request import ModelInfo, Provider
    from todo_tui.providers.consent import MaySend
    from todo_tui.providers.readiness import Checked, Readiness
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


def may_send_of(settings: Settings, row_id: str, store: Store | None) -> MaySend:
    """Decide where that provider's requests may go: the one place that knows.

    Whoever names a provider, or its host, has agreed to it; else what the person agreed
    to in `store` counts, and without a store nothing does.
    """
    from todo_tui.providers.consent import anywhere

    if is_named(settings, row_id):
        return anywhere
    if store is None:
        return lambda place: False
    consents = store.consents
    return lambda place: consents.covers(place, row_id)


def is_named(settings: Settings, row_id: str) -> bool:
    """Whether a flag, a variable or the configuration names that provider or its host."""
    return row_id in _used_ids(settings) or settings.providers[row_id].host_named


def open_provider_of(
    settings: Settings, row_id: str, model: str = "", *, may_send: MaySend
) -> Provider:
    """A client for that row; slow, since it imports an SDK.

    Raises:
        TodoError: a key is missing, or a setting cannot be used.
    """
    from todo_tui.providers.opening import open_provider

    found = _with_key(settings, row_id, model)
    return open_provider(row_in(settings, row_id), found, may_send=may_send)


def load_sockets_of(settings: Settings, row_id: str) -> None:
    """Load what every client of that row connects with; blocks."""
    from todo_tui.providers import opening

    opening.load_sockets_of(row_in(settings, row_id))


async def readiness_of(settings: Settings, row_id: str, *, may_send: MaySend) -> Readiness:
    """Whether that provider can be talked to; may ask a server nearby.

    Where `may_send` does not name it, it is not shown the key.
    """
    import asyncio

    from todo_tui.providers.readiness import Readiness, ReadyState, readiness

    try:
        found = await asyncio.to_thread(_with_key, settings, row_id)
    except TodoError as error:
        return Readiness(ready=False, reason=error.message, state=ReadyState.NOT_READY)
    return await readiness(row_in(settings, row_id), found, may_send=may_send)


async def models_of(settings: Settings, row_id: str, *, may_send: MaySend) -> tuple[ModelInfo, ...]:
    """The models that its server lists now.

    Raises:
        TodoError: it cannot be asked, or gives no list.
    """
    import asyncio

    from todo_tui.providers.model_list import live_models

    found = await asyncio.to_thread(_with_key, settings, row_id)
    return await live_models(row_in(settings, row_id), found, may_send=may_send)


async def check_of(settings: Settings, row_id: str, model: str, *, may_send: MaySend) -> Checked:
    """Send one small real request, with nothing of the person's in it.

    Raises:
        TodoError: it cannot be opened, or does not answer.
    """
    import asyncio

    from todo_tui.providers.readiness import check

    provider = await asyncio.to_thread(open_provider_of, settings, row_id, model, may_send=may_send)
    try:
        return await check(provider)
    finally:
        await provider.aclose()


def cure_if_missing_of(settings: Settings, row_id: str) -> str:
    """What to install before that row can be used; empty where nothing is missing."""
    from todo_tui.cli.missing_packages import cure_if_missing

    return cure_if_missing(row_in(settings, row_id))


async def title_of(settings: Settings, store: Store, conversation_id: str) -> str | None:
    """Have the model for titles name a conversation; None where it has no other name now."""
    from todo_tui.agent.naming import name_conversation

    role = settings.roles.title
    if role is None:
        return None
    provider = await _open_model(settings, role, store)
    try:
        return await name_conversation(
            store, provider, conversation_id, daily_budget_usd=settings.daily_budget_usd
        )
    finally:
        await provider.aclose()


async def _open_model(settings: Settings, name: ModelName, store: Store) -> Provider:
    """A client for a model that the configuration names."""
    import asyncio

    may_send = may_send_of(settings, name.provider, store)
    return await asyncio.to_thread(
        open_provider_of, settings, name.provider, name.model, may_send=may_send
    )


def _with_key(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """How that provider is reached, its key from the keyring where nothing else has one; slow."""
    from todo_tui.cli.key_lookup import with_keyring

    return with_keyring(
        settings, row_in(settings, row_id), provider_settings(settings, row_id, model)
    )


def desk_of(settings: Settings, store: Store, provider: Provider) -> Desk:
    """What a turn is run with."""
    from todo_tui.agent.desk import Desk, Limits
    from todo_tui.agent.retry import RetryPolicy

    own = settings.providers.get(provider.id)
    compact = settings.roles.compact
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
        fallbacks=tuple(_understudy(settings, name, store) for name in settings.fallback),
        compact=_understudy(settings, compact, store) if compact else None,
        daily_budget_usd=settings.daily_budget_usd,
    )


def _understudy(settings: Settings, name: ModelName, store: Store) -> Understudy:
    """A provider that the configuration names, opened when it is needed."""
    from todo_tui.agent.desk import Understudy

    label = row_in(settings, name.provider).label
    return Understudy(name.provider, label, partial(_open_model, settings, name, store))


def provider_options(settings: Settings) -> tuple[ProviderOption, ...]:
    """What the settings say of each row that can be chosen, ours first, in registry order."""
    return tuple(provider_option(settings, row) for row in rows_in(settings) if not row.hidden)


def provider_option(settings: Settings, row: ProviderRow) -> ProviderOption:
    """What the settings say of one row; nobody is asked."""
    from todo_tui.cli.key_lookup import may_be_in_keyring
    from todo_tui.tui.workbench import ProviderOption

    found = provider_settings(settings, row.id)
    addresses, places, remote = _whereabouts(row, found)
    return ProviderOption(
        row=row,
        model=found.model,
        host=" or ".join(addresses),
        places=places,
        key_found=found.has_key,
        remote=remote,
        asks_keyring=may_be_in_keyring(settings, row, found),
        agreed=is_named(settings, row.id),
        used=row.id in _used_ids(settings) or row.id == settings.provider,
    )


def _used_ids(settings: Settings) -> set[str]:
    """Providers that a flag, a variable or the configuration names for something."""
    roles = (settings.roles.title, settings.roles.compact)
    used = {name.provider for name in (*settings.fallback, *roles) if name is not None}
    if settings.provider is not None and settings.provider_named:
        used.add(settings.provider)
    return used


def workbench_of(
    settings: Settings, store: Store, clock: Clock, *, log_path: Path | None = None
) -> Workbench:
    """Everything the app works with."""
    from todo_tui.tui.workbench import Workbench

    def may_send(row_id: str) -> MaySend:
        return may_send_of(settings, row_id, store)

    workbench = Workbench(
        store=store,
        clock=clock,
        style=settings.dates,
        options=provider_options(settings),
        open_provider=lambda row_id, model: open_provider_of(
            settings, row_id, model, may_send=may_send(row_id)
        ),
        load_sockets=partial(load_sockets_of, settings),
        readiness=lambda row_id: readiness_of(settings, row_id, may_send=may_send(row_id)),
        make_desk=partial(desk_of, settings, store),
        models=lambda row_id: models_of(settings, row_id, may_send=may_send(row_id)),
        check=lambda row_id, model: check_of(settings, row_id, model, may_send=may_send(row_id)),
        cure_if_missing=partial(cure_if_missing_of, settings),
        name_conversation=partial(title_of, settings, store) if settings.roles.title else None,
        daily_budget_usd=settings.daily_budget_usd,
        theme=settings.theme,
        no_color=settings.no_color,
        log_path=log_path,
        keymap=settings.keymap,
        reminders=settings.reminders,
        mistakes=tuple(f"{each.message} {each.hint}" for each in settings.problems),
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


def _whereabouts(
    row: ProviderRow, found: ProviderSettings
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The addresses for people, the same as `host:port`, whether one is on another network."""
    from todo_tui.providers.endpoint import read_endpoint

    try:
        endpoints = [read_endpoint(url, row.base_url_variable) for url in row.urls(found.base_url)]
    except ConfigError:
        # Opening it says so to the person; until then it counts as far away. The text
        # itself is not shown: it may hold a password.
        return ("an address that cannot be used",), (), True
    return (
        tuple(endpoint.address for endpoint in endpoints),
        tuple(endpoint.place for endpoint in endpoints),
        not all(endpoint.near for endpoint in endpoints),
    )
