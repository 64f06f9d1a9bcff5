"""One line of todo.txt, taken apart and put together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote

_PRIORITY = re.compile(r"\(([A-Z])\) ")
_DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?: |$)")
_KEY = re.compile(r"([A-Za-z][\w.-]*):(?!//)(\S+)")
_KNOWN = frozenset("due time zone t rec pri id p after note uuid created changed ended tui".split())
"""Keys that have a meaning here wherever they stand in the line."""
_UNSAFE = re.compile(r"[\s%\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line taken apart.

    `title` has everything but known keys and what follows the last word; projects and
    contexts also from within the title.
    """

    title: str
    is_done: bool = False
    priority: str | None = None
    completed: str | None = None
    created: str | None = None
    projects: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """Known keys with their values, in order; of two of a kind the first one counts."""
    others: tuple[str, ...] = ()
    """Further `key:value` words after the last word of the title."""
    _identity: str = field(default="", compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take a line apart; any line can be."""
        is_done, priority, first, body = _head(text)
        completed, created = (first, None) if is_done else (None, first)
        if is_done and first and (second := _DAY.match(body)):
            created, body = second[1], body[second.end() :]
        words = body.split(" ")
        keys = tuple(pair for word in words if (pair := _known(word)))
        kept = [word for word in words if not _known(word)]
        end = len(kept)
        while end and (not kept[end - 1] or _is_trailing(kept[end - 1])):
            end -= 1
        end = end if any(kept[:end]) else len(kept)
        return cls(
            title=" ".join(kept[:end]).strip(),
            is_done=is_done,
            priority=priority,
            completed=completed,
            created=created,
            projects=_signed("+", kept),
            contexts=_signed("@", kept),
            keys=keys,
            others=tuple(word for word in kept[end:] if word and word[0] not in "+@"),
            _identity=f"{created or ''} {' '.join(_but_priority(words))}",
        )

    @property
    def identity(self) -> str:
        """What stays the same when it is ticked off."""
        return self._identity

    def value(self, key: str) -> str | None:
        """The value of a known key."""
        return next((value for name, value in self.keys if name == key), None)

    def text(self) -> str:
        """The line, without its end."""
        head = ["x"] if self.is_done else []
        if self.priority is not None and not self.is_done:
            head.append(f"({self.priority})")
        head += [date for date in (self.completed, self.created) if date]
        present = self.title.split(" ")
        signs = [f"+{each}" for each in self.projects] + [f"@{each}" for each in self.contexts]
        keys = [f"{name}:{escaped(value)}" for name, value in self.keys]
        tail = [sign for sign in signs if sign not in present]
        return " ".join((*head, self.title, *tail, *self.others, *keys))


def _head(text: str) -> tuple[bool, str | None, str | None, str]:
    """Whether it is done, its priority, its first date, and the rest."""
    is_done = text.startswith("x ")
    body = text[2:] if is_done else text
    priority = _PRIORITY.match(body)
    body = body[priority.end() :] if priority else body
    day = _DAY.match(body)
    body = body[day.end() :] if day else body
    return is_done, priority[1] if priority else None, day[1] if day else None, body


def escaped(value: str) -> str:
    """A value without spaces and line ends: those are written as in an address (`%20`)."""
    return _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), value)


def masked(title: str) -> str:
    """A title in which no word passes for a key that has a meaning here."""
    words = (word.replace(":", "%3A", 1) if _known(word) else word for word in title.split(" "))
    return " ".join(words)


def as_sign(text: str) -> str:
    """A project or tag as one word."""
    return re.sub(r"\s+", "_", text)


def _known(word: str) -> tuple[str, str] | None:
    found = _KEY.fullmatch(word)
    if found is None or found[1] not in _KNOWN:
        return None
    return found[1], unquote(found[2])


def _is_trailing(word: str) -> bool:
    return bool(re.fullmatch(r"[+@]\S+", word)) or _KEY.fullmatch(word) is not None


def _signed(sign: str, words: Iterable[str]) -> tuple[str, ...]:
    found = (word[1:] for word in words if word.startswith(sign) and len(word) > 1)
    return tuple(dict.fromkeys(found))


def _but_priority(words: Iterable[str]) -> Iterable[str]:
    return (word for word in words if not word.startswith("pri:"))
