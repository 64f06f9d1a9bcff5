"""Large pastes: shown as one mark in the composer, written out when the message is sent."""

from __future__ import annotations

MESSAGE_LIMIT_BYTES = 500_000
"""The longest message, in bytes of UTF-8; more than any model reads at once."""

_FOLD_LINES = 200
_FOLD_CHARACTERS = 10_000


class Pastes:
    """What stands behind the marks of one message."""

    def __init__(self) -> None:
        self._by_mark: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """The text itself, or its mark where it is too large to be edited in a small box."""
        lines = text.rstrip("\n").count("\n") + 1
        if lines <= _FOLD_LINES and len(text) <= _FOLD_CHARACTERS:
            return text
        size = f"{lines:,} lines" if lines > 1 else f"{len(text):,} characters"
        mark = f"[pasted {size}]"
        again = 2
        while mark in self._by_mark and self._by_mark[mark] != text:
            mark = f"[pasted {size}, {again}]"
            again += 1
        self._by_mark[mark] = text
        return mark

    def expand(self, text: str) -> str:
        """The text with every mark that still stands in it written out, once each."""
        if not self._by_mark:
            return text
        for mark, pasted in self._by_mark.items():
            text = text.replace(mark, pasted)
        return text

    def clear(self) -> None:
        """Forget what was pasted: the message is sent."""
        self._by_mark.clear()


def size_words(size: int) -> str:
    """Bytes for people: `500 kB`, `1.2 MB`."""
    if size >= 1_000_000:
        return f"{size / 1_000_000:.1f} MB"
    return f"{max(round(size / 1000), 1)} kB"
