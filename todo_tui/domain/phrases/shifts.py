"""Productions for days counted from other days, and the grammar of all days."""

from __future__ import annotations

from todo_tui.domain.phrases.days import (
    dotted_day,
    holiday,
    iso_day,
    month_day,
    named_day,
    relative_day,
    slashed_day,
    weekday_and_date,
    weekend,
)
from todo_tui.domain.phrases.numbers import (
    article,
    count,
    counted_duration,
    duration,
    is_short,
)
from todo_tui.domain.phrases.parsing import (
    Parser,
    deferred,
    either,
    join,
    named,
    optional,
    tight,
    unless,
    words,
)
from todo_tui.domain.phrases.stretches import day_of_month, edge, nth_day
from todo_tui.domain.phrases.terms import Amount, DayTerm, Duration, Elapsed, Shifted, Unit
from todo_tui.domain.phrases.vocabulary import WORKDAY_NAMES

DAY = (Amount(1, Unit.DAY),)
WEEK = (Amount(1, Unit.WEEK),)
POSSESSIVE_UNITS = {
    f"{unit.value}'s": unit for unit in (Unit.DAY, Unit.WEEK, Unit.FORTNIGHT, Unit.MONTH, Unit.YEAR)
}


def _of_days(parser: Parser[Duration]) -> Parser[Duration]:
    return parser.where(lambda amounts: not is_short(amounts))


def _to_the_minute(parser: Parser[Duration]) -> Parser[Duration]:
    return parser.where(is_short)


days = _of_days(duration)
hours = _to_the_minute(duration)
within = words("in", "within", "in the next", "within the next") << optional(
    words("about", "around", "approximately", "roughly", "exactly")
)
time_filler = optional(words("time", "' time"))
from_now = words("from now", "from today", "hence", "after today", "from this moment")

elapsed: Parser[Elapsed] = either(
    within >> hours.map(Elapsed) << time_filler,
    hours.map(Elapsed) << from_now,
    hours.map(lambda amounts: Elapsed(amounts, -1)) << words("ago"),
    words("+") >> tight(_to_the_minute(counted_duration)).map(Elapsed),
    words("now", "right now").gives(Elapsed(())),
)
"""A moment counted from this one in hours and minutes."""

plain_elapsed: Parser[Elapsed] = hours.map(lambda amounts: Elapsed(amounts, plain=True))
"""Only an amount: `2 hours`. Read after all that may be a time of day: `14h30`."""

next_workday: Parser[DayTerm] = words("next", "the next") >> words(*WORKDAY_NAMES).gives(
    Shifted((Amount(1, Unit.WORKDAY),))
)
anchor_day: Parser[DayTerm] = either(
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
"""A day that names itself."""

origin: Parser[DayTerm] = optional(words("on")) >> deferred(lambda: anchor_day)
not_someday: Parser[None] = unless(words("one day"))
shifted: Parser[DayTerm] = either(
    within >> days.map(Shifted) << time_filler,
    within >> join(Amount, count | article, named(POSSESSIVE_UNITS)).map(
        lambda amount: Shifted((amount,))
    ) << words("time"),
    days.map(Shifted) << from_now,
    join(lambda _, day: Shifted(DAY, -1, day), words("the day before", "day before"), origin),
    join(lambda _, day: Shifted(DAY, 1, day), words("the day after", "day after"), origin),
    join(lambda amounts, day: Shifted(amounts, 1, day), days << words("from", "after"), origin),
    join(lambda amounts, day: Shifted(amounts, -1, day), days << words("before"), origin),
    join(lambda _, day: Shifted(WEEK, 1, day), words("a week", "1 week"),
         words("on") >> named_day | relative_day),
    (relative_day | named_day).map(lambda day: Shifted(WEEK, 1, day)) << words("week"),
    days.map(lambda amounts: Shifted(amounts, -1)) << words("ago"),
    words("+") >> tight(_of_days(counted_duration)).map(Shifted),
    not_someday >> days.map(lambda amounts: Shifted(amounts, plain=True)),
)  # fmt: skip

day: Parser[DayTerm] = either(shifted, anchor_day)
"""Any way of saying a day."""
