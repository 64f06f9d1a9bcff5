"""The keys of actions: bindings made from the table of actions, and the person's own keys."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from textual.app import App
from textual.binding import Binding

from todo_tui.config.key_actions import ACTIONS, PLACES, taken_from
from todo_tui.tui.key_names import key_name

_NAMED = re.compile(r"\{([a-z]+\.\w+)\}")
_BETWEEN = " · "


def bind(
    name: str,
    action: str,
    description: str = "",
    *,
    show: bool = False,
    keys: str = "",
    key_display: str | None = None,
    priority: bool = False,
) -> Binding:
    """The binding of an action of the table; its tooltip says what it does.

    `keys` are those of its keys that this binding has, where it takes several.
    """
    row = ACTIONS[name]
    return Binding(
        keys or row.keys,
        action,
        description,
        show=show,
        key_display=key_display,
        priority=priority,
        tooltip=row.about,
        id=name,
    )


def whole_keymap(chosen: Mapping[str, str]) -> dict[str, str]:
    """What Textual is to be told, so that nobody loses a key by another's change.

    Textual takes a key from all that share it where one of them is given another, or is
    given theirs: so those that share one are named too, with the keys that they have.
    """
    if not chosen:
        return {}
    touched = {key for keys in chosen.values() for key in keys.split(",")}
    for name in chosen:
        touched |= set(ACTIONS[name].keys.split(","))
    touched = _shared_on(touched)
    whole: dict[str, str] = {}
    for name, action in ACTIONS.items():
        if touched.intersection(action.keys.split(",")):
            left = _left_of(name, chosen)
            if left:
                whole[name] = ",".join(left)
    return {**whole, **chosen}


def _shared_on(keys: set[str]) -> set[str]:
    """The keys, and those of the actions that have one of them, and so on."""
    while True:
        more = keys.union(
            *(
                others
                for action in ACTIONS.values()
                if keys.intersection(others := action.keys.split(","))
            )
        )
        if more == keys:
            return keys
        keys = more


def _left_of(name: str, chosen: Mapping[str, str]) -> list[str]:
    """The usual keys of an action that were given to no other one."""
    gone = {
        key
        for other, keys in chosen.items()
        if ACTIONS[other].place == ACTIONS[name].place
        for key in taken_from(name, None, other, keys.split(","))
    }
    return [key for key in ACTIONS[name].keys.split(",") if key not in gone]


class KeyNames:
    """What the keys of actions are called on screen, with the person's changes."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen

    def keys(self, name: str) -> list[str]:
        """The keys of an action, as Textual names them."""
        return self._chosen.get(name, ACTIONS[name].keys).split(",")

    def first(self, name: str) -> str:
        """The first of them, for a hint."""
        return key_name(self.keys(name)[0])

    def shown(self, binding: Binding) -> str:
        """All keys of a binding, for the help."""
        chosen = self._chosen.get(binding.id or "")
        if chosen:
            return " ".join(map(key_name, chosen.split(",")))
        return binding.key_display or " ".join(map(key_name, binding.key.split(",")))


def names_of(app: App[object]) -> KeyNames:
    """The names of the keys that hold in an app."""
    names = getattr(app, "key_names", None)
    return names if isinstance(names, KeyNames) else KeyNames({})


def hint(app: App[object], text: str) -> str:
    """A hint with the keys that hold: `{chat.stop} stop` is `Esc stop` as a rule."""
    names = names_of(app)
    return _NAMED.sub(lambda match: names.first(match[1]), text)


def key_line(app: App[object], pieces: Sequence[str], width: int) -> str:
    """Hints beside each other in so many cells; where it is narrow those before the last go."""
    hints = [hint(app, piece) for piece in pieces]
    while len(line := _BETWEEN.join(hints)) > width and len(hints) > 1:
        del hints[-2]
    return line


def place_title(name: str) -> str:
    """What the place of an action is called."""
    return PLACES[ACTIONS[name].place]
