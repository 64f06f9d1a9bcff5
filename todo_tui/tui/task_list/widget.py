"""The task list widget: cursor, viewport and scrolling; draws visible rows only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, NamedTuple, Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.tui.actions import bind
from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    OutlineLine,
    TaskLine,
    TaskOutline,
    TaskPlace,
)
from todo_tui.tui.task_list.painter import (
    COMPONENT_CLASSES,
    FetchDependencyStatus,
    FetchTasks,
    ListPainter,
    RowCache,
    RowStyles,
)
from todo_tui.tui.task_list.row import CIRCLE_COLUMNS, FOLD_COLUMN, ChangeMark, indent_of
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.views.view import ProjectRow
from todo_tui.tui.widgets.text import wrap

_MESSAGE_INDENT = 2


class ListCursor:
    """Cursor that follows its task, and its row among several of the same task."""

    def __init__(self, outline: TaskOutline) -> None:
        self._outline = outline
        self.task: int | None = None
        """Id of the task; None in an empty list."""
        self.row = 0

    @property
    def is_shown(self) -> bool:
        """Return True if its task has a row."""
        return self.task is not None and self._outline.row_of(self.task) is not None

    def put(self, task_id: int | None, row: int | None = None) -> None:
        """Move the cursor to a task: to this row of it, else to the nearest."""
        self.task = task_id
        if row is None and task_id is not None:
            row = self.row_of(task_id)
        self.row = row or 0

    def row_of(self, task_id: int) -> int | None:
        """Return the row of a task nearest to the cursor."""
        return self._outline.row_of(task_id, near=self.row)

    def after(self, leaving: Collection[int]) -> int | None:
        """Return the task for the cursor after the order changed.

        If its task is gone or `leaving` for another section, the one now in its row, or the last.
        """
        if self.task is not None and self.task not in leaving and self.is_shown:
            return self.task
        successor = self._outline.task_at_row(self.row)
        if successor in leaving and self.row:
            successor = self._outline.task_at_row(self.row - 1)
        return successor


class ScrollAnchor(NamedTuple):
    """Task whose screen position is kept when the order changes."""

    task_id: int
    below: int
    """Lines from the top of the widget."""
    place: TaskPlace | None


class Viewport:
    """Visible part of the outline."""

    def __init__(self, view: ScrollView, outline: TaskTree) -> None:
        self._view = view
        self._outline = outline

    @property
    def top(self) -> int:
        """Return the first visible line."""
        return self._view.scroll_offset.y

    @property
    def height(self) -> int:
        """Return the number of visible lines."""
        return self._view.scrollable_content_region.height

    @property
    def page(self) -> int:
        """Return the number of lines of a page step."""
        return max(self.height - 1, 1)

    @property
    def tasks(self) -> Iterator[tuple[int, int]]:
        """Yield the visible tasks: id and lines from the top of the widget."""
        for below, line in enumerate(self._outline.lines(self.top, self.height)):
            if isinstance(line, TaskLine):
                yield line.task_id, below

    def regions_of(self, task_ids: Iterable[int]) -> Iterator[Region]:
        """Yield the visible regions of these tasks, in widget coordinates."""
        width, top, height = self._view.size.width, self.top, self.height
        for task_id in task_ids:
            for line in self._outline.lines_of(task_id):
                if top <= line < top + height:
                    yield Region(0, line - top, width, 1)

    def line_of(self, task_id: int) -> int | None:
        """Return the line of a task from the top of the widget, or None if it is not visible."""
        line = self._outline.line_of(task_id)
        below = None if line is None else line - self.top
        return below if below is not None and 0 <= below < self.height else None

    def line_at(self, below: int) -> OutlineLine | None:
        """Return the outline line at a distance from the top of the widget."""
        return self._outline.line(self.top + below)

    def show_tasks(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as possible to show these tasks, or as many of the first as fit."""
        lines = sorted(line for each in task_ids for line in self._outline.lines_of(each))
        if lines:
            last = max(line for line in lines if line - lines[0] < self.page)
            self._show(self._with_heading(lines[0]), last)

    def show_row(self, row: int) -> None:
        """Scroll as little as possible to show a row; at the ends also what surrounds it."""
        line = self._outline.line_at_row(row)
        is_last = row == self._outline.row_count - 1
        self._show(self._with_heading(line), self._outline.height - 1 if is_last else line)

    def go_to_line(self, top: int) -> None:
        """Scroll a line to the top."""
        if top != self.top:
            self._view.scroll_to(y=top, animate=False, force=True)

    def anchors(self, cursor: int | None) -> list[ScrollAnchor]:
        """Return scroll anchors, best first: with focus, the cursor's task."""
        seen = list(self.tasks)
        if self._view.has_focus:
            seen.sort(key=lambda each: each[0] != cursor)
        return [
            ScrollAnchor(task_id, below, self._outline.place_of(task_id)) for task_id, below in seen
        ]

    def hold(self, anchors: Iterable[ScrollAnchor]) -> None:
        """Restore the position of the first anchor whose place has not changed."""
        if self.top == 0 and not self._view.has_focus:
            return
        for task_id, below, place in anchors:
            line = self._outline.line_of(task_id)
            if line is not None and self._outline.place_of(task_id) == place:
                self.go_to_line(max(line - below, 0))
                return

    def _with_heading(self, line: int) -> int:
        """Return the first line to show with a task: its heading if that is directly above."""
        match self._outline.line(line - 1):
            case HeadingLine():
                return line - 2
            case GapLine():
                return line - 1
            case _:
                return line

    def _show(self, first: int, last: int) -> None:
        height = self.height
        if not height:
            return
        top = self.top
        if last >= top + height:
            top = last - height + 1
        self.go_to_line(min(top, first))


