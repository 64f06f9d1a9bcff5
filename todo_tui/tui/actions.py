"""Actions and their keys.

Names, bindings of the main screen and the task list, key names as shown on screen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from textual.app import App
from textual.binding import Binding, BindingType
from textual.keys import format_key

from todo_tui.config.keymap import ACTIONS, PLACES, keys_taken_by

_KEY_DISPLAY_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "space": "Space",
    "tab": "Tab",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}
_PLACEHOLDER = re.compile(r"\{([a-z]+\.\w+)\}")
_SEPARATOR = " · "
HINTED_KEYS = (
    ("list.add", "add"),
    ("list.tick", "done"),
    ("list.rename", "rename"),
    ("list.filter", "filter"),
    ("list.undo", "undo"),
    ("list.delete", "delete"),
    ("list.mark", "mark"),
    ("list.views", "views"),
)


class TaskAction(StrEnum):
    """Action of a key on the selected tasks, or on the one under the cursor."""

    MARK = "mark"
    MARK_ALL = "mark_all"
    MARK_DOWN = "mark_down"
    MARK_UP = "mark_up"
    BEGIN = "begin"
    CANCEL = "cancel"
    CHANGE = "change"
    DATE = "date"
    ADD_SUBTASK = "add_subtask"
    MOVE_DOWN = "move_down"
    MOVE_UP = "move_up"
    INDENT = "indent"
    OUTDENT = "outdent"
    FOLD = "fold"
    UNFOLD = "unfold"
    FOLD_ALL = "fold_all"
    UNFOLD_ALL = "unfold_all"
    REPEAT = "repeat"
    SKIP = "skip"
    END_SERIES = "end_series"
    COPY = "copy"
    OPEN_LINKS = "open_links"
    RESTORE = "restore"
    PURGE = "purge"


def display_key(key: str) -> str:
    """Return the label of a Textual key name such as `ctrl+t`: `Ctrl+T`."""
    *modifiers, last = key.split("+")
    if last in _KEY_DISPLAY_NAMES:
        name = _KEY_DISPLAY_NAMES[last]
    elif last[:1] == "f" and last[1:].isdigit():
        name = last.upper()
    else:
        name = format_key(last)
    if modifiers and len(name) == 1:
        name = name.upper()
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])


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
    """Return the binding of an action of the table, with its description as tooltip.

    `keys` restricts the binding to some of the action's keys, where it takes several.
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


