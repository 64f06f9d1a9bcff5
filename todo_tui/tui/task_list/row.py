"""Rendering of one line of the list: task, project, heading, with search matches highlighted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from todo_tui.domain.dates.text import format_due, format_when, weekday_name
from todo_tui.domain.filters.search_words import find_spans
from todo_tui.domain.task import Priority, Status, Task
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import When
from todo_tui.tui.task_list.outline import HeadingLine, MoreLine
from todo_tui.tui.views.projects import ProjectRow
from todo_tui.tui.views.view import ShownInHeading
from todo_tui.tui.widgets.text import ELLIPSIS, cell_width, clip, pad_or_clip, strip_unstable

_ENDS = (" ", ELLIPSIS)
_FILLING = "".join(_ENDS)
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


def split_matches(shown: str, words: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Split a shown title into pieces, each with True if it matches the search.

    Joined, the pieces are the text itself; they end at cell boundaries, so that the row keeps its
    width.
    """
    if not words:
        yield shown, False
        return
    # Without the ellipsis of a clipped title most titles are ASCII, which is searched faster.
    titled = shown.rstrip(_FILLING) if not any(word.endswith(_ENDS) for word in words) else shown
    end = 0
    for start, stop in find_spans(titled, words):
        if end < start:
            yield shown[end:start], False
        yield shown[start:stop], True
        end = stop
    if end < len(shown):
        yield shown[end:], False


def indent_of(depth: int) -> int:
    """Return the indentation of a row in cells."""
    return _STEP * min(depth, _DEEPEST)


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


PartStyle = Callable[[RowPart, RowState], Style]


def edge_piece(state: RowState) -> tuple[str, RowPart]:
    """Return the first cell of a row: selection mark or cursor bar."""
    if state.marked:
        return "●", RowPart.MARKED
    return ("▌" if state.cursor else " "), RowPart.BAR


def fold_piece(state: RowState) -> tuple[str, RowPart]:
    """Return the fold mark before the title of a task with subtasks below it."""
    if state.folded is None:
        return " ", RowPart.ROW
    return ("▸" if state.folded else "▾"), RowPart.PROGRESS


