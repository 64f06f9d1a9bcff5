"""What happened to one task, as the operation log has it."""

from __future__ import annotations

from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.task import Actor
from todo_tui.store.results import PastChange


def read_history(database: Connection, user: str, task_id: int) -> tuple[PastChange, ...]:
    """Every change of a task, oldest first; what undo left alone is not among them."""
    rows = database.execute(
        f"SELECT o.at, o.actor, o.kind, o.field, {_named('old')}, {_named('new')},"  # noqa: S608
        " o.undoes IS NOT NULL FROM ops o JOIN tasks t ON t.uuid = o.task_uuid"
        " WHERE t.user = ? AND t.id = ? AND t.gone = 0 AND o.user = t.user AND o.kind <> 'skip'"
        " ORDER BY o.seq",
        (user, task_id),
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
