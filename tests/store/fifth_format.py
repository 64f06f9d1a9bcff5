"""A file of the fifth format with an import in it, logged as that release did."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlite_utils import Migrations

from todo_tui.store import schema
from todo_tui.store.database import SchemaFormat
from todo_tui.store.store import open_database

_AT = "2026-11-17T10:00:00.000+00:00"
_STEPS = (
    schema.first_tables,
    schema.spending_and_summaries,
    schema.quick_lists_and_views,
    schema.manual_order_and_series,
    schema.moments_to_come,
)

# Parents came after all tasks of the file, apart from the rest that was said of theirs.
_LOGGED = (
    ("b1", "import", "u1", "create", None, None, "1"),
    ("b1", "import", "u1", "set", "title", "", "Book a room"),
    ("b1", "import", "u1", "set", "notes", "", "By train"),
    ("b1", "import", "u2", "create", None, None, "2"),
    ("b1", "import", "u2", "set", "title", "", "Pay the fee"),
    ("b1", "import", "u2", "add", "tags", None, "home"),
    ("b1", "import", "u2", "set", "parent", None, "u1"),
    ("b2", "cli", "u2", "set", "priority", None, "high"),
)


def write_fifth_format(path: Path) -> None:
    """Run the first five migrations, and fill tables as an import and a change did."""
    steps = Migrations("todo_tui")
    for step in _STEPS:
        steps(name=step.__name__)(step)
    open_database(path, wanted=SchemaFormat(len(_STEPS), lambda: steps)).close()
    with closing(sqlite3.connect(path)) as database, database:
        database.executemany(
            "INSERT INTO tasks (user, id, uuid, title, notes, parent, priority, position,"
            " created_at, updated_at, folded) VALUES ('ann', ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
            [
                (1, "u1", "Book a room", "By train", None, None, "00000001", _AT, _AT),
                (2, "u2", "Pay the fee", "", "u1", "high", "00000002", _AT, _AT),
            ],
        )
        database.execute("INSERT INTO task_tags (task, tag, folded) VALUES (2, 'home', 'home')")
        database.execute("INSERT INTO counters VALUES ('ann', 2)")
        database.executemany(
            "INSERT INTO ops (op_id, user, device, clock, at, batch, actor, task_uuid, kind,"
            " field, old, new) VALUES ('o' || ?, 'ann', 'd', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, number, _AT, *op) for number, op in enumerate(_LOGGED)],
        )
        database.executemany(
            "INSERT INTO batches (user, batch, gesture, kind, last_op)"
            " VALUES ('ann', ?, ?, 'do', ?)",
            [("b1", "b1", 7), ("b2", "b2", 8)],
        )
