"""Matching of a filter against one task, and of searched words within a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, assert_never
from zoneinfo import ZoneInfo

from todo_tui.domain.filters.terms import (
    And,
    AnyStateTerm,
    AnyStatus,
    BeforeOrAfter,
    ChildOf,
    ContainsText,
    DayField,
    DescendantOf,
    Filter,
    HasField,
    HasId,
    HasIds,
    HasPriority,
    HasStatus,
    HasTag,
    InProject,
    InTrash,
    IsBlocked,
    IsBlocking,
    IsOpen,
    IsOverdue,
    IsReady,
    IsStarted,
    IsWaiting,
    Not,
    Or,
    PriorityBetween,
    StateTerm,
    TaskField,
    WithinDays,
)
from todo_tui.domain.task import Status, Task
from todo_tui.domain.text import fold_case, search_text

_JOINER = "\u200d"
_MODIFIERS = range(0x1F3FB, 0x1F400)
"""Skin tones, which modify the emoji before them."""
_VOWELS_AND_FINALS = range(0x1160, 0x1200)
"""Korean jamo after the first one of a syllable."""


class TaskRelations(Protocol):
    """Relations between tasks, by id; tasks in the trash exist, too."""

    def is_open(self, task_id: int) -> bool:
        """Return True for a task that is todo or doing, and not in the trash."""

    def parent_of(self, task_id: int) -> int | None:
        """Return the parent of a task."""

    def has_children(self, task_id: int) -> bool:
        """Return True if a child of the task is outside the trash."""

    def is_blocking(self, task_id: int) -> bool:
        """Return True if an open task waits for this one."""


class NoRelations:
    """Relations of a single task without others; all blockers count as open."""

    def is_open(self, task_id: int) -> bool:
        """Return True."""
        return True

    def parent_of(self, task_id: int) -> int | None:
        """Return None."""
        return None

    def has_children(self, task_id: int) -> bool:
        """Return False."""
        return False

    def is_blocking(self, task_id: int) -> bool:
        """Return False."""
        return False


def depends_on_other_tasks(wanted: Filter) -> bool:
    """Return True if a change of one task can decide the match of another."""
    match wanted:
        case And(parts) | Or(parts):
            return any(map(depends_on_other_tasks, parts))
        case Not(part):
            return depends_on_other_tasks(part)
        case HasField(field):
            return field is TaskField.CHILDREN
        case _:
            return isinstance(wanted, DescendantOf | IsBlocked | IsBlocking | IsReady)


def matches(
    wanted: Filter,
    task: Task,
    now: datetime,
    *,
    zone: str | None = None,
    relations: TaskRelations | None = None,
) -> bool:
    """Return True if a task matches a filter, with the same answer as the store.

    Args:
        wanted: the filter.
        task: the task.
        now: naive local wall time.
        zone: zone of the days of instants such as `completed_at`; the system's if None.
        relations: relations to other tasks; without them the task stands alone.
    """
    return _TaskMatcher(task, now, zone, relations or NoRelations()).holds(wanted)


@dataclass(frozen=True, slots=True)
class _TaskMatcher:
    """Match of one task at one moment, in one zone, among others."""

    task: Task
    now: datetime
    zone: str | None
    relations: TaskRelations

    def holds(self, term: Filter) -> bool:  # noqa: C901 - one case a kind of term
        match term:
            case And(parts):
                return all(map(self.holds, parts))
            case Or(parts):
                return any(map(self.holds, parts))
            case Not(part):
                return not self.holds(part)
            case StateTerm():
                return self._has_state(term)
            case HasId(number):
                return self.task.id == number
            case HasIds(ranges):
                return any(first <= self.task.id <= last for first, last in ranges)
            case ChildOf(number):
                return self.task.parent == number
            case DescendantOf(number):
                return self._is_descendant_of(number)
            case InProject(name):
                return _is_in_project(self.task.project, name)
            case HasTag(name):
                return fold_case(name) in map(fold_case, self.task.tags)
            case HasPriority(priority):
                return self.task.priority is priority
            case PriorityBetween():
                return self.task.priority in term.priorities
            case HasField(field):
                return self._has_field(field)
            case WithinDays():
                return self._is_within(term)
            case BeforeOrAfter():
                return self._is_before_or_after(term)
            case HasStatus(status):
                return self.task.status is status
            case ContainsText(words):
                return fold_case(words) in self._text()
            case _:
                assert_never(term)

    def _has_state(self, state: AnyStateTerm) -> bool:
        task = self.task
        match state:
            case IsOpen():
                return task.status.is_open and not task.starts_later(self.now)
            case AnyStatus():
                return True
            case InTrash():
                return task.deleted_at is not None
            case IsOverdue():
                return task.is_overdue(self.now)
            case IsWaiting():
                return task.is_open and task.starts_later(self.now)
            case IsStarted():
                begun = task.start is not None and not task.starts_later(self.now)
                return task.is_open and (begun or task.status is Status.DOING)
            case IsBlocked():
                return self._is_blocked()
            case IsBlocking():
                return task.is_open and self.relations.is_blocking(task.id)
            case IsReady():
                return task.is_open and not (task.starts_later(self.now) or self._is_blocked())
            case _:
                assert_never(state)

    def _is_blocked(self) -> bool:
        return any(map(self.relations.is_open, self.task.blocked_by))

    def _is_descendant_of(self, number: int) -> bool:
        seen: set[int] = set()
        ancestor = self.task.parent
        while ancestor is not None and ancestor not in seen:
            if ancestor == number:
                return True
            seen.add(ancestor)
            ancestor = self.relations.parent_of(ancestor)
        return False

    def _has_field(self, field: TaskField) -> bool:  # noqa: C901 - one case a field
        match field:
            case TaskField.DUE:
                return self.task.due is not None
            case TaskField.START:
                return self.task.start is not None
            case TaskField.PROJECT:
                return self.task.project is not None
            case TaskField.TAGS:
                return bool(self.task.tags)
            case TaskField.PRIORITY:
                return self.task.priority is not None
            case TaskField.NOTES:
                return bool(self.task.notes)
            case TaskField.RECURRENCE:
                return self.task.recurrence is not None
            case TaskField.BLOCKERS:
                return bool(self.task.blocked_by)
            case TaskField.PARENT:
                return self.task.parent is not None
            case TaskField.CHILDREN:
                return self.relations.has_children(self.task.id)
            case TaskField.REMARKS:
                return bool(self.task.annotations)
            case _:
                assert_never(field)

    def _is_within(self, days: WithinDays) -> bool:
        moment = self._moment(days.of)
        if moment is None:
            return False
        day = moment.date()
        return (days.first or day) <= day <= (days.last or day)

    def _is_before_or_after(self, side: BeforeOrAfter) -> bool:
        moment = self._moment(side.of)
        if moment is None or moment == side.moment:
            return side.inclusive and moment is not None
        return (moment < side.moment) is side.before

    def _moment(self, field: DayField) -> datetime | None:
        task = self.task
        match field:
            case DayField.DUE:
                return None if task.due is None else task.due.local()
            case DayField.START:
                return None if task.start is None else task.start.begins()
            case DayField.COMPLETED:
                return None if task.completed_at is None else self._local(task.completed_at)
            case DayField.CREATED:
                return self._local(task.created_at)
            case DayField.UPDATED:
                return self._local(task.updated_at)
            case _:
                assert_never(field)

    def _local(self, instant: datetime) -> datetime:
        zone = None if self.zone is None else ZoneInfo(self.zone)
        return instant.astimezone(zone).replace(tzinfo=None)

    def _text(self) -> str:
        task = self.task
        return search_text(task.title, task.notes, task.project, task.tags)


def _is_in_project(project: str | None, name: str) -> bool:
    if project is None:
        return False
    path, wanted = fold_case(project), fold_case(name)
    return path == wanted or path.startswith(f"{wanted}.")


def search_words(wanted: Filter) -> tuple[str, ...]:
    """Return the words that a filter searches for, without the negated ones."""
    match wanted:
        case And(parts) | Or(parts):
            return tuple(dict.fromkeys(word for part in parts for word in search_words(part)))
        case ContainsText(words):
            return (words,)
        case _:
            return ()


def find_spans(text: str, words: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Find search words in a text like the store does: (start, end), sorted and disjoint.

    A span never separates a letter from its accent or an emoji from its modifiers.
    """
    wanted = [each for each in map(fold_case, words) if each]
    if not wanted:
        return ()
    if text.isascii():
        # Folded per character, so that positions are the same in both texts.
        found = (span for word in wanted for span in _find_word(text.lower(), word))
        return _merge_spans(found)
    pieces = list(_clusters(text))
    starts: list[int] = []
    for number, (start, end) in enumerate(pieces):
        starts += [number] * len(fold_case(text[start:end]))
    whole = "".join(fold_case(text[start:end]) for start, end in pieces)
    return _merge_spans(
        (pieces[starts[first]][0], pieces[starts[last - 1]][1])
        for word in wanted
        for first, last in _find_word(whole, word)
    )


def _find_word(text: str, word: str) -> Iterator[tuple[int, int]]:
    return ((found.start(), found.end()) for found in re.finditer(re.escape(word), text))


def _merge_spans(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield grapheme clusters: a base with all its combining characters."""
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and (_is_combining(text[at]) or text[at - 1] == _JOINER):
            continue
        yield start, at
        start = at


def _is_combining(character: str) -> bool:
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf")
        or ord(character) in _MODIFIERS
        or ord(character) in _VOWELS_AND_FINALS
    )
