"""Key bindings: the table of actions, key names, and `[keys]` of config.toml."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from todo_tui.config.file import ConfigFile, closest_name
from todo_tui.config.kinds import shorten_for_message

PLACES = {
    "app": "Everywhere",
    "chat": "The conversation, from everywhere",
    "write": "The message box",
    "card": "Approval cards",
    "steps": "A line of the conversation",
    "list": "The list of tasks",
    "box": "Boxes of one line",
    "editor": "The editor of a task",
    "reminder": "A reminder",
    "picker": "The choice of a model",
    "consent": "The question before a provider is used",
    "statistics": "Statistics",
    "usage": "What was spent",
    "log": "The log",
    "views": "The menu of views",
    "calendar": "The calendar",
    "help": "This help",
}
"""What the places are called, in the order of the template."""
_PARTS = {
    "Tasks": "add tick begin cancel rename edit date change high medium low no_priority detail "
    "delete undo redo repeat",
    "Several tasks": "mark mark_all mark_down mark_up copy",
    "Subtasks and order": "add_subtask indent outdent move_down move_up fold unfold fold_all "
    "unfold_all",
    "Views and filters": "filter save_view view_before view_after views calendar why back",
    "Repeats, links, trash": "skip end_series snooze open_links restore purge",
    "About the list": "down up page_down page_up first last",
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
_BACK = "Back to where you were"
_ROWS = (
    ("app.help", "f1", "All keys and what they do"),
    ("app.command_palette", "ctrl+p", "Search everything the app can do"),
    ("app.toggle_theme", "f9", "Light or dark"),
    ("app.quit", "ctrl+q", "Stop what runs and leave"),
    ("app.interrupt", "ctrl+c", "Copy, else stop the turn; twice: quit"),
    ("app.to_list", "tab", "To the list of tasks"),
    ("app.to_chat", "escape,tab", "Back to the message box"),
    ("app.pick_model", "f2", "Choose a model"),
    ("app.next_provider", "ctrl+t", "To the next ready model; when the turn failed, and retry"),
    *(
        (f"app.provider_{number}", f"alt+{number}", "To the model with that number")
        for number in range(1, 10)
    ),
    ("app.usage", "f3", "What was spent: tokens and money"),
    ("app.statistics", "f4", "What was done, day by day"),
    ("app.log", "f8", "What went wrong lately, in detail"),
    ("chat.stop", "escape", "Stop the turn, keep what was done"),
    ("chat.retry", "ctrl+r", "Send the message that failed again"),
    ("chat.undo_turn", "alt+u", "Take back what the last turn wrote"),
    ("chat.new", "ctrl+n", "A new conversation"),
    ("chat.calls", "ctrl+o", "Open or close the last tool calls and thinking"),
    ("chat.page_up", "pageup", "Page up in the conversation"),
    ("chat.page_down", "pagedown", "Page down in the conversation"),
    ("chat.newest", "ctrl+end", "To the last word"),
    ("chat.oldest", "ctrl+home", "To the first word shown"),
    ("chat.read_back", "shift+tab", "Into the conversation"),
    ("chat.to_card", "tab", "Focus approval card"),
    # No letter with Alt: most terminals send Alt+Y as Esc and y, which a person types who
    # denies and writes on.
    ("chat.yes", "f10", "Approve"),
    ("chat.no", "escape", "Deny"),
    ("write.send", "enter", "Send the message"),
    (
        "write.new_line",
        "ctrl+j,shift+enter,alt+enter",
        "New line; also Shift+Enter, or \\ then Enter",
    ),
    ("write.older", "up", "The message sent before"),
    ("write.newer", "down", "The message sent after"),
    ("write.complete", "tab", "Complete the command being typed"),
    ("card.next", "right,down", "Next choice"),
    ("card.previous", "left,up", "Previous choice"),
    ("card.choose", "enter", "Answer with marked choice"),
    ("card.approve", "y,Y", "Approve"),
    ("card.deny", "n,N", "Deny"),
    ("steps.up", "up,k", "To the step above, or scroll"),
    ("steps.down", "down,j", "To the step below, or scroll"),
    ("steps.retry", "r", "Send the message of a failed turn again"),
    ("steps.undo_turn", "u", "Take back what the turn wrote"),
    ("steps.open", "enter,space", "Show all of this line"),
    ("list.down", "down,j", "Go to the next task"),
    ("list.up", "up,k", "Go to the task above"),
    ("list.page_down", "pagedown", "Go down a screenful"),
    ("list.page_up", "pageup", "Go up a screenful"),
    ("list.first", "home,g", "Go to the first task"),
    ("list.last", "end,G", "Go to the last task"),
    ("list.add", "a", "Add a task; dates are read as typed"),
    ("list.tick", "space", "Tick the task, or reopen it"),
    ("list.begin", "b", "Begin it: doing; or put it back"),
    ("list.cancel", "minus", "Cancel it: it will not be done"),
    ("list.rename", "e", "Change the title in its place"),
    ("list.delete", "d,delete", "Move it to the trash"),
    ("list.filter", "slash", "Show only some: type a filter"),
    ("list.undo", "u", "Take the last change back"),
    ("list.redo", "U", "Do again what was undone"),
    ("list.high", "1", "High priority"),
    ("list.medium", "2", "Medium priority"),
    ("list.low", "3", "Low priority"),
    ("list.no_priority", "0", "No priority"),
    ("list.detail", "enter,v", "Show all of the task"),
    ("list.back", "escape", "Unmark all, close the details, drop the filter, show all"),
    ("list.view_before", "left_square_bracket", "To the view before"),
    ("list.view_after", "right_square_bracket", "To the next view"),
    ("list.views", "w", "All views, by name or by their keys"),
    ("list.calendar", "c", "The calendar: what is due, month by month"),
    ("list.why", "question_mark", "Why the task stands where it does: its urgency in numbers"),
    ("list.mark", "x", "Mark the task, or no longer: keys then act on all that are marked"),
    ("list.mark_all", "X", "Mark all that are shown, or none"),
    ("list.mark_down", "shift+down", "Mark on, downwards"),
    ("list.mark_up", "shift+up", "Mark on, upwards"),
    ("list.change", "s", "Set by words: friday #home -@old !high, no date"),
    ("list.date", "t", "Set when it is due"),
    ("list.add_subtask", "A", "Add a subtask"),
    ("list.move_down", "J,alt+down", "Move it down among those of the same date"),
    ("list.move_up", "K,alt+up", "Move it up"),
    ("list.indent", "greater_than_sign,alt+right", "Make it a subtask of the task above"),
    ("list.outdent", "less_than_sign,alt+left", "Take it out of its parent"),
    ("list.fold", "h,left", "Fold the subtasks, or go to the parent"),
    ("list.unfold", "l,right", "Unfold the subtasks"),
    ("list.fold_all", "H", "Fold all"),
    ("list.unfold_all", "L", "Unfold all"),
    ("list.repeat", "full_stop", "Repeat the last change on this task"),
    ("list.skip", "S", "Skip this occurrence of what repeats"),
    ("list.end_series", "Q", "Let this occurrence be the last one"),
    ("list.copy", "C", "Copy the titles"),
    ("list.open_links", "o", "Open its address in the browser"),
    ("list.restore", "R", "Take it out of the trash"),
    ("list.purge", "P", "Erase what is in the trash for good"),
    ("list.edit", "E", "Edit all of the task"),
    ("list.snooze", "z,alt+z", "Put off a reminder, or go to its task; Alt+Z also while writing"),
    ("list.save_view", "ctrl+s", "Save the filter that is on as a view"),
    ("box.leave", "escape", "Leave the box"),
    ("box.complete", "tab", "Complete the word, or take what would fit"),
    ("box.next_field", "tab", "To the key of the view to be saved, or back to its name"),
    ("box.next_candidate", "down", "To the next completion"),
    ("box.previous_candidate", "up", "To the completion above"),
    (
        "box.words_only",
        "ctrl+w",
        "Take what was understood at the cursor as words, or read it again",
    ),
    ("box.save_view", "ctrl+s", "Save the filter as a view"),
    ("editor.save", "ctrl+s,ctrl+enter", "Save what was changed, all of it as one change"),
    ("editor.leave", "escape", "Leave the editor; twice: without saving"),
    ("editor.leave_open", "ctrl+l", "Save, and leave the subtasks of what is closed open"),
    ("editor.choose_next", "right", "To the next choice"),
    ("editor.choose_previous", "left", "To the choice before"),
    ("editor.open_link", "enter,space", "Open the address in the browser"),
    ("reminder.ten_minutes", "z,1", "Remind again in 10 minutes"),
    ("reminder.hour", "2", "Remind again in an hour"),
    ("reminder.tomorrow", "3", "Remind again tomorrow morning"),
    ("reminder.show", "enter", "Go to the task"),
    ("reminder.dismiss", "escape,q", "It has been seen"),
    ("picker.close", "escape,f2", "Leave everything as it is"),
    ("picker.down", "down", "To the next model"),
    ("picker.up", "up", "To the model above"),
    ("picker.page_down", "pagedown", "A page of models down"),
    ("picker.page_up", "pageup", "A page of models up"),
    (
        "picker.test",
        "ctrl+e",
        "Send one small request to the model, to see whether it answers",
    ),
    ("consent.no", "escape", "Cancel, send nothing there"),
    ("statistics.close", "escape,f4,q", _BACK),
    ("statistics.period_1", "1", "Count 30 days"),
    ("statistics.period_2", "2", "Count 90 days"),
    ("statistics.period_3", "3", "Count a year"),
    ("statistics.period_4", "4", "Count all"),
    ("statistics.next", "tab", "Count the next period"),
    ("statistics.previous", "shift+tab", "Count the one before"),
    ("statistics.page_down", "pagedown", "Down to what does not fit"),
    ("statistics.page_up", "pageup", "Up again"),
    ("statistics.week_back", "left,h", "Read the week before"),
    ("statistics.week_on", "right,l", "Read the week after"),
    ("statistics.day_back", "up,k", "Read the day before"),
    ("statistics.day_on", "down,j", "Read the day after"),
    ("statistics.today", "end,G", "Read today"),
    ("usage.close", "escape,f3,q", _BACK),
    ("log.close", "escape,f8,q", _BACK),
    ("log.only_errors", "e", "Only what went wrong, or everything"),
    ("log.copy", "c", "Copy the lines that are shown"),
    ("views.close", "escape", _BACK),
    ("views.down", "down", "To the next view"),
    ("views.up", "up", "To the view above"),
    ("calendar.close", "escape,c,q", _BACK),
    ("calendar.day_back", "left,h", "Go to the day before"),
    ("calendar.day_on", "right,l", "Go to the next day"),
    ("calendar.week_back", "up,k", "Go a week back"),
    ("calendar.week_on", "down,j", "Go a week on"),
    ("calendar.month_back", "pageup", "Go a month back"),
    ("calendar.month_on", "pagedown", "Go a month on"),
    ("calendar.today", "t", "Go to today"),
    ("calendar.show", "enter", "Show the tasks of the day in the list"),
    ("help.close", "escape,f1,q", _BACK),
)
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
SECTION = "keys"
_NOT_ACTIONS = ("store",)
"""What the table holds beside: where keys of providers are kept."""
_KEY_HINT = 'Write keys as in "ctrl+t", "X", "?" or "f5", several with commas between.'
KeymapPath = tuple[str, ...]


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


ACTIONS: dict[str, KeyAction] = {row[0]: KeyAction(*row) for row in _ROWS}
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
    paths: dict[str, KeymapPath] = {}
    for path, value in _entries(file):
        name = ".".join(path[1:])
        if name not in ACTIONS:
            short, meant = shorten_for_message(name), _closest_action(name)
            guess = f"Did you mean `{meant}`? " if meant else ""
            cure = f"{guess}`todo-tui config keys` lists all actions."
            file.note(path, f"`{short}` is not an action.", cure)
            continue
        keys = _keys(file, path, value)
        usual = ACTIONS[name].keys.split(",")
        if ACTIONS[name].place in ("app", "chat"):
            # Others would never get past the message box.
            lost = next((key for key in keys if key in TEXT_KEYS and key not in usual), None)
            if lost:
                message = f"`{name}` wants {lost}, which edits in the message box."
                file.note(path, message, "Choose another key; with Ctrl or Alt most are free.")
                continue
        if keys:
            chosen[name], paths[name] = keys, path
    for name in list(_clashing(file, chosen, paths)):
        del chosen[name]
    return {name: ",".join(keys) for name, keys in chosen.items()}


def _entries(file: ConfigFile) -> Iterator[tuple[KeymapPath, object]]:
    """Names with their values, whether or not the dots stand in quotes."""
    for name, value in file.table(SECTION).items():
        if name in _NOT_ACTIONS:
            continue
        if isinstance(value, Mapping):
            yield from (((SECTION, name, key), inner) for key, inner in value.items())
        else:
            yield (SECTION, name), value


def _closest_action(name: str) -> str | None:
    guess = closest_name(name, [*ACTIONS, *_NOT_ACTIONS])
    last = name.rpartition(".")[2]
    return guess or next((each for each in ACTIONS if each.rpartition(".")[2] == last), None)


def _keys(file: ConfigFile, path: KeymapPath, value: object) -> list[str]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words:
        file.note_invalid(path, _KEY_HINT)
        return []
    keys: list[str] = []
    for word in words:
        found, wrong = read_keys(word) if isinstance(word, str) else ([], str(word))
        if wrong or not found:
            what = f"names no key: “{shorten_for_message(wrong)}”" if wrong else "names no key"
            file.note_invalid(path, _KEY_HINT, what)
            return []
        keys += found
    return list(dict.fromkeys(keys))


def _clashing(
    file: ConfigFile, chosen: Mapping[str, list[str]], paths: Mapping[str, KeymapPath]
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
                f"`{name}` wants {both[0]}, which is the key of `{other}` "
                f"({re.split('[;:,]', action.about)[0].lower()}).",
                f"Choose another key, or give `{other}` another one too.",
            )
            if other in chosen:
                refused.add(name)
                yield name
            break
