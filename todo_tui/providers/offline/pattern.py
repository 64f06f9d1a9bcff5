"""Pattern language of the rules: a regular expression with slots that are checked when filled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

Slots = Mapping[str, str]
Check = Callable[[str], bool]
_SLOT = re.compile(r"\{(\w+)\}")
_CLASS = re.compile(r"\b[A-Z][A-Z_]+\b")


@lru_cache(maxsize=1024)
def compiled(
    pattern: str, classes: tuple[tuple[str, str], ...]
) -> tuple[re.Pattern[str] | str, ...]:
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


def fillings(
    parts: tuple[re.Pattern[str] | str, ...], text: str, checks: Mapping[str, Check]
) -> Iterator[dict[str, str]]:
    """Yield every way to fill the slots so that the pattern is the whole text.

    A slot is one or more whole words; short fillings come first. `checks` has a condition
    for some names.
    """
    if isinstance(parts[0], re.Pattern) and not parts[0].match(text):
        return
    yield from _fill(parts, text, 0, _ends(text), checks)


def _fill(
    parts: tuple[re.Pattern[str] | str, ...],
    text: str,
    at: int,
    ends: list[int],
    checks: Mapping[str, Check],
) -> Iterator[dict[str, str]]:
    if not parts:
        if at == len(text):
            yield {}
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, re.Pattern):
        for end in _matches(first, text, at, is_last=not rest):
            match = first.match(text, at, end)
            named = (
                {key: value for key, value in match.groupdict().items() if value} if match else {}
            )
            for filled in _fill(rest, text, end, ends, checks):
                yield {**named, **filled}
        return
    check = checks.get(first)
    for end in [len(text)] if not rest else ends:
        value = text[at:end].strip(" ,:;")
        if end <= at or not value or (at and text[at - 1].isalnum() and text[at].isalnum()):
            continue
        if rest and isinstance(rest[0], re.Pattern) and not rest[0].match(text, end):
            continue
        if check is not None and not check(value):
            continue
        for filled in _fill(rest, text, end, ends, checks):
            yield {first: value, **filled}


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
