"""Days in filters: `friday 5pm` behind `due.before:`, `next 7 days` by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from itertools import takewhile
from typing import NamedTuple

from todo_tui.domain.dates import DateNotUnderstood, reading_of, whole_date
from todo_tui.domain.filter_terms import DayField, Filter, Side, Within
from todo_tui.domain.filter_vocabulary import UNITS, Sense
from todo_tui.domain.phrases.parsing import known_words
from todo_tui.domain.phrases.ranges import range_phrase, resolve_range
from todo_tui.domain.phrases.reading import CLOSING_MARKS, phrase_tokens
from todo_tui.domain.phrases.resolve_moments import Frame
from todo_tui.domain.phrases.tokens import Token, Tokens, tokenize
from todo_tui.domain.text import folded
from todo_tui.domain.when import DateStyle, day_after, day_before

LONGEST_PHRASE = 8
"""Words."""
_NUMBERS = frozenset("a an one two three four five six seven eight nine ten twelve".split())
_COMING = frozenset({"next", "coming", "following", "this"})
_PAST = frozenset({DayField.COMPLETED, DayField.CREATED, DayField.UPDATED})
"""Fields whose days lie behind us."""


class DaysRead(NamedTuple):
    """A term for days, and from how many words it was read."""

    term: Filter
    words: int


class DayReader:
    """Reads days by one clock."""

    def __init__(self, now: datetime, style: DateStyle) -> None:
        self._frame = Frame(now, style)

    def read(self, of: DayField, sense: Sense, phrase: Sequence[str]) -> DaysRead | None:
        """The longest beginning of a phrase that names days; None where none does."""
        for count in _readable(phrase[:LONGEST_PHRASE]):
            words = " ".join(phrase[:count])
            meant = _in_full(of, sense, words)
            found = (self._past(meant) if of in _PAST else None) or self._named(meant)
            if found is not None:
                return DaysRead(_term(of, sense, found, words), count)
        return None

    def _past(self, words: str) -> _Days | None:
        """What `last …` names, of words that by themselves name what is still to come."""
        today = self._frame.today
        coming = self._named(words)
        if coming is None or coming.first <= today:
            return None
        meant = (f"last {words}", f"{words} {today.year - 1}")
        found = (self._named(each) for each in meant)
        return next((each for each in found if each and each.last <= today), None)

    def _named(self, words: str) -> _Days | None:
        tokens = phrase_tokens(words)
        readers = [self._stretch, self._moment]
        if _counts_to_a_day(words):
            readers.reverse()
        for read in readers:
            try:
                found = read(tokens)
            except DateNotUnderstood:
                continue
            if found is not None:
                return found
        return None

    def _stretch(self, tokens: Tokens) -> _Days | None:
        term = range_phrase.whole(tokens)
        return None if term is None else _Days(*resolve_range(term, self._frame))

    def _moment(self, tokens: Tokens) -> _Days | None:
        term = whole_date.whole(tokens)
        if term is None:
            return None
        when = reading_of(term, self._frame).when
        return _Days(when.day, when.day, None if when.at is None else when.local())


def _readable(phrase: Sequence[str]) -> list[int]:
    """How many words, the most first, may name days: only these are worth a closer look."""
    tokens = tokenize(" ".join(phrase))
    known = len(tuple(takewhile(_is_known, tokens)))
    ends = {
        end for parser in (range_phrase, whole_date) for _, end in parser.read(tokens[:known], 0)
    }
    readable = []
    length = -1
    for count, word in enumerate(phrase, start=1):
        length += 1 + len(word)
        inside = [token for token in tokens if token.end <= length]
        while inside and inside[-1].word in CLOSING_MARKS:
            inside.pop()
        if len(inside) in ends:
            readable.append(count)
    return readable[::-1]


def _counts_to_a_day(words: str) -> bool:
    """Whether it is as in “in 3 days”, a day; “in the next 3 days” are the days until then."""
    first, *rest = folded(words).split() or [""]
    return first == "in" and not UNITS.isdisjoint(rest) and _COMING.isdisjoint(rest)


def _is_known(token: Token) -> bool:
    return token.number is not None or token.word in known_words


class _Days(NamedTuple):
    """Days that words name, or a moment of one."""

    first: date
    last: date
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
    if found.moment is not None and sense is not Sense.ITSELF:
        inclusive = sense in (Sense.UNTIL, Sense.SINCE)
        before = sense in (Sense.BEFORE, Sense.UNTIL)
        return Side(of, found.moment, before, inclusive, words)
    first, last = {
        Sense.BEFORE: (None, day_before(found.first)),
        Sense.AFTER: (day_after(found.last), None),
        Sense.UNTIL: (None, found.last),
        Sense.SINCE: (found.first, None),
        Sense.ITSELF: (found.first, found.last),
    }[sense]
    return Within(of, first, last, words, sense)
