"""`todo-tui add`: quick add, without a model."""

import click

from todo_tui.cli.field_options import NEW_TASK_OPTIONS, parse_names, read_fields
from todo_tui.cli.options import command, complete_with, join_words, json_option
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.change_words.quick_add import read_quick_add
from todo_tui.domain.dates.reader import DateContext
from todo_tui.domain.task import Task


@command("add", params=NEW_TASK_OPTIONS, free_words=True)
@click.argument("text", nargs=-1, required=True, shell_complete=complete_with("signs"))
@click.option("--words-only", is_flag=True, help="Use all words as the title.")
@json_option
def add(
    session: CliSession,
    text: tuple[str, ...],
    words_only: bool,
    as_json: bool,
    **options: str | tuple[str, ...] | None,
) -> None:
    """Add a task in one line, without a model.

    Dates, recurrence, #project, @tag, !priority, under #12 and after #3 can go anywhere:
    todo-tui add 'pay rent every month on the 1st !high #home'. Text in double quotes inside
    the line becomes part of the title. An option replaces what the line says.
    """
    words = join_words(text)
    if not words:
        raise click.UsageError("Title missing. Example: todo-tui add buy milk tomorrow 5pm")
    now, style = session.clock.now(), session.settings.dates
    understood = read_quick_add(words, now, style, words_only=words_only)
    fields, notes = understood.task_fields(), understood.notes
    if any(value not in (None, ()) for value in options.values()):
        instant = session.clock.utc()
        draft = Task(0, "", created_at=instant, updated_at=instant, **fields)
        read, more_notes = read_fields(options, draft, DateContext(now, style))
        added_tags = [tag for names in options["tag"] or () for tag in parse_names(names)]
        fields |= read
        fields["tags"] = (*understood.tags, *added_tags)
        fields["blocked_by"] = tuple(
            dict.fromkeys((*understood.blocked_by, *read.get("blocked_by", ())))
        )
        # The line's date is replaced, so how it was read does not matter.
        notes = more_notes if "due" in read else notes + more_notes
    task = session.store.tasks.add(fields, by=session.new_change_context())
    for said in notes:
        messages.print_reading_note(said)
    if as_json:
        messages.print_tasks_json([task])
    else:
        messages.print_result(f"Added {messages.describe_task(task, now)}")
