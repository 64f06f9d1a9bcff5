"""Completing and deleting only what the user's message means."""

from __future__ import annotations

import json

import pytest

from tests.agent.conftest import Harness
from todo_tui.domain.events import TraceStep
from todo_tui.domain.messages import Completed, Decider, Message, Role, StopReason, ToolCall
from todo_tui.domain.task import Actor, Status, TaskFields
from todo_tui.domain.when import When
from todo_tui.providers.scripted import answer, call, calls

TITLES = {
    1: "Buy milk",
    2: "Write the quarterly report",
    3: "Renew the passport",
    4: "Do maths homework",
    5: "Gym",
    6: "Read chapter 4",
    7: "Blumen gießen",
    8: "牛乳を買う",
}


def seeded(harness: Harness) -> Harness:
    """Add the tasks, with ids as in TITLES."""
    by = harness.store.new_change_context(Actor.USER)
    more: dict[int, TaskFields] = {
        1: {"tags": ("groceries",), "due": When.parse("2026-11-18")},
        2: {"project": "work", "due": When.parse("2026-11-20")},
        3: {"due": When.parse("2026-11-10")},
    }
    for task_id, title in TITLES.items():
        fields: TaskFields = {"title": title}
        fields |= more.get(task_id, TaskFields())
        task = harness.store.tasks.add(fields, by=by)
        assert task.id == task_id
    return harness


async def steps(harness: Harness, text: str, *asked: ToolCall) -> tuple[TraceStep, ...]:
    """Run a turn in which the model sends these calls at once."""
    harness.script(calls(*asked), answer("All right."))
    return (await harness.finished(text)).outcome.trace


async def error_of(harness: Harness, text: str, asked: ToolCall) -> str:
    """Return the error that the model gets; empty if the call ran."""
    (step,) = await steps(harness, text, asked)
    response = json.loads(step.result)
    error = response.get("error", {"type": "", "message": ""})
    assert error["type"] in ("", "conflict"), response
    return str(error["message"])


def done(*task_ids: int) -> ToolCall:
    return call("complete_task", task_ids=[*task_ids])


def deleted(*task_ids: int) -> ToolCall:
    return call("delete_task", task_ids=[*task_ids])


MEANT = [
    ("bought milk", done(1)),
    ("I finished my homework", done(4)),
    ("I've written the reports", done(2)),
    ("the passport's done!", done(3)),
    ("gyms are stupid, delete it", deleted(5)),
    ("finished reading chapter four", done(6)),
    ("I did chapter 4", done(6)),
    ("delete #5", deleted(5)),
    ("done with 3 and 5", done(3, 5)),
    ("delete task 5.", deleted(5)),
    ("delete the groceries", deleted(1)),
    ("close what is in work", done(2)),
    ("I've done everything", done(1, 2, 3)),
    ("delete all", deleted(1, 2, 3)),
    ("clear what is overdue", done(3)),
    ("what is due on friday is done", done(2)),
    ("I did what was for today", done(1)),
    ("clear the overdue ones", call("complete_task", filter="overdue")),
    ("delete my groceries", call("delete_task", filter="@groceries")),
    ("Blumen sind gegossen", done(7)),
    ("die erste ist erledigt", done(1)),
    ("borra la primera tarea", deleted(2)),
    ("牛乳を買った", done(8)),
    ("買った", done(1)),
    ("I bought the milk", done(8)),
    ("the pasport is done", done(3)),
    ("number three is finished", done(3)),
    ("👍", done(1)),
    ("done!", done(1)),
    ("delete the milk and tick the gym", done(5)),
    ("remove the milk, it's done", done(1)),
    ("finish the report; scrap the gym", deleted(5)),
    ("remove the gym", deleted(5)),
]
NOT_MEANT = [
    ("add eggs", done(1), "“Buy milk” (#1)"),
    ("I finished my taxes", done(2), "“Write the quarterly report” (#2)"),
    ("remind me to call grandma at 5", done(5), "“Gym” (#5)"),
    ("dentist on 2026-11-05 at 5pm", deleted(5), "“Gym” (#5)"),
    ("delete the dentist", deleted(5), "“Gym” (#5)"),
    ("delete it", deleted(5), "“Gym” (#5)"),
    ("thanks, that's all", done(1), "“Buy milk” (#1)"),
    ("thanks", deleted(1), "“Buy milk” (#1)"),
    ("hello", deleted(1), "“Buy milk” (#1)"),
    ("what is overdue?", done(1), "“Buy milk” (#1)"),
    ("I've got the milk and the bread", done(1, 5), "“Gym” (#5)"),
    ("add bread", call("complete_task", filter="passport"), "“Renew the passport” (#3)"),
]


@pytest.mark.parametrize(("text", "asked"), MEANT)
async def test_a_call_for_what_the_message_means_runs(
    harness: Harness, text: str, asked: ToolCall
) -> None:
    assert not await error_of(seeded(harness), text, asked)


