"""The grammar of filters: words to terms.

    filter  := either
    either  := both ("or" both)*
    both    := one ("and"? one)*
    one     := "not" one | "(" either ")" | term
    term    := #12 | #project | @tag | !priority | key:value | a known phrase | any other word

Words that are quoted search as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import takewhile

from todo_tui.domain.dates import DateNotUnderstood, DayRange, read_date, read_range
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.filter_terms import (
    EVERYTHING,
    AnyStatus,
    DayField,
    Filter,
    Has,
    HasId,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsOpen,
    IsOverdue,
    IsWaiting,
    Not,
    Or,
    Says,
    Side,
    TaskField,
    Within,
    all_of,
    day_after,
    day_before,
)
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.text import folded, plain_line
from todo_tui.domain.when import DateStyle

LONGEST = 2_000
DEEPEST = 30
MOST_WORDS = 200
LONGEST_PHRASE = 8


class FilterProblem(ValidationError):
    """A filter that cannot be read; `word` stands at `position` (from 0) of its text."""

    def __init__(self, message: str, *, word: str, position: int) -> None:
        super().__init__(message, hint="Put words in quotes to search for them as they stand.")
        self.word = word
        self.position = position


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a filter; `quoted` when it began with a quotation mark."""

    text: str
    position: int
    quoted: bool = False

    @property
    def key(self) -> str:
        """What the grammar compares; nothing for quoted words, which are never grammar."""
        return "" if self.quoted else folded(self.text)


_CHUNK = re.compile(
    r"""["“] (?P<quoted> [^"”]* ) ["”]? | (?: ["“] [^"”]* ["”] | \S )+""", re.VERBOSE
)
_QUOTES = re.compile('["“”]')


def read_filter(text: str, now: datetime, style: DateStyle) -> Filter:
    """Read a filter without adding a scope to it; an empty text asks for everything.

    Raises:
        FilterProblem: a word stands where it cannot, or its value is none that fits.
    """
    if len(text) > LONGEST:
        raise FilterProblem(
            f"The filter is too long: at most {LONGEST:,} characters.", word="", position=LONGEST
        )
    return _Reader(_words(plain_line(text)), now, style).read()


def _words(text: str) -> list[Word]:
    words: list[Word] = []
    position = 0
    while found := _CHUNK.search(text, position):
        if found[0][0] == "(":
            words.append(Word("(", found.start()))
            position = found.start() + 1
        elif found["quoted"] is not None:
            words.append(Word(" ".join(found["quoted"].split()), found.start(), quoted=True))
            position = found.end()
        else:
            words.extend(_plain_words(found[0], found.start()))
            position = found.end()
    if len(words) > MOST_WORDS:
        late = words[MOST_WORDS]
        raise FilterProblem(
            f"The filter is too long: at most {MOST_WORDS} words.",
            word=late.text,
            position=late.position,
        )
    return [word for word in words if word.text]


def _plain_words(chunk: str, position: int) -> list[Word]:
    """A word and the brackets that close behind it; `f(x)` keeps its own."""
    closing = 0
    while chunk.endswith(")") and chunk.count(")") > chunk.count("("):
        chunk = chunk[:-1]
        closing += 1
    end = position + len(chunk)
    return [
        Word(_QUOTES.sub("", chunk), position),
        *(Word(")", end + number) for number in range(closing)),
    ]


_PRIORITIES: Mapping[str, Priority] = {
    **dict.fromkeys(("high", "hi", "h", "1"), Priority.HIGH),
    **dict.fromkeys(("medium", "med", "m", "2"), Priority.MEDIUM),
    **dict.fromkeys(("low", "lo", "l", "3"), Priority.LOW),
}
_STATUSES: Mapping[str, Filter] = {
    "open": IsOpen(),
    "todo": HasStatus(Status.TODO),
    "doing": HasStatus(Status.DOING),
    **dict.fromkeys(("done", "completed", "finished"), HasStatus(Status.DONE)),
    **dict.fromkeys(("cancelled", "canceled"), HasStatus(Status.CANCELLED)),
    "all": AnyStatus(),
    **dict.fromkeys(("trash", "trashed", "deleted"), InTrash()),
    "waiting": IsWaiting(),
    "blocked": IsBlocked(),
    "overdue": IsOverdue(),
    **dict.fromkeys(("recurring", "repeating"), Has(TaskField.RECURRENCE)),
}
_FIELDS: Mapping[str, TaskField] = {
    **dict.fromkeys(("due", "date", "dates"), TaskField.DUE),
    "start": TaskField.START,
    **dict.fromkeys(("project", "projects"), TaskField.PROJECT),
    **dict.fromkeys(("tag", "tags"), TaskField.TAGS),
    **dict.fromkeys(("priority", "priorities"), TaskField.PRIORITY),
    **dict.fromkeys(("note", "notes"), TaskField.NOTES),
    **dict.fromkeys(("repeat", "recurrence"), TaskField.RECURRENCE),
}


