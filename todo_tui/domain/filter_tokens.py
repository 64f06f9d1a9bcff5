"""A filter's text cut into words, each with its place in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from todo_tui.domain.filter_vocabulary import DAYS, KEYS, OPENERS, SIGNS, STATES
from todo_tui.domain.text import folded


class TokenKind(StrEnum):
    """What a stretch of a filter's text is, for whoever draws it."""

    OPERATOR = "operator"
    BRACKET = "bracket"
    KEY = "key"
    PROJECT = "project"
    TAG = "tag"
    PRIORITY = "priority"
    ID = "id"
    DAYS = "days"
    STATE = "state"
    FIELD = "field"
    VIEW = "view"
    ORDER = "order"
    SEARCH = "search"
    MISTAKE = "mistake"


class Word(NamedTuple):
    """One word of a filter; `quoted` when it began with a quotation mark.

    `text` is without quotation marks, `raw` as it stands at `position`.
    """

    text: str
    raw: str
    position: int
    quoted: bool = False

    @property
    def key(self) -> str:
        """What the grammar compares; nothing for quoted words, which are never grammar."""
        return "" if self.quoted else SIGNS.get(self.text) or folded(self.text)

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.position + len(self.raw)


class KeyedWord(NamedTuple):
    """A word of the form `head.modifier:value`, or with a comparison in the place of the colon.

    `start` is where the value begins in the word. A quoted value is taken as it stands.
    """

    head: str
    modifier: str
    comparison: str
    value: str
    quoted: bool
    start: int


# Kept as text: most words are plain, and `re` compiles and remembers these when one is not.
_INSIDE = r"""(?: \\["“”\\]?+ | [^"”\\]++ )*+"""
_QUOTE = rf"""(?x) ["“] {_INSIDE} ["”]"""
_QUOTED = rf"""(?x) ["“] (?P<inside> {_INSIDE} ) ["”]?"""
_OPERATOR = r"(?x) && | & | \|\| | \|"
_PIECE = rf"""{_QUOTE} | & | [^\s|&"“]+ | ["“]"""
_COMPARISON = r"(?: <= | >= | != | [<>=≤≥≠] )"
_KEYED = rf"""(?xs) (?P<head> [^\W\d]\w* ) (?: \. (?P<modifier> \w* ) )?
    (?: :? (?P<comparison> {_COMPARISON} ) | : ) (?P<value> .* )"""
_HEADS = "|".join(sorted({*KEYS, *DAYS, "date"}, key=len, reverse=True))
_PHRASES = "|".join((*STATES, *OPENERS))
_BEGINS_GRAMMAR = rf"""(?ix) [#@!] [^\s!&|)] | [("“]
    | (?: {_HEADS} ) (?: \.\w+ )? (?: : | {_COMPARISON} )
    | (?: {_PHRASES} ) (?= $ | [\s()|&] )"""
_MARKS = r"""\\(?P<kept>["“”\\])|["“”]"""

_NOT_PLAIN = frozenset('"“”\\&|()!')
_SEPARATORS = frozenset(":<>=!≤≥≠")


def words_of(text: str) -> Iterator[Word]:
    """The words of one line of text, from left to right."""
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        for word in _words_at(text, position):
            position = word.end
            if word.text:
                yield word


def keyed(word: Word) -> KeyedWord | None:
    """The parts of `key:value`; None where the word has another form."""
    if word.quoted or _SEPARATORS.isdisjoint(word.raw):
        return None
    found = re.fullmatch(_KEYED, word.raw)
    if found is None:
        return None
    value = found["value"]
    return KeyedWord(
        folded(found["head"]),
        folded(found["modifier"] or ""),
        found["comparison"] or "",
        unquoted(value),
        value.startswith(('"', "“")),
        found.start("value"),
    )


def unquoted(text: str) -> str:
    """The text without its quotation marks; one behind a backslash stays."""
    return re.sub(_MARKS, lambda mark: mark["kept"] or "", text)


def _words_at(text: str, position: int) -> Iterator[Word]:
    """What begins here: one word, or a word and the brackets that close behind it."""
    run = text[position:].split(maxsplit=1)[0]
    if _NOT_PLAIN.isdisjoint(run):
        yield Word(run, run, position)
    elif text[position] == "(":
        yield Word("(", "(", position)
    elif found := re.compile(_QUOTED).match(text, position):
        inside = unquoted(found["inside"])
        yield Word(" ".join(inside.split()), found[0], position, quoted=True)
    elif found := re.compile(_OPERATOR).match(text, position):
        yield Word(found[0], found[0], position)
    elif text[position] == "!" and _is_denial(text, position):
        yield Word("!", "!", position)
    else:
        yield from _plain_words(_chunk(text, position), position)


def _is_denial(text: str, position: int) -> bool:
    """Whether `!` denies what follows; before other words it names a priority."""
    return re.compile(_BEGINS_GRAMMAR).match(text, position + 1) is not None


def _chunk(text: str, position: int) -> str:
    """Text up to a blank or an operator; `R&D` stays whole, `@home&today` does not."""
    end = position
    while found := re.compile(_PIECE).match(text, end):
        if found[0] == "&" and end > position and _divides(text, end):
            break
        end = found.end()
    return text[position:end]


def _divides(text: str, at: int) -> bool:
    following = at
    while text.startswith("&", following):
        following += 1
    if following == len(text) or text[following].isspace():
        return True
    return re.compile(_BEGINS_GRAMMAR).match(text, following) is not None


def _plain_words(chunk: str, position: int) -> Iterator[Word]:
    """A word and the brackets that close behind it; `f(x)` keeps its own."""
    # A quotation that has no end is one match too: to look for its end from each mark in
    # it would take time that grows with the square of the text.
    outside = re.sub(_QUOTED, lambda run: run[0] if run.end("inside") == run.end() else "", chunk)
    closing = 0
    while outside.endswith(")") and chunk.endswith(")") and outside.count(")") > outside.count("("):
        chunk, outside = chunk[:-1], outside[:-1]
        closing += 1
    if chunk:
        yield Word(" ".join(unquoted(chunk).split()), chunk, position)
    for number in range(closing):
        yield Word(")", ")", position + len(chunk) + number)
