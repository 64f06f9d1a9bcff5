"""`todo-tui log`: what happened to one task, when, and by whose hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from todo_tui.cli.options import TaskId, TodoCommand, json_option
from todo_tui.cli.output import print_json, say
from todo_tui.cli.session import Session

if TYPE_CHECKING:
    from todo_tui.store.results import PastChange

_UNTOLD = ("series", "slot", "created_at", "completed_at", "extra")
"""Fields that follow from others, or are for programs; JSON has them."""

_LABELS = {"blocked_by": "waits for", "parent": "part of", "recurrence": "repeats"}
_TASKS = ("blocked_by", "parent")


@click.command("log", cls=TodoCommand, short_help="Show what happened to a task.")
@click.argument("task_id", metavar="ID", type=TaskId())
@json_option
@click.pass_obj
def log(session: Session, task_id: int, as_json: bool) -> None:
    """Show what happened to a task, the oldest change first."""
    store = session.store.tasks
    store.get(task_id)
    changes = store.history(task_id)
    if as_json:
        print_json(
            [
                {
                    "at": change.at.isoformat(timespec="milliseconds"),
                    "actor": change.actor.value,
                    "kind": change.kind,
                    "field": change.field,
                    "old": change.old,
                    "new": change.new,
                    "undoes": change.undoes,
                }
                for change in changes
            ]
        )
        return
    zone = ZoneInfo(session.settings.zone)
    for change in changes:
        words = _words(change)
        if words is not None:
            undone = " (undo or redo)" if change.undoes else ""
            say(f"{change.at.astimezone(zone):%Y-%m-%d %H:%M}  {change.actor:9} {words}{undone}")


def _words(change: PastChange) -> str | None:
    """What a change did; None of one that says nothing to a person."""
    match change.kind, change.field:
        case "create", _:
            return "added"
        case "destroy", _:
            return "taken back"
        case "set", "deleted_at":
            return "taken out of the trash" if change.new is None else "put into the trash"
        case "set", "annotations":
            return f"remarks: {_remarks(change.new)}"
        case "set", "position":
            return "moved in the manual order"
        case "set", field if field not in _UNTOLD:
            return f"{_label(field)}: {_value(field, change.old)} → {_value(field, change.new)}"
        case "add", field:
            return f"{_label(field)}: and {_value(field, change.new)}"
        case "remove", field:
            return f"{_label(field)}: no longer {_value(field, change.old)}"
        case _:
            return None


def _label(field: str | None) -> str:
    return _LABELS.get(field or "", (field or "").replace("_", " "))


def _value(field: str | None, value: str | None) -> str:
    if value is None or value == "":
        return "none"
    return f"#{value}" if field in _TASKS else value


def _remarks(text: str | None) -> str:
    return "; ".join(str(remark["text"]) for remark in json.loads(text or "[]")) or "none"
