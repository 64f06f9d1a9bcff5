"""Catalogue of all settings: name in the file, variable, flag, kind, default."""

from __future__ import annotations

from typing import Generic, TypeVar

from todo_tui.config.settings import MOST_ADDED, MOST_CHANGED, ApprovalMode, KeyStore
from todo_tui.config.values import (
    BooleanKind,
    ChoiceKind,
    CommandKind,
    IntegerKind,
    LineKind,
    ListKind,
    LocalTimeKind,
    NumberKind,
    TimeOfDayKind,
    ValueKind,
    VariableNameKind,
)
from todo_tui.domain.reminders import DesktopNotification

_Value = TypeVar("_Value", covariant=True)

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

ORDERS = ("mdy", "dmy")

WIRES = ("chat", "responses", "messages")

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


class Setting(Generic[_Value]):
    """One setting; `name` is its path in the file, with dots between.

    `also` is another path under which it may stand. An empty `example` keeps it out of
    the file: a variable alone sets it.
    """

    __slots__ = ("about", "also", "example", "flag", "kind", "name", "variable")

    def __init__(
        self,
        name: str,
        kind: ValueKind[_Value],
        *,
        about: str,
        example: str = "",
        flag: str = "",
        variable: str = "",
        also: str = "",
    ) -> None:
        self.name = name
        self.kind = kind
        self.about = about
        self.example = example
        self.flag = flag
        self.variable = variable
        self.also = also

    @property
    def section(self) -> str:
        """The table that it stands in; empty: none."""
        return self.name.rpartition(".")[0]

    @property
    def key(self) -> str:
        """Its name in that table."""
        return self.name.rpartition(".")[2]


_MODEL_NAME = "`provider:model`, a model's name alone, or a provider for its usual model"

_SECONDS = NumberKind("a number of seconds above 0")

CONFIG = Setting(
    "config",
    LineKind(),
    about="The configuration file itself.",
    flag="config",
    variable="TODO_TUI_CONFIG",
)

DB = Setting(
    "db",
    LineKind(),
    about="The database file; a relative path begins at the folder of this file.",
    example='"~/tasks.db"',
    flag="db",
    variable="TODO_TUI_DB",
)

USER = Setting(
    "user",
    LineKind(100),
    about="Whose list; several people can share a database.",
    example='"me"',
    flag="user",
    variable="TODO_TUI_USER",
)

PROVIDER = Setting(
    "provider",
    LineKind(),
    about="The provider to begin with; without one, the last choice in the app holds.",
    example='"groq"',
    flag="provider",
    variable="TODO_TUI_PROVIDER",
)

MODEL = Setting(
    "model",
    LineKind(),
    about="Its model. A name alone, or `provider:model`, finds its provider.",
    example='"openai/gpt-oss-120b"',
    flag="model",
    variable="TODO_TUI_MODEL",
)

FALLBACK = Setting(
    "fallback",
    ListKind(("gemini", "groq:openai/gpt-oss-20b")),
    about="Who takes over when the provider fails, in this order. Naming one is agreement "
    "to send it the conversation.",
    example='["gemini", "groq:openai/gpt-oss-20b"]',
)

THEME = Setting(
    "theme",
    ChoiceKind("light", "dark"),
    about='"light" or "dark"; without it, the last choice in the app holds.',
    example='"dark"',
)

NOW = Setting(
    "now",
    LocalTimeKind(),
    about="A local wall time at which the clock stands still.",
    variable="TODO_TUI_NOW",
)

CHAT = Setting(
    "roles.chat",
    LineKind(),
    about=f"Who is talked to: {_MODEL_NAME}. The same as `provider` and `model` above.",
    example='"groq:openai/gpt-oss-120b"',
)

TITLE = Setting(
    "roles.title",
    LineKind(),
    about="Who names conversations; without it, they go by their first words.",
    example='"groq:openai/gpt-oss-20b"',
)

