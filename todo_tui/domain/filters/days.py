"""Days in filters: `due.before:friday 5pm`, `next 7 days`.

Loads the date grammar, so it is imported on first use.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, time
from typing import NamedTuple

from todo_tui.domain.dates.combinators import tokenize_phrase
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
    """Term for days, and the number of words it was read from.

    `coming` and `passed` are the days that were read and those of this year, where those have
    passed and are nearer; else None.
    """

    term: Filter
    words: int
    coming: date | None = None
    passed: date | None = None


class _Days(NamedTuple):
    """Days that a phrase names, or a moment of one."""

    first: date
    last: date
    moment: datetime | None = None

    @property
    def begins(self) -> datetime:
        return self.moment or datetime.combine(self.first, time())


def read_days(
    of: DayField, comparison: Comparison, phrase: Sequence[str], now: datetime, style: DateStyle
) -> DayMatch | None:
    """Read the longest beginning of a phrase that names days; None without one."""
    context = DateContext(now, style)
    for count in range(min(len(phrase), MAX_PHRASE_WORDS), 0, -1):
        words = " ".join(phrase[:count])
        whole = _complete_phrase(of, comparison, words)
        found = _read(whole, context)
        if of in _PAST and found is not None and found.begins > now:
            # A time alone is one of today; `last …` goes before words that name future days.
            year = context.today.year
            past = (
                f"today {whole}", f"today {whole} am", f"last {whole}", f"{whole} {year}",
                f"{whole} {year - 1}",
            )  # fmt: skip
            readings = (_read(each, context) for each in past)
            gone = (each for each in readings if each and each.last <= now.date())
            found = next((each for each in gone if each.begins <= now), found)
        if found is not None:
            days = _coming_and_passed(whole, found, context) if of not in _PAST else ()
            return DayMatch(_term(of, comparison, found, words), count, *days)
    return None


def _coming_and_passed(words: str, found: _Days, context: DateContext) -> tuple[date, ...]:
    """Return the day that was read and that of this year, where that has passed and is nearer."""
    today = context.today
    if found.first.year <= today.year:
        return ()
    last = _read(f"{words} {today.year}", context)
    is_nearer = last and last.last < today and today - last.last < found.first - today
    return (found.first, last.first) if last and is_nearer else ()


def _read(words: str, context: DateContext) -> _Days | None:
    tokens = tokenize_phrase(words)
    for is_range in (False, True) if _is_single_day(words) else (True, False):
        with suppress(DateNotUnderstood):
            if is_range and (span := range_phrase.whole(tokens)) is not None:
                return _Days(*resolve_range(span, context))
            if not is_range and (term := whole_date.whole(tokens)) is not None:
                when = resolve_date(term, context).when
                return _Days(when.day, when.day, None if when.at is None else when.local())
    return None


def _is_single_day(words: str) -> bool:
    """Return True for “in 3 days”, a day; “in the next 3 days” are all days until then."""
    first, *rest = fold_case(words).split() or [""]
    return first == "in" and not UNITS.isdisjoint(rest) and _NEXT_WORDS.isdisjoint(rest)


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
