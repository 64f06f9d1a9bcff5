"""Short dialogs with the built-in assistant: the last answer, in full or in part."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.agent.conftest import Harness
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store

ADDED = (
    "add call dentist 26 nov 9:30 #work",
    "add pay rent every month on the 28th",
    "add book flights friday #work",
    "add buy milk",
    "add buy eggs @shopping",
)
"""Tasks 1 to 5, on Wed 18 Nov."""
UNDO_ALL = (
    "Nothing was changed. Undo and redo take one change at a time, the newest first; say it again "
    "for the next one. In the app, `/changes` lists all changes."
)


@pytest.mark.parametrize(
    ("dialog", "answer"),
    [
        ("postpone everything by one day",
         "…(#2)\n\n2 tasks without a date stay as they are. Change these 3 tasks? [yes/no]"),
        ("postpone everything by one day | yes", "…2 tasks without a date stay as they are."),
        ("postpone everything in work to monday",
         "Changed Book flights: due Mon 23 Nov.\n\n"
         "1 task due later than Mon 23 Nov stays as it is."),
        ("push back call dentist to friday",
         "Call dentist (#1) is due Thu 26 Nov 09:30, later than Fri 20 Nov."
         " Move it anyway? [yes/no]"),
        ("push back call dentist to friday | yes", "Changed Call dentist: due Fri 20 Nov 09:30.…"),
        ("undo all changes from today", UNDO_ALL),
        ("undo today's changes", UNDO_ALL),
        ("undo the date of book flights", UNDO_ALL),
        ("redo everything", UNDO_ALL),
        ("what did you change?", "In the app, `/changes` lists all changes."),
        ("add buy bread | what did you just do?",
         "Your last request here: add “Buy bread”. In the app, `/changes` lists all changes."),
        ("complete buy milk | what did you change?",
         "Your last request here: complete Buy milk (#4). In the app, `/changes` lists all"
         " changes."),
        ("add a task: read chapter 4 for the book club, due sunday evening, 1 hour #reading",
         "Added Read chapter 4 for the book club (#6), due Sun 22 Nov 19:00, 1 h, in project"
         " reading. …"),
        ("add haircut on friday at 9:30 for 45 minutes",
         "Added Haircut (#6), due Fri 20 Nov 09:30, 45 min. …"),
        ("call dentist on thursday at 9:30 for 45 minutes",
         "Changed Call dentist: due tomorrow 09:30.…"),
        ("add meditate for 10 minutes tomorrow",
         "Added Meditate for 10 minutes (#6), due tomorrow. …"),
        ("plan a trip to Rome with subtasks book hotel, get insurance and pack bags",
         "Added Plan a trip to Rome (#6). Say “undo” to remove it.\n\nAdded 3 tasks to Plan a trip"
         " to Rome (#6):\n\n- Book hotel (#7)\n- Get insurance (#8)\n- Pack bags (#9)\n\n…"),
        ("throw a party with steps: cake and music",
         "Added Throw a party (#6). Say “undo” to remove it.\n\nAdded 2 tasks to Throw a party…"),
        ("buy a bike with parts a and b", "…? [yes/no]"),
        ("move call dentist to the afternoon",
         "Changed Call dentist: due Thu 26 Nov 15:00.\n\nAfternoon read as 15:00."),
        ("move book flights to the evening",
         "Changed Book flights: due Fri 20 Nov 19:00.\n\nEvening read as 19:00."),
        ("change pay rent to the 15th",
         "Changed Pay rent: due Tue 15 Dec. Only this occurrence moves; the task still repeats"
         " every month on the 28th.…"),
        ("add handouts every monday 8pm | move handouts to sunday 6pm",
         "Changed Handouts: due Sun 22 Nov 18:00. Only this occurrence moves; the task still"
         " repeats every Monday at 20:00.…"),
        ("add handouts every day 8pm | move handouts to 9pm",
         "Changed Handouts: due today 21:00. Only this occurrence moves; the task still repeats"
         " every day at 20:00.…"),
        ("move call dentist to friday", "Changed Call dentist: due Fri 20 Nov 09:30.…"),
    ],
)  # fmt: skip
async def test_a_dialog_ends_with_a_true_answer(
    open_as: Callable[[str], Store], dialog: str, answer: str
) -> None:
    store = open_as("ann")
    harness = Harness(store, changes={"provider": BuiltInAssistant(store.index)})
    for text in ADDED:
        await harness.finished(text)
    harness.conversation_id = None
    for message in dialog.split(" | "):
        said = (await harness.finished(message)).outcome.answer.replace("**", "")

    if answer.startswith("…"):
        said = said[-len(answer[1:]) :]
    elif answer.endswith("…"):
        said = said[: len(answer) - 1]
    assert said == answer.strip("…")
