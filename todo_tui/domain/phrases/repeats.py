"""Productions for repeating phrases: every monday, monthly on the 15th, weekdays at 9."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.phrases.days import month
from todo_tui.domain.phrases.moments import plain_term
from todo_tui.domain.phrases.numbers import count, couple, duration, is_short, ordinal
from todo_tui.domain.phrases.parsing import (
    Parser,
    either,
    join,
    listing,
    named,
    nothing,
    optional,
    tight,
    words,
)
from todo_tui.domain.phrases.repeat_days import (
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
    DateTerm,
    End,
    Lasting,
    Part,
    Repeat,
    TimeOfDay,
    Times,
    Unit,
    Until,
)
from todo_tui.domain.phrases.times import attached_time, time_of_day
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
other = words("other", "second").gives(2)
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
every_other_day: Body = either(
    join(lambda _, days: _every_nth(2, days, None), words("other"), weekday_list),
    join(lambda _, days: _every_nth(2, days, OTHER_WEEK), words("second"), weekday_list),
    join(lambda n, days: _every_nth(n, days, None), count.where(lambda n: 1 < n < 100),
         weekday_list),
)  # fmt: skip
every_body: Body = either(
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
    _plain(_with_places(adverb)),
    biweekly_days,
    doubtful_adverb,
    several_days,
    once,
    place_first,
)

# --- what may stand beside --------------------------------------------------------------

Change = Callable[[Repeat], Repeat | None]
"""Adds to a repeat what was said beside it; None when it was said already."""


def _add_time(time: TimeOfDay) -> Change:
    return lambda repeat: repeat._replace(time=time) if _lacks_time(repeat) else None


def _lacks_time(repeat: Repeat) -> bool:
    return repeat.time is None and not repeat.rule.freq.is_short


def _add_start(start: DateTerm) -> Change:
    return lambda repeat: repeat._replace(start=start) if repeat.start is None else None


def _add_end(end: End) -> Change:
    return lambda repeat: repeat._replace(end=end) if repeat.end is None else None


on_day = optional(words("on", "at", "in the"))
completion = words(
    "after completion", "after done", "after it's done", "after its done", "after it is done",
    "after i finish", "after i finish it", "after finishing", "after finishing it", "when done",
    "when completed", "from completion", "after completing", "after completing it",
    "after last completion", "after the last completion", "after i'm done", "after i do it",
    "after doing it", "after being done",
)  # fmt: skip
start: Parser[Change] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on", "start",
        "start on", "from", "beginning", "beginning on", "as of", "effective",
    )
    >> plain_term.map(_add_start)
)  # fmt: skip
until: Parser[Change] = words(
    "until", "till", "til", "ending", "ending on", "ends", "ends on", "through", "thru", "up to",
) >> plain_term.map(lambda term: _add_end(Until(term)))  # fmt: skip
lasting: Parser[Change] = words("for", "for the next") >> duration.where(
    lambda amounts: not is_short(amounts)
).map(lambda amounts: _add_end(Lasting(amounts)))
times: Parser[Change] = (
    optional(words("for"))
    >> count.map(lambda times: _add_end(Times(times)))
    << words("times", "x", "occurrences")
)
from_completion: Parser[Change] = completion.gives(
    lambda repeat: None if repeat.from_completion else repeat._replace(from_completion=True)
)
skipping: Parser[Change] = words(
    "skipping missed", "skipping missed ones", "skip missed", "skip missed ones"
).gives(lambda repeat: repeat._replace(skip_missed=True))

beside: Parser[tuple[Change, ...]] = optional(words(",")) >> listing(
    either(attached_time.map(_add_time), start, until, lasting, times, from_completion, skipping),
    words(",") | nothing(""),
) | nothing(())
ahead: Parser[tuple[Change, ...]] = either(
    time_of_day.map(lambda time: (_add_time(time),)),
    start.map(lambda change: (change,)),
    nothing(()),
) << optional(words(","))


def changed(repeat: Repeat, changes: tuple[Change, ...]) -> Repeat | None:
    """The repeat with all that was said beside it; None when it contradicts itself."""
    whole: Repeat | None = repeat
    for change in changes:
        whole = change(whole) if whole is not None else None
    return whole


after_completion: Body = join(
    lambda rule, _: Repeat(rule, from_completion=True),
    join(lambda n, unit: (n, unit), count, unit).pick(lambda pair: _interval(*pair)),
    completion,
)
repeat_phrase: Parser[Repeat] = optional(
    words("repeat", "repeats", "repeating", "recurring")
) >> join(
    lambda before, repeat, after: (repeat, before + after), ahead, body | after_completion, beside
).pick(lambda said: changed(*said))
