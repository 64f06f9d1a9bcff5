"""`log`, `undo` and `redo`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import (
    TEXT,
    Decorated,
    Targets,
    find_id,
    json_option,
    target_argument,
)
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.changes import (
    ChangeKind,
    HistoryEntry,
    TaskChange,
    UndoReport,
    undo_word,
)
from todo_tui.domain.dates.text import format_instant
from todo_tui.domain.errors import Conflict
from todo_tui.domain.text import format_count, listed_count

if TYPE_CHECKING:
    from todo_tui.store.operations.change_log import ChangeLogEntry

_MAX_LISTED = 20
"""Tasks that a report lists one by one."""
_MAX_ENTRIES = 100
"""Changes that `log` shows without --limit."""
_BATCH_WIDTH, _MINUTE_WIDTH = 8, 17
"""Characters of the id of a change that are shown; more are rarely needed to name it."""


def _filter_options(command: Decorated) -> Decorated:
    """Add the options that choose changes by actor and time."""
    command = click.option(
        "--since",
        type=TEXT,
        metavar="WHEN",
        help="Changes since 2d, 1w, or a date or time: monday, 9:30.",
    )(command)
    return click.option(
        "--actor",
        type=TEXT,
        metavar="NAME",
        default="",
        help="Changes by you, app, shell, assistant, agents, sync, import, or an agent or model "
        "whose name begins so.",
    )(command)


@click.command("log", cls=TodoCommand, free_words=True, only_reads=True)
@target_argument(required=False)
@_filter_options
@click.option("--limit", metavar="N", type=click.IntRange(1), help="Show at most N changes.")
@json_option
@click.pass_obj
def log(
    session: CliSession,
    target: Targets | None,
    actor: str,
    since: str | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Show all changes, or a task's history.

    All changes come newest first, each with the id that `todo-tui undo` takes; a task's history
    oldest first.
    """
    if target is None:
        _print_change_log(session, actor, since, limit, as_json=as_json)
        return
    store = session.store.tasks
    task_id = find_id(session, target)
    store.get(task_id)
    changes = store.history(task_id)
    if actor or since is not None:
        batches = {entry.batch for entry in _chosen(session, actor, since)}
        changes = tuple(change for change in changes if change.batch in batches)
    _print_history(session, changes[-limit if limit else 0 :], as_json=as_json)


def _chosen(
    session: CliSession, actor: str, since: str | None, limit: int | None = None
) -> Sequence[ChangeLogEntry]:
    from todo_tui.cli.period import read_since  # 20 ms: `undo` alone needs no dates

    begins = read_since(session, since)
    return session.store.change_log.entries(actor=actor, since=begins, limit=limit)


def _print_change_log(
    session: CliSession, actor: str, since: str | None, limit: int | None, *, as_json: bool
) -> None:
    entries = _chosen(session, actor, since, limit or _MAX_ENTRIES)
    if as_json:
        messages.print_json([entry.to_json() for entry in entries])
        return
    width = max((len(entry.who) for entry in entries), default=0)
    for entry in entries:
        undone = " (undone)" if entry.is_undone else ""
        at = format_instant(entry.at, session.clock)
        batch = entry.batch[:_BATCH_WIDTH]
        line = f"{batch}  {at:>{_MINUTE_WIDTH}}  {entry.who:{width}}  {entry.summary}{undone}"
        messages.print_result(line)
    if not entries:
        messages.print_note("No changes.")


def _print_history(session: CliSession, changes: Sequence[HistoryEntry], *, as_json: bool) -> None:
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
    from todo_tui.domain.change_text import describe_change, visible_changes  # 9 ms: as above

    changes = [*visible_changes(changes)]
    width = max((len(change.actor.label) for change in changes), default=0)
    for change in changes:
        at = format_instant(change.at, session.clock)
        text = describe_change(change, session.clock.now())
        messages.print_result(f"{at:>{_MINUTE_WIDTH}}  {change.actor.label:{width}}  {text}")


