"""Days in filters: `friday 5pm` behind `due.before:`, `next 7 days` by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.dates import DateNotUnderstood, DayRange, read_date, read_range
from todo_tui.domain.filter_terms import (
    DayField,
    Filter,
    Side,
    Within,
    day_after,
    day_before,
)
from todo_tui.domain.filter_vocabulary import Sense
from todo_tui.domain.text import folded
from todo_tui.domain.when import DateStyle

LONGEST_PHRASE = 8
"""Words."""


class DaysRead(NamedTuple):
    """A term for days, and from how many words it was read."""

    term: Filter
    words: int


def read_days(
    of: DayField, sense: Sense, phrase: Sequence[str], now: datetime, style: DateStyle
) -> DaysRead | None:
    """The longest beginning of a phrase that names days; None where none does."""
    for count in range(min(len(phrase), LONGEST_PHRASE), 0, -1):
        term = _read(of, sense, " ".join(phrase[:count]), now, style)
        if term is not None:
            return DaysRead(term, count)
    return None


def _read(of: DayField, sense: Sense, words: str, now: datetime, style: DateStyle) -> Filter | None:
    readers: list[Callable[[], Filter]] = [
        lambda: _within(of, sense, read_range(words, now, style), words),
        lambda: _moment(of, sense, words, now, style),
    ]
    # “in 3 days” is a day to count to, not the three days until then.
    if folded(words).startswith("in ") and not folded(words).startswith("in the "):
        readers.reverse()
    for read in readers:
        try:
            return read()
        except DateNotUnderstood:
            continue
    return None


def _moment(of: DayField, sense: Sense, words: str, now: datetime, style: DateStyle) -> Filter:
    when = read_date(words, now, style).when
    if when.at is None or sense is Sense.ITSELF:
        return _within(of, sense, DayRange(when.day, when.day), words)
    inclusive = sense in (Sense.UNTIL, Sense.SINCE)
    before = sense in (Sense.BEFORE, Sense.UNTIL)
    return Side(of, when.local(), before, inclusive, words)


def _within(of: DayField, sense: Sense, days: DayRange, words: str) -> Filter:
    first, last = {
        Sense.BEFORE: (None, day_before(days.first)),
        Sense.AFTER: (day_after(days.last), None),
        Sense.UNTIL: (None, days.last),
        Sense.SINCE: (days.first, None),
        Sense.ITSELF: (days.first, days.last),
    }[sense]
    return Within(of, first, last, words, sense)
