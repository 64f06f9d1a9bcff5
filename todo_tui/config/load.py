"""Loads all settings: flags over environment over config.toml over defaults.

Also facts of the machine: zone, date style, folders.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from platformdirs import PlatformDirs

from todo_tui.config.catalogue import SETTING, SETTINGS, WEEKDAYS
from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.file import ConfigFile, check_setting_names
from todo_tui.config.keyring import SystemKeyring
from todo_tui.config.model_choice import ModelChoice
from todo_tui.config.provider_row import ProviderRow
from todo_tui.config.providers import read_custom_providers, read_providers
from todo_tui.config.resolver import SettingResolver, Source, SourceKind
from todo_tui.config.settings import (
    ApprovalMode,
    ApprovalSettings,
    ConfigProblem,
    Flags,
    KeyStore,
    Settings,
)
from todo_tui.config.time_zone import find_local_zone
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.reminders import ReminderSettings
from todo_tui.domain.when import DateStyle

_MONTH_FIRST = "AS FM GU MH MP PH PR PW UM US VI"
"""Territories that write the month before the day (CLDR's short date patterns)."""
_SUNDAY_FIRST = (
    "AG AS AU BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO "
    "MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW"
)
"""Territories whose week begins on Sunday (CLDR's weekData)."""
_SATURDAY_FIRST = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY"
_SATURDAY, _SUNDAY = 5, 6
_OTLP_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
_MODEL_NAMES = (
    "provider",
    "model",
    "fallback",
    "roles.chat",
    "roles.title",
    "roles.compact",
    "roles.embed",
)
"""Settings that are read when all providers are known."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts of a machine that settings start from; `zone` is an IANA name."""

    zone: str
    dates: DateStyle
    data_folder: Path
    config_folder: Path
    log_folder: Path
    state_folder: Path
    zone_problem: ConfigProblem | None = field(default=None, kw_only=True)
    """Why `TZ` does not hold, if it does not."""


def detect_machine(environ: Mapping[str, str]) -> Machine:
    """The machine that the program runs on; files live where platformdirs says."""
    folders = PlatformDirs("todo-tui", appauthor=False)
    zone = find_local_zone(environ)
    return Machine(
        zone=zone.name,
        dates=local_date_style(environ),
        data_folder=folders.user_data_path,
        config_folder=folders.user_config_path,
        log_folder=folders.user_log_path,
        state_folder=folders.user_state_path,
        zone_problem=zone.problem,
    )


def local_date_style(environ: Mapping[str, str]) -> DateStyle:
    """Return the date style of the locale; without a territory month first, weeks from Monday."""
    locale = environ.get("LC_ALL") or environ.get("LC_TIME") or environ.get("LANG") or ""
    territory = re.match(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])", locale)
    if territory is None:
        return DateStyle()
    code = territory[1]
    week_start = _SUNDAY if code in _SUNDAY_FIRST else _SATURDAY if code in _SATURDAY_FIRST else 0
    return DateStyle(day_first=code not in _MONTH_FIRST, week_start=week_start)


class Configuration(NamedTuple):
    """The settings, where each comes from, and which flags and variables cannot be used.

    `sources` and `values` are by the names of the settings; what is not among the sources
    is a default.
    """

    settings: Settings
    values: Mapping[str, object]
    """As they hold, in the order of the table of settings; those of providers aside."""
    sources: Mapping[str, Source]
    refusals: tuple[ConfigError, ...]
    file: ConfigFile


def load_settings(
    flags: Flags,
    environ: Mapping[str, str],
    rows: Sequence[ProviderRow],
    machine: Machine,
) -> Settings:
    """Resolve all settings; mistakes in the file become `problems`, and defaults hold.

    Raises:
        ConfigError: a flag or an environment variable cannot be used.
    """
    configuration = read_configuration(flags, environ, rows, machine)
    for refusal in configuration.refusals:
        raise refusal
    return configuration.settings


