"""`todo-tui move`: another place in the manual order, another parent, or none."""

from __future__ import annotations

import click

from todo_tui.cli.options import TaskId, TodoCommand, ids_argument, json_option
from todo_tui.cli.output import print_tasks_json, say
from todo_tui.cli.sentences import named
from todo_tui.cli.session import Session


@click.command("move", cls=TodoCommand, short_help="Move tasks, with all that is below them.")
@ids_argument
@click.option("--before", metavar="ID", type=TaskId(), help="Right before this task.")
@click.option("--after", metavar="ID", type=TaskId(), help="Right after this task.")
@click.option("--under", metavar="ID", type=TaskId(), help="As a part of this task.")
@click.option("--top", is_flag=True, help="As a part of no task.")
@json_option
@click.pass_obj
def move(
    session: Session,
    ids: tuple[int, ...],
    before: int | None,
    after: int | None,
    under: int | None,
    top: bool,
    as_json: bool,
) -> None:
    """Move tasks, with all that is below them.

    A place in the manual order counts among tasks that are due at the same moment.
    """
    if before is None and after is None and under is None and not top:
        raise click.UsageError("Say where to move it: --before, --after, --under or --top.")
    if (before is not None and after is not None) or (under is not None and top):
        raise click.UsageError("A task goes to one place: leave out one of the options.")
    tasks = session.store.tasks.move(
        ids, by=session.gesture(), before=before, after=after, under=under, top=top
    )
    if as_json:
        print_tasks_json(tasks)
        return
    store = session.store.tasks
    where = " to the top" if top else ""
    for word, other in (("under", under), ("before", before), ("after", after)):
        where += "" if other is None else f" {word} {named(store.get(other))}"
    for task in tasks:
        say(f"Moved {named(task)}{where}")
