"""AppServices: the store, settings and factories that the composition root hands to the app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from todo_tui.config.provider_row import ProviderOption, format_model
from todo_tui.config.settings import ModelName
from todo_tui.providers.registry import DEFAULT_PROVIDER

if TYPE_CHECKING:
    from todo_tui.agent.run_config import RunConfig
    from todo_tui.config.load import Configuration
    from todo_tui.config.settings import Settings
    from todo_tui.domain.messages import ModelInfo, Provider
    from todo_tui.domain.when import Clock, DateStyle
    from todo_tui.knowledge.vectors import VectorIndex
    from todo_tui.providers.readiness import CheckResult, Readiness
    from todo_tui.store.store import Store
    from todo_tui.tui.store_writer import StoreWriter


def _new_writer() -> StoreWriter:
    # Shell completion imports this module, but not asyncio: 50 ms.
    from todo_tui.tui.store_writer import StoreWriter

    return StoreWriter()


CHOSEN_PROVIDER, CHOSEN_MODEL = "provider", "model"
"""Keys of the user's last choice in `store.app_state`."""


class FirstModel(NamedTuple):
    """Model that answers first."""

    name: ModelName = ModelName(DEFAULT_PROVIDER)
    missed: str = ""
    """Label of a remembered provider that cannot be used now; else empty."""
    is_pending: bool = False
    """True if its key, found nowhere else, may be in the keyring."""


@dataclass(frozen=True, slots=True)
class AppServices:
    """Dependencies of `TodoApp`, built by the composition root.

    `options` come in registry order: the first is Alt+1. `open_provider(row_id,
    model)` builds a client; it imports an SDK, blocks for up to a second and is therefore called in
    a thread. So is `make_run_config(provider)`, which imports the agent. `readiness(row_id)` may
    send a request. `models(row_id)` lists a server's models, `check(row_id, model)` sends one small
    request, `generate_title(id)` asks a model for a conversation's title: all three may raise
    TodoError. `find_install_hint(row_id)` returns the line that installs a row's missing
    requirement, or an empty text; it blocks.
    """

    settings: Settings
    store: Store
    clock: Clock
    style: DateStyle
    options: tuple[ProviderOption, ...]
    first: FirstModel
    open_provider: Callable[[str, str], Provider]
    readiness: Callable[[str], Awaitable[Readiness]]
    make_run_config: Callable[[Provider], RunConfig]
    models: Callable[[str], Awaitable[tuple[ModelInfo, ...]]]
    check: Callable[[str, str], Awaitable[CheckResult]]
    find_install_hint: Callable[[str], str]
    demo: bool = False
    """True if the app shows made-up tasks."""
    log_path: Path | None = None
    generate_title: Callable[[str], Awaitable[str | None]] | None = None
    """None without a model for titles."""
    open_vectors: Callable[[], VectorIndex | None] = lambda: None
    """Returns the search of documents by meaning, or None without an embedding model; imports
    the providers, so it is called in a thread."""
    own_paths: tuple[Path, ...] = ()
    """Files and folders of the program itself, which are never added to the documents."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """Remapped keys by action, separated by commas."""
    conversation_id: str | None = None
    """Conversation to open; None: the latest."""
    writer: StoreWriter = field(default_factory=_new_writer)
    """The app's one way to write to the store."""
    read_configuration: Callable[[], Configuration] | None = None
    """Reads the configuration again, to change it; blocks. None: it cannot be changed."""
    config_errors: tuple[str, ...] = ()
    """Errors of the configuration, a sentence or two each."""

    def option(self, row_id: str) -> ProviderOption | None:
        """Return the option of that row; None if there is none."""
        return next((each for each in self.options if each.row.id == row_id), None)

    def provider_label(self, row_id: str) -> str:
        """Return the display name of a provider, its id if it is not configured any more."""
        option = self.option(row_id)
        return option.row.label if option is not None else row_id

    def model_label(self, row_id: str, model: str) -> str:
        """Return `Groq · gpt-oss-120b`."""
        option = self.option(row_id)
        return format_model(option.row if option is not None else None, row_id, model)
