"""`list` and `show`: tasks for people, or as JSON for programs."""

from __future__ import annotations

import sys

import click

from todo_tui.cli.filters import read_query, what_was_meant
from todo_tui.cli.options import TaskId, TodoCommand, joined, json_option
from todo_tui.cli.output import note, print_json, print_tasks_json
from todo_tui.cli.session import Session
from todo_tui.domain.filter_query import Grouping, Query


@click.command(
    "list",
    cls=TodoCommand,
    context_settings={"ignore_unknown_options": True},
    short_help="List tasks; without words, the open ones.",
)
@click.argument("words", metavar="[FILTER]...", nargs=-1)
@json_option
@click.pass_obj
def list_tasks(session: Session, words: tuple[str, ...], as_json: bool) -> None:
    """List tasks; without words, the open ones.

    All words of the filter must hold: project:work, tag:home, priority:high, today,
    overdue, this week, due.before:friday, done.after:monday, no due, has:notes, under:12,
    id:3,7-9, ready, waiting, blocked, done, all, trash, view:NAME; any other word
    searches. `and`, `or`, `not` and brackets combine; sort:priority,due- and
    group:project order what is shown.
    """
    show_tasks(session, joined(words), as_json=as_json)


def show_tasks(session: Session, text: str, *, as_json: bool) -> None:
    """Print the tasks of a filter, in its order and under its headings.

    Raises:
        Exit: the filter cannot be read, which was complained of.
    """
    query = read_query(session, text)
    if as_json:
        print_tasks_json(session.store.tasks.some(query))
        return
    grouping = query.group or Grouping.NONE
    if grouping is Grouping.NONE and not sys.stdout.isatty():
        _show_in_a_pipe(session, query, text)
        return
    tasks = session.store.tasks.some(query)
    if not tasks:
        note(_nothing_found(session, text))
        return
    # Programs, who ask for JSON, do without rich.
    from todo_tui.cli.task_table import TableLook, print_table

    print_table(
        tasks,
        grouping,
        TableLook(
            session.clock.now(),
            session.settings.zone,
            session.store.tasks.blocked_ids(),
            no_color=session.settings.no_color,
        ),
    )


def _show_in_a_pipe(session: Session, query: Query, text: str) -> None:
    tasks = session.store.tasks.listed(query)
    if not tasks:
        note(_nothing_found(session, text))
        return
    # JSON and terminals have their own.
    from todo_tui.cli.plain_list import print_plain

    print_plain(tasks, session.store.tasks.blocked_ids(), session.clock.now())


def _nothing_found(session: Session, text: str) -> str:
    """Why there is nothing to see, and what to do about it."""

    def found(words: str) -> int:
        return session.store.tasks.count(session.store.read_query(words))

    if not found("all"):
        return "There are no tasks. Add one: todo-tui add buy milk tomorrow 5pm"
    if text:
        meant = what_was_meant(session, text)
        return f"No task fits “{text}”. {meant or '`todo-tui list all` shows every one.'}"
    waiting = found("waiting")
    if waiting:
        waits = "1 task waits" if waiting == 1 else f"{waiting:,} tasks wait"
        return f"Nothing to do now; {waits} for later: todo-tui list waiting"
    return "Nothing to do. Add something: todo-tui add buy milk tomorrow 5pm"


@click.command("show", cls=TodoCommand, short_help="Show everything about a task.")
@click.argument("task_id", metavar="ID", type=TaskId())
@json_option
@click.pass_obj
def show(session: Session, task_id: int, as_json: bool) -> None:
    """Show everything about a task."""
    task = session.store.tasks.get(task_id)
    if as_json:
        print_json(task.to_json())
    else:
        from todo_tui.cli.task_details import print_details

        print_details(task, session.store.tasks, session.clock.now(), session.settings.zone)
