"""Terms of a filter from words: marks, keys with values, and phrases that need no key.

#12  #project  @tag  !high  due.before:friday  priority>=medium  this week  no due  blocked
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.filter_cursor import Cursor
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem, alike, problem
from todo_tui.domain.filter_terms import (
    Below,
    ChildOf,
    DayField,
    Filter,
    Has,
    HasId,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    Not,
    Says,
    TaskField,
    Within,
)
from todo_tui.domain.filter_tokens import KeyedWord, TokenKind, Word, keyed
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
    EXCLAIMED,
    FIELDS,
    KEYS,
    NONE,
    OPENERS,
    OPERATORS,
    PRIORITIES,
    SENSES,
    STATES,
    UNEQUAL,
    UNITS,
    Key,
    Sense,
)
from todo_tui.domain.task import Status
from todo_tui.domain.text import folded
from todo_tui.domain.when import DateStyle

if TYPE_CHECKING:
    from todo_tui.domain.filter_days import DayReader

ReadView = Callable[[Word, str], Filter]
"""Reads the filter of the view that a word names."""

_DAY_WORDS = "a day such as friday, tomorrow, “this week” or 2026-12-01, or none"
_COMPARED = re.compile(r"<=|>=|!=|[<>=≤≥≠]")
_DAY_HINT = "For example due.before:friday, done.since:monday or due:2026-12-01."
_PRIORITY_HINT = "For example priority.from:medium, which is high and medium."
_SHORTEST_KEY = 3
_TYPO = 0.75
_ABSENT = {
    DayField.DUE: Has(TaskField.DUE),
    DayField.START: Has(TaskField.START),
}


class TermReader:
    """Reads one term at a time from where the cursor stands."""

    def __init__(
        self,
        cursor: Cursor,
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
        self.doubts: list[FilterProblem] = []
        """Names that no task has, and signs that mean something elsewhere."""

    @cached_property
    def _days(self) -> DayReader:
        # The grammar of dates is large, and most filters do without.
        from todo_tui.domain.filter_days import DayReader

        return DayReader(self._now, self._style)

    def term(self) -> Filter:
        """The term of the next word, or of as many as belong together.

        Raises:
            FilterProblem: the word has a form that the grammar knows, but not its value.
        """
        word = self._cursor.word
        self._cursor.take(TokenKind.SEARCH)
        if word.quoted:
            return Says(word.text)
        return (
            self._marked(word)
            or self._keyed(word)
            or self._compared(word)
            or self._phrase(word)
            or Says(word.text)
        )

    def _marked(self, word: Word) -> Filter | None:
        """`#12`, `#project`, `@tag`, `!priority`."""
        mark, name = word.text[0], word.text[1:]
        if not name:
            return None
        match mark:
            case "#" if name.isascii() and name.isdigit():
                self._cursor.call(word, TokenKind.ID)
                return HasId(read_number(word, name))
            case "#":
                return self._project(word, name)
            case "@":
                return self._tag(word, name)
            case "!":
                self._cursor.call(word, TokenKind.PRIORITY)
                return read_priority(word, EXCLAIMED.get(name, name))
            case "+" | "-" if self._names is not None:
                self._doubt_sign(word, name, self._names)
                return None
            case _:
                return None

    def _doubt_sign(self, word: Word, name: str, names: FilterNames) -> None:
        """Elsewhere `-home` leaves a tag out; here it is searched for, which few want."""
        if name[0] in "@#!" and name[1:]:
            meant = name
        elif names.tags is not None and names.has_tag(name):
            meant = f"@{name}"
        else:
            return
        meant = meant if word.text[0] == "+" else f"not {meant}"
        self.doubts.append(problem(word, "is searched for as it stands", fits=[meant], hint=""))

    def _project(self, word: Word, name: str) -> Filter:
        self._cursor.call(word, TokenKind.PROJECT)
        if self._names is not None and not self._names.has_project(name):
            from todo_tui.domain.filter_text import project_text  # only a doubt needs it

            meant = map(project_text, alike(name, self._names.projects or ()))
            self.doubts.append(problem(word, "names a project without tasks", fits=meant, hint=""))
        return InProject(name)

    def _tag(self, word: Word, name: str) -> Filter:
        self._cursor.call(word, TokenKind.TAG)
        if self._names is not None and not self._names.has_tag(name):
            from todo_tui.domain.filter_text import tag_text  # as above

            meant = map(tag_text, alike(name, self._names.tags or ()))
            self.doubts.append(problem(word, "names a tag without tasks", fits=meant, hint=""))
        return HasTag(name)

    def _keyed(self, word: Word) -> Filter | None:
        """`key:value` of a key that is known; others search as they stand."""
        parts = keyed(word)
        if parts is None:
            return None
        return self._term_of(word, parts)

    def _compared(self, word: Word) -> Filter | None:
        """`due < friday`: the comparison is a word by itself, or begins one."""
        if word.key not in DAYS and KEYS.get(word.key) is not Key.PRIORITY:
            return None
        if self._cursor.at_end:
            return None
        following = self._cursor.word
        sign = None if following.quoted else _COMPARED.match(following.text)
        if sign is None:
            return None
        self._cursor.call(word, TokenKind.KEY)
        self._cursor.take(TokenKind.DAYS)
        value = following.text[sign.end() :]
        parts = KeyedWord(word.key, "", sign[0], value, quoted=False, start=sign.end())
        return self._term_of(following, parts)

    def _term_of(self, word: Word, parts: KeyedWord) -> Filter | None:
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
                return self._project(word, value if parts.quoted else value.removeprefix("#"))
            case Key.TAG:
                return self._tag(word, value if parts.quoted else value.removeprefix("@"))
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
            has = _ABSENT.get(of, Within(of, None, None))
            return has if folded(value) in ANY else Not(has)
        phrase = [value] if parts.quoted else [value, *self._cursor.following(_may_continue)]
        found = self._days.read(of, sense, phrase)
        if found is None:
            raise problem(
                word, f"names no day that I understand: {_DAY_WORDS} would fit", hint=_DAY_HINT
            )
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _phrase(self, word: Word) -> Filter | None:
        """Words that mean something without a mark, alone or together."""
        key, after = word.key, self._cursor.peek()
        if key in ("no", "without", "has") and after in FIELDS:
            return self._presence(word, FIELDS[after])
        if key in PRIORITIES and after == "priority" and not key.isdigit():
            self._together(word, TokenKind.PRIORITY)
            return HasPriority(PRIORITIES[key])
        if key == "in" and after == "progress":
            self._together(word, TokenKind.STATE)
            return HasStatus(Status.DOING)
        if key in DAYS:
            spoken = self._spoken_days(word, DAYS[key])
            if spoken is not None:
                return spoken
        if key in STATES:
            self._cursor.call(word, TokenKind.STATE)
            if after in ("task", "tasks"):
                self._cursor.take(TokenKind.STATE)
            return STATES[key]
        if key in OPENERS or after in UNITS:
            return self._bare_days(word, shortest=1 if key in OPENERS else 2)
        return None

    def _together(self, word: Word, kind: TokenKind) -> None:
        self._cursor.call(word, kind)
        self._cursor.take(kind)

    def _presence(self, word: Word, field: TaskField) -> Filter:
        is_due = self._cursor.peek() == "due"
        self._together(word, TokenKind.FIELD)
        if is_due and self._cursor.peek() in ("date", "dates"):
            self._cursor.take(TokenKind.FIELD)
        return Has(field) if word.key == "has" else Not(Has(field))

    def _bare_days(self, word: Word, *, shortest: int) -> Filter | None:
        """`this week`, `next 3 days`, `7 days`: when it is due."""
        phrase = [word.text, *self._cursor.following(_may_continue)]
        found = self._days.read(DayField.DUE, Sense.ITSELF, phrase)
        if found is None or found.words < shortest:
            return None
        self._cursor.call(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def _spoken_days(self, word: Word, of: DayField) -> Filter | None:
        """`due before friday`, `done this week`; nothing is read where no day follows."""
        begun = self._cursor.at
        sense = Sense.ITSELF
        if self._cursor.peek() in SENSES and self._cursor.peek() != "in":
            sense = SENSES[self._cursor.peek()]
            self._cursor.take(TokenKind.DAYS)
        phrase = self._cursor.following(_may_continue)
        found = self._days.read(of, sense, phrase)
        if found is None:
            self._cursor.at = begun
            return None
        self._cursor.call(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words)
        return found.term


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


def _may_continue(word: Word) -> bool:
    """Whether a word may belong to the days before it: it is no mark, and has no key of its own."""
    if not word.key or word.key in OPERATORS or word.key[0] in "#@!":
        return False
    parts = keyed(word)
    return parts is None or (parts.head not in KEYS and parts.head not in DAYS)
