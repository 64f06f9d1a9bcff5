"""The operations that say how tasks were made, written out of the rows of the tasks themselves.

A long import has hundreds of thousands of them, each of which SQLite writes in a third
of the time that it would take to hand it over.
"""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection

from todo_tui.store.op_clock import PER_MILLISECOND, counted_from, with_room
from todo_tui.store.rows import EMPTY, LOGGED

_SHARED = ":user, :device, :batch, :turn_id, :at, :actor"
_COLUMNS = (
    "INSERT INTO ops (op_id, clock, user, device, batch, turn_id, at, actor,"
    " task_uuid, kind, field, old, new)"
)
_MADE = "FROM tasks t WHERE t.row BETWEEN :first AND :last"


class Creations:
    """The operations of all tasks that a transaction made: each made, its fields set, its tags.

    Of one task they come one after the other, the tags after those of all tasks.
    """

    def __init__(self, database: Connection, rows: range, stamp: str) -> None:
        """Of the tasks of these rows; `stamp` stands for a `created_at` that was not given."""
        self._database = database
        self._rows = rows
        self._values = {"first": rows[0], "last": rows[-1], "stamp": stamp}
        self._fields = self._given_fields()
        query = "SELECT min(row), max(row) FROM task_tags WHERE task BETWEEN :first AND :last"
        first_tag, last_tag = database.execute(query, self._values).fetchone()
        self._tags = range(first_tag, last_tag + 1) if first_tag is not None else range(0)

    @property
    def numbers(self) -> int:
        """How many numbers their ids take; some are left out."""
        return len(self._rows) * self._per_task + len(self._tags)

    def write(self, shared: Mapping[str, str | None], *, tick: int, number: int) -> int:
        """Write them.

        Args:
            shared: what they have in common, and the beginning of their ids.
            tick: of the first one's clock.
            number: what the first one's id ends with.

        Returns:
            The tick after the last one's.
        """
        for rows, each, query in (
            (self._rows, self._per_task, self._statement_of_fields()),
            (self._tags, 1, _TAGS),
        ):
            at_once = PER_MILLISECOND // each
            for start in range(0, len(rows), at_once):
                some = rows[start : start + at_once]
                tick = with_room(tick, len(some) * each)
                begun, counted = counted_from(tick)
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
        """The names of the fields that were given to any of the tasks."""
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
    """The id and the clock of the operation that many places after the first."""
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
    """The same, of a field of which it is the same for all tasks."""
    return "NULL" if name == "position" else _default(name)


def _default(name: str) -> str:
    """What a field is where nothing is said of it, in SQL."""
    if name == "position":
        return "printf('%08x', t.id)"
    if name == "created_at":
        return ":stamp"
    default = EMPTY[name]
    return "NULL" if default is None else f"'{default}'"
