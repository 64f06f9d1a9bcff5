"""Streams of real chat completions servers, read by the real SDKs over a real socket."""

from __future__ import annotations

import json

import pytest

from tests.providers.wire import (
    answered,
    chat_body_of,
    collect,
    completed,
    delta,
    fragment,
    http,
    provider_at,
    request,
    sse,
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
    ToolMode,
    Usage,
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.wire_formats.chat_completions import DIALECTS

Kind = ProviderErrorKind

MILK = '{"title": "Milk"}'
EGGS = '{"title": "Eggs"}'
STOP = delta("stop")
ROWS = ("groq", "gemini", "ollama", "local")

every_row = pytest.mark.parametrize("row_id", ROWS)


async def calls_of(*chunks: JsonValue, row_id: str = "gemini") -> list[ToolCall]:
    last = completed(await answered(sse(*chunks), row_id=row_id))
    assert last.stop is StopReason.TOOL_CALLS
    return list(last.message.tool_calls)


def brief(calls: list[ToolCall]) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in calls]


@every_row
async def test_calls_stream_in_fragments_by_index(row_id: str) -> None:
    calls = await calls_of(
        delta(role="assistant", content=None),
        delta(tool_calls=[fragment("add_task", "", index=0, id="call_a")]),
        delta(tool_calls=[fragment(None, MILK[:5], index=0)]),
        delta(tool_calls=[fragment("add_task", EGGS[:9], index=1, id="call_b")]),
        delta(tool_calls=[fragment(None, MILK[5:], index=0)]),
        delta(tool_calls=[fragment(None, EGGS[9:], index=1)]),
        delta("tool_calls"),
        row_id=row_id,
    )
    assert [(call.id, call.arguments) for call in calls] == [("call_a", MILK), ("call_b", EGGS)]


@each_row("index", [{}, {"index": None}, {"index": 0}])
@each_row("ids", [("a", "b"), ("", ""), (None, None)])
@every_row
async def test_parallel_calls_without_index_or_with_one_for_all_stay_apart(
    row_id: str, index: dict[str, JsonValue], ids: tuple[JsonValue, JsonValue]
) -> None:
    calls = await calls_of(
        delta(tool_calls=[fragment("add_task", MILK, id=ids[0], **index)]),
        delta(tool_calls=[fragment("add_task", EGGS, id=ids[1], **index)]),
        STOP,
        row_id=row_id,
    )
    assert brief(calls) == [("add_task", MILK), ("add_task", EGGS)]


async def test_parallel_calls_in_one_delta_stay_apart() -> None:
    calls = await calls_of(
        delta(tool_calls=[fragment("add_task", MILK, index=0), fragment("undo", "{}", index=0)]),
        STOP,
    )
    assert brief(calls) == [("add_task", MILK), ("undo", "{}")]


async def test_a_server_that_repeats_id_and_name_in_each_fragment_makes_one_call() -> None:
    head: dict[str, JsonValue] = {"index": 0, "id": "call_a"}
    calls = await calls_of(
        delta(tool_calls=[fragment("add_task", MILK[:4], **head)]),
        delta(tool_calls=[fragment("add_task", MILK[4:], **head)]),
        delta(tool_calls=[fragment("add_task", "", **head)]),
        STOP,
    )
    assert brief(calls) == [("add_task", MILK)]


async def test_arguments_may_come_as_an_object() -> None:
    calls = await calls_of(delta(tool_calls=[fragment("add_task", {"title": "Äpfel"})]), STOP)
    assert brief(calls) == [("add_task", '{"title": "Äpfel"}')]


async def test_each_call_is_announced_once_as_its_name_arrives() -> None:
    events = await answered(
        sse(
            delta(content="Let me see."),
            delta(tool_calls=[fragment("add_task", MILK[:3], index=0, id="a")]),
            delta(tool_calls=[fragment(None, MILK[3:], index=0)]),
            STOP,
        ),
        row_id="gemini",
    )
    assert events[:2] == [TextDelta("Let me see."), ToolCallStarted("add_task")]
    assert completed(events).message.parts[0] == Text("Let me see.")


@every_row
async def test_a_call_that_takes_long_to_write_is_no_silence(row_id: str) -> None:
    begun = delta(tool_calls=[fragment("add_task", "", index=0)])
    pieces = [delta(tool_calls=[fragment(None, letter, index=0)]) for letter in MILK]
    events = await answered(sse(begun, *pieces, STOP), row_id=row_id)
    assert brief(list(completed(events).message.tool_calls)) == [("add_task", MILK)]
    assert events.count(TextDelta("")) >= len(pieces)  # the chunks at both ends are heard of too
    assert not words(events)


