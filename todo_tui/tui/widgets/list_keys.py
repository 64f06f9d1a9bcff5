"""The keys of the list, and which of them are named where nothing else is to be said."""

from __future__ import annotations

from textual.binding import BindingType

from todo_tui.tui.action_keys import bind
from todo_tui.tui.deeds import Deed
from todo_tui.tui.views.wishes import VIEW_KEYS

PANE_KEYS: tuple[BindingType, ...] = (
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
    *VIEW_KEYS,
    *(bind(f"list.{deed}", f"deed('{deed}')", deed.replace("_", " ")) for deed in Deed),
)
NAMED_KEYS = (
    ("list.add", "add"),
    ("list.tick", "done"),
    ("list.rename", "rename"),
    ("list.filter", "filter"),
    ("list.undo", "undo"),
    ("list.delete", "delete"),
    ("list.mark", "mark"),
    ("list.views", "views"),
)
