"""Which tasks of the list are next to one, on its own level."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from todo_tui.domain.task import Task
from todo_tui.tui.widgets.task_outline import TaskOutline

_REACH = 500
"""Rows that are looked through; subtasks of a neighbour lie between."""


class TaskNeighbours:
    """Finds siblings on screen: tasks of the same parent under the same heading."""

    def __init__(self, outline: TaskOutline, task_of: Callable[[int], Task | None]) -> None:
        self._outline = outline
        self._task_of = task_of

    def sibling(self, task: Task, step: int, *, same_key: bool = False) -> Task | None:
        """The next sibling below (1) or above (-1); None where there is none.

        With `same_key` it must be one that only the manual order keeps apart from it.
        """
        place = self._outline.place_of(task.id)
        for other in self._rows_from(task, step):
            there = self._outline.place_of(other.id)
            if place is None or there is None or there.section != place.section:
                return None
            if other.parent != task.parent:
                continue
            if same_key and there.key[:-2] != place.key[:-2]:
                return None
            return other
        return None

    def above(self, task: Task) -> Task | None:
        """The task above of which this one could be a part: on its level, wherever due."""
        for other in self._rows_from(task, -1):
            if not self._is_below(other, task.id):
                while other.parent is not None and other.parent != task.parent:
                    parent = self._task_of(other.parent)
                    if parent is None or parent.deleted_at is not None:
                        break
                    other = parent
                return None if other.id == task.parent else other
        return None

    def _is_below(self, task: Task, ancestor: int) -> bool:
        parent = task.parent
        while parent is not None:
            if parent == ancestor:
                return True
            above = self._task_of(parent)
            parent = None if above is None else above.parent
        return False

    def _rows_from(self, task: Task, step: int) -> Iterator[Task]:
        row = self._outline.row_of(task.id)
        if row is None:
            return
        for other_row in range(row + step, row + step * _REACH, step):
            if not 0 <= other_row < self._outline.row_count:
                return
            task_id = self._outline.task_at_row(other_row)
            other = None if task_id is None or task_id < 0 else self._task_of(task_id)
            if other is not None:
                yield other
