"""Text of other hands made safe for a terminal, and text folded for search."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ESCAPES = re.compile(
    r"""
      (?:\x1b\[|\x9b) [0-?]* [ -/]* [@-~]                        # CSI: colours, cursor
    | (?:\x1b\]|\x9d) [^\x07\x1b\x9c]* (?:\x07|\x1b\\|\x9c)       # OSC: titles, links, clipboard
    | (?:\x1b[PX^_]|[\x90\x98\x9e\x9f]) [^\x1b\x9c]* (?:\x1b\\|\x9c)  # DCS, SOS, PM, APC
    | \x1b [ -/]* [0-~]                                          # two-character escapes
    """,
    re.VERBOSE,
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_UNSAFE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f"  # C0 (but tab and newline), DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # bidi marks, embeddings, isolates
    "\ufff9-\ufffb\ud800-\udfff]"  # interlinear annotation, lone surrogates
)
_BREAKS = re.compile(r"[\n\t]+")


def plain_text(text: str) -> str:
    """Text without control, escape and bidi characters; newlines and tabs stay.

    All kinds of line ends become a newline. Joiners and variation selectors stay,
    because emoji and many scripts are made of them.
    """
    if text.isprintable():
        return text
    without_escapes = _ESCAPES.sub("", text)
    return _UNSAFE.sub("", _LINE_ENDS.sub("\n", without_escapes))


def plain_line(text: str) -> str:
    """Like `plain_text`, on one line: newlines and tabs become one space."""
    if text.isprintable():
        return text
    return _BREAKS.sub(" ", plain_text(text))


def whole_characters(text: str) -> str:
    """Text that can be written as UTF-8: halves of one character joined, lone ones replaced."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def folded(text: str) -> str:
    """Text as search compares it: without case, and one form for each character."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())


def search_text(title: str, notes: str, project: str | None, tags: Iterable[str]) -> str:
    """What a word of a filter is looked for in: each field folded, on lines of its own."""
    return "\n".join(folded(field) for field in (title, notes, project or "", *tags))
