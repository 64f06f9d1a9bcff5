"""Makes a When of a date phrase, given the clock, and says what was not plain."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, assert_never

from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.resolve_days import DAY, resolve_day, shift_day
from todo_tui.domain.phrases.spoken import day_words
from todo_tui.domain.phrases.terms import (
    Clock,
    DateTerm,
    Duration,
    Elapsed,
    Moment,
    Moved,
    Part,
    RelativeDay,
    TimeOfDay,
    Unit,
)
from todo_tui.domain.when import DateStyle, When

MIDNIGHT = 24
LAST_YEAR = 2999
MORNING = TimeOfDay(part=Part.MORNING)


class Frame(NamedTuple):
    """What a phrase is read against: the moment, habits, and the task's present due."""

    now: datetime
    """Local; naive, or aware when hours must be right across daylight saving."""
    style: DateStyle
    current: When | None = None

    @property
    def wall(self) -> datetime:
        """The local wall time, naive, to the minute."""
        return self.now.replace(tzinfo=None, second=0, microsecond=0)

    @property
    def today(self) -> date:
        """The local day."""
        return self.now.date()


class Remarks:
    """What has to be said about a reading, gathered on the way."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.doubtful = False

    def add(self, sentence: str | None, *, doubtful: bool = False) -> None:
        """Note a sentence, once; None only carries the doubt."""
        if sentence and sentence not in self.sentences:
            self.sentences.append(sentence)
        self.doubtful = self.doubtful or doubtful

    @property
    def text(self) -> str | None:
        """All of it in one line, None when there is nothing to say."""
        return "; ".join(self.sentences) or None


def resolve(term: DateTerm, frame: Frame, remarks: Remarks) -> When:
    """The moment that a term means.

    Raises:
        DateNotUnderstood: there is no such day, or it lies too far away.
    """
    try:
        when = _resolve(term, frame, remarks)
    except (OverflowError, ValueError) as error:
        raise DateNotUnderstood("That is too far away to be a date.") from error
    if not 1 <= when.day.year <= LAST_YEAR:
        raise DateNotUnderstood("That is too far away to be a date.")
    if when.local() < frame.wall:
        remarks.add("that is in the past")
    return when


def _resolve(term: DateTerm, frame: Frame, remarks: Remarks) -> When:
    match term:
        case Elapsed():
            when = _elapsed(term, frame)
            if term.plain:
                remarks.add(f"read as {when.local():%H:%M}, counted from now", doubtful=True)
            return when
        case Moved():
            return _moved(term, frame, remarks)
        case Moment():
            return _moment(term, frame, remarks)
        case _:
            assert_never(term)


# --- counted from now or from the present due ---------------------------------------


def _elapsed(term: Elapsed, frame: Frame) -> When:
    day, short = _split(term.duration)
    start = datetime.combine(shift_day(frame.today, day, term.sign)[0], frame.wall.time())
    zone = frame.now.tzinfo
    if zone is None:
        return When.of(start + short * term.sign)
    instant = start.replace(tzinfo=zone).astimezone(UTC) + short * term.sign
    return When.of(instant.astimezone(zone).replace(tzinfo=None))


def _split(duration: Duration) -> tuple[Duration, timedelta]:
    """The amounts in days and longer, and the rest as hours and minutes."""
    days = tuple(amount for amount in duration if not amount.unit.is_short)
    minutes = sum(
        amount.number * (60 if amount.unit is Unit.HOUR else 1)
        for amount in duration
        if amount.unit.is_short
    )
    return days, timedelta(minutes=minutes)


def _moved(term: Moved, frame: Frame, remarks: Remarks) -> When:
    days, short = _split(term.duration)
    current = frame.current
    if current is None:
        if term.sign < 0:
            raise DateNotUnderstood(
                "There is no date yet to move to an earlier one; say a day, such as “friday”."
            )
        current = When.of(frame.wall) if short else When(frame.today)
    day, remark = shift_day(current.day, days, term.sign)
    remarks.add(remark)
    moved = When(day, current.at)
    if short:
        start = datetime.combine(day, current.at or frame.wall.time())
        moved = When.of(start + short * term.sign)
    if term.time is not None:
        return _at(term.time, moved.day, False, remarks)
    return moved


# --- a day and a time ---------------------------------------------------------------


def _moment(term: Moment, frame: Frame, remarks: Remarks) -> When:
    if term.day is None:
        return _bare_time(term.time or MORNING, frame, remarks)
    dated = resolve_day(term.day, frame.today, frame.style)
    remarks.add(dated.remark, doubtful=dated.doubtful)
    if term.time is not None:
        return _time_on_day(term, term.time, dated.day, frame, remarks)
    if term.before:
        day = dated.day - DAY
        remarks.add(f"the day before {day_words(dated.day, frame.today)}", doubtful=True)
        return When(day)
    return When(dated.day)


def _time_on_day(term: Moment, time: TimeOfDay, day: date, frame: Frame, remarks: Remarks) -> When:
    is_today = term.day == RelativeDay(0)
    when = _at(time, day, is_today, remarks)
    return _while_it_lasts(time, when, frame, remarks) if is_today else when


def _while_it_lasts(time: TimeOfDay, when: When, frame: Frame, remarks: Remarks) -> When:
    """Today's evening, said when its usual hour has gone but not the evening: all day."""
    part = time.part
    if part is None or time.clock is not None or when.local() >= frame.wall:
        return when
    if frame.wall.hour >= part.over:
        return when
    remarks.add(f"{part.hour}:00 has passed: read as today", doubtful=True)
    return When(frame.today)


