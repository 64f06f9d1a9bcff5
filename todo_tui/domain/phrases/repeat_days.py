"""Productions for the days a repeat names: mondays, the 1st and 15th, jan 5, last fridays."""

from __future__ import annotations

from todo_tui.domain.phrases.days import holiday, month, month_day, ordinal_day, the
from todo_tui.domain.phrases.numbers import ordinal
from todo_tui.domain.phrases.parsing import (
    Parser,
    digits,
    either,
    join,
    listing,
    named,
    nothing,
    words,
)
from todo_tui.domain.phrases.terms import CalendarDay
from todo_tui.domain.phrases.vocabulary import SEVERAL_WEEKDAYS, WEEKDAYS, WORKDAY_NAMES
from todo_tui.domain.rule import Freq, Rule, RuleDay

WORKDAYS = tuple(RuleDay(day) for day in range(5))
ALL_DAYS = tuple(RuleDay(day) for day in range(7))
WEEKEND = (RuleDay(5), RuleDay(6))

and_said = words(",", "and", "&", "+", "/", ", and", "and every", ", every")
and_also = and_said | nothing("")

# --- of the week --------------------------------------------------------------------

any_weekday = named(WEEKDAYS | SEVERAL_WEEKDAYS)
up_to = words("to", "through", "thru", "until", "till", "-")
weekday_run: Parser[tuple[int, ...]] = either(
    join(
        lambda first, last: tuple((first + n) % 7 for n in range((last - first) % 7 + 1)),
        any_weekday << up_to,
        any_weekday,
    ),
    any_weekday.map(lambda day: (day,)),
)


def _by_day(runs: tuple[tuple[int, ...], ...]) -> tuple[RuleDay, ...]:
    return tuple(sorted({RuleDay(day) for run in runs for day in run}))


weekday_list: Parser[tuple[RuleDay, ...]] = listing(weekday_run, and_also).map(_by_day)
plural_list: Parser[tuple[RuleDay, ...]] = listing(
    named(SEVERAL_WEEKDAYS).map(lambda day: (day,)), and_said
).map(_by_day)
workday = words(*WORKDAY_NAMES)
workdays = words(*WORKDAY_NAMES, *(f"{name}s" for name in WORKDAY_NAMES)).gives(WORKDAYS)
weekends = words("weekend", "weekends", "weekend day", "weekend days").gives(WEEKEND)
week_days: Parser[tuple[RuleDay, ...]] = either(workdays, weekends, weekday_list)
"""Days of the week, as one or several."""

# --- of the month -------------------------------------------------------------------

last = words("last").gives(-1)
rank = the >> (ordinal.where(lambda nth: nth <= 5) | last)
ranks: Parser[tuple[int, ...]] = listing(rank, and_said)


def _monthly(days: tuple[int, ...]) -> Rule:
    return Rule(Freq.MONTHLY, by_month_day=tuple(sorted(set(days))))


def _nth_days(ranks: tuple[int, ...], weekdays: tuple[RuleDay, ...]) -> Rule:
    pairs = {RuleDay(day.weekday, nth) for day in weekdays for nth in ranks}
    return Rule(Freq.MONTHLY, by_day=tuple(sorted(pairs)))


def _nth_workdays(ranks: tuple[int, ...]) -> Rule:
    return Rule(Freq.MONTHLY, by_day=WORKDAYS, by_set_pos=tuple(sorted(set(ranks))))


edge_day = either(
    words("last day", "the last day", "end", "the end").gives(-1),
    words("first day", "the first day", "1 st day", "start", "the start", "beginning",
          "the beginning").gives(1),
)  # fmt: skip
numbered_day = either(ordinal_day, words("day") >> digits(1, 31))
month_days: Parser[Rule] = listing(
    either(numbered_day, words("last day", "the last day").gives(-1)), and_said
).map(_monthly)
nth_weekdays: Parser[Rule] = join(_nth_days, ranks, weekday_list)
nth_workdays: Parser[Rule] = ranks.map(_nth_workdays) << workday
month_place: Parser[Rule] = either(
    month_days, edge_day.map(lambda day: _monthly((day,))), nth_weekdays, nth_workdays
)
"""Days that a month has, as a monthly rule."""

# --- of the year --------------------------------------------------------------------

yearless = (month_day | holiday).pick(
    lambda day: day if isinstance(day, CalendarDay) and day.year is None else None
)


def _yearly(dates: tuple[CalendarDay, ...]) -> Rule | None:
    """A rule for dates; only for such as share the day or the month is there one."""
    months = {day.month for day in dates}
    days = {day.day for day in dates}
    if len(months) > 1 and len(days) > 1:
        return None
    return Rule(Freq.YEARLY, by_month=tuple(sorted(months)), by_month_day=tuple(sorted(days)))


def _in_month(place: Rule, month: int) -> Rule:
    return Rule(
        Freq.YEARLY,
        by_month=(month,),
        by_month_day=place.by_month_day,
        by_day=place.by_day,
        by_set_pos=place.by_set_pos,
    )


year_place: Parser[Rule] = either(
    listing(yearless, and_said).pick(_yearly),
    join(_in_month, month_place << words("of", "in"), month),
)
"""Days that a year has, as a yearly rule."""