@each_row("title", ["Milk", '"}{', "\\", '\\"}', "a {b} [c]"])
async def test_calls_of_one_name_are_told_apart_however_they_are_cut(title: str) -> None:
    written = json.dumps({"title": title})
    for size in (1, 2, 3):
        expected = [("add_task", written), ("add_task", EGGS)]
        pieces = [each[at : at + size] for _, each in expected for at in range(0, len(each), size)]
        chunks = [delta(tool_calls=[fragment("add_task", each)]) for each in pieces]
        assert brief(await calls_of(*chunks, STOP)) == expected


def head(
    name: str | None = "add_task", arguments: JsonValue = "", **members: JsonValue
) -> JsonValue:
    """Build a chunk with one fragment of a call."""
    return delta(tool_calls=[fragment(name, arguments, **members)])


SPACED = '{ "title":"Milk" }'
ONE_CALL: dict[str, tuple[JsonValue, ...]] = {
    "whole call again": (
        head(index=0, id="a"), head(None, MILK, index=0), head("add_task", MILK, index=0, id="a")
    ),
    "again without an id": (
        head("add_task", MILK, index=0, id="a"), head("add_task", MILK, index=0)
    ),
    "again, written otherwise": (
        head("add_task", MILK, index=0, id="a"), head("add_task", SPACED, index=0, id="a")
    ),
    "again as an object": (
        head("add_task", MILK, index=0, id="a"),
        head("add_task", {"title": "Milk"}, index=0, id="a"),
    ),
    "arguments again": (head("add_task", MILK, index=0, id="a"), head(None, SPACED, index=0)),
    "at another index": (
        head("add_task", MILK, index=0, id="a"), head("add_task", MILK, index=1, id="a")
    ),
    "no ids at all": (head("add_task", MILK), head("add_task", MILK)),
    "decorated the second time": (
        head("add_task", MILK, index=0, id="a"), head("functions.add_task", MILK, index=0, id="a")
    ),
    "another id with the arguments": (
        head(index=0, id="a"), head(None, MILK[:5], index=0, id="b"),
        head(None, MILK[5:], index=0, id="b"),
    ),
    "a new id in each fragment": (
        head("add_task", MILK[:5], index=0, id="a"), head(None, MILK[5:9], index=0, id="b"),
        head(None, MILK[9:], index=0, id="c"),
    ),
    "a new id and the name in each fragment": (
        head("add_task", MILK[:5], index=0, id="a"), head("add_task", MILK[5:9], index=0, id="b"),
        head("add_task", MILK[9:], index=0, id="c"),
    ),
    "a new index with the arguments": (head(index=0, id="a"), head(None, MILK, index=1)),
    "id before the name": (head(None, None, index=0, id="a"), head("add_task", MILK, index=0)),
    "name before the id": (
        head(index=0), head(None, "", index=0, id="a"), head(None, MILK, index=0)
    ),
    "name in halves": (
        head("add_", index=0, id="a"), head("task", index=0), head(None, MILK, index=0)
    ),
    "name in halves that repeat the id": (
        head("add_", index=0, id="a"), head("task", MILK, index=0, id="a")
    ),
    "decorated name in pieces": (
        head("functions", index=0, id="a"), head(".", index=0), head("add_", index=0),
        head("task", MILK, index=0),
    ),
    "name that grows": (head("add_", index=0, id="a"), head("add_task", MILK, index=0)),
    "{} first": (head("add_task", "{}", index=0, id="a"), head(None, MILK, index=0)),
    "{} first in pieces": (
        head("add_task", "{", index=0, id="a"), head(None, "} ", index=0), head(None, MILK, index=0)
    ),
    "{} first, as an object": (head("add_task", {}, index=0, id="a"), head(None, MILK, index=0)),
    "{} first with the name again": (
        head("add_task", "{}", index=0, id="a"), head("add_task", MILK, index=0, id="a")
    ),
    "whole call again in pieces": (
        head("add_task", MILK, index=0, id="a"), head(index=0, id="a"), head(None, MILK, index=0)
    ),
    "whole call again in pieces without ids": (
        head(index=0), head(None, MILK, index=0), head(index=0), head(None, MILK[:5], index=0),
        head(None, MILK[5:], index=0),
    ),
    "name again at the end": (head("add_task", MILK, index=0), head(index=0)),
    "{} last": (head("add_task", MILK, index=0, id="a"), head("add_task", "{}", index=0, id="a")),
}  # fmt: skip
"""Chunks of one call, in the forms that servers and proxies send."""


