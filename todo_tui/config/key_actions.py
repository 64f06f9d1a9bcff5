"""Every action that has a key: its name in the file, its usual keys, what it does.

The app makes its bindings from these rows, the template and the checks of the file read
them; none of them needs the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class KeyAction(NamedTuple):
    """An action; `keys` with commas between, named as the terminal library names them."""

    name: str
    keys: str
    about: str

    @property
    def place(self) -> str:
        """Where the key works: what stands before the dot."""
        return self.name.partition(".")[0]


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


def section_of(name: str) -> str:
    """The heading under which an action stands in the help: its place, or a part of that."""
    place = name.partition(".")[0]
    if place == "list":
        return _PART_OF.get(name, "Tasks")
    return PLACES[place]


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


def meet(one: str, other: str) -> bool:
    """Whether keys of two places can be pressed at the same moment."""
    return one == other or other in _AROUND.get(one, ()) or one in _AROUND.get(other, ())


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


def taken_from(
    name: str, chosen: Sequence[str] | None, other: str, others_keys: Sequence[str]
) -> list[str]:
    """The keys of an action that another one has got, which do not share them as a rule.

    `chosen` are its own keys where it has others than usual.
    """
    if not meet(ACTIONS[name].place, ACTIONS[other].place):
        return []
    usual = ACTIONS[name].keys.split(",")
    shared = set(usual).intersection(ACTIONS[other].keys.split(","))
    mine = usual if chosen is None else chosen
    return [key for key in others_keys if key in mine and key not in shared]


ACTIONS: dict[str, KeyAction] = {row[0]: KeyAction(*row) for row in _ROWS}
"""By name, place by place."""
