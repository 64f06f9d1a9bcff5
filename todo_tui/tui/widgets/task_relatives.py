"""What only the store knows of a task: what hangs on it, and what has happened to it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from textual.content import Content

from todo_tui.domain.date_text import when_words
from todo_tui.domain.errors import NotFound
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.theme import FAINT, MUTED
from todo_tui.tui.widgets.cell_text import clip, steady

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its types alone need no import.
    from todo_tui.store.results import Descendant, PastChange
    from todo_tui.store.tasks import TaskStore

_SUBTASKS = 12
_CHANGES = 4
_DEEPEST = 6
_VALUE = 24
_SILENT = frozenset(("position", "series", "slot", "due_zone", "start_zone"))
_LONG = frozenset(("notes", "annotations", "extra"))
"""Fields of which it is told only that they were changed."""
_NAMES = {"annotations": "remarks", "blocked_by": "waits for", "repeat_from": "repeats from"}
_MARKS = {True: "☐", False: "☑"}


class Relatives(NamedTuple):
    """Other tasks and past changes of one task."""

    parent: Task | None = None
    blockers: tuple[Task, ...] = ()
    waiting: tuple[Task, ...] = ()
    subtasks: tuple[Descendant, ...] = ()
    changes: tuple[PastChange, ...] = ()


def read_relatives(tasks: TaskStore, task: Task) -> Relatives:
    """All of it; takes milliseconds, from any thread.

    Raises:
        StoreError: the file cannot be read.
    """
    try:
        parent = None if task.parent is None else tasks.get(task.parent)
    except NotFound:
        parent = None
    return Relatives(
        parent,
        tasks.rows(task.blocked_by) if task.blocked_by else (),
        tasks.waiting_for(task.id),
        tasks.subtree(task.id),
        tasks.history(task.id),
    )


def relatives_lines(relatives: Relatives, now: datetime, zone: str) -> Iterator[Content]:
    """Where it belongs, what it waits for, what waits for it, its subtasks, its changes."""
    if relatives.parent is not None:
        yield _named("part of", [relatives.parent])
    if relatives.blockers:
        yield _named("waits for", relatives.blockers)
    if relatives.waiting:
        yield _named("waited for by", relatives.waiting)
    yield from _subtasks(relatives.subtasks)
    yield from _changes(relatives.changes, now, zone)


def _named(label: str, tasks: tuple[Task, ...] | list[Task]) -> Content:
    pieces = [Content.styled(f"{label} ", MUTED)]
    for number, task in enumerate(tasks):
        title = f"#{task.id} {_short(task)}"
        pieces += [Content(", ")] if number else []
        pieces.append(Content.styled(title, "" if task.is_open else "strike"))
    return Content("").join(pieces)


def _subtasks(subtasks: tuple[Descendant, ...]) -> Iterator[Content]:
    for depth, task in ((each.depth, each.task) for each in subtasks[:_SUBTASKS]):
        indent = "  " * min(depth, _DEEPEST)
        style = "" if task.is_open else MUTED
        yield Content.styled(f"{indent}{_MARKS[task.is_open]} #{task.id} {_short(task)}", style)
    if len(subtasks) > _SUBTASKS:
        yield Content.styled(f"  and {len(subtasks) - _SUBTASKS:,} more subtasks", MUTED)


def _changes(changes: tuple[PastChange, ...], now: datetime, zone: str) -> Iterator[Content]:
    """The newest changes of fields; a value that fills a book is cut."""
    told = [
        each
        for each in changes
        if each.field and each.field not in _SILENT and not _is_from_the_start(each, changes[0])
    ]
    for change in told[-_CHANGES:][::-1]:
        local = change.at.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
        field = _NAMES.get(change.field or "", change.field)
        is_long = change.field in _LONG
        values = "" if is_long else f": {_value(change.old)} → {_value(change.new)}"
        undone = " (undo)" if change.undoes else ""
        words = f"{when_words(When.of(local), now)} · {change.actor.value} · {field}{values}"
        yield Content.styled(words + undone, FAINT)


def _is_from_the_start(change: PastChange, first: PastChange) -> bool:
    """Whether a task was made with it."""
    return not change.old and change.at == first.at


def _value(text: str | None) -> str:
    return "–" if not text else clip(steady(plain_line(text)), _VALUE)


def _short(task: Task) -> str:
    return clip(steady(plain_line(task.title)), 60)
