"""Table of all settings: name, kind, default, where it is set; template.toml explains them."""

from datetime import time
from typing import NamedTuple

from todo_tui.config import kinds
from todo_tui.config.kinds import BOOLEAN, Kind
from todo_tui.config.settings import ApprovalMode, KeyStore
from todo_tui.domain.dates.text import WEEKDAY_NAMES
from todo_tui.domain.reminders import DesktopNotification

_LINE = kinds.line()
_COUNT = kinds.integer()
_LIMIT = kinds.integer(least=0)
_SECONDS = kinds.number("a number of seconds above 0")
_AMOUNT = kinds.number("an amount in US dollars above 0")


class Setting(NamedTuple):
    """One setting; `name` is its path in the file, with dots between."""

    name: str
    kind: Kind
    default: object = None
    """None: no value, or one that is found elsewhere."""
    variable: bool = False
    """Whether a variable sets it: `TODO_TUI_USER`, and of a provider `GROQ_MODEL`."""
    flag: bool = False
    """Whether an option of the command line sets it: `--user`."""
    in_file: bool = True
    """Whether the configuration file sets it."""
    variable_key: str = ""
    """Its name in that variable, if it is not `key`."""

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
    def variable_end(self) -> str:
        """End of the variable's name: `MODEL`."""
        return (self.variable_key or self.key).upper()

    @property
    def may_be_at_top(self) -> bool:
        """True if it may stand above all tables too, under the name that its variable has."""
        return self.variable and bool(self.section)


SETTINGS = (
    Setting("config", _LINE, variable=True, flag=True, in_file=False),
    Setting("db", _LINE, variable=True, flag=True),
    Setting("user", kinds.line(100), "me", variable=True, flag=True),
    Setting("provider", _LINE, variable=True, flag=True),
    Setting("model", _LINE, variable=True, flag=True),
    Setting("fallback", kinds.words("gemini", "groq:openai/gpt-oss-20b"), ()),
    Setting("theme", kinds.choice("light", "dark")),
    Setting("zone", _LINE, in_file=False),
    Setting("now", kinds.LOCAL_TIME, variable=True, in_file=False),
    Setting("roles.chat", _LINE),
    Setting("roles.title", _LINE),
    Setting("roles.compact", _LINE),
    Setting("roles.embed", _LINE),
    Setting("limits.max_iterations", _COUNT, 15, variable=True),
    Setting("limits.context_messages", _COUNT, 50, variable=True),
    Setting("limits.context_tokens", _COUNT, 24_000),
    Setting("limits.timeout", _SECONDS, 30.0, variable=True),
    Setting("limits.retries", _COUNT, 4),
    Setting("limits.retry_seconds", _SECONDS, 60.0),
    Setting("limits.daily_budget_usd", _AMOUNT),
    Setting("approvals.ask", kinds.choice(*ApprovalMode), ApprovalMode.RISKY),
    Setting("approvals.tools", kinds.words("delete_task"), ()),
    Setting("approvals.more_than", _LIMIT),
    Setting("approvals.more_added", _LIMIT),
    Setting("dates.order", kinds.choice("mdy", "dmy")),
    Setting("dates.week_start", kinds.choice(*WEEKDAY_NAMES)),
    Setting("reminders.enabled", BOOLEAN, default=True),
    Setting("reminders.desktop", kinds.choice(*DesktopNotification), DesktopNotification.AUTO),
    Setting("reminders.all_day_at", kinds.TIME_OF_DAY, time(9)),
    Setting("reminders.before", _LIMIT, 0),
    Setting("knowledge.qdrant_url", _LINE),
    Setting("telemetry.endpoint", _LINE),
    Setting("keys.store", kinds.choice(*KeyStore), KeyStore.FILE),
)
"""In the order of the template and of `config show`; those of one table stand together."""
PROVIDER_SETTINGS = (
    Setting("api_key", _LINE, variable=True),
    Setting("base_url", _LINE, variable=True),
    Setting("allow_http", BOOLEAN),
    Setting("model", _LINE, variable=True),
    Setting("temperature", kinds.number("a number from 0 to 2", most=2, zero=True), variable=True),
    Setting("max_output_tokens", _COUNT, variable=True, variable_key="max_tokens"),
    Setting("effort", kinds.choice("none", "minimal", "low", "medium", "high", "xhigh", "max")),
    Setting("timeout", _SECONDS),
    Setting("token_command", kinds.COMMAND),
)
"""In each `[providers.<id>]`; variables follow its id in capitals: `GROQ_API_KEY`."""
CUSTOM_PROVIDER_SETTINGS = (
    Setting("wire", kinds.choice("chat", "responses", "messages")),
    Setting("label", kinds.line(60)),
    Setting("key_variable", kinds.VARIABLE_NAME),
    Setting("needs_key", BOOLEAN),
)
"""Beside those of every provider, in the table of one that is not built in."""
SETTING = {setting.name: setting for setting in SETTINGS}
PROVIDER_SETTING = {
    setting.name: setting for setting in (*PROVIDER_SETTINGS, *CUSTOM_PROVIDER_SETTINGS)
}
