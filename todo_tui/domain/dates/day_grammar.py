"""Grammar of numbers, durations, days, periods and days counted from other days."""

from itertools import pairwise

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    alternatives,
    digits,
    named,
    not_ahead,
    optional,
    separated_by,
    sequence,
    succeed,
    tight,
    words,
)
from todo_tui.domain.dates.movable_holidays import MOVABLE_HOLIDAYS

MAX_COUNT = 9999
hyphen = optional(tight(words("-")))
article = words("a", "an").gives(1)
couple = words("a couple of", "a couple", "couple of").gives(2)
digit_ordinal = digits(1, 31) << tight(words("st", "nd", "rd", "th"))
unit = named(terms.UNITS) | words(*terms.WORKDAY_PHRASES).gives(terms.Unit.WORKDAY)
decimal = tight(words(".", ",")) >> tight(digits(5, 5, {1})).gives(30)
UNIT_SIZE = {unit: rank for rank, unit in enumerate(terms.Unit)}
half_year: Parser[terms.Duration] = words("half a year", "half year").gives(
    (terms.Amount(6, terms.Unit.MONTH),)
)
abbreviation_dot = optional(tight(words(".")))
weekday = named(terms.WEEKDAYS) << abbreviation_dot
month = named(terms.MONTHS) << abbreviation_dot
year = digits(1900, 2999, {4})
short_year = digits(0, 99, {2}).map(lambda short: 2000 + short)
comma = optional(words(","))
the = optional(words("the"))
chat_spelling = digits(2, 2, {1}) >> tight(
    words("day").gives(0) | words("moro", "morrow", "mrw", "mro").gives(1)
)
relative_day: Parser[terms.DayTerm] = alternatives(
    named(
        {
            "the day after tomorrow": 2, "day after tomorrow": 2,
            "the day before yesterday": -2, "day before yesterday": -2,
            "later today": 0,
        }
    ),
    chat_spelling,
    named(terms.RELATIVE_DAYS),
).map(terms.RelativeDay)  # fmt: skip
which = alternatives(
    words("this").gives(terms.DayModifier.THIS),
    words("this coming", "the coming", "coming", "upcoming").gives(terms.DayModifier.COMING),
    words("next", "nxt").gives(terms.DayModifier.NEXT),
    words("last", "past", "this past", "previous").gives(terms.DayModifier.LAST),
)
week_ahead: Parser[int] = alternatives(
    words("this week").gives(0),
    words("next week", "nxt week").gives(1),
    words("the week after next", "week after next").gives(2),
    words("last week").gives(-1),
)
over = optional(words("over", "during"))
weekend: Parser[terms.DayTerm] = over >> alternatives(
    which << words("weekend"), the >> words("weekend").gives(terms.DayModifier.BARE)
).map(terms.Weekend)
numeral = digits(1, 31, {1, 2})
two_digits = digits(0, 99, {1, 2})
full_stop = tight(words("."))
joint = optional(tight(words("-", "/")))
its_year = optional(
    alternatives(
        optional(words(",", "of", "in")) >> year,
        tight(words("-", "/")) >> year,
        words("'") >> tight(short_year),
    )
)
advent: Parser[terms.DayTerm] = (
    optional(words("the"))
    >> alternatives(
        digits(1, 4, {1}) << tight(words("st", "nd", "rd", "th")),
        named({"first": 1, "second": 2, "third": 3, "fourth": 4}),
    )
    << words("advent", "sunday of advent", "sunday in advent")
).map(lambda n: terms.MovableHoliday(f"advent {n}"))
holiday: Parser[terms.DayTerm] = alternatives(
    advent,
    words("christmas eve", "xmas eve").gives(terms.CalendarDay(24, 12)),
    words("christmas day", "xmas day", "christmas", "xmas").gives(terms.CalendarDay(25, 12)),
    words("new year's eve", "new years eve", "nye").gives(terms.CalendarDay(31, 12)),
    words("boxing day").gives(terms.CalendarDay(26, 12)),
    words("new year's day", "new years day", "new year's", "new years", "new year",
          "the new year").gives(terms.CalendarDay(1, 1)),
    words("valentine's day", "valentines day").gives(terms.CalendarDay(14, 2)),
    words("halloween").gives(terms.CalendarDay(31, 10)),
    words("bonfire night").gives(terms.CalendarDay(5, 11)),
    words("st patrick's day", "st patricks day").gives(terms.CalendarDay(17, 3)),
    *(words(name).gives(terms.MovableHoliday(name))
      for name in sorted(MOVABLE_HOLIDAYS, key=len, reverse=True)),
)  # fmt: skip
offset = alternatives(
    words("this", "the current", "current").gives(0),
    words("next", "the next", "the following", "nxt").gives(1),
    words("last", "previous", "the last", "the previous").gives(-1),
)
period_unit = named(terms.PERIODS)
month_unit = words("month").gives(terms.Unit.MONTH)
named_month: Parser[terms.NamedPeriod] = sequence(
    lambda month, year: terms.NamedPeriod(month, 1, year),
    month,
    optional(optional(words("of", ",")) >> year),
)
named_quarter: Parser[terms.NamedPeriod] = sequence(
    lambda quarter, year: terms.NamedPeriod(quarter * 3 - 2, 3, year),
    words("q") >> tight(digits(1, 4, {1})),
    optional(optional(words("of")) >> year),
)
named_year = year.map(lambda year: terms.NamedPeriod(1, 12, year))
side = alternatives(
    words("end of", "the end of", "last day of", "the last day of").gives(terms.PeriodSide.END),
    words(
        "start of", "the start of", "beginning of", "the beginning of", "first day of",
        "the first day of",
    ).gives(terms.PeriodSide.START),
)  # fmt: skip
middle = words("mid", "mid -", "middle of", "the middle of").gives(terms.PeriodSide.MIDDLE)
abbreviated_edge: Parser[terms.DayTerm] = named(
    {"eow": terms.Unit.WEEK, "eom": terms.Unit.MONTH, "eoq": terms.Unit.QUARTER,
     "eoy": terms.Unit.YEAR}
).map(lambda unit: terms.PeriodEdge(terms.PeriodSide.END, terms.RelativePeriod(unit)))  # fmt: skip
last = words("last", "the last").gives(-1)
nth_kind: Parser[int | None] = alternatives(weekday, words(*terms.WORKDAY_NAMES).gives(None))
DAY = (terms.Amount(1, terms.Unit.DAY),)
WEEK = (terms.Amount(1, terms.Unit.WEEK),)
POSSESSIVE_UNITS = {
    f"{name}'s": terms.UNITS[name] for name in ("day", "week", "fortnight", "month", "year")
}
within = words("in", "within", "in the next", "within the next") << optional(
    words("about", "around", "approximately", "roughly", "exactly")
)
time_filler = optional(words("time", "' time"))
from_now = words("from now", "from today", "hence", "after today", "from this moment")
next_workday: Parser[terms.DayTerm] = words("next", "the next") >> words(
    *terms.WORKDAY_NAMES
).gives(terms.ShiftedDay((terms.Amount(1, terms.Unit.WORKDAY),)))
not_someday: Parser[None] = not_ahead(words("one day"))
spelled = alternatives(
    sequence(lambda ten, _, one: ten + one, named(terms.TENS), hyphen, named(terms.SMALL_NUMBERS)),
    named(terms.SMALL_NUMBERS | terms.TEENS | terms.TENS),
)
count = digits(1, MAX_COUNT) | spelled
zero = digits(0, 0, {1})
word_ordinal = alternatives(
    sequence(lambda ten, _, one: ten + one, named({"twenty": 20, "thirty": 30}), hyphen,
         named(terms.SMALL_ORDINALS)).where(lambda day: day <= 31),
    named(terms.ORDINALS),
)  # fmt: skip
ordinal = digit_ordinal | word_ordinal
mistyped_ordinal = (zero | digits(32, 39)) << tight(words("st", "nd", "rd", "th"))
day_ordinal = ordinal | mistyped_ordinal
"""Ordinal of a day, mistyped ones too, so that the 32nd is refused and not half read."""
long_unit = unit.where(lambda unit: not unit.is_short)
hour_unit = unit.where(lambda unit: unit is terms.Unit.HOUR)


