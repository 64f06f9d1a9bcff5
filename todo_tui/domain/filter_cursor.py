"""A place among the words of a filter, and what each word was read as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile

from todo_tui.domain.filter_problem import FilterProblem, problem
from todo_tui.domain.filter_tokens import KeyedWord, TokenKind, Word
from todo_tui.domain.filter_vocabulary import OPERATORS

_VALUE_HINT = "Write it without a blank, as in project:work; in quotes the word is searched for."


class Cursor:
    """Goes over words from left to right and remembers the kind of each."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = list(words)
        self.at = 0
        self.kinds: dict[int, TokenKind] = {}
        """By the position of a word."""
        self.values: dict[int, int] = {}
        """Where the value of a `key:value` begins, by the position of its word."""

    @property
    def at_end(self) -> bool:
        """Whether no word is left."""
        return self.at >= len(self.words)

    @property
    def word(self) -> Word:
        """The word that is next; at the end, the last one."""
        return self.words[min(self.at, len(self.words) - 1)]

    def peek(self) -> str:
        """The key of the next word; that of a closing bracket at the end."""
        return ")" if self.at_end else self.words[self.at].key

    def take(self, kind: TokenKind, count: int = 1) -> None:
        """Go over some words, which are of one kind."""
        for word in self.words[self.at : self.at + count]:
            self.kinds[word.position] = kind
        self.at += count

    def call(self, word: Word, kind: TokenKind) -> None:
        """Say what kind a word is of."""
        self.kinds[word.position] = kind

    def value_of(self, word: Word, parts: KeyedWord, kind: TokenKind) -> str:
        """The value of a key, which may be the next word; `kind` is what it is.

        Raises:
            FilterProblem: no value follows.
        """
        self.call(word, kind)
        self.values[word.position] = parts.start
        if parts.value:
            return parts.value
        if parts.quoted or self.at_end or self.peek() in OPERATORS:
            raise problem(word, "needs a value right after the colon", hint=_VALUE_HINT)
        self.take(kind)
        return self.words[self.at - 1].text

    def following(self, fits: Callable[[Word], bool]) -> list[str]:
        """The texts of the next words, as far as they fit."""
        return [word.text for word in takewhile(fits, self.words[self.at :])]

    def without(self, drop: Callable[[Word], bool]) -> None:
        """Leave out words that are no conditions."""
        self.words = [word for word in self.words if not drop(word)]

    def mistaken(self, found: FilterProblem) -> None:
        """Mark the word of a problem."""
        self.kinds[found.position] = TokenKind.MISTAKE
