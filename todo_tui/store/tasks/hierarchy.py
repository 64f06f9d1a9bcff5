"""The tree of tasks and their manual order: subtrees in the trash, moves, positions."""

import json
from collections.abc import Iterable, Sequence
from itertools import count

from todo_tui.domain.errors import ValidationError
from todo_tui.store.database import OPEN_SCOPE
from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork, require_not_in_trash

_BELOW = """
WITH RECURSIVE below (row, uuid, above) AS (
    SELECT row, uuid, NULL FROM tasks WHERE row IN (SELECT value FROM json_each(?))
    UNION
    SELECT t.row, t.uuid, below.row FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS ?
) SELECT row, above FROM below WHERE above IS NOT NULL
"""
_DIGITS = frozenset("0123456789abcdef")
_WIDTH = 8
"""Digits of the position of a new task."""
MAX_POSITION_LENGTH = 24
"""Digits of a position beyond which its neighbours are spaced out again."""
_FIRST_WINDOW = 8
"""Neighbours on each side to space out first; doubled until there is room."""


def descendants(
    work: UnitOfWork, roots: Sequence[TaskRecord], *, deleted_at: str | None = None
) -> dict[int, tuple[TaskRecord, TaskRecord]]:
    """Map row numbers to each descendant of the roots and its parent; parents come first.

    A root below another one is included too. With `deleted_at` only tasks in the trash with
    exactly that value are followed, else only tasks outside the trash.
    """
    rows = json.dumps([root.row for root in roots])
    # Each row occurs once, with its parent.
    above: dict[int, int] = dict(work.database.execute(_BELOW, (rows, deleted_at)).fetchall())
    records = {record.row: record for record in work.by_rows({*above, *above.values()})}
    return {row: (records[row], records[parent]) for row, parent in above.items()}


def move_to_trash(work: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Move subtrees to the trash; return the given tasks, then their descendants."""
    touched = _each_once([*records, *(each for each, _ in descendants(work, records).values())])
    for record in touched:
        if not record.in_trash:
            work.change(record, {"deleted_at": work.stamp})
    return touched


def restore_tasks(work: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Restore tasks with the descendants that were deleted along with them."""
    touched = with_deleted_subtasks(work, records)
    for record in touched:
        work.change(record, {"deleted_at": None})
    return touched


def with_deleted_subtasks(work: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Return the tasks, then their descendants that were deleted at the same moment."""
    touched = list(records)
    for record in records:
        stamp = record.columns["deleted_at"]
        if stamp is not None:
            below = [each for each, _ in descendants(work, [record], deleted_at=stamp).values()]
            touched += _subtasks_deleted_with(work, record, below)
    return _each_once(touched)


def _subtasks_deleted_with(
    work: UnitOfWork, root: TaskRecord, below: list[TaskRecord]
) -> list[TaskRecord]:
    """Keep the subtasks deleted in the same batch as their root; instants may coincide."""
    if not below:
        return []
    rows = work.database.execute(
        # SQLite takes the bare column `batch` from the row that has the maximum. What an
        # undo put back into the trash is there by the batch that first put it there.
        f"{OPS_OF_TASKS} SELECT o.task_uuid, o.batch, max(o.seq) FROM own JOIN ops o"  # noqa: S608
        " ON o.seq = own.seq WHERE o.field = 'deleted_at' AND o.new IS NOT NULL"
        " AND o.undoes IS NULL GROUP BY o.task_uuid",
        (json.dumps([root.uuid, *(record.uuid for record in below)]),),
    )
    batches = {uuid: batch for uuid, batch, _ in rows}
    return [record for record in below if batches.get(record.uuid) == batches.get(root.uuid)]


def _each_once(records: Iterable[TaskRecord]) -> list[TaskRecord]:
    return list({record.row: record for record in records}.values())


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
