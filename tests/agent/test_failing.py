"""Provider errors: retries, kept text, messages."""

from __future__ import annotations

import asyncio

import pytest

from tests.agent.conftest import Harness, answer_text, kinds
from tests.scripted import Pause, answer, call, calls
from todo_tui.agent.retry import RetryBudget, RetryPolicy
from todo_tui.agent.run_config import Limits
from todo_tui.domain.errors import RETRYABLE, ProviderError
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import CallRestarted, Retrying, TurnFailed
from todo_tui.domain.messages import (
    Completed,
    Message,
    Role,
    StopReason,
    Text,
    TextDelta,
    ToolCall,
    ToolCallStarted,
    TurnStatus,
)


def error(kind: Kind, retry_after: float | None = None) -> ProviderError:
    return ProviderError(kind, f"It is {kind}.", hint="Do this.", retry_after=retry_after)


@pytest.mark.parametrize("kind", sorted(RETRYABLE))
async def test_what_may_pass_is_asked_again(harness: Harness, kind: Kind) -> None:
    harness.script([error(kind)], answer("Here I am."))

    events = await harness.events()

    (retrying,) = (event for event in events if isinstance(event, Retrying))
    assert (retrying.kind, retrying.attempt, retrying.attempts) == (kind, 2, 4)
    assert retrying.reason == f"It is {kind}."
    assert harness.sleeps.taken == [retrying.seconds]
    assert answer_text(events) == "Here I am."


@pytest.mark.parametrize("kind", sorted(set(Kind) - RETRYABLE))
async def test_what_will_not_pass_fails_at_once(harness: Harness, kind: Kind) -> None:
    harness.script([error(kind)])

    end = await harness.failed()

    assert (end.error.kind, end.error.message) == (kind, f"It is {kind}.")
    assert end.error.hint == "Do this."
    assert harness.sleeps.taken == []


async def test_there_are_four_tries_and_the_waits_grow(harness: Harness) -> None:
    harness.script(*([error(Kind.OVERLOADED)] for _ in range(5)))

    await harness.failed()

    assert len(harness.requests) == 4
    first, second, third = harness.sleeps.taken
    assert first < second < third


async def test_the_server_says_how_long_to_wait(harness: Harness) -> None:
    harness.script([error(Kind.RATE_LIMIT, retry_after=7)], answer("Hi."))

    await harness.finished()

    assert harness.sleeps.taken == [7]


async def test_a_server_that_asks_for_too_much_time_is_not_asked_too_early(
    harness: Harness,
) -> None:
    harness.script([error(Kind.RATE_LIMIT, retry_after=61)])

    end = await harness.failed()

    assert end.error.kind == "rate_limit"
    assert harness.sleeps.taken == []


async def test_a_turn_waits_a_minute_in_all(harness: Harness) -> None:
    slow = error(Kind.RATE_LIMIT, retry_after=25)
    harness.script([slow], calls(call("list_tasks")), [slow], [slow], answer("Never."))

    await harness.failed()

    assert harness.sleeps.taken == [25, 25]


def test_no_wait_is_longer_than_what_is_left() -> None:
    patience = RetryBudget(RetryPolicy(tries=100, waiting=10), lambda: 0.9)

    waits: list[float] = []
    while (wait := patience.delay_before(2 + len(waits), error(Kind.NETWORK))) is not None:
        waits.append(wait)

    assert sum(waits) <= 10


@pytest.mark.parametrize("asked", [0.0, -0.0, -5.0])
def test_a_moment_that_is_over_is_no_reason_to_ask_at_once(asked: float) -> None:
    patience = RetryBudget(RetryPolicy(), lambda: 0.5)
    assert patience.delay_before(2, error(Kind.RATE_LIMIT, retry_after=asked)) == 2.0
    assert patience.delay_before(3, error(Kind.RATE_LIMIT, retry_after=asked)) == 4.0


async def test_words_of_a_broken_try_are_taken_back_when_new_ones_come(
    harness: Harness,
) -> None:
    harness.script([TextDelta("Once up")], answer("Once upon a time."))

    events = await harness.events()

    at = next(n for n, event in enumerate(events) if isinstance(event, CallRestarted))
    assert answer_text(events[:at]) == "Once up"
    assert answer_text(events[at:]) == "Once upon a time."
    assert [type(event) for event in events[at - 1 : at + 2]] == [
        Retrying,
        CallRestarted,
        TextDelta,
    ]


