"""The grammar of filters: words to a query.

    query   := (either | "sort:" fields | "group:" headings)*
    either  := both ("or" both)*                          also |
    both    := one ("and"? one)*                          also &
    one     := "not" one | "(" either ")" | term          also !
    term    := what `filter_words` reads from a word, or from several

Words that are quoted search as they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from todo_tui.domain.filter_cursor import Cursor
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem, alike, problem
from todo_tui.domain.filter_query import Grouping, Query, SortTerm
from todo_tui.domain.filter_scope import with_default_scope
from todo_tui.domain.filter_terms import EVERYTHING, Filter, Not, Says, all_of, any_of
from todo_tui.domain.filter_tokens import TokenKind, Word, keyed, words_of
from todo_tui.domain.filter_values import read_grouping, read_sort
from todo_tui.domain.filter_vocabulary import AND, KEYS, NOT, OR, Key
from todo_tui.domain.filter_words import TermReader
from todo_tui.domain.text import folded, plain_line
from todo_tui.domain.when import DateStyle

LONGEST = 2_000
DEEPEST = 10
"""Levels of brackets and views within each other.

SQLite's parser holds a hundred symbols that wait for their end, and the denied and joined
terms of one level take up to six of them.
"""
MOST_WORDS = 200
MOST_WORDS_OF_VIEWS = 1_000
"""With the words of all views that are mentioned, each as often as it is."""
_JOINS = "and, or and not go with conditions, as in @home or @work; in quotes they are searched."


def parse_query(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> Query:
    """Read a filter with its order and headings; an empty text asks for the open tasks.

    `now` is naive and local. `names` has the saved views that `view:` may mention.

    Raises:
        FilterProblem: a word stands where it cannot, or its value is none that fits.
    """
    reader = FilterReader(text, now, style, names)
    wanted = with_default_scope(reader.read())
    return Query(wanted, reader.sort, reader.group)


@dataclass(slots=True)
class _Nesting:
    """How deep a filter is at the place that is read, and how long with its views so far."""

    depth: int = 0
    words: int = 0


class FilterReader:
    """Reads one filter, once.

    A patient reader notes each problem and goes on without the word; another raises the
    first. `within` are the views that led here.
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
        """All words of the text, in order."""
        self.cursor = Cursor(self.words)
        self._terms = TermReader(self.cursor, now, style, names, self._view)
        self._sort: tuple[SortTerm, ...] | None = None
        self._group: Grouping | None = None
        self._sort_of_view: tuple[SortTerm, ...] = ()
        self._group_of_view: Grouping | None = None

    @property
    def sort(self) -> tuple[SortTerm, ...]:
        """The order that was asked for, here or by a view that is mentioned."""
        return self._sort_of_view if self._sort is None else self._sort

    @property
    def group(self) -> Grouping | None:
        """The headings that were asked for, here or by a view that is mentioned."""
        return self._group or self._group_of_view

    @property
    def doubts(self) -> Sequence[FilterProblem]:
        """Names that no task has."""
        return self._terms.doubts

    def read(self) -> Filter:
        """The condition, without a scope added to it; of no words, everything.

        Raises:
            FilterProblem: a word stands where it cannot, or its value is none that fits.
        """
        self._take_arrangement()
        parts: list[Filter] = []
        while not self.cursor.at_end:
            parts.append(self._either())
            if not self.cursor.at_end:
                never_opened = problem(
                    self.cursor.word,
                    "closes a bracket that was never opened",
                    hint="Leave it out, or put it in quotes to search for it.",
                )
                self.cursor.mistaken(never_opened)
                self._note(never_opened)
                self.cursor.at += 1
        return all_of(*parts) if parts else EVERYTHING

    def _cut(self, text: str) -> list[Word]:
        if len(text) > LONGEST:
            self._note(_too_long(f"{LONGEST:,} characters", LONGEST))
            text = text[:LONGEST]
        words = list(words_of(plain_line(text)))
        if len(words) > MOST_WORDS:
            self._note(_too_long(f"{MOST_WORDS} words", words[MOST_WORDS].position))
        words = words[:MOST_WORDS]
        self._nesting.words += len(words)
        if self._nesting.words > MOST_WORDS_OF_VIEWS:
            raise _too_long(f"{MOST_WORDS_OF_VIEWS:,} words with those of its views", 0)
        return words

    def _note(self, found: FilterProblem) -> None:
        if not self._patient:
            raise found
        self.problems.append(found)

    def _take_arrangement(self) -> None:
        """Read `sort:` and `group:`, wherever they stand; what is left are conditions."""
        taken: set[int] = set()
        while not self.cursor.at_end:
            word = self.cursor.word
            self.cursor.at += 1
            parts = keyed(word)
            key = None if parts is None else KEYS.get(parts.head)
            if parts is None or key not in (Key.SORT, Key.GROUP):
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

    def _arrange(self, word: Word, key: Key, value: str) -> None:
        present = self._sort if key is Key.SORT else self._group
        if present is not None:
            raise problem(
                word,
                f"comes a second time: {key}: may stand once",
                hint="Several fields to sort by are written as sort:priority,due.",
            )
        if key is Key.SORT:
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
            raise problem(self.cursor.word, "needs something after it", hint=_JOINS)
        word = self.cursor.word
        match word.key:
            case "(":
                wanted = self._bracketed(word)
            case ")" | "and" | "or":
                raise problem(word, "needs something before it", hint=_JOINS)
            case _ if self._is_lonely_mark():
                self.cursor.take(TokenKind.SEARCH)
                wanted = Says(word.text)
            case _:
                wanted = self._terms.term()
        return Not(wanted) if denied else wanted

    def _is_lonely_mark(self) -> bool:
        """A `!` with nothing behind it: perhaps the first half of `!high`."""
        if self.cursor.word.text != "!":
            return False
        following = self.cursor.words[self.cursor.at + 1 : self.cursor.at + 2]
        return not following or following[0].key == ")"

    def _bracketed(self, opening: Word) -> Filter:
        self.cursor.take(TokenKind.BRACKET)
        with self._deeper(opening):
            wanted = self._either()
        if self.cursor.at_end:
            never_closed = problem(
                opening,
                "opens a bracket that is never closed",
                hint="Close it with ), or put it in quotes to search for it.",
            )
            self.cursor.mistaken(never_closed)
            self._note(never_closed)
        self.cursor.take(TokenKind.BRACKET)
        return wanted

    @contextmanager
    def _deeper(self, word: Word) -> Iterator[None]:
        """One more level of brackets and views, which the word begins."""
        if self._nesting.depth >= DEEPEST:
            raise problem(
                word,
                f"is nested too deeply: at most {DEEPEST} levels of brackets and views",
                hint="Use fewer brackets.",
            )
        self._nesting.depth += 1
        try:
            yield
        finally:
            self._nesting.depth -= 1

    def _view(self, word: Word, name: str) -> Filter:
        """The filter of a saved view, with its order and headings where none are given."""
        views = {} if self._names is None else self._names.views
        text = None if self._names is None else self._names.view(name)
        if text is None:
            fits = tuple(f"view:{_typed(each)}" for each in alike(name, views))
            raise problem(
                word,
                "names no saved view",
                fits=fits,
                hint="`todo-tui views` lists them." if views else "No view has been saved yet.",
            )
        if folded(name) in self._within:
            raise problem(
                word,
                "leads back to itself, so it has no end",
                hint="Change the filter of one of these views.",
            )
        try:
            with self._deeper(word):
                reader = FilterReader(
                    text,
                    self._now,
                    self._style,
                    self._names,
                    within=(*self._within, folded(name)),
                    nesting=self._nesting,
                )
                wanted = reader.read()
        except FilterProblem as found:
            raise problem(
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
