"""`edit`, `move` and `annotate`, and the field options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict, Unpack

import click

from todo_tui.cli.commands.done import print_missed_hint
from todo_tui.cli.options import (
    TaskId,
    children_options,
    command,
    ids_argument,
    join_words,
    json_option,
    option_text,
)
from todo_tui.cli.output.messages import (
    close_with_prompt,
    describe_task,
    print_reading_note,
    print_result,
    print_tasks_json,
    task_label,
)
from todo_tui.cli.session import CliSession
from todo_tui.domain.changes import TaskChange
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import Annotation, RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.tools.fields import FieldReader, means_none

_PRIORITIES = ("high", "medium", "low", "none")
_TASK_ID = re.compile(r"#?([0-9]{1,18})")
_PLACE = re.compile(r"(before|after)\s+(\S+)", re.IGNORECASE)


@command("annotate")
@click.argument("task_id", metavar="ID", type=TaskId())
@click.argument("text", nargs=-1)
@click.option("--edit", "edited", metavar="N", type=int, help="Reword the remark of this number.")
@click.option("--remove", "removed", metavar="N", type=int, help="Take this remark out.")
@json_option
def annotate(
    session: CliSession,
    task_id: int,
    text: tuple[str, ...],
    edited: int | None,
    removed: int | None,
    as_json: bool,
) -> None:
    """Add a dated remark to a task. `todo-tui show` numbers them."""
    words = join_words(text)
    if edited is not None and removed is not None:
        raise click.UsageError("Either --edit or --remove.")
    if bool(words) is (removed is not None):
        raise click.UsageError("Say what to remark, or which remark to --remove.")
    store, gesture = session.store.tasks, session.new_change_context()
    if removed is not None:
        remark = _find_annotation(store.get(task_id), removed)
        task, said = store.remove_annotation(task_id, remark, by=gesture), "Took a remark out of"
    elif edited is not None:
        remark = _find_annotation(store.get(task_id), edited)
        task, said = store.edit_annotation(task_id, remark, words, by=gesture), "Reworded on"
    else:
        task, said = store.annotate(task_id, words, by=gesture), "Remarked on"
    if as_json:
        print_tasks_json([task])
    else:
        print_result(f"{said} {task_label(task)}{'' if removed is not None else f': {words}'}")


def _find_annotation(task: Task, number: int) -> Annotation:
    if not 1 <= number <= len(task.annotations):
        raise NotFound(
            f"{task_label(task)} has no remark {number}.",
            hint=f"todo-tui show {task.id} numbers them.",
        )
    return task.annotations[number - 1]


class FieldOptions(TypedDict):
    """Option values by field; None and empty leave the field unchanged."""

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
    add_blocker: tuple[str, ...]
    remove_blocker: tuple[str, ...]
    position: str | None


def _worded(name: str, metavar: str, text: str, *, also: str = "") -> click.Option:
    names = [name, *filter(None, (also,))]
    return click.Option(names, metavar=metavar, help=text, callback=option_text)


def _several(name: str, metavar: str, text: str) -> click.Option:
    return click.Option([name], metavar=metavar, help=text, callback=option_text, multiple=True)


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
    _worded("--repeat", "HOW", "How it repeats: every monday, every 2 weeks.", also="--recurrence"),
    _one_of("--repeat-from", tuple(RepeatFrom), "What the next date is counted from."),
    _one_of("--status", tuple(Status), "Where it stands."),
    _worded("--parent", "ID", "The task that it is part of."),
    _several("--blocked-by", "ID", "The tasks that it waits for, in place of the present ones."),
    _several("--add-blocker", "ID", "One more task that it waits for."),
    _several("--remove-blocker", "ID", "One that it no longer waits for."),
    _worded("--position", "PLACE", "Its place in the manual order: before 3, after 3."),
    _worded("--due-zone", "ZONE", "The zone of a timed due date, such as Europe/Berlin."),
    _worded("--start-zone", "ZONE", "The zone of a timed start."),
]


def plain_fields(words: FieldOptions) -> TaskFields:
    """The fields whose words need no grammar."""
    fields = TaskFields()
    if words["title"] is not None:
        fields["title"] = words["title"]
    if words["tags"] is not None:
        fields["tags"] = parse_names(words["tags"])
    if words["repeat_from"] is not None:
        fields["repeat_from"] = RepeatFrom(words["repeat_from"])
    if words["status"] is not None:
        fields["status"] = Status(words["status"])
    if words["due_zone"] is not None:
        fields["due_zone"] = words["due_zone"]
    if words["start_zone"] is not None:
        fields["start_zone"] = words["start_zone"]
    if words["parent"] is not None:
        fields["parent"] = next(iter(parse_ids(words["parent"])), None)
    if words["blocked_by"]:
        fields["blocked_by"] = parse_ids(" ".join(words["blocked_by"]))
    return fields


def parse_names(text: str) -> tuple[str, ...]:
    """Names between commas, else between blanks; `none` and nothing: no names."""
    if means_none(text):
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def unique_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of an option that was given several times, or with commas."""
    return tuple(name for text in names for name in parse_names(text))