@click.command("undo", cls=TodoCommand, writes_tasks=True)
@click.argument("batch", metavar="[CHANGE]", required=False, type=TEXT)
@_filter_options
@click.option("--yes", is_flag=True, help="Undo without confirmation.")
@json_option
@click.pass_obj
def undo(
    session: CliSession, batch: str | None, actor: str, since: str | None, yes: bool, as_json: bool
) -> None:
    """Undo the last change, or chosen ones. Repeat to undo more.

    CHANGE is an id of `todo-tui log`. With --actor or --since, all changes that they choose are
    shown first and undone after a confirmation. What was changed again later is left alone.
    """
    tasks = session.store.tasks
    if actor or since is not None:
        if batch is not None:
            raise click.UsageError("--actor and --since cannot be combined with a change.")
        report = _undo_chosen(session, actor, since, yes=yes)
        if report is None:
            return
    elif batch is not None:
        found = session.store.change_log.find(batch)
        report = tasks.undo_batch(found.batch, by=session.new_change_context())
    else:
        report = tasks.undo(by=session.new_change_context())
    _print_undo_report(session, report, redo=False, as_json=as_json)


def _undo_chosen(
    session: CliSession, actor: str, since: str | None, *, yes: bool
) -> UndoReport | None:
    """Undo the changes of an actor after a preview; None if the answer is no."""
    entries = _chosen(session, actor, since)
    chosen = [each for each in entries if each.target is None and not each.is_undone]
    batches, tasks = [each.batch for each in chosen], session.store.tasks
    if chosen and not yes:
        report = tasks.undo_batches(batches, by=session.new_change_context, preview=True)
        for each in chosen[:_MAX_LISTED]:
            messages.print_note(f"{each.who}: {each.summary}")
        if len(chosen) > _MAX_LISTED:
            messages.print_note(f"and {format_count(len(chosen) - _MAX_LISTED, 'more change')}")
        count = len({change.task.id for change in report.changes})
        question = f"Undo {format_count(len(chosen), 'change')} to {format_count(count, 'task')}?"
        if not messages.confirm(question, "Nothing undone."):
            return None
    return tasks.undo_batches(batches, by=session.new_change_context)


@click.command("redo", cls=TodoCommand, writes_tasks=True)
@json_option
@click.pass_obj
def redo(session: CliSession, as_json: bool) -> None:
    """Redo the last undone change. Repeat to redo more."""
    report = session.store.tasks.redo(by=session.new_change_context())
    _print_undo_report(session, report, redo=True, as_json=as_json)


def _print_undo_report(
    session: CliSession, report: UndoReport, *, redo: bool, as_json: bool
) -> None:
    for conflict in report.named_conflicts:
        reason = f"not {'redone' if redo else 'undone'}, {conflict.field_word} was changed later."
        messages.print_note(f"#{conflict.task_id} {conflict.title}: {reason}")
    changes = sorted(report.changes, key=lambda change: change.task.id)
    if as_json:
        messages.print_tasks_json(change.task for change in changes)
    else:
        listed = listed_count(len(changes), _MAX_LISTED)
        for change in changes[:listed]:
            verb = undo_word(change.kind, redo=redo).capitalize()
            facts = [f"{verb} {messages.task_label(change.task)}", *_field_changes(session, change)]
            messages.print_result(" · ".join(facts))
        if more := len(changes) - listed:
            messages.print_result(f"and {format_count(more, 'task')} more")
    if not changes:
        if report.conflicts:
            raise Conflict("Nothing changed: everything was changed again later.")
        raise Conflict(f"Nothing to {'redo' if redo else 'undo'}.")


def _field_changes(session: CliSession, change: TaskChange) -> list[str]:
    """Return `due date: Fri 27 Nov → Mon 30 Nov` for each field that an undo or redo changed."""
    if change.kind is not ChangeKind.UPDATED:
        return []
    from todo_tui.domain.change_text import describe_change, visible_changes  # 9 ms: as above

    now, history = session.clock.now(), session.store.tasks.history(change.task.id)
    own = [each._replace(undoes=False) for each in history if each.batch == change.context.batch]
    return [describe_change(each, now) for each in visible_changes(own)]
