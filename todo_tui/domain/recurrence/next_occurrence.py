"""Occurrences of a rule, and the next one after completion or a skip."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.calendar import (
    ONE_DAY,
    add_months,
    month_length,
    require_possible_date,
)
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.rule import (
    Frequency,
    NeverHappens,
    RecurrenceRule,
    RuleDay,
    parse_rule,
)
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When

SEARCH_STEP = {
    Frequency.MINUTELY: timedelta(minutes=1),
    Frequency.HOURLY: timedelta(hours=1),
    Frequency.DAILY: ONE_DAY,
    Frequency.WEEKLY: timedelta(weeks=1),
}
SAFE_DAY = 28
"""Last day that every month has."""
CYCLE = 400
"""Years after which the calendar repeats, weekdays and leap years included."""
MAX_WEEKS = 5000
"""Maximum number of weeks to search: only BYMONTH excludes weeks."""


def slot_after(
    rule: RecurrenceRule, anchor: datetime, after: datetime, *, clamp: bool = True
) -> datetime | None:
    """Return the first occurrence after a moment, None if there is none.

    `anchor` is an occurrence (or the start) that fixes the phase of every other
    week. With `clamp` a day beyond the end of a month falls on its last day;
    without, such months are skipped, as RFC 5545 requires.
    """
    pinned = _pin_to_anchor(rule, anchor)
    earliest = max(anchor.date(), after.date())
    try:
        if rule.freq.is_short:
            return _short_slot(pinned, anchor, after)
        if rule.freq is Frequency.DAILY:
            days = _days_by_count(pinned, anchor.date(), earliest)
        elif rule.freq is Frequency.WEEKLY:
            days = _days_by_week(pinned, anchor.date(), earliest)
        else:
            days = _days_by_month(pinned, anchor.date(), earliest, clamp=clamp)
        for day in days:
            slot = datetime.combine(day, anchor.time())
            if slot > after and slot >= anchor:
                return slot
    except (OverflowError, ValueError):
        # The calendar has an end.
        return None
    return None


def has_ended(rule: RecurrenceRule, slot: datetime, zone: str | None = None) -> bool:
    """Return True if a moment is after the rule's last day."""
    until = rule.until
    if until is None:
        return False
    if not isinstance(until, datetime):
        return slot.date() > until
    if until.tzinfo is not None and zone is not None:
        until = until.astimezone(ZoneInfo(zone))
    return slot > until.replace(tzinfo=None)


def anchor_rule(rule: RecurrenceRule, first: When) -> RecurrenceRule:
    """Write a late day of the month into a rule, so that later months return to it."""
    if not rule.is_interval or first.day.day <= SAFE_DAY:
        return rule
    if rule.freq is Frequency.MONTHLY:
        return rule._replace(by_month_day=(first.day.day,))
    if rule.freq is Frequency.YEARLY and (first.day.month, first.day.day) == (2, 29):
        return rule._replace(by_month=(2,), by_month_day=(29,))
    return rule


def _pin_to_anchor(rule: RecurrenceRule, anchor: datetime) -> RecurrenceRule:
    """Write the day of the anchor into a rule that names no other day."""
    if rule.by_day or rule.by_month_day:
        return rule
    match rule.freq:
        case Frequency.WEEKLY:
            return rule._replace(by_day=(RuleDay(anchor.weekday()),))
        case Frequency.MONTHLY:
            return rule._replace(by_month_day=(anchor.day,))
        case Frequency.YEARLY:
            months = rule.by_month or (anchor.month,)
            return rule._replace(by_month=months, by_month_day=(anchor.day,))
        case _:
            return rule


# --- hours, minutes, days: counted, with exclusions -------------------------------------


