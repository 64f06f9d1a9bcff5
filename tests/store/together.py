"""Tasks as they hang together, for holding filters against them in memory."""

from __future__ import annotations

from collections.abc import Iterable

from todo_tui.domain.task import Task


class Together:
    """The relations of tasks that are all at hand."""

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}

    def is_open(self, task_id: int) -> bool:
        return self._tasks[task_id].is_open

    def parent_of(self, task: Task) -> Task | None:
        return None if task.parent is None else self._tasks.get(task.parent)

    def has_children(self, task_id: int) -> bool:
        return any(
            task.parent == task_id and task.deleted_at is None for task in self._tasks.values()
        )

    def is_blocking(self, task_id: int) -> bool:
        return any(task_id in task.blocked_by and task.is_open for task in self._tasks.values())
