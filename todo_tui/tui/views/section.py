"""What tasks of the list stand under: its name, its rank, how much of it shows."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.urgency import SortKey, TaskGroup


class Said(StrEnum):
    """What the heading has told already, so that the rows below it need not."""

    NOTHING = ""
    DAY = "day"
    PROJECT = "project"


class Section(NamedTuple):
    """One heading of the list; sections with the same `order` are one, and stand in that order.

    `label` is drawn as it is; without one there is no heading. Of a long section only
    `shown_at_most` tasks are drawn, and `rest` says how the others are seen.
    """

    order: SortKey
    label: str = ""
    is_late: bool = False
    is_closed: bool = False
    """There is nothing to do in it."""
    shown_at_most: int | None = None
    rest: str = ""
    said: Said = Said.NOTHING


_LABELS = {
    TaskGroup.OVERDUE: "OVERDUE",
    TaskGroup.TODAY: "TODAY",
    TaskGroup.NEXT: "NEXT",
    TaskGroup.LATER: "LATER",
    TaskGroup.NONE: "NO DATE",
    TaskGroup.WAITING: "WAITING",
    TaskGroup.DONE: "DONE",
    TaskGroup.TRASH: "TRASH",
}

SECTIONS = {
    group: Section(
        (rank,),
        _LABELS[group],
        is_late=group is TaskGroup.OVERDUE,
        is_closed=group in (TaskGroup.DONE, TaskGroup.TRASH),
    )
    for rank, group in enumerate(TaskGroup)
}
"""The headings of the list by due day."""

UNNAMED = Section(())
"""All tasks in one order, under no heading."""
