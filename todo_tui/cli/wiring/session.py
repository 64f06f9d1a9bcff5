"""Session of one run: settings, clock and store, each created on first use."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from todo_tui.cli.output.messages import print_note
from todo_tui.config.load import Configuration, load_settings, read_configuration
from todo_tui.config.machine import Machine, detect_machine
from todo_tui.config.settings import Flags, Settings
from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.task import Actor
from todo_tui.domain.when import CLOCK_YEARS, Clock
from todo_tui.providers.registry import PROVIDERS

if TYPE_CHECKING:
    from todo_tui.agent.telemetry import Telemetry
    from todo_tui.store.store import Store

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
"""End of the name of an environment variable whose value the log leaves out."""
_SHORTEST_SECRET = 6
"""Characters; a shorter value protects nothing, and occurs in ordinary words."""


def build_clock(settings: Settings) -> Clock:
    """Create the clock of the user's zone, standing still where the settings say so.

    Raises:
        ConfigError: the clock of the machine is far off.
    """
    clock = Clock(settings.zone, settings.now)
    if (year := clock.now().year) not in CLOCK_YEARS:
        raise ConfigError(
            f"The clock of this machine is in the year {year}.", hint="Set date and time."
        )
    return clock


def open_user_store(settings: Settings, clock: Clock, state_folder: Path | None = None) -> Store:
    """Open the store of the user; see `open_store` for the state folder.

    Raises:
        StoreError: the file cannot be used.
    """
    from todo_tui.store.store import open_store  # 25 ms: help, keys and config need none

    return open_store(
        settings.db,
        user=settings.user,
        clock=clock,
        style=settings.dates,
        state_folder=state_folder,
    )


class CliSession:
    """Settings, clock and store of one run, read when they are first used, after the flags."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.flags = Flags()
        self.may_create = True
        """False for a command that only reads, which creates no database."""
        self.is_dry_run = False
        """True if nothing is changed in the end, whatever the command writes."""
        self.uses_copy = False
        """True if the command works on a copy of the database, which is removed at the end."""
        self._stand_in: TemporaryDirectory[str] | None = None
        self._keys_read_since: frozenset[str] = frozenset()

    @cached_property
    def machine(self) -> Machine:
        """Return the facts about the machine."""
        return detect_machine(self._environ)

    @cached_property
    def settings(self) -> Settings:
        """Return the settings; mistakes in the file are printed once, and stop nothing.

        Raises:
            ConfigError: a flag or variable cannot be used.
        """
        settings = load_settings(self.flags, self._environ, PROVIDERS, self.machine)
        for problem in settings.problems:
            print_note(f"{problem.message} {problem.hint}")
        return settings

    def settings_for(self, provider: str, model: str | None) -> Settings:
        """Return the settings as if the options named this provider and model.

        Raises:
            ConfigError: there is no such provider.
        """
        flags = self.flags._replace(provider=provider, model=model)
        return load_settings(flags, self._environ, PROVIDERS, self.machine)

    def read_configuration(self) -> Configuration:
        """Resolve the settings anew, with their sources."""
        configuration = read_configuration(self.flags, self._environ, PROVIDERS, self.machine)
        self._keys_read_since |= set(_keys_of(configuration.settings))
        return configuration

    @cached_property
    def clock(self) -> Clock:
        """Return the clock of the settings."""
        return build_clock(self.settings)

    @cached_property
    def store(self) -> Store:
        """Open the user's store.

        A command that only reads gets an empty temporary one in place of a missing database. In a
        copy no consent to a host is found, and none is kept.

        Raises:
            StoreError: the file cannot be used.
        """
        settings = self.settings
        if not self.may_create and not os.path.lexists(settings.db):
            self._stand_in = TemporaryDirectory(prefix="todo-tui-")
            settings = replace(settings, db=Path(self._stand_in.name) / "tasks.db")
        store = open_user_store(settings, self.clock, self.machine.paths.state_folder)
        if not self.uses_copy or self._stand_in is not None:
            return store
        with store:
            self._stand_in = TemporaryDirectory(prefix="todo-tui-")
            copy = Path(self._stand_in.name) / "tasks.db"
            store.copy_to(copy)
        return open_user_store(replace(settings, db=copy), self.clock)

    @cached_property
    def telemetry(self) -> Telemetry | None:
        """Open the exporter of spans; None without a configured endpoint."""
        if not self.settings.telemetry.endpoint:
            return None
        from todo_tui.agent.telemetry import open_telemetry  # 30 ms: few have an endpoint

        return open_telemetry(self.settings.telemetry.endpoint)

    @property
    def log_path(self) -> Path:
        """Return the path of the log."""
        return self.machine.paths.log

    @property
    def own_paths(self) -> tuple[Path, ...]:
        """Return the program's own files and folders: configuration, keys, state, database."""
        return self.settings.config, self.settings.db, *self.machine.paths

    def secrets(self) -> Iterator[str]:
        """Yield every known key, and secrets of the environment, so that a log can omit them."""
        for name, value in self._environ.items():
            if _SECRET_NAME.search(name.upper()) and len(value.strip()) >= _SHORTEST_SECRET:
                yield value.strip()
        if "settings" in self.__dict__:
            yield from _keys_of(self.settings)
        yield from self._keys_read_since

    def new_change_context(self) -> ChangeContext:
        """Begin a batch: all writes of one command are undone together."""
        return self.store.new_change_context(Actor.CLI)

    def close(self) -> None:
        """Close the store if it is open, and send the remaining telemetry."""
        if "store" in self.__dict__:
            self.store.close()
        if self._stand_in is not None:
            self._stand_in.cleanup()
            if not self.uses_copy:
                print_note(f"No database at {self.settings.db}. `todo-tui add` creates it.")
        if (telemetry := self.__dict__.get("telemetry")) is not None:
            telemetry.close()


def _keys_of(settings: Settings) -> Iterator[str]:
    keys = [provider.key for provider in settings.providers.values()]
    keys += () if settings.keyring is None else settings.keyring.known
    return (key.reveal() for key in keys if key is not None)
