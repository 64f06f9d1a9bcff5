"""Tests of literal text and sign completion in quick add."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from todo_tui.domain.change_words.quick_add import QuickAdd, read_quick_add
from todo_tui.domain.change_words.signs import remap_literals, toggle_literal
from todo_tui.domain.filters.completion import complete_sign
from todo_tui.domain.filters.lexer import FilterNames
from todo_tui.domain.when import DateStyle

NOW = datetime(2026, 11, 18, 14, 30)
LINE = "Call mom tomorrow 5pm #home @phone !high"
NAMES = FilterNames(("home.garden", "Haus", "two words", "work"), ("phone", "shop"), {})


def words_at(text: str, cursor: int) -> list[str]:
    return [text[slice(*each)] for each in toggle_literal((), read(text).spans, cursor)]


def read(text: str, literals: tuple[tuple[int, int], ...] = ()) -> QuickAdd:
    return read_quick_add(text, NOW, DateStyle(), literals=literals)


def test_literal_at_or_before_the_cursor_is_toggled() -> None:
    assert words_at(LINE, len(LINE)) == ["!high"]
    assert words_at(LINE, LINE.index("#") + 2) == ["#home"]
    assert words_at(LINE, LINE.index("5pm")) == ["tomorrow 5pm"]
    assert words_at(LINE, 0) == ["tomorrow 5pm"]
    assert words_at("Call mom", 3) == []


def test_literals_stay_in_the_title() -> None:
    literals = toggle_literal((), read(LINE).spans, LINE.index("5pm"))
    understood = read(LINE, literals)
    assert understood.title == "Call mom tomorrow 5pm"
    assert (understood.due, understood.project, understood.tags) == (None, "home", ("phone",))
    literals = toggle_literal(literals, understood.spans, LINE.index("#"))
    assert read(LINE, literals).title == "Call mom tomorrow 5pm #home"
    for place in (LINE.index("5pm"), LINE.index("#")):
        literals = toggle_literal(literals, read(LINE, literals).spans, place)
    assert read(LINE, literals) == read(LINE)


def test_literals_move_with_edits_and_are_dropped_when_edited() -> None:
    assert remap_literals([(5, 9)], "call mona", "do call mona") == ((8, 12),)
    assert remap_literals([(0, 4)], "call mona", "call mona now") == ((0, 4),)
    assert remap_literals([(0, 4)], "call mona", "caall mona") == ()
    assert remap_literals([(0, 4)], "call mona", "") == ()


@settings(max_examples=60)
@given(st.text("ab #@", max_size=12), st.text("ab #@", max_size=12), st.data())
def test_moved_literal_keeps_its_characters(before: str, after: str, data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(before)))
    start = data.draw(st.integers(0, end))
    for first, last in remap_literals([(start, end)], before, after):
        assert after[first:last] == before[start:end]


def completed(text: str, cursor: int | None = None) -> list[str]:
    found = complete_sign(text, len(text) if cursor is None else cursor, NAMES)
    return [each.text for each in found.candidates]


def test_signs_are_completed_with_existing_typeable_names() -> None:
    assert completed("Mow #h") == ["#Haus", "#home", "#home.garden"]
    assert completed("Mow #gar") == ["#home.garden"]
    assert completed("Mow @") == ["@phone", "@shop"]
    assert completed("Mow !m") == ["!medium"]
    assert completed("Mow a#h") == completed("Mow h") == completed("Mow #two") == []
    assert completed('Mow "the #h') == ["#Haus", "#home", "#home.garden"]


def test_the_whole_word_is_replaced_wherever_the_cursor_is_in_it() -> None:
    found = complete_sign("Mow #hoxx now", 7, NAMES)
    assert (found.start, found.end) == (4, 9)
    assert [each.text for each in found.candidates] == ["#home", "#home.garden"]
