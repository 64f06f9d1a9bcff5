"""Productions for whole date phrases: a day, a time, or both, in either order."""

from __future__ import annotations

from typing import NamedTuple

from todo_tui.domain.phrases.days import iso_day, relative_day
from todo_tui.domain.phrases.numbers import duration
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
from todo_tui.domain.phrases.shifts import day, elapsed, plain_elapsed
from todo_tui.domain.phrases.stretches import month_alone
from todo_tui.domain.phrases.terms import (
    DateTerm,
    DayTerm,
    Elapsed,
    Moment,
    Moved,
    Part,
    RelativeDay,
    TimeOfDay,
)
from todo_tui.domain.phrases.times import (
    agree,
    attached_time,
    closing,
    colon_clock,
    open_small_hour,
    said_clock,
    settled,
    time_of_day,
)
from todo_tui.domain.phrases.vocabulary import PARTS

TODAY = RelativeDay(0)


class DatePhrase(NamedTuple):
    """A date term with the words that led it in: `on`, `by`, `due on`."""

    term: DateTerm
    lead: str = ""


# --- today's parts ------------------------------------------------------------------

tonight_word = either(
    words("tonight", "tonite", "later tonight"),
    digits(2, 2, {1}) >> tight(words("nite", "night")),
).gives(Part.TONIGHT)
todays_part: Parser[Part] = either(
    tonight_word,
    optional(words("later", "early", "late")) >> words("this") >> named(PARTS),
    words("today in the") >> named(PARTS),
)
today_in_part: Parser[Moment] = either(
    join(lambda part, clock: TimeOfDay(clock, part), todays_part << optional(words(",")),
         optional(said_clock)),
    join(TimeOfDay, said_clock | open_small_hour, todays_part),
).where(agree).map(lambda time: Moment(TODAY, time))  # fmt: skip

# --- a day and a time ---------------------------------------------------------------

on = optional(words("on", "of", ",", ", on"))
led_day: Parser[DayTerm] = optional(words("on", "by", "at", "for")) >> day
day_then_time: Parser[Moment] = either(
    join(Moment, day, optional(words(",", "-")) >> attached_time),
    join(Moment, iso_day, tight(words("t")) >> tight(colon_clock.map(settled)).map(TimeOfDay)),
)
time_then_day: Parser[Moment] = either(
    join(
        lambda clock, day, part: Moment(day, TimeOfDay(clock, part)),
        said_clock | open_small_hour,
        on >> day,
        named(PARTS),
    ).where(lambda moment: moment.time is not None and agree(moment.time)),
    join(lambda time, day: Moment(day, time), time_of_day, on >> day),
)
closing_day: Parser[Moment] = join(
    lambda time, day: Moment(day, time), closing, optional(words("of", "on")) >> day
)
end_of_day: Parser[Moment] = optional(words("by", "at", "before")) >> join(
    lambda _, day: Moment(day, TimeOfDay(part=Part.CLOSE)), words("end of", "the end of"),
    relative_day,
)  # fmt: skip
moment: Parser[Moment] = either(
    today_in_part,
    day_then_time,
    time_then_day,
    closing_day,
    end_of_day,
    day.map(Moment),
    time_of_day.map(lambda time: Moment(None, time)),
)

# --- relative to the present due ----------------------------------------------------

push = optional(
    words("push", "postpone", "delay", "defer", "snooze", "push back", "move back", "put off")
    << optional(words("it"))
)
then = optional(optional(words("at", ",")) >> time_of_day)
moved: Parser[Moved] = either(
    join(lambda d, time: Moved(d, 1, time), push >> words("by", "for") >> duration, then),
    join(lambda d, time: Moved(d, 1, time),
         push >> optional(words("by")) >> optional(words("+", "another")) >> duration
         << words("later", "after that"), then),
    join(lambda d, time: Moved(d, -1, time),
         optional(words("by", "-", "bring forward by")) >> duration
         << words("earlier", "sooner", "before that"), then),
)  # fmt: skip

# --- with what leads it in ----------------------------------------------------------

lead = either(
    words(
        "on", "by", "due", "due :", "due on", "due by", "due at", "no later than",
        "not later than", "latest by", "at", "for", "deadline", "deadline :", "sometime",
        "some time", "sometime on", "anytime", "any time",
    ),
    nothing(""),
)  # fmt: skip
before = words("before", "due before")
LEADS_OF_POINTS = frozenset({"on", "by", "at", "for"})
plain_term: Parser[DateTerm] = either(elapsed, moment, plain_elapsed)
month_day_one: Parser[Moment] = month_alone.map(Moment)
date_phrase: Parser[DatePhrase] = either(
    join(lambda lead, term: DatePhrase(term, lead), lead, plain_term).where(
        lambda phrase: not (phrase.lead in LEADS_OF_POINTS and isinstance(phrase.term, Elapsed))
    ),
    join(
        lambda lead, moment: DatePhrase(Moment(moment.day, moment.time, before=True), lead),
        before,
        moment | month_day_one,
    ),
    join(lambda lead, moment: DatePhrase(moment, lead), words("by", "due by"), month_day_one),
)
alone: Parser[DateTerm] = either(
    words("until", "till", "til", "up to") >> moment,
    named(PARTS).map(lambda part: Moment(None, TimeOfDay(part=part))),
)
"""Dates only where nothing else is said: in a title they may be words like others."""
