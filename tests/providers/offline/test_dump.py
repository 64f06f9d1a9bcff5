"""Brain dump: lines, sentences and things listed in a sentence become rows; no word is lost."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from tests.rows import each_row
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.reading.dump import MAX_ROWS, read_row, read_rows

NOW = datetime(2026, 11, 18, 14, 30)
CASES: tuple[tuple[str, list[str]], ...] = (
    (
        "buy milk tomorrow 5pm, call mom on friday, pay rent !high and book the dentist",
        ["buy milk tomorrow 5pm", "call mom on friday", "pay rent !high", "book the dentist"],
    ),
    (
        "- Buy milk\n1. call mom tomorrow\n\n* fix bike ~30m #home\n[ ] pay rent every month",
        ["Buy milk", "call mom tomorrow", "fix bike ~30m #home", "pay rent every month"],
    ),
    (
        "I need to call mom tomorrow. Also don't forget to buy eggs and milk. "
        "Look into the Rome trip? Dr. Smith appointment friday 3pm",
        [
            "call mom tomorrow",
            "buy eggs and milk",
            "Look into the Rome trip?",
            "Dr. Smith appointment friday 3pm",
        ],
    ),
    ("milk, eggs, bread and butter", ["milk", "eggs", "bread", "butter"]),
    ("Wash the car; clean windows / vacuum", ["Wash the car", "clean windows", "vacuum"]),
    ("call Ann and Bob on friday", ["call Ann and Bob on friday"]),
    (
        "email Tom, Dick and Harry about the budget",
        ["email Tom, Dick and Harry about the budget"],
    ),
    ("Buy 2.5 kg flour. Meet at 3.30pm", ["Buy 2.5 kg flour", "Meet at 3.30pm"]),
    ("Groceries:\n  milk\n  eggs", ["Groceries:", "milk", "eggs"]),
    ("Add a task to buy milk", ["buy milk"]),
    ("today I need to call mom", ["today I need to call mom"]),
    ("I have to", ["I have to"]),
    (
        "finish the slides by thursday and send them to Kim, then plan the offsite and order lunch",
        ["finish the slides by thursday", "send them to Kim", "plan the offsite", "order lunch"],
    ),
    ("", []),
    ("...\n- \n", []),
)
_SMALL = frozenset("and then also i need to don't forget add a task".split())
"""Words that may stand between tasks."""


@each_row(("text", "expected"), CASES)
def test_rows(text: str, expected: list[str]) -> None:
    rows = [row.text for row in read_rows(text, NOW, DateStyle())]
    assert rows == expected
    words = re.findall(r"[\w']+", re.sub(r"(?m)^\s*(?:1\.|[-*]|\[ \])\s", "", text).lower())
    assert set(words) - set(re.findall(r"[\w']+", " ".join(rows).lower())) <= _SMALL


@each_row(
    ("text", "is_plain"),
    [
        ("Ideas for the party", True),
        ("Ideas for the party friday", False),
        ("plan the party", False),
        ("dentist every monday", False),
        ("#home @x", True),
    ],
)
def test_what_has_neither_a_date_nor_a_verb_is_marked(text: str, is_plain: bool) -> None:
    assert read_row(text, NOW, DateStyle()).is_plain is is_plain


def test_too_many_rows_are_refused_as_a_whole() -> None:
    with pytest.raises(ValidationError, match="More than 1,000 tasks"):
        read_rows("milk\n" * (MAX_ROWS + 1), NOW, DateStyle())
