"""The store and the domain say the same of every task: which fits, in which order, where."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.made_up import Household, groupings, households, sorts, terms, with_ids
from tests.store.opened import NOW, ZONE, opened
from tests.store.together import Together
from todo_tui.domain.filters.matching import matches
from todo_tui.domain.filters.sorting import group_headings, sort_key
from todo_tui.domain.filters.terms import (
    And,
    Filter,
    Grouping,
    Query,
    SortTerm,
)
from todo_tui.domain.task import Task, TaskFields
from todo_tui.domain.urgency import TaskGroup, group_sort_key, task_group
from todo_tui.domain.when import When
from todo_tui.store.store import Store

EVERYTHING = And(())


@dataclass(frozen=True, slots=True)
class Shelf:
    """One file, as it is written now and some days ago, and read by a program that stays."""

    now: Store
    past: Store
    staying: Store

    def hold(self, household: Household) -> dict[int, Task]:
        return household.move_in(self.now, self.past)


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    """A file that all examples share: each puts its tasks in place of the earlier ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        with (
            opened(path) as now,
            opened(path, now=NOW - timedelta(days=3)) as past,
            opened(path) as staying,
        ):
            staying.tasks.prepare_search()
            yield Shelf(now, past, staying)


@settings(max_examples=100, deadline=None)
@given(household=households(), filters=st.lists(terms(), min_size=1, max_size=4))
def test_the_same_tasks_fit(shelf: Shelf, household: Household, filters: list[Filter]) -> None:
    tasks = shelf.hold(household)
    relations = Together(tasks.values())
    for each in filters:
        wanted = with_ids(each, list(tasks))
        expected = [
            task.id
            for task in tasks.values()
            if matches(wanted, task, NOW, zone=ZONE, relations=relations)
        ]
        assert sorted(task.id for task in shelf.now.tasks.list(wanted).tasks) == sorted(expected)
        assert sorted(task.id for task in shelf.staying.tasks.find(wanted, limit=99)) == sorted(
            expected
        )
        assert shelf.staying.tasks.count(wanted) == len(expected)


_HIDDEN_AND_OPEN = Household(
    (), (TaskFields(title="milk", start=When(NOW.date(), time(23, 59))), TaskFields(title="milk")),
    (), (), None,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(household=households(), sort=sorts(), group=groupings())
def test_they_come_in_the_same_order_under_the_same_headings(
    shelf: Shelf, household: Household, sort: tuple[SortTerm, ...], group: Grouping
) -> None:
    tasks = shelf.hold(household)
    relations = Together(tasks.values())
    keys = {task.id: sort_key(task, sort, NOW, ZONE, relations) for task in tasks.values()}
    query = Query(EVERYTHING, sort, group)
    listed = [task.id for task in shelf.now.tasks.list(query).tasks]
    assert listed == sorted(tasks, key=lambda number: keys[number])
    assert [task.id for task in shelf.now.tasks.find(query, limit=2, offset=1)] == listed[1:3]
    expected = sorted(
        (heading.order, keys[task.id], task.id)
        for task in tasks.values()
        for heading in group_headings(task, group, NOW, ZONE)
    )
    arranged = shelf.now.tasks.grouped_rows(query)
    assert [(row.heading.order, row.key, row.id) for row in arranged] == expected


@settings(max_examples=30, deadline=None)
@given(household=households())
def test_the_outline_has_the_groups_of_the_domain(shelf: Shelf, household: Household) -> None:
    order = list(TaskGroup)

    def place(task: Task) -> tuple[int, tuple[int | str, ...]]:
        return order.index(task_group(task, NOW)), group_sort_key(task, ZONE)

    tasks = sorted(shelf.hold(household).values(), key=place)
    outline = sorted(
        shelf.now.tasks.outline(EVERYTHING), key=lambda row: (order.index(row.group), row.key)
    )
    assert [(row.id, row.group, row.key) for row in outline] == [
        (task.id, task_group(task, NOW), group_sort_key(task, ZONE)) for task in tasks
    ]


@settings(max_examples=30, deadline=None)
@given(household=households())
def test_a_relation_that_is_looked_up_is_the_same(shelf: Shelf, household: Household) -> None:
    tasks = shelf.hold(household)
    together, stored = Together(tasks.values()), shelf.now.tasks.relations
    for number in tasks:
        assert stored.is_open(number) == together.is_open(number)
        assert stored.parent_of(number) == together.parent_of(number)
        assert stored.has_children(number) == together.has_children(number)
        assert stored.is_blocking(number) == together.is_blocking(number)
