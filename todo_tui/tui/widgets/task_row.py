"""How one line of the task list looks: a task, a heading, or what is not shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from todo_tui.domain.date_text import due_words, when_words
from todo_tui.domain.phrases.spoken import weekday_name
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.views.project_rows import ProjectRow
from todo_tui.tui.views.section import Said
from todo_tui.tui.widgets.cell_text import clip, fit, steady, width_of
from todo_tui.tui.widgets.found_words import parted
from todo_tui.tui.widgets.task_outline import Heading, More

CIRCLE_COLUMNS = range(1, 4)
"""Cells of a row on which a click ticks the task: the circle and its two neighbours."""
FOLD_COLUMN = 3
"""The cell of the mark that folds."""
TITLE_COLUMN = 4
"""The cell in which titles begin."""

_WIDE_PANE = 46
_DUE_CELLS = 16
_DUE_CELLS_NARROW = 11
_EDGE = 1
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
"""What stands further in is drawn no further: the title needs its room."""


def indent_of(depth: int) -> int:
    """Cells that a row stands in."""
    return _STEP * min(depth, _DEEPEST)


class Part(StrEnum):
    """What a piece of a line is; the list gives each a style (`task-list--…`)."""

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
    LESSON_HEAD = "lesson-head"
    LESSON = "lesson"


class Mark(StrEnum):
    """What is drawn beside a row that was just changed."""

    NEW = "+"
    CHANGED = "~"


@dataclass(frozen=True, slots=True)
class RowState:
    """What a row shows beside its task."""

    cursor: bool = False
    mark: Mark | None = None
    just_done: bool = False
    depth: int = 0
    """How many steps it stands in."""
    said: Said = Said.NOTHING
    """What stands above it already."""
    marked: bool = False
    """Whether keys act on it with the others that are marked."""
    folded: bool | None = None
    """Whether its subtasks are folded away; None: none stand below it."""
    progress: str = ""
    """How many of its subtasks are done: `2/5`."""
    blocked: bool = False
    """Whether it waits for another task."""
    parent: str = ""
    """The title of the task that it is part of, where that stands elsewhere."""


PartStyle = Callable[[Part, RowState], Style]

_PARENT_CELLS = 18
_PARENT_CELLS_LEAST = 6
_ROOM_FOR_WORDS = 24


def bar_piece(state: RowState) -> tuple[str, Part]:
    """What stands at the very edge: that it is marked, or that the cursor is on it."""
    if state.marked:
        return "●", Part.MARKED
    return ("▌" if state.cursor else " "), Part.BAR


def fold_piece(state: RowState) -> tuple[str, Part]:
    """What stands before the title of a task that has others below it."""
    if state.folded is None:
        return " ", Part.ROW
    return ("▸" if state.folded else "▾"), Part.PROGRESS


def relatives_pieces(state: RowState, room: int, title: int) -> list[tuple[str, Part]]:
    """What stands behind a title of so many cells: the parent, how far the subtasks are, a wait.

    The parent has what the title leaves of the room; the others are short.
    """
    pieces: list[tuple[str, Part]] = []
    if state.progress:
        pieces.append((f" {state.progress}", Part.PROGRESS))
    if state.blocked:
        pieces.append((" ⊘ waits" if room >= _ROOM_FOR_WORDS else " ⊘", Part.BLOCKED))
    left = room - title - sum(width_of(text) for text, _ in pieces)
    if state.parent and left >= _PARENT_CELLS_LEAST:
        lead = clip(f" ‹ {state.parent}", min(left, _PARENT_CELLS))
        pieces.insert(0, (lead, Part.PARENT))
    return pieces


@dataclass(frozen=True, slots=True)
class RowPainter:
    """Draws lines of one width at one moment; `now` is naive, local."""

    width: int
    now: datetime
    zone: str
    style: PartStyle
    searched: tuple[str, ...] = ()
    """Words that are marked where a title has them."""

    def task(self, task: Task, state: RowState) -> Strip:
        """The row of a task, exactly `width` cells of plain text."""
        due, due_part = self._due(task, state)
        right = self._due_width if due else 0
        indent = " " * indent_of(state.depth)
        room = self.width - TITLE_COLUMN - len(indent) - _EDGE - (right + _BETWEEN if right else 0)
        title = steady(plain_line(task.title))
        around = relatives_pieces(state, room, width_of(title))
        room -= sum(width_of(text) for text, _ in around)
        meta = _meta_beside(title, room, task, state)
        spare = right - width_of(due)
        if spare:
            # The column of dates is left before a title is cut or a tag is left out.
            wider = _meta_beside(title, room + spare, task, state)
            if len(wider) > len(meta) or width_of(title) + _cells_of(meta) > room:
                room, right, meta = room + spare, right - spare, wider
        meta_width = _cells_of(meta)
        pieces = [
            bar_piece(state),
            (state.mark.value if state.mark else " ", Part.MARK),
            (indent, Part.ROW),
            (_CIRCLES[task.status], _circle_part(task, state)),
            fold_piece(state),
            *self._title(fit(title, room - meta_width), _title_part(task, state)),
            *around,
            *meta,
        ]
        if right:
            pieces += [
                (" " * _BETWEEN, Part.ROW),
                (" " * (right - width_of(due)) + due, due_part),
            ]
        pieces.append((" " * _EDGE, Part.ROW))
        return self._strip(pieces, state)

    def _title(self, shown: str, part: Part) -> Iterator[tuple[str, Part]]:
        for text, is_searched in parted(shown, self.searched):
            yield text, Part.FOUND if is_searched else part

    def project(self, row: ProjectRow, state: RowState) -> Strip:
        """The row of a project in its tree."""
        # Only one view has projects.
        from todo_tui.tui.widgets.project_look import project_pieces

        return self._strip(project_pieces(row, state, self.width), state)

    def unread(self, state: RowState) -> Strip:
        """The row of a task that could not be read from the store."""
        return self._strip([("    …", Part.COUNT)], state)

    def heading(self, line: Heading) -> Strip:
        """The line above a section."""
        part = Part.HEADING_OVERDUE if line.section.is_late else Part.HEADING
        count = f"  {line.count:,}"
        label = clip(steady(plain_line(line.section.label)), self.width - len(count) - 2 * _EDGE)
        return self._strip([("  " + label, part), (count, Part.COUNT)], RowState())

    def more(self, line: More) -> Strip:
        """The line that stands for the tasks of a section that are not shown."""
        rest = f" · {line.section.rest}" if line.section.rest else ""
        return self._strip([(f"    {line.count:,} more{rest}", Part.COUNT)], RowState())

    def lead(self, text: str, *, head: bool) -> Strip:
        """A line in which the list speaks; the first of them is its `head`."""
        part = Part.LESSON_HEAD if head else Part.LESSON
        return self._strip([("  " + text, part)], RowState())

    def blank(self) -> Strip:
        """An empty line."""
        return Strip.blank(self.width, self.style(Part.ROW, RowState()))

    @property
    def _due_width(self) -> int:
        return _DUE_CELLS if self.width >= _WIDE_PANE else _DUE_CELLS_NARROW

    def _due(self, task: Task, state: RowState) -> tuple[str, Part]:
        """When it is due or was done, in words that fit, and how that matters."""
        if state.just_done:
            return task.status.value, Part.TICKED
        if task.deleted_at is not None:
            deleted_at = task.deleted_at.astimezone(ZoneInfo(self.zone))
            return self._cut_due(when_words(When(deleted_at.date()), self.now)), Part.FINISHED
        if not task.status.is_open:
            if task.completed_at is None:
                return "", Part.DUE
            done_at = task.completed_at.astimezone(ZoneInfo(self.zone))
            if state.said is Said.DAY:
                return f"{done_at:%H:%M}", Part.FINISHED
            return self._cut_due(when_words(When(done_at.date()), self.now)), Part.FINISHED
        if task.due is None:
            return "", Part.DUE
        if state.said is Said.DAY:
            return "" if task.due.at is None else f"{task.due.at:%H:%M}", Part.DUE
        words = due_words(task.due, self.now)
        if len(words) > self._due_width:
            words = self._short_due(task.due)
        if task.is_overdue(self.now):
            return self._cut_due(words), Part.DUE_OVERDUE
        is_today = task.due.day == self.now.date()
        return self._cut_due(words), Part.DUE_TODAY if is_today else Part.DUE

    def _short_due(self, due: When) -> str:
        """For a narrow list: `Mon 09:00` within the week, else the day alone."""
        days = (due.day - self.now.date()).days
        if due.at is not None and 0 < days < 7:
            return f"{weekday_name(due.day.weekday())[:3]} {due.at:%H:%M}"
        return due_words(When(due.day), self.now)

    def _cut_due(self, words: str) -> str:
        return clip(words, self._due_width)

    def _strip(self, pieces: list[tuple[str, Part]], state: RowState) -> Strip:
        segments: list[Segment] = []
        left = self.width
        for text, part in pieces:
            cells = width_of(text)
            if cells > left:
                text, cells = fit(text, left), left
            if text:
                segments.append(Segment(text, self.style(part, state)))
                left -= cells
        if left > 0:
            segments.append(Segment(" " * left, self.style(Part.ROW, state)))
        return Strip(segments, self.width)


def _circle_part(task: Task, state: RowState) -> Part:
    if state.just_done:
        return Part.TICKED
    return Part.CIRCLE if task.is_open else Part.FINISHED


def _title_part(task: Task, state: RowState) -> Part:
    if state.just_done:
        return Part.JUST_DONE
    if not task.is_open:
        return Part.FINISHED
    return Part.CHANGED if state.mark else Part.TITLE


def _cells_of(pieces: Sequence[tuple[str, Part]]) -> int:
    return sum(width_of(text) for text, _ in pieces)


def _meta_beside(title: str, room: int, task: Task, state: RowState) -> list[tuple[str, Part]]:
    """What stands beside a title, which may have three quarters of the room."""
    least = max(_SMALLEST_TITLE, room * 3 // 4)
    return _meta_that_fits(task, room - min(width_of(title), least), state.said)


def _meta_that_fits(task: Task, room: int, said: Said) -> list[tuple[str, Part]]:
    """Tags, project, repeat and priority, each with a space before it.

    What matters least goes first where the room is small.
    """
    finished = not task.is_open
    candidates: list[tuple[str, Part]] = []
    if task.priority is not None and not finished:
        candidates.append((_PRIORITY_MARKS[task.priority], Part.PRIORITY))
    if task.recurrence is not None and not finished:
        candidates.append(("↻", Part.META))
    if task.project and said is not Said.PROJECT:
        candidates.append((_label("#", task.project), Part.META))
    candidates += [(_label("@", tag), Part.META) for tag in task.tags]
    kept: list[tuple[str, Part]] = []
    for text, part in candidates:
        cells = width_of(text) + (1 if kept else _BETWEEN)
        if cells > room:
            break
        room -= cells
        kept.append((text, part))
    return [
        (" " * (_BETWEEN if first else 1) + text, part)
        for first, (text, part) in zip([True, *[False] * len(kept)], reversed(kept), strict=False)
    ]


def _label(sign: str, name: str) -> str:
    return clip(sign + steady(plain_line(name)), _SMALLEST_TITLE)
