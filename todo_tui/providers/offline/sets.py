"""Sets of tasks by what they share: `both garden jobs`, `all the admin ones except the bank one`.

One grammar for commands and statements: a word for all of them, or a noun behind; the name of a
project, of a tag, or a word of titles; a condition, and what is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.providers.offline.changes import Dates
from todo_tui.providers.offline.references import mentioned, stems
from todo_tui.providers.offline.tool_results import Seen
from todo_tui.providers.offline.words import ARTICLES, NUMBERS, word_set

_ALL = word_set("set_words")
_NOUNS = word_set("set_nouns")
_EXCEPT = word_set("except_words")
_BETWEEN = ARTICLES | {"of"}
_LONGEST_EXCEPTION = 6
_LONGEST_DAYS = 5


@dataclass(frozen=True, slots=True)
class NamedSet:
    """Tasks, and the places of the words that name them, spare some, or bound them."""

    tasks: tuple[Seen, ...]
    places: frozenset[int]


def named_set(words: Sequence[str], tasks: Sequence[Seen], dates: Dates) -> NamedSet | None:
    """Return the set that words name; None if they name none, or spare what is not in it."""
    found: dict[int, Seen] = {}
    places: set[int] = set()
    for at, word in enumerate(words):
        before = _quantifier(words, at)
        noun = at + 1 if words[at + 1 : at + 2] and words[at + 1] in _NOUNS else None
        is_heading = word.endswith(":")
        if not (before or noun or is_heading):
            continue
        members = _members(word.strip(":"), tasks, by_title=bool(before or noun))
        counts = [NUMBERS.get(words[place], 2 * (words[place] == "both")) for place in before]
        wanted = max(counts, default=0)
        if not members or (wanted and len(members) != wanted):
            continue
        places |= {at, *before, *([noun] if noun else [])}
        members, bounds = _bounded(words, max(places) + 1, members, dates)
        places |= bounds
        found |= {task.id: task for task in members}
    if len(found) < 2:
        return None
    for at, word in enumerate(words):
        if word in _EXCEPT and at > min(places):
            rest = words[at + 1 : at + 1 + _LONGEST_EXCEPTION]
            spared, shared = mentioned(rest, tuple(found.values()))
            if spared and len(spared) < len(found):
                found = {key: task for key, task in found.items() if task not in spared}
                places |= {at, *(at + 1 + place for place in shared)}
                places |= {
                    at + 2 + place for place in shared if rest[place + 1 : place + 2] == ["one"]
                }
    return NamedSet(tuple(found.values()), frozenset(places))


def _quantifier(words: Sequence[str], at: int) -> list[int]:
    """Return the places of `all of the` before a name; empty if nothing asks for all."""
    places: list[int] = []
    for place in range(at - 1, -1, -1):
        if words[place] in _ALL or words[place] in NUMBERS:
            return [place, *places]
        if words[place] not in _BETWEEN:
            break
        places.append(place)
    return []


def _members(name: str, tasks: Sequence[Seen], *, by_title: bool) -> list[Seen]:
    """Return the tasks of a project or tag; else those that have a word in their titles."""
    forms = {name, name.removesuffix("s"), f"{name}s"} - {""}
    grouped = [
        task
        for task in tasks
        if forms & {*map(str.casefold, task.tags), *task.project.casefold().split(".")}
    ]
    if grouped or not by_title or name in _NOUNS or name in _ALL:
        return grouped
    wanted = set(stems(name))
    titled = [task for task in tasks if wanted & set(stems(task.title))]
    return titled if len(titled) > 1 else []


def _bounded(
    words: Sequence[str], at: int, tasks: list[Seen], dates: Dates
) -> tuple[list[Seen], set[int]]:
    """Return the tasks that fit `due tomorrow` behind the name, and the places of those words."""
    if words[at : at + 1] == ["due"]:
        for end in range(min(len(words), at + 1 + _LONGEST_DAYS), at + 1, -1):
            if days := dates.stretch(" ".join(words[at + 1 : end])):
                fits = [
                    task for task in tasks if task.due and days.first <= task.due.day <= days.last
                ]
                return fits, set(range(at, end))
    return tasks, set()
