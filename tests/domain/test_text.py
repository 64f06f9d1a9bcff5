"""Tests of text cleaning and folding."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.domain.text import (
    ends_in_abbreviation,
    fold_case,
    listed_count,
    plain_line,
    plain_text,
    repair_surrogates,
    search_text,
    similar,
)

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
ESCAPED = st.lists(
    st.sampled_from(
        ["\x1b[31m", "\x1b]8;;http://x\x07", "\x1b", "\x9b2J", "\x1bP1$q\x1b\\", "a", "\n", "\t",
         "\u202e", "\u200d", "😀", "\x00", "\r", "\u2028", "[", "m", "\ud83d"]
    )
).map("".join)  # fmt: skip


@each_row(
    ("raw", "expected"),
    [
        ("plain [bold] text", "plain [bold] text"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x9b31mred", "red"),
        ("\x1b]0;a title\x07rest", "rest"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;aGk=\x9crest", "rest"),
        ("\x1bP1$r0m\x1b\\x", "x"),
        ("\x1bc\x1b(Breset", "reset"),
        ("cut \x1b", "cut "),
        ("cut \x1b]0;never ended", "cut 0;never ended"),
        ("\x9da \x9db", "a b"),
        ("\x90a\x9db\x07c\x90d", "acd"),
        ("\x1bPa\x9b31mb\x1b]c", "abc"),
        ("\x9da\x9b31mb", "ab"),
        ("\x90never \x9dended \x1b\x1b\\", "never ended "),
        ("nul\x00 bell\x07 back\x08 del\x7f", "nul bell back del"),
        ("a\u202eb\u2066c\u200fd\u061ce", "abcde"),
        ("half \ud83d", "half "),
        ("one\r\ntwo\rthree\u2028four\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("tab\tstays", "tab\tstays"),
        ("👩‍🚀 ❤️ 日本語 שלום é", "👩‍🚀 ❤️ 日本語 שלום é"),
    ],
)
def test_control_and_escape_sequences_are_removed(raw: str, expected: str) -> None:
    assert plain_text(raw) == expected


def test_a_line_has_no_line_ends_and_no_tabs() -> None:
    assert plain_line("one\n\n\ttwo\r\nthree") == "one two three"


@given(ANY_TEXT | ESCAPED)
def test_plain_text_is_safe_whatever_it_was(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain
    plain.encode()
    for character in plain:
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        )  # fmt: skip
    line = plain_line(text)
    assert "\n" not in line
    assert "\t" not in line


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_safe_text_is_unchanged(text: str) -> None:
    assert plain_text(text) == text


@given(ANY_TEXT)
def test_repaired_text_is_encodable(text: str) -> None:
    whole = repair_surrogates(text)
    whole.encode()
    assert repair_surrogates(whole) == whole


def test_surrogate_pairs_are_joined() -> None:
    assert repair_surrogates("\ud83d\ude00") == "😀"
    assert repair_surrogates("a\ude00b") == "a\ufffdb"


@each_row(
    ("one", "other"),
    [("Milk", "mILK"), ("STRASSE", "straße"), ("é", "e\u0301"), ("ﬁx", "FIX"), ("Ä", "ä")],
)
def test_folding_ignores_case_and_form(one: str, other: str) -> None:
    assert fold_case(one) == fold_case(other)


def test_search_text_separates_fields() -> None:
    text = search_text("Buy", "milk", "home", ["a", "b"])
    assert "buy milk" not in text
    assert all(fold_case(word) in text for word in ("buy", "MILK", "home", "a", "b"))


@each_row(
    ("name", "known", "meant"),
    [
        ("modle", ("user", "model"), ("model",)),
        ("con", ("config", "conversations", "cnn"), ("config", "conversations", "cnn")),
        ("pro", ("providers", "project", "program"), ("project", "program", "providers")),
        ("CAFE", ("Café", "cab"), ("Café",)),
        ("straße", ("STRASSE",), ("STRASSE",)),
        ("elsewhere", ("model", "user"), ()),
        ("", ("model",), ()),
        ("model", (), ()),
    ],
)
def test_similar_names_begin_with_the_name_or_resemble_it(
    name: str, known: tuple[str, ...], meant: tuple[str, ...]
) -> None:
    assert similar(name, known) == meant
    assert similar(name, known, most=1) == meant[:1]


def test_a_list_is_never_cut_for_one() -> None:
    assert [listed_count(count, 3) for count in range(7)] == [0, 1, 2, 3, 4, 3, 3]


@each_row(
    ("before", "after", "is_one"),
    [
        ("The contact is Ms. ", "Andrea Brunner.", True),
        ("Ask Dr. ", "Okafor.", True),
        ("Main St. ", "Clair", True),
        ("It takes approx. ", "5 minutes.", True),
        ("Call ext. ", "418.", True),
        ("Bring towels, e.g. ", "two.", True),
        ("It is signed by J. ", "Smith.", True),
        ("Call before 5 p.m. ", "on weekdays.", True),
        ("Call at 5 p.m. ", "Monday is best.", True),
        ("Call before 5 p.m. ", "She answers.", False),
        ("Bring towels, soap etc. ", "and a key.", True),
        ("Bring towels, soap etc. ", "The key is here.", False),
        ("The party is on 5. ", "Dezember.", True),
        ("It costs 5. ", "Members pay less.", False),
        ("The rent is 940 euros. ", "It is due.", False),
        ("It is closed. ", "may", False),
    ],
)
def test_the_stop_of_an_abbreviation_ends_no_sentence(
    before: str, after: str, is_one: bool
) -> None:
    assert ends_in_abbreviation(before + after, len(before.rstrip())) is is_one
