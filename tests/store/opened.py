"""What the tests of the store open files with."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Actor, Task, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import Store, open_store

NOW = datetime(2026, 11, 18, 14, 30)
"""A Wednesday."""
ZONE = "Europe/Berlin"
FORMAT_11 = Path(__file__).parents[1] / "data" / "format_11.sql"


def opened(path: Path, *, user: str = "ann", now: datetime | None = NOW, zone: str = ZONE) -> Store:
    """The store of a user, by default with a clock that stands still."""
    return open_store(path, user=user, clock=Clock(zone, now))


def of_format_11(path: Path) -> None:
    """Create a file as the last version before the first release wrote it."""
    path.parent.mkdir(exist_ok=True)
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(FORMAT_11.read_text(encoding="utf-8"))


def user_context(store: Store) -> ChangeContext:
    """A gesture of the user: a batch of its own."""
    return store.new_change_context(Actor.USER)


def add(store: Store, title: str, **fields: object) -> Task:
    """Add one task in a batch of its own."""
    wanted: TaskFields = {"title": title, **fields}  # type: ignore[typeddict-item] # as given
    return store.tasks.add(wanted, by=user_context(store))


def day(text: str) -> When:
    """A due or start moment from its ISO form."""
    return When.parse(text)


def titles(store: Store, filter_text: str = "") -> list[str]:
    """The titles that a filter shows, in order."""
    wanted = parse_query(filter_text, store.clock.now(), store.style).filter
    return [task.title for task in store.tasks.list(wanted).tasks]


def ops(store: Store) -> list[dict[str, object]]:
    """The operation log, oldest first, as another program reads it."""
    connection = sqlite3.connect(store.path)
    try:
        cursor = connection.execute("SELECT * FROM ops ORDER BY seq")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    finally:
        connection.close()


TODAY = date(2026, 11, 18)
