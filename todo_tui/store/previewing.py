"""What an undo or redo would touch, found out without doing it."""

from __future__ import annotations

from todo_tui.store.database import DatabaseFile
from todo_tui.store.undoing import next_redo, next_undo


def tasks_of_next(file: DatabaseFile, user: str, *, redo: bool) -> tuple[tuple[int, str], ...]:
    """(id, title) of the tasks in the batch that comes next, by id; none where none does."""
    with file.reading() as database:
        batch = next_redo(database, user) if redo else next_undo(database, user)
        if batch is None:
            return ()
        rows = database.execute(
            "SELECT DISTINCT t.id, t.title FROM ops o JOIN tasks t ON t.uuid = o.task_uuid"
            " WHERE o.seq BETWEEN ? AND ? AND o.user = ? AND o.batch = ? ORDER BY t.id",
            (batch.first_op, batch.last_op, user, batch.id),
        ).fetchall()
    return tuple((task_id, title) for task_id, title in rows)
