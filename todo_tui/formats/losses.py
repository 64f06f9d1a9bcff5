"""What the other programs of a format do not support, counted over the exported tasks."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count, join_words


class Export(NamedTuple):
    """What is exported together."""

    tasks: Mapping[int, Task]
    """By id."""
    zone: str
    """Time zone of dates that name none."""


Losses = Mapping[str, Callable[[Task, Export], bool] | None]
"""Unsupported fields, each with a test for the tasks concerned; None: all that have it."""
NOUNS = {
    "notes": "note",
    "annotations": "annotation",
    "status": "status value",
    "start": "start time",
    "due_zone": "time zone",
    "recurrence": "recurrence",
    "project": "project",
    "parent": "parent",
    "blocked_by": "blocker",
}
"""Words for one value of a field, in the order in which they are named."""


def has_other_zone(task: Task, export: Export) -> bool:
    """Return True if the due time is in another zone than that of the export."""
    return task.due_zone not in (None, export.zone)


def describe_losses(losses: Losses, tasks: Sequence[Task], zone: str) -> str:
    """Return `2 notes and 3 blockers`; empty if nothing is lost."""
    export = Export({task.id: task for task in tasks}, zone)
    counts = Counter[str]()
    for task in tasks:
        for field, is_lost in losses.items():
            value: object = getattr(task, field)
            if value and (is_lost is None or is_lost(task, export)):
                counts[field] += len(value) if isinstance(value, tuple) else 1
    found = [format_count(counts[field], noun) for field, noun in NOUNS.items() if counts[field]]
    return join_words(found, "and")
