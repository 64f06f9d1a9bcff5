"""Manual order: moves, many of them to one spot, and taken back."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.blank import blank
from tests.store.opened import add, opened, titles, user_context
from todo_tui.domain.errors import Conflict, ValidationError
from todo_tui.domain.task import TaskFields
from todo_tui.store.store import Store
from todo_tui.store.tasks.positions import MAX_POSITION_LENGTH


def letters(store: Store, names: str) -> None:
    many: list[TaskFields] = [{"title": name} for name in names]
    store.tasks.add_many(many, by=user_context(store))


def row(store: Store) -> str:
    return "".join(titles(store))


def test_tasks_move_before_and_after_others_in_the_order_given(store: Store) -> None:
    letters(store, "abcdef")
    store.tasks.move([6], before=1, by=user_context(store))
    assert row(store) == "fabcde"
    store.tasks.move([1, 6], after=4, by=user_context(store))
    assert row(store) == "bcdafe"
    store.tasks.move([5, 2], after=3, by=user_context(store))
    assert row(store) == "cebdaf"
    add(store, "g")
    assert row(store) == "cebdafg"
    for before in ("cebdaf", "bcdafe", "fabcde", "abcdef"):
        store.tasks.undo(by=user_context(store))
        assert row(store) == before


def test_what_goes_last_stays_before_what_is_new(store: Store) -> None:
    letters(store, "abc")
    store.tasks.move([1], after=3, by=user_context(store))
    store.tasks.move([2], after=1, by=user_context(store))
    add(store, "d")
    assert row(store) == "cabd"


def test_a_task_goes_under_another_behind_its_subtasks_or_to_a_place_among_them(
    store: Store,
) -> None:
    letters(store, "abcd")
    store.tasks.move([3, 4], under=1, by=user_context(store))
    assert [each.task.title for each in store.tasks.subtree(1)] == ["c", "d"]
    store.tasks.move([2], under=1, by=user_context(store))
    assert [each.task.title for each in store.tasks.subtree(1)] == ["c", "d", "b"]
    store.tasks.move([2], under=1, before=4, by=user_context(store))
    assert [each.task.title for each in store.tasks.subtree(1)] == ["c", "b", "d"]
    (moved,) = store.tasks.move([4], top=True, before=1, by=user_context(store))
    assert (moved.parent, row(store)) == (None, "dacb")
    store.tasks.undo(by=user_context(store))
    assert [each.task.title for each in store.tasks.subtree(1)] == ["c", "b", "d"]


@pytest.mark.parametrize(
    "wanted",
    [{}, {"before": 1, "after": 1}, {"under": 1, "top": True}, {"before": 2}, {"after": 2}],
)
def test_a_move_needs_one_place_beside_another_task(
    store: Store, wanted: dict[str, int | bool]
) -> None:
    letters(store, "ab")
    with pytest.raises(ValidationError):
        store.tasks.move([2], by=user_context(store), **wanted)  # type: ignore[arg-type] # as given
    assert row(store) == "ab"


def test_what_is_in_the_trash_does_not_move(store: Store) -> None:
    letters(store, "ab")
    store.tasks.delete([1], by=user_context(store))
    with pytest.raises(Conflict):
        store.tasks.move([1], after=2, by=user_context(store))


def test_places_of_other_programs_are_kept_until_there_is_no_room(store: Store) -> None:
    for title, position in (("a", "x"), ("b", "x"), ("c", "ü"), ("d", ""), ("e", "x!")):
        add(store, title, position=position)
    assert row(store) == "dabec"
    for title, before in (("c", 2), ("d", 2), ("e", 1), ("b", 4)):
        store.tasks.move([" abcde".index(title)], before=before, by=user_context(store))
    assert row(store) == "eacbd"


def test_many_moves_to_one_spot_keep_working_and_places_stay_short(store: Store) -> None:
    letters(store, "abcdefghijklmnopqrstuvwxyz")
    expected = list(row(store))
    for number in range(300):
        title = expected[-1]
        store.tasks.move([ord(title) - 96], after=1, by=user_context(store))
        expected.remove(title)
        expected.insert(expected.index("a") + 1, title)
        assert (
            max(len(task.position) for task in store.tasks.list().tasks) <= MAX_POSITION_LENGTH
        ), number
    assert row(store) == "".join(expected)


def test_only_those_around_the_spot_are_spread_out(store: Store) -> None:
    letters(store, "ab" + "x" * 500)
    heard: list[int] = []
    store.tasks.subscribe(lambda changes: heard.append(len(changes)))
    for _ in range(100):
        for moved in (1, 2):
            store.tasks.move([moved], before=400, by=user_context(store))
    assert max(heard) < 60
    assert sum(heard) < 500


_MOVES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.booleans(), st.integers(0, 3)), max_size=15
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_MOVES)
def test_any_moves_give_the_order_of_a_list_and_are_undone_one_by_one(
    moves: list[tuple[int, int, bool, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder, opened(blank(Path(folder, "t.db"))) as store:
        many: list[TaskFields] = [
            # Some places are shared, as an import may bring them.
            {"title": str(number), "position": ("1", "1", "8", "f", "z")[number % 5]}
            for number in range(8)
        ]
        store.tasks.add_many(many, by=user_context(store))
        rows = [titles(store)]
        for moved, anchor, is_before, extra in moves:
            group = [
                title for title in dict.fromkeys((str(moved), str(extra))) if title != str(anchor)
            ]
            if not group:
                continue
            expected = [title for title in rows[-1] if title not in group]
            at = expected.index(str(anchor)) + (0 if is_before else 1)
            expected[at:at] = group
            ids = [int(title) + 1 for title in group]
            if is_before:
                store.tasks.move(ids, before=anchor + 1, by=user_context(store))
            else:
                store.tasks.move(ids, after=anchor + 1, by=user_context(store))
            assert titles(store) == expected
            if expected != rows[-1]:
                rows.append(expected)
        while len(rows) > 1:
            if store.tasks.undo(by=user_context(store)).changes and titles(store) != rows[-1]:
                rows.pop()
                assert titles(store) == rows[-1]


def test_a_move_among_many_writes_one_position(store: Store) -> None:
    many: list[TaskFields] = [{"title": str(number)} for number in range(5000)]
    store.tasks.add_many(many, by=user_context(store))
    before = count_operations(store)
    for number in range(1, 51):
        moved, anchor = number * 1009 % 5000 + 1, number * 733 % 5000 + 1
        store.tasks.move([moved], before=anchor, by=user_context(store))
    assert count_operations(store) - before == 50


def count_operations(store: Store) -> int:
    with closing(sqlite3.connect(store.path)) as database:
        (count,) = database.execute("SELECT count(*) FROM ops").fetchone()
    return int(count)
