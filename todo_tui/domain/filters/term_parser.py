"""Parser for single filter terms: `#12`, `@tag`, `this week`, `due.before:friday`."""

from __future__ import annotations

import re
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.filters.lexer import (
    FilterNames,
    FilterProblem,
    FilterWord,
    KeyedWord,
    TokenStream,
    close_matches,
    filter_error,
    split_keyed,
)
from todo_tui.domain.filters.terms import (
    ContainsText,
    DayField,
    Filter,
    HasField,
    HasId,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    Not,
    TaskField,
    WithinDays,
)
from todo_tui.domain.filters.text import format_project, format_tag
from todo_tui.domain.filters.values import VALUE_READERS, read_id, read_priorities, read_priority
from todo_tui.domain.filters.vocabulary import (
    ANY,
    COMPARISON_SIGNS,
    COMPARISONS,
    DAY_OPENERS,
    FIELDS,
    KEY_ROWS,
    KEYS,
    NONE,
    OPERATORS,
    STATES,
    UNEQUAL,
    UNITS,
    Comparison,
    KeyRow,
    TokenKind,
)
from todo_tui.domain.task import PRIORITY_WORDS, Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle

if TYPE_CHECKING:
    from todo_tui.domain.filters.days import DayReader

_DAY_HINT = "For example due.before:friday, done.since:monday or due:2026-12-01."
_PRIORITY_HINT = "For example priority.from:medium, which is high and medium."
_SHORTEST_KEY = 3
_TYPO = 0.75
_HAS_DAY = {
    DayField.DUE: HasField(TaskField.DUE),
    DayField.START: HasField(TaskField.START),
}
_MARK_PRIORITIES = {"!!": "high", "!": "medium"}
"""Priorities of `!!!` and `!!`, keyed without the first mark."""
_COMPARED = re.compile(r"<=|>=|!=|[<>=≤≥≠]")


