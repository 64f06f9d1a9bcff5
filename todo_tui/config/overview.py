"""Every setting with its value and where that comes from, to be shown; keys are dots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from todo_tui.config.catalogue import EFFORT, MAX_OUTPUT_TOKENS, TEMPERATURE, WEEKDAYS
from todo_tui.config.loading import Configuration
from todo_tui.config.settings import ModelName, ProviderSettings, Settings
from todo_tui.config.sources import Source, SourceKind
from todo_tui.domain.secret import DOTS

Shown = str | int | float | bool | list[str] | None

_COMMON = ("timeout",)
"""What a provider shares with the others unless it has its own."""
_OPTIONAL = (TEMPERATURE, MAX_OUTPUT_TOKENS, EFFORT)


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """One setting; None where it has no value, `source` where that comes from."""

    name: str
    value: Shown
    source: Source
    line: int | None = None
    """Of the configuration file."""

    @property
    def origin(self) -> str:
        """Where the value comes from, for people."""
        match self.source.kind:
            case SourceKind.DEFAULT | SourceKind.MACHINE:
                return self.source.kind
            case SourceKind.FILE:
                return f"line {self.line}" if self.line else "the file"
            case SourceKind.KEY_FILE:
                return "the key file"
            case SourceKind.FLAG | SourceKind.VARIABLE:
                return self.source.name


def overview(configuration: Configuration) -> Iterator[ShownSetting]:
    """All settings in the order of the template, then those of each provider."""
    for name, value in _general(configuration.settings):
        yield _shown(configuration, name, value)
    for row_id, provider in configuration.settings.providers.items():
        for name, value in _of_provider(provider):
            full_name = f"providers.{row_id}.{name}"
            if name not in _COMMON or full_name in configuration.sources:
                yield _shown(configuration, full_name, value)


def _general(settings: Settings) -> Iterator[tuple[str, Shown]]:
    yield "config", str(settings.config)
    order = "dmy" if settings.dates.day_first else "mdy"
    yield "db", str(settings.db)
    yield "user", settings.user
    yield "provider", settings.provider
    yield "model", settings.model
    yield "fallback", [f"{_model_words(name)}" for name in settings.fallback]
    yield "theme", settings.theme or None
    yield "zone", settings.zone
    yield "now", settings.now.isoformat() if settings.now else None
    yield "roles.title", _model_words(settings.roles.title)
    yield "roles.compact", _model_words(settings.roles.compact)
    yield "limits.max_iterations", settings.max_iterations
    yield "limits.context_messages", settings.context_messages
    yield "limits.context_tokens", settings.context_tokens
    yield "limits.timeout", settings.timeout
    yield "limits.retries", settings.retries
    yield "limits.retry_seconds", settings.retry_seconds
    yield "limits.daily_budget_usd", settings.daily_budget_usd
    yield "approvals.ask", settings.approvals.ask.value
    yield "approvals.tools", list(settings.approvals.tools)
    yield "approvals.more_than", settings.approvals.most_changed
    yield "approvals.more_added", settings.approvals.most_added
    yield "dates.order", order
    yield "dates.week_start", WEEKDAYS[settings.dates.week_start]
    yield "reminders.enabled", settings.reminders.enabled
    yield "reminders.desktop", settings.reminders.desktop.value
    yield "reminders.all_day_at", f"{settings.reminders.all_day_at:%H:%M}"
    yield "reminders.before", int(settings.reminders.before.total_seconds() // 60)
    yield "keys.store", settings.key_store.value
    for name, keys in settings.keymap.items():
        yield f"keys.{name}", keys


def _of_provider(provider: ProviderSettings) -> Iterator[tuple[str, Shown]]:
    """What is set for it; the rest is left to the model and the server."""
    if provider.base_url:
        yield "base_url", _without_secrets(provider.base_url)
    if provider.allow_http:
        yield "allow_http", True
    if provider.model:
        yield "model", provider.model
    if provider.key is not None:
        yield "api_key", DOTS
    if provider.token_command:
        # A token or a password may stand among its arguments.
        yield "token_command", f"{provider.token_command[0]} {DOTS}"
    for setting in _OPTIONAL:
        value: str | int | float | None = getattr(provider, setting.name)
        if value not in (None, ""):
            yield setting.name, value
    yield "timeout", provider.timeout


def _shown(configuration: Configuration, name: str, value: Shown) -> ShownSetting:
    kind = SourceKind.MACHINE if name in _OF_THE_MACHINE else SourceKind.DEFAULT
    source = configuration.sources.get(name, Source(kind))
    line = configuration.file.line_of(source.path) if source.path else None
    return ShownSetting(name, value, source, line)


_OF_THE_MACHINE = ("config", "db", "zone", "dates.order", "dates.week_start")


def _model_words(name: ModelName | None) -> str | None:
    if name is None:
        return None
    return f"{name.provider}:{name.model}" if name.model else name.provider


def _without_secrets(url: str) -> str:
    """The address without the password or key that somebody may have put into it."""
    before, query, _ = url.partition("?")
    hidden = re.sub(r"(?<=//)[^/]*@", f"{DOTS}@", before)
    return f"{hidden}{query}{DOTS}" if query else hidden
