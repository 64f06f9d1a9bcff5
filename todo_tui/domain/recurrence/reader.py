"""Reads recurrence phrases and RRULEs, and resolves their first occurrence.

Raises DateNotUnderstood for another text, a rule without occurrences, and one that ends before its
first.
"""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from todo_tui.domain.dates.combinators import Parser, phrase_error_text, tokenize_phrase
from todo_tui.domain.dates.reader import (
    DateContext,
    ReadingNotes,
    join_notes,
    resolve_clock_time,
    resolve_moment,
)
from todo_tui.domain.dates.recurrence_grammar import (
    apply_modifiers,
    days_phrase,
    modifiers,
    repeat_phrase,
)
from todo_tui.domain.dates.resolution import (
    ONE_DAY,
    month_length,
    require_possible_date,
    require_possible_day,
    shift_day,
)
from todo_tui.domain.dates.terms import ElapsedTime, Moment, RepeatTerm, ShiftedDue
from todo_tui.domain.dates.text import (
    FIRST_OCCURRENCE,
    format_ordinal,
    format_when,
    month_name,
    weekday_name,
)
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.recurrence.next_occurrence import (
    Recurrence,
    anchor_rule,
    slot_after,
)
from todo_tui.domain.recurrence.rrule import (
    MAX_OCCURRENCES,
    Frequency,
    RecurrenceRule,
    RuleProblem,
    describe_rule,
    parse_rule,
)
from todo_tui.domain.task import RepeatFrom
from todo_tui.domain.when import DateStyle, When

whole_repeat: Parser[RepeatTerm] = repeat_phrase | days_phrase
MAX_OF_A_WEEKDAY = 5
"""Most Fridays that a month can have."""
REPEAT_EXAMPLES = "“every monday 8pm”, “every 3 days”, “monthly on the 15th” or “weekdays at 9”"

_SHORTEST_MONTH = 28
"""Days that every month has."""


class RecurrenceReading(NamedTuple):
    """Result of reading a recurrence phrase, with the first due moment.

    `note` tells the user how an ambiguous phrase was read.
    """

    recurrence: Recurrence
    first: When
    note: str | None


def resolve_recurrence(
    repeat: RepeatTerm, context: DateContext, at: time | None = None
) -> RecurrenceReading:
    """Resolve a recurrence to its rule and first occurrence.

    `at` is a time of day from elsewhere in the text.
    """
    rule = repeat.rule
    _require_possible(rule)
    notes: ReadingNotes = []
    start = None if repeat.start is None else resolve_moment(repeat.start, context, notes)
    time_of_day = _time_of_day(repeat, start, context, notes) or at
    anchor = datetime.combine(start.day if start else context.today, time_of_day or time())
    now = context.wall if time_of_day else datetime.combine(context.today, time())
    slot = _first_slot(rule, anchor, max(anchor, now))
    if (short := _short_month_before(rule, anchor, max(anchor, now), slot)) is not None:
        notes.append(f"{month_name(short.month)} has no such day")
    first = When.of(slot) if time_of_day else When(slot.date())
    _repeat_note(repeat, first, time_of_day, context, notes)
    if repeat.from_completion:
        repeat_from = RepeatFrom.COMPLETION
    else:
        repeat_from = RepeatFrom.DUE if repeat.keep_missed else RepeatFrom.NEXT
        rule = anchor_rule(rule, first)
    if rule.freq is Frequency.WEEKLY and rule.interval > 1 and len(rule.by_day) > 1:
        rule = rule._replace(week_start=rule.week_start or context.style.week_start)
    rule = _with_end(repeat, rule, first, context, notes)
    recurrence = Recurrence(rule.text(), repeat_from)
    return RecurrenceReading(recurrence, first, join_notes(notes))


def _require_possible(rule: RecurrenceRule) -> None:
    """Raise DateNotUnderstood for days that no month has, and for an interval of nothing."""
    if rule.interval < 1:
        raise DateNotUnderstood("A recurrence needs an interval of 1 or more.")
    for day in rule.by_month_day:
        if day >= 0:
            require_possible_day(day)
    for weekday, nth in rule.by_day:
        in_month = rule.freq is Frequency.MONTHLY or rule.by_month
        if in_month and nth > MAX_OF_A_WEEKDAY:
            raise DateNotUnderstood(
                f"No month has a {format_ordinal(nth)} {weekday_name(weekday)}."
            )


def _time_of_day(
    repeat: RepeatTerm, start: When | None, context: DateContext, notes: ReadingNotes
) -> time | None:
    if repeat.time is not None:
        return resolve_clock_time(repeat.time, notes)
    if start is not None and start.at is not None:
        return start.at
    return context.wall.time() if repeat.rule.freq.is_short else None


def _first_slot(rule: RecurrenceRule, anchor: datetime, earliest: datetime) -> datetime:
    """Return the first matching moment: of every other Monday the next one.

    Late days are not clamped here: the first 31st is a real one.
    """
    if rule.is_interval and anchor >= earliest:
        return anchor
    each = rule._replace(interval=1, until=None, times=None)
    clamp = rule.is_interval
    slot = slot_after(each, anchor, earliest - timedelta(seconds=1), clamp=clamp)
    if slot is None:
        for month in rule.by_month:
            for day in rule.by_month_day:
                require_possible_date(day, month)
        raise DateNotUnderstood("This recurrence never occurs: no such day exists.")
    return slot


