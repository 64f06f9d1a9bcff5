"""Settings explained: rows of `todo-tui config show`, and the template of config.toml."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import wrap

from todo_tui.config.declaration import Setting
from todo_tui.config.kinds import TomlValue, format_toml
from todo_tui.config.load import Configuration
from todo_tui.config.resolver import Source, SourceKind
from todo_tui.config.settings import CUSTOM_PROVIDER_SETTINGS, PROVIDER_SETTINGS, SETTINGS

_WIDTH = 92
_HEADER = """\
# Settings of todo-tui. All are optional; the values below are defaults or examples.
# Uncomment a line to change a setting. Command-line options (--model) override
# environment variables (TODO_TUI_MODEL), which override this file.
# `todo-tui config check` finds mistakes, `todo-tui config show` shows effective settings.
"""
_SHORTCUTS = """\
# Keyboard shortcuts by action; separate several with commas, e.g. "list.tick" = "space,x".
# The values below are the defaults.
"""
_PROVIDER = """\
# Settings of a built-in provider by its id (`todo-tui providers` lists them). Environment
# variables override them: GROQ_API_KEY, GROQ_BASE_URL, GROQ_MODEL. API keys are read from
# the environment, the key file (`todo-tui keys set groq`), this file or the system
# keyring, whichever has one first.

#[providers.groq]
"""
_CUSTOM_PROVIDER = """\
# A custom provider, under any other id of lowercase letters, digits and dashes. All
# settings of built-in providers work here too; it needs a base URL.

#[providers.mistral]
#base_url = "https://api.mistral.ai/v1"
#model = "mistral-large-latest"
"""


@dataclass(frozen=True, slots=True)
class SettingRow:
    """Effective value of one setting; None if it has none."""

    name: str
    value: TomlValue
    source: Source
    line: int | None = None
    """Line in the configuration file."""

    @property
    def text(self) -> str:
        """Value as it would be typed; empty if it has none."""
        match self.value:
            case None | str():
                return self.value or ""
            case list():
                return ", ".join(self.value)
            case _:
                return format_toml(self.value)

    @property
    def origin(self) -> str:
        """Description of the source."""
        match self.source.kind:
            case SourceKind.DEFAULT | SourceKind.MACHINE:
                return f"as {self.source.name}" if self.source.name else self.source.kind
            case SourceKind.FILE:
                return f"line {self.line}" if self.line else "the file"
            case SourceKind.MISTAKE:
                return "mistake in the file"
            case SourceKind.KEY_FILE:
                return "the key file"
            case SourceKind.FLAG | SourceKind.VARIABLE:
                return self.source.name


def list_setting_rows(configuration: Configuration) -> Iterator[SettingRow]:
    """Yield all settings in the order of the template, shortcuts, and settings of providers."""
    settings = configuration.settings
    effective = {
        "approvals.more_than": settings.approvals.most_changed,
        "approvals.more_added": settings.approvals.most_added,
    }
    for setting in SETTINGS:
        group = getattr(settings, setting.table) if setting.table else settings
        value = effective.get(setting.name, getattr(group, setting.attribute))
        row = _row(configuration, setting.name, format_value(setting, value))
        if setting.name == "approvals.more_added" and settings.approvals.limits_added_as_changed:
            row = replace(row, source=Source(SourceKind.DEFAULT, "more_than"))
        yield row
    for shortcut in settings.shortcuts:
        yield _row(configuration, f"keys.{shortcut.name}", str(shortcut.value))
    for provider_id, provider in settings.providers.items():
        for setting in PROVIDER_SETTINGS:
            name = f"providers.{provider_id}.{setting.key}"
            value = getattr(provider, setting.attribute)
            # Providers without a timeout of their own have that of the limits.
            differs = value != setting.default and setting.key != "timeout"
            if differs or name in configuration.sources:
                yield _row(configuration, name, format_value(setting, value))


def format_value(setting: Setting, value: object) -> TomlValue:
    """Return a value as the file may have it, secrets hidden; None for an empty one."""
    return None if value in (None, "") else setting.kind.format(value)


def _row(configuration: Configuration, name: str, value: TomlValue) -> SettingRow:
    source = configuration.sources.get(name, Source(SourceKind.DEFAULT))
    line = configuration.file.line_of(source.path) if source.path else None
    return SettingRow(name, value, source, line)


def format_template(shortcut_lines: str = "") -> str:
    """Return a configuration file whose lines are all comments or headers of tables.

    `shortcut_lines` are the comments about the keys of actions.
    """
    blocks = [_HEADER]
    for table, settings in groupby(SETTINGS, key=lambda setting: setting.table):
        header = f"[{table}]\n" if table else ""
        blocks.append(header + _format_settings(settings))
    return "\n".join(
        [
            *blocks,
            _SHORTCUTS,
            shortcut_lines,
            _PROVIDER + _format_settings(PROVIDER_SETTINGS),
            _CUSTOM_PROVIDER + _format_settings(CUSTOM_PROVIDER_SETTINGS),
        ]
    )


def _format_settings(settings: Iterable[Setting]) -> str:
    """Return explanation and example of each setting, as comments."""
    lines: list[str] = []
    for setting in settings:
        if setting.in_file:
            example = setting.example
            if example is None:
                example = format_value(setting, setting.default)
            lines += [f"# {line}\n" for line in wrap(setting.about, _WIDTH - 2)]
            lines.append(f"#{setting.key} = {format_toml(example)}\n")
    return "".join(lines)
