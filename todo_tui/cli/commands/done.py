"""`done`, `reopen`, `skip` and `end`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from todo_tui.cli.options import children_options, command, ids_argument, json_option
from todo_tui.cli.output.messages import (
    close_with_prompt,
    describe_task,
    format_next_occurrence,
    format_noun_count,
    format_with_subtasks,
    print_reading_note,
    print_result,
    print_tasks_json,
    task_label,
)
from todo_tui.cli.session import CliSession
from todo_tui.domain.task import Status, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from todo_tui.store.tasks.select import CompletionResult


@command("done")
@ids_argument
@children_options
@click.option("--last", is_flag=True, help="Let what repeats come no more.")
@json_option
def done(
    session: CliSession, ids: tuple[int, ...], children: str | None, last: bool, as_json: bool
) -> None:
    """Tick tasks off. One that repeats comes again on its next day.

    Where a task has open subtasks, it is asked what becomes of them.
    """
    store, gesture = session.store.tasks, session.new_change_context()
    closed = frozenset(task.id for task in store.rows(ids) if task.status is Status.DONE)
    completions = close_with_prompt(
        lambda chosen: store.complete(ids, by=gesture, children=chosen, last=last), children
    )
    if completions is None:
        return
    if as_json:
        print_tasks_json(affected_tasks(completions))
    else:
        news = [each for each in completions if each.task.id not in closed]
        print_completions(news, session.clock.now(), session.settings.zone)
        for each in completions:
            if each.task.id in closed:
                print_result(f"Done already: {task_label(each.task)}")


def affected_tasks(completions: Sequence[CompletionResult]) -> list[Task]:
    """The tasks of completions, each with its subtasks and the occurrence that follows."""
    tasks: dict[int, Task] = {}
    for each in completions:
        following = () if each.next is None else (each.next,)
        for task in (each.task, *each.children, *following, *each.reopened_subtasks):
            tasks.setdefault(task.id, task)
    return list(tasks.values())


def print_completions(completions: Sequence[CompletionResult], now: datetime, zone: str) -> None:
    """Say of each task that it is done, and what came of it."""
    for each in completions:
        renewed = (
            f", {format_noun_count(len(each.reopened_subtasks), 'subtask')} open again"
            if each.reopened_subtasks
            else ""
        )
        along = format_with_subtasks(each.children)
        print_result(
            f"Done {task_label(each.task)}{along}{format_next_occurrence(each.next, now)}{renewed}"
        )
    for each in completions:
        for task in each.unblocked:
            print_result(f"No longer blocked: {task_label(task)}")
    for each in completions:
        if each.next is not None:
            print_missed_hint(each.next, now, zone)


def print_missed_hint(task: Task, now: datetime, zone: str) -> None:
    """Remark on dates that have gone by, and how to pass them over."""
    if task.due is None or task.recurrence is None or not task.is_overdue(now):
        return
    from zoneinfo import ZoneInfo

    from todo_tui.domain.recurrence.next_occurrence import Recurrence, count_missed_occurrences
    from todo_tui.domain.when import effective_zone

    rhythm = Recurrence(task.recurrence, task.repeat_from)
    moment = now.replace(tzinfo=ZoneInfo(zone))
    missed = count_missed_occurrences(rhythm, task.due, moment, effective_zone(task.due_zone, zone))
    if missed:
        dates = "1 date has" if missed == 1 else f"{missed} dates have"
        print_reading_note(f"{dates} gone by; `todo-tui skip {task.id} --missed` passes over them")


@command("reopen")
@ids_argument
@json_option
def reopen(session: CliSession, ids: tuple[int, ...], as_json: bool) -> None:
    """Open tasks again, and take them out of the trash if they are there."""
    store, gesture = session.store.tasks, session.new_change_context()
    trashed = [task.id for task in map(store.get, ids) if task.deleted_at is not None]
    restored = store.restore(trashed, by=gesture) if trashed else ()
    reopened = store.reopen(ids, by=gesture)
    others = [task for task in restored if task.id not in ids]
    if as_json:
        print_tasks_json([*reopened, *others])
        return
    for task in reopened:
        print_result(f"Open again {task_label(task)}")
    for task in others:
        print_result(f"Restored {task_label(task)}")


@command("skip")
@ids_argument
@click.option("--missed", is_flag=True, help="Pass over all dates that have gone by.")
@json_option
def skip(session: CliSession, ids: tuple[int, ...], missed: bool, as_json: bool) -> None:
    """Let repeating tasks go on to their next date, without ticking them off."""
    skipped = session.store.tasks.skip(ids, by=session.new_change_context(), missed=missed)
    if as_json:
        print_tasks_json(task for each in skipped for task in (each.task, *each.reopened_subtasks))
        return
    now = session.clock.now()
    for each in skipped:
        again = (
            f" · {format_noun_count(len(each.reopened_subtasks), 'subtask')} open again"
            if each.reopened_subtasks
            else ""
        )
        print_result(f"Skipped to {describe_task(each.task, now)}{again}")
        print_missed_hint(each.task, now, session.settings.zone)


@command("end")
@ids_argument
@json_option
def end(session: CliSession, ids: tuple[int, ...], as_json: bool) -> None:
    """Let repeating tasks come no more: what is open is the last one, and stays open."""
    tasks = session.store.tasks.end_series(ids, by=session.new_change_context())
    if as_json:
        print_tasks_json(tasks)
        return
    for task in tasks:
        print_result(f"The last one: {task_label(task)}")
