"""Completing, cancelling and reopening tasks: their subtasks, repeats and waiting tasks.

The functions on a unit of work raise as the methods of TaskStore.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.errors import Conflict, OpenSubtasks
from todo_tui.domain.task import Status
from todo_tui.domain.text import format_count, listed_count
from todo_tui.store.database import OPEN_SCOPE
from todo_tui.store.rows import Columns
from todo_tui.store.tasks.conditions import IS_OPEN
from todo_tui.store.tasks.hierarchy import descendants
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_NAMED = 3
"""Most open subtasks named in the question."""


class ClosedTask:
    """A task to close, and the changes that closing it caused."""

    def __init__(self, record: TaskRecord) -> None:
        self.record = record
        self.following: list[TaskRecord] = []
        """The next occurrence, if any."""
        self.children: list[TaskRecord] = []
        self.reopened_subtasks: list[TaskRecord] = []
        self.unblocked: list[TaskRecord] = []
        self.open_blockers: list[TaskRecord] = []


def close_tasks(
    work: UnitOfWork, records: Sequence[TaskRecord], status: Status, children: SubtaskPolicy
) -> list[ClosedTask]:
    """Set a closed status; tasks that have it already are left unchanged."""
    closed = {record.row: ClosedTask(record) for record in records}
    closing = [record for record in records if record.columns["status"] != status]
    below = descendants(work, [record for record in closing if record.is_open])
    still_open = [
        record for record, _ in below.values() if record.is_open and record.row not in closed
    ]
    if still_open and children is SubtaskPolicy.ASK:
        raise _open_subtasks_error(closing, still_open)
    along = still_open if children is SubtaskPolicy.CLOSE else []
    owners: dict[int, int] = {}
    """Row of the nearest closed ancestor of each subtask."""
    depths: dict[int, int] = {}
    for row, (_, parent) in below.items():
        owners[row] = parent.row if parent.row in closed else owners[parent.row]
        depths[row] = 1 + depths.get(parent.row, 0)
    for record in along:
        _write_status(work, record, status)
        closed[owners[record.row]].children.append(record)
    rows = {record.row for record in along}
    # Subtasks first, so that a recurring task finds its own in their final state.
    for record in sorted(closing, key=lambda each: depths.get(each.row, 0), reverse=True):
        _write_status(work, record, status)
        if status is Status.DONE and record.columns["recurrence"]:
            # Deferred: only recurring tasks need the recurrence calendar.
            from todo_tui.store.tasks.occurrences import create_next_occurrence

            following = create_next_occurrence(work, record, rows)
            closed[record.row].following = following[:1]
            closed[record.row].reopened_subtasks = following[1:]
    for row, waiting in _unblocked(work, [*closing, *along]):
        closed[row if row in closed else owners[row]].unblocked.append(waiting)
    for row, blocker in _open_blockers(work, [*closing, *along]):
        closed[row if row in closed else owners[row]].open_blockers.append(blocker)
    return list(closed.values())


class ReopenedTask(NamedTuple):
    """A reopened task; its next occurrence that was removed, or the one that stays."""

    record: TaskRecord
    removed: TaskRecord | None = None
    kept: TaskRecord | None = None


def find_open_occurrence(work: UnitOfWork, series: str) -> TaskRecord | None:
    """Return the open occurrence of a series outside the trash; None if there is none."""
    live = work.database.execute(
        f"SELECT row FROM tasks WHERE user = ? AND series = ? AND {OPEN_SCOPE} LIMIT 1",  # noqa: S608
        (work.user, series),
    ).fetchone()
    return None if live is None else work.by_row(live[0])


def require_open_occurrence(work: UnitOfWork, record: TaskRecord) -> None:
    """Check that a task is open.

    Raises:
        Conflict: it is not; names the open occurrence of its series.
    """
    if record.is_open:
        return
    series = record.columns["series"]
    following = None if series is None else find_open_occurrence(work, series)
    way = f"Its next occurrence is #{following.id}." if following else "Reopen the task first."
    state = "completed" if record.columns["status"] == Status.DONE else "cancelled"
    raise Conflict(f"Task #{record.id} is {state}.", hint=way)


def set_open(work: UnitOfWork, record: TaskRecord, status: Status) -> ReopenedTask:
    """Set an open status; the next occurrence that completing it created is removed."""
    reopened = ReopenedTask(record)
    if record.columns["status"] == Status.DONE and record.columns["recurrence"]:
        from todo_tui.store.tasks.occurrences import remove_next_occurrence

        reopened = ReopenedTask(record, *remove_next_occurrence(work, record))
    work.change(record, {"status": status.value, "completed_at": None})
    return reopened


def set_status(
    work: UnitOfWork, records: Sequence[TaskRecord], status: Status, children: SubtaskPolicy
) -> None:
    """Set a status, open or closed; cancelled skips an occurrence that has a following one."""
    if status.is_open:
        for record in records:
            set_open(work, record, status)
    else:
        if status is Status.CANCELLED:
            records = [record for record in records if not _skips(work, record)]
        close_tasks(work, records, status, children)


def _skips(work: UnitOfWork, record: TaskRecord) -> bool:
    """Advance a recurring task to its next date; return False if there is none."""
    if not (record.is_open and record.columns["recurrence"]):
        return False
    from todo_tui.store.tasks.occurrences import skip_occurrence

    try:
        skip_occurrence(work, record, missed=False)
    except Conflict:
        return False
    return True


def _write_status(work: UnitOfWork, record: TaskRecord, status: Status) -> None:
    columns: Columns = {"status": status.value}
    if record.is_open:
        columns["completed_at"] = work.stamp
    work.change(record, columns)


def _unblocked(work: UnitOfWork, closed: Sequence[TaskRecord]) -> list[tuple[int, TaskRecord]]:
    """Return open tasks with no open blocker left, each with one of the closed ones."""
    rows = work.database.execute(
        "SELECT min(k.blocker), t.row FROM task_blockers k JOIN tasks t ON t.row = k.task"
        " WHERE k.blocker IN (SELECT value FROM json_each(?)) AND k.gone = 0"
        " AND t.status IN ('todo', 'doing') AND t.deleted_at IS NULL AND t.gone = 0"
        " AND NOT EXISTS (SELECT 1 FROM task_blockers o JOIN tasks b ON b.row = o.blocker"
        "  WHERE o.task = t.row AND o.gone = 0 AND b.status IN ('todo', 'doing')"
        "  AND b.deleted_at IS NULL AND b.gone = 0)"
        " GROUP BY t.row ORDER BY t.id",
        (json.dumps([record.row for record in closed]),),
    ).fetchall()
    return [(blocker, work.by_row(row)) for blocker, row in rows]


def _open_blockers(work: UnitOfWork, closed: Sequence[TaskRecord]) -> list[tuple[int, TaskRecord]]:
    """Return the open blockers of the closed tasks, each once, with one that it blocks."""
    rows = work.database.execute(
        "SELECT min(k.task), b.row FROM task_blockers k"  # noqa: S608 - constants only
        f" JOIN tasks b ON b.row = k.blocker AND {IS_OPEN.format('b')}"
        " WHERE k.task IN (SELECT value FROM json_each(?)) AND k.gone = 0"
        " GROUP BY b.row ORDER BY b.id",
        (json.dumps([record.row for record in closed]),),
    ).fetchall()
    return [(task, work.by_row(row)) for task, row in rows]


def _open_subtasks_error(
    parents: Sequence[TaskRecord], still_open: Sequence[TaskRecord]
) -> OpenSubtasks:
    first = parents[0]
    count = len(still_open)
    named = listed_count(count, _NAMED)
    names = ", ".join(f"#{each.id} {each.title}" for each in still_open[:named])
    more = f" and {count - named:,} more" if count > named else ""
    whose = f"#{first.id} {first.title} has" if len(parents) == 1 else "These tasks have"
    return OpenSubtasks(
        f"{whose} {format_count(count, 'open subtask')}: {names}{more}.",
        hint="Complete the subtasks too, or leave them open.",
        parents=tuple(record.id for record in parents),
        subtasks=tuple((record.id, record.title) for record in still_open),
    )
