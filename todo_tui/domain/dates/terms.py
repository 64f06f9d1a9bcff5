"""Syntax tree and vocabulary of the date grammar, before a clock makes dates of it."""

from __future__ import annotations

from enum import Enum, StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from todo_tui.domain.dates.text import WEEKDAY_NAMES
from todo_tui.domain.recurrence.rrule import RecurrenceRule

# No TOML: its parser takes 8 ms to import.
_TEXT = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")
_BLOCKS = (block.partition(":\n") for block in _TEXT.split("\n\n"))
WORDS = {head.split()[-1]: listed for head, _, listed in _BLOCKS}
"""Lists of `words.txt` by name: lines of words."""


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the words of a list of `words.txt`."""
    return frozenset(WORDS[name].split())


def _numbered(name: str, first: int) -> dict[str, int]:
    """Return the words of a list with the number of their line."""
    lines = enumerate(WORDS[name].splitlines(), first)
    return {word: number for number, line in lines for word in line.split()}


WEEKDAYS = _numbered("weekdays", 0)
SEVERAL_WEEKDAYS = {f"{name}s": day for day, name in enumerate(WEEKDAY_NAMES)}
MONTHS = _numbered("months", 1)
RELATIVE_DAYS = _numbered("relative_days", -1)
WORKDAY_NAMES = ("weekday", "workday", "business day", "working day", "work day")
WORKDAY_PHRASES = (
    "business day", "business days", "working day", "working days", "work day", "work days",
)  # fmt: skip
SMALL_NUMBERS = _numbered("small_numbers", 1)
TEENS = _numbered("teens", 13)
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
ORDINALS = _numbered("ordinals", 1) | {"thirtieth": 30}
SMALL_ORDINALS = {word: number for word, number in ORDINALS.items() if number < 10}


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
    problem: str = ""
    """Reason why there is no such time, as for 25:00; empty for any other."""
    offset: int | None = None
    """Minutes ahead of UTC, of a time that is not local."""


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


class MovableHoliday(NamedTuple):
    """Holiday whose date differs from year to year, by its name in `movable_holidays`."""

    name: str


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
    | MovableHoliday
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


def _by_first_word(name: str) -> dict[str, str]:
    """Return the words of a list with the first of their line."""
    return {word: line.split()[0] for line in WORDS[name].splitlines() for word in line.split()}


UNITS = {word: Unit(name) for word, name in _by_first_word("units").items()}
PERIODS = {word: Unit(name) for word, name in _by_first_word("periods").items()}
PARTS = {word: PartOfDay[name.upper()] for word, name in _by_first_word("parts").items()}
