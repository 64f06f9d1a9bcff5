"""Table of all settings: name, kind, help, example or default, variable, flag."""

from __future__ import annotations

from datetime import time
from typing import NamedTuple

from todo_tui.config import kinds
from todo_tui.config.kinds import BOOLEAN, Kind
from todo_tui.config.settings import MOST_ADDED, MOST_CHANGED, ApprovalMode, KeyStore
from todo_tui.domain.reminders import DesktopNotification

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LINE = kinds.line()
_SECONDS = kinds.number("a number of seconds above 0")


class Setting(NamedTuple):
    """One setting; `name` is its path in the file, with dots between."""

    name: str
    kind: Kind
    about: str
    example: str = ""
    """A value as the template shows it; empty: it cannot be set in the file."""
    default: object = None
    """None: no value, or one that is found elsewhere."""
    variable: bool = False
    """Whether a variable sets it: `TODO_TUI_USER`, and of a provider `GROQ_MODEL`."""
    flag: bool = False
    """Whether an option of the command line sets it: `--user`."""

    @property
    def path(self) -> tuple[str, ...]:
        """The tables and the name that it stands under in the file."""
        return tuple(self.name.split("."))

    @property
    def section(self) -> str:
        """The table that it stands in; empty: none."""
        return self.name.rpartition(".")[0]

    @property
    def key(self) -> str:
        """Its name in that table."""
        return self.name.rpartition(".")[2]

    @property
    def may_be_at_top(self) -> bool:
        """True if it may stand above all tables too, under the name that its variable has."""
        return self.variable and bool(self.section)


