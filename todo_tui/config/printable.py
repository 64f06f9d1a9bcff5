"""Words of a person or a file, shown in a message."""

from __future__ import annotations

_LONGEST = 60


def quoted(text: str) -> str:
    """The text as it was typed, short and printable, in quotation marks."""
    return f"“{shown(text)}”"


def shown(text: str) -> str:
    """The text short and printable."""
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return "".join(character if character.isprintable() else "?" for character in short)
