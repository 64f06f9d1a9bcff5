"""Characters that arrive in halves: a surrogate pair may be split between two deltas."""

from __future__ import annotations

from todo_tui.domain.text import whole_characters


class SurrogateJoiner:
    """Joins deltas of which one may end in the first half of a character."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        """What can be shown now; a first half at the end waits for its second."""
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return whole_characters(text)

    def finish(self) -> str:
        """What still waited: empty, or U+FFFD."""
        rest, self._half = whole_characters(self._half), ""
        return rest
