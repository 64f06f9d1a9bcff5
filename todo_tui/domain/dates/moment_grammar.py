"""Grammar of times of day and of whole date phrases."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from todo_tui.domain.dates import terms
from todo_tui.domain.dates.combinators import (
    Parser,
    alternatives,
    digits,
    named,
    not_ahead,
    optional,
    sequence,
    succeed,
    tight,
    words,
)
from todo_tui.domain.dates.day_grammar import (
    article,
    day,
    duration,
    elapsed,
    hyphen,
    iso_day,
    month_alone,
    plain_elapsed,
    relative_day,
    spelled,
    two_digits,
    weekday,
)

colon = tight(words(":"))
dot = tight(words("."))
dotted_m = dot >> tight(words("m")) >> optional(dot)
hour = digits(0, 23, {1, 2})
minute = tight(digits(0, 59, {2}))
minute_and_second = minute << optional(colon >> tight(digits(0, 59, {2})))
hour_mark = tight(words("h"))
named_clock: Parser[terms.ClockTime] = optional(digits(12, 12)) >> alternatives(
    words("noon", "midday").gives(terms.ClockTime(12)),
    words("midnight").gives(terms.ClockTime(terms.MIDNIGHT)),
)
quarter = optional(article) >> words("quarter").gives(15)
at = words("at", "@", "at around", "at about", "at exactly")
near = words("around", "about", "by", "before", "~")
part_name = named(terms.PARTS)
in_part: Parser[terms.PartOfDay] = alternatives(
    words("in the", "during the", "later in the", "early in the", "late in the") >> part_name,
    words("at night").gives(terms.PartOfDay.NIGHT),
    words("first thing in the morning", "first thing").gives(terms.PartOfDay.MORNING),
)
closing = optional(words("by", "at", "before", "until")) >> words(
    "eod", "cob", "eob", "end of day", "end of the day", "end of business",
    "close of business", "close of play", "end of play", "end of work", "the end of day",
    "the end of the day",
).gives(terms.TimeOfDay(part=terms.PartOfDay.CLOSE))  # fmt: skip
SETTLED_HOURS = {terms.PartOfDay.MORNING: range(4, 12), terms.PartOfDay.EVENING: range(5, 12)}
"""Hours of the clock face that an activity in a part of the day can settle."""
NIGHT_HOURS = (*range(17, terms.MIDNIGHT + 1), *range(5))
HOURS_OF_PART: Mapping[terms.PartOfDay, Sequence[int]] = {
    terms.PartOfDay.MORNING: range(12),
    terms.PartOfDay.AFTERNOON: range(12, 19),
    terms.PartOfDay.EVENING: range(16, terms.MIDNIGHT + 1),
    terms.PartOfDay.NIGHT: NIGHT_HOURS,
    terms.PartOfDay.TONIGHT: NIGHT_HOURS,
    terms.PartOfDay.CLOSE: (),
}
TODAY = terms.RelativeDay(0)
tonight_word = alternatives(
    words("tonight", "tonite", "later tonight"),
    digits(2, 2, {1}) >> tight(words("nite", "night")),
).gives(terms.PartOfDay.TONIGHT)
todays_part: Parser[terms.PartOfDay] = alternatives(
    tonight_word,
    optional(words("later", "early", "late")) >> words("this") >> named(terms.PARTS),
    words("today in the") >> named(terms.PARTS),
)
on = optional(words("on", "of", ",", ", on"))
push = optional(
    words("push", "postpone", "delay", "defer", "snooze", "push back", "move back", "put off")
    << optional(words("it"))
)
lead = alternatives(
    words(
        "on", "by", "due", "due :", "due on", "due by", "due at", "no later than",
        "not later than", "latest by", "at the latest", "at", "for", "deadline", "deadline :",
        "sometime", "some time", "sometime on", "anytime", "any time",
    ),
    succeed(""),
)  # fmt: skip
DEADLINES = frozenset(
    {"by", "due", "deadline", "due by", "no later than", "not later than", "latest by"}
)
before = words("before", "due before")
POINT_PREPOSITIONS = frozenset({"on", "by", "at", "for"})
month_day_one: Parser[terms.Moment] = month_alone.map(terms.Moment)


def _half_day_clock(hour: int, minute: int, half: str) -> terms.ClockTime:
    return terms.ClockTime(hour % 12 + (12 if half == "pm" else 0), minute)


def _open_clock(hour: int, minute: int) -> terms.ClockTime:
    """Build a time without am or pm; only hours outside 1 to 12 settle it."""
    return terms.ClockTime(hour, minute, settled=not 1 <= hour <= 12)


def _before_hour(minutes: int, hour: int) -> terms.ClockTime:
    return _open_clock((hour - 2) % 12 + 1, 60 - minutes)


half_day: Parser[str] = alternatives(
    words("am", "pm"),
    words("a", "p").map(lambda letter: f"{letter}m") << dotted_m,
    tight(words("a", "p")).map(lambda letter: f"{letter}m"),
)
hour_word = spelled.where(lambda number: number <= 12)
small_hour = digits(1, 12, {1, 2}) | hour_word
minute_word = hyphen >> spelled.where(lambda minutes: 10 <= minutes < 60)
half_day_clock: Parser[terms.ClockTime] = alternatives(
    sequence(_half_day_clock, small_hour, (colon | dot) >> minute, half_day),
    sequence(_half_day_clock, hour_word, minute_word, half_day),
    sequence(lambda h, half: _half_day_clock(h, 0, half), small_hour, half_day),
)
colon_clock: Parser[terms.ClockTime] = alternatives(
    sequence(lambda h, m: terms.ClockTime(h, m), digits(0, 9, {2}), colon >> minute_and_second),
    sequence(_open_clock, hour, colon >> minute_and_second),
)
marked_clock: Parser[terms.ClockTime] = sequence(
    lambda h, m: terms.ClockTime(h, m), digits(7, 23), hour_mark >> minute
)
round_minutes = digits(5, 25, {1, 2}).where(lambda minutes: minutes % 5 == 0)
past_clock: Parser[terms.ClockTime] = alternatives(
    sequence(lambda _, h: _open_clock(h, 30), words("half past", "half - past"), small_hour),
    sequence(lambda _, h: _open_clock(h, 30), words("half"), hour_word),
    sequence(lambda m, h: _open_clock(h, m), quarter << words("past", "after"), small_hour),
    sequence(lambda m, h: _before_hour(m, h), quarter << words("to", "before"), small_hour),
    sequence(lambda m, h: _open_clock(h, m),
         (round_minutes | spelled) << words("past"), small_hour),
    sequence(lambda m, h: _before_hour(m, h), spelled << words("to"), hour_word),
).where(lambda clock: 0 <= clock.minute < 60)  # fmt: skip
oclock: Parser[terms.ClockTime] = small_hour.map(lambda h: _open_clock(h, 0)) << words(
    "o'clock", "oclock", "o clock"
)


def _impossible_clock(hour: int, minute: int, half: str) -> terms.ClockTime | None:
    """Build a time that no clock shows, with the reason; None for one that a clock shows."""
    if minute < 60 and (1 <= hour <= 12 if half else hour < terms.MIDNIGHT):
        return None
    shown = f"{hour}:{minute:02d}" if minute or not half else str(hour)
    hint = f" Use {hour}:{minute:02d} or {hour % 12 or 12}" + (f":{minute:02d}" if minute else "")
    known = half and hour < terms.MIDNIGHT and minute < 60
    hint = f"{hint}{'pm' if hour >= 12 else 'am'}." if known else ""
    return terms.ClockTime(hour, minute, problem=f"There is no time {shown}{half}.{hint}")


any_minute = tight(digits(0, 99, {2}))
any_half = alternatives(
    words("am", "pm"), words("a", "p").map(lambda letter: f"{letter}m") << dotted_m
)
impossible_half_day = alternatives(
    sequence(_impossible_clock, two_digits, (colon | dot) >> any_minute, any_half),
    sequence(lambda h, half: _impossible_clock(h, 0, half), two_digits, any_half),
).pick(lambda clock: clock)
impossible_colon = sequence(
    lambda h, m: _impossible_clock(h, m, ""), two_digits, colon >> any_minute
).pick(lambda clock: clock)
# Without `at`, larger numbers around a colon are a ratio.
impossible_clock = impossible_half_day | impossible_colon.where(lambda clock: clock.hour < 30)
clock = alternatives(
    half_day_clock, colon_clock, marked_clock, named_clock, past_clock, oclock, impossible_clock
)
"""Unambiguous time."""
bare_clock: Parser[terms.ClockTime] = alternatives(
    sequence(_open_clock, hour, dot >> minute),
    digits(0, 2359, {4}).where(lambda hhmm: hhmm % 100 < 60).map(
        lambda hhmm: terms.ClockTime(hhmm // 100, hhmm % 100)
    ) << optional(hour_mark),
    hour.map(lambda h: terms.ClockTime(h)) << hour_mark,
    sequence(_open_clock, hour_word, minute_word),
    (digits(1, 23, {1, 2}) | hour_word).map(lambda h: _open_clock(h, 0)),
)  # fmt: skip
"""Number that is a time only after `at` or next to a part of the day."""
# `friday, about 3 hours` is no time.
open_small_hour = small_hour.map(lambda h: _open_clock(h, 0)) << not_ahead(named(terms.UNITS))


def settle_by_part(
    time: terms.TimeOfDay | None, part: terms.PartOfDay | None
) -> terms.TimeOfDay | None:
    """Settle an open half of the day by the part of day of the activity."""
    if time is None or time.clock is None or time.clock.settled or time.part is not None:
        return time
    is_settled = part is not None and time.clock.hour in SETTLED_HOURS[part]
    return time._replace(part=part) if is_settled else time


def is_consistent(time: terms.TimeOfDay) -> bool:
    """Return True if clock time and part of the day agree: not 3pm in the morning."""
    if time.clock is None or time.part is None or time.clock.problem:
        return True
    hour = time.clock.hour
    halves = {hour} if time.clock.settled else {hour % 12, hour % 12 + 12}
    return not halves.isdisjoint(HOURS_OF_PART[time.part])


clock_with_preposition: Parser[terms.ClockTime] = alternatives(
    at >> (clock | bare_clock | impossible_colon), near >> clock, clock
)  # fmt: skip
time_of_day: Parser[terms.TimeOfDay] = alternatives(
    sequence(terms.TimeOfDay, clock_with_preposition | open_small_hour, in_part),
    clock_with_preposition.map(terms.TimeOfDay),
    sequence(lambda part, clock: terms.TimeOfDay(clock, part), in_part, clock_with_preposition),
    in_part.map(lambda part: terms.TimeOfDay(part=part)),
    closing,
).where(is_consistent)
"""Time without a day: at 5, 17:30, noon, in the evening, eod."""
at_part: Parser[terms.TimeOfDay] = sequence(
    lambda part, clock: terms.TimeOfDay(clock, part), part_name, optional(clock_with_preposition)
)
attached_time: Parser[terms.TimeOfDay] = alternatives(
    at_part.where(is_consistent),
    time_of_day,
    near >> open_small_hour.map(terms.TimeOfDay),
    alternatives(
        sequence(_open_clock, hour, dot >> minute),
        digits(0, 959, {4})
        .where(lambda hhmm: hhmm % 100 < 60)
        .map(lambda hhmm: terms.ClockTime(hhmm // 100, hhmm % 100)),
        digits(7, 23, {1, 2}).map(terms.ClockTime) << words("h"),
    ).map(terms.TimeOfDay),
)
"""Time after its day, with shorter forms: tomorrow morning, tomorrow by 5, friday 9.30, 9h."""


class DatePhrase(NamedTuple):
    """Date term with the words that introduced it: `on`, `by`, `due on`."""

    term: terms.DateTerm
    lead: str = ""


today_in_part: Parser[terms.Moment] = alternatives(
    sequence(lambda part, clock: terms.TimeOfDay(clock, part), todays_part << optional(words(",")),
         optional(clock_with_preposition)),
    sequence(terms.TimeOfDay, clock_with_preposition | open_small_hour, todays_part),
).where(is_consistent).map(lambda time: terms.Moment(TODAY, time))  # fmt: skip


def _moment_at_offset(day: terms.DayTerm, clock: terms.ClockTime, offset: int) -> terms.Moment:
    return terms.Moment(day, terms.TimeOfDay(clock._replace(settled=True, offset=offset)))


zulu = words("z").map(lambda _: 0)
offset_minutes = alternatives(
    sequence(lambda hours, minutes: hours * 60 + minutes,
             tight(digits(0, 99, {2})), colon >> minute),
    tight(digits(0, 99, {2})).map(lambda hours: hours * 60),
    tight(digits(0, 9999, {4})).where(lambda hhmm: hhmm % 100 < 60).map(
        lambda hhmm: hhmm // 100 * 60 + hhmm % 100
    ),
)  # fmt: skip
ahead_of_utc = words("+") >> offset_minutes
utc_offset = ahead_of_utc | (words("-") >> offset_minutes).map(lambda minutes: -minutes)
utc_clock = colon_clock << optional(dot >> tight(digits(0, 999_999)))
iso_with_offset: Parser[terms.Moment] = alternatives(
    sequence(
        _moment_at_offset, iso_day, tight(words("t")) >> tight(utc_clock), tight(zulu | utc_offset)
    ),
    sequence(_moment_at_offset, iso_day, utc_clock, tight(zulu | ahead_of_utc)),
)
"""ISO time with its offset; after a blank, `-` and a time begin a range."""
day_then_time: Parser[terms.Moment] = alternatives(
    iso_with_offset,
    sequence(terms.Moment, day, optional(words(",", "-")) >> attached_time),
    # `friday 4 at 16:30`: without a time the number may be an hour.
    sequence(
        lambda weekday, number, clock: terms.Moment(
            terms.DayOfMonth(number, weekday=weekday), terms.TimeOfDay(clock)
        ),
        weekday,
        digits(1, 31, {1, 2}),
        at >> (clock | bare_clock),
    ),
    sequence(
        terms.Moment,
        iso_day,
        tight(words("t"))
        >> tight(colon_clock.map(lambda clock: terms.TimeOfDay(clock._replace(settled=True)))),
    ),
)
time_then_day: Parser[terms.Moment] = alternatives(
    sequence(
        lambda clock, day, part: terms.Moment(day, terms.TimeOfDay(clock, part)),
        clock_with_preposition | open_small_hour,
        on >> day,
        named(terms.PARTS),
    ).where(lambda moment: moment.time is not None and is_consistent(moment.time)),
    sequence(lambda time, day: terms.Moment(day, time), time_of_day, on >> day),
)
closing_day: Parser[terms.Moment] = sequence(
    lambda time, day: terms.Moment(day, time), closing, optional(words("of", "on")) >> day
)
end_of_day: Parser[terms.Moment] = optional(words("by", "at", "before")) >> sequence(
    lambda _, day: terms.Moment(day, terms.TimeOfDay(part=terms.PartOfDay.CLOSE)),
    words("end of", "the end of"),
    relative_day,
)  # fmt: skip
moment: Parser[terms.Moment] = alternatives(
    today_in_part,
    day_then_time,
    time_then_day,
    closing_day,
    end_of_day,
    day.map(terms.Moment),
    time_of_day.map(lambda time: terms.Moment(None, time)),
)
then = optional(optional(words("at", ",")) >> time_of_day)
moved: Parser[terms.ShiftedDue] = alternatives(
    sequence(
        lambda d, time: terms.ShiftedDue(d, 1, time), push >> words("by", "for") >> duration, then
    ),
    sequence(lambda d, time: terms.ShiftedDue(d, 1, time),
         push >> optional(words("by")) >> optional(words("+", "another")) >> duration
         << words("later", "after that"), then),
    sequence(lambda d, time: terms.ShiftedDue(d, -1, time),
         optional(words("by", "-", "bring forward by")) >> duration
         << words("earlier", "sooner", "before that"), then),
)  # fmt: skip
plain_term: Parser[terms.DateTerm] = alternatives(elapsed, moment, plain_elapsed)


def _with_lead(lead: str, term: terms.DateTerm) -> DatePhrase:
    """Build a phrase; midnight as a deadline is the end of its day."""
    if lead in DEADLINES and isinstance(term, terms.Moment) and term.day and term.time:
        clock = term.time.clock
        if clock is not None and clock.settled and clock.hour == terms.MIDNIGHT:
            return DatePhrase(term._replace(time=None), lead)
    return DatePhrase(term, lead)


date_phrase: Parser[DatePhrase] = alternatives(
    sequence(_with_lead, lead, plain_term).where(
        lambda phrase: (
            not (phrase.lead in POINT_PREPOSITIONS and isinstance(phrase.term, terms.ElapsedTime))
        )
    )
    << optional(words("at the latest", "at latest")),
    sequence(
        lambda lead, moment: DatePhrase(terms.Moment(moment.day, moment.time, before=True), lead),
        before,
        moment | month_day_one,
    ),
    sequence(lambda lead, moment: DatePhrase(moment, lead), words("by", "due by"), month_day_one),
)
alone: Parser[terms.DateTerm] = alternatives(
    words("until", "till", "til", "up to") >> moment,
    named(terms.PARTS).map(lambda part: terms.Moment(None, terms.TimeOfDay(part=part))),
)
"""Dates only as a whole text: in a title they may be ordinary words."""
