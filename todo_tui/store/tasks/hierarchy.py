"""The tree of tasks: descendants, and subtrees moved to the trash and back."""

import json
from collections.abc import Iterable, Sequence

from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_BELOW = """
WITH RECURSIVE below (row, uuid, above) AS (
    SELECT row, uuid, NULL FROM tasks WHERE row IN (SELECT value FROM json_each(?))
    UNION
    SELECT t.row, t.uuid, below.row FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS ?
) SELECT row, above FROM below WHERE above IS NOT NULL
"""


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
