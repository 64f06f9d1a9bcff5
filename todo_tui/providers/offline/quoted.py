"""Quoted words: hidden behind marks while a sentence is read, since they are no grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass

from todo_tui.providers.offline.words import straightened

_QUOTED = re.compile(r"\"([^\"\n]+)\"|`([^`\n]+)`|(?<![\w'])'([^'\n]+(?:'\w[^'\n]*)*)'(?![\w'])")
_FIRST_MARK = 0xE000
_MARKS = 0x1900
_MARK = re.compile(f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text whose quoted parts are single marks, and what the marks stand for."""

    text: str
    parts: tuple[str, ...]

    def shown(self, text: str) -> str:
        """The text with its marks opened, the quotes gone."""
        return _MARK.sub(lambda mark: self._part(mark[0]), text)

    def kept(self, text: str) -> str:
        """The text with its marks opened, in double quotes."""
        return _MARK.sub(lambda mark: f'"{self._part(mark[0])}"', text)

    def _part(self, mark: str) -> str:
        at = ord(mark) - _FIRST_MARK
        return self.parts[at] if at < len(self.parts) else ""


def hide_quoted(text: str) -> Quoted:
    """Put a mark of Unicode's private use area in place of each quoted part."""
    parts: list[str] = []

    def hide(match: re.Match[str]) -> str:
        if len(parts) >= _MARKS:
            return match[0]
        parts.append((match[1] or match[2] or match[3]).strip())
        return chr(_FIRST_MARK + len(parts) - 1)

    return Quoted(_QUOTED.sub(hide, _MARK.sub("", straightened(text))), tuple(parts))


def is_mark(text: str) -> bool:
    """Whether the text is one quoted part and nothing else."""
    return _MARK.fullmatch(text.strip()) is not None
