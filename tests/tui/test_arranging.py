"""What each view shows: read from the store, part by part."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.store.made_up import TaskSet, households
from tests.store.opened import NOW, opened
from todo_tui.domain.filters.terms import Query
from todo_tui.domain.when import DateStyle
from todo_tui.store.store import Store
from todo_tui.tui.task_list.outline import Section
from todo_tui.tui.task_list.query import parse_filter
from todo_tui.tui.task_list.views import (
    BUILT_IN,
    ProjectFolds,
    ProjectRow,
    View,
    ViewKind,
    arrange_view,
)

FILTERS = ("", "#work", "milk or @home", "all group:tag", "sort:priority", "group:priority done")
SAVED = View(ViewKind.SAVED, "Mine", text="all sort:urgency group:project")
VIEWS = (*(view for view in BUILT_IN if view.kind is not ViewKind.PROJECTS), SAVED)


class Row(NamedTuple):
    """A row of the list."""

    section: Section
    task_id: int
    depth: int


PROJECTS = next(view for view in BUILT_IN if view.kind is ViewKind.PROJECTS)


@pytest.fixture(scope="module")
def shelf() -> Iterator[tuple[Store, Store]]:
    """A file as it is written now and some days ago; all examples share it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.db"
        with opened(path) as now, opened(path, now=NOW - timedelta(days=3)) as past:
            yield now, past


def typed_in(store: Store, text: str) -> Query:
    return parse_filter(text, NOW, DateStyle(), store)


def read(
    store: Store, view: View, text: str, folds: ProjectFolds | None = None
) -> tuple[list[Row], dict[int, ProjectRow]]:
    typed, saved = typed_in(store, text), typed_in(store, view.text)
    projects: dict[int, ProjectRow] = {}
    arrangement = arrange_view(view, typed, saved, NOW, folds or ProjectFolds())
    blocks = arrangement.read(store, projects, {}, {})
    rows = [Row(section, each, depth) for section, ids, depth in blocks for each in ids]
    return rows, projects


@settings(max_examples=40, deadline=None)
@given(task_set=households(), view=st.sampled_from(VIEWS), text=st.sampled_from(FILTERS))
def test_a_view_shows_what_its_queries_find_section_by_section(
    shelf: tuple[Store, Store], task_set: TaskSet, view: View, text: str
) -> None:
    now, past = shelf
    task_set.move_in(now, past)
    arrangement = arrange_view(
        view, typed_in(now, text), typed_in(now, view.text), NOW, ProjectFolds()
    )
    rows, _ = read(now, view, text)
    assert {row.task_id for row in rows} == {
        task.id for part in arrangement.parts for task in now.tasks.find(part.query)
    }
    orders = [row.section.order for row in rows]
    assert orders == sorted(orders)


@settings(max_examples=20, deadline=None)
@given(task_set=households(), text=st.sampled_from(("", "#work", "milk or @home")))
def test_the_tree_has_each_task_below_its_project(
    shelf: tuple[Store, Store], task_set: TaskSet, text: str
) -> None:
    now, past = shelf
    tasks = task_set.move_in(now, past)
    rows, projects = read(now, PROJECTS, text)
    above: dict[int, ProjectRow] = {}
    for row in rows:
        if row.task_id < 0:
            above = {depth: each for depth, each in above.items() if depth < row.depth}
            above[row.depth] = projects[row.task_id]
            path = projects[row.task_id].path
            assert row.depth == (path.count(".") if path else 0)
        else:
            task = tasks[row.task_id]
            while task.project is None and task.parent and tasks[task.parent].is_open:
                task = tasks[task.parent]
            project, path = task.project, above[row.depth - 1].path
            assert (path is None) == (project is None)
            assert path is None or project is None or path.count(".") == project.count(".")
    folds = ProjectFolds()
    read(now, PROJECTS, text, folds)
    folds.fold(folds.numbers, closed=True)
    folded, _ = read(now, PROJECTS, text, folds)
    assert all(row.task_id < 0 and row.depth == 0 for row in folded)


@settings(max_examples=20, deadline=None)
@given(task_set=households())
def test_what_is_for_today_is_in_one_part_of_it_only(
    shelf: tuple[Store, Store], task_set: TaskSet
) -> None:
    now, past = shelf
    task_set.move_in(now, past)
    today = next(view for view in BUILT_IN if view.kind is ViewKind.TODAY)
    numbers = [row.task_id for row in read(now, today, "")[0]]
    assert len(numbers) == len(set(numbers))
