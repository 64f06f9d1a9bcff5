"""Subtasks and blockers: descendants, progress, cycles, trash and restore of subtrees."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from sqlite3 import Connection

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import Task
from todo_tui.store.database import DatabaseFile
from todo_tui.store.operations.oplog import OPS_OF_TASKS
from todo_tui.store.rows import TASK_SELECT, task_from_row
from todo_tui.store.tasks.select import DependencyStatus, Descendant, SubtaskProgress
from todo_tui.store.tasks.unit_of_work import TaskRecord, UnitOfWork

_SHOWN = 4
"""Tasks named at each end of a long cycle."""
_BELOW = """
WITH RECURSIVE below (row, uuid, above) AS (
    SELECT row, uuid, NULL FROM tasks WHERE row IN (SELECT value FROM json_each(?))
    UNION
    SELECT t.row, t.uuid, below.row FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS {stamp}
) SELECT row, above FROM below WHERE above IS NOT NULL
"""
_OPEN = "status IN ('todo', 'doing') AND deleted_at IS NULL AND gone = 0"
_IS_OPEN_QUERY = f"SELECT 1 FROM tasks WHERE user = ? AND id = ? AND {_OPEN}"  # noqa: S608 - constants
_PARENT = (
    "SELECT p.id FROM tasks t JOIN tasks p ON p.uuid = t.parent"
    " WHERE t.user = ? AND t.id = ? AND p.gone = 0"
)
_HAS_CHILDREN = (
    "SELECT 1 FROM tasks t JOIN tasks c ON c.parent = t.uuid"
    " WHERE t.user = ? AND t.id = ? AND c.deleted_at IS NULL AND c.gone = 0 LIMIT 1"
)
_IS_BLOCKING = (
    "SELECT 1 FROM tasks t JOIN task_blockers k ON k.blocker = t.row JOIN tasks w ON w.row = k.task"
    " WHERE t.user = ? AND t.id = ? AND k.gone = 0"
    " AND w.status IN ('todo', 'doing') AND w.deleted_at IS NULL AND w.gone = 0 LIMIT 1"
)
_IS_OPEN = "{0}.status IN ('todo', 'doing') AND {0}.deleted_at IS NULL AND {0}.gone = 0"
_BLOCKED = f"""
SELECT DISTINCT t.id FROM tasks t
    JOIN task_blockers k ON k.task = t.row AND k.gone = 0
    JOIN tasks b ON b.row = k.blocker AND {_IS_OPEN.format("b")}
WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?)) AND {_IS_OPEN.format("t")}
"""  # noqa: S608 - constants only
_ALL_BLOCKED = f"""
SELECT DISTINCT t.id FROM task_blockers k
    JOIN tasks t ON t.row = k.task AND +t.user = ? AND {_IS_OPEN.format("t")}
    JOIN tasks b ON b.row = k.blocker AND {_IS_OPEN.format("b")}
WHERE k.gone = 0
"""  # noqa: S608
_PROGRESS = """
WITH RECURSIVE below (root, row, uuid, status) AS (
    SELECT t.id, c.row, c.uuid, c.status FROM tasks t
        JOIN tasks c ON c.parent = t.uuid AND c.gone = 0 AND c.deleted_at IS NULL
    WHERE t.user = ? AND t.id IN (SELECT value FROM json_each(?))
    UNION
    SELECT below.root, t.row, t.uuid, t.status FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS NULL
) SELECT root, sum(status = 'done'), sum(status <> 'cancelled') FROM below GROUP BY root
"""
_PARENTS = """
SELECT c.id, p.id FROM tasks c
    JOIN tasks p ON p.uuid = c.parent AND p.gone = 0 AND p.deleted_at IS NULL
