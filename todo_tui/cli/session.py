"""Session: settings, clock and store of one run, each made on first use."""

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


_KEEPS_SECRETS = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_SHORTEST_SECRET = 6
"""Characters; what is shorter guards nothing, and stands in ordinary words."""


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
    """One run: flags are collected first, then settings hold, then the store is opened."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.flags = Flags()
        self.may_create = True
        """False while a command runs that only reads: it leaves no database where there is none."""
        self._stand_in: TemporaryDirectory[str] | None = None

    @cached_property
    def machine(self) -> Machine:
        """Facts about the machine."""
        return detect_machine(self._environ)

    @cached_property
    def settings(self) -> Settings:
        """The settings; mistakes in the file are told once, and do not stop anything.

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
        """Resolve the settings anew, with what explains them."""
        return read_configuration(self.flags, self._environ, PROVIDERS, self.machine)

    @cached_property
    def clock(self) -> Clock:
        """The clock of the settings."""
        return build_clock(self.settings)

    @cached_property
    def store(self) -> Store:
        """The person's store, made on first use.

        For a command that only reads, an empty one stands in for a database that is not there.

        Raises:
            StoreError: the file cannot be used.
        """
        settings = self.settings
        if not self.may_create and not os.path.lexists(settings.db):
            self._stand_in = TemporaryDirectory(prefix="todo-tui-")
            settings = replace(settings, db=Path(self._stand_in.name) / "tasks.db")
        return open_user_store(settings, self.clock, self.machine.state_folder)

    @cached_property
    def telemetry(self) -> Telemetry | None:
        """What exports spans of turns; None where no endpoint is configured."""
        if not self.settings.telemetry.endpoint:
            return None
        from todo_tui.agent.telemetry import open_telemetry  # 30 ms: few have an endpoint

        return open_telemetry(self.settings.telemetry.endpoint)

    @property
    def log_path(self) -> Path:
        """Path of the log."""
        return self.machine.log_folder / "todo-tui.log"

    @property
    def own_paths(self) -> tuple[Path, ...]:
        """Files and folders of the program itself: configuration, keys, state, database."""
        settings, machine = self.settings, self.machine
        return (
            settings.config,
            settings.db,
            machine.config_folder,
            machine.data_folder,
            machine.log_folder,
            machine.state_folder,
        )

    def secrets(self) -> Iterator[str]:
        """Every key that is known, for taking it out of a log."""
        for name, value in self._environ.items():
            if _KEEPS_SECRETS.search(name.upper()) and len(value.strip()) >= _SHORTEST_SECRET:
                yield value.strip()
        if "settings" in self.__dict__:
            keyring = self.settings.keyring
            keys = [each.key for each in self.settings.providers.values()]
            keys += () if keyring is None else keyring.known
            yield from (key.reveal() for key in keys if key is not None)

    def new_change_context(self) -> ChangeContext:
        """A new batch: all that one command writes is undone together."""
        return self.store.new_change_context(Actor.CLI)

    def close(self) -> None:
        """Close the store, if it was opened, and send what is left of telemetry."""
        if "store" in self.__dict__:
            self.store.close()
        if self._stand_in is not None:
            self._stand_in.cleanup()
            print_note(f"No database at {self.settings.db}. `todo-tui add` creates it.")
        if (telemetry := self.__dict__.get("telemetry")) is not None:
            telemetry.close()
