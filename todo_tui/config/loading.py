"""Which setting wins: flags over environment over the configuration file over defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from todo_tui.config.environment import Environment, quoted
from todo_tui.config.file import ConfigFile
from todo_tui.config.machine import Machine
from todo_tui.config.settings import (
    CONTEXT_MESSAGES,
    DEFAULT_USER,
    MAX_ITERATIONS,
    TIMEOUT_SECONDS,
    Flags,
    ProviderDefaults,
    ProviderSettings,
    Settings,
)
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.secret import Secret
from todo_tui.domain.when import DateStyle

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ORDERS = ("mdy", "dmy")
_THEMES = ("light", "dark")
_OLLAMA_PORT = 11434


def load_settings(
    flags: Flags,
    environ: Mapping[str, str],
    rows: Sequence[ProviderDefaults],
    machine: Machine,
) -> Settings:
    """Resolve all settings; mistakes in the file become `problems`, and defaults hold.

    Raises:
        ConfigError: a flag or an environment variable cannot be used.
    """
    env = Environment(environ)
    named = flags.config or env.text("TODO_TUI_CONFIG")
    path = _home_resolved(named) if named else machine.config_folder / "config.toml"
    file = ConfigFile(path, expected=flags.config is not None)
    ids = [row.id for row in rows]
    file.check_keys(ids)
    provider, model = _choice(flags, env, file, ids)
    timeout = env.seconds("TODO_TUI_TIMEOUT") or file.seconds("timeout") or TIMEOUT_SECONDS
    return Settings(
        db=_database(flags, env, file, machine),
        config=path,
        zone=machine.zone,
        user=_user(flags, env, file),
        provider=provider,
        model=model,
        now=env.moment("TODO_TUI_NOW"),
        dates=_date_style(file, machine.dates),
        max_iterations=env.count("TODO_TUI_MAX_ITERATIONS")
        or file.count("max_iterations")
        or MAX_ITERATIONS,
        context_messages=env.count("TODO_TUI_CONTEXT_MESSAGES")
        or file.count("context_messages")
        or CONTEXT_MESSAGES,
        timeout=timeout,
        theme=file.choice("theme", _THEMES) or "",
        no_color=env.text("NO_COLOR") is not None,
        providers={row.id: _provider(row, env, file, timeout) for row in rows},
        problems=tuple(file.problems),
    )


def _database(flags: Flags, env: Environment, file: ConfigFile, machine: Machine) -> Path:
    named = flags.db or env.text("TODO_TUI_DB")
    if named:
        return _home_resolved(named)
    configured = file.text("db")
    if configured:
        return file.path.parent / _home_resolved(configured)
    return machine.data_folder / "tasks.db"


def _home_resolved(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name lives here
        return Path(text)


def _user(flags: Flags, env: Environment, file: ConfigFile) -> str:
    user = flags.user or env.text("TODO_TUI_USER") or file.text("user") or DEFAULT_USER
    if len(user) > 100 or not user.isprintable() or not user.strip():
        raise ConfigError(
            "That user name cannot be used.",
            hint="Use at most 100 printable characters for --user or TODO_TUI_USER.",
        )
    return user.strip()


def _choice(
    flags: Flags, env: Environment, file: ConfigFile, ids: Sequence[str]
) -> tuple[str | None, str | None]:
    """The provider named first, and the model that goes with it.

    A model named beside another provider is that one's.
    """
    named = (
        (_known(flags.provider, ids, "--provider"), flags.model),
        (
            _known(env.text("TODO_TUI_PROVIDER"), ids, "TODO_TUI_PROVIDER"),
            env.text("TODO_TUI_MODEL"),
        ),
        (file.choice("provider", ids), file.text("model")),
    )
    provider = next((each for each, _ in named if each), None)
    models = (model for each, model in named if model and each in (None, provider))
    return provider, next(models, None)


def _known(name: str | None, ids: Sequence[str], source: str) -> str | None:
    if name is not None and name not in ids:
        raise ConfigError(
            f"There is no provider {quoted(name)} ({source}).",
            hint=f"Known are: {', '.join(ids)}.",
        )
    return name


def _date_style(file: ConfigFile, local: DateStyle) -> DateStyle:
    order = file.choice("order", _ORDERS, "dates")
    first_day = file.choice("week_start", _WEEKDAYS, "dates")
    return DateStyle(
        day_first=local.day_first if order is None else order == "dmy",
        week_start=local.week_start if first_day is None else _WEEKDAYS.index(first_day),
    )


def _provider(
    row: ProviderDefaults, env: Environment, file: ConfigFile, timeout: float
) -> ProviderSettings:
    prefix = row.id.upper().replace("-", "_")
    section = ("providers", row.id)
    key, source = _key(row, prefix, env, file)
    base_url = env.text(f"{prefix}_BASE_URL") or file.text("base_url", *section)
    if row.id == "ollama":
        base_url = base_url or _ollama_address(env.text("OLLAMA_HOST"))
    if base_url and not re.match(r"https?://[^/\s]", base_url):
        # It is kept, so that opening this provider fails: falling back to the usual
        # address would send the key to a server that the person turned away from.
        file.unusable(f"The address of {row.id}", f"Write it as {row.base_url or 'http://…/v1'}.")
    return ProviderSettings(
        base_url=base_url or row.base_url,
        key=key,
        key_source=source,
        model=env.text(f"{prefix}_MODEL")
        or file.text("model", *section)
        or (row.default_model or ""),
        timeout=timeout,
    )


def _key(
    row: ProviderDefaults, prefix: str, env: Environment, file: ConfigFile
) -> tuple[Secret | None, str | None]:
    """The key of this row alone and where it was found."""
    for name in dict.fromkeys((f"{prefix}_API_KEY", *row.key_variables)):
        text = env.text(name)
        if text is None:
            continue
        try:
            return Secret(text, name=name), name
        except ConfigError as error:
            file.unusable(name, error.hint or "")
    key = file.secret("api_key", "providers", row.id)
    return key, str(file.path) if key else None


def _ollama_address(host: str | None) -> str | None:
    """The OpenAI-compatible address at `OLLAMA_HOST`, which may lack scheme and port."""
    if host is None:
        return None
    scheme, _, rest = host.rpartition("://")
    address = re.fullmatch(r"(\[[^\]]*\]|[^:/]*)(?::(\d+))?(/.*)?", rest)
    if address is None:
        return host
    name, port, path = address.groups()
    default_port = {"http": 80, "https": 443}.get(scheme, _OLLAMA_PORT)
    # Servers are told to listen everywhere by these; a client asks its own machine.
    name = "127.0.0.1" if name in ("", "0.0.0.0", "[::]") else name  # noqa: S104
    folder = (path or "").rstrip("/").removesuffix("/v1")
    return f"{scheme or 'http'}://{name}:{port or default_port}{folder}/v1"
