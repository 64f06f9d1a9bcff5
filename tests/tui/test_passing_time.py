"""What a minute changes in the list, and when that is worth reading it."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from tests.tui.conftest import NOW
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock, When
from todo_tui.store.store import open_store
from todo_tui.store.tasks.select import TaskCounts
from todo_tui.tui.task_list.controller import TimeChangeDetector

_MINUTE = timedelta(minutes=1)


def counts_at(database: Path, now: datetime) -> TaskCounts:
    with open_store(database, user="ann", clock=Clock("UTC", now)) as store:
        return store.tasks.counts()


def test_a_list_is_read_anew_in_the_minute_in_which_a_task_is_late_or_its_start_comes(
    tmp_path: Path,
) -> None:
    database = tmp_path / "tasks.db"
    with open_store(database, user="ann", clock=Clock("UTC", NOW)) as store:
        fields = [
            TaskFields(title="Call", due=When.of(NOW + 2 * _MINUTE)),
            TaskFields(title="Walk", start=When.of(NOW + 4 * _MINUTE)),
        ]
        store.tasks.add_many(fields, by=store.new_change_context(Actor.CLI))
    now = NOW
    detector = TimeChangeDetector(lambda: counts_at(database, now), lambda: 0.0)
    assert not detector.is_list_stale()
    changed = []
    for minute in range(1, 6):
        now = NOW + minute * _MINUTE
        if detector.is_list_stale():
            changed.append(minute)
    assert changed == [3, 4]


def test_a_list_is_read_anew_now_and_then_whatever_the_counts_say() -> None:
    moment = 0.0
    detector = TimeChangeDetector(lambda: TaskCounts(3, 2, 1), lambda: moment)
    detector.is_list_stale()
    moment = 60.0
    assert not detector.is_list_stale()
    moment = 1000.0
    assert detector.is_list_stale()
