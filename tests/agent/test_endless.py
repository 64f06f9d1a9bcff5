"""Streams that are empty, endless, too long, or continue after Completed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.agent.conftest import Harness, answer_text
from tests.agent.named_providers import NamedProvider, available_fallback
from tests.scripted import Round, answer, call, calls
from todo_tui.agent.model_calls import MAX_ANSWER_CHARACTERS
from todo_tui.domain.messages import (
    Completed,
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
)


class EndlessRound:
    """A round without an end."""

    def __init__(self, *events: StreamEvent) -> None:
        self.events = events

    def __iter__(self) -> Iterator[StreamEvent]:
        while True:
            yield from self.events


class ContinuingProvider(NamedProvider):
    """Provider that continues after Completed and records whether that is read."""

    behind: tuple[StreamEvent, ...] = ()
    was_closed = False

    async def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
        try:
            async for event in super().stream(request):
                yield event
            for event in self.behind:
                yield event
        finally:
            self.was_closed = True


def forever(*events: StreamEvent) -> Round:
    return EndlessRound(*events)  # type: ignore[return-value]  # it is iterated over, no more


@pytest.mark.parametrize(
    "event",
    [
        TextDelta("so " * 100),
        ThinkingDelta(""),
        ToolCallStarted("add_task"),
    ],
    ids=["words", "thinking of nothing", "calls"],
)
async def test_an_answer_that_does_not_end_is_broken_off_and_not_asked_for_again(
    harness: Harness, event: StreamEvent
) -> None:
    harness.script(forever(event), answer("Hi."))

    end = await harness.failed()

    assert end.error.kind == "malformed"
    assert end.error.message == "The answer was too long and was stopped."
    assert len(end.outcome.answer) <= MAX_ANSWER_CHARACTERS
    assert len(harness.requests) == 1
    assert (await harness.finished("again")).outcome.answer == "Hi."


async def test_an_answer_in_tiny_pieces_is_kept_up_to_its_bound(harness: Harness) -> None:
    harness.script(forever(TextDelta("abc")))

    end = await harness.failed()

    assert MAX_ANSWER_CHARACTERS - 3 < len(end.outcome.answer) <= MAX_ANSWER_CHARACTERS


async def test_one_line_of_ten_million_characters_is_too_much(harness: Harness) -> None:
    harness.script([TextDelta("x" * 10_000_000)], answer("Hi."))

    end = await harness.failed()

    assert end.error.kind == "malformed"
    assert end.outcome.answer == ""


async def test_a_message_that_comes_whole_and_is_too_long_is_too_much(
    harness: Harness,
) -> None:
    whole = Message(Role.ASSISTANT, (Text("x" * (MAX_ANSWER_CHARACTERS + 1)),))
    harness.script([Completed(whole, StopReason.END)], answer("Hi."))

    assert "too long (400,001 characters)" in (await harness.failed()).error.message


async def test_long_arguments_run(harness: Harness) -> None:
    harness.script(calls(call("add_task", title="One", notes="n" * 20_000)), answer("Done."))

    await harness.finished()

    assert len(harness.store.tasks.get(1).notes) == 20_000


async def test_an_endless_answer_is_taken_over(harness: Harness) -> None:
    harness.provider = NamedProvider("groq", forever(TextDelta("so " * 1000)))
    harness.changes["fallbacks"] = (available_fallback(NamedProvider("gemini", answer("Hi."))),)

    events = await harness.events()

    assert events[-1].outcome.answer == "Hi."  # type: ignore[union-attr]  # the last is the end
    assert answer_text(events).endswith("Hi.")


async def test_a_stream_without_anything_is_asked_for_again(harness: Harness) -> None:
    harness.script([], answer("Hi."))

    assert (await harness.finished()).outcome.answer == "Hi."


async def test_only_the_first_end_counts(harness: Harness) -> None:
    one = Message(Role.ASSISTANT, (Text("One."),))
    two = Message(Role.ASSISTANT, (Text("Two."), call("add_task", title="Never")))
    harness.provider = twice = ContinuingProvider("twice", [Completed(one, StopReason.END)])
    twice.behind = (TextDelta("more"), Completed(two, StopReason.TOOL_CALLS))

    end = await harness.finished()

    assert (end.outcome.answer, harness.titles()) == ("One.", [])
    assert twice.was_closed
