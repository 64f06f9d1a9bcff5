"""Key bindings: actions (their table is actions.txt), key names, `[keys]` of config.toml."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from todo_tui.config.file import ConfigFile
from todo_tui.config.kinds import shorten_for_message
from todo_tui.domain.text import similar

PLACES = {
    "app": "Everywhere",
    "chat": "Conversation",
    "write": "Message box",
    "card": "Approval cards",
    "steps": "Reading mode",
    "list": "Task list",
    "box": "Inputs",
    "editor": "Task editor",
    "reminder": "Reminder",
    "picker": "Model picker",
    "consent": "Privacy prompt",
    "statistics": "Statistics",
    "conversations": "Conversations",
    "usage": "Usage",
    "log": "Log",
    "compare": "Model comparison",
    "inspector": "Model calls",
    "source": "Cited source",
    "documents": "Documents",
    "found": "Find in conversation",
    "undo": "Undo changes",
    "history": "Message search",
    "queue": "Queued messages",
    "views": "View menu",
    "calendar": "Calendar",
    "approvals": "Approval settings",
    "help": "Help",
}
"""What the places are called, in the order of the template."""
_PARTS = {
    "Tasks": "add tick begin cancel rename edit date change high medium low no_priority detail "
    "delete undo redo repeat",
    "Selection": "mark mark_all mark_down mark_up copy",
    "Subtasks and order": "add_subtask indent outdent move_down move_up fold unfold fold_all "
    "unfold_all",
    "Views and filters": "filter save_view view_before view_after views calendar why back",
    "Recurrence, links, trash": "skip end_series snooze open_links restore purge",
    "Navigation": "down up page_down page_up first last",
}
_PART_OF = {f"list.{name}": part for part, names in _PARTS.items() for name in names.split()}
SECTIONS = (*_PARTS, *(title for place, title in PLACES.items() if place != "list"))
"""The headings of the help, those of the list first."""
_AROUND = {
    "list": ("app", "chat"),
    "box": ("list", "app", "chat"),
    "write": ("app", "chat"),
    "card": ("app", "chat"),
    "steps": ("app", "chat"),
    "chat": ("app",),
    "editor": ("app", "box"),
    "reminder": ("app", "chat"),
}
TEXT_KEYS = frozenset(
    "backspace delete left right up down home end pageup pagedown f6 f7 ctrl+a ctrl+d ctrl+e "
    "ctrl+k ctrl+u ctrl+v ctrl+w ctrl+x ctrl+y ctrl+z ctrl+left ctrl+right ctrl+pageup "
    "ctrl+pagedown shift+left shift+right shift+up shift+down shift+home shift+end".split()
)
"""What edits in the message box, where keys of everywhere do not get past it."""
_OTHERWISE = dict(
    pair.split("=")
    for pair in "esc=escape return=enter del=delete ins=insert pgup=pageup page_up=pageup "
    "pgdn=pagedown pgdown=pagedown page_down=pagedown ↑=up ↓=down ←=left →=right "
    "control=ctrl option=alt".split()
) | {" ": "space"}
_NAMED = frozenset(
    "escape enter space tab backspace delete insert home end pageup pagedown up down left "
    "right".split()
) | {f"f{number}" for number in range(1, 25)}
_MODIFIERS = ("ctrl", "alt", "shift", "super")
_SHORTER = dict(
    pair.split("=")
    for pair in "solidus=slash reverse_solidus=backslash commercial_at=at hyphen_minus=minus "
    "plus_sign=plus low_line=underscore".split()
)
_SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
_KEY_HINT = 'Write keys like "ctrl+t", "X", "?" or "f5"; separate several with commas.'


class KeyAction(NamedTuple):
    """An action; `keys` with commas between, named as the terminal library names them."""

    name: str
    keys: str
    about: str

    @property
    def place(self) -> str:
        """Place in which the key works: the part before the dot."""
        return self.name.partition(".")[0]


def section_of(name: str) -> str:
    """The heading under which an action stands in the help: its place, or a part of that."""
    place = name.partition(".")[0]
    if place == "list":
        return _PART_OF.get(name, "Tasks")
    return PLACES[place]


def can_clash(one: str, other: str) -> bool:
    """Return true if keys of the two places can be pressed at the same moment."""
    return one == other or other in _AROUND.get(one, ()) or one in _AROUND.get(other, ())


def keys_taken_by(
    name: str, chosen: Sequence[str] | None, other: str, others_keys: Sequence[str]
) -> list[str]:
    """The keys of an action that another one has got, which do not share them as a rule.

    `chosen` are its own keys where it has others than usual.
    """
    if not can_clash(ACTIONS[name].place, ACTIONS[other].place):
        return []
    usual = ACTIONS[name].keys.split(",")
    shared = set(usual).intersection(ACTIONS[other].keys.split(","))
    mine = usual if chosen is None else chosen
    return [key for key in others_keys if key in mine and key not in shared]


def _read_actions() -> Iterator[KeyAction]:
    text = Path(__file__).with_name("actions.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield KeyAction(*line.split(maxsplit=2))


ACTIONS = {action.name: action for action in _read_actions()}
"""By name, place by place."""


def read_key(text: str) -> str | None:
    """The library's name of one key; None where there is no such key."""
    text = text.strip() or text
    if len(text) == 1 or text.lower() in _OTHERWISE:
        return _plain_key(text)
    head, plus, last = text.rpartition("+")
    if head.endswith("+") and not last:
        # The plus sign itself, as in `ctrl++`.
        head, last = head.removesuffix("+"), "+"
    names = [each.strip().lower() for each in head.split("+")] if head else []
    modifiers = [_OTHERWISE.get(name, name) for name in names]
    key = _plain_key(last.strip())
    if key is None or not set(modifiers) <= set(_MODIFIERS) or (plus and not head):
        return None
    # As a terminal has it: capitals are letters of their own, `ctrl` knows none.
    if len(key) == 1 and key.isalpha():
        if modifiers == ["shift"]:
            return key.upper()
        key = key.lower()
    return "+".join([*(each for each in _MODIFIERS if each in modifiers), key])