def _in_minutes(whole: int, part: int, unit: terms.Unit) -> terms.Duration:
    total = whole * 60 + part
    parts = (terms.Amount(total // 60, unit), terms.Amount(total % 60, terms.Unit.MINUTE))
    return tuple(amount for amount in parts if amount.number)


half_hour = words("half an", "a half", "half a", "half").gives(0) >> hour_unit.gives(
    (terms.Amount(30, terms.Unit.MINUTE),)
)
hours_and_half = alternatives(
    sequence(
        lambda n, unit, _: _in_minutes(n, 30, unit), count | article, hour_unit, words("and a half")
    ),
    sequence(lambda n, _, unit: _in_minutes(n, 30, unit), count, words("and a half"), hour_unit),
    sequence(
        lambda n, half, unit: _in_minutes(n, half, unit), digits(0, MAX_COUNT), decimal, hour_unit
    ),
)
hours_run_on = sequence(
    lambda n, unit, rest: (terms.Amount(n, unit), terms.Amount(rest, terms.Unit.MINUTE)),
    digits(1, MAX_COUNT),
    tight(hour_unit),
    tight(digits(1, 59)),
)


def _sum_of(amount: Parser[terms.Amount]) -> Parser[terms.Duration]:
    """Parse one to three amounts in descending units."""
    joint = words(", and", ",", "and") | succeed("")
    return separated_by(amount, joint).where(
        lambda parts: (
            len(parts) <= 3
            and all(UNIT_SIZE[a.unit] > UNIT_SIZE[b.unit] for a, b in pairwise(parts))
        )
    )


some_minutes: Parser[terms.Amount] = digits(10, MAX_COUNT).map(
    lambda number: terms.Amount(number, terms.Unit.MINUTE)
) << words("m")
"""30m; smaller numbers may mean months."""
hours_and_m: Parser[terms.Duration] = sequence(
    lambda n, unit, minutes: (terms.Amount(n, unit), terms.Amount(minutes, terms.Unit.MINUTE)),
    count, hour_unit << optional(words("and", ",")), digits(1, 59) << words("m"),
)  # fmt: skip
amount = sequence(terms.Amount, count | couple | article, unit) | some_minutes
counted = sequence(terms.Amount, count | couple, unit) | some_minutes
none_of_a_unit: Parser[terms.Duration] = sequence(terms.Amount, zero, unit).map(
    lambda amount: (amount,)
)
duration: Parser[terms.Duration] = alternatives(
    half_hour, half_year, hours_and_half, hours_and_m, hours_run_on, _sum_of(amount)
)
"""Three days, an hour and a half, 1h30m, a week and 2 days."""
counted_duration: Parser[terms.Duration] = alternatives(
    hours_and_half, hours_and_m, hours_run_on, _sum_of(counted)
)
"""Duration with a number: `3 days`, not `a day`."""


def is_short(duration: terms.Duration) -> bool:
    """Return True for durations with hours or minutes."""
    return any(amount.unit.is_short for amount in duration)


in_weeks = words("in") >> (count | article) << words("week", "weeks")
named_day: Parser[terms.DayTerm] = alternatives(
    sequence(terms.DayOfWeek, weekday, optional(words(",", "of")) >> (week_ahead | in_weeks)),
    sequence(lambda weeks, day: terms.DayOfWeek(day, weeks),
             week_ahead << optional(words(",", "on")),
         weekday),
    sequence(lambda which, day: terms.NamedDay(day, which), which, weekday),
    weekday.map(terms.NamedDay),
)  # fmt: skip


# --- by date ------------------------------------------------------------------------


def _year_first(mark: str) -> Parser[terms.CalendarDay]:
    """Parse 2026-12-01, with the same separator twice."""
    joint = tight(words(mark))
    part = joint >> tight(two_digits)
    return sequence(lambda year, month, day: terms.CalendarDay(day, month, year), year, part, part)


iso_day: Parser[terms.CalendarDay] = alternatives(*map(_year_first, "-/."))


def _numeric_day(mark: str) -> Parser[terms.SlashedDay]:
    """Parse 1/2/2027: two numbers in the user's order, then the year."""
    joint = tight(words(mark))
    return alternatives(
        sequence(terms.SlashedDay, two_digits, joint >> tight(two_digits), joint >> tight(year)),
        sequence(terms.SlashedDay, numeral, joint >> tight(numeral), joint >> tight(short_year)),
    )


slashed_day: Parser[terms.SlashedDay] = alternatives(
    _numeric_day("/"),
    _numeric_day("-"),
    sequence(terms.SlashedDay, numeral, tight(words("/")) >> tight(numeral)),
)
dotted_day: Parser[terms.CalendarDay] = alternatives(
    sequence(
        terms.CalendarDay,
        two_digits << full_stop,
        tight(two_digits) << full_stop,
        tight(year),
    ),
    sequence(
        terms.CalendarDay,
        numeral << full_stop,
        tight(digits(1, 12, {1, 2})) << full_stop,
        optional(tight(short_year)),
    ),
)
day_number = alternatives(digits(0, 39, {1, 2}), digit_ordinal, mistyped_ordinal, word_ordinal)
"""Day beside a month, mistyped ones too, so that 32 dec is refused and not half read."""
day_and_month: Parser[tuple[int, int]] = alternatives(
    sequence(lambda month, day: (day, month), month << joint, joint >> the >> day_number),
    sequence(lambda day, month: (day, month), the >> day_number << joint,
         optional(words("of", "day of")) >> month),
)  # fmt: skip
month_day: Parser[terms.CalendarDay] = alternatives(
    sequence(lambda pair, year: terms.CalendarDay(pair[0], pair[1], year), day_and_month, its_year),
    sequence(
        lambda year, month, day: terms.CalendarDay(day, month, year),
        digits(1990, 2099, {4}) << optional(words(",") | tight(words("-", "/"))),
        month << joint,
        joint >> day_number,
    ),
)
ordinal_day = words("the") >> day_ordinal | digit_ordinal
full_date: Parser[terms.CalendarDay | terms.SlashedDay] = alternatives(
    month_day, iso_day, slashed_day, dotted_day
)
date_without_weekday: Parser[terms.CalendarDay | terms.DayOfMonth | terms.SlashedDay] = (
    full_date | ordinal_day.map(terms.DayOfMonth)
)
weekday_and_date: Parser[terms.DayTerm] = alternatives(
    sequence(
        lambda weekday, day: day._replace(weekday=weekday), weekday << comma, date_without_weekday
    ),
    sequence(lambda day, weekday: day._replace(weekday=weekday), full_date << comma, weekday),
)


def _counted(unit: Parser[terms.Unit]) -> Parser[terms.RelativePeriod]:
    """Parse this week, next month, the year after next."""
    return alternatives(
        sequence(lambda n, unit: terms.RelativePeriod(unit, n), offset, unit),
        sequence(lambda unit, _: terms.RelativePeriod(unit, 2), the >> unit, words("after next")),
    )


def _implied(unit: Parser[terms.Unit]) -> Parser[terms.RelativePeriod]:
    """Parse `the month`: the one whose day is still to come."""
    return the >> unit.map(lambda unit: terms.RelativePeriod(unit, 0, explicit=False))


period = _counted(period_unit)
implied_period = _implied(period_unit)
month_period: Parser[terms.CalendarPeriod] = alternatives(
    named_month, _counted(month_unit), _implied(month_unit)
)
calendar_period: Parser[terms.CalendarPeriod] = alternatives(
    named_month, named_quarter, named_year, period, implied_period
)
month_alone: Parser[terms.DayTerm] = (named_month | named_quarter).map(
    lambda period: terms.PeriodEdge(terms.PeriodSide.BARE, period)
)
"""Month or quarter by name, a day only with a preposition before it."""
edge: Parser[terms.DayTerm] = alternatives(
    sequence(terms.PeriodEdge, side, calendar_period),
    sequence(terms.PeriodEdge, middle, month_period),
    abbreviated_edge,
    optional(words("later"))
    >> period.map(lambda period: terms.PeriodEdge(terms.PeriodSide.BARE, period)),
    words("in", "during", "this", "next", "this coming") >> month_alone,
    sequence(
        lambda m, y: terms.PeriodEdge(terms.PeriodSide.BARE, terms.NamedPeriod(m, 1, y)),
        month,
        optional(words("of")) >> year,
    ),
)
nth = alternatives(last, the >> day_ordinal.where(bool))
nth_day: Parser[terms.DayTerm] = sequence(
    terms.NthDay, nth, nth_kind, words("of", "in") >> month_period
)
day_of_month: Parser[terms.DayTerm] = alternatives(
    sequence(terms.DayOfMonth, the >> ordinal,
         words("of") >> (_counted(month_unit) | _implied(month_unit))),
    sequence(terms.DayOfMonth, the >> digit_ordinal, _counted(month_unit)),
    sequence(lambda month, day: terms.DayOfMonth(day, month),
         _counted(month_unit) << optional(words("on", ",")), ordinal_day),
    ordinal_day.map(terms.DayOfMonth),
)  # fmt: skip


def _is_long(duration: terms.Duration) -> bool:
    return not is_short(duration)


days = duration.where(_is_long)
hours = duration.where(is_short)
elapsed: Parser[terms.ElapsedTime] = alternatives(
    within >> (hours | none_of_a_unit.where(is_short)).map(terms.ElapsedTime) << time_filler,
    hours.map(terms.ElapsedTime) << from_now,
    hours.map(lambda amounts: terms.ElapsedTime(amounts, -1)) << words("ago"),
    words("+") >> tight(counted_duration.where(is_short)).map(terms.ElapsedTime),
    words("now", "right now").gives(terms.ElapsedTime(())),
)
"""Moment in hours and minutes from now."""
plain_elapsed: Parser[terms.ElapsedTime] = hours.map(
    lambda amounts: terms.ElapsedTime(amounts, plain=True)
)
"""Amount alone: `2 hours`. Tried after all times of day, such as `14h30`."""
anchor_day: Parser[terms.DayTerm] = alternatives(
    weekday_and_date,
    nth_day,
    iso_day,
    slashed_day,
    dotted_day,
    month_day,
    day_of_month,
    relative_day,
    named_day,
    weekend,
    next_workday,
    edge,
    holiday,
)
"""Day by name or date, not counted from another."""
origin: Parser[terms.DayTerm] = optional(words("on")) >> anchor_day
weeks_ahead: Parser[terms.Duration] = alternatives(
    words("a week", "1 week").gives(WEEK),
    words("a fortnight").gives((terms.Amount(2, terms.UNITS["week"]),)),
)
"""A week, or two, behind which a day is named: a fortnight tomorrow."""
shifted: Parser[terms.DayTerm] = alternatives(
    within >> (days | none_of_a_unit.where(_is_long)).map(terms.ShiftedDay) << time_filler,
    within >> sequence(terms.Amount, count | article, named(POSSESSIVE_UNITS)).map(
        lambda amount: terms.ShiftedDay((amount,))
    ) << words("time"),
    days.map(terms.ShiftedDay) << from_now,
    sequence(
        lambda sign, day: terms.ShiftedDay(DAY, sign, day),
        words("the day before", "day before").gives(-1)
        | words("the day after", "day after").gives(1),
        origin,
    ),
    sequence(
        lambda amounts, sign, day: terms.ShiftedDay(amounts, sign, day),
        days,
        words("from", "after").gives(1) | words("before").gives(-1),
        origin,
    ),
    sequence(lambda weeks, day: terms.ShiftedDay(weeks, 1, day), weeks_ahead,
         words("on") >> named_day | relative_day),
    sequence(
        lambda number, day: terms.ShiftedDay((terms.Amount(number, terms.UNITS["week"]),), 1, day),
        count << words("weeks"),
        relative_day,
    ),
    (relative_day | named_day).map(lambda day: terms.ShiftedDay(WEEK, 1, day)) << words("week"),
    days.map(lambda amounts: terms.ShiftedDay(amounts, -1)) << words("ago"),
    words("+") >> tight(counted_duration.where(_is_long)).map(terms.ShiftedDay),
    not_someday >> days.map(lambda amounts: terms.ShiftedDay(amounts, plain=True)),
)  # fmt: skip
day: Parser[terms.DayTerm] = alternatives(shifted, anchor_day)
"""Any day."""
