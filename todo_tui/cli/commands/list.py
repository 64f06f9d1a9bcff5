"""`list`, `view` and `show`: tables, plain lists for pipes, details of a task."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from todo_tui.cli.base import TodoCommand
from todo_tui.cli.completers import complete_views
from todo_tui.cli.options import (
    Targets,
    filter_argument,
    find_id,
    json_option,
    target_argument,
    text_argument,
)
from todo_tui.cli.output import messages
from todo_tui.cli.output.alignment import cell_width
from todo_tui.cli.output.task_table import print_tasks
from todo_tui.cli.wiring.session import CliSession
from todo_tui.domain.dates.text import format_due, format_instant, format_when, full_day
from todo_tui.domain.errors import NotFound
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.filters.terms import DayField, Grouping, Query, all_of
from todo_tui.domain.filters.views import BUILT_IN_VIEWS
from todo_tui.domain.filters.vocabulary import Comparison, TokenKind
from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count, plain_line, plain_text
from todo_tui.domain.when import Clock, DateStyle

if TYPE_CHECKING:
    from todo_tui.store.tasks.repository import TaskStore
    from todo_tui.store.tasks.results import Descendant, PlainTaskRow

_FAILED = 1
_LABEL_WIDTH = 10
_MARKDOWN = re.compile(r"[\\*_`#\[<&|~]")
_INDENTED = 20
"""Levels of subtasks up to which each is indented more."""
_Fact = tuple[str, str]
"""A label and its text, which may have several lines; an empty one is not shown."""
_TODAY, _NEXT = BUILT_IN_VIEWS["today"], BUILT_IN_VIEWS["next"]


def read_query(session: CliSession, text: str) -> Query:
    """Return the query of a filter; print a mistake with its place.

    Raises:
        Exit: the filter cannot be read.
    """
    if not text:
        return Query()
    from todo_tui.domain.filters.lexer import FilterProblem  # 5 ms: most lists have no filter

    try:
        return session.store.read_query(text)
    except FilterProblem as problem:
        line, word = plain_line(text), problem.word
        underline = " " * cell_width(line[: problem.position]) + "^" * cell_width(word)
        messages.print_error(problem, place=(line, underline) if word not in ("", line) else ())
        raise click.exceptions.Exit(_FAILED) from problem


@click.command("list", cls=TodoCommand, lists_tasks=True, free_words=True, only_reads=True)
@filter_argument()
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Show at most N tasks.")
@json_option
@click.pass_obj
def list_tasks(session: CliSession, filter_text: str, limit: int | None, as_json: bool) -> None:
    """List tasks. Without a filter, list open tasks.

    Filters: project:work, tag:home, priority:high, today, overdue, this week,
    due.before:friday, done.after:monday, estimate<=30m, no due, has:notes, under:12,
    id:3,7-9, ready, waiting, blocked, done, all, trash, view:NAME. Other words search the
    text of tasks.
    Tasks must match all conditions; combine them with `and`, `or`, `not` and brackets.
    Sort with sort:priority,due- and group with group:project.
    """
    query = _show_tasks(session, filter_text, limit=limit, as_json=as_json)
    if limit is not None and (total := session.store.tasks.count(query)) > limit:
        messages.print_note(f"Showing {limit:,} of {total:,} tasks.")


@click.command("view", cls=TodoCommand, lists_tasks=True, only_reads=True)
@text_argument("name", "NAME", partial(complete_views, built_in=BUILT_IN_VIEWS), required=True)
@json_option
@click.pass_obj
def view(session: CliSession, name: str, as_json: bool) -> None:
    """List the tasks of a view.

    Built-in views: today, upcoming, next, projects, done and trash. A saved view of the same
    name is used first.
    """
    try:
        saved = session.store.views.get(name)
    except NotFound:
        name = name.casefold()
        if name not in BUILT_IN_VIEWS:
            raise
        query = read_query(session, BUILT_IN_VIEWS[name])
        _show_query(session, query, "", as_json=as_json, nothing=_NOTHING_IN_VIEW[name])
        return
    text = saved.filter_text
    nothing = f"No task is in the view “{saved.name}” (filter: {text})."
    _show_query(session, read_query(session, text), text, as_json=as_json, nothing=nothing)


_NOTHING_IN_VIEW = {
    "today": "Nothing is overdue, due today or started.",
    "upcoming": "Nothing is overdue or due later.",
    "next": "No task is actionable now.",
    "projects": "Nothing to do.",
    "done": "No task is done yet.",
    "trash": "The trash is empty.",
}
"""What is said of built-in views without tasks."""


def _list_command(name: str, text: str, summary: str, nothing: str) -> click.Command:
    """Return a command that lists the tasks of a filter; more words narrow it down.

    `nothing` says that the filter alone matches no task.
    """

    @click.command(name, cls=TodoCommand, free_words=True, only_reads=True, help=summary)
    @filter_argument()
    @json_option
    @click.pass_obj
    def list_filtered(session: CliSession, filter_text: str, as_json: bool) -> None:
        typed = read_query(session, filter_text)
        query = session.store.read_query(text)
        query = Query(
            all_of(query.filter, typed.filter) if filter_text else query.filter,
            typed.sort or query.sort,
            typed.group or query.group,
        )
        words = f"{name} {filter_text}" if filter_text else ""
        said = "" if filter_text else nothing
        _show_query(session, query, words, as_json=as_json, nothing=said)

    return list_filtered


today = _list_command(
    "today",
    _TODAY,
    "List tasks overdue, due today or started.",
    _NOTHING_IN_VIEW["today"],
)
tomorrow = _list_command(
    "tomorrow", "due:tomorrow", "List tasks due tomorrow.", "Nothing is due tomorrow."
)
overdue = _list_command("overdue", "overdue", "List overdue tasks.", "Nothing is overdue.")
week = _list_command(
    "week",
    'overdue or due:"this week" group:day',
    "List tasks overdue or due this week, by day.\n\nThis is the calendar week, which begins on the"
    " day of the setting `week_start`. For seven days from today: todo-tui plan week",
    "Nothing is overdue or due this week.",
)
next_tasks = _list_command(
    "next", _NEXT, "List actionable tasks, most urgent first.", _NOTHING_IN_VIEW["next"]
)


def _show_tasks(
    session: CliSession, text: str, *, as_json: bool, limit: int | None = None
) -> Query:
    """Print the first tasks that match a filter; return its query."""
    query = read_query(session, text)
    _show_query(session, query, text, as_json=as_json, limit=limit)
    return query


def _show_query(
    session: CliSession,
    query: Query,
    text: str,
    *,
    as_json: bool,
    limit: int | None = None,
    nothing: str = "",
) -> None:
    store = session.store.tasks
    if as_json:
        messages.print_tasks_json(store.iterate(query, limit=limit))
        return
    rows = store.plain_rows(query, limit)
    if rows:
        groups: list[tuple[str, Sequence[PlainTaskRow]]] = [("", rows)]
        if query.group not in (None, Grouping.NONE):
            by_id = {row.id: row for row in rows}
            groups = [
                (heading.label, [by_id[id] for id in ids if id in by_id])
                for heading, ids in store.listing(query).groups
            ]
        print_tasks(groups, session.clock.now(), blocked=store.blocked_ids())
        return
    messages.print_note(describe_no_tasks(session, text, nothing))


def describe_no_tasks(session: CliSession, text: str, nothing: str = "") -> str:
    """Return that no task matches a filter, with a hint; `nothing` says it in other words."""
    store = session.store
    if not store.tasks.count(store.read_query("all")):
        if trashed := store.tasks.count(store.read_query(BUILT_IN_VIEWS["trash"])):
            return f"No tasks; {trashed:,} in the trash. List the trash with: todo-tui list trash"
        return "No tasks yet. Add a task: todo-tui add buy milk tomorrow 5pm"
    if text:
        from todo_tui.domain.filters.parser import analyse_filter  # 20 ms, with a filter only

        now, style = session.clock.now(), session.settings.dates
        reading = analyse_filter(plain_line(text), now, style, store.filter_names())
        hints = " ".join(dict.fromkeys(doubt.hint for doubt in reading.warnings if doubt.hint))
        if not hints and all(token.kind is TokenKind.SEARCH for token in reading.tokens):
            hints = _day_hint(text, now, style)
        hints = hints or "List all tasks with `todo-tui list all`."
        return f"{nothing or f'No task matches “{text}”.'} {hints}"
    if nothing:
        return nothing
    if waiting := store.tasks.count(store.read_query("waiting")):
        are = format_count(waiting, "task is", "tasks are")
        return f"Nothing to do now; {are} hidden until later. List them with: todo-tui list waiting"
    return "Nothing to do. Add a task: todo-tui add buy milk tomorrow 5pm"


def _day_hint(text: str, now: datetime, style: DateStyle) -> str:
    """Return how to find tasks by the day that a text names, which was searched for as a word."""
    from todo_tui.domain.filters.days import read_days  # 30 ms, where nothing was found

    words = text.lower().removeprefix("on ").split()
    found = read_days(DayField.DUE, Comparison.ITSELF, words, now, style)
    is_day = found is not None and found.words == len(words)
    return f"By due date: todo-tui list due:{' '.join(words)}" if is_day else ""


@click.command("show", cls=TodoCommand, free_words=True, only_reads=True)
@target_argument()
@json_option
@click.pass_obj
def show(session: CliSession, target: Targets, as_json: bool) -> None:
    """Show a task's details."""
    task = session.store.tasks.get(find_id(session, target))
    if as_json:
        messages.print_json(task.to_json())
        return
    messages.print_result(messages.task_label(task))
    for label, value in _facts(task, session.store.tasks, session.clock):
        # Other lines are indented as far as the first one's text.
        for number, line in enumerate(plain_text(value).split("\n") if value else ()):
            messages.print_result(f"  {'' if number else label:<{_LABEL_WIDTH}} {line}")


