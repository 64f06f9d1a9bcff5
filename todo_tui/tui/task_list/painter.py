"""Drawing of the list's lines: tasks, projects, headings; the tasks and states that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from zoneinfo import ZoneInfo

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.strip import Strip

from todo_tui.domain.dates.text import DAY_NAMES, format_day, format_due, format_when
from todo_tui.domain.estimates import format_estimate
from todo_tui.domain.filters.search_words import find_spans
from todo_tui.domain.filters.terms import Grouping
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import format_count
from todo_tui.domain.when import When
from todo_tui.store.tasks.repository import TaskStore
from todo_tui.store.tasks.results import DependencyStatus
from todo_tui.tui.task_list.outline import HeadingLine, MoreLine, NoteLine, TaskLine
from todo_tui.tui.task_list.views import ProjectRow
from todo_tui.tui.theme import PRIORITY_SIGNS
from todo_tui.tui.widgets.text import ELLIPSIS, clip, display_line, pad_or_clip

_CIRCLE_COLUMN = 2
CIRCLE_COLUMNS = range(_CIRCLE_COLUMN - 1, _CIRCLE_COLUMN + 2)
"""Cells of a row where a click ticks the task: the circle and its neighbours."""
FOLD_COLUMN = 3
TITLE_COLUMN = 6
_BETWEEN = 2
_CIRCLES = {
    Status.TODO: "○",
    Status.DOING: "◐",
    Status.DONE: "✓",
    Status.CANCELLED: "–",
}
_SHOW_DAY = (Grouping.DAY, Grouping.DONE)
"""Groups whose headings show the day."""
_STEP = 2
_DEEPEST = 8
"""Deepest indentation level that is drawn, to leave room for the title."""
_NOTES_SIGN = " ≡"
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
    """Parts of a line; each has a component style (`task-list--…`) in `widget.tcss`."""

    ROW = "row"
    BAR = "bar"
    CIRCLE = "circle"
    TITLE = "title"
    DUE = "due"
    DUE_TODAY = "due-today"
    DUE_OVERDUE = "due-overdue"
    META = "meta"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
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


_TOP_LEVEL_LINE = TaskLine(0)


@dataclass(frozen=True, slots=True)
class RowState:
    """State of a row besides its task."""

    cursor: bool = False
    mark: ChangeMark | None = None
    just_done: bool = False
    line: TaskLine = _TOP_LEVEL_LINE
    marked: bool = False
    progress: str = ""
    """Number of done subtasks: `2/5`."""
    blocked: bool = False
    parent: str = ""
    """Title of its parent, if that is shown elsewhere."""


CURSOR_CLASS = "task-list--cursor"
COMPONENT_CLASSES = {*(f"task-list--{part}" for part in RowPart), CURSOR_CLASS}
PartStyle = Callable[[RowPart, RowState], Style]
_Piece = tuple[str, RowPart]
PLAIN = RowState()


_PRIORITY_PARTS = {
    Priority.HIGH: RowPart.HIGH,
    Priority.MEDIUM: RowPart.MEDIUM,
    Priority.LOW: RowPart.LOW,
}


def _indent_of(depth: int) -> int:
    """Return the indentation of a row in cells."""
    return _STEP * min(depth, _DEEPEST)


class Cells(NamedTuple):
    """Cells of a row's texts, or of the longest of several rows."""

    project: int = 0
    tags: int = 0
    estimate: int = 0
    day: int = 0
    time: int = 0

    def widened(self, other: Cells) -> Cells:
        """Return the larger cells of both."""
        return Cells(*map(max, self, other))


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the columns right of state and priority, 0: left out; the title has the rest."""

    width: int
    project: int
    tags: int
    estimate: int
    day: int
    time: int

    @property
    def due(self) -> int:
        """Return the cells of day and time, with the blank between them."""
        return self.day + self.time + (1 if self.day and self.time else 0)

    @property
    def title(self) -> int:
        """Return the cells that the others leave to the title."""
        columns = (self.project, self.tags, self.estimate, self.due)
        others = sum(cells + _BETWEEN for cells in columns if cells)
        return max(self.width - TITLE_COLUMN - others - _EDGE, 0)


_WIDE = 100
_COLUMNS = (
    (_WIDE, 18, 20, 7, 14, 5),
    (72, 12, 10, 7, 14, 5),
    (52, 12, 0, 0, 14, 5),
    (46, 0, 0, 0, 14, 5),
    (28, 0, 0, 0, 16, 0),
    (0, 0, 0, 0, 0, 0),
)
"""From which width of the list: most cells of project, tags, estimate, day and time.

