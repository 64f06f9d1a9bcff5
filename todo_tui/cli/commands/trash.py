"""`delete`, `restore` and `purge`."""

from collections.abc import Sequence

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import Targets, find_ids, json_option, targets_argument
from todo_tui.cli.output import messages
from todo_tui.cli.task_scope import TaskScope
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.errors import Conflict
from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count, listed_count
from todo_tui.store.backups import backups_with, describe_leftovers

_NAMED = 3
"""Tasks that the question before a purge names."""


@click.command("delete", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.KEPT)
@json_option
@click.pass_obj
def delete(session: CliSession, targets: Targets, as_json: bool) -> None:
    """Delete tasks and their subtasks. Undo with `todo-tui undo`."""
    ids = find_ids(session, targets)
    store = session.store.tasks
    trashed = [task.id for task in store.rows(ids) if task.deleted_at is not None]
    tasks = store.delete(ids, by=session.new_change_context())
    deleted = [task for task in tasks if as_json or task.id not in trashed]
    _print_tasks("Deleted", deleted, ids, as_json=as_json)
    if not as_json:
        _print_tasks("Already deleted:", store.rows(trashed), trashed, as_json=False)


@click.command("restore", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.TRASH)
@json_option
@click.pass_obj
def restore(session: CliSession, targets: Targets, as_json: bool) -> None:
    """Restore deleted tasks and the subtasks deleted with them.

    Open tasks stay open and completed tasks stay completed.
    """
    ids = find_ids(session, targets)
    store = session.store.tasks
    for task in map(store.get, ids):
        if task.deleted_at is None:
            raise Conflict(f"{messages.task_label(task)} is not in the trash.")
    tasks = store.restore(ids, by=session.new_change_context())
    _print_tasks("Restored", tasks, ids, as_json=as_json)


@click.command("purge", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.TRASH, required=False)
@click.option(
    "--all", "everything", is_flag=True, help="Permanently delete everything in the trash."
)
@click.option("--yes", is_flag=True, help="Delete without confirmation.")
@json_option
@click.pass_obj
def purge(
    session: CliSession, targets: Targets, everything: bool, yes: bool, as_json: bool
) -> None:
    """Permanently delete trashed tasks, with their history and traces in conversations.

    This cannot be undone. Asks for confirmation.
    """
    if bool(targets.ids or targets.title) is everything:
        raise click.UsageError("No tasks given. Pass ids or a title, or use --all.")
    ids = () if everything else find_ids(session, targets)
    doomed = _in_trash(session, ids)
    if not doomed:
        messages.print_note("The trash is empty.")
    elif yes or _confirm_purge(doomed):
        doomed_ids = [task.id for task in doomed]
        tasks = session.store.tasks.purge(doomed_ids, by=session.new_change_context())
        _print_tasks("Permanently deleted", tasks, doomed_ids, as_json=as_json)
        kept = backups_with(session.store.path, *(task.uuid for task in tasks))
        if leftovers := describe_leftovers(kept):
            messages.print_note(leftovers)
        return
    if as_json:
        messages.print_tasks_json([])


def _in_trash(session: CliSession, ids: tuple[int, ...]) -> Sequence[Task]:
    store = session.store.tasks
    if not ids:
        return store.find(session.store.read_query("trash"))
    tasks = [store.get(task_id) for task_id in dict.fromkeys(ids)]
    for task in tasks:
        if task.deleted_at is None:
            hint = f"Delete the task first: todo-tui delete {task.id}"
            raise Conflict(f"{messages.task_label(task)} is not in the trash.", hint=hint)
    return tasks


def _confirm_purge(doomed: Sequence[Task]) -> bool:
    named = listed_count(len(doomed), _NAMED)
    names = ", ".join(map(messages.task_label, doomed[:named]))
    more = f" and {len(doomed) - named:,} more" if len(doomed) > named else ""
    question = f"Permanently delete {names}{more}? This cannot be undone."
    return messages.confirm_deletion(question)


def _print_tasks(verb: str, tasks: Sequence[Task], ids: Sequence[int], *, as_json: bool) -> None:
    """Print what was done to the tasks of these ids, then how many subtasks went with them."""
    if as_json:
        messages.print_tasks_json(tasks)
        return
    roots = [task for task in tasks if task.id in set(ids)]
    subtasks = [task for task in tasks if task.id not in set(ids)]
    if len(roots) == 1:
        messages.print_result(
            f"{verb} {messages.task_label(roots[0])}{messages.format_with_subtasks(subtasks)}"
        )
        return
    for task in roots:
        messages.print_result(f"{verb} {messages.task_label(task)}")
    if subtasks:
        messages.print_result(f"{verb} {format_count(len(subtasks), 'subtask')} with them")
