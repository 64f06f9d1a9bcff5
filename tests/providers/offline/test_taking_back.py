"""Messages of which one part takes another part back: nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.blank import blank
from tests.conftest import NOW
from tests.providers.offline.conftest import Begin
from tests.rows import each_row
from todo_tui.agent.approver import ApproveAll
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.domain.events import StepStatus, ToolFinished, TurnFinished
from todo_tui.domain.task import Actor, TaskFields
from todo_tui.domain.when import Clock
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.store import Store, open_store

TITLES = ("milk", "dentist", "gym", "old photos", "pay rent")
SAYS_SO = "Part of your message undoes another part. Nothing changed."
NOTHING = "Nothing changed."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = blank(tmp_path / "tasks.db")
    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)) as store:
        for title in TITLES:
            store.tasks.add({"title": title}, by=store.new_change_context(Actor.USER))
        yield store


async def said(store: Store, text: str, conversation: str | None = None) -> tuple[str, str]:
    """Return the answer and the conversation."""
    return (await told(store, text, conversation))[:2]


async def told(store: Store, text: str, conversation: str | None) -> tuple[str, str, list[str]]:
    """Return the answer, the conversation and the tools that wrote."""
    writes = []
    answer = identity = ""
    config = RunConfig(store, BuiltInAssistant(store.index), approver=ApproveAll())
    async for event in run_turn(text, config, conversation_id=conversation):
        match event:
            case ToolFinished(step=step) if step.name != "list_tasks":
                if step.status is StepStatus.SUCCESS:
                    writes.append(step.name)
            case TurnFinished():
                answer, identity = event.outcome.answer, event.conversation_id
    return answer, identity, writes


async def prepared(begin: Begin) -> tuple[Store, str | None]:
    """Leave `gym` done, `old photos` in the trash, and `pay rent` the task last spoken of.

    Return the store and the conversation.
    """
    tasks: list[TaskFields] = [{"title": title} for title in TITLES]
    harness = await begin(
        "complete gym", "delete old photos", "move pay rent to friday", tasks=tasks
    )
    return harness.store, harness.conversation_id


@each_row(
    ("message", "reply"),
    [
        ("delete milk, then put it back", SAYS_SO),
        ("complete milk and then undo that", SAYS_SO),
        ("delete milk then undo", SAYS_SO),
        ("complete milk. undo", SAYS_SO),
        ("complete milk and reopen it", SAYS_SO),
        ("complete milk, then reopen milk", SAYS_SO),
        ("complete milk and dentist, then reopen milk", SAYS_SO),
        ("delete milk. Restore milk.", SAYS_SO),
        ("delete milk and bring it back", SAYS_SO),
        ("cancel the dentist, then reopen it", SAYS_SO),
        ("cancel milk; uncancel milk", SAYS_SO),
        ("reopen gym and complete gym", SAYS_SO),
        ("restore old photos and delete it", SAYS_SO),
        ("start milk, then set it to todo", SAYS_SO),
        ("tag milk with shop, then untag it", SAYS_SO),
        ("make milk urgent, then remove the priority from milk", SAYS_SO),
        ("move milk to friday, then remove the due date of milk", SAYS_SO),
        ("make milk repeat daily, then stop repeating milk", SAYS_SO),
        ("rename milk to cream and then rename it to milk", SAYS_SO),
        ("delete milk, undo, and add bread", SAYS_SO),
        ("delete milk, undo, redo", SAYS_SO),
        ("undo, then redo", SAYS_SO),
        ("add eggs, then undo", SAYS_SO),
        ("add eggs and delete it", SAYS_SO),
        ("add milk and delete milk", SAYS_SO),
        ("add bread and cancel it", SAYS_SO),
        ("add bread, no, remove it again", SAYS_SO),
        ("add bread, no wait, undo", SAYS_SO),
        ("complete milk, no wait, undo that", SAYS_SO),
        ("finish milk. Actually, put it back on the list", SAYS_SO),
        ("add eggs and then delete eggs", NOTHING),
        ("cancel the dentist — no wait, restore it", "“dentist” is open."),
        ("mark milk as done, no wait, mark it as open", "“milk” is open."),
    ],
)
async def test_nothing_is_written_and_taken_back(begin: Begin, message: str, reply: str) -> None:
    store, conversation = await prepared(begin)
    answer, _, writes = await told(store, message, conversation)
    assert reply in answer
    assert writes == []


@each_row(
    ("message", "tools"),
    [
        ("delete milk and add bread", ["delete_task", "add_task"]),
        ("delete milk, then add milk", ["delete_task", "add_task"]),
        ("reopen gym and complete milk", ["reopen_task", "complete_task"]),
        ("reopen gym and delete it", ["reopen_task", "delete_task"]),
        ("restore old photos and complete it", ["reopen_task", "complete_task"]),
        ("complete milk and delete the dentist", ["complete_task", "delete_task"]),
        ("complete milk, then delete it", ["complete_task", "delete_task"]),
        ("start milk and complete the dentist", ["update_task", "complete_task"]),
        ("add bread and complete milk", ["add_task", "complete_task"]),
        ("undo, then add milk", ["undo", "add_task"]),
        ("undo and complete milk", ["undo", "complete_task"]),
        ("rename milk to cream and then rename it to oat milk", ["update_task", "update_task"]),
        ("move milk to friday, then move the dentist to friday", ["update_task", "update_task"]),
        ("add bread and make it urgent", ["add_task"]),
        ("complete milk, no wait, delete it", ["delete_task"]),
        ("complete milk, no wait, complete the dentist", ["complete_task"]),
    ],
)
async def test_parts_that_leave_each_other_alone_are_done(
    begin: Begin, message: str, tools: list[str]
) -> None:
    store, conversation = await prepared(begin)
    _, _, writes = await told(store, message, conversation)
    assert writes == tools


async def test_a_yes_does_not_write_and_take_back_either(store: Store) -> None:
    question, conversation = await said(store, "delete everything and put it back")
    assert question.endswith("[yes/no]")
    answer, _, writes = await told(store, "yes", conversation)
    assert SAYS_SO in answer
    assert writes == []


@pytest.mark.parametrize(
    "message",
    [
        "wait no, he didn't pick up, undo that",
        "ah no. undo, that was a different one",
        "nah leave it where it was",
        "actually put it back where it was please",
        "hang on, put it back how it was",
    ],
)
async def test_a_clause_takes_back_what_was_done_last(store: Store, message: str) -> None:
    _, conversation = await said(store, "move milk to friday")
    _, _, writes = await told(store, message, conversation)
    assert writes == ["undo"]
    assert store.tasks.get(1).due is None


async def test_what_is_said_behind_an_undo_is_done_too(store: Store) -> None:
    _, conversation = await said(store, "complete gym")
    _, _, writes = await told(store, "undo that, the dentist is done", conversation)
    assert writes == ["undo", "complete_task"]


async def test_a_yes_completes_the_subtasks_of_what_was_offered(store: Store) -> None:
    by = store.new_change_context(Actor.USER)
    store.tasks.add({"title": "bins out", "parent": 4}, by=by)
    asked, conversation = await said(store, "complete old fotos and add bread")
    while "[yes/no]" in asked:
        asked, *_ = await told(store, "yes", conversation)
    assert [task.id for task in store.tasks.list().tasks] == [1, 2, 3, 5, 7]


async def test_an_undo_names_the_change_that_it_takes_back(begin: Begin) -> None:
    store, conversation = await prepared(begin)
    for message, change in (
        ("add bread", "Added Bread"),
        ("move milk to friday", "Changed milk"),
        ("complete milk", "Completed milk"),
        ("reopen gym", "Reopened gym"),
        ("delete milk", "Deleted milk"),
        ("restore old photos", "Restored old photos"),
    ):
        await said(store, message, conversation)
        for reply in (f"Undone: “{change}”.", f"Redone: “{change}”."):
            assert (await said(store, reply[:4].lower(), conversation))[0] == reply


async def test_reopening_tells_of_the_next_occurrence(store: Store) -> None:
    _, conversation = await said(store, "make gym repeat every week")
    for message, reply in (
        ("complete gym", "Completed **gym**. Next: Wed 25 Nov."),
        ("reopen gym", "Reopened **gym**. Next occurrence removed."),
        ("undo", "Undone: “Reopened gym”."),
        ("start gym", "Started **gym**."),
        ("reopen #3", "Reopened **gym**. Its next occurrence #6 stays."),
    ):
        assert (await said(store, message, conversation))[0] == reply


async def test_a_date_is_said_once(store: Store) -> None:
    for message, words in (
        ("add drops every 8 hours", "due today 14:30, repeats"),
        ("add boat before wednesday", "Today is Wednesday: the day before Wed 25 Nov."),
    ):
        assert words in (await said(store, message))[0]
