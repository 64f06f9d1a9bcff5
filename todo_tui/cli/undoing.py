"""`undo` and `redo`: whole gestures, also those of the app and of other processes."""

from __future__ import annotations

from collections.abc import Mapping

import click

from todo_tui.cli.options import TodoCommand, json_option
from todo_tui.cli.output import note, print_tasks_json, say
from todo_tui.cli.sentences import counted, named
from todo_tui.cli.session import Session
from todo_tui.domain.changes import ChangeKind, UndoReport
from todo_tui.domain.errors import Conflict

_UNDONE = {
    ChangeKind.ADDED: "Added again",
    ChangeKind.UPDATED: "Changed back",
    ChangeKind.COMPLETED: "Done again",
    ChangeKind.REOPENED: "Open again",
    ChangeKind.DELETED: "Took away",
    ChangeKind.RESTORED: "Brought back",
    ChangeKind.PURGED: "Took away",
}
_TOLD = 20
"""Tasks that are told one by one."""

_REDONE = {**_UNDONE, ChangeKind.UPDATED: "Changed again"}


@click.command("undo", cls=TodoCommand, short_help="Take back the last change.")
@json_option
@click.pass_obj
def undo(session: Session, as_json: bool) -> None:
    """Take back the last change. Again, and the one before it goes too."""
    _tell(session.store.tasks.undo(by=session.gesture()), as_json, _UNDONE, nothing="to undo")


@click.command("redo", cls=TodoCommand, short_help="Do again what was taken back.")
@json_option
@click.pass_obj
def redo(session: Session, as_json: bool) -> None:
    """Do again what was taken back, the last undo first."""
    _tell(session.store.tasks.redo(by=session.gesture()), as_json, _REDONE, nothing="to redo")


def _tell(
    report: UndoReport, as_json: bool, words: Mapping[ChangeKind, str], *, nothing: str
) -> None:
    for conflict in report.conflicts:
        note(
            f"#{conflict.task_id} {conflict.title}: {conflict.field} was changed since "
            "and stays as it is."
        )
    changes = sorted(report.changes, key=lambda change: change.task.id)
    if as_json:
        print_tasks_json(change.task for change in changes)
    else:
        for change in changes[:_TOLD]:
            say(f"{words[change.kind]} {named(change.task)}")
        if len(changes) > _TOLD:
            say(f"and {counted(len(changes) - _TOLD, 'task')} more")
    if not changes:
        if report.conflicts:
            raise Conflict("Nothing was changed: it was all changed since.")
        raise Conflict(f"There is nothing {nothing}.")
