"""Grammar of recurrence phrases: every monday, monthly on the 15th, weekdays at 9."""

from collections.abc import Callable
from functools import partial

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    alternatives,
    digits,
    named,
    optional,
    separated_by,
    sequence,
    succeed,
    tight,
    words,
)
from todo_tui.domain.dates.day_grammar import (
    article,
    count,
    couple,
    day_ordinal,
    duration,
    holiday,
    is_short,
    month,
    month_alone,
    month_day,
    named_month,
    ordinal,
    ordinal_day,
    the,
    zero,
)
from todo_tui.domain.dates.moment_grammar import (
    attached_time,
    is_consistent,
    plain_term,
    time_of_day,
)
from todo_tui.domain.recurrence.rrule import (
    MAX_INTERVAL,
    WEEKEND,
    WORKDAYS,
    Frequency,
    RecurrenceRule,
    RuleDay,
)

RepeatModifier = Callable[[terms.RepeatTerm], terms.RepeatTerm | None]
"""Adds a modifier to a recurrence; None if that is already set."""
completion = words(
    "after completion", "after done", "after it's done", "after its done", "after it is done",
    "after i finish", "after i finish it", "after finishing", "after finishing it", "when done",
    "when completed", "from completion", "after completing", "after completing it",
    "after last completion", "after the last completion", "after i'm done", "after i do it",
    "after doing it", "after being done",
)  # fmt: skip
moment_or_month: Parser[terms.DateTerm] = alternatives(plain_term, month_alone.map(terms.Moment))
ending = words(
    "until", "till", "til", "ending", "ending on", "ends", "ends on", "through", "thru", "up to",
)  # fmt: skip
ALL_DAYS = (*WORKDAYS, *WEEKEND)
separator = words(",", "and", "&", "+", "/", ", and", "and every", ", every")
optional_separator = separator | succeed("")
any_weekday = named(terms.WEEKDAYS | terms.SEVERAL_WEEKDAYS)
up_to = words("to", "through", "thru", "until", "till", "-")
workday = words(*terms.WORKDAY_NAMES)
workdays = words(*terms.WORKDAY_NAMES, *(f"{name}s" for name in terms.WORKDAY_NAMES)).gives(
    WORKDAYS
)
weekends = words("weekend", "weekends", "weekend day", "weekend days").gives(WEEKEND)
last = words("last").gives(-1)
edge_day = alternatives(
    words("last day", "the last day", "end", "the end").gives(-1),
    words("first day", "the first day", "1 st day", "start", "the start", "beginning",
          "the beginning").gives(1),
)  # fmt: skip
numbered_day = alternatives(ordinal_day, words("day") >> digits(1, 31))
COUNTED_IN = {
    terms.Unit.MINUTE: (Frequency.MINUTELY, 1),
    terms.Unit.HOUR: (Frequency.HOURLY, 1),
    terms.Unit.DAY: (Frequency.DAILY, 1),
    terms.Unit.WEEK: (Frequency.WEEKLY, 1),
    terms.Unit.FORTNIGHT: (Frequency.WEEKLY, 2),
    terms.Unit.MONTH: (Frequency.MONTHLY, 1),
    terms.Unit.QUARTER: (Frequency.MONTHLY, 3),
    terms.Unit.YEAR: (Frequency.YEARLY, 1),
}
unit = named(terms.UNITS)
single_unit = named({unit.value: unit for unit in COUNTED_IN})
other = words("other", "second", "alternate").gives(2)
half_hours: Parser[RecurrenceRule] = alternatives(
    words("half hour", "half an hour", "half - hour").gives(RecurrenceRule(Frequency.MINUTELY, 30)),
    words("hour and a half").gives(RecurrenceRule(Frequency.MINUTELY, 90)),
)
of_month = optional(words("of the month", "of month", "of each month", "of every month"))
Body = Parser[terms.RepeatTerm]
OTHER_WEEK = "read as every other week"
MONTH_FIRST = "read as its first day"
every = words("every", "each", "every single", "ev", "once every", "once each")
everyday: Body = words("everyday").gives(terms.RepeatTerm(RecurrenceRule(Frequency.DAILY)))
at_completion = tight(words("!")).gives(True) | succeed(False)
adverb: Parser[RecurrenceRule] = named(
    {
        "hourly": RecurrenceRule(Frequency.HOURLY),
        "daily": RecurrenceRule(Frequency.DAILY),
        "weekly": RecurrenceRule(Frequency.WEEKLY),
        "fortnightly": RecurrenceRule(Frequency.WEEKLY, 2),
        "monthly": RecurrenceRule(Frequency.MONTHLY),
        "quarterly": RecurrenceRule(Frequency.MONTHLY, 3),
        "yearly": RecurrenceRule(Frequency.YEARLY),
        "annually": RecurrenceRule(Frequency.YEARLY),
    }
)
ambiguous_adverb: Body = alternatives(
    words("biweekly", "bi - weekly").gives(
        terms.RepeatTerm(RecurrenceRule(Frequency.WEEKLY, 2), ambiguity=OTHER_WEEK)
    ),
    words("bimonthly", "bi - monthly").gives(
        terms.RepeatTerm(
            RecurrenceRule(Frequency.MONTHLY, 2), ambiguity="read as every other month"
        )
    ),
    words("nightly").gives(
        terms.RepeatTerm(
            RecurrenceRule(Frequency.DAILY), terms.TimeOfDay(part=terms.PartOfDay.NIGHT)
        )
    ),
)
on = optional(words("on", "on the"))
each = words("every", "each")


