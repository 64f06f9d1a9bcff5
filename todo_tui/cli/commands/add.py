"""`todo-tui add`: quick add, without a model."""

from collections.abc import Iterator, Sequence

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.completers import complete_signs
from todo_tui.cli.field_options import NEW_TASK_OPTIONS, OptionValues, parse_names, read_fields
from todo_tui.cli.files import read_text
from todo_tui.cli.options import TEXT, json_option
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.change_words.quick_add import read_quick_add, split_task_lines
from todo_tui.domain.dates.reader import DateContext
from todo_tui.domain.dates.text import notes_beside
from todo_tui.domain.errors import Conflict, NotFound, ValidationError
from todo_tui.domain.task import Task, TaskFields

_LARGEST = 10_000_000
"""Bytes that are read from standard input."""


@click.command("add", cls=TodoCommand, writes_tasks=True, params=NEW_TASK_OPTIONS, free_words=True)
@click.argument("text", nargs=-1, type=TEXT, required=True, shell_complete=complete_signs)
@click.option("--words-only", is_flag=True, help="Use all words as the title.")
@json_option
@click.pass_obj
def add(
    session: CliSession,
    /,
    text: tuple[str, ...],
    words_only: bool,
    as_json: bool,
    **options: str | tuple[str, ...] | None,
) -> None:
    """Add a task in one line, without a model.

    Dates, recurrence, #project, @tag, !priority, under #12 and after #3 can go anywhere:
    todo-tui add 'pay rent every month on the 1st !high #home'. Text in double quotes inside
    the line becomes part of the title. An option replaces what the line says. `-` reads
    standard input, one task a line, and adds all of them or none.
    """
    if text == ("-",):
        tasks = _add_lines(session, read_text(None, largest=_LARGEST), words_only, options)
    else:
        line = " ".join(text).strip()
        if not line:
            raise click.UsageError("Title missing. Example: todo-tui add buy milk tomorrow 5pm")
        fields, notes = _read_line(session, line, words_only, options)
        tasks = (session.store.tasks.add(fields, by=session.new_change_context()),)
        shown = [messages.describe_task(task, session.clock, session.store.tasks) for task in tasks]
        for note in notes_beside(() if as_json else shown, notes):
            messages.print_reading_note(note)
    if as_json:
        messages.print_tasks_json(tasks)
        return
    for task in tasks:
        messages.print_result(
            f"Added {messages.describe_task(task, session.clock, session.store.tasks)}"
        )


def _read_line(
    session: CliSession, line: str, words_only: bool, options: OptionValues
) -> tuple[TaskFields, Sequence[str]]:
    """Return the fields of a line and the options, and notes on how they were read."""
    now, style = session.clock.now(), session.settings.dates
    understood = read_quick_add(line, now, style, words_only=words_only)
    fields, notes = understood.task_fields(), understood.notes
    if any(value not in (None, ()) for value in options.values()):
        instant = session.clock.utc()
        draft = Task(0, "", created_at=instant, updated_at=instant, **fields)
        option_fields, more_notes = read_fields(options, draft, DateContext(now, style))
        added_tags = [tag for names in options["tag"] or () for tag in parse_names(names)]
        fields |= option_fields
        fields["tags"] = (*understood.tags, *added_tags)
        fields["blocked_by"] = tuple(
            dict.fromkeys((*understood.blocked_by, *option_fields.get("blocked_by", ())))
        )
        # A note on the line's date is pointless if an option replaces it.
        notes = more_notes if "due" in option_fields else notes + more_notes
    return fields, notes


def _add_lines(
    session: CliSession, text: str, words_only: bool, options: OptionValues
) -> tuple[Task, ...]:
    """Add one task a line, in one transaction; skip bullets and blank lines.

    Raises:
        ValidationError: names the line that cannot be added; no line was.
    """
    number = 0
    lines: list[tuple[int, TaskFields]] = []
    notes: list[str] = []

    def fields_in_order() -> Iterator[TaskFields]:
        nonlocal number
        for number, fields in lines:  # noqa: B007 - names the line of an error
            yield fields

    try:
        for number, line in enumerate(text.split("\n"), 1):
            for task_line in split_task_lines(line):
                fields, line_notes = _read_line(session, task_line, words_only, options)
                lines.append((number, fields))
                notes += [f"line {number}: {note}" for note in line_notes]
        if not lines:
            raise click.UsageError("Standard input has no tasks. Write one task a line.")
        tasks = session.store.tasks.add_many(fields_in_order(), by=session.new_change_context())
    except (ValidationError, NotFound, Conflict) as error:
        place = f"Line {number}: {error.message} Nothing was added."
        raise ValidationError(place, hint=error.hint) from error
    for note in notes:
        messages.print_reading_note(note)
    return tasks
