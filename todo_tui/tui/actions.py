"""Actions and their keys.

Names, bindings of the main screen and the task list, key names as shown on screen.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from textual.app import App
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.keys import format_key

from todo_tui.config.keymap import ACTIONS, keys_taken_by

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
}
_PLACEHOLDER = re.compile(r"\{([a-z]+\.\w+)\}")
_SEPARATOR = " · "


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

    Textual takes a remapped key from every binding that shares it. So the actions that share one,
    directly or through another action, are listed too, with the keys that remain theirs.
    """
    if not chosen:
        return {}
    usual = {name: action.keys.split(",") for name, action in ACTIONS.items()}
    touched = {key for name, keys in chosen.items() for key in (*keys.split(","), *usual[name])}
    sharing: set[str] = set()
    while more := {name for name in usual if touched.intersection(usual[name])} - sharing:
        sharing |= more
        touched.update(*(usual[name] for name in more))
    whole: dict[str, str] = {}
    for name in filter(sharing.__contains__, usual):
        gone = {
            key
            for other, keys in chosen.items()
            if ACTIONS[other].place == ACTIONS[name].place
            for key in keys_taken_by(name, None, other, keys.split(","))
        }
        if left := [key for key in usual[name] if key not in gone]:
            whole[name] = ",".join(left)
    return {**whole, **chosen}


@dataclass(frozen=True, slots=True)
class KeyNames:
    """Key labels of actions, with the user's keymap applied."""

    chosen: Mapping[str, str]

    def keys(self, name: str) -> list[str]:
        """Return the keys of an action under Textual's names."""
        return self.chosen.get(name, ACTIONS[name].keys).split(",")

    def first(self, name: str) -> str:
        """Return the label of the action's first key, for a hint."""
        return display_key(self.keys(name)[0])

    def shown(self, binding: Binding) -> str:
        """Return the labels of all keys of a binding, for the help."""
        chosen = self.chosen.get(binding.id or "")
        if chosen:
            return " ".join(map(display_key, chosen.split(",")))
        return binding.key_display or " ".join(map(display_key, binding.key.split(",")))


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


class ChatAction(StrEnum):
    """Action on the conversation.

    Named in bindings, which exist before the chat controller is imported.
    """

    STOP = "stop"
    RETRY = "retry"
    NEW = "new"
    FIND = "find"
    HISTORY = "history"
    QUEUE = "queue"
    CALLS = "calls"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    NEWEST = "newest"
    OLDEST = "oldest"


class TurnAction(StrEnum):
    """Action on one turn: the one with the focus, else the newest."""

    EDIT = "edit"
    AGAIN = "again"
    CONTINUE = "continue"
    COMPARE = "compare"
    UNDO = "undo"
    INSPECT = "inspect"
    BRANCH_BEFORE = "branch_before"
    BRANCH_AFTER = "branch_after"


_TASK_PANE_ACTIONS = (
    "add tick rename edit delete filter save_view undo redo high medium low no_priority detail "
    "back view_before view_after views calendar why mark mark_all mark_down mark_up begin cancel "
    "change date add_subtask move_down move_up indent outdent fold unfold fold_all unfold_all "
    "repeat skip end_series copy open_links restore purge"
).split()
TASK_PANE_BINDINGS: tuple[BindingType, ...] = tuple(
    bind(f"list.{name}", f"task('{name}')") for name in _TASK_PANE_ACTIONS
)
"""Bindings of the task list; `TaskActions` has a function for each."""
TARGETED_ACTIONS = frozenset(
    "tick rename edit delete high medium low no_priority detail why begin cancel change date "
    "add_subtask move_down move_up indent outdent skip end_series copy open_links restore "
    "purge".split()
)
"""Actions of the task list on the selected tasks, else on the task under the cursor."""
HINTED_KEYS = (
    ("list.add", "add"),
    ("list.tick", "complete"),
    ("list.rename", "rename"),
    ("list.filter", "filter"),
    ("list.views", "views"),
    ("list.undo", "undo"),
    ("list.delete", "delete"),
    ("list.calendar", "calendar"),
    ("list.mark", "select"),
)
"""Actions with their labels that the line below the list names."""
MAIN_BINDINGS: tuple[BindingType, ...] = (
    # Priority over the inputs of the list too: while a card is open, Esc denies it.
    bind("chat.no", "answer(False)", "deny", show=True, priority=True),
    bind("chat.stop", "stop_turn", "stop", show=True),
    bind("app.to_chat", "to_chat", "chat", keys="escape"),
    bind("chat.to_card", "to_card", "answer", show=True),
    bind("chat.yes", "answer(True)", "approve", show=True),
    bind("app.to_list", "show_pane(True)", "list", show=True),
    bind("app.to_chat", "show_pane(False)", "chat", keys="tab", show=True),
    bind("chat.editor", "edit_message", "Editor"),
    bind("app.pick_model", "pick_model", "model", show=True),
    bind("app.conversations", "conversations", "conversations", show=True),
    bind("app.next_provider", "next_provider", "Switch"),
    *(
        bind(f"app.provider_{n}", f"go_to_provider({n})", "Model", key_display="Alt+1…9")
        for n in range(1, 10)
    ),
    bind("chat.retry", "chat('retry')", "retry", show=True),
    bind("chat.undo_turn", "turn('undo')", "Undo changes"),
    *(
        bind(f"chat.{name}", f"chat('{name}')", name.capitalize())
        for name in "new find history queue calls page_up page_down newest oldest".split()
    ),
    bind("chat.read_back", "read_back", "browse", show=True),
    bind("app.zoom", "zoom", "zoom", show=True),
    bind("app.widen_list", "resize_list(1)", "Wider"),
    bind("app.narrow_list", "resize_list(-1)", "Narrower"),
    bind("list.snooze", "reminder", "snooze"),
    bind("app.usage", "usage", "Usage"),
    bind("app.statistics", "statistics", "Statistics"),
    bind("app.log", "log", "Log"),
)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """Slash command; `action` is the action it runs, as a binding would name it."""

    name: str
    summary: str
    action: str
    argument: str = ""
    """What can follow, as shown in help; empty: nothing."""
    answers_card: bool = False
    """True if the command works only while an approval card is open."""

    @property
    def usage(self) -> str:
        """Usage as shown in help and hints: `/provider NAME`."""
        return f"/{self.name} {self.argument}".strip()


