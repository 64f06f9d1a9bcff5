"""What is counted as done, and on which day: by the calendar of whoever did it."""

from __future__ import annotations

import tempfile
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.past import at, bring, closed
from tests.store.opened import NOW, TODAY, add, day, opened, user_context
from todo_tui.domain.filters.terms import HasTag, InProject
from todo_tui.domain.planning import Habits
from todo_tui.domain.statistics import DurationQuartiles, Period, ProjectCounts, Punctuality
from todo_tui.domain.task import Status
from todo_tui.domain.when import When
from todo_tui.store.store import Store


def done_days(store: Store) -> dict[str, int]:
    """What was done by day, days as text."""
    counts = store.statistics.read().done_by_day
    return {day.isoformat(): count for day, count in sorted(counts.items())}


def test_before_anything_is_done_there_is_nothing(store: Store) -> None:
    found = store.statistics.read()
    assert (found.done, found.added, found.cancelled, found.open, found.overdue) == (0,) * 5
    assert found.period == Period(TODAY, TODAY)
    assert (found.time_to_done, found.projects, found.streaks.longest) == (None, (), None)


def test_what_is_done_counts_on_its_day(store: Store) -> None:
    add(store, "a")
    add(store, "b", due=day("2026-11-17"))
    store.tasks.complete([1], by=user_context(store))
    found = store.statistics.read(7)
    assert found.done_by_day == {TODAY: 1}
    assert found.added_by_day == {TODAY: 2}
    assert found.done_by_hour == {(2, 14): 1}
    assert (found.open, found.overdue) == (1, 1)
    assert found.period == Period(date(2026, 11, 12), TODAY)


def test_each_occurrence_of_a_repeating_task_counts(path: Path) -> None:
    with opened(path, now=datetime(2026, 11, 15, 9)) as store:
        add(store, "water the plants", due=day("2026-11-15"), recurrence="FREQ=DAILY")
    for number in range(3):
        with opened(path, now=datetime(2026, 11, 15 + number, 9)) as store:
            store.tasks.complete([number + 1], by=user_context(store))
    with opened(path) as store:
        found = store.statistics.read()
        assert done_days(store) == {"2026-11-15": 1, "2026-11-16": 1, "2026-11-17": 1}
        assert found.streaks.current == Period(date(2026, 11, 15), date(2026, 11, 17))
        assert found.punctuality == Punctuality(3, 3)
        assert (found.added, found.open) == (4, 1)


def test_a_completion_that_is_taken_back_does_not_count(store: Store) -> None:
    for title in ("undone", "reopened", "undone and done again"):
        add(store, title)
    store.tasks.complete([1], by=user_context(store))
    store.tasks.undo(by=user_context(store))
    store.tasks.complete([2], by=user_context(store))
    store.tasks.reopen([2], by=user_context(store))
    store.tasks.complete([3], by=user_context(store))
    store.tasks.undo(by=user_context(store))
    store.tasks.redo(by=user_context(store))
    found = store.statistics.read()
    assert (found.done, found.open) == (1, 2)


def test_the_trash_and_what_was_purged_do_not_count(store: Store) -> None:
    for title in ("kept", "trashed", "purged", "back"):
        add(store, title)
    store.tasks.complete([1, 2, 3, 4], by=user_context(store))
    store.tasks.delete([2, 3, 4], by=user_context(store))
    store.tasks.purge([3], by=user_context(store))
    assert store.statistics.read().done == 1
    assert store.statistics.read().added == 1
    store.tasks.restore([4], by=user_context(store))
    assert store.statistics.read().done == 2


def test_a_task_whose_creation_was_undone_never_came_in(store: Store) -> None:
    add(store, "a")
    store.tasks.undo(by=user_context(store))
    found = store.statistics.read()
    assert (found.added, found.open) == (0, 0)


def test_what_was_cancelled_is_not_done(store: Store) -> None:
    add(store, "a")
    store.tasks.update([1], {"status": Status.CANCELLED}, by=user_context(store))
    found = store.statistics.read(1)
    assert (found.done, found.cancelled, found.added, found.open) == (0, 1, 1, 0)
    assert found.done_by_day == {}


def test_others_tasks_are_not_counted(store: Store, path: Path) -> None:
    with opened(path, user="bob") as other:
        add(other, "his")
        other.tasks.complete([1], by=user_context(other))
    assert store.statistics.read().done == 0
    assert store.statistics.read().added == 0


