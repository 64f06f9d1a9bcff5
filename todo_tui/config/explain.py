"""Settings explained: `config show` rows and the config.toml template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time
from itertools import groupby
from textwrap import wrap

from todo_tui.config.catalogue import (
    PROVIDER_SETTING,
    PROVIDER_SETTINGS,
    SETTINGS,
    Setting,
)
from todo_tui.config.keymap import ACTIONS, PLACES
from todo_tui.config.load import Configuration
from todo_tui.config.resolver import Source, SourceKind
from todo_tui.config.settings import ModelName, ProviderSettings
from todo_tui.domain.secret import DOTS

Shown = str | int | float | bool | list[str] | None
_OF_THE_MACHINE = ("config", "db", "zone", "dates.order", "dates.week_start")
_WIDTH = 88
_BEGINNING = """\
# Settings of todo-tui. All of them may be left out; what stands here is the default or
# an example. To set one, take the # before its name away.
# A flag (--model) wins over a variable (TODO_TUI_MODEL), a variable over this file.
# `todo-tui config check` tells what is wrong here, `todo-tui config show` what holds.
"""
_PROVIDERS = """\
# A provider that is built in (`todo-tui providers` lists them), by its id. Variables win
# here too: GROQ_API_KEY, GROQ_BASE_URL, GROQ_MODEL. A key is looked for in the
# environment, then in the key file (`todo-tui keys set groq`), then here, then in the
# system keyring.
"""
_OWN = """\
# A provider of your own, under any other id of small letters, digits and dashes. What
# can be set for one that is built in can be set here too.
"""
_KEYS = """\
# Keys of the app, by the name of what they do; several have commas between, as in
# "list.tick" = "space,x". What stands here are the usual ones.
"""
_OWN_EXAMPLES = {"base_url": '"https://api.mistral.ai/v1"', "model": '"mistral-large-latest"'}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting; None where it has no value, `source` where that comes from."""

    name: str
    value: Shown
    source: Source
    line: int | None = None
    """Of the configuration file."""

    @property
    def origin(self) -> str:
        """Describe where the value comes from."""
        match self.source.kind:
            case SourceKind.DEFAULT | SourceKind.MACHINE:
                return self.source.kind
            case SourceKind.FILE:
                return f"line {self.line}" if self.line else "the file"
            case SourceKind.KEY_FILE:
                return "the key file"
            case SourceKind.FLAG | SourceKind.VARIABLE:
                return self.source.name


def list_settings(configuration: Configuration) -> Iterator[SettingRow]:
    """All settings in the order of the template, then those of each provider."""
    for name, value in configuration.values.items():
        # That is part of `provider` and `model`.
        if name != "roles.chat":
            yield _row(configuration, name, _shown(value))
    for row_id, provider in configuration.settings.providers.items():
        for name, value in _of_provider(provider):
            full_name = f"providers.{row_id}.{name}"
            # All share one unless they have their own.
            if name != "timeout" or full_name in configuration.sources:
                yield _row(configuration, full_name, value)


def _of_provider(provider: ProviderSettings) -> Iterator[tuple[str, Shown]]:
    command = provider.token_command
    values: dict[str, Shown] = {
        "base_url": _without_secrets(provider.base_url),
        "allow_http": provider.allow_http or None,
        "model": provider.model,
        "api_key": None if provider.key is None else DOTS,
        # A token or a password may stand among its arguments.
        "token_command": f"{command[0]} {DOTS}" if command else None,
        "temperature": provider.temperature,
        "max_output_tokens": provider.max_output_tokens,
        "effort": provider.effort,
        "timeout": provider.timeout,
    }
    return ((name, value) for name, value in values.items() if value not in (None, ""))


def _row(configuration: Configuration, name: str, value: Shown) -> SettingRow:
    kind = SourceKind.MACHINE if name in _OF_THE_MACHINE else SourceKind.DEFAULT
    source = configuration.sources.get(name, Source(kind))
    line = configuration.file.line_of(source.path) if source.path else None
    return SettingRow(name, value, source, line)


def _shown(value: object) -> Shown:
    match value:
        case None | bool() | int() | float():
            return value
        case ModelName(provider=provider, model=model):
            return f"{provider}:{model}" if model else provider
        case tuple():
            return [str(_shown(each)) for each in value]
        case datetime():
            return value.isoformat()
        case time():
            return f"{value:%H:%M}"
        case _:
            return str(value)


def _without_secrets(url: str) -> str:
    before, query, _ = url.partition("?")
    hidden = re.sub(r"(?<=//)[^/]*@", f"{DOTS}@", before)
    return f"{hidden}{query}{DOTS}" if query else hidden


def format_template() -> str:
    """The text of the file; every line of it is a remark or the header of a table."""
    blocks = [_BEGINNING]
    in_file = [setting for setting in SETTINGS if setting.example]
    for section, settings in groupby(in_file, key=lambda setting: setting.section):
        header = f"[{section}]\n" if section else ""
        blocks.append(header + _lines(settings))
    blocks[-1] += f"\n{_KEYS}\n{format_key_lines()}"
    names = ("wire", "base_url", "label", "model", "key_variable", "needs_key")
    own = [PROVIDER_SETTING[name] for name in names]
    blocks += [
        f"{_PROVIDERS}\n#[providers.groq]\n{_lines(PROVIDER_SETTINGS)}",
        f"{_OWN}\n#[providers.mistral]\n{_lines(own, _OWN_EXAMPLES)}",
    ]
    return "\n".join(blocks)


def format_key_lines() -> str:
    """A remark for each action: its usual keys, and what it does."""
    blocks: list[str] = []
    for place, actions in groupby(ACTIONS.values(), key=lambda action: action.place):
        lines = [f"# -- {PLACES.get(place, place)}"]
        for action in actions:
            setting = f'#"{action.name}" = "{action.keys}"'
            lines += [f"# {line}" for line in wrap(action.about, _WIDTH - 2)]
            lines.append(setting)
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def _lines(settings: Iterable[Setting], examples: Mapping[str, str] | None = None) -> str:
    lines: list[str] = []
    for setting in settings:
        lines += (f"# {line}" for line in wrap(setting.about, _WIDTH - 2))
        lines.append(f"#{setting.key} = {(examples or {}).get(setting.key, setting.example)}")
    return "".join(f"{line}\n" for line in lines)
