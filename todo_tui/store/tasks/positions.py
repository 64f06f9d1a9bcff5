"""The manual order: moving tasks to a place, under a parent, or to the top level."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.store.database import OPEN_SCOPE
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork, require_not_in_trash

_DIGITS = frozenset("0123456789abcdef")
_WIDTH = 8
"""Digits of the position of a new task."""
MAX_POSITION_LENGTH = 24
"""Digits of a position beyond which its neighbours are spaced out again."""
_FIRST_WINDOW = 8
"""Neighbours on each side to space out first; doubled until there is room."""


def position_of_id(task_id: int) -> str:
    """Return the position of a new task, behind those of all earlier ones."""
    return f"{task_id:0{_WIDTH}x}"


def positions_between(before: str, after: str | None, wanted: int) -> tuple[str, ...] | None:
    """Return `wanted` evenly spaced positions between two others, in order.

    `before` is "" for the very beginning, `after` None for the very end. Returns None if
    there is no room: they are equal, or too close together.
    """
    if _DIGITS.issuperset(before) and _DIGITS.issuperset(after or ""):
        return _fractions_between(before, after, wanted)
    # A position from another program: any text that extends it sorts right after it.
    if after is not None and (after <= before or after.startswith(before)):
        return None
    width = len(f"{wanted:x}")
    places = tuple(f"{before}{number:0{width}x}8" for number in range(1, wanted + 1))
    return places if len(before) + width < MAX_POSITION_LENGTH else None


def _fractions_between(before: str, after: str | None, wanted: int) -> tuple[str, ...] | None:
    for width in count(max(len(before), len(after or ""), _WIDTH)):
        if width > MAX_POSITION_LENGTH:
            return None
        low = int(before.ljust(width, "0"), 16)
        high = 16**width if after is None else int(after.ljust(width, "0"), 16)
        if high - low > wanted:
            step = (high - low) // (wanted + 1)
            numbers = (low + step * each for each in range(1, wanted + 1))
            return tuple(_trim_position(f"{number:0{width}x}") for number in numbers)
        if high <= low:
            return None
    return None


def _trim_position(place: str) -> str:
    """Remove redundant zeros at the end, down to the width of a new task's position."""
    return place[:_WIDTH] + place[_WIDTH:].rstrip("0")


class _PositionBeside(NamedTuple):
    """Place in the manual order right before or right after a task."""

    anchor: TaskRecord
    is_before: bool


def move_tasks(
    work: UnitOfWork,
    records: Sequence[TaskRecord],
    *,
    before: int | None,
    after: int | None,
    under: int | None,
    top: bool,
) -> None:
    """Move tasks with their subtrees, in the order given; see `TaskStore.move`.

    Raises:
        NotFound: the target task is unknown.
        Conflict: the new parent is in the trash.
        ValidationError: no target or contradictory targets; a task would be placed beside itself,
            or become its own descendant.
    """
    if (before is not None and after is not None) or (under is not None and top):
        raise ValidationError(
            "A task goes to one place: before or after another, under one or none."
        )
    place: _PositionBeside | None = None
    beside = before if after is None else after
    if beside is not None:
        place = _PositionBeside(work.record(beside), is_before=after is None)
    elif under is None and not top:
        raise ValidationError("Say where to move it: before, after or under which task.")
    if under is not None:
        parent = require_not_in_trash(work.record(under))
        last = _last_child(work, parent, records)
        for record in records:
            work.set_parent(record, parent)
        if place is None and last is not None and any(_key(each) < _key(last) for each in records):
            place = _PositionBeside(last, is_before=False)
    elif top:
        for record in records:
            work.set_parent(record, None)
    if place is not None:
        _put(work, records, place)


def _put(work: UnitOfWork, records: Sequence[TaskRecord], place: _PositionBeside) -> None:
    """Position tasks beside another one."""
    if place.anchor in records:
        raise ValidationError(f"Task #{place.anchor.id} cannot be moved beside itself.")
    neighbours = _Neighbours(work, records, place)
    (left, _), (right, _) = neighbours.left(1), neighbours.right(1)
    before = _place(left[0]) if left else ""
    after = _place(right[0]) if right else neighbours.end
    fitting = positions_between(before, after, len(records))
    if fitting is not None:
        _assign(work, records, fitting)
    else:
        _respace_neighbours(work, records, neighbours)


