"""Order of the task list: sections, ids and depths below them, the lines that they take."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from todo_tui.domain.filters.terms import Grouping, SortField, SortTerm
from todo_tui.domain.urgency import NEXT_DAYS, TaskGroup
from todo_tui.store.tasks.sorting import SortKey


class Section(NamedTuple):
    """One section of the list; sections with equal `order` are one, and are sorted by it.

    Without a `label` there is no heading. Only `shown_at_most` tasks are drawn; `rest` tells where
    the others are shown.
    """

    order: SortKey
    label: str = ""
    is_late: bool = False
    is_closed: bool = False
    """True if its tasks are done or deleted."""
    shown_at_most: int | None = None
    rest: str = ""
    grouping: Grouping | None = None
    """What its heading shows, so that the rows below need not."""
    sort: tuple[SortTerm, ...] = ()
    """Order of its tasks; those with equal values are in due and manual order."""


_LABELS = {TaskGroup.NONE: "NO DATE", TaskGroup.NEXT: f"NEXT {NEXT_DAYS} DAYS"}
SECTIONS = {
    group: Section(
        (rank,),
        _LABELS.get(group, group.name),
        is_late=group is TaskGroup.OVERDUE,
        is_closed=group in (TaskGroup.DONE, TaskGroup.TRASH),
        sort=(SortTerm(SortField.DONE, descending=True),) if group is TaskGroup.DONE else (),
        grouping=Grouping.DAY if group is TaskGroup.NONE else None,
    )
    for rank, group in enumerate(TaskGroup)
}
"""Sections of the list grouped by due day."""
UNNAMED_SECTION = Section(())
"""Single section without a heading."""


class OutlineBlock(NamedTuple):
    """Successive rows of a section as they are stored: subtasks not yet below their parents."""

    section: Section
    ids: Sequence[int]
    """Negative for a project."""
    depth: int = 0
    """Indentation of the rows that are not below a parent."""


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """Heading line of a section.

    `count` includes tasks that are not shown, but not those below a parent from another section:
    these are `subtasks` there.
    """

    section: Section
    count: int
    minutes: int = 0
    """Sum of the estimates of all tasks below the heading."""
    subtasks: int = 0
    """Number of open subtasks from other sections that are here below their parents."""
    overdue: int = 0
    """Number of these that come from a section of overdue tasks."""
    elsewhere: int = 0
    """Number of tasks of this section that are below their parents in others."""


@dataclass(frozen=True, slots=True)
class TaskLine:
    """Line of one task; `grouping` names what its heading already shows."""

    task_id: int
    depth: int = 0
    grouping: Grouping | None = None
    folded: bool | None = None
    """True if its subtasks are folded; None if there are none below it."""


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


@dataclass(frozen=True, slots=True)
class NoteLine:
    """First line of a task's notes, below its row."""

    task_id: int
    depth: int


OutlineLine = MessageLine | HeadingLine | TaskLine | GapLine | MoreLine | NoteLine


class _SectionRows:
    """Rows of one section in order, and the indexes of those that are not folded away."""

    def __init__(
        self,
        section: Section,
        ids: array[int],
        depths: array[int],
        folded: frozenset[int],
        homes: Mapping[int, Section],
        away: frozenset[int] = frozenset(),
    ) -> None:
        self.section = section
        self.ids = ids
        self.depths = depths
        self.homes = homes
        """Sections of the subtasks that are here only because their parent is."""
        self.away = away
        """Subtasks of this section that are below their parent in another."""
        self.unfolded: Sequence[int] = range(len(ids))
        if not folded.isdisjoint(ids):
            self.unfolded = array("I", self._unfolded(folded))
        most = section.shown_at_most
        self.shown = len(self.unfolded) if most is None else min(len(self.unfolded), most)
        self.hidden = len(self.unfolded) - self.shown
        """Number of unfolded tasks beyond the limit of the section."""
        self.head = 2 if section.label else 1
        """Number of lines above the first task: gap and heading."""
        self.height = self.head + self.shown + (1 if self.hidden else 0)

    def _unfolded(self, folded: Collection[int]) -> Iterator[int]:
        hidden_below: int | None = None
        for index, depth in enumerate(self.depths):
            if hidden_below is None or depth <= hidden_below:
                hidden_below = depth if self.ids[index] in folded else None
                yield index

    def has_below(self, index: int) -> bool:
        following = index + 1
        return following < len(self.ids) and self.depths[following] > self.depths[index]

    def line(
        self,
        offset: int,
        folded: Collection[int],
        minutes: Mapping[int, int],
        leaving: frozenset[int],
    ) -> OutlineLine:
        if offset == 0:
            return GapLine()
        if offset < self.head:
            gone = leaving.intersection(self.ids) if leaving else leaving
            own = len(self.ids) - len(self.homes) - len(gone - self.homes.keys())
            of_others = [home for each, home in self.homes.items() if each not in gone]
            still_open = sum(not home.is_closed for home in of_others)
            late = 0 if self.section.is_late else sum(home.is_late for home in of_others)
            counted = (each for each in self.ids if each not in gone) if minutes else ()
            estimated = sum(minutes.get(each, 0) for each in counted)
            away = len(self.away - leaving)
            return HeadingLine(self.section, own, estimated, still_open, late, away)
        if offset - self.head >= self.shown:
            return MoreLine(self.section, self.hidden)
        index = self.unfolded[offset - self.head]
        task_id = self.ids[index]
        return TaskLine(
            task_id,
            self.depths[index],
            # Subtasks from other sections show what the heading does not say: all have that column.
            None if self.homes else self.section.grouping,
            task_id in folded if task_id > 0 and self.has_below(index) else None,
        )


