"""The operations that say how tasks were made, written out of the rows of the tasks themselves.

A long import has hundreds of thousands of them, each of which SQLite writes in a third
of the time that it would take to hand it over.
"""

from __future__ import annotations

from collections.abc import Mapping
from sqlite3 import Connection

from todo_tui.store.rows import EMPTY, LOGGED

_SHARED = ":user, :device, :batch, :turn_id, :at, :actor"
_COLUMNS = (
    "INSERT INTO ops (op_id, clock, user, device, batch, turn_id, at, actor,"
    " task_uuid, kind, field, old, new)"
)
_MADE = "FROM tasks t WHERE t.row BETWEEN :first_row AND :last_row"


class Creations:
    """The operations of all tasks that a transaction made: each made, its fields set, its tags.

    Of one task they come one after the other, the tags after those of all tasks.
    """

    def __init__(self, database: Connection, *, first_row: int, last_row: int, stamp: str) -> None:
        """Of the tasks of these rows; `stamp` stands for a `created_at` that was not given."""
        self._database = database
        self._values = {"first_row": first_row, "last_row": last_row, "stamp": stamp}
        self._fields = self._given_fields()
        query = (
            "SELECT min(row), max(row) FROM task_tags WHERE task BETWEEN :first_row AND :last_row"
        )
        first_tag, last_tag = database.execute(query, self._values).fetchone()
        self._tags = range(first_tag, last_tag + 1) if first_tag is not None else range(0)
        self._per_task = 1 + len(self._fields)
        self._of_tasks = (last_row - first_row + 1) * self._per_task

    @property
    def numbers(self) -> int:
        """How many numbers they take; some are left out."""
        return self._of_tasks + len(self._tags)

    def write(self, shared: Mapping[str, str | None], *, tick: int, number: int) -> None:
        """Write them.

        Args:
            shared: what they have in common, and the beginning of their ids.
            tick: of the first one's clock, as a single number.
            number: what the first one's id ends with.
        """
        values = {**self._values, **shared, "tick": tick, "number": number}
        self._database.execute(self._statement_of_fields(), values)
        if self._tags:
            self._database.execute(self._statement_of_tags(), values)

    def _given_fields(self) -> list[str]:
        """The names of the fields that were given to any of the tasks."""
        marks = ", ".join(f"max({_is_given(name)})" for name in LOGGED)
        found = self._database.execute(f"SELECT {marks} {_MADE}", self._values).fetchone()
        return [name for name, is_given in zip(LOGGED, found, strict=True) if is_given]

    def _statement_of_tags(self) -> str:
        place = f"({self._of_tasks} + k.row - {self._tags.start})"
        return (
            f"{_COLUMNS} SELECT {_numbered(place)}, {_SHARED}, t.uuid, 'add', 'tags', NULL, k.tag"  # noqa: S608
            " FROM task_tags k CROSS JOIN tasks t ON t.row = k.task"
            f" WHERE k.row BETWEEN {self._tags.start} AND {self._tags.stop - 1}"
        )

    def _statement_of_fields(self) -> str:
        numbered = list(enumerate(self._fields, start=1))
        rows = "".join(f", ({number}, 'set', '{name}')" for number, name in numbered)
        given = " ".join(f"WHEN {number} THEN {_is_given(name)}" for number, name in numbered)
        old = " ".join(f"WHEN {number} THEN {_default(name)}" for number, name in numbered)
        new = " ".join(f"WHEN {number} THEN t.{name}" for number, name in numbered)
        place = f"((t.row - :first_row) * {self._per_task} + f.number)"
        return (
            f"WITH f (number, kind, field) AS (VALUES (0, 'create', NULL){rows})"
            f" {_COLUMNS} SELECT {_numbered(place)}, {_SHARED}, t.uuid, f.kind, f.field,"
            f" CASE f.number WHEN 0 THEN NULL {old} END,"
            f" CASE f.number WHEN 0 THEN CAST(t.id AS TEXT) {new} END"
            f" {_MADE.replace('tasks t', 'tasks t CROSS JOIN f')}"
            f" AND CASE f.number WHEN 0 THEN 1 {given} END"
        )


def _numbered(place: str) -> str:
    """The id and the clock of the operation that many places after the first."""
    milliseconds, counted = f"(:tick + {place}) / 1000000", f"(:tick + {place}) % 1000000"
    return (
        f":beginning || (:number + {place}),"
        f" substr(1000000000000000 + {milliseconds}, 2) || '-' || substr(1000000 + {counted}, 2)"
    )


def _is_given(name: str) -> str:
    if EMPTY[name] is None and name != "created_at":
        return f"t.{name} IS NOT NULL"
    return f"t.{name} <> {_default(name)}"


def _default(name: str) -> str:
    """What a field is where nothing is said of it, in SQL."""
    if name == "position":
        return "printf('%08x', t.id)"
    if name == "created_at":
        return ":stamp"
    default = EMPTY[name]
    return "NULL" if default is None else f"'{default}'"
