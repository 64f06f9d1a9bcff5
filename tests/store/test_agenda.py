"""Today, upcoming, next, done by day, the trash, projects and the calendar."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.opened import NOW, TODAY, ZONE, add, day, opened, titles, user_context
from todo_tui.domain.changes import SubtaskPolicy
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import Grouping, Query
from todo_tui.domain.filters.views import (
    DONE,
    NEXT,
    TRASH,
    done_on_query,
    due_on_query,
    today_sections,
    weeks_from,
)
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.urgency import explain_urgency
from todo_tui.store.connection import add_local_time
from todo_tui.store.statistics import CalendarDayCounts
from todo_tui.store.store import Store
from todo_tui.store.tasks.conditions import EXISTS, ORDER, SqlCondition
from todo_tui.store.tasks.filter_sql import compile_filter


def shown(store: Store, query: Query) -> list[str]:
    return [task.title for task in store.tasks.list(query).tasks]


@pytest.fixture
def busy(store: Store) -> Store:
    add(store, "late", due=day("2026-11-16"))
    add(store, "late today", due=day("2026-11-18T09:00"))
    add(store, "today", due=day("2026-11-18"))
    add(store, "today in progress", due=day("2026-11-18T17:00"), status=Status.DOING)
    add(store, "in progress", status=Status.DOING)
    add(store, "has begun", start=day("2026-11-10"), due=day("2026-11-30"))
    add(store, "tomorrow", due=day("2026-11-19"), priority=Priority.HIGH)
    add(store, "next week", due=day("2026-11-25"))
    add(store, "starts then", start=day("2026-11-20"), due=day("2026-11-21"))
    add(store, "some day")
    add(store, "held up", priority=Priority.HIGH, blocked_by=(10,))
    add(store, "far away", due=day("2027-03-01"))
    store.tasks.complete([add(store, "done").id], by=user_context(store))
    store.tasks.delete(
        [add(store, "thrown away", due=day("2026-11-18")).id], by=user_context(store)
    )
    return store


def test_today_has_what_is_late_due_begun_and_ready_each_once(busy: Store) -> None:
    assert {heading: shown(busy, query) for heading, query in today_sections(TODAY)} == {
        "overdue": ["late", "late today"],
        "due today": ["today in progress", "today"],
        "started": ["has begun", "in progress"],
        "ready": ["tomorrow", "next week", "far away", "some day"],
    }


def test_upcoming_goes_by_day_with_what_starts_only_then(busy: Store) -> None:
    words = "(todo or doing) due.after:today due.by:14 days"
    soon = parse_query(words, NOW, busy.style).filter
    groups = busy.tasks.listing(Query(soon, group=Grouping.DAY)).groups
    assert [
        (heading.label, busy.tasks.get(each).title) for heading, ids in groups for each in ids
    ] == [
        ("tomorrow · Thu 19 Nov", "tomorrow"),
        ("Sat 21 Nov", "starts then"),
        ("Wed 25 Nov", "next week"),
        ("Mon 30 Nov", "has begun"),
    ]


def test_next_is_what_can_be_done_the_most_urgent_first(busy: Store) -> None:
    titles = shown(busy, NEXT)
    assert titles == [
        "today in progress", "late", "late today", "tomorrow", "today", "in progress",
        "next week", "has begun", "far away", "some day",
    ]  # fmt: skip
    first = busy.tasks.get(1)
    assert [tuple(part) for part in explain_urgency(first, NOW, ZONE)] == [
        ("2 days late", pytest.approx(12 + 2 / 7))
    ]
    held_up = busy.tasks.get(11)
    assert explain_urgency(held_up, NOW, ZONE, blocked=True)[0].reason == "blocked by another task"
    assert explain_urgency(held_up, NOW, ZONE, blocked=True)[1] == ("high priority", 6.0)


def test_done_goes_by_day_the_newest_first(path: Path) -> None:
    for days, title in ((3, "old"), (0, "new"), (1, "yesterday")):
        with opened(path, now=NOW - timedelta(days=days)) as store:
            store.tasks.complete([add(store, title).id], by=user_context(store))
    with opened(path) as store:
        store.tasks.complete([add(store, "newest").id], by=user_context(store))
        assert shown(store, DONE) == ["new", "newest", "yesterday", "old"]
        groups = store.tasks.listing(DONE).groups
        assert [(heading.label, len(ids)) for heading, ids in groups] == [
            ("today · Wed 18 Nov", 2), ("yesterday · Tue 17 Nov", 1), ("Sun 15 Nov", 1)
        ]  # fmt: skip
        assert store.statistics.calendar(date(2026, 11, 1), date(2026, 11, 30)) == (
            CalendarDayCounts(date(2026, 11, 15), 0, 1),
            CalendarDayCounts(date(2026, 11, 17), 0, 1),
            CalendarDayCounts(date(2026, 11, 18), 0, 2),
        )


def test_the_trash_has_the_newest_first(path: Path) -> None:
    with opened(path, now=NOW - timedelta(days=1)) as store:
        store.tasks.delete([add(store, "older", status=Status.DONE).id], by=user_context(store))
    with opened(path) as store:
        store.tasks.delete([add(store, "newer").id], by=user_context(store))
        add(store, "here")
        assert shown(store, TRASH) == ["newer", "older"]


def test_projects_are_a_tree_with_what_is_below_counted_in(store: Store) -> None:
    add(store, "a", project="work.client.a")
    add(store, "b", project="Work.Client", status=Status.DONE)
    add(store, "c", project="work-b")
    add(store, "d", project="work.intern", status=Status.CANCELLED)
    add(store, "e", project="home", status=Status.DONE)
    add(store, "f", project="work.client.b", start=day("2027-01-01"))
    store.tasks.delete([add(store, "g", project="gone").id], by=user_context(store))
    add(store, "h")
    nodes = store.statistics.projects()
    assert [(node.depth, node.name, node.open, node.done, node.later) for node in nodes] == [
        (0, "home", 0, 1, 0),
        (0, "Work", 1, 1, 1),
        (1, "Client", 1, 1, 1),
        (2, "a", 1, 0, 0),
        (2, "b", 0, 0, 1),
        (1, "intern", 0, 0, 0),
        (0, "work-b", 1, 0, 0),
    ]
    for node in nodes:
        found = [
            store.tasks.count(parse_query(f"#{node.path} {state}", NOW, store.style).filter)
            for state in ("open", "waiting")
        ]
        assert found == [node.open, node.later]
    # The statistics count the same ones as open.
    counted = store.statistics.read()
    assert counted.open == store.tasks.count(parse_query("open", NOW, store.style).filter) == 3
    assert sum(each.open for each in counted.projects) == 3
    # Subtasks without a project of their own are in that of the task above them.
    flat = add(store, "flat", project="flat")
    sub = add(store, "i", parent=flat.id)
    closed = add(store, "j", parent=sub.id)
    add(store, "k", parent=flat.id, project="home")
    add(store, "l", parent=closed.id)
    store.tasks.complete([closed.id], by=user_context(store), children=SubtaskPolicy.LEAVE)
    counts = {node.path: (node.open, node.done) for node in store.statistics.projects()}
    assert (counts["flat"], counts["home"]) == ((2, 1), (1, 1))
    for text, expected in (
        ("project:flat", ["flat", "i"]),
        ("project:flat all", ["flat", "i", "j"]),
        ("no project has:parent", ["l"]),
    ):
        assert titles(store, text) == expected
    store.tasks.delete([flat.id], by=user_context(store))
    assert titles(store, "trash project:flat") == ["flat", "i", "j"]


def test_a_month_has_what_is_due_and_done_on_each_day(path: Path) -> None:
    with opened(path, now=datetime(2026, 11, 17, 0, 30)) as store:
        store.tasks.complete([add(store, "just after midnight").id], by=user_context(store))
    with opened(path) as store:
        add(store, "a", due=day("2026-11-18"))
        add(store, "b", due=day("2026-11-18T23:59"), due_zone="Pacific/Kiritimati")
        add(store, "c", due=day("2026-11-30"), start=day("2026-11-29"))
        add(store, "d", due=day("2026-12-01"), status=Status.DONE)
        add(store, "e", due=day("2026-10-31"))
        assert store.statistics.calendar(date(2026, 11, 1), date(2026, 11, 30)) == (
            CalendarDayCounts(date(2026, 11, 17), 0, 1),
            CalendarDayCounts(date(2026, 11, 18), 2, 1),
            CalendarDayCounts(date(2026, 11, 30), 1, 0),
        )
        assert shown(store, due_on_query(TODAY)) == ["b", "a"]
        assert shown(store, due_on_query(date(2026, 11, 30))) == ["c"]
        for number in (17, 18, 30):
            (count,) = [
                each.done for each in store.statistics.calendar(*[date(2026, 11, number)] * 2)
            ] or [0]
            assert len(shown(store, done_on_query(date(2026, 11, number)))) == count


@pytest.mark.parametrize(
    ("week_start", "first", "last"),
    [(0, date(2026, 11, 16), date(2026, 12, 20)), (6, date(2026, 11, 15), date(2026, 12, 19))],
)
def test_weeks_begin_with_that_of_a_day(week_start: int, first: date, last: date) -> None:
    weeks = weeks_from(date(2026, 11, 18), 5, week_start)
    assert (weeks[0][0], weeks[-1][-1], len(weeks)) == (first, last, 5)


@given(st.dates(), st.integers(0, 6))
def test_every_day_is_in_its_first_week(day: date, week_start: int) -> None:
    weeks = weeks_from(day, 5, week_start)
    assert all(len(week) == 7 for week in weeks)
    assert day in weeks[0]
    assert weeks[0][0].weekday() == week_start or weeks[0][0] == date.min


@pytest.mark.parametrize(
    ("text", "order", "index"),
    [
        ("", ORDER, "tasks_open"),
        ("today", ORDER, "COVERING INDEX tasks_open"),
        ("overdue", ORDER, "tasks_open"),
        ("created:today", "t.created_at", "COVERING INDEX tasks_open"),
        ("#work", ORDER, "COVERING INDEX tasks_open"),
        ("priority>=medium", "t.priority", "COVERING INDEX tasks_open"),
        ("done", ORDER, "tasks_by_status (user=? AND status=?)"),
        (
            "done.after:monday",
            "t.completed_at DESC",
            "tasks_by_completion (user=? AND completed_at",
        ),
        ("trash", "t.deleted_at DESC", "tasks_in_trash (user=?"),
    ],
)
def test_lists_are_read_from_an_index(store: Store, text: str, order: str, index: str) -> None:
    wanted = parse_query(text, NOW, store.style).filter
    plan = _plan(store.path, compile_filter(wanted, NOW, "Europe/Berlin", "ann"), order)
    assert any(index in step for step in plan), plan


def _plan(path: Path, condition: SqlCondition, order: str) -> Sequence[str]:

    connection = sqlite3.connect(path)
    add_local_time(connection, ZONE)
    rows = connection.execute(
        f"EXPLAIN QUERY PLAN SELECT t.row FROM tasks t WHERE t.user = ? AND {EXISTS}"  # noqa: S608
        f" AND {condition.sql} ORDER BY {order} LIMIT 50",
        ("ann", *condition.values),
    ).fetchall()
    connection.close()
    return [row[3] for row in rows]
