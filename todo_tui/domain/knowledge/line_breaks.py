"""Words that a line end divides: `termina-/tion` is one word, `self-/employed` has a hyphen.

Which of the two it is can only be guessed. The likelier one is shown, and both are indexed: the
stored text has a soft hyphen, which nobody sees, where the line ended.
"""

from __future__ import annotations

import re
from collections.abc import Collection

BREAK = "\u00ad"
"""Marks the place of the line end in a stored text; soft hyphens of documents are removed."""
_LINE_END = re.compile(
    r"(?<=[^\W_])([-\u2010\u00ad])\n[ \t]*+([^\W_]++(?:['’-][^\W_]++)*+)([^\w\s-]*+)([ \t]*+)"
)
_LEFT = re.compile(r"(-?)(?<![^\W_])([^\W_]++)$")
_LONGEST_WORD = 40
_WORD = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_DIVIDED = re.compile(rf"(?<![^\W_])([^\W_]++)-?{BREAK}(?=([^\W_]++))")
_VOWELS = frozenset("aeiouyäöüàáâèéêìíîòóôùúû")
_BEFORE_HYPHEN = frozenset(
    """cross half ill long non quasi self short twenty thirty forty fifty sixty seventy eighty
    ninety well""".split()
)
_AFTER_HYPHEN = frozenset(
    """aged based driven employed faced free friendly intensive known minded owned paid proof
    related resistant sided sized specific""".split()
)
"""Parts of compound words that are written with a hyphen, and seldom part of another word."""
_ENDINGS = frozenset("able ed er ers est ing ings ly ment ness".split())


def join_line_ends(text: str, words: Collection[str] = (), *, keep_lines: bool = True) -> str:
    """Return the text with divided words on the first of their lines, each with a BREAK.

    `words` are those of the document, in lower case: a word that occurs there undivided shows
    how it is written. Without `keep_lines` these two lines become one.
    """
    line_end = "\n" if keep_lines else " "
    if BREAK in text:
        text = re.sub(f"{BREAK}(?!\n)", "", text)

    def joined(found: re.Match[str]) -> str:
        mark, right, behind, space = found.groups()
        left = _LEFT.search(text, max(0, found.start() - _LONGEST_WORD), found.start())
        if left is None or (mark != BREAK and len(left[2]) < 2):
            return found[0]
        is_compound = mark != BREAK and _has_hyphen(left[2], right, bool(left[1]), words)
        return f"{'-' if is_compound else ''}{BREAK}{right}{behind}" + (line_end if space else "")

    return _LINE_END.sub(joined, text)


def words_of_document(text: str) -> Collection[str]:
    """Return the words of a text in lower case, `self-employed` as one; none without line ends.

    Without a divided word nobody needs them.
    """
    return {each.lower() for each in _WORD.findall(text)} if _LINE_END.search(text) else ()


def _has_hyphen(left: str, right: str, is_chain: bool, words: Collection[str]) -> bool:
    first, second = left.lower(), right.lower()
    if any(map(str.isdigit, left + right)) or f"{first}-{second}" in words:
        return True
    if first + second in words:
        return False
    is_name = right[0].isupper() and not (left.isupper() and len(left) > 3)
    return (
        is_chain
        or "-" in right
        or is_name
        or (first in _BEFORE_HYPHEN and second not in _ENDINGS)
        or second in _AFTER_HYPHEN
        or not _VOWELS.intersection(first)
    )


def shown_text(stored: str) -> str:
    """Return a stored text without the marks of line ends."""
    return stored.replace(BREAK, "")


def indexed_text(stored: str) -> str:
    """Return what the search index has of a stored text: of divided words both readings.

    A text leaves the index only if the index is given exactly what it was given before, so the
    result for a text may never change.
    """
    if BREAK not in stored:
        return stored
    # The index takes the mark for the end of a word.
    return " ".join((stored, *(left + right for left, right in _DIVIDED.findall(stored))))
