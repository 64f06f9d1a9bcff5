"""Tasks that repeat: completing one makes the next."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from tests.store.opened import add, day, opened, titles, user_context
from todo_tui.domain.changes import ChangeKind, TaskChange
from todo_tui.domain.task import RepeatFrom, Status, Task, TaskFields
from todo_tui.store.store import Store


def complete(store: Store, task_id: int) -> Task | None:
    (completion,) = store.tasks.complete([task_id], by=user_context(store))
    return completion.next


def test_completing_makes_the_next_occurrence_with_all_that_it_carries(store: Store) -> None:
    done = add(
        store,
        "Water the plants",
        notes="the fern too",
        due=day("2026-11-16T08:00"),
        start=day("2026-11-14"),
        recurrence="FREQ=WEEKLY;BYDAY=MO",
        project="home",
        tags=("green", "b"),
        extra={"kept": 1},
    )
    following = complete(store, done.id)
    assert following is not None
    assert (following.id, following.title, following.notes) == (2, done.title, done.notes)
    assert following.due == day("2026-11-23T08:00")
    assert following.due_zone == "Europe/Berlin"
    assert following.start == day("2026-11-21")
    assert (following.project, following.tags, following.extra) == ("home", done.tags, {"kept": 1})
    assert following.recurrence == done.recurrence
    assert (following.series, following.slot) == (done.uuid, "2026-11-23T08:00")
    assert store.tasks.get(done.id).status is Status.DONE
    assert titles(store, "waiting") == ["Water the plants"]


@pytest.mark.parametrize(
    ("repeat_from", "expected"),
    [
        (RepeatFrom.DUE, "2026-11-05"),
        (RepeatFrom.NEXT, "2026-11-20"),
        (RepeatFrom.COMPLETION, "2026-11-21"),
    ],
)
def test_the_next_one_counts_from_what_the_task_says(
    store: Store, repeat_from: RepeatFrom, expected: str
) -> None:
    task = add(
        store,
        "a",
        due=day("2026-11-02"),
        recurrence="FREQ=DAILY;INTERVAL=3",
        repeat_from=repeat_from,
    )
    following = complete(store, task.id)
    assert following is not None
    assert following.due == day(expected)


def test_a_task_without_a_due_moment_repeats_from_its_completion(store: Store) -> None:
    task = add(store, "a", recurrence="FREQ=DAILY;INTERVAL=3", repeat_from=RepeatFrom.COMPLETION)
    following = complete(store, task.id)
    assert following is not None
    assert following.due == day("2026-11-21")


def test_two_devices_that_complete_the_same_occurrence_make_the_same_next_one(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "laptop.db") as laptop:
        add(laptop, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    (tmp_path / "phone.db").write_bytes((tmp_path / "laptop.db").read_bytes())
    made = []
    for name in ("laptop.db", "phone.db"):
        with opened(tmp_path / name) as store:
            following = complete(store, 1)
            assert following is not None
            made.append(following.uuid)
    assert made[0] == made[1]


@pytest.mark.parametrize(
    ("rule", "days"),
    [
        ("FREQ=DAILY;INTERVAL=3", ["2026-11-21"] * 3),
        ("FREQ=HOURLY;INTERVAL=2", ["2026-11-18T16:30"] * 3),
        ("FREQ=WEEKLY;BYDAY=MO", ["2026-11-23", "2026-11-30", "2026-12-07"]),
    ],
)
def test_what_counts_from_completion_can_be_done_again_at_once(
    store: Store, rule: str, days: list[str]
) -> None:
    task: Task | None = add(
        store, "a", due=day("2026-11-18"), recurrence=rule, repeat_from=RepeatFrom.COMPLETION
    )
    uuids = set()
    for expected in days:
        assert task is not None
        uuids.add(task.uuid)
        task = complete(store, task.id)
        assert task is not None
        assert task.due == day(expected)
    assert len(uuids) == 3
    for _ in days:
        store.tasks.undo(by=user_context(store))
    assert [each.id for each in store.tasks.list().tasks] == [1]


def test_undoing_the_completion_takes_the_next_occurrence_away(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    report = store.tasks.undo(by=user_context(store))
    assert {(change.kind, change.task.id) for change in report.changes} == {
        (ChangeKind.REOPENED, 1),
        (ChangeKind.PURGED, 2),
    }
    assert titles(store, "all or trash") == ["a"]
    store.tasks.redo(by=user_context(store))
    assert store.tasks.get(2).due == day("2026-11-23")


def test_completing_again_after_undo_makes_the_same_occurrence_afresh(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    first = complete(store, 1)
    store.tasks.undo(by=user_context(store))
    store.tasks.update([1], {"title": "b"}, by=user_context(store))
    second = complete(store, 1)
    assert first is not None
    assert second is not None
    assert (second.id, second.uuid, second.title) == (first.id, first.uuid, "b")
    assert store.tasks.redo(by=user_context(store)).changes == ()
    store.tasks.undo(by=user_context(store))
    assert titles(store, "all or trash") == ["b"]


def test_a_series_has_one_live_occurrence(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    following = complete(store, 1)
    store.tasks.reopen([1], by=user_context(store))
    assert complete(store, 1) == following
    assert len(titles(store)) == 1


def test_an_occurrence_that_was_done_ahead_is_not_made_again(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    third = complete(store, 2)
    assert third is not None
    store.tasks.delete([third.id], by=user_context(store))
    store.tasks.reopen([1], by=user_context(store))
    again = complete(store, 1)
    assert again is not None
    assert (again.id, again.deleted_at) == (third.id, None)


def test_a_rule_that_has_ended_makes_no_more(store: Store) -> None:
    until = add(store, "a", due=day("2026-11-16"), recurrence="FREQ=DAILY;UNTIL=20261117")
    last = complete(store, until.id)
    assert last is not None
    assert complete(store, last.id) is None
    counted = add(store, "b", due=day("2026-11-16"), recurrence="FREQ=DAILY;COUNT=2")
    last = complete(store, counted.id)
    assert last is not None
    assert last.recurrence == "FREQ=DAILY;COUNT=1"
    assert complete(store, last.id) is None


def test_a_repeat_that_is_added_later_begins_a_series(store: Store) -> None:
    task = add(store, "a", due=day("2026-11-16"))
    (repeating,) = store.tasks.update(
        [task.id], {"recurrence": "FREQ=DAILY"}, by=user_context(store)
    )
    assert (repeating.series, repeating.slot) == (task.uuid, "2026-11-16")
    (plain,) = store.tasks.update([task.id], {"recurrence": None}, by=user_context(store))
    assert plain.recurrence is None
    assert complete(store, task.id) is None


def test_cancelling_skips_an_occurrence_and_cancels_the_last_one(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=DAILY;COUNT=2")
    cancelled = TaskFields(status=Status.CANCELLED)
    (skipped,) = store.tasks.update([1], cancelled, by=user_context(store))
    assert (skipped.status, skipped.due) == (Status.TODO, day("2026-11-17"))
    (ended,) = store.tasks.update([1], cancelled, by=user_context(store))
    assert ended.status is Status.CANCELLED
    assert store.tasks.list().total == 0
    store.tasks.undo(by=user_context(store))
    store.tasks.undo(by=user_context(store))
    assert store.tasks.get(1).due == day("2026-11-16")


def test_a_time_of_day_stays_what_it_is_across_daylight_saving(path: Path) -> None:
    with opened(path, now=datetime(2026, 10, 24, 12)) as store:
        add(store, "a", due=day("2026-10-24T09:00"), recurrence="FREQ=DAILY")
        following = complete(store, 1)
        assert following is not None
        assert following.due == day("2026-10-25T09:00")


def test_both_tasks_are_announced_together(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=DAILY")
    heard: list[tuple[TaskChange, ...]] = []
    store.tasks.subscribe(heard.append)
    complete(store, 1)
    assert [[change.kind for change in changes] for changes in heard] == [
        [ChangeKind.COMPLETED, ChangeKind.ADDED]
    ]


def test_a_moved_occurrence_counts_as_the_one_it_was(store: Store) -> None:
    """Its start and subtasks move by a whole interval, and only one of COUNT is used."""
    task = add(
        store,
        "a",
        due=day("2026-11-23T20:00"),
        start=day("2026-11-21"),
        recurrence="FREQ=WEEKLY;BYDAY=MO;COUNT=3",
        repeat_from=RepeatFrom.NEXT,
    )
    sub = add(store, "b", due=day("2026-11-22"), parent=task.id)
    moved = TaskFields(due=day("2026-11-22T18:00"))
    store.tasks.update([task.id], moved, by=user_context(store))
    assert store.tasks.get(task.id).slot == "2026-11-23T20:00"
    store.tasks.complete([sub.id, task.id], by=user_context(store))
    following, again = store.tasks.get(3), store.tasks.get(4)
    assert (following.due, following.start) == (day("2026-11-30T20:00"), day("2026-11-28"))
    assert (following.slot, following.recurrence) == (
        "2026-11-30T20:00", "FREQ=WEEKLY;BYDAY=MO;COUNT=2",
    )  # fmt: skip
    assert (again.title, again.due) == ("b", day("2026-11-29"))


def test_a_time_that_is_added_is_of_the_series_until_it_is_undone(store: Store) -> None:
    task = add(store, "a", due=day("2026-11-23"), recurrence="FREQ=WEEKLY;BYDAY=MO")
    store.tasks.update([task.id], TaskFields(due=day("2026-11-23T20:00")), by=user_context(store))
    assert store.tasks.get(task.id).slot == "2026-11-23T20:00"
    store.tasks.undo(by=user_context(store))
    assert store.tasks.get(task.id).slot == "2026-11-23"
