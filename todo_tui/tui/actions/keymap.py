"""Keymap: the keys that `[keys]` of config.toml gives to actions, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from todo_tui.config.kinds import format_toml, shorten_for_message
from todo_tui.config.settings import ConfigProblem, Settings, ShortcutSetting
from todo_tui.domain.errors import ConfigError
from todo_tui.domain.text import join_words, similar
from todo_tui.tui.actions.keys import TEXT_KEYS, read_keys, types_text, write_keys
from todo_tui.tui.actions.registry import ACTIONS, PLACES

_TEMPLATE_WIDTH = 88
_SENT_AS = {"alt+b": "Ctrl+Left", "alt+f": "Ctrl+Right"}
"""Keys that never arrive, as terminals send others for them: Emacs moves by words with these."""
_KEY_HINT = 'Write keys like "ctrl+t", "X", "?" or "f5"; separate several with commas.'


class Keymap(NamedTuple):
    """Keys by action, with commas between, where they are not the default."""

    keys: Mapping[str, str]
    problems: tuple[ConfigProblem, ...]
    """Mistakes of all settings: those of the file first, in the order of their lines."""


def read_keymap(settings: Settings) -> Keymap:
    """Return the usable keys of `[keys]`.

    Of two actions that are given the same key the one that stands first has it. One that is given
    the default key of another has it too; the other then has what is left.
    """
    chosen: dict[str, list[str]] = {}
    given: dict[str, ShortcutSetting] = {}
    problems = [*settings.problems]

    def note(setting: ShortcutSetting, message: str, hint: str) -> None:
        problems.append(_problem(settings.config, setting, message, hint))

    for setting in settings.shortcuts:
        name = setting.name
        if name not in ACTIONS:
            meant = _closest_action(name)
            guess = f"Did you mean `{meant}`? " if meant else ""
            hint = f"{guess}`todo-tui config keys` lists all actions."
            note(setting, f"Unknown action `{shorten_for_message(name)}`.", hint)
            continue
        if setting.value == ACTIONS[name].keys == "":
            continue
        keys, reason = _read_value(setting.value)
        if reason:
            note(setting, f"`{name}` {reason}.", _KEY_HINT)
        elif lost := _lost_key(name, keys):
            message = f"`{name}` cannot use {lost}: text boxes need that key."
            note(setting, message, "Choose another key, for example with Ctrl or Alt.")
        elif never := next((key for key in keys if key in _SENT_AS), ""):
            message = f"`{name}` cannot use {never}: terminals send {_SENT_AS[never]} for it."
            note(setting, message, "Choose another key, for example with another letter.")
        else:
            chosen[name], given[name] = keys, setting
    for name, key, other in list(_clashes(chosen)):
        note(
            given[name],
            f"`{name}` cannot use {key}: it is the key of `{other}` "
            f"({re.split('[;:,]', ACTIONS[other].label)[0].lower()}).",
            f"Choose another key, or change the key of `{other}` too.",
        )
        if other in chosen:
            del chosen[name]
    problems.sort(key=lambda problem: (problem.line is None, problem.line or 0))
    return Keymap({name: ",".join(keys) for name, keys in chosen.items()}, tuple(problems))


def reset_together(settings: Settings, name: str) -> tuple[str, ...]:
    """Return the action and those that were given its default keys, or the default of these."""
    chosen = {each: keys.split(",") for each, keys in read_keymap(settings).keys.items()}
    names = [name]
    for each in names:
        default = ACTIONS[each].keys.split(",") if each in ACTIONS else []
        names += [
            other
            for other, keys in chosen.items()
            if other not in names and default and keys_taken_by(other, keys, each, default)
        ]
    return tuple(names)


def check_shortcuts(settings: Settings, changes: Mapping[str, str | None]) -> None:
    """Check new keys by action before they are written; None are the default ones.

    Raises:
        ConfigError: there is no such action, or it cannot have these keys.
    """
    for name in (name for name, keys in changes.items() if keys is None):
        names = reset_together(settings, name)
        if not changes.keys() >= {*names}:
            raise ConfigError(
                f"`{name}` cannot be reset alone: its default key is that of "
                f"{join_words([f'`{each}`' for each in names[1:]], 'and')}.",
                hint="Reset them together: todo-tui config unset "
                + " ".join(f"keys.{each}" for each in names),
            )
    others = tuple(each for each in settings.shortcuts if each.name not in changes)
    usual = {name: ACTIONS[name].keys for name in changes if name in ACTIONS}
    given = [
        ShortcutSetting(name, usual.get(name) if keys is None else keys, None)
        for name, keys in changes.items()
    ]
    tried = replace(settings, shortcuts=(*others, *given), problems=())
    kept = read_keymap(replace(settings, shortcuts=others, problems=())).problems
    for problem in read_keymap(tried).problems:
        if problem not in kept:
            message = problem.message.removeprefix(f"{settings.config}: ")
            raise ConfigError(message, hint=problem.hint)


def _problem(path: Path, setting: ShortcutSetting, message: str, hint: str) -> ConfigProblem:
    where = f"line {setting.line}: " if setting.line else ""
    return ConfigProblem(f"{path}: {where}{message}", hint, setting.line)


def _closest_action(name: str) -> str | None:
    # `store` says where API keys are kept, and stands in the same table.
    guesses = similar(name, [*ACTIONS, "store"], most=1)
    last = name.rpartition(".")[2]
    same = (each for each in ACTIONS if each.rpartition(".")[2] == last)
    return next(iter(guesses), None) or next(same, None)


def _read_value(value: object) -> tuple[list[str], str]:
    """Return the keys, or why there are none."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts:
        return [], "has an invalid value"
    keys: list[str] = []
    for text in texts:
        found, wrong = read_keys(text) if isinstance(text, str) else ([], str(text))
        if wrong:
            return [], f"has an unknown key: “{shorten_for_message(wrong)}”"
        if not found:
            return [], "has no key"
        keys += found
    return list(dict.fromkeys(keys)), ""