class ListScrollBar(ScrollBar):
    """Scrollbar that renders segments directly.

    Textual's conversion of a renderable costs more than drawing the list itself.
    """

    # Textual's own declaration lays out and repaints the screen once more on each change.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Render the few distinct pieces of the bar once each."""
        pieces = _pieces(self.render(), self.size.height)
        strips: dict[int, Strip] = {}
        base = self.visual_style.rich_style
        _, background = self.background_colors
        filters = self.get_line_filters()
        for piece in pieces:
            if id(piece) not in strips:
                strip = Strip(Segment.apply_style([piece], base), self.thickness)
                for line_filter in filters:
                    strip = strip.apply_filter(line_filter, background)
                strips[id(piece)] = strip
        lines = [strips[id(piece)] for piece in pieces[crop.y : crop.bottom]]
        return [strip.crop(*crop.column_span) for strip in lines]


def _pieces(bar: object, height: int) -> Sequence[Segment]:
    """Return the segment of each line of a bar."""
    assert isinstance(bar, ScrollBarRender)  # noqa: S101  # nobody has replaced the renderer
    assert isinstance(bar.style, Style)  # noqa: S101  # made of two colours
    assert bar.style.bgcolor is not None  # noqa: S101
    assert bar.style.color is not None  # noqa: S101
    return bar.render_bar(
        height,
        bar.virtual_size,
        bar.window_size,
        bar.position,
        bar.thickness,
        back_color=bar.style.bgcolor,
        bar_color=bar.style.color,
    ).segments


