"""Syntax tree and vocabulary of the date grammar, before a clock makes dates of it."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from todo_tui.domain.dates.text import MONTH_NAMES, WEEKDAY_NAMES
from todo_tui.domain.recurrence.rule import RecurrenceRule

WEEKDAYS = {name: day for day, name in enumerate(WEEKDAY_NAMES)} | {
    "mon": 0,
    "tue": 1, "tues": 1, "tusday": 1, "teusday": 1, "tuseday": 1,
    "wed": 2, "weds": 2, "wendesday": 2, "wensday": 2, "wednsday": 2, "wedensday": 2,
    "thu": 3, "thur": 3, "thurs": 3, "thrusday": 3, "thurday": 3, "thursaday": 3,
    "fri": 4, "firday": 4, "friady": 4,
    "sat": 5, "saterday": 5, "satuday": 5,
    "sun": 6, "sunady": 6,
}  # fmt: skip
SEVERAL_WEEKDAYS = {f"{name}s": day for day, name in enumerate(WEEKDAY_NAMES)}
MONTHS = {name: month for month, name in enumerate(MONTH_NAMES, 1)} | {
    "jan": 1, "janurary": 1, "januray": 1,
    "feb": 2, "febr": 2, "febuary": 2, "feburary": 2,
    "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
    "sep": 9, "sept": 9, "septmber": 9, "setpember": 9,
    "oct": 10, "ocotber": 10, "nov": 11, "novemeber": 11, "dec": 12, "decmber": 12,
}  # fmt: skip
RELATIVE_DAYS = {
    "today": 0, "tod": 0, "tdy": 0,
    "tomorrow": 1, "tom": 1, "tmr": 1, "tmrw": 1, "tmw": 1, "tmrrw": 1, "tomo": 1,
    "tomorow": 1, "tommorow": 1, "tommorrow": 1, "tomorro": 1, "tomorrrow": 1, "tommorw": 1,
    "yesterday": -1,
}  # fmt: skip
WORKDAY_NAMES = ("weekday", "workday", "business day", "working day", "work day")
WORKDAY_PHRASES = (
    "business day", "business days", "working day", "working days", "work day", "work days",
)  # fmt: skip
SMALL_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
TEENS = {
    "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
SMALL_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9,
}  # fmt: skip
ORDINALS = SMALL_ORDINALS | {
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19,
    "twentieth": 20, "thirtieth": 30,
}  # fmt: skip


class Unit(StrEnum):
    """Unit of durations and periods."""

    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WORKDAY = "workday"
    WEEK = "week"
    FORTNIGHT = "fortnight"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"

    @property
    def is_short(self) -> bool:
        """True for units shorter than a day, which give a time of day."""
        return self in (Unit.MINUTE, Unit.HOUR)


class Amount(NamedTuple):
    """Count of a unit."""

    number: int
    unit: Unit


Duration = tuple[Amount, ...]
"""Amounts to add, longer units first: an hour and 30 minutes."""


class PartOfDay(Enum):
    """Part of the day: its name, usual hour, and the hour it ends."""

    MORNING = ("morning", 9, 12)
    AFTERNOON = ("afternoon", 15, 18)
    EVENING = ("evening", 19, 24)
    TONIGHT = ("tonight", 20, 24)
    NIGHT = ("night", 20, 24)
    CLOSE = ("end of day", 17, 24)

    def __init__(self, words: str, hour: int, end_hour: int) -> None:
        self.words = words
        self.hour = hour
        self.end_hour = end_hour


MIDNIGHT = 24


class ClockTime(NamedTuple):
    """Time of day as typed; hour 24 is midnight.

    `settled` is False if the words leave open whether it is before or after noon.
    """

    hour: int
    minute: int = 0
    settled: bool = True


class TimeOfDay(NamedTuple):
    """Clock time, part of the day, or both: 8 in the evening."""

    clock: ClockTime | None = None
    part: PartOfDay | None = None


class DayModifier(StrEnum):
    """Word before a weekday or weekend."""

    BARE = ""
    THIS = "this"
    COMING = "coming"
    NEXT = "next"
    LAST = "last"


class RelativePeriod(NamedTuple):
    """Week, month, quarter or year counted from the current one (0)."""

    unit: Unit
    offset: int = 0
    explicit: bool = True
    """False for `of the month`: the month whose day is still to come."""


class NamedPeriod(NamedTuple):
    """Month, quarter or year by name; without a year, the one whose day is still to come."""

    first_month: int
    months: int
    year: int | None = None


CalendarPeriod = RelativePeriod | NamedPeriod


class PeriodSide(StrEnum):
    """Side of a period that a day is on."""

    START = "start"
    MIDDLE = "middle"
    END = "end"
    BARE = ""


class RelativeDay(NamedTuple):
    """Today or a neighbouring day, by offset in days."""

    days: int


class NamedDay(NamedTuple):
    """Weekday (Monday 0) with the word before it."""

    weekday: int
    which: DayModifier = DayModifier.BARE


class DayOfWeek(NamedTuple):
    """Weekday of the week that is `weeks` ahead."""

    weekday: int
    weeks: int


class Weekend(NamedTuple):
    """Saturday of a weekend."""

    which: DayModifier


class CalendarDay(NamedTuple):
    """Day of a month, with optional year and a weekday that must match."""

    day: int
    month: int
    year: int | None = None
    weekday: int | None = None


class SlashedDay(NamedTuple):
    """Two numbers whose order depends on the date style."""

    first: int
    second: int
    year: int | None = None
    weekday: int | None = None


class DayOfMonth(NamedTuple):
    """Day by number, of a given month or the next that has it."""

    day: int
    month: RelativePeriod | None = None
    weekday: int | None = None


class NthDay(NamedTuple):
    """Nth (-1: last) weekday of a month, or workday if `weekday` is None."""

    nth: int
    weekday: int | None
    month: CalendarPeriod


class PeriodEdge(NamedTuple):
    """First, middle or last day of a period; BARE is left to convention."""

    side: PeriodSide
    period: CalendarPeriod


class ShiftedDay(NamedTuple):
    """Day shifted after (+1) or before (-1) another; from today without one."""

    duration: Duration
    sign: int = 1
    origin: DayTerm | None = None
    plain: bool = False
    """True for an amount alone, without `in`, `+`, `from now`."""


DayTerm = (
    RelativeDay
    | NamedDay
    | DayOfWeek
    | Weekend
    | CalendarDay
    | SlashedDay
    | DayOfMonth
    | NthDay
    | PeriodEdge
    | ShiftedDay
)


class Moment(NamedTuple):
    """Day, time of day, or both."""

    day: DayTerm | None = None
    time: TimeOfDay | None = None
    before: bool = False
    """True for the day before the given one."""


class ElapsedTime(NamedTuple):
    """Moment relative to now, to the minute: in 2 hours."""

    duration: Duration
    sign: int = 1
    plain: bool = False


class ShiftedDue(NamedTuple):
    """Shift later (+1) or earlier (-1) of the task's present due moment."""

    duration: Duration
    sign: int
    time: TimeOfDay | None = None


