"""Into the trash and out of it again, a task with all that is below it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from todo_tui.store.family import descendants
from todo_tui.store.task_ops import OPS_OF_TASKS
from todo_tui.store.task_records import Record
from todo_tui.store.writing import TaskWriting


def move_to_trash(writing: TaskWriting, records: Sequence[Record]) -> list[Record]:
    """Move tasks to the trash with what is below them; the tasks, then those others."""
    below = [record for record, _ in descendants(writing, records).values()]
    touched = _each_once([*records, *below])
    for record in touched:
        if not record.in_trash:
            writing.change(record, {"deleted_at": writing.stamp})
    return touched


def restore(writing: TaskWriting, records: Sequence[Record]) -> list[Record]:
    """Take tasks out of the trash with what went there along with them."""
    touched = with_those_deleted_along(writing, records)
    for record in touched:
        writing.change(record, {"deleted_at": None})
    return touched


def with_those_deleted_along(writing: TaskWriting, records: Sequence[Record]) -> list[Record]:
    """The tasks, then those below them that went to the trash in the same moment."""
    touched = list(records)
    for record in records:
        stamp = record.columns["deleted_at"]
        if stamp is not None:
            below = [each for each, _ in descendants(writing, [record], deleted_at=stamp).values()]
            touched += _deleted_along(writing, record, below)
    return _each_once(touched)


def _deleted_along(writing: TaskWriting, root: Record, below: list[Record]) -> list[Record]:
    """Those that were deleted in the batch in which their root was; clocks may stand still."""
    if not below:
        return []
    rows = writing.database.execute(
        # SQLite takes the bare column `batch` from the row that has the maximum. What an
        # undo put back into the trash is there by the batch that first put it there.
        f"{OPS_OF_TASKS} SELECT o.task_uuid, o.batch, max(o.seq) FROM own JOIN ops o"  # noqa: S608
        " ON o.seq = own.seq WHERE o.field = 'deleted_at' AND o.new IS NOT NULL"
        " AND o.undoes IS NULL GROUP BY o.task_uuid",
        (json.dumps([root.uuid, *(record.uuid for record in below)]),),
    )
    batches = {uuid: batch for uuid, batch, _ in rows}
    return [record for record in below if batches.get(record.uuid) == batches.get(root.uuid)]


def _each_once(records: Iterable[Record]) -> list[Record]:
    return list({record.row: record for record in records}.values())
