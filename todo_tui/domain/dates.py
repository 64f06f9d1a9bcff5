"""The front door of the date grammar: a phrase and a clock in, a day or a moment out."""

from __future__ import annotations

from datetime import date, datetime
from typing import NamedTuple

from todo_tui.domain.phrases.moments import alone, date_phrase, moved
from todo_tui.domain.phrases.parsing import Parser, either
from todo_tui.domain.phrases.problems import DateNotUnderstood
from todo_tui.domain.phrases.reading import complaint, phrase_tokens
from todo_tui.domain.phrases.resolve_moments import Frame, Remarks, resolve
from todo_tui.domain.phrases.terms import DateTerm
from todo_tui.domain.when import DateStyle, When

__all__ = ["DateNotUnderstood", "DateReading", "DayRange", "read_date", "read_range", "reading_of"]

DATE_EXAMPLES = "“tomorrow 5pm”, “next friday”, “in 3 days”, “5 jan” or “2026-12-01”"
RANGE_EXAMPLES = "“this week”, “next 7 days”, “november” or “friday”"

whole_date: Parser[DateTerm] = either(moved, date_phrase.map(lambda phrase: phrase.term), alone)


class DateReading(NamedTuple):
    """What a phrase was read as.

    `note` is for the person: how an ambiguous phrase was read, or that it is past.
    """

    when: When
    note: str | None
    ambiguous: bool


class DayRange(NamedTuple):
    """Days from `first` to `last`, both included."""

    first: date
    last: date


def read_date(
    text: str, now: datetime, style: DateStyle, current: When | None = None
) -> DateReading:
    """Read a text that is one date phrase and nothing else.

    `now` is local: naive, or aware when `in 3 hours` must be right across daylight
    saving. `current` is the task's present due moment: `1 week later` and `by 2 days`
    count from it, and a bare time keeps its day.

    Raises:
        DateNotUnderstood: the text is no date, or one that does not exist.
    """
    term = whole_date.whole(phrase_tokens(text))
    if term is None:
        raise DateNotUnderstood(complaint(text, "a date", DATE_EXAMPLES, date_phrase))
    return reading_of(term, Frame(now, style, current))


def reading_of(term: DateTerm, frame: Frame) -> DateReading:
    """The reading of a date that was found in a longer text.

    Raises:
        DateNotUnderstood: there is no such day.
    """
    remarks = Remarks()
    when = resolve(term, frame, remarks)
    return DateReading(when, remarks.text, remarks.doubtful)


def read_range(text: str, now: datetime, style: DateStyle) -> DayRange:
    """Read a stretch of days: `this week`, `next 7 days`, `november`, or a single day.

    Raises:
        DateNotUnderstood: the text is neither.
    """
    # Filters need ranges, adding a task does not: it should not wait for their grammar.
    from todo_tui.domain.phrases.ranges import range_phrase, resolve_range

    term = range_phrase.whole(phrase_tokens(text))
    if term is None:
        raise DateNotUnderstood(complaint(text, "days", RANGE_EXAMPLES, range_phrase))
    first, last = resolve_range(term, Frame(now, style))
    return DayRange(first, last)
