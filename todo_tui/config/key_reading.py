"""The `[keys]` of the configuration file: which keys the person has given to which action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from todo_tui.config.file import ConfigFile
from todo_tui.config.key_actions import ACTIONS, TEXT_KEYS, taken_from
from todo_tui.config.key_spelling import read_keys
from todo_tui.config.printable import shown

SECTION = "keys"
_NOT_ACTIONS = ("store",)
"""What the table holds beside: where keys of providers are kept."""
_HOW = 'Write keys as in "ctrl+t", "X", "?" or "f5", several with commas between.'

Path = tuple[str, ...]


def read_keymap(file: ConfigFile) -> Mapping[str, str]:
    """The keys of each action that is named there; what cannot be used is noted in the file.

    Of two actions that are given the same key the one that stands first has it. One that
    is given the usual key of another has it too; the other then has what is left.
    """
    chosen: dict[str, list[str]] = {}
    paths: dict[str, Path] = {}
    for path, value in _entries(file):
        name = ".".join(path[1:])
        if name not in ACTIONS:
            _unknown(file, path, name)
            continue
        keys = _keys(file, path, value)
        lost = _taken_by_text(name, keys)
        if lost:
            file.note(
                path,
                f"`{name}` wants {lost}, which edits in the message box.",
                "Choose another key; with Ctrl or Alt most are free.",
            )
        elif keys:
            chosen[name], paths[name] = keys, path
    for name in list(_clashing(file, chosen, paths)):
        del chosen[name]
    return {name: ",".join(keys) for name, keys in chosen.items()}


def _entries(file: ConfigFile) -> Iterator[tuple[Path, object]]:
    """Names with their values, whether or not the dots stand in quotes."""
    for name, value in file.table(SECTION).items():
        if name in _NOT_ACTIONS:
            continue
        if isinstance(value, Mapping):
            yield from (((SECTION, name, key), inner) for key, inner in value.items())
        else:
            yield (SECTION, name), value


def _unknown(file: ConfigFile, path: Path, name: str) -> None:
    from todo_tui.config.spelling import close_to  # only a mistake pays for it

    guess = close_to(name, [*ACTIONS, *_NOT_ACTIONS])
    if guess is None:
        last = name.rpartition(".")[2]
        guess = next((each for each in ACTIONS if each.rpartition(".")[2] == last), None)
    meant = f"Did you mean `{guess}`? " if guess else ""
    file.note(
        path,
        f"`{shown(name)}` is not an action.",
        f"{meant}`todo-tui config keys` lists all actions.",
    )


def _keys(file: ConfigFile, path: Path, value: object) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words:
        file.wrong(path, _HOW)
        return []
    keys: list[str] = []
    for word in words:
        found, wrong = read_keys(word) if isinstance(word, str) else ([], str(word))
        if wrong or not found:
            what = f"names no key: “{shown(wrong)}”" if wrong else "names no key"
            file.wrong(path, _HOW, what)
            return []
        keys += found
    return list(dict.fromkeys(keys))


def _taken_by_text(name: str, keys: list[str]) -> str:
    """The key that would never get past the message box; empty where all do."""
    action = ACTIONS[name]
    if action.place not in ("app", "chat"):
        return ""
    usual = action.keys.split(",")
    return next((key for key in keys if key in TEXT_KEYS and key not in usual), "")


def _clashing(
    file: ConfigFile, chosen: Mapping[str, list[str]], paths: Mapping[str, Path]
) -> Iterator[str]:
    """Actions that cannot have what was chosen for them; every clash is noted."""
    refused: set[str] = set()
    order = list(chosen)
    for name, keys in chosen.items():
        for other, action in ACTIONS.items():
            is_later = other in chosen and order.index(other) > order.index(name)
            if other == name or other in refused or is_later:
                continue
            both = taken_from(other, chosen.get(other), name, keys)
            if not both:
                continue
            file.note(
                paths[name],
                f"`{name}` wants {both[0]}, which is the key of `{other}` "
                f"({re.split('[;:,]', action.about)[0].lower()}).",
                f"Choose another key, or give `{other}` another one too.",
            )
            if other in chosen:
                refused.add(name)
                yield name
            break
