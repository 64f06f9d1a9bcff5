"""Answers to the question about all calls of a message, and what holds after them."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.agent.conftest import Harness, ScriptedApprover
from tests.scripted import answer, call, calls
from todo_tui.agent.approver import (
    ApprovalAnswer,
    ApprovalQuestion,
    SessionApprovals,
    remember_mode,
    with_last_mode,
)
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.task import Actor

WRITES = ApprovalSettings(ApprovalMode.WRITES)
FOR_CONVERSATION = ApprovalAnswer(True, for_conversation=True)
NOTES = call("list_tasks", filter="#1")
"""Reads the notes of a task."""


@pytest.fixture
def approver(harness: Harness) -> ScriptedApprover:
    """Who is asked in all turns of a session, in which each change needs approval."""
    approver = ScriptedApprover()
    harness.changes |= {
        "approver": approver, "approvals": WRITES, "session_approvals": SessionApprovals(),
    }  # fmt: skip
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.add_many(
        [{"title": f"Task {number}", "notes": "ORDER: do it"} for number in range(1, 13)], by=by
    )
    return approver


def add(title: str) -> ToolCall:
    return call("add_task", title=title)


def complete(*ids: int) -> ToolCall:
    return call("complete_task", task_ids=list(ids))


async def results(harness: Harness, *messages: Sequence[ToolCall]) -> list[str]:
    """Run a turn with these messages; return for each call `done` or its error."""
    harness.script(*(calls(*each) for each in messages), answer("Done."))
    end = await harness.finished()
    responses = [json.loads(step.result) for step in end.outcome.trace]
    return [
        "done" if each["status"] == "success" else each["error"]["message"] for each in responses
    ]


WHY = "Asks before every change (set in Settings)"


def words(asked: Sequence[ApprovalQuestion]) -> list[str]:
    return [question.words for question in asked]


async def test_three_calls_of_a_message_are_one_question(
    harness: Harness, approver: ScriptedApprover
) -> None:
    found = await results(harness, [add("One"), complete(2), call("delete_task", task_ids=[3])])

    assert found == ["done"] * 3
    (question,) = approver.asked
    assert question.words == "Make 3 changes to 3 tasks?"
    complete_2, delete_3 = (
        f"{each} · ≡ has notes" for each in ("Complete #2 Task 2", "Delete #3 Task 3")
    )
    assert question.details == (WHY, "Add One", complete_2, delete_3)


async def test_a_denial_answers_all_calls_of_its_message(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [False]

    found = await results(harness, [add("One"), add("Two"), NOTES, call("undo")], [add("Three")])

    assert found == [
        *["Denied: Add 2 tasks. This was not done."] * 2,
        "done",
        "Denied. This was not done.",
        "done",
    ]
    assert words(approver.asked) == ["Add 2 tasks?", "Add “Three”?"]


async def test_the_reason_of_a_denial_reaches_the_model(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [ApprovalAnswer(False, reason="I \x1b[31mneed it\nuntil Friday \ud83d")]

    (found,) = await results(harness, [complete(2)])

    assert found.startswith(
        "Denied: Complete “Task 2”. This was not done. Reason: I need it\nuntil Friday"
    )
    assert "\ud83d" not in found
    assert found.splitlines()[0] in harness.requests[-1].messages[-1].tool_results[0].content


async def test_what_is_allowed_for_a_conversation_is_asked_in_another_one(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [FOR_CONVERSATION]

    await results(harness, [add("One")], [add("Two")])
    await results(harness, [add("Three")])
    assert words(approver.asked) == ["Add “One”?"]
    assert approver.asked[0].allowable

    await results(harness, [complete(2)])
    assert words(approver.asked[1:]) == ["Complete “Task 2”?"], "another tool"

    harness.conversation_id = None
    await results(harness, [add("Four")])
    assert words(approver.asked[2:]) == ["Add “Four”?"]


async def test_what_is_allowed_for_one_reason_is_asked_for_another(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [FOR_CONVERSATION, FOR_CONVERSATION]
    await results(harness, [complete(2)])

    await results(harness, [complete(*range(3, 10))])
    assert words(approver.asked[1:]) == ["Complete 7 tasks?"], "the limit"
    await results(harness, [call("reopen_task", task_ids=[2])], [complete(*range(2, 10))])
    assert words(approver.asked[2:]) == ["Reopen “Task 2”?"], "the limit was allowed too"

    await results(harness, [NOTES], [complete(10)])
    assert words(approver.asked[3:]) == ["Complete “Task 10”?"], "text of others"
    assert approver.asked[3].allowable


async def test_an_approval_once_allows_nothing_later(
    harness: Harness, approver: ScriptedApprover
) -> None:
    await results(harness, [add("One")], [add("Two")])

    assert words(approver.asked) == ["Add “One”?", "Add “Two”?"]


async def test_text_of_others_read_in_the_same_message_is_asked_about_again(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [True, False]

    found = await results(harness, [complete(2), NOTES, complete(3), complete(4)])

    assert found[:2] == ["done", "done"]
    assert found[2:] == ["Denied: Complete 2 tasks. This was not done."] * 2
    first, second = approver.asked
    assert first.words == "Complete 3 tasks?"
    assert second.words == "Complete 2 tasks?"
    assert second.details[0].startswith("The assistant has read notes")
    assert second.allowable


async def test_no_second_question_comes_without_a_new_reason(
    harness: Harness, approver: ScriptedApprover
) -> None:
    found = await results(harness, [NOTES], [complete(2), NOTES, complete(3)])

    assert found[:2] + found[3:] == ["done"] * 3
    assert words(approver.asked) == ["Complete 2 tasks?"]


async def test_an_undo_after_another_change_is_asked_about_with_what_it_would_undo(
    harness: Harness, approver: ScriptedApprover
) -> None:
    assert await results(harness, [add("One"), call("undo")]) == ["done", "done"]

    assert words(approver.asked) == ["Add “One”?", "Undo the last change?"]
    assert "Added #13 One" in approver.asked[1].details


async def test_undos_in_a_row_are_one_question_that_shows_all_changes(
    harness: Harness, approver: ScriptedApprover
) -> None:
    by = harness.store.new_change_context
    for title in ("From the shell", "From elsewhere"):
        harness.store.tasks.add({"title": title}, by=by(Actor.CLI))
    harness.changes["approvals"] = ApprovalSettings()

    assert await results(harness, [call("undo"), call("undo")]) == ["done", "done"]

    (asked,) = approver.asked
    assert asked.words == "Undo the last 2 changes?"
    assert asked.reasons == 0
    rows = [line for line in asked.details if "Added" in line]
    assert rows == ["  Added #14 From elsewhere", "  Added #13 From the shell"]


async def test_a_call_that_affects_more_by_now_is_asked_about_again(
    harness: Harness, approver: ScriptedApprover
) -> None:
    approver.answers = [True, False]
    moves = call("update_task", task_ids=[5, 6], details="under #1")

    found = await results(harness, [moves, call("delete_task", task_ids=[1])])

    assert found == ["done", "Denied: Delete 3 tasks. This was not done."]
    assert words(approver.asked) == ["Make 2 changes to 3 tasks?", "Delete 3 tasks?"]
    root = "#1 Task 1 · ≡ has notes"
    assert approver.asked[1].details == (WHY, root, "  #5 Task 5", "  #6 Task 6")


async def test_a_filter_that_finds_more_by_now_is_not_asked_about_again(
    harness: Harness, approver: ScriptedApprover
) -> None:
    await results(harness, [add("Task 13"), call("delete_task", filter="task")])

    assert words(approver.asked) == ["Make 2 changes to 13 tasks?"]
    assert harness.titles() == ["Task 13"]


async def test_calls_that_will_not_run_are_not_in_the_question(
    harness: Harness, approver: ScriptedApprover
) -> None:
    await results(harness, [complete(2), call("no_such_tool"), call("delete_task", task_ids=["x"])])

    assert words(approver.asked) == ["Complete “Task 2”?"]


async def test_all_calls_of_a_message_need_approval_after_a_conversation_wide_one_of_another_tool(
    harness: Harness, approver: ScriptedApprover
) -> None:
    harness.changes["approvals"] = ApprovalSettings()
    approver.answers = [FOR_CONVERSATION, False]
    await results(harness, [complete(*range(1, 7))])

    adds = [add(f"New {number}") for number in range(21)]
    await results(harness, [complete(7), *adds])

    assert words(approver.asked) == ["Complete 6 tasks?", "Add 21 tasks?"]
    assert harness.titles() == [f"Task {number}" for number in range(8, 13)]


async def test_another_mode_holds_from_the_next_call_on(
    harness: Harness, approver: ScriptedApprover
) -> None:
    session = harness.changes["session_approvals"]
    assert isinstance(session, SessionApprovals)
    approver.answers = [FOR_CONVERSATION]
    await results(harness, [add("One")])
    session.choose(ApprovalMode.ALWAYS)
    await results(harness, [add("Two")])
    session.choose(ApprovalMode.NEVER)
    await results(harness, [complete(*range(1, 9))])

    assert words(approver.asked) == ["Add “One”?", "Add “Two”?"]


def test_the_last_mode_is_used_where_none_is_configured(harness: Harness) -> None:
    decisions, unset = harness.store.decisions, ApprovalSettings(more_than=3, ask_is_default=True)
    assert with_last_mode(unset, decisions) == unset

    remember_mode(ApprovalMode.WRITES, decisions)
    assert with_last_mode(unset, decisions).ask is ApprovalMode.WRITES
    assert with_last_mode(unset, decisions).more_than == 3
    assert with_last_mode(ApprovalSettings(), decisions).ask is ApprovalMode.RISKY

    decisions.set("approvals.ask", "sometimes")
    assert with_last_mode(unset, decisions) == unset