def _facts(task: Task, tasks: TaskStore, clock: Clock) -> Iterator[_Fact]:
    """Yield the fields of a task; other tasks with their titles."""
    now = clock.now()
    yield "status", "in the trash" if task.deleted_at else task.status.value
    yield from _dates(task, now, clock.zone)
    yield "priority", task.priority or ""
    yield "estimate", format_estimate(task.estimate) if task.estimate else ""
    yield "project", task.project or ""
    yield "tags", ", ".join(task.tags)
    yield from _related_tasks(task, tasks)
    yield "notes", _notes_text(task.notes)
    for number, remark in enumerate(task.annotations, start=1):
        yield f"annotation {number}", f"{format_instant(remark.at, clock)} {remark.text}"
    yield "added", format_instant(task.created_at, clock)
    if task.completed_at is not None:
        yield "completed", format_instant(task.completed_at, clock)
    below = tasks.subtree(task.id)
    if below:
        progress = tasks.dependency_status([task.id])[task.id].progress
        blocked = tasks.blocked_ids()
        done = f"{progress.done:,} of {progress.total:,} done" if progress else ""
        rows = [_branch(each, is_blocked=each.task.id in blocked) for each in below]
        yield "subtasks", "\n".join([done, *rows])


def _notes_text(notes: str) -> str:
    if _MARKDOWN.search(notes) is None:
        return notes
    from todo_tui.cli.output.markdown_text import markdown_to_text  # 30 ms: most notes are plain

    return markdown_to_text(notes)


