"""All settings: one frozen dataclass for each table of config.toml, one field for each setting.

Loading, `todo-tui config`, the template and docs/settings.md follow from these declarations.
Fields without one are facts that loading finds out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from todo_tui.config.declaration import list_settings, list_tables, setting, table
from todo_tui.config.keyring import SystemKeyring
from todo_tui.config.kinds import (
    BOOLEAN,
    COMMAND,
    LOCAL_TIME,
    MINUTES,
    PATH,
    SECRET,
    TIME_OF_DAY,
    URL,
    VARIABLE_NAME,
    Kind,
    choice,
    integer,
    line,
    members,
    number,
    one_of,
    texts,
)
from todo_tui.config.provider_row import ProviderRow, Wire
from todo_tui.domain.dates.text import WEEKDAY_NAMES
from todo_tui.domain.reminders import DesktopNotification, ReminderSettings
from todo_tui.domain.secret import Secret
from todo_tui.domain.when import DateStyle

_LINE = line()
_MODEL: Kind[Any] = line()
_MODELS: Kind[Any] = texts("gemini", "groq:openai/gpt-oss-20b")
MODEL_KINDS = (_MODEL, _MODELS)
"""Read as text; `ModelChoice` finds out which provider and model is meant."""
_COUNT = integer()
_LIMIT = integer(least=0)
_SECONDS = number("a number of seconds above 0")
_AMOUNT = number("an amount in US dollars above 0")
_TEMPERATURE = number("a number from 0 to 2", most=2, allows_zero=True)
MAX_CHANGED = 5
MAX_ADDED = 20
"""Tasks that one turn may change or delete, and add, before a person is asked."""


class Flags(NamedTuple):
    """Common options of the command line as they were typed; None: not given."""

    db: str | None = None
    user: str | None = None
    provider: str | None = None
    model: str | None = None
    config: str | None = None


class ModelName(NamedTuple):
    """Model of a provider, as `groq:openai/gpt-oss-20b`; empty: the provider's own."""

    provider: str
    model: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}" if self.model else self.provider


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """Models of roles, `[roles]`; None if a role is not filled."""

    chat: ModelName | None = setting(
        None,
        _MODEL,
        "Chat model: `provider:model`, a model name, or a provider for its default model. "
        "The same as `provider` and `model` above.",
        example="groq:openai/gpt-oss-120b",
    )
    title: ModelName | None = setting(
        None,
        _MODEL,
        "Title model (default: conversations are named by their first words).",
        example="groq:openai/gpt-oss-20b",
    )
    compact: ModelName | None = setting(
        None,
        _MODEL,
        "Summary model for long conversations (default: the oldest turns are left out).",
        example="gemini",
    )
    embed: ModelName | None = setting(
        None,
        _MODEL,
        "Embedding model for documents: `provider:model` of an OpenAI-compatible server; "
        "needs todo-tui[vectors]. Setting one allows sending it your documents and your "
        "searches in them (default: documents are searched by words alone).",
        example="ollama:nomic-embed-text",
    )
    """Its model is never empty."""


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """Limits of turns, `[limits]`."""

    max_iterations: int = setting(
        15,
        _COUNT,
        "Maximum model calls per message.",
        variable="TODO_TUI_MAX_ITERATIONS",
        at_top=True,
    )
    context_messages: int = setting(
        50,
        _COUNT,
        "Maximum past messages sent to a model.",
        variable="TODO_TUI_CONTEXT_MESSAGES",
        at_top=True,
    )
    context_tokens: int = setting(24_000, _COUNT, "Maximum tokens of past messages.")
    timeout: float = setting(
        30.0, _SECONDS, "Stream timeout in seconds.", variable="TODO_TUI_TIMEOUT", at_top=True
    )
    """Time between two chunks."""
    retries: int = setting(4, _COUNT, "Maximum attempts per request.")
    retry_seconds: float = setting(
        60.0, _SECONDS, "Maximum seconds per message spent waiting between attempts."
    )
    daily_budget_usd: float | None = setting(
        None,
        _AMOUNT,
        "Daily budget in US dollars; you are warned near it and asked beyond it (default: none).",
        example=2.5,
    )