Without a column for the time the day has both.
"""
_TIMED = min(least for least, *_, time in _COLUMNS if time)
_FULL = Cells(*[_WIDE] * 5)


def columns_of(width: int, longest: Cells = _FULL) -> Columns:
    """Return the columns of a list of this width, no wider than its longest texts.

    Tags make room for estimates.
    """
    most = next(cells for least, *cells in _COLUMNS if width >= least)
    columns = Columns(width, *map(min, most, longest))
    return replace(columns, tags=0) if columns.estimate and width < _WIDE else columns


@dataclass(frozen=True, slots=True)
class RowPainter:
    """Draws lines of one width at one moment; `now` is naive, local."""

    width: int
    now: datetime
    zone: str
    style: PartStyle
    searched: tuple[str, ...] = ()
    longest: Cells = _FULL
    """Longest texts of the list, which size its columns."""

    def cells(self, task: Task, state: RowState) -> Cells:
        """Return the cells that the texts of a row need."""
        # "done" appears for a moment in the columns as they are.
        day, time, _ = self._due(task, replace(state, just_done=False))
        return Cells(*map(cell_len, (*_texts(task, state), day, time)))

    def task(self, task: Task, state: RowState) -> Strip:
        """Return the row of a task, exactly `width` cells wide."""
        columns = columns_of(self.width, self.longest)
        day, time, due_part = self._due(task, state)
        indent = min(_indent_of(state.line.depth), columns.title // 2)
        title, texts = display_line(task.title), _texts(task, state)
        estimate = "" if columns.estimate else texts[2]
        signs = _tail_pieces(task, replace(state, parent=""), self.width, 0, estimate)
        for layout in _layouts(columns, texts, day, time):
            middle, due, is_straight = layout
            room = self.width - TITLE_COLUMN - indent - _EDGE - cell_len(middle + due)
            if cell_len(title) + _cells_of(signs) <= room:
                break
        tail = _tail_pieces(task, state, room, cell_len(title), estimate)
        shown = clip(title, room - _cells_of(tail))
        left = room - _cells_of(tail) - cell_len(shown)
        fold = " " if state.line.folded is None else "▸" if state.line.folded else "▾"
        pieces = [
            ("●", RowPart.MARKED) if state.marked else ("▌" if state.cursor else " ", RowPart.BAR),
            (state.mark.value if state.mark else " ", RowPart.MARK),
            (_CIRCLES[task.status], _part(task, state, RowPart.TICKED, RowPart.CIRCLE)),
            (fold, RowPart.PROGRESS),
            (PRIORITY_SIGNS[task.priority], _PRIORITY_PARTS[task.priority])
            if task.priority is not None and task.is_open
            else (" ", RowPart.ROW),
            (" " * (1 + indent), RowPart.ROW),
            *self._title(shown, task, state),
            *tail,
            (" " * left + middle if is_straight else middle + " " * left, RowPart.META),
            (due, due_part),
        ]
        return self.line(pieces, state)

    def _title(self, shown: str, task: Task, state: RowState) -> Iterator[_Piece]:
        """Yield a title in pieces, searched words apart, that end at cell boundaries."""
        changed = RowPart.CHANGED if state.mark else RowPart.TITLE
        part = _part(task, state, RowPart.JUST_DONE, changed)
        end = 0
        if self.searched:
            # Without the ellipsis of a clipped title most titles are ASCII: searched faster.
            is_end_searched = any(word.endswith(ELLIPSIS) for word in self.searched)
            titled = shown if is_end_searched else shown.rstrip(ELLIPSIS)
            for start, stop in find_spans(titled, self.searched):
                yield shown[end:start], part
                yield shown[start:stop], RowPart.FOUND
                end = stop
        yield shown[end:], part

    def project(self, row: ProjectRow, state: RowState) -> Strip:
        """Return `▾   clients   ━━━━━╌╌╌  5 of 8 +1 later`; the bar only if it fits."""
        total = row.open + row.done
        words = f"{row.open:,} open" if row.path is None else f"{row.done:,} of {total:,}"
        if row.later:
            words = f"{words} +{row.later:,} later" if total else f"{row.later:,} later"
        indent = _indent_of(row.depth)
        words_cells = max(_WORDS_CELLS, len(words))
        room = self.width - TITLE_COLUMN - indent - words_cells - 2 - _EDGE
        bar: list[_Piece] = []
        if row.path is not None and room - _BAR_CELLS - 2 >= _SMALLEST_NAME:
            room -= _BAR_CELLS + 2
            full = round(_BAR_CELLS * row.done / total) if total else 0
            # Never empty with done tasks, never full with open ones.
            full = min(max(full, bool(row.done)), _BAR_CELLS - bool(row.open or row.later))
            bar = [
                ("  ", RowPart.ROW),
                ("━" * full, RowPart.TICKED),
                ("━" * (_BAR_CELLS - full), RowPart.UNFILLED),
            ]
        is_finished = row.path is not None and not (row.open or row.later)
        pieces = [
            ("▌" if state.cursor else " ", RowPart.BAR),
            (" ", RowPart.ROW),
            ("▸" if row.is_folded else "▾", RowPart.META),
            (" " * (TITLE_COLUMN - _CIRCLE_COLUMN - 1 + indent), RowPart.ROW),
            (
                pad_or_clip(display_line(row.name), room),
                RowPart.FINISHED if is_finished else RowPart.PROJECT,
            ),
            *bar,
            ("  ", RowPart.ROW),
            (words.rjust(words_cells), RowPart.FINISHED if is_finished else RowPart.DUE),
        ]
        return self.line(pieces, state)

    def line(self, pieces: Sequence[_Piece], state: RowState = PLAIN) -> Strip:
        """Return a line of these pieces, clipped or filled to the width."""
        segments: list[Segment] = []
        left = self.width
        for text, part in pieces:
            cells = cell_len(text)
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
        time = f" · {format_estimate(line.minutes)}" if line.minutes else ""
        below = f" · {format_count(line.subtasks, 'more subtask')}" if line.subtasks else ""
        parents = "its parent" if line.elsewhere == 1 else "their parents"
        away = f" · {line.elsewhere:,} more under {parents}" if line.elsewhere else ""
        count = f"  {line.count:,}{away}{below}{time}"
        late = f" · {line.overdue:,} overdue" if line.overdue else ""
        beside = len(count) + len(late) + 2 * _EDGE
        label = clip(display_line(line.section.label), self.width - beside)
        pieces = ("  " + label, part), (count, RowPart.COUNT), (late, RowPart.HEADING_OVERDUE)
        return self.line([piece for piece in pieces if piece[0]])

    def more(self, line: MoreLine) -> Strip:
        """Return the number of tasks that a section does not show, and where they are shown."""
        rest = f" · {line.section.rest}" if line.section.rest else ""
        return self.line([(f"    {line.count:,} more{rest}", RowPart.COUNT)])

    def note(self, line: NoteLine, task: Task | None) -> Strip:
        """Return the first line of a task's notes, or its latest annotation."""
        texts = () if task is None else (task.notes, *(each.text for each in task.annotations[-1:]))
        text = next(filter(None, texts), "").strip().partition("\n")[0]
        indent = TITLE_COLUMN + min(
            _indent_of(line.depth), columns_of(self.width, self.longest).title // 2
        )
        words = clip(display_line(text), max(self.width - indent - _EDGE, 0))
        return self.line([(" " * indent, RowPart.ROW), (words, RowPart.META)])

    def _due(self, task: Task, state: RowState) -> tuple[str, str, RowPart]:
        """Return day and time of the due date or closing date.

        Where the heading shows the day, it is empty. Without a column for the time the day has
        both, but a late task says only how late it is.
        """
        if state.just_done:
            return task.status.value, "", RowPart.TICKED
        has_times = self.width >= _TIMED
        is_day_shown = state.line.grouping in _SHOW_DAY
        if not task.is_open:
            moment = task.deleted_at or task.completed_at
            if moment is None:
                return "", "", RowPart.FINISHED
            local = moment.astimezone(ZoneInfo(self.zone))
            if is_day_shown:
                return "", f"{local:%H:%M}" if has_times else "", RowPart.FINISHED
            return format_when(When(local.date()), self.now), "", RowPart.FINISHED
        due = task.due_in(self.zone)
        if due is None:
            return "", "", RowPart.DUE
        part = RowPart.DUE_TODAY if due.day == self.now.date() else RowPart.DUE
        if due.local() < self.now:
            part = RowPart.DUE_OVERDUE
        time = "" if due.at is None else f"{due.at:%H:%M}"
        day = "" if is_day_shown else self._due_day(due, has_times)
        if has_times:
            return day, time, part
        is_late = part is RowPart.DUE_OVERDUE and not is_day_shown
        return day if is_late else f"{day} {time}".strip(), "", part

    def _due_day(self, due: When, has_times: bool) -> str:
        """Return the day, or how late the task is."""
        today = self.now.date()
        if due.local() < self.now:
            words = format_due(due, self.now)
            # A second later than due is not late yet.
            return words if words.endswith("late") else DAY_NAMES[0]
        if due.at is not None and not has_times:
            # `Mon 09:00` within a week, else `23 Nov 09:00`.
            days = (due.day - today).days
            words = format_day(due.day, today)
            if due.day.year != today.year:
                return words
            return "today" if not days else words[:3] if 0 < days < 7 else words[4:]
        return format_when(When(due.day), self.now)


