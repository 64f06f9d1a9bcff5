"""Completion candidates for filters, and for `#project` and `@tag` in quick add."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from todo_tui.domain.change_words.signs import LiteralSpan, find_literals, find_signs
from todo_tui.domain.filters.lexer import FilterNames, KeyedWord, split_keyed, tokenize_filter
from todo_tui.domain.filters.terms import DayField, Grouping, SortField
from todo_tui.domain.filters.text import format_project, format_tag, format_view
from todo_tui.domain.filters.vocabulary import (
    FIELD_NAMES,
    KEY_ROWS,
    KEYS,
    STATE_ROWS,
    KeyRow,
    TokenKind,
)
from todo_tui.domain.task import Priority
from todo_tui.domain.text import fold_case

MAX_CANDIDATES = 50
MAX_SIGN_CANDIDATES = 20
_DAY_HELP = {
    "today": "due today",
    "tomorrow": "due tomorrow",
    "this week": "due this week",
    "next week": "due next week",
    "next 7 days": "due in the next 7 days",
    "no due": "without a due date",
}
_OPERATOR_HELP = {
    "and": "both conditions",
    "or": "either condition",
    "not": "exclude a condition",
}
_DAYS = (
    "today", "tomorrow", "yesterday", '"this week"', '"next week"', '"next 7 days"',
    '"this month"', "monday", "friday", "none",
)  # fmt: skip
_PAST_DAYS = (
    "today", "yesterday", '"this week"', '"last week"', '"last 7 days"', '"this month"', "monday",
)  # fmt: skip
_VALUES: Mapping[TokenKind, tuple[str, ...]] = {
    TokenKind.PRIORITY: (*Priority, "none"),
    TokenKind.ESTIMATE: ("15m", "30m", "1h", "2h", "none"),
    TokenKind.STATE: tuple(row.words[0] for row in STATE_ROWS),
    TokenKind.FIELD: FIELD_NAMES,
}
"""Values of the keys of a kind."""
_OPEN_QUOTE = re.compile(r'(?:^|[\s(!&|])(?P<word>(?P<key>project|tag|view):["“](?P<name>[^"”]*))$')
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
        found = _names(KEYS[unfinished["key"]].kind, unfinished["name"], names)
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
        yield from _names(TokenKind.PROJECT, prefix[1:], names)
    elif prefix[:1] == "@":
        yield from _names(TokenKind.TAG, prefix[1:], names)
    elif prefix[:1] == "!":
        yield from _matching("!", prefix[1:], _VALUES[TokenKind.PRIORITY], TokenKind.PRIORITY)
    elif parts is not None and parts.head in KEYS:
        yield from _values(KEYS[parts.head], parts, prefix[: parts.start], names)
    else:
        yield from _words(prefix, before)


def _words(prefix: str, before: str) -> Iterator[Candidate]:
    if before in ("no", "has", "without"):
        yield from _matching("", prefix, FIELD_NAMES, TokenKind.FIELD)
    tables: list[tuple[Mapping[str, str], TokenKind]] = [
        (_DAY_HELP, TokenKind.DAYS),
        ({row.words[0]: row.help for row in STATE_ROWS}, TokenKind.STATE),
        ({key: help_ for row in KEY_ROWS for key, help_ in row.help.items()}, TokenKind.KEY),
    ]
    if before:
        tables.append((_OPERATOR_HELP, TokenKind.OPERATOR))
    for table, kind in tables:
        for word, about in table.items():
            if word.startswith(fold_case(prefix)) and word != fold_case(prefix):
                yield Candidate(word, kind, about)


def _values(key: KeyRow, parts: KeyedWord, head: str, names: FilterNames) -> Iterable[Candidate]:
    """Return values of a key, each with the key before it; `head` is the key as typed."""
    value = parts.value
    if key.day is not None:
        days = _DAYS if key.day in (DayField.DUE, DayField.START) else _PAST_DAYS
        return _matching(head, value, days, key.kind)
    match key.name:
        case "project" | "tag" | "view":
            return _names(key.kind, value, names)
        case "sort":
            done, comma, value = value.rpartition(",")
            return _matching(f"{head}{done}{comma}", value, SortField, key.kind)
        case "group":
            return _matching(head, value, Grouping, key.kind)
        case _:
            return _matching(head, value, _VALUES.get(key.kind, ()), key.kind)


def _matching(
    head: str, prefix: str, values: Iterable[str], kind: TokenKind
) -> Iterator[Candidate]:
    wanted = fold_case(prefix).replace('"', "")
    for value in values:
        if fold_case(value).replace('"', "").startswith(wanted):
            yield Candidate(f"{head}{value}", kind)


def _names(kind: TokenKind, prefix: str, names: FilterNames) -> Iterator[Candidate]:
    known, write = {
        TokenKind.PROJECT: (names.projects_and_above, format_project),
        TokenKind.TAG: (names.tags or (), format_tag),
        TokenKind.VIEW: (tuple(names.views), format_view),
    }[kind]
    yield from (Candidate(write(name), kind) for name in _rank_names(prefix, known))


def _rank_names(prefix: str, known: Iterable[str]) -> list[str]:
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
    found = [each for each in _rank_names(name, known) if _can_be_typed(sign + each)]
    typed = text[prefix.start() : end]
    candidates = tuple(Candidate(sign + each, kind) for each in found[:MAX_SIGN_CANDIDATES])
    if candidates and fold_case(candidates[0].text) == fold_case(typed):
        candidates = candidates[1:]
    return Completions(prefix.start(), end, candidates)


def _can_be_typed(sign: str) -> bool:
    """Return True if quick add reads all of it as one sign; names with blanks fail."""
    found = find_signs(sign, [])
    return len(found) == 1 and found[0].span.end == len(sign)
