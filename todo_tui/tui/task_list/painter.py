"""Painting of the list: tasks of the visible rows, their states and styles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import assert_never

from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip
from textual.widget import Widget

from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import DependencyStatus
from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    OutlineLine,
    TaskLine,
)
from todo_tui.tui.task_list.row import ChangeMark, RowPainter, RowPart, RowState
from todo_tui.tui.views.projects import ProjectRow
from todo_tui.tui.widgets.text import strip_unstable

_CACHE_SIZE = 1024
"""Number of cached rows; larger than any screen."""
CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in RowPart), CURSOR_CLASS}


class RowStyles:
    """Cache of component styles per row part, with and without cursor."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._known: dict[tuple[RowPart, bool], Style] = {}

    def __call__(self, part: RowPart, state: RowState) -> Style:
        """Return the style of a row part in a state."""
        key = (part, state.cursor)
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = self._component_style(*key)
        return style

    def forget(self) -> None:
        """Clear the cache after a change of theme or focus."""
        self._known.clear()

    def _component_style(self, part: RowPart, is_cursor: bool) -> Style:
        names = [f"task-list--{RowPart.ROW}", f"task-list--{part}"]
        if is_cursor:
            names.insert(1, CURSOR_CLASS)
        style = self._owner.get_visual_style(*names).rich_style
        if is_cursor and self._owner.get_component_styles(CURSOR_CLASS).text_style.reverse:
            style += Style(reverse=True)
        return style


class ListPainter:
    """Renders lines of the list; reads the tasks of the lines and caches them and their rows.

    Its attributes are the states that rows show; `owner` has the component styles.
    """

    def __init__(self, owner: Widget, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store.tasks
        self._zone = store.clock.zone
        self._now = now
        self._styles = RowStyles(owner)
        self._tasks: FIFOCache[int, Task] = FIFOCache(_CACHE_SIZE)
        self._statuses: FIFOCache[int, DependencyStatus] = FIFOCache(_CACHE_SIZE)
        self._drawn: FIFOCache[tuple[int, RowState], tuple[Task, Strip]] = FIFOCache(_CACHE_SIZE)
        self._painter: RowPainter | None = None
        self.searched: tuple[str, ...] = ()
        """Words highlighted in titles."""
        self.projects: Mapping[int, ProjectRow] = {}
        """Project rows by their negative ids."""
        self.change_marks: Mapping[int, ChangeMark] = {}
        self.just_done: frozenset[int] = frozenset()
        """Tasks drawn as just completed."""
        self.marked: frozenset[int] = frozenset()
        self.cursor: int | None = None
        """The task under the cursor."""
        self.message_lines: list[str] = []
        """Lines of the empty-state text above the tasks."""

    @property
    def plain_style(self) -> Style:
        """Return the style of an empty line."""
        return self._styles(RowPart.ROW, RowState())

    def task_of(self, task_id: int) -> Task | None:
        """Return a task, read if needed; None if it is gone.

        Raises:
            TodoError: the store cannot be read.
        """
        self._fetch_tasks((task_id,))
        return self._tasks.get(task_id)

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Store the current state of tasks; that of others may depend on it."""
        self._statuses.clear()
        for task in tasks:
            self._tasks[task.id] = task

    def forget(self) -> None:
        """Drop all cached tasks."""
        self._tasks.clear()
        self._statuses.clear()

    def restyle(self) -> None:
        """Redraw everything after a change of theme or focus."""
        self._styles.forget()
        self._painter = None

    def read(self, lines: Iterable[OutlineLine]) -> None:
        """Read the uncached tasks of these lines, their parents and dependency status.

        Raises:
            TodoError: the store cannot be read.
        """
        wanted = [each.task_id for each in lines if isinstance(each, TaskLine)]
        self._fetch_tasks(wanted)
        known = [task for each in wanted if (task := self._tasks.get(each)) is not None]
        self._fetch_tasks([task.parent for task in known if task.parent is not None])
        unknown = [task.id for task in known if task.id not in self._statuses]
        if unknown:
            for task_id, status in self._store.dependency_status(unknown).items():
                self._statuses[task_id] = status

    def strips(self, lines: Sequence[OutlineLine], width: int) -> list[Strip]:
        """Render these lines."""
        minute = self._now().replace(second=0, microsecond=0)
        painter = self._painter
        context = (width, minute, self.searched)
        if painter is None or (painter.width, painter.now, painter.searched) != context:
            painter = RowPainter(width, minute, self._zone, self._styles, self.searched)
            self._painter = painter
            self._drawn.clear()
        return [self._strip(line, painter) for line in lines]

    def _fetch_tasks(self, task_ids: Iterable[int]) -> None:
        unknown = [each for each in dict.fromkeys(task_ids) if each > 0 and each not in self._tasks]
        if unknown:
            for task in self._store.rows(unknown):
                self._tasks[task.id] = task

    def _strip(self, line: OutlineLine, painter: RowPainter) -> Strip:
        match line:
            case TaskLine():
                return self._row(line, painter)
            case HeadingLine():
                return painter.heading(line)
            case MoreLine():
                return painter.more(line)
            case GapLine():
                return painter.blank()
            case MessageLine(number):
                return painter.lead(self.message_lines[number], head=number == 1)
            case _:
                assert_never(line)

    def _row(self, line: TaskLine, painter: RowPainter) -> Strip:
        """Return the row of a task or project, or a placeholder if it could not be read."""
        task_id, state = line.task_id, self._state(line)
        project = self.projects.get(task_id)
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

    def _state(self, line: TaskLine) -> RowState:
        task_id = line.task_id
        status = self._statuses.get(task_id)
        progress = None if status is None else status.progress
        return RowState(
            marked=task_id in self.marked,
            folded=line.folded,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=status is not None and status.blocked,
            parent="" if line.depth else self._parent_title(task_id),
            cursor=task_id == self.cursor,
            mark=self.change_marks.get(task_id),
            just_done=task_id in self.just_done,
            shown_in_heading=line.shown_in_heading,
            depth=line.depth,
        )

    def _parent_title(self, task_id: int) -> str:
        task = self._tasks.get(task_id)
        parent = None if task is None or task.parent is None else self._tasks.get(task.parent)
        return "" if parent is None else strip_unstable(plain_line(parent.title))
