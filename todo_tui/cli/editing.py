"""`todo-tui edit`: every field of a task, in the person's own words."""

from __future__ import annotations

import re
from typing import TypedDict, Unpack

import click

from todo_tui.cli.options import TaskId, TodoCommand, json_option, spoken
from todo_tui.cli.output import print_tasks_json, remark, say
from todo_tui.cli.sentences import described
from todo_tui.cli.session import Session
from todo_tui.domain.changes import Gesture
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.tools.given import GivenFields, clears

_PRIORITIES = ("high", "medium", "low", "none")
_TASK_ID = re.compile(r"#?([0-9]{1,18})")


class Words(TypedDict):
    """What was typed for each field; None and empty: leave it as it is."""

    title: str | None
    due: str | None
    due_zone: str | None
    start: str | None
    start_zone: str | None
    priority: str | None
    project: str | None
    tags: str | None
    add_tag: tuple[str, ...]
    remove_tag: tuple[str, ...]
    notes: str | None
    annotate: str | None
    repeat: str | None
    repeat_from: str | None
    status: str | None
    parent: str | None
    blocked_by: tuple[str, ...]


def _worded(name: str, metavar: str, text: str) -> click.Option:
    return click.Option([name], metavar=metavar, help=text, callback=spoken)


def _several(name: str, metavar: str, text: str) -> click.Option:
    return click.Option([name], metavar=metavar, help=text, callback=spoken, multiple=True)


def _one_of(name: str, choices: tuple[str, ...], text: str) -> click.Option:
    return click.Option([name], type=click.Choice(choices, case_sensitive=False), help=text)


FIELD_OPTIONS: list[click.Parameter] = [
    _worded("--title", "TEXT", "What is to be done."),
    _worded("--due", "WHEN", "When it is due: tomorrow 5pm, 1 week later."),
    _worded("--start", "WHEN", "When it appears in the list; hidden until then."),
    _one_of("--priority", _PRIORITIES, "How much it matters."),
    _worded("--project", "NAME", "Its project, a dotted path."),
    _worded("--tags", "NAMES", "Its tags in place of the present ones, with commas between."),
    _several("--add-tag", "NAME", "One more tag."),
    _several("--remove-tag", "NAME", "One tag less."),
    _worded("--notes", "TEXT", "Its notes; `+ ` before them adds a line."),
    _worded("--annotate", "TEXT", "A remark with today's date."),
    _worded("--repeat", "HOW", "How it repeats: every monday, every 2 weeks."),
    _one_of("--repeat-from", tuple(RepeatFrom), "What the next date is counted from."),
    _one_of("--status", tuple(Status), "Where it stands."),
    _worded("--parent", "ID", "The task that it is part of."),
    _several("--blocked-by", "ID", "The tasks that it waits for."),
    _worded("--due-zone", "ZONE", "The zone of a timed due date, such as Europe/Berlin."),
    _worded("--start-zone", "ZONE", "The zone of a timed start."),
]


@click.command(
    "edit",
    cls=TodoCommand,
    params=FIELD_OPTIONS,
    short_help="Change what is written about a task.",
)
@click.argument("task_id", metavar="ID", type=TaskId())
@json_option
@click.pass_obj
def edit(session: Session, task_id: int, as_json: bool, **words: Unpack[Words]) -> None:
    """Change what is written about a task. `none` takes a value away.

    Dates and repeats are given in your own words: --due "next friday 9am".
    """
    if all(value in (None, ()) for value in words.values()):
        raise click.UsageError('Say what to change, such as --due "friday 5pm".')
    task = session.store.tasks.get(task_id)
    now = session.clock.now()
    given = GivenFields(now, session.settings.dates, task)
    _read(words, given, task)
    changed = _write(session, task, given, words)
    for said in given.notes:
        remark(said)
    if as_json:
        print_tasks_json(changed)
    else:
        for each in changed:
            say(described(each, now))


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
    given.fields.update(_as_they_are(words))
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


def _as_they_are(words: Words) -> TaskFields:
    """The fields whose words need no grammar."""
    fields = TaskFields()
    if words["title"] is not None:
        fields["title"] = words["title"]
    if words["tags"] is not None:
        fields["tags"] = _names(words["tags"])
    if words["repeat_from"] is not None:
        fields["repeat_from"] = RepeatFrom(words["repeat_from"])
    if words["status"] is not None:
        fields["status"] = Status(words["status"])
    if words["due_zone"] is not None:
        fields["due_zone"] = words["due_zone"]
    if words["start_zone"] is not None:
        fields["start_zone"] = words["start_zone"]
    if words["parent"] is not None:
        fields["parent"] = next(iter(_ids(words["parent"])), None)
    if words["blocked_by"]:
        fields["blocked_by"] = _ids(" ".join(words["blocked_by"]))
    return fields


def _write(session: Session, task: Task, given: GivenFields, words: Words) -> tuple[Task, ...]:
    """Write in one batch; of a task that comes again, the next one is touched too."""
    store, gesture = session.store.tasks, session.gesture()
    finishing = given.fields.get("status") is Status.DONE
    if finishing:
        del given.fields["status"]
    touched = store.update(
        [task.id],
        given.fields,
        by=gesture,
        add_tags=_one_each(words["add_tag"]),
        remove_tags=_one_each(words["remove_tag"]),
    )
    if words["annotate"] is not None:
        touched = (store.annotate(task.id, words["annotate"], by=gesture),)
    if finishing:
        touched = _finished(session, task.id, gesture)
    return touched


def _finished(session: Session, task_id: int, gesture: Gesture) -> tuple[Task, ...]:
    (completion,) = session.store.tasks.complete([task_id], by=gesture)
    return tuple(each for each in (completion.task, completion.next) if each is not None)


def _names(text: str) -> tuple[str, ...]:
    """Names between commas, else between blanks; `none` and nothing: no names."""
    if clears(text):
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def _one_each(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for text in names for name in _names(text))


def _ids(text: str) -> tuple[int, ...]:
    """The ids in `#3, 4`.

    Raises:
        ValidationError: there is something else in it.
    """
    if clears(text):
        return ()
    found: list[int] = []
    for word in text.replace(",", " ").split():
        match = _TASK_ID.fullmatch(word)
        if match is None and word.lstrip("#").isdigit():
            raise NotFound(f"There is no task {word[:20]}.")
        if match is None:
            raise ValidationError(f"“{word}” is no task id.", hint="Ids look like 3 or #3.")
        found.append(int(match[1]))
    return tuple(found)
