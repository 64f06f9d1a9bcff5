"""Databases filled with made-up tasks, the same each time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from todo_tui.domain.clock import Clock
from todo_tui.domain.task import Actor, Priority, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.opening import open_store

_PRIORITIES = (None, Priority.LOW, None, Priority.MEDIUM, None, Priority.HIGH)
_PROJECTS = (None, "home", "work.reports", "errands")


def seed_tasks(database: Path, count: int) -> None:
    """Make the file with `count` open tasks of the usual user, due around today."""
    with open_store(database, user="me", clock=Clock("UTC")) as store:
        today = datetime.now(UTC).date()
        store.tasks.add_many(
            [
                TaskFields(
                    title=f"Seeded task {number}",
                    priority=_PRIORITIES[number % len(_PRIORITIES)],
                    project=_PROJECTS[number % len(_PROJECTS)],
                    tags=("chores",) if number % 5 == 0 else (),
                    due=None if number % 7 == 0 else When(today + timedelta(days=number % 60)),
                )
                for number in range(count)
            ],
            by=store.gesture(Actor.IMPORT),
        )