@each_row("case", ONE_CALL)
@every_row
async def test_a_call_that_is_repeated_or_sent_in_pieces_is_one(row_id: str, case: str) -> None:
    (call,) = await calls_of(*ONE_CALL[case], STOP, row_id=row_id)
    assert (call.name, json.loads(call.arguments)) == ("add_task", {"title": "Milk"})


TWO_CALLS: dict[str, tuple[JsonValue, ...]] = {
    "one id": (
        head("add_task", MILK, index=0, id="a"), head("add_task", EGGS, index=1, id="a")
    ),
    "one id and index": (
        head("add_task", MILK, index=0, id="a"), head("add_task", EGGS, index=0, id="a")
    ),
    "ids at one index": (
        head(index=0, id="0"), head(None, MILK, index=0, id="0"),
        head(index=0, id="1"), head(None, EGGS, index=0, id="1"),
    ),
    "ids before names at one index": (
        head(None, None, index=0, id="a"), head("add_task", MILK, index=0),
        head(None, None, index=0, id="b"), head("add_task", EGGS, index=0),
    ),
    "no ids": (head("add_task", MILK), head("add_task", EGGS)),
    "one id, both in pieces": (
        head(index=0, id="a"), head(None, MILK, index=0),
        head(index=0, id="a"), head(None, EGGS, index=0),
    ),
    "one id, the second in pieces": (
        head("add_task", MILK, index=0, id="a"), head(index=0, id="a"),
        head(None, EGGS[:5], index=0), head(None, EGGS[5:], index=0),
    ),
    "one id in each piece": (
        head("add_task", MILK, index=0, id="a"), head(index=0, id="a"),
        head(None, EGGS[:5], index=0, id="a"), head(None, EGGS[5:], index=0, id="a"),
    ),
    "an id only at first": (
        head("add_task", MILK, index=0, id="a"), head(index=0), head(None, EGGS, index=0)
    ),
    "no ids, both in pieces": (
        head(index=0), head(None, MILK, index=0), head(index=0), head(None, EGGS, index=0)
    ),
    "no index, the second in pieces": (
        head("add_task", MILK), head(), head(None, EGGS[:5]), head(None, EGGS[5:])
    ),
}  # fmt: skip


@each_row("case", TWO_CALLS)
@every_row
async def test_calls_with_other_arguments_are_two(row_id: str, case: str) -> None:
    calls = await calls_of(*TWO_CALLS[case], STOP, row_id=row_id)
    assert brief(calls) == [("add_task", MILK), ("add_task", EGGS)]


@every_row
async def test_equal_calls_with_ids_of_their_own_are_two(row_id: str) -> None:
    chunks = (head("add_task", MILK, index=n, id=each) for n, each in enumerate("ab"))
    assert len(await calls_of(*chunks, STOP, row_id=row_id)) == 2


@every_row
async def test_a_call_without_arguments_ends_where_another_name_begins(row_id: str) -> None:
    calls = await calls_of(head("complete_task"), head("add_task", MILK), STOP, row_id=row_id)
    assert brief(calls) == [("complete_task", "{}"), ("add_task", MILK)]


async def test_other_arguments_without_a_name_are_no_json_for_the_tool() -> None:
    calls = await calls_of(head("add_task", MILK, index=0), head(None, EGGS, index=0), STOP)
    assert brief(calls) == [("add_task", MILK + EGGS)]


@each_row(
    ("name", "resolved"),
    [
        ("functions.add_task", "add_task"),
        ("add_task<|channel|>commentary", "add_task"),
        ("default_api:add_task", "add_task"),
        ("default_api.add_task", "add_task"),
        ("functions.add_task:0", "add_task"),
        ("mcp__todo__add_task", "add_task"),
        ("add_task ", "add_task"),
        ("add_task()", "add_task"),
        ("`add_task`", "add_task"),
        ("send_mail", "send_mail"),
        ("functions.send_mail", "functions.send_mail"),
        ("add_task.complete_task", "add_task.complete_task"),
        ("add_tasks", "add_tasks"),
        ("", ""),
    ],
)
@every_row
async def test_a_decorated_name_is_that_of_the_one_tool_in_it(
    row_id: str, name: str, resolved: str
) -> None:
    (call,) = await calls_of(head(name, MILK, index=0, id="a"), STOP, row_id=row_id)
    assert call.name == resolved


