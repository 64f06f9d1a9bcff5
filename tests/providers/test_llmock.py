"""Faults of LLMock with the providers and the retry policy; its strict verdict holds.

Those that `tests/turns/test_faults.py` plays to whole turns are not repeated here.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from llmock.pytest_plugin import LLMock
from llmock.ratelimit import Admission
from llmock.testing import LLMockServer

from tests.providers.wire import TOOLS, completed, request
from tests.wires.remotes import ONE_A_CLIENT, Remote
from todo_tui.agent.retry import RetryBudget, RetryPolicy
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StopReason,
    ToolMode,
    ToolResult,
)
from todo_tui.providers.registry import Wire

Kind = ProviderErrorKind

QUICK = RetryPolicy(first_wait=0.06, waiting=10)


@dataclass
class Client:
    """Provider with the agent's retry policy."""

    provider: Provider
    remote: Remote

    async def ask(self, asked: Request | None = None) -> Completed:
        """Return the answer, after as many tries as the policy allows."""
        patience = RetryBudget(QUICK, lambda: 0.5)
        number = 1
        while True:
            try:
                return await self._once(asked or request("Please answer", tools=()))
            except ProviderError as error:
                number += 1
                wait = patience.delay_before(number, error)
                if wait is None:
                    raise
                await asyncio.sleep(wait)

    async def fails(self, asked: Request | None = None) -> ProviderError:
        """Return the error of the last try."""
        with pytest.raises(ProviderError) as caught:
            await self.ask(asked)
        return caught.value

    async def _once(self, asked: Request) -> Completed:
        return completed([event async for event in self.provider.stream(asked)])


@pytest.fixture(params=ONE_A_CLIENT, ids=lambda remote: remote.id)
async def client(request: pytest.FixtureRequest, llmock: LLMock) -> AsyncIterator[Client]:
    remote: Remote = request.param
    provider = remote.at(llmock.url + remote.llmock_path)
    yield Client(provider, remote)
    await provider.aclose()
    llmock.assert_resilient(strict=True)


async def test_an_answer_streams_in_words_with_its_usage(client: Client, llmock: LLMock) -> None:
    llmock.reply("Both are on your list.")
    last = await client.ask()
    assert last.message.text == "Both are on your list."
    assert last.stop is StopReason.END
    assert last.usage is not None
    assert last.usage.output_tokens > 0


async def test_a_tool_is_called_and_its_result_is_answered(client: Client, llmock: LLMock) -> None:
    asked = request("add a task")
    first = await client.ask(asked)
    (call,) = first.message.tool_calls
    assert first.stop is StopReason.TOOL_CALLS
    assert isinstance(json.loads(call.arguments), dict)
    result = ToolResult(call.id, call.name, '{"status": "success", "data": {}}')
    history = (*asked.messages, first.message, Message(Role.TOOL, (result,)))
    assert (await client.ask(Request("", history, TOOLS))).message.text


async def test_a_refused_tool_is_not_called(client: Client) -> None:
    asked = request("add a task")
    refused = Request(asked.system, asked.messages, asked.tools, ToolMode.NONE)
    assert (await client.ask(refused)).message.text


@pytest.mark.parametrize("status", [408, 409, 502])
async def test_a_failure_that_passes_is_survived(
    client: Client, llmock: LLMock, status: int
) -> None:
    llmock.fail(status, times=2, retry_after=0.02).reply("Here.")
    assert (await client.ask()).message.text == "Here."
    assert len(llmock.requests) == 3


async def test_a_failure_that_says_no_time_is_asked_again_ever_later(
    client: Client, llmock: LLMock
) -> None:
    llmock.fail(500, times=3).reply("Here.")
    assert (await client.ask()).message.text == "Here."


async def test_a_rate_limit_is_waited_for(client: Client, llmock: LLMock) -> None:
    llmock.rate_limit(times=2, retry_after=0.15).reply("Here.")
    assert (await client.ask()).message.text == "Here."


async def test_a_quota_by_the_minute_is_waited_for(
    client: Client,
    llmock: LLMock,
    llmock_server: LLMockServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    llmock.limits(rpm=600)
    await client.ask()
    # It begins with room for a whole minute's requests. They are used up as the next one comes
    # in: used up here, they could be back before a slow machine has sent it.
    limiter = llmock_server.state.limiter
    admit = limiter.admit

    def used_up(provider: str, key: str, tokens: int) -> Admission:
        monkeypatch.setattr(limiter, "admit", admit)
        for bucket in limiter._buckets.values():
            bucket.level, bucket.updated = 0, time.monotonic()
        return admit(provider, key, tokens)

    monkeypatch.setattr(limiter, "admit", used_up)
    await client.ask()
    assert [record.status for record in llmock.requests] == [200, 429, 200]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (402, Kind.QUOTA),
        (403, Kind.PERMISSION),
        (413, Kind.CONTEXT_TOO_LONG),
        (422, Kind.BAD_REQUEST),
    ],
)
async def test_a_failure_that_stays_is_not_asked_again(
    client: Client, llmock: LLMock, status: int, kind: ProviderErrorKind
) -> None:
    llmock.fail(status)
    assert (await client.fails()).kind is kind
    assert len(llmock.requests) == 1


async def test_a_call_with_broken_arguments_reaches_the_tools_as_it_is(
    client: Client, llmock: LLMock
) -> None:
    llmock.call_tool("add_task", {"title": "Milk"}).break_tool_call("malformed_arguments")
    (call,) = (await client.ask(request())).message.tool_calls
    if client.remote.wire is Wire.GEMINI:
        # Its arguments are an object, in which nothing can be broken.
        assert call.arguments == "{}"
        return
    with pytest.raises(json.JSONDecodeError):
        json.loads(call.arguments)


async def test_a_dropped_call_is_asked_for_again_and_not_half_run(
    client: Client, llmock: LLMock
) -> None:
    for _ in range(2):
        llmock.call_tool("add_task", {"title": "Buy milk and bread and honey"})
    llmock.disconnect(after_chunks=3)
    (call,) = (await client.ask(request())).message.tool_calls
    assert json.loads(call.arguments) == {"title": "Buy milk and bread and honey"}
