"""The lists that everybody needs, as queries: today, upcoming, next, done, the trash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.filter_query import Grouping, Query, SortField, SortTerm
from todo_tui.domain.filter_scope import NOT_IN_TRASH, with_default_scope
from todo_tui.domain.filter_terms import (
    DayField,
    Filter,
    HasStatus,
    InTrash,
    IsOverdue,
    IsReady,
    IsStarted,
    Not,
    Or,
    Within,
    all_of,
)
from todo_tui.domain.task import Status
from todo_tui.domain.when import day_after, day_before

UPCOMING_DAYS = 14
_A_WEEK = 7

TO_DO = Or((HasStatus(Status.TODO), HasStatus(Status.DOING)))
"""Open, also where the start lies ahead."""

NEXT = Query(with_default_scope(IsReady()), (SortTerm(SortField.URGENCY, descending=True),))
"""What can be done now, the most urgent first; tasks that wait for others are left out."""

TRASH = Query(with_default_scope(InTrash()), (SortTerm(SortField.DELETED, descending=True),))
"""What was thrown away, the newest first."""

DONE = Query(
    with_default_scope(
        all_of(HasStatus(Status.DONE), Within(DayField.COMPLETED, None, None)),
    ),
    (SortTerm(SortField.DONE, descending=True),),
    Grouping.DONE,
)
"""What was done, by day, the newest first."""


class TodayPart(StrEnum):
    """The headings of today, in order; a task stands under the first that fits."""

    OVERDUE = "overdue"
    DUE = "due today"
    STARTED = "started"
    READY = "ready"


class TodaySection(NamedTuple):
    """One heading of today and the tasks under it."""

    part: TodayPart
    query: Query


def today_sections(today: date) -> tuple[TodaySection, ...]:
    """What is late, due today, begun, and, after these, all that nothing holds up.

    The last one can be long: take its first page.
    """
    due_by_now = Within(DayField.DUE, None, today)
    wanted: dict[TodayPart, Filter] = {
        TodayPart.OVERDUE: IsOverdue(),
        TodayPart.DUE: all_of(Within(DayField.DUE, today, today), Not(IsOverdue())),
        TodayPart.STARTED: all_of(Not(due_by_now), IsStarted()),
        TodayPart.READY: all_of(Not(due_by_now), Not(IsStarted()), IsReady()),
    }
    return tuple(
        TodaySection(part, Query(with_default_scope(each))) for part, each in wanted.items()
    )


def upcoming(today: date, days: int = UPCOMING_DAYS) -> Query:
    """What is due on the days after today, by day; also what starts only then."""
    first = day_after(today)
    last = date.fromordinal(min(first.toordinal() + max(days, 1) - 1, date.max.toordinal()))
    return Query(all_of(NOT_IN_TRASH, TO_DO, Within(DayField.DUE, first, last)), group=Grouping.DAY)


def due_on(day: date) -> Query:
    """What is to be done by a day of the calendar."""
    return Query(all_of(NOT_IN_TRASH, TO_DO, Within(DayField.DUE, day, day)))


def done_on(day: date) -> Query:
    """What was done on a day, the newest first."""
    wanted = all_of(HasStatus(Status.DONE), Within(DayField.COMPLETED, day, day))
    return Query(with_default_scope(wanted), (SortTerm(SortField.DONE, descending=True),))


def month_weeks(month: date, week_start: int = 0) -> tuple[tuple[date, ...], ...]:
    """The weeks that a month touches, seven days each; `week_start` as in DateStyle."""
    first = month.replace(day=1)
    last = _last_of_month(first)
    weeks = []
    week = tuple(_week_of(first, week_start))
    while week[0] <= last:
        weeks.append(week)
        if week[-1] == date.max:
            break
        week = tuple(_week_of(day_after(week[-1]), week_start))
    return tuple(weeks)


def _week_of(day: date, week_start: int) -> Iterator[date]:
    begins = day.toordinal() - (day.weekday() - week_start) % _A_WEEK
    for ordinal in range(begins, begins + _A_WEEK):
        yield date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def _last_of_month(first: date) -> date:
    if (first.year, first.month) == (date.max.year, date.max.month):
        return date.max
    return day_before(
        first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    )
