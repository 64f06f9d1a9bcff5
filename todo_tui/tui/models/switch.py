"""Selected provider and model: readiness, consent, client, recent models."""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from todo_tui.config.provider_row import ProviderOption
from todo_tui.config.settings import ModelName
from todo_tui.domain.errors import StoreError
from todo_tui.providers.registry import DEFAULT_PROVIDER
from todo_tui.store.store import KeyValueStore
from todo_tui.tui.services import CHOSEN_MODEL, CHOSEN_PROVIDER, AppServices

if TYPE_CHECKING:
    from todo_tui.agent.run_config import RunConfig
    from todo_tui.providers.readiness import Readiness
    from todo_tui.tui.store_writer import StoreWriter

_AGENT_LOOP_MODULE = "todo_tui.agent.loop"
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class NameList:
    """Names such as `groq:openai/gpt-oss-120b`, kept in the store, newest first.

    Errors of the store are logged only.
    """

    app_state: KeyValueStore
    writer: StoreWriter
    key: str
    most: int
    _names: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names, read once."""
        if self._names is None:
            try:
                read = json.loads(self.app_state.get(self.key) or "[]")
            except ValueError:
                read = None
            except StoreError as error:
                _log.warning("%s could not be read: %s", self.key, error.message)
                return ()
            names = read if isinstance(read, list) else []
            self._names = tuple(name for name in names if isinstance(name, str))
        return self._names

    def put(self, name: str, *, is_in: bool = True) -> None:
        """Move a name to the top, or remove it."""
        others = tuple(each for each in self.names if each != name)
        names = (name, *others)[: self.most] if is_in else others
        if names != self._names:
            self._names = names
            self.writer.start(self.app_state.set, self.key, json.dumps(names))


class ProviderSwitch:
    """Selected provider and model: readiness, consent, client, stored choice."""

    def __init__(self, services: AppServices) -> None:
        self._services = services
        self._readiness: dict[str, Readiness] = {}
        self._install_hints: dict[str, str] = {}
        self._config: tuple[ModelName, RunConfig] | None = None
        self._must_reopen = False
        self._opening = asyncio.Lock()
        self.options = services.options
        """All selectable options; the first is Alt+1."""
        self._recent = NameList(services.store.app_state, services.writer, "recent_models", 6)
        self._without_tools = NameList(
            services.store.app_state, services.writer, "models_without_tools", 50
        )
        self.choice, self.missed, is_pending = services.first
        self._pending_choice = self.choice if is_pending else None
        """Remembered choice whose key may be in the keyring."""

    @property
    def option(self) -> ProviderOption:
        """Selected option."""
        return self._services.option(self.choice.provider) or self.options[0]

    @property
    def model(self) -> str:
        """Selected model, or the first one that its server named; empty before that."""
        config = self._config
        opened = config[1].provider.model if config and config[0] == self.choice else ""
        if name := opened or self.choice.model or self.option.model:
            return name
        known = self.readiness(self.option)
        return known.models[0].name if known is not None and known.models else ""

    @property
    def others_ready(self) -> bool:
        """True if another option is ready."""
        return any(self.is_ready(each) for each in self.options if each is not self.option)

    # Readiness

    def readiness(self, option: ProviderOption) -> Readiness | None:
        """Return the last known readiness; None before the first check."""
        return self._readiness.get(option.row.id)

    def install_hint(self, option: ProviderOption) -> str:
        """Return the line that installs a missing requirement; empty if none is known."""
        return self._install_hints.get(option.row.id, "")

    def is_ready(self, option: ProviderOption) -> bool:
        """Return whether the option can be selected, without asking a remote server."""
        if self.install_hint(option):
            return False
        if (known := self.readiness(option)) is not None:
            return known.ready
        if option.remote:
            return option.key_found or not option.row.needs_key
        return not option.host

    def missing_text(self, option: ProviderOption) -> str:
        """Return sentences that say what is missing and what to do about it."""
        label, hint = option.row.label, self.install_hint(option)
        if hint:
            return f"{label} is not installed. Run {hint}."
        if self.lacks_key(option):
            return f"{label} needs an API key. {option.row.setup}"
        return f"{label} is not ready: {self.status_text(option)}. {option.row.setup}"

    def lacks_key(self, option: ProviderOption) -> bool:
        """Return True if an option that is not ready lacks a key, of which its `setup` tells."""
        known = self.readiness(option)
        lacks_key = option.row.needs_key if known is None else known.lacks_key
        return lacks_key and option.row.setup_names_key

    def status_text(self, option: ProviderOption) -> str:
        """Return `ready`, or what is missing in a few words."""
        if self.is_ready(option):
            return "ready"
        known = self.readiness(option)
        return known.reason if known is not None else f"set {option.row.key_variable}"

    async def check_readiness(self, option: ProviderOption, ask: bool = True) -> None:
        """Look for a missing package and, with `ask`, check the readiness.

        Local servers are asked, remote ones are not.
        """
        row_id, find = option.row.id, self._services.find_install_hint
        if row_id not in self._install_hints:
            self._install_hints[row_id] = await asyncio.to_thread(find, row_id)
        if ask:
            self._readiness[row_id] = await self._services.readiness(row_id)

    async def check_local_readiness(self) -> None:
        """Check the selected option and all that take no key look-up.

        The system keyring takes time and memory and may show a dialog, so it is read only for
        options that the user asks for.
        """
        asked = [
            option is self.option or option.key_found or not (option.row.needs_key or option.remote)
            for option in self.options
        ]
        await asyncio.gather(*map(self.check_readiness, self.options, asked))
        if self.choice is self._pending_choice and not self.is_ready(self.option):
            self.missed = self.option.row.label
            self.choice = ModelName(DEFAULT_PROVIDER)

    async def next_ready(self) -> ProviderOption | None:
        """Return the next ready option in order; None if no other is ready."""
        at = self.options.index(self.option)
        for option in (*self.options[at + 1 :], *self.options[:at]):
            await self.check_readiness(option)
            if self.is_ready(option):
                return option
        return None

    # Consent

    def has_consent(self, option: ProviderOption) -> bool:
        """Return whether the user agreed to send data to this host."""
        covers = self._services.store.consents.covers
        return option.agreed or not option.host or all(map(covers, option.places or (option.host,)))

    async def give_consent(self, option: ProviderOption) -> None:
        """Store the consent for this host alone; after a StoreError nothing was written."""
        places = option.places or (option.host,)
        await self._services.writer.run(self._services.store.consents.give, *places)

    # The choice

    def choose(self, choice: ModelName) -> None:
        """Use the choice from the next turn on."""
        self.choice = choice
        self.missed = ""
        self.reopen_client()

    async def remember_choice(self) -> None:
        """Store the choice; after a StoreError nothing was written."""
        await self._services.writer.run(self._write_choice)
        self._note_use()

    def _write_choice(self) -> None:
        # Read here, so that of two switches in a row the later one is stored.
        choice, app_state = self.choice, self._services.store.app_state
        app_state.set(CHOSEN_PROVIDER, choice.provider)
        app_state.set(CHOSEN_MODEL, choice.model or None)

    def note_answer(self) -> None:
        """Record that the selected model has answered, whatever was known of it before."""
        known = self.readiness(self.option)
        if known is not None and not known.ready:
            del self._readiness[self.option.row.id]
        self._note_use()

    def _note_use(self) -> None:
        if self.model and self.option.host:
            self._recent.put(f"{self.choice.provider}:{self.model}")

    @property
    def recent(self) -> tuple[ModelName, ...]:
        """Models that answered last; a model name is empty where the server decided."""
        named = (name.partition(":") for name in self._recent.names)
        return tuple(ModelName(row_id, model) for row_id, _, model in named)

    def lacks_tools(self, row_id: str, model: str) -> bool:
        """Return whether the model proved unable to call tools."""
        return f"{row_id}:{model}" in self._without_tools.names

    def note_tools(self, row_id: str, model: str, *, called: bool) -> None:
        """Record whether the model can call tools."""
        self._without_tools.put(f"{row_id}:{model}", is_in=not called)

    # The client

    async def run_config(self) -> RunConfig:
        """Return the run configuration for the selected model, or raise TodoError; cached."""
        async with self._opening:
            choice = self.choice
            opened = None if self._must_reopen else self._config
            if opened is not None and opened[0] == choice:
                return opened[1]
            self._must_reopen = False
            previous, self._config = self._config, None
            config = await asyncio.to_thread(self._open, choice)
            self._config = (choice, config)
            if previous is not None:
                await previous[1].provider.aclose()
            return config

    def reopen_client(self) -> None:
        """Open the client anew when it is needed next, with the API key that is saved then."""
        self._must_reopen = True

    async def open_config(self, choice: ModelName) -> RunConfig:
        """Return a configuration for another model, or raise TodoError; its provider is new."""
        return await asyncio.to_thread(self._open, choice)

    def _open(self, choice: ModelName) -> RunConfig:
        provider = self._services.open_provider(choice.provider, choice.model)
        config = self._services.make_run_config(provider)
        importlib.import_module(_AGENT_LOOP_MODULE)
        for tool in config.tools:
            # Its schema is built once.
            assert tool.spec  # noqa: S101
        return config

    async def aclose(self) -> None:
        """Close the client."""
        opened, self._config = self._config, None
        if opened is not None:
            await opened[1].provider.aclose()
