"""Parser for filters: terms, boolean operators, brackets, saved views, sort and group.

`parse_query` is strict: it raises a FilterProblem for a word that is out of place, or whose value
does not fit. `analyse_filter` is tolerant and returns token kinds for editors.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from todo_tui.domain.dates.text import format_day
from todo_tui.domain.filters import terms
from todo_tui.domain.filters.lexer import (
    FilterNames,
    FilterProblem,
    FilterWord,
    KeyedWord,
    TokenStream,
    filter_error,
    split_keyed,
    tokenize_filter,
)
from todo_tui.domain.filters.text import format_project, format_tag
from todo_tui.domain.filters.values import (
    DAY_HINT,
    ORDERED_READERS,
    VALUE_READERS,
    read_comparison,
    read_grouping,
    read_id,
    read_priorities,
    read_sort,
    reject_unknown_key,
)
from todo_tui.domain.filters.vocabulary import (
    AND,
    ANY,
    COMPARISONS,
    DAY_OPENERS,
    FIELDS,
    KEYS,
    NONE,
    NOT,
    OPERATORS,
    OR,
    STATES,
    UNEQUAL,
    UNITS,
    Comparison,
    KeyRow,
    TokenKind,
)
from todo_tui.domain.task import PRIORITY_WORDS, Status
from todo_tui.domain.text import fold_case, plain_line, similar
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
    "Use and, or and not with conditions, e.g. @home or @work; in quotes they are searched."
)
_HAS_DAY = {
    terms.DayField.DUE: terms.HasField(terms.TaskField.DUE),
    terms.DayField.START: terms.HasField(terms.TaskField.START),
}
_MARK_PRIORITIES = {"!!": "high", "!": "medium"}
"""Priorities of `!!!` and `!!`, keyed without the first mark."""
_COMPARED = re.compile(r"<=|>=|!=|[<>=≤≥≠]")


def parse_query(
    text: str, now: datetime, style: DateStyle, names: FilterNames | None = None
) -> terms.Query:
    """Parse a filter with sort and group; an empty text means the open tasks.

    `now` is naive and local. `names` has the saved views for `view:`.
    """
    parser = FilterParser(text, now, style, names)
    condition = terms.with_default_scope(parser.read())
    return terms.Query(condition, parser.sort, parser.group)


@dataclass(slots=True)
class _Nesting:
    """Depth of the current place, and total length with all views so far."""

    depth: int = 0
    words: int = 0

    @contextmanager
    def deeper(self, word: FilterWord) -> Iterator[None]:
        """Enter the brackets or the view that begin with this word."""
        if self.depth >= MAX_FILTER_DEPTH:
            raise filter_error(
                word,
                f"is nested too deeply: at most {MAX_FILTER_DEPTH} levels of brackets and views",
                hint="Use fewer brackets.",
            )
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


class FilterParser:
    """Parser of one filter, for a single use.

    A tolerant parser records each error and skips the word; a strict one raises the
    first. Without `names`, any project and tag is accepted without a warning. `views` are the
    names of the views that contain this filter.
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
        self.now, self.style, self.names = now, style, names
        self.problems: list[FilterProblem] = []
        self.warnings: list[FilterProblem] = []
        """Names that no task has, and signs with a meaning elsewhere."""
        self.sort: tuple[terms.SortTerm, ...] = ()
        """Sort order given in the filter or one of its views."""
        self.group: terms.Grouping | None = None
        """Grouping given in the filter or one of its views."""
        self._is_tolerant = is_tolerant
        self._views = views
        self._nesting = nesting or _Nesting()
        self._given: set[str] = set()
        self.words = tuple(self._tokenize(text))
        """Words of the text, in order."""
        self.cursor = TokenStream(self.words)

    def read(self) -> terms.Filter:
        """Parse the condition, without a default scope; no words match everything."""
        self._take_sort_and_group()
        parts: list[terms.Filter] = []
        while not self.cursor.at_end:
            parts.append(self._parse_or())
            if not self.cursor.at_end:
                complaint = "has no opening bracket"
                hint = "Remove the bracket, or put it in quotes to search for it."
                self._reject(filter_error(self.cursor.word, complaint, hint=hint))
                self.cursor.at += 1
        return terms.all_of(*parts)

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
        if key in self._given:
            raise filter_error(
                word,
                f"repeats {key}:",
                hint="Separate several fields with commas, e.g. sort:priority,due.",
            )
        if key == "sort":
            self.sort = read_sort(word, value)
        else:
            self.group = read_grouping(word, value)
        self._given.add(key)

    def _parse_or(self) -> terms.Filter:
        parts = [self._parse_and()]
        while self.cursor.peek() == OR:
            self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._parse_and())
        return terms.any_of(*parts)

    def _parse_and(self) -> terms.Filter:
        parts = [self._parse_one()]
        while self.cursor.peek() not in (")", OR):
            if self.cursor.peek() == AND:
                self.cursor.take(TokenKind.OPERATOR)
            parts.append(self._parse_one())
        return terms.all_of(*parts)

    def _parse_one(self) -> terms.Filter:
        start = self.cursor.at
        try:
            return self._parse_not()
        except FilterProblem as problem:
            self._reject(problem)
            self.cursor.at = max(self.cursor.at, start + 1)
            return terms.EVERYTHING

    def _parse_not(self) -> terms.Filter:
        negated = False
        while self.cursor.peek() == NOT and not self._is_lone_exclamation_mark():
            self.cursor.take(TokenKind.OPERATOR)
            negated = not negated
        if self.cursor.at_end:
            raise filter_error(self.cursor.word, "needs a condition after it", hint=_OPERATOR_HINT)
        word = self.cursor.word
        match word.key:
            case "(":
                condition = self._parse_brackets(word)
            case ")" | "and" | "or":
                raise filter_error(word, "needs a condition before it", hint=_OPERATOR_HINT)
            case _ if self._is_lone_exclamation_mark():
                self.cursor.take(TokenKind.SEARCH)
                condition = terms.ContainsText(word.text)
            case _:
                condition = self.term()
        return terms.Not(condition) if negated else condition

    def _is_lone_exclamation_mark(self) -> bool:
        """Return True for `!` with nothing after it: perhaps the first half of `!high`."""
        if self.cursor.word.text != "!":
            return False
        following = self.cursor.words[self.cursor.at + 1 : self.cursor.at + 2]
        return not following or following[0].key == ")"

    def _parse_brackets(self, opening: FilterWord) -> terms.Filter:
        self.cursor.take(TokenKind.BRACKET)
        with self._nesting.deeper(opening):
            condition = self._parse_or()
        if self.cursor.at_end:
            complaint = "has no closing bracket"
            hint = "Add a ), or put the bracket in quotes to search for it."
            self._reject(filter_error(opening, complaint, hint=hint))
        self.cursor.take(TokenKind.BRACKET)
        return condition

    def read_view(self, word: FilterWord, name: str) -> terms.Filter:
        """Return the filter of a saved view; its sort and group apply unless already given."""
        names = self.names or FilterNames()
        text = names.view(name)
        if text is None:
            meant = similar(name, names.views)
            known = "`todo-tui views` lists your views." if names.views else "No views saved yet."
            raise filter_error(
                word,
                "is not a saved view",
                suggestions=(f'view:"{each}"' if " " in each else f"view:{each}" for each in meant),
                hint=known,
            )
        if fold_case(name) in self._views:
            raise filter_error(
                word,
                "refers to itself",
                hint="Change the filter of one of these views.",
            )
        try:
            with self._nesting.deeper(word):
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
                f"is a view with an invalid filter: {problem.message.rstrip('.')}",
                hint=problem.hint or "",
            ) from problem
        self.sort = self.sort or parser.sort
        self.group = self.group or parser.group
        return condition

    def term(self) -> terms.Filter:
        """Parse the term of the next word, or of several that belong together."""
        word = self.cursor.word
        self.cursor.take(TokenKind.SEARCH)
        found: terms.Filter | None = None
        if not word.quoted:
            parts = split_keyed(word)
            found = (
                self._parse_sign(word)
                or (None if parts is None else self._parse_key(word, parts))
                or self._parse_comparison(word)
                or self._parse_phrase(word)
            )
        return found or terms.ContainsText(word.text)

    def _parse_sign(self, word: FilterWord) -> terms.Filter | None:
        """Parse `#12`, `#project`, `@tag`, `!priority`."""
        mark, name = word.text[0], word.text[1:]
        if not name:
            return None
        match mark:
            case "#" if name.isascii() and name.isdigit():
                self.cursor.mark(word, TokenKind.ID)
                number = read_id(word, name)
                return terms.HasIds(((number, number),))
            case "#":
                self.cursor.mark(word, TokenKind.PROJECT)
                return self._with_warning(word, terms.InProject(name))
            case "@":
                self.cursor.mark(word, TokenKind.TAG)
                return self._with_warning(word, terms.HasTag(name))
            case "!":
                self.cursor.mark(word, TokenKind.PRIORITY)
                return read_priorities(word, _MARK_PRIORITIES.get(name, name))
            case "+" | "-":
                self._warn(sign_in_search(word, self.names))
        return None

    def _parse_comparison(self, word: FilterWord) -> terms.Filter | None:
        """Parse `due < friday`: the comparison is a word by itself, or begins one."""
        key = KEYS.get(word.key)
        if key is None or not key.is_ordered or self.cursor.at_end:
            return None
        following = self.cursor.word
        sign = None if following.quoted else _COMPARED.match(following.text)
        if sign is None:
            return None
        self.cursor.mark(word, TokenKind.KEY)
        self.cursor.take(TokenKind.DAYS)
        value = following.text[sign.end() :]
        parts = KeyedWord(word.key, None, sign[0], value, quoted=False, start=sign.end())
        return self._parse_key(following, parts)

    def _parse_phrase(self, word: FilterWord) -> terms.Filter | None:
        """Parse words with a meaning of their own, alone or together."""
        key, after = word.key, self.cursor.peek()
        if key in ("no", "without", "has") and after in FIELDS:
            self.cursor.take_pair(word, TokenKind.FIELD)
            if after == "due" and self.cursor.peek() in ("date", "dates"):
                self.cursor.take(TokenKind.FIELD)
            has_field = terms.HasField(FIELDS[after])
            return has_field if key == "has" else terms.Not(has_field)
        if key in PRIORITY_WORDS and after == "priority" and not key.isdigit():
            self.cursor.take_pair(word, TokenKind.PRIORITY)
            return terms.HasPriority((PRIORITY_WORDS[key],))
        if key == "in" and after == "progress":
            self.cursor.take_pair(word, TokenKind.STATE)
            return terms.HasStatus(Status.DOING)
        row = KEYS.get(key)
        if row is not None and row.day is not None:
            days = self._days_after_field(word, row.day)
            if days is not None:
                return days
        if key in STATES:
            self.cursor.mark(word, TokenKind.STATE)
            if after in ("task", "tasks"):
                self.cursor.take(TokenKind.STATE)
            return STATES[key]
        if key in DAY_OPENERS or after in UNITS:
            # “this week”, or “7 days” together.
            shortest = 1 if key in DAY_OPENERS else 2
            due = terms.DayField.DUE
            return self._take_days(word, due, Comparison.ITSELF, word.text, shortest=shortest)
        return None

    def _parse_key(self, word: FilterWord, parts: KeyedWord) -> terms.Filter | None:
        """Parse a keyed word; None if the part before the colon is not a key."""
        head = "due" if parts.head == "date" else parts.head
        key = KEYS.get(head)
        if key is None:
            reject_unknown_key(word, parts)
            return None
        comparison = COMPARISONS.get(parts.sign, Comparison.ITSELF)
        if parts.modifier is not None:
            comparison = read_comparison(word, parts, head, key)
        if key.day is not None:
            term = self._parse_days(word, parts, key.day, comparison)
        elif comparison is Comparison.ITSELF:
            term = self._parse_value(word, parts, key)
        elif key.is_ordered:
            value = self.cursor.value_of(word, parts, key.kind)
            term = ORDERED_READERS[key.name](word, value, comparison)
        else:
            raise filter_error(
                word,
                f"cannot be compared; use {head}:{parts.value or '…'}",
                hint="Only days, priorities and estimates can be compared, e.g. due<friday.",
            )
        return terms.Not(term) if parts.sign in UNEQUAL else term

    def _parse_value(self, word: FilterWord, parts: KeyedWord, key: KeyRow) -> terms.Filter:
        value = self.cursor.value_of(word, parts, key.kind)
        if not parts.quoted:
            has_field = FIELDS.get(key.name)
            if has_field is not None and fold_case(value) in NONE | ANY:
                present = terms.HasField(has_field)
                return present if fold_case(value) in ANY else terms.Not(present)
            value = value.removeprefix({"project": "#", "tag": "@"}.get(key.name, ""))
        match key.name:
            case "view":
                return self.read_view(word, value)
            case "sort" | "group":
                raise filter_error(word, "is given twice")
            case "id":
                value += self.cursor.take_ids(value)
        return self._with_warning(word, VALUE_READERS[key.name](word, value))

    def _with_warning(self, word: FilterWord, term: terms.Filter) -> terms.Filter:
        """Return the term; warn about a project or tag that no task has."""
        self._warn(unknown_name(word, term, self.names))
        return term

    def _warn(self, warning: FilterProblem | None) -> None:
        if warning is not None:
            self.warnings.append(warning)

    def _take_days(
        self,
        word: FilterWord,
        of: terms.DayField,
        comparison: Comparison,
        *opening: str,
        shortest: int = 1,
        is_whole: bool = False,
    ) -> terms.Filter | None:
        """Parse the longest run of words that names days; `opening` are taken already.

        With `is_whole` no other words belong to them.
        """
        # Deferred: the date grammar is large, and most filters have no dates.
        from todo_tui.domain.filters.days import read_days

        following = [] if is_whole else self.cursor.following(_may_continue)
        found = read_days(of, comparison, [*opening, *following], self.now, self.style)
        if found is None or found.words < shortest:
            return None
        self.cursor.mark(word, TokenKind.DAYS)
        self.cursor.take(TokenKind.DAYS, found.words - len(opening))
        if found.coming and found.passed:
            today, words = self.now.date(), " ".join([*opening, *following][: found.words])
            read = f"“{words}” is read as {format_day(found.coming, today)}."
            hint = f"Add {found.passed.year} for {format_day(found.passed, today)}."
            self._warn(FilterProblem(read, word=word.raw, position=word.position, hint=hint))
        return found.term

    def _parse_days(
        self, word: FilterWord, parts: KeyedWord, of: terms.DayField, comparison: Comparison
    ) -> terms.Filter:
        """Parse `due.before:friday 5pm`: a value, and unless quoted the words that continue it."""
        value = self.cursor.value_of(word, parts, TokenKind.DAYS)
        if comparison is Comparison.ITSELF and fold_case(value) in NONE | ANY:
            has_day = _HAS_DAY.get(of, terms.WithinDays(of, None, None))
            return has_day if fold_case(value) in ANY else terms.Not(has_day)
        found = self._take_days(word, of, comparison, value, is_whole=parts.quoted)
        if found is None:
            complaint = "is not a date; use friday, tomorrow, “this week”, 2026-12-01 or none"
            raise filter_error(word, complaint, hint=DAY_HINT)
        return found

    def _days_after_field(self, word: FilterWord, of: terms.DayField) -> terms.Filter | None:
        """Parse `due before friday`, `done this week`; None if no day follows."""
        start = self.cursor.at
        comparison = Comparison.ITSELF
        if self.cursor.peek() in COMPARISONS and self.cursor.peek() != "in":
            comparison = COMPARISONS[self.cursor.peek()]
            self.cursor.take(TokenKind.DAYS)
        found = self._take_days(word, of, comparison)
        if found is None:
            self.cursor.at = start
        return found


