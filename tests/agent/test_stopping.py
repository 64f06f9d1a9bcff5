"""Stopping a turn at any moment, by any means, without loss."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import pytest

from tests.agent.conftest import Harness
from tests.agent.named_providers import NamedProvider
from tests.conftest import NOW
from tests.scripted import Pause, Round, answer, call, calls
from tests.stored import stored_calls
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.run_config import Fallback
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.events import (
    Retrying,
    StepStatus,
    ToolFinished,
    TurnCancelled,
    TurnEnd,
    TurnEvent,
    TurnFinished,
)
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    TurnStatus,
)
from todo_tui.domain.when import Clock
from todo_tui.store.store import open_store

Stops = Callable[[TurnEvent], bool]


def talkative() -> list[Round]:
    return [
        calls(
            call("list_tasks"),
            call("add_task", title="One"),
            call("add_task", title="Two"),
            call("list_tasks"),
            text="Let me see.",
        ),
        answer("One two three four five."),
    ]


async def stopped_when(harness: Harness, stops: Stops) -> list[TurnEvent]:
    """Run a turn, stop it at the first event for which `stops` holds, return its events."""
    handle = TurnHandle()
    events = []
    async for event in harness.say("go", handle):
        events.append(event)
        if stops(event):
            handle.stop()
    return events


@pytest.mark.parametrize("number", range(22))
async def test_a_turn_can_be_stopped_after_any_event(harness: Harness, number: int) -> None:
    harness.script(*talkative())
    handle, events = TurnHandle(), list[TurnEvent]()
    async for event in harness.say("go", handle):
        events.append(event)
        if len(events) > number:
            handle.stop()
    end = events[-1]

    assert [event for event in events if isinstance(event, TurnEnd)] == [end]
    assert isinstance(end, TurnCancelled | TurnFinished)
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.status.value == ("finished" if isinstance(end, TurnFinished) else "cancelled")
    assert turn.steps == end.outcome.trace
    written = [s for s in turn.steps if s.name == "add_task" and s.status is StepStatus.SUCCESS]
    assert len(harness.titles()) == len(written)
    harness.conversation_id = end.conversation_id
    harness.script(answer("Still here."))
    assert (await harness.finished("again")).outcome.answer == "Still here."
    asked = [c.id for message in harness.requests[0].messages for c in message.tool_calls]
    given = [r.call_id for message in harness.requests[0].messages for r in message.tool_results]
    assert asked == given


async def test_words_so_far_are_kept(harness: Harness) -> None:
    harness.script([TextDelta("One "), Pause(60)], sleep=asyncio.sleep)

    events = await stopped_when(harness, lambda event: isinstance(event, TextDelta))

    end = events[-1]
    assert isinstance(end, TurnCancelled)
    assert end.outcome.answer.startswith("One")
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.answer == end.outcome.answer


async def test_a_stop_between_two_writes_keeps_the_first_and_leaves_out_the_second(
    harness: Harness,
) -> None:
    handle = TurnHandle()
    adds = [call("add_task", title=title) for title in ("One", "Two", "Three")]
    harness.script(calls(*adds), answer("Never."))
    loop = asyncio.get_running_loop()

    def stop(_: object) -> None:
        loop.call_soon_threadsafe(handle.stop)

    harness.store.tasks.subscribe(stop)

    end = await harness.cancelled("go", handle)

    assert harness.titles() == ["One"]
    assert [step.status for step in end.outcome.trace] == [
        StepStatus.SUCCESS, StepStatus.INTERRUPTED, StepStatus.INTERRUPTED,
    ]  # fmt: skip
    assert len(end.outcome.kept_batches) == 1
    assert len(harness.requests) == 1


async def test_a_stop_ends_the_wait_for_a_retry(harness: Harness) -> None:
    harness.script([ProviderError(ProviderErrorKind.OVERLOADED, "Busy.")], answer("Never."))
    harness.changes["sleep"] = lambda seconds: asyncio.sleep(60)

    events = await stopped_when(harness, lambda event: isinstance(event, Retrying))

    assert isinstance(events[-1], TurnCancelled)
    assert len(harness.requests) == 1


class ScriptedApprover:
    """Gives one answer to every question, or none."""

    def __init__(self, yes: bool | None) -> None:
        self.yes = yes

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        if self.yes is None:
            await asyncio.sleep(60)
        return ApprovalAnswer(bool(self.yes))


ASK_FIRST = ApprovalSettings(ApprovalMode.WRITES)


async def test_a_stop_ends_the_wait_for_a_person(harness: Harness) -> None:
    harness.script(*talkative())
    harness.changes |= {"approver": ScriptedApprover(None), "approvals": ASK_FIRST}

    events = await stopped_when(harness, lambda e: type(e).__name__ == "ApprovalAsked")

    end = events[-1]
    assert isinstance(end, TurnCancelled)
    assert harness.titles() == []
    assert [step.status for step in end.outcome.trace][1:] == [StepStatus.INTERRUPTED] * 3


@pytest.mark.parametrize("yes", [True, False])
async def test_a_person_is_asked_before_a_write_runs(harness: Harness, yes: bool) -> None:
    harness.script(calls(call("add_task", title="One")), answer("Ok."))
    harness.changes |= {"approver": ScriptedApprover(yes), "approvals": ASK_FIRST}

    events = await harness.events()

    names = [type(event).__name__ for event in events]
    assert names.index("ApprovalAsked") < names.index("ToolStarted")
    assert harness.titles() == (["One"] if yes else [])
    if not yes:
        (step,) = events[-1].outcome.trace  # type: ignore[union-attr]  # the last is the end
        assert '"unauthorized"' in step.result


async def test_who_is_asked_may_stop_the_turn_and_nothing_runs(harness: Harness) -> None:
    handle = TurnHandle()

    class StoppingApprover(ScriptedApprover):
        """Stops the turn, whatever is answered then."""

        async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
            handle.stop()
            return ApprovalAnswer(True)

    harness.script(calls(call("add_task", title="One")), answer("Never."))
    harness.changes |= {"approver": StoppingApprover(True), "approvals": ASK_FIRST}

    end = await harness.cancelled("go", handle)

    assert harness.titles() == []
    assert [step.status for step in end.outcome.trace] == [StepStatus.INTERRUPTED]


@pytest.mark.parametrize("instead", ["an error", "an end", "more words"])
async def test_a_provider_that_takes_the_stop_for_something_else_is_stopped(
    harness: Harness, instead: str
) -> None:
    class CancellationIgnoringApprover(NamedProvider):
        """Swallows its cancellation."""

        async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
            yield TextDelta("One ")
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if instead == "an error":
                    raise ProviderError(ProviderErrorKind.NETWORK, "Connection lost.") from None
            if instead == "more words":
                yield TextDelta("two ")
            said = Message(Role.ASSISTANT, (Text("One two."), call("add_task", title="Never")))
            yield Completed(said, StopReason.TOOL_CALLS)

    harness.provider = CancellationIgnoringApprover("deaf")

    events = await stopped_when(harness, lambda event: isinstance(event, TextDelta))

    end = events[-1]
    assert isinstance(end, TurnCancelled)
    assert not any(isinstance(event, Retrying) for event in events)
    assert harness.titles() == []
    assert asyncio.all_tasks() == {asyncio.current_task()}
    (cancelled,) = stored_calls(harness.store, end.turn_id)
    assert (cancelled.status, cancelled.error) == ("cancelled", None)


async def test_a_stop_while_an_understudy_is_opened_ends_the_turn(harness: Harness) -> None:
    handle = TurnHandle()

    async def never() -> Provider:
        asyncio.get_running_loop().call_soon(handle.stop)
        await asyncio.sleep(60)
        raise AssertionError

    harness.script([ProviderError(ProviderErrorKind.AUTH, "Bad key.")])
    harness.changes["fallbacks"] = (Fallback("slow", "Slow", never),)

    end = await harness.cancelled("go", handle)

    assert end.outcome.trace == ()
    assert harness.titles() == []


async def test_the_end_of_the_whole_loop_still_ends_the_turn_properly(
    harness: Harness,
) -> None:
    harness.script([TextDelta("One "), Pause(60)], sleep=asyncio.sleep)
    events: list[TurnEvent] = []
    async for event in harness.say("go"):
        events.append(event)
        if isinstance(event, TextDelta):
            for task in asyncio.all_tasks() - {asyncio.current_task()}:
                task.cancel()

    end = events[-1]
    assert isinstance(end, TurnCancelled)
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert (turn.status, turn.answer) == (TurnStatus.CANCELLED, "One ")


async def test_cancelling_the_reading_task_still_ends_the_turn_properly(
    harness: Harness,
) -> None:
    harness.script([TextDelta("One "), Pause(60)], sleep=asyncio.sleep)
    events: list[TurnEvent] = []
    speaks = asyncio.Event()

    async def read() -> None:
        async for event in harness.say("go"):
            events.append(event)
            if isinstance(event, TextDelta):
                speaks.set()

    reading = asyncio.create_task(read())
    await speaks.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    end = events[-1]
    assert isinstance(end, TurnCancelled)
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert (turn.status, turn.answer) == (TurnStatus.CANCELLED, "One ")


async def test_closing_the_iterator_ends_the_turn_properly(harness: Harness) -> None:
    harness.script(*talkative())

    async with aclosing(cast("Any", harness.say("go"))) as events:
        async for event in events:
            if isinstance(event, ToolFinished):
                break

    (conversation,) = harness.store.conversations.list()
    (turn,) = harness.store.turns.list(conversation.id)
    assert turn.status is not TurnStatus.RUNNING


async def test_a_turn_stopped_before_it_began_is_stored_and_asks_nothing(
    harness: Harness,
) -> None:
    harness.script(answer("Never."))
    handle = TurnHandle()
    handle.stop()

    end = await harness.cancelled("go", handle)

    assert harness.requests == []
    (turn,) = harness.store.turns.list(end.conversation_id)
    assert turn.user_text == "go"


KILLED_MID_TURN = """
import asyncio, os, signal, sys
from datetime import datetime
from pathlib import Path
from todo_tui.agent.approver import ApproveAll
from todo_tui.agent.run_config import RunConfig
from todo_tui.agent.loop import run_turn
from todo_tui.domain.when import Clock
from todo_tui.domain.events import ToolFinished
from tests.scripted import ScriptedProvider, answer, call, calls, in_order
from todo_tui.store.store import open_store

async def main():
    clock = Clock("Europe/Berlin", datetime(2026, 11, 18, 14, 30))
    store = open_store(Path(sys.argv[1]), user="ann", clock=clock)
    adds = [call("add_task", title=f"Task {n}") for n in range(50)]
    provider = ScriptedProvider(in_order(calls(*adds), answer("Never.")))
    done = 0
    async for event in run_turn("add fifty", RunConfig(store, provider, approver=ApproveAll())):
        if isinstance(event, ToolFinished):
            done += 1
            print(event.step.summary, flush=True)
        if done == 10:
            os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


def test_a_killed_turn_is_interrupted_and_what_was_confirmed_is_there(tmp_path: Path) -> None:
    path = tmp_path / "tasks.db"
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_MID_TURN, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    confirmed = killed.stdout.count("Added")

    with open_store(path, user="ann", clock=Clock("Europe/Berlin", NOW)) as store:
        (conversation,) = store.conversations.list()
        (turn,) = store.turns.list(conversation.id)
        assert turn.status is TurnStatus.INTERRUPTED
        assert store.tasks.list().total >= confirmed >= 10
        assert len(turn.steps) >= confirmed - 1
