"""All faults of LLMock in whole turns with every provider; its strict verdict holds.

A fault comes twice in a turn: before a tool has run, and after.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply, ToolCall
from llmock.testing import LLMockServer

from tests.turns.conftest import RetryAfter
from tests.turns.conversation import (
    QUICK,
    ConversationDriver,
    open_conversation,
    with_stall_seconds,
)
from tests.wires.remotes import ONE_A_CLIENT, Remote
from tests.wires.rules import judge
from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.events import Retrying, StepStatus, TurnFinished
from todo_tui.providers.registry import Wire

Kind = ProviderErrorKind
Fault = Callable[[LLMock], object]

BEFORE = "Let me add it for you."
AFTER = "Milk is on your list now."
ANSWER = f"{BEFORE}\n\n{AFTER}"


@dataclass
class FaultyConversation:
    """Conversation at LLMock: its model adds a task, then answers."""

    talk: ConversationDriver
    remote: Remote
    llmock: LLMock
    server: LLMockServer

    def breaks(self, early: Fault | None = None, late: Fault | None = None) -> None:
        """Set the faults before the tool has run, and after."""

        def once_it_ran(_: object) -> None:
            self.server.state.scenarios.clear()
            self.llmock.reply(AFTER, times=None)
            if late is not None:
                late(self.llmock)

        milk = {"title": "Buy milk"}
        self.llmock.call_tool("add_task", milk, text=BEFORE, times=None)
        if early is not None:
            early(self.llmock)
        self.talk.store.tasks.subscribe(once_it_ran)

    async def goes_on(self, *, is_paced: bool = True) -> None:
        """Check that the next turn works, and is sent the whole conversation.

        Not `is_paced` where a busy machine decides when a stream counts as stalled.
        """
        self.server.state.scenarios.clear()
        self.talk.limits = QUICK
        self.llmock.reply("Still here.", times=None)
        end = await self.talk.finished("And now?")
        assert end.outcome.answer == "Still here."
        assert end.outcome.model_calls == 1
        assert self.talk.titles().count("Buy milk") <= 1
        self.llmock.assert_resilient(strict=is_paced)
        for record in self.llmock.requests:
            if record.method == "POST":
                judge(record.body, self.remote, signs=False)


@pytest.fixture(params=ONE_A_CLIENT, ids=lambda remote: remote.id)
async def conversation(
    request: pytest.FixtureRequest, llmock: LLMock, llmock_server: LLMockServer, database: Path
) -> AsyncIterator[FaultyConversation]:
    remote: Remote = request.param
    provider = remote.at(llmock.url + remote.llmock_path)
    async with open_conversation(provider, database) as talk:
        yield FaultyConversation(talk, remote, llmock, llmock_server)


async def _is_survived(
    conversation: FaultyConversation, early: Fault, late: Fault | None = None
) -> None:
    """Check that the turn finishes despite the fault before and after the tool, or two faults."""
    conversation.breaks(early, late or early)
    _is_as_without_fault(conversation, await conversation.talk.finished("Add milk"))
    assert conversation.talk.counted(Retrying) == 2
    await conversation.goes_on()


def _is_as_without_fault(conversation: FaultyConversation, end: TurnFinished) -> None:
    assert end.outcome.answer == ANSWER
    assert end.outcome.model_calls == 2
    assert end.outcome.usage.output_tokens > 0
    assert [(step.name, step.status) for step in end.outcome.trace] == [
        ("add_task", StepStatus.SUCCESS)
    ]
    assert conversation.talk.titles() == ["Buy milk"]


@pytest.mark.parametrize(("early", "late"), [(429, 500), (503, 504), (529, 429)])
async def test_a_failure_that_passes_is_survived(
    conversation: FaultyConversation, early: int, late: int
) -> None:
    await _is_survived(
        conversation,
        lambda llmock: llmock.fail(early, retry_after=0.02),
        lambda llmock: llmock.fail(late, retry_after=0.02),
    )


async def test_a_rate_limit_is_waited_for_as_long_as_it_says(
    conversation: FaultyConversation,
) -> None:
    await _is_survived(conversation, lambda llmock: llmock.rate_limit(retry_after=0.15))
    assert conversation.talk.naps.taken == [0.15, 0.15]


async def test_a_rate_limit_until_a_date_is_waited_for(
    conversation: FaultyConversation, retry_after: RetryAfter
) -> None:
    retry_after.as_date = True
    conversation.talk.naps.pace = 0.01
    await _is_survived(conversation, lambda llmock: llmock.rate_limit(retry_after=0.02))
    assert all(2 <= seconds <= 6 for seconds in conversation.talk.naps.taken)


async def test_a_rate_limit_that_says_no_time_is_waited_for(
    conversation: FaultyConversation, retry_after: RetryAfter
) -> None:
    retry_after.unsaid = True
    conversation.talk.naps.pace = 0.01
    await _is_survived(conversation, lambda llmock: llmock.rate_limit(retry_after=0.02))
    assert conversation.talk.naps.taken == [2.0, 2.0]


# Before anything has come in one call, and in mid-stream in the other.


async def test_a_dropped_stream_is_asked_for_again(conversation: FaultyConversation) -> None:
    await _is_survived(
        conversation,
        lambda llmock: llmock.disconnect(after_chunks=0),
        lambda llmock: llmock.disconnect(after_chunks=2),
    )


async def test_a_stream_that_ends_early_is_asked_for_again(
    conversation: FaultyConversation,
) -> None:
    await _is_survived(
        conversation,
        lambda llmock: llmock.truncate(after_chunks=2),
        lambda llmock: llmock.truncate(after_chunks=0),
    )


async def test_a_broken_chunk_is_asked_for_again(conversation: FaultyConversation) -> None:
    # Until it is asked again the server is slow, so that it sees its reader leave in time.
    conversation.talk.naps.before = lambda: conversation.llmock.pace(0)
    await _is_survived(
        conversation,
        lambda llmock: llmock.pace(200).corrupt(after_chunks=0),
        lambda llmock: llmock.pace(200).corrupt(after_chunks=2),
    )


async def test_a_stalled_stream_is_left_and_asked_for_again(
    conversation: FaultyConversation,
) -> None:
    # A machine that is slow itself may take as long: then it is asked more often.
    patient = replace(QUICK, retry=replace(QUICK.retry, tries=8))
    conversation.talk.limits = with_stall_seconds(patient, 0.4)
    conversation.breaks(
        lambda llmock: llmock.stall(after_chunks=0, seconds=60),
        lambda llmock: llmock.stall(after_chunks=2, seconds=60),
    )
    _is_as_without_fault(conversation, await conversation.talk.finished("Add milk"))
    assert conversation.talk.counted(Retrying) >= 2
    await conversation.goes_on(is_paced=False)


async def test_a_slow_beginning_is_waited_for(conversation: FaultyConversation) -> None:
    conversation.breaks(*[lambda llmock: llmock.slow_first_token(0.1).delay(0.05)] * 2)
    _is_as_without_fault(conversation, await conversation.talk.finished("Add milk"))
    assert len(conversation.llmock.requests) == 2
    await conversation.goes_on()


@pytest.mark.parametrize("fault", ["malformed_arguments", "unknown_tool"])
async def test_a_call_that_cannot_run_is_reported_to_the_model(
    conversation: FaultyConversation, fault: str
) -> None:
    conversation.breaks(lambda llmock: llmock.break_tool_call(fault))
    end = await conversation.talk.finished("Add milk")
    assert [step.status for step in end.outcome.trace] == [StepStatus.ERROR, StepStatus.SUCCESS]
    assert end.outcome.answer == f"{BEFORE}\n\n{ANSWER}"
    assert end.outcome.model_calls == 3
    assert conversation.talk.counted(Retrying) == 0
    assert conversation.talk.titles() == ["Buy milk"]
    await conversation.goes_on()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, Kind.BAD_REQUEST),
        (401, Kind.AUTH),
        (404, Kind.UNKNOWN_MODEL),
    ],
)
async def test_a_failure_that_stays_ends_the_turn_with_everything_kept(
    conversation: FaultyConversation, status: int, kind: ProviderErrorKind
) -> None:
    # Before its tool has run, and in the next turn after it.
    conversation.breaks(*[lambda llmock: llmock.fail(status)] * 2)
    first = await conversation.talk.failed("Add milk")
    assert (first.error.kind, first.outcome.trace) == (kind, ())
    second = await conversation.talk.failed("Add milk, please")
    assert second.error.kind == kind
    assert [step.status for step in second.outcome.trace] == [StepStatus.SUCCESS]
    assert conversation.talk.counted(Retrying) == 0
    assert conversation.talk.titles() == ["Buy milk"]
    await conversation.goes_on()


async def test_a_used_up_quota_ends_the_turn_without_a_second_try(
    conversation: FaultyConversation,
) -> None:
    conversation.breaks(late=lambda llmock: llmock.fail(429, code="insufficient_quota"))
    end = await conversation.talk.failed("Add milk")
    assert end.error.kind == Kind.QUOTA
    assert conversation.talk.titles() == ["Buy milk"]
    # To LLMock every 429 passes with time; a used-up quota does not.
    assert [finding.code for finding in conversation.llmock.verdict().findings] == ["gave_up"]
    conversation.server.state.journal.clear()
    await conversation.goes_on()


async def test_an_outage_ends_the_turn_after_four_tries(conversation: FaultyConversation) -> None:
    conversation.breaks(late=lambda llmock: llmock.fail(503, times=None, retry_after=0.02))
    end = await conversation.talk.failed("Add milk")
    assert end.error.kind == Kind.OVERLOADED
    assert conversation.talk.counted(Retrying) == 3
    assert conversation.talk.titles() == ["Buy milk"]
    await conversation.goes_on()


async def test_words_before_the_last_drop_are_kept(conversation: FaultyConversation) -> None:
    conversation.breaks(late=lambda llmock: llmock.disconnect(after_chunks=5, times=None))
    end = await conversation.talk.failed("Add milk")
    assert end.error.kind in {Kind.NETWORK, Kind.TRUNCATED}
    assert end.outcome.answer.startswith(f"{BEFORE}\n\nMilk")
    assert conversation.talk.titles() == ["Buy milk"]
    await conversation.goes_on()


async def test_an_answer_that_was_cut_off_says_so(conversation: FaultyConversation) -> None:
    conversation.llmock.add(Reply(text="Both are on", finish_reason="length"))
    end = await conversation.talk.finished("Hello")
    assert end.outcome.answer.startswith("Both are on")
    assert "cut off" in end.outcome.answer
    await conversation.goes_on()


async def test_a_call_that_was_cut_off_does_not_run(conversation: FaultyConversation) -> None:
    call = ToolCall("add_task", {"title": "Buy milk"})
    conversation.llmock.add(Reply(tool_calls=(call,), finish_reason="length"), Reply(text=AFTER))
    end = await conversation.talk.finished("Add milk")
    assert [step.status for step in end.outcome.trace] == [StepStatus.ERROR]
    assert (conversation.talk.titles(), end.outcome.answer) == ([], AFTER)
    await conversation.goes_on()


async def test_a_refusal_ends_the_turn_without_a_second_try(
    conversation: FaultyConversation,
) -> None:
    if conversation.remote.wire is Wire.RESPONSES:
        pytest.skip("LLMock has no refusal in this format")
    conversation.llmock.add(Reply(text="No.", finish_reason="content_filter"))
    end = await conversation.talk.failed("Hello")
    assert end.error.kind == Kind.REFUSED
    assert len(conversation.llmock.requests) == 1
    await conversation.goes_on()


_TOO_LONG: dict[str, Fault] = {
    "by its words": LLMock.context_overflow,
    "by its status": lambda llmock: llmock.fail(413),
    "by counting": lambda llmock: llmock.limits(context_window=20),
}


@pytest.mark.parametrize("said", _TOO_LONG)
async def test_a_message_that_is_too_long_by_itself_ends_the_turn(
    conversation: FaultyConversation, said: str
) -> None:
    conversation.breaks(_TOO_LONG[said])
    end = await conversation.talk.failed("Add milk " * 100)
    assert (end.error.kind, end.outcome.trace) == (Kind.CONTEXT_TOO_LONG, ())
    assert len(conversation.llmock.requests) == 1
    conversation.llmock.limits()
    await conversation.goes_on()


@pytest.mark.parametrize("said", ["by its words", "by its status"])
async def test_a_conversation_that_is_too_long_is_asked_without_its_older_part(
    conversation: FaultyConversation, said: str
) -> None:
    conversation.llmock.reply("Hello!")
    await conversation.talk.finished("Hello")
    conversation.breaks(_TOO_LONG[said])
    end = await conversation.talk.finished("Add milk")
    assert end.outcome.answer == ANSWER
    assert conversation.talk.titles() == ["Buy milk"]
    await conversation.goes_on()
