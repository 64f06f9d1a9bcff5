"""When the list is read anew: after others wrote, and when time has changed it."""

from __future__ import annotations

import asyncio

from textual.widget import Widget

from todo_tui.domain.errors import TodoError
from todo_tui.tui.later import Later
from todo_tui.tui.passing_time import FIRST_LOOK_SECONDS, LOOK_SECONDS, PassingTime
from todo_tui.tui.widgets.live_list import LiveList


class Rereading:
    """Reads in the background; of several wishes at a time the last one holds."""

    def __init__(self, pane: Widget, view: Widget, live: LiveList, passing: PassingTime) -> None:
        self._pane = pane
        self._view = view
        self._live = live
        self._passing = passing

    def start(self, *, pause: float = 0.0) -> None:
        """Read after a pause in seconds."""
        self._pane.run_worker(
            Later(self._live.load_in_background, pause), group="task-reload", exclusive=True
        )

    def follow_clock(self) -> None:
        """Look each minute what time has changed since the list was first read."""
        self._pane.set_timer(FIRST_LOOK_SECONDS, self._look)
        self._pane.set_interval(LOOK_SECONDS, self._look)

    def _look(self) -> None:
        self._pane.run_worker(
            Later(self._see_what_time_changed), group="task-clock", exclusive=True
        )

    async def _see_what_time_changed(self) -> None:
        try:
            is_old = await asyncio.to_thread(self._passing.has_changed_the_list)
        except TodoError:
            # Reading the list will say what is wrong.
            is_old = True
        if is_old:
            self.start()
        else:
            # The words of dates can still be others.
            self._view.refresh()
