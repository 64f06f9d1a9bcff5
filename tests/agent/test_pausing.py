"""Messages that a server paused in, and goes on with when it is sent what it said."""

from __future__ import annotations

from tests.agent.conftest import Office, kinds, words_of
from tests.agent.players import Player, error, standing_by
from todo_tui.agent.config import Limits
from todo_tui.agent.model_calls import EMPTY_ANSWER, STEP_LIMIT_REACHED
from todo_tui.agent.retry import RetryPolicy
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
from todo_tui.providers.scripted import Round, answer, call, calls


def paused(text: str, *, usage: Usage | None = None) -> Round:
    message = Message(Role.ASSISTANT, (Text(text),) if text else ())
    deltas = (TextDelta(text),) if text else ()
    return (*deltas, Completed(message, StopReason.PAUSED, usage))


async def test_it_is_asked_again_with_what_was_said_so_far(office: Office) -> None:
    office.script(paused("Once upon "), paused("a time "), answer("it ended."), answer("Yes."))

    end = await office.finished()
    await office.finished("again")

    assert [message.text for message in office.requests[2].messages] == [
        "hello", "Once upon a time ",
    ]  # fmt: skip
    assert end.outcome.answer == "Once upon a time it ended."
    assert end.outcome.model_calls == 3
    (first, _) = office.store.conversations.turns(end.conversation_id)
    assert first.answer == end.outcome.answer
    assert [message.text for message in office.requests[3].messages] == [
        "hello", "Once upon a time it ended.", "again",
    ]  # fmt: skip


async def test_its_words_stream_as_one_message(office: Office) -> None:
    first = calls(call("current_time"), text="Let me look.")
    office.script(
        first, paused("Once ", usage=Usage(5, 0, 1)), answer("upon.", usage=Usage(7, 0, 2))
    )

    events = await office.events()

    assert words_of(events) == "Let me look.\n\nOnce upon."
    assert kinds(events)[-3:] == ["TextDelta", "UsageReported", "TurnFinished"]
    (_, last) = (event for event in events if isinstance(event, UsageReported))
    assert last.usage == Usage(12, 0, 3)


async def test_its_thinking_goes_back_as_it_came(office: Office) -> None:
    signed = Thinking("Hm.", {"signature": "s"})
    thought = Message(Role.ASSISTANT, (signed, Text("Once ")))
    office.script([Completed(thought, StopReason.PAUSED)], answer("upon."))

    end = await office.finished()

    assert office.requests[1].messages[1].parts == (signed, Text("Once "))
    stored = office.store.conversations.history(end.conversation_id)[1]
    assert stored.parts == (signed, Text("Once "), Text("upon."))
    assert stored.origin == "scripted:script"


async def test_a_pause_that_never_ends_is_ended(office: Office) -> None:
    office.changes["limits"] = Limits(max_iterations=4)
    office.script(*(paused("") for _ in range(10)))

    end = await office.finished()

    assert end.outcome.answer == STEP_LIMIT_REACHED
    modes = [request.tool_choice for request in office.requests]
    assert modes == [ToolMode.AUTO] * 3 + [ToolMode.NONE]


async def test_a_pause_before_nothing_is_an_empty_answer(office: Office) -> None:
    office.script(paused(""), paused(""), [Completed(Message(Role.ASSISTANT, ()), StopReason.END)])

    assert (await office.finished()).outcome.answer == EMPTY_ANSWER


async def test_calls_of_a_message_that_was_paused_run(office: Office) -> None:
    asked = Message(Role.ASSISTANT, (Text("Adding."), call("add_task", title="Milk")))
    office.script([Completed(asked, StopReason.PAUSED)], answer("Done."))

    end = await office.finished()

    assert office.titles() == ["Milk"]
    assert end.outcome.answer == "Adding.\n\nDone."


async def test_words_of_a_broken_continuation_are_replaced_and_the_rest_stays(
    office: Office,
) -> None:
    office.script(
        paused("Once "), [TextDelta("under"), error(Kind.NETWORK)], answer("upon a time.")
    )

    events = await office.events()

    at = kinds(events).index("CallRestarted")
    assert words_of(events[at:]) == "Once upon a time."
    assert [message.text for message in office.requests[2].messages] == ["hello", "Once "]


async def test_all_words_are_kept_where_it_fails_for_good(office: Office) -> None:
    office.script(paused("Once "), [TextDelta("upon"), error(Kind.AUTH)], answer("Hi."))

    end = await office.failed()
    await office.finished("again")

    assert end.outcome.answer == "Once upon"
    (first, _) = office.store.conversations.turns(end.conversation_id)
    assert first.answer == "Once upon"
    assert [message.text for message in office.requests[-1].messages] == [
        "hello", "Once upon", "again",
    ]  # fmt: skip


async def test_who_takes_over_begins_the_message_anew(office: Office) -> None:
    gemini = Player("gemini", answer("Another tale."))
    office.provider = Player("groq", paused("Once "), [error(Kind.OVERLOADED)])
    office.changes |= {
        "fallbacks": (standing_by(gemini),),
        "limits": Limits(retry=RetryPolicy(tries=1)),
    }

    events = await office.events()

    assert [message.text for message in gemini.requests[0].messages] == ["hello"]
    at = kinds(events).index("CallRestarted")
    assert words_of(events[at:]) == "Another tale."
    assert events[-1].outcome.answer == "Another tale."  # type: ignore[union-attr]  # the last is the end
