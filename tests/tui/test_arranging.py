"""Places of tasks in each view: read from the store, and computed for one changed task."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.made_up import Household, households
from tests.store.opened import NOW, ZONE, opened
from todo_tui.domain.task import Task
from todo_tui.domain.when import DateStyle
from todo_tui.store.store import Store
from todo_tui.tui.task_list.outline import TaskPlace
from todo_tui.tui.views.arrangement import ParsedFilter, ProjectTree, arrange_view, parse_filter
from todo_tui.tui.views.view import BUILT_IN, ProjectRows, View, ViewKind

FILTERS = ("", "#work", "milk or @home", "all group:tag", "sort:priority", "group:priority done")
SAVED = View(ViewKind.SAVED, "Mine", text="all sort:urgency group:project")
VIEWS = (*(view for view in BUILT_IN if view.kind is not ViewKind.PROJECTS), SAVED)

Placed = dict[int, list[TaskPlace]]


@pytest.fixture(scope="module")
def shelf() -> Iterator[tuple[Store, Store]]:
    """A file as it is written now and some days ago; all examples share it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        with opened(path) as now, opened(path, now=NOW - timedelta(days=3)) as past:
            yield now, past


def read_places(places: Iterator[tuple[int, TaskPlace]]) -> Placed:
    found: Placed = {}
    for task_id, place in places:
        if task_id > 0:
            found.setdefault(task_id, []).append(place)
    return {task_id: sorted(several) for task_id, several in found.items()}


def changed_places(places_of: dict[int, tuple[TaskPlace, ...]]) -> Placed:
    return {task_id: sorted(places) for task_id, places in places_of.items() if places}


def typed_in(store: Store, text: str) -> ParsedFilter:
    return parse_filter(text, NOW, DateStyle(), store)


@settings(max_examples=40, deadline=None)
@given(household=households(), view=st.sampled_from(VIEWS), text=st.sampled_from(FILTERS))
def test_a_task_that_changes_goes_where_the_view_would_be_read_to_have_it(
    shelf: tuple[Store, Store], household: Household, view: View, text: str
) -> None:
    now, past = shelf
    tasks: dict[int, Task] = household.move_in(now, past)
    arrangement = arrange_view(view, typed_in(now, text), typed_in(now, view.text), NOW, ZONE)
    places_of = {each.id: arrangement.places(each, now.tasks.relations) for each in tasks.values()}
    assert read_places(arrangement.read(now)) == changed_places(places_of)


@settings(max_examples=20, deadline=None)
@given(household=households(), text=st.sampled_from(("", "#work", "milk or @home")))
def test_in_the_tree_of_projects_too(
    shelf: tuple[Store, Store], household: Household, text: str
) -> None:
    now, past = shelf
    tasks = household.move_in(now, past)
    tree = ProjectTree(typed_in(now, text), NOW, ZONE, ProjectRows())
    read = read_places(tree.read(now))
    places_of = {each.id: tree.places(each, now.tasks.relations) for each in tasks.values()}
    assert read == changed_places(places_of)


@settings(max_examples=20, deadline=None)
@given(household=households())
def test_what_is_for_today_is_in_one_part_of_it_only(
    shelf: tuple[Store, Store], household: Household
) -> None:
    now, past = shelf
    household.move_in(now, past)
    today = next(view for view in BUILT_IN if view.kind is ViewKind.TODAY)
    arrangement = arrange_view(today, ParsedFilter(), ParsedFilter(), NOW, ZONE)
    numbers = [task_id for task_id, _ in arrangement.read(now)]
    assert len(numbers) == len(set(numbers))
