"""Composition root of the app: builds its services. Those of commands are in session.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.cli.wiring.providers import (
    choose_first_model,
    find_provider_row,
    install_hint,
    list_provider_options,
)
from todo_tui.config.settings import Settings
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store
from todo_tui.tui.services import AppServices

if TYPE_CHECKING:
    from todo_tui.agent.run_config import RunConfig
    from todo_tui.agent.telemetry import Telemetry
    from todo_tui.cli.wiring.clients import ProviderClients
    from todo_tui.config.load import Configuration
    from todo_tui.domain.messages import Provider
    from todo_tui.knowledge.vectors import VectorIndex
    from todo_tui.tui.actions.keymap import Keymap


def build_tui_services(
    settings: Settings,
    store: Store,
    clock: Clock,
    *,
    log_path: Path | None = None,
    conversation_id: str | None = None,
    open_telemetry: Callable[[], Telemetry | None] = lambda: None,
    own_paths: tuple[Path, ...] = (),
    keymap: Keymap | None = None,
    read_configuration: Callable[[], Configuration] | None = None,
) -> AppServices:
    """Build the services that the app works with; without a screen there is no keymap."""
    problems = settings.problems if keymap is None else keymap.problems
    if read_configuration is not None:
        settings = replace(settings, read_again=lambda: read_configuration().settings)
    clients = partial(_clients, settings, store)
    open_vectors = cache(partial(_open_vectors, settings, store))
    options = list_provider_options(settings)
    return AppServices(
        settings=settings,
        store=store,
        clock=clock,
        style=settings.dates,
        options=options,
        first=choose_first_model(settings, options, store.app_state),
        open_provider=lambda row_id, model: clients().open(row_id, model),
        readiness=lambda row_id: clients().readiness(row_id),
        make_run_config=partial(_build_run_config, settings, store, open_telemetry, open_vectors),
        models=lambda row_id: clients().models(row_id),
        check=lambda row_id, model: clients().check(row_id, model),
        find_install_hint=lambda row_id: install_hint(find_provider_row(settings, row_id)),
        open_vectors=open_vectors,
        own_paths=own_paths,
        generate_title=partial(_generate_title, settings, store) if settings.roles.title else None,
        log_path=log_path,
        conversation_id=conversation_id,
        keymap=keymap.keys if keymap is not None else {},
        read_configuration=read_configuration,
        config_errors=tuple(f"{problem.message} {problem.hint}" for problem in problems),
    )


def _clients(settings: Settings, store: Store) -> ProviderClients:
    from todo_tui.cli.wiring.clients import ProviderClients  # 25 ms: not before the first frame

    return ProviderClients.with_consents(settings, store)


def _build_run_config(
    settings: Settings,
    store: Store,
    open_telemetry: Callable[[], Telemetry | None],
    open_vectors: Callable[[], VectorIndex | None],
    provider: Provider,
) -> RunConfig:
    from todo_tui.cli.wiring.run_config import build_run_config  # 80 ms: the agent; in a thread

    return build_run_config(settings, store, provider, open_telemetry(), open_vectors())


def _open_vectors(settings: Settings, store: Store) -> VectorIndex | None:
    if settings.roles.embed is None:
        return None
    from todo_tui.cli.wiring.clients import open_vector_index  # as above

    return open_vector_index(settings, store)


async def _generate_title(settings: Settings, store: Store, conversation_id: str) -> str | None:
    from todo_tui.cli.wiring.run_config import generate_title  # as above; a turn came before

    return await generate_title(settings, store, conversation_id)
