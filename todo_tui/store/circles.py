"""Circles: whether a task would be part of itself, or wait for itself, and why it must not."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ValidationError

if TYPE_CHECKING:
    from todo_tui.store.task_records import Record
    from todo_tui.store.writing import TaskWriting

_SHOWN = 4
"""Tasks that are named at each end of a long circle."""


def would_contain_itself(writing: TaskWriting, record: Record, parent: str | None) -> bool:
    """Whether a task would be its own ancestor under the parent of this uuid."""
    if parent is None or parent == record.uuid or not writing.may_have_children(record):
        return parent == record.uuid
    above: str | None = parent
    while above is not None and above != record.uuid:
        found = writing.by_uuid(above)
        above = None if found is None else found.columns["parent"]
    return above is not None


def would_wait_for_itself(writing: TaskWriting, record: Record, blocker: Record) -> bool:
    """Whether a task would wait for itself, at once or through others."""
    if record is blocker:
        return True
    awaited = "SELECT 1 FROM task_blockers WHERE blocker = ? AND gone = 0 LIMIT 1"
    if writing.database.execute(awaited, (record.row,)).fetchone() is None:
        return False
    found = writing.database.execute(
        "WITH RECURSIVE waits (row) AS (VALUES (?) UNION SELECT k.blocker FROM task_blockers k"
        " JOIN waits ON k.task = waits.row AND k.gone = 0) SELECT 1 FROM waits WHERE row = ?",
        (blocker.row, record.row),
    ).fetchone()
    return found is not None


def refuse_circle_of_parts(writing: TaskWriting, record: Record, parent: Record) -> None:
    """Make sure that a task may be put under another one.

    Raises:
        ValidationError: it would be its own ancestor; names the circle.
    """
    if would_contain_itself(writing, record, parent.uuid):
        raise _circle_of_parts(writing, record, parent)


def refuse_circle_of_waiting(writing: TaskWriting, record: Record, blocker: Record) -> None:
    """Make sure that a task may wait for another one.

    Raises:
        ValidationError: it would wait for itself; names the circle.
    """
    if would_wait_for_itself(writing, record, blocker):
        raise _circle_of_waiting(writing, record, blocker)


def _circle_of_parts(writing: TaskWriting, record: Record, parent: Record) -> ValidationError:
    if parent is record:
        return ValidationError(f"Task #{record.id} cannot be part of itself.")
    path = [record]
    above: Record | None = parent
    while above is not None and above is not record:
        path.append(above)
        uuid = above.columns["parent"]
        above = None if uuid is None else writing.by_uuid(uuid)
    return ValidationError(
        f"Task #{record.id} cannot be part of #{parent.id}, which is part of it: "
        f"{_chain([record, *reversed(path[1:])], 'contains')}.",
        hint=f"Move #{parent.id} out first.",
    )


def _circle_of_waiting(writing: TaskWriting, record: Record, blocker: Record) -> ValidationError:
    if blocker is record:
        return ValidationError(f"Task #{record.id} would wait for itself.")
    came_from: dict[int, int | None] = {blocker.row: None}
    queue = deque([blocker.row])
    while queue and record.row not in came_from:
        row = queue.popleft()
        for awaited in writing.blockers(writing.by_row(row)):
            if awaited not in came_from:
                came_from[awaited] = row
                queue.append(awaited)
    path = [record]
    row_before = came_from.get(record.row)
    while row_before is not None:
        path.append(writing.by_row(row_before))
        row_before = came_from[row_before]
    return ValidationError(
        f"Task #{record.id} cannot wait for #{blocker.id}, or it would wait for itself: "
        f"{_chain(path[::-1], 'waits for')}.",
    )


def _chain(path: list[Record], verb: str) -> str:
    """`#1 waits for #3, which waits for #1`; of a long one the middle is left out."""
    ids = [f"#{record.id}" for record in path]
    if len(ids) > 2 * _SHOWN:
        left_out = len(ids) - 2 * _SHOWN
        ids = [*ids[:_SHOWN], f"{left_out:,} more", *ids[-_SHOWN:]]
    first, *others = ids
    return f"{first} {verb} " + f", which {verb} ".join(others)
