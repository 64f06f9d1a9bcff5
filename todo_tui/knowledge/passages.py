"""Splitting of a document into passages, at its headings, pages and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from todo_tui.domain.knowledge.documents import Passage
from todo_tui.domain.knowledge.line_breaks import shown_text
from todo_tui.domain.text import ends_in_abbreviation

PASSAGE_LENGTH = 500
"""Characters that a long paragraph is cut into."""
_LONGEST_PASSAGE = 600
_BETWEEN = "\n\n"
"""Between the paragraphs of a passage."""
_SENTENCE_END = re.compile(r"[.!?…。][\"'”’)]?\s|\n(?=\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s)")


class Block(NamedTuple):
    """A paragraph (level 0) or heading (1 to 6) with its place."""

    level: int
    text: str
    page: int | None = None
    line: int | None = None


def split_passages(title: str, blocks: Iterable[Block]) -> list[Passage]:
    """Split at headings, pages and paragraphs into passages of about 500 characters."""
    passages: list[Passage] = []
    for headings, paragraphs in _sections(title, blocks):
        together: list[Block] = []
        length = 0
        for each in paragraphs:
            if together and (
                length + len(each.text) > _LONGEST_PASSAGE or each.page != together[0].page
            ):
                passages += _cut(headings, together)
                together, length = [], 0
            together.append(each)
            length += len(each.text) + len(_BETWEEN)
        passages += _cut(headings, together)
    return passages


def _sections(title: str, blocks: Iterable[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Yield title and headings above each section, and its paragraphs.

    Of a section without any, the heading is all that it says.
    """
    above: list[Block] = []
    headings: tuple[str, ...] = (title,)
    paragraphs: list[Block] = []
    for block in blocks:
        if not block.level:
            paragraphs.append(block)
            continue
        if not paragraphs and above and block.level <= above[-1].level:
            paragraphs = above[-1:]
        if paragraphs:
            yield headings, paragraphs
        paragraphs = []
        above = [*(each for each in above if each.level < block.level), block]
        named = [each.text for each in above if each.text]
        headings = (title, *(named[1:] if named[:1] == [title] else named))
    if paragraphs or above:
        yield headings, paragraphs or above[-1:]


def _cut(headings: tuple[str, ...], blocks: list[Block]) -> Iterator[Passage]:
    """Yield the paragraphs as one passage; a long paragraph in several of similar length."""
    first = blocks[0]
    text = first.text if len(blocks) == 1 else _BETWEEN.join(block.text for block in blocks)
    if len(text) <= _LONGEST_PASSAGE:
        if text and not text.isspace():
            yield _passage(headings, first.page, first.line, text.strip("\n"))
        return
    line, at = first.line, 0
    while at < len(text):
        left = len(text) - at
        end = len(text)
        if left > _LONGEST_PASSAGE:
            wanted = left // -(-left // PASSAGE_LENGTH)
            end = at + _best_cut(text[at : at + _LONGEST_PASSAGE], wanted)
        piece = text[at:end]
        if stripped := piece.strip():
            skipped = piece[: len(piece) - len(piece.lstrip())].count("\n")
            place = None if line is None else line + skipped
            yield _passage(headings, first.page, place, stripped)
        if line is not None:
            line += piece.count("\n")
        at = end


def _passage(headings: tuple[str, ...], page: int | None, line: int | None, text: str) -> Passage:
    shown = shown_text(text)
    return Passage(headings, page, line, shown, "" if shown == text else text)


def _best_cut(text: str, wanted: int) -> int:
    """Return the place at the end of a sentence, line or word that is nearest to `wanted`."""
    low, high = wanted * 2 // 3, len(text)
    ends = [each.end() for each in _SENTENCE_END.finditer(text, low, high)]
    for sign in ("\n", " "):
        if not ends:
            ends = [at + 1 for at in range(low, high) if text[at] == sign]
    nearest = sorted(ends, key=lambda at: abs(at - wanted))
    # Only those that may be used are looked at: a text has many ends.
    return next((at for at in nearest if not _is_inside(text, at)), wanted)


def _is_inside(text: str, at: int) -> bool:
    return ends_in_abbreviation(text, len(text[:at].rstrip()))
