"""The store and the domain say the same of every task: which fits, in which order, where."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.made_up import Household, groupings, households, sorts, terms, with_ids
from tests.store.opened import NOW, ZONE, opened
from tests.store.task_model import group_headings, group_sort_key, matches, sort_key, task_group
from tests.store.together import Together
from todo_tui.domain.filters.terms import (
    And,
    Filter,
    Grouping,
    Query,
    SortTerm,
)
from todo_tui.domain.task import Task
from todo_tui.domain.urgency import TaskGroup
from todo_tui.store.store import Store
from todo_tui.store.tasks.sorting import SortKey, TaskListing

EVERYTHING = And(())


def listed_rows(listing: TaskListing) -> list[tuple[SortKey, int]]:
    """The order of the heading and the id of each row."""
    return [(heading.order, each) for heading, ids in listing.groups for each in ids]


@dataclass(frozen=True, slots=True)
class Shelf:
    """One file, as it is written now and some days ago."""

    now: Store
    past: Store

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
        ):
            yield Shelf(now, past)


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
        assert shelf.now.tasks.count(wanted) == len(expected)


@settings(max_examples=60, deadline=None)
@given(household=households(), sort=sorts(), group=groupings())
def test_they_come_in_the_same_order_under_the_same_headings(
    shelf: Shelf, household: Household, sort: tuple[SortTerm, ...], group: Grouping
) -> None:
    tasks = shelf.hold(household)
    relations = Together(tasks.values())
    keys = {task.id: sort_key(task, sort, NOW, ZONE, relations) for task in tasks.values()}
    query = Query(EVERYTHING, sort, group)
    present = {task.id for task in tasks.values() if task.deleted_at is None}
    listed = [task.id for task in shelf.now.tasks.list(query).tasks]
    assert listed == sorted(tasks, key=lambda number: keys[number])
    assert [task.id for task in shelf.now.tasks.find(query, limit=2)] == listed[:2]
    expected = sorted(
        (heading.order, keys[task.id], task.id)
        for task in tasks.values()
        for heading in group_headings(task, group, NOW, ZONE)
    )
    rows = listed_rows(shelf.now.tasks.listing(query))
    assert rows == [(order, task_id) for order, _, task_id in expected]
    assert shelf.now.tasks.listing(query).parents == {
        task.id: task.parent
        for task in tasks.values()
        if task.deleted_at is None and task.parent in present
    }
    first = shelf.now.tasks.find(query, limit=3)
    if group is not Grouping.TAG:
        limited = listed_rows(shelf.now.tasks.listing(query, limit=3))
        assert limited == [row for row in rows if row[1] in {task.id for task in first}]


@settings(max_examples=30, deadline=None)
@given(household=households(), sort=sorts())
def test_tasks_that_only_their_manual_order_tells_apart(
    shelf: Shelf, household: Household, sort: tuple[SortTerm, ...]
) -> None:
    tasks = shelf.hold(household)
    relations = Together(tasks.values())
    keys = {task.id: sort_key(task, sort, NOW, ZONE, relations)[:-2] for task in tasks.values()}
    for one, other in pairwise(tasks):
        equal = shelf.now.tasks.have_equal_sort_values((one, other), sort)
        assert equal == (keys[one] == keys[other])


@settings(max_examples=30, deadline=None)
@given(household=households())
def test_the_default_list_has_the_groups_of_the_domain(shelf: Shelf, household: Household) -> None:
    order = list(TaskGroup)

    def place(task: Task) -> tuple[int, tuple[int | str, ...]]:
        return order.index(task_group(task, NOW)), group_sort_key(task, ZONE)

    tasks = sorted(shelf.hold(household).values(), key=place)
    assert listed_rows(shelf.now.tasks.listing(EVERYTHING)) == [
        ((order.index(task_group(task, NOW)),), task.id) for task in tasks
    ]
