"""What makes a transaction that writes very many rows quicker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection

_MANY = 1_000
"""Rows from which on it is worth the statements that it takes."""
_VERY_MANY = 20_000
"""Tasks from which on the same holds for making indexes anew."""

_INDEXES = (
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    # Foreign keys are looked up in the index over parents, at each row.
    " AND tbl_name IN ('tasks', 'task_tags') AND name <> 'tasks_by_parent' ORDER BY rowid"
)


@contextmanager
def bulk_writing(database: Connection, rows: int) -> Iterator[None]:
    """Do not hold each of many rows against the lists of words that its columns may hold.

    SQLite makes a table of such a list for each statement, and it takes as long as
    writing the row. What is written so comes from enumerations of the same words.
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
def task_indexes_made_anew(database: Connection, *, tasks: int, before: int) -> Iterator[None]:
    """Do without the indexes over tasks and tags while many are added, and then make them.

    Only where the new ones are the most. All of it is part of the open transaction: no
    other connection sees the tables without them, and what fails leaves them as they were.
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
