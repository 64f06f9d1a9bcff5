"""What an import logs of its tasks: found by task, undone, erased."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.opened import day, opened, titles, user_context
from todo_tui.domain.import_entry import ImportEntry
from todo_tui.domain.task import Actor, Priority
from todo_tui.store.store import Store

WRITTEN = datetime(2026, 11, 1, 8, tzinfo=UTC)
DRAFTS = (
    ImportEntry({"title": "Pay", "tags": ("home", "money"), "due": day("2026-11-20")}, 1, parent=2),
    ImportEntry({"title": "Travel", "priority": Priority.HIGH}, 2, created_at=WRITTEN),
    ImportEntry({"title": "Pack", "notes": "The red bag", "position": "zz"}, 3, blocked_by=(1,)),
)


@pytest.fixture
def store(path: Path) -> Store:
    """Three imported tasks, and a change of each."""
    opened_store = opened(path)
    opened_store.tasks.import_entries(DRAFTS, by=opened_store.new_change_context(Actor.IMPORT))
    opened_store.tasks.update([1, 2, 3], {"project": "trip"}, by=user_context(opened_store))
    return opened_store


def test_an_imported_task_has_a_creation_and_one_operation_per_field(store: Store) -> None:
    def said(task_id: int) -> list[tuple[str, str | None, str | None, str | None]]:
        return [
            (each.kind, each.field, each.old, each.new) for each in store.tasks.history(task_id)
        ]

    later = ("set", "project", None, "trip")
    assert said(1) == [
        ("create", None, None, "1"),
        ("set", "title", "", "Pay"),
        ("set", "due", None, "2026-11-20"),
        ("add", "tags", None, "home"),
        ("add", "tags", None, "money"),
        ("set", "parent", None, "2"),
        later,
    ]
    assert said(2) == [
        ("create", None, None, "2"),
        ("set", "title", "", "Travel"),
        ("set", "priority", None, "high"),
        ("set", "created_at", "2026-11-18T13:30:00.000+00:00", "2026-11-01T08:00:00.000+00:00"),
        later,
    ]
    assert said(3) == [
        ("create", None, None, "3"),
        ("set", "title", "", "Pack"),
        ("set", "notes", "", "The red bag"),
        ("set", "position", "00000003", "zz"),
        ("add", "blocked_by", None, "1"),
        later,
    ]
    store.close()


def test_an_import_is_one_step_of_undo_and_of_redo(store: Store) -> None:
    for _ in range(2):
        store.tasks.undo(by=user_context(store))
    assert titles(store) == []
    store.tasks.redo(by=user_context(store))
    assert set(titles(store)) == {"Pay", "Travel", "Pack"}
    assert store.tasks.get(1).tags == ("home", "money")
    store.close()


def test_purging_erases_what_the_import_logged(store: Store, path: Path) -> None:
    store.tasks.delete([3], by=user_context(store))
    uuid = store.tasks.get(3).uuid
    store.tasks.purge([3], by=user_context(store))
    store.close()
    with closing(sqlite3.connect(path)) as database:
        query = "SELECT DISTINCT old, new FROM ops WHERE task_uuid = ?"
        assert database.execute(query, (uuid,)).fetchall() == [(None, None)]


def test_clocks_and_ids_of_an_import_go_up_with_the_log(store: Store, path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT clock, op_id FROM ops ORDER BY seq").fetchall()
        (last,) = database.execute("SELECT value FROM meta WHERE key = 'clock'").fetchone()
    clocks = [clock for clock, _ in rows]
    assert clocks == sorted(set(clocks))
    assert clocks[-1] == last
    assert len({op_id for _, op_id in rows}) == len(rows)
