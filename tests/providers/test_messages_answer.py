"""Streams of the Messages format, read by the real SDK over a real socket."""

from __future__ import annotations

import asyncio
import json
from itertools import chain

import pytest

from tests.providers.messages_stream import (
    Event,
    block,
    call,
    event,
    messages_provider,
    own_provider,
    read,
    read_play,
    start,
    stop,
    stream,
    text,
    thinking,
)
from tests.providers.wire import (
    collect,
    completed,
    http,
    request,
    thoughts,
    wire_server,
    words,
)
from tests.rows import each_row
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Request,
    StopReason,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    ToolCallStarted,
    Usage,
)
from todo_tui.domain.task import JsonValue

Kind = ProviderErrorKind

MILK = '{"title": "Milk"}'
EGGS = '{"title": "Eggs"}'


async def failure_of(*events: Event | bytes, asked: Request | None = None) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await read(*events, asked=asked)
    return caught.value


async def calls_of(*blocks: list[Event]) -> list[tuple[str, str, str]]:
    last = completed(await read(start(), *chain(*blocks), *stop("tool_use")))
    assert last.stop is StopReason.TOOL_CALLS
    return [(each.id, each.name, each.arguments) for each in last.message.tool_calls]


async def test_an_answer_streams_in_words_with_its_thoughts_and_its_usage() -> None:
    events = await read(
        start(
            input_tokens=20,
            cache_read_input_tokens=1000,
            cache_creation_input_tokens=300,
            output_tokens=1,
        ),
        *thinking(0, "They want ", "milk."),
        *text(1, "Milk is ", "on your list."),
        *stop(usage={"output_tokens": 30, "output_tokens_details": {"thinking_tokens": 10}}),
    )
    assert words(events) == "Milk is on your list."
    assert thoughts(events) == "They want milk."
    last = completed(events)
    thought, said = last.message.parts
    assert isinstance(thought, Thinking)
    assert thought.text == "They want milk."
    assert thought.meta["signature"] == "c2lnbmVk"
    assert said == Text("Milk is on your list.")
    assert last.message.origin == "anthropic:m"
    assert last.stop is StopReason.END
    assert last.usage == Usage(
        input_tokens=1320,
        cached_tokens=1000,
        output_tokens=30,
        thinking_tokens=10,
        cache_written_tokens=300,
    )


async def test_calls_come_in_fragments_several_at_once() -> None:
    events = await read(
        start(),
        *text(0, "One moment."),
        *call(1, "add_task", "", '{"title":', ' "Milk"}'),
        *call(2, "add_task", EGGS, call_id="toolu_02"),
        *stop("tool_use"),
    )
    last = completed(events)
    assert [each.name for each in events if isinstance(each, ToolCallStarted)] == ["add_task"] * 2
    assert last.message.parts == (
        Text("One moment."),
        ToolCall("toolu_01", "add_task", MILK),
        ToolCall("toolu_02", "add_task", EGGS),
    )
    assert last.stop is StopReason.TOOL_CALLS


@each_row(
    ("whole", "arguments"), [({"title": "Milk"}, MILK), (MILK, MILK), ({}, "{}"), (None, "{}")]
)
async def test_arguments_that_come_at_once_are_read_whatever_they_are(
    whole: JsonValue, arguments: str
) -> None:
    begun = block(0, "tool_use", id="toolu_01", name="add_task", input=whole)
    assert await calls_of(begun) == [("toolu_01", "add_task", arguments)]


