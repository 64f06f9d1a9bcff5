"""Pattern language of the rules: a regular expression with slots that are checked when filled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

Slots = Mapping[str, str]
Check = Callable[[str], bool]
Parts = tuple[re.Pattern[str] | str, ...]
"""A pattern in parts: expressions, and names of slots."""
_SLOT = re.compile(r"\{(\w+)\}")
_CLASS = re.compile(r"\b[A-Z][A-Z_]+\b")


@lru_cache(maxsize=1024)
def compiled(pattern: str, classes: tuple[tuple[str, str], ...]) -> Parts:
    """Split a pattern into expressions and names of slots, word classes in capitals replaced."""
    words = dict(classes)
    spelled = _CLASS.sub(lambda match: f"(?:{words[match[0]]})", pattern)
    parts: list[re.Pattern[str] | str] = []
    end = 0
    for slot in _SLOT.finditer(spelled):
        if slot.start() > end:
            parts.append(re.compile(spelled[end : slot.start()], re.IGNORECASE))
        parts.append(slot[1])
        end = slot.end()
    if end < len(spelled):
        parts.append(re.compile(spelled[end:], re.IGNORECASE))
    return tuple(parts)


def fillings(parts: Parts, text: str, checks: Mapping[str, Check]) -> Iterator[dict[str, str]]:
    """Yield every way to fill the slots so that the pattern is the whole text.

    A slot is one or more whole words; short fillings come first. `checks` has a condition
    for some names.
    """
    if isinstance(parts[0], re.Pattern) and not parts[0].match(text):
        return
    yield from _Matcher(text, checks).fill(parts, 0)


@dataclass(frozen=True, slots=True)
class _Matcher:
    """Fills the slots of patterns in one text."""

    text: str
    checks: Mapping[str, Check]

    def fill(self, parts: Parts, at: int) -> Iterator[dict[str, str]]:
        """Yield the fillings of the parts that are the text from a place on."""
        if not parts:
            if at == len(self.text):
                yield {}
        elif isinstance(parts[0], re.Pattern):
            yield from self._match(parts[0], parts[1:], at)
        else:
            yield from self._take(parts[0], parts[1:], at)

    def _match(self, first: re.Pattern[str], rest: Parts, at: int) -> Iterator[dict[str, str]]:
        for end in _matches(first, self.text, at, is_last=not rest):
            match = first.match(self.text, at, end)
            groups = match.groupdict() if match else {}
            named = {name: words for name, words in groups.items() if words}
            for filled in self.fill(rest, end):
                yield {**named, **filled}

    def _take(self, slot: str, rest: Parts, at: int) -> Iterator[dict[str, str]]:
        text, check = self.text, self.checks.get(slot)
        if at and at < len(text) and text[at - 1].isalnum() and text[at].isalnum():
            return
        for end in _ends(text) if rest else [len(text)]:
            words = text[at:end].strip(" ,:;")
            if not words or (rest and not _begins(rest[0], text, end)):
                continue
            if check is None or check(words):
                for filled in self.fill(rest, end):
                    yield {slot: words, **filled}


def _begins(part: re.Pattern[str] | str, text: str, at: int) -> bool:
    return isinstance(part, str) or part.match(text, at) is not None


def _matches(pattern: re.Pattern[str], text: str, at: int, *, is_last: bool) -> Iterator[int]:
    """Yield ends of a match, the longest first; optional words may be left to the slot after it."""
    if is_last:
        if pattern.fullmatch(text, at):
            yield len(text)
        return
    match = pattern.match(text, at)
    end = match.end() if match else -1
    while end >= at:
        yield end
        shorter = pattern.match(text, at, end - 1) if end > at else None
        end = shorter.end() if shorter else -1


@lru_cache(maxsize=256)
def _ends(text: str) -> list[int]:
    """Return the places where a slot can end."""
    return [at for at in range(1, len(text) + 1) if _is_boundary(text, at)]


def _is_boundary(text: str, at: int) -> bool:
    return at == len(text) or not (text[at - 1].isalnum() and text[at].isalnum())
