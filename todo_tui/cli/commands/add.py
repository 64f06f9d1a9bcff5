"""`todo-tui add`: quick add, without a model."""

import click

from todo_tui.cli.options import TaskId, command, join_words, json_option, option_text
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.change_words.quick_add import read_quick_add


@command("add", free_words=True)
@click.argument("text", nargs=-1, required=True)
@click.option("--parent", metavar="ID", type=TaskId(), help="The parent task.")
@click.option(
    "--blocked-by",
    metavar="ID",
    type=TaskId(),
    multiple=True,
    help="Add a blocking task (repeatable).",
)
@click.option("--notes", metavar="TEXT", callback=option_text, help="Notes, in Markdown.")
@click.option("--words-only", is_flag=True, help="Use all words as the title.")
@json_option
def add(
    session: CliSession,
    text: tuple[str, ...],
    parent: int | None,
    blocked_by: tuple[int, ...],
    notes: str | None,
    words_only: bool,
    as_json: bool,
) -> None:
    """Add a task in one line, without a model.

    Dates, recurrence, #project, @tag, !priority, under #12 and after #3 can go anywhere:
    todo-tui add "pay rent every month on the 1st !high #home". Text in quotes inside the
    line becomes part of the title.
    """
    words = join_words(text)
    if not words:
        raise click.UsageError("Title missing. Example: todo-tui add buy milk tomorrow 5pm")
    now = session.clock.now()
    understood = read_quick_add(words, now, session.settings.dates, words_only=words_only)
    fields = understood.task_fields()
    fields["notes"] = notes or ""
    if parent is not None:
        fields["parent"] = parent
    fields["blocked_by"] = tuple(dict.fromkeys((*understood.blocked_by, *blocked_by)))
    task = session.store.tasks.add(fields, by=session.new_change_context())
    for said in understood.notes:
        messages.print_reading_note(said)
    if as_json:
        messages.print_tasks_json([task])
    else:
        messages.print_result(f"Added {messages.describe_task(task, now)}")
