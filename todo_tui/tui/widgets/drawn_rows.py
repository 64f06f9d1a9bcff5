"""The tasks that were read for the list and the rows that were drawn of them, kept a while."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.cache import FIFOCache
from textual.strip import Strip

from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.views.project_rows import ProjectRow
from todo_tui.tui.widgets.cell_text import steady
from todo_tui.tui.widgets.task_row import PartStyle, RowPainter, RowState

if TYPE_CHECKING:
    # What the store answers with; the list needs no store.
    from todo_tui.store.results import Standing

FetchTasks = Callable[[Sequence[int]], Iterable[Task]]
"""Reads the tasks of some ids; unknown ones are left out. May raise TodoError."""
FetchStanding = Callable[[Sequence[int]], "Mapping[int, Standing]"]
"""Reads how the tasks of some ids stand among the others. May raise TodoError."""

_KEPT = 1024
"""More than any screen has rows."""


class DrawnRows:
    """Draws a row once for each state that it is seen in, until its task changes.

    All rows are drawn anew in another width, minute or theme.
    """

    def __init__(
        self,
        fetch: FetchTasks,
        fetch_standing: FetchStanding,
        now: Callable[[], datetime],
        zone: str,
        style: PartStyle,
    ) -> None:
        self._fetch = fetch
        self._now = now
        self._zone = zone
        self._style = style
        self._tasks: FIFOCache[int, Task] = FIFOCache(_KEPT)
        self._drawn: FIFOCache[tuple[int, RowState], tuple[Task, Strip]] = FIFOCache(_KEPT)
        self._projects: Mapping[int, ProjectRow] = {}
        self._painter: RowPainter | None = None
        self._searched: tuple[str, ...] = ()
        self._standing: dict[int, Standing] = {}
        self._fetch_standing = fetch_standing

    def task_of(self, task_id: int) -> Task | None:
        """A task that was read; None where it was not, or is not there."""
        return self._tasks.get(task_id)

    def read(self, task_ids: Iterable[int]) -> None:
        """Read those of these tasks that are not known, in one go.

        Raises:
            TodoError: they cannot be read.
        """
        wanted = [each for each in task_ids if each > 0]
        self._fetch_unknown(wanted)
        known = [task for each in wanted if (task := self._tasks.get(each)) is not None]
        self._fetch_unknown([task.parent for task in known if task.parent is not None])

    def read_standing(self, task_ids: Iterable[int]) -> None:
        """Read how these tasks stand among the others, as far as that is not known.

        Raises:
            TodoError: it cannot be read.
        """
        unknown = [each for each in task_ids if each not in self._standing]
        if unknown:
            self._standing.update(self._fetch_standing(unknown))

    def standing_of(self, task_id: int) -> Standing | None:
        """How a task stands among the others, where that was read."""
        return self._standing.get(task_id)

    def is_waited_for(self, task_id: int) -> bool:
        """Whether one of the tasks whose standing was read may wait for this one."""
        waiting = map(self._tasks.get, self._standing)
        return any(task is None or task_id in task.blocked_by for task in waiting)

    def parent_title(self, task_id: int) -> str:
        """The title of what a task is part of, where both were read; else empty."""
        task = self._tasks.get(task_id)
        parent = None if task is None or task.parent is None else self._tasks.get(task.parent)
        return "" if parent is None else steady(plain_line(parent.title))

    def forget_standing(self) -> list[int]:
        """Read it anew when it is next needed; answers of which tasks it was known."""
        known = list(self._standing)
        self._standing.clear()
        return known

    def _fetch_unknown(self, task_ids: Iterable[int]) -> None:
        unknown = [each for each in dict.fromkeys(task_ids) if each not in self._tasks]
        if unknown:
            self.know(self._fetch(unknown))

    def know(self, tasks: Iterable[Task]) -> None:
        """Take tasks as they are now."""
        for task in tasks:
            self._tasks[task.id] = task

    def forget(self, known: Iterable[Task] = ()) -> None:
        """Read every task but these anew when it is next needed, and how each stands."""
        self._tasks.clear()
        self._standing.clear()
        self.know(known)

    def know_projects(self, rows: Mapping[int, ProjectRow]) -> None:
        """Take the rows of projects, by their numbers below nought."""
        self._projects = rows

    def is_project(self, number: int) -> bool:
        """Whether it is the number of a project's row."""
        return number in self._projects

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
        project = self._projects.get(task_id)
        if project is not None:
            return painter.project(project, state)
        task = self._tasks.get(task_id)
        if task is None:
            return painter.unread(state)
        drawn = self._drawn.get((task_id, state))
        if drawn is None or drawn[0] is not task:
            drawn = (task, painter.task(task, state))
            self._drawn[task_id, state] = drawn
        return drawn[1]
