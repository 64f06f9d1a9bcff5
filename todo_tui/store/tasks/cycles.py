"""Cycles of parents and of blockers: found before they are written, and named in the error."""

from __future__ import annotations

from collections import deque
from itertools import takewhile
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.text import listed_count

if TYPE_CHECKING:
    from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_SHOWN = 4
"""Tasks named at each end of a long cycle."""


def creates_parent_cycle(work: UnitOfWork, record: TaskRecord, parent: str | None) -> bool:
    """Return True if the parent of this uuid is the task itself or one of its descendants."""
    if parent == record.uuid:
        return True
    query = "SELECT 1 FROM tasks WHERE parent = ? LIMIT 1"
    if work.database.execute(query, (record.uuid,)).fetchone() is None:
        return False
    return any(above is record for above in work.ancestors(parent))


def creates_blocker_cycle(work: UnitOfWork, record: TaskRecord, blocker: TaskRecord) -> bool:
    """Return True if the blocker directly or indirectly waits for the task."""
    if record is blocker:
        return True
    awaited = "SELECT 1 FROM task_blockers WHERE blocker = ? AND gone = 0 LIMIT 1"
    if work.database.execute(awaited, (record.row,)).fetchone() is None:
        return False
    found = work.database.execute(
        "WITH RECURSIVE waits (row) AS (VALUES (?) UNION SELECT k.blocker FROM task_blockers k"
        " JOIN waits ON k.task = waits.row AND k.gone = 0) SELECT 1 FROM waits WHERE row = ?",
        (blocker.row, record.row),
    ).fetchone()
    return found is not None


def refuse_parent_cycle(work: UnitOfWork, record: TaskRecord, parent: TaskRecord) -> None:
    """Check that a task may become a subtask of another.

    Raises:
        ValidationError: it would be its own ancestor.
    """
    if not creates_parent_cycle(work, record, parent.uuid):
        return
    if parent is record:
        raise ValidationError(f"Task #{record.id} cannot be a subtask of itself.")
    path = list(takewhile(lambda above: above is not record, work.ancestors(parent.uuid)))
    raise ValidationError(
        f"Task #{record.id} cannot be a subtask of #{parent.id}: "
        f"{_chain([record, *reversed(path)], 'contains')}.",
        hint=f"Move #{parent.id} out of #{record.id} first.",
    )


def refuse_blocker_cycle(work: UnitOfWork, record: TaskRecord, blocker: TaskRecord) -> None:
    """Check that a task may be blocked by another.

    Raises:
        ValidationError: it would wait for itself.
    """
    if not creates_blocker_cycle(work, record, blocker):
        return
    if blocker is record:
        raise ValidationError(f"Task #{record.id} cannot block itself.")
    came_from: dict[int, int | None] = {blocker.row: None}
    queue = deque([blocker.row])
    while queue and record.row not in came_from:
        row = queue.popleft()
        for awaited in work.blockers(work.by_row(row)):
            if awaited not in came_from:
                came_from[awaited] = row
                queue.append(awaited)
    path = [record]
    row_before = came_from.get(record.row)
    while row_before is not None:
        path.append(work.by_row(row_before))
        row_before = came_from[row_before]
    raise ValidationError(
        f"Task #{record.id} cannot be blocked by #{blocker.id}: "
        f"{_chain(path[::-1], 'is blocked by')}.",
        hint="Remove one of these blockers first.",
    )


def _chain(path: list[TaskRecord], verb: str) -> str:
    """Format a cycle as `#1 waits for #3, which waits for #1`, shortened in the middle."""
    ids = [f"#{record.id}" for record in path]
    if len(ids) > listed_count(len(ids), 2 * _SHOWN):
        left_out = len(ids) - 2 * _SHOWN
        ids = [*ids[:_SHOWN], f"{left_out:,} more", *ids[-_SHOWN:]]
    first, *others = ids
    return f"{first} {verb} " + f", which {verb} ".join(others)
