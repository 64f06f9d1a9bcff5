"""Settings explained: `config show` rows and the config.toml template."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path

from todo_tui.config.load import Configuration
from todo_tui.config.resolver import Source, SourceKind
from todo_tui.config.settings import ModelName, ProviderSettings
from todo_tui.domain.secret import DOTS

Shown = str | int | float | bool | list[str] | None
_OF_THE_MACHINE = ("config", "db", "zone", "dates.order", "dates.week_start")


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
            shown = _shown(value)
            if name == "telemetry.endpoint" and isinstance(shown, str):
                shown = _without_secrets(shown)
            yield _row(configuration, name, shown)
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


def format_template(key_lines: str = "") -> str:
    """Return the text of the file; every line of it is a comment or the header of a table.

    `key_lines` are the comments about the keys of actions.
    """
    text = Path(__file__).with_name("template.toml").read_text(encoding="utf-8")
    return text.replace("#KEYS\n", key_lines)
