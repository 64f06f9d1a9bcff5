"""Messages that a server pauses and continues in the next call."""

from __future__ import annotations

from tests.agent.conftest import Harness, answer_text, kinds
from tests.agent.named_providers import NamedProvider, available_fallback, error
from tests.scripted import Round, answer, call, calls
from tests.stored import stored_messages
from todo_tui.agent.final_answer import EMPTY_ANSWER, STEP_LIMIT_REACHED
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.events import UsageReported
from todo_tui.domain.messages import (
    Completed,
    Message,
    Role,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ToolMode,
    Usage,
)


def paused(text: str, *, usage: Usage | None = None) -> Round:
    message = Message(Role.ASSISTANT, (Text(text),) if text else ())
    deltas = (TextDelta(text),) if text else ()
    return (*deltas, Completed(message, StopReason.PAUSED, usage))


async def test_a_paused_answer_is_continued_with_its_text_so_far(harness: Harness) -> None:
    harness.script(paused("Once upon "), paused("a time "), answer("it ended."), answer("Yes."))

    end = await harness.finished()
    await harness.finished("again")

    assert [message.text for message in harness.requests[2].messages] == [
        "do all of that", "Once upon a time ",
    ]  # fmt: skip
    assert end.outcome.answer == "Once upon a time it ended."
    assert end.outcome.model_calls == 3
    (first, _) = harness.store.turns.list(end.conversation_id)
    assert first.answer == end.outcome.answer
    assert [message.text for message in harness.requests[3].messages] == [
        "do all of that", "Once upon a time it ended.", "again",
    ]  # fmt: skip


async def test_its_words_stream_as_one_message(harness: Harness) -> None:
    first = calls(call("list_tasks"), text="Let me look.")
    harness.script(
        first, paused("Once ", usage=Usage(5, 0, 1)), answer("upon.", usage=Usage(7, 0, 2))
    )

    events = await harness.events()

    assert answer_text(events) == "Let me look.\n\nOnce upon."
    assert kinds(events)[-3:] == ["TextDelta", "UsageReported", "TurnFinished"]
    (_, last) = (event for event in events if isinstance(event, UsageReported))
    assert last.usage == Usage(12, 0, 3)


async def test_its_thinking_goes_back_as_it_came(harness: Harness) -> None:
    signed = Thinking("Hm.", {"signature": "s"})
    thought = Message(Role.ASSISTANT, (signed, Text("Once ")))
    harness.script([Completed(thought, StopReason.PAUSED)], answer("upon."))

    end = await harness.finished()

    assert harness.requests[1].messages[1].parts == (signed, Text("Once "))
    stored = stored_messages(harness.store, end.conversation_id)[1]
    assert stored.parts == (signed, Text("Once "), Text("upon."))
    assert stored.origin == "scripted:script"


async def test_a_pause_that_never_ends_is_ended(harness: Harness) -> None:
    harness.changes["limits"] = Limits(max_iterations=4)
    harness.script(*(paused("") for _ in range(10)))

    end = await harness.finished()

    assert end.outcome.answer == STEP_LIMIT_REACHED
    modes = [request.tool_choice for request in harness.requests]
    assert modes == [ToolMode.AUTO] * 3 + [ToolMode.NONE]


async def test_a_pause_before_nothing_is_an_empty_answer(harness: Harness) -> None:
    harness.script(paused(""), paused(""), [Completed(Message(Role.ASSISTANT, ()), StopReason.END)])

    assert (await harness.finished()).outcome.answer == EMPTY_ANSWER


async def test_calls_of_a_message_that_was_paused_run(harness: Harness) -> None:
    asked = Message(Role.ASSISTANT, (Text("Adding."), call("add_task", title="Milk")))
    harness.script([Completed(asked, StopReason.PAUSED)], answer("Done."))

    end = await harness.finished()

    assert harness.titles() == ["Milk"]
    assert end.outcome.answer == "Adding.\n\nDone."


async def test_words_of_a_broken_continuation_are_replaced_and_the_rest_stays(
    harness: Harness,
) -> None:
    harness.script(
        paused("Once "), [TextDelta("under"), error(Kind.NETWORK)], answer("upon a time.")
    )

    events = await harness.events()

    at = kinds(events).index("CallRestarted")
    assert answer_text(events[at:]) == "Once upon a time."
    assert [message.text for message in harness.requests[2].messages] == ["do all of that", "Once "]


async def test_all_words_are_kept_where_it_fails_for_good(harness: Harness) -> None:
    harness.script(paused("Once "), [TextDelta("upon"), error(Kind.AUTH)], answer("Hi."))

    end = await harness.failed()
    await harness.finished("again")

    assert end.outcome.answer == "Once upon"
    (first, _) = harness.store.turns.list(end.conversation_id)
    assert first.answer == "Once upon"
    assert [message.text for message in harness.requests[-1].messages] == [
        "do all of that", "Once upon", "again",
    ]  # fmt: skip


async def test_who_takes_over_begins_the_message_anew(harness: Harness) -> None:
    gemini = NamedProvider("gemini", answer("Another tale."))
    harness.provider = NamedProvider("groq", paused("Once "), [error(Kind.OVERLOADED)])
    harness.changes |= {
        "fallbacks": (available_fallback(gemini),),
        "limits": Limits(retry=RetryPolicy(tries=1)),
    }

    events = await harness.events()

    assert [message.text for message in gemini.requests[0].messages] == ["do all of that"]
    at = kinds(events).index("CallRestarted")
    assert answer_text(events[at:]) == "Another tale."
    assert events[-1].outcome.answer == "Another tale."  # type: ignore[union-attr]  # the last is the end
