"""`log`, `undo` and `redo`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import Targets, find_id, json_option, target_argument
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.changes import ChangeKind, UndoReport
from todo_tui.domain.errors import Conflict
from todo_tui.domain.text import format_count

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import HistoryEntry

_HIDDEN_FIELDS = ("series", "slot", "created_at", "completed_at", "extra")
"""Fields that follow from others or are for programs; only JSON has them."""
_LABELS = {"blocked_by": "blocked by", "parent": "subtask of"}
_TASKS = ("blocked_by", "parent")
_UNDONE = {
    ChangeKind.ADDED: "Restored",
    ChangeKind.UPDATED: "Undid change of",
    ChangeKind.COMPLETED: "Completed",
    ChangeKind.REOPENED: "Reopened",
    ChangeKind.DELETED: "Removed",
    ChangeKind.RESTORED: "Restored",
    ChangeKind.PURGED: "Removed",
}
_MAX_LISTED = 20
"""Tasks that a report lists one by one."""
_REDONE = {**_UNDONE, ChangeKind.UPDATED: "Changed"}


@click.command("log", cls=TodoCommand, free_words=True, only_reads=True)
@target_argument()
@json_option
@click.pass_obj
def log(session: CliSession, target: Targets, as_json: bool) -> None:
    """Show a task's history, oldest change first."""
    store = session.store.tasks
    task_id = find_id(session, target)
    store.get(task_id)
    changes = store.history(task_id)
    if as_json:
        names = ("actor", "kind", "field", "old", "new", "undoes")
        messages.print_json(
            [
                {"at": entry.at.isoformat(timespec="milliseconds")}
                | {name: getattr(entry, name) for name in names}
                for entry in changes
            ]
        )
        return
    zone = ZoneInfo(session.settings.zone)
    for change in changes:
        text = _describe_change(change)
        if text is not None:
            at = f"{change.at.astimezone(zone):%Y-%m-%d %H:%M}"
            undone = " (undo or redo)" if change.undoes else ""
            messages.print_result(f"{at}  {change.actor:9} {text}{undone}")


def _describe_change(change: HistoryEntry) -> str | None:
    """Return a change in a few words; None for one that users do not see."""
    name = change.field or ""
    label = _LABELS.get(name, name.replace("_", " "))
    sign = "#" if name in _TASKS else ""
    old, new = (f"{sign}{value}" if value else "none" for value in (change.old, change.new))
    match change.kind, change.field:
        case "create", _:
            return "added"
        case "destroy", _:
            return "undone"
        case "set", "deleted_at":
            return "restored" if change.new is None else "deleted"
        case "set", "annotations":
            remarks = [str(remark["text"]) for remark in json.loads(change.new or "[]")]
            return f"annotations: {'; '.join(remarks) or 'none'}"
        case "set", "position":
            return "reordered"
        case "set", field if field not in _HIDDEN_FIELDS:
            return f"{label}: {old} → {new}"
        case "add", _:
            return f"{label}: added {new}"
        case "remove", _:
            return f"{label}: removed {old}"
        case _:
            return None


@click.command("undo", cls=TodoCommand)
@json_option
@click.pass_obj
def undo(session: CliSession, as_json: bool) -> None:
    """Undo the last change. Repeat to undo more."""
    report = session.store.tasks.undo(by=session.new_change_context())
    _print_undo_report(report, _UNDONE, "to undo", as_json=as_json)


@click.command("redo", cls=TodoCommand)
@json_option
@click.pass_obj
def redo(session: CliSession, as_json: bool) -> None:
    """Redo the last undone change. Repeat to redo more."""
    report = session.store.tasks.redo(by=session.new_change_context())
    _print_undo_report(report, _REDONE, "to redo", as_json=as_json)


def _print_undo_report(
    report: UndoReport, verbs: Mapping[ChangeKind, str], nothing: str, *, as_json: bool
) -> None:
    for conflict in report.conflicts:
        reason = f"not undone, {conflict.field} was changed later."
        messages.print_note(f"#{conflict.task_id} {conflict.title}: {reason}")
    changes = sorted(report.changes, key=lambda change: change.task.id)
    if as_json:
        messages.print_tasks_json(change.task for change in changes)
    else:
        for change in changes[:_MAX_LISTED]:
            messages.print_result(f"{verbs[change.kind]} {messages.task_label(change.task)}")
        if len(changes) > _MAX_LISTED:
            messages.print_result(f"and {format_count(len(changes) - _MAX_LISTED, 'task')} more")
    if not changes:
        if report.conflicts:
            raise Conflict("Nothing changed: everything was changed again later.")
        raise Conflict(f"Nothing {nothing}.")
