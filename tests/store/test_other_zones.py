"""Tasks due or starting at a time of another zone are where their instant is in the user's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from tests.blank import blank
from tests.store.opened import add, day, opened, titles
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import Grouping, Query
from todo_tui.domain.filters.views import due_on_query, today_sections
from todo_tui.domain.planning import plan_days, plan_task
from todo_tui.domain.urgency import explain_urgency
from todo_tui.store.statistics import CalendarDayCounts
from todo_tui.store.store import Store

Case = tuple[str, str, str]
"""Due moment, its zone, and the moment in the zone of the user."""
BERLIN = (
    ("2026-12-01T01:00", "Asia/Tokyo", "2026-11-30T17:00"),
    ("2026-11-30T22:00", "Asia/Tokyo", "2026-11-30T14:00"),
    ("2026-11-30T07:30", "Asia/Tokyo", "2026-11-29T23:30"),
    ("2026-12-02T07:59", "Asia/Tokyo", "2026-12-01T23:59"),
    ("2026-11-30T17:30", "America/New_York", "2026-11-30T23:30"),
    ("2026-11-30T18:00", "America/New_York", "2026-12-01T00:00"),
    ("2026-11-30T08:29", "America/New_York", "2026-11-30T14:29"),
    ("2026-12-06T18:30", "America/New_York", "2026-12-07T00:30"),
    ("2026-11-30T22:59", "UTC", "2026-11-30T23:59"),
    ("2026-11-30T23:00", "UTC", "2026-12-01T00:00"),
    ("2026-11-30T23:59", "Europe/Berlin", "2026-11-30T23:59"),
    ("2026-12-01T00:00", "Europe/Berlin", "2026-12-01T00:00"),
    ("2026-11-30", "", "2026-11-30"),
    ("2026-11-29", "", "2026-11-29"),
    ("2026-12-01", "", "2026-12-01"),
)
CLOCKS_BACK = (
    ("2026-10-25T06:59", "Asia/Tokyo", "2026-10-24T23:59"),
    ("2026-10-25T07:00", "Asia/Tokyo", "2026-10-25T00:00"),
    ("2026-10-26T07:59", "Asia/Tokyo", "2026-10-25T23:59"),
    ("2026-10-26T08:00", "Asia/Tokyo", "2026-10-26T00:00"),
    ("2026-10-25T18:59", "America/New_York", "2026-10-25T23:59"),
    ("2026-10-24T18:00", "America/New_York", "2026-10-25T00:00"),
    ("2026-10-25T22:59", "UTC", "2026-10-25T23:59"),
    ("2026-10-24T22:00", "UTC", "2026-10-25T00:00"),
    ("2026-10-25", "", "2026-10-25"),
)
CLOCKS_FORWARD = (
    ("2026-03-29T07:59", "Asia/Tokyo", "2026-03-28T23:59"),
    ("2026-03-29T08:00", "Asia/Tokyo", "2026-03-29T00:00"),
    ("2026-03-30T06:59", "Asia/Tokyo", "2026-03-29T23:59"),
    ("2026-03-30T07:00", "Asia/Tokyo", "2026-03-30T00:00"),
    ("2026-03-29T21:59", "UTC", "2026-03-29T23:59"),
    ("2026-03-29T22:00", "UTC", "2026-03-30T00:00"),
    ("2026-03-29", "", "2026-03-29"),
)
NEW_YORK = (
    ("2026-11-01T05:00", "Europe/Berlin", "2026-11-01T00:00"),
    ("2026-11-02T05:59", "Europe/Berlin", "2026-11-01T23:59"),
    ("2026-11-02T06:00", "Europe/Berlin", "2026-11-02T00:00"),
    ("2026-11-02T13:59", "Asia/Tokyo", "2026-11-01T23:59"),
    ("2026-11-01", "", "2026-11-01"),
)
PLACES: tuple[tuple[str, str, Sequence[Case]], ...] = (
    ("Europe/Berlin", "2026-11-30T14:30", BERLIN),
    ("Europe/Berlin", "2026-10-25T14:30", CLOCKS_BACK),
    ("Europe/Berlin", "2026-03-29T14:30", CLOCKS_FORWARD),
    ("America/New_York", "2026-11-01T14:30", NEW_YORK),
)


@pytest.fixture(params=PLACES, ids=lambda place: f"{place[0]} {place[1]}")
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """The tasks as they are due, and the same ones at the times of the user."""
    zone, now, cases = request.param
    moment = datetime.fromisoformat(now)
    with (
        opened(blank(tmp_path / "there.db"), now=moment, zone=zone) as there,
        opened(blank(tmp_path / "here.db"), now=moment, zone=zone) as here,
    ):
        for due, due_zone, local in cases:
            zoned = {"due_zone": due_zone} if due_zone else {}
            add(there, f"{due} {due_zone}", due=day(due), **zoned)
            add(here, f"{due} {due_zone}", due=day(local))
        yield there, here


def texts_of_filters(today: date) -> Iterator[str]:
    """Filters by day and time, around today."""
    yield from ("overdue", "today", "tomorrow", 'due:"this week"', 'due:"next 7 days"')
    yield from ("not overdue", "not today", "sort:urgency", "due<now", "due>now")
    for away in (-1, 0, 1, 2):
        name = (today + timedelta(days=away)).isoformat()
        yield from (f"due:{name}", f"due<{name}", f"due<={name}", f"due>{name}", f"due>={name}")
        yield f'due<"{name} 00:00"'
        yield f'due>="{name} 23:59"'


def test_filters_find_what_is_due_here(stores: tuple[Store, Store]) -> None:
    there, here = stores
    for text in texts_of_filters(here.clock.now().date()):
        assert titles(there, text) == titles(here, text), text


def test_headings_counts_and_calendar_go_by_the_day_here(stores: tuple[Store, Store]) -> None:
    there, here = stores
    assert there.tasks.counts() == here.tasks.counts()
    assert there.statistics.read() == here.statistics.read()
    queries = [None, *(Query(group=group) for group in (Grouping.DAY, Grouping.DUE))]
    for query in queries:
        assert there.tasks.listing(query).groups == here.tasks.listing(query).groups
    today = here.clock.now().date()
    days = [today + timedelta(days=away) for away in range(-3, 10)]
    counts = there.statistics.calendar(days[0], days[-1])
    assert counts == here.statistics.calendar(days[0], days[-1])
    for each in days:
        found = there.tasks.count(due_on_query(each))
        assert found == here.tasks.count(due_on_query(each))
        assert CalendarDayCounts(each, found, 0) in counts or not found
    for _, query in today_sections(today):
        assert there.tasks.listing(query).groups == here.tasks.listing(query).groups


def test_urgency_and_plans_go_by_the_moment_here(stores: tuple[Store, Store]) -> None:
    there, here = stores
    plans = []
    for store in stores:
        now, zone = store.clock.now(), store.clock.zone
        tasks = store.tasks.list(parse_query("all sort:urgency", now, store.style)).tasks
        seen = [plan_task(task, now, zone, blocked=False) for task in tasks]
        plans.append(
            (
                [explain_urgency(task, now, zone) for task in tasks],
                [task.is_overdue(now, zone) for task in tasks],
                plan_days(seen, now, days=7),
            )
        )
    assert plans[0] == plans[1]
    assert [row.due for row in there.tasks.plain_rows()] == [
        row.due for row in here.tasks.plain_rows()
    ]


@pytest.mark.parametrize(
    ("start", "zone", "has_begun"),
    [
        ("2026-11-30T22:30", "Asia/Tokyo", True),
        ("2026-11-30T22:31", "Asia/Tokyo", False),
        ("2026-11-30T08:30", "America/New_York", True),
        ("2026-11-30T08:31", "America/New_York", False),
        ("2026-11-30T13:31", "UTC", False),
        ("2026-11-30T14:30", "Europe/Berlin", True),
        ("2026-11-30", None, True),
        ("2026-12-01", None, False),
    ],
)
def test_a_task_is_hidden_until_its_start_here(
    tmp_path: Path, start: str, zone: str | None, has_begun: bool
) -> None:
    with opened(blank(tmp_path / "t.db"), now=datetime(2026, 11, 30, 14, 30)) as store:
        task = add(store, "a", start=day(start), start_zone=zone, project="p")
        assert task.starts_later(store.clock.now(), store.clock.zone) is not has_begun
        shown = {text: len(titles(store, text)) for text in ("", "waiting", "started", "ready")}
        begun, hidden = int(has_begun), int(not has_begun)
        assert shown == {"": begun, "waiting": hidden, "started": begun, "ready": begun}
        assert store.tasks.counts().open == store.statistics.read().open == begun
        (node,) = store.statistics.projects()
        assert (node.open, node.later) == (begun, hidden)
        assert len(titles(store, "start<=now all")) == begun


def test_a_date_stays_the_same_where_the_user_goes(tmp_path: Path) -> None:
    path = blank(tmp_path / "t.db")
    with opened(path, now=datetime(2026, 11, 30, 14, 30)) as store:
        add(store, "date", due=day("2026-11-30"))
        add(store, "time", due=day("2026-11-30T17:00"))
    with opened(path, now=datetime(2026, 11, 30, 22, 30), zone="Asia/Tokyo") as store:
        assert titles(store, "today") == ["date"]
        assert titles(store, "tomorrow") == ["time"]
