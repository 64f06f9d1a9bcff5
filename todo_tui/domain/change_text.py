"""Changes of the operation log in words: names of fields, and values as tasks show them."""

from datetime import datetime

from todo_tui.domain.dates.text import format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.recurrence.next_occurrence import Recurrence
from todo_tui.domain.recurrence.reader import describe_recurrence
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.text import plain_line, shorten
from todo_tui.domain.when import When

_LABELS = {
    "blocked_by": "blocked by",
    "parent": "subtask of",
    "repeat_from": "repeat counts from",
    "due_zone": "time zone of due date",
    "start_zone": "time zone of start",
}
_COUNTS_FROM = {
    RepeatFrom.DUE: "due date, missed ones too",
    RepeatFrom.NEXT: "due date",
    RepeatFrom.COMPLETION: "completion",
}
_LONGEST = 60
"""Characters of a value that is a text of any length."""


def field_label(field: str) -> str:
    """Return the name of a field: `subtask of`."""
    return _LABELS.get(field, field)


def format_logged_value(field: str, logged: str | None, now: datetime) -> str:
    """Return a logged value as tasks show it, on one line; empty for none.

    `now` is local.
    """
    match field, logged:
        case _, None | "":
            return ""
        case "due" | "start", _:
            return format_when(When.parse(logged), now)
        case "recurrence", _:
            return describe_recurrence(Recurrence(logged, RepeatFrom.NEXT))  # the rule alone
        case "repeat_from", _:
            return _COUNTS_FROM[RepeatFrom(logged)]
        case "estimate", _:
            return format_estimate(int(logged))
        case "parent" | "blocked_by", _:
            return f"#{logged}"
        case "title" | "notes", _:
            return shorten(plain_line(logged), _LONGEST)
        case _:
            return logged