def _bare_time(time: TimeOfDay, frame: Frame, remarks: Remarks) -> When:
    if time.part is Part.CLOSE:
        return _while_it_lasts(time, _at(time, frame.today, True, remarks), frame, remarks)
    current = frame.current
    if current is not None:
        kept = _at(time, current.day, False, Remarks())
        if kept.local() > frame.wall:
            return _at(time, current.day, False, remarks)
    today = _at(time, frame.today, True, remarks)
    if today.local() >= frame.wall:
        return today
    remarks.add(f"{today.local():%H:%M} has passed today: read as tomorrow")
    return When(today.day + DAY, today.at)


def _at(said: TimeOfDay, day: date, is_today: bool, remarks: Remarks) -> When:
    """The time on a day; the small hours of a night belong to the next one."""
    hour, minute = _hour(said, is_today, remarks)
    if hour == MIDNIGHT:
        if not is_today and said.part is None:
            remarks.add(f"midnight is read as the beginning of {day:%A}", doubtful=True)
            return When(day, time(0, minute))
        return When(day + DAY, time(0, minute))
    if said.part in (Part.NIGHT, Part.TONIGHT) and hour < 5:
        return When(day + DAY, time(hour, minute))
    return When(day, time(hour, minute))


def clock_time(said: TimeOfDay, remarks: Remarks) -> time:
    """The time of day alone; midnight is 00:00."""
    hour, minute = _hour(said, False, remarks)
    return time(hour % MIDNIGHT, minute)


def _hour(said: TimeOfDay, is_today: bool, remarks: Remarks) -> tuple[int, int]:
    """Hour (24 is midnight) and minute; conventions are noted."""
    clock, part = said.clock, said.part
    if clock is None:
        part = part or Part.MORNING
        remarks.add(f"{part.words} is read as {part.hour:02d}:00", doubtful=True)
        return part.hour, 0
    if clock.settled:
        return clock.hour, clock.minute
    if part is None:
        return _unsettled(clock, is_today, remarks), clock.minute
    return _hour_in(part, clock.hour % 12), clock.minute


def _hour_in(part: Part, hour: int) -> int:
    """An hour of 0 to 11 on the clock's face, in a part of the day."""
    match part:
        case Part.MORNING:
            return hour
        case Part.NIGHT | Part.TONIGHT:
            if hour == 0:
                return MIDNIGHT
            return hour if hour < 5 else hour + 12
        case Part.EVENING:
            return MIDNIGHT if hour == 0 else hour + 12
        case Part.AFTERNOON | Part.CLOSE:
            return hour + 12
        case _:
            assert_never(part)


def _unsettled(clock: Clock, is_today: bool, remarks: Remarks) -> int:
    """Working hours win: 8 to 12 as they are, 1 to 6 after noon.

    Seven is the evening's when it is today, on other days the morning's.
    """
    if clock.hour >= 8:
        return clock.hour
    hour = clock.hour if clock.hour == 7 and not is_today else clock.hour + 12
    remarks.add(f"read as {hour:02d}:{clock.minute:02d}", doubtful=True)
    return hour