@pytest.mark.parametrize(("text", "asked", "named"), NOT_MEANT)
async def test_a_call_for_other_tasks_is_answered_with_a_question(
    harness: Harness, text: str, asked: ToolCall, named: str
) -> None:
    assert await error_of(seeded(harness), text, asked) == (
        f"The message does not mention {named}; nothing was done. Ask the user which task is meant."
    )
    assert len(harness.titles()) == len(TITLES)


async def test_the_whole_call_is_refused_and_others_of_the_message_run(harness: Harness) -> None:
    first, second, third = await steps(
        seeded(harness), "I bought milk and did the gym", done(1, 3), done(5), call("list_tasks")
    )

    assert [json.loads(step.result)["status"] for step in (first, second, third)] == [
        "error",
        "success",
        "success",
    ]
    assert harness.store.tasks.get(1).status is Status.TODO


async def test_many_tasks_are_named_in_short(harness: Harness) -> None:
    message = await error_of(seeded(harness), "add eggs", done(1, 2, 3, 4, 5))

    assert "(#1), “Write the quarterly report” (#2), “Renew the passport” (#3) and 2 more;" in (
        message
    )


@pytest.mark.parametrize(
    "text", ["tick off the second one", "finish the 3rd", "it's done", "both?", "done", "them"]
)
async def test_a_reference_means_what_the_previous_turn_was_about(
    harness: Harness, text: str
) -> None:
    seeded(harness)
    await steps(harness, "what is at work?", call("list_tasks", filter="#work"))

    assert not await error_of(harness, text, done(2))


async def test_a_reference_does_not_mean_other_tasks(harness: Harness) -> None:
    seeded(harness)
    await steps(harness, "what is at work?", call("list_tasks", filter="#work"))

    assert await error_of(harness, "delete it", deleted(5))
    # Thanks are about nothing.
    harness.script(answer("You are welcome."))
    await harness.finished("thanks")
    assert not await error_of(harness, "delete it", deleted(2))


async def test_a_yes_means_what_the_assistant_asked_about(harness: Harness) -> None:
    seeded(harness)
    harness.script(answer("Do you mean the gym?"))
    await harness.finished("no sports any more")

    assert await error_of(harness, "yes", deleted(2))
    harness.script(answer("Do you mean the gym?"))
    await harness.finished("no sports any more")
    assert not await error_of(harness, "yes, please", deleted(5))


async def test_an_answer_in_other_words_means_what_was_asked_about(harness: Harness) -> None:
    seeded(harness)
    harness.script(calls(call("list_tasks", filter="#1 or #5")), answer("Which of the two?"))
    await harness.finished("cross off that errand")

    assert not await error_of(harness, "groceries I'd say", done(1))


async def test_selected_tasks_are_meant_by_this(harness: Harness) -> None:
    seeded(harness)
    harness.selection = ((5, "Gym"),)

    assert not await error_of(harness, "this is done", done(5))
    assert await error_of(harness, "this is done", done(3))


async def test_subtasks_are_meant_with_their_parent(harness: Harness) -> None:
    seeded(harness)
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.update([5], {"parent": 3}, by=by)

    assert not await error_of(harness, "the passport is done", done(3, 5))


async def test_a_task_added_in_the_same_turn_is_meant(harness: Harness) -> None:
    seeded(harness)
    harness.script(
        calls(call("add_task", title="Einkaufen")), calls(done(9)), answer("Added and done.")
    )
    outcome = (await harness.finished("note that I have been shopping")).outcome

    assert json.loads(outcome.trace[-1].result)["status"] == "success"


async def test_other_tools_and_calls_of_the_built_in_rules_are_not_checked(
    harness: Harness,
) -> None:
    seeded(harness)
    assert not await error_of(harness, "hello", call("update_task", task_ids=[1], details="friday"))
    message = Message(Role.ASSISTANT, (done(1),))
    ruled = Completed(message, StopReason.TOOL_CALLS, decided_by=Decider.RULES)
    harness.script([ruled], answer("Done."))
    outcome = (await harness.finished("add eggs")).outcome

    assert json.loads(outcome.trace[-1].result)["status"] == "success"


async def test_completed_tasks_are_meant_as_a_group(harness: Harness) -> None:
    seeded(harness)
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.complete([5], by=by)

    assert not await error_of(harness, "clear completed tasks", deleted(5))
    assert await error_of(harness, "clear completed tasks", deleted(1))


@pytest.mark.parametrize(
    ("text", "asked", "verb"),
    [
        ("remove the milk", done(1), "remove"),
        ("Please delete the gym", call("complete_task", filter="gym"), "delete"),
        ("I've finished the quarterly report", deleted(2), "i've finished"),
        ("could you tick off the milk?", deleted(1), "tick off"),
    ],
)
async def test_a_call_for_the_opposite_of_the_order_is_refused(
    harness: Harness, text: str, asked: ToolCall, verb: str
) -> None:
    (step,) = await steps(seeded(harness), text, asked)
    assert f"The message says “{verb}”; nothing was done." in step.result
    assert all(task.is_open for task in harness.store.tasks.list().tasks)
