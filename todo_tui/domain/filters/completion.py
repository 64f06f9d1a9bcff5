"""Completion candidates for filters, and for `#project` and `@tag` in quick add."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple, assert_never

from todo_tui.domain.change_words.signs import LiteralSpan, find_literals, find_signs
from todo_tui.domain.filters.lexer import (
    DAYS,
    KEYS,
    FilterKey,
    FilterNames,
    KeyedWord,
    TokenKind,
    split_keyed,
    tokenize_filter,
)
from todo_tui.domain.filters.terms import DayField, Grouping, SortField
from todo_tui.domain.filters.text import format_project, format_tag, format_view
from todo_tui.domain.task import Priority
from todo_tui.domain.text import fold_case

MAX_CANDIDATES = 50
"""Maximum number of candidates."""
_KEY_WORDS: Mapping[str, str] = {
    "due:": "on a day, as in due:friday",
    "due.before:": "before a day, as in due.before:monday",
    "due.after:": "after a day",
    "due.by:": "on a day or before it",
    "due.since:": "on a day or after it",
    "project:": "in a project or below it",
    "tag:": "with a tag",
    "priority:": "with a priority",
    "priority.from:": "with a priority or a higher one",
    "status:": "with a status",
    "has:": "with a field that is set",
    "no:": "without a field",
    "id:": "by number, as in id:3,5,7-9",
    "under:": "below a task, at any depth",
    "parent:": "right below a task",
    "view:": "what a saved view shows",
    "start:": "that starts on a day",
    "done:": "done on a day, as in done.since:monday",
    "created:": "made on a day",
    "updated:": "changed on a day",
    "sort:": "the order, as in sort:priority,due-",
    "group:": "the headings, as in group:project",
}
_STATE_WORDS: Mapping[str, str] = {
    "overdue": "open, and too late",
    "ready": "nothing to wait for",
    "started": "in progress, or its start has come",
    "waiting": "its start lies ahead",
    "blocked": "waits for another task",
    "blocking": "others wait for it",
    "recurring": "comes again",
    "doing": "in progress",
    "done": "done",
    "cancelled": "given up",
    "open": "todo or doing",
    "todo": "not begun",
    "all": "done and cancelled too",
    "trash": "thrown away",
}
_DAY_WORDS: Mapping[str, str] = {
    "today": "due today",
    "tomorrow": "due tomorrow",
    "this week": "due this week",
    "next week": "due next week",
    "next 7 days": "due from today on",
    "no due": "without a due date",
}
_OPERATOR_WORDS: Mapping[str, str] = {
    "and": "both hold",
    "or": "one of them holds",
    "not": "does not hold",
}
_DAY_VALUES = (
    "today", "tomorrow", "yesterday", '"this week"', '"next week"', '"next 7 days"',
    '"this month"', "monday", "friday", "none",
)  # fmt: skip
_PAST_VALUES = (
    "today", "yesterday", '"this week"', '"last week"', '"last 7 days"', '"this month"', "monday",
)  # fmt: skip
_PRIORITY_VALUES = ("high", "medium", "low", "none")
_FIELD_VALUES = (
    "due", "start", "project", "tags", "priority", "notes", "repeat", "children", "parent",
    "blockers", "remarks",
)  # fmt: skip
_OPEN_QUOTE = re.compile(r'(?:^|[\s(!&|])(?P<word>(?P<key>project|tag|view):["“](?P<name>[^"”]*))$')
MAX_SIGN_CANDIDATES = 20
_SIGN_PREFIX = re.compile(r"(?<!\S)(?P<sign>[#@!])(?P<name>[^\s#@!]*)$")
_REST = re.compile(r"[^\s#@!]*")


class Candidate(NamedTuple):
    """Candidate text, its token kind, and its meaning (empty if self-explanatory)."""

    text: str
    kind: TokenKind
    about: str = ""


class Completions(NamedTuple):
    """Candidates for the text from `start` up to `end`, the likeliest first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]


def complete_filter(text: str, cursor: int, names: FilterNames) -> Completions:
    """Complete the word at the cursor; without a word, list what could begin there."""
    unfinished = _OPEN_QUOTE.search(text[:cursor])
    if unfinished is not None:
        found = _names(FilterKey(unfinished["key"]), unfinished["name"], names)
        return _completions(unfinished.start("word"), cursor, found)
    here = next(
        (word for word in tokenize_filter(text) if word.position < cursor <= word.end), None
    )
    if here is None:
        return _completions(cursor, cursor, _complete_word("", _word_before(text, cursor), names))
    if here.quoted:
        return Completions(cursor, cursor, ())
    prefix = text[here.position : cursor]
    found = _complete_word(prefix, _word_before(text, here.position), names)
    return _completions(here.position, here.end, found)


def _completions(start: int, end: int, found: Iterable[Candidate]) -> Completions:
    return Completions(start, end, tuple(dict.fromkeys(islice(found, MAX_CANDIDATES))))


def _word_before(text: str, position: int) -> str:
    words = list(tokenize_filter(text[:position]))
    return words[-1].key if words else ""


def _complete_word(prefix: str, before: str, names: FilterNames) -> Iterator[Candidate]:
    parts = next((split_keyed(word) for word in tokenize_filter(prefix)), None)
    if prefix[:1] == "#":
        yield from _names(FilterKey.PROJECT, prefix[1:], names)
    elif prefix[:1] == "@":
        yield from _names(FilterKey.TAG, prefix[1:], names)
    elif prefix[:1] == "!":
        marked = (f"!{each}" for each in _PRIORITY_VALUES)
        yield from _matching(prefix, marked, TokenKind.PRIORITY)
    elif parts is not None and (parts.head in KEYS or parts.head in DAYS):
        yield from _values(parts, prefix[: parts.start], names)
    else:
        yield from _words(prefix, before)


