"""Painting of the list: row cache, line states, styles and finished strips."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from rich.style import Style
from textual.cache import FIFOCache
from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.domain.text import plain_line
from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    OutlineLine,
    TaskLine,
)
from todo_tui.tui.task_list.row import ChangeMark, PartStyle, RowPainter, RowPart, RowState
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.views.view import ProjectRow
from todo_tui.tui.widgets.text import strip_unstable

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import DependencyStatus

FetchTasks = Callable[[Sequence[int]], Iterable[Task]]
"""Reads tasks by id, leaving out unknown ones. May raise TodoError."""
FetchDependencyStatus = Callable[[Sequence[int]], "Mapping[int, DependencyStatus]"]
"""Reads the dependency status of tasks by id. May raise TodoError."""
_CACHE_SIZE = 1024
"""Number of cached rows; larger than any screen."""
CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in RowPart), CURSOR_CLASS}


class RowCache:
    """Cache of tasks and of their drawn rows by row state.

    Rows are redrawn for another width, minute or theme.
    """

    def __init__(
        self,
        fetch: FetchTasks,
        fetch_status: FetchDependencyStatus,
        now: Callable[[], datetime],
        zone: str,
        style: PartStyle,
    ) -> None:
        self._fetch = fetch
        self._now = now
        self._zone = zone
        self._style = style
        self._tasks: FIFOCache[int, Task] = FIFOCache(_CACHE_SIZE)
        self._drawn: FIFOCache[tuple[int, RowState], tuple[Task, Strip]] = FIFOCache(_CACHE_SIZE)
        self._projects: Mapping[int, ProjectRow] = {}
        self._painter: RowPainter | None = None
        self._searched: tuple[str, ...] = ()
        self._statuses: dict[int, DependencyStatus] = {}
        self._fetch_status = fetch_status

    def task_of(self, task_id: int) -> Task | None:
        """Return a cached task, or None."""
        return self._tasks.get(task_id)

    def read(self, task_ids: Iterable[int]) -> None:
        """Read the uncached ones of these tasks and their parents in one query each.

        Raises:
            TodoError: the store cannot be read.
        """
        wanted = [each for each in task_ids if each > 0]
        self._fetch_unknown(wanted)
        known = [task for each in wanted if (task := self._tasks.get(each)) is not None]
        self._fetch_unknown([task.parent for task in known if task.parent is not None])

    def fetch_dependency_status(self, task_ids: Iterable[int]) -> None:
        """Read the dependency status of these tasks where it is not cached.

        Raises:
            TodoError: the store cannot be read.
        """
        unknown = [each for each in task_ids if each not in self._statuses]
        if unknown:
            self._statuses.update(self._fetch_status(unknown))

    def dependency_status_of(self, task_id: int) -> DependencyStatus | None:
        """Return the cached dependency status of a task, or None."""
        return self._statuses.get(task_id)

    def is_waited_for(self, task_id: int) -> bool:
        """Return True if a task with cached dependency status may wait for this one."""
        waiting = map(self._tasks.get, self._statuses)
        return any(task is None or task_id in task.blocked_by for task in waiting)

    def parent_title(self, task_id: int) -> str:
        """Return the title of the parent if both tasks are cached, else an empty string."""
        task = self._tasks.get(task_id)
        parent = None if task is None or task.parent is None else self._tasks.get(task.parent)
        return "" if parent is None else strip_unstable(plain_line(parent.title))

    def invalidate_dependency_status(self) -> list[int]:
        """Drop all cached dependency status; return the ids that had one."""
        known = list(self._statuses)
        self._statuses.clear()
        return known

    def _fetch_unknown(self, task_ids: Iterable[int]) -> None:
        unknown = [each for each in dict.fromkeys(task_ids) if each not in self._tasks]
        if unknown:
            self.update_tasks(self._fetch(unknown))

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Store the current state of tasks."""
        for task in tasks:
            self._tasks[task.id] = task

    def forget(self, known: Iterable[Task] = ()) -> None:
        """Drop all cached tasks but `known`, and all dependency status."""
        self._tasks.clear()
        self._statuses.clear()
        self.update_tasks(known)

    def update_projects(self, rows: Mapping[int, ProjectRow]) -> None:
        """Set the project rows by their negative ids."""
        self._projects = rows

    def is_project(self, number: int) -> bool:
        """Return True if the id belongs to a project row."""
        return number in self._projects

    def restyle(self) -> None:
        """Redraw all rows after a change of styles."""
        self._painter = None

    def highlight(self, words: tuple[str, ...]) -> bool:
        """Set the words highlighted in titles; return True if they changed."""
        changed, self._searched = words != self._searched, words
        if changed:
            self._painter = None
        return changed

    def painter(self, width: int) -> RowPainter:
        """Return the row painter for a width at the current minute."""
        minute = self._now().replace(second=0, microsecond=0)
        painter = self._painter
        if painter is None or painter.width != width or painter.now != minute:
            painter = RowPainter(width, minute, self._zone, self._style, self._searched)
            self._painter = painter
            self._drawn.clear()
        return painter

    def row(self, task_id: int, state: RowState, width: int) -> Strip:
        """Return the row of a task, or a placeholder if it could not be read."""
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


