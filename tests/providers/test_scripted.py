"""Scripted provider and demo."""

from __future__ import annotations

import json
from datetime import date

import pytest

from tests.providers.wire import TOOLS, collect, completed, request, words
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ToolCallStarted,
    ToolResult,
)
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row
from todo_tui.providers.scripted import (
    DEMO_LINES,
    Pause,
    ScriptedProvider,
    answer,
    call,
    calls,
    demo_round,
    demo_tasks,
    in_order,
)


async def played(provider: ScriptedProvider) -> list[StreamEvent]:
    return [event async for event in provider.stream(request())]


async def test_rounds_are_played_in_order_and_requests_are_kept() -> None:
    undo = call("undo")
    provider = ScriptedProvider(in_order(calls(undo, text="Let me see."), answer("All done.")))
    first, second = await played(provider), await played(provider)
    assert first[:-1] == [
        TextDelta("Let "), TextDelta("me "), TextDelta("see."), ToolCallStarted("undo"),
    ]  # fmt: skip
    assert completed(first).stop is StopReason.TOOL_CALLS
    assert completed(first).message.tool_calls == (undo,)
    assert words(second) == completed(second).message.text == "All done."
    assert completed(second).message.origin == "scripted:script"
    assert provider.requests == [request(), request()]
    with pytest.raises(AssertionError, match="2 rounds"):
        await played(provider)


async def test_a_round_may_fail_anywhere_and_the_next_one_goes_on() -> None:
    overloaded = ProviderError(ProviderErrorKind.OVERLOADED, "Too much.")
    provider = ScriptedProvider(in_order((TextDelta("Bo"), overloaded), answer("Both.")))
    with pytest.raises(ProviderError, match="Too much"):
        await played(provider)
    assert words(await played(provider)) == "Both."


async def test_a_round_without_an_end_is_a_stream_that_broke_off() -> None:
    with pytest.raises(ProviderError) as caught:
        await played(ScriptedProvider(in_order((TextDelta("Bo"),))))
    assert caught.value.kind is ProviderErrorKind.TRUNCATED


async def test_pauses_are_slept() -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    provider = ScriptedProvider(in_order(answer("one two", pause=0.5)), sleep=sleep)
    await played(provider)
    assert slept == [0.5, 0.5]
    await provider.aclose()
    assert provider.closed


async def test_the_demo_answers_each_of_its_lines_with_calls_and_then_words() -> None:
    messages: list[Message] = []
    for line in DEMO_LINES:
        messages.append(Message(Role.USER, (Text(line),)))
        stops = []
        for _ in range(2):
            steps = demo_round(Request("", tuple(messages), TOOLS))
            provider = ScriptedProvider(in_order([s for s in steps if not isinstance(s, Pause)]))
            last = completed(await played(provider))
            stops.append(last.stop)
            messages.append(last.message)
            results = [ToolResult(each.id, each.name, "{}") for each in last.message.tool_calls]
            if results:
                messages.append(Message(Role.TOOL, tuple(results)))
        assert stops == [StopReason.TOOL_CALLS, StopReason.END]


async def test_the_demo_has_a_last_word_for_whatever_comes_after() -> None:
    asked = tuple(Message(Role.USER, (Text("and now?"),)) for _ in range(9))
    provider = open_provider(provider_row("scripted"), ProviderSettings())
    assert "demo" in words(await collect(provider, Request("", asked)))


def test_the_demo_speaks_of_tasks_that_exist() -> None:
    titles = {number: task["title"] for number, task in enumerate(demo_tasks(date(2026, 1, 5)), 1)}
    for turn, line in enumerate(DEMO_LINES):
        asked = tuple(Message(Role.USER, (Text("x"),)) for _ in range(turn + 1))
        for step in demo_round(Request("", asked)):
            for each in getattr(getattr(step, "message", None), "tool_calls", ()):
                arguments = json.loads(each.arguments)
                for task_id in arguments.get("task_ids", []):
                    assert titles[task_id].split()[-1] in line
