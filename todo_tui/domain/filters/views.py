"""Built-in views (today, upcoming, next, done, trash) and saved views."""

from __future__ import annotations

from calendar import Calendar
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filters.terms import (
    NOT_IN_TRASH,
    DayField,
    Filter,
    Grouping,
    HasStatus,
    Not,
    Or,
    Query,
    SortField,
    SortTerm,
    TaskState,
    WithinDays,
    all_of,
    with_default_scope,
)
from todo_tui.domain.task import Status
from todo_tui.domain.text import fold_case, plain_line, repair_surrogates

_A_WEEK = 7
TO_DO = Or((HasStatus(Status.TODO), HasStatus(Status.DOING)))
"""Open tasks, including those with a future start."""
NEXT = Query(with_default_scope(TaskState.READY), (SortTerm(SortField.URGENCY, descending=True),))
"""Ready tasks, most urgent first; without blocked tasks."""
TRASH = Query(
    with_default_scope(TaskState.IN_TRASH), (SortTerm(SortField.DELETED, descending=True),)
)
"""Deleted tasks, newest first."""
DONE = Query(
    with_default_scope(
        all_of(HasStatus(Status.DONE), WithinDays(DayField.COMPLETED, None, None)),
    ),
    (SortTerm(SortField.DONE, descending=True),),
    Grouping.DONE,
)
"""Done tasks by day, newest first."""
MAX_VIEW_NAME_LENGTH = 60
MAX_VIEW_FILTER_LENGTH = 2_000
"""In characters."""
_UNTYPABLE = frozenset('"“”\\')


class TodayHeading(StrEnum):
    """Headings of the today view, in order; a task is under the first that matches."""

    OVERDUE = "overdue"
    DUE = "due today"
    STARTED = "started"
    READY = "ready"


class TodaySection(NamedTuple):
    """Heading of the today view and its filter."""

    part: TodayHeading
    query: Query


def today_sections(today: date) -> tuple[TodaySection, ...]:
    """Return the sections of today: overdue, due today, started, and ready.

    The last one can be long: load only its first page.
    """
    due_by_now = WithinDays(DayField.DUE, None, today)
    wanted: dict[TodayHeading, Filter] = {
        TodayHeading.OVERDUE: TaskState.OVERDUE,
        TodayHeading.DUE: all_of(WithinDays(DayField.DUE, today, today), Not(TaskState.OVERDUE)),
        TodayHeading.STARTED: all_of(Not(due_by_now), TaskState.STARTED),
        TodayHeading.READY: all_of(Not(due_by_now), Not(TaskState.STARTED), TaskState.READY),
    }
    return tuple(
        TodaySection(part, Query(with_default_scope(each))) for part, each in wanted.items()
    )


def due_on_query(day: date) -> Query:
    """Return tasks due on a day of the calendar."""
    return Query(all_of(NOT_IN_TRASH, TO_DO, WithinDays(DayField.DUE, day, day)))


def month_weeks(month: date, week_start: int = 0) -> tuple[tuple[date, ...], ...]:
    """Return the weeks that a month touches, seven days each; `week_start` as in DateStyle."""
    # Days beyond the calendar are its first or last one.
    shown = Calendar(week_start).itermonthdays3(month.year, month.month)
    days = [date(*min(max(day, (1, 1, 1)), (9999, 12, 31))) for day in shown]
    return tuple(tuple(days[at : at + _A_WEEK]) for at in range(0, len(days), _A_WEEK))


@dataclass(frozen=True, slots=True)
class SavedView:
    """Saved view; `key` is a digit or a lower-case letter, or None."""

    name: str
    filter_text: str
    key: str | None = None


def clean_view_name(name: str) -> str:
    """Validate a name that can be typed after `view:`, in quotes if it has blanks.

    Raises:
        ValidationError: the name is empty, too long, or has characters that cannot be typed.
    """
    cleaned = " ".join(plain_line(repair_surrogates(name)).split())
    if not cleaned:
        raise ValidationError("A view needs a name.", hint="For example: this week's calls")
    if len(cleaned) > MAX_VIEW_NAME_LENGTH:
        raise ValidationError(
            f"The name of a view has at most {MAX_VIEW_NAME_LENGTH} characters.", hint="Shorten it."
        )
    if not _UNTYPABLE.isdisjoint(cleaned):
        raise ValidationError(
            "The name of a view has no quotation marks or backslashes.", hint="Leave them out."
        )
    return cleaned


def clean_view_key(key: str | None) -> str | None:
    """Validate a digit or letter as key, lower-cased; empty means None.

    Raises:
        ValidationError: the key is something else.
    """
    if not key:
        return None
    cleaned = fold_case(key)
    if len(cleaned) != 1 or not cleaned.isascii() or not cleaned.isalnum():
        raise ValidationError(
            f"“{plain_line(key)[:20]}” is no key for a view.", hint="Choose one digit or letter."
        )
    return cleaned


def clean_view_text(text: str) -> str:
    """Clean the text of a filter for storage, without parsing it.

    Raises:
        ValidationError: the text is too long.
    """
    cleaned = plain_line(repair_surrogates(text)).strip()
    if len(cleaned) > MAX_VIEW_FILTER_LENGTH:
        raise ValidationError(
            f"A filter has at most {MAX_VIEW_FILTER_LENGTH:,} characters.", hint="Shorten it."
        )
    return cleaned