def config_path(flags: Flags, environ: Mapping[str, str], machine: Machine) -> Path:
    """The configuration file, whether or not there is one."""
    named = flags.config or environ.get("TODO_TUI_CONFIG", "").strip()
    return _home_resolved(named) if named else machine.config_folder / "config.toml"


def key_path(machine: Machine) -> Path:
    """The key file, whether or not there is one."""
    return machine.config_folder / "keys.json"


def own_paths(
    flags: Flags, environ: Mapping[str, str], machine: Machine, database: Path
) -> tuple[Path, ...]:
    """Return the files and folders of the program itself, which are nobody's documents."""
    return (
        config_path(flags, environ, machine),
        database,
        machine.config_folder,
        machine.data_folder,
        machine.log_folder,
        PlatformDirs("todo-tui", appauthor=False).user_state_path,
    )


def read_configuration(
    flags: Flags,
    environ: Mapping[str, str],
    rows: Sequence[ProviderRow],
    machine: Machine,
) -> Configuration:
    """Resolve all settings, and keep what is needed to explain them."""
    path = config_path(flags, environ, machine)
    file = ConfigFile(path, expected=flags.config is not None)
    resolver = SettingResolver(flags, environ, file)
    for source, _ in resolver.typed(SETTING["config"])[:1]:
        resolver.sources["config"] = source
    custom: tuple[ProviderRow, ...] = ()
    if file.table():
        check_setting_names(file, [row.id for row in rows])
        custom = tuple(read_custom_providers(resolver, rows))
    all_rows = (*rows, *custom)
    values: dict[str, Any] = {
        setting.name: None if setting.name in _MODEL_NAMES else resolver.value(setting)
        for setting in SETTINGS
        if setting.name != "config"
    }
    providers = read_providers(resolver, all_rows, values, key_path(machine))
    models = ModelChoice(resolver, {row.id: row for row in all_rows}, providers)
    chat, roles = models.chat(), models.roles()
    file.check_privacy()
    approvals = _approvals(resolver, values)
    local = machine.dates
    date_order_named = bool(values["dates.order"])
    values = {"config": path, **values} | {
        "db": _database(resolver, values["db"], machine),
        "telemetry.endpoint": _telemetry_endpoint(resolver, values["telemetry.endpoint"]),
        "zone": machine.zone,
        "provider": chat.provider,
        "model": chat.model,
        "fallback": models.fallback(),
        "roles.title": roles.title,
        "roles.compact": roles.compact,
        "roles.embed": roles.embed,
        "knowledge.qdrant_url": _qdrant_url(file, values["knowledge.qdrant_url"]),
        "approvals.ask": approvals.ask,
        "approvals.more_than": approvals.most_changed,
        "approvals.more_added": approvals.most_added,
        "dates.order": values["dates.order"] or ("dmy" if local.day_first else "mdy"),
        "dates.week_start": values["dates.week_start"] or WEEKDAYS[local.week_start],
    }
    settings = Settings(
        db=values["db"],
        config=path,
        zone=machine.zone,
        user=values["user"],
        provider=chat.provider,
        provider_named=chat.provider is not None and not chat.inferred,
        model=chat.model,
        now=values["now"],
        dates=DateStyle(
            values["dates.order"] == "dmy",
            WEEKDAYS.index(values["dates.week_start"]),
            machine.zone,
        ),
        date_order_named=date_order_named,
        max_iterations=values["limits.max_iterations"],
        context_messages=values["limits.context_messages"],
        timeout=values["limits.timeout"],
        theme=values["theme"] or "",
        no_color=resolver.variable("NO_COLOR") is not None,
        providers=providers,
        custom_providers=custom,
        roles=roles,
        fallback=values["fallback"],
        approvals=approvals,
        daily_budget_usd=values["limits.daily_budget_usd"],
        context_tokens=values["limits.context_tokens"],
        retries=values["limits.retries"],
        retry_seconds=values["limits.retry_seconds"],
        key_store=values["keys.store"],
        keyring=None if values["keys.store"] is KeyStore.ENVIRONMENT else SystemKeyring(),
        qdrant_url=values["knowledge.qdrant_url"] or "",
        telemetry_endpoint=values["telemetry.endpoint"] or "",
        keymap=_keymap(resolver),
        reminders=ReminderSettings(
            enabled=values["reminders.enabled"],
            desktop=values["reminders.desktop"],
            all_day_at=values["reminders.all_day_at"],
            before=timedelta(minutes=values["reminders.before"]),
        ),
        # Those of the file first, in the order of their lines.
        problems=(
            *sorted(file.problems, key=lambda each: (each.line is None, each.line or 0)),
            *filter(None, (machine.zone_problem,)),
        ),
    )
    values |= {f"keys.{name}": keys for name, keys in settings.keymap.items()}
    return Configuration(settings, values, resolver.sources, tuple(resolver.refusals), file)