def _lost_key(name: str, keys: Sequence[str]) -> str | None:
    """Return a key that text boxes need, for an action that acts while one has the focus.

    The box would take it before the action, or the action before the box. Keys of everywhere that
    type characters act where no box has the focus, unless the action has priority.
    """
    action, default = ACTIONS[name], ACTIONS[name].keys.split(",")
    is_everywhere = action.place in ("app", "chat")
    if not (is_everywhere or PLACES[action.place].is_for_typing):
        return None
    meets_text = action.priority or not is_everywhere
    lost = (key for key in keys if key in TEXT_KEYS or (meets_text and types_text(key)))
    return next((key for key in lost if key not in default), None)


def _clashes(chosen: Mapping[str, list[str]]) -> Iterator[tuple[str, str, str]]:
    """Yield each action with a key that it cannot have, and the action whose key it is."""
    refused: set[str] = set()
    # Of two that are given the same key the later one is the clash.
    later = list(chosen)
    for name, keys in chosen.items():
        later.remove(name)
        for other in ACTIONS:
            if other == name or other in refused or other in later:
                continue
            if both := keys_taken_by(other, chosen.get(other), name, keys):
                yield name, both[0], other
                if other in chosen:
                    refused.add(name)
                break


def can_clash(one: str, other: str) -> bool:
    """Return True if keys of the two places can be pressed at the same moment."""
    return one == other or other in PLACES[one].around or one in PLACES[other].around


def keys_taken_by(
    name: str, chosen: Sequence[str] | None, other: str, others_keys: Sequence[str]
) -> list[str]:
    """Return the keys of an action that another one has got, and does not share by default.

    `chosen` are its own keys where these are not the default.
    """
    if not can_clash(ACTIONS[name].place, ACTIONS[other].place):
        return []
    default = ACTIONS[name].keys.split(",")
    shared = set(default).intersection(ACTIONS[other].keys.split(","))
    own = default if chosen is None else chosen
    return [key for key in others_keys if key in own and key not in shared]


def complete_keymap(chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete the user's keymap so that no other action loses its keys.

    Textual takes a remapped key from every binding that shares it. So the actions that share one,
    directly or through another action, are listed too, with the keys that remain theirs.
    """
    if not chosen:
        return {}
    default = {name: action.keys.split(",") for name, action in ACTIONS.items()}
    touched = {key for name, keys in chosen.items() for key in (*keys.split(","), *default[name])}
    touched.discard("")
    sharing: set[str] = set()
    while more := {name for name in default if touched.intersection(default[name])} - sharing:
        sharing |= more
        touched.update(*(default[name] for name in more))
    whole: dict[str, str] = {}
    for name in filter(sharing.__contains__, default):
        gone = {
            key
            for other, keys in chosen.items()
            if ACTIONS[other].place == ACTIONS[name].place
            for key in keys_taken_by(name, None, other, keys.split(","))
        }
        if left := [key for key in default[name] if key not in gone]:
            whole[name] = ",".join(left)
    return {**whole, **chosen}


def format_key_lines() -> str:
    """Return the part of the template of config.toml about keys: actions with their defaults."""
    blocks: list[str] = []
    for place, actions in groupby(ACTIONS.values(), key=lambda action: action.place):
        lines = [f"# -- {PLACES[place].title}\n"]
        for action in actions:
            lines += [f"# {line}\n" for line in wrap(action.label, _TEMPLATE_WIDTH - 2)]
            lines.append(f'#"{action.id}" = {format_toml(write_keys(action.keys))}\n')
        blocks.append("".join(lines))
    return "\n".join(blocks)
