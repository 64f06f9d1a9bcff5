"""Tests of filter completion."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.test_filter_text import PIECES
from tests.rows import each_row
from todo_tui.domain.filters.completion import complete_filter
from todo_tui.domain.filters.lexer import FilterNames
from todo_tui.domain.filters.parser import parse_query
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
NAMES = FilterNames(
    ("work.client", "work", "Home garden", "errands"), ("home", "phone"), {"My week": "this week"}
)


def offered(text: str, cursor: int | None = None) -> list[str]:
    found = complete_filter(text, len(text) if cursor is None else cursor, NAMES)
    return [candidate.text for candidate in found.candidates]


@each_row(
    ("text", "first"),
    [
        ("", ["today", "tomorrow"]),
        ("milk ", ["today", "tomorrow"]),
        ("#", ["#errands", 'project:"Home garden"', "#work", "#work.client"]),
        ("#cli", ["#work.client"]),
        ("milk @h", ["@home"]),
        ("!", ["!high", "!medium", "!low", "!none"]),
        ("over", ["overdue"]),
        ("due.b", ["due.before:", "due.by:"]),
        ("due:to", ["due:today", "due:tomorrow"]),
        ("done:", ["done:today", "done:yesterday"]),
        ("due<to", ["due<today", "due<tomorrow"]),
        ("project:ho", ['project:"Home garden"']),
        ('project:"home g', ['project:"Home garden"']),
        ("tag:", ["@home", "@phone"]),
        ("status:d", ["status:doing", "status:done"]),
        ("has:ch", ["has:children"]),
        ("no du", ["due"]),
        ("sort:due,pri", ["sort:due,priority"]),
        ("group:pro", ["group:project"]),
        ("view:", ['view:"My week"']),
        ("a an", ["and"]),
        ("(@ph", ["@phone"]),
    ],
)
def test_likeliest_candidate_is_first(text: str, first: list[str]) -> None:
    assert offered(text)[: len(first)] == first


@each_row("text", ['"quoted wor', "id:3", "zzz", "due:zzz", "and"])
def test_no_candidates_without_a_match(text: str) -> None:
    assert offered(text) == []


def test_the_whole_word_at_the_cursor_is_replaced() -> None:
    text = "milk #wo today"
    found = complete_filter(text, 8, NAMES)
    assert text[found.start : found.end] == "#wo"
    assert found.candidates[0].text == "#work"
    in_the_middle = complete_filter("milk #work today", 7, NAMES)
    assert (in_the_middle.start, in_the_middle.end) == (5, 10)


def test_keys_and_words_have_descriptions() -> None:
    found = complete_filter("bl", 2, NAMES)
    assert [(each.text, each.about) for each in found.candidates] == [
        ("blocked", "blocked by another task"),
        ("blocking", "blocks other tasks"),
    ]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=4).map(" ".join), st.data())
def test_any_cursor_in_any_text_is_accepted(text: str, data: st.DataObject) -> None:
    cursor = data.draw(st.integers(0, len(text)))
    found = complete_filter(text, cursor, NAMES)
    assert 0 <= found.start <= cursor <= found.end <= len(text)


def test_value_candidates_are_valid_filters() -> None:
    for begun in (
        "#",
        "@",
        "!",
        "due:",
        "done:",
        "status:",
        "has:",
        "no:",
        "sort:",
        "group:",
        "view:",
    ):
        for text in offered(begun):
            parse_query(text, NOW, DateStyle(), NAMES)
