"""Resolved settings as values: what the rest of the program is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from todo_tui.config.keyring import SystemKeyring
from todo_tui.config.provider_row import ProviderRow
from todo_tui.domain.reminders import ReminderSettings
from todo_tui.domain.secret import Secret
from todo_tui.domain.when import DateStyle


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
    """Settings of one provider; `timeout` is in seconds between two chunks."""

    base_url: str = ""
    base_url_source: str = ""
    """What set the address, for people: a variable, or the setting; empty: nothing did."""
    key: Secret | None = None
    key_source: str | None = None
    """Where the key comes from, for people: a variable, the key file, a command."""
    bearer: bool = False
    """Whether the key is a bearer token where the provider's own header is the custom."""
    token_command: tuple[str, ...] = ()
    """A command that prints a bearer token, run again when the token has expired."""
    model: str = ""
    """Empty where the server decides."""
    timeout: float = 30.0
    temperature: float | None = None
    max_output_tokens: int | None = None
    effort: str = ""
    """How hard to think, from `none` to `max`; empty: the model's own."""
    host_named: bool = False
    """Whether `<ID>_BASE_URL` or `base_url` in the file names its host, which is consent to it."""
    allow_http: bool = False
    """Whether it may be reached over plain http:// beyond this machine."""

    @property
    def has_key(self) -> bool:
        """True if there is a key, or a command that prints one."""
        return self.key is not None or bool(self.token_command)


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model of a provider, as `groq:openai/gpt-oss-20b`; empty: the provider's own."""

    provider: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class Roles:
    """Models of the roles other than the chat; None if a role is not filled."""

    title: ModelName | None = None
    compact: ModelName | None = None
    embed: ModelName | None = None
    """Its model is never empty."""


MOST_CHANGED = 5
MOST_ADDED = 20
"""Tasks that one turn may change or delete, and add, before a person is asked."""


class ApprovalMode(StrEnum):
    """Before which tool calls a person is asked."""

    NEVER = "never"
    RISKY = "risky"
    WRITES = "writes"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class ApprovalSettings:
    """When a person is asked before a tool runs: by kind, by name, or by how much it touches."""

    ask: ApprovalMode = ApprovalMode.RISKY
    tools: tuple[str, ...] = ()
    more_than: int | None = None
    """Tasks changed or deleted in one turn; None: as `most_changed` has it."""
    more_added: int | None = None
    """Tasks added in one turn; None: as `most_added` has it."""
    ask_is_default: bool = False
    """True if nothing sets `ask`: what was last chosen in the app takes its place."""

    @property
    def most_changed(self) -> int | None:
        """Tasks that a turn may change or delete without approval; None means any number."""
        if self.more_than is None and self.ask is not ApprovalMode.NEVER:
            return MOST_CHANGED
        return self.more_than

    @property
    def most_added(self) -> int | None:
        """Tasks that a turn may add without approval; a lower limit for changes caps it."""
        if self.more_added is not None:
            return self.more_added
        if self.ask is ApprovalMode.NEVER:
            return self.more_than
        return MOST_ADDED if self.more_than is None else min(MOST_ADDED, self.more_than)


class KeyStore(StrEnum):
    """Storage used by `todo-tui keys set`; with `ENVIRONMENT` keys come from variables only."""

    FILE = "file"
    KEYRING = "keyring"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """A setting that was left out because it cannot be used; `hint` is the cure."""

    message: str
    """It names the file and, where it is known, the line."""
    hint: str
    line: int | None = None
    """In the configuration file, counted from 1; None: elsewhere, or unknown."""


@dataclass(frozen=True, slots=True)
class KeySetting:
    """Entry of `[keys]` as it was written: the name of an action, and its keys."""

    name: str
    value: object
    line: int | None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, resolved.

    `provider` and `model` are what flags, environment or file name. None: the person's
    last choice holds.
    """

    db: Path
    config: Path
    zone: str
    user: str
    provider: str | None
    provider_named: bool
    """Whether the provider is named, which is consent to its host, and not only inferred
    from the name of a model."""
    model: str | None
    now: datetime | None
    """A naive local wall time at which the clock stands still."""
    dates: DateStyle
    date_order_named: bool
    """Whether the order of day and month is set, and not only that of the locale."""
    max_iterations: int
    context_messages: int
    timeout: float
    theme: str
    """`light`, `dark` or empty: the person's last choice."""
    no_color: bool
    providers: Mapping[str, ProviderSettings]
    """By row id, one for each row of the registry and each of the person's own."""
    custom_providers: tuple[ProviderRow, ...]
    """In the order of the file."""
    roles: Roles
    fallback: tuple[ModelName, ...]
    """Who takes over, in this order, from a provider that fails."""
    approvals: ApprovalSettings
    daily_budget_usd: float | None
    context_tokens: int
    retries: int
    """Tries of one model call."""
    retry_seconds: float
    """Waiting of one turn, in all."""
    key_store: KeyStore
    keyring: SystemKeyring | None = field(compare=False)
    """Where to ask for a key that is nowhere else; None: it is not asked. Asking is slow."""
    qdrant_url: str
    """Base URL of a Qdrant server; empty: vectors are in the database."""
    telemetry_endpoint: str
    """Base URL of an OTLP server; empty: nothing is exported."""
    keys: tuple[KeySetting, ...]
    """Keys of actions; only the app knows which actions and keys there are."""
    reminders: ReminderSettings
    problems: tuple[ConfigProblem, ...]