ONE_CALL: dict[str, list[list[Event]]] = {
    "the block again": [call(0, "add_task", MILK), call(1, "add_task", '{ "title":"Milk" }')],
    "again at its index": [call(0, "add_task", MILK), call(0, "add_task", MILK)],
    "again without an id": [call(0, "add_task", MILK), call(1, "add_task", MILK, call_id="")],
    "again as a whole": [
        call(0, "add_task", MILK),
        block(1, "tool_use", id="toolu_01", name="add_task", input={"title": "Milk"}),
    ],
    "whole and in fragments": [
        block(
            0,
            "tool_use",
            event("input_json_delta", partial_json=MILK),
            id="toolu_01",
            name="add_task",
            input={"title": "Milk"},
        )
    ],
    "{} first": [call(0, "add_task", "{}", MILK[:4], MILK[4:])],
    "begun twice, with another id": [
        call(0, "add_task", call_id="toolu_01")[:1],
        call(0, "", MILK, call_id="toolu_02"),
    ],
    "name in halves": [call(0, "add_")[:1], call(0, "task", MILK)],
    "id before the name": [call(0, "")[:1], call(0, "add_task", MILK, call_id="")],
    "name in one block, arguments in another": [call(0, "add_task"), call(1, "", MILK)],
    "decorated": [call(0, "functions.add_task", MILK)],
}


@each_row("case", ONE_CALL)
async def test_a_call_that_is_repeated_or_sent_in_pieces_is_one(case: str) -> None:
    (found,) = await calls_of(*ONE_CALL[case])
    assert (found[0], found[1], json.loads(found[2])) == ("toolu_01", "add_task", {"title": "Milk"})


async def test_equal_calls_with_ids_of_their_own_are_two() -> None:
    calls = await calls_of(call(0, "add_task", MILK), call(1, "add_task", MILK, call_id="toolu_02"))
    assert [each[0] for each in calls] == ["toolu_01", "toolu_02"]


async def test_a_complete_answer_without_an_end_ends_with_the_marker() -> None:
    events = (start(), *text(0, "Hi"), *call(1, "add_task", MILK))
    last = completed(await read(*events, b"data: [DONE]\n\n"))
    assert (last.message.text, len(last.message.tool_calls)) == ("Hi", 1)
    assert (await failure_of(*events)).kind is Kind.TRUNCATED


async def test_blocks_that_share_an_index_are_kept_apart() -> None:
    calls = await calls_of(
        call(0, "add_task", MILK, call_id="toolu_01"), call(0, "add_task", EGGS, call_id="toolu_02")
    )
    assert [arguments for _, _, arguments in calls] == [MILK, EGGS]


async def test_blocks_may_grow_side_by_side() -> None:
    (begun, more, ended), (begun2, more2, ended2) = (
        call(0, "add_task", MILK),
        call(1, "add_task", EGGS, call_id="toolu_02"),
    )
    calls = await calls_of([begun, begun2, more2, more, ended, ended2])
    assert [arguments for _, _, arguments in calls] == [MILK, EGGS]


async def test_thoughts_without_words_and_hidden_ones_are_kept_with_their_seals() -> None:
    events = await read(
        start(),
        *thinking(0),
        *block(1, "redacted_thinking", data="aGlkZGVu"),
        *call(2, "list_tasks"),
        *stop("tool_use"),
    )
    empty, hidden, _ = completed(events).message.parts
    assert isinstance(empty, Thinking)
    assert isinstance(hidden, Thinking)
    assert (empty.text, empty.meta["signature"]) == ("", "c2lnbmVk")
    assert (hidden.text, hidden.meta["redacted"]) == ("", "aGlkZGVu")
    assert thoughts(events) == ""


async def test_thoughts_without_a_signature_are_shown_and_not_kept_for_the_server() -> None:
    events = await read(start(), *thinking(0, "Hm.", signature=""), *text(1, "Hi."), *stop())
    assert thoughts(events) == "Hm."
    assert completed(events).message.parts == (Thinking("Hm."), Text("Hi."))


