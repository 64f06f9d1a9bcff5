"""Closing tasks, with what hangs on them: subtasks, the next occurrence, who waits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from todo_tui.domain.changes import Children
from todo_tui.domain.errors import OpenSubtasks
from todo_tui.domain.task import Status, Task
from todo_tui.store.family import descendants
from todo_tui.store.fields import Columns
from todo_tui.store.results import Completion
from todo_tui.store.task_records import Record
from todo_tui.store.writing import TaskWriting

_NAMED = 3
"""Open subtasks that the question names."""


@dataclass(slots=True)
class Closed:
    """A task that was asked to be closed, and what came of it."""

    record: Record
    following: Record | None = None
    children: list[Record] = field(default_factory=list)
    renewed: list[Record] = field(default_factory=list)
    unblocked: list[Record] = field(default_factory=list)


def close(
    writing: TaskWriting, records: Sequence[Record], status: Status, children: Children
) -> list[Closed]:
    """Give tasks a status that is not open; those that have it already stay as they are.

    Raises:
        OpenSubtasks: nobody said what becomes of open subtasks; nothing was changed.
    """
    closed = {record.row: Closed(record) for record in records}
    closing = [record for record in records if record.columns["status"] != status]
    below = descendants(writing, [record for record in closing if record.is_open])
    still_open = [
        record for record, _ in below.values() if record.is_open and record.row not in closed
    ]
    if still_open and children is Children.ASK:
        raise _question(closing, still_open)
    along = still_open if children is Children.CLOSE else []
    owners = _owners(closed, below)
    for record in along:
        _set(writing, record, status)
        closed[owners[record.row]].children.append(record)
    rows = {record.row for record in along}
    # Subtasks first, so that what repeats finds its own as they shall be.
    for record in sorted(closing, key=lambda each: _depth(each, below), reverse=True):
        _set(writing, record, status)
        if status is Status.DONE and record.columns["recurrence"]:
            _go_on(writing, closed[record.row], rows)
    for row, waiting in _unblocked(writing, [*closing, *along]):
        closed[row if row in closed else owners[row]].unblocked.append(waiting)
    return list(closed.values())


def reopen(writing: TaskWriting, records: Sequence[Record], status: Status = Status.TODO) -> None:
    """Give tasks a status that is open."""
    for record in records:
        writing.change(record, {"status": status.value, "completed_at": None})


def set_status(
    writing: TaskWriting, records: Sequence[Record], status: Status, children: Children
) -> None:
    """Give tasks a status, be it open or not.

    Raises:
        OpenSubtasks: nobody said what becomes of open subtasks of what is closed.
    """
    if status.is_open:
        reopen(writing, records, status)
    else:
        close(writing, records, status, children)


def completion(writing: TaskWriting, closed: Closed) -> Completion:
    """What came of a completion, once the transaction is finished."""

    def tasks(records: Sequence[Record]) -> tuple[Task, ...]:
        return tuple(writing.finished[record.row] for record in records)

    return Completion(
        writing.finished[closed.record.row],
        None if closed.following is None else writing.finished[closed.following.row],
        tasks(closed.children),
        tasks(closed.renewed),
        tasks(closed.unblocked),
    )


def _set(writing: TaskWriting, record: Record, status: Status) -> None:
    columns: Columns = {"status": status.value}
    if record.is_open:
        columns["completed_at"] = writing.stamp
    writing.change(record, columns)


def _go_on(writing: TaskWriting, closed: Closed, closed_along: set[int]) -> None:
    # The calendar of repeats takes longer to import than a plain task takes to save.
    from todo_tui.store.repeating import follow

    followed = follow(writing, closed.record, closed_along)
    if followed is not None:
        closed.following = followed.record
        closed.renewed = followed.renewed


def _owners(closed: dict[int, Closed], below: dict[int, tuple[Record, Record]]) -> dict[int, int]:
    """By row of a subtask, the row of the nearest task above it that was asked for."""
    owners: dict[int, int] = {}
    for row, (_, parent) in below.items():
        owners[row] = parent.row if parent.row in closed else owners[parent.row]
    return owners


def _depth(record: Record, below: dict[int, tuple[Record, Record]]) -> int:
    """How many tasks of the gesture are above a task."""
    depth = 0
    while record.row in below:
        record = below[record.row][1]
        depth += 1
    return depth


def _unblocked(writing: TaskWriting, closed: Sequence[Record]) -> list[tuple[int, Record]]:
    """Open tasks that waited for nothing open but these, each with one that it waited for."""
    writing.flush()
    rows = writing.database.execute(
        "SELECT min(k.blocker), t.row FROM task_blockers k JOIN tasks t ON t.row = k.task"
        " WHERE k.blocker IN (SELECT value FROM json_each(?)) AND k.gone = 0"
        " AND t.status IN ('todo', 'doing') AND t.deleted_at IS NULL AND t.gone = 0"
        " AND NOT EXISTS (SELECT 1 FROM task_blockers o JOIN tasks b ON b.row = o.blocker"
        "  WHERE o.task = t.row AND o.gone = 0 AND b.status IN ('todo', 'doing')"
        "  AND b.deleted_at IS NULL AND b.gone = 0)"
        " GROUP BY t.row ORDER BY t.id",
        (json.dumps([record.row for record in closed]),),
    ).fetchall()
    return [(blocker, writing.by_row(row)) for blocker, row in rows]


def _question(parents: Sequence[Record], still_open: Sequence[Record]) -> OpenSubtasks:
    first = parents[0]
    count = len(still_open)
    names = ", ".join(f"#{each.id} {each.title}" for each in still_open[:_NAMED])
    more = f" and {count - _NAMED:,} more" if count > _NAMED else ""
    whose = f"#{first.id} {first.title}" if len(parents) == 1 else "What is to be closed"
    return OpenSubtasks(
        f"{whose} has {count:,} open subtask{'s' if count > 1 else ''}: {names}{more}.",
        hint="Say whether to close them too, or to leave them open.",
        parents=tuple(record.id for record in parents),
        subtasks=tuple((record.id, record.title) for record in still_open),
    )