DateTerm = Moment | ElapsedTime | ShiftedDue


RepeatEnd = DateTerm | Duration | int
"""Last moment of a recurrence, its duration from the first occurrence, or their number."""


class RepeatTerm(NamedTuple):
    """Recurrence phrase as typed."""

    rule: RecurrenceRule
    time: TimeOfDay | None = None
    start: DateTerm | None = None
    end: RepeatEnd | None = None
    from_completion: bool = False
    keep_missed: bool = False
    """True if missed occurrences stay due, as with bills."""
    ambiguity: str | None = None
    """Note for the user about an ambiguous phrase."""


UNITS = {
    "min": Unit.MINUTE, "mins": Unit.MINUTE,
    "minute": Unit.MINUTE, "minutes": Unit.MINUTE,
    "h": Unit.HOUR, "hr": Unit.HOUR, "hrs": Unit.HOUR, "hour": Unit.HOUR, "hours": Unit.HOUR,
    "d": Unit.DAY, "day": Unit.DAY, "days": Unit.DAY,
    "workday": Unit.WORKDAY, "workdays": Unit.WORKDAY,
    "weekday": Unit.WORKDAY, "weekdays": Unit.WORKDAY,
    "w": Unit.WEEK, "wk": Unit.WEEK, "wks": Unit.WEEK, "week": Unit.WEEK, "weeks": Unit.WEEK,
    "fortnight": Unit.FORTNIGHT, "fortnights": Unit.FORTNIGHT,
    "mo": Unit.MONTH, "mos": Unit.MONTH, "mth": Unit.MONTH, "mths": Unit.MONTH,
    "month": Unit.MONTH, "months": Unit.MONTH,
    "quarter": Unit.QUARTER, "quarters": Unit.QUARTER,
    "y": Unit.YEAR, "yr": Unit.YEAR, "yrs": Unit.YEAR, "year": Unit.YEAR, "years": Unit.YEAR,
}  # fmt: skip
PERIODS = {
    "week": Unit.WEEK, "wk": Unit.WEEK, "workweek": Unit.WEEK,
    "month": Unit.MONTH, "quarter": Unit.QUARTER, "year": Unit.YEAR,
}  # fmt: skip
PARTS = {
    "morning": PartOfDay.MORNING,
    "afternoon": PartOfDay.AFTERNOON,
    "arvo": PartOfDay.AFTERNOON,
    "evening": PartOfDay.EVENING,
    "night": PartOfDay.NIGHT,
}
