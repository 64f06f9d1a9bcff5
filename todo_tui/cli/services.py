"""Composition root: builds clock, store, providers and app services from settings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.config.keyring import KEYRING_NAME, keyring_installed
from todo_tui.config.settings import ModelName, ProviderSettings, Settings
from todo_tui.domain.errors import ConfigError, TodoError
from todo_tui.domain.when import Clock
from todo_tui.providers.registry import ProviderRow, Wire, all_rows, provider_row

if TYPE_CHECKING:
    from todo_tui.agent.config import Fallback, RunConfig
    from todo_tui.domain.messages import ModelInfo, Provider
    from todo_tui.providers.consent import MaySend
    from todo_tui.providers.readiness import CheckResult, Readiness
    from todo_tui.store.store import Store
    from todo_tui.tui.services import AppServices, ProviderChoice, ProviderOption

_BY_ID = {"groq": "groq"}
_BY_WIRE = {
    Wire.CHAT: "openai",
    Wire.RESPONSES: "openai",
    Wire.MESSAGES: "anthropic",
    Wire.GEMINI: "google.genai",
}


def uses_keyring(row: ProviderRow) -> bool:
    """Return true if the keyring may be asked for a key of that provider.

    A server nearby that needs none is not worth the seconds, and the question that
    the keyring may put to the person.
    """
    return row.needs_key or row.remote


def is_keyring_possible(settings: Settings, row: ProviderRow, found: ProviderSettings) -> bool:
    """Return true if the keyring would be asked for a key, without asking it."""
    if found.has_key or settings.keyring is None or not uses_keyring(row):
        return False
    return keyring_installed()


def add_key_from_keyring(
    settings: Settings, row: ProviderRow, found: ProviderSettings
) -> ProviderSettings:
    """The settings of a provider, with its key from the keyring if it has none.

    Slow, and may put a question to the person: only when the provider is needed, and
    off the event loop.

    Raises:
        Unauthorized: the keyring is locked or does not answer.
    """
    if found.has_key or settings.keyring is None or not uses_keyring(row):
        return found
    for name in row.key_names:
        key = settings.keyring.find(name)
        if key is not None:
            return replace(found, key=key, key_source=KEYRING_NAME)
    return found


def install_hint(row: ProviderRow) -> str:
    """Return how to install a missing package of a provider; empty if none is missing."""
    module = _BY_ID.get(row.id) or _BY_WIRE.get(row.wire)
    if module is None or _is_installed(module):
        return ""
    return f"pip install 'todo-tui[{row.extra}]'" if row.extra else "install todo-tui again"


def _is_installed(module: str) -> bool:
    try:
        # It imports the packages above the module; of `google.genai` an empty one.
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def build_clock(settings: Settings) -> Clock:
    """The clock of the person's zone, standing still where the settings say so."""
    return Clock(settings.zone, settings.now)


def open_user_store(settings: Settings, clock: Clock) -> Store:
    """The person's store.

    Raises:
        StoreError: the file cannot be used.
    """
    from todo_tui.store.store import open_store

    return open_store(settings.db, user=settings.user, clock=clock, style=settings.dates)