async def test_words_of_a_broken_try_stay_when_no_others_come(harness: Harness) -> None:
    broken = [TextDelta("Once up")]
    harness.script(broken, *([error(Kind.NETWORK)] for _ in range(3)))

    end = await harness.failed()

    assert end.outcome.answer == "Once up"


async def test_nothing_runs_from_a_stream_that_broke_off(harness: Harness) -> None:
    harness.script(
        [TextDelta("I add it."), ToolCallStarted("add_task")],
        answer("Never mind."),
    )

    end = await harness.finished()

    assert (harness.titles(), end.outcome.trace) == ([], ())


async def test_a_failure_keeps_words_traces_and_writes_and_the_next_send_works(
    harness: Harness,
) -> None:
    harness.script(
        calls(call("add_task", title="Buy milk"), text="Adding."),
        [TextDelta("I have add"), error(Kind.AUTH)],
        answer("You are welcome."),
    )

    end = await harness.failed("add milk")
    assert end.outcome.answer == "Adding.\n\nI have add"
    assert len(end.outcome.kept_batches) == 1
    assert harness.titles() == ["Buy milk"]
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.status is TurnStatus.FAILED
    assert turn.error == end.error
    assert (turn.answer, turn.steps) == (end.outcome.answer, end.outcome.trace)

    assert (await harness.finished("thanks")).outcome.answer == "You are welcome."
    assert [message.text for message in harness.requests[-1].messages] == [
        "add milk", "Adding.", "", "I have add", "thanks",
    ]  # fmt: skip


async def test_a_failure_without_a_word_leaves_a_history_that_takes_turns(
    harness: Harness,
) -> None:
    harness.script([error(Kind.AUTH)], answer("Hi."))
    await harness.failed("first")

    await harness.finished("second")

    roles = [message.role for message in harness.requests[-1].messages]
    assert roles == [Role.USER, Role.ASSISTANT, Role.USER]


async def test_silence_counts_as_failure(harness: Harness) -> None:
    harness.changes["limits"] = Limits(
        stall_seconds=0.05, first_token_local_seconds=60, retry=RetryPolicy(tries=1)
    )
    harness.script([TextDelta("Once"), Pause(60)], sleep=asyncio.sleep)
    end = await harness.failed()
    assert (end.error.kind, end.outcome.answer) == ("timeout", "Once")

    harness.script([Pause(0.1), *answer("Late.")], sleep=asyncio.sleep)
    assert (await harness.finished()).outcome.answer == "Late."

    harness.changes["limits"] = Limits(first_token_local_seconds=0.05, retry=RetryPolicy(tries=1))
    harness.script([Pause(60)], sleep=asyncio.sleep)
    assert (await harness.failed()).error.kind == "timeout"


async def test_partial_text_stays_until_a_retry_sends_text(
    harness: Harness,
) -> None:
    harness.changes["limits"] = Limits(retry=RetryPolicy(tries=2))
    harness.script(
        [TextDelta("Half an"), error(Kind.NETWORK)], [TextDelta(""), error(Kind.NETWORK)]
    )
    end = await harness.failed()
    assert end.outcome.answer == "Half an"


async def test_a_remote_server_must_speak_sooner_than_a_local_one(harness: Harness) -> None:
    harness.changes["limits"] = Limits(
        first_token_remote_seconds=0.05, first_token_local_seconds=60, retry=RetryPolicy(tries=1)
    )
    harness.script([Pause(0.2), *answer("Late.")], sleep=asyncio.sleep, local=False)
    assert isinstance((await harness.events())[-1], TurnFailed)

    harness.script([Pause(0.2), *answer("Late.")], sleep=asyncio.sleep, local=True)
    assert (await harness.finished()).outcome.answer == "Late."


async def test_words_that_turn_out_to_be_a_call_are_taken_back(harness: Harness) -> None:
    printed = '{"name": "add_task", "arguments": {"title": "Buy milk"}}'
    real = Message(Role.ASSISTANT, (ToolCall("c", "add_task", '{"title": "Buy milk"}'),))
    harness.script(
        [TextDelta(printed), Completed(real, StopReason.TOOL_CALLS)],
        answer("Added."),
    )

    events = await harness.events()

    assert "CallRestarted" in kinds(events)
    assert events[-1].outcome.answer == "Added."  # type: ignore[union-attr]  # the last is the end


async def test_words_that_came_only_with_the_end_are_still_reported(harness: Harness) -> None:
    whole = Message(Role.ASSISTANT, (Text("All at once."),))
    harness.script([TextDelta("All "), Completed(whole, StopReason.END)])

    assert answer_text(await harness.events()) == "All at once."
