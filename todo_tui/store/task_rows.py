"""Rows of new tasks, and the statement that inserts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from todo_tui.store.rows import EMPTY, LOGGED

COLUMNS = (*LOGGED, "due_at", "project_folded", "folded", "updated_at", "gone")
"""All columns but those that say which task it is; those that follow from others at the end."""

AT_ONCE = 5_000
"""Rows that are looked through together for what none of them has."""

LEFT_OUT: Mapping[str, str | int | None] = {
    **{name: EMPTY[name] for name in LOGGED if name not in ("title", "position", "created_at")},
    "due_at": None,
    "project_folded": None,
    "gone": 0,
}
"""What the columns of a row hold that are not named as it is inserted."""

TaskRow = tuple[str | int | None, ...]

_INSERTED = ("row", "user", "id", "uuid", *COLUMNS)


def insert_tasks(database: Connection, rows: Sequence[TaskRow]) -> None:
    """Insert some tasks: row, user, id, uuid, then `COLUMNS`.

    A column in which all have what is there anyway is not named; of what many rows
    cost, such columns are a third.
    """
    said = {
        name: values
        for name, values in zip(_INSERTED, zip(*rows, strict=True), strict=True)
        if name not in LEFT_OUT or values.count(LEFT_OUT[name]) < len(values)
    }
    database.executemany(
        f"INSERT INTO tasks ({', '.join(said)})"  # noqa: S608 - our own columns
        f" VALUES ({', '.join('?' * len(said))})",
        zip(*said.values(), strict=True),
    )
