"""The operation log: every change of a task, in order, in batches that undo takes whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from sqlite3 import Connection

from todo_tui.domain.changes import Gesture
from todo_tui.domain.clock import Clock, NewId
from todo_tui.store.rows import utc_text

_RANDOM_DIGITS = 26
"""Of the 32 hexadecimal digits of an operation's id; the others count within a transaction."""

_PER_TICK = 1_000_000
"""Operations that one millisecond of the clock can number."""


class OpKind(StrEnum):
    """What an operation did.

    CREATE and DESTROY say whether the task exists at all (the second one only
    undoes the first); SET writes one column; ADD and REMOVE one element of
    `tags` or `blocked_by`; SKIP stands for an operation that undo left alone;
    PURGE erased the task and all text of it.
    """

    CREATE = "create"
    DESTROY = "destroy"
    SET = "set"
    ADD = "add"
    REMOVE = "remove"
    SKIP = "skip"
    PURGE = "purge"


class BatchKind(StrEnum):
    """What a batch is to undo and redo."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Op:
    """One operation; `undoes` is the `op_id` of the one that it takes back."""

    task_uuid: str
    kind: OpKind
    field: str | None = None
    old: str | None = None
    new: str | None = None
    undoes: str | None = None


def clocks_after(last: str, now: datetime, count: int) -> Iterator[str]:
    """The hybrid logical clocks of so many operations after `last`, sorting as text.

    Milliseconds and a counter, which runs over into them after a million. They never
    go back, even where the wall clock does.
    """
    milliseconds, counted = (int(part) for part in last.split("-")) if last else (0, -1)
    first = max(int(now.timestamp() * 1000) * _PER_TICK, milliseconds * _PER_TICK + counted + 1)
    for number in range(first, first + count):
        yield f"{number // _PER_TICK:015d}-{number % _PER_TICK:06d}"


class OpLog:
    """The operations of one transaction, written at its end."""

    def __init__(
        self, database: Connection, user: str, gesture: Gesture, clock: Clock, new_id: NewId
    ) -> None:
        self._database = database
        self._user = user
        self._gesture = gesture
        self._new_id = new_id
        self._ops: list[Op] = []
        self.now = clock.utc()

    def append(self, op: Op) -> None:
        """Log one operation."""
        self._ops.append(op)

    def write(self, kind: BatchKind | None = BatchKind.DO, target: str | None = None) -> None:
        """Write what was logged; an undo or redo names the batch that it takes back.

        Without a kind, undo and redo do not see it.
        """
        if not self._ops:
            return
        batch = self._gesture.batch if kind is None else self._open_batch(kind)
        meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        at, actor = utc_text(self.now), self._gesture.actor.value
        # One random beginning for all, so that a large batch is written in the order
        # of the index over the ids.
        beginning = self._new_id()[:_RANDOM_DIGITS]
        clocks = list(clocks_after(meta["clock"], self.now, len(self._ops)))
        rows = [
            (
                f"{beginning}{number:06x}", self._user, meta["device"], clock, batch,
                self._gesture.turn_id, at, actor, op.task_uuid,
                op.kind.value, op.field, op.old, op.new, op.undoes,
            )
            for number, (op, clock) in enumerate(zip(self._ops, clocks, strict=True))
        ]  # fmt: skip
        self._database.executemany(
            "INSERT INTO ops (op_id, user, device, clock, batch, turn_id, at, actor, task_uuid,"
            " kind, field, old, new, undoes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        self._database.execute("UPDATE meta SET value = ? WHERE key = 'clock'", (clocks[-1],))
        if kind is None:
            return
        self._database.execute(
            "INSERT INTO batches (user, batch, gesture, kind, target, last_op)"
            " VALUES (?, ?, ?, ?, ?, (SELECT max(seq) FROM ops))"
            " ON CONFLICT (user, batch) DO UPDATE SET last_op = excluded.last_op",
            (self._user, batch, self._gesture.batch, kind.value, target),
        )

    def _open_batch(self, kind: BatchKind) -> str:
        """The batch that this gesture writes into.

        That is the gesture's own, as long as it is nothing but a change and
        stands. What a gesture writes after its batch was undone is a new batch,
        so that what was undone stays whole.
        """
        last = self._database.execute(
            "SELECT batch, kind, EXISTS (SELECT 1 FROM batches u"
            " WHERE u.user = b.user AND u.target = b.batch)"
            " FROM batches b WHERE user = ? AND gesture = ? ORDER BY last_op DESC LIMIT 1",
            (self._user, self._gesture.batch),
        ).fetchone()
        if last is None:
            return self._gesture.batch
        batch, last_kind, was_undone = last
        if kind == last_kind == BatchKind.DO and not was_undone:
            return str(batch)
        return self._new_id()
