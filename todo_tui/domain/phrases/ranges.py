"""Productions for stretches of days, as filters use them, and the days they cover."""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple, assert_never

from todo_tui.domain.phrases.days import weekend, year
from todo_tui.domain.phrases.moments import todays_part
from todo_tui.domain.phrases.numbers import article, count, couple, long_unit
from todo_tui.domain.phrases.parsing import (
    Parser,
    digits,
    either,
    join,
    named,
    nothing,
    optional,
    tight,
    words,
)
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.resolve_days import resolve_day, shift_day
from todo_tui.domain.phrases.resolve_moments import Frame
from todo_tui.domain.phrases.shifts import anchor_day, day
from todo_tui.domain.phrases.stretch_days import days_of
from todo_tui.domain.phrases.stretches import named_month, named_quarter, period
from todo_tui.domain.phrases.terms import (
    Amount,
    DayTerm,
    MonthOf,
    Period,
    QuarterOf,
    RelativeDay,
    Stretch,
    Weekend,
    YearOf,
)
from todo_tui.domain.phrases.vocabulary import PERIODS

Days = tuple[date, date]
"""First and last day, both included."""


class Running(NamedTuple):
    """So many units from today on (+1), or up to today (-1), today included."""

    amount: Amount
    sign: int


class FromTo(NamedTuple):
    """From one day to another."""

    first: DayTerm
    last: DayTerm


class Whole(NamedTuple):
    """A whole week, month, quarter or year."""

    stretch: Stretch


class Single(NamedTuple):
    """One day, or both days of a weekend."""

    day: DayTerm


RangeTerm = Running | FromTo | Whole | Single

amount = join(Amount, count | couple | article, long_unit)
forward = words("next", "the next", "within", "in the next", "coming", "the coming")
backward = words("last", "the last", "past", "the past", "in the last", "in the past")
filler = optional(words("in", "on", "during", "for", "of"))
stretch: Parser[Stretch] = either(period, named_month, named_quarter, year.map(YearOf))
past_unit = words("past", "the past", "in the past") >> named(PERIODS).map(
    lambda unit: Amount(1, unit)
)
year_and_month = join(
    lambda year, month: MonthOf(month, year), year, tight(words("-")) >> tight(digits(1, 12, {2}))
)
range_phrase: Parser[RangeTerm] = filler >> either(
    join(lambda amount, sign: Running(amount, sign), forward >> amount, nothing(1)),
    join(lambda amount, sign: Running(amount, sign), backward >> amount, nothing(-1)),
    amount.map(lambda amount: Running(amount, 1)),
    past_unit.map(lambda amount: Running(amount, -1)),
    (year_and_month | stretch).map(Whole),
    weekend.map(Single),
    todays_part.gives(Single(RelativeDay(0))),
    join(FromTo, optional(words("from", "between")) >> anchor_day,
         words("to", "until", "till", "through", "and", "-") >> anchor_day),
    day.map(Single),
)  # fmt: skip


def resolve_range(term: RangeTerm, frame: Frame) -> Days:
    """The days that a term covers.

    Raises:
        DateNotUnderstood: there is no such day, or the range ends before it begins.
    """
    try:
        return _resolve(term, frame)
    except (OverflowError, ValueError) as error:
        raise DateNotUnderstood("That is too far away to be a date.") from error


def _resolve(term: RangeTerm, frame: Frame) -> Days:
    today, style = frame.today, frame.style
    match term:
        case Running():
            return _running(term, today)
        case Whole():
            return days_of(_coming(term.stretch, today), today, style)
        case Single(Weekend()):
            saturday = resolve_day(term.day, today, style).day
            return saturday, saturday + timedelta(days=6 - saturday.weekday())
        case Single():
            day = resolve_day(term.day, today, style).day
            return day, day
        case FromTo():
            first = resolve_day(term.first, today, style).day
            last = resolve_day(term.last, first, style).day
            if last < first:
                raise DateNotUnderstood("That ends before it begins.")
            return first, last
        case _:
            assert_never(term)


def _running(term: Running, today: date) -> Days:
    end = shift_day(today, (term.amount,), term.sign)[0]
    if term.sign > 0:
        return today, max(today, end - timedelta(days=1))
    return min(today, end + timedelta(days=1)), today


def _coming(stretch: Stretch, today: date) -> Stretch:
    """A month or quarter without a year: this year's unless it is over."""
    match stretch:
        case MonthOf(month, None):
            return MonthOf(month, today.year + (month < today.month))
        case QuarterOf(quarter, None):
            return QuarterOf(quarter, today.year + (quarter * 3 < today.month))
        case Period() | MonthOf() | QuarterOf() | YearOf():
            return stretch
        case _:
            assert_never(stretch)
