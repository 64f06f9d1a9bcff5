"""`skip` and `end`: a repeating task goes on without being done, or comes no more."""

from __future__ import annotations

import click

from todo_tui.cli.changing import tell_missed
from todo_tui.cli.options import TodoCommand, ids_argument, json_option
from todo_tui.cli.output import print_tasks_json, say
from todo_tui.cli.sentences import counted, described, named
from todo_tui.cli.session import Session


@click.command("skip", cls=TodoCommand, short_help="Let repeating tasks go on to their next date.")
@ids_argument
@click.option("--missed", is_flag=True, help="Pass over all dates that have gone by.")
@json_option
@click.pass_obj
def skip(session: Session, ids: tuple[int, ...], missed: bool, as_json: bool) -> None:
    """Let repeating tasks go on to their next date, without ticking them off."""
    skipped = session.store.tasks.skip(ids, by=session.gesture(), missed=missed)
    if as_json:
        print_tasks_json(task for each in skipped for task in (each.task, *each.renewed))
        return
    now = session.clock.now()
    for each in skipped:
        again = f" · {counted(len(each.renewed), 'subtask')} open again" if each.renewed else ""
        say(f"Skipped to {described(each.task, now)}{again}")
        tell_missed(each.task, now, session.settings.zone)


@click.command("end", cls=TodoCommand, short_help="Let repeating tasks come no more.")
@ids_argument
@json_option
@click.pass_obj
def end(session: Session, ids: tuple[int, ...], as_json: bool) -> None:
    """Let repeating tasks come no more: what is open is the last one, and stays open."""
    tasks = session.store.tasks.end_series(ids, by=session.gesture())
    if as_json:
        print_tasks_json(tasks)
        return
    for task in tasks:
        say(f"The last one: {named(task)}")