@dataclass(frozen=True, slots=True)
class _Draft:
    """Rows of one section as they are stored, with the depths of those below no parent."""

    section: Section
    ids: array[int] = field(default_factory=lambda: array("q"))
    depths: dict[int, int] = field(default_factory=dict)


class TaskOutline:
    """Order of the list at one moment; a changed list is another outline.

    Lines count from 0; a row counts shown tasks only, once for each heading that a task is under.
    """

    def __init__(
        self,
        parts: Iterable[_SectionRows] = (),
        folded: frozenset[int] = frozenset(),
        count: int = 0,
        sections: Sequence[tuple[Section, int]] = (),
    ) -> None:
        self._parts = tuple(parts)
        self._folded = folded
        self._noted: list[int] = []
        """Lines with notes below them, counted without lead and notes."""
        self._note_lines: list[int] = []
        """Lines of these notes, counted without the lead."""
        self.count = count
        """Number of tasks and projects, shown or not, each counted once."""
        self.sections = sections
        """Sections in order, each with its number of tasks, shown or not, also elsewhere."""
        self.minutes: Mapping[int, int] = {}
        """Estimates of the open tasks that have one."""
        self.staying: frozenset[int] = frozenset()
        """Kept tasks that have a row among open tasks in any case, as in a list of all tasks."""
        self._lines = list(accumulate((part.height for part in self._parts), initial=0))
        self._rows = list(accumulate((part.shown for part in self._parts), initial=0))
        self.lead = 0
        """Number of lines above all sections."""

    @classmethod
    def build(
        cls,
        blocks: Iterable[OutlineBlock],
        parents: dict[int, int],
        folded: frozenset[int] = frozenset(),
        *,
        kept: Collection[int] = (),
        before: TaskOutline | None = None,
    ) -> TaskOutline:
        """Nest sorted rows below their parents; the tasks `kept` stay where they are in `before`.

        A subtask is below its parent wherever that is, except among closed or truncated rows that
        it does not belong to.
        """
        drafts: list[_Draft] = []
        staying: set[int] = set()
        for section, rows, depth in blocks:
            if kept and not section.is_closed:
                staying.update(each for each in rows if each in kept)
            present = [each for each in rows if each not in kept] if kept else rows
            if not present:
                continue
            if not drafts or drafts[-1].section.order != section.order:
                drafts.append(_Draft(section))
            drafts[-1].ids.extend(present)
            if depth:
                drafts[-1].depths.update(dict.fromkeys(present, depth))
        for part in before._parts if before is not None and kept else ():
            for index, task_id in enumerate(part.ids):
                if task_id in kept:
                    _keep(part, index, drafts, parents)
        parts = [
            _SectionRows(
                draft.section, ids, depths, folded, homes, frozenset(draft.ids).difference(ids)
            )
            for draft, ids, depths, homes in _nest(drafts, parents)
            if ids
        ]
        sections = [(draft.section, len(draft.ids)) for draft in drafts]
        count = len({each for draft in drafts for each in draft.ids})
        outline = cls(parts, folded, count, sections)
        outline.staying = frozenset(staying)
        return outline

    def with_folds(self, folded: frozenset[int]) -> TaskOutline:
        """Return the same order with other tasks folded."""
        parts = (
            _SectionRows(part.section, part.ids, part.depths, folded, part.homes, part.away)
            for part in self._parts
        )
        outline = TaskOutline(parts, folded, self.count, self.sections)
        outline.minutes, outline.staying = self.minutes, self.staying
        return outline

    def put_notes_below(self, task_ids: Iterable[int]) -> None:
        """Add a line of notes below all rows of these tasks."""
        rows = sorted(row for task_id in task_ids for row in self.rows_of(task_id))
        self._noted = [self._place_of(row) for row in rows]
        self._note_lines = [at + 1 + above for above, at in enumerate(self._noted)]

    @property
    def height(self) -> int:
        """Return the total number of lines."""
        return self.lead + self._lines[-1] + len(self._noted)

    @property
    def row_count(self) -> int:
        """Return the number of shown rows."""
        return self._rows[-1]

    def task_ids(self) -> Iterator[int]:
        """Yield the ids of all rows, shown or not."""
        for part in self._parts:
            yield from part.ids

    def shown_ids(self) -> Iterator[int]:
        """Yield the ids of all shown tasks, top down."""
        for part in self._parts:
            for index in part.unfolded[: part.shown]:
                if part.ids[index] > 0:
                    yield part.ids[index]

    def lines(
        self, first: int, count: int, just_done: frozenset[int] = frozenset()
    ) -> Iterator[OutlineLine]:
        """Yield at most `count` lines, starting at `first`.

        Headings do not count tasks `just_done` that only wait to leave their row.
        """
        leaving = just_done - self.staying
        for number in range(max(first, 0), min(first + count, self.height)):
            if number < self.lead:
                yield MessageLine(number)
                continue
            at, is_note = self._without_notes(number)
            place = bisect_right(self._lines, at) - 1
            offset = at - self._lines[place]
            line = self._parts[place].line(offset, self._folded, self.minutes, leaving)
            if is_note and isinstance(line, TaskLine):
                line = NoteLine(line.task_id, line.depth)
            yield line

    def _without_notes(self, number: int) -> tuple[int, bool]:
        """Return a line counted without lead and notes, and if it is the note below that line."""
        number -= self.lead
        above = bisect_left(self._note_lines, number)
        is_note = above < len(self._note_lines) and self._note_lines[above] == number
        return number - above - is_note, is_note

    def line(self, number: int) -> OutlineLine | None:
        """Return one line, or None beyond the end."""
        return next(self.lines(number, 1), None) if number >= 0 else None

    def rows_of(self, task_id: int) -> Iterator[int]:
        """Yield all rows of a task, top down."""
        for part, first in zip(self._parts, self._rows, strict=False):
            if task_id in part.ids:
                index = part.ids.index(task_id)
                row = bisect_left(part.unfolded, index)
                if row < part.shown and part.unfolded[row] == index:
                    yield first + row

    def row_of(self, task_id: int, *, near: int = 0) -> int | None:
        """Return the row of a task nearest to `near`, or None if it is not shown."""
        return min(self.rows_of(task_id), key=lambda row: abs(row - near), default=None)

    def line_of(self, task_id: int) -> int | None:
        """Return the first line of a task, or None if it is not shown."""
        row = next(self.rows_of(task_id), None)
        return None if row is None else self.line_at_row(row)

    def line_at_row(self, row: int) -> int:
        """Return the line of an existing row."""
        at = self._place_of(row)
        return self.lead + at + bisect_left(self._noted, at)

    def _place_of(self, row: int) -> int:
        """Return the line of a row without lead and notes."""
        place = bisect_right(self._rows, row) - 1
        return self._lines[place] + self._parts[place].head + row - self._rows[place]

    def task_at_row(self, row: int) -> int | None:
        """Return the task of a row, clamped to the list; None in an empty list."""
        if not self.row_count:
            return None
        part, index = self._at(min(max(row, 0), self.row_count - 1))
        return part.ids[index]

    def section_at_row(self, row: int) -> Section:
        """Return the section of an existing row."""
        return self._at(row)[0].section

    def section_of(self, task_id: int) -> Section | None:
        """Return the first section of a task, shown or not, or None."""
        return next((part.section for part in self._parts if task_id in part.ids), None)

    def home_of(self, task_id: int) -> Section | None:
        """Return the section that a task belongs to, also where it is below a parent elsewhere."""
        homes = (part.homes[task_id] for part in self._parts if task_id in part.homes)
        return next(homes, None) or self.section_of(task_id)

    def row_near_line(self, number: int) -> int:
        """Return the row at a line, else the first below it, else the last."""
        number, _ = self._without_notes(max(number, self.lead))
        place = bisect_right(self._lines, number) - 1
        if place >= len(self._parts):
            return max(self.row_count - 1, 0)
        part = self._parts[place]
        inside = min(max(number - self._lines[place] - part.head, 0), part.shown)
        return max(min(self._rows[place] + inside, self.row_count - 1), 0)

    def with_heading(self, line: int) -> int:
        """Return the first line to show with a task: its heading if that is directly above."""
        match self.line(line - 1):
            case HeadingLine():
                return line - 2
            case GapLine():
                return line - 1
            case _:
                return line

    def has_below(self, task_id: int) -> bool:
        """Return True if a subtask is nested right below this task, folded or not."""
        return any(
            part.has_below(part.ids.index(task_id)) for part in self._parts if task_id in part.ids
        )

    def parent_at_row(self, row: int) -> int | None:
        """Return the task that the one in this row is nested below, or None."""
        part, index = self._at(row)
        parent = _parent_index(part, index)
        return None if parent is None or part.ids[parent] < 0 else part.ids[parent]

    def parents(self) -> frozenset[int]:
        """Return all tasks with a subtask right below them."""
        return frozenset(
            task_id
            for part in self._parts
            for index, task_id in enumerate(part.ids)
            if task_id > 0 and part.has_below(index)
        )

    def _at(self, row: int) -> tuple[_SectionRows, int]:
        place = bisect_right(self._rows, row) - 1
        part = self._parts[place]
        return part, part.unfolded[row - self._rows[place]]


