"""The cursor of the list: the task that keys are about, and where it goes when that leaves."""

from __future__ import annotations

from collections.abc import Collection

from todo_tui.tui.widgets.task_outline import TaskOutline


class ListCursor:
    """Stays on its task; of a task with several rows it knows on which it is."""

    def __init__(self, outline: TaskOutline) -> None:
        self._outline = outline
        self.task: int | None = None
        """The id of the task; None where the list is empty."""
        self.row = 0

    @property
    def is_shown(self) -> bool:
        """Whether its task has a row."""
        return self.task is not None and self._outline.row_of(self.task) is not None

    def put(self, task_id: int | None, row: int | None = None) -> None:
        """Put it on a task: on this row of it, else on the nearest."""
        self.task = task_id
        if row is None and task_id is not None:
            row = self.row_of(task_id)
        self.row = row or 0

    def row_of(self, task_id: int) -> int | None:
        """The row of a task, of several the one next to the cursor."""
        return self._outline.row_of(task_id, near=self.row)

    def after(self, leaving: Collection[int]) -> int | None:
        """Where it belongs after the order changed.

        Where its task is gone, or is `leaving` for another group, on the one that took its
        place, or the last.
        """
        if self.task is not None and self.task not in leaving and self.is_shown:
            return self.task
        successor = self._outline.task_at_row(self.row)
        if successor in leaving and self.row:
            successor = self._outline.task_at_row(self.row - 1)
        return successor
