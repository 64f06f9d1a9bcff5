"""Clients of providers: opening, checking, listing models; the index of vectors."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from todo_tui.cli.output.messages import print_note
from todo_tui.cli.provider_options import (
    add_key_from_keyring,
    find_provider_row,
    may_send_of,
    provider_settings,
)
from todo_tui.config.endpoint import Endpoint, parse_endpoint
from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.errors import ConfigError, TodoError, Unauthorized
from todo_tui.domain.messages import ModelInfo, Provider
from todo_tui.providers import factory, readiness
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import MaySend, servers_of
from todo_tui.store.store import Store
from todo_tui.tui.services import ProviderOption

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex

_OPENING = threading.Lock()
"""Two SDKs that are imported at once may each find the other's half done."""


@dataclass(frozen=True, slots=True)
class ProviderClients:
    """Clients as the settings describe them; `may_send` is asked with the id of each.

    A server that it does not name is sent nothing, and not shown the key.
    """

    settings: Settings
    may_send: Callable[[str], MaySend]

    def open(self, row_id: str, model: str = "") -> Provider:
        """A client for that row; slow, since it imports an SDK.

        Raises:
            TodoError: a key is missing, or a setting cannot be used.
        """
        row, found = self.with_key(row_id, model)
        with _OPENING:
            return factory.open_provider(row, found, may_send=self.may_send(row_id))

    def preload_transport(self, row_id: str) -> None:
        """Load what every client of that row connects with; blocks."""
        factory.preload_http_stack_of(find_provider_row(self.settings, row_id))

    async def readiness(self, row_id: str) -> Readiness:
        """Check that a provider can be used; may contact a server nearby."""
        try:
            row, found = await asyncio.to_thread(self.with_key, row_id)
        except TodoError as error:
            return Readiness(ready=False, reason=error.message, state=ReadyState.NOT_READY)
        return await readiness.check_readiness(row, found, may_send=self.may_send(row_id))

    async def models(self, row_id: str) -> tuple[ModelInfo, ...]:
        """The models that its server lists now.

        Raises:
            TodoError: it cannot be asked, or gives no list.
        """
        row, found = await asyncio.to_thread(self.with_key, row_id)
        return await readiness.fetch_models(row, found, may_send=self.may_send(row_id))

    async def check(self, row_id: str, model: str) -> CheckResult:
        """Send one small real request, with nothing of the person's in it.

        Raises:
            TodoError: it cannot be opened, or does not answer.
        """
        provider = await asyncio.to_thread(self.open, row_id, model)
        try:
            return await readiness.check_provider(provider)
        finally:
            await provider.aclose()

    def with_key(self, row_id: str, model: str = "") -> tuple[ProviderRow, ProviderSettings]:
        """Return a provider and its settings with its key, from the keyring if need be; slow."""
        row = find_provider_row(self.settings, row_id)
        found = provider_settings(self.settings, row_id, model)
        return row, add_key_from_keyring(self.settings, row, found)


def open_vector_index(settings: Settings, store: Store) -> VectorIndex | None:
    """Return the vectors of the user's documents; None without an embedding model.

    Nothing is opened yet, and no key is looked up.
    """
    name = settings.roles.embed
    if name is None:
        return None
    # 10 ms: few have an embedding model.
    from todo_tui.knowledge.vectors import VectorIndex
    from todo_tui.providers.embeddings import EmbeddingClient

    clients = ProviderClients(settings, lambda row_id: may_send_of(settings, row_id, store))
    model = EmbeddingClient(
        f"{name.provider}:{name.model}",
        partial(clients.with_key, name.provider, name.model),
        clients.may_send(name.provider),
    )
    if not settings.knowledge.qdrant_url:
        return VectorIndex(store, model)
    from todo_tui.knowledge.qdrant import QdrantVectors

    server = parse_endpoint(settings.knowledge.qdrant_url, "qdrant_url")
    return VectorIndex(store, model, QdrantVectors(store, server))


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
        print_note(error.text)
    return replace(settings, providers=providers, keyring=None)


def find_endpoint(settings: Settings, row: ProviderRow) -> Endpoint | None:
    """Return the provider's endpoint; None if it has no server or the address is unusable.

    Of an address that cannot be used nothing is shown: it may hold a password.
    """
    try:
        servers = servers_of(row, provider_settings(settings, row.id))
    except ConfigError:
        return None
    return servers[0].endpoint if servers else None