class _Key(StrEnum):
    """What stands before a colon; the values of the first three are fields too."""

    PROJECT = "project"
    TAG = "tag"
    PRIORITY = "priority"
    STATUS = "status"
    ID = "id"
    NO = "no"
    HAS = "has"


_KEYS: Mapping[str, _Key] = {
    **dict.fromkeys(("project", "proj"), _Key.PROJECT),
    **dict.fromkeys(("tag", "tags"), _Key.TAG),
    **dict.fromkeys(("priority", "prio", "pri"), _Key.PRIORITY),
    **dict.fromkeys(("status", "is"), _Key.STATUS),
    "id": _Key.ID,
    "no": _Key.NO,
    "has": _Key.HAS,
}
_DAY_FIELDS: Mapping[str, DayField] = {
    "due": DayField.DUE,
    "start": DayField.START,
    "completed": DayField.COMPLETED,
}
_NONE = frozenset({"none", "no", "empty", "never"})
_ANY = frozenset({"any", "some", "set"})
_BEFORE, _AFTER, _UNTIL, _SINCE = "before", "after", "until", "since"
_MODIFIERS: Mapping[str, str] = {
    **dict.fromkeys(("before", "below"), _BEFORE),
    **dict.fromkeys(("after", "above"), _AFTER),
    **dict.fromkeys(("by", "until", "till", "to"), _UNTIL),
    **dict.fromkeys(("since", "from"), _SINCE),
    **dict.fromkeys(("on", "in", "is"), ""),
}
_OPENERS = frozenset({"today", "tomorrow", "yesterday", "this", "next", "last", "past"})
_OPERATORS = frozenset({"and", "or", "not", "(", ")"})
_PRIORITY_WORDS = "high, medium, low or none"
_DAY_WORDS = "a day such as friday, tomorrow, “this week” or 2026-12-01, or none"


