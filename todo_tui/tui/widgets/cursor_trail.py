"""Where the cursor goes after a key has changed its task."""

from __future__ import annotations

from collections.abc import Sequence

from todo_tui.domain.task import Task
from todo_tui.tui.widgets.late_boxes import LateBoxes
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_outline import TaskOutline
from todo_tui.tui.widgets.task_sentences import short_title


class CursorTrail:
    """Goes on from what is done, and follows what was added or moved."""

    def __init__(self, view: TaskList, outline: TaskOutline, boxes: LateBoxes) -> None:
        self._view = view
        self._outline = outline
        self._boxes = boxes

    def go_on_from(self, task_id: int) -> None:
        """Move the cursor to the next open task; on the last one it stays."""
        row = self._outline.row_of(task_id)
        following = None if row is None else self._outline.task_at_row(row + 1)
        place = None if following is None else self._outline.place_of(following)
        if following is not None and place is not None and not place.section.is_closed:
            self._view.move_cursor_to(following)

    def follow(self, tasks: Sequence[Task]) -> None:
        """Put the cursor on the uppermost of these, or leave it on one; say where none is shown."""
        rows = {task.id: self._outline.row_of(task.id) for task in tasks}
        shown = {task_id: row for task_id, row in rows.items() if row is not None}
        cursor = self._view.cursor_task
        boxes = self._boxes.made
        if cursor is not None and cursor in shown:
            self._view.move_cursor_to(cursor)
        elif shown:
            self._view.move_cursor_to(min(shown, key=lambda task_id: shown[task_id]))
        elif tasks and boxes is not None and boxes.quick_add.is_open:
            title = short_title(tasks[0].title)
            boxes.quick_add.say(f"Added {title}. This list does not show it.")
