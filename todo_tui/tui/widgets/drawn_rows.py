"""The tasks that were read for the list and the rows that were drawn of them, kept a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from textual.cache import FIFOCache
from textual.strip import Strip

from todo_tui.domain.task import Task
from todo_tui.tui.widgets.task_row import PartStyle, RowPainter, RowState

FetchTasks = Callable[[Sequence[int]], Iterable[Task]]
"""Reads the tasks of some ids; unknown ones are left out. May raise TodoError."""

_KEPT = 1024
"""More than any screen has rows."""


class DrawnRows:
    """Draws a row once for each state that it is seen in, until its task changes.

    All rows are drawn anew in another width, minute or theme.
    """

    def __init__(
        self, fetch: FetchTasks, now: Callable[[], datetime], zone: str, style: PartStyle
    ) -> None:
        self._fetch = fetch
        self._now = now
        self._zone = zone
        self._style = style
        self._tasks: FIFOCache[int, Task] = FIFOCache(_KEPT)
        self._drawn: FIFOCache[tuple[int, RowState], tuple[Task, Strip]] = FIFOCache(_KEPT)
        self._painter: RowPainter | None = None
        self._searched: tuple[str, ...] = ()

    def task_of(self, task_id: int) -> Task | None:
        """A task that was read; None where it was not, or is not there."""
        return self._tasks.get(task_id)

    def read(self, task_ids: Iterable[int]) -> None:
        """Read those of these tasks that are not known, in one go.

        Raises:
            TodoError: they cannot be read.
        """
        unknown = [task_id for task_id in task_ids if task_id not in self._tasks]
        if unknown:
            self.know(self._fetch(unknown))

    def know(self, tasks: Iterable[Task]) -> None:
        """Take tasks as they are now."""
        for task in tasks:
            self._tasks[task.id] = task

    def forget(self) -> None:
        """Read every task anew when it is next needed."""
        self._tasks.clear()

    def restyle(self) -> None:
        """Styles are others now."""
        self._painter = None

    def highlight(self, words: tuple[str, ...]) -> bool:
        """Mark these words in titles from now on; answers whether they are others."""
        changed, self._searched = words != self._searched, words
        if changed:
            self._painter = None
        return changed

    def painter(self, width: int) -> RowPainter:
        """The painter of a width at this minute."""
        minute = self._now().replace(second=0, microsecond=0)
        painter = self._painter
        if painter is None or painter.width != width or painter.now != minute:
            painter = RowPainter(width, minute, self._zone, self._style, self._searched)
            self._painter = painter
            self._drawn.clear()
        return painter

    def row(self, task_id: int, state: RowState, width: int) -> Strip:
        """The row of a task; of one that could not be read, an empty sign of it."""
        painter = self.painter(width)
        task = self._tasks.get(task_id)
        if task is None:
            return painter.unread(state)
        drawn = self._drawn.get((task_id, state))
        if drawn is None or drawn[0] is not task:
            drawn = (task, painter.task(task, state))
            self._drawn[task_id, state] = drawn
        return drawn[1]
