"""The boxes of the pane, made when one is first needed: the first frame does without them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.widget import Widget

from todo_tui.tui.later import Later
from todo_tui.tui.slow_loading import loading
from todo_tui.tui.workbench import Workbench

if TYPE_CHECKING:
    # Made after the first frame.
    from todo_tui.tui.widgets.pane_boxes import PaneBoxes


def _load_boxes(loop: asyncio.AbstractEventLoop) -> type[PaneBoxes]:
    """Import them in a thread: they bring the grammar of dates, and keys are typed meanwhile."""
    with loading(loop):
        from todo_tui.tui.widgets.pane_boxes import PaneBoxes

    return PaneBoxes


class LateBoxes:
    """Makes the boxes once and mounts them; the details stand above `notice`."""

    def __init__(self, pane: Widget, workbench: Workbench, notice: Widget) -> None:
        self._pane = pane
        self._workbench = workbench
        self._notice = notice
        self._making = asyncio.Lock()
        self.made: PaneBoxes | None = None
        """The boxes; None before any was needed."""

    @property
    def opened(self) -> PaneBoxes:
        """The boxes, for what only an open one can have asked."""
        assert self.made is not None  # noqa: S101  # no box speaks before it is made
        return self.made

    @property
    def wants_keys(self) -> Widget | None:
        """The box that is open to be typed in, if one is."""
        return None if self.made is None else self.made.wants_keys

    def prepare(self) -> None:
        """Make them in the background: a key that needs one is quick then."""
        if self.made is None and not self._making.locked():
            self._pane.run_worker(Later(self.have), group="task-boxes", exit_on_error=False)

    async def have(self) -> PaneBoxes:
        """The boxes, made and mounted now if they were not."""
        async with self._making:
            if self.made is None:
                make_boxes = await asyncio.to_thread(_load_boxes, asyncio.get_running_loop())
                boxes = make_boxes(self._workbench)
                await self._pane.mount(boxes.detail, before=self._notice)
                await self._pane.mount(*boxes.drawers, boxes.rename)
                self.made = boxes
        return self.made