class TaskList(ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of tasks under headings, with a cursor that follows its task.

    The outline has the order and is changed within `rearranging`; `fetch` reads the tasks of
    visible lines. Input is posted as messages. A cursor move repaints two lines, however long the
    list is.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("list.down", "move(1)", "Down"),
        bind("list.up", "move(-1)", "Up"),
        bind("list.page_down", "page(1)", "Page down"),
        bind("list.page_up", "page(-1)", "Page up"),
        bind("list.first", "first", "First"),
        bind("list.last", "last", "Last"),
    ]

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES

    # Textual's own declaration lays out the screen on each change. The number of lines affects
    # no other widget, and the scrollbar has its own gutter.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    @dataclass
    class CursorMoved(Message):
        """The cursor moved to another task; `task_id` is None in an empty list."""

        task_id: int | None

    @dataclass
    class CircleClicked(Message):
        """The circle of a task was clicked."""

        task_id: int

    @dataclass
    class MarkClicked(Message):
        """A task was clicked with Ctrl or Shift; `reaches`: extend the selection from `before`."""

        task_id: int
        before: int | None
        reaches: bool

    @dataclass
    class FoldClicked(Message):
        """The fold mark of a task was clicked."""

        task_id: int

    @dataclass
    class ReadFailed(Message):
        """Visible tasks could not be read."""

        error: TodoError

    def __init__(
        self,
        outline: TaskTree,
        fetch: FetchTasks,
        fetch_status: FetchDependencyStatus,
        now: Callable[[], datetime],
        *,
        zone: str,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._outline = outline
        styles = RowStyles(self)
        self._rows = RowCache(fetch, fetch_status, now, zone, styles)
        self._painter = ListPainter(self, outline, self._rows, styles, self._report_read_error)
        self._viewport = Viewport(self, outline)
        self._cursor = ListCursor(outline)
        self._kept_in_view: tuple[int, ...] = ()
        self._needs_fit = False
        self._message: tuple[str, ...] = ()

    @property
    def cursor_task(self) -> int | None:
        """Return the id of the task under the cursor; None in an empty list."""
        return self._cursor.task

    @property
    def task_at_cursor(self) -> Task | None:
        """Return the task under the cursor."""
        return None if self._cursor.task is None else self.task_of(self._cursor.task)

    def task_of(self, task_id: int) -> Task | None:
        """Return a task, read from the store if needed; None if it is gone."""
        try:
            self._rows.read((task_id,))
        except TodoError as error:
            self._report_read_error(error)
        return self._rows.task_of(task_id)

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Store newer states of tasks, so that they need not be read."""
        self._redraw(self._painter.update_tasks(tuple(tasks)))

    def forget(self, known: Iterable[Task] = ()) -> None:
        """Drop all cached tasks but `known` and redraw."""
        self._rows.forget(known)
        self.refresh()

    def update_projects(self, rows: Mapping[int, ProjectRow]) -> None:
        """Set the project rows by their negative ids."""
        self._rows.update_projects(rows)
        self.refresh()

    def show_message(self, paragraphs: Sequence[str]) -> None:
        """Show paragraphs above the tasks, heading first; empty hides them."""
        if tuple(paragraphs) != self._message:
            self._message = tuple(paragraphs)
            self._wrap_message()

    def highlight(self, words: tuple[str, ...]) -> None:
        """Set the words highlighted in titles."""
        if self._rows.highlight(words):
            self.refresh()

    def mark(self, marks: dict[int, ChangeMark]) -> None:
        """Replace the change marks."""
        self._redraw(self._painter.mark(marks))

    def show_marked(self, task_ids: frozenset[int]) -> None:
        """Replace the marked tasks; there can be very many."""
        touched = self._painter.show_marked(task_ids)
        self._redraw([each for each, _ in self._viewport.tasks if each in touched])

    def show_just_done(self, task_ids: Iterable[int]) -> None:
        """Replace the tasks drawn as just completed."""
        self._redraw(self._painter.show_just_done(frozenset(task_ids)))

    @contextmanager
    def rearranging(self, *, leaving: Collection[int] = ()) -> Iterator[TaskOutline]:
        """Context for changing the order; keeps the cursor on its task and the scroll position.

        If the task under the cursor is gone or `leaving` for another section, the cursor goes to
        the one now in its row, or the last.
        """
        version = self._outline.version
        anchors = self._viewport.anchors(self._cursor.task)
        yield self._outline
        if self._outline.version == version:
            return
        self._put_cursor(self._cursor.after(leaving))
        self._fit_height()
        self._viewport.hold(anchors)
        self.refresh()

    def bring_into_view(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as possible to show these tasks, or as many of the first as fit.

        They stay in view when the list is resized, until the cursor moves.
        """
        self._kept_in_view = tuple(task_ids)
        self._needs_fit = not self._viewport.height
        self._viewport.show_tasks(self._kept_in_view)

    def move_cursor_to(self, task_id: int) -> None:
        """Move the cursor to a task of the list and show it."""
        row = self._cursor.row_of(task_id)
        if row is not None:
            self._go_to_row(row)

    def go_back_to(self, task_id: int | None) -> None:
        """Move the cursor to a task after a view switch; without one to the top."""
        self._viewport.go_to_line(0)
        row = None if task_id is None else self._outline.row_of(task_id)
        self._go_to_row(row or 0)

    def line_on_screen(self, task_id: int) -> int | None:
        """Return the line of a task from the top of the widget, or None if it is not visible."""
        return self._viewport.line_of(task_id)

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows, clamped to the list."""
        self._go_to_row(self._cursor.row + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        if self._cursor.task is not None:
            line = self._outline.line_at_row(self._cursor.row) + pages * self._viewport.page
            self._go_to_row(self._outline.row_near_line(max(line, 0)))

    def action_first(self) -> None:
        """Move the cursor to the first task."""
        self._go_to_row(0)

    def action_last(self) -> None:
        """Move the cursor to the last task."""
        self._go_to_row(self._outline.row_count - 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Read the tasks of a region in one go, then draw it."""
        if self._needs_fit:
            # Showing a hidden list again does not always post Resize.
            self._needs_fit = False
            self.call_next(self._fit_view)
        return self._painter.strips(crop)

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Repaint these regions, or everything."""
        if repaint:
            self._painter.forget(regions)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """Return the scrollbar, created when there is first something to scroll."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = bar = ListScrollBar(name="vertical")
            bar.display = False
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def notify_style_update(self) -> None:
        """Redraw with new styles after a change of theme or focus."""
        super().notify_style_update()
        self._painter.restyle()

    def on_mount(self) -> None:
        """Put the cursor on the first task."""
        self._put_cursor(self._outline.task_at_row(0))
        self._fit_height()

    def on_resize(self) -> None:
        """Keep the cursor or the tasks brought into view visible."""
        self._fit_view()

    async def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row; tick, fold or mark depending on the column."""
        offset = event.get_content_offset(self)
        line = None if offset is None else self._viewport.line_at(offset.y)
        if offset is None or not isinstance(line, TaskLine):
            return
        event.stop()
        before = self._cursor.task
        self._put_cursor(line.task_id, self._outline.row_near_line(self._viewport.top + offset.y))
        column = offset.x - indent_of(line.depth)
        if self._rows.is_project(line.task_id):
            if column in CIRCLE_COLUMNS:
                self.post_message(self.FoldClicked(line.task_id))
        elif event.ctrl or event.shift:
            self.post_message(self.MarkClicked(line.task_id, before, reaches=event.shift))
        elif column == FOLD_COLUMN and self._outline.has_below(line.task_id):
            self.post_message(self.FoldClicked(line.task_id))
        elif column in CIRCLE_COLUMNS:
            self.post_message(self.CircleClicked(line.task_id))

    def _fit_view(self) -> None:
        self._wrap_message()
        self._fit_height()
        if self._kept_in_view:
            self.bring_into_view(self._kept_in_view)
        elif self._cursor.is_shown:
            self._viewport.show_row(self._cursor.row)

    def _fit_height(self) -> None:
        height = self._outline.height
        if height != self.virtual_size.height:
            self.virtual_size = Size(self.scrollable_content_region.width, height)
            self._scroll_update(self.virtual_size)

    def _wrap_message(self) -> None:
        """Wrap the paragraphs into lines, with an empty one above each."""
        width = self.scrollable_content_region.width - 2 * _MESSAGE_INDENT
        lines: list[str] = []
        for paragraph in self._message if width > 1 else ():
            lines += ["", *wrap(paragraph, width)]
        if lines == self._painter.message_lines:
            return
        with self.rearranging() as outline:
            self._painter.message_lines = lines
            outline.lead = len(lines)
        self.refresh()

    def _report_read_error(self, error: TodoError) -> None:
        self.post_message(self.ReadFailed(error))

    def _redraw(self, task_ids: Iterable[int]) -> None:
        for region in self._viewport.regions_of(task_ids):
            self.refresh(region)

    def _go_to_row(self, row: int) -> None:
        row = min(max(row, 0), max(self._outline.row_count - 1, 0))
        target = self._outline.task_at_row(row)
        if target is not None:
            self._kept_in_view = ()
            self._put_cursor(target, row)
            self._viewport.show_row(row)

    def _put_cursor(self, task_id: int | None, row: int | None = None) -> None:
        before = self._cursor.task
        self._cursor.put(task_id, row)
        self._painter.cursor = task_id
        if task_id != before:
            self._redraw(each for each in (before, task_id) if each is not None)
            self.post_message(self.CursorMoved(task_id))
