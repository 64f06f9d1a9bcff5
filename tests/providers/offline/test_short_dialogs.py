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


@pytest.mark.parametrize(
    ("dialog", "answer"),
    [
        ("postpone everything by one day",
         "…(#2)\n\n2 tasks without a date stay as they are. Change these 3 tasks? [yes/no]"),
        ("postpone everything by one day | yes", "…2 tasks without a date stay as they are."),
        ("postpone everything in work to monday",
         "Changed Book flights: due Mon 23 Nov.\n\n1 task due later than Mon 23 Nov stays as it is."),
        ("push back call dentist to friday",
         "Call dentist (#1) is due Thu 26 Nov 09:30, later than Fri 20 Nov."
         " Move it anyway? [yes/no]"),
        ("push back call dentist to friday | yes", "Changed Call dentist: due Fri 20 Nov 09:30.…"),
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
