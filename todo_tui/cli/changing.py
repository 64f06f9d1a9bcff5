"""`done` and `reopen`: all the ids that are named, or none."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from todo_tui.cli.options import TodoCommand, children_options, ids_argument, json_option
from todo_tui.cli.output import print_tasks_json, remark, say
from todo_tui.cli.questions import closed_with
from todo_tui.cli.sentences import counted, named, next_words, with_words
from todo_tui.cli.session import Session
from todo_tui.domain.task import Status, Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from todo_tui.store.results import Completion


@click.command("done", cls=TodoCommand, short_help="Tick tasks off.")
@ids_argument
@children_options
@click.option("--last", is_flag=True, help="Let what repeats come no more.")
@json_option
@click.pass_obj
def done(
    session: Session, ids: tuple[int, ...], children: str | None, last: bool, as_json: bool
) -> None:
    """Tick tasks off. One that repeats comes again on its next day.

    Where a task has open subtasks, it is asked what becomes of them.
    """
    store, gesture = session.store.tasks, session.gesture()
    closed = frozenset(task.id for task in store.rows(ids) if task.status is Status.DONE)
    completions = closed_with(
        lambda chosen: store.complete(ids, by=gesture, children=chosen, last=last), children
    )
    if completions is None:
        return
    if as_json:
        print_tasks_json(touched_by(completions))
    else:
        news = [each for each in completions if each.task.id not in closed]
        tell_completions(news, session.clock.now(), session.settings.zone)
        for each in completions:
            if each.task.id in closed:
                say(f"Done already: {named(each.task)}")


def touched_by(completions: Sequence[Completion]) -> list[Task]:
    """The tasks of completions, each with its subtasks and the occurrence that follows."""
    tasks: dict[int, Task] = {}
    for each in completions:
        following = () if each.next is None else (each.next,)
        for task in (each.task, *each.children, *following, *each.renewed):
            tasks.setdefault(task.id, task)
    return list(tasks.values())


def tell_completions(completions: Sequence[Completion], now: datetime, zone: str) -> None:
    """Say of each task that it is done, and what came of it."""
    for each in completions:
        renewed = f", {counted(len(each.renewed), 'subtask')} open again" if each.renewed else ""
        along = with_words(each.children)
        say(f"Done {named(each.task)}{along}{next_words(each.next, now)}{renewed}")
    for each in completions:
        for task in each.unblocked:
            say(f"No longer blocked: {named(task)}")
    for each in completions:
        if each.next is not None:
            tell_missed(each.next, now, zone)


def tell_missed(task: Task, now: datetime, zone: str) -> None:
    """Remark on dates that have gone by, and how to pass them over."""
    if task.due is None or task.recurrence is None or not task.is_overdue(now):
        return
    from zoneinfo import ZoneInfo

    from todo_tui.domain.coming import Recurrence, missed_slots
    from todo_tui.domain.zones import living_zone

    rhythm = Recurrence(task.recurrence, task.repeat_from)
    moment = now.replace(tzinfo=ZoneInfo(zone))
    missed = missed_slots(rhythm, task.due, moment, living_zone(task.due_zone, zone))
    if missed:
        dates = "1 date has" if missed == 1 else f"{missed} dates have"
        remark(f"{dates} gone by; `todo-tui skip {task.id} --missed` passes over them")


@click.command("reopen", cls=TodoCommand, short_help="Open tasks again.")
@ids_argument
@json_option
@click.pass_obj
def reopen(session: Session, ids: tuple[int, ...], as_json: bool) -> None:
    """Open tasks again, and take them out of the trash if they are there."""
    store, gesture = session.store.tasks, session.gesture()
    trashed = [task.id for task in map(store.get, ids) if task.deleted_at is not None]
    restored = store.restore(trashed, by=gesture) if trashed else ()
    reopened = store.reopen(ids, by=gesture)
    others = [task for task in restored if task.id not in ids]
    if as_json:
        print_tasks_json([*reopened, *others])
        return
    for task in reopened:
        say(f"Open again {named(task)}")
    for task in others:
        say(f"Restored {named(task)}")
