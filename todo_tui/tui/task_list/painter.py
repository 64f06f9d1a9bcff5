"""Drawing of the list's lines: tasks, projects, headings; the tasks and states that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import assert_never
from zoneinfo import ZoneInfo

from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip
from textual.widget import Widget

from todo_tui.domain.dates.text import format_due, format_when, weekday_name
from todo_tui.domain.filters.search_words import find_spans
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.when import When
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import DependencyStatus
from todo_tui.tui.task_list.outline import (
    GapLine,
    HeadingLine,
    MessageLine,
    MoreLine,
    OutlineLine,
    ShownInHeading,
    TaskLine,
)
from todo_tui.tui.views.projects import ProjectRow
from todo_tui.tui.widgets.text import ELLIPSIS, cell_width, clip, display_line, pad_or_clip

_ENDS = (" ", ELLIPSIS)
CIRCLE_COLUMNS = range(1, 4)
"""Cells of a row where a click ticks the task: the circle and its neighbours."""
FOLD_COLUMN = 3
"""Cell of the fold mark."""
TITLE_COLUMN = 4
"""Cell where titles begin."""
_WIDE_PANE = 46
_DUE_CELLS = 16
_DUE_CELLS_NARROW = 11
_BETWEEN = 2
_SMALLEST_TITLE = 14
_CIRCLES = {
    Status.TODO: "○",
    Status.DOING: "◐",
    Status.DONE: "✓",
    Status.CANCELLED: "–",
}
_PRIORITY_MARKS = {Priority.HIGH: "!!!", Priority.MEDIUM: "!!", Priority.LOW: "!"}
_STEP = 2
_DEEPEST = 8
"""Deepest indentation level that is drawn, to leave room for the title."""
_PARENT_CELLS = 18
_PARENT_CELLS_LEAST = 6
_ROOM_FOR_WORDS = 24
_BAR_CELLS = 8
_WORDS_CELLS = 12
_SMALLEST_NAME = 12
_EDGE = 1
_CACHE_SIZE = 1024
"""Number of cached rows; larger than any screen."""


class RowPart(StrEnum):
    """Parts of a line; each has a component style (`task-list--…`)."""

    ROW = "row"
    BAR = "bar"
    CIRCLE = "circle"
    TITLE = "title"
    DUE = "due"
    DUE_TODAY = "due-today"
    DUE_OVERDUE = "due-overdue"
    META = "meta"
    PRIORITY = "priority"
    MARK = "mark"
    CHANGED = "changed"
    FOUND = "found"
    JUST_DONE = "just-done"
    TICKED = "ticked"
    FINISHED = "finished"
    PROJECT = "project"
    UNFILLED = "unfilled"
    HEADING = "heading"
    HEADING_OVERDUE = "heading-overdue"
    COUNT = "count"
    MARKED = "marked"
    PARENT = "parent"
    PROGRESS = "progress"
    BLOCKED = "blocked"
    MESSAGE_HEAD = "message-head"
    MESSAGE = "message"


class ChangeMark(StrEnum):
    """Mark drawn beside a row that was just changed."""

    NEW = "+"
    CHANGED = "~"


@dataclass(frozen=True, slots=True)
class RowState:
    """State of a row besides its task."""

    cursor: bool = False
    mark: ChangeMark | None = None
    just_done: bool = False
    depth: int = 0
    """Indentation level."""
    shown_in_heading: ShownInHeading = ShownInHeading.NOTHING
    """Fact that the heading already shows."""
    marked: bool = False
    """True if the task is part of the selection."""
    folded: bool | None = None
    """True if its subtasks are folded; None if there are none below it."""
    progress: str = ""
    """Number of done subtasks: `2/5`."""
    blocked: bool = False
    """True if it waits for another task."""
    parent: str = ""
    """Title of its parent, if that is shown elsewhere."""


CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in RowPart), CURSOR_CLASS}
PartStyle = Callable[[RowPart, RowState], Style]
_Piece = tuple[str, RowPart]
_PLAIN = RowState()


def indent_of(depth: int) -> int:
    """Return the indentation of a row in cells."""
    return _STEP * min(depth, _DEEPEST)


@dataclass(frozen=True, slots=True)
class RowPainter:
    """Draws lines of one width at one moment; `now` is naive, local."""

    width: int
    now: datetime
    zone: str
    style: PartStyle
    searched: tuple[str, ...] = ()
    """Words highlighted in titles."""

    def task(self, task: Task, state: RowState) -> Strip:
        """Return the row of a task, exactly `width` cells wide."""
        due, due_part = self._due(task, state)
        right = self._due_width if due else 0
        indent = " " * indent_of(state.depth)
        room = self.width - TITLE_COLUMN - len(indent) - _EDGE - (right + _BETWEEN if right else 0)
        title = display_line(task.title)
        title_cells = cell_width(title)
        around = _relation_pieces(state, room, title_cells)
        room -= _cells_of(around)
        meta = _meta_pieces(task, title_cells, room, state)
        spare = right - cell_width(due)
        if spare:
            # Narrow the date column before clipping the title or dropping a tag.
            wider = _meta_pieces(task, title_cells, room + spare, state)
            if len(wider) > len(meta) or title_cells + _cells_of(meta) > room:
                room, right, meta = room + spare, right - spare, wider
        pieces = [
            _edge_piece(state),
            (state.mark.value if state.mark else " ", RowPart.MARK),
            (indent, RowPart.ROW),
            (_CIRCLES[task.status], _part(task, state, RowPart.TICKED, RowPart.CIRCLE)),
            (" ", RowPart.ROW)
            if state.folded is None
            else ("▸" if state.folded else "▾", RowPart.PROGRESS),
            *self._title(pad_or_clip(title, room - _cells_of(meta)), task, state),
            *around,
            *meta,
        ]
        if right:
            pieces += [(" " * _BETWEEN, RowPart.ROW), (due.rjust(right), due_part)]
        return self.line([*pieces, (" " * _EDGE, RowPart.ROW)], state)

    def _title(self, shown: str, task: Task, state: RowState) -> Iterator[_Piece]:
        """Yield a title in pieces, searched words apart, that end at cell boundaries."""
        changed = RowPart.CHANGED if state.mark else RowPart.TITLE
        part = _part(task, state, RowPart.JUST_DONE, changed)
        end = 0
        if self.searched:
            # Without the ellipsis of a clipped title most titles are ASCII: searched faster.
            is_end_searched = any(word.endswith(_ENDS) for word in self.searched)
            titled = shown if is_end_searched else shown.rstrip("".join(_ENDS))
            for start, stop in find_spans(titled, self.searched):
                yield shown[end:start], part
                yield shown[start:stop], RowPart.FOUND
                end = stop
        yield shown[end:], part

    def project(self, row: ProjectRow, state: RowState) -> Strip:
        """Return `▾ clients   ━━━━━╌╌╌  5 of 8`; the bar only where there is room for it."""
        words = f"{row.open:,} open" if row.path is None else f"{row.done:,} of {row.total:,}"
        indent = " " * indent_of(row.depth)
        words_cells = max(_WORDS_CELLS, len(words))
        room = self.width - TITLE_COLUMN - len(indent) - words_cells - 2 - _EDGE
        bar: list[_Piece] = []
        if row.path is not None and room - _BAR_CELLS - 2 >= _SMALLEST_NAME:
            room -= _BAR_CELLS + 2
            full = round(_BAR_CELLS * row.done / row.total) if row.total else 0
            # Never empty with done tasks, never full with open ones.
            full = min(max(full, bool(row.done)), _BAR_CELLS - bool(row.open))
            bar = [
                ("  ", RowPart.ROW),
                ("━" * full, RowPart.TICKED),
                ("━" * (_BAR_CELLS - full), RowPart.UNFILLED),
            ]
        is_finished = row.path is not None and not row.open
        pieces = [
            ("▌" if state.cursor else " ", RowPart.BAR),
            (" " + indent, RowPart.ROW),
            ("▸ " if row.is_folded else "▾ ", RowPart.META),
            (
                pad_or_clip(display_line(row.name), room),
                RowPart.FINISHED if is_finished else RowPart.PROJECT,
            ),
            *bar,
            ("  ", RowPart.ROW),
            (words.rjust(words_cells), RowPart.FINISHED if is_finished else RowPart.DUE),
            (" " * _EDGE, RowPart.ROW),
        ]
        return self.line(pieces, state)

    def line(self, pieces: Sequence[_Piece], state: RowState = _PLAIN) -> Strip:
        """Return a line of these pieces, clipped or filled to the width."""
        segments: list[Segment] = []
        left = self.width
        for text, part in pieces:
            cells = cell_width(text)
            if cells > left:
                text, cells = pad_or_clip(text, left), left
            if text:
                segments.append(Segment(text, self.style(part, state)))
                left -= cells
        if left > 0:
            segments.append(Segment(" " * left, self.style(RowPart.ROW, state)))
        return Strip(segments, self.width)

    def heading(self, line: HeadingLine) -> Strip:
        """Return the heading of a section."""
        part = RowPart.HEADING_OVERDUE if line.section.is_late else RowPart.HEADING
        count = f"  {line.count:,}"
        label = clip(display_line(line.section.label), self.width - len(count) - 2 * _EDGE)
        return self.line([("  " + label, part), (count, RowPart.COUNT)])

    @property
    def _due_width(self) -> int:
        return _DUE_CELLS if self.width >= _WIDE_PANE else _DUE_CELLS_NARROW

    def _due(self, task: Task, state: RowState) -> _Piece:
        if state.just_done:
            return task.status.value, RowPart.TICKED
        is_day_shown = state.shown_in_heading is ShownInHeading.DAY
        if task.deleted_at is not None or not task.status.is_open:
            moment = task.deleted_at or task.completed_at
            if moment is None:
                return "", RowPart.DUE
            local = moment.astimezone(ZoneInfo(self.zone))
            if is_day_shown and task.deleted_at is None:
                return f"{local:%H:%M}", RowPart.FINISHED
            words = format_when(When(local.date()), self.now)
            return clip(words, self._due_width), RowPart.FINISHED
        if task.due is None:
            return "", RowPart.DUE
        if is_day_shown:
            return "" if task.due.at is None else f"{task.due.at:%H:%M}", RowPart.DUE
        words = format_due(task.due, self.now)
        if len(words) > self._due_width:
            # `Mon 09:00` within a week, else the day.
            days = (task.due.day - self.now.date()).days
            if task.due.at is not None and 0 < days < 7:
                words = f"{weekday_name(task.due.day.weekday())[:3]} {task.due.at:%H:%M}"
            else:
                words = format_due(When(task.due.day), self.now)
        part = RowPart.DUE_TODAY if task.due.day == self.now.date() else RowPart.DUE
        if task.is_overdue(self.now):
            part = RowPart.DUE_OVERDUE
        return clip(words, self._due_width), part


def _part(task: Task, state: RowState, just_done: RowPart, still_open: RowPart) -> RowPart:
    if state.just_done:
        return just_done
    return still_open if task.is_open else RowPart.FINISHED


def _edge_piece(state: RowState) -> _Piece:
    if state.marked:
        return "●", RowPart.MARKED
    return ("▌" if state.cursor else " "), RowPart.BAR


def _relation_pieces(state: RowState, room: int, title: int) -> list[_Piece]:
    """Return parent, subtask progress and blocked sign for display behind a title.

    The parent takes what a title of `title` cells leaves of the room; the others are short.
    """
    pieces: list[_Piece] = []
    if state.progress:
        pieces.append((f" {state.progress}", RowPart.PROGRESS))
    if state.blocked:
        pieces.append((" ⊘ waits" if room >= _ROOM_FOR_WORDS else " ⊘", RowPart.BLOCKED))
    left = room - title - _cells_of(pieces)
    if state.parent and left >= _PARENT_CELLS_LEAST:
        lead = clip(f" ‹ {state.parent}", min(left, _PARENT_CELLS))
        pieces.insert(0, (lead, RowPart.PARENT))
    return pieces


def _meta_pieces(task: Task, title: int, room: int, state: RowState) -> list[_Piece]:
    """Return tags, project, recurrence and priority that fit beside a title of `title` cells.

    The title may take three quarters of the room; the least important ones are dropped first.
    """
    room -= min(title, max(_SMALLEST_TITLE, room * 3 // 4))
    candidates: list[_Piece] = []
    if task.priority is not None and task.is_open:
        candidates.append((_PRIORITY_MARKS[task.priority], RowPart.PRIORITY))
    if task.recurrence is not None and task.is_open:
        candidates.append(("↻", RowPart.META))
    names = [f"@{tag}" for tag in task.tags]
    if task.project and state.shown_in_heading is not ShownInHeading.PROJECT:
        names.insert(0, f"#{task.project}")
    candidates += [(clip(display_line(name), _SMALLEST_TITLE), RowPart.META) for name in names]
    kept: list[_Piece] = []
    for text, part in candidates:
        cells = cell_width(text) + (1 if kept else _BETWEEN)
        if cells > room:
            break
        room -= cells
        kept.append((text, part))
    return [
        (" " * (1 if place else _BETWEEN) + text, part)
        for place, (text, part) in enumerate(reversed(kept))
    ]


def _cells_of(pieces: Sequence[_Piece]) -> int:
    return sum(cell_width(text) for text, _ in pieces)


class ListPainter:
    """Renders lines of the list; reads the tasks of the lines and caches them and their rows.

    Its attributes are the states that rows show; `owner` has the component styles.
    """

    def __init__(self, owner: Widget, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store.tasks
        self._zone = store.clock.zone
        self._now = now
        self._owner = owner
        self._styles: dict[tuple[RowPart, bool], Style] = {}
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
        return self._style(RowPart.ROW, _PLAIN)

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
        self._styles.clear()
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
            painter = RowPainter(width, minute, self._zone, self._style, self.searched)
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
            case MoreLine(section, count):
                rest = f" · {section.rest}" if section.rest else ""
                return painter.line([(f"    {count:,} more{rest}", RowPart.COUNT)])
            case GapLine():
                return painter.line([])
            case MessageLine(number):
                part = RowPart.MESSAGE_HEAD if number == 1 else RowPart.MESSAGE
                return painter.line([(f"  {self.message_lines[number]}", part)])
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
            return painter.line([("    …", RowPart.COUNT)], state)
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
        return "" if parent is None else display_line(parent.title)

    def _style(self, part: RowPart, state: RowState) -> Style:
        key = (part, state.cursor)
        if key not in self._styles:
            names = [f"task-list--{RowPart.ROW}", f"task-list--{part}"]
            if state.cursor:
                names.insert(1, CURSOR_CLASS)
            style = self._owner.get_visual_style(*names).rich_style
            if state.cursor and self._owner.get_component_styles(CURSOR_CLASS).text_style.reverse:
                style += Style(reverse=True)
            self._styles[key] = style
        return self._styles[key]