COMPACT = Setting(
    "roles.compact",
    LineKind(),
    about="Who sums up what has become too long; without it, the oldest turns are left out.",
    example='"gemini"',
)

MAX_ITERATIONS = Setting(
    "limits.max_iterations",
    IntegerKind(),
    about="Model calls in one turn.",
    example="15",
    variable="TODO_TUI_MAX_ITERATIONS",
    also="max_iterations",
)

CONTEXT_MESSAGES = Setting(
    "limits.context_messages",
    IntegerKind(),
    about="Past messages that a model sees.",
    example="50",
    variable="TODO_TUI_CONTEXT_MESSAGES",
    also="context_messages",
)

CONTEXT_TOKENS = Setting(
    "limits.context_tokens",
    IntegerKind(),
    about="Tokens of them, at most.",
    example="24000",
)

TIMEOUT = Setting(
    "limits.timeout",
    _SECONDS,
    about="Seconds of silence before an answer counts as stalled.",
    example="30",
    variable="TODO_TUI_TIMEOUT",
    also="timeout",
)

RETRIES = Setting(
    "limits.retries",
    IntegerKind(),
    about="Tries of one model call, the first one counted.",
    example="4",
)

RETRY_SECONDS = Setting(
    "limits.retry_seconds",
    _SECONDS,
    about="Seconds that one turn may spend waiting between tries.",
    example="60",
)

DAILY_BUDGET = Setting(
    "limits.daily_budget_usd",
    NumberKind("an amount in US dollars above 0"),
    about="US dollars a day; nearing them warns, and beyond them you are asked. No limit "
    "without it.",
    example="1.0",
)

ASK = Setting(
    "approvals.ask",
    ChoiceKind(*ApprovalMode),
    about='Which tool calls need approval: "risky" (many tasks at once, a second undo, '
    'changes after reading notes), "writes" (all changes), "always" or "never".',
    example='"risky"',
)

ASK_TOOLS = Setting(
    "approvals.tools",
    ListKind(("delete_task",)),
    about="Tools that always need approval.",
    example='["delete_task"]',
)

ASK_MORE_THAN = Setting(
    "approvals.more_than",
    IntegerKind(least=0),
    about="Ask before one message changes or deletes more than N tasks.",
    example=f"{MOST_CHANGED}",
)

ASK_MORE_ADDED = Setting(
    "approvals.more_added",
    IntegerKind(least=0),
    about="Ask before one message adds more than N tasks.",
    example=f"{MOST_ADDED}",
)

DATE_ORDER = Setting(
    "dates.order",
    ChoiceKind(*ORDERS),
    about='How 1/2 is read: "dmy" or "mdy"; without it, as your locale has it.',
    example='"dmy"',
)

WEEK_START = Setting(
    "dates.week_start",
    ChoiceKind(*WEEKDAYS),
    about="The first day of the week; without it, your locale's.",
    example='"monday"',
)

REMINDERS_ENABLED = Setting(
    "reminders.enabled",
    BooleanKind(),
    about="Whether the app reminds you of tasks that come due or start while it runs.",
    example="true",
)

REMINDERS_DESKTOP = Setting(
    "reminders.desktop",
    ChoiceKind(*DesktopNotification),
    about='How reminders reach the desktop: "program" (notify-send or osascript), "osc9" or '
    '"osc777" (the terminal itself), "auto" (the program, where there is one) or "off".',
    example='"auto"',
)

REMINDERS_ALL_DAY_AT = Setting(
    "reminders.all_day_at",
    TimeOfDayKind(),
    about="When you are reminded of tasks without a time of day.",
    example='"9:00"',
)

REMINDERS_BEFORE = Setting(
    "reminders.before",
    IntegerKind(least=0),
    about="Minutes before its moment at which you are reminded of a task with a time.",
    example="10",
)

KEY_STORE = Setting(
    "keys.store",
    ChoiceKind(*KeyStore),
    about='Where `todo-tui keys set` keeps keys: "file", "keyring", or "environment": then '
    "keys are taken from variables alone.",
    example='"file"',
)

