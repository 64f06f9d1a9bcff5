"""The moments at which a rule falls due, computed from near the moment that is asked for.

A rule is walked by its own periods: of each week, month or year in its interval the days
that fit are taken. What is shorter than a week only leaves out days. Every walk ends
after 400 years, in which the calendar comes round, so that a rule that never falls due is
known as one at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import MAXYEAR, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from todo_tui.domain.phrases.calendar_days import month_length
from todo_tui.domain.rule import Freq, Rule, RuleDay
from todo_tui.domain.when import When

DAY = timedelta(days=1)
STEP = {
    Freq.MINUTELY: timedelta(minutes=1),
    Freq.HOURLY: timedelta(hours=1),
    Freq.DAILY: DAY,
    Freq.WEEKLY: timedelta(weeks=1),
}
SAFE_DAY = 28
"""Every month has it."""
CYCLE = 400
"""Years after which days, months, weekdays and leap years come in the same order again."""
MOST_WEEKS = 5000
"""Weeks to look at: a rule in weeks leaves out nothing but months."""


def slot_after(
    rule: Rule, anchor: datetime, after: datetime, *, clamp: bool = True
) -> datetime | None:
    """The first occurrence after a moment, None when there is none.

    `anchor` is an occurrence (or the start) that fixes the phase of every other
    week. With `clamp` a day that a month is too short for falls on its last day;
    without, such months are passed over, as RFC 5545 has it.
    """
    pinned = _pinned(rule, anchor)
    earliest = max(anchor.date(), after.date())
    try:
        if rule.freq.is_short:
            return _short_slot(pinned, anchor, after)
        for day in _days(pinned, anchor.date(), earliest, clamp=clamp):
            slot = datetime.combine(day, anchor.time())
            if slot > after and slot >= anchor:
                return slot
    except (OverflowError, ValueError):
        # The calendar has an end.
        return None
    return None


def has_ended(rule: Rule, slot: datetime, zone: str | None = None) -> bool:
    """Whether a moment lies after the rule's last day."""
    until = rule.until
    if until is None:
        return False
    if not isinstance(until, datetime):
        return slot.date() > until
    if until.tzinfo is not None and zone is not None:
        until = until.astimezone(ZoneInfo(zone))
    return slot > until.replace(tzinfo=None)


def shifted_by(rule: Rule, day: date) -> date:
    """A day one interval of a rule in days, weeks, months or years later, clamped."""
    if rule.freq in STEP:
        return day + STEP[rule.freq] * rule.interval
    index = day.year * 12 + day.month - 1
    index += rule.interval * (12 if rule.freq is Freq.YEARLY else 1)
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(day.day, month_length(year, month)))


def anchored(rule: Rule, first: When) -> Rule:
    """A rule that remembers a late day of the month, so that it comes back to it."""
    if not rule.is_interval or first.day.day <= SAFE_DAY:
        return rule
    if rule.freq is Freq.MONTHLY:
        return rule._replace(by_month_day=(first.day.day,))
    if rule.freq is Freq.YEARLY and (first.day.month, first.day.day) == (2, 29):
        return rule._replace(by_month=(2,), by_month_day=(29,))
    return rule


def _pinned(rule: Rule, anchor: datetime) -> Rule:
    """A rule with the day of its anchor written into it, where it names no other."""
    if rule.by_day or rule.by_month_day:
        return rule
    match rule.freq:
        case Freq.WEEKLY:
            return rule._replace(by_day=(RuleDay(anchor.weekday()),))
        case Freq.MONTHLY:
            return rule._replace(by_month_day=(anchor.day,))
        case Freq.YEARLY:
            months = rule.by_month or (anchor.month,)
            return rule._replace(by_month=months, by_month_day=(anchor.day,))
        case _:
            return rule


def _days(rule: Rule, anchor: date, earliest: date, *, clamp: bool) -> Iterator[date]:
    """The days of a rule in days or longer, in order, from some day before `earliest` on."""
    match rule.freq:
        case Freq.WEEKLY:
            return _days_by_week(rule, anchor, earliest)
        case Freq.MONTHLY:
            return _days_by_month(rule, anchor, earliest, clamp=clamp)
        case Freq.YEARLY:
            return _days_by_year(rule, anchor, earliest, clamp=clamp)
        case _:
            return _days_by_count(rule, anchor, earliest)


# --- hours, minutes, days: counted, some left out ---------------------------------------


