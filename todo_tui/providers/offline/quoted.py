"""Quoted words: hidden behind marks while a sentence is read, since they are no grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.providers.offline.verbs import is_verb
from todo_tui.providers.offline.words import straightened

_QUOTED = re.compile(
    r"(?<![\w\"])\"([^\"\n]+)\"(?!\w)|`([^`\n]+)`|(?<![\w'])'([^'\n]+(?:'\w[^'\n]*)*)'(?![\w'])"
)
_JOINED = re.compile(r"(?:and|or|then|but|,|&)(?!\w)", re.IGNORECASE)
_FIRST_MARK = 0x12000
"""Cuneiform: letters, so that patterns see words, and of no list that is written today."""

_MARKS = 0x390
MARK = f"[{chr(_FIRST_MARK)}-{chr(_FIRST_MARK + _MARKS - 1)}]"
"""The pattern of one quoted part, hidden."""

_MARK = re.compile(MARK)


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
        return _MARK.sub(lambda mark: _in_quotes(self._part(mark[0])), text)

    def with_titles(self, titles: Sequence[str]) -> Quoted:
        """With these titles hidden too, wherever they stand in the text as whole words."""
        text, parts = self.text, list(self.parts)
        for title in sorted(map(_object_of, titles), key=len, reverse=True):
            found = re.search(
                rf"(?<!\w){re.escape(straightened(title))}(?!\w)", text, re.IGNORECASE
            )
            if found and len(parts) < _MARKS:
                parts.append(title)
                mark = chr(_FIRST_MARK + len(parts) - 1)
                text = f"{text[: found.start()]}{mark}{text[found.end() :]}"
        return Quoted(text, tuple(parts))

    def _part(self, mark: str) -> str:
        at = ord(mark) - _FIRST_MARK
        return self.parts[at] if at < len(self.parts) else ""


def hide_quoted(text: str) -> Quoted:
    """Put a mark of Unicode's cuneiform block in place of each quoted part."""
    parts: list[str] = []

    def hide(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or match[3]).strip()
        if not words or len(parts) >= _MARKS:
            return match[0]
        parts.append(words)
        return chr(_FIRST_MARK + len(parts) - 1)

    return Quoted(_QUOTED.sub(hide, _MARK.sub("", straightened(text))), tuple(parts))


def is_mark(text: str) -> bool:
    """Whether the text is one quoted part and nothing else."""
    return _MARK.fullmatch(text.strip()) is not None


def _in_quotes(words: str) -> str:
    return f"`{words}`" if '"' in words else f'"{words}"'


def _object_of(title: str) -> str:
    """The title without its verb, which may be said in another form: `War and Peace`."""
    verb, _, rest = title.partition(" ")
    bare = is_verb(verb.casefold()) and rest and not _JOINED.match(rest)
    return rest if bare else title
