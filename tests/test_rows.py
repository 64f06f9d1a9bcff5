"""A table of rows in one test: all run, and those that are wrong are named."""

from __future__ import annotations

import pytest

from tests.rows import each_row


def test_every_row_runs_and_those_that_are_wrong_are_named() -> None:
    seen: list[tuple[int, str]] = []

    @each_row("number", [1, 2])
    @each_row(("word",), [("a",), ("b",)])
    def check(number: int, word: str) -> None:
        seen.append((number, word))
        assert (number, word) != (1, "b")
        if number == 2:
            pytest.fail("a failure of pytest's own")

    with pytest.raises(BaseExceptionGroup, match="2 of 2 rows are wrong") as raised:
        check()
    assert seen == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
    assert raised.group_contains(AssertionError)
    assert [each.__notes__ for each in raised.value.exceptions] == [
        ["in the row {'number': 1}"], ["in the row {'number': 2}"],
    ]  # fmt: skip
