"""Occurrences of a rule, and the next one after completion or a skip.

Functions of a Recurrence raise a ValidationError if its rule cannot be read. Moments of now and of
a completion are local, or aware when `zone` is given.
"""

from __future__ import annotations

from calendar import isleap
from collections.abc import Iterator
from contextlib import suppress
from datetime import MAXYEAR, UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.dates.resolution import (
    ONE_DAY,
    add_months,
    month_length,
    require_possible_date,
)
from todo_tui.domain.errors import DateNotUnderstood, ValidationError
from todo_tui.domain.recurrence.rrule import (
    Frequency,
    NeverHappens,
    RecurrenceRule,
    RuleDay,
    parse_rule,
)
from todo_tui.domain.task import RepeatFrom, Task
from todo_tui.domain.when import When, effective_zone

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


def slot_after(
    rule: RecurrenceRule, anchor: datetime, after: datetime, *, clamp: bool = True
) -> datetime | None:
    """Return the first occurrence after a moment, None if there is none.

    `anchor` is an occurrence (or the start) that fixes the phase of every other
    week. With `clamp` a day beyond the end of a month falls on its last day;
    without, such months are skipped, as RFC 5545 requires.
    """
    slot = _slot_after(rule, anchor, after, clamp=clamp)
    while slot is not None and rule.excludes(slot):
        slot = _slot_after(rule, anchor, slot, clamp=clamp)
    return slot


def _slot_after(
    rule: RecurrenceRule, anchor: datetime, after: datetime, *, clamp: bool
) -> datetime | None:
    """Return the same as `slot_after`, excluded or not."""
    pinned = _pin_to_anchor(rule, anchor)
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


def has_ended(rule: RecurrenceRule, slot: datetime, zone: str | None = None) -> bool:
    """Return True if a moment is after the rule's last day."""
    until = rule.until
    if until is None:
        return False
    if not isinstance(until, datetime):
        return slot.date() > until
    if until.tzinfo is not None and zone is not None:
        # The end of the calendar is not a moment in every zone.
        with suppress(OverflowError):
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