def _add_time(time: terms.TimeOfDay) -> RepeatModifier:
    return lambda repeat: add_time_of_day(repeat, time)


def add_time_of_day(repeat: terms.RepeatTerm, time: terms.TimeOfDay) -> terms.RepeatTerm | None:
    """Add a time of day to a recurrence; None if it has another or none fits.

    A part of the day accepts a clock time within it: every evening at 8.
    """
    if repeat.rule.freq.is_short:
        return None
    if repeat.time is None:
        return repeat._replace(time=time)
    if repeat.time.clock is None and time.part is None:
        both = time._replace(part=repeat.time.part)
        return repeat._replace(time=both) if is_consistent(both) else None
    return None


def _add_start(start: terms.DateTerm) -> RepeatModifier:
    return lambda repeat: repeat._replace(start=start) if repeat.start is None else None


def _add_end(end: terms.RepeatEnd) -> RepeatModifier:
    return lambda repeat: repeat._replace(end=end) if repeat.end is None else None


start: Parser[RepeatModifier] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on", "start",
        "start on", "from", "beginning", "beginning on", "as of", "effective",
    )
    >> moment_or_month.map(_add_start)
)  # fmt: skip
until: Parser[RepeatModifier] = ending >> moment_or_month.map(_add_end)
through_month: Parser[RepeatModifier] = words(
    "through", "thru", "up to and including"
) >> named_month.map(
    lambda month: _add_end(terms.Moment(terms.PeriodEdge(terms.PeriodSide.END, month)))
)
lasting: Parser[RepeatModifier] = words("for", "for the next") >> duration.where(
    lambda amounts: not is_short(amounts)
).map(_add_end)
times: Parser[RepeatModifier] = (
    optional(words("for")) >> count.map(_add_end) << words("times", "x", "occurrences")
)
endless: Parser[RepeatModifier] = words(
    "until further notice", "till further notice", "forever", "indefinitely", "without end",
).gives(lambda repeat: repeat if repeat.end is None else None)  # fmt: skip
from_completion: Parser[RepeatModifier] = completion.gives(
    lambda repeat: None if repeat.from_completion else repeat._replace(from_completion=True)
)
skipping: Parser[RepeatModifier] = words(
    "skipping missed", "skipping missed ones", "skip missed", "skip missed ones"
).gives(lambda repeat: None if repeat.keep_missed else repeat)
keeping: Parser[RepeatModifier] = words(
    "missed too", "missed ones too", "missed dates too", "including missed",
    "including missed ones", "including missed dates", "keeping missed", "keeping missed ones",
    "keep missed", "keep missed ones",
).gives(lambda repeat: repeat._replace(keep_missed=True))  # fmt: skip
modifiers: Parser[tuple[RepeatModifier, ...]] = optional(words(",")) >> separated_by(
    alternatives(
        attached_time.map(_add_time),
        start,
        through_month,
        endless,
        until,
        lasting,
        times,
        from_completion,
        skipping,
        keeping,
    ),
    words(",") | succeed(""),
) | succeed(())
ahead: Parser[tuple[RepeatModifier, ...]] = alternatives(
    time_of_day.map(lambda time: (_add_time(time),)),
    start.map(lambda change: (change,)),
    succeed(()),
) << optional(words(","))


