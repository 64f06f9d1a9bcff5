"""Terms of a filter from words with a key: its value, its comparison, what fits neither.

due.before:friday  priority>=medium  project:work  id:3,5,7-9  no:due
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from todo_tui.domain.filter_cursor import Cursor
from todo_tui.domain.filter_problem import alike, problem
from todo_tui.domain.filter_terms import (
    Below,
    ChildOf,
    DayField,
    Filter,
    Has,
    Not,
    TaskField,
    Within,
)
from todo_tui.domain.filter_tokens import KeyedWord, TokenKind, Word
from todo_tui.domain.filter_values import (
    read_number,
    read_numbers,
    read_presence,
    read_priorities,
    read_priority,
    read_state,
)
from todo_tui.domain.filter_vocabulary import (
    ANY,
    COMPARISONS,
    DAYS,
    FIELDS,
    KEYS,
    NONE,
    SENSES,
    UNEQUAL,
    Key,
    Sense,
)
from todo_tui.domain.text import folded

if TYPE_CHECKING:
    from todo_tui.domain.filter_words import DayTerms, NamedTerms, ReadView

_DAY_WORDS = "a day such as friday, tomorrow, “this week” or 2026-12-01, or none"
_DAY_HINT = "For example due.before:friday, done.since:monday or due:2026-12-01."
_PRIORITY_HINT = "For example priority.from:medium, which is high and medium."
_SHORTEST_KEY = 3
_TYPO = 0.75
_PRESENCE = {
    DayField.DUE: Has(TaskField.DUE),
    DayField.START: Has(TaskField.START),
}
_VALUE_KINDS = {
    Key.PROJECT: TokenKind.PROJECT,
    Key.TAG: TokenKind.TAG,
    Key.PRIORITY: TokenKind.PRIORITY,
    Key.STATUS: TokenKind.STATE,
    Key.ID: TokenKind.ID,
    Key.PARENT: TokenKind.ID,
    Key.UNDER: TokenKind.ID,
    Key.NO: TokenKind.FIELD,
    Key.HAS: TokenKind.FIELD,
    Key.VIEW: TokenKind.VIEW,
    Key.SORT: TokenKind.ORDER,
    Key.GROUP: TokenKind.ORDER,
}


class KeyedTerms:
    """Reads the term of a key and its value, which may be the words behind it."""

    def __init__(
        self, cursor: Cursor, named: NamedTerms, days: DayTerms, read_view: ReadView
    ) -> None:
        self._cursor = cursor
        self._named = named
        self._days = days
        self._read_view = read_view

    def term(self, word: Word, parts: KeyedWord) -> Filter | None:
        """The term of a word, whose parts are given; None where its key means nothing.

        Raises:
            FilterProblem: the key is nearly one that is known, or its value does not fit.
        """
        head = "due" if parts.head == "date" else parts.head
        if head not in KEYS and head not in DAYS:
            _refuse_slip(word, parts)
            return None
        denied = parts.comparison in UNEQUAL
        sense = COMPARISONS.get(parts.comparison, Sense.ITSELF)
        if parts.modifier or word.raw.startswith(f"{parts.head}."):
            sense = self._modified(word, parts, head)
        if head in DAYS:
            term = self._days_of(word, parts, DAYS[head], sense)
        elif KEYS[head] is Key.PRIORITY and sense is not Sense.ITSELF:
            value = self._cursor.value_of(word, parts, TokenKind.PRIORITY)
            term = read_priorities(word, sense, value)
        elif sense is not Sense.ITSELF:
            raise problem(
                word,
                f"compares what has no order: {head}:{parts.value or '…'} would fit",
                hint="Days and priorities can be compared, as in due<friday or priority>=medium.",
            )
        else:
            term = self._valued(word, parts, KEYS[head])
        return Not(term) if denied else term

    def _modified(self, word: Word, parts: KeyedWord, head: str) -> Sense:
        """The sense of `.before` in `due.before:`."""
        if head not in DAYS and KEYS[head] is not Key.PRIORITY:
            raise problem(
                word,
                f"should be {head}:{parts.value}",
                hint="Only days and priorities have a word behind a dot, as in due.before:friday.",
            )
        sense = SENSES.get(parts.modifier)
        if sense is None or (parts.comparison and parts.comparison not in ("=", *UNEQUAL)):
            known, hint = (
                (("before", "after", "by", "since"), _DAY_HINT)
                if head in DAYS
                else (("above", "below", "from", "to"), _PRIORITY_HINT)
            )
            listed = f"{head}.{', .'.join(known[:-1])} or .{known[-1]}"
            fits = (f"{head}.{each}:{parts.value}" for each in alike(parts.modifier, known))
            raise problem(word, f"is not known: {listed} would fit", fits=fits, hint=hint)
        return sense

    def _valued(  # noqa: C901 - one case a key
        self, word: Word, parts: KeyedWord, key: Key
    ) -> Filter:
        value = self._cursor.value_of(word, parts, _VALUE_KINDS[key])
        field = FIELDS.get(key)
        if field is not None and not parts.quoted and folded(value) in NONE | ANY:
            return Has(field) if folded(value) in ANY else Not(Has(field))
        match key:
            case Key.PROJECT:
                return self._named.project(word, value if parts.quoted else value.removeprefix("#"))
            case Key.TAG:
                return self._named.tag(word, value if parts.quoted else value.removeprefix("@"))
            case Key.PRIORITY:
                return read_priority(word, value)
            case Key.STATUS:
                return read_state(word, value)
            case Key.ID:
                return read_numbers(word, value + self._more_numbers(value))
            case Key.PARENT:
                return ChildOf(read_number(word, value))
            case Key.UNDER:
                return Below(read_number(word, value))
            case Key.NO | Key.HAS:
                return read_presence(word, value, present=key is Key.HAS)
            case Key.VIEW:
                return self._read_view(word, value)
            case Key.SORT | Key.GROUP:
                raise problem(word, "is given twice: once is enough")

    def _more_numbers(self, value: str) -> str:
        """What follows `3,` behind a blank."""
        more = ""
        while f"{value}{more}".endswith(",") and self._cursor.peek()[:1].isdigit():
            more += self._cursor.word.text
            self._cursor.take(TokenKind.ID)
        return more

    def _days_of(self, word: Word, parts: KeyedWord, of: DayField, sense: Sense) -> Filter:
        value = self._cursor.value_of(word, parts, TokenKind.DAYS)
        if sense is Sense.ITSELF and folded(value) in NONE | ANY:
            has = _PRESENCE.get(of, Within(of, None, None))
            return has if folded(value) in ANY else Not(has)
        term = self._days.behind_key(of, sense, value, quoted=parts.quoted)
        if term is None:
            complaint = f"names no day that I understand: {_DAY_WORDS} would fit"
            raise problem(word, complaint, hint=_DAY_HINT)
        return term


def _refuse_slip(word: Word, parts: KeyedWord) -> None:
    """Refuse a key that nobody knows where it looks like one that somebody does."""
    if (
        parts.comparison
        or not parts.value
        or len(parts.head) < _SHORTEST_KEY
        or parts.value.startswith("//")
    ):
        return
    rest = word.raw[len(parts.head) :]
    known = [*Key, *DAYS]
    meant = alike(parts.head, known, likeness=_TYPO)
    if meant:
        fits = tuple(f"{each}{rest}" for each in meant)
        raise problem(word, f"has a key that is not known: {parts.head}", fits=fits)
