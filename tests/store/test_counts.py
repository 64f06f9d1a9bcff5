"""Counts of tasks as time passes."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from tests.conftest import NOW
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import open_store
from todo_tui.store.tasks.results import TaskCounts

_MINUTE = timedelta(minutes=1)


def counts_at(database: Path, now: datetime) -> TaskCounts:
    with open_store(database, user="ann", clock=Clock("UTC", now)) as store:
        return store.tasks.counts()


def test_counts_change_in_the_minute_in_which_a_task_is_late_or_its_start_comes(
    tmp_path: Path,
) -> None:
    database = tmp_path / "tasks.db"
    with open_store(database, user="ann", clock=Clock("UTC", NOW)) as store:
        fields = [
            TaskFields(title="Call", due=When.of(NOW + 2 * _MINUTE)),
            TaskFields(title="Walk", start=When.of(NOW + 4 * _MINUTE)),
        ]
        store.tasks.add_many(fields, by=store.new_change_context(Actor.CLI))
    counts = [counts_at(database, NOW + minute * _MINUTE) for minute in range(6)]
    changed = [minute for minute in range(1, 6) if counts[minute] != counts[minute - 1]]
    assert changed == [3, 4]
