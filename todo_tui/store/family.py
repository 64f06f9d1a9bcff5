"""What is below a task: its subtasks, at any depth and without a limit to it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from todo_tui.store.task_records import Record
from todo_tui.store.writing import TaskWriting

_BELOW = """
WITH RECURSIVE below (row, uuid, above) AS (
    SELECT row, uuid, NULL FROM tasks WHERE row IN (SELECT value FROM json_each(?))
    UNION
    SELECT t.row, t.uuid, below.row FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS {stamp}
) SELECT row, above FROM below WHERE above IS NOT NULL
"""


def descendants(
    writing: TaskWriting, roots: Sequence[Record], *, deleted_at: str | None = None
) -> dict[int, tuple[Record, Record]]:
    """By row number, each task below one of the roots with its parent; parents come first.

    A root that is below another one is in it too. Of what is in the trash only those
    with that very `deleted_at` are followed, else none.
    """
    writing.flush()
    values = [json.dumps([root.row for root in roots])]
    if deleted_at is not None:
        values.append(deleted_at)
    query = _BELOW.format(stamp="NULL" if deleted_at is None else "?")
    pairs = writing.database.execute(query, values).fetchall()
    # A row comes once, with the parent that it has.
    above = dict(pairs)
    records = {record.row: record for record in writing.by_rows({*above, *above.values()})}
    return {row: (records[row], records[parent]) for row, parent in above.items()}