def _words(prefix: str, before: str) -> Iterator[Candidate]:
    """Yield words with a meaning of their own, and keys."""
    if before in ("no", "has", "without"):
        yield from _matching(prefix, _FIELD_VALUES, TokenKind.FIELD)
    tables = [
        (_DAY_WORDS, TokenKind.DAYS),
        (_STATE_WORDS, TokenKind.STATE),
        (_KEY_WORDS, TokenKind.KEY),
    ]
    if before:
        tables.append((_OPERATOR_WORDS, TokenKind.OPERATOR))
    for table, kind in tables:
        for word, about in table.items():
            if word.startswith(fold_case(prefix)) and word != fold_case(prefix):
                yield Candidate(word, kind, about)


def _values(parts: KeyedWord, head: str, names: FilterNames) -> Iterator[Candidate]:
    """Yield values of a key, each with the key before it; `head` is the key as typed."""
    if parts.head in DAYS:
        is_past = DAYS[parts.head] not in (DayField.DUE, DayField.START)
        days = _PAST_VALUES if is_past else _DAY_VALUES
        yield from _matching(f"{head}{parts.value}", _prepend(head, days), TokenKind.DAYS)
        return
    key = KEYS[parts.head]
    match key:
        case FilterKey.PROJECT | FilterKey.TAG | FilterKey.VIEW:
            yield from _names(key, parts.value, names)
        case FilterKey.PRIORITY:
            values = _prepend(head, _PRIORITY_VALUES)
            yield from _matching(f"{head}{parts.value}", values, TokenKind.PRIORITY)
        case FilterKey.STATUS:
            values = _prepend(head, _STATE_WORDS)
            yield from _matching(f"{head}{parts.value}", values, TokenKind.STATE)
        case FilterKey.NO | FilterKey.HAS:
            values = _prepend(head, _FIELD_VALUES)
            yield from _matching(f"{head}{parts.value}", values, TokenKind.FIELD)
        case FilterKey.SORT:
            done, comma, prefix = parts.value.rpartition(",")
            values = _prepend(f"{head}{done}{comma}", (each.value for each in SortField))
            yield from _matching(f"{head}{done}{comma}{prefix}", values, TokenKind.ORDER)
        case FilterKey.GROUP:
            values = _prepend(head, (each.value for each in Grouping))
            yield from _matching(f"{head}{parts.value}", values, TokenKind.ORDER)
        case FilterKey.ID | FilterKey.PARENT | FilterKey.UNDER:
            return
        case _:
            assert_never(key)


def _prepend(head: str, values: Iterable[str]) -> Iterator[str]:
    return (f"{head}{value}" for value in values)


def _matching(prefix: str, texts: Iterable[str], kind: TokenKind) -> Iterator[Candidate]:
    wanted = fold_case(prefix).replace('"', "")
    for text in texts:
        if fold_case(text).replace('"', "").startswith(wanted):
            yield Candidate(text, kind)


def _names(key: FilterKey, prefix: str, names: FilterNames) -> Iterator[Candidate]:
    known, kind, write = {
        FilterKey.PROJECT: (names.projects_and_above, TokenKind.PROJECT, format_project),
        FilterKey.TAG: (names.tags or (), TokenKind.TAG, format_tag),
        FilterKey.VIEW: (tuple(names.views), TokenKind.VIEW, format_view),
    }[key]
    yield from (Candidate(write(name), kind) for name in rank_names(prefix, known))


def rank_names(prefix: str, known: Iterable[str]) -> list[str]:
    """Return names that start with the text, then those that contain it, each alphabetically."""
    wanted = fold_case(prefix)
    matching = [name for name in known if wanted in fold_case(name)]
    return sorted(
        matching, key=lambda name: (not fold_case(name).startswith(wanted), fold_case(name), name)
    )


def complete_sign(
    text: str, cursor: int, names: FilterNames, literals: Iterable[LiteralSpan] = ()
) -> Completions:
    """Complete the project or tag at the cursor, the likeliest candidates first."""
    nothing = Completions(cursor, cursor, ())
    prefix = _SIGN_PREFIX.search(text[:cursor])
    kept = (*find_literals(text), *literals)
    if prefix is None or any(start <= prefix.start() < end for start, end in kept):
        return nothing
    rest = _REST.match(text, cursor)
    end = rest.end() if rest is not None else cursor
    sign, name = prefix["sign"], prefix["name"]
    known, kind = {
        "#": (names.projects_and_above, TokenKind.PROJECT),
        "@": (names.tags or (), TokenKind.TAG),
        "!": (tuple(each.value for each in Priority), TokenKind.PRIORITY),
    }[sign]
    found = [each for each in rank_names(name, known) if _can_be_typed(sign + each)]
    typed = text[prefix.start() : end]
    candidates = tuple(Candidate(sign + each, kind) for each in found[:MAX_SIGN_CANDIDATES])
    if candidates and fold_case(candidates[0].text) == fold_case(typed):
        candidates = candidates[1:]
    return Completions(prefix.start(), end, candidates)


def _can_be_typed(sign: str) -> bool:
    """Return True if quick add reads all of it as one sign; names with blanks fail."""
    found = find_signs(sign, [])
    return len(found) == 1 and found[0].span.end == len(sign)
