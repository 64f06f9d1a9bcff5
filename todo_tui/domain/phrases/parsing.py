"""Parser combinators over tokens: a parser gives every way it can read from a place on.

All readings are kept (a list of successes), in order of preference, so that the
caller can ask for the one that ends where it needs it to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

from todo_tui.domain.phrases.beginnings import ANYTHING, NOTHING, Beginning, in_a_row, one_of
from todo_tui.domain.phrases.tokens import Token, Tokens

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
U = TypeVar("U")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")
R = TypeVar("R")

Readings = Iterable[tuple[T, int]]

known_words: set[str] = set()
"""Every word and mark that some production knows; filled as productions are defined."""


class Parser(Generic[T_co]):
    """Reads tokens from a position on and yields (value, position after) pairs.

    `find_beginning` says with which tokens that can be, so that a choice of many tries
    few; it is asked once, when all productions are defined.
    """

    __slots__ = ("_beginning", "_find_beginning", "choices", "read")

    def __init__(
        self,
        read: Callable[[Tokens, int], Readings[T_co]],
        find_beginning: Callable[[], Beginning],
        choices: tuple[Parser[Any], ...] = (),
    ) -> None:
        self.read = read
        self.choices = choices or (self,)
        self._find_beginning = find_beginning
        self._beginning: Beginning | None = None

    def beginning(self) -> Beginning:
        """What it can begin with."""
        if self._beginning is None:
            # Of a production that contains itself, meanwhile.
            self._beginning = ANYTHING
            self._beginning = self._find_beginning()
        return self._beginning

    def __or__(self, other: Parser[U]) -> Parser[T_co | U]:
        """The readings of both, these first."""
        both: tuple[Parser[T_co | U], ...] = (*self.choices, *other.choices)
        return either(*both)

    def __rshift__(self, other: Parser[U]) -> Parser[U]:
        """This, then the other, whose value counts."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[U, int]]:
            for _, end in self.read(tokens, at):
                yield from other.read(tokens, end)

        return Parser(read, lambda: in_a_row(self.beginning, other.beginning))

    def __lshift__(self, other: Parser[object]) -> Parser[T_co]:
        """This, whose value counts, then the other."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[T_co, int]]:
            for kept, end in self.read(tokens, at):
                for _, last in other.read(tokens, end):
                    yield kept, last

        return Parser(read, lambda: in_a_row(self.beginning, other.beginning))

    def map(self, make: Callable[[T_co], U]) -> Parser[U]:
        """The same readings with another value."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[U, int]]:
            for value, end in self.read(tokens, at):
                yield make(value), end

        return Parser(read, self.beginning)

    def gives(self, value: U) -> Parser[U]:
        """The same readings, all with this value."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[U, int]]:
            for _, end in self.read(tokens, at):
                yield value, end

        return Parser(read, self.beginning)

    def pick(self, make: Callable[[T_co], U | None]) -> Parser[U]:
        """The readings for which `make` finds a value."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[U, int]]:
            for value, end in self.read(tokens, at):
                made = make(value)
                if made is not None:
                    yield made, end

        return Parser(read, self.beginning)

    def where(self, test: Callable[[T_co], bool]) -> Parser[T_co]:
        """Only the readings whose value passes."""

        def read(tokens: Tokens, at: int) -> Iterator[tuple[T_co, int]]:
            for reading in self.read(tokens, at):
                if test(reading[0]):
                    yield reading

        return Parser(read, self.beginning)

    def whole(self, tokens: Tokens) -> T_co | None:
        """The preferred reading of all tokens, None when there is none."""
        for value, end in self.read(tokens, 0):
            if end == len(tokens):
                return value
        return None

    def longest(self, tokens: Tokens, at: int = 0) -> tuple[T_co, int] | None:
        """The reading from `at` on that reaches farthest; the preferred of equals."""
        best: tuple[T_co, int] | None = None
        for value, end in self.read(tokens, at):
            if best is None or end > best[1]:
                best = value, end
        return best


