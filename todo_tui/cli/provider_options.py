"""Providers that can be used: rows, keys, consent to hosts, and what is missing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.keyring import KEYRING_NAME, keyring_installed
from todo_tui.config.provider_row import format_model
from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.errors import ConfigError
from todo_tui.providers.registry import PROVIDERS, ProviderRow, Wire, provider_row
from todo_tui.tui.services import ProviderOption

if TYPE_CHECKING:
    from todo_tui.providers.server import MaySend
    from todo_tui.store.store import Store

_PACKAGE_BY_ID = {"groq": "groq"}
_PACKAGE_BY_WIRE = {
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
    module = _PACKAGE_BY_ID.get(row.id) or _PACKAGE_BY_WIRE.get(row.wire)
    with suppress(ImportError, ValueError):
        # It imports the packages above the module; of `google.genai` an empty one.
        if module is None or find_spec(module) is not None:
            return ""
    return f"pip install 'todo-tui[{row.extra}]'" if row.extra else "install todo-tui again"


def provider_settings(settings: Settings, row_id: str, model: str = "") -> ProviderSettings:
    """Return the settings of a provider; a model given here replaces the configured one."""
    found = settings.providers[row_id]
    if not model and row_id == settings.provider and settings.model:
        model = settings.model
    return replace(found, model=model) if model else found


def all_provider_rows(settings: Settings) -> tuple[ProviderRow, ...]:
    """Our rows and the person's own, the hidden ones too."""
    return (*PROVIDERS, *settings.custom_providers)


def find_provider_row(settings: Settings, row_id: str) -> ProviderRow:
    """The row of that id.

    Raises:
        NotFound: there is none.
    """
    return provider_row(row_id, all_provider_rows(settings))


def model_label(settings: Settings, provider: str, model: str) -> str:
    """Return `Groq · gpt-oss-120b`; the ids where the provider is not configured any more."""
    rows = {row.id: row for row in all_provider_rows(settings)}
    return format_model(rows.get(provider), provider, model)


def may_send_of(settings: Settings, row_id: str, store: Store | None) -> MaySend:
    """Decide where that provider's requests may go: the one place that knows.

    Whoever names a provider, or its host, has agreed to it; else what the person agreed
    to in `store` counts, and without a store nothing does.
    """
    if is_named(settings, row_id):
        return lambda place: True
    if store is None:
        return lambda place: False
    return store.consents.covers


def is_named(settings: Settings, row_id: str) -> bool:
    """Return true if a flag, a variable or the configuration names the provider or its host."""
    return row_id in _used_ids(settings) or settings.providers[row_id].host_named


def list_provider_options(settings: Settings) -> tuple[ProviderOption, ...]:
    """List the providers that can be chosen, built-in rows first, in registry order."""
    return tuple(
        build_provider_option(settings, row)
        for row in all_provider_rows(settings)
        if not row.hidden
    )


def build_provider_option(settings: Settings, row: ProviderRow) -> ProviderOption:
    """Build the option of one provider without contacting it."""
    found = provider_settings(settings, row.id)
    try:
        endpoints = [parse_endpoint(url, row.base_url_variable) for url in row.urls(found.base_url)]
        host = " or ".join(endpoint.address for endpoint in endpoints)
        remote = not all(endpoint.is_near for endpoint in endpoints)
    except ConfigError:
        # Opening it says so to the person; until then it counts as far away. The text
        # itself is not shown: it may hold a password.
        endpoints, host, remote = [], "an address that cannot be used", True
    may_ask = settings.keyring is not None and not found.has_key
    return ProviderOption(
        row=row,
        model=found.model,
        host=host,
        places=tuple(endpoint.place for endpoint in endpoints),
        key_found=found.has_key,
        remote=remote,
        asks_keyring=may_ask and uses_keyring(row) and keyring_installed(),
        agreed=is_named(settings, row.id),
        used=row.id in _used_ids(settings) or row.id == settings.provider,
    )


def _used_ids(settings: Settings) -> set[str]:
    """Providers that a flag, a variable or the configuration names for something."""
    roles = (settings.roles.title, settings.roles.compact, settings.roles.embed)
    used = {name.provider for name in (*settings.fallback, *roles) if name is not None}
    if settings.provider is not None and settings.provider_named:
        used.add(settings.provider)
    return used