def apply_modifiers(
    repeat: terms.RepeatTerm, changes: tuple[RepeatModifier, ...]
) -> terms.RepeatTerm | None:
    """Apply all modifiers to a recurrence; None if they contradict each other."""
    whole: terms.RepeatTerm | None = repeat
    for change in changes:
        whole = change(whole) if whole is not None else None
    return whole


weekday_run: Parser[tuple[int, ...]] = alternatives(
    sequence(
        lambda first, last: tuple((first + n) % 7 for n in range((last - first) % 7 + 1)),
        any_weekday << up_to,
        any_weekday,
    ),
    any_weekday.map(lambda day: (day,)),
)


def _by_day(runs: tuple[tuple[int, ...], ...]) -> tuple[RuleDay, ...]:
    return tuple(sorted({RuleDay(day) for run in runs for day in run}))


weekday_list: Parser[tuple[RuleDay, ...]] = separated_by(weekday_run, optional_separator).map(
    _by_day
)
plural_list: Parser[tuple[RuleDay, ...]] = separated_by(
    named(terms.SEVERAL_WEEKDAYS).map(lambda day: (day,)), separator
).map(_by_day)
week_days: Parser[tuple[RuleDay, ...]] = alternatives(workdays, weekends, weekday_list)
"""One or several days of the week."""
rank = the >> (ordinal.where(lambda nth: nth <= 5) | last)
ranks: Parser[tuple[int, ...]] = separated_by(rank, separator)


def _monthly(days: tuple[int, ...]) -> RecurrenceRule:
    return RecurrenceRule(Frequency.MONTHLY, by_month_day=tuple(sorted(set(days))))


def _nth_days(ranks: tuple[int, ...], weekdays: tuple[RuleDay, ...]) -> RecurrenceRule:
    pairs = {RuleDay(day.weekday, nth) for day in weekdays for nth in ranks}
    return RecurrenceRule(Frequency.MONTHLY, by_day=tuple(sorted(pairs)))


month_days: Parser[RecurrenceRule] = separated_by(
    alternatives(numbered_day, words("last day", "the last day").gives(-1)), separator
).map(_monthly)
any_ranks: Parser[tuple[int, ...]] = separated_by(
    the >> (day_ordinal.where(bool) | last), separator
)
nth_weekdays: Parser[RecurrenceRule] = sequence(_nth_days, any_ranks, weekday_list)
nth_workdays: Parser[RecurrenceRule] = (
    ranks.map(
        lambda ranks: RecurrenceRule(
            Frequency.MONTHLY, by_day=WORKDAYS, by_set_pos=tuple(sorted(set(ranks)))
        )
    )
    << workday
)
month_place: Parser[RecurrenceRule] = alternatives(
    month_days, edge_day.map(lambda day: _monthly((day,))), nth_weekdays, nth_workdays
)
"""Days of a month, as a monthly rule."""
# --- of the year --------------------------------------------------------------------
yearless = (month_day | holiday).pick(
    lambda day: (
        day
        if isinstance(day, terms.CalendarDay) and day.year is None and 1 <= day.day <= 31
        else None
    )
)


def _yearly(dates: tuple[terms.CalendarDay, ...]) -> RecurrenceRule | None:
    """Build a yearly rule; None unless the dates share the day or the month."""
    months = {day.month for day in dates}
    days = {day.day for day in dates}
    if len(months) > 1 and len(days) > 1:
        return None
    return RecurrenceRule(
        Frequency.YEARLY, by_month=tuple(sorted(months)), by_month_day=tuple(sorted(days))
    )


year_place: Parser[RecurrenceRule] = alternatives(
    separated_by(yearless, separator).pick(_yearly),
    sequence(
        lambda place, month: place._replace(freq=Frequency.YEARLY, by_month=(month,)),
        month_place << words("of", "in"),
        month,
    ),
)
"""Days of a year, as a yearly rule."""


