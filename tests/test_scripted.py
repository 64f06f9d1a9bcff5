"""Scripted provider."""

from __future__ import annotations

import pytest

from tests.providers.wire import completed, request, words
from tests.scripted import (
    ScriptedProvider,
    answer,
    call,
    calls,
    in_order,
)
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    StopReason,
    StreamEvent,
    TextDelta,
    ToolCallStarted,
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
