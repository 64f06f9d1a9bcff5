"""`dump`: many tasks from the editor or standard input, previewed before they are added."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.files import read_text
from todo_tui.cli.options import json_option
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.config.external_editor import SET_EDITOR, find_editor
from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count
from todo_tui.providers.offline.reading.dump import PLAIN, DumpRow, read_rows

_LARGEST = 10_000_000
"""Bytes that are read from standard input."""
_CUT = "-- Write tasks above, one a line or sentence. Close the editor to see a preview. --"


@click.command("dump", cls=TodoCommand, writes_tasks=True)
@click.option("--yes", is_flag=True, help="Add without asking.")
@json_option
@click.pass_obj
def dump(session: CliSession, yes: bool, as_json: bool) -> None:
    """Add many tasks, with a preview first.

    Opens your editor, or reads standard input. Each line, sentence, or thing listed in a
    sentence becomes a task; dates, #project, @tag and ~30m are read as in `todo-tui add`.
    """
    is_typed = sys.stdin.isatty()
    text = "" if is_typed else read_text(None, largest=_LARGEST)
    while True:
        if is_typed:
            text = _edit(text)
        now, style = session.clock.now(), session.settings.dates
        rows = read_rows(text, now, style)
        if not rows:
            messages.print_note("No tasks. Nothing was added.")
            return
        _print_preview(session, rows)
        question = f"Add {format_count(len(rows), 'task')}?"
        if yes or not is_typed:
            if not (yes or messages.confirm(question, "Nothing added.")):
                return
            break
        answer = messages.ask_line(f"{question} [y]es, [e]dit, [N]o:")
        if answer in ("y", "yes"):
            break
        if answer not in ("e", "edit"):
            messages.print_note("Nothing added.")
            return
        text = "\n".join(row.text for row in rows)
    fields = [row.read.task_fields() for row in rows]
    tasks = session.store.tasks.add_many(fields, by=session.new_change_context())
    if as_json:
        messages.print_tasks_json(tasks)
        return
    messages.print_result(f"Added {format_count(len(tasks), 'task')}. Undo with: todo-tui undo")


def _edit(text: str) -> str:
    """Return the text as the user's editor leaves it."""
    editor = shlex.join(find_editor(os.environ))
    try:
        edited = click.edit(f"{text}\n\n{_CUT}\n", editor=editor, extension=".txt") or ""
    except click.ClickException as error:
        raise TodoError(error.message, hint=SET_EDITOR) from error
    return edited.partition(_CUT)[0].strip()


def _print_preview(session: CliSession, rows: Sequence[DumpRow]) -> None:
    """Print what was read of each row; on standard error, since nothing is written yet."""
    instant = session.clock.utc()
    for number, row in enumerate(rows, 1):
        draft = Task(0, "", created_at=instant, updated_at=instant, **row.read.task_fields())
        words = messages.describe_task(draft, session.clock).removeprefix("#0 ")
        plain = f" ({PLAIN})" if row.is_plain else ""
        notes = "".join(f" ({note})" for note in row.read.notes)
        messages.print_note(f"{number:>3}. {words}{plain}{notes}")