@each_row(
    "ending",
    [
        (
            delta("stop", content="!"),
            {"choices": [{"message": {"content": "Hello!"}, "finish_reason": "stop"}]},
        ),
        (
            delta(content="!"),
            {"choices": [{"message": {"content": "Hello!"}, "finish_reason": "stop"}]},
        ),
        ({"choices": [{"delta": {}, "message": {"content": "Hello!"}, "finish_reason": "stop"}]},),
        (
            {
                "choices": [
                    {"message": {"content": "Hello!", "reasoning": "hm"}, "finish_reason": "stop"}
                ]
            },
        ),
        (
            {
                "choices": [
                    {
                        "delta": {"content": "!"},
                        "message": {"content": "Hello!"},
                        "finish_reason": "stop",
                    }
                ]
            },
        ),
    ],
)
@every_row
async def test_a_message_that_repeats_its_deltas_adds_nothing(
    row_id: str, ending: tuple[JsonValue, ...]
) -> None:
    begun = (delta(reasoning="h"), delta(reasoning="m"), delta(content="Hel"), delta(content="lo"))
    events = await answered(sse(*begun, *ending), row_id=row_id)
    assert words(events) == completed(events).message.text == "Hello!"
    assert thoughts(events) == completed(events).message.thinking == "hm"


@every_row
async def test_messages_in_place_of_deltas_are_joined(row_id: str) -> None:
    pieces: list[JsonValue] = [{"choices": [{"message": {"content": "ha"}}]} for _ in range(3)]
    events = await answered(sse(*pieces, STOP), row_id=row_id)
    assert words(events) == completed(events).message.text == "hahaha"


FULL, TEXT = head("add_task", MILK, index=0, id="a"), delta(content="Hello!")


@each_row(
    "chunks",
    [(FULL,), (TEXT,), (TEXT, delta("")), (head("complete_task", index=0),), (TEXT, FULL)],
)
@every_row
async def test_a_complete_answer_without_a_finish_reason_ends_with_its_marker(
    row_id: str, chunks: tuple[JsonValue, ...]
) -> None:
    message = completed(await answered(sse(*chunks), row_id=row_id)).message
    assert message.tool_calls or message.text == "Hello!"
    with pytest.raises(ProviderError) as caught:
        await answered(sse(*chunks, done=False), row_id=row_id)
    assert caught.value.kind is Kind.TRUNCATED


@pytest.mark.parametrize(
    "chunks", [(), (head("add_task", MILK[:5], index=0),), (delta(reasoning_content="hm"),)]
)
async def test_a_marker_alone_completes_nothing(chunks: tuple[JsonValue, ...]) -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(sse(delta(role="assistant"), *chunks))
    assert caught.value.kind is Kind.TRUNCATED


@each_row(
    "chunks",
    [
        (delta(reasoning_content="Two tasks."),),
        (delta(content="<think>Two tasks."),),
        (delta(reasoning_details=[{"type": "reasoning.text", "text": "Two tasks."}]),),
        (delta(reasoning_details=[{"type": "reasoning.summary", "summary": "Two tasks."}]),),
        (
            delta(reasoning="Two ", reasoning_details=[{"text": "Two "}]),
            delta(reasoning="tasks.", reasoning_details=[{"text": "tasks."}]),
        ),
        (
            delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "Two "}]}]),
            delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "tasks."}]}]),
        ),
    ],
)
@every_row
async def test_thinking_alone_is_an_answer(row_id: str, chunks: tuple[JsonValue, ...]) -> None:
    last = completed(await answered(sse(*chunks, STOP), row_id=row_id))
    assert last.message.parts == (Thinking("Two tasks."),)


SIGNATURE: JsonValue = {"google": {"thought_signature": "c2lnbmVk"}}


