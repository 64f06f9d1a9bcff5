"""What an undo or redo asked for in a conversation would touch, found out without doing it."""

from __future__ import annotations

from datetime import datetime
from sqlite3 import Connection

from todo_tui.domain.task import Actor
from todo_tui.store.database import DatabaseFile
from todo_tui.store.oplog import BatchKind
from todo_tui.store.results import Origin, UndoPreview
from todo_tui.store.undoing import Batch, before_target, newest_batch, next_redo, next_undo

_ORIGINS = {
    Actor.USER: Origin.APP,
    Actor.CLI: Origin.SHELL,
    Actor.MCP: Origin.MCP,
    Actor.IMPORT: Origin.IMPORT,
}


def preview_undo(
    file: DatabaseFile, user: str, turn_id: str | None, *, redo: bool
) -> UndoPreview | None:
    """Return the batch that comes next, as seen from the conversation of a turn; None: no such.

    Without a turn, or with one that is not stored, no change counts as the conversation's
    own but those of that very turn.
    """
    with file.reading() as database:
        batch = next_redo(database, user) if redo else next_undo(database, user)
        if batch is None:
            return None
        conversation = _Conversation(database, user, turn_id)
        at, origin = conversation.made(batch)
        expected = (
            origin is Origin.CONVERSATION
            and conversation.changed_lately()
            and not conversation.changed_elsewhere()
        )
        return UndoPreview(batch.id, at, origin, expected, _tasks(database, user, batch))


class _Conversation:
    """The conversation of a turn, and what its turns have written."""

    def __init__(self, database: Connection, user: str, turn_id: str | None) -> None:
        self._database = database
        self._user = user
        self._turn_id = turn_id
        row = database.execute(
            "SELECT conversation_id, seq FROM turns WHERE id = ?", (turn_id,)
        ).fetchone()
        self._id: str | None = row[0] if row else None
        self._seq: int = row[1] if row else 0

    def made(self, batch: Batch) -> tuple[datetime, Origin]:
        """When and where a batch was made."""
        at, actor, turn_id, conversation_id = self._database.execute(
            "SELECT o.at, o.actor, o.turn_id, t.conversation_id FROM ops o"
            " LEFT JOIN turns t ON t.id = o.turn_id WHERE o.seq = ?",
            (batch.first_op,),
        ).fetchone()
        origin = _ORIGINS.get(Actor(actor), Origin.OTHER_CONVERSATION)
        if turn_id is not None:
            same = conversation_id is not None and conversation_id == self._id
            own = turn_id == self._turn_id or same
            origin = Origin.CONVERSATION if own else Origin.OTHER_CONVERSATION
        return datetime.fromisoformat(at), origin

    def changed_lately(self) -> bool:
        """Whether the current turn or the one before it has written."""
        (before,) = self._database.execute(
            "SELECT max(seq) FROM turns WHERE conversation_id = ? AND seq < ?",
            (self._id, self._seq),
        ).fetchone()
        (found,) = self._database.execute(
            "SELECT EXISTS (SELECT 1 FROM ops WHERE user = ?"
            " AND turn_id IN (?, (SELECT id FROM turns WHERE seq = ?)))",
            (self._user, self._turn_id, before),
        ).fetchone()
        return bool(found)

    def changed_elsewhere(self) -> bool:
        """Whether somebody else wrote last, apart from what he took back again himself."""
        batch = newest_batch(self._database, self._user)
        while batch is not None and not self._owns(batch):
            if batch.kind is BatchKind.DO or self._owns_target(batch):
                return True
            batch = before_target(self._database, self._user, batch)
        return False

    def _owns(self, batch: Batch) -> bool:
        return self.made(batch)[1] is Origin.CONVERSATION

    def _owns_target(self, batch: Batch) -> bool:
        (first_op,) = self._database.execute(
            "SELECT first_op FROM batches WHERE user = ? AND batch = ?",
            (self._user, batch.target),
        ).fetchone()
        return self._owns(Batch("", BatchKind.DO, None, first_op, first_op))


_VERBS = """CASE min(CASE
    WHEN o.kind = 'create' THEN 1
    WHEN o.kind = 'destroy' THEN 2
    WHEN o.field = 'deleted_at' AND o.new IS NOT NULL THEN 3
    WHEN o.field = 'deleted_at' THEN 4
    WHEN o.field = 'status' AND o.new = 'done' THEN 5
    WHEN o.field = 'status' AND o.new = 'cancelled' THEN 6
    WHEN o.field = 'status' AND o.old IN ('done', 'cancelled') THEN 7
    ELSE 8 END)
    WHEN 1 THEN 'Added' WHEN 2 THEN 'Removed' WHEN 3 THEN 'Deleted' WHEN 4 THEN 'Restored'
    WHEN 5 THEN 'Completed' WHEN 6 THEN 'Cancelled' WHEN 7 THEN 'Reopened' ELSE 'Changed' END"""
"""What a batch did to a task: the first that applies."""


def _tasks(database: Connection, user: str, batch: Batch) -> tuple[tuple[int, str, str], ...]:
    rows = database.execute(
        f"SELECT t.id, t.title, {_VERBS} FROM ops o JOIN tasks t ON t.uuid = o.task_uuid"  # noqa: S608 - a constant
        " WHERE o.seq BETWEEN ? AND ? AND o.user = ? AND o.batch = ? GROUP BY t.id ORDER BY t.id",
        (batch.first_op, batch.last_op, user, batch.id),
    )
    return tuple((task_id, title, verb) for task_id, title, verb in rows)
