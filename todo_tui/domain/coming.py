"""When a repeating task falls due next: once it is done, when it is skipped, from then on."""

from __future__ import annotations

from datetime import MAXYEAR, UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.occurrences import anchored, has_ended, shifted_by, slot_after
from todo_tui.domain.phrases.calendar_days import refuse_impossible
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.rule import Freq, NeverHappens, Rule, parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When


class Recurrence(NamedTuple):
    """How a task repeats: an RRULE without prefix, and what the next one counts from."""

    rule: str
    repeat_from: RepeatFrom = RepeatFrom.DUE


def next_occurrence(
    recurrence: Recurrence, due: When, completed_at: datetime, zone: str | None = None
) -> When | None:
    """When it falls due again after being done; None when it has ended.

    Counted from the old due moment (`due`: the slot after it, be it past or
    future), from now (`next`: the first slot after both) or from the day it was
    done (`completion`). `completed_at` is local, or aware when `zone` is given.
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
    # The last year of the calendar is not whole everywhere: in UTC it may lie beyond.
    if slot is None or slot.year == MAXYEAR or has_ended(rule, slot, zone):
        return None
    timed = due.at is not None or rule.freq.is_short
    return When.of(slot) if timed else When(slot.date())


def kept_to_its_day(recurrence: Recurrence, due: When) -> Recurrence:
    """A monthly or yearly rhythm that names its late day, so that it comes back to it.

    Raises:
        ValidationError: the rule cannot be read.
    """
    if recurrence.repeat_from is RepeatFrom.COMPLETION:
        return recurrence
    rule = parse_rule(recurrence.rule)
    kept = anchored(rule, due)
    return recurrence if kept == rule else recurrence._replace(rule=kept.text())


def upcoming(
    recurrence: Recurrence, first: When, count: int, zone: str | None = None
) -> list[When]:
    """The first occurrence and those that follow, `count` at most, as if done on the day.

    Raises:
        ValidationError: the rule cannot be read.
    """
    recurrence = kept_to_its_day(recurrence, first)
    times = parse_rule(recurrence.rule).times
    count = count if times is None else min(count, times)
    moments = [first]
    while len(moments) < count:
        following = next_occurrence(recurrence, moments[-1], moments[-1].local(), zone)
        if following is None:
            break
        moments.append(following)
    return moments[:count]


def dates_after(
    recurrence: Recurrence, due: When, now: datetime, count: int, zone: str | None = None
) -> list[When]:
    """The dates that follow this one, `count` at most, if it is done now and those on their day.

    `now` is local, or aware when `zone` is given.

    Raises:
        ValidationError: the rule cannot be read.
    """
    following = next_occurrence(recurrence, due, now, zone)
    kept = kept_to_its_day(recurrence, due)
    rule = parse_rule(kept.rule)
    if following is None or rule.times == 1:
        return []
    if rule.times is not None:
        kept = kept._replace(rule=rule._replace(times=rule.times - 1).text())
    return upcoming(kept, following, count, zone)


def occurrence_after_skipping(
    recurrence: Recurrence, due: When, now: datetime, zone: str | None = None, *, missed: bool
) -> When | None:
    """When it falls due if this occurrence is left out; None when that was the last one.

    The slot after the due moment where each one counts (`due`), even if that has
    passed as well; else, and with `missed`, the first one that has not: today's is
    still to be done. `completion` counts from today, or from a due day to come.
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


def missed_slots(
    recurrence: Recurrence, due: When, now: datetime, zone: str | None = None, *, most: int = 99
) -> int:
    """How many occurrences, `due` first, lie in the past; `most` at most.

    Of a rule that counts from completion nothing is ever missed.
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


def refuse_never(recurrence: Recurrence, due: When | None) -> None:
    """Make sure that a rule falls due at all, beside the day that is set for it.

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
                refuse_impossible(day, month)
            except DateNotUnderstood as problem:
                raise NeverHappens(problem.message) from problem
    raise NeverHappens(f"“{recurrence.rule}” never happens: no day fits it.")


def _due_moment(due: When) -> datetime:
    """When it is due; an all-day moment from its first minute."""
    return datetime.combine(due.day, due.at or time())


def _local(moment: datetime, zone: str | None) -> datetime:
    if moment.tzinfo is not None and zone is not None:
        moment = moment.astimezone(ZoneInfo(zone))
    return moment.replace(tzinfo=None)


def _next_slot(
    rule: Rule,
    repeat_from: RepeatFrom,
    anchor: datetime,
    due: When,
    done: datetime,
    zone: str | None,
) -> datetime | None:
    counts_elapsed = rule.freq.is_short and rule.is_interval
    match repeat_from:
        case RepeatFrom.DUE if counts_elapsed:
            # A day has no hour to count from: then the hours that have passed are no slots.
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
            return datetime.combine(shifted_by(rule, done.date()), anchor.time())
        case RepeatFrom.COMPLETION:
            start = datetime.combine(done.date(), anchor.time())
            # Done before its day, that day is not to come once more.
            after = max(anchor, datetime.combine(done.date(), time.max))
            return slot_after(rule, start, after)


def _after_elapsed(
    rule: Rule, anchor: datetime, after: datetime, zone: str | None
) -> datetime | None:
    """The first moment after `after`, a whole number of hours or minutes past the anchor.

    Counted in real time when the zone is known; where clocks are set back the wall
    time must still move on.
    """
    step = timedelta(minutes=rule.interval * (60 if rule.freq is Freq.HOURLY else 1))
    there = UTC if zone is None else ZoneInfo(zone)
    began = anchor.replace(tzinfo=there).astimezone(UTC)
    passed = after.replace(tzinfo=there).astimezone(UTC) - began
    count = max(passed // step, 0)
    while True:
        count += 1
        slot = (began + step * count).astimezone(there).replace(tzinfo=None)
        if slot > after and slot > anchor:
            return slot