def _parent_index(part: _SectionRows, index: int) -> int | None:
    depth = part.depths[index]
    above = range(index - 1, -1, -1) if depth else ()
    return next((each for each in above if part.depths[each] < depth), None)


def _keep(part: _SectionRows, index: int, drafts: list[_Draft], parents: dict[int, int]) -> None:
    """Insert a row of an earlier outline, between its siblings as it is there."""
    task_id, depth = part.ids[index], part.depths[index]
    section = part.homes.get(task_id, part.section)
    place = bisect_left([draft.section.order for draft in drafts], section.order)
    if place == len(drafts) or drafts[place].section.order != section.order:
        drafts.insert(place, _Draft(section))
    present = drafts[place].ids
    if task_id in present:
        return
    parent = _parent_index(part, index)
    if parent is not None and part.ids[parent] > 0:
        parents[task_id] = part.ids[parent]
    else:
        drafts[place].depths[task_id] = depth
    above = (
        part.ids[each]
        for each in range(index - 1, (parent or 0) - 1, -1)
        if part.depths[each] == depth or each == parent
    )
    neighbour = next((each for each in above if each in present), None)
    if neighbour is not None and neighbour == parents.get(task_id):
        # The query may list later subtasks before their parent.
        siblings = (each for each in present if parents.get(each) == neighbour)
        neighbour = next(siblings, neighbour)
        present.insert(present.index(neighbour) + (neighbour == parents[task_id]), task_id)
    else:
        present.insert(0 if neighbour is None else present.index(neighbour) + 1, task_id)


