"""Where the operation log holds what happened to a task, or to several."""

from __future__ import annotations

from todo_tui.store.file_format import STARTS_OF_OPS

OPS_OF_TASKS = f"""
WITH RECURSIVE own (seq, task_uuid) AS (
    SELECT seq, task_uuid FROM ops
        WHERE task_uuid IN (SELECT value FROM json_each(?)) AND {STARTS_OF_OPS}
    UNION
    SELECT o.seq, o.task_uuid FROM own CROSS JOIN ops o
        ON o.seq = own.seq + 1 AND o.task_uuid = own.task_uuid
)
"""  # noqa: S608 - a constant
"""Begins a query about all operations (`seq`, `task_uuid`) of a JSON array of uuids.

The index over tasks leaves out what an import set when it made them; these follow one
that is in it.
"""
