"""Loading of all settings: flags over environment over config.toml over defaults.

What is wrong stops the start (`refusals`), or is noted (`problems`) and the next place decides:

| mistake | consequence |
|---|---|
| in a flag, or a variable that begins with TODO_TUI_ | stops |
| in another variable, which other programs may use | noted |
| a name or a value in the file | noted; in [approvals], every change needs approval too |
| a file that cannot be read, or is no TOML | noted; stops if it names the database |
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from todo_tui.config.config_file import ConfigFile, check_setting_names
from todo_tui.config.endpoint import parse_endpoint
from todo_tui.config.keyring import SystemKeyring
from todo_tui.config.kinds import expand_home
from todo_tui.config.machine import Machine
from todo_tui.config.named_models import ModelChoice
from todo_tui.config.provider_row import ProviderRow
from todo_tui.config.provider_settings import read_custom_providers, read_providers
from todo_tui.config.resolver import SettingResolver, Source, SourceKind
from todo_tui.config.settings import (
    MODEL_KINDS,
    SETTING,
    SETTINGS,
    TABLES,
    ApprovalMode,
    ApprovalSettings,
    Flags,
    KeyStore,
    Settings,
    ShortcutSetting,
)
from todo_tui.domain.errors import ConfigError


class Configuration(NamedTuple):
    """Settings with what explains them."""

    settings: Settings
    sources: Mapping[str, Source]
    """By the full names of settings; one that is not among them has its default."""
    refusals: tuple[ConfigError, ...]
    """Flags and variables that cannot be used."""
    file: ConfigFile


def load_settings(
    flags: Flags, environ: Mapping[str, str], rows: Sequence[ProviderRow], machine: Machine
) -> Settings:
    """Resolve all settings.

    Names are checked by `check_setting_names` of `config_file.py`, values by `resolver.py`.

    Raises:
        ConfigError: a mistake stops the start.
    """
    configuration = read_configuration(flags, environ, rows, machine)
    for refusal in configuration.refusals:
        raise refusal
    return configuration.settings


def config_path(flags: Flags, environ: Mapping[str, str], machine: Machine) -> Path:
    """Return the path of the configuration file, whether or not there is one."""
    texts = (flags.config or "", environ.get("TODO_TUI_CONFIG", ""))
    named = next((text.strip() for text in texts if text.strip()), None)
    return machine.paths.config if named is None else expand_home(named)


def read_configuration(
    flags: Flags, environ: Mapping[str, str], rows: Sequence[ProviderRow], machine: Machine
) -> Configuration:
    """Resolve all settings, and keep what explains them."""
    file = ConfigFile(config_path(flags, environ, machine), expected=flags.config is not None)
    resolver = SettingResolver(flags, environ, file, machine.setting_values)
    custom: tuple[ProviderRow, ...] = ()
    if file.table():
        check_setting_names(file, [row.id for row in rows])
        custom = tuple(read_custom_providers(resolver, rows))
    all_rows = (*rows, *custom)
    values: dict[str, Any] = {
        setting.name: resolver.value(setting)
        for setting in SETTINGS
        if setting.kind not in MODEL_KINDS
    }
    providers = read_providers(
        resolver, all_rows, machine.paths.keys, values["keys.store"], values["limits.timeout"]
    )
    models = ModelChoice(resolver, {row.id: row for row in all_rows}, providers)
    chat = models.chat()
    values |= models.values(chat) | {
        "db": _find_database(resolver, values["db"]),
        "knowledge.qdrant_url": _check_qdrant_url(file, values["knowledge.qdrant_url"]),
    }
    file.check_privacy()
    settings = Settings(
        **_table_fields(values, ""),
        **{name: group(**_table_fields(values, name)) for name, group in TABLES.items()},
        provider_named=chat.provider is not None and not chat.inferred,
        no_color=bool(environ.get("NO_COLOR")),
        providers=providers,
        custom_providers=custom,
        keyring=None if values["keys.store"] is KeyStore.ENVIRONMENT else SystemKeyring(),
        shortcuts=tuple(_read_shortcuts(resolver)),
    )
    settings = replace(
        settings,
        approvals=_tighten(resolver, settings.approvals),
        dates=replace(
            settings.dates,
            is_order_set=resolver.sources["dates.order"].kind is not SourceKind.MACHINE,
            zone=machine.zone,
            territory=machine.dates.territory,
        ),
        # Those of the file first, in the order of their lines.
        problems=(
            *sorted(file.problems, key=lambda problem: (problem.line is None, problem.line or 0)),
            *filter(None, (machine.zone_problem,)),
        ),
    )
    return Configuration(settings, resolver.sources, tuple(resolver.refusals), file)


def _table_fields(values: Mapping[str, Any], table: str) -> dict[str, Any]:
    """Return the values of the settings of one table, by the names of their fields."""
    return {
        setting.attribute: values[setting.name] for setting in SETTINGS if setting.table == table
    }


def _find_database(resolver: SettingResolver, path: Path) -> Path:
    file, kind = resolver.file, resolver.sources["db"].kind
    if kind is SourceKind.MACHINE and file.sets_database:
        resolver.refuse(
            f"{file.path} is not valid TOML and sets the database of your tasks.",
            "Correct the file (`todo-tui config check` names the line), or use --db.",
        )
    return file.path.parent / path if kind is SourceKind.FILE else path


def _check_qdrant_url(file: ConfigFile, url: str) -> str:
    """Return the URL; empty for one that cannot be used, which is noted."""
    if not url:
        return ""
    path = SETTING["knowledge.qdrant_url"].path
    try:
        endpoint = parse_endpoint(url, "`knowledge.qdrant_url`")
    except ConfigError as error:
        file.note(path, error.message, error.hint or "Remove it.")
        return ""
    if endpoint.is_readable_in_transit:
        message = f"`knowledge.qdrant_url`: plain http:// to {endpoint.address} is not allowed."
        file.note(path, message, "Use https://.")
        return ""
    return endpoint.url


def _read_shortcuts(resolver: SettingResolver) -> Iterator[ShortcutSetting]:
    """Yield what `[keys]` says of actions, whether or not the dots in their names are quoted."""
    file = resolver.file
    for name, value in file.table("keys").items():
        paths: list[tuple[str, ...]] = [("keys", name)]
        if isinstance(value, Mapping):
            paths = [("keys", name, key) for key in value]
        for path in paths:
            if path != SETTING["keys.store"].path:
                full_name = ".".join(path[1:])
                resolver.sources[f"keys.{full_name}"] = resolver.in_file(path)
                yield ShortcutSetting(full_name, file.find(path), file.line_of(path))


def _tighten(resolver: SettingResolver, approvals: ApprovalSettings) -> ApprovalSettings:
    """Return the settings, with approval of every change at least if there is a mistake in them.

    What is wrong there was meant to guard something.
    """
    if approvals.ask is not ApprovalMode.ALWAYS and resolver.file.add_effect(
        "approvals", "Until this is corrected, every change needs approval."
    ):
        resolver.sources["approvals.ask"] = Source(SourceKind.MISTAKE)
        return replace(approvals, ask=ApprovalMode.WRITES)
    return replace(approvals, ask_is_default="approvals.ask" not in resolver.sources)
