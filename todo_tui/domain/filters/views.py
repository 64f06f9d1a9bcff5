"""Built-in views (today, upcoming, next, done, trash) and saved views.

The `clean_` functions raise a ValidationError for a name, key or text that cannot be saved.
"""

from dataclasses import dataclass
from datetime import date

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters import terms
from todo_tui.domain.task import Status
from todo_tui.domain.text import fold_case, plain_line, repair_surrogates

_A_WEEK = 7
TO_DO = terms.Or((terms.HasStatus(Status.TODO), terms.HasStatus(Status.DOING)))
"""Open tasks, including those with a future start."""
NEXT = terms.Query(
    terms.with_default_scope(terms.TaskState.READY),
    (terms.SortTerm(terms.SortField.URGENCY, descending=True),),
)
"""Ready tasks, most urgent first; without blocked tasks."""
TRASH = terms.Query(
    terms.with_default_scope(terms.TaskState.IN_TRASH),
    (terms.SortTerm(terms.SortField.DELETED, descending=True),),
)
"""Deleted tasks, newest first."""
DONE = terms.Query(
    terms.with_default_scope(
        terms.all_of(
            terms.HasStatus(Status.DONE), terms.WithinDays(terms.DayField.COMPLETED, None, None)
        ),
    ),
    (terms.SortTerm(terms.SortField.DONE, descending=True),),
    terms.Grouping.DONE,
)
"""Done tasks by day, newest first."""
BUILT_IN_VIEWS = {
    "today": "overdue or due:today or started",
    "upcoming": "overdue or due.from:today group:day",
    "next": "ready sort:urgency",
    "projects": "group:project",
    "done": "done sort:done- group:done",
    "trash": "trash sort:deleted-",
}
"""Filters of the app's own views."""
MAX_VIEW_NAME_LENGTH = 60
MAX_VIEW_FILTER_LENGTH = 2_000
"""In characters."""
_UNTYPABLE = frozenset('"“”\\')


def today_sections(today: date) -> tuple[tuple[str, terms.Query], ...]:
    """Return the sections of today in order, each with its heading.

    A task is in the first that matches. The last one can be long: load only its first page.
    """
    due_by_now = terms.WithinDays(terms.DayField.DUE, None, today)
    due_today = terms.WithinDays(terms.DayField.DUE, today, today)
    ready = (terms.Not(due_by_now), terms.Not(terms.TaskState.STARTED), terms.TaskState.READY)
    wanted: dict[str, terms.Filter] = {
        "overdue": terms.TaskState.OVERDUE,
        "due today": terms.all_of(due_today, terms.Not(terms.TaskState.OVERDUE)),
        "started": terms.all_of(terms.Not(due_by_now), terms.TaskState.STARTED),
        "ready": terms.all_of(*ready),
    }
    return tuple(
        (heading, terms.Query(terms.with_default_scope(each))) for heading, each in wanted.items()
    )


def due_on_query(day: date) -> terms.Query:
    """Return tasks due on a day of the calendar."""
    return terms.Query(
        terms.all_of(terms.NOT_IN_TRASH, TO_DO, terms.WithinDays(terms.DayField.DUE, day, day))
    )


def done_on_query(day: date) -> terms.Query:
    """Return tasks done on a day, in that order."""
    within = terms.WithinDays(terms.DayField.COMPLETED, day, day)
    done = terms.all_of(terms.NOT_IN_TRASH, terms.HasStatus(Status.DONE), within)
    return terms.Query(done, (terms.SortTerm(terms.SortField.DONE, descending=False),))


def weeks_from(day: date, count: int, week_start: int = 0) -> tuple[tuple[date, ...], ...]:
    """Return `count` weeks of seven days from that of a day on; `week_start` as in DateStyle."""
    first = day.toordinal() - (day.weekday() - week_start) % _A_WEEK
    last = date.max.toordinal()
    # Days beyond the calendar are its first or last one.
    days = [date.fromordinal(min(max(first + at, 1), last)) for at in range(count * _A_WEEK)]
    return tuple(tuple(days[at : at + _A_WEEK]) for at in range(0, len(days), _A_WEEK))


@dataclass(frozen=True, slots=True)
class SavedView:
    """Saved view; `key` is a digit or a lower-case letter, or None."""

    name: str
    filter_text: str
    key: str | None = None


def clean_view_name(name: str) -> str:
    """Validate a name that can be typed after `view:`, in quotes if it has blanks."""
    cleaned = " ".join(plain_line(repair_surrogates(name)).split())
    if not cleaned:
        raise ValidationError("A view needs a name.", hint="Example: this week's calls")
    if len(cleaned) > MAX_VIEW_NAME_LENGTH:
        raise ValidationError(
            f"View name too long (at most {MAX_VIEW_NAME_LENGTH} characters).",
            hint="Shorten the name.",
        )
    if not _UNTYPABLE.isdisjoint(cleaned):
        raise ValidationError(
            "A view name cannot have quotation marks or backslashes.", hint="Remove them."
        )
    return cleaned


def clean_view_key(key: str | None) -> str | None:
    """Validate a digit or letter as key, lower-cased; empty means None."""
    if not key:
        return None
    cleaned = fold_case(key)
    if len(cleaned) != 1 or not cleaned.isascii() or not cleaned.isalnum():
        raise ValidationError(
            f"“{plain_line(key)[:20]}” is not a valid shortcut.", hint="Choose one digit or letter."
        )
    return cleaned


def clean_view_text(text: str) -> str:
    """Clean the text of a filter for storage, without parsing it."""
    cleaned = plain_line(repair_surrogates(text)).strip()
    if len(cleaned) > MAX_VIEW_FILTER_LENGTH:
        raise ValidationError(
            f"Filter too long (at most {MAX_VIEW_FILTER_LENGTH:,} characters).",
            hint="Shorten the filter.",
        )
    return cleaned
