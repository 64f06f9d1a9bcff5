"""Productions for repeating phrases: every monday, monthly on the 15th, weekdays at 9."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.phrases.days import month
from todo_tui.domain.phrases.numbers import article, count, couple, ordinal
from todo_tui.domain.phrases.parsing import (
    Parser,
    either,
    join,
    named,
    nothing,
    optional,
    tight,
    words,
)
from todo_tui.domain.phrases.repeat_changes import ahead, beside, changed, completion
from todo_tui.domain.phrases.repeat_days import (
    ALL_DAYS,
    WORKDAYS,
    month_place,
    plural_list,
    week_days,
    weekday_list,
    weekends,
    workdays,
    year_place,
)
from todo_tui.domain.phrases.terms import (
    Part,
    Repeat,
    TimeOfDay,
    Unit,
)
from todo_tui.domain.phrases.vocabulary import PARTS, UNITS, WORKDAY_PHRASES
from todo_tui.domain.rule import MOST_INTERVALS, Freq, Rule, RuleDay

# --- every 3 days -------------------------------------------------------------------

COUNTED_IN = {
    Unit.MINUTE: (Freq.MINUTELY, 1),
    Unit.HOUR: (Freq.HOURLY, 1),
    Unit.DAY: (Freq.DAILY, 1),
    Unit.WEEK: (Freq.WEEKLY, 1),
    Unit.FORTNIGHT: (Freq.WEEKLY, 2),
    Unit.MONTH: (Freq.MONTHLY, 1),
    Unit.QUARTER: (Freq.MONTHLY, 3),
    Unit.YEAR: (Freq.YEARLY, 1),
}


def _interval(count: int, unit: Unit) -> Rule | None:
    if unit not in COUNTED_IN or not 1 <= count <= MOST_INTERVALS:
        return None
    freq, factor = COUNTED_IN[unit]
    return Rule(freq, count * factor) if count * factor <= MOST_INTERVALS else None


unit = named(UNITS)
single_unit = named({unit.value: unit for unit in COUNTED_IN})
other = words("other", "second", "alternate").gives(2)
several = either(other, count, couple, ordinal.where(lambda nth: nth > 1))
counted: Parser[Rule] = join(lambda n, unit: (n, unit), several, unit).pick(
    lambda pair: _interval(*pair)
)
half_hours: Parser[Rule] = either(
    words("half hour", "half an hour", "half - hour").gives(Rule(Freq.MINUTELY, 30)),
    words("hour and a half").gives(Rule(Freq.MINUTELY, 90)),
)
interval: Parser[Rule] = either(
    half_hours, counted, single_unit.pick(lambda unit: _interval(1, unit))
)


def _placed(freq: Freq, place: Parser[Rule]) -> Callable[[Parser[Rule]], Parser[Rule]]:
    """Turns a counting rule into one with days of its own: every 2 months on the 1st."""

    def follow(counting: Parser[Rule]) -> Parser[Rule]:
        return join(
            lambda rule, place: place._replace(interval=rule.interval),
            counting.where(lambda rule: rule.freq is freq),
            optional(words("on", "in", "at", ",", ", on")) >> place,
        )

    return follow


week_place: Parser[Rule] = week_days.map(lambda days: Rule(Freq.WEEKLY, by_day=days))
of_month = optional(words("of the month", "of month", "of each month", "of every month"))
PLACES = (
    _placed(Freq.WEEKLY, week_place),
    _placed(Freq.MONTHLY, month_place << of_month),
    _placed(Freq.YEARLY, year_place),
)


def _with_places(counting: Parser[Rule]) -> Parser[Rule]:
    return either(*(placed(counting) for placed in PLACES), counting)


# --- every monday -------------------------------------------------------------------

Body = Parser[Repeat]


def _plain(rules: Parser[Rule]) -> Body:
    return rules.map(Repeat)


def _weekly(days: tuple[RuleDay, ...]) -> Repeat:
    return Repeat(Rule(Freq.WEEKLY, by_day=days))


def _every_nth(interval: int, days: tuple[RuleDay, ...], doubt: str | None) -> Repeat:
    return Repeat(Rule(Freq.WEEKLY, interval, by_day=days), doubt=doubt)


def _in_each_month(rule: Rule) -> Repeat:
    """Every 3rd friday: of the month, though some say it of weeks."""
    nths = [day.nth for day in rule.by_day if day.nth > 1]
    doubt = "read as the one of each month" if nths and not rule.by_set_pos else None
    return Repeat(rule, doubt=doubt)


OTHER_WEEK = "read as every other week"
MONTH_FIRST = "read as its first day"
every_day_but: Body = join(
    lambda days, left_out: tuple(day for day in days if day not in left_out),
    either(words("day").gives(ALL_DAYS), workdays),
    words("except", "except on", "except for", "but", "but not", "but not on") >> week_days,
).where(bool).map(_weekly)  # fmt: skip
every_other_day: Body = either(
    join(lambda _, days: _every_nth(2, days, None), words("other", "alternate"),
         weekday_list | weekends),
    join(lambda _, days: _every_nth(2, days, OTHER_WEEK), words("second"), weekday_list),
    join(lambda n, days: _every_nth(n, days, None), count.where(lambda n: 1 < n < 100),
         weekday_list),
)  # fmt: skip
every_body: Body = either(
    every_day_but,
    _plain(_with_places(interval)),
    (workdays | weekends).map(_weekly),
    every_other_day,
    weekday_list.map(_weekly),
    _plain(year_place),
    _plain(month_place << words("of the month", "of each month", "of every month", "of month")),
    month_place.map(_in_each_month),
    words("month end", "month's end").gives(Repeat(Rule(Freq.MONTHLY, by_month_day=(-1,)))),
    month.map(
        lambda month: Repeat(
            Rule(Freq.YEARLY, by_month=(month,), by_month_day=(1,)), doubt=MONTH_FIRST
        )
    ),
    named(PARTS).map(lambda part: Repeat(Rule(Freq.DAILY), TimeOfDay(part=part))),
)
every = words("every", "each", "every single", "ev", "once every", "once each")
everyday: Body = words("everyday").gives(Repeat(Rule(Freq.DAILY)))
at_completion = tight(words("!")).gives(True) | nothing(False)
every_phrase: Body = join(
    lambda completion, repeat: repeat._replace(from_completion=completion),
    every >> at_completion,
    every_body,
)

# --- monthly, mondays, the 1st of every month -----------------------------------------

adverb: Parser[Rule] = named(
    {
        "hourly": Rule(Freq.HOURLY),
        "daily": Rule(Freq.DAILY),
        "weekly": Rule(Freq.WEEKLY),
        "fortnightly": Rule(Freq.WEEKLY, 2),
        "monthly": Rule(Freq.MONTHLY),
        "quarterly": Rule(Freq.MONTHLY, 3),
        "yearly": Rule(Freq.YEARLY),
        "annually": Rule(Freq.YEARLY),
    }
)
doubtful_adverb: Body = either(
    words("biweekly", "bi - weekly").gives(Repeat(Rule(Freq.WEEKLY, 2), doubt=OTHER_WEEK)),
    words("bimonthly", "bi - monthly").gives(
        Repeat(Rule(Freq.MONTHLY, 2), doubt="read as every other month")
    ),
    words("nightly").gives(Repeat(Rule(Freq.DAILY), TimeOfDay(part=Part.NIGHT))),
)
biweekly_days: Body = join(
    lambda repeat, days: repeat._replace(rule=repeat.rule._replace(by_day=days)),
    words("biweekly", "bi - weekly").gives(Repeat(Rule(Freq.WEEKLY, 2), doubt=OTHER_WEEK)),
    optional(words("on")) >> week_days,
)
on = optional(words("on", "on the"))
alternate_days: Body = join(
    lambda _, days: _every_nth(2, days, None), on >> words("alternate", "alternating"), plural_list
)
several_days: Body = on >> either(
    plural_list,
    words("weekdays", "workdays", *(n for n in WORKDAY_PHRASES if n.endswith("s"))).gives(WORKDAYS),
    words("weekends").gives((RuleDay(5), RuleDay(6))),
).map(_weekly)
once: Body = _plain(words("once a", "once per", "once an") >> interval)
each = words("every", "each")
place_first: Body = either(
    join(lambda place, rule: Repeat(place._replace(interval=rule.interval)),
         optional(words("on", "at")) >> month_place << words("of", ",") << each,
         interval.where(lambda rule: rule.freq is Freq.MONTHLY)),
    join(lambda place, rule: Repeat(place._replace(interval=rule.interval)),
         on >> year_place << optional(words("of", ",")) << each,
         interval.where(lambda rule: rule.freq is Freq.YEARLY)),
    join(lambda days, rule: Repeat(rule._replace(by_day=days)),
         on >> week_days << optional(words("of", ",")) << each,
         interval.where(lambda rule: rule.freq is Freq.WEEKLY)),
)  # fmt: skip
body: Body = either(
    every_phrase,
    everyday,
    optional(words("once")) >> _plain(_with_places(adverb)),
    biweekly_days,
    doubtful_adverb,
    alternate_days,
    several_days,
    once,
    place_first,
)

# --- whole phrases ---------------------------------------------------------------------

after_completion: Body = join(
    lambda rule, _: Repeat(rule, from_completion=True),
    join(lambda n, unit: (n, unit), count | article, unit).pick(lambda pair: _interval(*pair)),
    completion,
)


def _repeating(body: Body) -> Parser[Repeat]:
    return join(lambda before, repeat, after: (repeat, before + after), ahead, body, beside).pick(
        lambda said: changed(*said)
    )


repeat_phrase: Parser[Repeat] = optional(
    words("repeat", "repeats", "repeating", "recurring", "due", "due on")
) >> _repeating(body | after_completion)
days_phrase: Parser[Repeat] = _repeating(
    on >> weekday_list.where(lambda days: len(days) > 1).map(_weekly)
)
"""Days without `every`: mon, wed, fri. In a title they may as well be meant once."""