def relation_pieces(state: RowState, room: int, title: int) -> list[tuple[str, RowPart]]:
    """Return parent, subtask progress and blocked sign for display behind a title.

    The parent takes what a title of `title` cells leaves of the room; the others are short.
    """
    pieces: list[tuple[str, RowPart]] = []
    if state.progress:
        pieces.append((f" {state.progress}", RowPart.PROGRESS))
    if state.blocked:
        pieces.append((" ⊘ waits" if room >= _ROOM_FOR_WORDS else " ⊘", RowPart.BLOCKED))
    left = room - title - sum(cell_width(text) for text, _ in pieces)
    if state.parent and left >= _PARENT_CELLS_LEAST:
        lead = clip(f" ‹ {state.parent}", min(left, _PARENT_CELLS))
        pieces.insert(0, (lead, RowPart.PARENT))
    return pieces


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
        title = strip_unstable(plain_line(task.title))
        around = relation_pieces(state, room, cell_width(title))
        room -= sum(cell_width(text) for text, _ in around)
        meta = _meta_beside(title, room, task, state)
        spare = right - cell_width(due)
        if spare:
            # Narrow the date column before clipping the title or dropping a tag.
            wider = _meta_beside(title, room + spare, task, state)
            if len(wider) > len(meta) or cell_width(title) + _cells_of(meta) > room:
                room, right, meta = room + spare, right - spare, wider
        meta_width = _cells_of(meta)
        pieces = [
            edge_piece(state),
            (state.mark.value if state.mark else " ", RowPart.MARK),
            (indent, RowPart.ROW),
            (_CIRCLES[task.status], _circle_part(task, state)),
            fold_piece(state),
            *self._title(pad_or_clip(title, room - meta_width), _title_part(task, state)),
            *around,
            *meta,
        ]
        if right:
            pieces += [
                (" " * _BETWEEN, RowPart.ROW),
                (" " * (right - cell_width(due)) + due, due_part),
            ]
        pieces.append((" " * _EDGE, RowPart.ROW))
        return self._strip(pieces, state)

    def _title(self, shown: str, part: RowPart) -> Iterator[tuple[str, RowPart]]:
        for text, is_searched in split_matches(shown, self.searched):
            yield text, RowPart.FOUND if is_searched else part

    def project(self, row: ProjectRow, state: RowState) -> Strip:
        """Return the row of a project in the project view."""
        return self._strip(project_row_pieces(row, state, self.width), state)

    def unread(self, state: RowState) -> Strip:
        """Return the placeholder row of a task that could not be read."""
        return self._strip([("    …", RowPart.COUNT)], state)

    def heading(self, line: HeadingLine) -> Strip:
        """Return the heading of a section."""
        part = RowPart.HEADING_OVERDUE if line.section.is_late else RowPart.HEADING
        count = f"  {line.count:,}"
        label = clip(
            strip_unstable(plain_line(line.section.label)), self.width - len(count) - 2 * _EDGE
        )
        return self._strip([("  " + label, part), (count, RowPart.COUNT)], RowState())

    def more(self, line: MoreLine) -> Strip:
        """Return the line for the tasks of a section that are not shown."""
        rest = f" · {line.section.rest}" if line.section.rest else ""
        return self._strip([(f"    {line.count:,} more{rest}", RowPart.COUNT)], RowState())

    def lead(self, text: str, *, head: bool) -> Strip:
        """Return a line of the empty-state text; the first one is its `head`."""
        part = RowPart.MESSAGE_HEAD if head else RowPart.MESSAGE
        return self._strip([("  " + text, part)], RowState())

    def blank(self) -> Strip:
        """Return an empty line."""
        return Strip.blank(self.width, self.style(RowPart.ROW, RowState()))

    @property
    def _due_width(self) -> int:
        return _DUE_CELLS if self.width >= _WIDE_PANE else _DUE_CELLS_NARROW

    def _due(self, task: Task, state: RowState) -> tuple[str, RowPart]:
        """Return due or completion date, clipped, with its style."""
        if state.just_done:
            return task.status.value, RowPart.TICKED
        if task.deleted_at is not None:
            deleted_at = task.deleted_at.astimezone(ZoneInfo(self.zone))
            return self._cut_due(format_when(When(deleted_at.date()), self.now)), RowPart.FINISHED
        if not task.status.is_open:
            if task.completed_at is None:
                return "", RowPart.DUE
            done_at = task.completed_at.astimezone(ZoneInfo(self.zone))
            if state.shown_in_heading is ShownInHeading.DAY:
                return f"{done_at:%H:%M}", RowPart.FINISHED
            return self._cut_due(format_when(When(done_at.date()), self.now)), RowPart.FINISHED
        if task.due is None:
            return "", RowPart.DUE
        if state.shown_in_heading is ShownInHeading.DAY:
            return "" if task.due.at is None else f"{task.due.at:%H:%M}", RowPart.DUE
        words = format_due(task.due, self.now)
        if len(words) > self._due_width:
            words = self._short_due(task.due)
        if task.is_overdue(self.now):
            return self._cut_due(words), RowPart.DUE_OVERDUE
        is_today = task.due.day == self.now.date()
        return self._cut_due(words), RowPart.DUE_TODAY if is_today else RowPart.DUE

    def _short_due(self, due: When) -> str:
        """Return the due date for a narrow list: `Mon 09:00` within a week, else the day."""
        days = (due.day - self.now.date()).days
        if due.at is not None and 0 < days < 7:
            return f"{weekday_name(due.day.weekday())[:3]} {due.at:%H:%M}"
        return format_due(When(due.day), self.now)

    def _cut_due(self, words: str) -> str:
        return clip(words, self._due_width)

    def _strip(self, pieces: list[tuple[str, RowPart]], state: RowState) -> Strip:
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


def _circle_part(task: Task, state: RowState) -> RowPart:
    if state.just_done:
        return RowPart.TICKED
    return RowPart.CIRCLE if task.is_open else RowPart.FINISHED