class StripCache:
    """Finished strips by line, so that a cursor move renders two lines only.

    A change of `state` invalidates all of them.
    """

    def __init__(self) -> None:
        self._strips: dict[int, Strip] = {}
        self._state: object = None

    def forget(self, regions: Iterable[Region]) -> None:
        """Invalidate these regions; without any, everything."""
        named = False
        for region in regions:
            named = True
            for line in region.line_range:
                self._strips.pop(line, None)
        if not named:
            self._strips.clear()

    def missing(self, crop: Region, state: object) -> range:
        """Return the range of lines to render for a region; may include cached ones."""
        if state != self._state:
            self._state = state
            self._strips.clear()
        absent = [line for line in crop.line_range if line not in self._strips]
        return range(absent[0], absent[-1] + 1) if absent else range(0)

    def keep(self, first: int, strips: Sequence[Strip]) -> None:
        """Store rendered lines, starting at `first`."""
        self._strips.update(enumerate(strips, first))

    def of(self, crop: Region) -> list[Strip]:
        """Return the lines of a fully cached region."""
        return [self._strips[line].crop(*crop.column_span) for line in crop.line_range]


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
            style = self._known[key] = self._asked(*key)
        return style

    @property
    def plain(self) -> Style:
        """Return the style of an empty line."""
        return self(RowPart.ROW, RowState())

    def forget(self) -> None:
        """Clear the cache after a change of theme or focus."""
        self._known.clear()

    def _asked(self, part: RowPart, is_cursor: bool) -> Style:
        names = [f"task-list--{RowPart.ROW}", f"task-list--{part}"]
        if is_cursor:
            names.insert(1, CURSOR_CLASS)
        style = self._owner.get_visual_style(*names).rich_style
        if is_cursor and self._owner.get_component_styles(CURSOR_CLASS).text_style.reverse:
            style += Style(reverse=True)
        return style


