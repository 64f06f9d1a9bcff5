"""Entry points of the date grammar: read a date or a range of days.

Parsed terms are resolved against a clock, a date style and the task's present due moment. All raise
DateNotUnderstood for another text, and for a day that does not exist or is too far away.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import NamedTuple, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    alternatives,
    digits,
    named,
    optional,
    phrase_error_text,
    sequence,
    tight,
    tokenize_phrase,
    words,
)
from todo_tui.domain.dates.day_grammar import (
    anchor_day,
    article,
    count,
    couple,
    day,
    long_unit,
    named_month,
    named_quarter,
    named_year,
    period,
    weekend,
    year,
)
from todo_tui.domain.dates.moment_grammar import alone, date_phrase, moved, todays_part
from todo_tui.domain.dates.moment_grammar import time_of_day as clock_alone
from todo_tui.domain.dates.resolution import (
    ONE_DAY,
    period_days,
    require_some_time,
    resolve_day,
    shift_day,
)
from todo_tui.domain.dates.text import format_day, format_when, weekday_name
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.when import DateStyle, When

LAST_YEAR = 2999
MORNING = terms.TimeOfDay(part=terms.PartOfDay.MORNING)
NIGHT = (terms.PartOfDay.NIGHT, terms.PartOfDay.TONIGHT)
DATE_EXAMPLES = "“tomorrow 5pm”, “next friday”, “in 3 days”, “5 jan” or “2026-12-01”"
RANGE_EXAMPLES = "“this week”, “next 7 days”, “november” or “friday”"
DaySpan = tuple[date, date]
"""First and last day, both included."""
range_amount = sequence(terms.Amount, count | couple | article, long_unit)
forward = words("next", "the next", "within", "in the next", "coming", "the coming")
backward = words("last", "the last", "past", "the past", "in the last", "in the past")
filler = optional(words("in", "on", "during", "for", "of"))
range_period: Parser[terms.CalendarPeriod] = alternatives(
    period, named_month, named_quarter, named_year
)
_WIDEST_OFFSET = 14 * 60
"""Minutes."""


class DateContext(NamedTuple):
    """Context of a phrase: the current moment, date style, and the task's present due moment."""

    now: datetime
    """Local; naive, or aware if hours must be correct across daylight saving."""
    style: DateStyle
    current: When | None = None

    @property
    def wall(self) -> datetime:
        """Local wall time, naive, to the minute."""
        return self.now.replace(tzinfo=None, second=0, microsecond=0)

    @property
    def today(self) -> date:
        """Local day."""
        return self.now.date()


ReadingNotes = list[str | None]
"""Notes about a reading, collected while resolving; None for no note."""


def join_notes(notes: ReadingNotes) -> str | None:
    """Return all notes in one line, each once, or None."""
    return "; ".join(dict.fromkeys(filter(None, notes))) or None


def resolve_moment(term: terms.DateTerm, context: DateContext, notes: ReadingNotes) -> When:
    """Resolve a date term."""
    try:
        match term:
            case terms.ElapsedTime():
                when = _elapsed(term, context, notes)
            case terms.ShiftedDue():
                when = _shifted_due(term, context, notes)
            case terms.Moment():
                when = _moment(term, context, notes)
            case _:
                assert_never(term)
    except (OverflowError, ValueError) as error:
        raise DateNotUnderstood("This date is too far away. Use a year up to 9998.") from error
    if not 1 <= when.day.year <= LAST_YEAR:
        raise DateNotUnderstood("This date is too far away. Use a year up to 9998.")
    if when.local() < context.wall:
        at = "" if when.at is None else f" {when.at:%H:%M}"
        notes.append(f"{format_day(when.day, context.today)}{at} is in the past")
    return when


# --- counted from now or from the present due ---------------------------------------


def _elapsed(term: terms.ElapsedTime, context: DateContext, notes: ReadingNotes) -> When:
    require_some_time(term.duration)
    days, short = _split(term.duration)
    moment = datetime.combine(shift_day(context.today, days, term.sign)[0], context.wall.time())
    zone = context.now.tzinfo
    if zone is None:
        when = When.of(moment + short * term.sign)
    else:
        instant = moment.replace(tzinfo=zone).astimezone(UTC) + short * term.sign
        when = When.of(instant.astimezone(zone).replace(tzinfo=None))
    if term.plain:
        notes.append(f"read as {when.local():%H:%M}, counted from now")
    return when


