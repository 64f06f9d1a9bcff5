"""Sorted order of the list: sections, rows and line numbers, updated change by change."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from struct import Struct
from typing import NamedTuple

from todo_tui.domain.urgency import SortKey
from todo_tui.tui.views.view import Section, ShownInHeading

_NUMBER, _TEXT = b"\x01", b"\x02"
_END = b"\x00"
"""Terminator of a text and of a key, so that a prefix sorts first."""
_NUL = b"\x00\xff"
"""Escaped terminator within a text."""
_BIAS = 1 << 63
_SIGNED = Struct(">Q")
_TAIL = Struct(">QII")
"""Task id, depth and section number; only the id takes part in sorting."""
_PAGE = 64


def pack(key: SortKey, task_id: int, depth: int, section: int) -> bytes:
    """Pack a row into bytes that sort by key, then by task id."""
    parts = [
        _NUMBER + _SIGNED.pack(part + _BIAS)
        if isinstance(part, int)
        else _TEXT + part.encode("utf-8", "surrogatepass").replace(_END, _NUL) + _END
        for part in key
    ]
    return b"".join((*parts, _END, _TAIL.pack(task_id + _BIAS, depth, section)))


def task_id_of(row: bytes) -> int:
    """Return the task id of a packed row."""
    return int.from_bytes(row[-16:-8], "big") - _BIAS


def tail_of(row: bytes) -> tuple[int, int, int]:
    """Return task id, depth and section number of a packed row."""
    task_id, depth, section = _TAIL.unpack_from(row, len(row) - _TAIL.size)
    return task_id - _BIAS, depth, section


def key_of(row: bytes) -> SortKey:
    """Return the sort key of a packed row."""
    return tuple(_parts(row, len(row) - _TAIL.size - len(_END)))


def _parts(row: bytes, end: int) -> Iterator[int | str]:
    at = 0
    while at < end:
        kind, at = row[at : at + 1], at + 1
        if kind == _NUMBER:
            yield _SIGNED.unpack_from(row, at)[0] - _BIAS
            at += _SIGNED.size
        else:
            stop = row.index(_END, at)
            while row[stop : stop + 2] == _NUL:
                stop = row.index(_END, stop + 2)
            yield row[at:stop].replace(_NUL, _END).decode("utf-8", "surrogatepass")
            at = stop + 1


class RowTable:
    """Packed rows by task id, in pages as ids are dense."""

    def __init__(self) -> None:
        self._pages: dict[int, list[bytes | None]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, task_id: int) -> bytes | None:
        """Return the row of a task, or None."""
        page = self._pages.get(task_id // _PAGE)
        return None if page is None else page[task_id % _PAGE]

    def put(self, task_id: int, row: bytes | None) -> None:
        """Set or clear the row of a task."""
        page = self._pages.get(task_id // _PAGE)
        if page is None:
            page = self._pages[task_id // _PAGE] = [None] * _PAGE
        at = task_id % _PAGE
        self._count += (row is not None) - (page[at] is not None)
        page[at] = row


class TaskPlace(NamedTuple):
    """Section of a task and its sort key within that section.

    `depth` is the indentation level.
    """

    section: Section
    key: SortKey
    depth: int = 0


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """Heading line of a section; `count` includes tasks that are not shown."""

    section: Section
    count: int


@dataclass(frozen=True, slots=True)
class TaskLine:
    """Line of one task; `shown_in_heading` names the fact its heading already shows."""

    task_id: int
    depth: int = 0
    shown_in_heading: ShownInHeading = ShownInHeading.NOTHING


@dataclass(frozen=True, slots=True)
class GapLine:
    """Empty line before a section."""


@dataclass(frozen=True, slots=True)
class MoreLine:
    """Last line of a truncated section; `count` tasks are not shown."""

    section: Section
    count: int


@dataclass(frozen=True, slots=True)
class MessageLine:
    """Line of the empty-state text above all sections, numbered from 0."""

    number: int


OutlineLine = MessageLine | HeadingLine | TaskLine | GapLine | MoreLine


@dataclass(slots=True)
class _Group:
    """One section with its packed rows in order."""

    section: Section
    number: int
    """Number by which rows refer to the section."""
    rows: list[bytes] = field(default_factory=list)
    folded: int = 0
    """Number of tasks hidden by folds."""

    @property
    def count(self) -> int:
        return len(self.rows) + self.folded

    @property
    def shown(self) -> int:
        loaded, most = len(self.rows), self.section.shown_at_most
        return loaded if most is None else min(loaded, most)

    @property
    def hidden(self) -> int:
        return len(self.rows) - self.shown

    @property
    def head(self) -> int:
        """Return the number of lines above the first task: gap and heading."""
        return 2 if self.section.label else 1

    @property
    def height(self) -> int:
        """Return the number of lines; 0 for an empty section."""
        if not self.shown:
            return 0
        return self.head + self.shown + (1 if self.hidden else 0)

    def line(self, offset: int) -> OutlineLine:
        if offset == 0:
            return GapLine()
        if offset < self.head:
            return HeadingLine(self.section, self.count)
        if offset - self.head < self.shown:
            task_id, depth, _ = tail_of(self.rows[offset - self.head])
            return TaskLine(task_id, depth, self.section.shown_in_heading)
        return MoreLine(self.section, self.hidden)


class _Order(NamedTuple):
    """Sections in order, with the number of lines and rows above each."""

    groups: list[_Group]
    lines: list[int]
    rows: list[int]


class TaskOutline:
    """Order of the list and the line of every task.

    Lines count from 0; a row counts shown tasks only, once for each heading that a task is under.
    """

    def __init__(self) -> None:
        self._groups: dict[SortKey, _Group] = {}
        self._numbered: list[_Group] = []
        self._rows = RowTable()
        """The first packed row of each task."""
        self._further: dict[int, tuple[bytes, ...]] = {}
        self._known: _Order | None = None
        self.version = 0
        """Counter that grows with every change of the order."""
        self._lead = 0

    def load(self, places: Iterable[tuple[int, TaskPlace]]) -> None:
        """Replace all tasks; an id can have several places."""
        self._changed()
        self._groups = {}
        self._numbered = []
        self._rows = RowTable()
        self._further = {}
        for task_id, place in places:
            row = self._packed(task_id, place)
            if self._rows.get(task_id) is None:
                self._rows.put(task_id, row)
            else:
                self._further[task_id] = (*self._further.get(task_id, ()), row)
            self._group_of(row).rows.append(row)
        for group in self._numbered:
            group.rows.sort()

    def swap(self, other: TaskOutline) -> None:
        """Exchange contents with another outline in constant time."""
        self._changed()
        self._groups, other._groups = other._groups, self._groups
        self._numbered, other._numbered = other._numbered, self._numbered
        self._rows, other._rows = other._rows, self._rows
        self._further, other._further = other._further, self._further
        self._known, other._known = other._known, None

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, task_id: int) -> bool:
        return self._rows.get(task_id) is not None

    def place_of(self, task_id: int) -> TaskPlace | None:
        """Return the first place of a task, or None."""
        row = self._rows.get(task_id)
        return None if row is None else self._place(row)

    def places_of(self, task_id: int) -> tuple[TaskPlace, ...]:
        """Return every place of a task."""
        return tuple(map(self._place, self._rows_of(task_id)))

    def put(self, task_id: int, *places: TaskPlace) -> None:
        """Add a task or move it to these places; without any, remove it."""
        rows = tuple(self._packed(task_id, place) for place in places)
        present = self._rows_of(task_id)
        if present == rows:
            return
        self._changed()
        for row in present:
            others = self._group_of(row).rows
            del others[bisect_left(others, row)]
        for row in rows:
            insort(self._group_of(row).rows, row)
        self._rows.put(task_id, rows[0] if rows else None)
        self._further.pop(task_id, None)
        if len(rows) > 1:
            self._further[task_id] = rows[1:]

    def remove(self, task_id: int) -> None:
        """Remove a task; a missing one is ignored."""
        self.put(task_id)

    def count(self, section: Section) -> int:
        """Return the number of tasks in a section, shown or not."""
        group = self._groups.get(section.order)
        return 0 if group is None else group.count

    @property
    def sections(self) -> Iterator[tuple[Section, int]]:
        """Yield the sections in order, each with its number of tasks."""
        for group in self._order.groups:
            yield group.section, group.count

    @property
    def lead(self) -> int:
        """Return the number of lines above all sections."""
        return self._lead

    @lead.setter
    def lead(self, lines: int) -> None:
        if lines != self._lead:
            self._lead = lines
            self._changed()

    @property
    def height(self) -> int:
        """Return the total number of lines."""
        return self._lead + self._order.lines[-1]

    @property
    def row_count(self) -> int:
        """Return the number of shown rows."""
        return self._order.rows[-1]

    def lines(self, first: int, count: int) -> Iterator[OutlineLine]:
        """Yield at most `count` lines, starting at `first`."""
        yield from map(MessageLine, range(first, min(first + count, self._lead)))
        order = self._order
        number = max(first - self._lead, 0)
        end = min(first + count - self._lead, order.lines[-1])
        place = bisect_right(order.lines, number) - 1
        while number < end:
            group, top = order.groups[place], order.lines[place]
            stop = min(end - top, group.height)
            for offset in range(number - top, stop):
                yield group.line(offset)
            number = max(number, top + stop)
            place += 1

    def line(self, number: int) -> OutlineLine | None:
        """Return one line, or None beyond the end."""
        return next(self.lines(number, 1), None) if number >= 0 else None

    def line_of(self, task_id: int) -> int | None:
        """Return the first line of a task, or None if it is not shown."""
        return next(iter(self.lines_of(task_id)), None)

    def lines_of(self, task_id: int) -> list[int]:
        """Return all lines of a task, top down."""
        return [self.line_at_row(row) for row in self.rows_of(task_id)]

    def row_of(self, task_id: int, *, near: int = 0) -> int | None:
        """Return the row of a task nearest to `near`, or None if it is not shown."""
        return min(self.rows_of(task_id), key=lambda row: abs(row - near), default=None)

    def rows_of(self, task_id: int) -> list[int]:
        """Return all rows of a task, top down."""
        order = self._order
        rows = []
        for row in self._rows_of(task_id):
            group = self._group_of(row)
            place = bisect_left(
                order.groups, group.section.order, key=lambda each: each.section.order
            )
            index = bisect_left(group.rows, row)
            if index < group.shown:
                rows.append(order.rows[place] + index)
        return sorted(rows)

    def line_at_row(self, row: int) -> int:
        """Return the line of an existing row."""
        order = self._order
        place = bisect_right(order.rows, row) - 1
        group = order.groups[place]
        return self._lead + order.lines[place] + group.head + row - order.rows[place]

    def task_at_row(self, row: int) -> int | None:
        """Return the task of a row, clamped to the list; None in an empty list."""
        order = self._order
        rows = order.rows[-1]
        if not rows:
            return None
        row = min(max(row, 0), rows - 1)
        place = bisect_right(order.rows, row) - 1
        return task_id_of(order.groups[place].rows[row - order.rows[place]])

    def row_near_line(self, number: int) -> int:
        """Return the row at a line, else the first below it, else the last."""
        order = self._order
        number = max(number - self._lead, 0)
        place = bisect_right(order.lines, number) - 1
        if place >= len(order.groups):
            return max(order.rows[-1] - 1, 0)
        group = order.groups[place]
        inside = number - order.lines[place] - group.head
        row = order.rows[place] + min(max(inside, 0), group.shown)
        return max(min(row, order.rows[-1] - 1), 0)

    def task_near_line(self, number: int) -> int | None:
        """Return the task at a line, else the first below it, else the last."""
        return self.task_at_row(self.row_near_line(number))

    @property
    def _order(self) -> _Order:
        if self._known is None:
            groups = [group for group in self._numbered if group.rows]
            groups.sort(key=lambda group: group.section.order)
            lines = accumulate((group.height for group in groups), initial=0)
            rows = accumulate((group.shown for group in groups), initial=0)
            self._known = _Order(groups, list(lines), list(rows))
        return self._known

    def _changed(self) -> None:
        self.version += 1
        self._known = None

    def _group(self, section: Section) -> _Group:
        group = self._groups.get(section.order)
        if group is None:
            group = self._groups[section.order] = _Group(section, len(self._numbered))
            self._numbered.append(group)
        return group

    def _group_of(self, row: bytes) -> _Group:
        _, _, number = tail_of(row)
        return self._numbered[number]

    def _rows_of(self, task_id: int) -> tuple[bytes, ...]:
        row = self._rows.get(task_id)
        return () if row is None else (row, *self._further.get(task_id, ()))

    def _packed(self, task_id: int, place: TaskPlace) -> bytes:
        return pack(place.key, task_id, place.depth, self._group(place.section).number)

    def _place(self, row: bytes) -> TaskPlace:
        _, depth, number = tail_of(row)
        return TaskPlace(self._numbered[number].section, key_of(row), depth)
