"""Tokens and parser combinators.

A parser yields every reading from a position on, preferred ones first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar, overload

from todo_tui.domain.text import shorten

TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|\S")
DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-") | {ord("’"): "'", ord("‘"): "'"}
LONGEST_NUMBER = 8
T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
R = TypeVar("R")
Readings = Iterable[tuple[T, int]]
known_words: set[str] = set()
"""Words and marks known to any production; filled as productions are defined."""
MAX_PHRASE_LENGTH = 200
MAX_QUOTED_LENGTH = 60
CLOSING_MARKS = frozenset("!?;,")


class Token(NamedTuple):
    """Piece of text; `glued` if no space separates it from the token before."""

    text: str
    word: str
    """Lower case, with plain dashes and apostrophes."""
    start: int
    end: int
    glued: bool
    number: int | None = None

    @property
    def is_word(self) -> bool:
        """True for a token made of letters."""
        return self.word[:1].isalpha()


Tokens = tuple[Token, ...]


def tokenize(text: str) -> Tokens:
    """Split a text into tokens, in order; spaces are kept only as `glued`."""
    tokens: list[Token] = []
    last_end = -1
    for match in TOKEN.finditer(text):
        piece = match.group()
        number = int(piece) if piece.isdecimal() and len(piece) <= LONGEST_NUMBER else None
        word = piece.lower().translate(DASHES)
        glued = match.start() == last_end
        last_end = match.end()
        tokens.append(Token(piece, word, match.start(), last_end, glued, number))
    return tuple(tokens)


FirstTokens = frozenset[str]
"""First words that a parser can accept, with NUMBER for numbers and NOTHING for no token.

