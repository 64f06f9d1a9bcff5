"""The clock of the operation log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.store.operations.oplog import clock_of, tick_after

NOW = datetime(2026, 11, 18, 13, 30, tzinfo=UTC)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(1, 5)), min_size=1, max_size=8))
def test_clocks_grow_as_text_also_where_the_wall_clock_goes_back(
    steps: list[tuple[int, int]],
) -> None:
    last, clocks = "", [""]
    now = NOW
    for milliseconds, count in steps:
        now += timedelta(milliseconds=milliseconds)
        first = tick_after(last, now)
        clocks += map(clock_of, range(first, first + count))
        last = clocks[-1]
    assert all(one < other for one, other in pairwise(clocks))


def test_more_than_a_million_operations_at_once_stay_in_order() -> None:
    begun = clock_of(tick_after("", NOW))
    almost = begun.replace("-000000", "-999998")
    first = tick_after(almost, NOW)
    last, following = clock_of(first), clock_of(first + 1)
    assert last.endswith("-999999")
    assert begun < last < following
    assert following.endswith("-000000")
