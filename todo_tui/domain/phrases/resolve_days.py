"""Makes dates of day terms, given today and a person's habits."""

from __future__ import annotations

from datetime import date, timedelta
from typing import assert_never

from todo_tui.domain.phrases.calendar_days import (
    Dated,
    day_by_date,
    day_in_stretch,
    month_length,
)
from todo_tui.domain.phrases.spoken import day_words, month_name, weekday_name
from todo_tui.domain.phrases.terms import (
    CalendarDay,
    DayOfMonth,
    DayOfWeek,
    DayTerm,
    Duration,
    Edge,
    NamedDay,
    NthDay,
    RelativeDay,
    Shifted,
    SlashedDay,
    Unit,
    Weekend,
    Which,
)
from todo_tui.domain.when import DateStyle

WEEK = timedelta(days=7)
DAY = timedelta(days=1)
SATURDAY = 5


def resolve_day(term: DayTerm, today: date, style: DateStyle) -> Dated:
    """The day a term means when said today.

    Raises:
        DateNotUnderstood: there is no such day.
    """
    match term:
        case RelativeDay():
            return Dated(today + term.days * DAY)
        case NamedDay() | DayOfWeek() | Weekend():
            return _by_name(term, today, style)
        case CalendarDay() | SlashedDay() | DayOfMonth():
            return day_by_date(term, today, style)
        case NthDay() | Edge():
            return day_in_stretch(term, today, style)
        case Shifted():
            return _shifted(term, today, style)
        case _:
            assert_never(term)


def week_first(day: date, style: DateStyle) -> date:
    """The first day of the week in which a day lies."""
    return day - (day.weekday() - style.week_start) % 7 * DAY


def day_in_week(today: date, weekday: int, weeks: int, style: DateStyle) -> date:
    """A weekday of the week so many weeks ahead."""
    first = week_first(today, style) + weeks * WEEK
    return first + (weekday - style.week_start) % 7 * DAY


# --- by name ------------------------------------------------------------------------


def _by_name(term: NamedDay | DayOfWeek | Weekend, today: date, style: DateStyle) -> Dated:
    match term:
        case NamedDay():
            return _named_day(term, today)
        case DayOfWeek():
            return Dated(day_in_week(today, term.weekday, term.weeks, style))
        case Weekend():
            return _weekend(term, today)
        case _:
            assert_never(term)


def _named_day(term: NamedDay, today: date) -> Dated:
    ahead = (term.weekday - today.weekday()) % 7
    coming = today + (ahead or 7) * DAY
    name = weekday_name(term.weekday)
    match term.which:
        case Which.THIS:
            return Dated(today + ahead * DAY)
        case Which.COMING:
            return Dated(coming)
        case Which.LAST:
            return Dated(coming - 14 * DAY if ahead == 0 else coming - WEEK)
        case Which.NEXT:
            second = coming + WEEK
            remark = (
                f"read as {day_words(second, today)}, not the coming {day_words(coming, today)}"
            )
            return Dated(second, remark, doubtful=True)
        case Which.BARE:
            if ahead:
                return Dated(coming)
            return Dated(coming, f"today is {name}: read as {day_words(coming, today)}", True)
        case _:
            assert_never(term.which)


def _weekend(term: Weekend, today: date) -> Dated:
    running = today.weekday() >= SATURDAY
    saturday = today + (SATURDAY - today.weekday()) % 7 * DAY
    match term.which:
        case Which.BARE | Which.THIS:
            return Dated(today if running else saturday)
        case Which.COMING:
            return Dated(saturday if saturday > today else saturday + WEEK)
        case Which.LAST:
            return Dated(today - (today.weekday() - SATURDAY) % 7 * DAY - running * WEEK)
        case Which.NEXT:
            this = today - (today.weekday() - SATURDAY) * DAY
            following = this + WEEK
            remark = f"read as {day_words(following, today)}, not the coming weekend"
            return Dated(following, None if running else remark, doubtful=not running)
        case _:
            assert_never(term.which)


# --- counted ------------------------------------------------------------------------


def _shifted(term: Shifted, today: date, style: DateStyle) -> Dated:
    origin = Dated(today) if term.origin is None else resolve_day(term.origin, today, style)
    day, remark = shift_day(origin.day, term.duration, term.sign)
    return Dated(day, origin.remark or remark, origin.doubtful)


def shift_day(day: date, duration: Duration, sign: int) -> tuple[date, str | None]:
    """The day so far from another; a remark when a month was too short for it."""
    remark: str | None = None
    for amount in duration:
        count = amount.number * sign
        match amount.unit:
            case Unit.DAY:
                day += count * DAY
            case Unit.WEEK:
                day += count * WEEK
            case Unit.FORTNIGHT:
                day += 2 * count * WEEK
            case Unit.WORKDAY:
                day = _workdays_from(day, count)
            case Unit.MONTH | Unit.QUARTER | Unit.YEAR:
                wanted = day.day
                day = add_months(day, count * MONTHS_IN[amount.unit])
                if day.day != wanted:
                    remark = f"{month_name(day.month)} {day.year} has only {day.day} days"
            case Unit.HOUR | Unit.MINUTE:
                raise AssertionError("hours are counted from moments, not days")
            case _:
                assert_never(amount.unit)
    return day, remark


MONTHS_IN = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12}


def add_months(day: date, months: int) -> date:
    """The same day so many months on, or the last one of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, month_length(year, month)))


def _workdays_from(day: date, count: int) -> date:
    step = DAY if count > 0 else -DAY
    weeks, rest = divmod(abs(count), 5)
    if day.weekday() >= SATURDAY:
        while day.weekday() >= SATURDAY:
            day -= step
    day += weeks * 7 * step
    for _ in range(rest):
        day += step
        while day.weekday() >= SATURDAY:
            day += step
    return day
