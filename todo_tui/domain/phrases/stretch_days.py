"""The first and last day of weeks, months, quarters and years."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from typing import assert_never

from todo_tui.domain.phrases.terms import MonthOf, Period, QuarterOf, Stretch, Unit, YearOf
from todo_tui.domain.when import DateStyle


def days_of(stretch: Stretch, today: date, style: DateStyle) -> tuple[date, date]:
    """First and last day of a stretch; one without a year is taken from today's."""
    match stretch:
        case Period():
            return _period(stretch, today, style)
        case MonthOf():
            return _months(stretch.year or today.year, stretch.month, 1)
        case QuarterOf():
            return _months(stretch.year or today.year, stretch.quarter * 3 - 2, 3)
        case YearOf():
            return _months(stretch.year, 1, 12)
        case _:
            assert_never(stretch)


def _period(period: Period, today: date, style: DateStyle) -> tuple[date, date]:
    if period.unit is Unit.WEEK:
        ahead = timedelta(weeks=period.offset)
        first = today - timedelta(days=(today.weekday() - style.week_start) % 7) + ahead
        return first, first + timedelta(days=6)
    length = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}[period.unit]
    index = today.year * 12 + today.month - 1
    first_month = index - (today.month - 1) % length + period.offset * length
    return _months(first_month // 12, first_month % 12 + 1, length)


def _months(year: int, month: int, count: int) -> tuple[date, date]:
    last_month = month + count - 1
    last_day = calendar.monthrange(year, last_month)[1]
    return date(year, month, 1), date(year, last_month, last_day)