class TermParser:
    """Parser for one term at a time from the current word of the cursor.

    Without `names`, any project and tag is accepted without a warning.
    """

    def __init__(
        self, cursor: TokenStream, now: datetime, style: DateStyle, names: FilterNames | None
    ) -> None:
        self.cursor = cursor
        self.now = now
        self.style = style
        self.names = names
        self.warnings: list[FilterProblem] = []
        """Names that no task has, and signs with a meaning elsewhere."""

    def read_view(self, word: FilterWord, name: str) -> Filter:
        """Return the filter of the view named by a word."""
        raise NotImplementedError

    def term(self) -> Filter:
        """Parse the term of the next word, or of several that belong together.

        Raises:
            FilterProblem: the word has a known form, but its value does not fit.
        """
        word = self.cursor.word
        self.cursor.take(TokenKind.SEARCH)
        found: Filter | None = None
        if not word.quoted:
            parts = split_keyed(word)
            found = (
                self._parse_sign(word)
                or (None if parts is None else self._parse_key(word, parts))
                or self._parse_comparison(word)
                or self._parse_phrase(word)
            )
        return found or ContainsText(word.text)

    def _parse_sign(self, word: FilterWord) -> Filter | None:
        """Parse `#12`, `#project`, `@tag`, `!priority`."""
        mark, name = word.text[0], word.text[1:]
        if not name:
            return None
        match mark:
            case "#" if name.isascii() and name.isdigit():
                self.cursor.mark(word, TokenKind.ID)
                return HasId(read_id(word, name))
            case "#":
                self.cursor.mark(word, TokenKind.PROJECT)
                return self._known(word, InProject(name))
            case "@":
                self.cursor.mark(word, TokenKind.TAG)
                return self._known(word, HasTag(name))
            case "!":
                self.cursor.mark(word, TokenKind.PRIORITY)
                return read_priority(word, _MARK_PRIORITIES.get(name, name))
            case "+" | "-":
                self._warn_about_sign(word, name)
        return None

    def _parse_comparison(self, word: FilterWord) -> Filter | None:
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

    def _parse_phrase(self, word: FilterWord) -> Filter | None:
        """Parse words with a meaning of their own, alone or together."""
        key, after = word.key, self.cursor.peek()
        if key in ("no", "without", "has") and after in FIELDS:
            self._take_pair(word, TokenKind.FIELD)
            if after == "due" and self.cursor.peek() in ("date", "dates"):
                self.cursor.take(TokenKind.FIELD)
            has_field = HasField(FIELDS[after])
            return has_field if key == "has" else Not(has_field)
        if key in PRIORITY_WORDS and after == "priority" and not key.isdigit():
            self._take_pair(word, TokenKind.PRIORITY)
            return HasPriority(PRIORITY_WORDS[key])
        if key == "in" and after == "progress":
            self._take_pair(word, TokenKind.STATE)
            return HasStatus(Status.DOING)
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
            return self._days_without_key(word, shortest=1 if key in DAY_OPENERS else 2)
        return None

    def _take_pair(self, word: FilterWord, kind: TokenKind) -> None:
        self.cursor.mark(word, kind)
        self.cursor.take(kind)

    def _parse_key(self, word: FilterWord, parts: KeyedWord) -> Filter | None:
        """Parse a keyed word; None if its key is unknown.

        Raises:
            FilterProblem: the key is nearly a known one, or its value does not fit.
        """
        head = "due" if parts.head == "date" else parts.head
        key = KEYS.get(head)
        if key is None:
            _reject_typo(word, parts)
            return None
        comparison = COMPARISON_SIGNS.get(parts.sign, Comparison.ITSELF)
        if parts.modifier is not None:
            comparison = _read_modifier(word, parts, head, key)
        if key.day is not None:
            term = self._parse_days(word, parts, key.day, comparison)
        elif comparison is Comparison.ITSELF:
            term = self._parse_value(word, parts, key)
        elif key.is_ordered:
            term = read_priorities(word, comparison, self.cursor.value_of(word, parts, key.kind))
        else:
            raise filter_error(
                word,
                f"compares what has no order: {head}:{parts.value or '…'} would fit",
                hint="Days and priorities can be compared, as in due<friday or priority>=medium.",
            )
        return Not(term) if parts.sign in UNEQUAL else term

    def _parse_value(self, word: FilterWord, parts: KeyedWord, key: KeyRow) -> Filter:
        value = self.cursor.value_of(word, parts, key.kind)
        if not parts.quoted:
            has_field = FIELDS.get(key.name)
            if has_field is not None and fold_case(value) in NONE | ANY:
                present = HasField(has_field)
                return present if fold_case(value) in ANY else Not(present)
            value = value.removeprefix({"project": "#", "tag": "@"}.get(key.name, ""))
        match key.name:
            case "view":
                return self.read_view(word, value)
            case "sort" | "group":
                raise filter_error(word, "is given twice: once is enough")
            case "id":
                value += self._following_ids(value)
        return self._known(word, VALUE_READERS[key.name](word, value))

    def _following_ids(self, value: str) -> str:
        """Return the ids that follow `3,` and a blank."""
        more = ""
        while f"{value}{more}".endswith(",") and self.cursor.peek()[:1].isdigit():
            more += self.cursor.word.text
            self.cursor.take(TokenKind.ID)
        return more

    def _known(self, word: FilterWord, term: Filter) -> Filter:
        """Return the term; warn about a project or tag that no task has."""
        match term, self.names:
            case InProject(name), FilterNames() as names if not names.has_project(name):
                meant = map(format_project, close_matches(name, names.projects or ()))
                complaint = "names a project without tasks"
            case HasTag(name), FilterNames() as names if not names.has_tag(name):
                meant = map(format_tag, close_matches(name, names.tags or ()))
                complaint = "names a tag without tasks"
            case _:
                return term
        self.warnings.append(filter_error(word, complaint, suggestions=meant, hint=""))
        return term

    def _warn_about_sign(self, word: FilterWord, name: str) -> None:
        """Warn about `-home`: a tag to exclude elsewhere, but a search term here."""
        if self.names is None:
            return
        if name[0] in "@#!" and name[1:]:
            suggestion = name
        elif self.names.tags is not None and self.names.has_tag(name):
            suggestion = f"@{name}"
        else:
            return
        suggestion = suggestion if word.text[0] == "+" else f"not {suggestion}"
        self.warnings.append(
            filter_error(word, "is searched for as it stands", suggestions=[suggestion], hint="")
        )

    @cached_property
    def _day_reader(self) -> DayReader:
        # Deferred: the date grammar is large, and most filters have no dates.
        from todo_tui.domain.filters.days import DayReader

        return DayReader(self.now, self.style)

    def _parse_days(
        self, word: FilterWord, parts: KeyedWord, of: DayField, comparison: Comparison
    ) -> Filter:
        """Parse `due.before:friday 5pm`: a value, and unless quoted the words that continue it."""
        value = self.cursor.value_of(word, parts, TokenKind.DAYS)
        if comparison is Comparison.ITSELF and fold_case(value) in NONE | ANY:
            has_day = _HAS_DAY.get(of, WithinDays(of, None, None))
            return has_day if fold_case(value) in ANY else Not(has_day)
        phrase = [value] if parts.quoted else [value, *self.cursor.following(_may_continue)]
        found = self._day_reader.read(of, comparison, phrase)
        if found is None:
            complaint = (
                "names no day that I understand: a day such as friday, tomorrow, “this week” or"
                " 2026-12-01, or none would fit"
            )
            raise filter_error(word, complaint, hint=_DAY_HINT)
        self.cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _days_without_key(self, word: FilterWord, *, shortest: int) -> Filter | None:
        """Parse `this week`, `next 3 days`, `7 days` as due days."""
        phrase = [word.text, *self.cursor.following(_may_continue)]
        found = self._day_reader.read(DayField.DUE, Comparison.ITSELF, phrase)
        if found is None or found.words < shortest:
            return None
        self.cursor.mark(word, TokenKind.DAYS)
        self.cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _days_after_field(self, word: FilterWord, of: DayField) -> Filter | None:
        """Parse `due before friday`, `done this week`; None if no day follows."""
        start = self.cursor.at
        comparison = Comparison.ITSELF
        if self.cursor.peek() in COMPARISONS and self.cursor.peek() != "in":
            comparison = COMPARISONS[self.cursor.peek()]
            self.cursor.take(TokenKind.DAYS)
        found = self._day_reader.read(of, comparison, self.cursor.following(_may_continue))
        if found is None:
            self.cursor.at = start
            return None
        self.cursor.mark(word, TokenKind.DAYS)
        self.cursor.take(TokenKind.DAYS, found.words)
        return found.term