@each_row(
    ("reason", "expected"),
    [
        ("end_turn", StopReason.END),
        ("stop_sequence", StopReason.END),
        ("tool_use", StopReason.END),
        ("something_new", StopReason.END),
        ("max_tokens", StopReason.LENGTH),
        ("model_context_window_exceeded", StopReason.LENGTH),
        ("pause_turn", StopReason.PAUSED),
    ],
)
async def test_each_stop_reason_is_one_of_ours(reason: str, expected: StopReason) -> None:
    assert completed(await read(start(), *text(0, "Hi."), *stop(reason))).stop is expected


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("end_turn", StopReason.TOOL_CALLS),
        ("pause_turn", StopReason.TOOL_CALLS),
        ("max_tokens", StopReason.LENGTH),
    ],
)
async def test_a_message_with_calls_waits_for_their_results(
    reason: str, expected: StopReason
) -> None:
    assert completed(await read(start(), *call(0, "add_task", MILK), *stop(reason))).stop is (
        expected
    )


async def test_a_pause_may_have_nothing_to_say() -> None:
    assert completed(await read(start(), *stop("pause_turn"))).stop is StopReason.PAUSED


async def test_a_refusal_is_told_with_its_explanation() -> None:
    details: JsonValue = {"type": "refusal", "category": "cyber", "explanation": "Not this."}
    ending = event("message_delta", delta={"stop_reason": "refusal", "stop_details": details})
    error = await failure_of(start(), *text(0, "Let me"), ending, event("message_stop"))
    assert error.kind is Kind.REFUSED
    assert "Not this" in error.message
    assert not error.retryable


async def test_a_refusal_needs_no_explanation() -> None:
    error = await failure_of(start(), *stop("refusal"))
    assert error.kind is Kind.REFUSED


async def test_a_window_that_is_full_before_a_word_is_a_conversation_that_is_too_long() -> None:
    error = await failure_of(start(), *stop("model_context_window_exceeded"))
    assert error.kind is Kind.CONTEXT_TOO_LONG


@each_row(
    "events",
    [
        text(0, "Milk is"),
        [*text(0, "Milk is"), *stop(None)[:1]],
        call(0, "add_task", MILK),
        [*call(0, "add_task", MILK[:5]), *stop()[1:]],
        stop()[1:],
    ],
)
async def test_a_stream_that_does_not_end_as_it_should_is_truncated(events: list[Event]) -> None:
    error = await failure_of(start(), *events)
    assert error.kind is Kind.TRUNCATED
    assert error.retryable


@pytest.mark.parametrize(
    "ending",
    [stop(None), stop()[:1], stop()[1:]],
    ids=["no reason", "no message_stop", "no message_delta"],
)
async def test_a_whole_message_needs_one_of_its_two_ends(ending: list[Event]) -> None:
    assert completed(await read(start(), *text(0, "Hi"), *ending)).message.text == "Hi"
    last = completed(await read(start(), *call(0, "add_task", MILK), *ending))
    assert [each.name for each in last.message.tool_calls] == ["add_task"]
    assert last.stop is StopReason.TOOL_CALLS


async def test_every_event_is_a_sign_of_life_pings_included() -> None:
    events = await read(
        event("ping"),
        start(),
        *thinking(0),
        event("ping"),
        *block(
            1, "server_tool_use", event("input_json_delta", partial_json="{}"), id="s", name="x"
        ),
        event("something_new"),
        *text(2, "Hi."),
        *stop(),
    )
    assert events[:-1] == [*[TextDelta("")] * 11, TextDelta("Hi."), *[TextDelta("")] * 3]
    assert completed(events).message.text == "Hi."


async def test_a_silent_stream_with_pings_is_heard_while_it_lasts() -> None:
    more = asyncio.Event()

    async def play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head, _, rest = stream(start(), event("ping")).partition(b"\r\n\r\n")
        writer.write(head + b"\r\n\r\n" + rest)
        await writer.drain()
        await more.wait()
        writer.write(stream(*text(0, "Hi."), *stop()).partition(b"\r\n\r\n")[2])

    async with wire_server(play) as server:
        provider = messages_provider(server.url)
        heard = []
        async for each in provider.stream(request()):
            heard.append(each)
            if len(heard) == 2:
                more.set()
        await provider.aclose()
    assert completed(heard).message.text == "Hi."


