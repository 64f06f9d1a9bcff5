"""The task list widget: cursor and scroll position, kept on reload; draws visible rows only."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import ClassVar, assert_never

from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.strip import Strip

from todo_tui.domain.errors import TodoError
from todo_tui.domain.task import Task
from todo_tui.store.store import Store
from todo_tui.tui.actions.action import ActionHost
from todo_tui.tui.actions.task_list import TASK_LIST
from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    NoteLine,
    OutlineLine,
    Section,
    TaskLine,
    TaskOutline,
)
from todo_tui.tui.task_list.painter import (
    CIRCLE_COLUMNS,
    COMPONENT_CLASSES,
    CURSOR_CLASS,
    FOLD_COLUMN,
    PLAIN,
    Cells,
    ChangeMark,
    RowPainter,
    RowPart,
    RowState,
    TaskCache,
    has_notes,
)
from todo_tui.tui.task_list.views import ProjectRow
from todo_tui.tui.widgets.text import wrap

_MESSAGE_INDENT = 2


class ClickAction(Enum):
    """Action of a click on a row, by its column and the modifier keys."""

    TICK = auto()
    FOLD = auto()
    MARK = auto()
    MARK_RANGE = auto()


_Anchor = tuple[int, int, Section | None]
"""Task whose screen position is kept, its lines from the top of the widget, and its section."""


class TaskList(ActionHost, ScrollView, can_focus=True, inherit_bindings=False):
    """Rows of tasks under headings, read as far as visible; the cursor follows its task."""

    ACTIONS = TASK_LIST

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES

    marked: var[frozenset[int]] = var(frozenset())
    just_done: var[frozenset[int]] = var(frozenset())
    change_marks: var[Mapping[int, ChangeMark]] = var({})

    class CursorMoved(Message):
        """The cursor moved to another task."""

    @dataclass
    class RowClicked(Message):
        """A row was clicked where that has an action."""

        action: ClickAction
        task_id: int

    @dataclass
    class ReadFailed(Message):
        """Visible tasks could not be read."""

        error: TodoError

    def __init__(self, store: Store, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._cache = TaskCache(store.tasks)
        self._clock = store.clock
        self._styles: dict[tuple[RowPart, bool], Style] = {}
        self._painter: RowPainter
        self._longest = Cells()
        """Longest texts of the rows that were drawn since the view was switched."""
        self._kept_in_view: tuple[int, ...] = ()
        self._needs_fit = False
        self._message: tuple[str, ...] = ()
        self._message_lines: list[str] = []
        self.outline = TaskOutline()
        self.cursor_task: int | None = None
        """Id of the task under the cursor; None in an empty list."""
        self.cursor_row = 0
        """Row of the cursor, as a task can have several."""
        self.searched: tuple[str, ...] = ()
        """Words highlighted in titles."""
        self.projects: Mapping[int, ProjectRow] = {}
        self._noted: frozenset[int] = frozenset()
        """Tasks whose notes have a line below their rows."""

    @property
    def task_at_cursor(self) -> Task | None:
        """Return the task under the cursor."""
        return None if self.cursor_task is None else self.task_of(self.cursor_task)

    def task_of(self, task_id: int) -> Task | None:
        """Return a task, read from the store if needed; None if it is gone."""
        try:
            self._cache.read((task_id,))
        except TodoError as error:
            self.post_message(self.ReadFailed(error))
        return self._cache.tasks.get(task_id)

    def show(
        self,
        outline: TaskOutline,
        projects: Mapping[int, ProjectRow] | None = None,
        *,
        leaving: Collection[int] = (),
        moved: Collection[int] = (),
    ) -> None:
        """Show another order; keep the cursor on its task, and the scroll position.

        If the task under the cursor is gone or `leaving` for another section, the cursor goes to
        the one now in its row, or the last. Tasks that `moved` do not hold the scroll position.
        """
        anchors = self._anchors(moved)
        outline.lead = self.outline.lead
        outline.put_notes_below(self._noted)
        self.outline = outline
        if projects is not None:
            self.projects = projects
        self._rearrange(anchors, leaving)

    def update_tasks(self, tasks: Iterable[Task]) -> None:
        """Redraw newer states of tasks, and others whose progress may depend on them."""
        tasks = tuple(tasks)
        if emptied := self._noted.intersection(task.id for task in tasks if not has_notes(task)):
            self.toggle_notes(emptied)
        self._redraw(self._cache.update(tasks))

    def toggle_notes(self, task_ids: Collection[int]) -> None:
        """Show the first line of these tasks' notes below their rows; hide it if all show it."""
        anchors = self._anchors()
        given = frozenset(task_ids)
        self._noted = self._noted - given if given <= self._noted else self._noted | given
        self.outline.put_notes_below(self._noted)
        self._rearrange(anchors)
        if self.cursor_task in given:
            self._show_row(self.cursor_row)

    def forget_tasks(self) -> None:
        """Drop all cached tasks and redraw."""
        self._cache.clear()
        self.refresh()

    def show_message(self, paragraphs: Sequence[str]) -> None:
        """Show paragraphs above the tasks, heading first; empty hides them."""
        if tuple(paragraphs) != self._message:
            self._message = tuple(paragraphs)
            self._wrap_message()

    def _watch_change_marks(
        self, before: Mapping[int, ChangeMark], marks: Mapping[int, ChangeMark]
    ) -> None:
        self._redraw(before.keys() | marks.keys())

    def _watch_marked(self, before: frozenset[int], marked: frozenset[int]) -> None:
        self._redraw(before ^ marked)

    def _watch_just_done(self) -> None:
        # Headings count them no longer.
        self.refresh()

    def bring_into_view(self, task_ids: Iterable[int]) -> None:
        """Scroll as little as possible to show these tasks, or as many of the first as fit.

        They stay in view when the list is resized, until the cursor moves.
        """
        self._kept_in_view = tuple(task_ids)
        self._needs_fit = not self._height
        rows = sorted(row for each in self._kept_in_view for row in self.outline.rows_of(each))
        lines = list(map(self.outline.line_at_row, rows))
        if lines:
            last = max(line for line in lines if line - lines[0] < self._page)
            self._scroll_to_lines(self.outline.with_heading(lines[0]), last)

    def show_cursor(self) -> None:
        """Show the row of the cursor, whatever was brought into view before."""
        self._kept_in_view = ()
        self._needs_fit = not self._height
        if self.cursor_task is not None:
            self._show_row(self.cursor_row)

    def move_cursor_to(self, task_id: int) -> None:
        """Move the cursor to a task of the list and show it."""
        row = self.outline.row_of(task_id, near=self.cursor_row)
        if row is not None:
            self._go_to_row(row)

    def go_back_to(self, task_id: int | None) -> None:
        """Move the cursor to a task after a view switch; without one to the top."""
        self._longest = Cells()
        self._scroll_to_line(0)
        row = None if task_id is None else self.outline.row_of(task_id)
        self._go_to_row(row or 0)

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows, clamped to the list."""
        self._go_to_row(self.cursor_row + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by pages."""
        if self.cursor_task is not None:
            line = self.outline.line_at_row(self.cursor_row) + pages * self._page
            self._go_to_row(self.outline.row_near_line(max(line, 0)))

    def action_first(self) -> None:
        """Move the cursor to the first task."""
        self._go_to_row(0)

    def action_last(self) -> None:
        """Move the cursor to the last task."""
        self._go_to_row(self.outline.row_count - 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Read the tasks of a region in one go, then draw those of its lines that changed."""
        if self._needs_fit:
            # Showing a hidden list again does not always post Resize.
            self._needs_fit = False
            self.call_next(self.on_resize)
        lines = (*self.outline.lines(self._top + crop.y, crop.height, self.just_done),)
        try:
            self._cache.read_rows([each.task_id for each in lines if isinstance(each, TaskLine)])
        except TodoError as error:
            self.post_message(self.ReadFailed(error))
        self._painter = RowPainter(
            self.scrollable_content_region.width, self._clock.now(), self._clock.zone, self._style,
            self.searched,
        )  # fmt: skip
        self._size_columns(lines)
        return super().render_lines(crop)

    def _size_columns(self, lines: Iterable[OutlineLine]) -> None:
        """Widen the columns for these lines; they keep their widths until the view is switched."""
        longest = self._longest
        for line in lines:
            task = self._cache.tasks.get(line.task_id) if isinstance(line, TaskLine) else None
            if task is not None and isinstance(line, TaskLine):
                longest = longest.widened(self._painter.cells(task, self._state(line)))
        if longest != self._longest:
            self._longest = longest
            self.refresh()
        self._painter = replace(self._painter, longest=longest)

    def render_line(self, y: int) -> Strip:
        """Draw a line, extended below the scrollbar."""
        line = next(self.outline.lines(self._top + y, 1, self.just_done), GapLine())
        plain = self._style(RowPart.ROW, PLAIN)
        return self._draw(line, self._painter).adjust_cell_length(self.size.width, plain)

    def _draw(self, line: OutlineLine, painter: RowPainter) -> Strip:
        match line:
            case TaskLine():
                return self._draw_row(line, painter)
            case HeadingLine():
                return painter.heading(line)
            case MoreLine():
                return painter.more(line)
            case NoteLine(task_id):
                return painter.note(line, self._cache.tasks.get(task_id))
            case GapLine():
                return painter.line([])
            case MessageLine(number):
                part = RowPart.MESSAGE_HEAD if number == 1 else RowPart.MESSAGE
                return painter.line([(f"  {self._message_lines[number]}", part)])
            case _:
                assert_never(line)

    def _draw_row(self, line: TaskLine, painter: RowPainter) -> Strip:
        state = self._state(line)
        project, task = self.projects.get(line.task_id), self._cache.tasks.get(line.task_id)
        if project is not None:
            return painter.project(project, state)
        if task is None:
            return painter.line([("    …", RowPart.COUNT)], state)
        return painter.task(task, state)

    def _state(self, line: TaskLine) -> RowState:
        task_id = line.task_id
        status = self._cache.statuses.get(task_id)
        progress = None if status is None else status.progress
        return RowState(
            cursor=task_id == self.cursor_task,
            mark=self.change_marks.get(task_id),
            just_done=task_id in self.just_done,
            line=line,
            marked=task_id in self.marked,
            progress=f"{progress.done}/{progress.total}" if progress else "",
            blocked=status is not None and status.blocked,
            parent="" if line.depth else self._cache.parent_title(task_id),
        )

    def _style(self, part: RowPart, state: RowState) -> Style:
        key = (part, state.cursor)
        if key not in self._styles:
            names = [f"task-list--{RowPart.ROW}", f"task-list--{part}"]
            if state.cursor:
                names.insert(1, CURSOR_CLASS)
            style = self.get_visual_style(*names).rich_style
            if state.cursor and self.get_component_styles(CURSOR_CLASS).text_style.reverse:
                style += Style(reverse=True)
            self._styles[key] = style
        return self._styles[key]

    def notify_style_update(self) -> None:
        """Redraw with new styles after a change of theme or focus."""
        super().notify_style_update()
        self._styles.clear()

    def on_resize(self) -> None:
        """Wrap the message again; keep the cursor or the tasks brought into view visible."""
        self._wrap_message()
        self._fit_height()
        if self._kept_in_view:
            self.bring_into_view(self._kept_in_view)
        elif self.cursor_task is not None:
            self._show_row(self.cursor_row)

    async def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row; tick, fold or mark depending on the column."""
        offset = event.get_content_offset(self)
        line = None if offset is None else self.outline.line(self._top + offset.y)
        if offset is None or not isinstance(line, TaskLine):
            return
        event.stop()
        action = _click_action(line, offset.x, event)
        if action is not ClickAction.MARK_RANGE:
            # A range begins at the cursor, which then follows.
            self._put_cursor(line.task_id, self.outline.row_near_line(self._top + offset.y))
        if action is not None:
            self.post_message(self.RowClicked(action, line.task_id))

    @property
    def _top(self) -> int:
        return self.scroll_offset.y

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    @property
    def _page(self) -> int:
        return max(self._height - 1, 1)

    def _visible_tasks(self) -> Iterator[tuple[int, int]]:
        """Yield the visible tasks: id and lines from the top of the widget."""
        for below, line in enumerate(self.outline.lines(self._top, self._height)):
            if isinstance(line, TaskLine):
                yield line.task_id, below

    def _anchors(self, moved: Collection[int] = ()) -> list[_Anchor]:
        """Return what can hold the scroll position, best first: with focus, the cursor's task."""
        anchors: list[_Anchor] = [
            (task_id, below, self.outline.section_of(task_id))
            for task_id, below in self._visible_tasks()
            if task_id not in moved
        ]
        if self.has_focus:
            anchors.sort(key=lambda anchor: anchor[0] != self.cursor_task)
        return anchors

    def _rearrange(self, anchors: Iterable[_Anchor], leaving: Collection[int] = ()) -> None:
        self._put_cursor(self._cursor_after(leaving))
        self._fit_height()
        for task_id, below, section in anchors if self._top or self.has_focus else ():
            line = self.outline.line_of(task_id)
            if line is not None and self.outline.section_of(task_id) == section:
                self._scroll_to_line(max(line - below, 0))
                break
        self.refresh()

    def _redraw(self, task_ids: Collection[int]) -> None:
        for task_id, below in self._visible_tasks() if task_ids else ():
            if task_id in task_ids:
                self.refresh(Region(0, below, self.size.width, 1))

    def _go_to_row(self, row: int) -> None:
        row = min(max(row, 0), max(self.outline.row_count - 1, 0))
        target = self.outline.task_at_row(row)
        if target is not None:
            self._kept_in_view = ()
            self._put_cursor(target, row)
            self._show_row(row)

    def _put_cursor(self, task_id: int | None, row: int | None = None) -> None:
        """Move the cursor to a task: to this row of it, else to the nearest."""
        before = self.cursor_task
        if row is None and task_id is not None:
            row = self.outline.row_of(task_id, near=self.cursor_row)
        self.cursor_task = task_id
        self.cursor_row = row or 0
        if task_id != before:
            self._redraw([each for each in (before, task_id) if each is not None])
            self.post_message(self.CursorMoved())

    def _cursor_after(self, leaving: Collection[int]) -> int | None:
        task_id, outline = self.cursor_task, self.outline
        if task_id is not None and task_id not in leaving and outline.row_of(task_id) is not None:
            return task_id
        successor = outline.task_at_row(self.cursor_row)
        if successor in leaving and self.cursor_row:
            successor = outline.task_at_row(self.cursor_row - 1)
        return successor

    def _show_row(self, row: int) -> None:
        """Scroll as little as possible to show a row; at the ends also what surrounds it."""
        line = self.outline.line_at_row(row)
        is_last = row == self.outline.row_count - 1
        last = self.outline.height - 1 if is_last else line
        if isinstance(self.outline.line(line + 1), NoteLine):
            last = max(last, line + 1)
        self._scroll_to_lines(self.outline.with_heading(line), last)

    def _scroll_to_lines(self, first: int, last: int) -> None:
        if self._height:
            top = max(self._top, last - self._height + 1)
            self._scroll_to_line(min(top, first))

    def _scroll_to_line(self, top: int) -> None:
        if top != self._top:
            self.scroll_to(y=top, animate=False, force=True)

    def _fit_height(self) -> None:
        height = self.outline.height
        if height != self.virtual_size.height:
            self.virtual_size = Size(self.scrollable_content_region.width, height)

    def _wrap_message(self) -> None:
        width = self.scrollable_content_region.width - 2 * _MESSAGE_INDENT
        lines: list[str] = []
        for paragraph in self._message if width > 1 else ():
            lines += ["", *wrap(paragraph, width)]
        if lines != self._message_lines:
            anchors = self._anchors()
            self._message_lines = lines
            self.outline.lead = len(lines)
            self._rearrange(anchors)


def _click_action(line: TaskLine, column: int, event: events.Click) -> ClickAction | None:
    if line.task_id < 0:
        return ClickAction.FOLD if column in CIRCLE_COLUMNS else None
    if event.ctrl or event.shift:
        return ClickAction.MARK_RANGE if event.shift else ClickAction.MARK
    if column == FOLD_COLUMN and line.folded is not None:
        return ClickAction.FOLD
    return ClickAction.TICK if column in CIRCLE_COLUMNS else None
