"""A whole filter: which tasks, in which order, under which headings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.filter_scope import OPEN_TASKS
from todo_tui.domain.filter_terms import Filter


class SortField(StrEnum):
    """What tasks can be sorted by, as it is written behind `sort:`."""

    DUE = "due"
    START = "start"
    PRIORITY = "priority"
    URGENCY = "urgency"
    CREATED = "created"
    UPDATED = "updated"
    DONE = "done"
    DELETED = "deleted"
    TITLE = "title"
    PROJECT = "project"
    POSITION = "position"
    ID = "id"

    @property
    def highest_first(self) -> bool:
        """Whether, without a sign, the greatest comes first: what matters most."""
        return self in (SortField.PRIORITY, SortField.URGENCY)


class SortTerm(NamedTuple):
    """One field to sort by; tasks that lack it come last either way."""

    field: SortField
    descending: bool


class Grouping(StrEnum):
    """What tasks can be put under headings by, as it is written behind `group:`."""

    DUE = "due"
    """Overdue, today, next and so on: the headings of the list."""
    DAY = "day"
    """A heading for each due day."""
    PROJECT = "project"
    PRIORITY = "priority"
    TAG = "tag"
    STATUS = "status"
    DONE = "done"
    """A heading for each day on which something was done, the newest first."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asked for.

    Without `sort` the order is that of every list: by due moment, then by hand.
    `group` is None where nothing was said of headings.
    """

    filter: Filter = OPEN_TASKS
    sort: tuple[SortTerm, ...] = ()
    group: Grouping | None = None
