"""The operation log: operations, batches, hybrid logical clock, bulk writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from sqlite3 import Connection

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.task import Actor
from todo_tui.store.database import STARTS_OF_OPS, UserDatabase
from todo_tui.store.rows import EMPTY, LOGGED, utc_text

_MANY = 1_000
"""Rows from which `bulk_writing` saves more than its statements cost."""
_VERY_MANY = 20_000
"""Tasks from which rebuilding the indexes saves time."""
_INDEXES = (
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    # Foreign keys are checked through the index over parents, for each row.
    " AND tbl_name IN ('tasks', 'task_tags') AND name <> 'tasks_by_parent' ORDER BY rowid"
)
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
_SHARED = ":user, :device, :batch, :turn_id, :at, :actor"
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


@contextmanager
def bulk_writing(database: Connection, rows: int) -> Iterator[None]:
    """Skip CHECK constraints while many rows are written.

    SQLite builds a table for each list of allowed words in each statement, which takes as
    long as writing a row. The values come from enumerations of the same words.
    """
    if rows < _MANY:
        yield
        return
    database.execute("PRAGMA ignore_check_constraints = ON")
    try:
        yield
    finally:
        database.execute("PRAGMA ignore_check_constraints = OFF")


@contextmanager
def rebuilt_task_indexes(database: Connection, *, tasks: int, before: int) -> Iterator[None]:
    """Drop the indexes over tasks and tags during a bulk insert, and recreate them afterwards.

    Does so only if most tasks are new: 100,000 are imported in three quarters of the time.
    All of it is part of the open transaction: no other connection sees the tables without
    indexes, and a failure leaves them unchanged.
    """
    if tasks < max(_VERY_MANY, before):
        yield
        return
    indexes: list[tuple[str, str]] = database.execute(_INDEXES).fetchall()
    for name, _ in indexes:
        database.execute(f"DROP INDEX {name}")
    yield
    for _, made_by in indexes:
        database.execute(made_by)


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


class OpLog:
    """Operations of one transaction, written at its end."""

    def __init__(self, database: Connection, db: UserDatabase, context: ChangeContext) -> None:
        self._database = database
        self._user = db.user
        self._context = context
        self._new_id = db.new_id
        self._ops: list[tuple[str | None, ...]] = []
        self.created = range(0)
        """Rows of created tasks, logged with their fields as written so far."""
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

    def write(self, kind: BatchKind | None = BatchKind.DO, target: str | None = None) -> None:
        """Write the operations; `target` is the batch that an undo or redo inverts.

        Without a kind, the operations are invisible to undo and redo.
        """
        if not self._ops and not self.created:
            return
        batch = self._context.batch if kind is None else self._open_batch(kind)
        meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        # The ids share a random prefix, so that a large batch is written in index order.
        shared: dict[str, str | None] = {
            "beginning": self._new_id()[:_RANDOM_DIGITS],
            "user": self._user,
            "device": meta["device"],
            "batch": batch,
            "turn_id": self._context.turn_id,
            "at": utc_text(self.now),
            "actor": self._context.actor.value,
        }
        before = self._last_op()
        tick, number = tick_after(meta["clock"], self.now), _FIRST_NUMBER
        if self.created:
            tick, number = _write_creations(self._database, self.created, shared, tick, number)
        with bulk_writing(self._database, len(self._ops)):
            beginning, *others, _ = shared.values()
            self._database.executemany(
                f"{_INSERT} VALUES (?{', ?' * 13})",
                (
                    (f"{beginning}{number + place}", clock_of(tick + place), *others, *op)
                    for place, op in enumerate(self._ops)
                ),
            )
        clock = clock_of(tick + len(self._ops) - 1)
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


def _write_creations(
    database: Connection, rows: range, shared: dict[str, str | None], tick: int, number: int
) -> tuple[int, int]:
    """Log the creation of tasks: each one with the fields that are set, then all their tags.

    In SQL this takes half the time of an operation for each value: of an import of 1,000 or
    10,000 tasks it saves a quarter. Returns the clock tick and the number in the id after the
    last operation; numbers are left out for fields that only some tasks set.
    """
    common = {**shared, "first": rows[0], "last": rows[-1]}
    marks = ", ".join(f"max({_is_given(name)})" for name in LOGGED)
    found = database.execute(f"SELECT {marks} {_CREATED}", common).fetchone()
    fields = [name for name, is_given in zip(LOGGED, found, strict=True) if is_given]
    tags = "SELECT min(row), max(row) FROM task_tags WHERE task BETWEEN :first AND :last"
    first_tag, last_tag = database.execute(tags, common).fetchone()
    tag_rows = range(0) if first_tag is None else range(first_tag, last_tag + 1)
    for each_row, per_row, query in (
        (rows, 1 + len(fields), _creations_of(fields)),
        (tag_rows, 1, _TAGS),
    ):
        at_once = PER_MILLISECOND // per_row
        with bulk_writing(database, len(each_row) * per_row):
            for start in range(0, len(each_row), at_once):
                some = each_row[start : start + at_once]
                ticks = len(some) * per_row
                if tick % PER_MILLISECOND + ticks > PER_MILLISECOND:
                    tick = (tick // PER_MILLISECOND + 1) * PER_MILLISECOND
                milliseconds, counted = divmod(tick, PER_MILLISECOND)
                values = {
                    **common, "first": some[0], "last": some[-1], "number": number,
                    # `substr(counted + 7, 2)` is the end of the clock seven ticks later.
                    "begun": f"{milliseconds:015d}-", "counted": PER_MILLISECOND + counted,
                }  # fmt: skip
                database.execute(query, values)
                tick, number = tick + ticks, number + ticks
    return tick, number


def _creations_of(fields: list[str]) -> str:
    numbered = list(enumerate(fields, start=1))
    rows = "".join(
        f", ({number}, 'set', '{name}', {'NULL' if name == 'position' else _default(name)})"
        for number, name in numbered
    )
    place = f"((t.row - :first) * {1 + len(fields)} + f.number)"
    given = " ".join(f"WHEN {number} THEN {_is_given(name)}" for number, name in numbered)
    new = " ".join(f"WHEN {number} THEN t.{name}" for number, name in numbered)
    return (
        f"WITH f (number, kind, field, old) AS (VALUES (0, 'create', NULL, NULL){rows})"
        f" {_INSERT} SELECT {_numbered(place)}, {_SHARED}, t.uuid, f.kind, f.field,"
        f" CASE f.field WHEN 'position' THEN {_default('position')} ELSE f.old END,"
        f" CASE f.number WHEN 0 THEN CAST(t.id AS TEXT) {new} END, NULL"
        f" {_CREATED.replace('tasks t', 'tasks t CROSS JOIN f')}"
        f" AND CASE f.number WHEN 0 THEN 1 {given} END"
    )


def _numbered(place: str) -> str:
    """Return SQL for id and clock of the operation at that offset from the first."""
    return f":beginning || (:number + {place}), :begun || substr(:counted + {place}, 2)"


_CREATED = "FROM tasks t WHERE t.row BETWEEN :first AND :last"
_TAGS = (
    f"{_INSERT} SELECT {_numbered('k.row - :first')}, {_SHARED},"  # noqa: S608
    " t.uuid, 'add', 'tags', NULL, k.tag, NULL"
    " FROM task_tags k CROSS JOIN tasks t ON t.row = k.task"
    " WHERE k.row BETWEEN :first AND :last"
)


def _is_given(name: str) -> str:
    if EMPTY[name] is None and name != "created_at":
        return f"t.{name} IS NOT NULL"
    return f"t.{name} <> {_default(name)}"


def _default(name: str) -> str:
    if name == "position":
        return "printf('%08x', t.id)"
    if name == "created_at":
        return ":at"
    default = EMPTY[name]
    return "NULL" if default is None else f"'{default}'"
