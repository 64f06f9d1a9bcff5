"""The operation log: operations, batches, hybrid logical clock, bulk writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from sqlite3 import Connection
from typing import NamedTuple

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.when import Clock, NewId
from todo_tui.store.database import STARTS_OF_OPS
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
_SHARED = ":user, :device, :batch, :turn_id, :at, :actor"
_COLUMNS = (
    "INSERT INTO ops (op_id, clock, user, device, batch, turn_id, at, actor,"
    " task_uuid, kind, field, old, new)"
)
_MADE = "FROM tasks t WHERE t.row BETWEEN :first AND :last"
_RANDOM_DIGITS = 23
"""Random ones of the 32 hexadecimal digits of an op_id; the others count in a transaction."""
_FIRST_NUMBER = 100_000_000
"""First counter value, so that all have the same number of digits."""
_AT_ONCE = 200
"""Operations per INSERT statement, which has a cost apart from its rows."""
_Row = tuple[str, str, str | None, str | None, str | None, str | None]
"""Values specific to one operation, in the order of the last columns of the table."""
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

    Does so only if most tasks are new. All of it is part of the open transaction: no other
    connection sees the tables without indexes, and a failure leaves them unchanged.
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


def tick_with_room(tick: int, count: int) -> int:
    """Return the tick, or the next one with room for `count` ticks in the same millisecond."""
    milliseconds, counted = divmod(tick, PER_MILLISECOND)
    if counted + count <= PER_MILLISECOND:
        return tick
    return (milliseconds + 1) * PER_MILLISECOND


def clock_prefix(tick: int) -> tuple[str, int]:
    """Return the clock's part for the millisecond, and a number for SQL to count from.

    `substr(number + 7, 2)` is the end of the clock seven ticks later.
    """
    milliseconds, counted = divmod(tick, PER_MILLISECOND)
    return f"{milliseconds:015d}-", PER_MILLISECOND + counted


class CreationOps:
    """Operations for all tasks created in a transaction: creation, fields set, tags added.

    The operations of one task are consecutive; tags follow after all tasks.
    """

    def __init__(self, database: Connection, rows: range, stamp: str) -> None:
        """`stamp` is the default of `created_at` for the tasks of these rows."""
        self._database = database
        self._rows = rows
        self._values = {"first": rows[0], "last": rows[-1], "stamp": stamp}
        self._fields = self._given_fields()
        query = "SELECT min(row), max(row) FROM task_tags WHERE task BETWEEN :first AND :last"
        first_tag, last_tag = database.execute(query, self._values).fetchone()
        self._tags = range(first_tag, last_tag + 1) if first_tag is not None else range(0)

    @property
    def numbers(self) -> int:
        """Upper bound of the operations, each of which has a number in its id."""
        return len(self._rows) * self._per_task + len(self._tags)

    def write(self, shared: Mapping[str, str | None], *, tick: int, number: int) -> int:
        """Write the operations.

        Args:
            shared: values common to all, and the prefix of their ids.
            tick: clock tick of the first one.
            number: number in the id of the first one.

        Returns:
            The tick after the last one.
        """
        for rows, each, query in (
            (self._rows, self._per_task, self._statement_of_fields()),
            (self._tags, 1, _TAGS),
        ):
            at_once = PER_MILLISECOND // each
            for start in range(0, len(rows), at_once):
                some = rows[start : start + at_once]
                tick = tick_with_room(tick, len(some) * each)
                begun, counted = clock_prefix(tick)
                values = {
                    **self._values, **shared, "first": some[0], "last": some[-1],
                    "begun": begun, "counted": counted, "number": number,
                }  # fmt: skip
                self._database.execute(query, values)
                tick, number = tick + len(some) * each, number + len(some) * each
        return tick

    @property
    def _per_task(self) -> int:
        return 1 + len(self._fields)

    def _given_fields(self) -> list[str]:
        """Return the fields that any of the tasks sets."""
        marks = ", ".join(f"max({_is_given(name)})" for name in LOGGED)
        found = self._database.execute(f"SELECT {marks} {_MADE}", self._values).fetchone()
        return [name for name, is_given in zip(LOGGED, found, strict=True) if is_given]

    def _statement_of_fields(self) -> str:
        numbered = list(enumerate(self._fields, start=1))
        rows = "".join(
            f", ({number}, 'set', '{name}', {_known(name)})" for number, name in numbered
        )
        place = f"((t.row - :first) * {self._per_task} + f.number)"
        old = "f.old"
        if "position" in self._fields:
            old = f"CASE f.field WHEN 'position' THEN {_default('position')} ELSE f.old END"
        given = " ".join(f"WHEN {number} THEN {_is_given(name)}" for number, name in numbered)
        new = " ".join(f"WHEN {number} THEN t.{name}" for number, name in numbered)
        return (
            f"WITH f (number, kind, field, old) AS (VALUES (0, 'create', NULL, NULL){rows})"
            f" {_COLUMNS} SELECT {_numbered(place)}, {_SHARED}, t.uuid, f.kind, f.field,"
            f" {old},"
            f" CASE f.number WHEN 0 THEN CAST(t.id AS TEXT) {new} END"
            f" {_MADE.replace('tasks t', 'tasks t CROSS JOIN f')}"
            f" AND CASE f.number WHEN 0 THEN 1 {given} END"
        )


def _numbered(place: str) -> str:
    """Return SQL for id and clock of the operation at that offset from the first."""
    return f":beginning || (:number + {place}), :begun || substr(:counted + {place}, 2)"


_TAGS = (
    f"{_COLUMNS} SELECT {_numbered('k.row - :first')}, {_SHARED},"  # noqa: S608
    " t.uuid, 'add', 'tags', NULL, k.tag FROM task_tags k CROSS JOIN tasks t ON t.row = k.task"
    " WHERE k.row BETWEEN :first AND :last"
)


def _is_given(name: str) -> str:
    if EMPTY[name] is None and name != "created_at":
        return f"t.{name} IS NOT NULL"
    return f"t.{name} <> {_default(name)}"


def _known(name: str) -> str:
    """Return SQL for the default of a field, if all tasks have the same one."""
    return "NULL" if name == "position" else _default(name)


def _default(name: str) -> str:
    """Return SQL for the default of a field."""
    if name == "position":
        return "printf('%08x', t.id)"
    if name == "created_at":
        return ":stamp"
    default = EMPTY[name]
    return "NULL" if default is None else f"'{default}'"


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


@dataclass(frozen=True, slots=True)
class Op:
    """One operation; `undoes` is the `op_id` of the inverted one."""

    task_uuid: str
    kind: OpKind
    field: str | None = None
    old: str | None = None
    new: str | None = None
    undoes: str | None = None


class _Shared(NamedTuple):
    """Values common to the operations of one transaction.

    Their ids share a random prefix, so that a large batch is written in index order.
    """

    beginning: str
    user: str
    device: str
    batch: str
    turn_id: str | None
    at: str
    actor: str


class OpLog:
    """Operations of one transaction, written at its end."""

    def __init__(
        self, database: Connection, user: str, context: ChangeContext, clock: Clock, new_id: NewId
    ) -> None:
        self._database = database
        self._user = user
        self._context = context
        self._new_id = new_id
        self._rows: list[_Row] = []
        self._made = range(0)
        self.now = clock.utc()

    def append(self, op: Op) -> None:
        """Append one operation."""
        self._rows.append((op.task_uuid, op.kind.value, op.field, op.old, op.new, op.undoes))

    def append_creations(self, rows: range) -> None:
        """Append the creation of the tasks in these rows, which must be written before the log."""
        self._made = rows

    def write(self, kind: BatchKind | None = BatchKind.DO, target: str | None = None) -> None:
        """Write the operations; `target` is the batch that an undo or redo inverts.

        Without a kind, the operations are invisible to undo and redo.
        """
        if not self._rows and not self._made:
            return
        batch = self._context.batch if kind is None else self._open_batch(kind)
        meta = dict(self._database.execute("SELECT key, value FROM meta").fetchall())
        shared = _Shared(
            beginning=self._new_id()[:_RANDOM_DIGITS],
            user=self._user,
            device=meta["device"],
            batch=batch,
            turn_id=self._context.turn_id,
            at=utc_text(self.now),
            actor=self._context.actor.value,
        )
        before = self._last_op()
        clock = self._write_all(shared, meta["clock"])
        self._database.execute("UPDATE meta SET value = ? WHERE key = 'clock'", (clock,))
        if kind is None:
            return
        self._database.execute(
            "INSERT INTO batches (user, batch, context_batch, kind, target, first_op, last_op)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (user, batch) DO UPDATE SET last_op = excluded.last_op",
            (
                self._user,
                batch,
                self._context.batch,
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
        """Write the operations and return the clock of the last one."""
        tick, number = tick_after(last_clock, self.now), _FIRST_NUMBER
        if self._made:
            made = CreationOps(self._database, self._made, utc_text(self.now))
            with bulk_writing(self._database, made.numbers):
                tick = made.write(shared._asdict(), tick=tick, number=number)
            number += made.numbers
        with bulk_writing(self._database, len(self._rows)):
            for start in range(0, len(self._rows), _AT_ONCE):
                rows = self._rows[start : start + _AT_ONCE]
                tick = tick_with_room(tick, len(rows))
                self._database.execute(
                    _insert_of(len(rows)),
                    (*shared, *clock_prefix(tick), number + start, *chain.from_iterable(rows)),
                )
                tick += len(rows)
        return clock_of(tick - 1)

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


@lru_cache(maxsize=4)
def _insert_of(count: int) -> str:
    """Build the statement for `count` operations; shared values are bound once, numbers counted."""
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
