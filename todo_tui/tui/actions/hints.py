"""Key labels in hints, with the user's keymap applied; reasons why an action cannot run."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import App

from todo_tui.domain.errors import TodoError
from todo_tui.tui.actions.action import REASON_SECONDS, Action, ActionHost
from todo_tui.tui.actions.keys import display_key
from todo_tui.tui.actions.registry import ACTIONS
from todo_tui.tui.errors import show_error

_PLACEHOLDER = re.compile(r"\{([a-z]+\.\w+)\}")
_SEPARATOR = " · "
NEXT_MODEL = "next model"
"""Label of the key that switches to the next model, in hints."""


@dataclass(frozen=True, slots=True)
class KeyNames:
    """Key labels of actions, with the user's keymap applied."""

    chosen: Mapping[str, str]

    def keys(self, name: str) -> list[str]:
        """Return the keys of an action under Textual's names."""
        return self.chosen.get(name, ACTIONS[name].keys).split(",")

    def first(self, name: str) -> str:
        """Return the label of the action's first key, for a hint; empty if it has none."""
        key = self.keys(name)[0]
        return display_key(key) if key else ""

    def shown(self, row: Action[Any]) -> str:
        """Return the labels of all keys of an action, for the help; empty if it has none."""
        if row.key_display and row.id not in self.chosen:
            return row.key_display
        return " ".join(display_key(key) for key in self.keys(row.id) if key)


def app_key_names(app: App[Any]) -> KeyNames:
    """Return the key labels in force in an app."""
    names = getattr(app, "key_names", None)
    return names if isinstance(names, KeyNames) else KeyNames({})


def format_hint(app: App[Any], text: str) -> str:
    """Fill in a hint's placeholders with key labels: `{chat.stop} stop` becomes `Esc stop`."""
    names = app_key_names(app)
    return _PLACEHOLDER.sub(lambda match: names.first(match[1]), text)


def join_hints(app: App[object], pieces: Sequence[str], width: int) -> str:
    """Join hints within `width` cells; where they do not fit, those before the last are dropped."""
    hints = [format_hint(app, piece) for piece in pieces]
    while len(line := _SEPARATOR.join(hints)) > width and len(hints) > 1:
        del hints[-2]
    return line


async def perform_or_explain(host: ActionHost, row: Action[Any], argument: str = "") -> bool:
    """Perform an action that was chosen by name; show why if it cannot, and return False."""
    try:
        reason = await row.perform_command(host, argument)
    except TodoError as error:
        show_error(host.app, error)
        return False
    if reason:
        host.app.notify(format_hint(host.app, reason), timeout=REASON_SECONDS)
    return not reason
