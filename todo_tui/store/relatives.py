"""How tasks stand among the others: blocked or not, how far, what is below and what waits."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from sqlite3 import Connection

from todo_tui.domain.task import Task
from todo_tui.store.results import Descendant, Progress, Standing
from todo_tui.store.rows import TASK_SELECT, task_from_row

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


def read_parents(database: Connection, user: str) -> dict[int, int]:
    """By number of every subtask outside the trash, the number of its parent."""
    return dict(database.execute(_PARENTS, (user,)).fetchall())


def read_standing(database: Connection, user: str, ids: Sequence[int]) -> dict[int, Standing]:
    """The standing of each of these tasks, by id."""
    wanted = json.dumps(list(ids))
    blocked = {row[0] for row in database.execute(_BLOCKED, (user, wanted))}
    progress = {
        root: Progress(done, total)
        for root, done, total in database.execute(_PROGRESS, (user, wanted))
    }
    return {task_id: Standing(task_id in blocked, progress.get(task_id)) for task_id in ids}


def read_blocked(database: Connection, user: str) -> frozenset[int]:
    """The ids of all open tasks that wait for an open one."""
    return frozenset(row[0] for row in database.execute(_ALL_BLOCKED, (user,)))


def read_waiting(database: Connection, user: str, task_id: int) -> tuple[Task, ...]:
    """The open tasks that wait for this one, by id."""
    return tuple(map(task_from_row, database.execute(_WAITING, (user, task_id))))


def read_subtree(
    database: Connection, user: str, task_id: int, *, deleted_along: bool = False
) -> tuple[Descendant, ...]:
    """What is below a task, each subtask followed by its own, in manual order.

    Of a task in the trash those that went there with it, if `deleted_along`.
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
    # By hand: a thousand levels are more than the interpreter recurses.
    ahead = [(1, row) for row in _by_place(children[root], tasks)]
    while ahead:
        depth, row = ahead.pop()
        in_order.append(Descendant(depth, tasks[row]))
        ahead += [(depth + 1, child) for child in _by_place(children[row], tasks)]
    return tuple(in_order)


def _by_place(rows: list[int], tasks: dict[int, Task]) -> list[int]:
    """The last one first, because it is taken from the end."""
    return sorted(rows, key=lambda row: (tasks[row].position, tasks[row].id), reverse=True)