def _interval(count: int, unit: terms.Unit) -> RecurrenceRule | None:
    if unit not in COUNTED_IN or count > MAX_INTERVAL:
        return None
    freq, factor = COUNTED_IN[unit]
    return RecurrenceRule(freq, count * factor) if count * factor <= MAX_INTERVAL else None


several = alternatives(other, count, zero, couple, ordinal.where(lambda nth: nth > 1))
counted: Parser[RecurrenceRule] = sequence(_interval, several, unit).pick(lambda rule: rule)
interval: Parser[RecurrenceRule] = alternatives(
    half_hours, counted, single_unit.pick(lambda unit: _interval(1, unit))
)


def _placed(
    freq: Frequency, place: Parser[RecurrenceRule]
) -> Callable[[Parser[RecurrenceRule]], Parser[RecurrenceRule]]:
    """Add days to a plain interval: every 2 months on the 1st."""

    def follow(counting: Parser[RecurrenceRule]) -> Parser[RecurrenceRule]:
        return sequence(
            lambda rule, place: place._replace(interval=rule.interval),
            counting.where(lambda rule: rule.freq is freq),
            optional(words("on", "in", "at", ",", ", on")) >> place,
        )

    return follow


week_place: Parser[RecurrenceRule] = week_days.map(
    lambda days: RecurrenceRule(Frequency.WEEKLY, by_day=days)
)
PLACES = (
    _placed(Frequency.WEEKLY, week_place),
    _placed(Frequency.MONTHLY, month_place << of_month),
    _placed(Frequency.YEARLY, year_place),
)


def _with_places(counting: Parser[RecurrenceRule]) -> Parser[RecurrenceRule]:
    return alternatives(*(placed(counting) for placed in PLACES), counting)


def _plain(rules: Parser[RecurrenceRule]) -> Body:
    return rules.map(terms.RepeatTerm)


def _weekly(
    days: tuple[RuleDay, ...], interval: int = 1, ambiguity: str | None = None
) -> terms.RepeatTerm:
    return terms.RepeatTerm(
        RecurrenceRule(Frequency.WEEKLY, interval, by_day=days), ambiguity=ambiguity
    )


def _in_each_month(rule: RecurrenceRule) -> terms.RepeatTerm:
    """Read every 3rd friday as one of the month; ambiguous, as some mean weeks."""
    nths = [day.nth for day in rule.by_day if day.nth > 1]
    ambiguity = "read as the one of each month" if nths and not rule.by_set_pos else None
    return terms.RepeatTerm(rule, ambiguity=ambiguity)


every_day_but: Body = sequence(
    lambda days, left_out: tuple(day for day in days if day not in left_out),
    alternatives(words("day").gives(ALL_DAYS), workdays),
    words("except", "except on", "except for", "but", "but not", "but not on") >> week_days,
).where(bool).map(_weekly)  # fmt: skip
every_other_day: Body = alternatives(
    words("other", "alternate") >> (weekday_list | weekends).map(partial(_weekly, interval=2)),
    words("second") >> weekday_list.map(lambda days: _weekly(days, 2, OTHER_WEEK)),
    sequence(lambda n, days: _weekly(days, n), count.where(lambda n: 1 < n < 100), weekday_list),
)
every_body: Body = alternatives(
    every_day_but,
    _plain(_with_places(interval)),
    (workdays | weekends).map(_weekly),
    every_other_day,
    weekday_list.map(_weekly),
    _plain(year_place),
    _plain(month_place << words("of the month", "of each month", "of every month", "of month")),
    month_place.map(_in_each_month),
    words("month end", "month's end").gives(
        terms.RepeatTerm(RecurrenceRule(Frequency.MONTHLY, by_month_day=(-1,)))
    ),
    month.map(
        lambda month: terms.RepeatTerm(
            RecurrenceRule(Frequency.YEARLY, by_month=(month,), by_month_day=(1,)),
            ambiguity=MONTH_FIRST,
        )
    ),
    named(terms.PARTS).map(
        lambda part: terms.RepeatTerm(RecurrenceRule(Frequency.DAILY), terms.TimeOfDay(part=part))
    ),
)
every_phrase: Body = sequence(
    lambda completion, repeat: repeat._replace(from_completion=completion),
    every >> at_completion,
    every_body,
)
biweekly_days: Body = (
    words("biweekly", "bi - weekly")
    >> optional(words("on"))
    >> week_days.map(lambda days: _weekly(days, 2, OTHER_WEEK))
)
alternate_days: Body = (
    on >> words("alternate", "alternating") >> plural_list.map(partial(_weekly, interval=2))
)
working_days: Body = sequence(
    lambda _, time: terms.RepeatTerm(RecurrenceRule(Frequency.WEEKLY, by_day=WORKDAYS), time),
    words("mon - fri", "mon to fri", "monday - friday", "monday to friday"),
    optional(words(",")) >> time_of_day,
)
"""Days that repeat where a time stands behind them; without one they may be a stretch of days."""
several_days: Body = on >> alternatives(
    plural_list,
    words("weekdays", "workdays", *(n for n in terms.WORKDAY_PHRASES if n.endswith("s"))).gives(
        WORKDAYS
    ),
    words("weekends").gives(WEEKEND),
).map(_weekly)
once: Body = _plain(words("once a", "once per", "once an") >> interval)


