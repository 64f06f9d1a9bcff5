"""Parser for whole filters: boolean operators, brackets, saved views, sort and group.

`parse_query` is strict; `analyse_filter` is tolerant and returns token kinds for editors.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.filters.lexer import (
    FilterNames,
    FilterProblem,
    FilterWord,
    TokenStream,
    close_matches,
    filter_error,
    split_keyed,
    tokenize_filter,
)
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
from todo_tui.domain.filters.values import read_grouping, read_sort
from todo_tui.domain.filters.vocabulary import AND, NOT, OR, TokenKind
from todo_tui.domain.text import fold_case, plain_line
from todo_tui.domain.when import DateStyle

MAX_FILTER_LENGTH = 2_000
MAX_FILTER_DEPTH = 10
"""Levels of brackets and views within each other.

SQLite's parser holds a hundred symbols that wait for their end, and the denied and joined
terms of one level take up to six of them.
"""
MAX_FILTER_WORDS = 200
MAX_WORDS_WITH_VIEWS = 1_000
"""Maximum number of words with those of all referenced views, each counted per reference."""
_OPERATOR_HINT = (
    "and, or and not go with conditions, as in @home or @work; in quotes they are searched."
)


def parse_query(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Query:
    """Parse a filter with sort and group; an empty text means the open tasks.

    `now` is naive and local. `names` has the saved views for `view:`.

    Raises:
        FilterProblem: a word is out of place, or its value does not fit.
    """
    parser = FilterParser(text, now, style, names)
    condition = with_default_scope(parser.read())
    return Query(condition, parser.sort, parser.group)


@dataclass(slots=True)
class _Nesting:
    """Depth of the current place, and total length with all views so far."""

    depth: int = 0
    words: int = 0


class FilterParser(TermParser):
    """Parser of one filter, for a single use.

    A tolerant parser records each error and skips the word; a strict one raises the
    first. `views` are the names of the views that contain this filter.
    """

    def __init__(
        self,
        text: str,
        now: datetime,
        style: DateStyle,
        names: FilterNames | None = None,
        *,
        is_tolerant: bool = False,
        views: tuple[str, ...] = (),
        nesting: _Nesting | None = None,
    ) -> None:
        self._is_tolerant = is_tolerant
        self._views = views
        self._nesting = nesting or _Nesting()
        self.problems: list[FilterProblem] = []
        self.words = tuple(self._tokenize(text))
        """Words of the text, in order."""
        super().__init__(TokenStream(self.words), now, style, names)
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

    def read(self) -> Filter:
        """Parse the condition, without a default scope; no words match everything.

        Raises:
            FilterProblem: a word is out of place, or its value does not fit.
        """
        self._take_sort_and_group()
        parts: list[Filter] = []
        while not self.cursor.at_end:
            parts.append(self._parse_or())
            if not self.cursor.at_end:
                complaint = "closes a bracket that was never opened"
                hint = "Leave it out, or put it in quotes to search for it."
                self._reject(filter_error(self.cursor.word, complaint, hint=hint))
                self.cursor.at += 1
        return all_of(*parts)

    def _tokenize(self, text: str) -> list[FilterWord]:
        if len(text) > MAX_FILTER_LENGTH:
            self._report(_too_long(f"{MAX_FILTER_LENGTH:,} characters", MAX_FILTER_LENGTH))
            text = text[:MAX_FILTER_LENGTH]
        words = list(tokenize_filter(plain_line(text)))
        if len(words) > MAX_FILTER_WORDS:
            self._report(_too_long(f"{MAX_FILTER_WORDS} words", words[MAX_FILTER_WORDS].position))
        words = words[:MAX_FILTER_WORDS]
        self._nesting.words += len(words)
        if self._nesting.words > MAX_WORDS_WITH_VIEWS:
            raise _too_long(f"{MAX_WORDS_WITH_VIEWS:,} words with those of its views", 0)
        return words

    def _report(self, problem: FilterProblem) -> None:
        if not self._is_tolerant:
            raise problem
        self.problems.append(problem)

    def _reject(self, problem: FilterProblem) -> None:
        """Report the error of a word and mark the word."""
        self.cursor.kinds[problem.position] = TokenKind.MISTAKE
        self._report(problem)

    def _take_sort_and_group(self) -> None:
        """Read `sort:` and `group:` wherever they stand and remove them."""
        conditions: list[FilterWord] = []
        while not self.cursor.at_end:
            word = self.cursor.word
            self.cursor.at += 1
            parts = split_keyed(word)
            if parts is None or parts.head not in ("sort", "group"):
                conditions.append(word)
                continue
            try:
                value = self.cursor.value_of(word, parts, TokenKind.ORDER)
                self._set_sort_or_group(word, parts.head, value)
            except FilterProblem as problem:
                self._reject(problem)
        self.cursor.words = conditions
        self.cursor.at = 0

    def _set_sort_or_group(self, word: FilterWord, key: str, value: str) -> None:
        if (self._sort if key == "sort" else self._group) is not None:
            raise filter_error(
                word,
                f"comes a second time: {key}: may stand once",
                hint="Several fields to sort by are written as sort:priority,due.",
            )
        if key == "sort":
            self._sort = read_sort(word, value)
        else:
            self._group = read_grouping(word, value)

    def _parse_or(self) -> Filter:
        parts = [self._parse_and()]
        while self.cursor.peek() == OR:
            self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._parse_and())
        return any_of(*parts)

    def _parse_and(self) -> Filter:
        parts = [self._parse_one()]
        while self.cursor.peek() not in (")", OR):
            if self.cursor.peek() == AND:
                self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._parse_one())
        return all_of(*parts)

    def _parse_one(self) -> Filter:
        start = self.cursor.at
        try:
            return self._parse_not()
        except FilterProblem as problem:
            self._reject(problem)
            self.cursor.at = max(self.cursor.at, start + 1)
            return EVERYTHING

    def _parse_not(self) -> Filter:
        negated = False
        while self.cursor.peek() == NOT and not self._is_lone_exclamation_mark():
            self.cursor.take(TokenKind.OPERATOR)
            negated = not negated
        if self.cursor.at_end:
            raise filter_error(self.cursor.word, "needs something after it", hint=_OPERATOR_HINT)
        word = self.cursor.word
        match word.key:
            case "(":
                condition = self._parse_brackets(word)
            case ")" | "and" | "or":
                raise filter_error(word, "needs something before it", hint=_OPERATOR_HINT)
            case _ if self._is_lone_exclamation_mark():
                self.cursor.take(TokenKind.SEARCH)
                condition = ContainsText(word.text)
            case _:
                condition = self.term()
        return Not(condition) if negated else condition

    def _is_lone_exclamation_mark(self) -> bool:
        """Return True for `!` with nothing after it: perhaps the first half of `!high`."""
        if self.cursor.word.text != "!":
            return False
        following = self.cursor.words[self.cursor.at + 1 : self.cursor.at + 2]
        return not following or following[0].key == ")"

    def _parse_brackets(self, opening: FilterWord) -> Filter:
        self.cursor.take(TokenKind.BRACKET)
        with self._nested(opening):
            condition = self._parse_or()
        if self.cursor.at_end:
            complaint = "opens a bracket that is never closed"
            hint = "Close it with ), or put it in quotes to search for it."
            self._reject(filter_error(opening, complaint, hint=hint))
        self.cursor.take(TokenKind.BRACKET)
        return condition

    @contextmanager
    def _nested(self, word: FilterWord) -> Iterator[None]:
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

    def read_view(self, word: FilterWord, name: str) -> Filter:
        """Return the filter of a saved view; its sort and group apply unless already given."""
        names = self.names or FilterNames()
        text = names.view(name)
        if text is None:
            meant = close_matches(name, names.views)
            known = "`todo-tui views` lists them." if names.views else "No view has been saved yet."
            raise filter_error(
                word,
                "names no saved view",
                suggestions=(f'view:"{each}"' if " " in each else f"view:{each}" for each in meant),
                hint=known,
            )
        if fold_case(name) in self._views:
            raise filter_error(
                word,
                "leads back to itself, so it has no end",
                hint="Change the filter of one of these views.",
            )
        try:
            with self._nested(word):
                parser = FilterParser(
                    text,
                    self.now,
                    self.style,
                    self.names,
                    views=(*self._views, fold_case(name)),
                    nesting=self._nesting,
                )
                condition = parser.read()
        except FilterProblem as problem:
            raise filter_error(
                word,
                f"names a view that cannot be read: {problem.message.rstrip('.')}",
                hint=problem.hint or "",
            ) from problem
        self._sort_of_view = self._sort_of_view or parser.sort
        self._group_of_view = self._group_of_view or parser.group
        return condition


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
    parser = FilterParser(text, now, style, names, is_tolerant=True)
    condition = with_default_scope(parser.read())
    return FilterAnalysis(
        Query(condition, parser.sort, parser.group),
        tuple(_tokens(parser)),
        tuple(sorted(parser.problems, key=lambda problem: problem.position)),
        tuple(parser.warnings),
    )


def _tokens(parser: FilterParser) -> Iterator[FilterToken]:
    kinds, values = parser.cursor.kinds, parser.cursor.values
    for word in parser.words:
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
