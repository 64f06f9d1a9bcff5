"""`todo-tui annotate`: remarks with a date, added, reworded and taken out."""

from __future__ import annotations

import click

from todo_tui.cli.options import TaskId, TodoCommand, joined, json_option
from todo_tui.cli.output import print_tasks_json, say
from todo_tui.cli.sentences import named
from todo_tui.cli.session import Session
from todo_tui.domain.errors import NotFound
from todo_tui.domain.task import Annotation, Task


@click.command("annotate", cls=TodoCommand, short_help="Add a dated remark to a task.")
@click.argument("task_id", metavar="ID", type=TaskId())
@click.argument("text", nargs=-1)
@click.option("--edit", "edited", metavar="N", type=int, help="Reword the remark of this number.")
@click.option("--remove", "removed", metavar="N", type=int, help="Take this remark out.")
@json_option
@click.pass_obj
def annotate(
    session: Session,
    task_id: int,
    text: tuple[str, ...],
    edited: int | None,
    removed: int | None,
    as_json: bool,
) -> None:
    """Add a dated remark to a task. `todo-tui show` numbers them."""
    words = joined(text)
    if edited is not None and removed is not None:
        raise click.UsageError("Either --edit or --remove.")
    if bool(words) is (removed is not None):
        raise click.UsageError("Say what to remark, or which remark to --remove.")
    store, gesture = session.store.tasks, session.gesture()
    if removed is not None:
        remark = _remark(store.get(task_id), removed)
        task, said = store.remove_annotation(task_id, remark, by=gesture), "Took a remark out of"
    elif edited is not None:
        remark = _remark(store.get(task_id), edited)
        task, said = store.reword_annotation(task_id, remark, words, by=gesture), "Reworded on"
    else:
        task, said = store.annotate(task_id, words, by=gesture), "Remarked on"
    if as_json:
        print_tasks_json([task])
    else:
        say(f"{said} {named(task)}{'' if removed is not None else f': {words}'}")


def _remark(task: Task, number: int) -> Annotation:
    if not 1 <= number <= len(task.annotations):
        raise NotFound(
            f"{named(task)} has no remark {number}.", hint=f"todo-tui show {task.id} numbers them."
        )
    return task.annotations[number - 1]