def _dates(task: Task, now: datetime, zone: str) -> Iterator[_Fact]:
    due = task.due_in(zone)
    if task.due is not None and due is not None:
        day = format_when(due, now)
        late = format_due(due, now) if task.is_overdue(now, zone) else day
        late = f", {late}" if late != day else ""
        full = full_day(due.day, now.date())
        if due == task.due:
            more = " ".join(filter(None, (full, task.due_zone)))
        else:
            there = f"{format_when(task.due, now)} {task.due_zone}"
            more = ", ".join(filter(None, (full, there)))
        more = f" ({more})" if more else ""
        yield "due", f"{day}{late}{more}"
    start = task.start_in(zone)
    yield "start", format_when(start, now) if start else ""
    if task.recurrence is not None:
        from todo_tui.cli.output import recurrence_text  # 9 ms: most tasks do not repeat

        yield "recurrence", recurrence_text.format_recurrence(task.recurrence, task.repeat_from)
        if task.is_open:
            yield "next", recurrence_text.format_later_dates(task, now, zone)


def _related_tasks(task: Task, tasks: TaskStore) -> Iterator[_Fact]:
    if task.parent is not None:
        yield "subtask of", messages.task_label(tasks.get(task.parent))
    for blocker in map(tasks.get, task.blocked_by):
        label = messages.task_label(blocker)
        if blocker.is_open:
            yield "blocked by", label
        else:
            state = "in the trash" if blocker.deleted_at else blocker.status.value
            yield "unblocked", f"{label} is {state}"
    for waiting in tasks.waiting_for(task.id) if task.is_open else ():
        yield "blocking", messages.task_label(waiting)


def _branch(descendant: Descendant, *, is_blocked: bool) -> str:
    """Return `  ✓ #3 Socks`, indented by depth."""
    depth, task = descendant.depth, descendant.task
    indent = "  " * (min(depth, _INDENTED) - 1)
    level = f"({depth}) " if depth > _INDENTED else ""
    sign = messages.BLOCKED_SIGN if is_blocked else messages.STATUS_SIGNS[task.status]
    return f"{indent}{level}{sign} {messages.task_label(task)}"