def _split(duration: terms.Duration) -> tuple[terms.Duration, timedelta]:
    """Split into amounts of days or longer, and a timedelta of hours and minutes."""
    days = tuple(amount for amount in duration if not amount.unit.is_short)
    minutes = sum(
        amount.number * (60 if amount.unit is terms.Unit.HOUR else 1)
        for amount in duration
        if amount.unit.is_short
    )
    return days, timedelta(minutes=minutes)


def _shifted_due(term: terms.ShiftedDue, context: DateContext, notes: ReadingNotes) -> When:
    days, short = _split(term.duration)
    current = context.current
    if current is None:
        if term.sign < 0:
            raise DateNotUnderstood(
                "This task has no date to move earlier. Type a day, such as “friday”."
            )
        current = When.of(context.wall) if short else When(context.today)
    if short and current.at is None and term.time is None:
        raise DateNotUnderstood(
            "This task is due all day, so hours and minutes cannot move it. Type a time, such as "
            "“5pm” or “in 2 hours”."
        )
    day, note = shift_day(current.day, days, term.sign)
    notes.append(note)
    moved = When(day, current.at)
    if short:
        start = datetime.combine(day, current.at or time())
        moved = When.of(start + short * term.sign)
    if term.time is not None:
        return _place_time(term.time, moved.day, False, notes)
    return moved


# --- a day and a time ---------------------------------------------------------------


def _moment(term: terms.Moment, context: DateContext, notes: ReadingNotes) -> When:
    if term.day is None:
        return _bare_time(term.time or MORNING, context, notes)
    dated = resolve_day(term.day, context.today, context.style)
    if term.before and term.time is None:
        # The day is named once: `today is Friday: the day before Fri 4 Dec`.
        named = format_day(dated.day, context.today)
        before = f"the day before {named}"
        whole = (dated.note or "").replace(f"read as {named}", before)
        notes += [whole] if before in whole else [dated.note, before]
        return When(dated.day - ONE_DAY)
    notes.append(dated.note)
    if term.time is not None:
        is_today = term.day == terms.RelativeDay(0)
        when = _place_time(term.time, dated.day, is_today, notes)
        if term.time.clock is not None and term.time.clock.offset is not None:
            return _here(when, term.time.clock.offset, context, notes)
        return _all_day_if_passed(term.time, when, context, notes) if is_today else when
    return When(dated.day)


def _here(when: When, offset: int, context: DateContext, notes: ReadingNotes) -> When:
    """Convert a moment at an offset from UTC, in minutes, to the zone of the person."""
    if abs(offset) > _WIDEST_OFFSET:
        raise DateNotUnderstood("There is no such offset from UTC. Use one up to +14:00.")
    instant = when.local().replace(tzinfo=UTC) - timedelta(minutes=offset)
    here = When.of(instant.astimezone(ZoneInfo(context.style.zone)).replace(tzinfo=None))
    notes.append(f"read as {format_when(here, context.now)}, your time")
    return here


def _all_day_if_passed(
    time: terms.TimeOfDay, when: When, context: DateContext, notes: ReadingNotes
) -> When:
    """Make this evening all-day if its usual hour has passed but the evening has not."""
    part = time.part
    if part is None or time.clock is not None or when.local() >= context.wall:
        return when
    if context.wall.hour >= part.end_hour:
        return when
    notes.append(f"{part.hour}:00 has passed: read as today")
    return When(context.today)


def _bare_time(time: terms.TimeOfDay, context: DateContext, notes: ReadingNotes) -> When:
    if time.part is terms.PartOfDay.CLOSE:
        return _all_day_if_passed(
            time, _place_time(time, context.today, True, notes), context, notes
        )
    current = context.current
    if current is not None:
        kept = _place_time(time, current.day, False, [])
        if kept.local() > context.wall:
            return _place_time(time, current.day, False, notes)
    today_notes: ReadingNotes = []
    today = _place_time(time, context.today, True, today_notes)
    tomorrow = _place_time(time, context.today + ONE_DAY, False, [])
    if today.local() >= context.wall:
        notes += today_notes
        return today
    # In the evening `7:15` is that of the morning, as it is of `tomorrow 7:15`.
    is_same = today.at == tomorrow.at
    notes += today_notes if is_same else []
    at = f" {tomorrow.at:%H:%M}" if tomorrow.at and not is_same else ""
    notes.append(f"{today.local():%H:%M} has passed today: read as tomorrow{at}")
    return When(today.day + ONE_DAY, today.at) if is_same else tomorrow


