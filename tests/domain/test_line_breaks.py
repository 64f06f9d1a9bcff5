"""Words that a line end divides: what is shown, and both readings in the index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.growth import too_steep
from tests.rows import each_row
from todo_tui.domain.knowledge.line_breaks import (
    indexed_text,
    join_line_ends,
    shown_text,
    words_of_document,
)


@each_row(
    ("text", "shown", "indexed"),
    [
        ("a termina-\ntion notice", "a termination\nnotice", "termination termina tion"),
        ("a self-\nemployed tenant", "a self-employed\ntenant", "selfemployed self employed"),
        ("the XR-\n500 is", "the XR-500\nis", "XR500 XR 500"),
        ("the XR-\n  500.", "the XR-500.", "XR500"),
        ("COVID-\n19, then", "COVID-19,\nthen", "COVID19"),
        ("2024-\n25 and", "2024-25\nand", "202425 2024 25"),
        ("Anglo-\nSaxon law", "Anglo-Saxon\nlaw", "AngloSaxon"),
        ("TERMINA-\nTION of", "TERMINATION\nof", "TERMINATION"),
        ("state-\nof-the-art", "state-of-the-art", "stateof"),
        ("state-of-\nthe-art", "state-of-the-art", "ofthe"),
        ("secu\u00ad\nrity and secu\u00adrity", "security\nand security", "security"),
        ("Miet\u2010\nvertrag für", "Mietvertrag\nfür", "Mietvertrag"),
        # The document itself says how a word is written.
        ("break-\neven at break-even", "break-even\nat break-even", "breakeven"),
        ("bed-\nrooms, bedrooms", "bedrooms,\nbedrooms", "bedrooms bed rooms"),
        # No word is divided here.
        ("a dash -\nand", "a dash -\nand", "dash"),
        ("a --\nb", "a --\nb", "a"),
        ("grade A-\nGrade B", "grade A-\nGrade B", "grade"),
        ("mid-word XR-500", "mid-word XR-500", "mid-word"),
        ("self-\n\nemployed", "self-\n\nemployed", "self-"),
    ],
)
def test_divided_words_are_shown_in_one_way_and_indexed_in_both(
    text: str, shown: str, indexed: str
) -> None:
    stored = join_line_ends(text, words_of_document(text))
    assert shown_text(stored) == shown
    words = indexed_text(stored).replace("\u00ad", " ").replace("-", " ").split()
    assert {*indexed.replace("-", " ").split()} <= {word.strip(".,") for word in words}


@given(st.text(alphabet="ab1-\u00ad\n .A", max_size=60))
def test_only_line_ends_are_changed(text: str) -> None:
    def letters(value: str) -> str:
        return "".join(each for each in value if each.isalnum())

    assert letters(shown_text(join_line_ends(text))) == letters(text)


@each_row("unit", ["ab-\n", "a", "a\u00ad\n", "-\n", "a-", "ab-\n \t", "self-\nab "])
def test_joining_takes_work_in_proportion(unit: str) -> None:
    def join(text: str) -> None:
        indexed_text(join_line_ends(text, words_of_document(text)))

    assert not too_steep(join, lambda length: unit * (length // len(unit)))
