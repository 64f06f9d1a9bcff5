"""Conversations too long for their model: older turns summarised or left out."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise

import pytest

from tests.agent.conftest import Harness, kinds
from tests.agent.named_providers import NamedProvider, available_fallback, error, missing
from tests.scripted import Pause, Round, answer, call, calls
from tests.stored import stored_calls, stored_messages
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.history import SUMMARY_HEADER, SUMMARY_REPLY, conversation_text
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits
from todo_tui.agent.system_prompt import SUMMARY_PROMPT
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import (
    HistoryTruncated,
    StepStatus,
    ToolStarted,
    TurnCancelled,
    TurnEvent,
)
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    ToolResult,
    Usage,
)

TOO_LONG = error(Kind.CONTEXT_TOO_LONG)
SUMMARY = "They talked of milk; it is #1."


def texts(request: Request) -> list[str]:
    return [message.text for message in request.messages]


def shortenings(events: list[TurnEvent]) -> list[HistoryTruncated]:
    return [event for event in events if isinstance(event, HistoryTruncated)]


async def talked(harness: Harness, *then: Round) -> None:
    """Finish two turns, then script the next rounds."""
    harness.provider = NamedProvider("groq", answer("One."), answer("Two."), *then)
    await harness.finished("first")
    await harness.finished("second")


def use_summarizer(harness: Harness, *rounds: Round, model: str = "small") -> NamedProvider:
    summarizer = NamedProvider("clerk", *(rounds or (answer(SUMMARY),)), model=model)
    harness.changes["summarizer"] = available_fallback(summarizer)
    return summarizer


async def test_older_turns_are_left_out_and_the_trace_says_so(harness: Harness) -> None:
    await talked(harness, [TOO_LONG], answer("Three."))

    events = await harness.events("third")

    (shortened,) = shortenings(events)
    step = shortened.step
    assert (step.name, step.summary) == ("leave_out", "Left out 4 older messages")
    assert step.status is StepStatus.SUCCESS
    assert texts(harness.requests[-1]) == ["third"]
    assert "Retrying" not in kinds(events)
    (*_, turn) = harness.store.turns.list(harness.conversation_id or "")
    assert (turn.steps, turn.answer) == ((step,), "Three.")


async def test_a_turn_that_is_too_long_by_itself_fails(harness: Harness) -> None:
    await talked(harness, [TOO_LONG], [TOO_LONG])

    end = await harness.failed("third")

    assert end.error.kind == "context_too_long"
    assert [step.name for step in end.outcome.trace] == ["leave_out"]


async def test_older_turns_are_summed_up_by_the_one_for_it(harness: Harness) -> None:
    summarizer = use_summarizer(harness)
    await talked(harness, [TOO_LONG], answer("Three."))

    events = await harness.events("third")

    (shortened,) = shortenings(events)
    step = shortened.step
    (started,) = (event for event in events if isinstance(event, ToolStarted))
    assert (started.call_id, started.label) == (step.call_id, "Summarizing older messages…")
    assert (step.name, step.summary) == ("summarise", "Summarized 4 older messages")
    assert json.loads(step.result) == {"status": "success", "data": SUMMARY}
    assert texts(harness.requests[-1]) == [SUMMARY_HEADER + SUMMARY, SUMMARY_REPLY, "third"]
    (request,) = summarizer.requests
    assert (request.system, request.tools) == (SUMMARY_PROMPT, ())
    assert texts(request) == ["User: first\nAssistant: One.\nUser: second\nAssistant: Two."]
    assert summarizer.closed
    (*_, turn) = harness.store.turns.list(harness.conversation_id or "")
    assert turn.steps == (step,)


async def test_the_summary_stands_for_the_older_turns_from_then_on(harness: Harness) -> None:
    use_summarizer(harness)
    await talked(harness, [TOO_LONG], answer("Three."), answer("Four."))
    await harness.finished("third")
    await harness.finished("fourth")

    harness.provider = other = NamedProvider("gemini", answer("Five."))
    await harness.finished("fifth")

    start = [SUMMARY_HEADER + SUMMARY, SUMMARY_REPLY, "third", "Three.", "fourth"]
    assert texts(other.requests[-1]) == [*start, "Four.", "fifth"]
    assert other.requests[-1].messages[0].role is Role.USER


async def test_each_request_begins_with_the_one_before_it(harness: Harness) -> None:
    use_summarizer(harness)
    await talked(harness, [TOO_LONG], *(answer("Yes.") for _ in range(5)))

    for number in range(5):
        await harness.finished(f"question {number}")

    requests = harness.requests[3:]
    for earlier, later in pairwise(requests):
        assert later.messages[: len(earlier.messages)] == earlier.messages


async def test_a_later_overflow_sums_up_the_old_summary_too(harness: Harness) -> None:
    summarizer = use_summarizer(harness, answer(SUMMARY), answer("Milk, then bread."))
    await talked(harness, [TOO_LONG], answer("Three."), [TOO_LONG], answer("Four."))
    await harness.finished("third")

    events = await harness.events("fourth")

    told = summarizer.requests[1].messages[0].text
    assert told == (
        f"Summary of what came before:\n{SUMMARY}\n\nSince then:\nUser: third\nAssistant: Three."
    )
    (shortened,) = shortenings(events)
    assert shortened.step.summary == "Summarized 2 older messages"
    assert texts(harness.requests[-1]) == [
        SUMMARY_HEADER + "Milk, then bread.",
        SUMMARY_REPLY,
        "fourth",
    ]


async def test_a_summary_that_does_not_fit_either_is_left_out_for_this_turn(
    harness: Harness,
) -> None:
    summarizer = use_summarizer(harness)
    await talked(harness, [TOO_LONG], [TOO_LONG], answer("Three."), answer("Four."))

    end = await harness.finished("third")
    await harness.finished("fourth")

    assert [step.summary for step in end.outcome.trace] == [
        "Summarized 4 older messages", "Left out the summary of older messages",
    ]  # fmt: skip
    assert texts(harness.requests[-2]) == ["third"]
    assert texts(harness.requests[-1])[0] == SUMMARY_HEADER + SUMMARY
    assert len(summarizer.requests) == 1


@pytest.mark.parametrize(
    "rounds",
    [
        [[error(Kind.AUTH)]],
        [[TOO_LONG]],
        [[TextDelta("It was ab")]],
        [answer("")],
        [answer(" \n ")],
        [calls(call("add_task", title="Never"))],
        [[error(Kind.OVERLOADED)]],
    ],
    ids=["key", "too long", "broken off", "empty", "blank", "calls", "overloaded"],
)
async def test_where_no_summary_comes_older_turns_are_left_out(
    harness: Harness, rounds: list[Round]
) -> None:
    use_summarizer(harness, *rounds)
    await talked(harness, [TOO_LONG], answer("Three."), answer("Four."))

    end = await harness.finished("third")
    await harness.finished("fourth")

    assert [step.name for step in end.outcome.trace] == ["leave_out"]
    assert texts(harness.requests[-1])[0] == "first"
    assert harness.titles() == []
    assert harness.sleeps.taken == []


async def test_one_who_cannot_be_opened_or_breaks_down_sums_up_nothing(
    harness: Harness,
) -> None:
    harness.changes["summarizer"] = missing("Clerk")
    await talked(harness, [TOO_LONG], answer("Three."), [TOO_LONG], answer("Four."))
    assert [step.name for step in (await harness.finished("3")).outcome.trace] == ["leave_out"]

    harness.changes["summarizer"] = available_fallback(
        NamedProvider("clerk")
    )  # it has no round: a bug
    assert [step.name for step in (await harness.finished("4")).outcome.trace] == ["leave_out"]


async def test_what_the_summary_costs_is_booked_to_who_wrote_it(harness: Harness) -> None:
    async def pricing(provider: Provider, usage: Usage) -> float | None:
        return 0.5 if provider.id == "clerk" else 2.0

    use_summarizer(harness, answer(SUMMARY, usage=Usage(900, 0, 50)))
    await talked(harness, [TOO_LONG], answer("Three.", usage=Usage(60, 0, 5)))
    harness.changes["pricing"] = pricing

    end = await harness.finished("third")

    booked = stored_calls(harness.store, end.turn_id)
    assert [(each.provider, each.model, each.status, each.cost_usd) for each in booked] == [
        ("groq", "m", "failed", None),
        ("clerk", "small", "finished", 0.5),
        ("groq", "m", "finished", 2.0),
    ]
    assert (end.outcome.usage, end.outcome.cost_usd) == (Usage(960, 0, 55), 2.5)
    assert (end.outcome.provider, end.outcome.model_calls) == ("groq", 2)


async def test_what_this_turn_has_brought_is_kept_but_for_thinking_bound_to_the_past(
    harness: Harness,
) -> None:
    bound = {"signature": "bound to what came before"}
    thought = Message(
        Role.ASSISTANT,
        (Thinking("Hm.", bound), Text("Adding.", bound), call("add_task", title="Milk")),
    )
    use_summarizer(harness)
    first: Round = [Completed(thought, StopReason.TOOL_CALLS)]
    await talked(harness, first, [TOO_LONG], answer("Done."), answer("Yes."))

    end = await harness.finished("add milk")

    assert [step.name for step in end.outcome.trace] == ["add_task", "summarise"]
    assert harness.titles() == ["Milk"]
    summary, noted, asked, called, result = harness.requests[-1].messages
    assert (summary.text, noted.text, asked.text) == (
        SUMMARY_HEADER + SUMMARY,
        SUMMARY_REPLY,
        "add milk",
    )
    assert called.parts[0] == Text("Adding.")
    assert (called.tool_calls[0].name, called.tool_calls[0].meta) == ("add_task", {})
    assert result.tool_results[0].call_id == called.tool_calls[0].id
    assert called.origin is None
    stored = stored_messages(harness.store, harness.conversation_id or "")
    assert thought.parts[0] in stored[5].parts


async def test_a_fallback_gets_the_summary(harness: Harness) -> None:
    use_summarizer(harness)
    gemini = NamedProvider("gemini", answer("Three."))
    harness.changes |= {
        "fallbacks": (available_fallback(gemini),),
        "limits": Limits(retry=RetryPolicy(tries=1)),
    }
    await talked(harness, [TOO_LONG], [error(Kind.OVERLOADED)])

    end = await harness.finished("third")

    assert [step.name for step in end.outcome.trace] == ["summarise", "take_over"]
    assert texts(gemini.requests[0]) == [SUMMARY_HEADER + SUMMARY, SUMMARY_REPLY, "third"]


async def test_who_takes_over_from_one_for_whom_it_is_too_long_may_shorten_once_more(
    harness: Harness,
) -> None:
    gemini = NamedProvider("gemini", [TOO_LONG], answer("Three."))
    harness.changes["fallbacks"] = (available_fallback(gemini),)
    await talked(harness, [TOO_LONG], [TOO_LONG])
    use_summarizer(harness)

    harness.conversation_id = None
    harness.provider = NamedProvider("groq", answer("One."), [TOO_LONG], [TOO_LONG], [TOO_LONG])
    await harness.finished("first")
    end = await harness.failed("second")

    assert end.error.kind == "context_too_long"
    assert [step.name for step in end.outcome.trace] == [
        "summarise", "leave_out", "take_over",
    ]  # fmt: skip


async def test_a_stop_ends_the_summing_up(harness: Harness) -> None:
    handle = TurnHandle()

    async def stop(seconds: float) -> None:
        asyncio.get_running_loop().call_soon(handle.stop)
        await asyncio.sleep(seconds)

    summarizer = NamedProvider("clerk", [Pause(60)], sleep=stop)
    harness.changes["summarizer"] = available_fallback(summarizer)
    await talked(harness, [TOO_LONG], answer("Never."))

    end = (await harness.events("third", handle))[-1]

    assert isinstance(end, TurnCancelled)
    assert summarizer.closed
    cancelled = stored_calls(harness.store, end.turn_id)[-1]
    assert (cancelled.provider, cancelled.status) == ("clerk", "cancelled")


def test_what_is_summed_up_is_bound_in_length() -> None:
    long = [
        Message(Role.USER, (Text("word " * 10_000),)),
        Message(Role.ASSISTANT, (Thinking("secret"), ToolCall("c", "list_tasks", "{}"))),
        Message(Role.TOOL, (ToolResult("c", "list_tasks", "[" + "1," * 10_000),)),
    ]

    told = conversation_text(long * 100, "They began.")

    assert len(told) < 65_000
    assert told.startswith("Summary of what came before:\nThey began.")
    assert "secret" not in told
    assert "Tool call: list_tasks {}" in told
