"""`todo-tui edit`: every field of a task, in the person's own words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Unpack

import click

from todo_tui.cli.changing import tell_missed
from todo_tui.cli.field_words import (
    FIELD_OPTIONS,
    Place,
    Words,
    ids_in,
    one_each,
    place_in,
    plain_fields,
)
from todo_tui.cli.options import TaskId, TodoCommand, children_options, json_option
from todo_tui.cli.output import print_tasks_json, remark, say
from todo_tui.cli.questions import closed_with
from todo_tui.cli.sentences import described
from todo_tui.cli.session import Session
from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.tools.given import GivenFields


@click.command(
    "edit",
    cls=TodoCommand,
    params=FIELD_OPTIONS,
    short_help="Change what is written about a task.",
)
@click.argument("task_id", metavar="ID", type=TaskId())
@children_options
@json_option
@click.pass_obj
def edit(
    session: Session, task_id: int, children: str | None, as_json: bool, **words: Unpack[Words]
) -> None:
    """Change what is written about a task. `none` takes a value away.

    Dates and repeats are given in your own words: --due "next friday 9am".
    """
    if all(value in (None, ()) for value in words.values()):
        raise click.UsageError('Say what to change, such as --due "friday 5pm".')
    task = session.store.tasks.get(task_id)
    now = session.clock.now()
    given = GivenFields(now, session.settings.dates, task)
    _read(words, given, task)
    place = _place(session, words, task)
    with _touched(session, task) as touched:
        if not _write(session, task, given.fields, words, place, children):
            return
    for said in given.notes:
        remark(said)
    if as_json:
        print_tasks_json(touched.values())
        return
    for each in touched.values():
        say(described(each, now))
    tell_missed(touched[task.id], now, session.settings.zone)


def _read(words: Words, given: GivenFields, task: Task) -> None:
    """Read the typed words into fields; the due date first, because repeats begin with it."""
    for value, read in (
        (words["due"], given.due),
        (words["start"], given.start),
        (words["repeat"], given.repeat),
        (words["priority"], given.priority),
        (words["project"], given.project),
        (words["notes"], given.text),
    ):
        if value is not None:
            read(value)
    given.fields.update(plain_fields(words))
    _refuse_idle(words, given.fields, task)


def _refuse_idle(words: Words, fields: TaskFields, task: Task) -> None:
    """Refuse what could not be done once the rest is written, or would come to nothing."""
    if words["annotate"] is not None and not plain_text(words["annotate"]).strip():
        raise ValidationError("A remark needs some words.")
    for option, zone, when in (
        ("--due", words["due_zone"], fields.get("due", task.due)),
        ("--start", words["start_zone"], fields.get("start", task.start)),
    ):
        if zone and (when is None or when.at is None):
            raise ValidationError(
                f"{option}-zone needs a time of day: a whole day is the same in every zone.",
                hint=f'Give one along with it, such as {option} "friday 5pm".',
            )


def _place(session: Session, words: Words, task: Task) -> Place:
    """Where it goes, once it is known that there is such a place."""
    place = place_in(words["position"])
    for beside in (place.get("before"), place.get("after")):
        if beside == task.id:
            raise ValidationError(f"Task #{task.id} cannot be moved beside itself.")
        if beside is not None:
            session.store.tasks.get(beside)
    return place


def _write(
    session: Session,
    task: Task,
    fields: TaskFields,
    words: Words,
    place: Place,
    children: str | None,
) -> bool:
    """Write in one batch; False where the person wanted nothing written after all."""
    store, gesture = session.store.tasks, session.gesture()
    updated = closed_with(
        lambda chosen: store.update(
            [task.id],
            fields,
            by=gesture,
            add_tags=one_each(words["add_tag"]),
            remove_tags=one_each(words["remove_tag"]),
            add_blockers=ids_in(" ".join(words["add_blocker"])),
            remove_blockers=ids_in(" ".join(words["remove_blocker"])),
            children=chosen,
        ),
        children,
    )
    if updated is None:
        return False
    if words["annotate"] is not None:
        store.annotate(task.id, words["annotate"], by=gesture)
    if place:
        store.move([task.id], by=gesture, **place)
    return True


@contextmanager
def _touched(session: Session, task: Task) -> Iterator[dict[int, Task]]:
    """The tasks that the block writes, by id, as it leaves them; the one itself in any case."""
    tasks = {task.id: task}

    def keep(changes: tuple[TaskChange, ...]) -> None:
        tasks.update({change.task.id: change.task for change in changes})

    unsubscribe = session.store.tasks.subscribe(keep)
    try:
        yield tasks
    finally:
        unsubscribe()
