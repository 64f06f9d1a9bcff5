"""What makes a transaction that writes very many rows quicker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from sqlite3 import Connection

_MANY = 1_000
"""Rows from which on it is worth the statements that it takes."""


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
