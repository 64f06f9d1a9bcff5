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
    TaskOutline,
)
from todo_tui.tui.task_list.row import ChangeMark, PartStyle, RowPainter, RowPart, RowState
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.views.view import ProjectRow
from todo_tui.tui.widgets.text import strip_unstable

if TYPE_CHECKING:
    from todo_tui.store.tasks.select import DependencyStatus

FetchTasks = Callable[[Sequence[int]], Iterable[Task]]
"""Reads the tasks of some ids; unknown ones are left out. May raise TodoError."""
FetchDependencyStatus = Callable[[Sequence[int]], "Mapping[int, DependencyStatus]"]
"""Reads how the tasks of some ids stand among the others. May raise TodoError."""
_CACHE_SIZE = 1024
"""More than any screen has rows."""
CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in RowPart), CURSOR_CLASS}


class RowCache:
    """Draws a row once for each state that it is seen in, until its task changes.

    All rows are drawn anew in another width, minute or theme.
    """

    def __init__(
        self,
        fetch: FetchTasks,
        fetch_standing: FetchDependencyStatus,
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
        self._standing: dict[int, DependencyStatus] = {}
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

    def fetch_dependency_status(self, task_ids: Iterable[int]) -> None:
        """Read how these tasks stand among the others, as far as that is not known.

        Raises:
            TodoError: it cannot be read.
        """
        unknown = [each for each in task_ids if each not in self._standing]
        if unknown:
            self._standing.update(self._fetch_standing(unknown))

    def dependency_status_of(self, task_id: int) -> DependencyStatus | None:
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
        return "" if parent is None else strip_unstable(plain_line(parent.title))

    def invalidate_dependency_status(self) -> list[int]:
        """Read it anew when it is next needed; answers of which tasks it was known."""
        known = list(self._standing)
        self._standing.clear()
        return known

    def _fetch_unknown(self, task_ids: Iterable[int]) -> None:
        unknown = [each for each in dict.fromkeys(task_ids) if each not in self._tasks]
        if unknown:
            self.update_tasks(self._fetch(unknown))

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Take tasks as they are now."""
        for task in tasks:
            self._tasks[task.id] = task

    def forget(self, known: Iterable[Task] = ()) -> None:
        """Read every task but these anew when it is next needed, and how each stands."""
        self._tasks.clear()
        self._standing.clear()
        self.update_tasks(known)

    def update_projects(self, rows: Mapping[int, ProjectRow]) -> None:
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


class LineRenderer:
    """Knows what a row shows beside its task: the cursor, marks, what was done just now.

    What is told to it answers with the tasks whose rows are to be drawn anew.
    """

    def __init__(self, outline: TaskTree, rows: RowCache) -> None:
        self._outline = outline
        self._rows = rows
        self.cursor: int | None = None
        """The task whose row has the cursor."""
        self.lesson: list[str] = []
        """What the list says above its tasks, a line each."""
        self._marks: Mapping[int, ChangeMark] = {}
        self._just_done: frozenset[int] = frozenset()
        self._marked: frozenset[int] = frozenset()

    def update_tasks(self, tasks: Collection[Task]) -> list[int]:
        """Take newer states of tasks; how others stand beside them is read anew."""
        are_alone = all(map(self._is_alone, tasks))
        self._rows.update_tasks(tasks)
        others = () if are_alone else self._rows.invalidate_dependency_status()
        return [*(task.id for task in tasks), *others]

    def mark(self, marks: Mapping[int, ChangeMark]) -> Collection[int]:
        """Mark these rows as changed, and no others."""
        touched = self._marks.keys() | marks.keys()
        self._marks = dict(marks)
        return touched

    def show_marked(self, task_ids: frozenset[int]) -> Collection[int]:
        """Draw these rows as marked, and no others."""
        touched = self._marked ^ task_ids
        self._marked = task_ids
        return touched

    def show_just_done(self, task_ids: frozenset[int]) -> Collection[int]:
        """Draw these rows as done a moment ago, and no others."""
        touched = self._just_done ^ task_ids
        self._just_done = task_ids
        return touched

    def read(self, lines: Iterable[OutlineLine]) -> None:
        """Read in one go what these lines show, as far as it is not known.

        Raises:
            TodoError: it cannot be read.
        """
        task_ids = [line.task_id for line in lines if isinstance(line, TaskLine)]
        self._rows.read(task_ids)
        # Only tasks that others hang on are asked for: most rows cost nothing then.
        self._rows.fetch_dependency_status([each for each in task_ids if self._is_related(each)])

    def strips(self, lines: Iterable[OutlineLine], height: int, width: int) -> list[Strip]:
        """Draw these lines, and empty ones below; what was not read has an empty sign of it."""
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
                return painter.lead(self.lesson[number], head=number == 1)
            case _:
                assert_never(line)

    def _state(self, line: TaskLine) -> RowState:
        task_id = line.task_id
        standing = self._rows.dependency_status_of(task_id)
        progress = None if standing is None else standing.progress
        has_below = self._outline.has_below(task_id)
        return RowState(
            marked=task_id in self._marked,
            folded=self._outline.is_folded(task_id) if has_below else None,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=standing is not None and standing.blocked,
            parent="" if line.depth else self._rows.parent_title(task_id),
            cursor=task_id == self.cursor,
            mark=self._marks.get(task_id),
            just_done=task_id in self._just_done,
            shown_in_heading=line.shown_in_heading,
            depth=line.depth,
        )

    def _is_alone(self, task: Task) -> bool:
        """Whether nothing hangs on a task, as it is or as it was."""
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


class StripCache:
    """Finished strips by their line; a move of the cursor paints two of them anew.

    `state` is what all of them depend on: kept lines are those of the state before.
    """

    def __init__(self) -> None:
        self._strips: dict[int, Strip] = {}
        self._state: object = None

    def forget(self, regions: Iterable[Region]) -> None:
        """These are to be painted anew; where none are named, all of them."""
        named = False
        for region in regions:
            named = True
            for line in region.line_range:
                self._strips.pop(line, None)
        if not named:
            self._strips.clear()

    def missing(self, crop: Region, state: object) -> range:
        """The lines to paint before all of a region are there; in between can be others."""
        if state != self._state:
            self._state = state
            self._strips.clear()
        absent = [line for line in crop.line_range if line not in self._strips]
        return range(absent[0], absent[-1] + 1) if absent else range(0)

    def keep(self, first: int, strips: Sequence[Strip]) -> None:
        """Take lines that were painted, from `first` on."""
        self._strips.update(enumerate(strips, first))

    def of(self, crop: Region) -> list[Strip]:
        """The lines of a region, none of which are missing."""
        return [self._strips[line].crop(*crop.column_span) for line in crop.line_range]


class RowStyles:
    """Asks the style sheet once for each part, on the row of the cursor and elsewhere."""

    def __init__(self, owner: Widget) -> None:
        self._owner = owner
        self._known: dict[tuple[RowPart, bool], Style] = {}

    def __call__(self, part: RowPart, state: RowState) -> Style:
        """The style of a part of a row in a state."""
        key = (part, state.cursor)
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = self._asked(*key)
        return style

    @property
    def plain(self) -> Style:
        """The style of a line on which nothing stands."""
        return self(RowPart.ROW, RowState())

    def forget(self) -> None:
        """Theme or focus changed: every style is another."""
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
    """Keeps what it has painted until that is refreshed.

    Rows are complete as they are drawn: to pass them through the framework's own cache of
    lines would cost more than to look them up. `failed` is told of what could not be read.
    """

    def __init__(
        self,
        view: ScrollView,
        outline: TaskOutline,
        lines: LineRenderer,
        rows: RowCache,
        styles: RowStyles,
        failed: Callable[[TodoError], None],
    ) -> None:
        self._view = view
        self._outline = outline
        self._lines = lines
        self._rows = rows
        self._styles = styles
        self._failed = failed
        self._painted = StripCache()

    def strips(self, crop: Region) -> list[Strip]:
        """What is seen in a region of the widget."""
        painter = self._rows.painter(self._width)
        state = (self._view.size, self._view.scroll_offset.y, painter)
        missing = self._painted.missing(crop, state)
        is_read = self._paint(missing) if missing else True
        strips = self._painted.of(crop)
        if not is_read:
            # The next frame tries again.
            self._painted.forget(())
        return strips

    def forget(self, regions: Iterable[Region] = ()) -> None:
        """Paint these regions anew; where none are named, all."""
        self._painted.forget(regions)

    def restyle(self) -> None:
        """Theme or focus changed: all looks another way."""
        self._styles.forget()
        self._rows.restyle()
        self._painted.forget(())

    @property
    def _width(self) -> int:
        return self._view.scrollable_content_region.width

    def _paint(self, missing: range) -> bool:
        """Paint lines of the widget; whether all that they show could be read."""
        first = self._view.scroll_offset.y + missing.start
        lines = tuple(self._outline.lines(first, len(missing)))
        is_read = True
        try:
            self._lines.read(lines)
        except TodoError as error:
            is_read = False
            self._failed(error)
        strips = self._lines.strips(lines, len(missing), self._width)
        self._painted.keep(missing.start, list(self._finished(strips)))
        return is_read

    def _finished(self, strips: Iterable[Strip]) -> Iterator[Strip]:
        """Fill what is kept free for the scrollbar, and fit the colours to the terminal."""
        width, style = self._view.size.width, self._styles.plain
        _, background = self._view.background_colors
        filters = self._view.get_line_filters()
        for strip in strips:
            finished = strip.adjust_cell_length(width, style)
            for line_filter in filters:
                finished = finished.apply_filter(line_filter, background)
            yield finished