def _layouts(
    columns: Columns, texts: Sequence[str], day: str, time: str
) -> Iterator[tuple[str, str, bool]]:
    """Yield texts and due date as they can stand beside the title, the widest first.

    First with a long project in full, then with all columns straight; last, where the flag is
    False, without their blanks, next to the title.
    """
    gap = " " if columns.day and columns.time else ""
    due = f"{day:>{columns.day}}{gap}{time:>{columns.time}}"
    if len(due) > columns.due:
        due = pad_or_clip(day, columns.due)
    due = " " * _BETWEEN + due if columns.due else ""
    project, tags, estimate = texts
    straight = [
        *([pad_or_clip(project, columns.project)] if columns.project else ()),
        *([pad_or_clip(tags, columns.tags)] if columns.tags else ()),
        *([estimate.rjust(columns.estimate)] if columns.estimate else ()),
    ]
    if cell_len(project) > columns.project > 0:
        yield _join(project, *straight[1:]), due, True
    yield _join(*straight), due, True
    # Where there is no day, the columns move over its cells.
    yield _join(*filter(None, map(str.strip, straight))), due if day else _join(time), False


def _join(*texts: str) -> str:
    """Return the texts apart from each other and from the title, which has the blanks before."""
    line = (" " * _BETWEEN).join(texts).lstrip()
    return line and " " * _BETWEEN + line


