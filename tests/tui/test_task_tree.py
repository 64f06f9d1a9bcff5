"""The tree of the list: what stands where, however it came there."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.urgency import TaskGroup
from todo_tui.tui.task_list.outline import TaskLine, TaskPlace
from todo_tui.tui.task_list.tree import TaskTree
from todo_tui.tui.views.view import SECTIONS

_GROUPS = (TaskGroup.TODAY, TaskGroup.NEXT)


@st.composite
def families(draw: st.DrawFn) -> tuple[dict[int, TaskPlace], dict[int, int]]:
    """Tasks with their places, and the parents of some: always an earlier task."""
    count = draw(st.integers(1, 14))
    places = {
        number: TaskPlace(
            SECTIONS[draw(st.sampled_from(_GROUPS))], (draw(st.integers(0, 3)), "", number)
        )
        for number in range(1, count + 1)
    }
    parents = {
        number: draw(st.integers(1, number - 1))
        for number in range(2, count + 1)
        if draw(st.booleans())
    }
    return places, parents


def drawn(tree: TaskTree) -> list[tuple[int, int]]:
    """Every row from the top: the task and how far it stands in."""
    lines = tree.lines(0, tree.height)
    return [(line.task_id, line.depth) for line in lines if isinstance(line, TaskLine)]


def loaded(places: dict[int, TaskPlace], parents: dict[int, int]) -> TaskTree:
    tree = TaskTree()
    tree.set_parents(parents)
    tree.load(places.items())
    return tree


@settings(max_examples=60, deadline=None)
@given(families(), st.randoms(use_true_random=False))
def test_tasks_put_one_by_one_in_any_order_stand_as_if_loaded_at_once(
    family: tuple[dict[int, TaskPlace], dict[int, int]], chance: Random
) -> None:
    places, parents = family
    one_by_one = TaskTree()
    one_by_one.load(())
    numbers = list(places)
    chance.shuffle(numbers)
    for number in numbers:
        one_by_one.set_parent(number, parents.get(number))
        one_by_one.put(number, places[number])
    assert drawn(one_by_one) == drawn(loaded(places, parents))


@settings(max_examples=60, deadline=None)
@given(families(), st.data())
def test_folding_hides_what_is_below_and_unfolding_brings_it_back(
    family: tuple[dict[int, TaskPlace], dict[int, int]], data: st.DataObject
) -> None:
    places, parents = family
    tree = loaded(places, parents)
    before = drawn(tree)
    chosen = data.draw(st.sampled_from(sorted(places)))
    at = [number for number, _ in before].index(chosen)
    depth = before[at][1]
    below = 0
    while at + below + 1 < len(before) and before[at + below + 1][1] > depth:
        below += 1
    assert tree.fold(chosen, folded=True) == bool(below)
    assert drawn(tree) == [*before[: at + 1], *before[at + 1 + below :]]
    assert len(tree) == len(places)
    assert sum(count for _, count in tree.sections) == len(places)
    tree.fold(chosen, folded=False)
    assert drawn(tree) == before


@settings(max_examples=60, deadline=None)
@given(families(), st.data())
def test_a_task_that_moves_stands_as_if_all_were_loaded_anew(
    family: tuple[dict[int, TaskPlace], dict[int, int]], data: st.DataObject
) -> None:
    places, parents = family
    tree = loaded(places, parents)
    moved = data.draw(st.sampled_from(sorted(places)))
    parent = data.draw(st.none() | st.integers(1, moved - 1)) if moved > 1 else None
    group = data.draw(st.sampled_from(_GROUPS))
    place = TaskPlace(SECTIONS[group], (data.draw(st.integers(0, 3)), "", moved))
    tree.set_parent(moved, parent)
    tree.put(moved, place)
    others = {number: above for number, above in parents.items() if number != moved}
    now = others if parent is None else {**others, moved: parent}
    assert drawn(tree) == drawn(loaded({**places, moved: place}, now))


def test_a_subtask_stands_in_from_its_parent_wherever_that_stands() -> None:
    section = SECTIONS[TaskGroup.NEXT]
    places = {
        1: TaskPlace(section, (1, "", 1), 3),
        2: TaskPlace(section, (2, "", 2), 1),
        3: TaskPlace(section, (3, "", 3), 1),
    }
    assert drawn(loaded(places, {2: 1, 3: 2})) == [(1, 3), (2, 4), (3, 5)]
