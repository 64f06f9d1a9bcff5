"""`review`: a walk through the tasks that need a decision."""

from __future__ import annotations

import shutil
import textwrap
from functools import partial
from typing import NamedTuple

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.options import json_option
from todo_tui.cli.output import messages
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.change_words.reader import read_change_words
from todo_tui.domain.errors import TodoError
from todo_tui.domain.planning import DONE_OF_LATE, REVIEW_ROWS, review_heading
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line, shorten


class _Answer(NamedTuple):
    """An answer, what it does, its change words, and the field without which it is not offered."""

    label: str
    about: str
    changes: str = ""
    needs: str = ""

    @property
    def letter(self) -> str:
        """Return the letter in brackets; a date has none."""
        return self.label.partition("[")[2][:1]


_ANSWERS = (
    _Answer("[d]one", "complete the task"),
    _Answer("[t]oday", "set the due date to today", "today"),
    _Answer("a date", "set a due date: friday, next week, 2 dec 9am"),
    _Answer("[n]o date", "remove the due date", "no date", "due"),
    _Answer("[s]kip", "skip to the next occurrence", "skip", "recurrence"),
    _Answer("[x] delete", "move the task to the trash"),
    _Answer("[k]eep", "leave the task as it is"),
    _Answer("[q]uit", "end the review; your answers are saved"),
)
_LABEL_WIDTH = 11
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
        offered = [each for each in _ANSWERS if not each.needs or getattr(task, each.needs)]
        typed = messages.ask_line(f"{', '.join(each.label for each in offered)}, [?] help:")
        # Empty where the terminal is closed.
        if typed in ("", "q", "quit", "stop"):
            return False
        if typed in ("k", "keep"):
            return True
        if typed in ("?", "h", "help"):
            for each in offered:
                messages.print_note(f"  {each.label:<{_LABEL_WIDTH}} {each.about}")
            continue
        changes = {each.letter: each.changes for each in offered if each.changes}
        try:
            if _carry_out(session, task, changes.get(typed, typed)):
                return True
        except TodoError as error:
            messages.print_error(error)
            continue
        quoted = plain_line(shorten(typed, _LONGEST))
        messages.print_note(f"“{quoted}” is not an answer. Type ? for help.")


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
    words = read_change_words(typed, now, session.settings.dates)
    if not words.changes_something:
        return False
    changed = messages.close_with_prompt(
        lambda chosen: tasks.change([task.id], words, by=by, children=chosen), None
    )
    for each in changed or ():
        messages.print_result(messages.describe_task(each, session.clock, session.store.tasks))
    return True
