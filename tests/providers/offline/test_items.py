"""How the text of an addition is cut into tasks."""

from __future__ import annotations

from datetime import datetime

import pytest

from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.dates import Dates
from todo_tui.providers.offline.items import Draft, Drafting, split_items
from todo_tui.providers.offline.words import hide_quoted

DATES = Dates(datetime(2026, 11, 18, 14, 30), DateStyle())


def titles(text: str) -> list[str]:
    quoted = hide_quoted(text)
    drafting = Drafting(DATES, quoted)
    return [drafting.draft(item).title for item in split_items(quoted.text, drafting.title_of)]


def draft(text: str) -> Draft:
    quoted = hide_quoted(text)
    return Drafting(DATES, quoted).draft(quoted.text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("milk, eggs and bread", ["Milk", "Eggs", "Bread"]),
        ("milk and eggs", ["Milk", "Eggs"]),
        ("swim, bike and run", ["Swim", "Bike", "Run"]),
        ("email Bob and book flights", ["Email Bob", "Book flights"]),
        ("wash dishes, do laundry and mop floor", ["Wash dishes", "Do laundry", "Mop floor"]),
        ("dentist tomorrow and gym friday", ["Dentist", "Gym"]),
        (
            "lunch monday noon, gym tuesday and friday at 7",
            ["Lunch", "Gym tuesday and friday at 7"],
        ),
        ("vacuum every saturday and wash it every sunday", ["Vacuum", "Wash it"]),
        ("call mom and then pay rent", ["Call mom", "Pay rent"]),
        ("feed the cat; water the plants", ["Feed the cat", "Water the plants"]),
        ("- oil the door\n- paint the fence", ["Oil the door", "Paint the fence"]),
        ("1. oil the door\n2) paint the fence", ["Oil the door", "Paint the fence"]),
        ("- [ ] oil the door\n- [x] paint it", ["Oil the door", "Paint it"]),
        ("1. milk 2. eggs 3. bread", ["Milk", "Eggs", "Bread"]),
        ('"call Ann" and "mail Ben"', ["call Ann", "mail Ben"]),
    ],
)
def test_these_are_several_tasks(text: str, expected: list[str]) -> None:
    assert titles(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "salt and pepper",
        "call mom and dad",
        "write and send the report",
        "buy flour, sugar and butter",
        "yoga every tuesday and thursday at 6pm",
        "meeting with Anna and Ben",
        "review the draft, which is long",
        "team lunch (bring cake, plates and forks)",
        '"rock, paper and scissors"',
    ],
)
def test_this_is_one_task(text: str) -> None:
    assert len(titles(text)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay rent tomorrow 5pm", Draft("Pay rent", due="2026-11-19T17:00")),
        ("tomorrow at 9 to call the garage", Draft("Call the garage", due="2026-11-19T09:00")),
        ("sort photos with low priority", Draft("Sort photos", priority="low")),
        ("urgent: fix the roof", Draft("Fix the roof", priority="high")),
        ("read it tagged fun and books", Draft("Read it", tags=("fun", "books"))),
        ("buy tiles to the bathroom project", Draft("Buy tiles", project="bathroom")),
        ("get parcel with a note: bring ID", Draft("Get parcel", notes="bring ID")),
        ('watch "Friday Night Lights"', Draft("Watch Friday Night Lights")),
        ('"pay rent on friday"', Draft("pay rent on friday")),
        ("iPhone repair", Draft("iPhone repair")),
        ("friday", Draft("Friday")),
    ],
)
def test_an_item_is_read_with_its_attributes(text: str, expected: Draft) -> None:
    assert draft(text) == expected


def test_a_rhythm_comes_with_its_first_day() -> None:
    found = draft("take out trash every monday 8pm")
    assert (found.title, found.due, found.repeat) == (
        "Take out trash",
        "2026-11-23T20:00",
        "every Monday",
    )


def test_two_days_that_are_no_rhythm_are_left_in_the_title_and_that_is_said() -> None:
    assert "one date" in " ".join(draft("gym tuesday and friday at 7").remarks)
    assert not draft("gym every tuesday and friday at 7pm").remarks
