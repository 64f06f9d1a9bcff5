"""Tasks as a model gets to see them: compact, with dates resolved and in words."""

from __future__ import annotations

from datetime import datetime

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.recurrence import Recurrence, recurrence_words
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line

_LONGEST_TITLE = 80
_LONGEST_NOTES = 300
"""Characters of the notes of one task among several."""


def task_data(task: Task, now: datetime, *, among_others: bool = False) -> dict[str, JsonValue]:
    """The fields of a task that are set; what is absent is not.

    With `among_others` long notes are cut, which `notes_cut` then says.
    """
    notes, cut = task.notes, None
    if among_others and len(notes) > _LONGEST_NOTES:
        notes, cut = f"{notes[:_LONGEST_NOTES]}…", f"{_LONGEST_NOTES} of {len(notes):,} characters"
    data: dict[str, JsonValue] = {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "in_trash": task.deleted_at is not None,
        **_due(task, now),
        "start": task.start.iso() if task.start else None,
        "priority": task.priority.value if task.priority else None,
        "project": task.project,
        "tags": list(task.tags),
        "recurrence": task.recurrence,
        "repeat_words": repeat_words(task) if task.recurrence else None,
        "blocked_by": list(task.blocked_by),
        "notes": notes,
        "notes_cut": cut,
        "annotations": [each.text for each in task.annotations],
    }
    return {name: value for name, value in data.items() if value}


def _due(task: Task, now: datetime) -> dict[str, JsonValue]:
    if task.due is None:
        return {}
    late = due_words(task.due, now) if task.is_overdue(now) else None
    return {"due": task.due.iso(), "due_words": when_words(task.due, now), "overdue": late}


def repeat_words(task: Task) -> str:
    """`every Monday`, of a task that repeats."""
    return recurrence_words(Recurrence(task.recurrence or "", task.repeat_from))


def title_of(task: Task) -> str:
    """The title for a summary: one plain line, cut where it is very long."""
    title = plain_line(task.title)
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
