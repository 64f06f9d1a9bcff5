"""Names in the configuration file that mean nothing, and what was probably meant."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from todo_tui.config.catalogue import OWN_SETTINGS, PROVIDER_SETTINGS, SETTINGS
from todo_tui.config.file import ConfigFile
from todo_tui.config.printable import shown

_PROVIDERS = "providers"
_KEYS = "keys"


def check_names(file: ConfigFile, built_in: Sequence[str]) -> None:
    """Note every name in the file that is not a setting, and every table that is none."""
    in_file = [setting for setting in SETTINGS if setting.example]
    known: dict[str, list[str]] = {}
    for setting in in_file:
        known.setdefault(setting.section, []).append(setting.key)
    top = known.pop("")
    moved = [setting.also for setting in in_file if setting.also]
    for name, value in file.table().items():
        if name in known or name == _PROVIDERS:
            if not isinstance(value, Mapping):
                file.wrong((name,), f"Write [{name}] above its settings.", "is not a table")
        elif name not in top and name not in moved:
            hint = _better_place(name, value, known, built_in)
            _unknown(file, (name,), hint, [*top, *known, _PROVIDERS])
    for section, names in known.items():
        if section == _KEYS:
            # What stands there beside is read, and complained of, as names of actions.
            continue
        for name in file.table(section):
            if name not in names:
                _unknown(file, (section, name), _home(name, {"": top, **known}), names)
    _check_providers(file, built_in)


def close_to(name: str, known: Collection[str]) -> str | None:
    """The known name that was probably meant."""
    # Only a mistake pays for the search of what was meant.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1)), None)


def _check_providers(file: ConfigFile, built_in: Sequence[str]) -> None:
    every = [setting.name for setting in PROVIDER_SETTINGS]
    own = [setting.name for setting in OWN_SETTINGS]
    for provider_id, table in file.table(_PROVIDERS).items():
        path = (_PROVIDERS, provider_id)
        if not isinstance(table, Mapping):
            cure = f"Write [{_PROVIDERS}.{shown(provider_id)}] above its settings."
            file.wrong(path, cure, "is not a table")
            continue
        known = every if provider_id in built_in else [*every, *own]
        for name in table:
            if name in known:
                continue
            if name in own:
                cure = "Take it out, or choose another name for a provider of your own."
                file.wrong((*path, name), cure, f"cannot be set: {provider_id} is built in")
            else:
                _unknown(file, (*path, name), "", known)


def _unknown(file: ConfigFile, path: tuple[str, ...], better: str, known: Iterable[str]) -> None:
    meant = None if better else close_to(path[-1].lower().replace("-", "_"), list(known))
    guess = better or (f"Did you mean `{meant}`? " if meant else "")
    file.wrong(path, f"{guess}Known here: {', '.join(known)}.", "is not a setting")


def _better_place(
    name: str, value: object, sections: Mapping[str, Sequence[str]], built_in: Sequence[str]
) -> str:
    """Where a name would be right that means nothing at the top of the file."""
    if isinstance(value, Mapping):
        return f"Did you mean [{_PROVIDERS}.{name}]? " if name in built_in else ""
    if name in [setting.name for setting in PROVIDER_SETTINGS]:
        return f"It belongs under a provider, such as [{_PROVIDERS}.groq]. "
    return _home(name, sections)


def _home(name: str, sections: Mapping[str, Sequence[str]]) -> str:
    for section, names in sections.items():
        if name in names:
            return f"It belongs under [{section}]. " if section else "It belongs above all tables. "
    return ""