@pytest.mark.parametrize(
    ("zone", "moment", "counts_on"),
    [
        ("Europe/Berlin", "2026-11-17T22:59:59.999+00:00", "2026-11-17"),
        ("Europe/Berlin", "2026-11-17T23:00:00+00:00", "2026-11-18"),
        ("Europe/Berlin", "2026-10-24T22:00:00+00:00", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25T22:59:59+00:00", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25T23:00:00+00:00", "2026-10-26"),
        ("Europe/Berlin", "2026-03-28T23:00:00+00:00", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29T21:59:59+00:00", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29T22:00:00+00:00", "2026-03-30"),
        ("Europe/Berlin", "2025-12-31T23:00:00+00:00", "2026-01-01"),
        ("Europe/Berlin", "2024-02-28T23:30:00+00:00", "2024-02-29"),
        ("America/New_York", "2026-11-01T03:59:59+00:00", "2026-10-31"),
        ("America/New_York", "2026-11-01T04:00:00+00:00", "2026-11-01"),
        ("America/New_York", "2026-11-02T04:59:59+00:00", "2026-11-01"),
        ("America/Sao_Paulo", "2018-11-04T02:59:59+00:00", "2018-11-03"),
        ("America/Sao_Paulo", "2018-11-04T03:00:00+00:00", "2018-11-04"),
        ("Asia/Kathmandu", "2026-11-16T18:14:59+00:00", "2026-11-16"),
        ("Asia/Kathmandu", "2026-11-16T18:15:00+00:00", "2026-11-17"),
        ("Pacific/Kiritimati", "2026-11-16T10:00:00+00:00", "2026-11-17"),
        ("Pacific/Pago_Pago", "2026-11-17T10:59:59+00:00", "2026-11-16"),
    ],
)
def test_a_day_is_that_of_the_clocks_zone(
    tmp_path: Path, zone: str, moment: str, counts_on: str
) -> None:
    with opened(tmp_path / "t.db", zone=zone) as store:
        bring(store, [closed(datetime.fromisoformat(moment))])
        assert done_days(store) == {counts_on: 1}


@settings(max_examples=12)
@given(
    zone=st.sampled_from(
        ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"]
    ),
    seconds=st.lists(st.integers(0, 12 * 366 * 86_400), min_size=1, max_size=40),
    days=st.none() | st.integers(1, 3000),
)
def test_days_and_hours_are_what_the_zone_says_of_every_instant(
    zone: str, seconds: list[int], days: int | None
) -> None:
    newest = NOW.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    instants = [newest - timedelta(seconds=each) for each in seconds]
    local = [instant.astimezone(ZoneInfo(zone)) for instant in instants]
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(Path(folder) / "t.db", zone=zone) as store,
    ):
        bring(store, [closed(instant, created_at=instant) for instant in instants])
        found = store.statistics.read(days)
    assert found.done_by_day == Counter(moment.date() for moment in local)
    within = [moment for moment in local if moment.date() in found.period]
    assert found.done == found.added == len(within)
    assert found.added_by_day == Counter(moment.date() for moment in within)
    assert found.done_by_hour == Counter((moment.weekday(), moment.hour) for moment in within)
    assert sum(each.done for each in found.projects) == found.done
    assert found.time_to_done == (DurationQuartiles(len(within), 0, 0, 0) if within else None)


def test_what_is_dated_after_today_does_not_count(store: Store) -> None:
    bring(store, [closed(at("2026-11-18T23:59")), closed(at("2026-11-19T00:00"))])
    assert done_days(store) == {"2026-11-18": 1}
    assert store.statistics.read(1).added_by_day == {TODAY: 2}


def test_very_old_tasks_and_the_ends_of_the_calendar_do_no_harm(tmp_path: Path) -> None:
    old = datetime(1, 1, 2, 12, tzinfo=UTC)
    with opened(tmp_path / "a.db") as store:
        bring(store, [closed(old, created_at=old), closed(at("1969-07-20T21:17"))])
        assert store.statistics.read().done == 2
        assert store.statistics.read(36_600).done == 1
    with opened(tmp_path / "b.db", now=datetime(9998, 12, 31, 12)) as store:
        add(store, "a")
        store.tasks.complete([1], by=user_context(store))
        assert store.statistics.read(30).done == 1


@pytest.mark.parametrize(
    ("due", "zone", "done_at", "on_time"),
    [
        ("2026-11-10", None, "2026-11-10T23:59:59", 1),
        ("2026-11-10", None, "2026-11-11T00:00:00", 0),
        ("2026-11-10T17:00", "Europe/Berlin", "2026-11-10T17:00:00", 1),
        ("2026-11-10T17:00", "Europe/Berlin", "2026-11-10T17:00:01", 0),
        ("2026-11-10T17:00", "America/New_York", "2026-11-10T23:00:00", 1),
        ("2026-11-10T17:00", "America/New_York", "2026-11-10T23:00:01", 0),
        ("2026-10-25", None, "2026-10-25T23:59:59", 1),
        ("2026-10-25", None, "2026-10-26T00:00:00", 0),
        ("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T03:30:00", 1),
    ],
)
def test_on_time_is_up_to_the_due_moment_or_the_end_of_the_due_day(
    store: Store, due: str, zone: str | None, done_at: str, on_time: int
) -> None:
    bring(store, [closed(at(done_at), due=due, due_zone=zone), closed(at(done_at))])
    found = store.statistics.read()
    assert found.punctuality == Punctuality(1, on_time)
    assert found.done == 2


