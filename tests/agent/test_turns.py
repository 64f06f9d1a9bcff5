"""Events of a turn from first to last, and its record in the store."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from dataclasses import dataclass

import pytest

from tests.agent.conftest import Harness, answer_text, kinds
from tests.scripted import Round, ScriptedProvider, answer, call, calls, in_order
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.final_answer import (
    CUT_OFF_NOTE,
    EMPTY_ANSWER,
    EMPTY_ANSWER_AFTER_TOOLS,
    LENGTH_LIMIT_BEFORE_ANSWER,
    ONLY_THINKING_NOTE,
    STEP_LIMIT_NOTE,
    STEP_LIMIT_REACHED,
    SUM_UP,
)
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import Fallback, Limits, read_only
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind, StoreUnwritable
from todo_tui.domain.events import (
    StepStatus,
    ToolFinished,
    ToolStarted,
    TurnFailed,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.messages import (
    Completed,
    Message,
    MessagePart,
    Provider,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolMode,
    TurnStatus,
    Usage,
)
from todo_tui.domain.task import Actor
from todo_tui.domain.when import When
from todo_tui.providers.offline.assistant import BuiltInAssistant
from todo_tui.store.conversations.export import write_markdown
from todo_tui.store.store import open_store
from todo_tui.tools.base import ToolContext, ToolResponse, tool


async def test_a_turn_with_two_tools_reports_each_step_in_order(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk"), call("add_task", title="Call mom")),
        answer("Both are on your list."),
    )

    events = await harness.events("add milk and call mom")

    assert kinds(events) == [
        "TurnStarted",
        "UsageReported",
        "ToolStarted", "ToolFinished",
        "ToolStarted", "ToolFinished",
        "TextDelta",
        "UsageReported",
        "TurnFinished",
    ]  # fmt: skip
    assert harness.titles() == ["Buy milk", "Call mom"]


async def test_the_end_carries_answer_trace_and_numbers(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk", details="tomorrow 5pm"), usage=Usage(100, 50, 10)),
        answer("Done.", usage=Usage(120, 100, 5)),
    )

    outcome = (await harness.finished()).outcome

    assert outcome.answer == "Done."
    assert (outcome.provider, outcome.model, outcome.model_calls) == ("scripted", "script", 2)
    assert (outcome.usage, outcome.cost_usd) == (Usage(220, 150, 15), 0.0)
    assert len(outcome.kept_batches) == 1
    (step,) = outcome.trace
    assert step.name == "add_task"
    assert step.summary == "Added Buy milk · tomorrow 17:00"
    assert json.loads(step.result)["status"] == "success"
    assert step.status is StepStatus.SUCCESS
    assert step.milliseconds > 0


async def test_a_finished_turn_is_in_the_store_with_its_trace(harness: Harness) -> None:
    harness.script(calls(call("add_task", title="Buy milk"), text="Let me."), answer("Done."))

    end = await harness.finished("add milk")

    (turn,) = harness.store.turns.list(end.conversation_id)
    assert (turn.user_text, turn.answer) == ("add milk", "Let me.\n\nDone.")
    assert turn.status is TurnStatus.FINISHED
    assert turn.steps == end.outcome.trace
    assert turn.model_calls == 2
    assert turn.answer == end.outcome.answer


async def test_the_words_that_streamed_are_the_answer(harness: Harness) -> None:
    harness.script(
        calls(call("list_tasks"), text="Let me look."), answer("You have nothing to do.")
    )

    events = await harness.events()

    assert answer_text(events) == "Let me look.\n\nYou have nothing to do."


async def test_the_message_is_stored_before_the_model_is_asked(harness: Harness) -> None:
    def script(_: object) -> Round:
        (conversation,) = harness.store.conversations.list()
        (turn,) = harness.store.turns.list(conversation.id)
        assert (turn.user_text, turn.status) == ("hello", TurnStatus.RUNNING)
        return answer("Hi.")

    harness.script()
    harness.provider._script = script
    await harness.finished("hello")


async def test_the_request_is_rebuilt_from_the_store_and_its_beginning_stays(
    harness: Harness,
) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk")), answer("Added."), answer("You said milk.")
    )
    await harness.finished("add milk")
    await harness.finished("what did I say?")

    first, second, third = harness.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert third.messages[: len(second.messages)] == second.messages
    assert [message.role for message in third.messages] == [
        Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.USER,
    ]  # fmt: skip
    assert (first.system, first.tools) == (third.system, third.tools)


async def test_the_moving_part_goes_with_the_message(harness: Harness) -> None:
    harness.script(calls(call("add_task", title="Buy milk", details="today")), answer("Ok."))
    await harness.finished()
    harness.script(answer("Hi."))
    await harness.finished()

    context = harness.requests[0].messages[-1].context
    assert context is not None
    assert (context.open_tasks, context.due_today, context.zone) == (1, 1, "Europe/Berlin")
    old = harness.requests[0].messages[0].context
    assert old is not None
    assert old.open_tasks == 0


async def test_reads_run_together_and_are_recorded_in_the_order_asked(
    harness: Harness,
) -> None:
    together = threading.Barrier(3, timeout=60)

    @tool("Looking…", reads_only=True)
    def look(context: ToolContext, name: str) -> ToolResponse:
        """Look."""
        together.wait()
        time.sleep({"first": 0.05, "second": 0.0, "third": 0.02}[name])
        return ToolResponse(name, name)

    harness.changes["tools"] = (look,)
    asked = [call("look", name=name) for name in ("first", "second", "third")]
    harness.script(calls(*asked), answer("Done."))

    end = await harness.finished()

    assert [step.summary for step in end.outcome.trace] == ["first", "second", "third"]
    results = harness.requests[1].messages[-1].tool_results
    assert [result.call_id for result in results] == [each.id for each in asked]


async def test_writes_run_one_by_one_and_a_read_sees_the_writes_before_it(
    harness: Harness,
) -> None:
    harness.script(
        calls(
            call("add_task", title="One"),
            call("list_tasks"),
            call("add_task", title="Two"),
            call("list_tasks"),
        ),
        answer("Done."),
    )

    events = await harness.events()

    steps = [event.step for event in events if isinstance(event, ToolFinished)]
    totals = [json.loads(step.result)["data"].get("total") for step in steps]
    assert totals == [None, 1, None, 2]
    started = [type(e) for e in events if isinstance(e, ToolStarted | ToolFinished)]
    assert started == [ToolStarted, ToolFinished] * 4


async def test_all_writes_of_a_turn_are_one_batch(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="One"), call("add_task", title="Two")),
        calls(call("complete_task", task_ids=[1])),
        answer("Done."),
    )

    end = await harness.finished()

    (batch,) = end.outcome.kept_batches
    harness.store.tasks.undo(by=harness.store.new_change_context(Actor.USER))
    assert harness.titles() == []
    assert batch


async def test_an_unknown_tool_is_answered_with_those_there_are(harness: Harness) -> None:
    harness.script(calls(call("make_coffee")), answer("I cannot."))

    end = await harness.finished()

    (step,) = end.outcome.trace
    error = json.loads(step.result)["error"]
    assert error["type"] == "not_found"
    assert "add_task" in error["message"]
    assert harness.requests[1].messages[-1].tool_results[0].is_error


async def test_wrong_arguments_go_back_to_the_model_which_corrects_them(
    harness: Harness,
) -> None:
    broken = ToolCall("call_1", "add_task", '{"title": "Buy mi')
    harness.script(
        calls(broken, call("add_task", name="Buy milk")),
        calls(call("add_task", title="Buy milk")),
        answer("Added."),
    )

    end = await harness.finished()

    assert [step.status for step in end.outcome.trace] == ["error", "error", "success"]
    assert harness.titles() == ["Buy milk"]


async def test_a_turn_ends_after_its_last_call_which_may_use_no_tool(harness: Harness) -> None:
    harness.changes["limits"] = Limits(max_iterations=4)
    harness.script(*(calls(call("list_tasks")) for _ in range(3)), answer("That is all."))

    end = await harness.finished()

    modes = [request.tool_choice for request in harness.requests]
    assert modes == [ToolMode.AUTO] * 3 + [ToolMode.NONE]
    assert all(request.tools for request in harness.requests)
    assert end.outcome.answer == f"That is all.\n\n{STEP_LIMIT_NOTE}"


@pytest.mark.parametrize("rounds", [2, 3])
async def test_at_the_limit_the_model_is_told_to_sum_up_with_its_last_result(
    harness: Harness, rounds: int
) -> None:
    harness.changes["limits"] = Limits(max_iterations=rounds)
    broken = ToolCall("call_x", "add_task", "[")
    both = calls(call("list_tasks"), broken)
    harness.script(*[both] * (rounds - 1), answer("Nothing yet."))

    end = await harness.finished()

    *before, last = harness.requests
    assert not any(SUM_UP in str(request.messages) for request in before)
    listed, failed = last.messages[-1].tool_results
    assert SUM_UP not in listed.content
    response = json.loads(failed.content)
    assert response["error"]["type"] == "validation_error"
    assert response["note"].endswith(SUM_UP)
    (stored,) = harness.store.turns.list(end.conversation_id)
    assert SUM_UP not in str(stored.steps)
    assert stored.answer == end.outcome.answer

    harness.script(answer("On we go."))
    await harness.finished("continue")
    assert SUM_UP not in str(harness.requests[0].messages)
    assert STEP_LIMIT_NOTE in harness.requests[0].messages[-2].text


async def test_a_turn_of_one_call_reaches_no_limit(harness: Harness) -> None:
    harness.changes["limits"] = Limits(max_iterations=1)
    harness.script(answer("Hello."))

    end = await harness.finished()

    assert end.outcome.answer == "Hello."
    assert harness.requests[0].tool_choice is ToolMode.NONE


async def test_the_built_in_assistant_is_told_of_the_limit_too(harness: Harness) -> None:
    harness.changes |= {
        "limits": Limits(max_iterations=2),
        "provider": BuiltInAssistant(harness.store.index),
    }

    end = await harness.finished("add buy milk")

    assert harness.titles() == ["Buy milk"]
    assert end.outcome.answer.endswith(STEP_LIMIT_NOTE)
    assert "Added" in end.outcome.answer


async def test_a_model_that_never_ends_is_ended_at_fifteen_calls_with_a_sentence(
    harness: Harness,
) -> None:
    harness.script(*(calls(call("complete_task", task_ids=[999 + n])) for n in range(20)))

    end = await harness.finished()

    assert end.outcome.model_calls == 15
    assert len(end.outcome.trace) == 14
    assert end.outcome.answer == STEP_LIMIT_REACHED, "nothing was changed"


async def test_an_empty_answer_becomes_a_sentence(harness: Harness) -> None:
    harness.script([Completed(Message(Role.ASSISTANT, ()), StopReason.END)])

    assert (await harness.finished()).outcome.answer == EMPTY_ANSWER


async def test_silence_after_tool_calls_is_not_reported_as_failure(harness: Harness) -> None:
    harness.script(
        calls(call("add_task", title="One")),
        [Completed(Message(Role.ASSISTANT, ()), StopReason.END)],
    )

    assert (await harness.finished()).outcome.answer == EMPTY_ANSWER_AFTER_TOOLS


async def test_thinking_that_uses_up_the_length_limit_is_reported(harness: Harness) -> None:
    thought = Message(Role.ASSISTANT, (Thinking("Hm, let me see"),))
    harness.script([ThinkingDelta("Hm, "), Completed(thought, StopReason.LENGTH)])

    assert (await harness.finished()).outcome.answer == LENGTH_LIMIT_BEFORE_ANSWER


async def test_an_answer_that_came_as_thinking_is_shown_and_says_so(harness: Harness) -> None:
    thought = Message(Role.ASSISTANT, (Thinking("You have two tasks."),))
    harness.script([ThinkingDelta("You have "), Completed(thought, StopReason.END)])

    answer = (await harness.finished()).outcome.answer
    assert answer == f"{ONLY_THINKING_NOTE}\n\nYou have two tasks."


async def test_an_answer_that_came_as_thinking_after_tool_calls_is_shown(harness: Harness) -> None:
    thought = Message(Role.ASSISTANT, (Thinking("Added."),))
    harness.script(calls(call("add_task", title="One")), [Completed(thought, StopReason.END)])

    assert (await harness.finished()).outcome.answer == f"{ONLY_THINKING_NOTE}\n\nAdded."


async def test_an_answer_cut_at_the_length_limit_says_so(harness: Harness) -> None:
    cut = Message(Role.ASSISTANT, (Text("Once upon"),))
    harness.script([TextDelta("Once upon"), Completed(cut, StopReason.LENGTH)])

    assert (await harness.finished()).outcome.answer == f"Once upon\n\n{CUT_OFF_NOTE}"


async def test_calls_of_a_message_that_was_cut_never_run(harness: Harness) -> None:
    cut = Message(
        Role.ASSISTANT,
        (call("add_task", title="One"), ToolCall("c2", "add_task", '{"title": "Tw')),
    )
    harness.script([Completed(cut, StopReason.LENGTH)], answer("Sorry."))

    end = await harness.finished()

    assert harness.titles() == []
    assert [step.status for step in end.outcome.trace] == [StepStatus.ERROR] * 2
    assert "length limit" in end.outcome.trace[0].result


async def test_ids_of_calls_are_unique_and_valid_whatever_the_model_sends(
    harness: Harness,
) -> None:
    def odd() -> list[ToolCall]:
        return [
            ToolCall("", "list_tasks", ""),
            ToolCall("same", "list_tasks", "{}"),
            ToolCall("same", "list_tasks", "{}"),
            ToolCall("not valid!" * 10, "list_tasks", "{}"),
        ]

    harness.script(calls(*odd()), answer("a"), calls(*odd()), answer("b"))
    await harness.finished()
    await harness.finished()

    ids = [each.id for message in harness.requests[-1].messages for each in message.tool_calls]
    assert len(ids) == len(set(ids)) == 8
    assert all(each.isascii() and 0 < len(each) <= 40 for each in ids)


async def test_a_model_call_that_reports_no_usage_counts_nothing(harness: Harness) -> None:
    harness.script(answer("Hi."))

    events = await harness.events()

    (reported,) = (event for event in events if isinstance(event, UsageReported))
    assert (reported.usage, reported.cost_usd) == (Usage(), 0.0)


async def test_a_price_that_is_unknown_makes_the_whole_unknown(harness: Harness) -> None:
    harness.script(answer("Hi.", usage=Usage(10, 0, 5)), local=False, model="no-such-model")

    assert (await harness.finished()).outcome.cost_usd is None


@pytest.mark.parametrize("text", ["\ud83d", "a\x00b", "[bold]", "x" * 1_000_000])
async def test_any_text_can_be_sent(harness: Harness, text: str) -> None:
    harness.script(answer("Hm."), answer("Hm."))

    await harness.finished(text)
    await harness.finished("again")

    assert len(harness.requests[0].messages[0].text) == len(text)


@pytest.mark.parametrize("text", ["", " \n\t "])
async def test_an_empty_message_is_neither_stored_nor_sent(harness: Harness, text: str) -> None:
    (end,) = await harness.events(text)

    assert isinstance(end, TurnFailed)
    assert harness.requests == []
    assert harness.store.conversations.list() == ()


async def test_a_conversation_that_does_not_exist_fails_before_it_starts(
    harness: Harness,
) -> None:
    harness.conversation_id = "nowhere"

    (end,) = await harness.events()

    assert isinstance(end, TurnFailed)
    assert end.error.message == "Conversation not found."


async def test_a_bug_in_a_provider_ends_the_turn_and_not_the_app(harness: Harness) -> None:
    harness.script()

    end = await harness.failed()

    assert end.error.kind == "internal_error"
    assert "AssertionError" not in end.error.message


async def test_turns_say_which_they_are(harness: Harness) -> None:
    harness.script(answer("Hi."))

    events = await harness.events()

    assert isinstance(events[0], TurnStarted)
    others = [event for event in events if not isinstance(event, TextDelta | ThinkingDelta)]
    assert {event.turn_id for event in others} == {events[0].turn_id}


@tool("Breaking…")
def break_down(context: ToolContext) -> ToolResponse:
    """Meet a full disk."""
    raise StoreUnwritable("The disk that holds /home/ann/tasks.db is full.")


async def test_a_database_that_fails_in_a_tool_fails_the_turn_and_no_model_hears_of_it(
    harness: Harness,
) -> None:
    harness.changes["tools"] = (break_down,)
    harness.script(calls(call("break_down")), answer("It did not work."))

    end = await harness.failed()

    assert (end.error.kind, "is full" in end.error.message) == ("store_unwritable", True)
    assert len(harness.requests) == 1
    assert [step.status for step in end.outcome.trace] == [StepStatus.INTERRUPTED]
    assert "/home/ann" not in end.outcome.trace[0].result


async def test_a_message_that_cannot_be_stored_is_not_sent(harness: Harness) -> None:
    harness.store = open_store(
        harness.store.path, user="ann", clock=harness.store.clock, busy_seconds=0.05
    )
    harness.script(answer("Hi."))
    other = sqlite3.connect(harness.store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    (end,) = await harness.events()
    other.close()
    again = await harness.finished()
    harness.store.close()

    assert isinstance(end, TurnFailed)
    assert (end.turn_id, end.error.kind) == ("", "store_busy")
    assert len(harness.requests) == 1
    assert again.outcome.answer == "Hi."


async def test_a_long_conversation_is_sent_from_a_beginning_that_moves_in_steps(
    harness: Harness,
) -> None:
    harness.script(*(answer("Yes.") for _ in range(60)))
    for number in range(60):
        await harness.finished(f"question {number}")

    firsts = [request.messages[0].text for request in harness.requests]
    assert all(len(request.messages) <= 50 for request in harness.requests)
    assert len(harness.requests[-1].messages) > 36
    assert 2 <= len(set(firsts)) - 1 <= 7


async def test_the_model_is_sent_the_branch_of_the_turn(harness: Harness) -> None:
    harness.script(*(answer(text) for text in ("A1", "A2", "A3", "A4")))
    first = await harness.finished("one")
    second = await harness.finished("two")
    events = run_turn(
        "two again",
        harness.config,
        conversation_id=first.conversation_id,
        replaces=second.turn_id,
    )
    assert [event async for event in events]
    await harness.finished("three")

    texts = [[message.text for message in each.messages] for each in harness.requests[-2:]]
    assert texts == [
        ["one", "A1", "two again"],
        ["one", "A1", "two again", "A3", "three"],
    ]


async def test_a_turn_of_no_conversation_replaces_nothing(harness: Harness) -> None:
    harness.script(answer("A1"))
    first = await harness.finished("one")
    harness.conversation_id = None
    events = [event async for event in run_turn("x", harness.config, replaces=first.turn_id)]
    (ended,) = events
    assert isinstance(ended, TurnFailed)
    assert len(harness.store.conversations.list()) == 1


async def test_what_a_model_wrote_before_a_call_stays_before_it(harness: Harness) -> None:
    def says(text: str, *requested: ToolCall) -> Completed:
        parts: tuple[MessagePart, ...] = (Text(text), *requested) if text else requested
        return Completed(Message(Role.ASSISTANT, parts), StopReason.TOOL_CALLS)

    harness.script(
        [says("I look first.", call("list_tasks"), call("list_tasks", filter="done"))],
        [says("", call("list_tasks", filter="all"))],
        [says("Now I add it.", call("add_task", title="Buy milk"))],
        answer("Done."),
    )
    end = await harness.finished()

    (turn,) = harness.store.turns.list(end.conversation_id)
    assert [block.text if isinstance(block, Message) else block.name for block in turn.blocks] == [
        "I look first.", "list_tasks", "list_tasks", "list_tasks", "Now I add it.", "add_task",
        "Done.",
    ]  # fmt: skip
    assert turn.answer == end.outcome.answer == "I look first.\n\nNow I add it.\n\nDone."
    assert turn.steps == end.outcome.trace
    conversation = harness.store.conversations.find(end.conversation_id)
    text = "".join(write_markdown(conversation, [turn], "UTC", lambda _, model: model))
    places = [text.index(each) for each in ("I look", "✓ Found", "Now I", "✓ Added", "Done.")]
    assert places == sorted(places)


async def test_a_step_that_no_model_requested_keeps_its_place(harness: Harness) -> None:
    async def open_other() -> Provider:
        return ScriptedProvider(in_order(calls(call("list_tasks")), answer("Done.")), model="other")

    harness.changes["fallbacks"] = (Fallback("other", "Other", open_other),)
    harness.script(
        [
            Completed(
                Message(Role.ASSISTANT, (Text("Hm."), call("list_tasks"))), StopReason.TOOL_CALLS
            )
        ],
        [ProviderError(ProviderErrorKind.AUTH, "No.")],
    )
    end = await harness.finished()

    (turn,) = harness.store.turns.list(end.conversation_id)
    names = [block.text if isinstance(block, Message) else block.name for block in turn.blocks]
    assert names == ["Hm.", "list_tasks", "take_over", "list_tasks", "Done."]


async def test_the_time_for_which_a_person_is_waited_for_is_no_latency(harness: Harness) -> None:
    @dataclass
    class SlowApprover:
        taken: float = 0.0

        async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
            began = time.perf_counter()
            await asyncio.sleep(0.3)
            self.taken += time.perf_counter() - began
            return ApprovalAnswer(not question.words.startswith("Delete"))

    approver = SlowApprover()
    harness.changes |= {"approver": approver, "approvals": ApprovalSettings(ApprovalMode.WRITES)}
    harness.script(
        calls(call("add_task", title="One")),
        calls(call("delete_task", task_ids=[1])),
        answer("Done."),
    )
    began = time.perf_counter()
    end = await harness.finished()
    passed = time.perf_counter() - began

    assert [step.status for step in end.outcome.trace] == ["success", "error"]
    assert approver.taken >= 0.6
    assert end.outcome.latency_ms <= (passed - approver.taken) * 1000
    assert sum(step.milliseconds for step in end.outcome.trace) <= end.outcome.latency_ms
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.latency_ms == end.outcome.latency_ms
    assert turn.ended_at is not None
    assert turn.ended_at >= turn.started_at


@pytest.mark.parametrize(
    ("asked", "summary"),
    [
        (call("add_task", title="Bread", details="friday"), "would add Bread · Fri 20 Nov"),
        (call("complete_task", task_ids=[1]), "would complete Buy milk"),
        (
            call("update_task", task_ids=[1], details="friday"),
            "would move Buy milk · tomorrow → Fri 20 Nov",
        ),
        (
            call("update_task", task_ids=[1], details="friday !high", new_title="Milk"),
            "would change Buy milk · due → Fri 20 Nov · high priority · title → Milk",
        ),
        (call("delete_task", filter="all"), "would delete 2 tasks · filter: all"),
        (call("undo"), "would undo the last change"),
        # Of what could not run either it is only told that nothing ran.
        (call("undo", title="One"), "Not run in a comparison, which changes nothing."),
    ],
    ids=lambda value: value.arguments if isinstance(value, ToolCall) else None,
)
async def test_a_comparison_tells_what_calls_would_do_and_runs_none(
    harness: Harness, asked: ToolCall, summary: str
) -> None:
    by = harness.store.new_change_context(Actor.USER)
    harness.store.tasks.add({"title": "Buy milk", "due": When.parse("2026-11-19")}, by=by)
    harness.store.tasks.add({"title": "Call mom"}, by=by)
    harness.script(calls(asked, call("no_such_tool")), answer("I would do that."))
    config = read_only(harness.config)
    harness.changes |= {"tools": config.tools, "withheld": config.withheld}

    withheld, unknown = (await harness.finished()).outcome.trace

    assert withheld.summary == summary
    assert (withheld.status, "not exist" in withheld.result) == (StepStatus.ERROR, False)
    assert unknown.summary == "The model called a tool that does not exist."
    assert asked.name in [tool.name for tool in harness.requests[0].tools]
    assert harness.titles() == ["Buy milk", "Call mom"]
