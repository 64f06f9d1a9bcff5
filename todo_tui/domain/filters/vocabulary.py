"""Vocabulary of the filter language: one row for each state, field, key and comparison.

A row has all words for one thing, the first of them the usual one, and its help. Lexer, parser,
completion and errors read these tables. What a key accepts after its colon is read in `values.py`,
days in `days.py`. The SQL of a term is a row in `todo_tui.store.tasks.filter_sql`.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.filters import terms
from todo_tui.domain.task import Status


class TokenKind(StrEnum):
    """Kind of a token, for highlighting."""

    OPERATOR = "operator"
    BRACKET = "bracket"
    KEY = "key"
    PROJECT = "project"
    TAG = "tag"
    PRIORITY = "priority"
    ESTIMATE = "estimate"
    ID = "id"
    DAYS = "days"
    STATE = "state"
    FIELD = "field"
    VIEW = "view"
    ORDER = "order"
    SEARCH = "search"
    MISTAKE = "mistake"


class StateRow(NamedTuple):
    """Words that are a condition by themselves, or the value of `status:`."""

    words: tuple[str, ...]
    term: terms.Filter
    help: str


class KeyRow(NamedTuple):
    """Words for a key before a colon; `day` is set if its values are days."""

    words: tuple[str, ...]
    kind: TokenKind
    help: Mapping[str, str]
    """Help for the key as completed, with its modifiers."""
    day: terms.DayField | None = None

    @property
    def name(self) -> str:
        """Usual word for the key."""
        return self.words[0]

    @property
    def is_ordered(self) -> bool:
        """True if values can be compared, as in `due<friday`."""
        return self.day is not None or self.kind in (TokenKind.PRIORITY, TokenKind.ESTIMATE)


class Comparison(StrEnum):
    """Direction of a comparison of days, priorities or estimates."""

    BEFORE = "before"
    AFTER = "after"
    UNTIL = "until"
    SINCE = "since"
    ITSELF = ""


STATE_ROWS = (
    StateRow(("overdue",), terms.TaskState.OVERDUE, "open and past due"),
    StateRow(("ready",), terms.TaskState.READY, "can be done now"),
    StateRow(("started",), terms.TaskState.STARTED, "in progress or start reached"),
    StateRow(("waiting",), terms.TaskState.WAITING, "hidden until a later start"),
    StateRow(("blocked",), terms.TaskState.BLOCKED, "blocked by another task"),
    StateRow(("blocking",), terms.TaskState.BLOCKING, "blocks other tasks"),
    StateRow(
        ("recurring", "repeating"), terms.HasField(terms.TaskField.RECURRENCE), "recurring tasks"
    ),
    StateRow(("doing",), terms.HasStatus(Status.DOING), "in progress"),
    StateRow(("done", "completed", "finished"), terms.HasStatus(Status.DONE), "done"),
    StateRow(("cancelled", "canceled"), terms.HasStatus(Status.CANCELLED), "cancelled tasks"),
    StateRow(("open",), terms.TaskState.OPEN, "todo or doing"),
    StateRow(("todo",), terms.HasStatus(Status.TODO), "not started"),
    StateRow(("all",), terms.TaskState.ANY, "including done and cancelled"),
    StateRow(("trash", "trashed", "deleted"), terms.TaskState.IN_TRASH, "deleted tasks"),
)
_FIELD_WORDS = {
    terms.TaskField.DUE: "due date dates",
    terms.TaskField.START: "start",
    terms.TaskField.PROJECT: "project projects",
    terms.TaskField.TAGS: "tags tag",
    terms.TaskField.PRIORITY: "priority priorities",
    terms.TaskField.ESTIMATE: "estimate estimates",
    terms.TaskField.NOTES: "notes note",
    terms.TaskField.RECURRENCE: "repeat recurrence",
    terms.TaskField.CHILDREN: "children child subtasks subtask",
    terms.TaskField.PARENT: "parent parents",
    terms.TaskField.BLOCKERS: "blockers blocker",
    terms.TaskField.ANNOTATIONS: "annotations annotation remarks",
}
KEY_ROWS = (
    KeyRow(
        ("due",),
        TokenKind.DAYS,
        {
            "due:": "due on a day, e.g. due:friday",
            "due.before:": "due before a day, e.g. due.before:monday",
            "due.after:": "due after a day",
            "due.by:": "due on or before a day",
            "due.since:": "due on or after a day",
        },
        terms.DayField.DUE,
    ),
    KeyRow(("project", "proj"), TokenKind.PROJECT, {"project:": "in a project or its subprojects"}),
    KeyRow(("tag", "tags"), TokenKind.TAG, {"tag:": "with a tag"}),
    KeyRow(
        ("priority", "prio", "pri"),
        TokenKind.PRIORITY,
        {
            "priority:": "with a priority",
            "priority.from:": "with at least this priority",
        },
    ),
    KeyRow(
        ("estimate", "est"),
        TokenKind.ESTIMATE,
        {
            "estimate:": "with an estimate, e.g. estimate:30m",
            "estimate.to:": "with at most this estimate; also estimate<=30m",
        },
    ),
    KeyRow(("status", "is"), TokenKind.STATE, {"status:": "with a status"}),
    KeyRow(("has",), TokenKind.FIELD, {"has:": "with a field that is set"}),
    KeyRow(("no",), TokenKind.FIELD, {"no:": "without a field"}),
    KeyRow(("id",), TokenKind.ID, {"id:": "by number, e.g. id:3,5,7-9"}),
    KeyRow(("under",), TokenKind.ID, {"under:": "subtasks at any depth"}),
    KeyRow(("parent",), TokenKind.ID, {"parent:": "direct subtasks of a task"}),
    KeyRow(("view",), TokenKind.VIEW, {"view:": "tasks of a saved view"}),
    KeyRow(("start",), TokenKind.DAYS, {"start:": "starting on a day"}, terms.DayField.START),
    KeyRow(
        ("done", "completed", "finished"),
        TokenKind.DAYS,
        {"done:": "completed on a day, e.g. done.since:monday"},
        terms.DayField.COMPLETED,
    ),
    KeyRow(
        ("created", "added"),
        TokenKind.DAYS,
        {"created:": "created on a day"},
        terms.DayField.CREATED,
    ),
    KeyRow(
        ("updated", "modified", "changed"),
        TokenKind.DAYS,
        {"updated:": "changed on a day"},
        terms.DayField.UPDATED,
    ),
    KeyRow(("sort",), TokenKind.ORDER, {"sort:": "sort order, e.g. sort:priority,due-"}),
    KeyRow(("group",), TokenKind.ORDER, {"group:": "grouping, e.g. group:project"}),
)
_COMPARISON_WORDS = {
    Comparison.BEFORE: "before below under <",
    Comparison.AFTER: "after above over >",
    Comparison.UNTIL: "by until till to <= ≤",
    Comparison.SINCE: "since from >= ≥",
    Comparison.ITSELF: "on in is =",
}
STATES = {word: row.term for row in STATE_ROWS for word in row.words}
FIELDS = {word: field for field, words in _FIELD_WORDS.items() for word in words.split()}
FIELD_NAMES = tuple(words.split()[0] for words in _FIELD_WORDS.values())
KEYS = {word: row for row in KEY_ROWS for word in row.words}
COMPARISONS = {word: each for each, words in _COMPARISON_WORDS.items() for word in words.split()}
"""By word and by sign: `due.before:friday`, `due<friday`."""
UNEQUAL = frozenset({"!=", "≠"})
NONE = frozenset({"none", "no", "empty", "never"})
ANY = frozenset({"any", "some", "set"})
DAY_OPENERS = frozenset({"today", "tomorrow", "yesterday", "this", "next", "last", "past"})
"""First words of days without a key."""
UNITS = frozenset({"day", "days", "week", "weeks", "month", "months", "quarters", "years"})
"""Units after a number, as in `7 days`."""
AND, OR, NOT = "and", "or", "not"
SIGNS = {"&": AND, "&&": AND, "|": OR, "||": OR, "!": NOT}
OPERATORS = frozenset({AND, OR, NOT, "(", ")"})
SORT_FIELDS: Mapping[str, terms.SortField] = {
    **{each.value: each for each in terms.SortField},
    **dict.fromkeys(("prio", "pri"), terms.SortField.PRIORITY),
    **dict.fromkeys(("completed", "finished"), terms.SortField.DONE),
    "est": terms.SortField.ESTIMATE,
    "added": terms.SortField.CREATED,
    **dict.fromkeys(("modified", "changed"), terms.SortField.UPDATED),
    **dict.fromkeys(("manual", "order"), terms.SortField.POSITION),
}
GROUPINGS: Mapping[str, terms.Grouping] = {
    **{each.value: each for each in terms.Grouping},
    **dict.fromkeys(("days", "date"), terms.Grouping.DAY),
    **dict.fromkeys(("projects", "proj"), terms.Grouping.PROJECT),
    "tags": terms.Grouping.TAG,
    **dict.fromkeys(("prio", "pri"), terms.Grouping.PRIORITY),
}
