"""Moving tasks: to another place in the manual order, under another task, to the top."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.positions import LONGEST, place_of_id, places_between
from todo_tui.store.file_format import OPEN_SCOPE
from todo_tui.store.task_records import Record, not_in_trash
from todo_tui.store.writing import TaskWriting

_FIRST_WINDOW = 8
"""Neighbours on each side that are spread out first; then twice as many, and so on."""


class Move(NamedTuple):
    """Where tasks shall go, by the ids of other tasks; see TaskStore.move."""

    before: int | None = None
    after: int | None = None
    under: int | None = None
    top: bool = False


class _Beside(NamedTuple):
    """A place in the manual order: right before a task, or right after it."""

    anchor: Record
    is_before: bool


def move(writing: TaskWriting, records: Sequence[Record], wanted: Move) -> None:
    """Move tasks with all that is below them, in the order given.

    Raises:
        NotFound: there is no task to go to.
        Conflict: the task to be under is in the trash.
        ValidationError: nothing or too much is wanted; a task would be beside itself,
            or part of itself.
    """
    place = _place_wanted(writing, wanted)
    if wanted.under is not None:
        parent = not_in_trash(writing.record(wanted.under))
        last = _last_child(writing, parent, records)
        for record in records:
            writing.set_parent(record, parent)
        if place is None and last is not None and any(_key(each) < _key(last) for each in records):
            place = _Beside(last, is_before=False)
    elif wanted.top:
        for record in records:
            writing.set_parent(record, None)
    if place is not None:
        _put(writing, records, place)


def _place_wanted(writing: TaskWriting, wanted: Move) -> _Beside | None:
    beside = wanted.before if wanted.after is None else wanted.after
    if (wanted.before is not None and wanted.after is not None) or (
        wanted.under is not None and wanted.top
    ):
        raise ValidationError(
            "A task goes to one place: before or after another, under one or none."
        )
    if beside is None:
        if wanted.under is None and not wanted.top:
            raise ValidationError("Say where to move it: before, after or under which task.")
        return None
    return _Beside(writing.record(beside), is_before=wanted.after is None)


def _put(writing: TaskWriting, records: Sequence[Record], place: _Beside) -> None:
    """Put tasks beside another one."""
    if place.anchor in records:
        raise ValidationError(f"Task #{place.anchor.id} cannot be moved beside itself.")
    neighbours = _Neighbours(writing, records, place)
    (left, _), (right, _) = neighbours.left(1), neighbours.right(1)
    before = _place(left[0]) if left else ""
    after = _place(right[0]) if right else neighbours.end
    fitting = places_between(before, after, len(records))
    if fitting is not None:
        _assign(writing, records, fitting)
    else:
        _spread(writing, records, neighbours)


class _Neighbours:
    """The open tasks around a place, without those that are moved there; nearest first."""

    def __init__(self, writing: TaskWriting, moved: Sequence[Record], place: _Beside) -> None:
        writing.flush()
        self._writing = writing
        self._moved = json.dumps([record.row for record in moved])
        self._place = place
        anchor = place.anchor
        counted = "SELECT last_id FROM counters WHERE user = ?"
        (last_id,) = writing.database.execute(counted, (writing.user,)).fetchone()
        end = place_of_id(last_id + 1)
        self.end = end if _place(anchor) < end else None
        """What everything so far sorts before: the place of the next new task."""

    def left(self, count: int) -> tuple[list[Record], bool]:
        """Those before the place, and whether there are no more."""
        anchored = [] if self._place.is_before else [self._place.anchor]
        return self._side(anchored, "<", "DESC", count)

    def right(self, count: int) -> tuple[list[Record], bool]:
        """Those after the place, and whether there are no more."""
        anchored = [self._place.anchor] if self._place.is_before else []
        return self._side(anchored, ">", "ASC", count)

    def _side(
        self, anchored: list[Record], operator: str, order: str, count: int
    ) -> tuple[list[Record], bool]:
        anchor = self._place.anchor
        rows = self._writing.database.execute(
            # Left alone, the planner reads the whole index of open tasks and sorts.
            "SELECT row FROM tasks INDEXED BY tasks_by_position"  # noqa: S608 - constants
            f" WHERE user = ? AND {OPEN_SCOPE}"
            f" AND (position, id) {operator} (?, ?)"
            " AND row NOT IN (SELECT value FROM json_each(?))"
            f" ORDER BY position {order}, id {order} LIMIT ?",
            (self._writing.user, anchor.columns["position"], anchor.id, self._moved, count),
        ).fetchall()
        found = [*anchored, *self._writing.by_rows(row for (row,) in rows)]
        return found[:count], len(found) < count


def _spread(writing: TaskWriting, records: Sequence[Record], neighbours: _Neighbours) -> None:
    """Give those around a place new places, as few as make room for the records."""
    window = _FIRST_WINDOW
    while True:
        left, no_more_left = neighbours.left(window + 1)
        right, no_more_right = neighbours.right(window + 1)
        before = "" if no_more_left else _place(left.pop())
        after = neighbours.end if no_more_right else _place(right.pop())
        in_order = [*reversed(left), *records, *right]
        fitting = places_between(before, after, len(in_order))
        # Among all tasks there always is room.
        is_last_try = no_more_left and no_more_right
        if fitting is not None and (is_last_try or _are_short(fitting)):
            _assign(writing, in_order, fitting)
            return
        window *= 2


def _are_short(places: tuple[str, ...]) -> bool:
    """Whether there is room for many more between them."""
    return max(map(len, places)) <= LONGEST // 2


def _assign(writing: TaskWriting, records: Sequence[Record], places: tuple[str, ...]) -> None:
    for record, place in zip(records, places, strict=True):
        writing.change(record, {"position": place})


def _place(record: Record) -> str:
    return record.columns["position"] or ""


def _key(record: Record) -> tuple[str, int]:
    return (_place(record), record.id)


def _last_child(writing: TaskWriting, parent: Record, moved: Sequence[Record]) -> Record | None:
    writing.flush()
    found = writing.database.execute(
        f"SELECT row FROM tasks WHERE parent = ? AND {OPEN_SCOPE}"  # noqa: S608 - constants
        " AND row NOT IN (SELECT value FROM json_each(?)) ORDER BY position DESC, id DESC LIMIT 1",
        (parent.uuid, json.dumps([record.row for record in moved])),
    ).fetchone()
    return None if found is None else writing.by_row(found[0])
