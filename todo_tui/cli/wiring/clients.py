"""Clients of providers: opening, checking, listing models; the index of vectors."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Self

from todo_tui.cli.output.messages import print_note
from todo_tui.cli.wiring.providers import (
    add_key_from_keyring,
    find_provider_row,
    may_send_of,
    provider_settings,
    provider_settings_now,
)
from todo_tui.config.endpoint import Endpoint, parse_endpoint
from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.errors import ConfigError, TodoError, Unauthorized
from todo_tui.domain.messages import ModelInfo, Provider
from todo_tui.domain.task_index import NoTasks, TaskIndex
from todo_tui.providers import factory, model_list, readiness
from todo_tui.providers.readiness import CheckResult, Readiness, ReadyState
from todo_tui.providers.registry import ProviderRow
from todo_tui.providers.server import MaySend, servers_of
from todo_tui.store.store import Store

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex

_IMPORT_LOCK = threading.Lock()
"""Two SDKs that are imported at once may each find the other's half done."""


@dataclass(frozen=True, slots=True)
class ProviderClients:
    """Opens and checks providers as the settings describe them.

    `may_send` returns, for the id of a provider, the rule that decides which servers are sent
    anything, or shown the key. `tasks` are for the built-in assistant alone.
    """

    settings: Settings
    may_send: Callable[[str], MaySend]
    tasks: TaskIndex = field(default_factory=NoTasks)

    @classmethod
    def with_consents(cls, settings: Settings, store: Store | None) -> Self:
        """Return clients that send only where the settings or the consents in `store` allow it."""
        may_send = partial(may_send_of, settings, store=store)
        return cls(settings, may_send, store.index if store else NoTasks())

    def open(self, row_id: str, model: str = "") -> Provider:
        """Open a client of a provider; slow, since it imports an SDK.

        Raises:
            TodoError: a key is missing, or a setting cannot be used.
        """
        row, configured = self.with_key(row_id, model)
        with _IMPORT_LOCK:
            return factory.open_provider(
                row, configured, may_send=self.may_send(row_id), tasks=self.tasks
            )

    async def readiness(self, row_id: str) -> Readiness:
        """Check that a provider can be used; may contact a local server."""
        try:
            row, configured = await asyncio.to_thread(self.with_key, row_id)
        except TodoError as error:
            return Readiness(ready=False, reason=error.message, state=ReadyState.NOT_READY)
        return await readiness.check_readiness(row, configured, may_send=self.may_send(row_id))

    async def models(self, row_id: str) -> tuple[ModelInfo, ...]:
        """Return the models that the provider's server lists now.

        Raises:
            TodoError: the server cannot be reached, or has no list.
        """
        row, configured = await asyncio.to_thread(self.with_key, row_id)
        return await model_list.fetch_models(row, configured, may_send=self.may_send(row_id))

    async def check(self, row_id: str, model: str) -> CheckResult:
        """Send one small real request without personal data.

        Raises:
            TodoError: the provider cannot be opened, or does not answer.
        """
        provider = await asyncio.to_thread(self.open, row_id, model)
        try:
            return await readiness.check_provider(provider)
        finally:
            await provider.aclose()

    def with_key(self, row_id: str, model: str = "") -> tuple[ProviderRow, ProviderSettings]:
        """Return a provider and its settings with its key as it is saved now; slow."""
        row = find_provider_row(self.settings, row_id)
        configured = provider_settings_now(self.settings, row, model)
        return row, add_key_from_keyring(self.settings, row, configured)


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

    clients = ProviderClients.with_consents(settings, store)
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
    """Return the settings with the keys of these providers from the system keyring.

    The settings do not refer to the keyring any more. One that is locked or does not answer
    counts as empty, with one warning.
    """
    providers = dict(settings.providers)
    try:
        for option in options:
            providers[option.row.id] = await asyncio.to_thread(
                add_key_from_keyring, settings, option.row, providers[option.row.id]
            )
    except Unauthorized as error:
        print_note(error.text)
    return replace(settings, providers=providers, keyring=None)


def find_endpoint(settings: Settings, row: ProviderRow) -> Endpoint | None:
    """Return the provider's endpoint; None if it has no server or the address is unusable.

    An unusable address is not shown: it may hold a password.
    """
    try:
        servers = servers_of(row, provider_settings(settings, row.id))
    except ConfigError:
        return None
    return servers[0].endpoint if servers else None