def _place_time(
    time_of_day: terms.TimeOfDay, day: date, is_today: bool, notes: ReadingNotes
) -> When:
    """Place a time on a day; the small hours of a night belong to the next day."""
    hour, minute = _settle_hour(time_of_day, is_today, notes)
    if hour == terms.MIDNIGHT:
        if not is_today and time_of_day.part is None:
            notes.append(f"midnight read as the start of {weekday_name(day.weekday())}")
            return When(day, time(0, minute))
        return When(day + ONE_DAY, time(0, minute))
    if time_of_day.part in NIGHT and hour < 5:
        return When(day + ONE_DAY, time(hour, minute))
    return When(day, time(hour, minute))


def resolve_clock_time(time_of_day: terms.TimeOfDay, notes: ReadingNotes) -> time:
    """Resolve a time of day alone; midnight is 00:00."""
    hour, minute = _settle_hour(time_of_day, False, notes)
    return time(hour % terms.MIDNIGHT, minute)


def read_clock_time(text: str) -> time | None:
    """Read a time of day without a day: `7pm`, `19h`, `noon`; None for one that is unclear."""
    read = clock_alone.whole(tokenize_phrase(text))
    notes: ReadingNotes = []
    with suppress(DateNotUnderstood):
        at = None if read is None else resolve_clock_time(read, notes)
        return None if notes else at
    return None


def _settle_hour(
    time_of_day: terms.TimeOfDay, is_today: bool, notes: ReadingNotes
) -> tuple[int, int]:
    """Return hour (24 is midnight) and minute; notes assumptions."""
    clock, part = time_of_day.clock, time_of_day.part
    if clock is not None and clock.problem:
        raise DateNotUnderstood(clock.problem)
    if clock is None:
        part = part or terms.PartOfDay.MORNING
        notes.append(f"{part.words} read as {part.hour:02d}:00")
        return part.hour, 0
    if clock.settled:
        return clock.hour, clock.minute
    if part is None:
        return _settle_by_working_hours(clock, is_today, notes), clock.minute
    return _hour_in_part(part, clock.hour % 12), clock.minute


def _hour_in_part(part: terms.PartOfDay, hour: int) -> int:
    """Convert a clock hour of 0 to 11 to the hour in a part of the day."""
    if part is terms.PartOfDay.MORNING or (part in NIGHT and 0 < hour < 5):
        return hour
    has_midnight = part in (terms.PartOfDay.EVENING, *NIGHT)
    return terms.MIDNIGHT if hour == 0 and has_midnight else hour + 12


def _settle_by_working_hours(clock: terms.ClockTime, is_today: bool, notes: ReadingNotes) -> int:
    """Settle an ambiguous hour by working hours: 8 to 12 as written, 1 to 6 after noon.

    Seven is in the evening if the day is today, else in the morning.
    """
    if clock.hour >= 8:
        return clock.hour
    hour = clock.hour if clock.hour == 7 and not is_today else clock.hour + 12
    notes.append(f"read as {hour:02d}:{clock.minute:02d}")
    return hour


whole_date: Parser[terms.DateTerm] = alternatives(
    moved, date_phrase.map(lambda phrase: phrase.term), alone
)


class DateReading(NamedTuple):
    """Result of reading a date phrase.

    `note` tells the user how an ambiguous phrase was read, or that it is past.
    """

    when: When
    note: str | None


class DayRange(NamedTuple):
    """Days from `first` to `last`, both included."""

    first: date
    last: date


def parse_date(text: str) -> terms.DateTerm:
    """Parse a text that is one date phrase and nothing else."""
    term = whole_date.whole(tokenize_phrase(text))
    if term is None:
        raise DateNotUnderstood(phrase_error_text(text, "a date", DATE_EXAMPLES, date_phrase))
    return term


