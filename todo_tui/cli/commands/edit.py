"""`edit`, `move` and `annotate`, and the field options."""

import re
from dataclasses import replace
from typing import Any, cast

import click

from todo_tui.cli.options import (
    Targets,
    TaskId,
    TaskScope,
    children_options,
    command,
    find_id,
    find_ids,
    join_words,
    json_option,
    option_text,
    target_argument,
    targets_argument,
)
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.change_words.quick_add import Schedule
from todo_tui.domain.change_words.reader import ISO_DAY, ChangeWords, require_change_words
from todo_tui.domain.dates.moments import DatePhrase
from todo_tui.domain.dates.reader import DateContext, parse_date
from todo_tui.domain.errors import DateNotUnderstood, NotFound, ValidationError
from todo_tui.domain.recurrence.reader import parse_recurrence
from todo_tui.domain.task import Annotation, Priority, RepeatFrom, Status, Task, TaskFields
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When

_TASK_ID = re.compile(r"#?([0-9]{1,18})")
_PLACE = re.compile(r"(before|after)\s+(\S+)", re.IGNORECASE)
_Words = dict[str, Any]
"""The options of `edit` as typed: text, or several texts; None and empty change nothing."""


@command("annotate", free_words=True)
@target_argument
@click.argument("text", nargs=-1)
@click.option("--edit", "edited", metavar="N", type=int, help="Replace annotation N.")
@click.option("--remove", "removed", metavar="N", type=int, help="Delete annotation N.")
@json_option
def annotate(
    session: CliSession,
    target: int | str,
    text: tuple[str, ...],
    edited: int | None,
    removed: int | None,
    as_json: bool,
) -> None:
    """Add an annotation to a task. `todo-tui show` lists their numbers."""
    words = join_words(text)
    if edited is not None and removed is not None:
        raise click.UsageError("Use either --edit or --remove.")
    if bool(words) is (removed is not None):
        raise click.UsageError(
            "Annotation text missing. Type the text, or delete one with --remove N."
        )
    store = session.store.tasks
    task_id = find_id(session, target, TaskScope.ANY)
    number = removed if edited is None else edited
    remark = None if number is None else _find_annotation(store.get(task_id), number)
    context = session.new_change_context()
    task = store.annotate(task_id, words or None, present=remark, by=context)
    said = f"Deleted annotation of {messages.task_label(task)}"
    if words:
        what = "Annotated" if edited is None else "Edited annotation of"
        said = f"{what} {messages.task_label(task)}: {words}"
    messages.print_tasks([task], lambda task: said, as_json=as_json)


def _find_annotation(task: Task, number: int) -> Annotation:
    if not 1 <= number <= len(task.annotations):
        hint = f"List annotations with: todo-tui show {task.id}"
        raise NotFound(f"{messages.task_label(task)} has no annotation {number}.", hint=hint)
    return task.annotations[number - 1]


def _worded(name: str, metavar: str, text: str, *also: str, multiple: bool = False) -> click.Option:
    return click.Option(
        [name, *also], metavar=metavar, help=text, callback=option_text, multiple=multiple
    )


def _several(name: str, metavar: str, text: str) -> click.Option:
    return _worded(name, metavar, text, multiple=True)


def _one_of(name: str, choices: tuple[str, ...], text: str) -> click.Option:
    return click.Option([name], type=click.Choice(choices, case_sensitive=False), help=text)


FIELD_OPTIONS: list[click.Parameter] = [
    _worded("--title", "TEXT", "Title."),
    _worded("--due", "WHEN", "Due date: tomorrow 5pm, 1 week later."),
    _worded("--start", "WHEN", "Start date; the task is hidden until then."),
    _one_of("--priority", ("high", "medium", "low", "none"), "Priority."),
    _worded("--project", "NAME", "Project; use dots for subprojects."),
    _worded("--tags", "NAMES", "Replace all tags (comma-separated)."),
    _several("--add-tag", "NAME", "Add a tag."),
    _several("--remove-tag", "NAME", "Remove a tag."),
    _worded("--notes", "TEXT", "Replace notes; start with `+ ` to append."),
    _worded("--annotate", "TEXT", "Add an annotation."),
    _worded("--repeat", "HOW", "Recurrence: every monday, every 2 weeks.", "--recurrence"),
    _one_of("--repeat-from", tuple(RepeatFrom), "Date that the next occurrence is counted from."),
    _one_of("--status", tuple(Status), "Status."),
    _worded("--parent", "ID", "Parent task."),
    _several("--blocked-by", "ID", "Replace all blocking tasks."),
    _several("--add-blocker", "ID", "Add a blocking task."),
    _several("--remove-blocker", "ID", "Remove a blocking task."),
    _worded("--position", "PLACE", "Manual order: before 3, after 3."),
    _worded("--due-zone", "ZONE", "Time zone of the due time, for example Europe/Berlin."),
    _worded("--start-zone", "ZONE", "Time zone of the start time."),
]


