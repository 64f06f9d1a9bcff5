"""Tests of positions in the manual order."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.store.tasks.positions import MAX_POSITION_LENGTH, position_of_id, positions_between

places = st.integers(1, 2**32 - 1).map(position_of_id) | st.from_regex(
    "[0-9a-f]{8,12}", fullmatch=True
)
foreign = st.text(max_size=12) | places


@settings(max_examples=200, deadline=None)
@given(foreign, foreign | st.none(), st.integers(1, 40))
def test_places_lie_between_in_order_or_there_is_no_room(
    before: str, after: str | None, wanted: int
) -> None:
    found = positions_between(before, after, wanted)
    if found is None:
        assert after is not None
        return
    assert len(found) == wanted
    row = [before, *found, *([] if after is None else [after])]
    assert all(one < other for one, other in pairwise(row))


@settings(max_examples=100, deadline=None)
@given(places, places, st.integers(1, 500))
def test_between_places_of_our_own_there_is_room(one: str, other: str, wanted: int) -> None:
    before, after = sorted((one, other))
    found = positions_between(before, after, wanted)
    assert (found is None) == (before.rstrip("0") == after.rstrip("0"))


def test_every_move_to_the_same_spot_halves_the_room_until_none_is_left() -> None:
    before, after, moves = position_of_id(1), position_of_id(2), 0
    while (found := positions_between(before, after, 1)) is not None:
        (after,) = found
        assert len(after) <= MAX_POSITION_LENGTH
        moves += 1
    assert moves > 50


def test_new_tasks_come_after_everything_so_far() -> None:
    assert position_of_id(42) == "0000002a"
    (last,) = positions_between(position_of_id(41), position_of_id(42), 1) or ("",)
    assert position_of_id(41) < last < position_of_id(42)