class ApprovalMode(StrEnum):
    """Before which tool calls a person is asked."""

    NEVER = "never"
    RISKY = "risky"
    WRITES = "writes"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class ApprovalSettings:
    """Tool calls that need approval, `[approvals]`: by kind, by name, by the number of tasks."""

    ask: ApprovalMode = setting(
        ApprovalMode.RISKY,
        members(ApprovalMode),
        'Which tool calls need approval: "risky" (many tasks at once, a second undo, changes '
        'after reading text written by others), "writes" (all changes), "always" or "never" '
        "(default: the choice made in the app).",
    )
    tools: tuple[str, ...] = setting(
        (), texts("delete_task"), "Tools that always need approval.", example=["delete_task"]
    )
    more_than: int | None = setting(
        None,
        _LIMIT,
        f"Ask before one message changes or deletes more than N tasks (default: {MAX_CHANGED}). "
        "Limits `more_added` too, unless that is set.",
        example=MAX_CHANGED,
    )
    """None: see `most_changed`."""
    more_added: int | None = setting(
        None,
        _LIMIT,
        f"Ask before one message adds more than N tasks (default: {MAX_ADDED}, or `more_than` if "
        "that is set to less).",
        example=MAX_ADDED,
    )
    """None: see `most_added`."""
    ask_is_default: bool = False
    """True if nothing sets `ask`: the last choice in the app takes its place."""

    @property
    def most_changed(self) -> int | None:
        """Tasks that a turn may change or delete without approval; None means any number."""
        if self.more_than is None and self.ask is not ApprovalMode.NEVER:
            return MAX_CHANGED
        return self.more_than

    @property
    def most_added(self) -> int | None:
        """Tasks that a turn may add without approval; a lower limit for changes caps it."""
        if self.more_added is not None:
            return self.more_added
        if self.ask is ApprovalMode.NEVER:
            return self.more_than
        return MAX_ADDED if self.more_than is None else min(MAX_ADDED, self.more_than)

    @property
    def limits_added_as_changed(self) -> bool:
        """True if the limit for added tasks is the one that `more_than` sets."""
        return self.more_added is None and self.more_than == self.most_added is not None


@dataclass(frozen=True, slots=True)
class DateSettings(DateStyle):
    """Date style, `[dates]`."""

    day_first: bool = setting(
        False,
        choice({"mdy": False, "dmy": True}),
        'Date order of 1/2: "dmy" or "mdy" (default: your locale).',
        key="order",
        from_machine=True,
        example="dmy",
    )
    week_start: int = setting(
        0,
        choice({name: day for day, name in enumerate(WEEKDAY_NAMES)}),
        "First day of the week (default: your locale).",
        from_machine=True,
        example="monday",
    )
    is_order_set: bool = False
    """True if the order of day and month is not only that of the locale."""


@dataclass(frozen=True, slots=True)
class ReminderTable(ReminderSettings):
    """Times and channels of reminders, `[reminders]`: the domain's value with declarations."""

    enabled: bool = setting(
        True, BOOLEAN, "Show reminders when tasks are due or start while the app runs."
    )
    desktop: DesktopNotification = setting(
        DesktopNotification.AUTO,
        members(DesktopNotification),
        'Desktop notifications: "program" (notify-send or osascript), "osc9" or "osc777" '
        '(sent by the terminal), "auto" (the program if installed) or "off".',
    )
    all_day_at: time = setting(time(9), TIME_OF_DAY, "Reminder time for all-day tasks.")
    before: timedelta = setting(
        timedelta(), MINUTES, "Minutes before the due time to remind of timed tasks.", example=10
    )


@dataclass(frozen=True, slots=True)
class KnowledgeSettings:
    """Storage of documents, `[knowledge]`."""

    qdrant_url: str = setting(
        "",
        URL,
        "Base URL of a Qdrant server for the vectors of documents (default: in the database). "
        "Setting one allows storing vectors there.",
        example="http://127.0.0.1:6333",
    )