def _short_slot(rule: RecurrenceRule, anchor: datetime, after: datetime) -> datetime | None:
    step = SEARCH_STEP[rule.freq] * rule.interval
    if rule.is_interval:
        return anchor + max((after - anchor) // step + 1, 0) * step
    each_day = rule._replace(freq=Frequency.DAILY, interval=1)
    start = max(anchor.date(), after.date())
    for day in _days(each_day, start, start, clamp=False):
        # The first one on that day at or after the limit.
        earliest = max(datetime.combine(day, time()), after + timedelta.resolution, anchor)
        slot = anchor + -((anchor - earliest) // step) * step
        if slot.date() == day:
            return slot
    return None


def _days(rule: RecurrenceRule, anchor: date, earliest: date, *, clamp: bool) -> Iterator[date]:
    """Yield the days of a rule in days or longer, in order, from before `earliest` on."""
    in_months = rule.freq in (Frequency.MONTHLY, Frequency.YEARLY)
    # Only rules with nothing but a day of the month are clamped.
    clamp = clamp and in_months and not rule.by_day and not rule.by_set_pos
    if rule.freq is Frequency.DAILY and rule.by_set_pos and {1, -1}.isdisjoint(rule.by_set_pos):
        return
    periods = _months if in_months else _days_or_weeks
    for period in periods(rule, anchor, earliest):
        days = [day for day in period if _matches(rule, day, clamp=clamp)]
        if rule.by_set_pos:
            # From 1, or from the end if negative.
            places = {place - 1 if place > 0 else len(days) + place for place in rule.by_set_pos}
            days = [days[place] for place in sorted(places) if 0 <= place < len(days)]
        yield from days


def _days_or_weeks(rule: RecurrenceRule, anchor: date, earliest: date) -> Iterator[list[date]]:
    length, first = 1, anchor
    if rule.freq is Frequency.WEEKLY:
        length, first = 7, anchor - (anchor.weekday() - rule.week_start) % 7 * ONE_DAY
    step = length * rule.interval * ONE_DAY
    first += max((earliest - first) // step, 0) * step
    for number in range(CYCLE * 366 // length):
        yield [first + number * step + place * ONE_DAY for place in range(length)]


def _months(rule: RecurrenceRule, anchor: date, earliest: date) -> Iterator[list[date]]:
    """Yield the days of each period of a rule in months or years, without excluded months."""
    span = 12 if rule.freq is Frequency.YEARLY else 1
    step = span * rule.interval
    first = anchor.year * 12 + (anchor.month - 1 if span == 1 else 0)
    passed = earliest.year * 12 + earliest.month - 1 - first
    first += max(passed // step, 0) * step
    for index in range(first, min(first + CYCLE * 12 * rule.interval, MAXYEAR * 12), step):
        months = [divmod(each, 12) for each in range(index, index + span)]
        yield [
            date(year, month + 1, number)
            for year, month in months
            if not rule.by_month or month + 1 in rule.by_month
            for number in range(1, month_length(year, month + 1) + 1)
        ]


def _matches(rule: RecurrenceRule, day: date, *, clamp: bool) -> bool:
    if rule.by_month and day.month not in rule.by_month:
        return False
    if rule.by_month_day:
        length = month_length(day.year, day.month)
        longest = length if clamp else 31
        numbers = (length + 1 + n if n < 0 else min(n, longest) for n in rule.by_month_day)
        if day.day not in numbers:
            return False
    return not rule.by_day or any(_is_weekday(rule, day, each) for each in rule.by_day)


def _is_weekday(rule: RecurrenceRule, day: date, wanted: RuleDay) -> bool:
    """Return True if a day is that weekday, counted in its month or year."""
    if wanted.weekday != day.weekday() or not wanted.nth:
        return wanted.weekday == day.weekday()
    of_year = rule.freq is Frequency.YEARLY and not rule.by_month
    place = day.timetuple().tm_yday if of_year else day.day
    last = 365 + isleap(day.year) if of_year else month_length(day.year, day.month)
    return wanted.nth == ((place - 1) // 7 + 1 if wanted.nth > 0 else -((last - place) // 7 + 1))


class Recurrence(NamedTuple):
    """Recurrence of a task: an RRULE without prefix, and the base of the next occurrence."""

    rule: str
    repeat_from: RepeatFrom = RepeatFrom.DUE

    @classmethod
    def of(cls, task: Task) -> Recurrence:
        """Return the recurrence of a task; its rule is empty if it has none."""
        return cls(task.recurrence or "", task.repeat_from)


def slot_of(recurrence: Recurrence, due: When, slot: str | None) -> When:
    """Return the moment that the rule gave to an occurrence, which `due` may have moved.

    A plain interval is counted from the day to which it was moved, at its own time of day; hours
    and minutes are counted from the moved moment.
    """
    rule = parse_rule(recurrence.rule)
    if slot is None or rule.freq.is_short:
        return due
    try:
        own = When.parse(slot)
    except ValueError:  # a file of another program named it
        return due
    return When(due.day, own.at) if rule.is_interval else own


def next_occurrence(
    recurrence: Recurrence,
    due: When,
    completed_at: datetime,
    zone: str | None = None,
    *,
    slot: str | None = None,
) -> When | None:
    """Return the next due moment after completion; None if the recurrence has ended.

    Counted from the old slot (`due`: the slot after it, be it past or future), from now
    (`next`: the first slot after the old one, the due moment and now) or from the day of
    completion (`completion`). The old slot is the due moment, unless `slot` says that it was
    moved. Hours are counted through daylight saving when `zone` is given; a time of day stays
    what it is.
    """
    rule = parse_rule(recurrence.rule)
    done = _local(completed_at, zone)
    if recurrence.repeat_from is RepeatFrom.NEXT:
        done = max(done, due.begins())
    base = slot_of(recurrence, due, slot)
    try:
        following = _next_slot(rule, recurrence.repeat_from, base, done, zone)
    except (OverflowError, ValueError):
        return None
    # In UTC the end of the last calendar year may be out of range.
    if following is None or following.year == MAXYEAR or has_ended(rule, following, zone):
        return None
    timed = base.at is not None or rule.freq.is_short
    return When.of(following) if timed else When(following.date())


def anchor_to_due_day(recurrence: Recurrence, due: When) -> Recurrence:
    """Write the late day of a monthly or yearly recurrence into its rule."""
    if recurrence.repeat_from is RepeatFrom.COMPLETION:
        return recurrence
    rule = parse_rule(recurrence.rule)
    kept = anchor_rule(rule, due)
    return recurrence if kept == rule else recurrence._replace(rule=kept.text())


def first_occurrences(
    recurrence: Recurrence, first: When, count: int, zone: str | None = None
) -> list[When]:
    """Return at most `count` occurrences from the first on, each done on its day."""
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
    recurrence: Recurrence,
    due: When,
    now: datetime,
    count: int,
    zone: str | None = None,
    *,
    slot: str | None = None,
) -> list[When]:
    """Return at most `count` later occurrences, if this one is done now and those on their day."""
    following = next_occurrence(recurrence, due, now, zone, slot=slot)
    kept = anchor_to_due_day(recurrence, slot_of(recurrence, due, slot))
    rule = parse_rule(kept.rule)
    if following is None or rule.times == 1:
        return []
    if rule.times is not None:
        kept = kept._replace(rule=rule._replace(times=rule.times - 1).text())
    return first_occurrences(kept, following, count, zone)


def upcoming_dates(task: Task, now: datetime, home: str, count: int) -> list[When]:
    """Return at most `count` later dates of a recurring task that is completed now.

    Empty for any other task, and for a rule of another program that cannot be read. `now` is
    local time in the zone `home`.
    """
    if task.recurrence is None or not task.is_open:
        return []
    due, slot = (When(now.date()), None) if task.due is None else (task.due, task.slot)
    here, there = now.replace(tzinfo=ZoneInfo(home)), effective_zone(task.due_zone, home)
    with suppress(ValidationError):
        return occurrences_after(Recurrence.of(task), due, here, count, there, slot=slot)
    return []


def occurrence_after_skip(
    recurrence: Recurrence,
    due: When,
    now: datetime,
    zone: str | None = None,
    *,
    missed: bool,
    slot: str | None = None,
) -> When | None:
    """Return the due moment after skipping this occurrence; None if it was the last one.

    Counted from `due`, the slot after the old one, even if past; else, and with
    `missed`, the first slot that is not past: today's counts as open.
    `completion` counts from today, or from a future due day.
    """
    here = _local(now, zone)
    match recurrence.repeat_from:
        case RepeatFrom.DUE if not missed:
            return next_occurrence(recurrence, due, here, zone, slot=slot)
        case RepeatFrom.DUE | RepeatFrom.NEXT:
            # The moment before an all-day slot of today.
            own = slot_of(recurrence, due, slot)
            timed = own.at is not None or parse_rule(recurrence.rule).freq.is_short
            before = here if timed else datetime.combine(here.date() - ONE_DAY, time())
            ahead = recurrence._replace(repeat_from=RepeatFrom.NEXT)
            return next_occurrence(ahead, due, before, zone, slot=slot)
        case RepeatFrom.COMPLETION:
            at = max(here, due.begins())
            return next_occurrence(recurrence, due, at, zone, slot=slot)


def count_missed_occurrences(
    recurrence: Recurrence, due: When, now: datetime, zone: str | None = None, *, most: int = 99
) -> int:
    """Count the occurrences from `due` on that are past, up to `most`.

    A recurrence that counts from completion never misses any.
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
    anchor = datetime(2000, 1, 1) if due is None else due.begins()
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
    raise NeverHappens(f"“{recurrence.rule}” never occurs: no day matches.")


def _local(moment: datetime, zone: str | None) -> datetime:
    if moment.tzinfo is not None and zone is not None:
        moment = moment.astimezone(ZoneInfo(zone))
    return moment.replace(tzinfo=None)


def _next_slot(
    rule: RecurrenceRule, repeat_from: RepeatFrom, due: When, done: datetime, zone: str | None
) -> datetime | None:
    anchor = due.begins()
    counts_elapsed = rule.freq.is_short and rule.is_interval
    match repeat_from:
        case RepeatFrom.DUE if counts_elapsed:
            # An all-day moment has no hour to count from, so past hours are not slots.
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
        if slot > after and slot > anchor and not rule.excludes(slot):
            return slot
