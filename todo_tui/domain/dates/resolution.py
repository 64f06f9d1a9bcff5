"""Calendar arithmetic: resolves day terms, periods and shifts to dates."""

import calendar
from datetime import MAXYEAR, date, timedelta
from typing import NamedTuple, assert_never

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.movable_holidays import next_holiday
from todo_tui.domain.dates.text import format_day, format_ordinal, month_name, weekday_name
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle

FRIDAY, SATURDAY = 4, 5
LEAP_SEARCH = 9
"""Years that contain every calendar day, 29 February across a century included."""
LONGEST_MONTH = 31
WEEK = timedelta(days=7)
HALF_A_YEAR = timedelta(days=182)
ONE_DAY = timedelta(days=1)
MONTHS_PER_UNIT = {terms.Unit.MONTH: 1, terms.Unit.QUARTER: 3, terms.Unit.YEAR: 12}


def period_days(period: terms.CalendarPeriod, today: date, style: DateStyle) -> tuple[date, date]:
    """Return first and last day of a period; a missing year is that of `today`."""
    if isinstance(period, terms.NamedPeriod):
        return _months(period.year or today.year, period.first_month, period.months)
    if period.unit is terms.Unit.WEEK:
        first = first_day_of_week(today, style) + period.offset * WEEK
        return first, first + timedelta(days=6)
    length = MONTHS_PER_UNIT[period.unit]
    index = today.year * 12 + today.month - 1
    first_month = index - (today.month - 1) % length + period.offset * length
    return _months(first_month // 12, first_month % 12 + 1, length)


def _months(year: int, month: int, count: int) -> tuple[date, date]:
    last_month = month + count - 1
    return date(year, month, 1), date(year, last_month, month_length(year, last_month))


def first_day_of_week(day: date, style: DateStyle) -> date:
    """Return the first day of the week that a day is in."""
    return day - (day.weekday() - style.week_start) % 7 * ONE_DAY


def day_of_week(weekday: int, weeks: int, today: date, style: DateStyle) -> date:
    """Return a weekday (Monday 0) of the week that is `weeks` ahead."""
    first = first_day_of_week(today, style) + weeks * WEEK
    return first + (weekday - style.week_start) % 7 * ONE_DAY


class ResolvedDay(NamedTuple):
    """Day with an optional note on how the phrase was read."""

    day: date
    note: str | None = None


def month_length(year: int, month: int) -> int:
    """Return the number of days in a month."""
    return calendar.monthrange(year, month)[1]


def resolve_day(  # noqa: C901 - one case a kind of term
    term: terms.DayTerm, today: date, style: DateStyle
) -> ResolvedDay:
    """Resolve a day term relative to `today`, to the next match if parts of it are missing.

    Raises:
        DateNotUnderstood: there is no such day.
    """
    match term:
        case terms.RelativeDay():
            return ResolvedDay(today + term.days * ONE_DAY)
        case terms.NamedDay():
            return _named_day(term, today, style)
        case terms.DayOfWeek():
            return ResolvedDay(day_of_week(term.weekday, term.weeks, today, style))
        case terms.Weekend():
            return _weekend(term, today)
        case terms.CalendarDay():
            return _calendar_day(term, today)
        case terms.MovableHoliday():
            coming = next_holiday(term.name, today, style.territory)
            last = next_holiday(term.name, today - HALF_A_YEAR, style.territory)
            return ResolvedDay(coming, _passed_note(last, coming, today))
        case terms.SlashedDay():
            return _slashed_day(term, today, style)
        case terms.DayOfMonth():
            return _day_of_month(term, today, style)
        case terms.NthDay():
            return _nth_day(term, today, style)
        case terms.PeriodEdge():
            return _period_edge(term, today, style)
        case terms.ShiftedDay():
            origin = ResolvedDay(today)
            if term.origin is not None:
                origin = resolve_day(term.origin, today, style)
            day, note = shift_day(origin.day, term.duration, term.sign)
            return ResolvedDay(day, origin.note or note)
        case _:
            assert_never(term)


def _passed_note(last: date, coming: date, today: date) -> str | None:
    """Return the note that a day is the coming one, where the last one is nearer to `today`."""
    if not last < today or coming - today <= today - last:
        return None
    return f"{format_day(last, today)} has passed: read as {format_day(coming, today)}"


# --- by date ------------------------------------------------------------------------


def _calendar_day(term: terms.CalendarDay, today: date) -> ResolvedDay:
    require_possible_date(term.day, term.month)
    if term.year is not None:
        if term.day > month_length(term.year, term.month):
            raise DateNotUnderstood(f"{term.year} has no {term.day} {month_name(term.month)}.")
        day = date(term.year, term.month, term.day)
        _refuse_other_weekday(day, term.weekday)
        return ResolvedDay(day)
    years = [
        year
        for year in range(today.year - 1, min(today.year + LEAP_SEARCH, MAXYEAR))
        if term.day <= month_length(year, term.month)
    ]
    days = [date(year, term.month, term.day) for year in years]
    coming = next(day for day in days if day >= today)
    last = max((day for day in days if day < today), default=coming)
    note = _passed_note(last, coming, today) if term.weekday is None else None
    if (term.month, term.day) == (2, 29) and coming.year > today.year + 1:
        note = f"the next 29 February is in {coming.year}"
    if term.weekday is None or coming.weekday() == term.weekday:
        return ResolvedDay(coming, note)
    past = next((day for day in days if day.year == today.year and day < today), None)
    if past is None or past.weekday() != term.weekday:
        _refuse_other_weekday(coming, term.weekday)
    return ResolvedDay(past or coming)


def require_possible_day(day: int) -> None:
    """Raise DateNotUnderstood for a number of a day that no month has."""
    if not 1 <= day <= LONGEST_MONTH:
        raise DateNotUnderstood(f"No month has a {format_ordinal(day)}.")


def require_possible_date(day: int, month: int) -> None:
    """Raise DateNotUnderstood for a day that its month never has."""
    if not 1 <= month <= 12:
        raise DateNotUnderstood(f"There is no month {month}.")
    longest = 29 if month == 2 else month_length(2000, month)
    if not 1 <= day <= longest:
        length = "28 days, 29 in leap years" if month == 2 else f"{longest} days"
        name = month_name(month)
        raise DateNotUnderstood(f"There is no {day} {name}: {name} has {length}.")


def _refuse_other_weekday(day: date, weekday: int | None) -> None:
    if weekday is not None and day.weekday() != weekday:
        raise DateNotUnderstood(
            f"{day.day} {month_name(day.month)} {day.year} is a {weekday_name(day.weekday())}, "
            f"not a {weekday_name(weekday)}."
        )


def _slashed_day(term: terms.SlashedDay, today: date, style: DateStyle) -> ResolvedDay:
    first, second = term.first, term.second
    if first > 12 and second > 12:
        raise DateNotUnderstood(f"Invalid date {first}/{second}: there is no month {second}.")
    open_order = first <= 12 and second <= 12
    day_first = style.day_first if open_order else first > 12
    day, month = (first, second) if day_first else (second, first)
    resolved = _calendar_day(terms.CalendarDay(day, month, term.year, term.weekday), today)
    if not open_order or first == second:
        return resolved
    order = "day first" if day_first else "month first"
    read = f"read as {day} {month_name(month)} ({order})"
    return ResolvedDay(resolved.day, "; ".join(filter(None, (read, resolved.note))))


def _day_of_month(term: terms.DayOfMonth, today: date, style: DateStyle) -> ResolvedDay:
    if term.month is not None and term.month.explicit:
        first, last = period_days(term.month, today, style)
        if term.day > last.day:
            raise DateNotUnderstood(
                f"{month_name(first.month)} {first.year} has no {format_ordinal(term.day)}."
            )
        return ResolvedDay(first.replace(day=term.day))
    require_possible_day(term.day)
    year, month = today.year, today.month
    while term.day > month_length(year, month) or date(year, month, term.day) < today:
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    day = date(year, month, term.day)
    _refuse_other_weekday(day, term.weekday)
    if day == today:
        return ResolvedDay(day, f"the {format_ordinal(term.day)} is today")
    if term.day > month_length(today.year, today.month):
        return ResolvedDay(day, f"{month_name(today.month)} has no {format_ordinal(term.day)}")
    return ResolvedDay(day)


# --- in periods ---------------------------------------------------------------------


def _nth_day(term: terms.NthDay, today: date, style: DateStyle) -> ResolvedDay:
    months, passed = _candidates(term.month, today), today
    for month in months:
        first, last = period_days(month, today, style)
        days = [first + n * ONE_DAY for n in range((last - first).days + 1)]
        wanted = range(SATURDAY) if term.weekday is None else (term.weekday,)
        fitting = [day for day in days if day.weekday() in wanted]
        if term.nth > len(fitting):
            raise DateNotUnderstood(
                f"{month_name(first.month)} {first.year} has no {format_ordinal(term.nth)} "
                f"{'workday' if term.weekday is None else weekday_name(term.weekday)}."
            )
        day = fitting[term.nth if term.nth < 0 else term.nth - 1]
        if day >= today:
            break
        passed = day
    is_named = isinstance(term.month, terms.NamedPeriod)
    return ResolvedDay(day, _passed_note(passed, day, today) if is_named else None)


def _candidates(period: terms.CalendarPeriod, today: date) -> list[terms.CalendarPeriod]:
    """Return the periods that a term may mean, soonest first.

    Only a fully named period may lie in the past.
    """
    match period:
        case terms.RelativePeriod(explicit=False):
            return [terms.RelativePeriod(period.unit, n) for n in (0, 1)]
        case terms.NamedPeriod(year=None):
            return [period._replace(year=today.year + n) for n in (0, 1)]
        case _:
            return [period]


def _period_edge(term: terms.PeriodEdge, today: date, style: DateStyle) -> ResolvedDay:
    readings = [
        _edge_of(term.side, period, today, style) for period in _candidates(term.period, today)
    ]
    found = next((resolved for resolved in readings if resolved.day >= today), readings[-1])
    if isinstance(term.period, terms.NamedPeriod) and found.note is None:
        return ResolvedDay(found.day, _passed_note(readings[0].day, found.day, today))
    return found


def _edge_of(
    side: terms.PeriodSide, period: terms.CalendarPeriod, today: date, style: DateStyle
) -> ResolvedDay:
    first, last = period_days(period, today, style)
    match side:
        case terms.PeriodSide.START:
            return ResolvedDay(first)
        case terms.PeriodSide.MIDDLE:
            middle = first.replace(day=15)
            return ResolvedDay(middle, f"read as {format_day(middle, today)}")
        case terms.PeriodSide.END:
            return _period_end(period, first, last, today)
        case terms.PeriodSide.BARE:
            if isinstance(period, terms.RelativePeriod) and period.offset == 0:
                resolved = _period_end(period, first, last, today)
                return ResolvedDay(resolved.day, f"read as {format_day(resolved.day, today)}")
            return ResolvedDay(first, f"read as {format_day(first, today)}")
        case _:
            assert_never(side)


def _period_end(period: terms.CalendarPeriod, first: date, last: date, today: date) -> ResolvedDay:
    """Return the last day of a period; for a week its Friday, unless that has passed."""
    if not (isinstance(period, terms.RelativePeriod) and period.unit is terms.Unit.WEEK):
        return ResolvedDay(last)
    friday = first + (FRIDAY - first.weekday()) % 7 * ONE_DAY
    day = friday if friday >= today or last < today else last
    return ResolvedDay(day, f"end of the week read as {format_day(day, today)}")


# --- by name ------------------------------------------------------------------------


def _named_day(term: terms.NamedDay, today: date, style: DateStyle) -> ResolvedDay:
    ahead = (term.weekday - today.weekday()) % 7
    coming = today + (ahead or 7) * ONE_DAY
    name = weekday_name(term.weekday)
    match term.which:
        case terms.DayModifier.THIS:
            return ResolvedDay(today + ahead * ONE_DAY)
        case terms.DayModifier.COMING:
            return ResolvedDay(coming)
        case terms.DayModifier.LAST:
            return ResolvedDay(coming - 14 * ONE_DAY if ahead == 0 else coming - WEEK)
        case terms.DayModifier.NEXT:
            # Of next week, as most people say it: on a Thursday, next Tuesday is in five days.
            following = day_of_week(term.weekday, 1, today, style)
            if following == today + ONE_DAY:
                # Nobody says so of tomorrow.
                following += WEEK
            note = f"read as {format_day(following, today)}"
            if following != coming:
                note += f", not the coming {format_day(coming, today)}"
            return ResolvedDay(following, note)
        case terms.DayModifier.BARE:
            if ahead:
                return ResolvedDay(coming)
            return ResolvedDay(coming, f"today is {name}: read as {format_day(coming, today)}")
        case _:
            assert_never(term.which)


def _weekend(term: terms.Weekend, today: date) -> ResolvedDay:
    running = today.weekday() >= SATURDAY
    saturday = today + (SATURDAY - today.weekday()) % 7 * ONE_DAY
    match term.which:
        case terms.DayModifier.BARE | terms.DayModifier.THIS:
            return ResolvedDay(today if running else saturday)
        case terms.DayModifier.COMING:
            return ResolvedDay(saturday if saturday > today else saturday + WEEK)
        case terms.DayModifier.LAST:
            return ResolvedDay(today - (today.weekday() - SATURDAY) % 7 * ONE_DAY - running * WEEK)
        case terms.DayModifier.NEXT:
            this = today - (today.weekday() - SATURDAY) * ONE_DAY
            following = this + WEEK
            note = f"read as {format_day(following, today)}, not the coming weekend"
            return ResolvedDay(following, None if running else note)
        case _:
            assert_never(term.which)


# --- counted ------------------------------------------------------------------------


def shift_day(day: date, duration: terms.Duration, sign: int) -> tuple[date, str | None]:
    """Shift a day by a duration; with a note if a month was too short for the day."""
    note: str | None = None
    require_some_time(duration)
    for amount in duration:
        count = amount.number * sign
        match amount.unit:
            case terms.Unit.DAY:
                day += count * ONE_DAY
            case terms.Unit.WEEK:
                day += count * WEEK
            case terms.Unit.FORTNIGHT:
                day += 2 * count * WEEK
            case terms.Unit.WORKDAY:
                day = _workdays_from(day, count)
            case terms.Unit.MONTH | terms.Unit.QUARTER | terms.Unit.YEAR:
                wanted = day.day
                day = add_months(day, count * MONTHS_PER_UNIT[amount.unit])
                if day.day != wanted:
                    note = f"{month_name(day.month)} {day.year} has only {day.day} days"
            case terms.Unit.HOUR | terms.Unit.MINUTE:
                raise AssertionError("hours need a time to count from")
            case _:
                assert_never(amount.unit)
    return day, note


def require_some_time(duration: terms.Duration) -> None:
    """Raise DateNotUnderstood for an amount of zero, as in `in 0 days`."""
    if any(amount.number == 0 for amount in duration):
        raise DateNotUnderstood("A time from now needs an amount of 1 or more. Or use “today”.")


def add_months(day: date, months: int) -> date:
    """Add months to a day, clamped to the end of shorter months."""
    index = day.year * 12 + day.month - 1 + months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, month_length(year, month)))


def _workdays_from(day: date, count: int) -> date:
    step = ONE_DAY if count > 0 else -ONE_DAY
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