@pytest.mark.parametrize(
    "chunks",
    [
        [delta(tool_calls=[fragment("add_task", MILK, index=0, extra_content=SIGNATURE)])],
        [
            delta(tool_calls=[fragment("add_task", MILK, index=0)]),
            delta(tool_calls=[{"index": 0, "extra_content": SIGNATURE}]),
        ],
        [delta(tool_calls=[fragment("add_task", MILK)]), delta(extra_content=SIGNATURE)],
    ],
)
async def test_a_thought_signature_is_kept_and_echoed_to_its_origin_alone(
    chunks: list[JsonValue],
) -> None:
    last = completed(await answered(sse(*chunks, STOP), row_id="gemini"))
    assert len(last.message.tool_calls) == 1
    asked = Request("", (*request().messages, last.message))
    origins = {"gemini:m": SIGNATURE, "gemini:other": None}
    for origin, expected in origins.items():
        sent = chat_body_of(asked, DIALECTS["gemini"], origin)["messages"][-1]["tool_calls"]
        assert isinstance(sent, list)
        assert isinstance(sent[0], dict)
        assert (sent[0]["extra_content"] == SIGNATURE) is (expected is not None)
    elsewhere = chat_body_of(asked, DIALECTS["groq"], "gemini:m")["messages"]
    assert "extra_content" not in json.dumps(elsewhere)


@every_row
async def test_a_character_split_between_deltas_arrives_whole(row_id: str) -> None:
    # json.dumps escapes: the server sends \ud83d and \ude00 in two chunks.
    events = await answered(
        sse(delta(content="ok \ud83d"), delta(content="\ude00"), delta(content="\ud83d"), STOP),
        row_id=row_id,
    )
    assert words(events) == completed(events).message.text == "ok 😀\ufffd"


@each_row("name", ["reasoning", "reasoning_content"])
@every_row
async def test_reasoning_is_thinking_and_never_sent_back(row_id: str, name: str) -> None:
    events = await answered(sse(delta(**{name: "hm "}), delta(content="Hi"), STOP), row_id=row_id)
    message = completed(events).message
    assert thoughts(events) == "hm "
    assert message.parts == (Thinking("hm "), Text("Hi"))
    sent = chat_body_of(Request("", (message,)), DIALECTS[row_id], message.origin or "")
    assert sent["messages"] == [{"role": "assistant", "content": "Hi"}]


@pytest.mark.parametrize("choices", [None, [], "none"])
async def test_chunks_without_choices_are_passed_over(choices: JsonValue) -> None:
    odd: JsonValue = {"id": "c", "choices": choices}
    events = await answered(sse(odd, delta(content="Hi"), odd, STOP, odd))
    assert completed(events).message.text == "Hi"


async def test_usage_is_read_from_where_groq_puts_it() -> None:
    usage: JsonValue = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    last: JsonValue = {"id": "c", "choices": [], "x_groq": {"id": "req", "usage": usage}}
    events = await answered(sse(delta(content="Hi"), STOP, last), row_id="groq")
    assert completed(events).usage == Usage(9, 0, 2, 0)


@pytest.mark.parametrize("name", ["prompt_cache_hit_tokens", "cached_tokens"])
async def test_cached_tokens_are_counted_wherever_a_server_has_them(name: str) -> None:
    usage: JsonValue = {"prompt_tokens": 9, "completion_tokens": 2, name: 8}
    stream = sse(delta(content="Hi"), STOP, {"id": "c", "choices": [], "usage": usage})
    assert completed(await answered(stream)).usage == Usage(9, 8, 2, 0)


async def test_thoughts_that_only_the_total_counts_are_output() -> None:
    usage: JsonValue = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 40}
    stream = sse(delta(content="Hi"), STOP, {"id": "c", "choices": [], "usage": usage})
    assert completed(await answered(stream, row_id="gemini")).usage == Usage(9, 0, 31, 29)


@each_row(
    ("finish", "kind"),
    [
        ("content_filter", Kind.REFUSED),
        ("SAFETY", Kind.REFUSED),
        ("function_call_filter: MALFORMED_FUNCTION_CALL", Kind.MALFORMED),
        ("error", Kind.MALFORMED),
    ],
)
async def test_a_finish_that_is_a_failure_is_an_error(finish: str, kind: Kind) -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(sse(delta(content="I"), delta(finish)), row_id="gemini")
    assert caught.value.kind is kind


async def test_a_refusal_is_an_error_with_the_models_words() -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(sse(delta(refusal="I cannot "), delta(refusal="do that."), STOP))
    assert caught.value.kind is Kind.REFUSED
    assert str(caught.value) == "Local server declined to answer: I cannot do that."


@each_row(
    ("error", "kind"),
    [
        ({"message": "Overloaded", "type": "overloaded_error"}, Kind.OVERLOADED),
        ({"message": "slow down", "code": "rate_limit_exceeded"}, Kind.RATE_LIMIT),
        ({"message": "Internal", "code": 500, "type": "server_error"}, Kind.OVERLOADED),
        ({"message": "too long", "code": "context_length_exceeded"}, Kind.CONTEXT_TOO_LONG),
        ({"message": "something else"}, Kind.TRUNCATED),
        ("gone", Kind.TRUNCATED),
    ],
)
@every_row
async def test_an_error_in_mid_stream_is_an_error(
    row_id: str, error: JsonValue, kind: Kind
) -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(sse(delta(content="Both"), {"error": error}, done=False), row_id=row_id)
    assert caught.value.kind is kind


