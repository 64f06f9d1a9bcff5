"""Tests of amounts and prices as text."""

from __future__ import annotations

from tests.rows import each_row
from todo_tui.domain.text import format_dollars, format_rate


@each_row(
    ("amount", "words"),
    [(0, "$0"), (12.5, "$12.50"), (1234, "$1,234.00"), (0.0071, "$0.0071"), (4.1e-5, "$0.000041")],
)
def test_positive_amount_is_never_formatted_as_zero(amount: float, words: str) -> None:
    assert format_dollars(amount) == words


@each_row(("amount", "words"), [(0.075, "0.075"), (0.15, "0.15"), (0.6, "0.60"), (2.5, "2.50")])
def test_rate_has_a_tenth_of_a_cent(amount: float, words: str) -> None:
    assert format_rate(amount) == words