def test_travelling_does_not_make_what_was_on_time_late(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with opened(path, zone="America/Los_Angeles", now=datetime(2026, 11, 17, 22)) as store:
        add(store, "a", due=day("2026-11-17"))
        store.tasks.complete([1], by=user_context(store))
    with opened(path, zone="Asia/Tokyo") as store:
        found = store.statistics.read()
        assert found.punctuality == Punctuality(1, 1)
        assert done_days(store) == {"2026-11-18": 1}


def test_time_to_done_runs_from_creation(store: Store) -> None:
    done_at = at("2026-11-18T12:00")
    hours = (1, 2, 3, 4, 50)
    bring(store, [closed(done_at, created_at=done_at - timedelta(hours=each)) for each in hours])
    assert store.statistics.read().time_to_done == DurationQuartiles(
        5, 2 * 3600, 3 * 3600, 4 * 3600
    )


def test_what_was_done_before_it_was_written_down_came_in_when_done(store: Store) -> None:
    bring(store, [closed(at("2026-11-01T12:00"), created_at=at("2026-11-18T12:00"))])
    found = store.statistics.read()
    assert found.added_by_day == {date(2026, 11, 1): 1}
    assert found.time_to_done is None
    assert store.statistics.read(7).added == 0


def test_projects_are_distinguished_whatever_their_case(store: Store) -> None:
    done_at = at("2026-11-18T12:00")
    bring(
        store,
        [
            closed(done_at, project="work", due="2026-11-18"),
            closed(done_at, project="Work", due="2026-11-17"),
            closed(done_at, project="work.reports"),
            closed(done_at),
            closed(at("2026-10-01T12:00"), project="old"),
            closed(done_at, project="dropped", status=Status.CANCELLED),
        ],
    )
    add(store, "open", project="work")
    add(store, "open too", project="garden")
    add(store, "no project")
    found = store.statistics.read(7)
    assert found.projects == (
        ProjectCounts("work", 2, 1, Punctuality(2, 1)),
        ProjectCounts(None, 1, 1, Punctuality()),
        ProjectCounts("work.reports", 1, 0, Punctuality()),
        ProjectCounts("garden", 0, 1, Punctuality()),
    )
    assert sum(each.open for each in found.projects) == found.open


def test_a_filter_holds_for_every_number(store: Store) -> None:
    done_at = at("2026-11-17T12:00")
    bring(
        store,
        [
            closed(done_at, project="work.reports", tags=("a",), due="2026-11-17"),
            closed(done_at, project="home", status=Status.CANCELLED),
            closed(at("2026-11-18T12:00"), project="home"),
        ],
    )
    add(store, "open", project="work", due=day("2026-11-17"))
    add(store, "open too", project="home", due=day("2026-11-17"))
    work = store.statistics.read(7, InProject("work"))
    assert (work.done, work.added, work.cancelled, work.open, work.overdue) == (1, 2, 0, 1, 1)
    assert work.streaks.current == Period(date(2026, 11, 17), date(2026, 11, 17))
    assert [each.project for each in work.projects] == ["work.reports", "work"]
    assert work.time_to_done == DurationQuartiles(1, 3600, 3600, 3600)
    assert work.done_by_hour == {(1, 12): 1}
    assert store.statistics.read(7, HasTag("a")).done == 1
    assert store.statistics.read(7, HasTag("b")).added == 0


def test_habits_tell_what_is_moved_and_how_much_is_finished(path: Path) -> None:
    with opened(path, now=datetime(2026, 10, 21, 9)) as store:
        for title in ("often", "earlier", "undone", "recurring", "done"):
            rule = "FREQ=DAILY" if title == "recurring" else None
            add(store, title, due=day("2026-11-20"), recurrence=rule)
        for number in range(21, 24):
            for task, moved in ((1, 20 + number), (4, 20 + number), (2, 30 - number)):
                when = When(date(2026, 11, 1) + timedelta(days=moved))
                store.tasks.update([task], {"due": when}, by=user_context(store))
        store.tasks.update([3], {"due": day("2026-12-01")}, by=user_context(store))
        store.tasks.undo(by=user_context(store))
        store.tasks.update([5], {"due": day("2026-12-01")}, by=user_context(store))
        store.tasks.complete([5], by=user_context(store))
        assert store.statistics.habits() == Habits({1: 3}, {})
    for number in range(8):
        with opened(path, now=datetime(2026, 10, 21 + 7 * (number % 2), 9)) as store:
            store.tasks.complete([add(store, "x").id], by=user_context(store))
    with opened(path) as store:
        # Nine on Wednesdays, in the four weeks since the first.
        assert store.statistics.habits() == Habits({1: 3}, {2: 2})


def test_a_subtask_counts_in_the_project_of_the_task_above_it(store: Store) -> None:
    add(store, "Party", project="party")
    add(store, "Cake", parent=1)
    add(store, "Invite", parent=1, project="post")
    moved = add(store, "Book hall")
    below = add(store, "Pay hall", parent=moved.id)
    store.tasks.move([moved.id], under=1, by=user_context(store))
    store.tasks.complete([below.id], by=user_context(store))
    read = store.statistics.read().projects
    counted = {each.project: (each.open, each.done) for each in read}
    assert counted == {"party": (3, 1), "post": (1, 0)}
    assert counted == {each.path: (each.open, each.done) for each in store.statistics.projects()}
