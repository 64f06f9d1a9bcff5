"""One task in full, a line for each thing that is known of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from todo_tui.cli.output import say
from todo_tui.cli.sentences import named, repeat_words
from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_text

if TYPE_CHECKING:
    from todo_tui.store.tasks import TaskStore

_LABEL_WIDTH = 10

_Fact = tuple[str, str]
"""A label and its text, which may have several lines."""


def print_details(task: Task, tasks: TaskStore, now: datetime, zone: str) -> None:
    """Print what is set; other tasks that it names are given with their titles."""
    say(named(task))
    for label, value in _facts(task, tasks, now, ZoneInfo(zone)):
        first, *others = plain_text(value).split("\n")
        say(f"  {label:<{_LABEL_WIDTH}} {first}")
        for line in others:
            say(f"  {'':<{_LABEL_WIDTH}} {line}")


def _facts(task: Task, tasks: TaskStore, now: datetime, zone: ZoneInfo) -> Iterator[_Fact]:
    yield "status", "in the trash" if task.deleted_at else task.status.value
    yield from _dates(task, now)
    yield from _place(task, tasks)
    if task.notes:
        yield "notes", task.notes
    for remark in task.annotations:
        yield _local(remark.at, zone)[:10], remark.text
    yield "added", _local(task.created_at, zone)
    if task.completed_at is not None:
        yield "completed", _local(task.completed_at, zone)


def _dates(task: Task, now: datetime) -> Iterator[_Fact]:
    if task.due is not None:
        late = f", {due_words(task.due, now)}" if task.is_overdue(now) else ""
        zone = f" {task.due_zone}" if task.due_zone else ""
        yield "due", f"{when_words(task.due, now)}{late} ({task.due.iso()}{zone})"
    if task.start is not None:
        yield "start", when_words(task.start, now)
    if task.recurrence is not None:
        yield "repeats", f"{repeat_words(task)} ({task.recurrence})"


def _place(task: Task, tasks: TaskStore) -> Iterator[_Fact]:
    """Its weight, and what it belongs to."""
    if task.priority is not None:
        yield "priority", task.priority.value
    if task.project is not None:
        yield "project", task.project
    if task.tags:
        yield "tags", ", ".join(task.tags)
    if task.parent is not None:
        yield "part of", named(tasks.get(task.parent))
    for blocker in task.blocked_by:
        yield "waits for", named(tasks.get(blocker))


def _local(instant: datetime, zone: ZoneInfo) -> str:
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M}"
