"""A choice that looks at the next token first reads what one would read that tries all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.phrases.parsing import (
    Parser,
    deferred,
    digits,
    either,
    join,
    listing,
    loose,
    nothing,
    optional,
    tight,
    unless,
    words,
)
from todo_tui.domain.phrases.tokens import tokenize

leaves = st.sampled_from(
    [words("a"), words("b", "a b"), words("c", "1"), digits(0, 99), nothing(""), unless(words("a"))]
)


def grown(smaller: st.SearchStrategy[Parser[object]]) -> st.SearchStrategy[Parser[object]]:
    pairs = st.tuples(smaller, smaller)
    return st.one_of(
        pairs.map(lambda pair: pair[0] | pair[1]),
        pairs.map(lambda pair: pair[0] >> pair[1]),
        pairs.map(lambda pair: pair[0] << pair[1]),
        pairs.map(lambda pair: join(lambda one, two: (one, two), *pair)),
        smaller.map(optional),
        smaller.map(tight),
        smaller.map(loose),
        smaller.map(lambda parser: parser.where(bool)),
        smaller.map(lambda parser: deferred(lambda: parser)),
        smaller.map(lambda parser: listing(words("a") >> parser, words("b"))),
    )


parsers: st.SearchStrategy[Parser[object]] = st.recursive(leaves, grown, max_leaves=6)
texts = st.lists(st.sampled_from(["a ", "b ", "c ", "d ", "1", "7 "]), max_size=5).map("".join)


@given(st.lists(parsers, min_size=1, max_size=4), texts)
@settings(max_examples=150, deadline=None)
def test_the_readings_of_a_choice_are_those_of_all_its_choices(
    choices: list[Parser[object]], text: str
) -> None:
    tokens = tokenize(text)
    each = [reading for choice in choices for reading in choice.read(tokens, 0)]
    assert list(either(*choices).read(tokens, 0)) == each
    assert all(choice.beginning().fits(tokens[0] if tokens else None) for choice in choices
               if any(True for _ in choice.read(tokens, 0)))  # fmt: skip
