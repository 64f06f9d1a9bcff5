"""`done`, `reopen`, `cancel`, `skip` and `end`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import (
    Targets,
    TaskScope,
    children_options,
    find_ids,
    json_option,
    targets_argument,
)
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.domain.text import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from todo_tui.store.tasks.select import CompletionResult


@click.command("done", cls=TodoCommand, free_words=True)
@targets_argument(TaskScope.OPEN)
@children_options
@click.option("--last", is_flag=True, help="End recurrence.")
@json_option
@click.pass_obj
def done(
    session: CliSession, targets: Targets, children: str | None, last: bool, as_json: bool
) -> None:
    """Complete tasks. Recurring tasks are rescheduled.

    Asks what to do with open subtasks.
    """
    ids = find_ids(session, targets)
    store, context = session.store.tasks, session.new_change_context()
    closed = frozenset(task.id for task in store.rows(ids) if task.status is Status.DONE)
    completions = messages.close_with_prompt(
        lambda chosen: store.complete(ids, by=context, children=chosen, last=last), children
    )
    if completions is None:
        return
    if as_json:
        # Each with its subtasks and the occurrence that follows.
        tasks: dict[int, Task] = {}
        for each in completions:
            following = () if each.next is None else (each.next,)
            for task in (each.task, *each.children, *following, *each.reopened_subtasks):
                tasks.setdefault(task.id, task)
        messages.print_tasks_json(tasks.values())
        return
    _print_completions(session, [each for each in completions if each.task.id not in closed])
    for each in completions:
        if each.task.id in closed:
            messages.print_result(f"Already completed: {messages.task_label(each.task)}")


def _print_completions(session: CliSession, completions: Sequence[CompletionResult]) -> None:
    now = session.clock.now()
    for each in completions:
        along = messages.format_with_subtasks(each.children)
        following = messages.format_next_occurrence(each.next, now)
        again = _format_reopened(each.reopened_subtasks, ",")
        messages.print_result(f"Done {messages.task_label(each.task)}{along}{following}{again}")
    for task in (task for each in completions for task in each.unblocked):
        messages.print_result(f"Unblocked: {messages.task_label(task)}")
    for each in completions:
        if each.next is not None:
            messages.print_missed_hint(each.next, now, session.settings.zone)


def _format_reopened(subtasks: tuple[Task, ...], sign: str) -> str:
    return f"{sign} {format_count(len(subtasks), 'subtask')} reopened" if subtasks else ""


@click.command("reopen", cls=TodoCommand, free_words=True)
@targets_argument(TaskScope.CLOSED)
@json_option
@click.pass_obj
def reopen(session: CliSession, targets: Targets, as_json: bool) -> None:
    """Reopen tasks. Deleted tasks are restored."""
    ids = find_ids(session, targets)
    store, context = session.store.tasks, session.new_change_context()
    trashed = [task.id for task in map(store.get, ids) if task.deleted_at is not None]
    restored = store.restore(trashed, by=context) if trashed else ()
    reopened = store.reopen(ids, by=context)
    others = [task for task in restored if task.id not in ids]
    messages.print_tasks(
        [*reopened, *others],
        lambda task: f"{'Restored' if task in others else 'Reopened'} {messages.task_label(task)}",
        as_json=as_json,
    )


@click.command("cancel", cls=TodoCommand, free_words=True)
@targets_argument(TaskScope.OPEN)
@children_options
@json_option
@click.pass_obj
def cancel(session: CliSession, targets: Targets, children: str | None, as_json: bool) -> None:
    """Cancel tasks. Recurring tasks skip to the next occurrence."""
    ids = find_ids(session, targets)
    store, context = session.store.tasks, session.new_change_context()
    fields = TaskFields(status=Status.CANCELLED)
    tasks = messages.close_with_prompt(
        lambda chosen: store.update(ids, fields, by=context, children=chosen), children
    )
    if tasks is not None:
        now = session.clock.now()
        messages.print_tasks(
            tasks,
            lambda task: (
                f"Skipped to {messages.describe_task(task, now)}"
                if task.is_open
                else f"Cancelled {messages.task_label(task)}"
            ),
            as_json=as_json,
        )


@click.command("skip", cls=TodoCommand, free_words=True)
@targets_argument(TaskScope.RECURRING)
@click.option("--missed", is_flag=True, help="Skip all missed occurrences.")
@json_option
@click.pass_obj
def skip(session: CliSession, targets: Targets, missed: bool, as_json: bool) -> None:
    """Skip to the next occurrence of recurring tasks, without completing them."""
    ids = find_ids(session, targets)
    skipped = session.store.tasks.skip(ids, by=session.new_change_context(), missed=missed)
    if as_json:
        messages.print_tasks_json(
            task for each in skipped for task in (each.task, *each.reopened_subtasks)
        )
        return
    now = session.clock.now()
    for each in skipped:
        again = _format_reopened(each.reopened_subtasks, " ·")
        messages.print_result(f"Skipped to {messages.describe_task(each.task, now)}{again}")
        messages.print_missed_hint(each.task, now, session.settings.zone)


@click.command("end", cls=TodoCommand, free_words=True)
@targets_argument(TaskScope.RECURRING)
@json_option
@click.pass_obj
def end(session: CliSession, targets: Targets, as_json: bool) -> None:
    """End recurrence. The current occurrence stays open and is the last."""
    ids = find_ids(session, targets)
    tasks = session.store.tasks.end_series(ids, by=session.new_change_context())
    messages.print_tasks(
        tasks, lambda task: f"Recurrence ended: {messages.task_label(task)}", as_json=as_json
    )
