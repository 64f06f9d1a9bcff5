"""Keys and what they do, as a line of hints."""

from __future__ import annotations

from textual.content import Content

from todo_tui.tui.theme import FAINT, MUTED


def key_words(keys: tuple[str, ...]) -> Content:
    """`Esc stop · Ctrl+T other model`, the keys brighter than what they do."""
    pieces = []
    for words in keys:
        key, _, action = words.partition(" ")
        pieces.append(Content.assemble((key, "bold $primary"), (f" {action}", MUTED)))
    return Content.styled(" · ", FAINT).join(pieces)