def _place_first(place: Parser[RecurrenceRule], freq: Frequency) -> Body:
    return sequence(
        lambda place, rule: terms.RepeatTerm(place._replace(interval=rule.interval)),
        place << each,
        interval.where(lambda rule: rule.freq is freq),
    )


place_first: Body = alternatives(
    _place_first(optional(words("on", "at")) >> month_place << words("of", ","), Frequency.MONTHLY),
    _place_first(on >> year_place << optional(words("of", ",")), Frequency.YEARLY),
    _place_first(on >> week_place << optional(words("of", ",")), Frequency.WEEKLY),
)
body: Body = alternatives(
    every_phrase,
    everyday,
    optional(words("once")) >> _plain(_with_places(adverb)),
    biweekly_days,
    ambiguous_adverb,
    alternate_days,
    several_days,
    working_days,
    once,
    # A heading: `first monday of the month: backups`.
    _plain(month_place.where(lambda rule: bool(rule.by_day)) << words("of the month :")),
    place_first,
)
# --- whole phrases ---------------------------------------------------------------------
after_completion: Body = sequence(
    lambda rule, _: terms.RepeatTerm(rule, from_completion=True),
    sequence(_interval, count | article, unit).pick(lambda rule: rule),
    completion,
)


def _repeating(body: Body) -> Parser[terms.RepeatTerm]:
    return sequence(
        lambda before, repeat, after: (repeat, before + after), ahead, body, modifiers
    ).pick(lambda said: apply_modifiers(*said))


def _names_a_day(repeat: terms.RepeatTerm) -> bool:
    rule = repeat.rule
    return bool(rule.by_day or rule.by_month_day)


repeat_phrase: Parser[terms.RepeatTerm] = alternatives(
    optional(words("repeat", "repeats", "repeating", "recurring", "due", "due on"))
    >> _repeating(body | after_completion),
    # Not `by every hour` or `on daily`: there the word belongs to the title, as in `log on daily`.
    words("by", "due by", "no later than", "on") >> _repeating(body).where(_names_a_day),
)
days_phrase: Parser[terms.RepeatTerm] = _repeating(
    on >> weekday_list.where(lambda days: len(days) > 1).map(_weekly)
)
"""Days without `every`: mon, wed, fri. In a title they may mean single days."""


def _listed_days(separator: Parser[object], least: int) -> Body:
    listed = separated_by(any_weekday.map(lambda day: (day,)), separator).map(_by_day)
    return listed.where(lambda days: len(days) >= least).map(_weekly)


_MANY = 3
"""Number of days in a row that can hardly be a choice or a mistake."""
title_days: Parser[terms.RepeatTerm] = _repeating(
    on >> alternatives(_listed_days(separator, 2), _listed_days(optional_separator, _MANY))
).where(lambda repeat: repeat.time is not None or len(repeat.rule.by_day) >= _MANY)
"""Days without `every` that say in a title that it repeats: gym mon, wed, fri; gym tue, thu 7am."""
