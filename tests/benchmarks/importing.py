"""Importing a hundred thousand tasks beside raw sqlite3, which only inserts the same rows.

Ours is the whole command: it starts, reads the file, checks every field, and writes
tasks, tags and the operation log. Beside it, the rows that it wrote, held in memory,
go into an empty file of the same tables in one transaction: with `executemany`, into
tables that have their indexes and constraints, as anybody would. Ours makes the indexes
over tasks after the rows, and does not hold what it made of enumerations against the
words that a column may hold; the file is the same in the end.
"""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.first_frame import quiet_environment
from tests.benchmarks.report import Row, cpu_of, paired
from tests.benchmarks.seeding import write_json

TASKS = 100_000
_TABLES = ("tasks", "task_tags", "ops", "batches", "counters")


class _Filled(NamedTuple):
    """A database as the size of its pages, SQL for its tables and the rows that are in them."""

    page_bytes: int
    schema: list[str]
    rows: dict[str, list[tuple[object, ...]]]


def compare(folder: Path, *, runs: int, tasks: int = TASKS) -> Iterator[Row]:
    """A row for an import of so many tasks from JSON."""
    home = folder / f"import-{tasks}"
    home.mkdir()
    source = home / "tasks.json"
    write_json(source, tasks)
    env = quiet_environment(home)
    script = Path(sys.executable).with_name("todo-tui")
    program = [str(script)] if script.exists() else [sys.executable, "-m", "todo_tui"]
    numbers = count()

    def ours() -> float:
        database = home / f"ours-{next(numbers)}.db"
        seconds = cpu_of([*program, "--db", str(database), "import", str(source)], env)
        database.replace(home / "filled.db")
        return seconds

    ours()
    filled = _filled(home / "filled.db")

    def theirs() -> float:
        return _inserted(home / f"raw-{next(numbers)}.db", filled)

    yield paired(
        f"import of {tasks:,} tasks beside raw sqlite3, CPU", ours, theirs, runs=runs, target=2.0
    )


def _filled(database: Path) -> _Filled:
    connection = sqlite3.connect(database)
    made = connection.execute(
        # Without the search indexes, which are made of tables of their own.
        "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
        " AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_words*'"
    )
    schema = [sql for (sql,) in made]
    (page_bytes,) = connection.execute("PRAGMA page_size").fetchone()
    rows = {
        table: connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - our own
        for table in _TABLES
    }
    connection.close()
    return _Filled(page_bytes, schema, rows)


def _inserted(database: Path, filled: _Filled) -> float:
    """CPU seconds for an empty file with these tables and all rows in one transaction."""
    began = time.process_time()
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {filled.page_bytes}")
    connection.execute("PRAGMA journal_mode = WAL")
    for sql in filled.schema:
        connection.execute(sql)
    connection.execute("BEGIN IMMEDIATE")
    for table, rows in filled.rows.items():
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    connection.execute("COMMIT")
    connection.close()
    seconds = time.process_time() - began
    database.unlink()
    return seconds
