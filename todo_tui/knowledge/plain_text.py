"""Structure of plain text: paragraphs, the headings above them, and what only the printer needs.

Left out are page numbers, running heads and tables of contents. A line is a heading if it is
underlined, or if it is short, looks like a title, and text follows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from todo_tui.knowledge.passages import Block

_LONGEST_TITLE = 70
_LEADERS = re.compile(r"[ \t]*(?:\.[ \t]?){4,}[ \t]*|[ \t]+\.{2,}[ \t]+|[ \t]*…{2,}[ \t]*")
"""Dots that lead from a word to what belongs to it."""
_PAGE_NUMBER = re.compile(
    r"\s*(?:[-–—\[(]\s*)?(?:(?:page|p\.)\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?(?:\s*[-–—\])])?\s*$",
    re.IGNORECASE,
)
_WITH_PAGE = re.compile(
    r"(?:\s{2,}|[|·•–—-]\s*)page\s+\d+(?:\s*(?:of|/)\s*\d+)?\s*$", re.IGNORECASE
)
"""End of a running head or foot."""
_WITH_NUMBER = re.compile(r"(?:\s{3,}|\|\s*)\d{1,4}\s*$")
_FEWEST_PAGES = 3
"""Pages from which on a line that recurs is a running head."""
_FEWEST_NUMBERS = 2
"""Lines with only a number from which on these are page numbers."""
_ENDS = 2
"""Lines at each end of a page among which running heads are."""
_CONTENTS = re.compile(r"\s*(?:table of )?contents:?\s*$", re.IGNORECASE)
_UNDERLINE = re.compile(r"\s*(={3,}|-{3,}|~{3,}|\*{3,}|_{3,})\s*$")
_NUMBER = re.compile(
    r"(?:(?:section|part|chapter|article|clause|day)\s+)?(\d{1,2}(?:\.\d{1,2})*)[.):]?\s+(?=\S)",
    re.I,
)
_ITEM = re.compile(r"\s*(?:[-*+•–]|\(?[a-z\d]{1,3}\))\s")
_TITLE, _CAPITALS, _WORDS = 1, 2, 3
"""Levels of headings: the first line of all, in capitals, other ones."""


def text_blocks(text: str) -> Iterator[Block]:
    """Yield paragraphs, which blank lines separate, and headings."""
    lines = without_page_furniture(text.split("\n"))
    paragraphs = list(_paragraphs(lines))
    for at, (number, own) in enumerate(paragraphs):
        is_first = at == 0
        if len(own) == 2 and _UNDERLINE.match(own[1]):
            yield Block(_level(own[0], is_first, own[1]), own[0].strip(), None, number)
            continue
        after = paragraphs[at + 1][1] if at + 1 < len(paragraphs) else None
        has_text = after is not None and (len(after) > 1 or not _is_title(after[0]))
        if len(own) == 1 and _is_title(own[0]) and (has_text or is_first) and after:
            yield Block(_level(own[0], is_first), own[0].strip(), None, number)
        elif len(own) > 1 and _is_marked_title(own[0]) and not _is_marked_title(own[1]):
            yield Block(_level(own[0], is_first), own[0].strip(), None, number)
            yield Block(0, "\n".join(own[1:]), None, number + 1)
        else:
            yield Block(0, "\n".join(own), None, number)


def without_page_furniture(lines: Sequence[str]) -> list[str]:
    """Return as many lines: empty ones for page numbers, running heads and tables of contents.

    Leaders of dots become a colon.
    """
    titles = {_key(line) for line in lines if not _LEADERS.search(line)}
    alike = Counter(map(_without_digits, lines))
    has_pages = sum(map(bool, map(_PAGE_NUMBER.match, lines))) >= _FEWEST_NUMBERS
    found = []
    for before, line, after in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        entry = _LEADERS.split(line)
        if len(entry) == 2 and (not entry[1] or _PAGE_NUMBER.match(entry[1])):
            is_left_out = _key(entry[0]) in titles
        else:
            is_alone = not (before.strip() or after.strip())
            recurs = alike[_without_digits(line)] >= _FEWEST_PAGES
            is_left_out = bool(
                _WITH_PAGE.search(line)
                or (is_alone and has_pages and _PAGE_NUMBER.match(line))
                or (recurs and _WITH_NUMBER.search(line))
                or _CONTENTS.match(line)
            )
        found.append("" if is_left_out else _LEADERS.sub(": ", line))
    return found


def without_running_heads(pages: Sequence[str]) -> list[str]:
    """Return the pages without the lines at their ends that most of them share."""
    split = [page.split("\n") for page in pages]
    ends = Counter(
        each
        for lines in split
        for each in {_without_digits(line) for line in (*lines[:_ENDS], *lines[-_ENDS:])}
    )
    shared = {each for each, count in ends.items() if count >= max(_FEWEST_PAGES, len(pages) / 2)}
    return [
        "\n".join(
            line
            for at, line in enumerate(without_page_furniture(lines))
            if _ENDS <= at < len(lines) - _ENDS or _without_digits(line) not in shared
        )
        for lines in split
    ]


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines between blank ones with the number of the first.

    An underlined line is a paragraph of its own, with its underline. Other rules are left out.
    """
    paragraph: list[str] = []
    is_underlined = False
    for number, (line, after) in enumerate(pairwise([*lines, "", ""]), 1):
        if is_underlined:
            yield number - 1, [*paragraph, line]
            paragraph, is_underlined = [], False
        elif line.strip() and not _UNDERLINE.match(line):
            is_underlined = not paragraph and bool(_UNDERLINE.match(after)) and _is_title(line)
            paragraph.append(line)
        elif paragraph:
            yield number - len(paragraph), paragraph
            paragraph = []


def _is_title(line: str) -> bool:
    """Return True for a line that may be the title of what follows."""
    stripped = line.strip()
    text = _NUMBER.sub("", stripped, count=1)
    return (
        len(stripped) <= _LONGEST_TITLE
        and any(map(str.isalpha, text))
        and (text[:1].isupper() or text[:1].isdigit() or text != stripped)
        and stripped[-1] not in ".,;:!?"
        and ": " not in stripped
        and "  " not in text
        and not _ITEM.match(line)
    )


def _is_marked_title(line: str) -> bool:
    """Return True for a title in capitals or with a number, which needs no blank line behind it."""
    stripped = line.strip()
    text = _NUMBER.sub("", stripped, count=1)
    return _is_title(line) and (text.isupper() or (text != stripped and len(text.split()) <= 6))


def _level(line: str, is_first: bool, underline: str = "") -> int:
    stripped = line.strip()
    if is_first or underline.strip().startswith("="):
        return _TITLE
    if number := _NUMBER.match(stripped):
        return _CAPITALS + number[1].count(".")
    return _CAPITALS if stripped.isupper() or underline else _WORDS


def _without_digits(line: str) -> str:
    return re.sub(r"\d+", "", _key(line))


def _key(line: str) -> str:
    return " ".join(line.casefold().split())
