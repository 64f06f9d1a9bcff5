"""Adding, changing, finishing and finding tasks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.store.opened import add, day, opened, ops, titles, user_context
from todo_tui.domain.changes import ChangeKind, SubtaskPolicy, TaskChange
from todo_tui.domain.errors import Conflict, NotFound, ValidationError
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.task import Annotation, Priority, RepeatFrom, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.store.rows import utc_text
from todo_tui.store.store import Store


def test_a_task_comes_back_as_it_was_added(store: Store) -> None:
    blocker = add(store, "Find the key")
    fields: TaskFields = {
        "title": "Pay rent",
        "notes": "by transfer\n\tsee letter",
        "priority": Priority.HIGH,
        "estimate": 90,
        "due": When(date(2026, 12, 1), time(9)),
        "start": When(date(2026, 11, 25)),
        "project": "home.flat",
        "tags": ("money", "errands"),
        "recurrence": "FREQ=MONTHLY;BYMONTHDAY=1",
        "repeat_from": RepeatFrom.NEXT,
        "parent": blocker.id,
        "blocked_by": (blocker.id,),
        "annotations": (Annotation(datetime(2026, 11, 1, 8, tzinfo=UTC), "raised"),),
        "extra": {"other": {"kept": [1, None, "é"]}},
    }
    added = store.tasks.add(fields, by=user_context(store))
    read = store.tasks.get(added.id)
    assert read == added
    assert {name: getattr(read, name) for name in fields} == fields
    assert (read.due_zone, read.start_zone) == ("Europe/Berlin", None)
    assert (read.series, read.slot) == (read.uuid, "2026-12-01T09:00")
    assert read.created_at == datetime(2026, 11, 18, 13, 30, tzinfo=UTC)


def test_a_timed_due_moment_gets_the_zone_of_the_clock_and_an_all_day_one_none(
    store: Store,
) -> None:
    timed = add(store, "a", due=day("2026-11-19T17:00"))
    assert timed.due_zone == "Europe/Berlin"
    elsewhere = add(store, "b", due=day("2026-11-19T17:00"), due_zone="Asia/Tokyo")
    assert elsewhere.due_zone == "Asia/Tokyo"
    (all_day,) = store.tasks.update([timed.id], {"due": day("2026-11-20")}, by=user_context(store))
    assert all_day.due_zone is None
    (none,) = store.tasks.update([timed.id], {"due": None}, by=user_context(store))
    assert (none.due, none.due_zone) == (None, None)


def test_an_unknown_zone_is_refused(store: Store) -> None:
    with pytest.raises(ValidationError, match="Unknown time zone 'Mars/Base'"):
        add(store, "a", due=day("2026-11-19T17:00"), due_zone="Mars/Base")


def test_moments_of_different_zones_sort_by_instant(store: Store) -> None:
    add(store, "berlin", due=day("2026-11-19T17:00"))
    add(store, "tokyo", due=day("2026-11-19T20:00"), due_zone="Asia/Tokyo")
    add(store, "new york", due=day("2026-11-19T12:00"), due_zone="America/New_York")
    assert titles(store) == ["tokyo", "berlin", "new york"]


def test_an_all_day_task_sorts_after_the_timed_ones_of_its_day(store: Store) -> None:
    add(store, "no date")
    add(store, "all day", due=day("2026-11-19"))
    add(store, "evening", due=day("2026-11-19T23:00"))
    add(store, "next day", due=day("2026-11-20T00:00"))
    assert titles(store) == ["evening", "all day", "next day", "no date"]


@pytest.mark.parametrize("title", ["", "   ", "\x00\x1b[31m", "\u202e\n"])
def test_a_title_without_a_visible_character_is_refused(store: Store, title: str) -> None:
    with pytest.raises(ValidationError, match="needs a title"):
        add(store, title)
    assert store.tasks.counts().open == 0


def test_a_title_is_one_plain_line(store: Store) -> None:
    task = add(store, "  Buy \x1b[31mred\x1b[0m\nwine \ud83d\ude00 [bold] 👩‍🚀 \u202e ")
    assert task.title == "Buy red wine 😀 [bold] 👩‍🚀"


def test_half_a_character_in_notes_tags_and_extra_is_replaced(store: Store) -> None:
    task = add(store, "a", notes="x\ud83d", tags=("t\udc00g",), extra={"k": "\ud83d"})
    assert store.tasks.get(task.id) == task
    assert task.extra == {"k": "\ufffd"}


def test_text_beyond_the_limit_is_refused_with_the_limit_named(store: Store) -> None:
    with pytest.raises(ValidationError, match="of 10,000 characters"):
        add(store, "x" * 10_001)
    with pytest.raises(ValidationError, match="of 1,000,000 characters"):
        add(store, "a", notes="x" * 1_000_001)


def test_a_rule_that_cannot_be_read_is_refused(store: Store) -> None:
    with pytest.raises(ValidationError):
        add(store, "a", recurrence="FREQ=SOMETIMES")


def test_a_day_beyond_the_calendar_is_refused(store: Store) -> None:
    with pytest.raises(ValidationError, match="too far away"):
        add(store, "a", due=day("0001-01-01T00:00"))


def test_tags_are_kept_once_in_whatever_case(store: Store) -> None:
    task = add(store, "a", tags=("@Home", "home", "Straße", "STRASSE"))
    assert task.tags == ("Home", "Straße")
    (less,) = store.tasks.update(
        [task.id], {}, remove_tags=["HOME"], add_tags=["new"], by=user_context(store)
    )
    assert less.tags == ("Straße", "new")


def test_unknown_ids_are_named_and_nothing_is_written(store: Store) -> None:
    task = add(store, "a")
    with pytest.raises(NotFound, match=r"^There is no task #999\.$"):
        store.tasks.update([task.id, 999], {"title": "b"}, by=user_context(store))
    with pytest.raises(NotFound, match=r"^There is no task #999\.$"):
        store.tasks.get(999)
    assert store.tasks.get(task.id).title == "a"


def test_of_several_new_tasks_all_or_none_are_made(store: Store) -> None:
    with pytest.raises(ValidationError):
        store.tasks.add_many([{"title": "a"}, {"title": ""}], by=user_context(store))
    assert store.tasks.list().total == 0
    made = store.tasks.add_many([{"title": "a"}, {"title": "b"}], by=user_context(store))
    assert [task.id for task in made] == [1, 2]


def test_ids_are_never_given_twice(store: Store) -> None:
    first = add(store, "a")
    store.tasks.purge([first.id], by=user_context(store))
    second = add(store, "b")
    store.tasks.undo(by=user_context(store))
    third = add(store, "c")
    assert [first.id, second.id, third.id] == [1, 2, 3]


def test_nothing_is_its_own_ancestor_or_waits_for_itself(store: Store) -> None:
    for title in "abc":
        add(store, title)
    store.tasks.update([2], {"parent": 1}, by=user_context(store))
    store.tasks.update([3], {"parent": 2}, by=user_context(store))
    with pytest.raises(ValidationError, match="#1 cannot be a subtask of #3"):
        store.tasks.update([1], {"parent": 3}, by=user_context(store))
    store.tasks.update([2], {"blocked_by": (1,)}, by=user_context(store))
    store.tasks.update([3], {}, add_blockers=[2], by=user_context(store))
    with pytest.raises(ValidationError, match="cannot be blocked by"):
        store.tasks.update([1], {}, add_blockers=[3], by=user_context(store))
    with pytest.raises(ValidationError, match="cannot block itself"):
        store.tasks.update([1], {"blocked_by": (1,)}, by=user_context(store))
    assert store.tasks.get(3).blocked_by == (2,)


def test_completing_dates_it_and_reopening_clears_that(store: Store) -> None:
    task = add(store, "a")
    (done,) = store.tasks.complete([task.id], by=user_context(store))
    assert done.task.status is Status.DONE
    assert done.task.completed_at == datetime(2026, 11, 18, 13, 30, tzinfo=UTC)
    assert done.next is None
    (again,) = store.tasks.complete([task.id], by=user_context(store))
    assert again.task == done.task
    (reopened,) = store.tasks.reopen([task.id], by=user_context(store))
    assert (reopened.task.status, reopened.task.completed_at) == (Status.TODO, None)


def test_a_status_that_is_set_does_what_the_key_does(store: Store) -> None:
    task = add(store, "a")
    (done,) = store.tasks.update([task.id], {"status": Status.DONE}, by=user_context(store))
    assert done.completed_at is not None
    (doing,) = store.tasks.update([task.id], {"status": Status.DOING}, by=user_context(store))
    assert doing.completed_at is None
    (reopened,) = store.tasks.reopen([task.id], by=user_context(store))
    assert reopened.task.status is Status.DOING


def test_what_is_in_the_trash_is_found_restored_and_not_worked_on(store: Store) -> None:
    task = add(store, "a")
    (deleted,) = store.tasks.delete([task.id], by=user_context(store))
    assert deleted.deleted_at is not None
    assert store.tasks.get(task.id) == deleted
    assert titles(store) == []
    assert titles(store, "all") == []
    assert titles(store, "trash") == ["a"]
    with pytest.raises(Conflict, match="#1 is in the trash"):
        store.tasks.complete([task.id], by=user_context(store))
    with pytest.raises(Conflict, match="#1 is in the trash"):
        store.tasks.update([task.id], {"title": "b"}, by=user_context(store))
    (restored,) = store.tasks.restore([task.id], by=user_context(store))
    assert restored.deleted_at is None


def test_remarks_are_dated(store: Store) -> None:
    task = add(store, "a")
    annotated = store.tasks.annotate(task.id, "called, \x1b[2Jno answer", by=user_context(store))
    assert annotated.annotations == (
        Annotation(datetime(2026, 11, 18, 13, 30, tzinfo=UTC), "called, no answer"),
    )
    with pytest.raises(ValidationError):
        store.tasks.annotate(task.id, "  ", by=user_context(store))


def test_a_page_says_how_many_there_are_in_all(store: Store) -> None:
    store.tasks.add_many([{"title": f"t{number}"} for number in range(10)], by=user_context(store))
    page = store.tasks.list(limit=3)
    assert [task.title for task in page.tasks] == ["t0", "t1", "t2"]
    assert page.total == 10
    assert store.tasks.list(limit=0).total == 10
    assert store.tasks.list(limit=99).total == 10


def test_rows_come_in_the_order_asked_and_without_unknown_ones(store: Store) -> None:
    store.tasks.add_many([{"title": "a"}, {"title": "b"}], by=user_context(store))
    assert [task.id for task in store.tasks.rows([2, 99, 1, 2])] == [2, 1]


def test_counts_leave_out_what_waits_is_done_or_trashed(store: Store) -> None:
    add(store, "late", due=day("2026-11-17"))
    add(store, "just late", due=day("2026-11-18T14:29"))
    add(store, "today", due=day("2026-11-18"))
    add(store, "waits", due=day("2026-11-18"), start=day("2026-11-19"))
    add(store, "done", due=day("2026-11-18"), status=Status.DONE)
    store.tasks.delete([add(store, "trash").id], by=user_context(store))
    counts = store.tasks.counts()
    assert (counts.open, counts.overdue, counts.today) == (3, 2, 1)


def test_projects_and_tags_are_listed_by_name(store: Store) -> None:
    add(store, "a", project="Work", tags=("Zoo", "élan"))
    add(store, "b", project="errands", tags=("zoo", "home"))
    add(store, "c", project="errands", tags=("zoo",))
    store.tasks.delete([add(store, "d", project="gone", tags=("gone",)).id], by=user_context(store))
    assert store.tasks.projects() == ("errands", "Work")
    assert store.tasks.tags() == ("home", "Zoo", "élan")


def test_each_write_is_announced_after_it_can_be_read(store: Store) -> None:
    heard: list[tuple[ChangeKind, str, str]] = []

    def listen(changes: tuple[TaskChange, ...]) -> None:
        for change in changes:
            stored = "" if change.kind is ChangeKind.PURGED else store.tasks.get(change.task.id)
            assert stored in ("", change.task)
            heard.append((change.kind, change.task.title, change.context.batch))

    stop = store.tasks.subscribe(listen)
    first = user_context(store)
    store.tasks.add({"title": "a"}, by=first)
    for act in (
        lambda: store.tasks.update([1], {"title": "b"}, by=user_context(store)),
        lambda: store.tasks.update([1], {"title": "b"}, by=user_context(store)),
        lambda: store.tasks.complete([1], by=user_context(store)),
        lambda: store.tasks.reopen([1], by=user_context(store)),
        lambda: store.tasks.delete([1], by=user_context(store)),
        lambda: store.tasks.restore([1], by=user_context(store)),
        lambda: store.tasks.purge([1], by=user_context(store)),
    ):
        act()
    stop()
    add(store, "unheard")
    assert [kind for kind, _, _ in heard] == [
        ChangeKind.ADDED,
        ChangeKind.UPDATED,
        ChangeKind.COMPLETED,
        ChangeKind.REOPENED,
        ChangeKind.DELETED,
        ChangeKind.RESTORED,
        ChangeKind.PURGED,
    ]
    assert heard[0] == (ChangeKind.ADDED, "a", first.batch)


def test_every_change_is_an_operation_in_the_log(store: Store) -> None:
    gesture = store.new_change_context(user_context(store).actor, "turn-1")
    store.tasks.add({"title": "a", "tags": ("x",)}, by=gesture)
    store.tasks.update([1], {"title": "b", "tags": ("y",), "notes": ""}, by=gesture)
    logged = ops(store)
    assert [(op["kind"], op["field"], op["old"], op["new"]) for op in logged] == [
        ("create", None, None, "1"),
        ("set", "title", "", "a"),
        ("add", "tags", None, "x"),
        ("set", "title", "a", "b"),
        ("remove", "tags", "x", None),
        ("add", "tags", None, "y"),
    ]
    uuid = store.tasks.get(1).uuid
    assert {(op["user"], op["actor"], op["turn_id"], op["task_uuid"]) for op in logged} == {
        ("ann", "user", "turn-1", uuid)
    }
    assert {op["batch"] for op in logged} == {gesture.batch}
    assert {op["at"] for op in logged} == {"2026-11-18T13:30:00.000+00:00"}
    assert len({op["op_id"] for op in logged}) == len(logged)
    clocks = [str(op["clock"]) for op in logged]
    assert clocks == sorted(set(clocks))


def test_the_logs_clock_never_goes_back_with_the_wall_clock(store: Store) -> None:
    add(store, "a")
    with opened(store.path, now=datetime(2020, 1, 1)) as earlier:
        add(earlier, "b")
    clocks = [str(op["clock"]) for op in ops(store)]
    assert clocks == sorted(set(clocks))


def test_blockers_and_parents_are_shown_by_id(store: Store) -> None:
    for title in "abc":
        add(store, title)
    store.tasks.update([3], {"parent": 1, "blocked_by": (2, 1)}, by=user_context(store))
    task = store.tasks.get(3)
    assert (task.parent, task.blocked_by) == (1, (2, 1))
    store.tasks.update([3], {}, remove_blockers=[2], by=user_context(store))
    assert store.tasks.get(3).blocked_by == (1,)
    now = store.clock.now()
    assert store.tasks.list(parse_query("blocked", now, store.style).filter).total == 1
    store.tasks.complete([1], by=user_context(store), children=SubtaskPolicy.LEAVE)
    assert store.tasks.list(parse_query("blocked", now, store.style).filter).total == 0


@settings(max_examples=30, deadline=None)
@given(st.datetimes(), st.integers(-14, 14))
def test_an_instant_is_stored_in_utc_to_the_millisecond(wall: datetime, hours: int) -> None:
    assume(1 < wall.year < 9999)
    instant = wall.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert utc_text(instant) == instant.astimezone(UTC).isoformat(timespec="milliseconds")
