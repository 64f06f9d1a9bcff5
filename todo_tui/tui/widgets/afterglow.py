"""What is still shown of the latest changes: marks, and tasks that were done just now."""

from __future__ import annotations

from collections.abc import Iterable

from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.tui.widgets.task_row import Mark

_MARKS = {
    ChangeKind.ADDED: Mark.NEW,
    ChangeKind.RESTORED: Mark.NEW,
    ChangeKind.REOPENED: Mark.NEW,
    ChangeKind.UPDATED: Mark.CHANGED,
}


class Afterglow:
    """Marks of the changes that belong together: one gesture, or one turn of the chat.

    The next gesture's marks replace them. Tasks that were completed keep their row for
    a moment, until `settle`.
    """

    def __init__(self) -> None:
        self.marks: dict[int, Mark] = {}
        self.just_done: set[int] = set()
        self._origin: str | None = None

    def take(self, changes: Iterable[TaskChange]) -> None:
        """Mark what these changes touched."""
        for change in changes:
            origin = change.gesture.turn_id or change.gesture.batch
            if origin != self._origin:
                self._origin = origin
                self.marks = {}
            task_id = change.task.id
            mark = _MARKS.get(change.kind)
            if mark is None:
                self.marks.pop(task_id, None)
            elif self.marks.get(task_id) is not Mark.NEW:
                self.marks[task_id] = mark

    def fade(self) -> None:
        """Forget the marks."""
        self.marks = {}

    def settle(self, task_ids: Iterable[int]) -> None:
        """Let completed tasks leave their row."""
        self.just_done.difference_update(task_ids)