@command("edit", params=FIELD_OPTIONS, free_words=True)
@target_argument
@click.argument("text", metavar="[WORDS]...", nargs=-1)
@children_options
@json_option
def edit(
    session: CliSession,
    target: int | str,
    text: tuple[str, ...],
    children: str | None,
    as_json: bool,
    **options: str | tuple[str, ...] | None,
) -> None:
    """Edit a task. `none` clears a field.

    Type changes as in the app: todo-tui edit 12 friday 9am !high -@old,
    or use options: --due "next friday 9am".
    """
    has_options = any(value not in (None, ()) for value in options.values())
    if not (text or has_options):
        raise click.UsageError('Nothing to change. Example: --due "friday 5pm".')
    now, style, store = session.clock.now(), session.settings.dates, session.store.tasks
    words = require_change_words(join_words(text), now, style)
    if words.skip and has_options:
        raise click.UsageError("“skip” cannot be combined with other changes.")
    task = store.get(find_id(session, target, TaskScope.ANY))
    fields, notes = _read(options, task, words.context)
    before, after = _place(session, options["position"], task)
    words = _with_single_options(words, options)
    changed = {task.id: task}
    store.subscribe(lambda changes: changed.update({each.task.id: each.task for each in changes}))
    context = session.new_change_context()
    updated = messages.close_with_prompt(
        lambda chosen: store.change(
            [task.id], words, by=context, children=chosen, more=lambda _task: fields
        ),
        children,
    )
    if updated is None:
        return
    if isinstance(options["annotate"], str):
        store.annotate(task.id, options["annotate"], by=context)
    if before is not None or after is not None:
        store.move([task.id], by=context, before=before, after=after)
    for said in (*words.notes, *notes):
        messages.print_reading_note(said)
    messages.print_tasks(
        changed.values(), lambda task: messages.describe_task(task, now), as_json=as_json
    )
    if not as_json:
        messages.print_missed_hint(changed[task.id], now, session.settings.zone)


def _read(words: _Words, task: Task, context: DateContext) -> tuple[TaskFields, tuple[str, ...]]:
    """Read the options into fields and notes, and refuse what would come to nothing.

    Dates may be relative to the present ones.

    Raises:
        ValidationError: Names the words that were not understood.
    """
    fields, notes = _read_schedule(words, task, context)
    plain = {
        name: convert(words[name])
        for name, convert in (
            ("priority", lambda text: None if _means_none(text) else Priority(text)),
            (
                "project",
                lambda text: None if _means_none(text) else text.strip().lstrip("#").strip(),
            ),
            ("notes", lambda text: _notes(text, task.notes)),
            ("title", str),
            ("tags", _parse_names),
            ("repeat_from", RepeatFrom),
            ("status", Status),
            ("due_zone", str),
            ("start_zone", str),
            ("parent", lambda text: next(iter(_parse_ids(text)), None)),
        )
        if words[name] is not None
    }
    fields |= cast(TaskFields, plain)
    if words["blocked_by"]:
        fields["blocked_by"] = _parse_ids(" ".join(words["blocked_by"]))
    if words["annotate"] is not None and not plain_text(words["annotate"]).strip():
        raise ValidationError("An annotation needs text.")
    for option, zone, when in (
        ("--due", words["due_zone"], fields.get("due", task.due)),
        ("--start", words["start_zone"], fields.get("start", task.start)),
    ):
        if zone and (when is None or when.at is None):
            raise ValidationError(
                f"{option}-zone needs a time of day.",
                hint=f'Add a time, for example {option} "friday 5pm".',
            )
    return fields, notes


def _read_schedule(
    words: _Words, task: Task, context: DateContext
) -> tuple[TaskFields, tuple[str, ...]]:
    """Read dates and recurrence, and notes on how ambiguous words were understood."""
    fields, notes = TaskFields(), tuple[str, ...]()
    for name in ("due", "repeat", "start"):
        text = words[name]
        if text is None:
            continue
        if _means_none(text):
            fields |= cast(TaskFields, {"recurrence" if name == "repeat" else name: None})
            continue
        due = fields.get("due")
        read, said = _parse_schedule(name, text).resolve(
            context, replace(task, due=due) if due else task, keeps_time=not ISO_DAY.search(text)
        )
        if name == "repeat" and due is not None and read["due"] is not None:
            # A date of its own stays, also where it is no occurrence.
            read["due"] = When(due.day, due.at or read["due"].at)
        fields |= read
        notes += said
    return fields, notes