SETTINGS: tuple[Setting[object], ...] = (
    DB,
    USER,
    PROVIDER,
    MODEL,
    FALLBACK,
    THEME,
    NOW,
    CHAT,
    TITLE,
    COMPACT,
    MAX_ITERATIONS,
    CONTEXT_MESSAGES,
    CONTEXT_TOKENS,
    TIMEOUT,
    RETRIES,
    RETRY_SECONDS,
    DAILY_BUDGET,
    ASK,
    ASK_TOOLS,
    ASK_MORE_THAN,
    ASK_MORE_ADDED,
    DATE_ORDER,
    WEEK_START,
    REMINDERS_ENABLED,
    REMINDERS_DESKTOP,
    REMINDERS_ALL_DAY_AT,
    REMINDERS_BEFORE,
    KEY_STORE,
)
"""In the order of the template; those of one table stand together."""

API_KEY = Setting(
    "api_key",
    LineKind(),
    about="Its key; `todo-tui keys set` keeps it out of this file.",
    example='"…"',
    variable="API_KEY",
)

BASE_URL = Setting(
    "base_url",
    LineKind(),
    about="Where it is reached.",
    example='"https://gateway.example.com/v1"',
    variable="BASE_URL",
)

ROW_MODEL = Setting(
    "model",
    LineKind(),
    about="The model where none is named.",
    example='"openai/gpt-oss-20b"',
    variable="MODEL",
)

TEMPERATURE = Setting(
    "temperature",
    NumberKind("a number from 0 to 2", most=2, zero=True),
    about="From 0 to 2; sent to models that take one.",
    example="0.7",
)

MAX_OUTPUT_TOKENS = Setting(
    "max_output_tokens",
    IntegerKind(),
    about="Tokens of one answer, at most.",
    example="4096",
)

EFFORT = Setting(
    "effort",
    ChoiceKind(*EFFORTS),
    about="How hard to think, from none to max; sent to models that take one.",
    example='"low"',
)

ROW_TIMEOUT = Setting(
    "timeout",
    _SECONDS,
    about="Its own seconds of silence.",
    example="60",
)

ALLOW_HTTP = Setting(
    "allow_http",
    BooleanKind(),
    about="Allow plain http:// to a server that is not on this machine. Messages and API key "
    "can be read on the way.",
    example="true",
)

TOKEN_COMMAND = Setting(
    "token_command",
    CommandKind(),
    about="A command that prints a bearer token, in place of a key; it is run again when "
    "the token has expired.",
    example='["gcloud", "auth", "print-access-token"]',
)

PROVIDER_SETTINGS: tuple[Setting[object], ...] = (
    API_KEY,
    BASE_URL,
    ALLOW_HTTP,
    ROW_MODEL,
    TEMPERATURE,
    MAX_OUTPUT_TOKENS,
    EFFORT,
    ROW_TIMEOUT,
    TOKEN_COMMAND,
)
"""In each `[providers.<id>]`; variables follow its id in capitals: `GROQ_API_KEY`."""

WIRE = Setting(
    "wire",
    ChoiceKind(*WIRES),
    about='What it speaks: "chat" (completions, as most do), "responses" or "messages".',
    example='"chat"',
)

LABEL = Setting(
    "label", LineKind(60), about="What it is called on the screen.", example='"Mistral"'
)

KEY_VARIABLE = Setting(
    "key_variable",
    VariableNameKind(),
    about="The variable that holds its key.",
    example='"MISTRAL_API_KEY"',
)

NEEDS_KEY = Setting(
    "needs_key",
    BooleanKind(),
    about="Whether it is of no use without a key; it is where `key_variable` is named.",
    example="true",
)

CUSTOM_PROVIDER_SETTINGS: tuple[Setting[object], ...] = (WIRE, LABEL, KEY_VARIABLE, NEEDS_KEY)
"""Beside those of every provider, in the table of one that is not built in."""
