"""Other tasks named in a field of the editor: by number, or by words of their titles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from todo_tui.domain.errors import NotFound, ValidationError
from todo_tui.domain.filter_terms import AnyStatus, InTrash, Not, Says, all_of
from todo_tui.domain.task import Task
from todo_tui.domain.text import folded, plain_line

if TYPE_CHECKING:
    # Whoever opens the app has opened the store; its type alone needs no import.
    from todo_tui.store.tasks import TaskStore

MOST_FOUND = 6
_NUMBER = re.compile(r"(?<!\S)#?(\d+)(?=[\s,;]|$)")
_SHOWN = 40


class References:
    """Looks tasks up for one task; takes milliseconds, from any thread.

    A task is part of its parent, and waits for its blockers: neither may go in a circle.
    """

    def __init__(self, tasks: TaskStore, task_id: int) -> None:
        self._tasks = tasks
        self._id = task_id

    def find(self, words: str) -> tuple[Task, ...]:
        """Some tasks whose titles have these words, the one itself left out; open ones first.

        Raises:
            StoreError: the file cannot be read.
        """
        parts = [Says(word) for word in words.split()]
        if not parts:
            return ()
        wanted = all_of(AnyStatus(), Not(InTrash()), *parts)
        found = [
            each
            for each in self._tasks.some(wanted, limit=4 * MOST_FOUND)
            if each.id != self._id and all(_has(each, word) for word in words.split())
        ]
        found.sort(key=lambda each: (not each.is_open, folded(each.title) != folded(words)))
        return tuple(found[:MOST_FOUND])

    def parent(self, text: str) -> Task | None:
        """The one task that a text names; None of an empty one.

        Raises:
            ValidationError: it names none, several, or one that is part of this task.
            StoreError: the file cannot be read.
        """
        named = self._named(text)
        if len(named) > 1:
            raise ValidationError("A task is part of one other at most.")
        for task in named:
            if task.id == self._id:
                raise ValidationError(f"#{task.id} cannot be part of itself.")
            if self._leads_here(task.id, self._above):
                raise ValidationError(
                    f"#{self._id} cannot be part of #{task.id}, which is part of it."
                )
            return task
        return None

    def blockers(self, text: str) -> tuple[Task, ...]:
        """The tasks that a text names.

        Raises:
            ValidationError: it names one that is not there, or that waits for this task.
            StoreError: the file cannot be read.
        """
        named = self._named(text)
        for task in named:
            if task.id == self._id:
                raise ValidationError(f"#{task.id} cannot wait for itself.")
            if self._leads_here(task.id, self._awaited):
                raise ValidationError(
                    f"#{self._id} cannot wait for #{task.id}, which waits for it."
                )
        return named

    def _named(self, text: str) -> tuple[Task, ...]:
        named = [self._numbered(number) for number in _NUMBER.findall(text)]
        named += [self._titled(words) for words in words_between(text)]
        return tuple({task.id: task for task in named}.values())

    def _numbered(self, number: str) -> Task:
        try:
            task = self._tasks.get(int(number[:18]))
        except NotFound as error:
            raise ValidationError(error.message) from error
        if task.deleted_at is not None:
            raise ValidationError(f"#{task.id} is in the trash.")
        return task

    def _titled(self, words: str) -> Task:
        found = self.find(words)
        exact = [each for each in found if folded(each.title) == folded(words)]
        if len(found) == 1 or len(exact) == 1:
            return (exact or found)[0]
        if not found:
            raise ValidationError(f"No title has “{words}”.")
        some = ", ".join(f"#{each.id} {short(each)}" for each in found[:3])
        raise ValidationError(f"“{words}” could be {some}.")

    def _above(self, task_id: int) -> Iterable[int]:
        parent = self._tasks.get(task_id).parent
        return () if parent is None else (parent,)

    def _awaited(self, task_id: int) -> Iterable[int]:
        return self._tasks.get(task_id).blocked_by

    def _leads_here(self, start: int, following: Callable[[int], Iterable[int]]) -> bool:
        """Whether this task is reached by going on from another one."""
        seen, left = {start}, [start]
        while left:
            for each in following(left.pop()):
                if each == self._id:
                    return True
                if each not in seen:
                    seen.add(each)
                    left.append(each)
        return False


def words_between(text: str) -> Iterator[str]:
    """The pieces of a text that are no numbers, parted by these and by commas."""
    for piece in re.split(r"[,;]", _NUMBER.sub(",", text)):
        words = " ".join(piece.split())
        if words:
            yield words


def short(task: Task) -> str:
    """The beginning of a title."""
    title = plain_line(task.title)
    return title if len(title) <= _SHOWN else f"{title[: _SHOWN - 1]}…"


def _has(task: Task, word: str) -> bool:
    return folded(word) in folded(task.title)


def piece_before(text: str, cursor: int) -> tuple[int, str]:
    """Where the words that end at the cursor begin, and these; none right behind a number."""
    before = text[:cursor]
    start = 0
    for found in re.finditer(r"(?<!\S)#?\d+(?=[\s,;]|$)|[,;]", before):
        start = found.end()
    words = before[start:]
    return start + len(words) - len(words.lstrip()), " ".join(words.split())
