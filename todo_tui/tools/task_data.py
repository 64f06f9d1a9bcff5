"""Tasks as a model gets to see them: compact, with dates resolved and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.recurrence import Recurrence, dates_after, recurrence_told
from todo_tui.domain.task import JsonValue, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.urgency import urgency
from todo_tui.domain.zones import living_zone
from todo_tui.tools.base import ToolContext

if TYPE_CHECKING:
    from todo_tui.store.results import Standing

_LONGEST_TITLE = 80
FOREIGN = ("notes", "annotations")
"""Fields of a task whose text somebody else may have written: imported, pasted, synced."""

_NEXT_DATES = 3


def tasks_data(
    context: ToolContext,
    tasks: Sequence[Task],
    *,
    with_texts: bool = False,
    with_urgency: bool = False,
) -> list[dict[str, JsonValue]]:
    """The fields of tasks that are set, and how each stands among the others.

    Notes and annotations are in it only `with_texts`; else it says which tasks have some.
    """
    standings = context.store.tasks.standing([task.id for task in tasks])
    return [
        _compact(
            _own(context, task)
            | (_texts(context, task) if with_texts else _text_marks(task))
            | _standing(task, standings[task.id])
            | (_urgency(task, context.now, standings[task.id]) if with_urgency else {})
        )
        for task in tasks
    ]


def task_data(context: ToolContext, task: Task) -> dict[str, JsonValue]:
    """The data of one task."""
    return tasks_data(context, [task])[0]


def _own(context: ToolContext, task: Task) -> dict[str, JsonValue]:
    """The fields of a task, absent ones too."""
    now, home = context.now, context.store.clock.zone
    return {
        "id": task.id,
        "title": task.title,
        "status": task.status.value,
        "in_trash": task.deleted_at is not None,
        **_due(task, now),
        "due_zone": task.due_zone if task.due_zone != home else None,
        "start": task.start.iso() if task.start else None,
        "done": _local(task.completed_at, home),
        "priority": task.priority.value if task.priority else None,
        "project": task.project,
        "tags": list(task.tags),
        **_repeat(task, now, home),
        "parent": task.parent,
        "blocked_by": list(task.blocked_by),
    }


def _texts(context: ToolContext, task: Task) -> dict[str, JsonValue]:
    home = context.store.clock.zone
    dated = [f"{_local(each.at, home)}: {each.text}" for each in task.annotations]
    return {"notes": task.notes, "annotations": list(dated)}


def _text_marks(task: Task) -> dict[str, JsonValue]:
    return {"has_notes": bool(task.notes), "has_annotations": bool(task.annotations)}


def _compact(data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {name: value for name, value in data.items() if value}


def _due(task: Task, now: datetime) -> dict[str, JsonValue]:
    if task.due is None:
        return {}
    late = due_words(task.due, now) if task.is_overdue(now) else None
    return {"due": task.due.iso(), "due_words": when_words(task.due, now), "overdue": late}


def _repeat(task: Task, now: datetime, home: str) -> dict[str, JsonValue]:
    """How a task repeats in words, and the dates to come: a rule alone tells nobody."""
    if task.recurrence is None:
        return {}
    following: Iterable[JsonValue] = ()
    if task.due is not None and task.is_open:
        rhythm = Recurrence(task.recurrence, task.repeat_from)
        zone = living_zone(task.due_zone, home)
        here = now.replace(tzinfo=ZoneInfo(home))
        try:
            dates = dates_after(rhythm, task.due, here, _NEXT_DATES, zone)
        except ValidationError:
            # A rule of another program that we cannot read is still told in its words.
            dates = []
        following = [when.iso() for when in dates]
    return {
        "recurrence": task.recurrence,
        "repeat_words": repeat_words(task),
        "next_dates": list(following),
    }


def _standing(task: Task, standing: Standing) -> dict[str, JsonValue]:
    progress = standing.progress
    return {
        "blocked": standing.blocked,
        "subtasks": f"{progress.done} of {progress.total} done" if progress else None,
    }


def _urgency(task: Task, now: datetime, standing: Standing) -> dict[str, JsonValue]:
    if not task.is_open:
        return {}
    pressing = urgency(task, now, blocked=standing.blocked)
    reasons = ", ".join(pressing.reasons) or "nothing presses"
    return {"urgency": f"{pressing.score:.1f}: {reasons}"}


def _local(instant: datetime | None, zone: str) -> str | None:
    """The local day of an instant."""
    return None if instant is None else instant.astimezone(ZoneInfo(zone)).date().isoformat()


def repeat_words(task: Task) -> str:
    """`every Monday`, of a task that repeats."""
    return recurrence_told(Recurrence(task.recurrence or "", task.repeat_from))


def title_of(task: Task) -> str:
    """The title for a summary: one plain line, cut where it is very long."""
    title = plain_line(task.title)
    return title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