def read_keys(text: str) -> tuple[list[str], str]:
    """The keys between commas, and the first piece that is none; empty: all are."""
    keys: list[str] = []
    for piece in [","] if text.strip() == "," else text.split(","):
        key = read_key(piece) if piece.strip() else None
        if key is None:
            return keys, piece.strip() or text
        keys.append(key)
    return list(dict.fromkeys(keys)), ""


def _plain_key(text: str) -> str | None:
    if len(text) == 1 and text.isalnum():
        return text
    name = _OTHERWISE.get(text.lower(), text.lower())
    if len(name) == 1:
        return _sign_name(name) if name.isprintable() else None
    return name if name in _NAMED or name in _SIGN_NAMES else None


def _sign_name(sign: str) -> str:
    name = unicodedata.name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return _SHORTER.get(name, name)


_SIGN_NAMES = frozenset(map(_sign_name, _SIGNS))


def read_keymap(file: ConfigFile) -> Mapping[str, str]:
    """The keys of each action that is named there; what cannot be used is noted in the file.

    Of two actions that are given the same key the one that stands first has it. One that
    is given the usual key of another has it too; the other then has what is left.
    """
    chosen: dict[str, list[str]] = {}
    paths: dict[str, tuple[str, ...]] = {}
    for path, value in _entries(file):
        name = ".".join(path[1:])
        if name not in ACTIONS:
            short, meant = shorten_for_message(name), _closest_action(name)
            guess = f"Did you mean `{meant}`? " if meant else ""
            cure = f"{guess}`todo-tui config keys` lists all actions."
            file.note(path, f"Unknown action `{short}`.", cure)
            continue
        keys = _keys(file, path, value)
        usual = ACTIONS[name].keys.split(",")
        if ACTIONS[name].place in ("app", "chat"):
            # Others would never get past the message box.
            lost = next((key for key in keys if key in TEXT_KEYS and key not in usual), None)
            if lost:
                message = f"`{name}` cannot use {lost}: the message box needs that key."
                file.note(path, message, "Choose another key, for example with Ctrl or Alt.")
                continue
        if keys:
            chosen[name], paths[name] = keys, path
    for name in list(_clashing(file, chosen, paths)):
        del chosen[name]
    return {name: ",".join(keys) for name, keys in chosen.items()}


def _entries(file: ConfigFile) -> Iterator[tuple[tuple[str, ...], object]]:
    """Paths of actions with their values, whether or not the dots stand in quotes."""
    for name, value in file.table("keys").items():
        if isinstance(value, Mapping):
            yield from ((("keys", name, key), inner) for key, inner in value.items())
        elif name != "store":  # where keys of providers are kept
            yield ("keys", name), value


def _closest_action(name: str) -> str | None:
    guesses = similar(name, [*ACTIONS, "store"], most=1)
    last = name.rpartition(".")[2]
    same = (each for each in ACTIONS if each.rpartition(".")[2] == last)
    return next(iter(guesses), None) or next(same, None)


def _keys(file: ConfigFile, path: tuple[str, ...], value: object) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words:
        file.note_invalid(path, _KEY_HINT)
        return []
    keys: list[str] = []
    for word in words:
        found, wrong = read_keys(word) if isinstance(word, str) else ([], str(word))
        if wrong or not found:
            what = f"has an unknown key: “{shorten_for_message(wrong)}”" if wrong else "has no key"
            file.note_invalid(path, _KEY_HINT, what)
            return []
        keys += found
    return list(dict.fromkeys(keys))


def _clashing(
    file: ConfigFile, chosen: Mapping[str, list[str]], paths: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Actions that cannot have what was chosen for them; every clash is noted."""
    refused: set[str] = set()
    # Of two that are given the same key the later one is the clash.
    later = list(chosen)
    for name, keys in chosen.items():
        later.remove(name)
        for other, action in ACTIONS.items():
            if other == name or other in refused or other in later:
                continue
            both = keys_taken_by(other, chosen.get(other), name, keys)
            if not both:
                continue
            file.note(
                paths[name],
                f"`{name}` cannot use {both[0]}: it is the key of `{other}` "
                f"({re.split('[;:,]', action.about)[0].lower()}).",
                f"Choose another key, or change the key of `{other}` too.",
            )
            if other in chosen:
                refused.add(name)
                yield name
            break
