"""`done`, `reopen`, `cancel`, `skip` and `end`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import Targets, children_options, find_ids, json_option, targets_argument
from todo_tui.cli.output import messages
from todo_tui.cli.task_scope import TaskScope
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.task import Status, Task, TaskFields
from todo_tui.domain.text import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from todo_tui.store.tasks.results import CompletionResult


@click.command("done", cls=TodoCommand, writes_tasks=True, free_words=True)
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
        # Every task with its subtasks and the next occurrence.
        tasks: dict[int, Task] = {}
        for completion in completions:
            following = () if completion.next is None else (completion.next,)
            for task in (
                completion.task,
                *completion.children,
                *following,
                *completion.reopened_subtasks,
            ):
                tasks.setdefault(task.id, task)
        messages.print_tasks_json(tasks.values())
        return
    _print_completions(
        session, [completion for completion in completions if completion.task.id not in closed]
    )
    for completion in completions:
        if completion.task.id in closed:
            messages.print_result(f"Already completed: {messages.task_label(completion.task)}")


def _print_completions(session: CliSession, completions: Sequence[CompletionResult]) -> None:
    now = session.clock.now()
    for completion in completions:
        subtasks = messages.format_with_subtasks(completion.children)
        blockers = map(messages.task_label, completion.open_blockers)
        blocked = f" though blocked by {', '.join(blockers)}" if completion.open_blockers else ""
        following = messages.format_next_occurrence(completion.next, now, session.settings.zone)
        reopened = _format_reopened(completion.reopened_subtasks, ",")
        messages.print_result(
            f"Done {messages.task_label(completion.task)}{subtasks}{blocked}{following}{reopened}"
        )
    for task in (task for completion in completions for task in completion.unblocked):
        messages.print_result(f"Unblocked: {messages.task_label(task)}")
    for completion in completions:
        if completion.next is not None:
            messages.print_missed_hint(completion.next, now, session.settings.zone)


def _format_reopened(subtasks: tuple[Task, ...], sign: str) -> str:
    return f"{sign} {format_count(len(subtasks), 'subtask')} reopened" if subtasks else ""


@click.command("reopen", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.CLOSED)
@json_option
@click.pass_obj
def reopen(session: CliSession, targets: Targets, as_json: bool) -> None:
    """Reopen tasks. Deleted tasks are restored.

    The next occurrence of a recurring task is removed unless it was changed.
    """
    ids = find_ids(session, targets)
    store, context = session.store.tasks, session.new_change_context()
    before = [store.get(task_id) for task_id in ids]
    trashed = [task.id for task in before if task.deleted_at is not None]
    open_before = {task.id for task in before if task.is_open}
    restored = store.restore(trashed, by=context) if trashed else ()
    reopened = store.reopen(ids, by=context)
    others = [task for task in restored if task.id not in ids]
    still_open = {task.id for task in restored if task.status.is_open}
    remarks = {each.task.id: f" · {each.remark}" for each in reopened if each.remark}
    if as_json:
        # The removed occurrences too, as `done` has the created ones.
        removed = (each.removed for each in reopened if each.removed is not None)
        messages.print_tasks_json([*(each.task for each in reopened), *removed, *others])
        return
    for task in [*(each.task for each in reopened), *others]:
        verb = "Restored" if task in others or task.id in still_open else "Reopened"
        verb = "Already open:" if task.id in open_before else verb
        messages.print_result(f"{verb} {messages.task_label(task)}{remarks.get(task.id, '')}")


@click.command("cancel", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.OPEN)
@children_options
@json_option
@click.pass_obj
def cancel(session: CliSession, targets: Targets, children: str | None, as_json: bool) -> None:
    """Cancel tasks. Recurring tasks skip to the next occurrence."""
    ids = find_ids(session, targets)
    store, context = session.store.tasks, session.new_change_context()
    cancelled = {task.id for task in store.rows(ids) if task.status is Status.CANCELLED}
    fields = TaskFields(status=Status.CANCELLED)
    tasks = messages.close_with_prompt(
        lambda chosen: store.update(ids, fields, by=context, children=chosen), children
    )
    if tasks is not None:
        messages.print_tasks(
            tasks,
            lambda task: (
                f"Skipped to {messages.describe_task(task, session.clock, session.store.tasks)}"
                if task.is_open
                else f"{'Already cancelled:' if task.id in cancelled else 'Cancelled'} "
                f"{messages.task_label(task)}"
            ),
            as_json=as_json,
        )


@click.command("skip", cls=TodoCommand, writes_tasks=True, free_words=True)
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
            task for result in skipped for task in (result.task, *result.reopened_subtasks)
        )
        return
    now = session.clock.now()
    for result in skipped:
        reopened = _format_reopened(result.reopened_subtasks, " ·")
        words = messages.describe_task(result.task, session.clock, session.store.tasks)
        messages.print_result(f"Skipped to {words}{reopened}")
        messages.print_missed_hint(result.task, now, session.settings.zone)


@click.command("end", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.RECURRING)
@json_option
@click.pass_obj
def end(session: CliSession, targets: Targets, as_json: bool) -> None:
    """End recurrence. The current occurrence stays open and is the last."""
    ids = find_ids(session, targets)
    tasks = session.store.tasks.end_series(ids, by=session.new_change_context())
    messages.print_tasks(
        tasks, lambda task: f"Ended recurrence: {messages.task_label(task)}", as_json=as_json
    )
