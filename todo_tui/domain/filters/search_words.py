"""Search words of a filter, and their places in a text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from todo_tui.domain.filters.terms import And, ContainsText, Filter, Or
from todo_tui.domain.text import fold_case

_JOINER = "\u200d"
_MODIFIERS = range(0x1F3FB, 0x1F400)
"""Skin tones, which modify the emoji before them."""
_VOWELS_AND_FINALS = range(0x1160, 0x1200)
"""Korean jamo after the first one of a syllable."""


def search_words(wanted: Filter) -> tuple[str, ...]:
    """Return the words that a filter searches for, without the negated ones."""
    match wanted:
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(word for part in parts for word in search_words(part)))
        case ContainsText(words):
            return (words,)
        case _:
            return ()


def find_spans(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Find search words in a text like the store does: (start, end), sorted and disjoint.

    A span never separates a letter from its accent or an emoji from its modifiers.
    """
    wanted = [each for each in map(fold_case, words) if each]
    if not wanted:
        return ()
    if text.isascii():
        # Folded per character, so that positions are the same in both texts.
        found = (span for word in wanted for span in _find_word(text.lower(), word))
        return _merge_spans(found)
    pieces = list(_clusters(text))
    starts: list[int] = []
    for number, (start, end) in enumerate(pieces):
        starts += [number] * len(fold_case(text[start:end]))
    whole = "".join(fold_case(text[start:end]) for start, end in pieces)
    return _merge_spans(
        (pieces[starts[first]][0], pieces[starts[last - 1]][1])
        for word in wanted
        for first, last in _find_word(whole, word)
    )


def _find_word(text: str, word: str) -> Iterator[tuple[int, int]]:
    return ((found.start(), found.end()) for found in re.finditer(re.escape(word), text))


def _merge_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield grapheme clusters: a base with all its combining characters."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and (_is_combining(text[at]) or text[at - 1] == _JOINER):
            continue
        yield start, at
        start = at


def _is_combining(character: str) -> bool:
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")
        or ord(character) in _MODIFIERS
        or ord(character) in _VOWELS_AND_FINALS
    )
