"""The store and the domain say the same of every task: which fits, in which order, where."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise, takewhile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.made_up import TaskSet, groupings, households, sorts, terms, with_ids
from tests.store.opened import NOW, ZONE, opened
from tests.store.task_model import group_headings, group_sort_key, matches, sort_key, task_group
from tests.store.together import Together
from todo_tui.domain.filters.terms import (
    MANUAL,
    And,
    Filter,
    Grouping,
    HasField,
    Query,
    SortTerm,
    TaskField,
    TaskState,
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
class StorePair:
    """One file, as it is written now and some days ago."""

    now: Store
    past: Store

    def hold(self, task_set: TaskSet) -> dict[int, Task]:
        return task_set.move_in(self.now, self.past)


@pytest.fixture(scope="module")
def store_pair() -> Iterator[StorePair]:
    """A file that all examples share: each puts its tasks in place of the earlier ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        with (
            opened(path) as now,
            opened(path, now=NOW - timedelta(days=3)) as past,
        ):
            yield StorePair(now, past)


@settings(max_examples=60, deadline=None)
@given(task_set=households(), filters=st.lists(terms(), min_size=1, max_size=4))
def test_the_same_tasks_fit(
    store_pair: StorePair, task_set: TaskSet, filters: list[Filter]
) -> None:
    _compare(store_pair, task_set, filters)


@settings(max_examples=20, deadline=None)
@given(task_set=households())
def test_the_same_tasks_have_each_field_and_each_state(
    store_pair: StorePair, task_set: TaskSet
) -> None:
    _compare(store_pair, task_set, [*map(HasField, TaskField), *TaskState])


def _compare(store_pair: StorePair, task_set: TaskSet, filters: Sequence[Filter]) -> None:
    tasks = store_pair.hold(task_set)
    relations = Together(tasks.values())
    for each in filters:
        wanted = with_ids(each, list(tasks))
        expected = [
            task.id
            for task in tasks.values()
            if matches(wanted, task, NOW, zone=ZONE, relations=relations)
        ]
        assert sorted(task.id for task in store_pair.now.tasks.list(wanted).tasks) == sorted(
            expected
        )
        assert store_pair.now.tasks.count(wanted) == len(expected)


@settings(max_examples=35, deadline=None)
@given(task_set=households(), sort=sorts(), group=groupings())
def test_they_come_in_the_same_order_under_the_same_headings(
    store_pair: StorePair, task_set: TaskSet, sort: tuple[SortTerm, ...], group: Grouping
) -> None:
    tasks = store_pair.hold(task_set)
    relations = Together(tasks.values())
    keys = {task.id: sort_key(task, sort, NOW, ZONE, relations) for task in tasks.values()}
    query = Query(EVERYTHING, sort, group)
    present = {task.id for task in tasks.values() if task.deleted_at is None}
    listed = [task.id for task in store_pair.now.tasks.list(query).tasks]
    assert listed == sorted(tasks, key=lambda number: keys[number])
    assert [task.id for task in store_pair.now.tasks.find(query, limit=2)] == listed[:2]
    expected = sorted(
        (heading.order, keys[task.id], task.id)
        for task in tasks.values()
        for heading in group_headings(task, group, NOW, ZONE, relations)
    )
    rows = listed_rows(store_pair.now.tasks.listing(query))
    assert rows == [(order, task_id) for order, _, task_id in expected]
    assert store_pair.now.tasks.listing(query).parents == {
        task.id: task.parent
        for task in tasks.values()
        if task.deleted_at is None and task.parent in present
    }
    first = store_pair.now.tasks.find(query, limit=3)
    if group is not Grouping.TAG:
        limited = listed_rows(store_pair.now.tasks.listing(query, limit=3))
        assert limited == [row for row in rows if row[1] in {task.id for task in first}]


@settings(max_examples=20, deadline=None)
@given(task_set=households(), sort=sorts())
def test_tasks_that_only_their_manual_order_tells_apart(
    store_pair: StorePair, task_set: TaskSet, sort: tuple[SortTerm, ...]
) -> None:
    tasks = store_pair.hold(task_set)
    relations = Together(tasks.values())
    # What comes after the manual order decides nothing; without it, the due moment comes last.
    ahead = tuple(takewhile(lambda term: term != MANUAL, sort))
    tail = 2 if ahead == sort else 3
    keys = {task.id: sort_key(task, ahead, NOW, ZONE, relations)[:-tail] for task in tasks.values()}
    for one, other in pairwise(tasks):
        equal = store_pair.now.tasks.have_equal_sort_values((one, other), sort)
        assert equal == (keys[one] == keys[other])


@settings(max_examples=20, deadline=None)
@given(task_set=households())
def test_the_default_list_has_the_groups_of_the_domain(
    store_pair: StorePair, task_set: TaskSet
) -> None:
    order = list(TaskGroup)

    def place(task: Task) -> tuple[int, tuple[int | str, ...]]:
        return order.index(task_group(task, NOW, ZONE)), group_sort_key(task, ZONE)

    tasks = sorted(store_pair.hold(task_set).values(), key=place)
    assert listed_rows(store_pair.now.tasks.listing(EVERYTHING)) == [
        ((order.index(task_group(task, NOW, ZONE)),), task.id) for task in tasks
    ]
