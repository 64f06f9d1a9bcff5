"""Limits on how much of one message is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from todo_tui.domain.text import plain_text

MOST_CHARACTERS = 20_000
"""Of one message. Laid out in 0.1 s; ten times as many take 2 s."""

MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a text, without control characters, and how much was left out."""

    text: str
    hidden: int
    """Characters that are not shown."""

    @property
    def note(self) -> str:
        """The line that says so; empty where all is shown."""
        return f"… {self.hidden:,} more characters (saved, not shown)" if self.hidden else ""

    @property
    def lines(self) -> str:
        """The text, with the note below it."""
        return "\n".join(filter(None, (self.text, self.note)))


def excerpt(
    text: str, *, characters: int = MOST_CHARACTERS, lines: int = MOST_LINES, length: int = 0
) -> Excerpt:
    """Cut a text to what is drawn of it.

    `length` is that of the whole where `text` is only its beginning.
    """
    drawn = plain_text(text[:characters])
    ends = _end_of_line(drawn, lines)
    beyond = max(len(text), length) - min(len(text), characters)
    return Excerpt(drawn[:ends], beyond + len(drawn) - ends)


def _end_of_line(text: str, number: int) -> int:
    """Where the line of that number ends; the length of a text with fewer lines."""
    at = -1
    for _ in range(number):
        at = text.find("\n", at + 1)
        if at < 0:
            return len(text)
    return at if text[at:].strip() else len(text)
