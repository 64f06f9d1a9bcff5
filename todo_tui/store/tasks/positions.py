"""Positions of tasks in their manual order: fractions between neighbours, and moves to a place."""

import json
from collections.abc import Sequence
from itertools import count

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
            digits = (f"{number:0{width}x}" for number in numbers)
            # Redundant zeros at the end go, down to the width of a new task's position.
            return tuple(each[:_WIDTH] + each[_WIDTH:].rstrip("0") for each in digits)
        if high <= low:
            return None
    return None


def move_tasks(
    work: UnitOfWork,
    records: Sequence[TaskRecord],
    *,
    before: int | None,
    after: int | None,
    under: int | None,
    top: bool,
) -> None:
    """Move tasks with their subtrees, in the order given; as `TaskStore.move`."""
    if (before is not None and after is not None) or (under is not None and top):
        raise ValidationError(
            "Choose one place: before a task, after a task, under a task or top-level."
        )
    anchor, is_before = None, after is None
    if before is not None or after is not None:
        anchor = work.records(each for each in (before, after) if each is not None)[0]
    elif under is None and not top:
        raise ValidationError("Choose where to move the task: before, after or under another task.")
    if under is not None:
        parent = require_not_in_trash(work.record(under))
        last = _last_child(work, parent, records)
        for record in records:
            work.set_parent(record, parent)
        if anchor is None and last is not None and any(_key(each) < _key(last) for each in records):
            anchor, is_before = last, False
    elif top:
        for record in records:
            work.set_parent(record, None)
    if anchor is not None:
        _put(work, records, anchor, is_before=is_before)


def _put(
    work: UnitOfWork, records: Sequence[TaskRecord], anchor: TaskRecord, *, is_before: bool
) -> None:
    """Position tasks beside another one, and as few neighbours as possible to make room."""
    if anchor in records:
        raise ValidationError(f"Cannot move #{anchor.id} next to itself.")
    last_id = "SELECT last_id FROM counters WHERE user = ?"
    (newest,) = work.database.execute(last_id, (work.user,)).fetchone()
    # Upper bound of all positions so far: the position of the next new task.
    next_position = position_of_id(newest + 1)
    end = next_position if _place(anchor) < next_position else None
    window = 0
    while True:
        left, right = ([] if is_before else [anchor]), ([anchor] if is_before else [])
        left = [*left, *_neighbours(work, records, anchor, "<", "DESC", window + 1)]
        right = [*right, *_neighbours(work, records, anchor, ">", "ASC", window + 1)]
        is_last_try = len(left) <= window and len(right) <= window
        low = _place(left[window]) if len(left) > window else ""
        high = _place(right[window]) if len(right) > window else end
        in_order = [*reversed(left[:window]), *records, *right[:window]]
        fitting = positions_between(low, high, len(in_order))
        # Among all tasks there is always room; before, leave some for later moves.
        if fitting is not None and (
            not window or is_last_try or max(map(len, fitting)) <= MAX_POSITION_LENGTH // 2
        ):
            for record, place in zip(in_order, fitting, strict=True):
                work.change(record, {"position": place})
            return
        window = 2 * window or _FIRST_WINDOW


def _neighbours(
    work: UnitOfWork,
    moved: Sequence[TaskRecord],
    anchor: TaskRecord,
    operator: str,
    order: str,
    count: int,
) -> list[TaskRecord]:
    """Return open tasks on one side of the anchor, nearest first, without the moved ones."""
    rows = work.database.execute(
        # Otherwise the planner reads the whole index of open tasks and sorts.
        "SELECT row FROM tasks INDEXED BY tasks_by_position"  # noqa: S608 - constants
        f" WHERE user = ? AND {OPEN_SCOPE} AND (position, id) {operator} (?, ?)"
        " AND row NOT IN (SELECT value FROM json_each(?))"
        f" ORDER BY position {order}, id {order} LIMIT ?",
        (
            work.user, anchor.columns["position"], anchor.id,
            json.dumps([record.row for record in moved]), count,
        ),
    ).fetchall()  # fmt: skip
    return work.by_rows(row for (row,) in rows)


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
