"""Settings as values: what the rest of the program is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from todo_tui.domain.secret import Secret
from todo_tui.domain.when import DateStyle

DEFAULT_USER = "me"
MAX_ITERATIONS = 15
CONTEXT_MESSAGES = 50
TIMEOUT_SECONDS = 30.0


class ProviderDefaults(Protocol):
    """What settings need to know of a row of the provider registry, which lies above."""

    @property
    def id(self) -> str:
        """The name that people type, such as `groq`."""
        ...

    @property
    def base_url(self) -> str:
        """Where it is reached unless a setting says otherwise; empty: nowhere."""
        ...

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Environment variables that may hold its key, the first choice first."""
        ...

    @property
    def default_model(self) -> str | None:
        """The model unless a setting says otherwise; empty where a server decides."""
        ...


@dataclass(frozen=True, slots=True)
class Flags:
    """The common options of the command line as they were typed; None: not given."""

    db: str | None = None
    user: str | None = None
    provider: str | None = None
    model: str | None = None
    config: str | None = None


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """How one provider is reached; `timeout` is in seconds of silence."""

    base_url: str = ""
    key: Secret | None = None
    key_source: str | None = None
    """The variable or file that the key came from, for people."""
    model: str = ""
    """Empty where the server decides."""
    timeout: float = TIMEOUT_SECONDS


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """A setting that was left out because it cannot be used; `hint` is the cure."""

    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, resolved.

    `provider` and `model` are what flags, environment or file name; naming a
    provider is agreement to use it. None: the person's last choice holds.
    """

    db: Path
    config: Path
    zone: str
    user: str = DEFAULT_USER
    provider: str | None = None
    model: str | None = None
    now: datetime | None = None
    """A naive local wall time at which the clock stands still."""
    dates: DateStyle = field(default_factory=DateStyle)
    max_iterations: int = MAX_ITERATIONS
    context_messages: int = CONTEXT_MESSAGES
    timeout: float = TIMEOUT_SECONDS
    theme: str = ""
    """`light`, `dark` or empty: the person's last choice."""
    no_color: bool = False
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    """By row id, one for each row of the registry."""
    problems: tuple[ConfigProblem, ...] = ()