def complete_keymap(chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete the user's keymap so that no other action loses its keys.

    Textual takes a remapped key from every binding that shares it. So the actions that share one
    are listed too, with the keys that remain theirs.
    """
    if not chosen:
        return {}
    touched = {key for keys in chosen.values() for key in keys.split(",")}
    for name in chosen:
        touched |= set(ACTIONS[name].keys.split(","))
    touched = _keys_sharing(touched)
    whole: dict[str, str] = {}
    for name, action in ACTIONS.items():
        if touched.intersection(action.keys.split(",")):
            left = _remaining_default_keys(name, chosen)
            if left:
                whole[name] = ",".join(left)
    return {**whole, **chosen}


def _keys_sharing(keys: set[str]) -> set[str]:
    """Return the keys and, transitively, those of all actions that share one of them."""
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


def _remaining_default_keys(name: str, chosen: Mapping[str, str]) -> list[str]:
    """Return the default keys of an action that were not given to another one."""
    gone = {
        key
        for other, keys in chosen.items()
        if ACTIONS[other].place == ACTIONS[name].place
        for key in keys_taken_by(name, None, other, keys.split(","))
    }
    return [key for key in ACTIONS[name].keys.split(",") if key not in gone]


class KeyNames:
    """Key labels of actions, with the user's keymap applied."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen

    def keys(self, name: str) -> list[str]:
        """Return the keys of an action under Textual's names."""
        return self._chosen.get(name, ACTIONS[name].keys).split(",")

    def first(self, name: str) -> str:
        """Return the label of the action's first key, for a hint."""
        return display_key(self.keys(name)[0])

    def shown(self, binding: Binding) -> str:
        """Return the labels of all keys of a binding, for the help."""
        chosen = self._chosen.get(binding.id or "")
        if chosen:
            return " ".join(map(display_key, chosen.split(",")))
        return binding.key_display or " ".join(map(display_key, binding.key.split(",")))


def app_key_names(app: App[object]) -> KeyNames:
    """Return the key labels in force in an app."""
    names = getattr(app, "key_names", None)
    return names if isinstance(names, KeyNames) else KeyNames({})


def format_hint(app: App[object], text: str) -> str:
    """Fill in a hint's placeholders with key labels: `{chat.stop} stop` becomes `Esc stop`."""
    names = app_key_names(app)
    return _PLACEHOLDER.sub(lambda match: names.first(match[1]), text)


def join_hints(app: App[object], pieces: Sequence[str], width: int) -> str:
    """Join hints within `width` cells; where they do not fit, those before the last are dropped."""
    hints = [format_hint(app, piece) for piece in pieces]
    while len(line := _SEPARATOR.join(hints)) > width and len(hints) > 1:
        del hints[-2]
    return line


def section_title(name: str) -> str:
    """Return the title of the place to which an action belongs."""
    return PLACES[ACTIONS[name].place]


class ViewAction(StrEnum):
    """Action on views, requested by a key or a click."""

    BEFORE = "view_before"
    AFTER = "view_after"
    MENU = "views"
    CALENDAR = "calendar"
    WHY = "why"


_VIEW_ACTION_LABELS = {
    ViewAction.BEFORE: "view before",
    ViewAction.AFTER: "next view",
    ViewAction.MENU: "views",
    ViewAction.CALENDAR: "calendar",
    ViewAction.WHY: "why here",
}

VIEW_BINDINGS = tuple(
    bind(f"list.{action}", f"view('{action}')", _VIEW_ACTION_LABELS[action])
    for action in ViewAction
)
"""Bindings of the task list that switch views and explain them."""

TASK_PANE_BINDINGS: tuple[BindingType, ...] = (
    bind("list.add", "add", "add"),
    bind("list.tick", "tick", "done"),
    bind("list.rename", "rename", "rename"),
    bind("list.edit", "edit", "edit"),
    bind("list.delete", "delete", "delete"),
    bind("list.filter", "filter", "filter", key_display="/"),
    bind("list.save_view", "save_view", "save view"),
    bind("list.undo", "undo", "undo"),
    bind("list.redo", "redo", "redo"),
    bind("list.high", "priority('high')", "high"),
    bind("list.medium", "priority('medium')", "medium"),
    bind("list.low", "priority('low')", "low"),
    bind("list.no_priority", "priority('')", "no priority"),
    bind("list.detail", "detail", "details"),
    bind("list.back", "back", "back"),
    *VIEW_BINDINGS,
    *(
        bind(f"list.{action}", f"deed('{action}')", action.replace("_", " "))
        for action in TaskAction
    ),
)


class ChatAction(StrEnum):
    """Action on the conversation.

    Named in bindings, which exist before the chat controller is imported.
    """

    STOP = "stop"
    RETRY = "retry"
    UNDO_TURN = "undo_turn"
    NEW = "new"
    CALLS = "calls"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    NEWEST = "newest"
    OLDEST = "oldest"


MAIN_BINDINGS = (
    # Priority over the inputs of the list too: while a card is open, Esc denies it.
    bind("chat.no", "answer(False)", "deny", show=True, priority=True),
    bind("chat.stop", "stop_turn", "stop", show=True),
    bind("app.to_chat", "to_chat", "chat", keys="escape"),
    bind("chat.to_card", "to_card", "answer", show=True),
    bind("chat.yes", "answer(True)", "approve", show=True),
    bind("app.to_list", "to_list", "list", show=True),
    bind("app.to_chat", "to_chat", "chat", keys="tab", show=True),
    bind("chat.read_back", "read_back", "Read"),
    bind("app.pick_model", "pick_model", "model", show=True),
    bind("app.next_provider", "next_provider", "Switch"),
    *(
        bind(
            f"app.provider_{number}",
            f"go_to_provider({number})",
            "Model",
            key_display="Alt+1…9",
        )
        for number in range(1, 10)
    ),
    bind("chat.retry", "chat('retry')", "retry", show=True),
    bind("chat.undo_turn", "chat('undo_turn')", "undo turn", show=True),
    *(
        bind(name, f"chat('{action}')", action.capitalize())
        for name, action in (
            ("chat.new", ChatAction.NEW),
            ("chat.calls", ChatAction.CALLS),
            ("chat.page_up", ChatAction.PAGE_UP),
            ("chat.page_down", ChatAction.PAGE_DOWN),
            ("chat.newest", ChatAction.NEWEST),
            ("chat.oldest", ChatAction.OLDEST),
        )
    ),
    bind("list.snooze", "reminder", "snooze"),
    bind("app.usage", "usage", "Usage"),
    bind("app.statistics", "statistics", "Statistics"),
    bind("app.log", "log", "Log"),
)