def _reject_typo(word: FilterWord, parts: KeyedWord) -> None:
    """Raise an error for an unknown key that resembles a known one."""
    if (
        parts.sign
        or not parts.value
        or len(parts.head) < _SHORTEST_KEY
        or parts.value.startswith("//")
    ):
        return
    rest = word.raw[len(parts.head) :]
    known = (each for row in KEY_ROWS for each in (row.words if row.day else row.words[:1]))
    similar = close_matches(parts.head, known, likeness=_TYPO)
    if similar:
        suggestions = (f"{each}{rest}" for each in similar)
        raise filter_error(
            word, f"has a key that is not known: {parts.head}", suggestions=suggestions
        )


def _read_modifier(word: FilterWord, parts: KeyedWord, head: str, key: KeyRow) -> Comparison:
    """Return the comparison of `.before` in `due.before:`."""
    if not key.is_ordered:
        raise filter_error(
            word,
            f"should be {head}:{parts.value}",
            hint="Only days and priorities have a word behind a dot, as in due.before:friday.",
        )
    modifier = parts.modifier or ""
    comparison = COMPARISONS.get(modifier)
    if comparison is None or (parts.sign and parts.sign not in ("=", *UNEQUAL)):
        known, hint = (
            (("before", "after", "by", "since"), _DAY_HINT)
            if key.day is not None
            else (("above", "below", "from", "to"), _PRIORITY_HINT)
        )
        listed = f"{head}.{', .'.join(known[:-1])} or .{known[-1]}"
        suggestions = (f"{head}.{each}:{parts.value}" for each in close_matches(modifier, known))
        raise filter_error(
            word, f"is not known: {listed} would fit", suggestions=suggestions, hint=hint
        )
    return comparison


def _may_continue(word: FilterWord) -> bool:
    """Return True for words that may continue a day: no sign, and no key of their own."""
    if not word.key or word.key in OPERATORS or word.key[0] in "#@!":
        return False
    parts = split_keyed(word)
    return parts is None or parts.head not in KEYS
