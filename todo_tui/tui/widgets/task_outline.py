"""The sorted order of the list: which task is on which line, kept true change by change.

Pure and without task data: it knows ids, groups and sort keys alone. A change costs a
bisection in one group, so that a list of ten thousand is as quick to move in as one of
ten.

    OVERDUE          a heading
    ○ Call dentist   a task
                     a gap
    DONE             the last group; only its newest tasks are shown
    ✓ Buy milk
    12 more          what is not shown
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from todo_tui.domain.urgency import SortKey, TaskGroup


class Place(NamedTuple):
    """Where a task belongs: its group, and its key among the tasks of that group."""

    group: TaskGroup
    key: SortKey


@dataclass(frozen=True, slots=True)
class Heading:
    """The line above a group; `count` is how many tasks it has, shown or not."""

    group: TaskGroup
    count: int


@dataclass(frozen=True, slots=True)
class TaskLine:
    """The line of one task."""

    task_id: int


@dataclass(frozen=True, slots=True)
class Gap:
    """The empty line between two groups, or before the first."""


@dataclass(frozen=True, slots=True)
class More:
    """The last line of a group that is cut: `count` tasks are not shown."""

    group: TaskGroup
    count: int


@dataclass(frozen=True, slots=True)
class Lead:
    """A line above all groups, counted from 0, in which the list speaks to the person."""

    number: int


OutlineLine = Lead | Heading | TaskLine | Gap | More


@dataclass(slots=True)
class _Group:
    """One group: its entries in order, and how many of them show."""

    name: TaskGroup
    shown_at_most: int | None = None
    entries: list[tuple[SortKey, int]] = field(default_factory=list)

    @property
    def shown(self) -> int:
        loaded = len(self.entries)
        return loaded if self.shown_at_most is None else min(loaded, self.shown_at_most)

    @property
    def hidden(self) -> int:
        return len(self.entries) - self.shown

    @property
    def height(self) -> int:
        """Lines with the gap above it and its heading; an empty group has none."""
        if not self.shown:
            return 0
        return 2 + self.shown + (1 if self.hidden else 0)

    def line(self, offset: int) -> OutlineLine:
        if offset == 0:
            return Gap()
        if offset == 1:
            return Heading(self.name, len(self.entries))
        if offset - 2 < self.shown:
            return TaskLine(self.entries[offset - 2][1])
        return More(self.name, self.hidden)


class TaskOutline:
    """The order of the list and the line of every task.

    `shown_at_most` cuts a group to its first tasks. Lines count from 0; a task's row is
    its number among the tasks that are shown.
    """

    def __init__(self, *, shown_at_most: Mapping[TaskGroup, int] | None = None) -> None:
        limits = shown_at_most or {}
        self._groups = {name: _Group(name, limits.get(name)) for name in TaskGroup}
        self._places: dict[int, Place] = {}
        self.version = 0
        """Grows with every change of the order."""
        self._lead = 0

    def load(self, places: Iterable[tuple[int, Place]]) -> None:
        """Take these tasks instead of all earlier ones."""
        self.version += 1
        self._places = dict(places)
        for group in self._groups.values():
            group.entries = []
        for task_id, place in self._places.items():
            self._groups[place.group].entries.append((place.key, task_id))
        for group in self._groups.values():
            group.entries.sort()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, task_id: int) -> bool:
        return task_id in self._places

    def place_of(self, task_id: int) -> Place | None:
        """Where the task is; None where the list does not have it."""
        return self._places.get(task_id)

    def put(self, task_id: int, place: Place) -> None:
        """Bring a task in, or move it to where it belongs now."""
        if self._places.get(task_id) == place:
            return
        self.remove(task_id)
        self.version += 1
        self._places[task_id] = place
        insort(self._groups[place.group].entries, (place.key, task_id))

    def remove(self, task_id: int) -> None:
        """Take a task out; one that is not there is no mistake."""
        place = self._places.pop(task_id, None)
        if place is not None:
            self.version += 1
            entries = self._groups[place.group].entries
            del entries[bisect_left(entries, (place.key, task_id))]

    def count(self, group: TaskGroup) -> int:
        """How many tasks a group has, shown or not."""
        return len(self._groups[group].entries)

    @property
    def lead(self) -> int:
        """How many lines stand above all groups."""
        return self._lead

    @lead.setter
    def lead(self, lines: int) -> None:
        self.version += lines != self._lead
        self._lead = lines

    @property
    def height(self) -> int:
        """How many lines the whole list has."""
        return self._lead + sum(group.height for group in self._groups.values())

    @property
    def row_count(self) -> int:
        """How many tasks are shown."""
        return sum(group.shown for group in self._groups.values())

    def lines(self, first: int, count: int) -> Iterator[OutlineLine]:
        """The lines from `first` on, at most `count`."""
        yield from map(Lead, range(first, min(first + count, self._lead)))
        top = self._lead
        for group in self._groups.values():
            start = max(first - top, 0)
            stop = min(first + count - top, group.height)
            for offset in range(start, stop):
                yield group.line(offset)
            top += group.height

    def line(self, number: int) -> OutlineLine | None:
        """One line; None beyond the end."""
        return next(self.lines(number, 1), None) if number >= 0 else None

    def line_of(self, task_id: int) -> int | None:
        """The line of a task; None where it is not shown."""
        return self._position(task_id, heads=True)

    def row_of(self, task_id: int) -> int | None:
        """The row of a task; None where it is not shown."""
        return self._position(task_id, heads=False)

    def _position(self, task_id: int, *, heads: bool) -> int | None:
        place = self._places.get(task_id)
        if place is None:
            return None
        top = self._lead if heads else 0
        for group in self._groups.values():
            if group.name == place.group:
                index = bisect_left(group.entries, (place.key, task_id))
                return top + index + (2 if heads else 0) if index < group.shown else None
            top += group.height if heads else group.shown
        return None

    def task_at_row(self, row: int) -> int | None:
        """The task of a row, counted from 0; the nearest where there are fewer."""
        rows = self.row_count
        if not rows:
            return None
        left = min(max(row, 0), rows - 1)
        for group in self._groups.values():
            if left < group.shown:
                return group.entries[left][1]
            left -= group.shown
        return None

    def task_near_line(self, number: int) -> int | None:
        """The task of a line, or the first one below it, or the last of all."""
        top = self._lead
        row = 0
        for group in self._groups.values():
            if group.shown and number < top + 2 + group.shown:
                return self.task_at_row(row + max(number - top - 2, 0))
            top += group.height
            row += group.shown
        return self.task_at_row(row)