class ListPainter:
    """Renders the visible region and caches finished strips.

    Rows show the cursor, marks and just completed tasks; the setters return the tasks whose rows
    must be redrawn.

    Bypasses Textual's line cache, which costs more than rendering from these complete rows.
    `failed` is called with read errors.
    """

    def __init__(
        self,
        view: ScrollView,
        outline: TaskTree,
        rows: RowCache,
        styles: RowStyles,
        failed: Callable[[TodoError], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._rows = rows
        self._styles = styles
        self._failed = failed
        self._painted = StripCache()
        self._marks: Mapping[int, ChangeMark] = {}
        self._just_done: frozenset[int] = frozenset()
        self._marked: frozenset[int] = frozenset()
        self.cursor: int | None = None
        """The task under the cursor."""
        self.message_lines: list[str] = []
        """Lines of the empty-state text above the tasks."""

    def strips(self, crop: Region) -> list[Strip]:
        """Return the strips of a region of the widget."""
        painter = self._rows.painter(self._width)
        state = (self._view.size, self._view.scroll_offset.y, painter)
        missing = self._painted.missing(crop, state)
        is_read = self._paint(missing) if missing else True
        strips = self._painted.of(crop)
        if not is_read:
            # Retry in the next frame.
            self._painted.forget(())
        return strips

    def forget(self, regions: Iterable[Region] = ()) -> None:
        """Invalidate these regions; without any, everything."""
        self._painted.forget(regions)

    def restyle(self) -> None:
        """Redraw everything after a change of theme or focus."""
        self._styles.forget()
        self._rows.restyle()
        self._painted.forget(())

    @property
    def _width(self) -> int:
        return self._view.scrollable_content_region.width

    def _paint(self, missing: range) -> bool:
        """Render lines of the widget; return False if some tasks could not be read."""
        first = self._view.scroll_offset.y + missing.start
        lines = tuple(self._outline.lines(first, len(missing)))
        is_read = True
        try:
            self._read(lines)
        except TodoError as error:
            is_read = False
            self._failed(error)
        strips = self._render(lines, len(missing), self._width)
        self._painted.keep(missing.start, list(self._finished(strips)))
        return is_read

    def _finished(self, strips: Iterable[Strip]) -> Iterator[Strip]:
        """Extend strips under the scrollbar and apply the terminal's colour filters."""
        width, style = self._view.size.width, self._styles.plain
        _, background = self._view.background_colors
        filters = self._view.get_line_filters()
        for strip in strips:
            finished = strip.adjust_cell_length(width, style)
            for line_filter in filters:
                finished = finished.apply_filter(line_filter, background)
            yield finished

    def update_tasks(self, tasks: Collection[Task]) -> list[int]:
        """Store newer states of tasks; drop dependency status that they may affect."""
        are_alone = all(map(self._is_alone, tasks))
        self._rows.update_tasks(tasks)
        others = () if are_alone else self._rows.invalidate_dependency_status()
        return [*(task.id for task in tasks), *others]

    def mark(self, marks: Mapping[int, ChangeMark]) -> Collection[int]:
        """Replace the change marks."""
        touched = self._marks.keys() | marks.keys()
        self._marks = dict(marks)
        return touched

    def show_marked(self, task_ids: frozenset[int]) -> Collection[int]:
        """Replace the marked tasks."""
        touched = self._marked ^ task_ids
        self._marked = task_ids
        return touched

    def show_just_done(self, task_ids: frozenset[int]) -> Collection[int]:
        """Replace the tasks drawn as just completed."""
        touched = self._just_done ^ task_ids
        self._just_done = task_ids
        return touched

    def _read(self, lines: Iterable[OutlineLine]) -> None:
        """Read the uncached tasks of these lines in one go.

        Raises:
            TodoError: the store cannot be read.
        """
        task_ids = [line.task_id for line in lines if isinstance(line, TaskLine)]
        self._rows.read(task_ids)
        # Limited to related tasks, so that most rows need no query.
        self._rows.fetch_dependency_status([each for each in task_ids if self._is_related(each)])

    def _render(self, lines: Iterable[OutlineLine], height: int, width: int) -> list[Strip]:
        """Render these lines and blank ones up to `height`."""
        painter = self._rows.painter(width)
        strips = [self._strip(line, painter) for line in lines]
        return strips + [painter.blank()] * (height - len(strips))

    def _strip(self, line: OutlineLine, painter: RowPainter) -> Strip:
        match line:
            case TaskLine():
                return self._rows.row(line.task_id, self._state(line), painter.width)
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

    def _state(self, line: TaskLine) -> RowState:
        task_id = line.task_id
        status = self._rows.dependency_status_of(task_id)
        progress = None if status is None else status.progress
        has_below = self._outline.has_below(task_id)
        return RowState(
            marked=task_id in self._marked,
            folded=self._outline.is_folded(task_id) if has_below else None,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=status is not None and status.blocked,
            parent="" if line.depth else self._rows.parent_title(task_id),
            cursor=task_id == self.cursor,
            mark=self._marks.get(task_id),
            just_done=task_id in self._just_done,
            shown_in_heading=line.shown_in_heading,
            depth=line.depth,
        )

    def _is_alone(self, task: Task) -> bool:
        """Return True if no other task depends on this one, before or after the change."""
        before = self._rows.task_of(task.id)
        return (
            before is not None
            and not any(each.parent is not None or each.blocked_by for each in (before, task))
            and not self._outline.has_subtasks(task.id)
            and not self._rows.is_waited_for(task.id)
        )

    def _is_related(self, task_id: int) -> bool:
        if self._outline.has_subtasks(task_id):
            return True
        task = self._rows.task_of(task_id)
        return task is not None and bool(task.blocked_by)
