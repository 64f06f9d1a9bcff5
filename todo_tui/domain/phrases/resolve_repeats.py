"""Makes a rule and a first occurrence of a repeating phrase, given the clock."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from todo_tui.domain.occurrences import SAFE_DAY, anchored, slot_after
from todo_tui.domain.phrases.calendar_days import refuse_impossible
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.resolve_days import shift_day
from todo_tui.domain.phrases.resolve_moments import Frame, Remarks, clock_time, resolve
from todo_tui.domain.phrases.spoken import day_words
from todo_tui.domain.phrases.terms import Lasting, Repeat, Times, Until
from todo_tui.domain.rule import MOST_OCCURRENCES, Freq, Rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import When

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


class ResolvedRepeat(NamedTuple):
    """The rule, what the next one counts from, and the first occurrence."""

    rule: Rule
    repeat_from: RepeatFrom
    first: When


def resolve_repeat(
    repeat: Repeat, frame: Frame, remarks: Remarks, at: time | None = None
) -> ResolvedRepeat:
    """The rule and first occurrence of a repeat that is said now.

    `at` is a time of day known from elsewhere.

    Raises:
        DateNotUnderstood: it never happens, or ends before it begins.
    """
    rule = repeat.rule
    start = None if repeat.start is None else resolve(repeat.start, frame, remarks)
    time_of_day = _time(repeat, start, frame, remarks) or at
    anchor = datetime.combine(start.day if start else frame.today, time_of_day or time())
    now = frame.wall if time_of_day else datetime.combine(frame.today, time())
    slot = _first_slot(rule, anchor, max(anchor, now))
    first = When.of(slot) if time_of_day else When(slot.date())
    _remark(repeat, first, time_of_day, frame, remarks)
    if repeat.from_completion:
        repeat_from = RepeatFrom.COMPLETION
    else:
        repeat_from = RepeatFrom.DUE if repeat.keep_missed else RepeatFrom.NEXT
        rule = anchored(rule, first)
    if rule.freq is Freq.WEEKLY and rule.interval > 1 and len(rule.by_day) > 1:
        rule = rule._replace(week_start=rule.week_start or frame.style.week_start)
    return ResolvedRepeat(_with_end(repeat, rule, first, frame, remarks), repeat_from, first)


def _time(repeat: Repeat, start: When | None, frame: Frame, remarks: Remarks) -> time | None:
    if repeat.time is not None:
        return clock_time(repeat.time, remarks)
    if start is not None and start.at is not None:
        return start.at
    return frame.wall.time() if repeat.rule.freq.is_short else None


def _first_slot(rule: Rule, anchor: datetime, earliest: datetime) -> datetime:
    """The first fitting moment: of every other monday the next one.

    Late days are not clamped here: the first 31st is a real one.
    """
    if rule.is_interval and anchor >= earliest:
        return anchor
    each = rule._replace(interval=1, until=None, times=None)
    clamp = rule.is_interval
    slot = slot_after(each, anchor, earliest - SECOND, clamp=clamp)
    if slot is None:
        for month in rule.by_month:
            for day in rule.by_month_day:
                refuse_impossible(day, month)
        raise DateNotUnderstood("That would never happen: no such day exists.")
    return slot


def _remark(repeat: Repeat, first: When, at: time | None, frame: Frame, remarks: Remarks) -> None:
    rule = repeat.rule
    if repeat.doubt:
        remarks.add(repeat.doubt, doubtful=True)
    daily_at = at is not None and (rule.freq, rule.interval) == (Freq.DAILY, 1)
    open_start = rule.is_interval or (first.day == frame.today and at is None)
    if open_start and repeat.start is None and not daily_at:
        day = "today" if first.day == frame.today else day_words(first.day, frame.today)
        remarks.add(f"the first one is {day}", doubtful=True)
    months = rule.freq in (Freq.MONTHLY, Freq.YEARLY)
    if months and any(day > SAFE_DAY for day in rule.by_month_day) and _is_cut(rule):
        remarks.add("in shorter months on the last day", doubtful=True)


def _is_cut(rule: Rule) -> bool:
    """Whether some month that the rule names is too short for its days."""
    longest = max(rule.by_month_day)
    shortest = {2: 28, 4: 30, 6: 30, 9: 30, 11: 30}
    return any(longest > shortest.get(month, 31) for month in rule.by_month or range(1, 13))


# --- the end ------------------------------------------------------------------------


def _with_end(repeat: Repeat, rule: Rule, first: When, frame: Frame, remarks: Remarks) -> Rule:
    """The rule with its last day; a number of times becomes the day of the last one."""
    times = rule.times
    rule = rule._replace(times=None)
    until = rule.until
    match repeat.end:
        case Until(term):
            said = Remarks()
            end = resolve(term, frame, said)
            remarks.add(said.text and f"the end is {said.text}", doubtful=said.doubtful)
            until = end.day if end.at is None else end.local()
        case Lasting(duration):
            until = shift_day(first.day, duration, 1)[0] - DAY
        case Times(number):
            until = _day_of_last(rule, number, first, repeat)
        case None:
            until = until if times is None else _day_of_last(rule, times, first, repeat)
    if until is None:
        return rule
    if (until.date() if isinstance(until, datetime) else until) < first.day:
        raise DateNotUnderstood("That repeat ends before it begins.")
    return rule._replace(until=until)


def _day_of_last(rule: Rule, times: int, first: When, repeat: Repeat) -> date:
    if repeat.from_completion or not 1 <= times <= MOST_OCCURRENCES:
        raise DateNotUnderstood(
            "I cannot tell the last day of that. Say until when it repeats: “until 31 dec”."
        )
    slot = datetime.combine(first.day, first.at or time())
    for _ in range(times - 1):
        following = slot_after(rule, slot, slot)
        if following is None:
            break
        slot = following
    return slot if rule.freq.is_short else slot.date()
