"""Calls that a model repeats within a turn."""

from __future__ import annotations

import json

import pytest

from tests.agent.conftest import Harness, ScriptedApprover
from tests.scripted import answer, call, calls
from todo_tui.agent.approver import ApprovalAnswer
from todo_tui.agent.final_answer import REPEATED_ITSELF
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.messages import ToolCall, ToolMode
from todo_tui.domain.task import Actor

NOTE = "already done; answer the user"


def notes(results: list[str]) -> list[str]:
    return [json.loads(each).get("note", "") for each in results]


async def test_a_failing_call_that_is_repeated_ends_the_turn_soon(harness: Harness) -> None:
    failing = [calls(call("complete_task", task_ids=[999])) for _ in range(15)]
    harness.script(*failing)

    end = await harness.finished()

    assert end.outcome.model_calls == 4
    results = [step.result for step in end.outcome.trace]
    assert notes(results) == ["", NOTE, NOTE]
    first, *others = map(json.loads, results)
    assert all({**first, "note": NOTE} == each for each in others)
    assert [request.tool_choice for request in harness.requests] == [
        *[ToolMode.AUTO] * 3,
        ToolMode.NONE,
    ]
    assert harness.requests[-1].tools == harness.requests[0].tools
    assert end.outcome.answer == REPEATED_ITSELF


async def test_a_write_that_is_repeated_is_done_once(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk")),
        calls(call("add_task", title="Buy milk")),
        answer("Added."),
    )

    end = await harness.finished()

    assert harness.titles() == ["Buy milk"]
    assert notes([step.result for step in end.outcome.trace]) == ["", NOTE]
    assert end.outcome.answer == "Added."


async def test_a_message_that_is_repeated_whole_is_done_once(harness: Harness) -> None:
    harness.script(
        *(calls(call("add_task", title="Milk"), call("add_task", title="Eggs")),) * 2,
        answer("Added."),
    )

    await harness.finished()

    assert harness.titles() == ["Milk", "Eggs"]


async def test_equal_calls_of_one_message_are_two_requests(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk"), call("add_task", title="Buy milk")),
        answer("Added."),
    )

    await harness.finished()

    assert harness.titles() == ["Buy milk", "Buy milk"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"task_ids": [9], "filter": "x"}', '{ "filter":"x","task_ids":[9] }'),
        ('{"task_ids": [9]}', '{"task_ids": "#9"}'),
        ('{"task_ids": [9]}', '{"task_ids": [9], "filter": null}'),
        ('{"task_ids": [9', '{"task_ids": [9'),
        ('{"user": "bob"}', '{ "user": "bob" }'),
    ],
)
async def test_arguments_are_compared_by_what_they_mean(
    harness: Harness, one: str, other: str
) -> None:
    harness.script(
        calls(ToolCall("c1", "complete_task", one)),
        calls(ToolCall("c2", "complete_task", other)),
        answer("No."),
    )

    end = await harness.finished()

    assert notes([step.result for step in end.outcome.trace]) == ["", NOTE]


async def test_other_arguments_are_another_call(harness: Harness) -> None:
    harness.script(
        *(calls(call("complete_task", task_ids=[number])) for number in (7, 8, 9)), answer("No.")
    )

    end = await harness.finished()

    assert notes([step.result for step in end.outcome.trace]) == ["", "", ""]


async def test_after_another_write_the_same_call_runs_again(harness: Harness) -> None:
    harness.script(
        calls(call("list_tasks")),
        calls(call("add_task", title="Milk")),
        calls(call("list_tasks")),
        calls(call("add_task", title="Eggs")),
        calls(call("list_tasks")),
        answer("Two."),
    )

    end = await harness.finished()

    lists = [json.loads(s.result) for s in end.outcome.trace if s.name == "list_tasks"]
    assert [each["data"]["total"] for each in lists] == [0, 1, 2]
    assert all("note" not in each for each in lists)


async def test_a_list_before_a_write_of_its_own_message_is_out_of_date(
    harness: Harness,
) -> None:
    harness.script(
        calls(call("list_tasks"), call("add_task", title="Milk")),
        calls(call("list_tasks")),
        answer("One."),
    )

    end = await harness.finished()

    assert json.loads(end.outcome.trace[-1].result)["data"]["total"] == 1


async def test_a_write_by_somebody_else_counts(harness: Harness) -> None:
    class Busy(ScriptedApprover):
        async def decide(self, question: object) -> ApprovalAnswer:
            by = harness.store.new_change_context(Actor.CLI)
            harness.store.tasks.add({"title": "From the shell"}, by=by)
            return ApprovalAnswer(False)

    harness.changes |= {"approver": Busy(), "approvals": ApprovalSettings(ApprovalMode.WRITES)}
    harness.script(
        calls(call("list_tasks")),
        calls(call("add_task", title="Milk")),
        calls(call("list_tasks")),
        answer("One."),
    )

    end = await harness.finished()

    assert json.loads(end.outcome.trace[-1].result)["data"]["total"] == 1


async def test_a_repeated_call_costs_no_second_approval(harness: Harness) -> None:
    approver = ScriptedApprover([False])
    harness.changes |= {"approver": approver, "approvals": ApprovalSettings(ApprovalMode.WRITES)}
    harness.script(*(calls(call("add_task", title="Milk")),) * 2, answer("No."))

    end = await harness.finished()

    assert len(approver.asked) == 1
    assert notes([step.result for step in end.outcome.trace]) == ["", NOTE]


async def test_an_unknown_tool_is_repeated_too(harness: Harness) -> None:
    harness.script(*(calls(call("make_coffee")),) * 15)

    assert (await harness.finished()).outcome.model_calls == 4


async def test_the_next_turn_begins_anew(harness: Harness) -> None:
    for _ in range(3):
        harness.script(calls(call("add_task", title="Milk")), answer("Added."))
        await harness.finished()

    assert harness.titles() == ["Milk"] * 3
