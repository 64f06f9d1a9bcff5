"""Productions for weeks, months, quarters and years, and for days that lie in them."""

from __future__ import annotations

from todo_tui.domain.phrases.days import month, ordinal_day, the, weekday, year
from todo_tui.domain.phrases.numbers import digit_ordinal, ordinal
from todo_tui.domain.phrases.parsing import (
    Parser,
    digits,
    either,
    join,
    named,
    optional,
    tight,
    words,
)
from todo_tui.domain.phrases.terms import (
    DayOfMonth,
    DayTerm,
    Edge,
    MonthOf,
    NthDay,
    Period,
    QuarterOf,
    Side,
    Stretch,
    Unit,
    YearOf,
)
from todo_tui.domain.phrases.vocabulary import PERIODS, WORKDAY_NAMES

offset = either(
    words("this", "the current", "current").gives(0),
    words("next", "the next", "the following", "nxt").gives(1),
    words("last", "previous", "the last", "the previous").gives(-1),
)
period_unit = named(PERIODS)
month_unit = words("month").gives(Unit.MONTH)


def _counted(unit: Parser[Unit]) -> Parser[Period]:
    """This week, next month, the year after next."""
    return either(
        join(lambda n, unit: Period(unit, n), offset, unit),
        join(lambda unit, _: Period(unit, 2), the >> unit, words("after next")),
    )


def _implied(unit: Parser[Unit]) -> Parser[Period]:
    """The month: whichever it is whose day is still to come."""
    return the >> unit.map(lambda unit: Period(unit, 0, explicit=False))


period = _counted(period_unit)
implied_period = _implied(period_unit)
named_month: Parser[MonthOf] = join(MonthOf, month, optional(optional(words("of", ",")) >> year))
named_quarter: Parser[QuarterOf] = join(
    QuarterOf, words("q") >> tight(digits(1, 4, {1})), optional(optional(words("of")) >> year)
)
month_stretch: Parser[Period | MonthOf] = either(
    named_month, _counted(month_unit), _implied(month_unit)
)
stretch: Parser[Stretch] = either(
    named_month, named_quarter, year.map(YearOf), period, implied_period
)

side = either(
    words("end of", "the end of", "last day of", "the last day of").gives(Side.END),
    words(
        "start of", "the start of", "beginning of", "the beginning of", "first day of",
        "the first day of",
    ).gives(Side.START),
)  # fmt: skip
middle = words("mid", "mid -", "middle of", "the middle of").gives(Side.MIDDLE)
abbreviated_edge: Parser[DayTerm] = either(
    words("eow").gives(Edge(Side.END, Period(Unit.WEEK))),
    words("eom").gives(Edge(Side.END, Period(Unit.MONTH))),
    words("eoq").gives(Edge(Side.END, Period(Unit.QUARTER))),
    words("eoy").gives(Edge(Side.END, Period(Unit.YEAR))),
)
month_alone: Parser[DayTerm] = (named_month | named_quarter).map(
    lambda stretch: Edge(Side.BARE, stretch)
)
"""A month or quarter by name, which takes a word before it to be a day."""
edge: Parser[DayTerm] = either(
    join(Edge, side, stretch),
    join(Edge, middle, month_stretch),
    abbreviated_edge,
    optional(words("later")) >> period.map(lambda period: Edge(Side.BARE, period)),
    words("in", "during", "this", "next", "this coming") >> month_alone,
    join(lambda m, y: Edge(Side.BARE, MonthOf(m, y)), month, optional(words("of")) >> year),
)

last = words("last", "the last").gives(-1)
nth = either(last, the >> ordinal.where(lambda n: n <= 5))
nth_kind: Parser[int | None] = either(weekday, words(*WORKDAY_NAMES).gives(None))
nth_day: Parser[DayTerm] = join(NthDay, nth, nth_kind, words("of", "in") >> month_stretch)
day_of_month: Parser[DayTerm] = either(
    join(DayOfMonth, the >> ordinal, words("of") >> (_counted(month_unit) | _implied(month_unit))),
    join(DayOfMonth, the >> digit_ordinal, _counted(month_unit)),
    join(lambda month, day: DayOfMonth(day, month),
         _counted(month_unit) << optional(words("on", ",")), ordinal_day),
    ordinal_day.map(DayOfMonth),
)  # fmt: skip