def _nest(
    drafts: Sequence[_Draft], parents: Mapping[int, int]
) -> Iterator[tuple[_Draft, array[int], array[int], dict[int, Section]]]:
    """Yield for each draft ids and depths with subtasks below their parents, and their homes.

    Homes are the sections of those that come from others.
    """
    places = _places(drafts, parents.keys() | parents.values())
    children: dict[int, list[int]] = {}
    for child in places:
        parent = parents.get(child)
        if parent in places and _may_join(places[child], places[parent]):
            children.setdefault(parent, []).append(child)
    nested = {child for below in children.values() for child in below}
    for draft in drafts:
        if not nested:
            depths = array("H", (draft.depths.get(each, 0) for each in draft.ids))
            yield draft, draft.ids, depths, {}
            continue
        in_order, depths, homes = array("q"), array("H"), dict[int, Section]()
        for root in draft.ids:
            # Iterative: a thousand levels exceed the recursion limit.
            ahead = [] if root in nested else [(root, draft.depths.get(root, 0))]
            while ahead:
                task_id, depth = ahead.pop()
                in_order.append(task_id)
                depths.append(depth)
                if task_id in nested and draft.section not in places[task_id]:
                    homes[task_id] = places[task_id][0]
                below = reversed(children.get(task_id, ()))
                ahead += [(child, depth + 1) for child in below]
        yield draft, in_order, depths, homes


def _places(drafts: Iterable[_Draft], members: Collection[int]) -> dict[int, list[Section]]:
    """Return the sections of each of these tasks, in the order of the list."""
    places: dict[int, list[Section]] = {}
    for draft in drafts if members else ():
        for task_id in draft.ids:
            if task_id in members:
                places.setdefault(task_id, []).append(draft.section)
    return places


def _may_join(own: Sequence[Section], others: Iterable[Section]) -> bool:
    """Return True if a task of some sections can be below its parent in these others."""
    return all(
        other in own or (other.shown_at_most is None and (own[0].is_closed or not other.is_closed))
        for other in others
    )
