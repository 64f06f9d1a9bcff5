"""Repeats: what their words mean, and when they fall due first, next and after that."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.occurrences import has_ended, shifted_by, slot_after
from todo_tui.domain.phrases.parsing import Parser
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.reading import complaint, phrase_tokens
from todo_tui.domain.phrases.repeat_changes import beside, changed
from todo_tui.domain.phrases.repeats import days_phrase, repeat_phrase
from todo_tui.domain.phrases.resolve_moments import Frame, Remarks
from todo_tui.domain.phrases.resolve_repeats import resolve_repeat
from todo_tui.domain.phrases.terms import Repeat
from todo_tui.domain.repeat_words import rule_words
from todo_tui.domain.rule import Freq, Rule, RuleProblem, parse_rule
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import DateStyle, When

whole_repeat: Parser[Repeat] = repeat_phrase | days_phrase
REPEAT_EXAMPLES = "“every monday 8pm”, “every 3 days”, “monthly on the 15th” or “weekdays at 9”"


class Recurrence(NamedTuple):
    """How a task repeats: an RRULE without prefix, and what the next one counts from."""

    rule: str
    repeat_from: RepeatFrom = RepeatFrom.DUE


class RecurrenceReading(NamedTuple):
    """What a phrase was read as, with the first moment it falls due.

    `note` is for the person: how an ambiguous phrase was read.
    """

    recurrence: Recurrence
    first: When
    note: str | None
    ambiguous: bool


def read_recurrence(text: str, now: datetime, style: DateStyle) -> RecurrenceReading:
    """Read a text that is one repeating phrase, or an RRULE, and nothing else.

    `now` is local. The first occurrence is never before it.

    Raises:
        DateNotUnderstood: the text is no repeat, or one that never happens.
    """
    repeat = _ruled(text) if _is_rule(text) else whole_repeat.whole(phrase_tokens(text))
    if repeat is None:
        raise DateNotUnderstood(complaint(text, "a repeat", REPEAT_EXAMPLES, repeat_phrase))
    return reading_of(repeat, Frame(now, style))


def reading_of(repeat: Repeat, frame: Frame) -> RecurrenceReading:
    """The reading of a repeat that was found in a longer text.

    Raises:
        DateNotUnderstood: it never happens, or ends before it begins.
    """
    remarks = Remarks()
    resolved = resolve_repeat(repeat, frame, remarks)
    recurrence = Recurrence(resolved.rule.text(), resolved.repeat_from)
    return RecurrenceReading(recurrence, resolved.first, remarks.text, remarks.doubtful)


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
    anchor = datetime.combine(due.day, due.at or time())
    try:
        slot = _next_slot(rule, recurrence.repeat_from, anchor, due, done, zone)
    except (OverflowError, ValueError):
        return None
    if slot is None or has_ended(rule, slot, zone):
        return None
    timed = due.at is not None or rule.freq.is_short
    return When.of(slot) if timed else When(slot.date())


def first_occurrence(recurrence: Recurrence, now: datetime, at: time | None = None) -> When | None:
    """The first moment from now on, today included; None when it never comes."""
    rule = parse_rule(recurrence.rule)
    repeat = Repeat(rule)
    try:
        resolved = resolve_repeat(repeat, Frame(now, DateStyle()), Remarks(), at)
    except ValidationError:
        return None
    return resolved.first


def upcoming(recurrence: Recurrence, first: When, count: int) -> list[When]:
    """The first occurrence and those that follow, `count` at most, as if done on the day."""
    moments = [first]
    while len(moments) < count:
        following = next_occurrence(recurrence, moments[-1], moments[-1].local())
        if following is None:
            break
        moments.append(following)
    return moments[:count]


def recurrence_words(recurrence: Recurrence) -> str:
    """`every Monday`, `every 3 days after completion`; words that can be read again.

    A rule that has no words, or cannot be read, is given as it is.
    """
    try:
        words = rule_words(parse_rule(recurrence.rule)) or recurrence.rule
    except RuleProblem:
        return recurrence.rule
    match recurrence.repeat_from:
        case RepeatFrom.COMPLETION:
            return f"{words} after completion"
        case RepeatFrom.NEXT:
            return f"{words} skipping missed ones"
        case RepeatFrom.DUE:
            return words


def _is_rule(text: str) -> bool:
    return text.strip().upper().startswith(("FREQ=", "RRULE:"))


def _ruled(text: str) -> Repeat | None:
    """An RRULE with the words that may follow it: a time, a start, `after completion`."""
    head, _, tail = text.strip().partition(" ")
    try:
        rule = parse_rule(head)
    except RuleProblem as problem:
        raise DateNotUnderstood(problem.message) from problem
    changes = beside.whole(phrase_tokens(tail))
    return None if changes is None else changed(Repeat(rule), changes)


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
            return slot_after(rule, start, datetime.combine(done.date(), time.max))


def _after_elapsed(
    rule: Rule, anchor: datetime, after: datetime, zone: str | None
) -> datetime | None:
    """The first moment after `after`, a whole number of hours or minutes past the anchor.

    Counted in real time when the zone is known; where clocks are set back the wall
    time must still move on.
    """
    step = timedelta(minutes=rule.interval * (60 if rule.freq is Freq.HOURLY else 1))
    count = max((after - anchor) // step - 120, 0)
    while True:
        count += 1
        slot = _elapsed_wall(anchor, step * count, zone)
        if slot > after and slot > anchor:
            return slot


def _elapsed_wall(anchor: datetime, passed: timedelta, zone: str | None) -> datetime:
    if zone is None:
        return anchor + passed
    there = ZoneInfo(zone)
    instant = anchor.replace(tzinfo=there).astimezone(UTC) + passed
    return instant.astimezone(there).replace(tzinfo=None)


__all__ = [
    "Recurrence",
    "RecurrenceReading",
    "first_occurrence",
    "next_occurrence",
    "read_recurrence",
    "reading_of",
    "recurrence_words",
    "upcoming",
]