def read_date(
    text: str, now: datetime, style: DateStyle, current: When | None = None
) -> DateReading:
    """Read a text that is one date phrase and nothing else.

    `now` is local: naive, or aware when `in 3 hours` must be right across daylight
    saving. `current` is the task's present due moment: `1 week later` and `by 2 days`
    count from it, and a bare time keeps its day.
    """
    return resolve_date(parse_date(text), DateContext(now, style, current))


def resolve_date(term: terms.DateTerm, context: DateContext) -> DateReading:
    """Resolve a date found in a longer text."""
    notes: ReadingNotes = []
    when = resolve_moment(term, context, notes)
    return DateReading(when, join_notes(notes))


def read_range(text: str, now: datetime, style: DateStyle) -> DayRange:
    """Read a range of days: `this week`, `next 7 days`, `november`, or a single day."""
    found = find_range(text, now, style)
    if found is None:
        raise DateNotUnderstood(phrase_error_text(text, "days", RANGE_EXAMPLES, range_phrase))
    return found


def find_range(text: str, now: datetime, style: DateStyle) -> DayRange | None:
    """Read a range of days like `read_range`; return None for words that are none."""
    term = range_phrase.whole(tokenize_phrase(text))
    return None if term is None else DayRange(*resolve_range(term, DateContext(now, style)))


RangeResolver = Callable[[date, DateStyle], DaySpan]
"""Range as typed: returns its days for today and a date style."""


def _rolling(amount: terms.Amount, sign: int, today: date, _: DateStyle) -> DaySpan:
    """Return units from today on (+1), or up to today (-1), today included."""
    end = shift_day(today, (amount,), sign)[0]
    if sign > 0:
        return today, max(today, end - ONE_DAY)
    return min(today, end + ONE_DAY), today


def _whole_period(period: terms.CalendarPeriod, today: date, style: DateStyle) -> DaySpan:
    """Return all of a period; a month or quarter without a year is not over yet."""
    if isinstance(period, terms.NamedPeriod) and period.year is None:
        has_passed = period.first_month + period.months <= today.month
        period = period._replace(year=today.year + has_passed)
    return period_days(period, today, style)


def _single_day(day: terms.DayTerm, today: date, style: DateStyle) -> DaySpan:
    """Return a day, or both days of a weekend."""
    first = resolve_day(day, today, style).day
    rest = 6 - first.weekday() if isinstance(day, terms.Weekend) else 0
    return first, first + rest * ONE_DAY


def _interval(one: terms.DayTerm, other: terms.DayTerm, today: date, style: DateStyle) -> DaySpan:
    first = resolve_day(one, today, style).day
    last = resolve_day(other, first, style).day
    if last < first:
        raise DateNotUnderstood("The period ends before it begins.")
    return first, last


past_unit = words("past", "the past", "in the past") >> named(terms.PERIODS).map(
    lambda unit: terms.Amount(1, unit)
)
year_and_month = sequence(
    lambda year, month: terms.NamedPeriod(month, 1, year),
    year,
    tight(words("-")) >> tight(digits(1, 12, {2})),
)
range_phrase: Parser[RangeResolver] = filler >> alternatives(
    optional(forward) >> range_amount.map(lambda amount: partial(_rolling, amount, 1)),
    (backward >> range_amount | past_unit).map(lambda amount: partial(_rolling, amount, -1)),
    (year_and_month | range_period).map(lambda period: partial(_whole_period, period)),
    weekend.map(lambda day: partial(_single_day, day)),
    todays_part.gives(partial(_single_day, terms.RelativeDay(0))),
    sequence(
        lambda one, other: partial(_interval, one, other),
        optional(words("from", "between")) >> anchor_day,
        words("to", "until", "till", "through", "and", "-") >> anchor_day,
    ),
    day.map(lambda day: partial(_single_day, day)),
)


def resolve_range(term: RangeResolver, context: DateContext) -> DaySpan:
    """Resolve a range term to its days."""
    try:
        return term(context.today, context.style)
    except (OverflowError, ValueError) as error:
        raise DateNotUnderstood("This date is too far away. Use a year up to 9998.") from error
