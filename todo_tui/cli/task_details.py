"""One task in full, a line for each thing that is known of it, and what is below it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from todo_tui.cli.output import say
from todo_tui.cli.sentences import days_words, named, repeat_words, state
from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_text
from todo_tui.domain.when import When

if TYPE_CHECKING:
    from todo_tui.store.results import Descendant
    from todo_tui.store.tasks import TaskStore

_LABEL_WIDTH = 10
_DATES = 3
"""Dates after the present one that are shown of a repeating task."""

_INDENTED = 20
"""Levels of subtasks up to which each is indented more."""

_Fact = tuple[str, str]
"""A label and its text, which may have several lines."""


def print_details(task: Task, tasks: TaskStore, now: datetime, zone: str) -> None:
    """Print what is set; other tasks that it names are given with their titles."""
    say(named(task))
    for label, value in _facts(task, tasks, now, zone):
        first, *others = plain_text(value).split("\n")
        say(f"  {label:<{_LABEL_WIDTH}} {first}")
        for line in others:
            say(f"  {'':<{_LABEL_WIDTH}} {line}")


def _facts(task: Task, tasks: TaskStore, now: datetime, zone: str) -> Iterator[_Fact]:
    here = ZoneInfo(zone)
    yield "status", "in the trash" if task.deleted_at else task.status.value
    yield from _dates(task, now, zone)
    yield from _place(task)
    yield from _relatives(task, tasks)
    if task.notes:
        yield "notes", task.notes
    for number, remark in enumerate(task.annotations, start=1):
        yield f"remark {number}", f"{_local(remark.at, here)[:10]} {remark.text}"
    yield "added", _local(task.created_at, here)
    if task.completed_at is not None:
        yield "completed", _local(task.completed_at, here)
    below = tasks.subtree(task.id)
    if below:
        progress = tasks.standing([task.id])[task.id].progress
        done = f"{progress.done:,} of {progress.total:,} done" if progress else ""
        yield "subtasks", "\n".join([done, *map(_branch, below)])


def _dates(task: Task, now: datetime, zone: str) -> Iterator[_Fact]:
    if task.due is not None:
        late = f", {due_words(task.due, now)}" if task.is_overdue(now) else ""
        its_zone = f" {task.due_zone}" if task.due_zone else ""
        yield "due", f"{when_words(task.due, now)}{late} ({task.due.iso()}{its_zone})"
    if task.start is not None:
        yield "start", when_words(task.start, now)
    if task.recurrence is not None:
        yield "repeats", f"{repeat_words(task)} ({task.recurrence})"
        if task.is_open:
            yield "then", days_words(_later(task, now, zone), now) or "no more: this is the last"


def _later(task: Task, now: datetime, zone: str) -> list[When]:
    """The dates after the present one, if it is done now and those on their day."""
    from todo_tui.domain.coming import Recurrence, dates_after
    from todo_tui.domain.zones import living_zone

    rhythm = Recurrence(task.recurrence or "", task.repeat_from)
    due = When(now.date()) if task.due is None else task.due
    moment = now.replace(tzinfo=ZoneInfo(zone))
    return dates_after(rhythm, due, moment, _DATES, living_zone(task.due_zone, zone))


def _place(task: Task) -> Iterator[_Fact]:
    if task.priority is not None:
        yield "priority", task.priority.value
    if task.project is not None:
        yield "project", task.project
    if task.tags:
        yield "tags", ", ".join(task.tags)


def _relatives(task: Task, tasks: TaskStore) -> Iterator[_Fact]:
    """What it is a part of, what it waits for, and what waits for it."""
    if task.parent is not None:
        yield "part of", named(tasks.get(task.parent))
    for blocker in map(tasks.get, task.blocked_by):
        done = "" if blocker.is_open else ", no longer in the way"
        yield "waits for", f"{named(blocker)}{done}"
    for waiting in tasks.waiting_for(task.id):
        yield "holds up", named(waiting)


def _branch(descendant: Descendant) -> str:
    """`  ✓ #3 Socks`, indented by its depth."""
    depth, task = descendant.depth, descendant.task
    indent = "  " * (min(depth, _INDENTED) - 1)
    level = f"({depth}) " if depth > _INDENTED else ""
    return f"{indent}{level}{state(task)} {named(task)}"


def _local(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M}"
