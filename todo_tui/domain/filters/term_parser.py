"""Parser for single filter terms: `#12`, `@tag`, `this week`, `due.before:friday`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.filters.lexer import (
    ANY,
    COMPARISONS,
    DAYS,
    EXCLAMATION_PRIORITIES,
    FIELDS,
    KEYS,
    NONE,
    OPENERS,
    OPERATORS,
    SENSES,
    STATES,
    UNEQUAL,
    UNITS,
    ComparisonSense,
    FilterKey,
    FilterNames,
    FilterProblem,
    FilterWord,
    KeyedWord,
    TokenKind,
    TokenStream,
    close_matches,
    filter_error,
    split_keyed,
)
from todo_tui.domain.filters.terms import (
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
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
from todo_tui.domain.filters.values import (
    read_id,
    read_ids,
    read_presence,
    read_priorities,
    read_priority,
    read_state,
)
from todo_tui.domain.task import PRIORITY_WORDS, Status
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle

if TYPE_CHECKING:
    from todo_tui.domain.filters.days import DayReader

_DAY_WORDS = "a day such as friday, tomorrow, “this week” or 2026-12-01, or none"
_DAY_HINT = "For example due.before:friday, done.since:monday or due:2026-12-01."
_PRIORITY_HINT = "For example priority.from:medium, which is high and medium."
_SHORTEST_KEY = 3
_TYPO = 0.75
_HAS_DAY = {
    DayField.DUE: HasField(TaskField.DUE),
    DayField.START: HasField(TaskField.START),
}
_VALUE_KINDS = {
    FilterKey.PROJECT: TokenKind.PROJECT,
    FilterKey.TAG: TokenKind.TAG,
    FilterKey.PRIORITY: TokenKind.PRIORITY,
    FilterKey.STATUS: TokenKind.STATE,
    FilterKey.ID: TokenKind.ID,
    FilterKey.PARENT: TokenKind.ID,
    FilterKey.UNDER: TokenKind.ID,
    FilterKey.NO: TokenKind.FIELD,
    FilterKey.HAS: TokenKind.FIELD,
    FilterKey.VIEW: TokenKind.VIEW,
    FilterKey.SORT: TokenKind.ORDER,
    FilterKey.GROUP: TokenKind.ORDER,
}
ReadView = Callable[[FilterWord, str], Filter]
"""Returns the filter of the view named by a word."""
_COMPARED = re.compile(r"<=|>=|!=|[<>=≤≥≠]")


def _reject_typo(word: FilterWord, parts: KeyedWord) -> None:
    """Raise an error for an unknown key that resembles a known one."""
    if (
        parts.comparison
        or not parts.value
        or len(parts.head) < _SHORTEST_KEY
        or parts.value.startswith("//")
    ):
        return
    rest = word.raw[len(parts.head) :]
    known = [*FilterKey, *DAYS]
    similar = close_matches(parts.head, known, likeness=_TYPO)
    if similar:
        suggestions = tuple(f"{each}{rest}" for each in similar)
        raise filter_error(
            word, f"has a key that is not known: {parts.head}", suggestions=suggestions
        )


class TermParser:
    """Parser for one term at a time from the current word.

    Without `names`, any project and tag is accepted without a warning.
    """

    def __init__(
        self,
        cursor: TokenStream,
        now: datetime,
        style: DateStyle,
        names: FilterNames | None,
        read_view: ReadView,
    ) -> None:
        self._cursor = cursor
        self._now = now
        self._style = style
        self._names = names
        self._read_view = read_view
        self.warnings: list[FilterProblem] = []
        """Names that no task has, and signs with a meaning elsewhere."""

    def term(self) -> Filter:
        """Parse the term of the next word, or of several that belong together.

        Raises:
            FilterProblem: the word has a known form, but its value does not fit.
        """
        word = self._cursor.word
        self._cursor.take(TokenKind.SEARCH)
        if word.quoted:
            return ContainsText(word.text)
        return (
            self._parse_sign(word)
            or self._parse_keyed(word)
            or self._parse_comparison(word)
            or self._parse_phrase(word)
            or ContainsText(word.text)
        )

    def _parse_sign(self, word: FilterWord) -> Filter | None:
        """Parse `#12`, `#project`, `@tag`, `!priority`."""
        mark, name = word.text[0], word.text[1:]
        if not name:
            return None
        match mark:
            case "#" if name.isascii() and name.isdigit():
                self._cursor.mark(word, TokenKind.ID)
                return HasId(read_id(word, name))
            case "#":
                return self._project(word, name)
            case "@":
                return self._tag(word, name)
            case "!":
                self._cursor.mark(word, TokenKind.PRIORITY)
                return read_priority(word, EXCLAMATION_PRIORITIES.get(name, name))
            case "+" | "-":
                self._warn_about_sign(word, name)
                return None
            case _:
                return None

    def _parse_keyed(self, word: FilterWord) -> Filter | None:
        """Parse `key:value` with a known key; other words are searched literally."""
        parts = split_keyed(word)
        return None if parts is None else self._parse_key(word, parts)

    def _parse_comparison(self, word: FilterWord) -> Filter | None:
        """Parse `due < friday`: the comparison is a word by itself, or begins one."""
        if word.key not in DAYS and KEYS.get(word.key) is not FilterKey.PRIORITY:
            return None
        if self._cursor.at_end:
            return None
        following = self._cursor.word
        sign = None if following.quoted else _COMPARED.match(following.text)
        if sign is None:
            return None
        self._cursor.mark(word, TokenKind.KEY)
        self._cursor.take(TokenKind.DAYS)
        value = following.text[sign.end() :]
        parts = KeyedWord(word.key, "", sign[0], value, quoted=False, start=sign.end())
        return self._parse_key(following, parts)

    def _parse_phrase(self, word: FilterWord) -> Filter | None:
        """Parse words with a meaning of their own, alone or together."""
        key, after = word.key, self._cursor.peek()
        if key in ("no", "without", "has") and after in FIELDS:
            return self._parse_presence(word, FIELDS[after])
        if key in PRIORITY_WORDS and after == "priority" and not key.isdigit():
            self._take_pair(word, TokenKind.PRIORITY)
            return HasPriority(PRIORITY_WORDS[key])
        if key == "in" and after == "progress":
            self._take_pair(word, TokenKind.STATE)
            return HasStatus(Status.DOING)
        if key in DAYS:
            days = self._days_after_field(word, DAYS[key])
            if days is not None:
                return days
        if key in STATES:
            self._cursor.mark(word, TokenKind.STATE)
            if after in ("task", "tasks"):
                self._cursor.take(TokenKind.STATE)
            return STATES[key]
        if key in OPENERS or after in UNITS:
            return self._days_without_key(word, shortest=1 if key in OPENERS else 2)
        return None

    def _take_pair(self, word: FilterWord, kind: TokenKind) -> None:
        self._cursor.mark(word, kind)
        self._cursor.take(kind)

    def _parse_presence(self, word: FilterWord, field: TaskField) -> Filter:
        is_due = self._cursor.peek() == "due"
        self._take_pair(word, TokenKind.FIELD)
        if is_due and self._cursor.peek() in ("date", "dates"):
            self._cursor.take(TokenKind.FIELD)
        return HasField(field) if word.key == "has" else Not(HasField(field))

    def _parse_key(self, word: FilterWord, parts: KeyedWord) -> Filter | None:
        """Parse a keyed word; None if its key is unknown.

        Raises:
            FilterProblem: the key is nearly a known one, or its value does not fit.
        """
        head = "due" if parts.head == "date" else parts.head
        if head not in KEYS and head not in DAYS:
            _reject_typo(word, parts)
            return None
        negated = parts.comparison in UNEQUAL
        sense = COMPARISONS.get(parts.comparison, ComparisonSense.ITSELF)
        if parts.modifier or word.raw.startswith(f"{parts.head}."):
            sense = self._parse_modifier(word, parts, head)
        if head in DAYS:
            term = self._parse_days(word, parts, DAYS[head], sense)
        elif KEYS[head] is FilterKey.PRIORITY and sense is not ComparisonSense.ITSELF:
            value = self._cursor.value_of(word, parts, TokenKind.PRIORITY)
            term = read_priorities(word, sense, value)
        elif sense is not ComparisonSense.ITSELF:
            raise filter_error(
                word,
                f"compares what has no order: {head}:{parts.value or '…'} would fit",
                hint="Days and priorities can be compared, as in due<friday or priority>=medium.",
            )
        else:
            term = self._parse_value(word, parts, KEYS[head])
        return Not(term) if negated else term

    def _parse_modifier(self, word: FilterWord, parts: KeyedWord, head: str) -> ComparisonSense:
        """Return the sense of `.before` in `due.before:`."""
        if head not in DAYS and KEYS[head] is not FilterKey.PRIORITY:
            raise filter_error(
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
            suggestions = (
                f"{head}.{each}:{parts.value}" for each in close_matches(parts.modifier, known)
            )
            raise filter_error(
                word, f"is not known: {listed} would fit", suggestions=suggestions, hint=hint
            )
        return sense

    def _parse_value(  # noqa: C901 - one case a key
        self, word: FilterWord, parts: KeyedWord, key: FilterKey
    ) -> Filter:
        value = self._cursor.value_of(word, parts, _VALUE_KINDS[key])
        field = FIELDS.get(key)
        if field is not None and not parts.quoted and fold_case(value) in NONE | ANY:
            return HasField(field) if fold_case(value) in ANY else Not(HasField(field))
        match key:
            case FilterKey.PROJECT:
                return self._project(word, value if parts.quoted else value.removeprefix("#"))
            case FilterKey.TAG:
                return self._tag(word, value if parts.quoted else value.removeprefix("@"))
            case FilterKey.PRIORITY:
                return read_priority(word, value)
            case FilterKey.STATUS:
                return read_state(word, value)
            case FilterKey.ID:
                return read_ids(word, value + self._following_ids(value))
            case FilterKey.PARENT:
                return ChildOf(read_id(word, value))
            case FilterKey.UNDER:
                return DescendantOf(read_id(word, value))
            case FilterKey.NO | FilterKey.HAS:
                return read_presence(word, value, present=key is FilterKey.HAS)
            case FilterKey.VIEW:
                return self._read_view(word, value)
            case FilterKey.SORT | FilterKey.GROUP:
                raise filter_error(word, "is given twice: once is enough")

    def _following_ids(self, value: str) -> str:
        """Return the ids that follow `3,` and a blank."""
        more = ""
        while f"{value}{more}".endswith(",") and self._cursor.peek()[:1].isdigit():
            more += self._cursor.word.text
            self._cursor.take(TokenKind.ID)
        return more

    def _parse_days(
        self, word: FilterWord, parts: KeyedWord, of: DayField, sense: ComparisonSense
    ) -> Filter:
        value = self._cursor.value_of(word, parts, TokenKind.DAYS)
        if sense is ComparisonSense.ITSELF and fold_case(value) in NONE | ANY:
            has = _HAS_DAY.get(of, WithinDays(of, None, None))
            return has if fold_case(value) in ANY else Not(has)
        term = self._days_after_key(of, sense, value, quoted=parts.quoted)
        if term is None:
            complaint = f"names no day that I understand: {_DAY_WORDS} would fit"
            raise filter_error(word, complaint, hint=_DAY_HINT)
        return term

    def _project(self, word: FilterWord, name: str) -> Filter:
        """Return the term of a project."""
        self._cursor.mark(word, TokenKind.PROJECT)
        if self._names is not None and not self._names.has_project(name):
            # Deferred: only warnings need it.
            from todo_tui.domain.filters.text import format_project

            suggestions = map(format_project, close_matches(name, self._names.projects or ()))
            self.warnings.append(
                filter_error(
                    word, "names a project without tasks", suggestions=suggestions, hint=""
                )
            )
        return InProject(name)

    def _tag(self, word: FilterWord, name: str) -> Filter:
        """Return the term of a tag."""
        self._cursor.mark(word, TokenKind.TAG)
        if self._names is not None and not self._names.has_tag(name):
            # Deferred: only warnings need it.
            from todo_tui.domain.filters.text import format_tag

            suggestions = map(format_tag, close_matches(name, self._names.tags or ()))
            self.warnings.append(
                filter_error(word, "names a tag without tasks", suggestions=suggestions, hint="")
            )
        return HasTag(name)

    def _warn_about_sign(self, word: FilterWord, name: str) -> None:
        """Warn about `-home`: a tag to exclude elsewhere, but a search term here."""
        if self._names is None:
            return
        if name[0] in "@#!" and name[1:]:
            suggestion = name
        elif self._names.tags is not None and self._names.has_tag(name):
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

        return DayReader(self._now, self._style)

    def _days_after_key(
        self, of: DayField, sense: ComparisonSense, value: str, *, quoted: bool
    ) -> Filter | None:
        """Parse `due.before:friday 5pm`: a value, and unless quoted the words that continue it."""
        phrase = [value] if quoted else [value, *self._cursor.following(_may_continue)]
        found = self._day_reader.read(of, sense, phrase)
        if found is None:
            return None
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _days_without_key(self, word: FilterWord, *, shortest: int) -> Filter | None:
        """Parse `this week`, `next 3 days`, `7 days` as due days."""
        phrase = [word.text, *self._cursor.following(_may_continue)]
        found = self._day_reader.read(DayField.DUE, ComparisonSense.ITSELF, phrase)
        if found is None or found.words < shortest:
            return None
        self._cursor.mark(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _days_after_field(self, word: FilterWord, of: DayField) -> Filter | None:
        """Parse `due before friday`, `done this week`; None if no day follows."""
        start = self._cursor.at
        sense = ComparisonSense.ITSELF
        if self._cursor.peek() in SENSES and self._cursor.peek() != "in":
            sense = SENSES[self._cursor.peek()]
            self._cursor.take(TokenKind.DAYS)
        phrase = self._cursor.following(_may_continue)
        found = self._day_reader.read(of, sense, phrase)
        if found is None:
            self._cursor.at = start
            return None
        self._cursor.mark(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words)
        return found.term


def _may_continue(word: FilterWord) -> bool:
    """Return True for words that may continue a day: no sign, and no key of their own."""
    if not word.key or word.key in OPERATORS or word.key[0] in "#@!":
        return False
    parts = split_keyed(word)
    return parts is None or (parts.head not in KEYS and parts.head not in DAYS)