def _short_slot(rule: Rule, anchor: datetime, after: datetime) -> datetime | None:
    """Of a rule in hours or minutes."""
    step = STEP[rule.freq] * rule.interval
    if rule.is_interval:
        return anchor + max((after - anchor) // step + 1, 0) * step
    if not _first_of_one(rule):
        return None
    for day in _fitting_days(rule, max(anchor.date(), after.date())):
        # The first one on that day that is late enough.
        earliest = max(datetime.combine(day, time()), after + timedelta.resolution, anchor)
        slot = anchor + -((anchor - earliest) // step) * step
        if slot.date() == day:
            return slot
    return None


def _days_by_count(rule: Rule, anchor: date, earliest: date) -> Iterator[date]:
    step = rule.interval
    if rule.is_interval:
        day = anchor + (earliest - anchor).days // step * step * DAY
        yield day
        yield day + step * DAY
    elif _first_of_one(rule):
        for day in _fitting_days(rule, earliest):
            if (day - anchor).days % step == 0:
                yield day


def _first_of_one(rule: Rule) -> bool:
    """Whether the only occurrence of a period is one that the rule takes."""
    return not rule.by_set_pos or 1 in rule.by_set_pos or -1 in rule.by_set_pos


def _fitting_days(rule: Rule, earliest: date) -> Iterator[date]:
    """All days from `earliest` on that the rule does not leave out."""
    for index in _months_from(earliest, 1):
        year, month = _year_month(index)
        for number in _days_in_month(rule, year, month, clamp=False):
            day = date(year, month, number)
            if day >= earliest:
                yield day


# --- weeks, months, years: of each the days that the rule names -------------------------


def _days_by_week(rule: Rule, anchor: date, earliest: date) -> Iterator[date]:
    first = anchor - (anchor.weekday() - rule.week_start) % 7 * DAY
    step = 7 * rule.interval
    week = first + max((earliest - first).days // step, 0) * step * DAY
    for _ in range(MOST_WEEKS):
        days = [week + place * DAY for place in range(7)]
        fitting = [
            day
            for day in days
            if (not rule.by_month or day.month in rule.by_month)
            and any(day.weekday() == wanted.weekday for wanted in rule.by_day)
        ]
        yield from _placed(rule, fitting)
        week += step * DAY


def _days_by_month(rule: Rule, anchor: date, earliest: date, *, clamp: bool) -> Iterator[date]:
    passed = (earliest.year - anchor.year) * 12 + earliest.month - anchor.month
    start = _index(anchor) + max(passed // rule.interval, 0) * rule.interval
    for index in _months_from(start, rule.interval):
        year, month = _year_month(index)
        numbers = _days_in_month(rule, year, month, clamp=clamp)
        yield from _placed(rule, [date(year, month, number) for number in numbers])


def _days_by_year(rule: Rule, anchor: date, earliest: date, *, clamp: bool) -> Iterator[date]:
    passed = max((earliest.year - anchor.year) // rule.interval, 0)
    start = anchor.year + passed * rule.interval
    for year in range(start, min(start + CYCLE * rule.interval, MAXYEAR), rule.interval):
        days = [
            date(year, month, number)
            for month in range(1, 13)
            for number in _days_in_month(rule, year, month, clamp=clamp)
        ]
        yield from _placed(rule, days)


def _months_from(start: date | int, interval: int) -> Iterator[int]:
    index = start if isinstance(start, int) else _index(start)
    end = min(index + CYCLE * 12 * interval, MAXYEAR * 12)
    return iter(range(index, end, interval))


def _index(day: date) -> int:
    return day.year * 12 + day.month - 1


def _year_month(index: int) -> tuple[int, int]:
    return index // 12, index % 12 + 1


def _placed(rule: Rule, days: list[date]) -> list[date]:
    """Of the days of one period those at the places that the rule counts."""
    if not rule.by_set_pos:
        return days
    count = len(days)
    places = {place - 1 if place > 0 else count + place for place in rule.by_set_pos}
    return [days[place] for place in sorted(places) if 0 <= place < count]


def _days_in_month(rule: Rule, year: int, month: int, *, clamp: bool) -> list[int]:
    """The days of one month that fit the rule, in order."""
    if rule.by_month and month not in rule.by_month:
        return []
    length = month_length(year, month)
    if not rule.by_month_day:
        return [number for number in range(1, length + 1) if _on_day(rule, year, month, number)]
    # Only what names a day of the month and nothing else can fall on an earlier one.
    clamps = clamp and not rule.by_day and not rule.by_set_pos
    numbers = {
        length + 1 + number if number < 0 else min(number, length) if clamps else number
        for number in rule.by_month_day
    }
    return [
        number
        for number in sorted(numbers)
        if 1 <= number <= length and (not rule.by_day or _on_day(rule, year, month, number))
    ]


def _on_day(rule: Rule, year: int, month: int, number: int) -> bool:
    """Whether a day is one of the rule's weekdays, counted in its month or year."""
    if not rule.by_day:
        return True
    day = date(year, month, number)
    weekday = day.weekday()
    for wanted in rule.by_day:
        if wanted.weekday != weekday:
            continue
        if not wanted.nth:
            return True
        of_year = rule.freq is Freq.YEARLY and not rule.by_month
        place = day.timetuple().tm_yday if of_year else number
        length = date(year, 12, 31).timetuple().tm_yday if of_year else month_length(year, month)
        nth = (place - 1) // 7 + 1 if wanted.nth > 0 else -((length - place) // 7 + 1)
        if nth == wanted.nth:
            return True
    return False