SLASH_COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand("model", "Choose model (by name or number)", "pick_model", "NAME|N"),
    SlashCommand("provider", "Choose provider", "pick_model", "NAME"),
    SlashCommand("new", "New conversation", "chat('new')"),
    SlashCommand("conversations", "Conversations", "conversations"),
    SlashCommand("rename", "Rename conversation", "conversation('rename')", "TITLE"),
    SlashCommand("pin", "Pin/unpin conversation", "conversation('pin')"),
    SlashCommand("export", "Export conversation", "conversation('export')"),
    SlashCommand("attach", "Add document or folder", "attach", "PATH"),
    SlashCommand("documents", "Documents", "documents"),
    SlashCommand("retry", "Retry message", "chat('retry')"),
    SlashCommand("undo", "Undo assistant's changes", "turn('undo')", "[N]"),
    SlashCommand("edit", "Edit and resend message", "turn('edit')", "[N]"),
    SlashCommand("copy", "Copy last answer (or code block)", "copy_answer", "[code]"),
    SlashCommand("find", "Find in conversation", "chat('find')"),
    SlashCommand("again", "Answer again", "turn('again')"),
    SlashCommand("compare", "Compare with another model", "turn('compare')", "MODEL"),
    SlashCommand("continue", "Continue stopped answer", "turn('continue')"),
    SlashCommand("inspect", "Inspect model calls", "turn('inspect')"),
    SlashCommand("approve", "Approve", "reply(True)", answers_card=True),
    SlashCommand("deny", "Deny", "reply(False)", "REASON", answers_card=True),
    SlashCommand("approvals", "Approval settings", "approvals"),
    SlashCommand("editor", "Edit message in $EDITOR", "edit_message"),
    SlashCommand("history", "Search sent messages", "chat('history')"),
    SlashCommand("queue", "Edit queued messages", "chat('queue')"),
    SlashCommand("calendar", "Open calendar", "calendar"),
    SlashCommand("snooze", "Snooze reminder", "reminder"),
    SlashCommand("zoom", "Zoom focused pane", "zoom"),
    SlashCommand("usage", "Usage and cost", "usage"),
    SlashCommand("stats", "Statistics", "statistics"),
    SlashCommand("log", "Log", "log"),
    SlashCommand("help", "Keyboard shortcuts", "app.help"),
    SlashCommand("quit", "Quit", "app.quit"),
)
"""Slash commands, in the order in which they are listed."""
STOP_FIRST = "Stop the response first: press {chat.stop}."
_UNAVAILABLE = {
    "stop_turn": "No response to stop.",
    "chat('retry')": "No failed message to retry.",
    "chat('find')": "Nothing to search: this conversation is empty.",
    "turn('undo')": "No assistant changes to undo.",
    "turn('edit')": "No message to edit.",
    "turn('again')": "No message to answer again.",
    "turn('continue')": "No stopped answer to continue.",
    "turn('compare')": "No answer to compare.",
    "turn('inspect')": "No model calls to inspect.",
    "turn('branch_before')": "No earlier version of this message.",
    "turn('branch_after')": "No later version of this message.",
    "chat('queue')": "No queued messages.",
    "conversation('rename')": "No conversation yet.",
    "conversation('pin')": "No conversation yet.",
    "conversation('export')": "No conversation yet.",
    "source": "This answer cites no documents.",
    "zoom": "The terminal is too narrow for two panes.",
    "resize_list(1)": "Only one pane is shown.",
    "resize_list(-1)": "Only one pane is shown.",
    "to_card": "No request to approve or deny.",
    "show_pane(True)": "The task list is already focused.",
    "show_pane(False)": "The message box is already focused.",
    "to_chat": "The message box is already focused.",
    "task('back')": "Nothing to clear.",
}


def command_for_action(action: str) -> SlashCommand | None:
    """Return the command with the same action as a key."""
    return next((each for each in SLASH_COMMANDS if each.action.split(".")[-1] == action), None)


async def run_or_explain(app: App[object], action: str, node: DOMNode | None = None) -> bool:
    """Run an action that was chosen by name; tell why if it cannot run now, and return False."""
    if await app.run_action(action, node):
        return True
    is_busy = getattr(app.screen_stack[0], "busy", False)
    if is_busy and action.startswith("turn("):
        text = format_hint(app, STOP_FIRST)
    else:
        # Without an argument that was typed behind the command.
        text = _UNAVAILABLE.get(action) or _UNAVAILABLE.get(
            f"{action.partition(',')[0]})", "Not available right now."
        )
    app.notify(text, timeout=3)
    return False
