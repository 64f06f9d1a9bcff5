"""Which reminders come due, once each: after restarts, clocks set back, and being put off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.moved_clock import MovedClock, moved_clock
from todo_tui.domain.reminders import ReminderSettings, Snooze
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.store import Store, open_store

HOME = "Europe/Berlin"
DAY = date(2026, 11, 18)
RULES = ReminderSettings()


@dataclass
class ReminderStore:
    """A store whose clock is set by hand."""

    store: Store
    clock: MovedClock
    path: Path

    def at(self, hour: int, minute: int = 0, day: date = DAY) -> None:
        self.clock.wall[0] = datetime.combine(day, time(hour, minute))

    def add(self, title: str, **fields: object) -> int:
        wanted = TaskFields(title=title, **fields)  # type: ignore[typeddict-item]  # by name
        return self.store.tasks.add(wanted, by=self.store.new_change_context(Actor.USER)).id

    def take(self, rules: ReminderSettings = RULES) -> list[str]:
        return [each.title for each in self.store.reminders.take(rules)]

    def next(self, rules: ReminderSettings = RULES) -> str | None:
        at = self.store.reminders.next_at(rules)
        return None if at is None else f"{at.astimezone(ZoneInfo(HOME)):%d %H:%M}"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[ReminderStore]:
    path = tmp_path / "tasks.db"
    clock = moved_clock(HOME, datetime.combine(DAY, time(8)))
    with open_store(path, user="ann", clock=clock) as store:
        yield ReminderStore(store, clock, path)


def at(hour: int, minute: int = 0, day: int = 18) -> When:
    return When(date(2026, 11, day), time(hour, minute))


def test_the_first_look_tells_nothing_of_the_past(desk: ReminderStore) -> None:
    desk.add("Long ago", due=at(7))
    assert desk.take() == []
    assert desk.next() is None


def test_a_timed_task_is_reminded_of_at_its_time_and_once(desk: ReminderStore) -> None:
    desk.take()
    desk.add("Call mom", due=at(17))
    assert desk.next() == "18 17:00"
    desk.at(16, 59)
    assert desk.take() == []
    desk.at(17)
    assert desk.next() == "18 17:00"
    assert desk.take() == ["Call mom"]
    assert desk.take() == []
    assert desk.next() is None


def test_all_day_tasks_and_starts_are_reminded_of_in_the_morning(desk: ReminderStore) -> None:
    desk.take()
    desk.add("Today", due=When(DAY))
    desk.add("Begin", start=at(10))
    desk.add("Tomorrow", due=When(DAY + timedelta(days=1)))
    assert desk.next() == "18 09:00"
    desk.at(9)
    assert desk.take() == ["Today"]
    assert desk.next() == "18 10:00"
    desk.at(12)
    assert desk.take() == ["Begin"]
    assert desk.next() == "19 09:00"
    early = ReminderSettings(all_day_at=time(7, 30))
    assert desk.next(early) == "19 07:30"


def test_before_comes_before_timed_tasks_alone(desk: ReminderStore) -> None:
    rules = ReminderSettings(before=timedelta(minutes=30))
    desk.take(rules)
    desk.add("Call mom", due=at(17))
    desk.add("Tomorrow", due=When(DAY + timedelta(days=1)))
    assert desk.next(rules) == "18 16:30"
    desk.at(16, 30)
    assert desk.take(rules) == ["Call mom"]
    assert desk.next(rules) == "19 09:00"


def test_a_time_nearer_than_the_lead_is_reminded_of_itself(desk: ReminderStore) -> None:
    rules = ReminderSettings(before=timedelta(minutes=30))
    desk.take(rules)
    desk.add("Soon", due=at(8, 10))
    desk.at(8, 10)
    assert desk.take(rules) == ["Soon"]


def test_a_time_past_when_set_gives_no_reminder(desk: ReminderStore) -> None:
    desk.take()
    desk.at(12)
    desk.add("Long over", due=at(10))
    desk.at(13)
    assert desk.take() == []


def test_a_time_in_another_zone_is_reminded_of_when_it_comes_there(desk: ReminderStore) -> None:
    desk.take()
    desk.add("Far away", due=at(8), due_zone="America/New_York")
    desk.add("Starts far away", start=at(9), start_zone="America/New_York")
    assert desk.next() == "18 14:00"
    desk.at(14)
    assert desk.take() == ["Far away"]
    assert desk.next() == "18 15:00"


def test_reminders_missed_while_closed_are_shown_once_after_a_restart(desk: ReminderStore) -> None:
    desk.take()
    desk.add("One", due=at(9))
    desk.add("Two", due=at(10))
    desk.at(20)
    with open_store(desk.path, user="ann", clock=desk.clock) as other:
        assert [each.title for each in other.reminders.take(RULES)] == ["One", "Two"]
    assert desk.take() == []


def test_a_clock_that_is_set_back_repeats_nothing_and_loses_nothing(desk: ReminderStore) -> None:
    desk.take()
    desk.add("Told", due=at(12))
    desk.at(12)
    assert desk.take() == ["Told"]
    desk.at(9)
    assert desk.take() == []
    desk.add("New", due=at(10))
    desk.at(13)
    assert desk.take() == ["New"]


def test_what_is_put_off_comes_again_even_after_a_restart_unless_it_is_done(
    desk: ReminderStore,
) -> None:
    desk.take()
    one, two = desk.add("One", due=at(9)), desk.add("Two", due=at(9))
    desk.at(9)
    found = desk.store.reminders.take(RULES)
    until = Snooze.HOUR.until(desk.clock.utc(), HOME, RULES)
    desk.store.reminders.snooze([each.task.uuid for each in found], until)
    assert desk.next() == "18 10:00"
    desk.store.tasks.complete([two], by=desk.store.new_change_context(Actor.USER))
    desk.at(10)
    with open_store(desk.path, user="ann", clock=desk.clock) as other:
        assert [each.task.id for each in other.reminders.take(RULES)] == [one]
    assert desk.take() == []
    assert desk.next() is None


def test_another_due_time_is_reminded_of_again(desk: ReminderStore) -> None:
    desk.take()
    task = desk.add("Call mom", due=at(9))
    desk.at(9)
    assert desk.take() == ["Call mom"]
    by = desk.store.new_change_context(Actor.USER)
    desk.store.tasks.update([task], TaskFields(due=at(11)), by=by)
    desk.at(11)
    assert desk.take() == ["Call mom"]


def test_closed_and_deleted_tasks_and_those_of_others_are_silent(desk: ReminderStore) -> None:
    desk.take()
    done, gone = desk.add("Done", due=at(9)), desk.add("Gone", due=at(9))
    by = desk.store.new_change_context(Actor.USER)
    desk.store.tasks.complete([done], by=by)
    desk.store.tasks.delete([gone], by=by)
    with open_store(desk.path, user="bob", clock=desk.clock) as other:
        other.tasks.add(
            TaskFields(title="Bob's", due=at(9)), by=other.new_change_context(Actor.USER)
        )
    assert desk.next() is None
    desk.at(10)
    assert desk.take() == []


def test_a_memory_that_cannot_be_read_begins_anew(desk: ReminderStore) -> None:
    desk.store.app_state.set("reminders", '{"mark": 3}')
    desk.add("Old", due=at(7))
    assert desk.take() == []


@pytest.mark.parametrize(
    ("snooze", "expected"),
    [
        (Snooze.TEN_MINUTES, "2026-11-18 17:10"),
        (Snooze.HOUR, "2026-11-18 18:00"),
        (Snooze.TOMORROW, "2026-11-19 09:00"),
    ],
)
def test_reminders_are_put_off_by_these(snooze: Snooze, expected: str) -> None:
    now = datetime(2026, 11, 18, 17, tzinfo=ZoneInfo(HOME))
    until = snooze.until(now, HOME, RULES).astimezone(ZoneInfo(HOME))
    assert f"{until:%Y-%m-%d %H:%M}" == expected


def test_reminders_and_the_next_moment_are_asked_of_an_index(desk: ReminderStore) -> None:
    queries: list[str] = []
    desk.take()
    desk.add("Call mom", due=at(17))
    file = desk.store._db.file
    with file.reading() as reader:
        reader.set_trace_callback(queries.append)
    file.files.writer.set_trace_callback(queries.append)
    desk.at(10)
    assert desk.next() == "18 17:00"
    assert desk.take() == []
    file.files.writer.set_trace_callback(None)
    with file.reading() as reader:
        reader.set_trace_callback(None)
        found = [query for query in queries if "SELECT id FROM tasks" in query]
        assert len(found) == 6
        for query in found:
            plan = str(reader.execute(f"EXPLAIN QUERY PLAN {query}").fetchall())
            assert "SEARCH tasks USING" in plan, plan
            assert "uuid" not in query or "(uuid=?)" in plan, plan
            assert "TEMP B-TREE" not in plan, plan


def test_tags_are_named_once_in_whatever_spelling(desk: ReminderStore) -> None:
    gone = desk.add("One", tags=("Home", "solo"))
    desk.add("Two", tags=("home", "phone"))
    desk.store.tasks.delete([gone], by=desk.store.new_change_context(Actor.USER))
    with open_store(desk.path, user="bob", clock=desk.clock) as other:
        other.tasks.add(
            TaskFields(title="x", tags=("bob",)), by=other.new_change_context(Actor.USER)
        )
    assert desk.store.tasks.tags() == ("home", "phone")
