"""Productions for counts, ordinals and durations."""

from __future__ import annotations

from itertools import pairwise

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
from todo_tui.domain.phrases.terms import Amount, Duration, Unit
from todo_tui.domain.phrases.vocabulary import (
    ORDINALS,
    SMALL_NUMBERS,
    SMALL_ORDINALS,
    TEENS,
    TENS,
    UNITS,
    WORKDAY_PHRASES,
)

MOST = 9999

hyphen = optional(tight(words("-")))
spelled = either(
    join(lambda ten, _, one: ten + one, named(TENS), hyphen, named(SMALL_NUMBERS)),
    named(SMALL_NUMBERS | TEENS | TENS),
)
count = digits(1, MOST) | spelled
article = words("a", "an").gives(1)
couple = words("a couple of", "a couple", "couple of").gives(2)

digit_ordinal = digits(1, 31) << tight(words("st", "nd", "rd", "th"))
word_ordinal = either(
    join(lambda ten, _, one: ten + one, named({"twenty": 20, "thirty": 30}), hyphen,
         named(SMALL_ORDINALS)).where(lambda day: day <= 31),
    named(ORDINALS),
)  # fmt: skip
ordinal = digit_ordinal | word_ordinal

unit = named(UNITS) | words(*WORKDAY_PHRASES).gives(Unit.WORKDAY)
long_unit = unit.where(lambda unit: not unit.is_short)
hours = unit.where(lambda unit: unit is Unit.HOUR)
minutes = unit.where(lambda unit: unit is Unit.MINUTE)


def _in_minutes(whole: int, part: int, unit: Unit) -> Duration:
    """Hours and a fraction of one, given in minutes."""
    total = whole * 60 + part
    parts = (Amount(total // 60, unit), Amount(total % 60, Unit.MINUTE))
    return tuple(amount for amount in parts if amount.number)


decimal = tight(words(".", ",")) >> tight(digits(5, 5, {1})).gives(30)
half_hour = words("half an", "a half", "half a", "half").gives(0) >> hours.gives(
    (Amount(30, Unit.MINUTE),)
)
hours_and_half = either(
    join(lambda n, unit, _: _in_minutes(n, 30, unit), count | article, hours, words("and a half")),
    join(lambda n, _, unit: _in_minutes(n, 30, unit), count, words("and a half"), hours),
    join(lambda n, half, unit: _in_minutes(n, half, unit), digits(0, MOST), decimal, hours),
)
hours_run_on = join(
    lambda n, unit, rest: (Amount(n, unit), Amount(rest, Unit.MINUTE)),
    digits(1, MOST),
    tight(hours),
    tight(digits(1, 59)),
)
SIZE = {unit: rank for rank, unit in enumerate(Unit)}


def _sum_of(amount: Parser[Amount]) -> Parser[Duration]:
    """One amount, or several of falling size."""
    joint = words(", and", ",", "and") | nothing("")
    one: Parser[Duration] = amount.map(lambda only: (only,))
    two = join(lambda a, _, b: (a, b), amount, joint, amount)
    three = join(lambda rest, _, c: (*rest, c), two, joint, amount)
    return either(three, two, one).where(
        lambda parts: all(SIZE[a.unit] > SIZE[b.unit] for a, b in pairwise(parts))
    )


some_minutes: Parser[Amount] = digits(10, MOST).map(
    lambda number: Amount(number, Unit.MINUTE)
) << words("m")
"""30m; fewer would as well be months."""
hours_and_m: Parser[Duration] = join(
    lambda n, unit, minutes: (Amount(n, unit), Amount(minutes, Unit.MINUTE)),
    count, hours << optional(words("and", ",")), digits(1, 59) << words("m"),
)  # fmt: skip
half_year: Parser[Duration] = words("half a year", "half year").gives((Amount(6, Unit.MONTH),))

amount = join(Amount, count | couple | article, unit) | some_minutes
counted = join(Amount, count | couple, unit) | some_minutes

duration: Parser[Duration] = either(
    half_hour, half_year, hours_and_half, hours_and_m, hours_run_on, _sum_of(amount)
)
"""Three days, an hour and a half, 1h30m, a week and 2 days."""

counted_duration: Parser[Duration] = either(
    hours_and_half, hours_and_m, hours_run_on, _sum_of(counted)
)
"""A duration that says how many: `3 days`, not `a day`."""


def is_short(duration: Duration) -> bool:
    """Whether it has hours or minutes in it."""
    return any(amount.unit.is_short for amount in duration)
