"""Streams of the Responses format, read by the real SDK over a real socket."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from tests.providers.responses_stream import (
    USAGE,
    added,
    arguments,
    call,
    done,
    end,
    event,
    message,
    own_provider,
    reasoning,
    response,
    words,
)
from tests.providers.wire import (
    answered,
    collect,
    completed,
    http,
    sse,
    thoughts,
    wire_server,
)
from tests.providers.wire import words as heard
from tests.rows import each_row
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    ToolCallStarted,
    Usage,
)
from todo_tui.domain.task import JsonValue

Kind = ProviderErrorKind

MILK = '{"title": "Milk"}'
EGGS = '{"title": "Eggs"}'


async def read(*events: JsonValue, asked: Request | None = None) -> list[StreamEvent]:
    return await answered(sse(*events, done=False), row_id="openai", asked=asked)


async def failure_of(*events: JsonValue) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await read(*events)
    return caught.value


async def calls_of(*events: JsonValue) -> list[tuple[str, str, str]]:
    last = completed(await read(*events))
    assert last.stop is StopReason.TOOL_CALLS
    return [(each.id, each.name, each.arguments) for each in last.message.tool_calls]


def assert_whole(events: list[StreamEvent]) -> None:
    """Check that no event holds a lone surrogate."""
    json.dumps([asdict(each) for each in events], ensure_ascii=False).encode("utf-8")


async def test_a_whole_answer_is_read_in_its_order_with_its_thinking_and_its_usage() -> None:
    thought, said = reasoning("Hm."), message("Hi there", phase="commentary")
    wanted = call(given=MILK)
    events = await read(
        event("created", response=response("in_progress")),
        event("in_progress", response=response("in_progress")),
        added(reasoning(sealed="partial"), 0),
        event("reasoning_summary_part.added", item_id="rs_1", output_index=0, summary_index=0),
        event(
            "reasoning_summary_text.delta",
            item_id="rs_1",
            output_index=0,
            summary_index=0,
            delta="Hm.",
        ),
        event(
            "reasoning_summary_text.done",
            item_id="rs_1",
            output_index=0,
            summary_index=0,
            text="Hm.",
        ),
        done(thought, 0),
        added(message("", phase="commentary"), 1),
        words("Hi ", index=1),
        words("there", index=1),
        event(
            "output_text.done", item_id="msg_1", output_index=1, content_index=0, text="Hi there"
        ),
        done(said, 1),
        added(call(), 2),
        arguments(MILK[:5], index=2),
        arguments(MILK[5:], index=2),
        event("function_call_arguments.done", item_id="fc_1", output_index=2, arguments=MILK),
        done(wanted, 2),
        end(thought, said, wanted, usage=USAGE),
    )
    last = completed(events)
    assert last.message == Message(
        Role.ASSISTANT,
        (
            Thinking(
                "Hm.",
                {
                    "id": "rs_1",
                    "summary": [{"type": "summary_text", "text": "Hm."}],
                    "encrypted_content": "c2VhbGVk",
                },
            ),
            Text("Hi there", {"phase": "commentary"}),
            ToolCall("call_a", "add_task", MILK),
        ),
        origin="openai:m",
    )
    assert last.usage == Usage(100, 64, 20, 5, 30)
    seen = [each for each in events[:-1] if each != TextDelta("")]
    assert seen == [
        ThinkingDelta("Hm."),
        TextDelta("Hi "),
        TextDelta("there"),
        ToolCallStarted("add_task"),
    ]
    assert len(events) == 19, "each event is heard of"


async def test_calls_stream_side_by_side() -> None:
    second = call("complete_task", EGGS, "call_b", id="fc_2")
    calls = await calls_of(
        added(call(), 0),
        added(call("complete_task", "", "call_b", id="fc_2"), 1),
        arguments(MILK[:5], "fc_1", 0),
        arguments(EGGS[:9], "fc_2", 1),
        arguments(EGGS[9:], "fc_2", 1),
        arguments(MILK[5:], "fc_1", 0),
        done(second, 1),
        done(call(given=MILK), 0),
        end(call(given=MILK), second),
    )
    assert calls == [("call_a", "add_task", MILK), ("call_b", "complete_task", EGGS)]


WHOLE = event("function_call_arguments.done", item_id="fc_1", output_index=0, arguments=MILK)


@each_row(
    "events",
    [
        (added(call()), arguments(MILK), end(call(given=MILK))),
        (added(call()), arguments(MILK), end()),
        (added(call()), WHOLE, end()),
        (added(call()), WHOLE, done(call()), end()),
        (added(call()), done(call(given=MILK)), end()),
        (done(call(given=MILK)), end()),
        (added(call()), end(call(given=MILK))),
        (added(call()), done(call()), end(call(given=MILK))),
        (end(call(given=MILK)),),
        (added(call()), arguments(MILK[:4]), WHOLE, end()),
        (added(call()), arguments("{}"), done(call(given=MILK)), end(call(given=MILK))),
        (added(call(given=MILK)), arguments(MILK), WHOLE, done(call(given=MILK)), end()),
        (arguments(MILK), done(call(given=MILK)), end(call(given=MILK))),
        (added(call()), done(call(given={"title": "Milk"})), end()),
        (end(call(given={"title": "Milk"})),),
    ],
)
async def test_arguments_are_found_wherever_a_server_puts_them(
    events: tuple[JsonValue, ...],
) -> None:
    assert await calls_of(*events) == [("call_a", "add_task", MILK)]


@each_row(
    "events",
    [
        (added(message("")), words("Hi"), end()),
        (words("Hi"), end()),
        (words("H"), done(message("Hi")), end(message("Hi"))),
        (done(message("Hi")), end(message("Hi"))),
        (event("output_text.done", item_id="msg_1", text="Hi"), end(message("Hi"))),
        (end(message("Hi")),),
        (end({"type": "message", "content": "Hi"}),),
        (added(message("")), words("Hi"), end(message("Other"))),
    ],
)
async def test_words_are_found_wherever_a_server_puts_them(events: tuple[JsonValue, ...]) -> None:
    seen = await read(*events)
    assert heard(seen) == completed(seen).message.text == "Hi"


WHOLE_CALL = call(given=MILK)
ONE_CALL: dict[str, tuple[JsonValue, ...]] = {
    "done twice": (done(WHOLE_CALL), done(WHOLE_CALL), end(WHOLE_CALL)),
    "done at two indexes": (done(WHOLE_CALL, 0), done(WHOLE_CALL, 1), end()),
    "two items of one call": (
        done(WHOLE_CALL, 0), done(call(given='{ "title":"Milk" }', id="fc_2"), 1), end(),
    ),
    "listed twice at the end": (done(WHOLE_CALL), end(WHOLE_CALL, call(given=MILK, id="fc_2"))),
    "listed without ids": (
        done(WHOLE_CALL), end({"type": "function_call", "name": "add_task", "arguments": MILK}),
    ),
    "{} first": (added(call()), arguments("{}"), arguments(MILK), done(call()), end()),
    "{} last": (added(call()), arguments(MILK), done(call(given="{}")), end(call(given="{}"))),
    "begun twice": (
        added(call()), added(call("", id="fc_2", call_id="call_b")), arguments(MILK, "fc_2"), end(),
    ),
    "id before the name": (added(call("")), added(call(call_id="")), arguments(MILK), end()),
    "half of the name first": (added(call("add_")), arguments(MILK), done(WHOLE_CALL), end()),
    "decorated": (done(call("functions.add_task", MILK)), end()),
}  # fmt: skip


@each_row("case", ONE_CALL)
async def test_a_call_that_is_repeated_or_sent_in_pieces_is_one(case: str) -> None:
    assert await calls_of(*ONE_CALL[case]) == [("call_a", "add_task", MILK)]


async def test_equal_calls_with_ids_of_their_own_are_two() -> None:
    second = call(given=MILK, id="fc_2", call_id="call_b")
    calls = await calls_of(done(WHOLE_CALL, 0), done(second, 1), end(WHOLE_CALL, second))
    assert [each[0] for each in calls] == ["call_a", "call_b"]


@pytest.mark.parametrize("index", [0, 7, None])
async def test_calls_that_share_an_id_or_an_index_stay_apart(index: JsonValue) -> None:
    calls = await calls_of(
        added(call(call_id="call_a"), index),
        arguments(MILK, index=index),
        done(call(given=MILK), index),
        added(call(call_id="call_b"), index),
        arguments(EGGS, index=index),
        done(call(given=EGGS, call_id="call_b"), index),
        end(call(given=MILK), call(given=EGGS, call_id="call_b")),
    )
    assert [each[2] for each in calls] == [MILK, EGGS]
    assert [each[0] for each in calls] == ["call_a", "call_b"]


async def test_calls_of_one_id_side_by_side_are_told_apart_by_their_index() -> None:
    calls = await calls_of(
        added(call(), 0),
        added(call(call_id="call_b"), 1),
        arguments(MILK, index=0),
        arguments(EGGS, index=1),
        end(call(given=MILK), call(given=EGGS, call_id="call_b")),
    )
    assert [each[2] for each in calls] == [MILK, EGGS]


async def test_an_item_whose_id_changes_from_event_to_event_stays_one() -> None:
    calls = await calls_of(
        added(call(id="fc_a")),
        arguments(MILK[:5], "fc_b"),
        arguments(MILK[5:], "fc_c"),
        done(call(given=MILK, id="fc_d")),
        end(call(given=MILK, id="fc_e")),
    )
    assert calls == [("call_a", "add_task", MILK)]


@pytest.mark.parametrize("index", [1, None])
async def test_items_are_put_in_the_order_of_the_last_response(index: JsonValue) -> None:
    events = await read(done(call(given=MILK), index), end(reasoning(), call(given=MILK)))
    parts = completed(events).message.parts
    assert [type(part) for part in parts] == [Thinking, ToolCall]


async def test_items_are_put_in_the_order_of_their_indexes() -> None:
    events = await read(done(call(given=MILK), 1), done(reasoning(), 0), end())
    parts = completed(events).message.parts
    assert [type(part) for part in parts] == [Thinking, ToolCall]


async def test_two_messages_of_one_answer_are_two_paragraphs() -> None:
    events = await read(
        words("Let me see.", "msg_1", 0),
        done(message("Let me see.", phase="commentary"), 0),
        words("Done.", "msg_2", 1),
        done(message("Done.", "msg_2", phase="final_answer"), 1),
        end(),
    )
    parts = completed(events).message.parts
    assert parts == (
        Text("Let me see.", {"phase": "commentary"}),
        Text("\n\nDone.", {"phase": "final_answer"}),
    )
    assert heard(events) == "Let me see.\n\nDone."


async def test_summaries_are_shown_as_thinking_in_paragraphs() -> None:
    events = await read(
        event("reasoning_summary_text.delta", item_id="rs_1", summary_index=0, delta="One"),
        event("reasoning_summary_text.delta", item_id="rs_1", summary_index=1, delta="Two"),
        done(reasoning("One", "Two"), None),
        done(reasoning("Three", item_id="rs_2"), None),
        words("Hi"),
        end(),
    )
    assert thoughts(events) == "One\n\nTwo\n\nThree"
    first, second, _ = completed(events).message.parts
    assert isinstance(first, Thinking)
    assert isinstance(second, Thinking)
    assert (first.meta["id"], second.meta["id"]) == ("rs_1", "rs_2")


async def test_open_thinking_is_shown_and_kept_where_it_is_not_sealed() -> None:
    events = await read(
        event("reasoning_text.delta", item_id="rs_1", content_index=0, delta="Hm"),
        done(reasoning(sealed=None, content=[{"type": "reasoning_text", "text": "Hm"}])),
        words("Hi", index=1),
        end(),
    )
    assert thoughts(events) == "Hm"
    thought = completed(events).message.parts[0]
    assert isinstance(thought, Thinking)
    assert thought.meta["content"] == [{"type": "reasoning_text", "text": "Hm"}]


async def test_sealed_thinking_is_kept_although_nothing_of_it_can_be_shown() -> None:
    events = await read(added(reasoning(sealed="half")), done(reasoning()), words("Hi"), end())
    thought = completed(events).message.parts[0]
    assert thought == Thinking("", {"id": "rs_1", "summary": [], "encrypted_content": "c2VhbGVk"})


async def test_thinking_of_which_nothing_came_is_no_part() -> None:
    events = await read(done(reasoning(sealed=None)), words("Hi", index=1), end())
    assert completed(events).message.parts == (Text("Hi"),)


async def test_a_character_split_between_deltas_arrives_whole() -> None:
    events = await read(
        words("ok \ud83d"), words("\ude00"), words("\ud83d"), end(message("ok 😀\ud83d"))
    )
    assert heard(events) == completed(events).message.text == "ok 😀\ufffd"


async def test_half_characters_anywhere_do_no_harm() -> None:
    half = "\ud83d"
    events = await read(
        done(reasoning(half, item_id=half, sealed=half), 0),
        done(message(half, phase=half), 1),
        done(call(half, half, half), 2),
        end(usage=USAGE),
    )
    completed(events)
    assert_whole(events)


@each_row("usage", [None, {}, "none", {"input_tokens": None}])
async def test_usage_may_be_absent(usage: JsonValue) -> None:
    assert completed(await read(words("Hi"), end(usage=usage))).usage is None


@each_row("output", [None, [], "none", [None, 17, {}, {"type": "web_search_call"}]])
async def test_the_last_response_may_hold_no_output(output: JsonValue) -> None:
    last = completed(await read(words("Hi"), event("completed", response={"output": output})))
    assert (last.stop, last.message.text) == (StopReason.END, "Hi")


async def test_a_whole_response_in_place_of_a_stream_is_an_answer() -> None:
    body = response("completed", reasoning("Hm."), message("Hi"), call(given=MILK), usage=USAGE)
    events = await answered(http(body), row_id="openai")
    last = completed(events)
    assert (thoughts(events), heard(events)) == ("Hm.", "Hi")
    assert [each.arguments for each in last.message.tool_calls] == [MILK]
    assert last.usage == Usage(100, 64, 20, 5, 30)


async def test_length_is_told_apart_from_an_end() -> None:
    cut = end(
        message("Both are", status="incomplete"),
        status="incomplete",
        incomplete_details={"reason": "max_output_tokens"},
        usage=USAGE,
    )
    last = completed(await read(words("Both"), cut))
    assert (last.stop, last.message.text) == (StopReason.LENGTH, "Both are")
    assert last.usage is not None


@pytest.mark.parametrize(
    ("reason", "kind"), [("content_filter", Kind.REFUSED), (None, Kind.TRUNCATED)]
)
async def test_an_answer_that_is_incomplete_otherwise_is_an_error(
    reason: str | None, kind: Kind
) -> None:
    details: JsonValue = {"reason": reason} if reason else None
    cut = end(status="incomplete", incomplete_details=details)
    assert (await failure_of(words("Both"), cut)).kind is kind


REFUSAL: JsonValue = {"type": "refusal", "refusal": "I cannot do that."}


@pytest.mark.parametrize(
    "events",
    [
        (
            event("refusal.delta", item_id="msg_1", content_index=0, delta="I cannot "),
            event("refusal.delta", item_id="msg_1", content_index=0, delta="do that."),
            end(),
        ),
        (event("refusal.done", item_id="msg_1", refusal="I cannot do that."), end()),
        (end(message("", content=[REFUSAL])),),
    ],
)
async def test_a_refusal_is_an_error_with_the_models_words(events: tuple[JsonValue, ...]) -> None:
    error = await failure_of(*events)
    assert error.kind is Kind.REFUSED
    assert str(error) == "OpenAI declined to answer: I cannot do that."


FAILURES: dict[str, Kind] = {
    "server_error": Kind.OVERLOADED,
    "server_is_overloaded": Kind.OVERLOADED,
    "slow_down": Kind.OVERLOADED,
    "rate_limit_exceeded": Kind.RATE_LIMIT,
    "too_many_requests": Kind.RATE_LIMIT,
    "insufficient_quota": Kind.QUOTA,
    "context_length_exceeded": Kind.CONTEXT_TOO_LONG,
    "invalid_prompt": Kind.BAD_REQUEST,
    "bio_policy": Kind.REFUSED,
    "misalignment_policy_violation": Kind.REFUSED,
    "model_not_found": Kind.UNKNOWN_MODEL,
    "invalid_api_key": Kind.AUTH,
    "something_new": Kind.TRUNCATED,
}


def failures(code: JsonValue, words: str) -> list[JsonValue]:
    """Return the forms of an error within a stream."""
    error: JsonValue = {"code": code, "message": words}
    return [
        event("failed", response=response("failed", error=error)),
        {"type": "error", "code": code, "message": words, "param": None, "sequence_number": 3},
        {"type": "error", "error": error},
        {"error": error},
    ]


@each_row("code", FAILURES)
@each_row("form", range(4))
async def test_a_failure_in_mid_stream_has_its_kind(code: str, form: int) -> None:
    assert (await failure_of(words("Both"), failures(code, "No.")[form])).kind is FAILURES[code]


@each_row("form", range(4))
async def test_the_words_of_a_failure_are_read_too(form: int) -> None:
    flagged = "Invalid prompt: your prompt was flagged as violating our usage policy."
    error = await failure_of(failures("invalid_prompt", flagged)[form])
    assert error.kind is Kind.REFUSED
    waits = "Rate limit reached. Please try again in 7.5s."
    error = await failure_of(failures("rate_limit_exceeded", waits)[form])
    assert error.retry_after == 7.5


@each_row("error", [None, "gone", []])
@each_row("status", ["failed", "cancelled"])
async def test_a_failure_without_a_reason_may_pass(status: str, error: JsonValue) -> None:
    failed = end(status=status, error=error)
    assert (await failure_of(words("Both"), failed)).retryable


async def test_a_failure_in_place_of_a_stream_is_an_error() -> None:
    body = response("failed", error={"code": "rate_limit_exceeded", "message": "No."})
    bare: JsonValue = {"error": {"code": "rate_limit_exceeded", "message": "No."}}
    for whole in (body, bare):
        with pytest.raises(ProviderError) as caught:
            await answered(http(whole), row_id="openai")
        assert caught.value.kind is Kind.RATE_LIMIT


async def test_events_that_nobody_knows_are_heard_of_and_passed_over() -> None:
    unknown: list[JsonValue] = [
        {"type": "keepalive"},
        event("something.new", delta="x"),
        added({"type": "web_search_call", "id": "ws_1"}),
        done({"type": "image_generation_call", "id": "ig_1"}),
        {"type": "codex.rate_limits"},
    ]
    events = await read(*unknown, words("Hi"), end())
    assert events[:-1] == [TextDelta("")] * len(unknown) + [TextDelta("Hi"), TextDelta("")]


async def test_a_persons_own_provider_speaks_it_at_its_own_address() -> None:
    async with wire_server(sse(words("Hi"), end(), done=False)) as server:
        events = await collect(own_provider(f"{server.url}/api/v3"))
        assert server.received[0].line == "POST /api/v3/responses HTTP/1.1"
    assert completed(events).message.origin == "mine:m"
