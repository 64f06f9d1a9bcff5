"""Annotations, and the manual order: moving tasks to a place, under a parent, or to the top."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import Annotation
from todo_tui.store.database import OPEN_SCOPE
from todo_tui.store.rows import annotations_from_text, annotations_text, clean_notes
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


class MoveTarget(NamedTuple):
    """Target of a move by task ids; see TaskStore.move."""

    before: int | None = None
    after: int | None = None
    under: int | None = None
    top: bool = False


class _PositionBeside(NamedTuple):
    """Place in the manual order right before or right after a task."""

    anchor: TaskRecord
    is_before: bool


def move_tasks(writing: UnitOfWork, records: Sequence[TaskRecord], wanted: MoveTarget) -> None:
    """Move tasks with their subtrees, in the order given.

    Raises:
        NotFound: the target task is unknown.
        Conflict: the new parent is in the trash.
        ValidationError: no target or contradictory targets; a task would be placed beside itself,
            or become its own descendant.
    """
    place = _place_wanted(writing, wanted)
    if wanted.under is not None:
        parent = require_not_in_trash(writing.record(wanted.under))
        last = _last_child(writing, parent, records)
        for record in records:
            writing.set_parent(record, parent)
        if place is None and last is not None and any(_key(each) < _key(last) for each in records):
            place = _PositionBeside(last, is_before=False)
    elif wanted.top:
        for record in records:
            writing.set_parent(record, None)
    if place is not None:
        _put(writing, records, place)


def _place_wanted(writing: UnitOfWork, wanted: MoveTarget) -> _PositionBeside | None:
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
    return _PositionBeside(writing.record(beside), is_before=wanted.after is None)


def _put(writing: UnitOfWork, records: Sequence[TaskRecord], place: _PositionBeside) -> None:
    """Position tasks beside another one."""
    if place.anchor in records:
        raise ValidationError(f"Task #{place.anchor.id} cannot be moved beside itself.")
    neighbours = _Neighbours(writing, records, place)
    (left, _), (right, _) = neighbours.left(1), neighbours.right(1)
    before = _place(left[0]) if left else ""
    after = _place(right[0]) if right else neighbours.end
    fitting = positions_between(before, after, len(records))
    if fitting is not None:
        _assign(writing, records, fitting)
    else:
        _respace_neighbours(writing, records, neighbours)


class _Neighbours:
    """Open tasks around a place, nearest first, without the moved ones."""

    def __init__(
        self, writing: UnitOfWork, moved: Sequence[TaskRecord], place: _PositionBeside
    ) -> None:
        writing.flush()
        self._writing = writing
        self._moved = json.dumps([record.row for record in moved])
        self._place = place
        anchor = place.anchor
        counted = "SELECT last_id FROM counters WHERE user = ?"
        (last_id,) = writing.database.execute(counted, (writing.user,)).fetchone()
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
        rows = self._writing.database.execute(
            # Otherwise the planner reads the whole index of open tasks and sorts.
            "SELECT row FROM tasks INDEXED BY tasks_by_position"  # noqa: S608 - constants
            f" WHERE user = ? AND {OPEN_SCOPE}"
            f" AND (position, id) {operator} (?, ?)"
            " AND row NOT IN (SELECT value FROM json_each(?))"
            f" ORDER BY position {order}, id {order} LIMIT ?",
            (self._writing.user, anchor.columns["position"], anchor.id, self._moved, count),
        ).fetchall()
        found = [*anchored, *self._writing.by_rows(row for (row,) in rows)]
        return found[:count], len(found) < count


def _respace_neighbours(
    writing: UnitOfWork, records: Sequence[TaskRecord], neighbours: _Neighbours
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
            _assign(writing, in_order, fitting)
            return
        window *= 2


def _are_short(places: tuple[str, ...]) -> bool:
    """Return True if there is room for many more positions between them."""
    return max(map(len, places)) <= MAX_POSITION_LENGTH // 2


def _assign(writing: UnitOfWork, records: Sequence[TaskRecord], places: tuple[str, ...]) -> None:
    for record, place in zip(records, places, strict=True):
        writing.change(record, {"position": place})


def _place(record: TaskRecord) -> str:
    return record.columns["position"] or ""


def _key(record: TaskRecord) -> tuple[str, int]:
    return (_place(record), record.id)


def _last_child(
    writing: UnitOfWork, parent: TaskRecord, moved: Sequence[TaskRecord]
) -> TaskRecord | None:
    writing.flush()
    found = writing.database.execute(
        f"SELECT row FROM tasks WHERE parent = ? AND {OPEN_SCOPE}"  # noqa: S608 - constants
        " AND row NOT IN (SELECT value FROM json_each(?)) ORDER BY position DESC, id DESC LIMIT 1",
        (parent.uuid, json.dumps([record.row for record in moved])),
    ).fetchone()
    return None if found is None else writing.by_row(found[0])


def add_annotation(writing: UnitOfWork, record: TaskRecord, text: str) -> None:
    """Add an annotation dated now.

    Raises:
        ValidationError: it is empty or too long.
    """
    _write(writing, record, (*_annotations(record), Annotation(writing.log.now, _clean(text))))


def edit_annotation(
    writing: UnitOfWork, record: TaskRecord, annotation: Annotation, text: str
) -> None:
    """Replace the text of an annotation; its date stays.

    Raises:
        ValidationError: the text is empty or too long.
        Conflict: the task no longer has this annotation.
    """
    present = _annotations(record)
    place = _place_of(record, present, annotation)
    edited = Annotation(annotation.at, _clean(text))
    _write(writing, record, (*present[:place], edited, *present[place + 1 :]))


def delete_annotation(writing: UnitOfWork, record: TaskRecord, annotation: Annotation) -> None:
    """Delete an annotation.

    Raises:
        Conflict: the task no longer has this annotation.
    """
    present = _annotations(record)
    place = _place_of(record, present, annotation)
    _write(writing, record, (*present[:place], *present[place + 1 :]))


def _annotations(record: TaskRecord) -> tuple[Annotation, ...]:
    return annotations_from_text(record.columns["annotations"] or "[]")


def _write(writing: UnitOfWork, record: TaskRecord, annotations: tuple[Annotation, ...]) -> None:
    writing.change(record, {"annotations": annotations_text(annotations)})


def _place_of(record: TaskRecord, present: tuple[Annotation, ...], annotation: Annotation) -> int:
    if annotation not in present:
        raise Conflict(
            f"That remark of #{record.id} was changed or removed meanwhile.",
            hint="Look at the task again.",
        )
    return present.index(annotation)


def _clean(text: str) -> str:
    cleaned = clean_notes(text, "remark").strip()
    if not cleaned:
        raise ValidationError("A remark needs some words.")
    return cleaned
