"""What happened to one task, as the operation log has it."""

from __future__ import annotations

import json
from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.task import Actor
from todo_tui.store.results import PastChange
from todo_tui.store.task_ops import OPS_OF_TASKS


def read_history(database: Connection, user: str, task_id: int) -> tuple[PastChange, ...]:
    """Every change of a task, oldest first; what undo left alone is not among them."""
    found = database.execute(
        "SELECT uuid FROM tasks WHERE user = ? AND id = ? AND gone = 0", (user, task_id)
    ).fetchone()
    if found is None:
        return ()
    rows = database.execute(
        f"{OPS_OF_TASKS} SELECT o.at, o.actor, o.kind, o.field, {_named('old')}, {_named('new')},"  # noqa: S608
        " o.undoes IS NOT NULL FROM own JOIN ops o ON o.seq = own.seq"
        " WHERE o.user = ? AND o.kind <> 'skip' ORDER BY o.seq",
        (json.dumps(found), user),
    )
    return tuple(
        PastChange(datetime.fromisoformat(at), Actor(actor), kind, field, old, new, bool(undoes))
        for at, actor, kind, field, old, new, undoes in rows
    )


def _named(column: str) -> str:
    """A value of the log, other tasks by their ids."""
    return (
        "CASE WHEN o.field IN ('parent', 'blocked_by') THEN (SELECT CAST(r.id AS TEXT)"  # noqa: S608
        f" FROM tasks r WHERE r.uuid = o.{column} AND r.user = o.user) ELSE o.{column} END"
    )
