"""Fuzzy search over names, best matches first."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from todo_tui.domain.text import fold_case

_T = TypeVar("_T")
_WHOLE, _PREFIX, _INSIDE, _SCATTERED = 4.0, 3.0, 2.0, 1.0
_MAX_SPREAD = 2
"""Largest spread of a word's letters, in multiples of its length."""


def match_score(query: str, text: str) -> float:
    """Score how well all words of the query match the text; 0 where one does not.

    The beginning of a word scores higher than its inside, and that higher than scattered letters.
    """
    words = fold_case(query).split()
    folded = fold_case(text)
    scores = [_word_score(word, folded) for word in words]
    return sum(scores) / len(scores) if scores and all(scores) else 0.0


def rank_matches(query: str, things: Iterable[_T], text_of: Callable[[_T], str]) -> list[_T]:
    """Return the matches, best first; equals keep their order."""
    scored = [(match_score(query, text_of(thing)), thing) for thing in things]
    return [thing for score, thing in sorted(scored, key=lambda s: -s[0]) if score]


def contains_words(query: str, text: str) -> bool:
    """Return whether every word of the query occurs in the text literally."""
    folded = fold_case(text)
    words = fold_case(query).split()
    return bool(words) and all(word in folded for word in words)


def _word_score(word: str, text: str) -> float:
    at = text.find(word)
    if at < 0:
        return max((_scattered_score(word, piece) for piece in text.split()), default=0.0)
    while at >= 0:
        end = at + len(word)
        if _is_word_boundary(text, at):
            return _WHOLE if _is_word_boundary(text, end) else _PREFIX
        at = text.find(word, at + 1)
    return _INSIDE


def _is_word_boundary(text: str, at: int) -> bool:
    return at == 0 or at >= len(text) or not (text[at - 1].isalnum() and text[at].isalnum())


def _scattered_score(word: str, text: str) -> float:
    if len(word) < 2 or len(word) > len(text):
        return 0.0
    first = text.find(word[0])
    while first >= 0:
        at = first
        for letter in word[1:]:
            at = text.find(letter, at + 1)
            if at < 0:
                return 0.0
        length = at - first + 1
        if length <= _MAX_SPREAD * len(word):
            return _SCATTERED * len(word) / length
        first = text.find(word[0], first + 1)
    return 0.0
