"""Makes dates of terms that name a day of a month, or a place in a stretch of days."""

from __future__ import annotations

import calendar
from datetime import MAXYEAR, date, timedelta
from typing import NamedTuple, assert_never

from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.spoken import day_words, month_name, nth_words, weekday_name
from todo_tui.domain.phrases.stretch_days import days_of
from todo_tui.domain.phrases.terms import (
    CalendarDay,
    DayOfMonth,
    Edge,
    MonthOf,
    NthDay,
    Period,
    QuarterOf,
    Side,
    SlashedDay,
    Stretch,
    Unit,
    YearOf,
)
from todo_tui.domain.when import DateStyle

DAY = timedelta(days=1)
FRIDAY, SATURDAY = 4, 5
LEAP_SEARCH = 9
"""Years within which every day of the calendar comes, 29 February over a century too."""


class Dated(NamedTuple):
    """A day, what should be said about it, and whether others would read it otherwise."""

    day: date
    remark: str | None = None
    doubtful: bool = False


def month_length(year: int, month: int) -> int:
    """How many days a month has."""
    return calendar.monthrange(year, month)[1]


# --- by date ------------------------------------------------------------------------


def day_by_date(
    term: CalendarDay | SlashedDay | DayOfMonth, today: date, style: DateStyle
) -> Dated:
    """The day of a date, the next one when parts of it are left out.

    Raises:
        DateNotUnderstood: there is no such day.
    """
    match term:
        case CalendarDay():
            return _calendar_day(term, today)
        case SlashedDay():
            return _slashed_day(term, today, style)
        case DayOfMonth():
            return _day_of_month(term, today, style)
        case _:
            assert_never(term)


def _calendar_day(term: CalendarDay, today: date) -> Dated:
    refuse_impossible(term.day, term.month)
    if term.year is not None:
        if term.day > month_length(term.year, term.month):
            raise DateNotUnderstood(f"{term.year} has no {term.day} {month_name(term.month)}.")
        day = date(term.year, term.month, term.day)
        _refuse_other_weekday(day, term.weekday)
        return Dated(day)
    years = [
        year
        for year in range(today.year - 1, min(today.year + LEAP_SEARCH, MAXYEAR))
        if term.day <= month_length(year, term.month)
    ]
    days = [date(year, term.month, term.day) for year in years]
    coming = next(day for day in days if day >= today)
    remark = None
    if (term.month, term.day) == (2, 29) and coming.year > today.year + 1:
        remark = f"the next 29 February is in {coming.year}"
    if term.weekday is None or coming.weekday() == term.weekday:
        return Dated(coming, remark)
    past = next((day for day in days if day.year == today.year and day < today), None)
    if past is None or past.weekday() != term.weekday:
        _refuse_other_weekday(coming, term.weekday)
    return Dated(past or coming)


def refuse_impossible(day: int, month: int) -> None:
    """Raise DateNotUnderstood for a day that its month never has."""
    longest = 29 if month == 2 else month_length(2000, month)
    if day > longest:
        length = "28 days, 29 in leap years" if month == 2 else f"{longest} days"
        name = month_name(month)
        raise DateNotUnderstood(f"There is no {day} {name}: {name} has {length}.")


def _refuse_other_weekday(day: date, weekday: int | None) -> None:
    if weekday is not None and day.weekday() != weekday:
        raise DateNotUnderstood(
            f"{day.day} {month_name(day.month)} {day.year} is a {weekday_name(day.weekday())}, "
            f"not a {weekday_name(weekday)}."
        )


def _slashed_day(term: SlashedDay, today: date, style: DateStyle) -> Dated:
    first, second = term.first, term.second
    if first > 12 and second > 12:
        raise DateNotUnderstood(f"{first}/{second} is no date: there is no month {second}.")
    open_order = first <= 12 and second <= 12
    day_first = style.day_first if open_order else first > 12
    day, month = (first, second) if day_first else (second, first)
    dated = _calendar_day(CalendarDay(day, month, term.year, term.weekday), today)
    if not open_order or first == second:
        return dated
    order = "day first" if day_first else "month first"
    return Dated(dated.day, f"read as {day} {month_name(month)} ({order})", doubtful=True)