def _title_part(task: Task, state: RowState) -> RowPart:
    if state.just_done:
        return RowPart.JUST_DONE
    if not task.is_open:
        return RowPart.FINISHED
    return RowPart.CHANGED if state.mark else RowPart.TITLE


def _cells_of(pieces: Sequence[tuple[str, RowPart]]) -> int:
    return sum(cell_width(text) for text, _ in pieces)


def _meta_beside(title: str, room: int, task: Task, state: RowState) -> list[tuple[str, RowPart]]:
    """Return metadata that fits beside a title, which may take three quarters of the room."""
    least = max(_SMALLEST_TITLE, room * 3 // 4)
    return _meta_that_fits(task, room - min(cell_width(title), least), state.shown_in_heading)


def _meta_that_fits(
    task: Task, room: int, shown_in_heading: ShownInHeading
) -> list[tuple[str, RowPart]]:
    """Return tags, project, recurrence and priority that fit, each with a space before it.

    The least important ones are dropped first.
    """
    finished = not task.is_open
    candidates: list[tuple[str, RowPart]] = []
    if task.priority is not None and not finished:
        candidates.append((_PRIORITY_MARKS[task.priority], RowPart.PRIORITY))
    if task.recurrence is not None and not finished:
        candidates.append(("↻", RowPart.META))
    if task.project and shown_in_heading is not ShownInHeading.PROJECT:
        candidates.append((_label("#", task.project), RowPart.META))
    candidates += [(_label("@", tag), RowPart.META) for tag in task.tags]
    kept: list[tuple[str, RowPart]] = []
    for text, part in candidates:
        cells = cell_width(text) + (1 if kept else _BETWEEN)
        if cells > room:
            break
        room -= cells
        kept.append((text, part))
    return [
        (" " * (_BETWEEN if first else 1) + text, part)
        for first, (text, part) in zip([True, *[False] * len(kept)], reversed(kept), strict=False)
    ]


def _label(sign: str, name: str) -> str:
    return clip(sign + strip_unstable(plain_line(name)), _SMALLEST_TITLE)


def project_row_pieces(row: ProjectRow, state: RowState, width: int) -> list[tuple[str, RowPart]]:
    """Return `▾ clients   ━━━━━╌╌╌  5 of 8`; the bar only where there is room for it."""
    words = _progress_text(row)
    head = "▌" if state.cursor else " "
    mark = "▸" if row.is_folded else "▾"
    indent = " " * indent_of(row.depth)
    words_cells = max(_WORDS_CELLS, cell_width(words))
    room = width - 4 - len(indent) - words_cells - 2 - _EDGE
    has_bar = row.path is not None and room - _BAR_CELLS - 2 >= _SMALLEST_NAME
    if has_bar:
        room -= _BAR_CELLS + 2
    name = strip_unstable(plain_line(row.name))
    is_finished = row.path is not None and not row.open
    pieces = [
        (head, RowPart.BAR),
        (" " + indent, RowPart.ROW),
        (mark + " ", RowPart.META),
        (pad_or_clip(clip(name, room), room), RowPart.FINISHED if is_finished else RowPart.PROJECT),
    ]
    if has_bar:
        full = _full_cells(row)
        pieces += [
            ("  ", RowPart.ROW),
            ("━" * full, RowPart.TICKED),
            ("━" * (_BAR_CELLS - full), RowPart.UNFILLED),
        ]
    pieces += [
        ("  ", RowPart.ROW),
        (
            " " * (words_cells - cell_width(words)) + words,
            RowPart.FINISHED if is_finished else RowPart.DUE,
        ),
        (" " * _EDGE, RowPart.ROW),
    ]
    return pieces


def _progress_text(row: ProjectRow) -> str:
    if row.path is None:
        return f"{row.open:,} open"
    return f"{row.done:,} of {row.total:,}"


def _full_cells(row: ProjectRow) -> int:
    """Return the filled cells of the bar: never 0 with done tasks, never all with open ones."""
    if not row.done:
        return 0
    if not row.open:
        return _BAR_CELLS
    return min(max(round(_BAR_CELLS * row.done / row.total), 1), _BAR_CELLS - 1)