A superset, never too few. By it a choice of many tries only a few: a long title takes 3 ms
instead of 13.
"""
NUMBER, NOTHING = "\\d", ""


def _first_of_sequence(parsers: Iterable[Parser[Any]]) -> FirstTokens:
    """Return the first tokens of a sequence, including later parts behind optional ones."""
    reached: set[str] = set()
    for parser in parsers:
        first = parser.first_tokens()
        reached |= first - {NOTHING}
        if NOTHING not in first:
            return frozenset(reached)
    return frozenset(reached | {NOTHING})


def _first_key(token: Token | None) -> str:
    """Return what choices depend on: a known word, NUMBER, or NOTHING for all other tokens."""
    if token is None:
        return NOTHING
    if token.word in known_words:
        return token.word
    return NOTHING if token.number is None else NUMBER


def _can_begin(first: FirstTokens, token: Token | None) -> bool:
    if NOTHING in first or token is None:
        return NOTHING in first
    return token.word in first or (token.number is not None and NUMBER in first)


class Parser(Generic[T_co]):
    """Parser of tokens from a position on; yields (value, next position) pairs.

    `find_first_tokens` is called once, when all productions are defined.
    """

    __slots__ = ("_find_first_tokens", "_first_tokens", "choices", "read")

    def __init__(
        self,
        read: Callable[[Tokens, int], Readings[T_co]],
        find_first_tokens: Callable[[], FirstTokens],
        choices: tuple[Parser[Any], ...] = (),
    ) -> None:
        self.read = read
        self.choices = choices or (self,)
        self._find_first_tokens = find_first_tokens
        self._first_tokens: FirstTokens | None = None

    def first_tokens(self) -> FirstTokens:
        """First tokens that the parser can accept."""
        if self._first_tokens is None:
            self._first_tokens = self._find_first_tokens()
        return self._first_tokens

    def __or__(self, other: Parser[U]) -> Parser[T_co | U]:
        """Yield the readings of both, these first."""
        both: tuple[Parser[T_co | U], ...] = (*self.choices, *other.choices)
        return alternatives(*both)

    def __rshift__(self, other: Parser[U]) -> Parser[U]:
        """Parse both in sequence, keeping the second value."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[U, int]]:
            for _, end in self.read(tokens, at):
                yield from other.read(tokens, end)

        return Parser(read, lambda: _first_of_sequence((self, other)))

    def __lshift__(self, other: Parser[object]) -> Parser[T_co]:
        """Parse both in sequence, keeping the first value."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[T_co, int]]:
            for kept, end in self.read(tokens, at):
                for _, last in other.read(tokens, end):
                    yield kept, last

        return Parser(read, lambda: _first_of_sequence((self, other)))

    def _each(self, change: Callable[[Readings[T_co]], Readings[U]]) -> Parser[U]:
        return Parser(lambda tokens, at: change(self.read(tokens, at)), self.first_tokens)

    def map(self, make: Callable[[T_co], U]) -> Parser[U]:
        """Transform the value of each reading."""
        return self._each(lambda readings: ((make(value), end) for value, end in readings))

    def gives(self, value: U) -> Parser[U]:
        """Replace the value of each reading by a constant."""
        return self._each(lambda readings: ((value, end) for _, end in readings))

    def pick(self, make: Callable[[T_co], U | None]) -> Parser[U]:
        """Transform the value of each reading, dropping those for which `make` returns None."""
        return self._each(
            lambda readings: (
                (made, end) for value, end in readings if (made := make(value)) is not None
            )
        )

    def where(self, test: Callable[[T_co], bool]) -> Parser[T_co]:
        """Keep only readings whose value passes the test."""
        return self._each(lambda readings: (each for each in readings if test(each[0])))

    def whole(self, tokens: Tokens) -> T_co | None:
        """Return the preferred reading of all tokens, or None."""
        if not all(token.number is not None or token.word in known_words for token in tokens):
            return None
        for value, end in self.read(tokens, 0):
            if end == len(tokens):
                return value
        return None

    def longest(self, tokens: Tokens, at: int = 0) -> tuple[T_co, int] | None:
        """Return the longest reading from `at` on; the preferred one of equals."""
        best: tuple[T_co, int] | None = None
        for value, end in self.read(tokens, at):
            if best is None or end > best[1]:
                best = value, end
        return best


@overload
def sequence(make: Callable[[A, B], R], a: Parser[A], b: Parser[B], /) -> Parser[R]: ...


@overload
def sequence(
    make: Callable[[A, B, C], R], a: Parser[A], b: Parser[B], c: Parser[C], /
) -> Parser[R]: ...


def sequence(make: Callable[..., R], /, *parts: Parser[Any]) -> Parser[R]:
    """Parse all parts one after the other; `make` builds the value from theirs.

    The overloads check the types; inside they are one loop over parts of any type.
    """

    def follow(tokens: Tokens, at: int, index: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        if index == len(parts):
            yield (), at
            return
        for value, end in parts[index].read(tokens, at):
            for rest, last in follow(tokens, end, index + 1):
                yield (value, *rest), last

    def read(tokens: Tokens, at: int) -> Iterator[tuple[R, int]]:
        for values, end in follow(tokens, at, 0):
            yield make(*values), end

    return Parser(read, lambda: _first_of_sequence(parts))


def alternatives(*choices: Parser[T]) -> Parser[T]:
    """Yield the readings of all choices, in order."""
    flat: tuple[Parser[T], ...] = tuple(each for choice in choices for each in choice.choices)
    fitting: dict[str, tuple[Parser[T], ...]] = {}

    def read(tokens: Tokens, at: int) -> Iterator[tuple[T, int]]:
        token = tokens[at] if at < len(tokens) else None
        key = _first_key(token)
        found = fitting.get(key)
        if found is None:
            found = tuple(each for each in flat if _can_begin(each.first_tokens(), token))
            fitting[key] = found
        for choice in found:
            yield from choice.read(tokens, at)

    return Parser(read, lambda: frozenset().union(*(each.first_tokens() for each in flat)), flat)


def optional(parser: Parser[T]) -> Parser[T | None]:
    """Yield readings with the part first, then the empty one with None."""

    def read(tokens: Tokens, at: int) -> Iterator[tuple[T | None, int]]:
        yield from parser.read(tokens, at)
        yield None, at

    return Parser(read, lambda: parser.first_tokens() | {NOTHING})


def separated_by(parser: Parser[T], separator: Parser[object]) -> Parser[tuple[T, ...]]:
    """Parse one or more with separators between them; longer lists first."""

    def read(tokens: Tokens, at: int) -> Iterator[tuple[tuple[T, ...], int]]:
        for first, end in parser.read(tokens, at):
            for _, after in separator.read(tokens, end):
                for rest, last in read(tokens, after):
                    yield (first, *rest), last
            yield (first,), end

    return Parser(read, parser.first_tokens)


def tight(parser: Parser[T]) -> Parser[T]:
    """Match only where no space precedes."""

    def read(tokens: Tokens, at: int) -> Readings[T]:
        if at < len(tokens) and tokens[at].glued:
            return parser.read(tokens, at)
        return ()

    return Parser(read, parser.first_tokens)


def not_ahead(parser: Parser[object]) -> Parser[None]:
    """Match the empty input where the parser does not match."""

    def read(tokens: Tokens, at: int) -> Readings[None]:
        return () if any(True for _ in parser.read(tokens, at)) else ((None, at),)

    return Parser(read, lambda: frozenset({NOTHING}))


def words(*choices: str) -> Parser[str]:
    """Match any of these words or marks; a choice may be several words: `"end of"`."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for choice in choices:
        pieces = tuple(choice.split())
        by_first.setdefault(pieces[0], []).append(pieces)
        known_words.update(pieces)

    def read(tokens: Tokens, at: int) -> Iterator[tuple[str, int]]:
        if at >= len(tokens):
            return
        for pieces in by_first.get(tokens[at].word, ()):
            end = at + len(pieces)
            if len(pieces) == 1 or tuple(each.word for each in tokens[at:end]) == pieces:
                yield " ".join(pieces), end

    return Parser(read, lambda: frozenset(by_first))


