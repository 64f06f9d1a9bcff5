"""The task list widget: cursor, viewport and scrolling; draws visible rows only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
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
    LineRenderer,
    ListPainter,
    RowCache,
    RowStyles,
)
from todo_tui.tui.task_list.row import CIRCLE_COLUMNS, FOLD_COLUMN, ChangeMark, indent_of
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.views.view import ProjectRow
from todo_tui.tui.widgets.text import wrap

_LESSON_INDENT = 2


class ListCursor:
    """Stays on its task; of a task with several rows it knows on which it is."""

    def __init__(self, outline: TaskOutline) -> None:
        self._outline = outline
        self.task: int | None = None
        """The id of the task; None where the list is empty."""
        self.row = 0

    @property
    def is_shown(self) -> bool:
        """Whether its task has a row."""
        return self.task is not None and self._outline.row_of(self.task) is not None

    def put(self, task_id: int | None, row: int | None = None) -> None:
        """Put it on a task: on this row of it, else on the nearest."""
        self.task = task_id
        if row is None and task_id is not None:
            row = self.row_of(task_id)
        self.row = row or 0

    def row_of(self, task_id: int) -> int | None:
        """The row of a task, of several the one next to the cursor."""
        return self._outline.row_of(task_id, near=self.row)

    def after(self, leaving: Collection[int]) -> int | None:
        """Where it belongs after the order changed.

        Where its task is gone, or is `leaving` for another group, on the one that took its
        place, or the last.
        """
        if self.task is not None and self.task not in leaving and self.is_shown:
            return self.task
        successor = self._outline.task_at_row(self.row)
        if successor in leaving and self.row:
            successor = self._outline.task_at_row(self.row - 1)
        return successor


class ScrollAnchor(NamedTuple):
    """A task by which the view is held: where it is seen, and where it belongs."""

    task_id: int
    below: int
    """Lines from the top of the widget."""
    place: TaskPlace | None


class Viewport:
    """The part of the outline that a widget shows."""

    def __init__(self, view: ScrollView, outline: TaskTree) -> None:
        self._view = view
        self._outline = outline

    @property
    def top(self) -> int:
        """The first line that is seen."""
        return self._view.scroll_offset.y

    @property
    def height(self) -> int:
        """How many lines are seen."""
        return self._view.scrollable_content_region.height

    @property
    def page(self) -> int:
        """By how many lines a screenful goes on."""
        return max(self.height - 1, 1)

    @property
    def tasks(self) -> Iterator[tuple[int, int]]:
        """Every task that is seen: its id, and lines from the top of the widget."""
        for below, line in enumerate(self._outline.lines(self.top, self.height)):
            if isinstance(line, TaskLine):
                yield line.task_id, below

    def regions_of(self, task_ids: Iterable[int]) -> Iterator[Region]:
        """Where these tasks are seen, in cells of the widget."""
        width, top, height = self._view.size.width, self.top, self.height
        for task_id in task_ids:
            for line in self._outline.lines_of(task_id):
                if top <= line < top + height:
                    yield Region(0, line - top, width, 1)

    def line_of(self, task_id: int) -> int | None:
        """How many lines below the top of the widget a task is; None where it is not seen."""
        line = self._outline.line_of(task_id)
        below = None if line is None else line - self.top
        return below if below is not None and 0 <= below < self.height else None

    def line_at(self, below: int) -> OutlineLine | None:
        """What is seen so many lines below the top of the widget."""
        return self._outline.line(self.top + below)

    def show_tasks(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as shows these tasks, or as many of the first as fit."""
        lines = sorted(line for each in task_ids for line in self._outline.lines_of(each))
        if lines:
            last = max(line for line in lines if line - lines[0] < self.page)
            self._show(self._with_heading(lines[0]), last)

    def show_row(self, row: int) -> None:
        """Scroll as little as shows a row, at the ends with what stands around it."""
        line = self._outline.line_at_row(row)
        is_last = row == self._outline.row_count - 1
        self._show(self._with_heading(line), self._outline.height - 1 if is_last else line)

    def go_to_line(self, top: int) -> None:
        """Scroll so that a line is the first that is seen."""
        if top != self.top:
            self._view.scroll_to(y=top, animate=False, force=True)

    def anchors(self, cursor: int | None) -> list[ScrollAnchor]:
        """Tasks to hold the view by, best first: while keys come here, the cursor's."""
        seen = list(self.tasks)
        if self._view.has_focus:
            seen.sort(key=lambda each: each[0] != cursor)
        return [
            ScrollAnchor(task_id, below, self._outline.place_of(task_id)) for task_id, below in seen
        ]

    def hold(self, anchors: Iterable[ScrollAnchor]) -> None:
        """After the order changed: keep in its line the first of these that stayed in place."""
        if self.top == 0 and not self._view.has_focus:
            return
        for task_id, below, place in anchors:
            line = self._outline.line_of(task_id)
            if line is not None and self._outline.place_of(task_id) == place:
                self.go_to_line(max(line - below, 0))
                return

    def _with_heading(self, line: int) -> int:
        """The first line to show with a task: its group's heading where that is next to it."""
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
    """Looks and works as any other, without the framework's way from a renderable to lines.

    That way costs more than to draw the whole list beside it.
    """

    # The base class lays the screen out and draws it once more when this changes.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the few pieces that it has, each of which most lines share with their neighbours."""
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
    """What stands on each line of a bar."""
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

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES

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
        fetch_standing: FetchDependencyStatus,
        now: Callable[[], datetime],
        *,
        zone: str,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._outline = outline
        styles = RowStyles(self)
        self._rows = RowCache(fetch, fetch_standing, now, zone, styles)
        self._lines = LineRenderer(outline, self._rows)
        self._painting = ListPainter(
            self, outline, self._lines, self._rows, styles, self._say_unread
        )
        self._sight = Viewport(self, outline)
        self._cursor = ListCursor(outline)
        self._in_view: tuple[int, ...] = ()
        self._came_in_hiding = False
        self._lesson: tuple[str, ...] = ()

    @property
    def cursor_task(self) -> int | None:
        """The id of the task under the cursor; None where the list is empty."""
        return self._cursor.task

    @property
    def task_at_cursor(self) -> Task | None:
        """The task itself."""
        return None if self._cursor.task is None else self.task_of(self._cursor.task)

    def task_of(self, task_id: int) -> Task | None:
        """A task, read from the store if need be; None where it is gone."""
        try:
            self._rows.read((task_id,))
        except TodoError as error:
            self._say_unread(error)
        return self._rows.task_of(task_id)

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Take newer states of tasks, so that they need not be read."""
        self._draw_anew(self._lines.update_tasks(tuple(tasks)))

    def forget(self, known: Iterable[Task] = ()) -> None:
        """Read every task but these anew when it is next drawn."""
        self._rows.forget(known)
        self.refresh()

    def update_projects(self, rows: Mapping[int, ProjectRow]) -> None:
        """Take what stands in the rows of projects, by their numbers below nought."""
        self._rows.update_projects(rows)
        self.refresh()

    def show_message(self, paragraphs: Sequence[str]) -> None:
        """Say something above the tasks, the first paragraph being its head; () is silence."""
        if tuple(paragraphs) != self._lesson:
            self._lesson = tuple(paragraphs)
            self._wrap_message()

    def highlight(self, words: tuple[str, ...]) -> None:
        """Mark these words where titles have them, and no others."""
        if self._rows.highlight(words):
            self.refresh()

    def mark(self, marks: dict[int, ChangeMark]) -> None:
        """Mark these rows as changed, and no others."""
        self._draw_anew(self._lines.mark(marks))

    def show_marked(self, task_ids: frozenset[int]) -> None:
        """Draw these rows as marked, and no others; they can be very many."""
        touched = self._lines.show_marked(task_ids)
        self._draw_anew([each for each, _ in self._sight.tasks if each in touched])

    def show_just_done(self, task_ids: Iterable[int]) -> None:
        """Draw these rows as done a moment ago, and no others."""
        self._draw_anew(self._lines.show_just_done(frozenset(task_ids)))

    @contextmanager
    def rearranging(self, *, leaving: Collection[int] = ()) -> Iterator[TaskOutline]:
        """Change the order; afterwards the cursor is on its task and the view has not moved.

        A cursor whose task is gone, or is `leaving` for another group, goes to the one
        that took its place, or the last.
        """
        version = self._outline.version
        anchors = self._sight.anchors(self._cursor.task)
        yield self._outline
        if self._outline.version == version:
            return
        self._put_cursor(self._cursor.after(leaving))
        self._fit_height()
        self._sight.hold(anchors)
        self.refresh()

    def bring_into_view(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as shows these tasks, or as many of the first as fit.

        They are kept in sight when the list gets another size, until the cursor moves.
        """
        self._in_view = tuple(task_ids)
        self._came_in_hiding = not self._sight.height
        self._sight.show_tasks(self._in_view)

    def move_cursor_to(self, task_id: int) -> None:
        """Put the cursor on a task of the list and show it."""
        row = self._cursor.row_of(task_id)
        if row is not None:
            self._go_to_row(row)

    def go_back_to(self, task_id: int | None) -> None:
        """After another view came: to the task that was left there, or to the top."""
        self._sight.go_to_line(0)
        row = None if task_id is None else self._outline.row_of(task_id)
        self._go_to_row(row or 0)

    def line_on_screen(self, task_id: int) -> int | None:
        """How many lines below the top of the widget a task is; None where it is not seen."""
        return self._sight.line_of(task_id)

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows; at the ends it stays."""
        self._go_to_row(self._cursor.row + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by screenfuls."""
        if self._cursor.task is not None:
            line = self._outline.line_at_row(self._cursor.row) + pages * self._sight.page
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
        return self._painting.strips(crop)

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint these regions anew, or all."""
        if repaint:
            self._painting.forget(regions)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scrollbar, made when there is first something to scroll."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = bar = ListScrollBar(name="vertical")
            bar.display = False
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def notify_style_update(self) -> None:
        """Theme or focus changed: every style is another."""
        super().notify_style_update()
        self._painting.restyle()

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
        line = None if offset is None else self._sight.line_at(offset.y)
        if offset is None or not isinstance(line, TaskLine):
            return
        event.stop()
        before = self._cursor.task
        self._put_cursor(line.task_id, self._outline.row_near_line(self._sight.top + offset.y))
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
        if self._in_view:
            self.bring_into_view(self._in_view)
        elif self._cursor.is_shown:
            self._sight.show_row(self._cursor.row)

    def _fit_height(self) -> None:
        height = self._outline.height
        if height != self.virtual_size.height:
            self.virtual_size = Size(self.scrollable_content_region.width, height)
            self._scroll_update(self.virtual_size)

    def _wrap_message(self) -> None:
        """Break the paragraphs into lines, with an empty one above each."""
        width = self.scrollable_content_region.width - 2 * _LESSON_INDENT
        lines: list[str] = []
        for paragraph in self._lesson if width > 1 else ():
            lines += ["", *wrap(paragraph, width)]
        if lines == self._lines.lesson:
            return
        with self.rearranging() as outline:
            self._lines.lesson = lines
            outline.lead = len(lines)
        self.refresh()

    def _say_unread(self, error: TodoError) -> None:
        self.post_message(self.ReadFailed(error))

    def _draw_anew(self, task_ids: Iterable[int]) -> None:
        for region in self._sight.regions_of(task_ids):
            self.refresh(region)

    def _go_to_row(self, row: int) -> None:
        row = min(max(row, 0), max(self._outline.row_count - 1, 0))
        target = self._outline.task_at_row(row)
        if target is not None:
            self._in_view = ()
            self._put_cursor(target, row)
            self._sight.show_row(row)

    def _put_cursor(self, task_id: int | None, row: int | None = None) -> None:
        before = self._cursor.task
        self._cursor.put(task_id, row)
        self._lines.cursor = task_id
        if task_id != before:
            self._draw_anew(each for each in (before, task_id) if each is not None)
            self.post_message(self.CursorMoved(task_id))