@pytest.mark.parametrize("reported", ["start", "end", "both"])
async def test_tokens_are_counted_wherever_a_server_reports_them(reported: str) -> None:
    counts: Event = {"input_tokens": 20, "cache_read_input_tokens": 5, "output_tokens": 7}
    zeros: Event = {"input_tokens": 0, "cache_read_input_tokens": None, "output_tokens": 1}
    begun = counts if reported != "end" else zeros
    ended = counts if reported != "start" else zeros
    last = completed(await read(start(**begun), *text(0, "Hi."), *stop(usage=ended)))
    assert last.usage == Usage(input_tokens=25, cached_tokens=5, output_tokens=7)


async def test_halves_of_a_character_are_joined_across_deltas() -> None:
    events = await read(
        start(),
        *thinking(0, "\ud83e", "\udd14"),
        *text(1, "Milk \ud83e", "\udd5b", " and \ud83e"),
        *text(2, "\udd5b"),
        *call(3, "add_task", '{"title": "\ud83e', '\udd5b"}'),
        *stop("tool_use"),
    )
    message = completed(events).message
    assert thoughts(events) == "🤔"
    assert words(events) == message.text == "Milk 🥛 and \ufffd\ufffd"
    assert message.tool_calls[0].arguments == '{"title": "🥛"}'


async def test_a_block_that_was_never_closed_is_read_to_its_end() -> None:
    events = await read(start(), *text(0, "Milk \ud83e")[:-1], *stop())
    assert words(events) == completed(events).message.text == "Milk \ufffd"


async def test_a_block_that_was_never_opened_is_read_too() -> None:
    events = await read(start(), *thinking(0, "Hm.")[1:], *text(1, "Milk.")[1:], *stop())
    assert (thoughts(events), words(events)) == ("Hm.", "Milk.")
    events = await read(start(), *call(0, "add_task", MILK)[1:], *stop("tool_use"))
    assert [(each.name, each.arguments) for each in completed(events).message.tool_calls] == [
        ("", MILK)
    ]


async def test_a_whole_message_in_place_of_a_stream_is_read_too() -> None:
    whole = {
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
            {"type": "text", "text": "One moment."},
            {"type": "tool_use", "id": "toolu_01", "name": "add_task", "input": {"title": "Milk"}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 20, "output_tokens": 7},
    }
    events = await read_play(http(json.loads(json.dumps(whole))))
    last = completed(events)
    assert thoughts(events) == "Hm."
    assert last.message.parts[1:] == (
        Text("One moment."),
        ToolCall("toolu_01", "add_task", MILK),
    )
    assert last.stop is StopReason.TOOL_CALLS
    assert last.usage == Usage(input_tokens=20, output_tokens=7)


@each_row("odd", [{}, [], "hello", 7, None, {"content": 5}, {"type": "message"}])
async def test_any_other_json_in_place_of_a_stream_is_no_answer(odd: JsonValue) -> None:
    with pytest.raises(ProviderError) as caught:
        await read_play(http(odd))
    assert caught.value.kind is Kind.TRUNCATED


async def test_events_without_names_are_told_by_their_types() -> None:
    raw = [f"data: {json.dumps(each)}\n\n".encode() for each in (start(), *text(0, "Hi."), *stop())]
    assert completed(await read(*raw, b": comment\n\n", b"data: [DONE]\n\n")).message.text == "Hi."


async def test_a_person_s_own_provider_may_speak_the_format() -> None:
    async with wire_server(stream(start(), *text(0, "Hi."), *stop())) as server:
        events = await collect(own_provider(server.url))
    last = completed(events)
    assert last.message.origin == "mine:glm-5"
    assert "x-api-key" in server.received[0].headers
    assert server.received[0].line == "POST /v1/messages HTTP/1.1"
