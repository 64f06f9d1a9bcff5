"""Parser for whole filters: boolean operators, brackets, saved views, sort and group.

`parse_query` is strict; `analyse_filter` is tolerant and returns token kinds for editors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.filters.lexer import (
    AND,
    KEYS,
    NOT,
    OR,
    FilterKey,
    FilterNames,
    FilterProblem,
    FilterWord,
    TokenKind,
    TokenStream,
    close_matches,
    filter_error,
    split_keyed,
    tokenize_filter,
)
from todo_tui.domain.filters.matching import matches
from todo_tui.domain.filters.term_parser import TermParser
from todo_tui.domain.filters.terms import (
    EVERYTHING,
    ContainsText,
    Filter,
    Grouping,
    Not,
    Query,
    SortTerm,
    all_of,
    any_of,
    with_default_scope,
)
from todo_tui.domain.filters.text import describe_filter
from todo_tui.domain.filters.values import read_grouping, read_sort
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.domain.when import DateStyle

MAX_FILTER_LENGTH = 2_000
MAX_FILTER_DEPTH = 10
"""Levels of brackets and views within each other.

SQLite's parser holds a hundred symbols that wait for their end, and the denied and joined
terms of one level take up to six of them.
"""
MAX_FILTER_WORDS = 200
MOST_WORDS_OF_VIEWS = 1_000
"""Maximum number of words with those of all referenced views, each counted per reference."""
_JOINS = "and, or and not go with conditions, as in @home or @work; in quotes they are searched."
__all__ = [
    "Filter",
    "FilterNames",
    "FilterProblem",
    "Query",
    "describe_filter",
    "matches",
    "parse_filter",
    "parse_query",
]


def parse_query(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Query:
    """Parse a filter with sort and group; an empty text means the open tasks.

    `now` is naive and local. `names` has the saved views for `view:`.

    Raises:
        FilterProblem: a word is out of place, or its value does not fit.
    """
    reader = FilterParser(text, now, style, names)
    wanted = with_default_scope(reader.read())
    return Query(wanted, reader.sort, reader.group)


@dataclass(slots=True)
class _Nesting:
    """Depth of the current place, and total length with all views so far."""

    depth: int = 0
    words: int = 0


class FilterParser:
    """Parser of one filter, for a single use.

    A tolerant parser records each error and skips the word; a strict one raises the
    first. `within` are the views that contain this filter.
    """

    def __init__(
        self,
        text: str,
        now: datetime,
        style: DateStyle,
        names: FilterNames | None = None,
        *,
        patient: bool = False,
        within: tuple[str, ...] = (),
        nesting: _Nesting | None = None,
    ) -> None:
        self._now = now
        self._style = style
        self._names = names
        self._patient = patient
        self._within = within
        self._nesting = nesting or _Nesting()
        self.problems: list[FilterProblem] = []
        self.words = tuple(self._cut(text))
        """Words of the text, in order."""
        self.cursor = TokenStream(self.words)
        self._terms = TermParser(self.cursor, now, style, names, self._view)
        self._sort: tuple[SortTerm, ...] | None = None
        self._group: Grouping | None = None
        self._sort_of_view: tuple[SortTerm, ...] = ()
        self._group_of_view: Grouping | None = None

    @property
    def sort(self) -> tuple[SortTerm, ...]:
        """Sort order given in the filter or one of its views."""
        return self._sort_of_view if self._sort is None else self._sort

    @property
    def group(self) -> Grouping | None:
        """Grouping given in the filter or one of its views."""
        return self._group or self._group_of_view

    @property
    def warnings(self) -> Sequence[FilterProblem]:
        """Names that no task has."""
        return self._terms.warnings

    def read(self) -> Filter:
        """Parse the condition, without a default scope; no words match everything.

        Raises:
            FilterProblem: a word is out of place, or its value does not fit.
        """
        self._take_arrangement()
        parts: list[Filter] = []
        while not self.cursor.at_end:
            parts.append(self._either())
            if not self.cursor.at_end:
                never_opened = filter_error(
                    self.cursor.word,
                    "closes a bracket that was never opened",
                    hint="Leave it out, or put it in quotes to search for it.",
                )
                self.cursor.mistaken(never_opened)
                self._note(never_opened)
                self.cursor.at += 1
        return all_of(*parts) if parts else EVERYTHING

    def _cut(self, text: str) -> list[FilterWord]:
        if len(text) > MAX_FILTER_LENGTH:
            self._note(_too_long(f"{MAX_FILTER_LENGTH:,} characters", MAX_FILTER_LENGTH))
            text = text[:MAX_FILTER_LENGTH]
        words = list(tokenize_filter(plain_line(text)))
        if len(words) > MAX_FILTER_WORDS:
            self._note(_too_long(f"{MAX_FILTER_WORDS} words", words[MAX_FILTER_WORDS].position))
        words = words[:MAX_FILTER_WORDS]
        self._nesting.words += len(words)
        if self._nesting.words > MOST_WORDS_OF_VIEWS:
            raise _too_long(f"{MOST_WORDS_OF_VIEWS:,} words with those of its views", 0)
        return words

    def _note(self, found: FilterProblem) -> None:
        if not self._patient:
            raise found
        self.problems.append(found)

    def _take_arrangement(self) -> None:
        """Read `sort:` and `group:` wherever they stand and remove them."""
        taken: set[int] = set()
        while not self.cursor.at_end:
            word = self.cursor.word
            self.cursor.at += 1
            parts = split_keyed(word)
            key = None if parts is None else KEYS.get(parts.head)
            if parts is None or key not in (FilterKey.SORT, FilterKey.GROUP):
                continue
            begun = self.cursor.at
            try:
                value = self.cursor.value_of(word, parts, TokenKind.ORDER)
                self._arrange(word, key, value)
            except FilterProblem as found:
                self.cursor.mistaken(found)
                self._note(found)
            taken.update(each.position for each in self.cursor.words[begun - 1 : self.cursor.at])
        self.cursor.at = 0
        self.cursor.without(lambda word: word.position in taken)

    def _arrange(self, word: FilterWord, key: FilterKey, value: str) -> None:
        present = self._sort if key is FilterKey.SORT else self._group
        if present is not None:
            raise filter_error(
                word,
                f"comes a second time: {key}: may stand once",
                hint="Several fields to sort by are written as sort:priority,due.",
            )
        if key is FilterKey.SORT:
            self._sort = read_sort(word, value)
        else:
            self._group = read_grouping(word, value)

    def _either(self) -> Filter:
        parts = [self._both()]
        while self.cursor.peek() == OR:
            self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._both())
        return any_of(*parts)

    def _both(self) -> Filter:
        parts = [self._one()]
        while self.cursor.peek() not in (")", OR):
            if self.cursor.peek() == AND:
                self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._one())
        return all_of(*parts)

    def _one(self) -> Filter:
        begun = self.cursor.at
        try:
            return self._denied_or_not()
        except FilterProblem as found:
            self.cursor.mistaken(found)
            self._note(found)
            self.cursor.at = max(self.cursor.at, begun + 1)
            return EVERYTHING

    def _denied_or_not(self) -> Filter:
        denied = False
        while not self.cursor.at_end and self.cursor.peek() == NOT and not self._is_lonely_mark():
            self.cursor.take(TokenKind.OPERATOR)
            denied = not denied
        if self.cursor.at_end:
            raise filter_error(self.cursor.word, "needs something after it", hint=_JOINS)
        word = self.cursor.word
        match word.key:
            case "(":
                wanted = self._bracketed(word)
            case ")" | "and" | "or":
                raise filter_error(word, "needs something before it", hint=_JOINS)
            case _ if self._is_lonely_mark():
                self.cursor.take(TokenKind.SEARCH)
                wanted = ContainsText(word.text)
            case _:
                wanted = self._terms.term()
        return Not(wanted) if denied else wanted

    def _is_lonely_mark(self) -> bool:
        """Return True for `!` with nothing after it: perhaps the first half of `!high`."""
        if self.cursor.word.text != "!":
            return False
        following = self.cursor.words[self.cursor.at + 1 : self.cursor.at + 2]
        return not following or following[0].key == ")"

    def _bracketed(self, opening: FilterWord) -> Filter:
        self.cursor.take(TokenKind.BRACKET)
        with self._deeper(opening):
            wanted = self._either()
        if self.cursor.at_end:
            never_closed = filter_error(
                opening,
                "opens a bracket that is never closed",
                hint="Close it with ), or put it in quotes to search for it.",
            )
            self.cursor.mistaken(never_closed)
            self._note(never_closed)
        self.cursor.take(TokenKind.BRACKET)
        return wanted

    @contextmanager
    def _deeper(self, word: FilterWord) -> Iterator[None]:
        """Enter one more level of brackets or views, which begins with the word."""
        if self._nesting.depth >= MAX_FILTER_DEPTH:
            raise filter_error(
                word,
                f"is nested too deeply: at most {MAX_FILTER_DEPTH} levels of brackets and views",
                hint="Use fewer brackets.",
            )
        self._nesting.depth += 1
        try:
            yield
        finally:
            self._nesting.depth -= 1

    def _view(self, word: FilterWord, name: str) -> Filter:
        """Return the filter of a saved view; its sort and group apply unless already given."""
        views = {} if self._names is None else self._names.views
        text = None if self._names is None else self._names.view(name)
        if text is None:
            fits = tuple(f"view:{_typed(each)}" for each in close_matches(name, views))
            raise filter_error(
                word,
                "names no saved view",
                fits=fits,
                hint="`todo-tui views` lists them." if views else "No view has been saved yet.",
            )
        if fold_case(name) in self._within:
            raise filter_error(
                word,
                "leads back to itself, so it has no end",
                hint="Change the filter of one of these views.",
            )
        try:
            with self._deeper(word):
                reader = FilterParser(
                    text,
                    self._now,
                    self._style,
                    self._names,
                    within=(*self._within, fold_case(name)),
                    nesting=self._nesting,
                )
                wanted = reader.read()
        except FilterProblem as found:
            raise filter_error(
                word,
                f"names a view that cannot be read: {found.message.rstrip('.')}",
                hint=found.hint or "",
            ) from found
        self._sort_of_view = self._sort_of_view or reader.sort
        self._group_of_view = self._group_of_view or reader.group
        return wanted


def _typed(name: str) -> str:
    return f'"{name}"' if " " in name else name


def _too_long(limit: str, position: int) -> FilterProblem:
    return FilterProblem(
        f"The filter is too long: at most {limit}.",
        word="",
        position=position,
        hint="Leave out what is not needed; words with a blank between must all hold.",
    )


class FilterToken(NamedTuple):
    """Span of the text from `start` up to `end`, and its kind."""

    start: int
    end: int
    kind: TokenKind


@dataclass(frozen=True, slots=True)
class FilterAnalysis:
    """Result of parsing a text that may have errors.

    If there are `problems`, `query` is what remains without their words. `warnings` are
    names that no task has, each with suggestions.
    """

    query: Query
    tokens: tuple[FilterToken, ...]
    problems: tuple[FilterProblem, ...]
    warnings: tuple[FilterProblem, ...]


def analyse_filter(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> FilterAnalysis:
    """Parse one plain line, tolerating errors; positions count its characters.

    With `names`, unknown projects and tags give warnings.
    """
    reader = FilterParser(text, now, style, names, patient=True)
    wanted = with_default_scope(reader.read())
    return FilterAnalysis(
        Query(wanted, reader.sort, reader.group),
        tuple(_tokens(reader)),
        tuple(sorted(reader.problems, key=lambda found: found.position)),
        tuple(reader.warnings),
    )


def _tokens(reader: FilterParser) -> Iterator[FilterToken]:
    kinds, values = reader.cursor.kinds, reader.cursor.values
    for word in reader.words:
        kind = kinds.get(word.position, TokenKind.SEARCH)
        value = word.position + values.get(word.position, 0)
        if kind is TokenKind.MISTAKE or value == word.position:
            yield FilterToken(word.position, word.end, kind)
            continue
        yield FilterToken(word.position, value, TokenKind.KEY)
        if value < word.end:
            yield FilterToken(value, word.end, kind)


def parse_filter(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Filter:
    """Parse only the condition of a filter.

    Raises:
        FilterProblem: as `parse_query`.
    """
    return parse_query(text, now, style, names).filter
