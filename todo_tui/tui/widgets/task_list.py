"""The list of tasks: one widget that draws the visible rows only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import ClassVar, assert_never

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.tui.action_keys import bind
from todo_tui.tui.views.project_rows import ProjectRow
from todo_tui.tui.views.section import Said
from todo_tui.tui.widgets.cell_text import wrap
from todo_tui.tui.widgets.drawn_rows import DrawnRows, FetchStanding, FetchTasks
from todo_tui.tui.widgets.task_outline import (
    Gap,
    Heading,
    Lead,
    More,
    Place,
    TaskLine,
    TaskOutline,
)
from todo_tui.tui.widgets.task_row import (
    CIRCLE_COLUMNS,
    FOLD_COLUMN,
    Mark,
    Part,
    RowState,
    indent_of,
)
from todo_tui.tui.widgets.task_tree import TaskTree

_LESSON_INDENT = 2
_CURSOR_CLASS = "task-list--cursor"


class TaskList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of tasks under headings, with a cursor that stays on its task.

    Its order is the outline, changed within `rearranging`; the tasks of visible lines
    it asks of `fetch`. What was pressed it says in messages. A move of the cursor
    repaints two lines, however long the list is.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.down", "move(1)", "Down"),
        bind("list.up", "move(-1)", "Up"),
        bind("list.page_down", "page(1)", "Page down"),
        bind("list.page_up", "page(-1)", "Page up"),
        bind("list.first", "first", "First"),
        bind("list.last", "last", "Last"),
    ]

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"task-list--{part}" for part in Part),
        _CURSOR_CLASS,
    }

    # The base class lays the whole screen out anew when this changes; how many lines the
    # list has concerns nobody else, and the place of its scrollbar is kept free.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    class CursorMoved(Message):
        """The cursor is on another task; `task_id` is None where there is none."""

        def __init__(self, task_id: int | None) -> None:
            super().__init__()
            self.task_id = task_id

    class CircleClicked(Message):
        """The circle of a task was clicked."""

        def __init__(self, task_id: int) -> None:
            super().__init__()
            self.task_id = task_id

    class MarkClicked(Message):
        """A task was clicked to be marked; `reaches`: with all between it and `before`."""

        def __init__(self, task_id: int, before: int | None, *, reaches: bool) -> None:
            super().__init__()
            self.task_id = task_id
            self.before = before
            self.reaches = reaches

    class FoldClicked(Message):
        """The fold mark of a task was clicked."""

        def __init__(self, task_id: int) -> None:
            super().__init__()
            self.task_id = task_id

    class ReadFailed(Message):
        """Tasks that should be drawn could not be read."""

        def __init__(self, error: TodoError) -> None:
            super().__init__()
            self.error = error

    def __init__(
        self,
        outline: TaskTree,
        fetch: FetchTasks,
        fetch_standing: FetchStanding,
        now: Callable[[], datetime],
        *,
        zone: str,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._outline = outline
        self._rows = DrawnRows(fetch, fetch_standing, now, zone, self._part_style)
        self._cursor: int | None = None
        self._cursor_row = 0
        self._in_view: tuple[int, ...] = ()
        self._came_in_hiding = False
        self._marks: dict[int, Mark] = {}
        self._just_done: frozenset[int] = frozenset()
        self._marked: frozenset[int] = frozenset()
        self._lesson: tuple[str, ...] = ()
        self._lesson_lines: list[str] = []
        self._part_styles: dict[tuple[Part, bool], Style] = {}

    @property
    def cursor_task(self) -> int | None:
        """The id of the task under the cursor; None where the list is empty."""
        return self._cursor

    def task_of(self, task_id: int) -> Task | None:
        """A task, read from the store if need be; None where it is gone."""
        self._read((task_id,))
        return self._rows.task_of(task_id)

    def know(self, tasks: Iterable[Task]) -> None:
        """Take newer states of tasks, so that they need not be read."""
        known = tuple(tasks)
        self._rows.know(known)
        self._refresh_tasks(task.id for task in known)
        self._refresh_tasks(self._rows.forget_standing())

    def forget(self) -> None:
        """Read every task anew when it is next drawn."""
        self._rows.forget()
        self._rows.forget_standing()
        self.refresh()

    def refresh_tree(self) -> None:
        """Something was folded: draw every line anew."""
        self.refresh()

    def know_projects(self, rows: Mapping[int, ProjectRow]) -> None:
        """Take what stands in the rows of projects, by their numbers below nought."""
        self._rows.know_projects(rows)
        self.refresh()

    def teach(self, paragraphs: Sequence[str]) -> None:
        """Say something above the tasks, the first paragraph being its head; () is silence."""
        if tuple(paragraphs) != self._lesson:
            self._lesson = tuple(paragraphs)
            self._wrap_lesson()

    def highlight(self, words: tuple[str, ...]) -> None:
        """Mark these words where titles have them, and no others."""
        if self._rows.highlight(words):
            self.refresh()

    def mark(self, marks: dict[int, Mark]) -> None:
        """Mark these rows as changed, and no others."""
        touched = self._marks.keys() ^ marks.keys()
        self._marks = dict(marks)
        self._refresh_tasks(touched | marks.keys())

    def show_marked(self, task_ids: frozenset[int]) -> None:
        """Draw these rows as marked, and no others."""
        touched = self._marked ^ task_ids
        self._marked = task_ids
        self._refresh_shown(touched)

    def show_just_done(self, task_ids: Iterable[int]) -> None:
        """Draw these rows as done a moment ago, and no others."""
        just_done = frozenset(task_ids)
        touched = self._just_done ^ just_done
        self._just_done = just_done
        self._refresh_tasks(touched)

    @contextmanager
    def rearranging(self, *, leaving: Collection[int] = ()) -> Iterator[TaskOutline]:
        """Change the order; afterwards the cursor is on its task and the view has not moved.

        A cursor whose task is gone, or is `leaving` for another group, goes to the one
        that took its place, or the last.
        """
        version = self._outline.version
        anchors = self._anchors()
        yield self._outline
        if self._outline.version == version:
            return
        if self._cursor is None or self._cursor in leaving or not self._shows(self._cursor):
            self._put_cursor(self._successor(leaving))
        else:
            self._put_cursor(self._cursor)
        self._fit_height()
        self._hold(anchors)
        self.refresh()

    def bring_into_view(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as shows these tasks, or as many of the first as fit.

        They are kept in sight when the list gets another size, until the cursor moves.
        """
        self._in_view = tuple(task_ids)
        self._came_in_hiding = not self.scrollable_content_region.height
        lines = sorted(line for each in self._in_view for line in self._outline.lines_of(each))
        if lines:
            reach = max(self.scrollable_content_region.height - 1, 1)
            last = max(line for line in lines if line - lines[0] < reach)
            self._show_lines(self._with_heading(lines[0]), last)

    def move_cursor_to(self, task_id: int) -> None:
        """Put the cursor on a task of the list and show it."""
        row = self._outline.row_of(task_id, near=self._cursor_row)
        if row is not None:
            self._go_to_row(row)

    def go_back_to(self, task_id: int | None) -> None:
        """After another view came: to the task that was left there, or to the top."""
        self._scroll_to_line(0)
        row = None if task_id is None else self._outline.row_of(task_id)
        self._go_to_row(row or 0)

    def line_on_screen(self, task_id: int) -> int | None:
        """How many lines below the top of the widget a task is; None where it is not seen."""
        line = self._outline.line_of(task_id)
        if line is None:
            return None
        below = line - self.scroll_offset.y
        return below if 0 <= below < self.scrollable_content_region.height else None

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows; at the ends it stays."""
        self._go_to_row(self._cursor_row + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screenfuls."""
        if self._cursor is not None:
            reach = max(self.scrollable_content_region.height - 1, 1)
            line = self._outline.line_at_row(self._cursor_row) + pages * reach
            self._go_to_row(self._outline.row_near_line(max(line, 0)))

    def action_first(self) -> None:
        """Go to the first task."""
        self._go_to_row(0)

    def action_last(self) -> None:
        """Go to the last task."""
        self._go_to_row(self._outline.row_count - 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Read what is about to be drawn in one go, then draw it."""
        if self._came_in_hiding:
            # A list that is shown again is not always told so.
            self._came_in_hiding = False
            self.call_next(self._fit_view)
        first = self.scroll_offset.y + crop.y
        lines = self._outline.lines(first, crop.height)
        task_ids = [line.task_id for line in lines if isinstance(line, TaskLine)]
        self._read(task_ids)
        self._read_standing(task_ids)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the widget, `y` counted from its top."""
        painter = self._rows.painter(self._width)
        line = self._outline.line(self.scroll_offset.y + y)
        match line:
            case TaskLine(task_id, depth, said):
                return self._row(task_id, depth, said)
            case Heading():
                return painter.heading(line)
            case More():
                return painter.more(line)
            case Gap():
                return painter.blank()
            case Lead(number):
                return painter.lead(self._lesson_lines[number], head=number == 1)
            case None:
                return painter.blank()
            case _:
                assert_never(line)

    def notify_style_update(self) -> None:
        """Theme or focus changed: every style is another."""
        super().notify_style_update()
        self._part_styles.clear()
        self._rows.restyle()

    def on_mount(self) -> None:
        """Begin with the cursor on the first task."""
        self._put_cursor(self._outline.task_at_row(0))
        self._fit_height()

    def on_resize(self) -> None:
        """Keep in sight what matters when the space becomes another."""
        self._fit_view()

    async def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row, and tick where its circle was hit."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = self._outline.line(self.scroll_offset.y + offset.y)
        if isinstance(line, TaskLine):
            event.stop()
            row = self._outline.row_near_line(self.scroll_offset.y + offset.y)
            before = self._cursor
            has_below = self._outline.has_below(line.task_id)
            self._put_cursor(line.task_id, row)
            column = offset.x - indent_of(line.depth)
            if self._rows.is_project(line.task_id):
                if column in CIRCLE_COLUMNS:
                    self.post_message(self.FoldClicked(line.task_id))
            elif event.ctrl or event.shift:
                self.post_message(self.MarkClicked(line.task_id, before, reaches=event.shift))
            elif column == FOLD_COLUMN and has_below:
                self.post_message(self.FoldClicked(line.task_id))
            elif column in CIRCLE_COLUMNS:
                self.post_message(self.CircleClicked(line.task_id))

    def _fit_view(self) -> None:
        self._wrap_lesson()
        self._fit_height()
        if self._in_view:
            self.bring_into_view(self._in_view)
        else:
            self._show_cursor()

    def _wrap_lesson(self) -> None:
        """Break the paragraphs into lines, with an empty one above each."""
        width = self.scrollable_content_region.width - 2 * _LESSON_INDENT
        lines: list[str] = []
        for paragraph in self._lesson if width > 1 else ():
            lines += ["", *wrap(paragraph, width)]
        with self.rearranging() as outline:
            self._lesson_lines = lines
            outline.lead = len(lines)
        self.refresh()

    def _row(self, task_id: int, depth: int, said: Said) -> Strip:
        standing = self._rows.standing_of(task_id)
        progress = None if standing is None else standing.progress
        has_below = self._outline.has_below(task_id)
        state = RowState(
            marked=task_id in self._marked,
            folded=self._outline.is_folded(task_id) if has_below else None,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=standing is not None and standing.blocked,
            parent="" if depth else self._rows.parent_title(task_id),
            cursor=task_id == self._cursor,
            mark=self._marks.get(task_id),
            just_done=task_id in self._just_done,
            said=said,
            depth=depth,
        )
        return self._rows.row(task_id, state, self._width)

    def _part_style(self, part: Part, state: RowState) -> Style:
        key = (part, state.cursor)
        style = self._part_styles.get(key)
        if style is None:
            names = [f"task-list--{Part.ROW}", f"task-list--{part}"]
            if state.cursor:
                names.insert(1, _CURSOR_CLASS)
            style = self.get_visual_style(*names).rich_style
            if state.cursor and self.get_component_styles(_CURSOR_CLASS).text_style.reverse:
                style += Style(reverse=True)
            self._part_styles[key] = style
        return style

    @property
    def _width(self) -> int:
        return self.scrollable_content_region.width

    def _read(self, task_ids: Iterable[int]) -> None:
        try:
            self._rows.read(task_ids)
        except TodoError as error:
            self.post_message(self.ReadFailed(error))

    def _read_standing(self, task_ids: Iterable[int]) -> None:
        """Ask only for tasks that others hang on: most rows cost nothing then."""
        related = [
            each
            for each in task_ids
            if self._outline.has_subtasks(each)
            or ((task := self._rows.task_of(each)) is not None and task.blocked_by)
        ]
        try:
            self._rows.read_standing(related)
        except TodoError as error:
            self.post_message(self.ReadFailed(error))

    def _refresh_shown(self, task_ids: Collection[int]) -> None:
        """Draw those of many tasks anew that are on screen."""
        first, height = self.scroll_offset.y, self.scrollable_content_region.height
        lines = self._outline.lines(first, height)
        shown = {line.task_id for line in lines if isinstance(line, TaskLine)}
        self._refresh_tasks(shown.intersection(task_ids))

    def _refresh_tasks(self, task_ids: Iterable[int]) -> None:
        width = self.size.width
        top, height = self.scroll_offset.y, self.scrollable_content_region.height
        for task_id in task_ids:
            for line in self._outline.lines_of(task_id):
                if top <= line < top + height:
                    self.refresh(Region(0, line - top, width, 1))

    def _go_to_row(self, row: int) -> None:
        row = min(max(row, 0), max(self._outline.row_count - 1, 0))
        target = self._outline.task_at_row(row)
        if target is not None:
            self._in_view = ()
            self._put_cursor(target, row)
            self._show_cursor()

    def _put_cursor(self, task_id: int | None, row: int | None = None) -> None:
        """Put it on a task, where that has several rows on this one, else on the nearest."""
        before = self._cursor
        self._cursor = task_id
        if row is None and task_id is not None:
            row = self._outline.row_of(task_id, near=self._cursor_row)
        self._cursor_row = row or 0
        if task_id != before:
            self._refresh_tasks(each for each in (before, task_id) if each is not None)
            self.post_message(self.CursorMoved(task_id))

    def _shows(self, task_id: int) -> bool:
        return self._outline.row_of(task_id) is not None

    def _successor(self, leaving: Collection[int]) -> int | None:
        """The task that stands where the cursor was, or the one above it."""
        row = self._cursor_row
        successor = self._outline.task_at_row(row)
        if successor in leaving and row:
            successor = self._outline.task_at_row(row - 1)
        return successor

    def _show_cursor(self) -> None:
        if self._cursor is not None and self._shows(self._cursor):
            line = self._outline.line_at_row(self._cursor_row)
            is_last = self._cursor_row == self._outline.row_count - 1
            self._show_lines(
                self._with_heading(line), self._outline.height - 1 if is_last else line
            )

    def _with_heading(self, line: int) -> int:
        """The first line to show with a task: its group's heading where that is next to it."""
        match self._outline.line(line - 1):
            case Heading():
                return line - 2
            case Gap():
                return line - 1
            case _:
                return line

    def _show_lines(self, first: int, last: int) -> None:
        height = self.scrollable_content_region.height
        if not height:
            return
        top = self.scroll_offset.y
        if last >= top + height:
            top = last - height + 1
        if first < top:
            top = first
        self._scroll_to_line(top)

    def _scroll_to_line(self, top: int) -> None:
        if top != self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)

    def _fit_height(self) -> None:
        height = self._outline.height
        if height != self.virtual_size.height:
            self.virtual_size = Size(self.scrollable_content_region.width, height)
            self._scroll_update(self.virtual_size)

    def _anchors(self) -> list[tuple[int, int, Place | None]]:
        """Visible tasks to hold the view by, best first: id, lines from the top, place."""
        top = self.scroll_offset.y
        visible = [
            (line.task_id, below)
            for below, line in enumerate(
                self._outline.lines(top, self.scrollable_content_region.height)
            )
            if isinstance(line, TaskLine)
        ]
        if self.has_focus:
            visible.sort(key=lambda each: each[0] != self._cursor)
        return [(task_id, below, self._outline.place_of(task_id)) for task_id, below in visible]

    def _hold(self, anchors: list[tuple[int, int, Place | None]]) -> None:
        if self.scroll_offset.y == 0 and not self.has_focus:
            return
        for task_id, below, place in anchors:
            line = self._outline.line_of(task_id)
            if line is not None and self._outline.place_of(task_id) == place:
                self._scroll_to_line(max(line - below, 0))
                return
