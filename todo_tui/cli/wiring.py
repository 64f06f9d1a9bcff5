"""The composition root: settings become a clock, a store, providers, a desk, a workbench."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.config.settings import ProviderSettings, Settings
from todo_tui.domain.clock import Clock
from todo_tui.providers.registry import PROVIDERS, provider_row

if TYPE_CHECKING:
    # Each of these costs more to import than `todo-tui done` takes: they are
    # imported where they are made.
    from todo_tui.agent.desk import Desk
    from todo_tui.domain.request import Provider
    from todo_tui.providers.readiness import Readiness
    from todo_tui.store.workspace import Store
    from todo_tui.tui.workbench import ProviderChoice, ProviderOption, Workbench

REMEMBERED_PROVIDER, REMEMBERED_MODEL = "provider", "model"
"""Keys of the store's memory: the person's last choice."""


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


def open_provider_of(settings: Settings, row_id: str, model: str = "") -> Provider:
    """A client for that row; slow, since it imports an SDK.

    Raises:
        TodoError: a key is missing, or a setting cannot be used.
    """
    from todo_tui.providers.opening import open_provider

    return open_provider(provider_row(row_id), provider_settings(settings, row_id, model))


async def readiness_of(settings: Settings, row_id: str) -> Readiness:
    """Whether that provider can be talked to, and which models it has."""
    from todo_tui.providers.readiness import readiness

    return await readiness(provider_row(row_id), provider_settings(settings, row_id))