SETTINGS = (
    Setting("config", _LINE, "The configuration file itself.", variable=True, flag=True),
    Setting(
        "db",
        _LINE,
        "The database file; a relative path begins at the folder of this file.",
        '"~/tasks.db"',
        variable=True,
        flag=True,
    ),
    Setting(
        "user",
        kinds.line(100),
        "Whose list; several people can share a database.",
        '"me"',
        "me",
        variable=True,
        flag=True,
    ),
    Setting(
        "provider",
        _LINE,
        "The provider to begin with; without one, the last choice in the app holds.",
        '"groq"',
        variable=True,
        flag=True,
    ),
    Setting(
        "model",
        _LINE,
        "Its model. A name alone, or `provider:model`, finds its provider.",
        '"openai/gpt-oss-120b"',
        variable=True,
        flag=True,
    ),
    Setting(
        "fallback",
        kinds.words("gemini", "groq:openai/gpt-oss-20b"),
        "Who takes over when the provider fails, in this order. Naming one is agreement to "
        "send it the conversation.",
        '["gemini", "groq:openai/gpt-oss-20b"]',
        (),
    ),
    Setting(
        "theme",
        kinds.choice("light", "dark"),
        '"light" or "dark"; without it, the last choice in the app holds.',
        '"dark"',
    ),
    Setting("zone", _LINE, "The time zone of this machine."),
    Setting(
        "now", kinds.LOCAL_TIME, "A local wall time at which the clock stands still.", variable=True
    ),
    Setting(
        "roles.chat",
        _LINE,
        "Who is talked to: `provider:model`, a model's name alone, or a provider for its usual "
        "model. The same as `provider` and `model` above.",
        '"groq:openai/gpt-oss-120b"',
    ),
    Setting(
        "roles.title",
        _LINE,
        "Who names conversations; without it, they go by their first words.",
        '"groq:openai/gpt-oss-20b"',
    ),
    Setting(
        "roles.compact",
        _LINE,
        "Who sums up what has become too long; without it, the oldest turns are left out.",
        '"gemini"',
    ),
    Setting(
        "limits.max_iterations",
        kinds.integer(),
        "Model calls in one turn.",
        "15",
        15,
        variable=True,
    ),
    Setting(
        "limits.context_messages",
        kinds.integer(),
        "Past messages that a model sees.",
        "50",
        50,
        variable=True,
    ),
    Setting("limits.context_tokens", kinds.integer(), "Tokens of them, at most.", "24000", 24_000),
    Setting(
        "limits.timeout",
        _SECONDS,
        "Seconds of silence before an answer counts as stalled.",
        "30",
        30.0,
        variable=True,
    ),
    Setting(
        "limits.retries", kinds.integer(), "Tries of one model call, the first one counted.", "4", 4
    ),
    Setting(
        "limits.retry_seconds",
        _SECONDS,
        "Seconds that one turn may spend waiting between tries.",
        "60",
        60.0,
    ),
    Setting(
        "limits.daily_budget_usd",
        kinds.number("an amount in US dollars above 0"),
        "US dollars a day; nearing them warns, and beyond them you are asked. No limit without it.",
        "1.0",
    ),
    Setting(
        "approvals.ask",
        kinds.choice(*ApprovalMode),
        'Which tool calls need approval: "risky" (many tasks at once, a second undo, changes '
        'after reading notes), "writes" (all changes), "always" or "never".',
        '"risky"',
        ApprovalMode.RISKY,
    ),
    Setting(
        "approvals.tools",
        kinds.words("delete_task"),
        "Tools that always need approval.",
        '["delete_task"]',
        (),
    ),
    Setting(
        "approvals.more_than",
        kinds.integer(least=0),
        "Ask before one message changes or deletes more than N tasks.",
        f"{MOST_CHANGED}",
    ),
    Setting(
        "approvals.more_added",
        kinds.integer(least=0),
        "Ask before one message adds more than N tasks.",
        f"{MOST_ADDED}",
    ),
    Setting(
        "dates.order",
        kinds.choice("mdy", "dmy"),
        'How 1/2 is read: "dmy" or "mdy"; without it, as your locale has it.',
        '"dmy"',
    ),
    Setting(
        "dates.week_start",
        kinds.choice(*WEEKDAYS),
        "The first day of the week; without it, your locale's.",
        '"monday"',
    ),
    Setting(
        "reminders.enabled",
        BOOLEAN,
        "Whether the app reminds you of tasks that come due or start while it runs.",
        "true",
        default=True,
    ),
    Setting(
        "reminders.desktop",
        kinds.choice(*DesktopNotification),
        'How reminders reach the desktop: "program" (notify-send or osascript), "osc9" or '
        '"osc777" (the terminal itself), "auto" (the program, where there is one) or "off".',
        '"auto"',
        DesktopNotification.AUTO,
    ),
    Setting(
        "reminders.all_day_at",
        kinds.TIME_OF_DAY,
        "When you are reminded of tasks without a time of day.",
        '"9:00"',
        time(9),
    ),
    Setting(
        "reminders.before",
        kinds.integer(least=0),
        "Minutes before its moment at which you are reminded of a task with a time.",
        "10",
        0,
    ),
    Setting(
        "keys.store",
        kinds.choice(*KeyStore),
        'Where `todo-tui keys set` keeps keys: "file", "keyring", or "environment": then keys '
        "are taken from variables alone.",
        '"file"',
        KeyStore.FILE,
    ),
)
"""In the order of the template and of `config show`; those of one table stand together."""
PROVIDER_SETTINGS = (
    Setting(
        "api_key",
        _LINE,
        "Its key; `todo-tui keys set` keeps it out of this file.",
        '"…"',
        variable=True,
    ),
    Setting(
        "base_url", _LINE, "Where it is reached.", '"https://gateway.example.com/v1"', variable=True
    ),
    Setting(
        "allow_http",
        BOOLEAN,
        "Allow plain http:// to a server that is not on this machine. Messages and API key can "
        "be read on the way.",
        "true",
    ),
    Setting(
        "model", _LINE, "The model where none is named.", '"openai/gpt-oss-20b"', variable=True
    ),
    Setting(
        "temperature",
        kinds.number("a number from 0 to 2", most=2, zero=True),
        "From 0 to 2; sent to models that take one.",
        "0.7",
    ),
    Setting("max_output_tokens", kinds.integer(), "Tokens of one answer, at most.", "4096"),
    Setting(
        "effort",
        kinds.choice("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        "How hard to think, from none to max; sent to models that take one.",
        '"low"',
    ),
    Setting("timeout", _SECONDS, "Its own seconds of silence.", "60"),
    Setting(
        "token_command",
        kinds.COMMAND,
        "A command that prints a bearer token, in place of a key; it is run again when the token "
        "has expired.",
        '["gcloud", "auth", "print-access-token"]',
    ),
)
"""In each `[providers.<id>]`; variables follow its id in capitals: `GROQ_API_KEY`."""
CUSTOM_PROVIDER_SETTINGS = (
    Setting(
        "wire",
        kinds.choice("chat", "responses", "messages"),
        'What it speaks: "chat" (completions, as most do), "responses" or "messages".',
        '"chat"',
    ),
    Setting("label", kinds.line(60), "What it is called on the screen.", '"Mistral"'),
    Setting(
        "key_variable", kinds.VARIABLE_NAME, "The variable that holds its key.", '"MISTRAL_API_KEY"'
    ),
    Setting(
        "needs_key",
        BOOLEAN,
        "Whether it is of no use without a key; it is where `key_variable` is named.",
        "true",
    ),
)
"""Beside those of every provider, in the table of one that is not built in."""
SETTING = {setting.name: setting for setting in SETTINGS}
PROVIDER_SETTING = {
    setting.name: setting for setting in (*PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS)
}
