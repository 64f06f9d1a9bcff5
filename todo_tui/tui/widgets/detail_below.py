"""The details of the task under the cursor, below the list while they are wanted."""

from __future__ import annotations

from todo_tui.domain.clock import Clock
from todo_tui.tui.widgets.late_boxes import LateBoxes
from todo_tui.tui.widgets.task_list import TaskList


class DetailBelow:
    """Opens the details, and keeps them with the cursor."""

    def __init__(self, view: TaskList, boxes: LateBoxes, clock: Clock) -> None:
        self._view = view
        self._boxes = boxes
        self._clock = clock

    @property
    def is_open(self) -> bool:
        """Whether they are seen."""
        return self._boxes.made is not None and self._boxes.made.detail.is_open

    async def toggle(self) -> None:
        """Show them, or no longer."""
        await self._boxes.have()
        if self.is_open:
            self.close()
        else:
            self._show()

    def close(self) -> None:
        """Put them away."""
        self._boxes.opened.detail.close()

    def follow(self) -> None:
        """The cursor is on another task, or its task has changed."""
        if self.is_open:
            self._show()

    def _show(self) -> None:
        detail, clock = self._boxes.opened.detail, self._clock
        detail.show(self._view.task_at_cursor, clock.now(), clock.zone)
