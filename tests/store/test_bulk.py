"""Writing very many rows: quicker, and nothing about the file is different afterwards."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.store.opened import add, opened, titles
from todo_tui.store.connection import connect
from todo_tui.store.operations.oplog import bulk_writing, rebuilt_task_indexes
from todo_tui.store.rows import utc_text
from todo_tui.store.schema import open_database

MANY = 100_000


def layout(path: Path) -> list[tuple[str, str]]:
    """Every table and index as it was made, in the order of their names."""
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()


def test_indexes_are_made_anew_as_they_were_while_others_read_on(path: Path) -> None:
    with opened(path) as store:
        add(store, "Buy milk", due=None, project="home")
        before = layout(path)
        with store.tasks._db.file.writing() as database:
            with rebuilt_task_indexes(database, tasks=MANY, before=1):
                assert len(layout(path)) == len(before)
                assert titles(store) == ["Buy milk"]
                database.execute("UPDATE tasks SET title = 'Buy oat milk'")
            assert titles(store) == ["Buy milk"]
        assert layout(path) == before
        assert titles(store) == ["Buy oat milk"]
        assert store.problems() == ()


def test_what_fails_meanwhile_leaves_the_indexes_alone(path: Path) -> None:
    file = open_database(path)
    before = layout(path)
    with (
        pytest.raises(KeyboardInterrupt),
        file.writing() as database,
        rebuilt_task_indexes(database, tasks=MANY, before=1),
    ):
        raise KeyboardInterrupt
    file.close()
    assert layout(path) == before


def test_a_long_list_keeps_its_indexes_when_few_come(path: Path) -> None:
    file = open_database(path)
    with file.writing() as database:
        count = "SELECT count(*) FROM sqlite_schema"
        before = database.execute(count).fetchone()
        with rebuilt_task_indexes(database, tasks=MANY, before=MANY + 1):
            assert database.execute(count).fetchone() == before
    file.close()


def test_columns_are_held_against_their_words_again_after_many_rows(path: Path) -> None:
    file = open_database(path)
    insert = (
        "INSERT INTO tasks (user, id, uuid, title, status, position, created_at, updated_at,"
        " folded) VALUES ('ann', 1, 'u1', 'Buy milk', 'maybe', '1', '', '', '')"
    )
    file.close()
    with closing(connect(path, busy_seconds=1)) as database:
        with bulk_writing(database, MANY):
            pass
        with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
            database.execute(insert)


@settings(max_examples=60, deadline=None)
@given(st.datetimes(), st.integers(-14, 14))
def test_an_instant_is_stored_in_utc_to_the_millisecond(wall: datetime, hours: int) -> None:
    assume(1 < wall.year < 9999)
    instant = wall.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert utc_text(instant) == instant.astimezone(UTC).isoformat(timespec="milliseconds")
