"""Filters in the store: the same outcome as in the domain, whatever is asked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.opened import NOW, ZONE, add, day, opened, titles, user_context
from todo_tui.domain.filters.lexer import FilterProblem
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.terms import ContainsText, HasTag, InProject
from todo_tui.domain.task import Priority, Status
from todo_tui.domain.when import When
from todo_tui.store.connection import add_local_time
from todo_tui.store.store import Store
from todo_tui.store.tasks.filter_sql import compile_filter


@pytest.fixture(scope="module")
def shelf() -> Iterator[Store]:
    """A store that all examples of a property share: each adds its tasks to it."""
    with tempfile.TemporaryDirectory() as folder, opened(Path(folder) / "t.db") as store:
        yield store


@pytest.mark.parametrize(
    "text",
    [
        "not " * 61 + "milk",
        "@x (milk or #w not (" * 5 + "today" + "))" * 5,
        "not (" * 10 + "@x or milk" + ")" * 10,
        "milk " * 200,
        "milk or " * 99 + "milk",
        "#" + ",".join(f"{first}-{first + 1}" for first in range(1, 700, 3)),
    ],
    ids=["denied", "brackets", "denied brackets", "and", "or", "ids"],
)
def test_a_filter_that_the_grammar_takes_is_not_too_much_for_sqlite(
    shelf: Store, text: str
) -> None:
    wanted = parse_query(text, NOW, shelf.style).filter
    shelf.tasks.list(wanted)
    shelf.tasks.listing(wanted)
    assert shelf.tasks.count(wanted) >= 0


@settings(max_examples=80, deadline=None)
@given(
    text=st.lists(
        st.sampled_from(
            ["and", "or", "not", "(", ")", "#work", "@home", "!high", "today", "overdue", "this",
             "week", "next", "due", "due:", "due.before:friday", "due.after:", "no",
             "priority:low", "'", '"', "%", "all",
             "trash", "done", "#12", "project:", "tag:x", "milk", ":", "!", "@", "&", "|",
             "<", "due<",
             ">=today", "created", "id:3,", "7", "days",
             "sort:due", "group:", "view:x", "!done"]
        ),
        max_size=8,
    ).map(" ".join)
)  # fmt: skip
def test_any_words_are_a_filter_or_a_problem_that_names_a_word(shelf: Store, text: str) -> None:
    problem: FilterProblem | None = None
    try:
        shelf.tasks.list(parse_query(text, NOW, shelf.style).filter)
    except FilterProblem as caught:
        problem = caught
    if problem is not None:
        assert text[problem.position :].startswith(problem.word)


def test_a_filter_is_bound_never_spliced(store: Store) -> None:
    hostile = "x' OR 1=1; DROP TABLE tasks; --"
    for wanted in (ContainsText(hostile), InProject(hostile), HasTag(hostile)):
        condition = compile_filter(wanted, NOW, ZONE, "ann")
        assert "DROP" not in condition.sql
        assert store.tasks.list(wanted).total == 0


def test_the_list_is_read_in_the_order_of_its_index(store: Store) -> None:
    import sqlite3

    from todo_tui.store.tasks.conditions import EXISTS, ORDER

    condition = compile_filter(parse_query("", NOW, store.style).filter, NOW, ZONE, "ann")
    connection = sqlite3.connect(store.path)
    add_local_time(connection, ZONE)
    plan = connection.execute(
        f"EXPLAIN QUERY PLAN SELECT t.id FROM tasks t WHERE t.user = ? AND {EXISTS}"  # noqa: S608
        f" AND {condition.sql} ORDER BY {ORDER} LIMIT 100",
        ("ann", *condition.values),
    ).fetchall()
    connection.close()
    steps = [row[3] for row in plan]
    assert steps[0] == "SEARCH t USING COVERING INDEX tasks_open (user=?)"
    assert not any("TEMP B-TREE" in step for step in steps)


@pytest.fixture
def seeded(store: Store) -> Store:
    add(store, "Call the dentist", due=day("2026-11-17"), priority=Priority.HIGH)
    add(store, "Water the plants", due=day("2026-11-18"), tags=("home",))
    add(store, "Buy milk", due=day("2026-11-19T17:00"), project="errands", tags=("home",))
    add(store, "Pay rent", due=day("2026-11-20"), project="home.flat", priority=Priority.HIGH)
    add(store, "Write report", due=day("2026-11-27"), project="work")
    add(store, "Fix the tap", notes="call Müller")
    add(store, "Plan summer", start=day("2026-12-01"))
    add(store, "Old thing", status=Status.DONE)
    add(store, "Dropped", status=Status.CANCELLED)
    add(store, "Begun", status=Status.DOING, recurrence="FREQ=DAILY")
    store.tasks.delete([add(store, "Rubbish").id], by=user_context(store))
    store.tasks.update([5], {"blocked_by": (6,)}, by=user_context(store))
    return store


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("today", "Water the plants"),
        ("tomorrow", "Buy milk"),
        ("overdue", "Call the dentist"),
        ("this week", "Call the dentist|Water the plants|Buy milk|Pay rent"),
        ("next week", "Write report"),
        ("due.before:friday", "Call the dentist|Water the plants|Buy milk"),
        ("due.before:today or due.after:friday", "Call the dentist|Write report"),
        ("due.by:friday", "Call the dentist|Water the plants|Buy milk|Pay rent"),
        ("due.since:friday", "Pay rent|Write report"),
        ("due.before:tomorrow 5pm", "Call the dentist|Water the plants"),
        ("due.by:tomorrow 5pm", "Call the dentist|Water the plants|Buy milk"),
        ("due friday", "Pay rent"),
        ("due:2026-11-27", "Write report"),
        ("no due", "Fix the tap|Begun"),
        ("no project and no tag", "Call the dentist|Fix the tap|Begun"),
        ("has priority", "Call the dentist|Pay rent"),
        ("!high", "Call the dentist|Pay rent"),
        ("priority:high project:home", "Pay rent"),
        ("#home", "Pay rent"),
        ("#HOME.flat", "Pay rent"),
        ("@home", "Water the plants|Buy milk"),
        ("tag:HOME not today", "Buy milk"),
        ("call", "Call the dentist|Fix the tap"),
        ("MÜLLER", "Fix the tap"),
        ('"the tap"', "Fix the tap"),
        ("errands", "Buy milk"),
        ("waiting", "Plan summer"),
        ("blocked", "Write report"),
        ("recurring", "Begun"),
        ("doing", "Begun"),
        ("done", "Old thing"),
        ("cancelled", "Dropped"),
        ("trash", "Rubbish"),
        ("#3", "Buy milk"),
        ("#8", "Old thing"),
        ("#3 or #4", "Buy milk|Pay rent"),
        ("(@home or #work) not today", "Buy milk|Write report"),
        ("done or today", "Water the plants|Old thing"),
        ("all the", "Call the dentist|Water the plants|Fix the tap"),
    ],
)
def test_a_filter_shows_what_it_says(seeded: Store, text: str, expected: str) -> None:
    assert titles(seeded, text) == expected.split("|")


def test_all_shows_done_cancelled_and_waiting_ones_but_not_the_trash(seeded: Store) -> None:
    assert len(titles(seeded, "all")) == 10
    assert "Rubbish" not in titles(seeded, "all")


def test_completed_days_are_those_of_the_clocks_zone(path: Path) -> None:
    with opened(path, now=datetime(2026, 11, 18, 0, 30)) as store:
        store.tasks.complete([add(store, "just after midnight").id], by=user_context(store))
        assert titles(store, "completed:today") == ["just after midnight"]
        assert titles(store, "completed:yesterday") == []


def test_a_list_of_many_tasks_is_quick_to_open(store: Store) -> None:
    store.tasks.add_many(
        [{"title": f"t{number}", "due": When(date(2026, 11, 20))} for number in range(300)],
        by=user_context(store),
    )
    page = store.tasks.list(limit=5)
    assert (len(page.tasks), page.total) == (5, 300)