def _parse_schedule(name: str, words: str) -> Schedule:
    """Parse one option; `--due "every monday 8pm"` sets both date and recurrence."""
    if name == "start":
        return Schedule(start=parse_date(words))
    if name == "repeat":
        return Schedule(repeat=parse_recurrence(words))
    try:
        return Schedule(DatePhrase(parse_date(words)))
    except DateNotUnderstood as not_a_date:
        try:
            return Schedule(repeat=parse_recurrence(words))
        except DateNotUnderstood:
            raise not_a_date from None


def _means_none(given: str) -> bool:
    return given.strip().lower() in ("", "none")


def _notes(given: str, present: str) -> str:
    """Return notes that replace the present ones; `+ ` in front adds a line."""
    if given.startswith("+ "):
        return "\n".join(part for part in (present, given[2:].strip()) if part)
    return "" if _means_none(given) else given.strip()


def _parse_names(text: str) -> tuple[str, ...]:
    """Split at commas, else at blanks."""
    if _means_none(text):
        return ()
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


def _parse_ids(text: str) -> tuple[int, ...]:
    """Read the ids in `#3, 4`.

    Raises:
        ValidationError: there is something else in it.
    """
    if _means_none(text):
        return ()
    found: list[int] = []
    for word in text.replace(",", " ").split():
        match = _TASK_ID.fullmatch(word)
        if match is None and word.lstrip("#").isdigit():
            raise NotFound(f"There is no task {word[:20]}.")
        if match is None:
            raise ValidationError(f"“{word}” is not a task id.", hint="Use an id such as 3 or #3.")
        found.append(int(match[1]))
    return tuple(found)


def _place(
    session: CliSession, text: str | tuple[str, ...] | None, task: Task
) -> tuple[int | None, int | None]:
    """Read `before 3` or `after #3`, and check that it exists; both ids are None without it."""
    if not isinstance(text, str):
        return None, None
    match = _PLACE.fullmatch(text.strip())
    ids = _parse_ids(match[2]) if match else ()
    if match is None or len(ids) != 1:
        raise ValidationError(f"“{text}” is not a position.", hint="Use “before 3” or “after 3”.")
    if ids[0] == task.id:
        raise ValidationError(f"Task #{task.id} cannot be moved next to itself.")
    session.store.tasks.get(ids[0])
    return (ids[0], None) if match[1].lower() == "before" else (None, ids[0])


def _with_single_options(words: ChangeWords, options: _Words) -> ChangeWords:
    """Add the tags and blockers that options add or remove one by one."""
    add_blockers, remove_blockers = (
        _parse_ids(" ".join(options[name])) for name in ("add_blocker", "remove_blocker")
    )
    add_tags, remove_tags = (
        [name for text in options[option] for name in _parse_names(text)]
        for option in ("add_tag", "remove_tag")
    )
    return words._replace(
        add_tags=(*words.add_tags, *add_tags),
        remove_tags=(*words.remove_tags, *remove_tags),
        add_blockers=(*words.add_blockers, *add_blockers),
        remove_blockers=(*words.remove_blockers, *remove_blockers),
    )


@command("move", free_words=True)
@targets_argument()
@click.option("--before", metavar="ID", type=TaskId(), help="Place before this task.")
@click.option("--after", metavar="ID", type=TaskId(), help="Place after this task.")
@click.option("--under", metavar="ID", type=TaskId(), help="Make a subtask of this task.")
@click.option("--top", is_flag=True, help="Make top-level.")
@json_option
def move(
    session: CliSession,
    targets: Targets,
    before: int | None,
    after: int | None,
    under: int | None,
    top: bool,
    as_json: bool,
) -> None:
    """Move tasks and their subtasks.

    Manual order applies to tasks that are due at the same time.
    """
    if before is None and after is None and under is None and not top:
        raise click.UsageError("No destination. Use --before, --after, --under or --top.")
    if (before is not None and after is not None) or (under is not None and top):
        raise click.UsageError("These options cannot be combined. Choose one destination.")
    store = session.store.tasks
    ids = find_ids(session, targets, TaskScope.KEPT)
    tasks = store.move(
        ids, by=session.new_change_context(), before=before, after=after, under=under, top=top
    )
    where = " to the top" if top else ""
    for word, other in (("under", under), ("before", before), ("after", after)):
        where += "" if other is None else f" {word} {messages.task_label(store.get(other))}"
    messages.print_tasks(
        tasks, lambda task: f"Moved {messages.task_label(task)}{where}", as_json=as_json
    )
