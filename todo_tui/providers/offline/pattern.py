"""Patterns: one line of grammar, compiled; slots in braces, shared alternatives in capitals.

`mark {ref} as DONE` reads `mark milk and plants as finished`. A small name in braces is
a slot; a few kinds of slot are read as they match, so that `{when}` takes only what is a
date. A name in capitals stands for the alternatives of MACROS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from todo_tui.providers.offline.intents import Intent

Slots = Mapping[str, str]
Build = Callable[[Slots], Intent | None]
Check = Callable[[str], bool]
"""Whether words can fill a kind of slot."""

MACROS: dict[str, str] = {
    "DONE": r"(?:all |both )?(?:done|complete|completed|finished|ticked off|ticked|checked off"
    r"|checked)",
    "TASK": r"(?:tasks?|to-?dos?|to-? ?do items?|items?|reminders?|entry|entries)",
    "LIST": (
        r"(?:(?:my|the|our|this|that|your) )?(?:(?:to-? ?do|task|tasks) )?(?:list|to-?dos|tasks)"
    ),
    "THE": r"(?:the |my |our |an? )?",
    "OF": r"(?:of|for|on|from|in|to)",
    "FROM": r"(?:from|off of|off|of|on)",
    "PRIORITY": r"(?:priority|prio|importance|urgency)",
    "DELETE": (
        r"(?:delete|remove|erase|drop|trash|bin|scrap|discard|ditch|cancel|kill|get rid of"
        r"|throw away|throw out|clear out|clear|purge|wipe|nuke|forget about|forget|call off)"
    ),
    "MOVE": (
        r"(?:move|reschedule|re-schedule|postpone|push|shift|delay|defer|change|bump|snooze"
        r"|put off|put|set|bring|pull|slip|carry over|carry|update|advance|make)"
    ),
    "LATER": r"(?:postpone|push|delay|defer|bump|snooze|put off|slip|move|shift|reschedule)",
    "PUT": r"(?:move|put|file|place|assign|set|transfer|stick)",
    "GROUP": r"(?:project|list|category|folder|group|area)",
    "OPENED": (
        r"(?:not done|not complete|not completed|not finished|undone|open|incomplete|to-?do"
        r"|unfinished|uncompleted|active|pending|not yet done|unchecked)"
    ),
    "DATE": r"(?:due date|due day|deadline|date|due time|due)",
    "BE": r"(?:is|are|was|were|has been|have been|got|'s|should be|must be|needs to be|will be)",
}

_MOST_READINGS = 6
_SLOT = re.compile(r"\{(\w+)\}")
_MACRO = re.compile(r"\b[A-Z]{2,}\b")


@dataclass(frozen=True)
class Rule:
    """A pattern for a whole clause and what it means.

    `strong` when the clause is surely a command wherever it stands; otherwise it
    may be the title of a task too, as `finish the report`.
    """

    pattern: str
    build: Build
    strong: bool = True

    @cached_property
    def parts(self) -> tuple[re.Pattern[str], str, re.Pattern[str] | None]:
        """What comes before the first slot, that slot's name, and what comes after it."""
        spelled = _MACRO.sub(lambda name: MACROS.get(name[0], name[0]), self.pattern)
        slot = _SLOT.search(spelled)
        if slot is None:
            return _compiled(spelled), "", None
        return _compiled(spelled[: slot.start()]), slot[1], _compiled(spelled[slot.end() :])

    def readings(self, clause: str, checks: Mapping[str, Check]) -> Iterator[Intent]:
        """What the clause means by this rule, once for each way its slots can be filled."""
        for slots in islice(self._fillings(clause, checks), _MOST_READINGS):
            intent = self.build(slots)
            if intent is not None:
                yield intent

    def _fillings(self, clause: str, checks: Mapping[str, Check]) -> Iterator[Slots]:
        """Slots that fit, those with a short first one before those with a long one."""
        head, name, tail = self.parts
        if tail is None:
            match = head.fullmatch(clause)
            if match and all(_fits(*slot, checks) for slot in _named(match)):
                yield dict(_named(match))
            return
        begun = head.match(clause)
        if begun is None:
            return
        for end in _word_ends(clause, begun.end()):
            if not clause[begun.end() : end].strip():
                continue
            if match := tail.fullmatch(clause, end):
                slots = [(name, clause[begun.end() : end].strip()), *_named(begun), *_named(match)]
                if all(_fits(*slot, checks) for slot in slots):
                    yield dict(slots)


def _compiled(source: str) -> re.Pattern[str]:
    """A part of a pattern; slots in it are as short as they can be."""
    return re.compile(_SLOT.sub(r"(?P<\1>.+?)", source), re.IGNORECASE | re.DOTALL)


def _named(match: re.Match[str]) -> list[tuple[str, str]]:
    return [(name, (text or "").strip()) for name, text in match.groupdict().items()]


def _word_ends(text: str, start: int) -> Iterator[int]:
    """The places after `start` where a word may end."""
    for at in range(start + 1, len(text) + 1):
        if at == len(text) or not (text[at - 1].isalnum() and text[at].isalnum()):
            yield at


def _fits(name: str, words: str, checks: Mapping[str, Check]) -> bool:
    check = checks.get(name)
    return check is None or not words or check(words)
