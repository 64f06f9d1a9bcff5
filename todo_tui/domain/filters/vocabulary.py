"""Vocabulary of the filter language: one row for each state, field, key and comparison.

A row has all words for one thing, the first of them the usual one, and its help. Lexer, parser,
completion and errors read these tables. The SQL of a term is a row in
`todo_tui.store.tasks.filter_sql`.
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
        return self.day is not None or self.kind is TokenKind.PRIORITY


class Comparison(StrEnum):
    """Direction of a comparison of days or priorities."""

    BEFORE = "before"
    AFTER = "after"
    UNTIL = "until"
    SINCE = "since"
    ITSELF = ""


STATE_ROWS = (
    StateRow(("overdue",), terms.TaskState.OVERDUE, "open, and too late"),
    StateRow(("ready",), terms.TaskState.READY, "nothing to wait for"),
    StateRow(("started",), terms.TaskState.STARTED, "in progress, or its start has come"),
    StateRow(("waiting",), terms.TaskState.WAITING, "its start lies ahead"),
    StateRow(("blocked",), terms.TaskState.BLOCKED, "waits for another task"),
    StateRow(("blocking",), terms.TaskState.BLOCKING, "others wait for it"),
    StateRow(("recurring", "repeating"), terms.HasField(terms.TaskField.RECURRENCE), "comes again"),
    StateRow(("doing",), terms.HasStatus(Status.DOING), "in progress"),
    StateRow(("done", "completed", "finished"), terms.HasStatus(Status.DONE), "done"),
    StateRow(("cancelled", "canceled"), terms.HasStatus(Status.CANCELLED), "given up"),
    StateRow(("open",), terms.TaskState.OPEN, "todo or doing"),
    StateRow(("todo",), terms.HasStatus(Status.TODO), "not begun"),
    StateRow(("all",), terms.TaskState.ANY, "done and cancelled too"),
    StateRow(("trash", "trashed", "deleted"), terms.TaskState.IN_TRASH, "thrown away"),
)
_FIELD_WORDS = {
    terms.TaskField.DUE: "due date dates",
    terms.TaskField.START: "start",
    terms.TaskField.PROJECT: "project projects",
    terms.TaskField.TAGS: "tags tag",
    terms.TaskField.PRIORITY: "priority priorities",
    terms.TaskField.NOTES: "notes note",
    terms.TaskField.RECURRENCE: "repeat recurrence",
    terms.TaskField.CHILDREN: "children child subtasks subtask",
    terms.TaskField.PARENT: "parent parents",
    terms.TaskField.BLOCKERS: "blockers blocker",
    terms.TaskField.REMARKS: "remarks annotations",
}
KEY_ROWS = (
    KeyRow(
        ("due",),
        TokenKind.DAYS,
        {
            "due:": "on a day, as in due:friday",
            "due.before:": "before a day, as in due.before:monday",
            "due.after:": "after a day",
            "due.by:": "on a day or before it",
            "due.since:": "on a day or after it",
        },
        terms.DayField.DUE,
    ),
    KeyRow(("project", "proj"), TokenKind.PROJECT, {"project:": "in a project or below it"}),
    KeyRow(("tag", "tags"), TokenKind.TAG, {"tag:": "with a tag"}),
    KeyRow(
        ("priority", "prio", "pri"),
        TokenKind.PRIORITY,
        {
            "priority:": "with a priority",
            "priority.from:": "with a priority or a higher one",
        },
    ),
    KeyRow(("status", "is"), TokenKind.STATE, {"status:": "with a status"}),
    KeyRow(("has",), TokenKind.FIELD, {"has:": "with a field that is set"}),
    KeyRow(("no",), TokenKind.FIELD, {"no:": "without a field"}),
    KeyRow(("id",), TokenKind.ID, {"id:": "by number, as in id:3,5,7-9"}),
    KeyRow(("under",), TokenKind.ID, {"under:": "below a task, at any depth"}),
    KeyRow(("parent",), TokenKind.ID, {"parent:": "right below a task"}),
    KeyRow(("view",), TokenKind.VIEW, {"view:": "what a saved view shows"}),
    KeyRow(("start",), TokenKind.DAYS, {"start:": "that starts on a day"}, terms.DayField.START),
    KeyRow(
        ("done", "completed", "finished"),
        TokenKind.DAYS,
        {"done:": "done on a day, as in done.since:monday"},
        terms.DayField.COMPLETED,
    ),
    KeyRow(
        ("created", "added"), TokenKind.DAYS, {"created:": "made on a day"}, terms.DayField.CREATED
    ),
    KeyRow(
        ("updated", "modified", "changed"),
        TokenKind.DAYS,
        {"updated:": "changed on a day"},
        terms.DayField.UPDATED,
    ),
    KeyRow(("sort",), TokenKind.ORDER, {"sort:": "the order, as in sort:priority,due-"}),
    KeyRow(("group",), TokenKind.ORDER, {"group:": "the headings, as in group:project"}),
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
