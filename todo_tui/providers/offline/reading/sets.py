"""Sets of tasks by what they share: `both garden jobs`, `everything in novel and blog except #3`.

One grammar for commands and statements: a word for all of them, or a noun behind; the names of
projects and tags, words of titles, days and states as conditions; then what is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from todo_tui.providers.offline.language.change_phrases import Dates
from todo_tui.providers.offline.language.phrases import SHIFT
from todo_tui.providers.offline.language.words import ARTICLES, NUMBERS, is_past, is_verb, word_set
from todo_tui.providers.offline.reading.title_matching import mentioned, stems
from todo_tui.providers.offline.tool_results import ShownTask

_ALL = word_set("set_words")
_NOUNS = word_set("set_nouns")
_SINGULAR = frozenset({"one", "thing", "task"})
_EXCEPT = word_set("except_words")
_DENIALS = word_set("set_denials")
_BETWEEN = ARTICLES | word_set("set_links")
_BOUNDS = word_set("set_bounds")
"""Words behind which a day bounds the set, and is not where its tasks go."""
_MOVING = word_set("moving_verbs")
_LONGEST_EXCEPTION = 6
_LONGEST_DAYS = 5
_LONGEST_NAME = 3
_STATES = {"overdue": "overdue", "late": "overdue", "undated": "undated", "dateless": "undated"}


@dataclass(frozen=True, slots=True)
class NamedSet:
    """Tasks, and the places of the words that name them, spare some, or bound them."""

    tasks: tuple[ShownTask, ...]
    places: frozenset[int]
    end: int
    """Place behind the name and its conditions."""


def named_set(
    words: Sequence[str], tasks: Sequence[ShownTask], dates: Dates, *, bounded: bool = True
) -> NamedSet | None:
    """Return the set that words name; None if they name none, or spare what is not in it.

    Days are conditions if `bounded`, else where the tasks go: `all the sheep jobs on saturday`.
    """
    found: dict[int, ShownTask] = {}
    places: set[int] = set()
    end = 0
    for start in _heads(words):
        if start < end:
            continue
        name = _Name(words, tasks, dates, bounded).read(start)
        if name is not None and not name.tasks:
            return None
        if name is not None:
            found |= {task.id: task for task in name.tasks}
            places |= name.places
            end = name.end
    if not found:
        return None
    kept, spared_at = _without_spared(words, found, min(places), end)
    if len(kept) + len(found) < 3:
        return None
    return NamedSet(tuple(kept.values()), frozenset(places | spared_at), end)


def _heads(words: Sequence[str]) -> Iterator[int]:
    """Yield the places where the name of a set may begin."""
    for at, heading in enumerate(words):
        word = heading.strip(":")
        counted = word in NUMBERS and words[at + 1 : at + 2] and not words[at + 1].isdigit()
        if word in ("everything", "all") and at:
            # `for the family everything is done`
            yield max(0, at - 3)
        if word in _ALL or counted or (heading != word and word not in _NOUNS):
            yield at
        elif word in _NOUNS:
            # `friday's work tasks`, `the garden jobs`: what stands before the noun names them.
            yield max(0, at - 3)
            yield max(0, at - 2)
            yield max(0, at - 1)


@dataclass(slots=True)
class _Name:
    """Reads one name of a set, word by word."""

    words: Sequence[str]
    tasks: Sequence[ShownTask]
    dates: Dates
    bounded: bool

    places: set[int] = field(default_factory=set)
    members: list[ShownTask] | None = None
    """Tasks that fit the conditions so far; None for all."""
    grouped: dict[int, ShownTask] = field(default_factory=dict)
    """Tasks of the projects and tags named last, of which one is enough."""
    is_marked: bool = False
    """True once a word says that all are meant."""
    wanted: int = 0

    def read(self, start: int) -> NamedSet | None:
        """Return the set whose name begins at a place; one without tasks if it has none."""
        words, at = self.words, start
        while at < len(words) and (end := self._word(at)):
            self.places |= set(range(at, end))
            at = end
            if words[at - 1].endswith(":") or self.members == []:
                break
        while at - 1 in self.places and words[at - 1] in _BETWEEN:
            at -= 1
            self.places.discard(at)
        if self.members == []:
            return NamedSet((), frozenset(), at)
        pool = self._pool() if self.members is not None or self.grouped else []
        if not (self.is_marked and pool):
            return None
        if self.wanted and len(pool) != self.wanted:
            # `both work tasks`, of three: nobody knows which.
            return NamedSet((), frozenset(), at)
        return NamedSet(tuple(pool), frozenset(self.places), at)

    def _word(self, at: int) -> int:
        """Return the end of the words at a place that belong to the name; 0 for none."""
        word = self.words[at]
        name = word.strip(":")
        if (days := self._days(at, is_open=self.members is None)) is not None:
            end, fits = days
            self._narrow([task for task in self._pool() if task in fits])
            return end
        if word in _ALL or (word in NUMBERS and not (self.members or self.grouped)):
            self.wanted = self.wanted or NUMBERS.get(word, 2 * (word == "both"))
            self.is_marked = True
        elif name in _NOUNS and not self._group(at):
            # `every work thing`, but `the work one` is one of them.
            self.is_marked = self.is_marked or name not in _SINGULAR
        elif (state := _STATES.get(name)) is not None:
            self._narrow([task for task in self._pool() if _is_in(task, state)])
        elif named := self._group(at):
            length, group = named
            self.grouped |= {task.id: task for task in group}
            is_noun = name in _NOUNS or self.words[at + length - 1].endswith(":")
            self.is_marked = self.is_marked or is_noun
            return at + length
        elif titled := self._titled(name, is_marked=self.is_marked or self._has_noun(at)):
            both = [task for task in self._pool() if task in titled]
            if not both:
                return 0
            self._narrow(both)
        elif word not in _BETWEEN:
            return 0
        return at + 1

    def _narrow(self, tasks: list[ShownTask]) -> None:
        self.members, self.grouped = tasks, {}

    def _pool(self) -> list[ShownTask]:
        """Return the tasks that fit so far: those of the groups named last, of those before."""
        pool = list(self.tasks) if self.members is None else self.members
        return [task for task in pool if task.id in self.grouped] if self.grouped else pool

    def _group(self, at: int) -> tuple[int, list[ShownTask]] | None:
        """Return how many words name a project or tag, and its tasks."""
        for length in range(min(_LONGEST_NAME, len(self.words) - at), 0, -1):
            name = " ".join(word.strip(":") for word in self.words[at : at + length])
            if group := _group(name, self.tasks):
                return length, group
        return None

    def _has_noun(self, at: int) -> bool:
        behind = self.words[at + 1 : at + 3]
        return behind[:1] == ("all",) or any(word in _NOUNS - _SINGULAR for word in behind)

    def _titled(self, name: str, *, is_marked: bool) -> list[ShownTask]:
        """Return the tasks that have a word in their titles; none for a word of every message."""
        wanted = set(stems(name))
        if not is_marked or name in _BETWEEN or not wanted or _is_deed(name):
            return []
        titled = [task for task in self.tasks if wanted & set(stems(task.title))]
        return titled if len(titled) > 1 else []

    def _days(self, at: int, *, is_open: bool) -> tuple[int, list[ShownTask]] | None:
        """Return the end of days that bound the set, and the tasks that are due in them."""
        words = self.words
        start = at
        if not self.bounded:
            return None
        while start < len(words) and words[start] in _BOUNDS:
            start += 1
        for end in range(min(len(words), start + _LONGEST_DAYS), start, -1):
            said = " ".join(words[start:end])
            days = None if SHIFT.fullmatch(said) else self.dates.stretch(said)
            if days is None or words[end - 1].isdigit():
                continue
            if "to" in words[start:end] and not _MOVING.isdisjoint(words[:start]):
                # `shift everything due tomorrow to monday`
                continue
            is_bound = start > at or any(word in _NOUNS for word in words[end : end + 2])
            if not is_bound and not is_open:
                return None
            if not is_bound and words[end : end + 1] and words[end] not in _NOUNS:
                return None
            fits = [
                task for task in self.tasks if task.due and days.first <= task.due.day <= days.last
            ]
            return end, fits
        return None


def _is_deed(word: str) -> bool:
    """Return True for `ordered`, which names no tasks."""
    return is_past(word) and not is_verb(word)


def _group(name: str, tasks: Sequence[ShownTask]) -> list[ShownTask]:
    """Return the tasks of the project or tag of that name."""
    forms = {name, name.removesuffix("s"), f"{name}s"} - {""}
    return [
        task
        for task in tasks
        if forms & {*map(str.casefold, task.tags), *task.project.casefold().split(".")}
    ]


def _is_in(task: ShownTask, state: str) -> bool:
    return bool(task.overdue) if state == "overdue" else task.due is None


def _without_spared(
    words: Sequence[str], found: dict[int, ShownTask], start: int, end: int
) -> tuple[dict[int, ShownTask], set[int]]:
    """Return the tasks without those that words spare, and the places of those words."""
    places: set[int] = set()
    kept = dict(found)
    for at in range(len(words)):
        if start <= at < end or (words[at] not in _EXCEPT and words[at] not in _DENIALS):
            continue
        behind = range(at + 1, min(len(words), at + 1 + _LONGEST_EXCEPTION))
        # `only the night shift isn't`, `the gutters not yet`: what is denied stands before.
        before = range(max(end, at - _LONGEST_EXCEPTION), at)
        sides = (behind, before) if words[at] == "not" else (behind,)
        for around in sides if words[at] in _EXCEPT else (before,):
            rest = [words[place] for place in around]
            spared, shared = mentioned(rest, tuple(kept.values()), by_verb=True)
            if spared and len(spared) < len(kept):
                kept = {key: task for key, task in kept.items() if task not in spared}
                places |= {at, *(around[place] for place in shared)}
                # `but the plumber stays` says it twice.
                used = {"one", "and"} | (_DENIALS if around is behind else set())
                places |= {place for place in around if words[place] in used}
                break
    return kept, places
