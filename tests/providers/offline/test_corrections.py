"""A corrected value takes the place of the one before it; everything else stays as it was said."""

from __future__ import annotations

from datetime import datetime

from tests.rows import each_row
from todo_tui.domain.when import DateStyle
from todo_tui.providers.offline.language.change_phrases import ChangeReader
from todo_tui.providers.offline.reading.corrections import NEVER_MIND, repaired

CHANGES = ChangeReader(datetime(2026, 11, 26, 14, 30), DateStyle())


@each_row(
    ("said", "meant"),
    [
        (
            "email the head on monday, no sorry tuesday, about the projector",
            "email the head on tuesday about the projector",
        ),
        ("add lunch for friday, no scrap that, saturday 2pm", "add lunch for saturday 2pm"),
        ("move my haircut to friday 4th at 2, no, 2.30", "move my haircut to friday 4th at 2.30"),
        ("push the gym to friday at 3, no, make it monday", "push the gym to monday at 3"),
        ("dentist tuesday no wednesday at 5", "dentist wednesday at 5"),
        ("gym 16 dec 15:40 no wait 16:00 #me", "gym 16 dec at 16:00 #me"),
        ("make it high priority, no, low priority", "make it low priority"),
        ("oven seal tomorrow, actually saturday", "oven seal saturday"),
        ("buy treats tomorrow - not tomorrow, saturday", "buy treats saturday"),
        (
            "get paper for saturday, no sorry, sunday, Jean is here on saturday",
            "get paper for sunday",
        ),
        ("rent is paid, no wait ignore that, that was last month", NEVER_MIND),
        ("delete gym, actually ignore that, delete yoga", "delete yoga"),
    ],
)
def test_a_value_replaces_the_last_one_of_its_type(said: str, meant: str) -> None:
    assert repaired(said, CHANGES) == meant


@each_row(
    "said",
    [
        "there is no friday class, move monday's to the gym",
        "the gym can wait friday",
        "add eggs no milk",
        "cancel the gym, wait no, move it to friday",
        "move yoga to tuesday... no, tuesday is the staff meeting",
        "whatever is due on the 1st, make it the 2nd",
        'rename the film to "friday, no, saturday"',
        "add milk\nfriday, no, saturday",
    ],
)
def test_what_corrects_no_value_stays_as_it_is(said: str) -> None:
    assert repaired(said, CHANGES) == said
