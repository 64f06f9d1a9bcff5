"""Terms of a filter from words: marks, and phrases that need neither mark nor key.

#12  #project  @tag  !high  this week  no due  blocked

What has a key, as in `due.before:friday`, is read in `filter_keyed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.filter_cursor import Cursor
from todo_tui.domain.filter_names import FilterNames
from todo_tui.domain.filter_problem import FilterProblem, alike, problem
from todo_tui.domain.filter_terms import (
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
)
from todo_tui.domain.filter_tokens import KeyedWord, TokenKind, Word, keyed
from todo_tui.domain.filter_values import read_number, read_priority
from todo_tui.domain.filter_vocabulary import (
    DAYS,
    EXCLAIMED,
    FIELDS,
    KEYS,
    OPENERS,
    OPERATORS,
    PRIORITIES,
    SENSES,
    STATES,
    UNITS,
    Key,
    Sense,
)
from todo_tui.domain.task import Status
from todo_tui.domain.when import DateStyle

if TYPE_CHECKING:
    from todo_tui.domain.filter_days import DayReader
    from todo_tui.domain.filter_keyed import KeyedTerms

ReadView = Callable[[Word, str], Filter]
"""Reads the filter of the view that a word names."""

_COMPARED = re.compile(r"<=|>=|!=|[<>=≤≥≠]")


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
        self._named = NamedTerms(cursor, names)
        self._days = DayTerms(cursor, now, style)
        self._read_view = read_view

    @property
    def doubts(self) -> Sequence[FilterProblem]:
        """Names that no task has, and signs that mean something elsewhere."""
        return self._named.doubts

    @cached_property
    def _keys(self) -> KeyedTerms:
        # Most filters are words without a key.
        from todo_tui.domain.filter_keyed import KeyedTerms

        return KeyedTerms(self._cursor, self._named, self._days, self._read_view)

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
                return self._named.project(word, name)
            case "@":
                return self._named.tag(word, name)
            case "!":
                self._cursor.call(word, TokenKind.PRIORITY)
                return read_priority(word, EXCLAIMED.get(name, name))
            case "+" | "-":
                self._named.doubt_sign(word, name)
                return None
            case _:
                return None

    def _keyed(self, word: Word) -> Filter | None:
        """`key:value` of a key that is known; others search as they stand."""
        parts = keyed(word)
        return None if parts is None else self._keys.term(word, parts)

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
        return self._keys.term(following, parts)

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
            spoken = self._days.spoken(word, DAYS[key])
            if spoken is not None:
                return spoken
        if key in STATES:
            self._cursor.call(word, TokenKind.STATE)
            if after in ("task", "tasks"):
                self._cursor.take(TokenKind.STATE)
            return STATES[key]
        if key in OPENERS or after in UNITS:
            return self._days.bare(word, shortest=1 if key in OPENERS else 2)
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


class NamedTerms:
    """Terms that name a project or tag, with a doubt where no task has it.

    Without `names` anything may be mentioned.
    """

    def __init__(self, cursor: Cursor, names: FilterNames | None) -> None:
        self._cursor = cursor
        self._names = names
        self.doubts: list[FilterProblem] = []

    def project(self, word: Word, name: str) -> Filter:
        """In that project."""
        self._cursor.call(word, TokenKind.PROJECT)
        if self._names is not None and not self._names.has_project(name):
            from todo_tui.domain.filter_text import project_text  # only a doubt needs it

            meant = map(project_text, alike(name, self._names.projects or ()))
            self.doubts.append(problem(word, "names a project without tasks", fits=meant, hint=""))
        return InProject(name)

    def tag(self, word: Word, name: str) -> Filter:
        """With that tag."""
        self._cursor.call(word, TokenKind.TAG)
        if self._names is not None and not self._names.has_tag(name):
            from todo_tui.domain.filter_text import tag_text  # as above

            meant = map(tag_text, alike(name, self._names.tags or ()))
            self.doubts.append(problem(word, "names a tag without tasks", fits=meant, hint=""))
        return HasTag(name)

    def doubt_sign(self, word: Word, name: str) -> None:
        """Elsewhere `-home` leaves a tag out; here it is searched for, which few want."""
        if self._names is None:
            return
        if name[0] in "@#!" and name[1:]:
            meant = name
        elif self._names.tags is not None and self._names.has_tag(name):
            meant = f"@{name}"
        else:
            return
        meant = meant if word.text[0] == "+" else f"not {meant}"
        self.doubts.append(problem(word, "is searched for as it stands", fits=[meant], hint=""))


class DayTerms:
    """Terms that name days, from where the cursor stands."""

    def __init__(self, cursor: Cursor, now: datetime, style: DateStyle) -> None:
        self._cursor = cursor
        self._now = now
        self._style = style

    @cached_property
    def _reader(self) -> DayReader:
        # The grammar of dates is large, and most filters do without.
        from todo_tui.domain.filter_days import DayReader

        return DayReader(self._now, self._style)

    def behind_key(self, of: DayField, sense: Sense, value: str, *, quoted: bool) -> Filter | None:
        """`due.before:friday 5pm`: a value, and the words that go on with it unless quoted."""
        phrase = [value] if quoted else [value, *self._cursor.following(_may_continue)]
        found = self._reader.read(of, sense, phrase)
        if found is None:
            return None
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def bare(self, word: Word, *, shortest: int) -> Filter | None:
        """`this week`, `next 3 days`, `7 days`: when it is due."""
        phrase = [word.text, *self._cursor.following(_may_continue)]
        found = self._reader.read(DayField.DUE, Sense.ITSELF, phrase)
        if found is None or found.words < shortest:
            return None
        self._cursor.call(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words - 1)
        return found.term

    def spoken(self, word: Word, of: DayField) -> Filter | None:
        """`due before friday`, `done this week`; nothing is read where no day follows."""
        begun = self._cursor.at
        sense = Sense.ITSELF
        if self._cursor.peek() in SENSES and self._cursor.peek() != "in":
            sense = SENSES[self._cursor.peek()]
            self._cursor.take(TokenKind.DAYS)
        phrase = self._cursor.following(_may_continue)
        found = self._reader.read(of, sense, phrase)
        if found is None:
            self._cursor.at = begun
            return None
        self._cursor.call(word, TokenKind.DAYS)
        self._cursor.take(TokenKind.DAYS, found.words)
        return found.term


def _may_continue(word: Word) -> bool:
    """Whether a word may belong to the days before it: it is no mark, and has no key of its own."""
    if not word.key or word.key in OPERATORS or word.key[0] in "#@!":
        return False
    parts = keyed(word)
    return parts is None or (parts.head not in KEYS and parts.head not in DAYS)