@dataclass(frozen=True, slots=True)
class TelemetrySettings:
    """Export of spans, `[telemetry]`."""

    endpoint: str = setting(
        "",
        URL,
        "Base URL of an OTLP/HTTP server that receives spans of turns, without message "
        "contents; needs todo-tui[otel] (default: none).",
        variable="OTEL_EXPORTER_OTLP_ENDPOINT",
        example="http://127.0.0.1:4318",
    )


class KeyStore(StrEnum):
    """Storage used by `todo-tui keys set`; with `ENVIRONMENT` keys come from variables only."""

    FILE = "file"
    KEYRING = "keyring"
    ENVIRONMENT = "environment"


@dataclass(frozen=True, slots=True)
class KeySettings:
    """Storage of API keys, `[keys]`, where shortcuts stand too."""

    store: KeyStore = setting(
        KeyStore.FILE,
        members(KeyStore),
        'Where `todo-tui keys set` saves API keys: "file" or "keyring"; "environment" allows '
        "environment variables only.",
    )


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Settings of one provider, `[providers.ID]`."""

    key: Secret | None = setting(
        None,
        SECRET,
        "API key; `todo-tui keys set` keeps it out of this file.",
        variable="<ID>_API_KEY",
        key="api_key",
        example="…",
    )
    base_url: str = setting(
        "", URL, "Base URL.", variable="<ID>_BASE_URL", example="https://gateway.example.com/v1"
    )
    allow_http: bool = setting(
        False,
        BOOLEAN,
        "Allow unencrypted http:// to another machine. Messages and API key can be read in "
        "transit.",
        example=True,
    )
    model: str = setting(
        "", _LINE, "Default model.", variable="<ID>_MODEL", example="openai/gpt-oss-20b"
    )
    """Empty where the server decides."""
    temperature: float | None = setting(
        None,
        _TEMPERATURE,
        "Temperature from 0 to 2, for models that support it.",
        variable="<ID>_TEMPERATURE",
        example=0.7,
    )
    max_output_tokens: int | None = setting(
        None, _COUNT, "Maximum tokens per answer.", variable="<ID>_MAX_TOKENS", example=4096
    )
    effort: str = setting(
        "",
        one_of("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        "Thinking (reasoning) effort: none … max, for models that support it.",
        example="low",
    )
    """Empty: the model's own."""
    timeout: float = setting(30.0, _SECONDS, "Stream timeout in seconds.", example=60)
    """Time between two chunks."""
    token_command: tuple[str, ...] = setting(
        (),
        COMMAND,
        "Command that prints a bearer token, instead of an API key; it runs again when the "
        "token expires.",
        example=["gcloud", "auth", "print-access-token"],
    )
    base_url_source: str = ""
    """Variable or setting that set the address, for messages; empty: none."""
    is_address_lost: bool = False
    """True if the address may stand in a configuration file that is ignored."""
    key_source: str | None = None
    """Variable, file or command that has the key, for messages."""
    bearer: bool = False
    """True if the key is a bearer token where a header of the provider's own is usual."""
    host_named: bool = False
    """True if `<ID>_BASE_URL` or `base_url` in the file names its host, which is consent to it."""

    @property
    def has_key(self) -> bool:
        """True if there is a key, or a command that prints one."""
        return self.key is not None or bool(self.token_command)


@dataclass(frozen=True, slots=True)
class CustomProviderSettings:
    """Further settings of a provider that is not built in, in the same table."""

    wire: Wire = setting(
        Wire.CHAT,
        choice({str(wire): wire for wire in (Wire.CHAT, Wire.RESPONSES, Wire.MESSAGES)}),
        'Protocol: "chat" (Chat Completions, the most common), "responses" or "messages".',
    )
    label: str = setting("", line(60), "Display name.", example="Mistral")
    key_variable: str = setting(
        "", VARIABLE_NAME, "Environment variable of the API key.", example="MISTRAL_API_KEY"
    )
    needs_key: bool | None = setting(
        None, BOOLEAN, "Requires an API key (default: true if `key_variable` is set).", example=True
    )