def provider_settings(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """Return the settings of a provider; a model given here replaces the configured one."""
    found = settings.providers[row_id]
    if not model and row_id == settings.provider and settings.model:
        model = settings.model
    return replace(found, model=model) if model else found


def all_provider_rows(settings: Settings) -> tuple[ProviderRow, ...]:
    """Our rows and the person's own, the hidden ones too."""
    return all_rows(settings.custom_providers)


def find_provider_row(settings: Settings, row_id: str) -> ProviderRow:
    """The row of that id.

    Raises:
        NotFound: there is none.
    """
    return provider_row(row_id, all_provider_rows(settings))


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
    """Return true if a flag, a variable or the configuration names the provider or its host."""
    return row_id in _used_ids(settings) or settings.providers[row_id].host_named


def build_provider(
    settings: Settings, row_id: str, model: str = "", *, may_send: MaySend
) -> Provider:
    """A client for that row; slow, since it imports an SDK.

    Raises:
        TodoError: a key is missing, or a setting cannot be used.
    """
    from todo_tui.providers.factory import open_provider

    found = _with_key(settings, row_id, model)
    return open_provider(find_provider_row(settings, row_id), found, may_send=may_send)


def preload_transport(settings: Settings, row_id: str) -> None:
    """Load what every client of that row connects with; blocks."""
    from todo_tui.providers import factory

    factory.preload_http_stack_of(find_provider_row(settings, row_id))


async def check_readiness(settings: Settings, row_id: str, *, may_send: MaySend) -> Readiness:
    """Check that a provider can be used; may contact a server nearby.

    Where `may_send` does not name it, it is not shown the key.
    """
    import asyncio

    from todo_tui.providers.readiness import Readiness, ReadyState, check_readiness

    try:
        found = await asyncio.to_thread(_with_key, settings, row_id)
    except TodoError as error:
        return Readiness(ready=False, reason=error.message, state=ReadyState.NOT_READY)
    return await check_readiness(find_provider_row(settings, row_id), found, may_send=may_send)


async def fetch_models(
    settings: Settings, row_id: str, *, may_send: MaySend
) -> tuple[ModelInfo, ...]:
    """The models that its server lists now.

    Raises:
        TodoError: it cannot be asked, or gives no list.
    """
    import asyncio

    from todo_tui.providers.model_list import fetch_models

    found = await asyncio.to_thread(_with_key, settings, row_id)
    return await fetch_models(find_provider_row(settings, row_id), found, may_send=may_send)


async def run_provider_check(
    settings: Settings, row_id: str, model: str, *, may_send: MaySend
) -> CheckResult:
    """Send one small real request, with nothing of the person's in it.

    Raises:
        TodoError: it cannot be opened, or does not answer.
    """
    import asyncio

    from todo_tui.providers.readiness import check_provider

    provider = await asyncio.to_thread(build_provider, settings, row_id, model, may_send=may_send)
    try:
        return await check_provider(provider)
    finally:
        await provider.aclose()


def install_hint_of(settings: Settings, row_id: str) -> str:
    """Return how to install a missing package by provider id; empty if none is missing."""
    return install_hint(find_provider_row(settings, row_id))


async def generate_title(settings: Settings, store: Store, conversation_id: str) -> str | None:
    """Have the model for titles name a conversation; None where it has no other name now."""
    from todo_tui.agent.titles import generate_title

    role = settings.roles.title
    if role is None:
        return None
    provider = await _open_model(settings, role, store)
    try:
        return await generate_title(
            store, provider, conversation_id, daily_budget_usd=settings.daily_budget_usd
        )
    finally:
        await provider.aclose()


async def _open_model(settings: Settings, name: ModelName, store: Store) -> Provider:
    """A client for a model that the configuration names."""
    import asyncio

    may_send = may_send_of(settings, name.provider, store)
    return await asyncio.to_thread(
        build_provider, settings, name.provider, name.model, may_send=may_send
    )


def _with_key(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """Return the settings of a provider with its key, from the keyring if need be; slow."""
    return add_key_from_keyring(
        settings, find_provider_row(settings, row_id), provider_settings(settings, row_id, model)
    )


def build_run_config(settings: Settings, store: Store, provider: Provider) -> RunConfig:
    """Build the configuration of a turn."""
    from todo_tui.agent.config import Limits, RunConfig
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
    return RunConfig(
        store,
        provider,
        limits=limits,
        approvals=settings.approvals,
        fallbacks=tuple(_build_fallback(settings, name, store) for name in settings.fallback),
        summarizer=_build_fallback(settings, compact, store) if compact else None,
        daily_budget_usd=settings.daily_budget_usd,
    )


def _build_fallback(settings: Settings, name: ModelName, store: Store) -> Fallback:
    """A provider that the configuration names, opened when it is needed."""
    from todo_tui.agent.config import Fallback

    label = find_provider_row(settings, name.provider).label
    return Fallback(name.provider, label, partial(_open_model, settings, name, store))


def list_provider_options(settings: Settings) -> tuple[ProviderOption, ...]:
    """List the providers that can be chosen, built-in rows first, in registry order."""
    return tuple(
        build_provider_option(settings, row)
        for row in all_provider_rows(settings)
        if not row.hidden
    )


def build_provider_option(settings: Settings, row: ProviderRow) -> ProviderOption:
    """Build the option of one provider without contacting it."""
    from todo_tui.tui.services import ProviderOption

    found = provider_settings(settings, row.id)
    addresses, places, remote = _host_text(row, found)
    return ProviderOption(
        row=row,
        model=found.model,
        host=" or ".join(addresses),
        places=places,
        key_found=found.has_key,
        remote=remote,
        asks_keyring=is_keyring_possible(settings, row, found),
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


def build_app_services(
    settings: Settings, store: Store, clock: Clock, *, log_path: Path | None = None
) -> AppServices:
    """Everything the app works with."""
    from todo_tui.tui.services import AppServices

    def may_send(row_id: str) -> MaySend:
        return may_send_of(settings, row_id, store)

    workbench = AppServices(
        store=store,
        clock=clock,
        style=settings.dates,
        options=list_provider_options(settings),
        open_provider=lambda row_id, model: build_provider(
            settings, row_id, model, may_send=may_send(row_id)
        ),
        load_sockets=partial(preload_transport, settings),
        readiness=lambda row_id: check_readiness(settings, row_id, may_send=may_send(row_id)),
        make_run_config=partial(build_run_config, settings, store),
        models=lambda row_id: fetch_models(settings, row_id, may_send=may_send(row_id)),
        check=lambda row_id, model: run_provider_check(
            settings, row_id, model, may_send=may_send(row_id)
        ),
        find_install_hint=partial(install_hint_of, settings),
        generate_title=partial(generate_title, settings, store) if settings.roles.title else None,
        daily_budget_usd=settings.daily_budget_usd,
        theme=settings.theme,
        no_color=settings.no_color,
        log_path=log_path,
        keymap=settings.keymap,
        reminders=settings.reminders,
        config_errors=tuple(f"{each.message} {each.hint}" for each in settings.problems),
    )
    return replace(workbench, named=_named_choice(settings, workbench))


def _named_choice(settings: Settings, workbench: AppServices) -> ProviderChoice | None:
    """Return the choice of flags, environment or file; None if they leave it to the user.

    A model that is named alone goes with the person's last provider.
    """
    from todo_tui.tui.services import ProviderChoice

    if settings.provider is not None:
        return ProviderChoice(settings.provider, settings.model or "")
    if settings.model is None:
        return None
    from todo_tui.tui.models.switch import ProviderSwitch

    return ProviderChoice(ProviderSwitch(workbench).choice.row_id, settings.model)


def _host_text(
    row: ProviderRow, found: ProviderSettings
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """The addresses for people, the same as `host:port`, whether one is on another network."""
    from todo_tui.providers.endpoint import parse_endpoint

    try:
        endpoints = [parse_endpoint(url, row.base_url_variable) for url in row.urls(found.base_url)]
    except ConfigError:
        # Opening it says so to the person; until then it counts as far away. The text
        # itself is not shown: it may hold a password.
        return ("an address that cannot be used",), (), True
    return (
        tuple(endpoint.address for endpoint in endpoints),
        tuple(endpoint.place for endpoint in endpoints),
        not all(endpoint.is_near for endpoint in endpoints),
    )
