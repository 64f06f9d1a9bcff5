"""Several tasks, several fields and several new tasks in one message, and questions about sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.agent.conftest import Harness
from tests.providers.offline.conftest import Begin

TASKS = (
    "add call landlord",
    "add send invoice to Miller 30 nov #work !high",
    "add prepare slides 3 dec #work",
    "add vacuum today @chores",
    "add clean kitchen today @chores",
    "add plan holiday #travel",
    "add call dentist 1 dec",
    "add book hotel 5 dec #travel",
    "add buy milk",
)
"""Tasks 1 to 9, on Wed 18 Nov."""
HIGH = {"priority": "high"}
LOW = {"priority": "low"}
TUESDAY = {"due": "2026-11-24"}
Fields = Mapping[str, object]


def _state(harness: Harness, number: int) -> dict[str, Any]:
    task = harness.store.tasks.get(number)
    return {
        "title": task.title.lower(),
        "due": task.due.iso() if task.due else None,
        "priority": task.priority.value if task.priority else None,
        "project": task.project,
        "tags": sorted(task.tags),
        "notes": task.notes,
        "status": "trash" if task.deleted_at else task.status.value,
    }


ROWS: Sequence[tuple[Mapping[int, Fields], Sequence[str], Sequence[str]]] = [
    # Several tasks by name or number.
    ({2: TUESDAY, 3: TUESDAY}, (), (
        "i want slides and invoice on tuesday",
    )),
    ({3: TUESDAY, 5: TUESDAY}, (), ("tasks 3 and 5: tuesday",)),
    ({3: {"status": "cancelled"}, 5: {"status": "cancelled"}}, (), ("3, 5 are cancelled",)),
    ({2: {"notes": "ask Kim"}, 3: {"notes": "ask Kim"}, 4: {"notes": "ask Kim"}}, (), (
        "add a note to the invoice, the slides and vacuum: ask Kim",
    )),
    ({1: {"tags": ["q9"]}, 7: {"tags": ["q9"]}}, (), ("add a q9 tag to both calls",)),
    ({1: {"status": "trash"}, 7: {"status": "trash"}}, (), ("take both calls off the list",)),
    ({4: {"status": "done"}, 5: {"status": "done"}}, (), ("vacuum ✓, kitchen ✓",)),
    # Sets.
    ({7: HIGH}, (), ("prioritise all calls but the landlord",)),
    ({4: TUESDAY, 5: TUESDAY}, (), ("make my chores due tuesday",)),
    ({3: HIGH, 6: LOW, 8: LOW}, (), ("set work tasks to high, travel tasks to low",)),
    ({3: HIGH, 2: LOW}, (), ("set slides to high and the rest of work to low",)),
    # Several fields.
    ({3: {"tags": ["q9"], **HIGH}}, (), (
        "tag slides q9 and high priority", "set slides to high and add the tag q9",
    )),
    ({3: {**TUESDAY, **HIGH}}, (), (
        "could you move slides to tuesday and also make it high priority?",
    )),
    ({3: {"tags": ["travel"], **HIGH}}, (), ("tag slides travel and set it to high",)),
    ({3: {"project": "travel", **HIGH}}, (), (
        "put slides in #travel, high priority",
    )),
    ({3: {"due": "2026-11-20T15:00", "project": "home", **HIGH}}, (), (
        "#3 friday 3pm high #home",
    )),
    ({3: {"title": "deck", **TUESDAY}}, (), ("rename slides to deck, due tuesday",)),
    ({3: {"due": None, **LOW}}, (), ("slides no date and low priority",)),
    ({3: {"notes": "ask Kim", **TUESDAY}}, (), ("move slides to tuesday, note: ask Kim",)),
    ({3: {"status": "done"}, 9: {"status": "trash"}}, (), ("i did #3. delete the milk",)),
    ({2: {"due": "2026-12-03"}, 3: {"due": "2026-11-30"}}, (), ("swap slides and invoice",)),
    ({9: {"due": "2026-12-03"}}, (), ("move milk to the same day as the slides",)),
    # New tasks.
    ({}, ("cheese", "bread"), ("shopping list: cheese, bread",)),
    ({}, ("pick up and drop off kids",), ("pick up and drop off kids on monday",)),
    ({}, ("call Bob",), ('create task "call Bob" due friday project work',)),
    # A question, or an offer.
    ({}, (), (
        "work tasks without a date", "completed tasks", "oldest task", "split milk into two",
        "work tasks high priority, travel tasks low priority",
    )),
]  # fmt: skip
"""What changes, the titles of new tasks, and messages that do just that."""


async def test_a_message_changes_what_it_names(begin: Begin) -> None:
    harness = await begin(*TASKS)
    numbers = range(1, len(TASKS) + 1)
    before = {number: _state(harness, number) for number in numbers}
    wrong: dict[str, object] = {}
    for changes, new, messages in ROWS:
        wanted = {number: {**before[number], **changes.get(number, {})} for number in numbers}
        for message in messages:
            harness.conversation_id = None
            await harness.finished(message)
            tasks = harness.store.tasks.list(harness.store.read_query("all")).tasks
            titles = [task.title.lower() for task in tasks if task.id not in before]
            after = {number: _state(harness, number) for number in numbers}
            if after != wanted or titles != [title.lower() for title in new]:
                changed = {
                    number: after[number] for number in numbers if after[number] != before[number]
                }
                wrong[message] = changed, titles
            if after != before or titles:
                await harness.finished("undo")

    assert not wrong


ANSWERS = [
    ("when is the next deadline?", "Next of 6 tasks due from Wed 18 Nov:\n\n- Vacuum"),
    ("which work task is due last?", "Last of 2 tasks in #work with due date:\n\n- Prepare"),
    ("next 2 tasks", "Next 2 of 6 tasks due from Wed 18 Nov:\n\n- Vacuum"),
    ("what calls do i have?", "2 tasks with “call”:"),
    ("which tasks are not work?", "7 tasks except “work”:"),
    ("which tasks are not in a project?", "5 tasks with no project:"),
    ("list work and travel tasks", "4 tasks (in work or in travel):"),
    ("work tasks", "2 tasks in #work:"),
    ("what do i have between 1 and 4 december?",
     "2 tasks due 1 December to 4 December (Tue 1 Dec – Fri 4 Dec):"),
    ("what project is slides in?", "Prepare slides (#3) is open: due Thu 3 Dec"),
    ("due date of slides", "Prepare slides (#3) is open: due Thu 3 Dec"),
    ("is monday free?", "No tasks due Mon 23 Nov."),
    ("i'm sick today, move everything to monday", "…Change these 9 tasks: Mon 23 Nov? [yes/no]"),
    ("add cheese, bread and eggs to groceries",
     "Add “Cheese” (\\#groceries), add “Bread” (\\#groceries) and add “Eggs”"),
    ("there is a party on friday at 9", "Add “Party” (Fri 20 Nov 09:00)? [yes/no]"),
]  # fmt: skip
"""How an answer begins; with an ellipsis, how it ends."""


async def test_a_set_is_answered_about(begin: Begin) -> None:
    harness = await begin(*TASKS)
    wrong: dict[str, str] = {}
    for question, answer in ANSWERS:
        harness.conversation_id = None
        said = (await harness.finished(question)).outcome.answer.replace("**", "")
        if not (said.endswith(answer[1:]) if answer[0] == "…" else said.startswith(answer)):
            wrong[question] = said

    assert not wrong
    assert len(harness.store.tasks.list(harness.store.read_query("all")).tasks) == len(TASKS)
