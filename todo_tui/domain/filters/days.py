"""Days in filters: `due.before:friday 5pm`, `next 7 days`.

Loads the date grammar, so it is imported on first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from todo_tui.domain.dates.combinators import Tokens, tokenize_phrase
from todo_tui.domain.dates.reader import (
    DateContext,
    range_phrase,
    resolve_date,
    resolve_range,
    whole_date,
)
from todo_tui.domain.errors import DateNotUnderstood
from todo_tui.domain.filters.terms import BeforeOrAfter, DayField, Filter, WithinDays
from todo_tui.domain.filters.vocabulary import UNITS, Comparison
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle, day_after, day_before

MAX_PHRASE_WORDS = 8
_NUMBERS = frozenset("a an one two three four five six seven eight nine ten twelve".split())
_NEXT_WORDS = frozenset({"next", "coming", "following", "this"})
_PAST = frozenset({DayField.COMPLETED, DayField.CREATED, DayField.UPDATED})
"""Fields whose days are in the past."""


class DayMatch(NamedTuple):
    """Term for days, and the number of words it was read from."""

    term: Filter
    words: int


class DayReader:
    """Reader of days for one moment and date style."""

    def __init__(self, now: datetime, style: DateStyle) -> None:
        self._context = DateContext(now, style)

    def read(self, of: DayField, comparison: Comparison, phrase: Sequence[str]) -> DayMatch | None:
        """Read the longest beginning of a phrase that names days; None without one."""
        for count in range(min(len(phrase), MAX_PHRASE_WORDS), 0, -1):
            words = " ".join(phrase[:count])
            phrase_text = _complete_phrase(of, comparison, words)
            past = self._read_past_days(phrase_text) if of in _PAST else None
            found = past or self._read_days(phrase_text)
            if found is not None:
                return DayMatch(_term(of, comparison, found, words), count)
        return None

    def _read_past_days(self, words: str) -> _Days | None:
        """Read `last …` before words that alone name future days."""
        today = self._context.today
        coming = self._read_days(words)
        if coming is None or coming.first <= today:
            return None
        candidates = (f"last {words}", f"{words} {today.year - 1}")
        found = (self._read_days(each) for each in candidates)
        return next((each for each in found if each and each.last <= today), None)

    def _read_days(self, words: str) -> _Days | None:
        tokens = tokenize_phrase(words)
        readers = [self._read_range, self._read_moment]
        if _is_single_day(words):
            readers.reverse()
        for read in readers:
            try:
                found = read(tokens)
            except DateNotUnderstood:
                continue
            if found is not None:
                return found
        return None

    def _read_range(self, tokens: Tokens) -> _Days | None:
        term = range_phrase.whole(tokens)
        return None if term is None else _Days(*resolve_range(term, self._context))

    def _read_moment(self, tokens: Tokens) -> _Days | None:
        term = whole_date.whole(tokens)
        if term is None:
            return None
        when = resolve_date(term, self._context).when
        return _Days(when.day, when.day, None if when.at is None else when.local())


def _is_single_day(words: str) -> bool:
    """Return True for “in 3 days”, a day; “in the next 3 days” are all days until then."""
    first, *rest = fold_case(words).split() or [""]
    return first == "in" and not UNITS.isdisjoint(rest) and _NEXT_WORDS.isdisjoint(rest)


class _Days(NamedTuple):
    """Days that a phrase names, or a moment of one."""

    first: date
    last: date
    moment: datetime | None = None


def _complete_phrase(of: DayField, comparison: Comparison, words: str) -> str:
    """Complete `7 days` to the next ones, or to the last ones of a past field.

    After a word such as `before` it is the single day at that distance.
    """
    number, _, unit = fold_case(words).partition(" ")
    if unit not in UNITS or not (number.isdigit() or number in _NUMBERS):
        return words
    if comparison is Comparison.ITSELF:
        return f"last {words}" if of in _PAST else words
    return f"{words} ago" if of in _PAST else f"in {words}"


def _term(of: DayField, comparison: Comparison, found: _Days, words: str) -> Filter:
    if found.moment is not None and comparison is not Comparison.ITSELF:
        inclusive = comparison in (Comparison.UNTIL, Comparison.SINCE)
        before = comparison in (Comparison.BEFORE, Comparison.UNTIL)
        return BeforeOrAfter(of, found.moment, before, inclusive)
    first, last = {
        Comparison.BEFORE: (None, day_before(found.first)),
        Comparison.AFTER: (day_after(found.last), None),
        Comparison.UNTIL: (None, found.last),
        Comparison.SINCE: (found.first, None),
        Comparison.ITSELF: (found.first, found.last),
    }[comparison]
    return WithinDays(of, first, last, words)