def _day_of_month(term: DayOfMonth, today: date, style: DateStyle) -> Dated:
    if isinstance(term.month, Period) and term.month.explicit:
        first, last = days_of(term.month, today, style)
        if term.day > last.day:
            raise DateNotUnderstood(
                f"{month_name(first.month)} {first.year} has no {nth_words(term.day)}."
            )
        return Dated(first.replace(day=term.day))
    year, month = today.year, today.month
    while term.day > month_length(year, month) or date(year, month, term.day) < today:
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    day = date(year, month, term.day)
    _refuse_other_weekday(day, term.weekday)
    if day == today:
        return Dated(day, f"the {nth_words(term.day)} is today", doubtful=True)
    if term.day > month_length(today.year, today.month):
        return Dated(day, f"{month_name(today.month)} has no {nth_words(term.day)}")
    return Dated(day)


# --- in stretches -------------------------------------------------------------------


def day_in_stretch(term: NthDay | Edge, today: date, style: DateStyle) -> Dated:
    """The nth, first, middle or last day of a week, month, quarter or year.

    Raises:
        DateNotUnderstood: there is no such day.
    """
    match term:
        case NthDay():
            return _nth_day(term, today, style)
        case Edge():
            return _edge(term, today, style)
        case _:
            assert_never(term)


def _nth_day(term: NthDay, today: date, style: DateStyle) -> Dated:
    months = _candidates(term.month, today)
    for month in months:
        first, last = days_of(month, today, style)
        days = [first + n * DAY for n in range((last - first).days + 1)]
        fitting = [day for day in days if _is_kind(day, term.weekday)]
        if term.nth > len(fitting):
            raise DateNotUnderstood(
                f"{month_name(first.month)} {first.year} has no {nth_words(term.nth)} "
                f"{'workday' if term.weekday is None else weekday_name(term.weekday)}."
            )
        day = fitting[term.nth if term.nth < 0 else term.nth - 1]
        if day >= today:
            break
    return Dated(day)


def _is_kind(day: date, weekday: int | None) -> bool:
    return day.weekday() < SATURDAY if weekday is None else day.weekday() == weekday


def _candidates(stretch: Stretch, today: date) -> list[Stretch]:
    """The stretch the words name, or those they may mean, soonest first.

    Only what the words name may lie in the past.
    """
    match stretch:
        case Period(explicit=False):
            return [Period(stretch.unit, 0), Period(stretch.unit, 1)]
        case MonthOf(year=None):
            return [MonthOf(stretch.month, today.year + n) for n in (0, 1)]
        case QuarterOf(year=None):
            return [QuarterOf(stretch.quarter, today.year + n) for n in (0, 1)]
        case Period() | MonthOf() | QuarterOf() | YearOf():
            return [stretch]
        case _:
            assert_never(stretch)


def _edge(term: Edge, today: date, style: DateStyle) -> Dated:
    readings = [
        _edge_of(term.side, stretch, today, style) for stretch in _candidates(term.stretch, today)
    ]
    return next((dated for dated in readings if dated.day >= today), readings[-1])


def _edge_of(side: Side, stretch: Stretch, today: date, style: DateStyle) -> Dated:
    first, last = days_of(stretch, today, style)
    match side:
        case Side.START:
            return Dated(first)
        case Side.MIDDLE:
            middle = first.replace(day=15)
            return Dated(middle, f"read as {day_words(middle, today)}", doubtful=True)
        case Side.END:
            return _end_of(stretch, first, last, today)
        case Side.BARE:
            if isinstance(stretch, Period) and stretch.offset == 0:
                dated = _end_of(stretch, first, last, today)
                return Dated(dated.day, f"read as {day_words(dated.day, today)}", doubtful=True)
            return Dated(first, f"read as {day_words(first, today)}", doubtful=True)
        case _:
            assert_never(side)


def _end_of(stretch: Stretch, first: date, last: date, today: date) -> Dated:
    """The last day; of a week the Friday, while it has not passed."""
    if not (isinstance(stretch, Period) and stretch.unit is Unit.WEEK):
        return Dated(last)
    friday = first + (FRIDAY - first.weekday()) % 7 * DAY
    day = friday if friday >= today or last < today else last
    return Dated(day, f"the week is read to end on {day_words(day, today)}", doubtful=True)
