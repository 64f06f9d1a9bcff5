"""All actions: the tables, the places where their keys work, and the slash commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

from todo_tui.tui.actions import chat, main, screens, task_list
from todo_tui.tui.actions.action import Action, Slash

TABLES: tuple[tuple[Action[Any], ...], ...] = (
    main.MAIN,
    main.READING,
    chat.COMPOSER,
    chat.CHOICE_ROW,
    chat.APPROVAL_CARD,
    chat.EXPANDABLE_ROW,
    chat.USER_MESSAGE,
    chat.ANSWER,
    chat.UNDO_HINT,
    chat.WELCOME,
    task_list.TASK_LIST,
    task_list.TASK_PANE,
    task_list.LINE_INPUT,
    task_list.COMPLETION_INPUT,
    task_list.QUICK_ADD_INPUT,
    task_list.FILTER_DRAWER,
    task_list.SAVE_VIEW_DRAWER,
    task_list.REMINDER_CARD,
    screens.TASK_EDITOR,
    screens.CHOICE_INPUT,
    screens.LINK_ROW,
    screens.MODEL_PICKER,
    screens.CONSENT_SCREEN,
    screens.STATISTICS,
    screens.HEAT_MAP,
    screens.USAGE,
    screens.CHANGES,
    screens.DUMP,
    screens.LOG_FILE,
    screens.CONVERSATIONS,
    screens.CONVERSATION,
    chat.COMPARISON,
    screens.INSPECTOR,
    screens.SOURCE,
    screens.DOCUMENTS,
    chat.FIND,
    chat.SENT_MESSAGES,
    chat.QUEUE,
    screens.VIEW_MENU,
    screens.CHOICE_MENU,
    screens.SETTINGS_SCREEN,
    screens.CALENDAR,
    screens.DAY_TASK_LIST,
    screens.WEEK_GRID,
    screens.APPROVAL_SETTINGS,
    screens.HELP,
    screens.UNDO_TURN,
    main.APP,
)


@dataclass(frozen=True, slots=True)
class Place:
    """Part of the app in which keys work; those of the places `around` it work there too."""

    title: str
    around: tuple[str, ...] = ()
    _: KW_ONLY
    is_for_typing: bool = False
    """True if a text box has the focus while its keys work."""


PLACES: Mapping[str, Place] = {
    "app": Place("Everywhere"),
    "chat": Place("Conversation", ("app",)),
    "write": Place("Message box", ("app", "chat"), is_for_typing=True),
    "card": Place("Approval cards", ("app", "chat")),
    "steps": Place("Reading mode", ("app", "chat")),
    "list": Place("Task list", ("app", "chat")),
    "box": Place("Inputs", ("list", "app", "chat"), is_for_typing=True),
    "editor": Place("Task editor", ("app", "box"), is_for_typing=True),
    "reminder": Place("Reminder", ("app", "chat")),
    "picker": Place("Model picker", is_for_typing=True),
    "consent": Place("Privacy prompt"),
    "statistics": Place("Statistics"),
    "conversations": Place("Conversations"),
    "usage": Place("Usage"),
    "changes": Place("Changes"),
    "dump": Place("Brain dump"),
    "log": Place("Log"),
    "compare": Place("Model comparison"),
    "inspector": Place("Model calls"),
    "source": Place("Cited source"),
    "documents": Place("Documents"),
    "found": Place("Find in conversation", is_for_typing=True),
    "undo": Place("Undo changes"),
    "history": Place("Message search", is_for_typing=True),
    "queue": Place("Queued messages"),
    "views": Place("View menu", is_for_typing=True),
    "menu": Place("Menus"),
    "settings": Place("Settings", is_for_typing=True),
    "calendar": Place("Calendar"),
    "approvals": Place("Approval settings"),
    "help": Place("Help", is_for_typing=True),
}
"""The places by the first part of the ids, in the order in which keys are listed."""
SECTIONS = tuple(
    dict.fromkeys(
        [
            *(row.section for row in task_list.TASK_PANE),
            *(row.section for row in task_list.TASK_LIST),
            *(place.title for place in PLACES.values()),
        ]
    )
)
"""The headings of the help, those of the list first."""


def section_of(row: Action[Any]) -> str:
    """Return the heading under which an action stands in the help."""
    return row.section or PLACES[row.place].title


def list_actions(tables: Iterable[Iterable[Action[Any]]]) -> Mapping[str, Action[Any]]:
    """Return the actions by id, place by place; rows with one id have all their keys."""
    found: dict[str, Action[Any]] = {}
    for row in (row for table in tables for row in table):
        if (known := found.get(row.id)) is not None:
            keys = dict.fromkeys([*known.keys.split(","), *row.keys.split(",")])
            row = replace(known, keys=",".join(keys))
        found[row.id] = row
    places = list(PLACES)
    return dict(sorted(found.items(), key=lambda item: places.index(item[1].place)))


ACTIONS = list_actions(TABLES)
"""Actions by id."""


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """Slash command as it is listed, and the action that it performs."""

    name: str
    usage: str
    """As shown in help and hints: `/provider NAME`."""
    summary: str
    slash: Slash[Any]
    action: Action[Any]


def list_commands(tables: Iterable[Iterable[Action[Any]]]) -> Mapping[str, SlashCommand]:
    """Return the slash commands of the tables by name, in the order in which they are listed."""
    found: dict[str, SlashCommand] = {}
    for row in (row for table in tables for row in table):
        if (slash := row.slash) is not None and slash.name not in found:
            usage = f"/{slash.name} {slash.argument}".strip()
            summary = slash.summary or row.label
            found[slash.name] = SlashCommand(slash.name, usage, summary, slash, row)
    return dict(sorted(found.items(), key=lambda item: item[1].slash.rank))


SLASH_COMMANDS = list_commands(TABLES)
"""Slash commands by name."""
