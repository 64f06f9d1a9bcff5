"""Tests of choices that look ahead by one token."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.dates.combinators import (
    Parser,
    alternatives,
    digits,
    not_ahead,
    optional,
    separated_by,
    sequence,
    succeed,
    tight,
    tokenize,
    words,
)

leaves = st.sampled_from(
    [
        words("a"),
        words("b", "a b"),
        words("c", "1"),
        digits(0, 99),
        succeed(""),
        not_ahead(words("a")),
    ]
)


def nested_choices(smaller: st.SearchStrategy[Parser[object]]) -> st.SearchStrategy[Parser[object]]:
    pairs = st.tuples(smaller, smaller)
    return st.one_of(
        pairs.map(lambda pair: pair[0] | pair[1]),
        pairs.map(lambda pair: pair[0] >> pair[1]),
        pairs.map(lambda pair: pair[0] << pair[1]),
        pairs.map(lambda pair: sequence(lambda one, two: (one, two), *pair)),
        smaller.map(optional),
        smaller.map(tight),
        smaller.map(lambda parser: parser.where(bool)),
        smaller.map(lambda parser: separated_by(words("a") >> parser, words("b"))),
    )


parsers: st.SearchStrategy[Parser[object]] = st.recursive(leaves, nested_choices, max_leaves=6)
texts = st.lists(st.sampled_from(["a ", "b ", "c ", "d ", "1", "7 "]), max_size=5).map("".join)


@given(st.lists(parsers, min_size=1, max_size=4), texts)
@settings(max_examples=150, deadline=None)
def test_choice_yields_readings_of_all_alternatives(
    choices: list[Parser[object]], text: str
) -> None:
    tokens = tokenize(text)
    each = [reading for choice in choices for reading in choice.read(tokens, 0)]
    assert list(alternatives(*choices).read(tokens, 0)) == each
