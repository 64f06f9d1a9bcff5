"""The words of filters and what each stands for."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from todo_tui.domain.filter_query import Grouping, SortField
from todo_tui.domain.filter_terms import (
    AnyStatus,
    DayField,
    Filter,
    Has,
    HasStatus,
    InTrash,
    IsBlocked,
    IsBlocking,
    IsOpen,
    IsOverdue,
    IsReady,
    IsStarted,
    IsWaiting,
    TaskField,
)
from todo_tui.domain.task import Priority, Status

PRIORITIES: Mapping[str, Priority] = {
    **dict.fromkeys(("high", "hi", "h", "1"), Priority.HIGH),
    **dict.fromkeys(("medium", "med", "m", "2"), Priority.MEDIUM),
    **dict.fromkeys(("low", "lo", "l", "3"), Priority.LOW),
}
EXCLAIMED: Mapping[str, str] = {"!!": "high", "!": "medium"}
"""`!!!` and `!!`, without their first mark."""

STATES: Mapping[str, Filter] = {
    "open": IsOpen(),
    "todo": HasStatus(Status.TODO),
    "doing": HasStatus(Status.DOING),
    **dict.fromkeys(("done", "completed", "finished"), HasStatus(Status.DONE)),
    **dict.fromkeys(("cancelled", "canceled"), HasStatus(Status.CANCELLED)),
    "all": AnyStatus(),
    **dict.fromkeys(("trash", "trashed", "deleted"), InTrash()),
    "waiting": IsWaiting(),
    "started": IsStarted(),
    "blocked": IsBlocked(),
    "blocking": IsBlocking(),
    "ready": IsReady(),
    "overdue": IsOverdue(),
    **dict.fromkeys(("recurring", "repeating"), Has(TaskField.RECURRENCE)),
}
FIELDS: Mapping[str, TaskField] = {
    **dict.fromkeys(("due", "date", "dates"), TaskField.DUE),
    "start": TaskField.START,
    **dict.fromkeys(("project", "projects"), TaskField.PROJECT),
    **dict.fromkeys(("tag", "tags"), TaskField.TAGS),
    **dict.fromkeys(("priority", "priorities"), TaskField.PRIORITY),
    **dict.fromkeys(("note", "notes"), TaskField.NOTES),
    **dict.fromkeys(("repeat", "recurrence"), TaskField.RECURRENCE),
    **dict.fromkeys(("parent", "parents"), TaskField.PARENT),
    **dict.fromkeys(("children", "child", "subtasks", "subtask"), TaskField.CHILDREN),
    **dict.fromkeys(("blockers", "blocker"), TaskField.BLOCKERS),
    **dict.fromkeys(("remarks", "annotations"), TaskField.REMARKS),
}


class Key(StrEnum):
    """What stands before a colon, days apart."""

    PROJECT = "project"
    TAG = "tag"
    PRIORITY = "priority"
    STATUS = "status"
    ID = "id"
    PARENT = "parent"
    UNDER = "under"
    NO = "no"
    HAS = "has"
    VIEW = "view"
    SORT = "sort"
    GROUP = "group"


KEYS: Mapping[str, Key] = {
    **dict.fromkeys(("project", "proj"), Key.PROJECT),
    **dict.fromkeys(("tag", "tags"), Key.TAG),
    **dict.fromkeys(("priority", "prio", "pri"), Key.PRIORITY),
    **dict.fromkeys(("status", "is"), Key.STATUS),
    "id": Key.ID,
    "parent": Key.PARENT,
    "under": Key.UNDER,
    "no": Key.NO,
    "has": Key.HAS,
    "view": Key.VIEW,
    "sort": Key.SORT,
    "group": Key.GROUP,
}
DAYS: Mapping[str, DayField] = {
    "due": DayField.DUE,
    "start": DayField.START,
    **dict.fromkeys(("completed", "done", "finished"), DayField.COMPLETED),
    **dict.fromkeys(("created", "added"), DayField.CREATED),
    **dict.fromkeys(("updated", "modified", "changed"), DayField.UPDATED),
}


class Sense(StrEnum):
    """How a day or priority is meant."""

    BEFORE = "before"
    AFTER = "after"
    UNTIL = "until"
    SINCE = "since"
    ITSELF = ""


SENSES: Mapping[str, Sense] = {
    **dict.fromkeys(("before", "below", "under"), Sense.BEFORE),
    **dict.fromkeys(("after", "above", "over"), Sense.AFTER),
    **dict.fromkeys(("by", "until", "till", "to"), Sense.UNTIL),
    **dict.fromkeys(("since", "from"), Sense.SINCE),
    **dict.fromkeys(("on", "in", "is"), Sense.ITSELF),
}
COMPARISONS: Mapping[str, Sense] = {
    "<": Sense.BEFORE,
    "<=": Sense.UNTIL,
    "≤": Sense.UNTIL,
    ">": Sense.AFTER,
    ">=": Sense.SINCE,
    "≥": Sense.SINCE,
    "=": Sense.ITSELF,
}
UNEQUAL = frozenset({"!=", "≠"})

NONE = frozenset({"none", "no", "empty", "never"})
ANY = frozenset({"any", "some", "set"})
OPENERS = frozenset({"today", "tomorrow", "yesterday", "this", "next", "last", "past"})
"""Words with which days may begin that stand for themselves, without a key."""
UNITS = frozenset({"day", "days", "week", "weeks", "month", "months", "quarters", "years"})
"""What follows a number in `7 days`."""

AND, OR, NOT = "and", "or", "not"
SIGNS: Mapping[str, str] = {"&": AND, "&&": AND, "|": OR, "||": OR, "!": NOT}
OPERATORS = frozenset({AND, OR, NOT, "(", ")"})

SORT_FIELDS: Mapping[str, SortField] = {
    **{each.value: each for each in SortField},
    **dict.fromkeys(("prio", "pri"), SortField.PRIORITY),
    **dict.fromkeys(("completed", "finished"), SortField.DONE),
    "added": SortField.CREATED,
    **dict.fromkeys(("modified", "changed"), SortField.UPDATED),
    **dict.fromkeys(("manual", "order"), SortField.POSITION),
}
GROUPINGS: Mapping[str, Grouping] = {
    **{each.value: each for each in Grouping},
    **dict.fromkeys(("days", "date"), Grouping.DAY),
    **dict.fromkeys(("projects", "proj"), Grouping.PROJECT),
    **dict.fromkeys(("tags",), Grouping.TAG),
    **dict.fromkeys(("prio", "pri"), Grouping.PRIORITY),
}

_BESIDE = {"task", "tasks", "date", "dates", "in", "progress", "priority", "without", "deadline"}
RESERVED = frozenset(
    _BESIDE | OPERATORS | OPENERS | UNITS
    | PRIORITIES.keys() | STATES.keys() | FIELDS.keys() | KEYS.keys() | DAYS.keys()
    | SENSES.keys()
)  # fmt: skip
"""Words that may mean more than themselves, so that a search for them needs quotes."""
