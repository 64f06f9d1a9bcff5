"""Configuration of turns, and titles of conversations, from the models in the settings."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from todo_tui.agent import conversation_titles
from todo_tui.agent.approver import with_last_mode
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import ContextWindow, Fallback, Limits, RunConfig
from todo_tui.agent.telemetry import Telemetry
from todo_tui.cli.wiring.clients import ProviderClients
from todo_tui.cli.wiring.providers import find_provider_row
from todo_tui.config.settings import ModelName, Settings
from todo_tui.domain.messages import Provider
from todo_tui.store.store import Store

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex


def build_limits(settings: Settings, provider_id: str) -> Limits:
    """Return the limits of a turn with that provider."""
    own = settings.providers.get(provider_id)
    return Limits(
        max_iterations=settings.limits.max_iterations,
        window=ContextWindow(settings.limits.context_messages, settings.limits.context_tokens),
        stall_seconds=own.timeout if own else settings.limits.timeout,
        retry=RetryPolicy(tries=settings.limits.retries, waiting=settings.limits.retry_seconds),
    )


def build_run_config(
    settings: Settings,
    store: Store,
    provider: Provider,
    telemetry: Telemetry | None = None,
    vectors: VectorIndex | None = None,
) -> RunConfig:
    """Build the configuration of a turn. Blocks."""
    compact = settings.roles.compact
    return RunConfig(
        store,
        provider,
        limits=build_limits(settings, provider.id),
        approvals=with_last_mode(settings.approvals, store.decisions),
        fallbacks=tuple(_fallback(settings, store, name) for name in settings.fallback),
        summarizer=_fallback(settings, store, compact) if compact else None,
        daily_budget_usd=settings.limits.daily_budget_usd,
        telemetry=telemetry,
        vectors=vectors,
    )


async def generate_title(settings: Settings, store: Store, conversation_id: str) -> str | None:
    """Return the title that the model for titles gave a conversation; None if it gave none."""
    if settings.roles.title is None:
        return None
    provider = await _open_model(settings, store, settings.roles.title)
    try:
        return await conversation_titles.generate_title(
            store, provider, conversation_id, daily_budget_usd=settings.limits.daily_budget_usd
        )
    finally:
        await provider.aclose()


def _fallback(settings: Settings, store: Store, name: ModelName) -> Fallback:
    label = find_provider_row(settings, name.provider).label
    return Fallback(name.provider, label, partial(_open_model, settings, store, name))


async def _open_model(settings: Settings, store: Store, name: ModelName) -> Provider:
    clients = ProviderClients.with_consents(settings, store)
    return await asyncio.to_thread(clients.open, name.provider, name.model)
