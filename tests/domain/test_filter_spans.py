"""Tests of search words found in a title."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.filters.search_words import find_spans, search_words
from todo_tui.domain.text import fold_case
from todo_tui.domain.when import DateStyle


@each_row(
    ("text", "words", "found"),
    [
        ("Buy milk", ["milk"], ["milk"]),
        ("Buy MILK and milk", ["milk"], ["MILK", "milk"]),
        ("Buy milk", ["buy", "uy m"], ["Buy m"]),
        ("Buy milk", ["bread"], []),
        ("Buy milk", [""], []),
        ("Straße", ["SS"], ["ß"]),
        ("Müsli kaufen", ["MU\u0308SLI"], ["Müsli"]),
        ("cafe\u0301 bar", ["café"], ["cafe\u0301"]),
        ("cafe\u0301 bar", ["cafe"], []),
        ("ﬁx it", ["fix"], ["ﬁx"]),
        ("👩‍👩‍👧 family", ["fam"], ["fam"]),
        ("👍🏽 ok", ["👍🏽"], ["👍🏽"]),
        ("日本語を学ぶ", ["語"], ["語"]),
        ("한국어", ["국"], ["국"]),
        ("100% [sic]", ["% ["], ["% ["]),
    ],
)
def test_spans_agree_with_the_store(text: str, words: list[str], found: list[str]) -> None:
    assert [text[start:end] for start, end in find_spans(text, words)] == found


TEXTS = st.text(
    st.sampled_from("aAbß éÉe\u0301iİıﬁK✓👩👧🏽日本한\u1112\u1161\u11ab👍\u200d\ufe0f-")
    | st.characters(),
    max_size=12,
)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, word=TEXTS)
def test_spans_are_sorted_disjoint_and_keep_grapheme_clusters(text: str, word: str) -> None:
    spans = find_spans(text, [word])
    flat = [place for span in spans for place in span]
    assert flat == sorted(set(flat))
    for start, end in spans:
        assert 0 <= start < end <= len(text)
        for place in (start, end):
            if 0 < place < len(text):
                assert unicodedata.category(text[place]) not in ("Mn", "Me")


@settings(max_examples=100, deadline=None)
@given(before=TEXTS, word=st.sampled_from(["milk", "straße", "日本", "müsli"]), after=TEXTS)
def test_separate_word_is_always_found(before: str, word: str, after: str) -> None:
    text = f"{before} {word.upper()} {after}"
    assert any(
        fold_case(word) in fold_case(text[start:end]) for start, end in find_spans(text, [word])
    )


def test_only_search_words_are_highlighted() -> None:
    wanted = parse_query(
        'milk "buy bread" not eggs (ham or milk) #work', datetime(2026, 11, 18), DateStyle()
    ).filter
    assert search_words(wanted) == ("milk", "buy bread", "ham")
