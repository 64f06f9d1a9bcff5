"""`edit`, `move` and `annotate`."""

import re

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.completers import complete_signs
from todo_tui.cli.field_options import (
    FIELD_OPTIONS,
    OptionValues,
    parse_ids,
    parse_names,
    read_fields,
)
from todo_tui.cli.options import (
    Targets,
    TaskId,
    children_options,
    find_id,
    find_ids,
    json_option,
    target_argument,
    targets_argument,
    text_argument,
)
from todo_tui.cli.output import messages
from todo_tui.cli.task_scope import TaskScope
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.change_words.reader import ChangeWords, require_change_words
from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.task import Annotation, Task

_PLACE = re.compile(r"(before|after)\s+(\S+)", re.IGNORECASE)


@click.command("annotate", cls=TodoCommand, writes_tasks=True, free_words=True)
@target_argument()
@text_argument("text", "TEXT")
@click.option("--edit", "edited", metavar="N", type=int, help="Replace annotation N.")
@click.option("--remove", "removed", metavar="N", type=int, help="Delete annotation N.")
@json_option
@click.pass_obj
def annotate(
    session: CliSession,
    target: Targets,
    text: str,
    edited: int | None,
    removed: int | None,
    as_json: bool,
) -> None:
    """Add an annotation to a task. `todo-tui show` lists their numbers."""
    if edited is not None and removed is not None:
        raise click.UsageError("Use either --edit or --remove.")
    if bool(text) is (removed is not None):
        raise click.UsageError(
            "Annotation text missing. Type the text, or delete one with --remove N."
        )
    store = session.store.tasks
    task_id = find_id(session, target)
    number = removed if edited is None else edited
    remark = None if number is None else _find_annotation(store.get(task_id), number)
    context = session.new_change_context()
    task = store.annotate(task_id, text or None, present=remark, by=context)
    message = f"Deleted annotation of {messages.task_label(task)}"
    if text:
        verb = "Annotated" if edited is None else "Edited annotation of"
        message = f"{verb} {messages.task_label(task)}: {text}"
    messages.print_tasks([task], lambda task: message, as_json=as_json)


def _find_annotation(task: Task, number: int) -> Annotation:
    if not 1 <= number <= len(task.annotations):
        hint = f"List annotations with: todo-tui show {task.id}"
        raise NotFound(f"{messages.task_label(task)} has no annotation {number}.", hint=hint)
    return task.annotations[number - 1]


@click.command("edit", cls=TodoCommand, writes_tasks=True, params=FIELD_OPTIONS, free_words=True)
@target_argument()
@text_argument("text", "WORDS", complete_signs)
@children_options
@json_option
@click.pass_obj
def edit(
    session: CliSession,
    /,
    target: Targets,
    text: str,
    children: str | None,
    as_json: bool,
    **options: str | tuple[str, ...] | None,
) -> None:
    """Edit a task. `none` clears a field.

    Type changes as in the app: todo-tui edit 12 'friday 9am !high -@old',
    or use options: --due "next friday 9am".
    """
    has_options = any(value not in (None, ()) for value in options.values())
    if not (text or has_options):
        raise click.UsageError('Nothing to change. Example: --due "friday 5pm".')
    now, style, store = session.clock.now(), session.settings.dates, session.store.tasks
    words = require_change_words(text, now, style)
    if words.skip and has_options:
        raise click.UsageError("“skip” cannot be combined with other changes.")
    task = store.get(find_id(session, target))
    fields, notes = read_fields(options, task, words.context)
    before, after = _place(session, options["position"], task)
    words = _with_single_options(words, options)
    changed = {task.id: task}
    store.subscribe(
        lambda changes: changed.update({change.task.id: change.task for change in changes})
    )
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
    for note in (*words.resolve(task)[1], *notes):
        messages.print_reading_note(note)
    messages.print_tasks(
        changed.values(),
        lambda task: messages.describe_task(task, session.clock, session.store.tasks),
        as_json=as_json,
    )
    if not as_json:
        messages.print_missed_hint(changed[task.id], now, session.settings.zone)


def _place(
    session: CliSession, text: str | tuple[str, ...] | None, task: Task
) -> tuple[int | None, int | None]:
    """Return the ids before and after which to place a task: `before 3`, `after #3`, or neither."""
    if not isinstance(text, str):
        return None, None
    match = _PLACE.fullmatch(text.strip())
    ids = parse_ids(match[2]) if match else ()
    if match is None or len(ids) != 1:
        raise ValidationError(f"“{text}” is not a position.", hint="Use “before 3” or “after 3”.")
    if ids[0] == task.id:
        raise ValidationError(f"Task #{task.id} cannot be moved next to itself.")
    session.store.tasks.get(ids[0])
    return (ids[0], None) if match[1].lower() == "before" else (None, ids[0])


def _with_single_options(words: ChangeWords, options: OptionValues) -> ChangeWords:
    """Return the change words with the tags and blockers that options add or remove."""
    add_blockers, remove_blockers = (
        parse_ids(" ".join(options[name])) for name in ("add_blocker", "remove_blocker")
    )
    add_tags, remove_tags = (
        [name for text in options[option] for name in parse_names(text)]
        for option in ("add_tag", "remove_tag")
    )
    return words._replace(
        add_tags=(*words.add_tags, *add_tags),
        remove_tags=(*words.remove_tags, *remove_tags),
        add_blockers=(*words.add_blockers, *add_blockers),
        remove_blockers=(*words.remove_blockers, *remove_blockers),
    )


@click.command("move", cls=TodoCommand, writes_tasks=True, free_words=True)
@targets_argument(TaskScope.KEPT)
@click.option("--before", metavar="ID", type=TaskId(), help="Place before this task.")
@click.option("--after", metavar="ID", type=TaskId(), help="Place after this task.")
@click.option("--under", metavar="ID", type=TaskId(), help="Make a subtask of this task.")
@click.option("--top", is_flag=True, help="Make top-level.")
@json_option
@click.pass_obj
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
    ids = find_ids(session, targets)
    tasks = store.move(
        ids, by=session.new_change_context(), before=before, after=after, under=under, top=top
    )
    where = " to the top level" if top else ""
    for word, other in (("under", under), ("before", before), ("after", after)):
        where += "" if other is None else f" {word} {messages.task_label(store.get(other))}"
    messages.print_tasks(
        tasks, lambda task: f"Moved {messages.task_label(task)}{where}", as_json=as_json
    )