@overload
def join(make: Callable[[A, B], R], a: Parser[A], b: Parser[B], /) -> Parser[R]: ...
@overload
def join(
    make: Callable[[A, B, C], R], a: Parser[A], b: Parser[B], c: Parser[C], /
) -> Parser[R]: ...
@overload
def join(
    make: Callable[[A, B, C, D], R],
    a: Parser[A],
    b: Parser[B],
    c: Parser[C],
    d: Parser[D],
    /,
) -> Parser[R]: ...
def join(make: Callable[..., R], /, *parts: Parser[Any]) -> Parser[R]:
    """All parts one after the other; `make` builds the value from theirs.

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

    return Parser(read, lambda: in_a_row(*(part.beginning for part in parts)))


class _Choices(Generic[T]):
    """Which of several parsers to try, by the token that comes next."""

    def __init__(self, choices: tuple[Parser[T], ...]) -> None:
        self._all = [(choice, choice.beginning()) for choice in choices]
        self._by_word: dict[str, tuple[Parser[T], ...]] = {}
        self._at_any_other = self._fitting(None)
        self._at_a_number: tuple[Parser[T], ...] | None = None

    def at(self, tokens: Tokens, at: int) -> tuple[Parser[T], ...]:
        """Those that may be able to read there, in order."""
        if at >= len(tokens):
            return self._at_any_other
        token = tokens[at]
        found = self._by_word.get(token.word)
        if found is not None:
            return found
        if token.word in known_words:
            found = self._by_word[token.word] = self._fitting(token)
            return found
        if token.number is None:
            return self._at_any_other
        if self._at_a_number is None:
            self._at_a_number = self._fitting(token)
        return self._at_a_number

    def _fitting(self, token: Token | None) -> tuple[Parser[T], ...]:
        return tuple(choice for choice, beginning in self._all if beginning.fits(token))


def either(*choices: Parser[T]) -> Parser[T]:
    """The readings of all choices, in order."""
    flat: tuple[Parser[T], ...] = tuple(each for choice in choices for each in choice.choices)
    ordered: _Choices[T] | None = None

    def read(tokens: Tokens, at: int) -> Iterator[tuple[T, int]]:
        nonlocal ordered
        if ordered is None:
            ordered = _Choices(flat)
        for choice in ordered.at(tokens, at):
            yield from choice.read(tokens, at)

    return Parser(read, lambda: one_of(*(choice.beginning for choice in flat)), flat)


def optional(parser: Parser[T]) -> Parser[T | None]:
    """With it where it can be read, then without it."""

    def read(tokens: Tokens, at: int) -> Iterator[tuple[T | None, int]]:
        yield from parser.read(tokens, at)
        yield None, at

    return Parser(read, lambda: one_of(parser.beginning, lambda: NOTHING))


def listing(parser: Parser[T], separator: Parser[object]) -> Parser[tuple[T, ...]]:
    """One or more, with separators between them; longer lists first."""

    def read(tokens: Tokens, at: int) -> Iterator[tuple[tuple[T, ...], int]]:
        for first, end in parser.read(tokens, at):
            for _, after in separator.read(tokens, end):
                for rest, last in read(tokens, after):
                    yield (first, *rest), last
            yield (first,), end

    return Parser(read, parser.beginning)


def tight(parser: Parser[T]) -> Parser[T]:
    """Only where no space stands before."""

    def read(tokens: Tokens, at: int) -> Readings[T]:
        if at < len(tokens) and tokens[at].glued:
            return parser.read(tokens, at)
        return ()

    return Parser(read, parser.beginning)


def loose(parser: Parser[T]) -> Parser[T]:
    """Only at the beginning or after a space."""

    def read(tokens: Tokens, at: int) -> Readings[T]:
        if at < len(tokens) and not (at and tokens[at].glued):
            return parser.read(tokens, at)
        return ()

    return Parser(read, parser.beginning)


def unless(parser: Parser[object]) -> Parser[None]:
    """Reads no token, and only where the parser cannot read."""

    def read(tokens: Tokens, at: int) -> Readings[None]:
        return () if any(True for _ in parser.read(tokens, at)) else ((None, at),)

    return Parser(read, lambda: NOTHING)


def deferred(get: Callable[[], Parser[T]]) -> Parser[T]:
    """A parser that is defined further down; for productions that contain themselves."""
    return Parser(lambda tokens, at: get().read(tokens, at), lambda: get().beginning())


def words(*choices: str) -> Parser[str]:
    """Any of these words or marks; a choice may be several words: `"end of"`."""
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
            if tuple(token.word for token in tokens[at:end]) == pieces:
                yield " ".join(pieces), end

    return Parser(read, lambda: Beginning(frozenset(by_first)))


def named(table: Mapping[str, T]) -> Parser[T]:
    """A word of the table, with its value."""
    known_words.update(table)

    def read(tokens: Tokens, at: int) -> Readings[T]:
        if at < len(tokens) and tokens[at].word in table:
            return ((table[tokens[at].word], at + 1),)
        return ()

    return Parser(read, lambda: Beginning(frozenset(table)))


def digits(low: int, high: int, lengths: Collection[int] = range(1, 9)) -> Parser[int]:
    """A number in digits, from `low` to `high`, written with so many of them."""

    def read(tokens: Tokens, at: int) -> Readings[int]:
        if at < len(tokens):
            number, length = tokens[at].number, len(tokens[at].text)
            if number is not None and low <= number <= high and length in lengths:
                return ((number, at + 1),)
        return ()

    return Parser(read, lambda: Beginning(numbers=True))


def nothing(value: T) -> Parser[T]:
    """Reads no token and gives the value."""
    return Parser(lambda _, at: ((value, at),), lambda: NOTHING)
