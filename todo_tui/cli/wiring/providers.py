"""Providers: rows, settings, keys, consent, what is not installed; the model that is used first."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.keyring import KEYRING_NAME, keyring_installed
from todo_tui.config.provider_row import ProviderOption, format_model
from todo_tui.config.settings import ModelName, ProviderSettings, Settings
from todo_tui.domain.errors import ConfigError, StoreError
from todo_tui.domain.extras import install_command
from todo_tui.providers.registry import PROVIDERS, ProviderRow, Wire, provider_row
from todo_tui.tui.services import CHOSEN_MODEL, CHOSEN_PROVIDER, FirstModel

if TYPE_CHECKING:
    from todo_tui.providers.server import MaySend
    from todo_tui.store.store import KeyValueStore, Store

_PACKAGE_BY_ID = {"groq": "groq"}
_PACKAGE_BY_WIRE = {
    Wire.CHAT: "openai",
    Wire.RESPONSES: "openai",
    Wire.MESSAGES: "anthropic",
    Wire.GEMINI: "google.genai",
}


def uses_keyring(row: ProviderRow) -> bool:
    """Return true if a key of the provider may be in the keyring.

    A local server that needs no key is not worth the seconds, and the prompt that the keyring
    may show.
    """
    return row.needs_key or row.remote


def provider_settings_now(settings: Settings, row: ProviderRow, model: str) -> ProviderSettings:
    """Return the settings of a provider as `provider_settings`, with the API key saved now.

    A key that was saved for another address since the settings were read is not used. Blocks.
    """
    configured = provider_settings(settings, row.id, model)
    if settings.read_again is None:
        return configured
    if settings.keyring is not None:
        for name in row.key_names:
            settings.keyring.ask_again(name)
    now = settings.read_again().providers.get(row.id)
    if now is None or now.base_url != configured.base_url:
        return configured
    return replace(
        configured,
        key=now.key,
        key_source=now.key_source,
        bearer=now.bearer,
        token_command=now.token_command,
    )


def add_key_from_keyring(
    settings: Settings, row: ProviderRow, configured: ProviderSettings
) -> ProviderSettings:
    """Return the settings of a provider, with its key from the keyring if they have none.

    Slow, and the keyring may show a prompt: call it off the event loop, and only for a provider
    that is needed.

    Raises:
        Unauthorized: the keyring is locked or does not answer.
    """
    if configured.has_key or settings.keyring is None or not uses_keyring(row):
        return configured
    for name in row.key_names:
        key = settings.keyring.find(name)
        if key is not None:
            return replace(configured, key=key, key_source=KEYRING_NAME)
    return configured


def install_hint(row: ProviderRow) -> str:
    """Return how to install a missing package of a provider; empty if none is missing."""
    module = _PACKAGE_BY_ID.get(row.id) or _PACKAGE_BY_WIRE.get(row.wire)
    with suppress(ImportError, ValueError):
        # It imports the packages above the module; of `google.genai` an empty one.
        if module is None or find_spec(module) is not None:
            return ""
    return install_command(row.extra) if row.extra else "install todo-tui again"


def provider_settings(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """Return the settings of a provider; a model given here replaces the configured one."""
    configured = settings.providers[row_id]
    if not model and row_id == settings.provider and settings.model:
        model = settings.model
    return replace(configured, model=model) if model else configured


def all_provider_rows(settings: Settings) -> tuple[ProviderRow, ...]:
    """Return the built-in rows and the user's own."""
    return (*PROVIDERS, *settings.custom_providers)


def find_provider_row(settings: Settings, row_id: str) -> ProviderRow:
    """Return the row of a provider.

    Raises:
        NotFound: no provider has this id.
    """
    return provider_row(row_id, all_provider_rows(settings))


def model_label(settings: Settings, provider: str, model: str) -> str:
    """Return `Groq · gpt-oss-120b`; the ids if the provider is not configured any more."""
    rows = {row.id: row for row in all_provider_rows(settings)}
    return format_model(rows.get(provider), provider, model)


def may_send_of(settings: Settings, row_id: str, store: Store | None) -> MaySend:
    """Return the rule that decides where a provider's requests may go; no other code decides it.

    To name a provider or its host is consent to it; otherwise the consents in `store` count, and
    without a store there are none.
    """
    if is_named(settings, row_id):
        return lambda place: True
    if store is None:
        return lambda place: False
    return store.consents.covers


def is_named(settings: Settings, row_id: str) -> bool:
    """Return true if a flag, a variable or the configuration names the provider or its host."""
    return row_id in _used_ids(settings) or settings.providers[row_id].host_named


def choose_first_model(
    settings: Settings, options: Sequence[ProviderOption], app_state: KeyValueStore
) -> FirstModel:
    """Return the model that answers first: the configured one, else the user's last choice.

    DEFAULT_PROVIDER answers where nothing was chosen, or the choice cannot be used. A model that
    is configured without a provider goes with the last provider.
    """
    if settings.provider is not None:
        return FirstModel(ModelName(settings.provider, settings.model or ""))
    last = _last_model(options, app_state)
    if settings.model is not None:
        return FirstModel(ModelName(last.name.provider, settings.model))
    return last


def _last_model(options: Sequence[ProviderOption], app_state: KeyValueStore) -> FirstModel:
    try:
        row_id, model = app_state.get(CHOSEN_PROVIDER), app_state.get(CHOSEN_MODEL) or ""
    except StoreError:
        return FirstModel()
    option = next((each for each in options if each.row.id == row_id), None)
    if option is None:
        return FirstModel()
    # Without consent to its host the first turn asks before anything is sent.
    has_key = option.key_found or not option.row.needs_key
    if not (has_key or option.asks_keyring):
        return FirstModel(missed=option.row.label)
    return FirstModel(ModelName(option.row.id, model), is_pending=not has_key)


def list_provider_options(settings: Settings) -> tuple[ProviderOption, ...]:
    """List the providers that can be chosen, built-in rows first, in registry order."""
    return tuple(build_provider_option(settings, row) for row in all_provider_rows(settings))


def build_provider_option(settings: Settings, row: ProviderRow) -> ProviderOption:
    """Build the option of one provider without contacting it."""
    configured = provider_settings(settings, row.id)
    try:
        endpoints = [
            parse_endpoint(url, row.base_url_variable) for url in row.urls(configured.base_url)
        ]
        host = " or ".join(endpoint.address for endpoint in endpoints)
        remote = not all(endpoint.is_near for endpoint in endpoints)
    except ConfigError:
        # Opening the provider reports it; until then it counts as remote. The address is not
        # shown: it may hold a password.
        endpoints, host, remote = [], "an address that cannot be used", True
    may_need_keyring = settings.keyring is not None and not configured.has_key
    return ProviderOption(
        row=row,
        model=configured.model,
        host=host,
        places=tuple(endpoint.place for endpoint in endpoints),
        key_found=configured.has_key,
        remote=remote,
        asks_keyring=may_need_keyring and uses_keyring(row) and keyring_installed(),
        agreed=is_named(settings, row.id),
        used=row.id in _used_ids(settings) or row.id == settings.provider,
    )


def _used_ids(settings: Settings) -> set[str]:
    """Return the providers that a flag, a variable or the configuration names."""
    roles = (settings.roles.title, settings.roles.compact, settings.roles.embed)
    used = {name.provider for name in (*settings.fallback, *roles) if name is not None}
    if settings.provider is not None and settings.provider_named:
        used.add(settings.provider)
    return used
