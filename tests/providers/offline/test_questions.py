"""Questions about tasks are answered by what is true of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.agent.conftest import Harness
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store

STANDUP = "add standup every weekday 9:15"
KIDS = "add buy boots tomorrow #kids\nadd school play 10 dec #kids"
BOTH_LATER = "Later:\n\n- Buy boots · tomorrow · #kids (#1)\n- School play · Thu 10 Dec"


@pytest.mark.parametrize(
    ("adds", "question", "begins"),
    [
        (STANDUP, "do I have a standup on friday?", "Yes: "),
        (STANDUP, "is the standup on 10 december?", "Yes: "),
        (STANDUP, "do I have a standup next week?", "Yes: "),
        (STANDUP, "do I have a standup on sunday?", "No: "),
        (STANDUP, "is there a standup this weekend?", "No: "),
        ("add standup friday", "do I have a standup on monday?", "No: "),
        (KIDS, "what do I have to do for the kids today?",
         f"No tasks matching “kids” due today. {BOTH_LATER}"),
        (KIDS, "how many kids tasks are due today?", "No tasks matching “kids” due today. Later:"),
        (KIDS, "what do I have to do for the school play this week?",
         "No tasks matching “school play” due this week. Later:\n\n- School play"),
        (KIDS, "what do I have to do for the kids this week?", "1 task "),
        (KIDS, "do I have to buy boots today?", "No: Buy boots"),
        (KIDS, "school play friday?", "School play (#2) is open: due Thu 10 Dec"),
        ("add buy boots #kids", "what's overdue for the kids?",
         "No tasks matching “kids overdue”. Others:\n\n- Buy boots"),
        (KIDS, "what did I do for the kids this week?", "You completed no tasks matching “kids”"),
    ],
)  # fmt: skip
async def test_a_question_of_days_is_answered_by_the_dates_of_tasks(
    open_as: Callable[[str], Store], adds: str, question: str, begins: str
) -> None:
    store = open_as("ann")
    harness = Harness(store, changes={"provider": BuiltInAssistant(store.index)})
    for text in adds.splitlines():
        await harness.finished(text)
    harness.conversation_id = None

    answer = (await harness.finished(question)).outcome.answer
    assert answer.replace("**", "").startswith(begins)
