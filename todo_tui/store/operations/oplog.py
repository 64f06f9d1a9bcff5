"""The operation log: operations, batches, hybrid logical clock."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.task import Actor
from todo_tui.store.database import STARTS_OF_OPS, UserDatabase
from todo_tui.store.rows import utc_text

PER_MILLISECOND = 1_000_000
"""Clock ticks per millisecond."""
_RANDOM_DIGITS = 23
"""Random ones of the 32 hexadecimal digits of an op_id; the others count in a transaction."""
_FIRST_NUMBER = 100_000_000
"""First counter value, so that all have the same number of digits."""
_INSERT = (
    "INSERT INTO ops (op_id, clock, user, device, batch, turn_id, at, actor,"
    " task_uuid, kind, field, old, new, undoes)"
)
OPS_OF_TASKS = f"""
WITH RECURSIVE own (seq, task_uuid) AS (
    SELECT seq, task_uuid FROM ops
        WHERE task_uuid IN (SELECT value FROM json_each(?)) AND {STARTS_OF_OPS}
    UNION
    SELECT o.seq, o.task_uuid FROM own CROSS JOIN ops o
        ON o.seq = own.seq + 1 AND o.task_uuid = own.task_uuid
)
"""  # noqa: S608 - a constant
"""Start of a query over all operations (`seq`, `task_uuid`) of a JSON array of uuids.

The index over tasks omits the fields that an import set on creation; these operations
directly follow one that is in the index.
"""


def tick_after(last: str, now: datetime) -> int:
    """Return the first tick after the clock `last`, which may be empty.

    Ticks never decrease, even if the wall clock does.
    """
    milliseconds, counted = (int(part) for part in last.split("-")) if last else (0, -1)
    passed = milliseconds * PER_MILLISECOND + counted
    return max(int(now.timestamp() * 1000) * PER_MILLISECOND, passed + 1)


def clock_of(tick: int) -> str:
    """Format a tick for storage; clocks sort as text."""
    return f"{tick // PER_MILLISECOND:015d}-{tick % PER_MILLISECOND:06d}"


class OpKind(StrEnum):
    """Kind of an operation.

    CREATE and DESTROY make a task exist or not (the latter only as inverse of the former);
    SET writes one column; ADD and REMOVE one element of `tags` or `blocked_by`; SKIP replaces
    the inverse of an operation that undo left alone; PURGE erased the task and all its text.
    """

    CREATE = "create"
    DESTROY = "destroy"
    SET = "set"
    ADD = "add"
    REMOVE = "remove"
    SKIP = "skip"
    PURGE = "purge"


class BatchKind(StrEnum):
    """Role of a batch in undo and redo."""

    DO = "do"
    UNDO = "undo"
    REDO = "redo"


def net_changed_tasks(ops: Iterable[tuple[str | int | None, ...]]) -> set[str]:
    """Return the uuids of the tasks that operations leave changed, and not as they were before.

    Each is (`task_uuid`, `kind`, `field`, `old`, `new`).
    """
    net: dict[tuple[str, object, object], tuple[object, object]] = {}
    for uuid, kind, field, old, new in ops:
        if kind != OpKind.SKIP:
            element = (old or new) if kind in (OpKind.ADD, OpKind.REMOVE) else None
            key = str(uuid), field, element
            before, _ = net.get(key, (old, None))
            net[key] = before, new
    return {uuid for (uuid, *_), (before, after) in net.items() if before != after}


class OpLog:
    """Operations of one transaction, written at its end."""

    def __init__(self, database: Connection, db: UserDatabase, context: ChangeContext) -> None:
        self._database = database
        self._user = db.user
        self._context = context
        self._new_id = db.new_id
        self._ops: list[tuple[str | None, ...]] = []
        self.undoes: str | None = None
        """`op_id` of the operation that the appended ones invert."""
        self.now = db.clock.utc()

    def append(
        self,
        task_uuid: str,
        kind: OpKind,
        field: str | None = None,
        old: str | None = None,
        new: str | None = None,
        *,
        actor: Actor | None = None,
    ) -> None:
        """Append one operation; `actor` is who wrote a copied text, if not the present one."""
        writer = (actor or self._context.actor).value
        self._ops.append((writer, task_uuid, kind.value, field, old, new, self.undoes))

    def changed_tasks(self) -> set[str]:
        """Return the uuids of the tasks that the operations not yet written leave changed."""
        return net_changed_tasks(each[1:6] for each in self._ops)

    def discard(self) -> None:
        """Drop the operations not yet written."""
        self._ops = []

    def write(self, kind: BatchKind | None = BatchKind.DO, target: str | None = None) -> None:
        """Write the operations appended since the last one, as a batch.

        `target` is the batch that an undo or redo inverts.

        Without a kind, they are invisible to undo and redo.
        """
        if not self._ops:
            return
        batch = self._context.batch if kind is None else self._open_batch(kind)
        meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        before = self._last_op()
        tick = tick_after(meta["clock"], self.now)
        # The ids share a random prefix, so that a large batch is written in index order.
        beginning = self._new_id()[:_RANDOM_DIGITS]
        shared = (self._user, meta["device"], batch, self._context.turn_id, utc_text(self.now))
        self._database.executemany(
            f"{_INSERT} VALUES (?{', ?' * 13})",
            (
                (f"{beginning}{_FIRST_NUMBER + place}", clock_of(tick + place), *shared, *op)
                for place, op in enumerate(self._ops)
            ),
        )
        clock = clock_of(tick + len(self._ops) - 1)
        self._ops = []
        self._database.execute("UPDATE meta SET value = ? WHERE key = 'clock'", (clock,))
        if kind is None:
            return
        self._database.execute(
            "INSERT INTO batches"
            " (user, batch, context_batch, kind, target, agent, first_op, last_op)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (user, batch) DO UPDATE SET last_op = excluded.last_op",
            (
                self._user, batch, self._context.batch, kind.value, target,
                self._context.agent, before + 1, self._last_op(),
            ),
        )  # fmt: skip

    def _last_op(self) -> int:
        found = self._database.execute("SELECT coalesce(max(seq), 0) FROM ops").fetchone()
        return int(found[0])

    def _open_batch(self, kind: BatchKind) -> str:
        """Return the batch of this change context.

        It is the context's own batch unless that was undone or is an undo itself: then a new one,
        so that an undone batch is never extended.
        """
        last = self._database.execute(
            "SELECT batch, kind, EXISTS (SELECT 1 FROM batches u"
            " WHERE u.user = b.user AND u.target = b.batch)"
            " FROM batches b WHERE user = ? AND context_batch = ? ORDER BY last_op DESC LIMIT 1",
            (self._user, self._context.batch),
        ).fetchone()
        if last is None:
            return self._context.batch
        batch, last_kind, was_undone = last
        if kind == last_kind == BatchKind.DO and not was_undone:
            return str(batch)
        return self._new_id()
