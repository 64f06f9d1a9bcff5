"""Productions for times of day."""

from __future__ import annotations

from todo_tui.domain.phrases.numbers import article, hyphen, spelled
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
from todo_tui.domain.phrases.terms import Clock, Part, TimeOfDay
from todo_tui.domain.phrases.vocabulary import PARTS

MIDNIGHT = 24


def _half_day_clock(hour: int, minute: int, half: str) -> Clock:
    return Clock(hour % 12 + (12 if half == "pm" else 0), minute)


def _open_clock(hour: int, minute: int) -> Clock:
    """A time without am or pm: the hour itself settles it only outside 1 to 12."""
    return Clock(hour, minute, settled=not 1 <= hour <= 12)


def _before_hour(minutes: int, hour: int) -> Clock:
    return _open_clock((hour - 2) % 12 + 1, 60 - minutes)


def settled(clock: Clock) -> Clock:
    """The time as 24 hours have it."""
    return clock._replace(settled=True)


colon = tight(words(":"))
dot = tight(words("."))
dotted_m = dot >> tight(words("m")) >> optional(dot)
half_day: Parser[str] = either(
    words("am", "pm"),
    words("a", "p").map(lambda letter: f"{letter}m") << dotted_m,
    tight(words("a", "p")).map(lambda letter: f"{letter}m"),
)
hour = digits(0, 23, {1, 2})
hour_word = spelled.where(lambda number: number <= 12)
small_hour = digits(1, 12, {1, 2}) | hour_word
minute = tight(digits(0, 59, {2}))
minute_and_second = minute << optional(colon >> tight(digits(0, 59, {2})))
hour_mark = tight(words("h"))
minute_word = hyphen >> spelled.where(lambda minutes: 10 <= minutes < 60)

half_day_clock: Parser[Clock] = either(
    join(_half_day_clock, small_hour, (colon | dot) >> minute, half_day),
    join(_half_day_clock, hour_word, minute_word, half_day),
    join(lambda h, half: _half_day_clock(h, 0, half), small_hour, half_day),
)
colon_clock: Parser[Clock] = either(
    join(lambda h, m: Clock(h, m), digits(0, 9, {2}), colon >> minute_and_second),
    join(_open_clock, hour, colon >> minute_and_second),
)
marked_clock: Parser[Clock] = join(lambda h, m: Clock(h, m), digits(7, 23), hour_mark >> minute)
named_clock: Parser[Clock] = optional(digits(12, 12)) >> either(
    words("noon", "midday").gives(Clock(12)), words("midnight").gives(Clock(MIDNIGHT))
)
round_minutes = digits(5, 25, {1, 2}).where(lambda minutes: minutes % 5 == 0)
quarter = optional(article) >> words("quarter").gives(15)
past_clock: Parser[Clock] = either(
    join(lambda _, h: _open_clock(h, 30), words("half past", "half - past"), small_hour),
    join(lambda m, h: _open_clock(h, m), quarter << words("past", "after"), small_hour),
    join(lambda m, h: _before_hour(m, h), quarter << words("to", "before"), small_hour),
    join(lambda m, h: _open_clock(h, m), (round_minutes | spelled) << words("past"), small_hour),
    join(lambda m, h: _before_hour(m, h), spelled << words("to"), hour_word),
).where(lambda clock: 0 <= clock.minute < 60)  # fmt: skip
oclock: Parser[Clock] = small_hour.map(lambda h: _open_clock(h, 0)) << words(
    "o'clock", "oclock", "o clock"
)

clock = either(half_day_clock, colon_clock, marked_clock, named_clock, past_clock, oclock)
"""A time that shows itself to be one."""

bare_clock: Parser[Clock] = either(
    join(_open_clock, hour, dot >> minute),
    digits(0, 2359, {4}).where(lambda hhmm: hhmm % 100 < 60).map(
        lambda hhmm: Clock(hhmm // 100, hhmm % 100)
    ) << optional(hour_mark),
    hour.map(lambda h: Clock(h)) << hour_mark,
    join(_open_clock, hour_word, minute_word),
    (digits(1, 23, {1, 2}) | hour_word).map(lambda h: _open_clock(h, 0)),
)  # fmt: skip
"""A number that is a time only after `at` or beside a part of the day."""

at = words("at", "@", "at around", "at about", "at exactly")
near = words("around", "about", "by", "before", "~")
open_small_hour = small_hour.map(lambda h: _open_clock(h, 0))

part_name = named(PARTS)
in_part: Parser[Part] = either(
    words("in the", "during the", "later in the", "early in the", "late in the") >> part_name,
    words("at night").gives(Part.NIGHT),
    words("first thing in the morning", "first thing").gives(Part.MORNING),
)
closing = optional(words("by", "at", "before", "until")) >> words(
    "eod", "cob", "eob", "end of day", "end of the day", "end of business",
    "close of business", "end of work", "the end of day", "the end of the day",
).gives(TimeOfDay(part=Part.CLOSE))  # fmt: skip


SPOKEN_HOURS = {Part.MORNING: range(4, 12), Part.EVENING: range(5, 12)}
"""The hours on the clock's face that a title which speaks of that part can settle."""


def leaning(time: TimeOfDay, part: Part) -> TimeOfDay:
    """A time whose half of the day was left open, settled by what it is the time of."""
    clock = time.clock
    if clock is None or clock.settled or time.part is not None:
        return time
    return time._replace(part=part) if clock.hour in SPOKEN_HOURS[part] else time


def agree(time: TimeOfDay) -> bool:
    """Whether clock and part of the day can both hold: not 3pm in the morning."""
    if time.clock is None or time.part is None:
        return True
    hour = time.clock.hour
    halves = [hour] if time.clock.settled else [hour % 12, hour % 12 + 12]
    return any(_lies_in(time.part, hour) for hour in halves)


def _lies_in(part: Part, hour: int) -> bool:
    match part:
        case Part.MORNING:
            return hour < 12
        case Part.AFTERNOON:
            return 12 <= hour < 19
        case Part.EVENING:
            return 16 <= hour <= MIDNIGHT
        case Part.NIGHT | Part.TONIGHT:
            return hour >= 17 or hour < 5
        case Part.CLOSE:
            return False


said_clock: Parser[Clock] = either(
    at >> (clock | bare_clock), near >> clock, clock
)  # fmt: skip

time_of_day: Parser[TimeOfDay] = either(
    join(TimeOfDay, said_clock | open_small_hour, in_part),
    said_clock.map(TimeOfDay),
    join(lambda part, clock: TimeOfDay(clock, part), in_part, said_clock),
    in_part.map(lambda part: TimeOfDay(part=part)),
    closing,
).where(agree)
"""A time that can stand alone: at 5, 17:30, noon, in the evening, eod."""

at_part: Parser[TimeOfDay] = join(
    lambda part, clock: TimeOfDay(clock, part), part_name, optional(said_clock)
)
attached_time: Parser[TimeOfDay] = either(
    at_part.where(agree), time_of_day, near >> open_small_hour.map(TimeOfDay)
)
"""A time after its day, where less is enough: tomorrow morning, tomorrow by 5."""
