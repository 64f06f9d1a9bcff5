"""Limits on how much of one message is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.domain.text import plain_text

MOST_CHARACTERS = 20_000
"""Limit per message. 20,000 are laid out in 0.1 s, ten times as many in 2 s."""

MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Beginning of a text, without control characters."""

    text: str
    hidden: int
    """Number of characters left out."""

    @property
    def note(self) -> str:
        """Line that reports the hidden characters; empty where the text is complete."""
        return f"… {self.hidden:,} more characters (saved, not shown)" if self.hidden else ""

    @property
    def lines(self) -> str:
        """Text with the note below it."""
        return "\n".join(filter(None, (self.text, self.note)))


def excerpt(
    text: str, *, characters: int = MOST_CHARACTERS, lines: int = MOST_LINES, length: int = 0
) -> Excerpt:
    """Cut a text to the part that is drawn.

    `length` is that of the complete text where `text` is only its beginning.
    """
    drawn = plain_text(text[:characters])
    ends = _end_of_line(drawn, lines)
    beyond = max(len(text), length) - min(len(text), characters)
    return Excerpt(drawn[:ends], beyond + len(drawn) - ends)


def _end_of_line(text: str, number: int) -> int:
    """Return the offset of the end of that line; the text's length if it has fewer lines."""
    at = -1
    for _ in range(number):
        at = text.find("\n", at + 1)
        if at < 0:
            return len(text)
    return at if text[at:].strip() else len(text)
