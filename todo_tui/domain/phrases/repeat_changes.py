"""Productions for what stands beside a repeat: its time, start, end, and what it counts from."""

from __future__ import annotations

from collections.abc import Callable

from todo_tui.domain.phrases.moments import plain_term
from todo_tui.domain.phrases.numbers import count, duration, is_short
from todo_tui.domain.phrases.parsing import Parser, either, listing, nothing, optional, words
from todo_tui.domain.phrases.stretches import month_alone, named_month
from todo_tui.domain.phrases.terms import (
    DateTerm,
    Edge,
    End,
    Lasting,
    Moment,
    Repeat,
    Side,
    TimeOfDay,
    Times,
    Until,
)
from todo_tui.domain.phrases.times import agree, attached_time, time_of_day

Change = Callable[[Repeat], Repeat | None]
"""Adds to a repeat what was said beside it; None when it was said already."""


def _add_time(time: TimeOfDay) -> Change:
    return lambda repeat: with_time(repeat, time)


def with_time(repeat: Repeat, time: TimeOfDay) -> Repeat | None:
    """A repeat at a time of day; None when it has another, or none fits it.

    A part of the day that it has takes a clock time that lies in it: every evening at 8.
    """
    if repeat.rule.freq.is_short:
        return None
    if repeat.time is None:
        return repeat._replace(time=time)
    if repeat.time.clock is None and time.part is None:
        both = time._replace(part=repeat.time.part)
        return repeat._replace(time=both) if agree(both) else None
    return None


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
moment_or_month: Parser[DateTerm] = either(plain_term, month_alone.map(Moment))
start: Parser[Change] = (
    words(
        "starting", "starting on", "starting from", "starting at", "starts", "starts on", "start",
        "start on", "from", "beginning", "beginning on", "as of", "effective",
    )
    >> moment_or_month.map(_add_start)
)  # fmt: skip
ending = words(
    "until", "till", "til", "ending", "ending on", "ends", "ends on", "through", "thru", "up to",
)  # fmt: skip
until: Parser[Change] = ending >> moment_or_month.map(lambda term: _add_end(Until(term)))
through_month: Parser[Change] = words("through", "thru", "up to and including") >> named_month.map(
    lambda month: _add_end(Until(Moment(Edge(Side.END, month))))
)
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
).gives(lambda repeat: None if repeat.keep_missed else repeat)
keeping: Parser[Change] = words(
    "missed too", "missed ones too", "missed dates too", "including missed",
    "including missed ones", "including missed dates", "keeping missed", "keeping missed ones",
    "keep missed", "keep missed ones",
).gives(lambda repeat: repeat._replace(keep_missed=True))  # fmt: skip

beside: Parser[tuple[Change, ...]] = optional(words(",")) >> listing(
    either(
        attached_time.map(_add_time),
        start,
        through_month,
        until,
        lasting,
        times,
        from_completion,
        skipping,
        keeping,
    ),
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