def _texts(task: Task, state: RowState) -> tuple[str, str, str]:
    """Return project, tags and estimate; no project where the heading shows it."""
    is_shown = state.line.grouping is Grouping.PROJECT
    return (
        "" if is_shown else display_line(task.project or ""),
        display_line(" ".join(f"@{tag}" for tag in task.tags)),
        format_estimate(task.estimate) if task.estimate and task.is_open else "",
    )


def has_notes(task: Task) -> bool:
    """Return True if there is something to read besides the title."""
    return bool(task.notes or task.annotations)


def _part(task: Task, state: RowState, just_done: RowPart, still_open: RowPart) -> RowPart:
    if state.just_done:
        return just_done
    return still_open if task.is_open else RowPart.FINISHED


def _tail_pieces(task: Task, state: RowState, room: int, title: int, estimate: str) -> list[_Piece]:
    """Return what follows a title of `title` cells; the title keeps half of the room.

    That a task is blocked is never left out.
    """
    signs: list[_Piece] = [(_NOTES_SIGN, RowPart.META)] if has_notes(task) else []
    if task.recurrence is not None and task.is_open:
        signs.append((" ↻", RowPart.META))
    if estimate:
        signs.append((f" {estimate}", RowPart.META))
    if state.progress:
        signs.append((f" {state.progress}", RowPart.PROGRESS))
    blocked: list[_Piece] = []
    if state.blocked:
        blocked = [(" ⊘ blocked" if room >= _ROOM_FOR_WORDS else " ⊘", RowPart.BLOCKED)]
    pieces: list[_Piece] = []
    least = min(title, (room + 1) // 2)
    for sign in signs:
        if least + _cells_of([*pieces, sign, *blocked]) <= room:
            pieces.append(sign)
    pieces += blocked
    left = room - title - _cells_of(pieces)
    if state.parent and left >= _PARENT_CELLS_LEAST:
        parent = clip(f" ‹ {state.parent}", min(left, _PARENT_CELLS))
        pieces.insert(0, (parent, RowPart.PARENT))
    return pieces


def _cells_of(pieces: Sequence[_Piece]) -> int:
    return sum(cell_len(text) for text, _ in pieces)


class TaskCache:
    """Tasks of the visible rows, and what their rows show of other tasks.

    Reading raises TodoError where the store cannot be read.
    """

    def __init__(self, tasks: TaskStore) -> None:
        self._store = tasks
        self.tasks: FIFOCache[int, Task] = FIFOCache(_CACHE_SIZE)
        self.statuses: FIFOCache[int, DependencyStatus] = FIFOCache(_CACHE_SIZE)

    def parent_title(self, task_id: int) -> str:
        """Return the title of a task's parent; empty without one."""
        task = self.tasks.get(task_id)
        parent = None if task is None or task.parent is None else self.tasks.get(task.parent)
        return "" if parent is None else display_line(parent.title)

    def update(self, tasks: Iterable[Task]) -> set[int]:
        """Store the current state of tasks; return those whose rows may depend on it."""
        known = self.statuses.keys()
        touched = {each for each in known if any(self.statuses[each])}
        self.statuses.clear()
        for task in tasks:
            self.tasks[task.id] = task
            touched.add(task.id)
        return touched

    def clear(self) -> None:
        """Drop all tasks."""
        self.tasks.clear()
        self.statuses.clear()

    def read(self, task_ids: Iterable[int]) -> None:
        """Read unknown tasks; negative ids are ignored."""
        unknown = [each for each in dict.fromkeys(task_ids) if each > 0 and each not in self.tasks]
        if unknown:
            for task in self._store.rows(unknown):
                self.tasks[task.id] = task

    def read_rows(self, task_ids: Sequence[int]) -> None:
        """Read the unknown ones of these tasks, their parents and dependency status."""
        self.read(task_ids)
        known = [task for each in task_ids if (task := self.tasks.get(each)) is not None]
        self.read(task.parent for task in known if task.parent is not None)
        unknown = [task.id for task in known if task.id not in self.statuses]
        if unknown:
            for task_id, status in self._store.dependency_status(unknown).items():
                self.statuses[task_id] = status
