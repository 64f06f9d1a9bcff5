"""The operation log: every change of a task, in order, in batches that undo takes whole."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.changes import Gesture
from todo_tui.domain.clock import Clock, NewId
from todo_tui.store.bulk import bulk_writing
from todo_tui.store.creations import Creations
from todo_tui.store.op_clock import clock_of, counted_from, tick_after, with_room
from todo_tui.store.rows import utc_text

_RANDOM_DIGITS = 23
"""Of the 32 hexadecimal digits of an operation's id; the others count within a transaction."""
_FIRST_NUMBER = 100_000_000
"""Of those that count: so that each has as many digits."""

_AT_ONCE = 200
"""Operations in one statement, each of which costs something apart from its rows."""


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


_Row = tuple[str, str, str | None, str | None, str | None, str | None]
"""What an operation has of its own, in the order of the last columns of its table."""


class _Shared(NamedTuple):
    """What the operations of one transaction have in common.

    They have one random beginning of their ids, so that a large batch is written in
    the order of the index over them.
    """

    beginning: str
    user: str
    device: str
    batch: str
    turn_id: str | None
    at: str
    actor: str


class OpLog:
    """The operations of one transaction, written at its end."""

    def __init__(
        self, database: Connection, user: str, gesture: Gesture, clock: Clock, new_id: NewId
    ) -> None:
        self._database = database
        self._user = user
        self._gesture = gesture
        self._new_id = new_id
        self._rows: list[_Row] = []
        self._made = range(0)
        self.now = clock.utc()

    def append(self, op: Op) -> None:
        """Log one operation."""
        self._rows.append((op.task_uuid, op.kind.value, op.field, op.old, op.new, op.undoes))

    def append_creations(self, rows: range) -> None:
        """Log that the tasks of these row numbers were made, once they are written."""
        self._made = rows

    def write(self, kind: BatchKind | None = BatchKind.DO, target: str | None = None) -> None:
        """Write what was logged; an undo or redo names the batch that it takes back.

        Without a kind, undo and redo do not see it.
        """
        if not self._rows and not self._made:
            return
        batch = self._gesture.batch if kind is None else self._open_batch(kind)
        meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        shared = _Shared(
            beginning=self._new_id()[:_RANDOM_DIGITS],
            user=self._user,
            device=meta["device"],
            batch=batch,
            turn_id=self._gesture.turn_id,
            at=utc_text(self.now),
            actor=self._gesture.actor.value,
        )
        before = self._last_op()
        clock = self._write_all(shared, meta["clock"])
        self._database.execute("UPDATE meta SET value = ? WHERE key = 'clock'", (clock,))
        if kind is None:
            return
        self._database.execute(
            "INSERT INTO batches (user, batch, gesture, kind, target, first_op, last_op)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (user, batch) DO UPDATE SET last_op = excluded.last_op",
            (
                self._user,
                batch,
                self._gesture.batch,
                kind.value,
                target,
                before + 1,
                self._last_op(),
            ),
        )

    def _last_op(self) -> int:
        found = self._database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
        return int(found[0])

    def _write_all(self, shared: _Shared, last_clock: str) -> str:
        """Write the operations; the clock of the last one."""
        tick, number = tick_after(last_clock, self.now), _FIRST_NUMBER
        if self._made:
            made = Creations(self._database, self._made, utc_text(self.now))
            with bulk_writing(self._database, made.numbers):
                tick = made.write(shared._asdict(), tick=tick, number=number)
            number += made.numbers
        with bulk_writing(self._database, len(self._rows)):
            for start in range(0, len(self._rows), _AT_ONCE):
                rows = self._rows[start : start + _AT_ONCE]
                tick = with_room(tick, len(rows))
                self._database.execute(
                    _insert_of(len(rows)),
                    (*shared, *counted_from(tick), number + start, *chain.from_iterable(rows)),
                )
                tick += len(rows)
        return clock_of(tick - 1)

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


@lru_cache(maxsize=4)
def _insert_of(count: int) -> str:
    """The statement for so many operations; what they share is given once, numbers are counted."""
    rows = ", ".join(f"({number}, ?, ?, ?, ?, ?, ?)" for number in range(count))
    return (
        "WITH shared (beginning, user, device, batch, turn_id, at, actor, kept, tick, first)"  # noqa: S608 - numbers
        " AS (VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)),"
        f" logged (number, task_uuid, kind, field, old, new, undoes) AS (VALUES {rows})"
        " INSERT INTO ops (op_id, user, device, clock, batch, turn_id, at, actor,"
        " task_uuid, kind, field, old, new, undoes)"
        " SELECT beginning || (first + number), user, device, kept || substr(tick + number, 2),"
        " batch, turn_id, at, actor, task_uuid, kind, field, old, new, undoes"
        " FROM shared CROSS JOIN logged ORDER BY number"
    )
