"""Failover and summaries with real clients: requests keep each server's rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from tests.turns.conversation import ConversationDriver, open_conversation
from tests.wires.remotes import Remote, remote
from tests.wires.rules import judge
from todo_tui.agent.history import SUMMARY_HEADER
from todo_tui.agent.run_config import Fallback, RunConfig
from todo_tui.domain.events import FailedOver, HistoryTruncated
from todo_tui.domain.messages import Provider
from todo_tui.providers.registry import Wire

IDS = ("openai", "groq", "gemini", "gemini-native", "anthropic")
PAIRS = [pytest.param(remote(a), remote(b), id=f"{a} to {b}") for a, b in permutations(IDS, 2)]
PLACES = {
    "openai": "/v1/responses",
    "groq": "/groq/",
    "gemini": "/v1/chat/",
    "gemini-native": "/gemini/",
    "anthropic": "/anthropic/",
}


class HarnessWithFallbacks(ConversationDriver):
    """Conversation with fallbacks."""

    helpers: dict[str, object]

    @property
    def config(self) -> RunConfig:
        return replace(super().config, **self.helpers)  # type: ignore[arg-type]  # fields by name


@pytest.fixture
async def talking(
    llmock: LLMock, tmp_path: Path
) -> AsyncIterator[Callable[[Remote], HarnessWithFallbacks]]:
    opened: list[Provider] = []
    first = remote("openai").at(f"{llmock.url}/v1")
    async with open_conversation(first, tmp_path / "tasks.db") as talk:

        def with_(row: Remote) -> HarnessWithFallbacks:
            provider = row.at(llmock.url + row.llmock_path)
            opened.append(provider)
            helped = HarnessWithFallbacks(talk.store, provider)
            helped.helpers = {}
            return helped

        yield with_
        for provider in opened:
            await provider.aclose()


def fallback(row: Remote, llmock: LLMock) -> Fallback:
    async def opened() -> Provider:
        return row.at(llmock.url + row.llmock_path)

    return Fallback(row.id, row.row.label, opened)


def judge_all(llmock: LLMock, *rows: Remote) -> None:
    """Hold each request to the rules of the server that it went to."""
    judged = 0
    for record in llmock.requests:
        for row in rows:
            if record.method == "POST" and record.path.startswith(PLACES[row.id]):
                judge(record.body, row, signs=False)
                judged += 1
    assert judged == sum(record.method == "POST" for record in llmock.requests)


@pytest.mark.parametrize(("one", "other"), PAIRS[::2])
async def test_another_server_goes_on_where_one_has_failed_after_a_tool_ran(
    talking: Callable[[Remote], HarnessWithFallbacks], llmock: LLMock, one: Remote, other: Remote
) -> None:
    talk = talking(one)
    talk.helpers["fallbacks"] = (fallback(other, llmock),)
    llmock.call_tool("add_task", {"title": "Buy milk"})

    def refuse_the_key(_: object) -> None:
        llmock.fail(401).reply("Milk is there.", times=None)

    talk.store.tasks.subscribe(refuse_the_key)

    end = await talk.finished("add milk")

    assert end.outcome.answer == "Milk is there."
    assert [step.name for step in end.outcome.trace] == ["add_task", "take_over"]
    assert talk.counted(FailedOver) == 1
    assert (end.outcome.provider, end.outcome.model) == (other.id, other.model)
    assert (await talk.finished("thanks")).outcome.provider == one.id
    judge_all(llmock, one, other)


@pytest.mark.parametrize(("one", "other"), PAIRS[::4])
async def test_another_server_sums_up_what_is_too_long_for_one_in_the_middle_of_a_turn(
    talking: Callable[[Remote], HarnessWithFallbacks], llmock: LLMock, one: Remote, other: Remote
) -> None:
    talk = talking(one)
    llmock.reply("Hello.")
    await talk.finished("hello")
    talk.helpers["summarizer"] = fallback(other, llmock)
    llmock.call_tool("add_task", {"title": "Buy milk"})

    def find_it_too_long(_: object) -> None:
        llmock.context_overflow().reply("They said hello.").reply("Done.", times=None)

    talk.store.tasks.subscribe(find_it_too_long)

    end = await talk.finished("add milk")

    assert [step.name for step in end.outcome.trace] == ["add_task", "summarise"]
    assert talk.counted(HistoryTruncated) == 1
    assert end.outcome.answer == "Done."
    assert talk.titles() == ["Buy milk"]
    await talk.finished("thanks")
    assert (SUMMARY_HEADER + "They said hello.").splitlines()[0] in str(llmock.last_request.body)
    judge_all(llmock, one, other)


def test_every_wire_takes_part() -> None:
    assert {remote(each).wire for each in IDS} == set(Wire) - {Wire.OFFLINE}