async def test_an_error_that_groq_hides_in_its_own_field_is_an_error() -> None:
    chunk: JsonValue = {"id": "c", "choices": [], "x_groq": {"error": "stopped early"}}
    with pytest.raises(ProviderError) as caught:
        await answered(sse(delta(content="Both"), chunk, STOP), row_id="groq")
    assert str(caught.value) == "Groq stopped in the middle of its answer: stopped early."


@each_row(
    "failed",
    [
        '<function=add_task>{"title": "Milk"}</function>',
        '<function=add_task{"title": "Milk"}</function>',
        '{"name": "add_task", "parameters": {"title": "Milk"}}',
        '[{"name": "add_task", "arguments": {"title": "Milk"}}]',
        '<tool_call>\n{"name": "add_task", "arguments": {"title": "Milk"}}\n</tool_call>',
        'I will add it. <function=add_task>{"title": "Milk"}</function>',
        '{"name": "add_task<|channel|>commentary", "arguments": {"title": "Milk"}}',
        "<tool_call><function=add_task><parameter=title>Milk</parameter></function></tool_call>",
    ],
)
@each_row("streamed", [False, True])
async def test_a_call_that_groq_could_not_read_is_read_here(failed: str, *, streamed: bool) -> None:
    error: JsonValue = {
        "message": "Failed to call a function. Please adjust your prompt.",
        "type": "invalid_request_error",
        "code": "tool_use_failed",
        "failed_generation": failed,
    }
    body: JsonValue = {"error": error}
    whole = http(body, status="400 Bad Request")
    midway = sse(delta(content="Sure. "), body, done=False)
    last = completed(await answered(midway if streamed else whole, row_id="groq"))
    assert brief(list(last.message.tool_calls)) == [("add_task", MILK)]
    assert last.stop is StopReason.TOOL_CALLS
    assert last.message.text == ("Sure. " if streamed else "")


async def test_a_call_in_the_older_form_is_a_call() -> None:
    first: JsonValue = {"name": "add_task", "arguments": '{"title":'}
    last: JsonValue = {"arguments": ' "Milk"}'}
    stream = sse(delta(function_call=first), delta("function_call", function_call=last))
    answer = completed(await answered(stream))
    assert brief(list(answer.message.tool_calls)) == [("add_task", MILK)]
    assert answer.stop is StopReason.TOOL_CALLS


async def test_of_calls_that_failed_in_mid_stream_each_runs_once() -> None:
    generation = (
        f'<function=add_task>{MILK}</function><function=add_task>{{"title": "B"}}</function>'
    )
    body: JsonValue = {
        "error": {"code": "tool_use_failed", "message": "no", "failed_generation": generation}
    }
    begun = [fragment("add_task", MILK, index=0, id="c1"), fragment("add_task", '{"ti', index=1)]
    events = await answered(sse(delta(tool_calls=begun), body, done=False), row_id="groq")
    assert brief(list(completed(events).message.tool_calls)) == [
        ("add_task", MILK), ("add_task", '{"title": "B"}'),
    ]  # fmt: skip


async def test_a_failed_call_that_nobody_can_read_is_worth_one_more_try() -> None:
    body: JsonValue = {
        "error": {"message": "Failed", "code": "tool_use_failed", "failed_generation": "<func"}
    }
    with pytest.raises(ProviderError) as caught:
        await answered(http(body, status="400 Bad Request"), row_id="groq")
    assert caught.value.kind is Kind.MALFORMED
    assert caught.value.retryable


async def test_the_tools_are_left_out_where_a_server_ignores_their_refusal() -> None:
    refused = Request("", request().messages, request().tools, ToolMode.NONE)
    for row_id, sends_tools in {
        "ollama": False,
        "groq": True,
        "gemini": True,
        "local": True,
    }.items():
        async with wire_server(sse(delta(content="Hi"), STOP)) as server:
            await collect(provider_at(server.url, row_id), refused)
        body = server.received[0].body
        assert ("tools" in body) is sends_tools
        assert body.get("tool_choice") == ("none" if sends_tools else None)
