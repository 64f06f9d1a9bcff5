"""Cuts a phrase into words, numbers and marks that remember where they stood."""

from __future__ import annotations

import re
from typing import NamedTuple

TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|\S")
DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-") | {ord("’"): "'", ord("‘"): "'"}
LONGEST_NUMBER = 8


class Token(NamedTuple):
    """A piece of text; `glued` when no space stands between it and the one before."""

    text: str
    word: str
    """Lower case, typographic dashes and apostrophes made plain."""
    start: int
    end: int
    glued: bool
    number: int | None = None

    @property
    def is_word(self) -> bool:
        """Whether it is made of letters."""
        return self.word[:1].isalpha()


Tokens = tuple[Token, ...]


def tokenize(text: str) -> Tokens:
    """The tokens of a text, in order; spaces are kept only as `glued`."""
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
