"""Loads all settings: flags over environment over config.toml over defaults.

Also facts of the machine: zone, date style, folders.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.config import catalogue
from todo_tui.config.file import ConfigFile
from todo_tui.config.keyring import SystemKeyring
from todo_tui.config.providers import KeyFinder, ProviderSettingsReader
from todo_tui.config.resolver import (
    ChatModelResolver,
    Environment,
    ModelNameResolver,
    RoleReader,
    SettingResolver,
    Source,
)
from todo_tui.config.settings import (
    CONTEXT_MESSAGES,
    CONTEXT_TOKENS,
    DEFAULT_USER,
    MAX_ITERATIONS,
    RETRIES,
    RETRY_SECONDS,
    TIMEOUT_SECONDS,
    ApprovalMode,
    ApprovalSettings,
    ConfigProblem,
    CustomProvider,
    Flags,
    KeyStore,
    ProviderDefaults,
    ProviderSettings,
    Settings,
)
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.reminders import DesktopNotification, ReminderSettings
from todo_tui.domain.secret import Secret
from todo_tui.domain.when import DateStyle

APP_NAME = "todo-tui"
_MONTH_FIRST = "AS FM GU MH MP PH PR PW UM US VI"
"""Territories that write the month before the day (CLDR's short date patterns)."""
_SUNDAY_FIRST = (
    "AG AS AU BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO "
    "MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW"
)
"""Territories whose week begins on Sunday (CLDR's weekData)."""
_SATURDAY_FIRST = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY"
_SATURDAY, _SUNDAY = 5, 6
CONFIG_FILE_NAME = "config.toml"
KEY_FILE_NAME = "keys.json"


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts of a machine that settings start from; `zone` is an IANA name."""

    zone: str
    dates: DateStyle
    data_folder: Path
    config_folder: Path
    log_folder: Path


def detect_machine(environ: Mapping[str, str]) -> Machine:
    """The machine that the program runs on; files live where platformdirs says."""
    # A tenth of what `todo-tui add` costs hangs on such imports: only who asks pays.
    from platformdirs import PlatformDirs

    folders = PlatformDirs(APP_NAME, appauthor=False)
    return Machine(
        zone=local_zone(environ),
        dates=local_date_style(environ),
        data_folder=folders.user_data_path,
        config_folder=folders.user_config_path,
        log_folder=folders.user_log_path,
    )


def local_zone(environ: Mapping[str, str], root: Path = Path("/")) -> str:
    """The IANA name of the local zone: `TZ`, the system's link, its name file, else UTC.

    `root` is the folder under which `etc` lies.
    """
    named = environ.get("TZ", "").lstrip(":").strip()
    if named:
        return _zone_name(named) or _zone_of_offset()
    link = root / "etc/localtime"
    try:
        linked = _zone_name(str(link.resolve())) if link.is_symlink() else None
        return linked or _zone_name((root / "etc/timezone").read_text("ascii")) or "UTC"
    except (OSError, ValueError):
        return "UTC" if link.exists() else _zone_of_offset()


def local_date_style(environ: Mapping[str, str]) -> DateStyle:
    """Return the date style of the locale; without a territory month first, weeks from Monday."""
    locale = environ.get("LC_ALL") or environ.get("LC_TIME") or environ.get("LANG") or ""
    territory = re.match(r"[a-z]{2,3}_([A-Z]{2})(?![A-Za-z])", locale)
    if territory is None:
        return DateStyle()
    code = territory[1]
    week_start = _SUNDAY if code in _SUNDAY_FIRST else _SATURDAY if code in _SATURDAY_FIRST else 0
    return DateStyle(day_first=code not in _MONTH_FIRST, week_start=week_start)


def _zone_name(text: str) -> str | None:
    """The IANA name in a zone's name or path; None where there is no such zone."""
    name = re.sub(r"^(posix|right)/", "", text.strip().rpartition("zoneinfo/")[2])
    try:
        return ZoneInfo(name).key
    except (LookupError, OSError, ValueError):
        return None


def _zone_of_offset() -> str:
    """The zone of today's offset, for rules (`TZ=CET-1CEST`) that carry no name."""
    hours, rest = divmod(time.localtime().tm_gmtoff, 3600)
    # POSIX counts westward: an hour east of Greenwich is Etc/GMT-1.
    return f"Etc/GMT{-hours:+d}" if hours and not rest else "UTC"


class Configuration(NamedTuple):
    """The settings, where each comes from, and which flags and variables cannot be used.

    `sources` are by the names of the settings; what is not among them is a default.
    """

    settings: Settings
    sources: Mapping[str, Source]
    refusals: tuple[ConfigError, ...]
    file: ConfigFile


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
    configuration = read_configuration(flags, environ, rows, machine)
    for refusal in configuration.refusals:
        raise refusal
    return configuration.settings


def config_path(flags: Flags, environ: Mapping[str, str], machine: Machine) -> Path:
    """The configuration file, whether or not there is one."""
    named = flags.config or Environment(environ).text("TODO_TUI_CONFIG")
    return _home_resolved(named) if named else machine.config_folder / CONFIG_FILE_NAME


def key_path(machine: Machine) -> Path:
    """The key file, whether or not there is one."""
    return machine.config_folder / KEY_FILE_NAME


def read_configuration(
    flags: Flags,
    environ: Mapping[str, str],
    rows: Sequence[ProviderDefaults],
    machine: Machine,
) -> Configuration:
    """Resolve all settings, and keep what is needed to explain them."""
    env = Environment(environ)
    path = config_path(flags, environ, machine)
    resolver = SettingResolver(flags, env, ConfigFile(path, expected=flags.config is not None))
    for source, _ in resolver.typed(catalogue.CONFIG)[:1]:
        resolver.sources["config"] = source
    settings = _SettingsLoader(resolver, rows, machine).settings()
    return Configuration(settings, resolver.sources, tuple(resolver.refusals), resolver.file)


class _SettingsLoader:
    """Reads one part of the settings after the other."""

    def __init__(
        self, resolver: SettingResolver, rows: Sequence[ProviderDefaults], machine: Machine
    ) -> None:
        self._resolver = resolver
        self._machine = machine
        self._built_in = rows
        self._own = self._own_providers()
        self._rows = (*rows, *self._own)

    def settings(self) -> Settings:
        """All of them."""
        value, file = self._resolver.value, self._resolver.file
        timeout = value(catalogue.TIMEOUT) or TIMEOUT_SECONDS
        store = KeyStore(value(catalogue.KEY_STORE) or KeyStore.FILE)
        providers = self._providers(store, timeout)
        names = ModelNameResolver(self._rows, providers)
        roles = RoleReader(self._resolver, names)
        choice = ChatModelResolver(self._resolver, names, roles).read()
        file.check_privacy()
        return Settings(
            db=self._database(),
            config=file.path,
            zone=self._machine.zone,
            user=value(catalogue.USER) or DEFAULT_USER,
            provider=choice.provider,
            provider_named=choice.is_named,
            model=choice.model,
            now=value(catalogue.NOW),
            dates=self._date_style(),
            max_iterations=value(catalogue.MAX_ITERATIONS) or MAX_ITERATIONS,
            context_messages=value(catalogue.CONTEXT_MESSAGES) or CONTEXT_MESSAGES,
            timeout=timeout,
            theme=value(catalogue.THEME) or "",
            no_color=self._resolver.env.text("NO_COLOR") is not None,
            providers=providers,
            custom_providers=self._own,
            roles=roles.roles(),
            fallback=roles.fallback(),
            approvals=self._approvals(),
            daily_budget_usd=value(catalogue.DAILY_BUDGET),
            context_tokens=value(catalogue.CONTEXT_TOKENS) or CONTEXT_TOKENS,
            retries=value(catalogue.RETRIES) or RETRIES,
            retry_seconds=value(catalogue.RETRY_SECONDS) or RETRY_SECONDS,
            key_store=store,
            keyring=None if store is KeyStore.ENVIRONMENT else SystemKeyring(),
            keymap=self._keymap(),
            reminders=self._reminders(),
            problems=tuple(sorted(file.problems, key=_by_line)),
        )

    def _providers(self, store: KeyStore, timeout: float) -> dict[str, ProviderSettings]:
        """Read the settings of each provider, by its id."""
        reading = ProviderSettingsReader(
            self._resolver,
            self._keys(store),
            timeout=timeout,
            addresses_lost=self._resolver.file.addresses_lost([row.id for row in self._rows]),
        )
        return {row.id: reading.read(row) for row in self._rows}

    def _own_providers(self) -> tuple[CustomProvider, ...]:
        """The person's own providers, once all names in the file are checked."""
        file = self._resolver.file
        if not file.table():
            return ()
        # Who has no file does without these.
        from todo_tui.config.file import check_setting_names
        from todo_tui.config.providers import read_custom_providers

        check_setting_names(file, [row.id for row in self._built_in])
        return read_custom_providers(file, self._built_in)

    def _keys(self, store: KeyStore) -> KeyFinder:
        path = key_path(self._machine)
        stored: Mapping[str, Secret] = {}
        if store is not KeyStore.ENVIRONMENT and os.path.lexists(path):
            # Who has no key file does without its reader.
            from todo_tui.config.key_store import KeyFile

            found = KeyFile(path).read()
            self._resolver.file.problems.extend(found.problems)
            stored = found.keys
        return KeyFinder(
            self._resolver.env,
            self._resolver.file,
            stored,
            path,
            variables_only=store is KeyStore.ENVIRONMENT,
        )

    def _database(self) -> Path:
        named = self._resolver.value(catalogue.DB)
        if named is None:
            if self._resolver.file.sets_database:
                self._resolver.refuse(
                    f"{self._resolver.file.path} is not valid TOML, and it says where your "
                    "tasks are.",
                    "Correct it (todo-tui config check names the line), or pass --db.",
                )
            return self._machine.data_folder / "tasks.db"
        path = _home_resolved(named)
        in_file = self._resolver.sources["db"].path
        return self._resolver.file.path.parent / path if in_file else path

    def _keymap(self) -> Mapping[str, str]:
        if not self._resolver.file.table("keys"):
            return {}
        # The table of all actions is for those who have other keys.
        from todo_tui.config.keymap import read_keymap

        file = self._resolver.file
        keymap = read_keymap(file)
        for name in keymap:
            quoted = ("keys", name)
            path = quoted if file.find(quoted) is not None else ("keys", *name.split(".", 1))
            self._resolver.sources[f"keys.{name}"] = self._resolver.in_file(path)
        return keymap

    def _reminders(self) -> ReminderSettings:
        value, usual = self._resolver.value, ReminderSettings()
        enabled, desktop = value(catalogue.REMINDERS_ENABLED), value(catalogue.REMINDERS_DESKTOP)
        at, before = value(catalogue.REMINDERS_ALL_DAY_AT), value(catalogue.REMINDERS_BEFORE)
        return ReminderSettings(
            enabled=usual.enabled if enabled is None else enabled,
            desktop=usual.desktop if desktop is None else DesktopNotification(desktop),
            all_day_at=usual.all_day_at if at is None else at,
            before=timedelta(minutes=before or 0),
        )

    def _date_style(self) -> DateStyle:
        order = self._resolver.value(catalogue.DATE_ORDER)
        first_day = self._resolver.value(catalogue.WEEK_START)
        local = self._machine.dates
        return DateStyle(
            day_first=local.day_first if order is None else order == "dmy",
            week_start=local.week_start
            if first_day is None
            else catalogue.WEEKDAYS.index(first_day),
        )

    def _approvals(self) -> ApprovalSettings:
        """When to ask: before every change at least, while there is a mistake in it.

        What is wrong there was meant to guard something.
        """
        value, file = self._resolver.value, self._resolver.file
        ask = value(catalogue.ASK)
        tools = value(catalogue.ASK_TOOLS)
        more_than = value(catalogue.ASK_MORE_THAN)
        more_added = value(catalogue.ASK_MORE_ADDED)
        understood = sum(each is not None for each in (ask, tools, more_than, more_added))
        written = file.find(("approvals",)) or {}
        named = len(written) if isinstance(written, Mapping) else 1
        faulty = named > understood or file.may_have_lost("approvals")
        asking = ApprovalMode(ask or ApprovalMode.RISKY)
        if faulty and asking is not ApprovalMode.ALWAYS:
            asking = ApprovalMode.WRITES
        return ApprovalSettings(asking, tools or (), more_than, more_added)


def _by_line(problem: ConfigProblem) -> tuple[bool, int]:
    """Sort key: problems of the file first, in the order of their lines."""
    return problem.line is None, problem.line or 0


def _home_resolved(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name lives here
        return Path(text)
