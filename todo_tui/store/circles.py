"""Why a task cannot be put where it would be part of itself, or wait for itself."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from todo_tui.domain.errors import ValidationError

if TYPE_CHECKING:
    from todo_tui.store.task_records import Record
    from todo_tui.store.writing import TaskWriting

_SHOWN = 4
"""Tasks that are named at each end of a long circle."""


def circle_of_parts(writing: TaskWriting, record: Record, parent: Record) -> ValidationError:
    """The refusal to put a task under one that is part of it."""
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


def circle_of_waiting(writing: TaskWriting, record: Record, blocker: Record) -> ValidationError:
    """The refusal to let a task wait for one that waits for it."""
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
