"""AppServices: the store, settings and factories that the composition root hands to the app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from todo_tui.domain.reminders import ReminderSettings

if TYPE_CHECKING:
    from todo_tui.agent.config import RunConfig
    from todo_tui.domain.messages import ModelInfo, Provider
    from todo_tui.domain.when import Clock, DateStyle
    from todo_tui.providers.readiness import CheckResult, Readiness
    from todo_tui.providers.registry import ProviderRow
    from todo_tui.store.store import Store


@dataclass(frozen=True, slots=True)
class ProviderChoice:
    """A provider and, where one was named, its model; `""` leaves the model to the row."""

    row_id: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class ProviderOption:
    """A registry row with what the settings say of it; known without asking anyone."""

    row: ProviderRow
    model: str
    """The model of the settings, else the row's default; empty where a server decides."""
    host: str
    """Where requests go, for people: `api.groq.com` or `127.0.0.1:11434`; empty: nowhere.
    Of several addresses that are tried, all."""
    key_found: bool
    """Whether the key that it needs, if any, was found."""
    remote: bool
    """Whether messages go to another network; an address can make a local row remote."""
    asks_keyring: bool = False
    """Whether its key, found nowhere else, may be in the system's keyring, which is slow to ask."""
    agreed: bool = False
    """Whether a flag, the environment or the configuration names it, or its host."""
    places: tuple[str, ...] = ()
    """The same as `host`, each as `host:port`: what consent is given to."""
    used: bool = False
    """Whether a flag, the environment or the configuration wants it for something."""

    @property
    def costs(self) -> bool:
        """Whether its calls have a price: also where a hosted row is reached through a proxy."""
        return self.row.remote or self.remote


@dataclass(frozen=True, slots=True)
class AppServices:
    """What `TodoApp` is opened with.

    `options` come in registry order without hidden rows: the first is Alt+1.
    `open_provider(row_id, model)` builds a client; it imports an SDK, blocks for up
    to a second and is therefore called in a thread. So is `make_desk(provider)`, which
    imports the agent. `readiness(row_id)` may ask a server over the network.

    What is None is not offered: `models(row_id)` asks a server for the models that it
    has, `check(row_id, model)` sends one small real request, `name_conversation(id)`
    has a model give a conversation a short title. All three may raise TodoError.
    """

    store: Store
    clock: Clock
    style: DateStyle
    options: tuple[ProviderOption, ...]
    open_provider: Callable[[str, str], Provider]
    readiness: Callable[[str], Awaitable[Readiness]]
    make_run_config: Callable[[Provider], RunConfig]
    named: ProviderChoice | None = None
    """What flags, environment or configuration ask for; None: the last choice of the
    person (`store.memory`: `provider`, `model`), at first `options[0]`."""
    theme: str = ""
    """`light` or `dark` where the settings name one; empty: the last choice, at first dark."""
    no_color: bool = False
    demo: bool = False
    """Made-up tasks and a scripted conversation: the status line says so."""
    log_path: Path | None = None
    """Where the log with the details of failures is; None where there is none."""
    models: Callable[[str], Awaitable[tuple[ModelInfo, ...]]] | None = None
    check: Callable[[str, str], Awaitable[CheckResult]] | None = None
    load_sockets: Callable[[str], None] | None = None
    """Loads what a client of that row would connect with, and none of its SDK; blocks."""
    find_install_hint: Callable[[str], str] | None = None
    """What to install before that row can be used, empty where nothing is missing; blocks."""
    generate_title: Callable[[str], Awaitable[str | None]] | None = None
    reminders: ReminderSettings = field(default_factory=ReminderSettings)
    daily_budget_usd: float | None = None
    """What may be spent in a day before the person is asked; None: there is no limit."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The keys, commas between, of actions that have others than usual."""
    config_errors: tuple[str, ...] = ()
    """What is wrong in the configuration, a sentence or two each."""

    def option(self, row_id: str) -> ProviderOption | None:
        """The option of that row; None where there is none of that id."""
        return next((each for each in self.options if each.row.id == row_id), None)
