"""What phrases say, before a clock makes a date of it: the syntax tree of the grammar.

Named tuples, because making one of these classes costs an eighth of what a frozen
dataclass costs, and `todo-tui add` pays it on every start.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from todo_tui.domain.rule import Rule


class Unit(StrEnum):
    """What durations count and what periods are."""

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
        """Shorter than a day, so that counting it gives a time of day."""
        return self in (Unit.MINUTE, Unit.HOUR)


class Amount(NamedTuple):
    """So many of a unit."""

    number: int
    unit: Unit


Duration = tuple[Amount, ...]
"""Amounts to add up, longer units first: an hour and 30 minutes."""


class Part(Enum):
    """A part of the day: its name, usual hour, and the hour it is over."""

    MORNING = ("morning", 9, 12)
    AFTERNOON = ("afternoon", 15, 18)
    EVENING = ("evening", 19, 24)
    TONIGHT = ("tonight", 20, 24)
    NIGHT = ("night", 20, 24)
    CLOSE = ("end of day", 17, 24)

    def __init__(self, words: str, hour: int, over: int) -> None:
        self.words = words
        self.hour = hour
        self.over = over


class Clock(NamedTuple):
    """A time of day as said; hour 24 is midnight.

    `settled` is False when the words leave open whether it is before or after noon.
    """

    hour: int
    minute: int = 0
    settled: bool = True


class TimeOfDay(NamedTuple):
    """A clock time, a part of the day, or both: 8 in the evening."""

    clock: Clock | None = None
    part: Part | None = None


class Which(StrEnum):
    """The word before a weekday or weekend."""

    BARE = ""
    THIS = "this"
    COMING = "coming"
    NEXT = "next"
    LAST = "last"


class Period(NamedTuple):
    """A week, month, quarter or year counted from the present one (0)."""

    unit: Unit
    offset: int = 0
    explicit: bool = True
    """False for `of the month`: the one whose day is still to come."""


class MonthOf(NamedTuple):
    """A month by name; without a year, the one whose day is still to come."""

    month: int
    year: int | None = None


class QuarterOf(NamedTuple):
    """A quarter by number."""

    quarter: int
    year: int | None = None


class YearOf(NamedTuple):
    """A year by number."""

    year: int


Stretch = Period | MonthOf | QuarterOf | YearOf


class Side(StrEnum):
    """Which day of a stretch of time."""

    START = "start"
    MIDDLE = "middle"
    END = "end"
    BARE = ""


class RelativeDay(NamedTuple):
    """Today and its neighbours, by offset in days."""

    days: int


class NamedDay(NamedTuple):
    """A weekday (Monday 0) with the word before it."""

    weekday: int
    which: Which = Which.BARE


class DayOfWeek(NamedTuple):
    """A weekday of the week that lies so many weeks ahead."""

    weekday: int
    weeks: int


class Weekend(NamedTuple):
    """The Saturday of a weekend."""

    which: Which


class CalendarDay(NamedTuple):
    """A day of a month; the year and a weekday that must agree may be left out."""

    day: int
    month: int
    year: int | None = None
    weekday: int | None = None


class SlashedDay(NamedTuple):
    """Two numbers whose order depends on the person's habit."""

    first: int
    second: int
    year: int | None = None
    weekday: int | None = None


class DayOfMonth(NamedTuple):
    """The 15th: of a month that is named, or of the next that has one."""

    day: int
    month: Period | MonthOf | None = None
    weekday: int | None = None


class NthDay(NamedTuple):
    """The nth (-1: last) weekday, or workday when `weekday` is None, of a month."""

    nth: int
    weekday: int | None
    month: Stretch


class Edge(NamedTuple):
    """First, middle or last day of a stretch; BARE is left to convention."""

    side: Side
    stretch: Stretch


class Shifted(NamedTuple):
    """A day so far after (+1) or before (-1) another; from today without one."""

    duration: Duration
    sign: int = 1
    origin: DayTerm | None = None
    plain: bool = False
    """Only an amount was said, without `in`, `+`, `from now`."""


DayTerm = (
    RelativeDay
    | NamedDay
    | DayOfWeek
    | Weekend
    | CalendarDay
    | SlashedDay
    | DayOfMonth
    | NthDay
    | Edge
    | Shifted
)


class Moment(NamedTuple):
    """A day, a time of day, or both."""

    day: DayTerm | None = None
    time: TimeOfDay | None = None
    before: bool = False
    """The last day before it is meant."""


class Elapsed(NamedTuple):
    """A moment so far from this one, to the minute: in 2 hours."""

    duration: Duration
    sign: int = 1
    plain: bool = False


class Moved(NamedTuple):
    """So much later (+1) or earlier (-1) than the task's present due moment."""

    duration: Duration
    sign: int
    time: TimeOfDay | None = None


DateTerm = Moment | Elapsed | Moved


class Until(NamedTuple):
    """The last moment of a repeat."""

    term: DateTerm


class Lasting(NamedTuple):
    """How long a repeat goes on from its first occurrence."""

    duration: Duration


class Times(NamedTuple):
    """How often something repeats in all."""

    number: int


End = Until | Lasting | Times


class Repeat(NamedTuple):
    """A repeating phrase as said."""

    rule: Rule
    time: TimeOfDay | None = None
    start: DateTerm | None = None
    end: End | None = None
    from_completion: bool = False
    keep_missed: bool = False
    """Each date that goes by is still to be done, as with bills."""
    doubt: str | None = None
    """What is ambiguous about the words, said to the person."""
