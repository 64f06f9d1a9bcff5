"""Any history becomes one that every provider accepts."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.complete import assert_complete, prepare_history
from todo_tui.agent.history import MISSING_ANSWER, SUMMARY_HEADER, SUMMARY_REPLY, MessageHistory
from todo_tui.agent.run_config import ContextWindow
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from todo_tui.store.conversations.records import ModelHistory

ORIGIN = "groq:gpt"
OTHER = "gemini:flash"
WIDE = ContextWindow(messages=1000, tokens=1_000_000)

texts = st.text(max_size=8) | st.sampled_from(["", " ", "hello", "\ud83d"])
metas = st.sampled_from([{}, {"signature": "abc"}])
ids = st.sampled_from(["", "a", "b", "c", "call_1", "not valid", "x" * 50])
arguments = st.sampled_from(["", "{}", '{"title": "x"}', '{"title": "x', "[]", "null"])
user_messages = st.builds(lambda text: said(text), texts)
assistant_messages = st.builds(
    lambda parts, origin: Message(Role.ASSISTANT, tuple(parts), origin),
    st.lists(
        st.builds(Text, texts, metas)
        | st.builds(Thinking, texts, metas)
        | st.builds(ToolCall, ids, st.just("add_task"), arguments, metas),
        max_size=4,
    ),
    st.sampled_from([ORIGIN, OTHER, None]),
)
tool_messages = st.builds(
    lambda parts: Message(Role.TOOL, tuple(parts)),
    st.lists(st.builds(ToolResult, ids, st.just("add_task"), st.just("{}")), max_size=4),
)
histories = st.lists(user_messages | assistant_messages | tool_messages, max_size=30).map(
    lambda messages: [*messages, said("newest")]
)


def said(text: str) -> Message:
    return Message(Role.USER, (Text(text),))


def answered(*parts: MessagePart, origin: str = ORIGIN) -> Message:
    return Message(Role.ASSISTANT, parts, origin)


def turns(count: int, length: int = 2) -> list[Message]:
    """Make that many finished turns and a newest message."""
    history = []
    for number in range(count):
        history += [said(f"question {number}"), *[answered(Text("yes"))] * (length - 1)]
    return [*history, said("newest")]


@given(histories)
@settings(max_examples=60)
def test_any_history_becomes_complete(history: list[Message]) -> None:
    prepared = prepare_history(history, origin=ORIGIN, window=WIDE)

    assert_complete(prepared)
    assert prepared[-1].text == "newest"


@given(histories, st.sampled_from([WIDE, ContextWindow(messages=5, tokens=10)]))
@settings(max_examples=50)
def test_a_summary_comes_before_any_history_as_a_turn_of_its_own(
    history: list[Message], window: ContextWindow
) -> None:
    prepared = prepare_history(history, origin=ORIGIN, window=window, summary="They met.")

    assert_complete(prepared)
    assert [message.text for message in prepared[:2]] == [
        f"{SUMMARY_HEADER}They met.",
        SUMMARY_REPLY,
    ]
    assert prepared[2].role is Role.USER
    assert prepared[-1].text == "newest"


@given(histories)
@settings(max_examples=50)
def test_a_shortened_history_replays_nothing_that_was_signed(history: list[Message]) -> None:
    messages = MessageHistory(ModelHistory((said("go"),)), WIDE, history[:-1])
    messages.shorten()

    for message in messages.messages(ORIGIN):
        assert message.origin is None
        assert message.parts
        assert not any(isinstance(part, Thinking) for part in message.parts)
        assert not any(getattr(part, "meta", None) for part in message.parts)


@given(histories)
@settings(max_examples=50)
def test_what_only_its_own_provider_may_see_goes_to_no_other(history: list[Message]) -> None:
    for message in prepare_history(history, origin=ORIGIN, window=WIDE):
        for part in message.parts:
            foreign = message.origin != ORIGIN
            assert not (foreign and isinstance(part, Thinking))
            assert not (foreign and getattr(part, "meta", None))


@given(histories)
@settings(max_examples=50)
def test_what_is_prepared_stays_as_it_is(history: list[Message]) -> None:
    prepared = prepare_history(history, origin=ORIGIN, window=WIDE)

    assert prepare_history(prepared, origin=ORIGIN, window=WIDE) == prepared


@given(histories, st.integers(0, 40))
@settings(max_examples=50)
def test_a_longer_history_begins_with_the_same_messages(
    history: list[Message], shorter: int
) -> None:
    part = [*history[:shorter], said("newest")]

    first = prepare_history(part, origin=ORIGIN, window=WIDE)
    longer = prepare_history(
        [*part, answered(Text("yes")), said("more")], origin=ORIGIN, window=WIDE
    )

    assert longer[: len(first)] == first


def test_signatures_go_back_to_where_they_came_from() -> None:
    thought = Thinking("hm", {"signature": "abc"})
    history = [said("a"), answered(thought, Text("yes", {"id": "1"})), said("b")]

    assert prepare_history(history, origin=ORIGIN, window=WIDE)[1] == history[1]
    assert prepare_history(history, origin=OTHER, window=WIDE)[1].parts == (Text("yes"),)


def test_a_call_without_a_result_is_closed_as_interrupted() -> None:
    history = [said("a"), answered(ToolCall("c1", "add_task", "{}")), said("b")]

    prepared = prepare_history(history, origin=ORIGIN, window=WIDE)

    (result,) = prepared[2].tool_results
    assert (result.call_id, result.is_error) == ("c1", True)
    assert "Interrupted" in result.content
    assert prepared[3].text == MISSING_ANSWER


def test_arguments_that_cannot_be_parsed_are_never_echoed_raw() -> None:
    history = [said("a"), answered(ToolCall("c1", "add_task", '{"title": "Buy mi')), said("b")]

    (call,) = prepare_history(history, origin=ORIGIN, window=WIDE)[1].tool_calls

    assert json.loads(call.arguments) == {"unreadable": '{"title": "Buy mi'}


def test_arguments_that_no_server_takes_are_quoted_in_short() -> None:
    for bad in (
        '{"title": "' + "x" * 200_000 + '"}',
        '{"a": ' * 60 + "1" + "}" * 60,
        '{"a": ' * 5_000 + "1" + "}" * 5_000,
    ):
        call = ToolCall("a", "add_task", bad)
        prepared = prepare_history(
            [said("x"), answered(call), said("y")], origin=ORIGIN, window=WIDE
        )
        (sent,) = prepared[1].tool_calls
        assert list(json.loads(sent.arguments)) == ["unreadable"]
        assert len(sent.arguments) < 1_000


def test_results_recorded_one_by_one_are_sent_together() -> None:
    results = [ToolResult(each, "add_task", "{}") for each in ("c1", "c2")]
    calls = [ToolCall(each, "add_task", "{}") for each in ("c1", "c2")]
    history = [
        said("a"),
        answered(*calls),
        *(Message(Role.TOOL, (each,)) for each in results),
        said("b"),
    ]

    assert prepare_history(history, origin=ORIGIN, window=WIDE)[2] == Message(
        Role.TOOL, tuple(results)
    )


def test_the_window_is_bound_in_messages_and_opens_with_a_user() -> None:
    for count in range(40):
        prepared = prepare_history(
            turns(count, 3), origin=ORIGIN, window=ContextWindow(messages=20)
        )

        assert len(prepared) <= 20
        assert prepared[0].role is Role.USER
        assert len(prepared) >= min(12, 3 * count + 1)


def test_the_window_drops_in_steps_so_that_its_beginning_can_be_cached() -> None:
    firsts = [
        prepare_history(turns(count), origin=ORIGIN, window=ContextWindow(messages=48))[0].text
        for count in range(23, 123)
    ]

    changes = sum(one != other for one, other in pairwise(firsts))
    assert changes <= 100 * 2 / 12 + 1


def test_what_was_left_out_before_counts_for_the_steps() -> None:
    whole = turns(60)
    window = ContextWindow(messages=48)
    kept = whole[-47:]

    assert prepare_history(
        kept, origin=ORIGIN, window=window, before=len(whole) - 47
    ) == prepare_history(whole, origin=ORIGIN, window=window)


def test_the_window_is_bound_in_tokens_too() -> None:
    long = [
        replace(message, parts=(Text(message.text + "x" * 4000),)) for message in turns(20)[:-1]
    ]

    prepared = prepare_history(
        [*long, said("newest")], origin=ORIGIN, window=ContextWindow(50, 10_000)
    )

    assert 4 <= len(prepared) <= 11
    assert prepared[0].role is Role.USER


def test_the_current_turn_is_never_cut() -> None:
    huge = said("x" * 1_000_000)

    assert prepare_history(
        [*turns(3)[:-1], huge], origin=ORIGIN, window=ContextWindow(50, 1000)
    ) == (huge,)
    assert prepare_history([huge], origin=ORIGIN, window=ContextWindow(0, 0)) == (huge,)