def unknown_name(
    word: FilterWord, term: terms.Filter, names: FilterNames | None
) -> FilterProblem | None:
    """Return a warning if the term is of a project or tag that no task has."""
    match term, names:
        case terms.InProject(name), FilterNames() if not names.has_project(name):
            meant = map(format_project, similar(name, names.projects or ()))
            complaint = "is a project without tasks"
        case terms.HasTag(name), FilterNames() if not names.has_tag(name):
            meant = map(format_tag, similar(name, names.tags or ()))
            complaint = "is a tag without tasks"
        case _:
            return None
    return filter_error(word, complaint, suggestions=meant, hint="")


def sign_in_search(word: FilterWord, names: FilterNames | None) -> FilterProblem | None:
    """Return a warning about `-home`: a tag to exclude elsewhere, but a search term here."""
    sign, name = word.text[0], word.text[1:]
    if names is None:
        return None
    if name[0] in "@#!" and name[1:]:
        suggestion = name
    elif names.tags is not None and names.has_tag(name):
        suggestion = f"@{name}"
    else:
        return None
    suggestion = suggestion if sign == "+" else f"not {suggestion}"
    return filter_error(word, "is searched as plain text", suggestions=[suggestion], hint="")


def _may_continue(word: FilterWord) -> bool:
    """Return True for words that may continue a day: no sign, and no key of their own."""
    if not word.key or word.key in OPERATORS or word.key[0] in "#@!":
        return False
    parts = split_keyed(word)
    return parts is None or parts.head not in KEYS


def _too_long(limit: str, position: int) -> FilterProblem:
    return FilterProblem(
        f"The filter is too long: at most {limit}.",
        word="",
        position=position,
        hint="Remove conditions.",
    )


class FilterToken(NamedTuple):
    """Span of the text from `start` up to `end`, and its kind."""

    start: int
    end: int
    kind: TokenKind


@dataclass(frozen=True, slots=True)
class FilterAnalysis:
    """Result of parsing a text that may have `problems`.

    `warnings` are names that no task has, each with suggestions, and days that are read as those
    of next year.
    """

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
    parser.read()
    return FilterAnalysis(
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
