"""Productions for days that have a name or a date of their own."""

from __future__ import annotations

from todo_tui.domain.phrases.numbers import article, count, digit_ordinal, ordinal, word_ordinal
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
    CalendarDay,
    DayOfMonth,
    DayOfWeek,
    DayTerm,
    NamedDay,
    RelativeDay,
    SlashedDay,
    Weekend,
    Which,
)
from todo_tui.domain.phrases.vocabulary import MONTHS, RELATIVE_DAYS, WEEKDAYS

abbreviation_dot = optional(tight(words(".")))
weekday = named(WEEKDAYS) << abbreviation_dot
month = named(MONTHS) << abbreviation_dot
year = digits(1900, 2999, {4})
comma = optional(words(","))
the = optional(words("the"))

# --- by name ------------------------------------------------------------------------

chat_spelling = digits(2, 2, {1}) >> tight(
    words("day").gives(0) | words("moro", "morrow", "mrw", "mro").gives(1)
)
relative_day: Parser[DayTerm] = either(
    words("the day after tomorrow", "day after tomorrow").gives(RelativeDay(2)),
    words("the day before yesterday", "day before yesterday").gives(RelativeDay(-2)),
    words("later today").gives(RelativeDay(0)),
    chat_spelling.map(RelativeDay),
    named(RELATIVE_DAYS).map(RelativeDay),
)
which = either(
    words("this").gives(Which.THIS),
    words("this coming", "the coming", "coming", "upcoming").gives(Which.COMING),
    words("next", "nxt").gives(Which.NEXT),
    words("last", "past", "this past", "previous").gives(Which.LAST),
)
week_ahead: Parser[int] = either(
    words("this week").gives(0),
    words("next week", "nxt week").gives(1),
    words("the week after next", "week after next").gives(2),
    words("last week").gives(-1),
)
in_weeks = words("in") >> (count | article) << words("week", "weeks")
named_day: Parser[DayTerm] = either(
    join(DayOfWeek, weekday, optional(words(",", "of")) >> (week_ahead | in_weeks)),
    join(lambda weeks, day: DayOfWeek(day, weeks), week_ahead << optional(words(",", "on")),
         weekday),
    join(lambda which, day: NamedDay(day, which), which, weekday),
    weekday.map(NamedDay),
)  # fmt: skip
over = optional(words("over", "during"))
weekend: Parser[DayTerm] = over >> either(
    which << words("weekend"), the >> words("weekend").gives(Which.BARE)
).map(Weekend)

# --- by date ------------------------------------------------------------------------


def _year_first(mark: str) -> Parser[CalendarDay]:
    """2026-12-01, with the same mark twice."""
    joint = tight(words(mark))
    month_part = joint >> tight(digits(1, 12))
    day_part = joint >> tight(digits(1, 31))
    return join(lambda year, month, day: CalendarDay(day, month, year), year, month_part, day_part)


iso_day: Parser[CalendarDay] = either(*map(_year_first, "-/."))
numeral = digits(1, 31, {1, 2})
any_year = year | digits(0, 99, {2}).map(lambda short: 2000 + short)


def _numeric_day(mark: str) -> Parser[SlashedDay]:
    """1/2/2027: two numbers in the person's order, then the year."""
    joint = tight(words(mark))
    return join(SlashedDay, numeral, joint >> tight(numeral), joint >> tight(any_year))


slashed_day: Parser[SlashedDay] = either(
    _numeric_day("/"),
    _numeric_day("-"),
    join(SlashedDay, numeral, tight(words("/")) >> tight(numeral)),
)
full_stop = tight(words("."))
dotted_day: Parser[CalendarDay] = join(
    CalendarDay,
    numeral << full_stop,
    tight(digits(1, 12, {1, 2})) << full_stop,
    optional(tight(any_year)),
)
day_number = digits(1, 31, {1, 2}) | digit_ordinal | word_ordinal
joint = optional(tight(words("-", "/")))
its_year = optional(
    either(optional(words(",", "of", "in")) >> year, tight(words("-", "/")) >> year)
)
day_and_month: Parser[tuple[int, int]] = either(
    join(lambda month, day: (day, month), month << joint, joint >> the >> day_number),
    join(lambda day, month: (day, month), the >> day_number << joint,
         optional(words("of", "day of")) >> month),
)  # fmt: skip
month_day: Parser[CalendarDay] = join(
    lambda pair, year: CalendarDay(pair[0], pair[1], year), day_and_month, its_year
)
holiday: Parser[DayTerm] = either(
    words("christmas eve", "xmas eve").gives(CalendarDay(24, 12)),
    words("christmas day", "xmas day", "christmas", "xmas").gives(CalendarDay(25, 12)),
    words("new year's eve", "new years eve", "nye").gives(CalendarDay(31, 12)),
    words("boxing day").gives(CalendarDay(26, 12)),
    words("new year's day", "new years day", "new year's", "new years", "new year",
          "the new year").gives(CalendarDay(1, 1)),
    words("valentine's day", "valentines day").gives(CalendarDay(14, 2)),
    words("halloween").gives(CalendarDay(31, 10)),
)  # fmt: skip
ordinal_day = words("the") >> ordinal | digit_ordinal
weekday_and_date: Parser[DayTerm] = either(
    join(
        lambda weekday, day: CalendarDay(day.day, day.month, day.year, weekday),
        weekday << comma,
        month_day,
    ),
    join(lambda weekday, day: DayOfMonth(day, None, weekday), weekday << comma, ordinal_day),
    join(
        lambda weekday, day: day._replace(weekday=weekday),
        weekday << comma,
        iso_day | slashed_day | dotted_day,
    ),
)
