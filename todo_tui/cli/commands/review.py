"""`review`: a walk through the tasks that need a decision."""

from __future__ import annotations

import shutil
import textwrap
from functools import partial

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import json_option
from todo_tui.cli.output import messages
from todo_tui.cli.session import CliSession
from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.errors import TodoError
from todo_tui.domain.planning import DONE_OF_LATE, REVIEW_ROWS, review_heading
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line, shorten

_ANSWERS = "[d]one, [t]oday, a date, {undate}{skip}[x] delete, [k]eep, [q]uit:"
_CHANGES = {"t": "today", "n": "no date", "s": "skip"}
_LONGEST = 60


@click.command("review", cls=TodoCommand, writes=True)
@json_option
@click.pass_obj
def review(session: CliSession, as_json: bool) -> None:
    """Decide on tasks that slip.

    Walks through overdue, undated, stale and blocked tasks, one question each. Each answer is
    saved at once and can be undone; leave with q at any point. Without a terminal, prints the
    numbers and the tasks.
    """
    store = session.store
    found = [store.tasks.find(store.read_query(row.filter)) for row in REVIEW_ROWS]
    if as_json:
        groups: dict[str, JsonValue] = {
            row.words: [task.to_json() for task in tasks]
            for row, tasks in zip(REVIEW_ROWS, found, strict=True)
        }
        messages.print_json(groups)
        return
    done = store.tasks.count(store.read_query(DONE_OF_LATE))
    heading = review_heading([len(tasks) for tasks in found], done)
    messages.print_result(heading[:1].upper() + heading[1:])
    queue = [task for tasks in found for task in tasks]
    for number, task in enumerate(queue, 1):
        words = messages.describe_task(task, session.clock, store.tasks)
        line, asks = f"{number}/{len(queue)} {words}", messages.is_interactive()
        width = shutil.get_terminal_size().columns
        for part in textwrap.wrap(line, width, break_on_hyphens=False) if asks else [line]:
            messages.print_result(part)
        if asks and not session.is_dry_run and not _decide(session, task):
            return


def _decide(session: CliSession, task: Task) -> bool:
    """Ask until the answer can be carried out; return False to leave the review."""
    while True:
        undate = "[n]o date, " if task.due else ""
        skip = "[s]kip, " if task.recurrence else ""
        typed = messages.ask_line(_ANSWERS.format(undate=undate, skip=skip))
        # Empty where the terminal is closed.
        if typed in ("", "q", "quit", "stop"):
            return False
        if typed in ("k", "keep"):
            return True
        try:
            if _carry_out(session, task, typed):
                return True
        except TodoError as error:
            messages.print_error(error)
            continue
        messages.print_note(f"“{plain_line(shorten(typed, _LONGEST))}” is not an answer.")


def _carry_out(session: CliSession, task: Task, typed: str) -> bool:
    """Carry out an answer as an undo batch of its own; return False if it is none."""
    tasks, by = session.store.tasks, session.new_change_context()
    now = session.clock.now()
    if typed in ("d", "done"):
        complete = partial(tasks.complete, [task.id], by=by)
        if messages.close_with_prompt(lambda chosen: complete(children=chosen), None) is not None:
            messages.print_result(f"Done {messages.task_label(task)}")
        return True
    if typed in ("x", "delete"):
        tasks.delete([task.id], by=by)
        messages.print_result(f"Deleted {messages.task_label(task)}")
        return True
    words = read_change_words(_CHANGES.get(typed, typed), now, session.settings.dates)
    if not words.changes_something:
        return False
    changed = messages.close_with_prompt(
        lambda chosen: tasks.change([task.id], words, by=by, children=chosen), None
    )
    for each in changed or ():
        messages.print_result(messages.describe_task(each, session.clock, session.store.tasks))
    return True
