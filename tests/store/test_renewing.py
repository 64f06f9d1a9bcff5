"""Repeating tasks with subtasks, skipped occurrences, and series that end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from tests.store.opened import add, day, opened, titles, user_context
from todo_tui.domain.changes import ChangeContext, SubtaskPolicy
from todo_tui.domain.errors import Conflict, NotFound
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import RepeatFrom, Status, Task
from todo_tui.store.store import Store
from todo_tui.store.tasks.repository import TaskStore
from todo_tui.store.tasks.results import CompletionResult

LEAVE, CLOSE = SubtaskPolicy.LEAVE, SubtaskPolicy.CLOSE


def weekly(store: Store) -> None:
    """#1 Clean every Monday: #2 Kitchen (#3 Oven), #4 Bath."""
    add(store, "Clean", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    add(store, "Kitchen", parent=1, due=day("2026-11-15"), tags=("wet",), notes="the sink too")
    add(store, "Oven", parent=2)
    add(store, "Bath", parent=1, start=day("2026-11-02T08:00"))


def complete(
    store: Store, *ids: int, children: SubtaskPolicy = SubtaskPolicy.ASK
) -> CompletionResult:
    return store.tasks.complete(ids, by=user_context(store), children=children)[0]


def below(store: Store, task: Task | None) -> list[tuple[int, str, str]]:
    assert task is not None
    return [
        (each.depth, each.task.title, each.task.status.value)
        for each in store.tasks.subtree(task.id)
    ]


FRESH = [(1, "Kitchen", "todo"), (2, "Oven", "todo"), (1, "Bath", "todo")]
DONE = [(1, "Kitchen", "done"), (2, "Oven", "done"), (1, "Bath", "done")]


def test_a_repeating_parent_has_all_its_subtasks_again(store: Store) -> None:
    weekly(store)
    for each in (3, 4, 2):
        complete(store, each)
    done = complete(store, 1)
    assert below(store, done.next) == FRESH
    assert below(store, done.task) == DONE
    kitchen, bath, _ = done.reopened_subtasks
    assert (kitchen.due, kitchen.tags, kitchen.notes) == (
        day("2026-11-22"), ("wet",), "the sink too",
    )  # fmt: skip
    assert bath.start == day("2026-11-09T08:00")
    assert titles(store, "done") == ["Kitchen", "Clean", "Oven", "Bath"]


def test_subtasks_closed_with_their_parent_come_again_too(store: Store) -> None:
    weekly(store)
    done = complete(store, 1, children=CLOSE)
    assert [task.title for task in done.children] == ["Kitchen", "Bath", "Oven"]
    assert below(store, done.next) == FRESH
    assert below(store, done.task) == DONE


def test_subtasks_left_open_go_on_to_the_next_occurrence(store: Store) -> None:
    weekly(store)
    complete(store, 3)
    done = complete(store, 1, children=LEAVE)
    assert below(store, done.next) == FRESH
    assert below(store, done.task) == [(1, "Oven", "done")]
    assert store.tasks.get(2).due == day("2026-11-22")
    assert [task.title for task in done.reopened_subtasks] == ["Oven"]
    assert titles(store) == ["Kitchen", "Clean", "Oven", "Bath"]


def test_each_week_has_its_own_and_one_undo_takes_a_week_back(store: Store) -> None:
    weekly(store)
    second = complete(store, 1, children=CLOSE).next
    assert second is not None
    third = complete(store, second.id, children=CLOSE).next
    assert below(store, third) == FRESH
    assert len(titles(store, "done")) == 8
    assert len(titles(store)) == 4
    store.tasks.undo(by=user_context(store))
    assert below(store, store.tasks.get(second.id)) == FRESH
    store.tasks.undo(by=user_context(store))
    assert below(store, store.tasks.get(1)) == FRESH
    assert len(titles(store, "all or trash")) == 4
    store.tasks.redo(by=user_context(store))
    store.tasks.redo(by=user_context(store))
    assert below(store, third) == FRESH


def test_completing_again_after_undo_makes_the_same_subtasks(store: Store) -> None:
    weekly(store)
    first = complete(store, 1, children=CLOSE)
    store.tasks.undo(by=user_context(store))
    again = complete(store, 1, children=CLOSE)
    assert [(task.id, task.uuid) for task in again.reopened_subtasks] == [
        (task.id, task.uuid) for task in first.reopened_subtasks
    ]
    assert below(store, again.next) == FRESH


def test_a_subtask_that_outlived_an_undo_is_taken_over(store: Store) -> None:
    weekly(store)
    turn = user_context(store)
    (first,) = store.tasks.complete([1], by=turn, children=CLOSE)
    kitchen = first.reopened_subtasks[0]
    store.tasks.update([kitchen.id], {"notes": "mine"}, by=user_context(store))
    store.tasks.update([1], {"notes": "more of the same batch"}, by=turn)
    store.tasks.undo(by=user_context(store))
    again = complete(store, 1, children=CLOSE)
    assert below(store, again.next) == FRESH
    assert store.tasks.get(kitchen.id).notes == "mine"


def test_what_waited_within_waits_again(store: Store) -> None:
    weekly(store)
    store.tasks.update([4], {"blocked_by": (2,)}, by=user_context(store))
    done = complete(store, 1, children=CLOSE)
    kitchen, bath, _ = done.reopened_subtasks
    assert bath.blocked_by == (kitchen.id,)
    complete(store, kitchen.id, children=CLOSE)
    assert done.next is not None
    following = complete(store, done.next.id, children=LEAVE)
    (again,) = (each for each in following.reopened_subtasks if each.title == "Kitchen")
    assert store.tasks.get(bath.id).blocked_by == (again.id,)
    assert store.tasks.get(bath.id).parent == (following.next and following.next.id)


def test_a_subtask_with_a_rhythm_of_its_own_keeps_it(store: Store) -> None:
    add(store, "Clean", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    add(store, "Air", parent=1, due=day("2026-11-18"), recurrence="FREQ=DAILY")
    complete(store, 2)
    done = complete(store, 1, children=CLOSE)
    assert done.next is not None
    (air,) = store.tasks.subtree(done.next.id)
    assert (air.task.due, air.task.is_open) == (day("2026-11-20"), True)
    assert [task.title for task in store.tasks.list().tasks] == ["Air", "Clean"]


def test_a_rhythm_below_a_task_that_is_finished_ends_with_it(store: Store) -> None:
    add(store, "Launch")
    add(store, "Standup", parent=1, due=day("2026-11-18"), recurrence="FREQ=DAILY")
    complete(store, 1, children=CLOSE)
    assert titles(store) == []


def test_an_occurrence_below_another_of_its_series_makes_no_circle(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    store.tasks.update([2], {"title": "b"}, by=user_context(store))
    (reopened,) = store.tasks.reopen([1], by=user_context(store))
    assert reopened.remark == "its next occurrence #2 stays"
    store.tasks.move([1], under=2, by=user_context(store))
    done = complete(store, 2, children=CLOSE)
    assert done.next is not None
    assert done.next.parent is None
    assert store.tasks.list().total == 1


def test_two_devices_renew_the_same_subtasks(tmp_path: Path) -> None:
    with opened(tmp_path / "laptop.db") as laptop:
        weekly(laptop)
    (tmp_path / "phone.db").write_bytes((tmp_path / "laptop.db").read_bytes())
    made = []
    for name in ("laptop.db", "phone.db"):
        with opened(tmp_path / name) as store:
            made.append(
                [task.uuid for task in complete(store, 1, children=CLOSE).reopened_subtasks]
            )
    assert made[0] == made[1]


# --- skipping and ending ------------------------------------------------------------


@pytest.mark.parametrize(
    ("repeat_from", "missed", "expected"),
    [
        (RepeatFrom.DUE, False, "2026-11-11"),
        (RepeatFrom.DUE, True, "2026-11-18"),
        (RepeatFrom.NEXT, False, "2026-11-18"),
        (RepeatFrom.COMPLETION, False, "2026-11-19"),
    ],
)
def test_skipping_goes_on_without_completing(
    store: Store, repeat_from: RepeatFrom, missed: bool, expected: str
) -> None:
    add(store, "a", due=day("2026-11-10"), start=day("2026-11-09"), recurrence="FREQ=DAILY",
        repeat_from=repeat_from)  # fmt: skip
    before = store.tasks.get(1)
    (skipped,) = store.tasks.skip([1], by=user_context(store), missed=missed)
    task = skipped.task
    assert (task.id, task.due, task.slot, task.status) == (1, day(expected), expected, Status.TODO)
    assert task.start == day(f"2026-11-{int(expected[-2:]) - 1:02d}")
    assert store.tasks.list().total == 1
    store.tasks.undo(by=user_context(store))
    assert store.tasks.get(1).due == before.due
    assert store.tasks.get(1).slot == before.slot


def test_subtasks_of_a_skipped_task_are_open_again(store: Store) -> None:
    weekly(store)
    complete(store, 2, children=CLOSE)
    (skipped,) = store.tasks.skip([1], by=user_context(store))
    assert [task.title for task in skipped.reopened_subtasks] == ["Kitchen", "Oven"]
    assert sorted(below(store, skipped.task)) == sorted(FRESH)
    assert store.tasks.get(2).parent is None
    assert store.tasks.get(3).parent == 2
    assert store.tasks.get(4).start == day("2026-11-09T08:00")
    store.tasks.undo(by=user_context(store))
    assert below(store, store.tasks.get(1)) == [
        (1, "Kitchen", "done"), (2, "Oven", "done"), (1, "Bath", "todo"),
    ]  # fmt: skip


def test_only_an_open_task_that_repeats_once_more_can_be_skipped(store: Store) -> None:
    add(store, "plain")
    add(store, "last", due=day("2026-11-18"), recurrence="FREQ=DAILY;UNTIL=20261118")
    add(store, "once", due=day("2026-11-18"), recurrence="FREQ=DAILY;COUNT=1")
    add(store, "deleted", due=day("2026-11-18"), recurrence="FREQ=DAILY")
    add(store, "done", due=day("2026-11-18"), recurrence="FREQ=DAILY")
    store.tasks.delete([4], by=user_context(store))
    complete(store, 5)
    for task_id, why in ((1, "not recurring"), (2, "no further"), (3, "no further"),
                         (4, "in the trash"), (5, "is completed")):  # fmt: skip
        with pytest.raises(Conflict, match=why):
            store.tasks.skip([task_id], by=user_context(store))
    with pytest.raises(NotFound):
        store.tasks.skip([99], by=user_context(store))


def test_skipping_counts_as_one_of_those_that_were_to_come(store: Store) -> None:
    add(store, "a", due=day("2026-11-15"), recurrence="FREQ=DAILY;COUNT=9")
    (skipped,) = store.tasks.skip([1], by=user_context(store))
    assert skipped.task.recurrence == "FREQ=DAILY;COUNT=8"
    (skipped,) = store.tasks.skip([1], by=user_context(store), missed=True)
    assert (skipped.task.due, skipped.task.recurrence) == (day("2026-11-18"), "FREQ=DAILY;COUNT=6")
    done = complete(store, 1)
    assert done.next is not None
    assert done.next.recurrence == "FREQ=DAILY;COUNT=5"


@pytest.mark.parametrize("children", [LEAVE, CLOSE])
def test_reopening_removes_the_next_occurrence_with_its_subtasks(
    store: Store, children: SubtaskPolicy
) -> None:
    weekly(store)
    add(store, "Mop", parent=1, due=day("2026-11-16"), recurrence="FREQ=DAILY")
    complete(store, 4)
    before = state(store)
    complete(store, 1, children=children)
    completed = state(store)
    closed = () if children is LEAVE else (2, 3)
    for _ in range(2):
        (reopened,) = store.tasks.reopen([1], by=user_context(store))
        assert reopened.remark == "next occurrence removed"
        assert state(store) == {
            number: (Status.DONE, *rest) if number in closed else (status, *rest)
            for number, (status, *rest) in before.items()
        }
        store.tasks.undo(by=user_context(store))
        assert state(store) == completed
    store.tasks.undo(by=user_context(store))
    assert state(store) == before


def state(store: Store) -> dict[int, tuple[object, ...]]:
    """Status, due date and parent of all tasks, those in the trash included."""
    wanted = parse_query("all or trash", store.clock.now(), store.style).filter
    tasks = store.tasks.list(wanted).tasks
    return {task.id: (task.status, task.due, task.parent) for task in tasks}


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.tasks.update([2], {"title": "b"}, by=user_context(store)),
        lambda store: store.tasks.update([2], {"status": Status.DOING}, by=user_context(store)),
        lambda store: store.tasks.complete([2], by=user_context(store)),
        lambda store: store.tasks.annotate(2, "remark", by=user_context(store)),
        lambda store: add(store, "c", parent=2),
    ],
)
def test_a_next_occurrence_that_was_changed_stays(
    store: Store, change: Callable[[Store], object]
) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    change(store)
    before = store.tasks.get(2)
    (reopened,) = store.tasks.reopen([1], by=user_context(store))
    assert (reopened.removed, reopened.kept) == (None, before)
    assert reopened.remark == "its next occurrence #2 stays"
    store.tasks.complete([1], by=user_context(store))
    assert store.tasks.get(2) == before


def test_a_status_that_reopens_removes_the_next_occurrence(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    store.tasks.update([1], {"status": Status.DOING}, by=user_context(store))
    assert list(state(store)) == [1]


@pytest.mark.parametrize(
    "change",
    [
        lambda tasks, by: tasks.update([1], {"recurrence": "FREQ=DAILY"}, by=by),
        lambda tasks, by: tasks.update([1], {"recurrence": None}, by=by),
        lambda tasks, by: tasks.end_series([1], by=by),
        lambda tasks, by: tasks.skip([1], by=by),
        lambda tasks, by: tasks.update(
            [1], {"due": day("2026-11-20")}, by=by, keeps_completed_due=True
        ),
    ],
)
def test_the_series_of_a_completed_occurrence_is_changed_at_its_open_one(
    store: Store, change: Callable[[TaskStore, ChangeContext], object]
) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=WEEKLY")
    complete(store, 1)
    before = state(store)
    with pytest.raises(Conflict) as refused:
        change(store.tasks, user_context(store))
    assert refused.value.text == "Task #1 is completed. Its next occurrence is #2."
    assert state(store) == before
    store.tasks.update([1], {"due": day("2026-11-15")}, by=user_context(store))
    assert store.tasks.get(1).due == day("2026-11-15")


def test_the_last_one_of_a_series_stays_and_no_other_comes(store: Store) -> None:
    add(store, "a", due=day("2026-11-16"), recurrence="FREQ=DAILY")
    second = complete(store, 1).next
    assert second is not None
    (ended,) = store.tasks.end_series([second.id], by=user_context(store))
    assert (ended.is_open, ended.recurrence, ended.series) == (True, None, second.series)
    assert complete(store, second.id).next is None
    store.tasks.reopen([1], by=user_context(store))
    assert complete(store, 1).next is None
    with pytest.raises(Conflict, match="not recurring"):
        store.tasks.end_series([second.id], by=user_context(store))
    for _ in range(4):
        store.tasks.undo(by=user_context(store))
    assert store.tasks.get(second.id).recurrence == "FREQ=DAILY"


def test_done_for_the_last_time_brings_no_next_one(store: Store) -> None:
    weekly(store)
    (done,) = store.tasks.complete([1], by=user_context(store), children=CLOSE, last=True)
    assert done.next is None
    assert titles(store) == []
    store.tasks.undo(by=user_context(store))
    assert store.tasks.get(1).recurrence == "FREQ=WEEKLY"
    assert len(titles(store)) == 4


# --- dates --------------------------------------------------------------------------


def test_the_31st_is_the_last_day_of_a_short_month_and_comes_back(path: Path) -> None:
    with opened(path, now=datetime(2027, 1, 31, 12)) as store:
        add(store, "a", due=day("2027-01-31"), recurrence="FREQ=MONTHLY")
        found: list[str | None] = []
        task: Task | None = store.tasks.get(1)
        while task is not None and len(found) < 4:
            task = complete(store, task.id).next
            found.append(None if task is None or task.due is None else task.due.iso())
        assert found == ["2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]


def test_dates_are_counted_in_the_zone_of_the_task(path: Path) -> None:
    # Where the clock says 20:00 on Wednesday, it is Thursday in Tokyo.
    with opened(path, now=datetime(2026, 11, 18, 20)) as store:
        add(store, "a", due=day("2026-11-18T09:00"), due_zone="Asia/Tokyo",
            recurrence="FREQ=DAILY;INTERVAL=2", repeat_from=RepeatFrom.COMPLETION)  # fmt: skip
        following = complete(store, 1).next
        assert following is not None
        assert (following.due, following.due_zone) == (day("2026-11-21T09:00"), "Asia/Tokyo")


def test_a_zone_that_is_gone_does_not_stop_a_task(store: Store) -> None:
    add(store, "a", due=day("2026-11-18T09:00"), due_zone="Asia/Tokyo", recurrence="FREQ=HOURLY")
    lost = "UPDATE tasks SET due_zone = 'Atlantis/Capital' WHERE id = 1"
    with store._db.file.writing() as database:
        database.execute(lost)
    store.tasks.update([1], {"due": day("2026-11-18T10:00")}, by=user_context(store))
    with store._db.file.writing() as database:
        database.execute(lost)
    (skipped,) = store.tasks.skip([1], by=user_context(store))
    assert skipped.task.due == day("2026-11-18T11:00")
    following = complete(store, 1).next
    assert following is not None
    assert (following.due, following.due_zone) == (day("2026-11-18T12:00"), "Atlantis/Capital")


def test_clocks_that_jump_back_do_not_stop_a_series(path: Path) -> None:
    with opened(path, now=datetime(2026, 11, 18, 12)) as store:
        add(store, "a", due=day("2026-11-18"), recurrence="FREQ=DAILY", repeat_from=RepeatFrom.NEXT)
        complete(store, 1)
    with opened(path, now=datetime(2020, 1, 1)) as store:
        following = complete(store, 2).next
        assert following is not None
        assert following.due == day("2026-11-20")
        store.tasks.undo(by=user_context(store))
        assert store.tasks.get(2).is_open