def _short_slot(rule: RecurrenceRule, anchor: datetime, after: datetime) -> datetime | None:
    """Return the next occurrence of a rule in hours or minutes."""
    step = SEARCH_STEP[rule.freq] * rule.interval
    if rule.is_interval:
        return anchor + max((after - anchor) // step + 1, 0) * step
    if not _takes_only_occurrence(rule):
        return None
    for day in _matching_days(rule, max(anchor.date(), after.date())):
        # The first one on that day at or after the limit.
        earliest = max(datetime.combine(day, time()), after + timedelta.resolution, anchor)
        slot = anchor + -((anchor - earliest) // step) * step
        if slot.date() == day:
            return slot
    return None


def _days_by_count(rule: RecurrenceRule, anchor: date, earliest: date) -> Iterator[date]:
    step = rule.interval
    if rule.is_interval:
        day = anchor + (earliest - anchor).days // step * step * ONE_DAY
        yield day
        yield day + step * ONE_DAY
    elif _takes_only_occurrence(rule):
        for day in _matching_days(rule, earliest):
            if (day - anchor).days % step == 0:
                yield day


def _takes_only_occurrence(rule: RecurrenceRule) -> bool:
    """Return True if the rule takes the only occurrence of a period."""
    return not rule.by_set_pos or 1 in rule.by_set_pos or -1 in rule.by_set_pos


def _matching_days(rule: RecurrenceRule, earliest: date) -> Iterator[date]:
    """Yield all days from `earliest` on that the rule does not exclude."""
    every_month = rule._replace(freq=Frequency.MONTHLY, interval=1, by_set_pos=())
    days = _days_by_month(every_month, earliest, earliest, clamp=False)
    return (day for day in days if day >= earliest)


# --- weeks, months, years: matching days of each period ---------------------------------


def _days_by_week(rule: RecurrenceRule, anchor: date, earliest: date) -> Iterator[date]:
    first = anchor - (anchor.weekday() - rule.week_start) % 7 * ONE_DAY
    step = 7 * rule.interval
    week = first + max((earliest - first).days // step, 0) * step * ONE_DAY
    weekdays = {day.weekday for day in rule.by_day}
    for _ in range(MAX_WEEKS):
        days = [week + place * ONE_DAY for place in range(7)]
        fitting = [day for day in days if day.weekday() in weekdays]
        if rule.by_month:
            fitting = [day for day in fitting if day.month in rule.by_month]
        yield from _select_positions(rule, fitting)
        week += step * ONE_DAY


def _days_by_month(
    rule: RecurrenceRule, anchor: date, earliest: date, *, clamp: bool
) -> Iterator[date]:
    """Yield the days of a rule in months or years, in order, from before `earliest` on."""
    span = 12 if rule.freq is Frequency.YEARLY else 1
    step = span * rule.interval
    first = anchor.year * 12 + (anchor.month - 1 if span == 1 else 0)
    passed = earliest.year * 12 + earliest.month - 1 - first
    start = first + max(passed // step, 0) * step
    for index in range(start, min(start + CYCLE * 12 * rule.interval, MAXYEAR * 12), step):
        days = [
            date(each // 12, each % 12 + 1, number)
            for each in range(index, index + span)
            for number in _days_in_month(rule, each // 12, each % 12 + 1, clamp=clamp)
        ]
        yield from _select_positions(rule, days)


def _select_positions(rule: RecurrenceRule, days: list[date]) -> list[date]:
    """Select the days of one period by BYSETPOS."""
    if not rule.by_set_pos:
        return days
    count = len(days)
    places = {place - 1 if place > 0 else count + place for place in rule.by_set_pos}
    return [days[place] for place in sorted(places) if 0 <= place < count]


def _days_in_month(rule: RecurrenceRule, year: int, month: int, *, clamp: bool) -> list[int]:
    """Return the days of one month that match the rule, in order."""
    if rule.by_month and month not in rule.by_month:
        return []
    length = month_length(year, month)
    if not rule.by_month_day:
        return [
            number for number in range(1, length + 1) if _matches_weekday(rule, year, month, number)
        ]
    # Only rules with nothing but a day of the month are clamped.
    clamps = clamp and not rule.by_day and not rule.by_set_pos
    numbers = {
        length + 1 + number if number < 0 else min(number, length) if clamps else number
        for number in rule.by_month_day
    }
    return [
        number
        for number in sorted(numbers)
        if 1 <= number <= length
        and (not rule.by_day or _matches_weekday(rule, year, month, number))
    ]


def _matches_weekday(rule: RecurrenceRule, year: int, month: int, number: int) -> bool:
    """Return True for one of the rule's weekdays, counted in its month or year."""
    if not rule.by_day:
        return True
    day = date(year, month, number)
    weekday = day.weekday()
    for wanted in rule.by_day:
        if wanted.weekday != weekday:
            continue
        if not wanted.nth:
            return True
        of_year = rule.freq is Frequency.YEARLY and not rule.by_month
        place = day.timetuple().tm_yday if of_year else number
        length = date(year, 12, 31).timetuple().tm_yday if of_year else month_length(year, month)
        nth = (place - 1) // 7 + 1 if wanted.nth > 0 else -((length - place) // 7 + 1)
        if nth == wanted.nth:
            return True
    return False


class Recurrence(NamedTuple):
    """Recurrence of a task: an RRULE without prefix, and the base of the next occurrence."""

    rule: str
    repeat_from: RepeatFrom = RepeatFrom.DUE


def next_occurrence(
    recurrence: Recurrence, due: When, completed_at: datetime, zone: str | None = None
) -> When | None:
    """Return the next due moment after completion; None if the recurrence has ended.

    Counted from the old due moment (`due`: the slot after it, be it past or
    future), from now (`next`: the first slot after both) or from the day of
    completion (`completion`). `completed_at` is local, or aware when `zone` is given.
    Hours are counted through daylight saving when `zone` is given; a time of day
    stays what it is.

    Raises:
        ValidationError: the rule cannot be read.
    """
    rule = parse_rule(recurrence.rule)
    done = _local(completed_at, zone)
    anchor = _due_moment(due)
    try:
        slot = _next_slot(rule, recurrence.repeat_from, anchor, due, done, zone)
    except (OverflowError, ValueError):
        return None
    # In UTC the end of the last calendar year may be out of range.
    if slot is None or slot.year == MAXYEAR or has_ended(rule, slot, zone):
        return None
    timed = due.at is not None or rule.freq.is_short
    return When.of(slot) if timed else When(slot.date())


def anchor_to_due_day(recurrence: Recurrence, due: When) -> Recurrence:
    """Write the late day of a monthly or yearly recurrence into its rule.

    Raises:
        ValidationError: the rule cannot be read.
    """
    if recurrence.repeat_from is RepeatFrom.COMPLETION:
        return recurrence
    rule = parse_rule(recurrence.rule)
    kept = anchor_rule(rule, due)
    return recurrence if kept == rule else recurrence._replace(rule=kept.text())


def first_occurrences(
    recurrence: Recurrence, first: When, count: int, zone: str | None = None
) -> list[When]:
    """Return at most `count` occurrences from the first on, each done on its day.

    Raises:
        ValidationError: the rule cannot be read.
    """
    recurrence = anchor_to_due_day(recurrence, first)
    times = parse_rule(recurrence.rule).times
    count = count if times is None else min(count, times)
    moments = [first]
    while len(moments) < count:
        following = next_occurrence(recurrence, moments[-1], moments[-1].local(), zone)
        if following is None:
            break
        moments.append(following)
    return moments[:count]


def occurrences_after(
    recurrence: Recurrence, due: When, now: datetime, count: int, zone: str | None = None
) -> list[When]:
    """Return at most `count` later occurrences, if this one is done now and those on their day.

    `now` is local, or aware when `zone` is given.

    Raises:
        ValidationError: the rule cannot be read.
    """
    following = next_occurrence(recurrence, due, now, zone)
    kept = anchor_to_due_day(recurrence, due)
    rule = parse_rule(kept.rule)
    if following is None or rule.times == 1:
        return []
    if rule.times is not None:
        kept = kept._replace(rule=rule._replace(times=rule.times - 1).text())
    return first_occurrences(kept, following, count, zone)


def occurrence_after_skip(
    recurrence: Recurrence, due: When, now: datetime, zone: str | None = None, *, missed: bool
) -> When | None:
    """Return the due moment after skipping this occurrence; None if it was the last one.

    Counted from `due`, the slot after the due moment, even if past; else, and with
    `missed`, the first slot that is not past: today's counts as open.
    `completion` counts from today, or from a future due day.
    `now` is local, or aware when `zone` is given.

    Raises:
        ValidationError: the rule cannot be read.
    """
    here = _local(now, zone)
    match recurrence.repeat_from:
        case RepeatFrom.DUE if not missed:
            return next_occurrence(recurrence, due, here, zone)
        case RepeatFrom.DUE | RepeatFrom.NEXT:
            # The moment before an all-day slot of today.
            timed = due.at is not None or parse_rule(recurrence.rule).freq.is_short
            before = here if timed else datetime.combine(here.date() - timedelta(days=1), time())
            ahead = recurrence._replace(repeat_from=RepeatFrom.NEXT)
            return next_occurrence(ahead, due, before, zone)
        case RepeatFrom.COMPLETION:
            return next_occurrence(recurrence, due, max(here, _due_moment(due)), zone)


def count_missed_occurrences(
    recurrence: Recurrence, due: When, now: datetime, zone: str | None = None, *, most: int = 99
) -> int:
    """Count the occurrences from `due` on that are past, up to `most`.

    A recurrence that counts from completion never misses any.
    `now` is local, or aware when `zone` is given.
    """
    if recurrence.repeat_from is RepeatFrom.COMPLETION:
        return 0
    here = _local(now, zone)
    each = recurrence._replace(repeat_from=RepeatFrom.DUE)
    passed, slot = 0, due
    while passed < most and slot.local() < here:
        passed += 1
        following = next_occurrence(each, slot, here, zone)
        if following is None:
            break
        slot = following
    return passed


def require_occurrence(recurrence: Recurrence, due: When | None) -> None:
    """Check that a rule has an occurrence besides the due day set for it.

    Raises:
        RuleProblem: the rule cannot be read.
        NeverHappens: it names days that never come.
    """
    rule = parse_rule(recurrence.rule)
    anchor = datetime(2000, 1, 1) if due is None else _due_moment(due)
    counted = rule._replace(times=None, until=None)
    if due is None:
        counted = counted._replace(interval=1)
    if slot_after(counted, anchor, anchor, clamp=False) is not None:
        return
    for month in rule.by_month:
        for day in rule.by_month_day:
            try:
                require_possible_date(day, month)
            except DateNotUnderstood as problem:
                raise NeverHappens(problem.message) from problem
    raise NeverHappens(f"“{recurrence.rule}” never happens: no day fits it.")


def _due_moment(due: When) -> datetime:
    return datetime.combine(due.day, due.at or time())


def _local(moment: datetime, zone: str | None) -> datetime:
    if moment.tzinfo is not None and zone is not None:
        moment = moment.astimezone(ZoneInfo(zone))
    return moment.replace(tzinfo=None)


def _next_slot(
    rule: RecurrenceRule,
    repeat_from: RepeatFrom,
    anchor: datetime,
    due: When,
    done: datetime,
    zone: str | None,
) -> datetime | None:
    counts_elapsed = rule.freq.is_short and rule.is_interval
    match repeat_from:
        case RepeatFrom.DUE if counts_elapsed:
            # An all-day moment has no hour to count from, so past hours are no slots.
            after = anchor if due.at is not None else max(anchor, done)
            return _after_elapsed(rule, anchor, after, zone)
        case RepeatFrom.DUE:
            return slot_after(rule, anchor, anchor)
        case RepeatFrom.NEXT:
            all_day = due.at is None and not rule.freq.is_short
            after = max(anchor, datetime.combine(done.date(), time()) if all_day else done)
            if counts_elapsed:
                return _after_elapsed(rule, anchor, after, zone)
            return slot_after(rule, anchor, after)
        case RepeatFrom.COMPLETION if counts_elapsed:
            return _after_elapsed(rule, done.replace(second=0, microsecond=0), done, zone)
        case RepeatFrom.COMPLETION if rule.is_interval:
            if rule.freq in SEARCH_STEP:
                day = done.date() + SEARCH_STEP[rule.freq] * rule.interval
            else:
                months = 12 if rule.freq is Frequency.YEARLY else 1
                day = add_months(done.date(), rule.interval * months)
            return datetime.combine(day, anchor.time())
        case RepeatFrom.COMPLETION:
            start = datetime.combine(done.date(), anchor.time())
            # Completed early: the same day must not come again.
            after = max(anchor, datetime.combine(done.date(), time.max))
            return slot_after(rule, start, after)


def _after_elapsed(
    rule: RecurrenceRule, anchor: datetime, after: datetime, zone: str | None
) -> datetime | None:
    """Return the first moment after `after`, a whole number of hours or minutes past the anchor.

    Counted in real time when the zone is known; where clocks are set back the wall
    time must still move on.
    """
    step = timedelta(minutes=rule.interval * (60 if rule.freq is Frequency.HOURLY else 1))
    there = UTC if zone is None else ZoneInfo(zone)
    began = anchor.replace(tzinfo=there).astimezone(UTC)
    passed = after.replace(tzinfo=there).astimezone(UTC) - began
    count = max(passed // step, 0)
    while True:
        count += 1
        slot = (began + step * count).astimezone(there).replace(tzinfo=None)
        if slot > after and slot > anchor:
            return slot
