"""Words: stems, typos, past forms, and which titles they fit."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rows import each_row
from todo_tui.providers.offline.language.words import alike, base_form, distance, is_past, stem
from todo_tui.providers.offline.reading.title_matching import find, reported
from todo_tui.providers.offline.tool_results import ShownTask

TASKS = tuple(
    ShownTask(number, title)
    for number, title in enumerate(
        (
            "Buy milk",
            "Buy oat milk",
            "Call mom",
            "Call mom's doctor",
            "Write quarterly report",
            "Prepare slides for the board",
            "Lunch with Anna",
            "Dentist appointment",
        ),
        start=1,
    )
)


def found(words: str) -> list[int]:
    return [task.id for task in find(words, TASKS)]


def done(verb: str, said: str) -> list[int]:
    return [task.id for task in reported(verb, said, TASKS)]


@each_row(
    ("past", "base"),
    [
        *(("bought", "buy"), ("paid", "pay"), ("wrote", "write"), ("sent", "send")),
        *(("took", "take"), ("made", "make"), ("went", "go"), ("met", "meet"), ("ran", "run")),
        *(("called", "call"), ("planned", "plan"), ("mopped", "mop"), ("tidied", "tidy")),
        *(("emailed", "email"), ("visited", "visit"), ("renewed", "renew"), ("read", "read")),
        *(("submitted", "submit"), ("cancelled", "cancel"), ("baked", "bake"), ("mowed", "mow")),
    ],
)
def test_a_past_form_leads_to_its_verb(past: str, base: str) -> None:
    assert is_past(past)
    assert base_form(past) == base


@each_row(
    ("one", "other"),
    [("plants", "plant"), ("dishes", "dish"), ("cities", "city"), ("watering", "water")],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@each_row(
    ("one", "other", "same"),
    [
        *(("dentst", "dentist", True), ("raport", "report", True), ("teh", "the", False)),
        *(("mom", "mum", False), ("quart", "quarterly", True), ("2026", "2027", False)),
        *(("bank", "tank", False), ("rent", "tent", False), ("report", "resort", True)),
        *(
            ("milk", "silk", False),
            ("mail", "email", True),
            ("cat", "car", False),
            ("insurance", "assurance", False),
        ),
    ],
)
def test_a_slip_is_forgiven_by_length(one: str, other: str, *, same: bool) -> None:
    assert alike(one, other) is same


@each_row(
    ("words", "ids"),
    [
        *(("milk", [1, 2]), ("buy milk", [1]), ("the oat milk", [2]), ("oat", [2])),
        *(("call mom", [3]), ("mom", [3, 4]), ("mom's doctor", [4]), ("the report", [5])),
        *(("the quarterly raport", [5]), ("slides", [6]), ("the slides task", [6])),
        *(("the dentist", [8]), ("dentist visit", [8]), ("phone mom", [3])),
        *(("the gym", []), ("lunch with Bob", []), ("dog report", []), ("the", [])),
    ],
)
def test_words_find_titles(words: str, ids: list[int]) -> None:
    assert found(words) == ids


@each_row(
    ("verb", "said", "ids"),
    [
        *(("buy", "the milk", [1]), ("get", "oat milk", [2]), ("call", "mom", [3])),
        *(("buy", "milk chocolate", []), ("drink", "the milk", []), ("finish", "the report", [5])),
        *(("write", "the report yesterday", [5]), ("send", "the report", [])),
        *(("prepare", "the slides for the board meeting", [6]), ("have", "lunch with Bob", [])),
        *(("have", "lunch with Anna at noon", [7]), ("call", "a cab", [])),
    ],
)
def test_a_deed_has_done_what_its_verb_and_object_fit(verb: str, said: str, ids: list[int]) -> None:
    assert done(verb, said) == ids


@settings(max_examples=80)
@given(st.text(max_size=8), st.text(max_size=8))
def test_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) is (one == other)
