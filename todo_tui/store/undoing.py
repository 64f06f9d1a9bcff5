"""Undo and redo: a batch taken back by a new batch that holds the inverse operations.

Both are found in the order of the log alone, so they survive a restart and work
across processes. A batch of kind `do` or `redo` put something into effect; an `undo`
takes the newest such batch back whose effect still stands. To find it, one walks
back from the newest batch: past an `undo`, one goes on before the batch that it took
back, because all between nets to nothing. A redo takes back the newest `undo` as long
as nothing but undos and redos came after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection

from todo_tui.domain.changes import UndoReport
from todo_tui.store.inverting import Inverting, operations_of
from todo_tui.store.oplog import BatchKind
from todo_tui.store.writing import TaskWriting

_NEWER_THAN_ALL = 2**62


@dataclass(frozen=True, slots=True)
class Batch:
    """Operations that are taken back together; `target` is the batch that it took back."""

    id: str
    kind: BatchKind
    target: str | None
    first_op: int
    last_op: int


def next_undo(database: Connection, user: str) -> Batch | None:
    """The newest batch of the user that stands; None where there is none."""
    batch = newest_batch(database, user)
    while batch is not None and batch.kind is BatchKind.UNDO:
        batch = before_target(database, user, batch)
    return batch


def next_redo(database: Connection, user: str) -> Batch | None:
    """The newest undo, unless something new was done since; None where there is none."""
    batch = newest_batch(database, user)
    while batch is not None and batch.kind is BatchKind.REDO:
        batch = before_target(database, user, batch)
    return batch if batch is not None and batch.kind is BatchKind.UNDO else None


def undo(writing: TaskWriting, only: str | None = None) -> UndoReport | None:
    """Take back the newest batch of the user that stands, within the open transaction.

    None where there is no such batch, or where it is another one than `only`.
    """
    batch = next_undo(writing.database, writing.user)
    return _take_back(writing, batch, BatchKind.UNDO, only)


def redo(writing: TaskWriting, only: str | None = None) -> UndoReport | None:
    """Take back the newest undo, unless something new was done since.

    None where there is no such undo, or where it is another one than `only`.
    """
    batch = next_redo(writing.database, writing.user)
    return _take_back(writing, batch, BatchKind.REDO, only)


def newest_batch(database: Connection, user: str, before: int = _NEWER_THAN_ALL) -> Batch | None:
    """Return the newest batch whose last operation came earlier than `before`."""
    row = database.execute(
        "SELECT batch, kind, target, first_op, last_op FROM batches WHERE user = ? AND last_op < ?"
        " ORDER BY last_op DESC LIMIT 1",
        (user, before),
    ).fetchone()
    return None if row is None else Batch(row[0], BatchKind(row[1]), *row[2:])


def before_target(database: Connection, user: str, batch: Batch) -> Batch | None:
    """Return the newest batch before the one that an undo or redo took back."""
    (last_op,) = database.execute(
        "SELECT last_op FROM batches WHERE user = ? AND batch = ?", (user, batch.target)
    ).fetchone()
    return newest_batch(database, user, before=last_op)


def _take_back(
    writing: TaskWriting, batch: Batch | None, kind: BatchKind, only: str | None
) -> UndoReport | None:
    if batch is None or only not in (None, batch.id):
        return None
    inverting = Inverting(writing, operations_of(writing, batch.id, batch.first_op, batch.last_op))
    inverting.run()
    changes = writing.finish(kind, batch.id)
    return UndoReport(changes, tuple(inverting.conflicts))
