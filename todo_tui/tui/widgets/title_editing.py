"""Renaming a task in its line: the box lies over the title, and moves with it."""

from __future__ import annotations

from textual.geometry import Offset, clamp
from textual.widget import Widget

from todo_tui.domain.task import Task
from todo_tui.tui.widgets.late_boxes import LateBoxes
from todo_tui.tui.widgets.task_hand import TaskHand
from todo_tui.tui.widgets.task_list import TaskList
from todo_tui.tui.widgets.task_outline import TaskOutline
from todo_tui.tui.widgets.task_row import TITLE_COLUMN


class TitleEditing:
    """Opens the box over a task of the list, and closes it when the title is settled."""

    def __init__(
        self,
        pane: Widget,
        view: TaskList,
        outline: TaskOutline,
        boxes: LateBoxes,
        hand: TaskHand,
    ) -> None:
        self._pane = pane
        self._view = view
        self._outline = outline
        self._boxes = boxes
        self._hand = hand

    async def open(self, task: Task) -> None:
        """Edit the title of a task in its place."""
        boxes = await self._boxes.have()
        self._view.move_cursor_to(task.id)
        boxes.rename.open(task.id, task.title)
        self.place()

    def place(self) -> None:
        """Keep the box over its title while rows move, and where it is when the row goes."""
        boxes = self._boxes.made
        task_id = None if boxes is None else boxes.rename.task_id
        line = None if task_id is None else self._outline.line_of(task_id)
        if boxes is None or line is None:
            return
        inside = self._view.content_region
        corner = inside.offset - self._pane.content_region.offset
        below = clamp(line - self._view.scroll_offset.y, 0, inside.height - 1)
        boxes.lay_rename_box(
            Offset(corner.x + TITLE_COLUMN, corner.y + below), inside.width - TITLE_COLUMN
        )

    def rename(self, task_id: int, title: str) -> None:
        """Give a task its title; the box stays open until that has worked."""
        self._hand.rename(task_id, title, lambda: self._close(task_id))

    def leave(self) -> None:
        """Let the title be as it is."""
        self._close(self._boxes.opened.rename.task_id)

    def _close(self, task_id: int | None) -> None:
        rename = self._boxes.opened.rename
        if rename.task_id != task_id:
            return
        had_focus = rename.has_focus
        rename.close()
        if had_focus:
            self._view.focus(scroll_visible=False)