def _short_month_before(
    rule: RecurrenceRule, anchor: datetime, earliest: datetime, first: datetime
) -> datetime | None:
    """Return the last day of a month before the first date that is too short for the rule."""
    each = rule._replace(interval=1, until=None, times=None)
    if rule.is_interval or max(rule.by_month_day, default=0) <= _SHORTEST_MONTH:
        return None
    slot = slot_after(each, anchor, earliest - timedelta(seconds=1))
    return slot if slot is not None and slot < first else None


def _repeat_note(
    repeat: RepeatTerm, first: When, at: time | None, context: DateContext, notes: ReadingNotes
) -> None:
    rule = repeat.rule
    if repeat.ambiguity:
        notes.append(repeat.ambiguity)
    daily_at = at is not None and (rule.freq, rule.interval) == (Frequency.DAILY, 1)
    open_start = rule.is_interval or (first.day == context.today and at is None)
    if open_start and repeat.start is None and not daily_at:
        notes.append(f"{FIRST_OCCURRENCE}{format_when(When(first.day), context.now)}")
    if rule.freq in (Frequency.MONTHLY, Frequency.YEARLY):
        latest = max(rule.by_month_day, default=0)
        # 2026 has no leap day.
        if any(latest > month_length(2026, month) for month in rule.by_month or range(1, 13)):
            notes.append("later ones in shorter months are on the last day")


# --- the end ------------------------------------------------------------------------


def _with_end(
    repeat: RepeatTerm, rule: RecurrenceRule, first: When, context: DateContext, notes: ReadingNotes
) -> RecurrenceRule:
    """Add the last day to the rule; a number of times becomes the day of the last one."""
    times = rule.times
    rule = rule._replace(times=None)
    until = rule.until
    match repeat.end:
        case Moment() | ElapsedTime() | ShiftedDue() as term:
            end_notes: ReadingNotes = []
            end = resolve_moment(term, context, end_notes)
            if words := join_notes(end_notes):
                notes.append(f"end {words}" if words.startswith("read as") else words)
            until = end.day if end.at is None else end.local()
        case tuple() as duration:
            until = shift_day(first.day, duration, 1)[0] - ONE_DAY
        case int(number):
            until = _last_day(rule, number, first, repeat)
        case None:
            until = until if times is None else _last_day(rule, times, first, repeat)
    if until is None:
        return rule
    if (until.date() if isinstance(until, datetime) else until) < first.day:
        raise DateNotUnderstood("The recurrence ends before it begins.")
    return rule._replace(until=until)


def _last_day(rule: RecurrenceRule, times: int, first: When, repeat: RepeatTerm) -> date:
    if repeat.from_completion or not 1 <= times <= MAX_OCCURRENCES:
        raise DateNotUnderstood(
            "Could not compute the last occurrence. Type an end date, such as “until 31 dec”."
        )
    slot = first.begins()
    for _ in range(times - 1):
        following = slot_after(rule, slot, slot)
        if following is None:
            break
        slot = following
    return slot if rule.freq.is_short else slot.date()


def parse_recurrence(text: str) -> RepeatTerm:
    """Parse a text that is one recurrence phrase, or an RRULE, and nothing else."""
    if text.strip().upper().startswith(("FREQ=", "RRULE:")):
        head, _, tail = text.strip().partition(" ")
        try:
            rule = parse_rule(head)
        except RuleProblem as problem:
            raise DateNotUnderstood(problem.message) from problem
        # Words may follow: a time, a start, `after completion`.
        parsed = modifiers.whole(tokenize_phrase(tail))
        repeat = None if parsed is None else apply_modifiers(RepeatTerm(rule), parsed)
    else:
        repeat = whole_repeat.whole(tokenize_phrase(text))
    if repeat is None:
        raise DateNotUnderstood(
            phrase_error_text(text, "a recurrence", REPEAT_EXAMPLES, repeat_phrase)
        )
    return repeat


def read_recurrence(text: str, now: datetime, style: DateStyle) -> RecurrenceReading:
    """Read a recurrence as `parse_recurrence` does.

    `now` is local. The first occurrence is never before it.
    """
    return resolve_recurrence(parse_recurrence(text), DateContext(now, style))


def format_recurrence(recurrence: Recurrence) -> str:
    """Return `every Monday`, `every 3 days after completion`: text that can be read again.

    A rule without such text, or an invalid one, is returned unchanged.
    """
    return describe_recurrence(recurrence, readable=True)


def describe_recurrence(recurrence: Recurrence, *, readable: bool = False) -> str:
    """Format like `format_recurrence`, only for display: `every day, 5 times in all`.

    Unless `readable`, this includes ends set by other programs, for which the grammar has no words.
    """
    try:
        rule = parse_rule(recurrence.rule)
    except RuleProblem:
        return recurrence.rule
    is_foreign = rule.times is not None or isinstance(rule.until, datetime) or rule.excluded
    from_completion = recurrence.repeat_from is RepeatFrom.COMPLETION
    words = None
    if not (readable and is_foreign):
        words = describe_rule(rule, after_completion=from_completion)
    if words is None:
        words = f"{recurrence.rule}{' after completion' if from_completion else ''}"
    return f"{words}, missed ones too" if recurrence.repeat_from is RepeatFrom.DUE else words