class ConfigProblem(NamedTuple):
    """A setting that was left out because it cannot be used; `hint` is the cure."""

    message: str
    """It names the file and, where it is known, the line."""
    hint: str
    line: int | None = None
    """In the configuration file, counted from 1; None: elsewhere, or unknown."""


class ShortcutSetting(NamedTuple):
    """Entry of `[keys]` as it was written: the name of an action, and its keys."""

    name: str
    value: object
    line: int | None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set, resolved.

    `provider` and `model` are what flags, environment or file name. None: the last choice in
    the app holds.
    """

    config: Path = setting(
        Path(),
        PATH,
        "Path of the configuration file.",
        flag="--config",
        variable="TODO_TUI_CONFIG",
        in_file=False,
        from_machine=True,
    )
    db: Path = setting(
        Path(),
        PATH,
        "Database file; relative paths start at the folder of the configuration file.",
        flag="--db",
        variable="TODO_TUI_DB",
        from_machine=True,
        example="~/tasks.db",
    )
    user: str = setting(
        "me",
        line(100),
        "User whose tasks to use; several users can share a database.",
        flag="--user",
        variable="TODO_TUI_USER",
    )
    provider: str | None = setting(
        None,
        _MODEL,
        "Provider at startup (default: the last one chosen in the app).",
        flag="--provider",
        variable="TODO_TUI_PROVIDER",
        example="groq",
    )
    model: str | None = setting(
        None,
        _MODEL,
        "Model: a name, or `provider:model`.",
        flag="--model",
        variable="TODO_TUI_MODEL",
        example="openai/gpt-oss-120b",
    )
    fallback: tuple[ModelName, ...] = setting(
        (),
        _MODELS,
        "Fallback providers, in order. Listing one allows sending it the conversation.",
        example=["gemini", "groq:openai/gpt-oss-20b"],
    )
    theme: str = setting(
        "",
        line(60),
        'Theme: "light", "dark" or one of Textual, such as "nord" (default: the last one chosen '
        "in the app).",
        example="dark",
    )
    zone: str = setting("UTC", _LINE, in_file=False, from_machine=True)
    """IANA name."""
    now: datetime | None = setting(
        None,
        LOCAL_TIME,
        "Freeze the clock at this local time (for testing).",
        variable="TODO_TUI_NOW",
        in_file=False,
    )
    roles: RoleSettings = table(RoleSettings)
    limits: LimitSettings = table(LimitSettings)
    approvals: ApprovalSettings = table(ApprovalSettings)
    dates: DateSettings = table(DateSettings)
    reminders: ReminderTable = table(ReminderTable)
    knowledge: KnowledgeSettings = table(KnowledgeSettings)
    telemetry: TelemetrySettings = table(TelemetrySettings)
    keys: KeySettings = table(KeySettings)
    provider_named: bool = False
    """True if the provider is named, which is consent to its host, and not only inferred from
    the name of a model."""
    no_color: bool = False
    """True if `NO_COLOR` is set, for the app; commands leave that to rich."""
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    """By row id, one for each row of the registry and each custom provider."""
    custom_providers: tuple[ProviderRow, ...] = ()
    """In the order of the file."""
    keyring: SystemKeyring | None = field(default=None, compare=False)
    """Keyring for a key that is nowhere else; None: it is not asked. Asking is slow."""
    read_again: Callable[[], "Settings"] | None = field(default=None, compare=False)
    """Reads the settings anew, for API keys that are saved while the app is open; blocks."""
    shortcuts: tuple[ShortcutSetting, ...] = ()
    """Keys of actions; only the app knows which actions and keys there are."""
    problems: tuple[ConfigProblem, ...] = ()


TABLES = dict(list_tables(Settings))
"""Dataclasses of the tables, by name."""
SETTINGS = tuple(list_settings(Settings))
"""In the order of the template and of `config show`."""
SETTING = {entry.name: entry for entry in SETTINGS}
PROVIDER_SETTINGS = tuple(list_settings(ProviderSettings))
"""For each provider; their variables begin with `<ID>_` in place of its id in capitals."""
CUSTOM_PROVIDER_SETTINGS = tuple(list_settings(CustomProviderSettings))