def parse_ids(text: str) -> tuple[int, ...]:
    """The ids in `#3, 4`.

    Raises:
        ValidationError: there is something else in it.
    """
    if means_none(text):
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


class PositionOption(TypedDict, total=False):
    """Target position in the manual order; empty leaves the task where it is."""

    before: int
    after: int


def parse_position(text: str | None) -> PositionOption:
    """The place in `before 3` or `after #3`.

    Raises:
        ValidationError: there is something else in it.
    """
    if text is None:
        return PositionOption()
    match = _PLACE.fullmatch(text.strip())
    ids = parse_ids(match[2]) if match else ()
    if match is None or len(ids) != 1:
        raise ValidationError(f"“{text}” is no place.", hint="Places are before 3, or after 3.")
    return (
        PositionOption(before=ids[0])
        if match[1].lower() == "before"
        else PositionOption(after=ids[0])
    )


@command("edit", params=FIELD_OPTIONS)
@click.argument("task_id", metavar="ID", type=TaskId())
@children_options
@json_option
def edit(
    session: CliSession,
    task_id: int,
    children: str | None,
    as_json: bool,
    **words: Unpack[FieldOptions],
) -> None:
    """Change what is written about a task. `none` takes a value away.

    Dates and repeats are given in your own words: --due "next friday 9am".
    """
    if all(value in (None, ()) for value in words.values()):
        raise click.UsageError('Say what to change, such as --due "friday 5pm".')
    task = session.store.tasks.get(task_id)
    now = session.clock.now()
    given = FieldReader(now, session.settings.dates, task)
    _read(words, given, task)
    place = _place(session, words, task)
    with _touched(session, task) as touched:
        if not _write(session, task, given.fields, words, place, children):
            return
    for said in given.notes:
        print_reading_note(said)
    if as_json:
        print_tasks_json(touched.values())
        return
    for each in touched.values():
        print_result(describe_task(each, now))
    print_missed_hint(touched[task.id], now, session.settings.zone)


def _read(words: FieldOptions, given: FieldReader, task: Task) -> None:
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


def _refuse_idle(words: FieldOptions, fields: TaskFields, task: Task) -> None:
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


def _place(session: CliSession, words: FieldOptions, task: Task) -> PositionOption:
    """Return the requested position after checking that it exists."""
    place = parse_position(words["position"])
    for beside in (place.get("before"), place.get("after")):
        if beside == task.id:
            raise ValidationError(f"Task #{task.id} cannot be moved beside itself.")
        if beside is not None:
            session.store.tasks.get(beside)
    return place


def _write(
    session: CliSession,
    task: Task,
    fields: TaskFields,
    words: FieldOptions,
    place: PositionOption,
    children: str | None,
) -> bool:
    """Write in one batch; False where the person wanted nothing written after all."""
    store, gesture = session.store.tasks, session.new_change_context()
    updated = close_with_prompt(
        lambda chosen: store.update(
            [task.id],
            fields,
            by=gesture,
            add_tags=unique_names(words["add_tag"]),
            remove_tags=unique_names(words["remove_tag"]),
            add_blockers=parse_ids(" ".join(words["add_blocker"])),
            remove_blockers=parse_ids(" ".join(words["remove_blocker"])),
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
def _touched(session: CliSession, task: Task) -> Iterator[dict[int, Task]]:
    """The tasks that the block writes, by id, as it leaves them; the one itself in any case."""
    tasks = {task.id: task}

    def keep(changes: tuple[TaskChange, ...]) -> None:
        tasks.update({change.task.id: change.task for change in changes})

    unsubscribe = session.store.tasks.subscribe(keep)
    try:
        yield tasks
    finally:
        unsubscribe()


@command("move")
@ids_argument
@click.option("--before", metavar="ID", type=TaskId(), help="Right before this task.")
@click.option("--after", metavar="ID", type=TaskId(), help="Right after this task.")
@click.option("--under", metavar="ID", type=TaskId(), help="As a part of this task.")
@click.option("--top", is_flag=True, help="As a part of no task.")
@json_option
def move(
    session: CliSession,
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
        ids, by=session.new_change_context(), before=before, after=after, under=under, top=top
    )
    if as_json:
        print_tasks_json(tasks)
        return
    store = session.store.tasks
    where = " to the top" if top else ""
    for word, other in (("under", under), ("before", before), ("after", after)):
        where += "" if other is None else f" {word} {task_label(store.get(other))}"
    for task in tasks:
        print_result(f"Moved {task_label(task)}{where}")