class _Neighbours:
    """Open tasks around a place, nearest first, without the moved ones."""

    def __init__(
        self, work: UnitOfWork, moved: Sequence[TaskRecord], place: _PositionBeside
    ) -> None:
        self._work = work
        self._moved = json.dumps([record.row for record in moved])
        self._place = place
        anchor = place.anchor
        counted = "SELECT last_id FROM counters WHERE user = ?"
        (last_id,) = work.database.execute(counted, (work.user,)).fetchone()
        end = position_of_id(last_id + 1)
        self.end = end if _place(anchor) < end else None
        """Upper bound of all positions so far: the position of the next new task."""

    def left(self, count: int) -> tuple[list[TaskRecord], bool]:
        """Return up to `count` tasks before the place, and True if there are no more."""
        anchored = [] if self._place.is_before else [self._place.anchor]
        return self._side(anchored, "<", "DESC", count)

    def right(self, count: int) -> tuple[list[TaskRecord], bool]:
        """Return up to `count` tasks after the place, and True if there are no more."""
        anchored = [self._place.anchor] if self._place.is_before else []
        return self._side(anchored, ">", "ASC", count)

    def _side(
        self, anchored: list[TaskRecord], operator: str, order: str, count: int
    ) -> tuple[list[TaskRecord], bool]:
        anchor = self._place.anchor
        rows = self._work.database.execute(
            # Otherwise the planner reads the whole index of open tasks and sorts.
            "SELECT row FROM tasks INDEXED BY tasks_by_position"  # noqa: S608 - constants
            f" WHERE user = ? AND {OPEN_SCOPE}"
            f" AND (position, id) {operator} (?, ?)"
            " AND row NOT IN (SELECT value FROM json_each(?))"
            f" ORDER BY position {order}, id {order} LIMIT ?",
            (self._work.user, anchor.columns["position"], anchor.id, self._moved, count),
        ).fetchall()
        found = [*anchored, *self._work.by_rows(row for (row,) in rows)]
        return found[:count], len(found) < count


def _respace_neighbours(
    work: UnitOfWork, records: Sequence[TaskRecord], neighbours: _Neighbours
) -> None:
    """Reposition the records and as few neighbours as possible to make room."""
    window = _FIRST_WINDOW
    while True:
        left, no_more_left = neighbours.left(window + 1)
        right, no_more_right = neighbours.right(window + 1)
        before = "" if no_more_left else _place(left.pop())
        after = neighbours.end if no_more_right else _place(right.pop())
        in_order = [*reversed(left), *records, *right]
        fitting = positions_between(before, after, len(in_order))
        # Among all tasks there is always room.
        is_last_try = no_more_left and no_more_right
        if fitting is not None and (is_last_try or _are_short(fitting)):
            _assign(work, in_order, fitting)
            return
        window *= 2


def _are_short(places: tuple[str, ...]) -> bool:
    """Return True if there is room for many more positions between them."""
    return max(map(len, places)) <= MAX_POSITION_LENGTH // 2


def _assign(work: UnitOfWork, records: Sequence[TaskRecord], places: tuple[str, ...]) -> None:
    for record, place in zip(records, places, strict=True):
        work.change(record, {"position": place})


def _place(record: TaskRecord) -> str:
    return record.columns["position"] or ""


def _key(record: TaskRecord) -> tuple[str, int]:
    return (_place(record), record.id)


def _last_child(
    work: UnitOfWork, parent: TaskRecord, moved: Sequence[TaskRecord]
) -> TaskRecord | None:
    found = work.database.execute(
        f"SELECT row FROM tasks WHERE parent = ? AND {OPEN_SCOPE}"  # noqa: S608 - constants
        " AND row NOT IN (SELECT value FROM json_each(?)) ORDER BY position DESC, id DESC LIMIT 1",
        (parent.uuid, json.dumps([record.row for record in moved])),
    ).fetchone()
    return None if found is None else work.by_row(found[0])