def _database(resolver: SettingResolver, named: str | None, machine: Machine) -> Path:
    file = resolver.file
    if named is None:
        if file.sets_database:
            resolver.refuse(
                f"{file.path} is not valid TOML and sets the database of your tasks.",
                "Correct the file (`todo-tui config check` names the line), or use --db.",
            )
        return machine.data_folder / "tasks.db"
    path = _home_resolved(named)
    return file.path.parent / path if resolver.sources["db"].path else path


def _qdrant_url(file: ConfigFile, filed: str | None) -> str | None:
    """Return the URL of a Qdrant server; None for one that cannot be used, which is noted."""
    if filed is None:
        return None
    path = SETTING["knowledge.qdrant_url"].path
    try:
        endpoint = parse_endpoint(filed, "`knowledge.qdrant_url`")
    except ConfigError as error:
        file.note(path, error.message, error.hint or "Remove it.")
        return None
    if endpoint.scheme == "http" and not endpoint.is_loopback:
        message = f"`knowledge.qdrant_url`: plain http:// to {endpoint.address} is not allowed."
        file.note(path, message, "Use https://.")
        return None
    return endpoint.url


def _telemetry_endpoint(resolver: SettingResolver, filed: str | None) -> str | None:
    named = resolver.variable(_OTLP_VARIABLE)
    if named is None:
        return filed
    resolver.sources["telemetry.endpoint"] = Source(SourceKind.VARIABLE, _OTLP_VARIABLE)
    return named


def _keymap(resolver: SettingResolver) -> Mapping[str, str]:
    file = resolver.file
    if not file.table("keys"):
        return {}
    from todo_tui.config.keymap import read_keymap  # 4 ms: few have other keys

    keymap = read_keymap(file)
    for name in keymap:
        quoted = ("keys", name)
        path = quoted if file.find(quoted) is not None else ("keys", *name.split(".", 1))
        resolver.sources[f"keys.{name}"] = resolver.in_file(path)
    return keymap


def _approvals(resolver: SettingResolver, values: Mapping[str, Any]) -> ApprovalSettings:
    """When to ask: before every change at least, while there is a mistake in it.

    What is wrong there was meant to guard something.
    """
    file = resolver.file
    written = file.find(("approvals",)) or {}
    named = len(written) if isinstance(written, Mapping) else 1
    understood = sum(name.startswith("approvals.") for name in resolver.sources)
    asking: ApprovalMode = values["approvals.ask"]
    is_default = "approvals.ask" not in resolver.sources
    if named > understood or file.may_have_lost("approvals"):
        asking = ApprovalMode.ALWAYS if asking is ApprovalMode.ALWAYS else ApprovalMode.WRITES
        is_default = False
    return ApprovalSettings(
        asking,
        values["approvals.tools"],
        values["approvals.more_than"],
        values["approvals.more_added"],
        is_default,
    )


def _home_resolved(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name lives here
        return Path(text)