WHERE c.parent IS NOT NULL AND +c.user = ? AND c.gone = 0 AND c.deleted_at IS NULL
"""
_SUBTREE = f"""
WITH RECURSIVE below (row, uuid, above, stamp) AS (
    SELECT row, uuid, NULL, CASE WHEN ? THEN deleted_at END FROM tasks WHERE user = ? AND id = ?
    UNION
    SELECT t.row, t.uuid, below.row, below.stamp FROM below
        JOIN tasks t ON t.parent = below.uuid AND t.gone = 0 AND t.deleted_at IS below.stamp
)
{TASK_SELECT.replace("SELECT t.id", "SELECT below.row, below.above, t.id", 1)}
JOIN below ON below.row = t.row
"""  # noqa: S608
_WAITING = (
    TASK_SELECT + "JOIN task_blockers k ON k.task = t.row AND k.gone = 0"
    " JOIN tasks b ON b.row = k.blocker"
    f" WHERE b.user = ? AND b.id = ? AND {_IS_OPEN.format('t')} ORDER BY t.id"
)


def creates_parent_cycle(writing: UnitOfWork, record: TaskRecord, parent: str | None) -> bool:
    """Return True if the parent of this uuid is the task itself or one of its descendants."""
    if parent is None or parent == record.uuid or not writing.may_have_children(record):
        return parent == record.uuid
    above: str | None = parent
    while above is not None and above != record.uuid:
        found = writing.by_uuid(above)
        above = None if found is None else found.columns["parent"]
    return above is not None


def creates_blocker_cycle(writing: UnitOfWork, record: TaskRecord, blocker: TaskRecord) -> bool:
    """Return True if the blocker directly or indirectly waits for the task."""
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


def refuse_parent_cycle(writing: UnitOfWork, record: TaskRecord, parent: TaskRecord) -> None:
    """Check that a task may become a subtask of another one.

    Raises:
        ValidationError: it would be its own ancestor; names the cycle.
    """
    if creates_parent_cycle(writing, record, parent.uuid):
        raise _parent_cycle(writing, record, parent)


def refuse_blocker_cycle(writing: UnitOfWork, record: TaskRecord, blocker: TaskRecord) -> None:
    """Check that a task may wait for another one.

    Raises:
        ValidationError: it would wait for itself; names the cycle.
    """
    if creates_blocker_cycle(writing, record, blocker):
        raise _blocker_cycle(writing, record, blocker)


def _parent_cycle(writing: UnitOfWork, record: TaskRecord, parent: TaskRecord) -> ValidationError:
    if parent is record:
        return ValidationError(f"Task #{record.id} cannot be part of itself.")
    path = [record]
    above: TaskRecord | None = parent
    while above is not None and above is not record:
        path.append(above)
        uuid = above.columns["parent"]
        above = None if uuid is None else writing.by_uuid(uuid)
    return ValidationError(
        f"Task #{record.id} cannot be part of #{parent.id}, which is part of it: "
        f"{_chain([record, *reversed(path[1:])], 'contains')}.",
        hint=f"Move #{parent.id} out first.",
    )


def _blocker_cycle(writing: UnitOfWork, record: TaskRecord, blocker: TaskRecord) -> ValidationError:
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


def _chain(path: list[TaskRecord], verb: str) -> str:
    """Format a cycle as `#1 waits for #3, which waits for #1`, shortened in the middle."""
    ids = [f"#{record.id}" for record in path]
    if len(ids) > 2 * _SHOWN:
        left_out = len(ids) - 2 * _SHOWN
        ids = [*ids[:_SHOWN], f"{left_out:,} more", *ids[-_SHOWN:]]
    first, *others = ids
    return f"{first} {verb} " + f", which {verb} ".join(others)


def descendants(
    writing: UnitOfWork, roots: Sequence[TaskRecord], *, deleted_at: str | None = None
) -> dict[int, tuple[TaskRecord, TaskRecord]]:
    """Map row numbers to each descendant of the roots and its parent; parents come first.

    A root below another one is included too. With `deleted_at` only tasks in the trash with
    exactly that value are followed, else only tasks outside the trash.
    """
    writing.flush()
    values = [json.dumps([root.row for root in roots])]
    if deleted_at is not None:
        values.append(deleted_at)
    query = _BELOW.format(stamp="NULL" if deleted_at is None else "?")
    pairs = writing.database.execute(query, values).fetchall()
    # Each row occurs once, with its parent.
    above = dict(pairs)
    records = {record.row: record for record in writing.by_rows({*above, *above.values()})}
    return {row: (records[row], records[parent]) for row, parent in above.items()}


class StoredTaskRelations:
    """Relations between the tasks of one user; see `todo_tui.domain.filters.matching`."""

    def __init__(self, file: DatabaseFile, *, user: str) -> None:
        self._file = file
        self._user = user

    def is_open(self, task_id: int) -> bool:
        """Return True if the task is todo or doing, and not in the trash."""
        return self._found(_IS_OPEN_QUERY, task_id) is not None

    def parent_of(self, task_id: int) -> int | None:
        """Return the id of the parent."""
        return self._found(_PARENT, task_id)

    def has_children(self, task_id: int) -> bool:
        """Return True if the task has a direct subtask outside the trash."""
        return self._found(_HAS_CHILDREN, task_id) is not None

    def is_blocking(self, task_id: int) -> bool:
        """Return True if an open task waits for this one."""
        return self._found(_IS_BLOCKING, task_id) is not None

    def _found(self, question: str, task_id: int) -> int | None:
        with self._file.reading() as database:
            row = database.execute(question, (self._user, task_id)).fetchone()
        return None if row is None else int(row[0])


def read_parents(database: Connection, user: str) -> dict[int, int]:
    """Map the id of every subtask outside the trash to the id of its parent."""
    return dict(database.execute(_PARENTS, (user,)).fetchall())


def read_dependency_status(
    database: Connection, user: str, ids: Sequence[int]
) -> dict[int, DependencyStatus]:
    """Read the dependency status of tasks, by id."""
    wanted = json.dumps(list(ids))
    blocked = {row[0] for row in database.execute(_BLOCKED, (user, wanted))}
    progress = {
        root: SubtaskProgress(done, total)
        for root, done, total in database.execute(_PROGRESS, (user, wanted))
    }
    return {task_id: DependencyStatus(task_id in blocked, progress.get(task_id)) for task_id in ids}


def read_blocked(database: Connection, user: str) -> frozenset[int]:
    """Read the ids of all open tasks that wait for an open one."""
    return frozenset(row[0] for row in database.execute(_ALL_BLOCKED, (user,)))


def read_waiting_tasks(database: Connection, user: str, task_id: int) -> tuple[Task, ...]:
    """Read the open tasks that wait for this one, by id."""
    return tuple(map(task_from_row, database.execute(_WAITING, (user, task_id))))


def read_subtree(
    database: Connection, user: str, task_id: int, *, deleted_along: bool = False
) -> tuple[Descendant, ...]:
    """Read the descendants of a task in depth-first and manual order.

    With `deleted_along`, those of a task in the trash that were deleted with it.
    """
    tasks: dict[int, Task] = {}
    children: dict[int, list[int]] = defaultdict(list)
    root: int | None = None
    for row, above, *values in database.execute(_SUBTREE, (deleted_along, user, task_id)):
        if above is None:
            root = row
            continue
        tasks[row] = task_from_row(tuple(values))
        children[above].append(row)
    if root is None:
        return ()
    in_order: list[Descendant] = []
    # Iterative: a thousand levels exceed the recursion limit.
    ahead = [(1, row) for row in _by_place(children[root], tasks)]
    while ahead:
        depth, row = ahead.pop()
        in_order.append(Descendant(depth, tasks[row]))
        ahead += [(depth + 1, child) for child in _by_place(children[row], tasks)]
    return tuple(in_order)


def _by_place(rows: list[int], tasks: dict[int, Task]) -> list[int]:
    """Sort by position in descending order, because rows are popped from the end."""
    return sorted(rows, key=lambda row: (tasks[row].position, tasks[row].id), reverse=True)


def move_to_trash(writing: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Move subtrees to the trash; return the given tasks, then their descendants."""
    below = [record for record, _ in descendants(writing, records).values()]
    touched = _each_once([*records, *below])
    for record in touched:
        if not record.in_trash:
            writing.change(record, {"deleted_at": writing.stamp})
    return touched


def restore_tasks(writing: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Restore tasks with the descendants that were deleted along with them."""
    touched = with_deleted_subtasks(writing, records)
    for record in touched:
        writing.change(record, {"deleted_at": None})
    return touched


def with_deleted_subtasks(writing: UnitOfWork, records: Sequence[TaskRecord]) -> list[TaskRecord]:
    """Return the tasks, then their descendants that were deleted at the same moment."""
    touched = list(records)
    for record in records:
        stamp = record.columns["deleted_at"]
        if stamp is not None:
            below = [each for each, _ in descendants(writing, [record], deleted_at=stamp).values()]
            touched += _subtasks_deleted_with(writing, record, below)
    return _each_once(touched)


def _subtasks_deleted_with(
    writing: UnitOfWork, root: TaskRecord, below: list[TaskRecord]
) -> list[TaskRecord]:
    """Keep the subtasks deleted in the same batch as their root; instants may coincide."""
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


def _each_once(records: Iterable[TaskRecord]) -> list[TaskRecord]:
    return list({record.row: record for record in records}.values())