class _Reader:
    """Reads words from left to right; each method answers with what it has read."""

    def __init__(self, words: list[Word], now: datetime, style: DateStyle) -> None:
        self._words = words
        self._now = now
        self._style = style
        self._at = 0
        self._depth = 0

    def read(self) -> Filter:
        if not self._words:
            return EVERYTHING
        wanted = self._either()
        if self._at < len(self._words):
            word = self._words[self._at]
            raise _problem(word, "closes a bracket that was never opened")
        return wanted

    def _peek(self) -> str:
        return self._words[self._at].key if self._at < len(self._words) else ")"

    def _either(self) -> Filter:
        parts = [self._both()]
        while self._peek() == "or" and self._at < len(self._words):
            self._at += 1
            parts.append(self._both())
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _both(self) -> Filter:
        parts = [self._one()]
        while self._peek() not in (")", "or"):
            if self._peek() == "and":
                self._at += 1
            parts.append(self._one())
        return all_of(*parts)

    def _one(self) -> Filter:
        if self._at >= len(self._words):
            raise _problem(self._words[-1], "needs something after it")
        word = self._words[self._at]
        match word.key:
            case "not":
                self._at += 1
                return Not(self._one())
            case "(":
                return self._bracketed(word)
            case ")" | "and" | "or":
                raise _problem(word, "needs something before it")
            case _:
                return self._term(word)

    def _bracketed(self, opening: Word) -> Filter:
        self._at += 1
        self._depth += 1
        if self._depth > DEEPEST:
            raise _problem(opening, "is one bracket too deep")
        wanted = self._either()
        if self._at >= len(self._words):
            raise _problem(opening, "opens a bracket that is never closed")
        self._at += 1
        self._depth -= 1
        return wanted

    def _term(self, word: Word) -> Filter:
        self._at += 1
        if word.quoted:
            return Says(word.text)
        return self._marked(word) or self._keyed(word) or self._phrase(word) or Says(word.text)

    def _marked(self, word: Word) -> Filter | None:
        """`#12`, `#project`, `@tag`, `!priority`."""
        mark, name = word.text[0], word.text[1:]
        if not name:
            return None
        match mark:
            case "#":
                if name.isascii() and name.isdigit():
                    return HasId(min(int(name), MOST_ID))
                return InProject(name)
            case "@":
                return HasTag(name)
            case "!":
                return self._priority(word, _EXCLAIMED.get(name, name))
            case _:
                return None

    def _keyed(self, word: Word) -> Filter | None:
        """`key:value` of a key that is known; others search as they stand."""
        key, colon, value = word.text.partition(":")
        head, dot, modifier = folded(key).partition(".")
        if not colon or (head not in _KEYS and head not in _DAY_FIELDS):
            return None
        if not value:
            value = self._next_value(word)
        if head in _DAY_FIELDS:
            return self._keyed_days(word, head, modifier if dot else "", value)
        if dot:
            raise _problem(word, f"should be {head}:{value}")
        return self._keyed_mark(word, _KEYS[head], value)

    def _keyed_mark(self, word: Word, key: _Key, value: str) -> Filter:
        field = _FIELDS.get(key)
        if field is not None and folded(value) in _NONE | _ANY:
            return Has(field) if folded(value) in _ANY else Not(Has(field))
        match key:
            case _Key.PROJECT:
                return InProject(value.removeprefix("#"))
            case _Key.TAG:
                return HasTag(value.removeprefix("@"))
            case _Key.PRIORITY:
                return self._priority(word, value)
            case _Key.ID:
                return self._id(word, value)
            case _Key.NO | _Key.HAS:
                return self._presence(word, value, present=key is _Key.HAS)
            case _Key.STATUS:
                return self._status(word, value)

    def _next_value(self, word: Word) -> str:
        if self._at >= len(self._words) or self._words[self._at].key in _OPERATORS:
            raise _problem(word, "needs a value right after the colon")
        self._at += 1
        return self._words[self._at - 1].text

    def _priority(self, word: Word, name: str) -> Filter:
        if folded(name) in _NONE:
            return Not(Has(TaskField.PRIORITY))
        priority = _PRIORITIES.get(folded(name))
        if priority is None:
            raise _problem(word, f"names no priority: {_PRIORITY_WORDS} would fit")
        return HasPriority(priority)

    def _id(self, word: Word, value: str) -> Filter:
        digits = value.removeprefix("#")
        if not (digits.isascii() and digits.isdigit()):
            raise _problem(word, "names no task: a number such as #12 would fit")
        return HasId(min(int(digits), MOST_ID))

    def _presence(self, word: Word, value: str, *, present: bool) -> Filter:
        field = _FIELDS.get(folded(value))
        if field is None:
            raise _problem(word, "names no field: due, start, project, tags or notes would fit")
        return Has(field) if present else Not(Has(field))

    def _status(self, word: Word, value: str) -> Filter:
        wanted = _STATUSES.get(folded(value).replace("_", " ").replace("-", " "))
        if wanted is None:
            raise _problem(
                word, "names no status: open, todo, doing, done, cancelled or all would fit"
            )
        return wanted

    def _keyed_days(self, word: Word, head: str, modifier: str, value: str) -> Filter:
        field = _DAY_FIELDS[head]
        if folded(value) in _NONE | _ANY and not modifier and field is not DayField.COMPLETED:
            has = Has(TaskField.DUE if field is DayField.DUE else TaskField.START)
            return has if folded(value) in _ANY else Not(has)
        sense = _MODIFIERS.get(modifier) if modifier else ""
        if sense is None:
            raise _problem(word, f"is not known: {head}.before, .after, .by or .since would fit")
        found = self._days(field, sense, value)
        if found is None:
            raise _problem(word, f"names no day that I understand: {_DAY_WORDS} would fit")
        return found

    def _phrase(self, word: Word) -> Filter | None:
        """Words that mean something without a mark, alone or together."""
        key, after = word.key, self._peek()
        if key in ("no", "without", "has") and after in _FIELDS:
            self._at += 1
            if after == "due" and self._peek() in ("date", "dates"):
                self._at += 1
            field = _FIELDS[after]
            return Has(field) if key == "has" else Not(Has(field))
        if key in _PRIORITIES and after == "priority" and not key.isdigit():
            self._at += 1
            return HasPriority(_PRIORITIES[key])
        if key == "in" and after == "progress":
            self._at += 1
            return HasStatus(Status.DOING)
        if key in _STATUSES:
            if after in ("task", "tasks"):
                self._at += 1
            return _STATUSES[key]
        if key in _OPENERS:
            return self._days(DayField.DUE, "", word.text)
        if key in _DAY_FIELDS:
            return self._spoken_days(_DAY_FIELDS[key])
        return None

    def _spoken_days(self, field: DayField) -> Filter | None:
        """`due before friday`, `due this week`; nothing is read where no day follows."""
        begun = self._at
        sense = ""
        if self._peek() in _MODIFIERS and self._peek() != "in":
            sense = _MODIFIERS[self._peek()]
            self._at += 1
        if self._at < len(self._words) and self._words[self._at].key not in _OPERATORS:
            self._at += 1
            found = self._days(field, sense, self._words[self._at - 1].text)
            if found is not None:
                return found
        self._at = begun
        return None

    def _days(self, field: DayField, sense: str, first: str) -> Filter | None:
        """The longest run of words from `first` on that names days."""
        following = takewhile(_may_continue, self._words[self._at :])
        phrase = [first, *(word.text for word in following)][:LONGEST_PHRASE]
        while phrase:
            words = " ".join(phrase)
            found = self._read_days(field, sense, words)
            if found is not None:
                self._at += len(phrase) - 1
                return found
            phrase.pop()
        return None

    def _read_days(self, field: DayField, sense: str, words: str) -> Filter | None:
        readers: list[Callable[[], Filter]] = [
            lambda: self._stretch(field, sense, words),
            lambda: self._moment(field, sense, words),
        ]
        # “in 3 days” is a day to count to, not the three days until then.
        if folded(words).startswith("in ") and not folded(words).startswith("in the "):
            readers.reverse()
        for read in readers:
            try:
                return read()
            except DateNotUnderstood:
                continue
        return None

    def _stretch(self, field: DayField, sense: str, words: str) -> Filter:
        return _within(field, sense, read_range(words, self._now, self._style), words)

    def _moment(self, field: DayField, sense: str, words: str) -> Filter:
        when = read_date(words, self._now, self._style).when
        if when.at is None or not sense:
            return _within(field, sense, DayRange(when.day, when.day), words)
        return _beside(field, sense, when.local())


MOST_ID = 2**63 - 1
"""The largest number that SQLite can hold; no task will ever have it."""

_EXCLAIMED: Mapping[str, str] = {"!!": "high", "!": "medium"}


def _within(field: DayField, sense: str, days: DayRange, words: str) -> Filter:
    if sense == _BEFORE:
        return Within(field, None, day_before(days.first), words)
    if sense == _AFTER:
        return Within(field, day_after(days.last), None, words)
    if sense == _UNTIL:
        return Within(field, None, days.last, words)
    if sense == _SINCE:
        return Within(field, days.first, None, words)
    return Within(field, days.first, days.last, words)


def _beside(field: DayField, sense: str, moment: datetime) -> Filter:
    inclusive = sense in (_UNTIL, _SINCE)
    return Side(field, moment, before=sense in (_BEFORE, _UNTIL), inclusive=inclusive)


def _may_continue(word: Word) -> bool:
    """Whether a word may belong to the days before it."""
    return bool(word.key) and word.key not in _OPERATORS and word.key[0] not in "#@!"


def _problem(word: Word, complaint: str) -> FilterProblem:
    return FilterProblem(f"“{word.text[:60]}” {complaint}.", word=word.text, position=word.position)
