"""Where the words of a search stand in a text, for highlighting them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from todo_tui.domain.filter_terms import And, Filter, Or, Says
from todo_tui.domain.text import folded

_JOINER = "\u200d"
_MODIFIERS = range(0x1F3FB, 0x1F400)
"""Skin tones, which belong to the emoji before them."""
_VOWELS_AND_FINALS = range(0x1160, 0x1200)
"""Parts of Korean syllables that stand behind their first one."""


def searched_words(wanted: Filter) -> tuple[str, ...]:
    """The words that a filter searches for; those that it denies are none."""
    match wanted:
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(word for part in parts for word in searched_words(part)))
        case Says(words):
            return (words,)
        case _:
            return ()


def matched_spans(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Where the words stand, found as the store finds them: (start, end), sorted and apart.

    A span begins and ends between characters as they are drawn: it never parts a letter
    from its accent, or an emoji from what belongs to it.
    """
    wanted = [each for each in map(folded, words) if each]
    if not wanted:
        return ()
    if text.isascii():
        # One character stays one, so that places are the same in both texts.
        found = (span for word in wanted for span in _places(text.lower(), word))
        return _apart(found)
    pieces = list(_clusters(text))
    starts: list[int] = []
    for number, (start, end) in enumerate(pieces):
        starts += [number] * len(folded(text[start:end]))
    whole = "".join(folded(text[start:end]) for start, end in pieces)
    return _apart(
        (pieces[starts[first]][0], pieces[starts[last - 1]][1])
        for word in wanted
        for first, last in _places(whole, word)
    )


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    return ((found.start(), found.end()) for found in re.finditer(re.escape(word), text))


def _apart(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """The characters of a text as they are drawn: a base with all that hangs on it."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and (_hangs_on(text[at]) or text[at - 1] == _JOINER):
            continue
        yield start, at
        start = at


def _hangs_on(character: str) -> bool:
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")
        or ord(character) in _MODIFIERS
        or ord(character) in _VOWELS_AND_FINALS
    )
