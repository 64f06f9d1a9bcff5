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
from todo_tui.domain.filter_vocabulary import UNITS, Sense
from todo_tui.domain.text import folded
from todo_tui.domain.when import DateStyle

LONGEST_PHRASE = 8
"""Words."""
_NUMBERS = frozenset("a an one two three four five six seven eight nine ten twelve".split())
_PAST = frozenset({DayField.COMPLETED, DayField.CREATED, DayField.UPDATED})
"""Fields whose days lie behind us."""


class DaysRead(NamedTuple):
    """A term for days, and from how many words it was read."""

    term: Filter
    words: int


class DayReader:
    """Reads days by one clock."""

    def __init__(self, now: datetime, style: DateStyle) -> None:
        self._now = now
        self._style = style

    def read(self, of: DayField, sense: Sense, phrase: Sequence[str]) -> DaysRead | None:
        """The longest beginning of a phrase that names days; None where none does."""
        for count in range(min(len(phrase), LONGEST_PHRASE), 0, -1):
            words = " ".join(phrase[:count])
            found = self._past(_in_full(of, sense, words)) if of in _PAST else None
            found = found or self._named(_in_full(of, sense, words))
            if found is not None:
                return DaysRead(_term(of, sense, found, words), count)
        return None

    def _past(self, words: str) -> _Days | None:
        """What `last …` names, of words that by themselves name what is still to come."""
        today = self._now.date()
        coming = self._named(words)
        if coming is None or coming.days.first <= today:
            return None
        meant = (f"last {words}", f"{words} {today.year - 1}")
        found = (self._named(each) for each in meant)
        return next((each for each in found if each and each.days.last <= today), None)

    def _named(self, words: str) -> _Days | None:
        readers: list[Callable[[str], _Days]] = [self._stretch, self._moment]
        # “in 3 days” is a day to count to, not the three days until then.
        if folded(words).startswith("in ") and not UNITS.isdisjoint(folded(words).split()):
            readers.reverse()
        for read in readers:
            try:
                return read(words)
            except DateNotUnderstood:
                continue
        return None

    def _stretch(self, words: str) -> _Days:
        return _Days(read_range(words, self._now, self._style))

    def _moment(self, words: str) -> _Days:
        when = read_date(words, self._now, self._style).when
        days = DayRange(when.day, when.day)
        return _Days(days, None if when.at is None else when.local())


class _Days(NamedTuple):
    """Days that words name, or a moment of one."""

    days: DayRange
    moment: datetime | None = None


def _in_full(of: DayField, sense: Sense, words: str) -> str:
    """`7 days` in full: the coming ones, or the last ones of what lies behind us.

    Behind a word such as `before` it is the day that is so many days away.
    """
    number, _, unit = folded(words).partition(" ")
    if unit not in UNITS or not (number.isdigit() or number in _NUMBERS):
        return words
    if sense is Sense.ITSELF:
        return f"last {words}" if of in _PAST else words
    return f"{words} ago" if of in _PAST else f"in {words}"


def _term(of: DayField, sense: Sense, found: _Days, words: str) -> Filter:
    days, moment = found
    if moment is not None and sense is not Sense.ITSELF:
        inclusive = sense in (Sense.UNTIL, Sense.SINCE)
        before = sense in (Sense.BEFORE, Sense.UNTIL)
        return Side(of, moment, before, inclusive, words)
    first, last = {
        Sense.BEFORE: (None, day_before(days.first)),
        Sense.AFTER: (day_after(days.last), None),
        Sense.UNTIL: (None, days.last),
        Sense.SINCE: (days.first, None),
        Sense.ITSELF: (days.first, days.last),
    }[sense]
    return Within(of, first, last, words, sense)
