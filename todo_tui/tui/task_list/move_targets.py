"""Neighbours of a task on screen: the sibling to move past, the parent to move under."""

from __future__ import annotations

from collections.abc import Iterator

from todo_tui.domain.task import Task
from todo_tui.tui.task_list.widget import TaskList

_SEARCH_ROWS = 500
"""Limit of rows searched; subtasks of a neighbour lie between siblings."""


def find_sibling(view: TaskList, task: Task, step: int) -> Task | None:
    """Return the next sibling down (1) or up (-1) in the task's section; None if there is none."""
    section = view.outline.section_of(task.id)
    for row, other in _rows_from(view, task, step):
        if section != view.outline.section_at_row(row):
            break
        if other.parent == task.parent:
            return other
    return None


def find_parent_above(view: TaskList, task: Task) -> Task | None:
    """Return the nearest task above that can have this one as a subtask, and does not yet."""
    rows = _rows_from(view, task, -1)
    above = next((each for _, each in rows if not _is_below(view, each, task.id)), None)
    while above is not None and above.parent is not None and above.parent != task.parent:
        parent = view.task_of(above.parent)
        if parent is None or parent.deleted_at is not None:
            break
        above = parent
    return None if above is None or above.id == task.parent else above


def _is_below(view: TaskList, task: Task | None, ancestor: int) -> bool:
    while task is not None and task.parent is not None:
        if task.parent == ancestor:
            return True
        task = view.task_of(task.parent)
    return False


def _rows_from(view: TaskList, task: Task, step: int) -> Iterator[tuple[int, Task]]:
    """Yield rows with their tasks, from the next one on, in one direction."""
    row = view.outline.row_of(task.id)
    if row is None:
        return
    for other_row in range(row + step, row + step * _SEARCH_ROWS, step):
        if not 0 <= other_row < view.outline.row_count:
            return
        task_id = view.outline.task_at_row(other_row)
        other = None if task_id is None or task_id < 0 else view.task_of(task_id)
        if other is not None:
            yield other_row, other
