"""`done`, `reopen` and `delete`: all the ids that are named, or none."""

from __future__ import annotations

import click

from todo_tui.cli.options import TodoCommand, ids_argument, json_option
from todo_tui.cli.output import print_tasks_json, say
from todo_tui.cli.sentences import named, next_words
from todo_tui.cli.session import Session


@click.command("done", cls=TodoCommand, short_help="Tick tasks off.")
@ids_argument
@json_option
@click.pass_obj
def done(session: Session, ids: tuple[int, ...], as_json: bool) -> None:
    """Tick tasks off. One that repeats comes again on its next day."""
    completions = session.store.tasks.complete(ids, by=session.gesture())
    if as_json:
        touched = [task for each in completions for task in (each.task, each.next) if task]
        print_tasks_json(touched)
        return
    now = session.clock.now()
    for each in completions:
        say(f"Done {named(each.task)}{next_words(each.next, now)}")


@click.command("reopen", cls=TodoCommand, short_help="Open tasks again.")
@ids_argument
@json_option
@click.pass_obj
def reopen(session: Session, ids: tuple[int, ...], as_json: bool) -> None:
    """Open tasks again, and take them out of the trash if they are there."""
    store, gesture = session.store.tasks, session.gesture()
    trashed = [task.id for task in map(store.get, ids) if task.deleted_at is not None]
    if trashed:
        store.restore(trashed, by=gesture)
    tasks = store.reopen(ids, by=gesture)
    if as_json:
        print_tasks_json(tasks)
        return
    for task in tasks:
        say(f"Open again {named(task)}")


@click.command("delete", cls=TodoCommand, short_help="Put tasks into the trash.")
@ids_argument
@json_option
@click.pass_obj
def delete(session: Session, ids: tuple[int, ...], as_json: bool) -> None:
    """Put tasks into the trash. `todo-tui undo` brings them back."""
    tasks = session.store.tasks.delete(ids, by=session.gesture())
    if as_json:
        print_tasks_json(tasks)
        return
    for task in tasks:
        say(f"Deleted {named(task)}")