def named(table: Mapping[str, T]) -> Parser[T]:
    """Match a key of the table, which may be several words, giving its value."""
    return words(*table).map(table.__getitem__)


def digits(low: int, high: int, lengths: Collection[int] = range(1, 9)) -> Parser[int]:
    """Match a number from `low` to `high` with one of these numbers of digits."""

    def read(tokens: Tokens, at: int) -> Readings[int]:
        if at < len(tokens):
            number, length = tokens[at].number, len(tokens[at].text)
            if number is not None and low <= number <= high and length in lengths:
                return ((number, at + 1),)
        return ()

    return Parser(read, lambda: frozenset({NUMBER}))


def succeed(value: T) -> Parser[T]:
    """Reads no token and gives the value."""
    return Parser(lambda _, at: ((value, at),), lambda: frozenset({NOTHING}))


def tokenize_phrase(text: str) -> Tokens:
    """Return the tokens without final punctuation; none for a text over the length limit."""
    tokens = tokenize(text) if len(text) <= MAX_PHRASE_LENGTH else ()
    end = len(tokens)
    while end and tokens[end - 1].word in CLOSING_MARKS:
        end -= 1
    if end > 1 and tokens[end - 1].word == "." and tokens[end - 2].number is None:
        end -= 1
    return tokens[:end]


def quote_phrase(text: str) -> str:
    """Quote user input for messages: short, on one line, without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"“{shorten(line, MAX_QUOTED_LENGTH)}”"


def phrase_error_text(text: str, kind: str, examples: str, phrase: Parser[object]) -> str:
    """Return an error text that names the part not understood and examples that work."""
    tokens = tokenize_phrase(text)
    understood = phrase.longest(tokens)
    if understood is None or not 0 < understood[1] < len(tokens):
        return f"Could not understand {quote_phrase(text)} as {kind}. Try {examples}."
    known, rest = text[: tokens[understood[1] - 1].end], text[tokens[understood[1]].start :]
    return (
        f"Understood {quote_phrase(known)} as {kind}, but not {quote_phrase(rest)} after it. "
        f"Try {examples}."
    )
