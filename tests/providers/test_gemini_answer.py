"""Streams of Gemini's own API, read through the real SDK over a real socket."""

from __future__ import annotations

import json

import pytest

from tests.providers.wire import (
    answered,
    candidate,
    completed,
    http,
    sse,
    thoughts,
    words,
)
from tests.rows import each_row
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Meta,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ToolCall,
    ToolCallStarted,
    Usage,
)
from todo_tui.domain.task import JsonValue

Kind = ProviderErrorKind

ROW = "gemini-native"
STOP = candidate(finish="STOP")
SIGNED: Meta = {"thought_signature": "c2lnbmVk"}


def call(name: str, args: JsonValue = None, **members: JsonValue) -> JsonValue:
    """Build a part with a call; `args` is left out if None."""
    named: dict[str, JsonValue] = {"name": name, **members}
    if args is not None:
        named["args"] = args
    return {"functionCall": named}


def signed(part: JsonValue, signature: str = "c2lnbmVk") -> JsonValue:
    assert isinstance(part, dict)
    return {**part, "thoughtSignature": signature}


async def streamed(*chunks: JsonValue, asked: Request | None = None) -> list[StreamEvent]:
    return await answered(sse(*chunks, done=False), row_id=ROW, asked=asked)


async def parts_of(*chunks: JsonValue) -> tuple[MessagePart, ...]:
    return completed(await streamed(*chunks, STOP)).message.parts


async def calls_of(*chunks: JsonValue) -> list[ToolCall]:
    last = completed(await streamed(*chunks, STOP))
    assert last.stop is StopReason.TOOL_CALLS
    return list(last.message.tool_calls)


async def failure_of(*chunks: JsonValue) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await streamed(*chunks)
    return caught.value


async def test_words_stream_as_they_come_and_usage_is_the_last_that_was_told() -> None:
    events = await streamed(
        candidate({"text": "Both are "}, usage={"promptTokenCount": 40}),
        candidate({"text": "on your list."}),
        candidate(
            finish="STOP",
            usage={
                "promptTokenCount": 40,
                "cachedContentTokenCount": 32,
                "candidatesTokenCount": 6,
                "thoughtsTokenCount": 20,
                "totalTokenCount": 66,
            },
        ),
    )
    assert [each.text for each in events if isinstance(each, TextDelta)] == [
        "Both are ",
        "on your list.",
        "",
    ]
    last = completed(events)
    assert last.message == Message(
        Role.ASSISTANT, (Text("Both are on your list."),), origin="gemini-native:m"
    )
    assert (last.stop, last.usage) == (StopReason.END, Usage(40, 32, 26, 20))


async def test_calls_come_whole_and_parallel_ones_in_their_order() -> None:
    events = await streamed(
        candidate({"text": "Adding both."}),
        candidate(signed(call("add_task", {"title": "Äpfel"}, id="fc_1")), call("undo")),
        STOP,
    )
    assert [each for each in events if isinstance(each, ToolCallStarted)] == [
        ToolCallStarted("add_task"),
        ToolCallStarted("undo"),
    ]
    first, second = completed(events).message.tool_calls
    assert first == ToolCall(
        "fc_1", "add_task", '{"title": "Äpfel"}', {**SIGNED, "given_id": "fc_1"}
    )
    assert second == ToolCall("", "undo", "{}")


MILK: JsonValue = {"title": "Milk"}


@each_row(
    "parts",
    [
        (call("add_task", MILK), call("add_task", MILK)),
        (call("add_task", MILK, id="a"), call("add_task", MILK, id="a")),
        (call("add_task", MILK, id="a"), call("add_task", MILK)),
        (call("add_task", {}, id="a"), call("add_task", MILK, id="a")),
        (call("add_task", id="a"), call("", MILK, id="a")),
        (call("add_task"), call("", MILK)),
        (call("default_api:add_task", MILK),),
        (call("add_task", MILK), call("default_api.add_task", MILK)),
    ],
)
async def test_a_call_that_is_repeated_or_sent_in_pieces_is_one(
    parts: tuple[JsonValue, ...],
) -> None:
    (found,) = await calls_of(*map(candidate, parts))
    assert (found.name, json.loads(found.arguments)) == ("add_task", MILK)


async def test_equal_calls_with_ids_of_their_own_are_two() -> None:
    calls = await calls_of(*(candidate(call("add_task", MILK, id=each)) for each in "ab"))
    assert [each.id for each in calls] == ["a", "b"]


async def test_a_complete_answer_without_a_finish_reason_ends_with_the_marker() -> None:
    events = await answered(sse(candidate({"text": "Hi"})), row_id=ROW)
    assert completed(events).message.text == "Hi"
    assert (await failure_of(candidate({"text": "Hi"}))).kind is Kind.TRUNCATED


@each_row(
    ("args", "kept"),
    [
        (None, "{}"),
        ({}, "{}"),
        ("", "{}"),
        ('{"title": "Milk"}', '{"title": "Milk"}'),
        ('{"title": Milk', '{"title": Milk'),
        ([1], "[1]"),
        ({"title": "\ud83d"}, '{"title": "�"}'),
    ],
)
async def test_arguments_of_any_kind_reach_the_tools(args: JsonValue, kept: str) -> None:
    (made,) = await calls_of(candidate(call("add_task", args)))
    assert made.arguments == kept


@each_row(
    ("chunks", "parts"),
    [
        # With the last words, or with an empty part after them.
        ([candidate({"text": "a"}), candidate(signed({"text": "b"}))], (Text("ab", SIGNED),)),
        ([candidate({"text": "ab"}), candidate(signed({"text": ""}))], (Text("ab", SIGNED),)),
        # What comes after it is another part.
        ([candidate(signed({"text": "a"}), {"text": "b"})], (Text("a", SIGNED), Text("b"))),
        (
            [candidate(signed({"text": "Hm.", "thought": True})), candidate({"text": "a"})],
            (Thinking("Hm.", SIGNED), Text("a")),
        ),
        # Nothing to sign.
        ([candidate(signed({"text": ""}), {"text": "a"})], (Text("a"),)),
        ([candidate({"text": "a"}), candidate({}), candidate({"text": "b"})], (Text("ab"),)),
    ],
)
async def test_a_signature_stays_with_its_part(
    chunks: list[JsonValue], parts: tuple[MessagePart, ...]
) -> None:
    assert await parts_of(*chunks) == parts


async def test_characters_cut_in_half_are_joined_and_lone_halves_replaced() -> None:
    events = await streamed(
        candidate({"text": "\ud83e", "thought": True}),
        candidate({"text": "\udd14", "thought": True}),
        candidate({"text": "Hi \ud83d"}),
        candidate({"text": "\ude00 \ud83d"}),
        candidate(call("undo")),
        candidate({"text": "\ude00 and \ud83d"}),
        STOP,
    )
    assert thoughts(events) == "🤔"
    assert words(events) == completed(events).message.text == "Hi 😀 �� and �"
    json.dumps(str(events)).encode("utf-8")


@each_row(
    ("finish", "kind"),
    [
        ("SAFETY", Kind.REFUSED),
        ("RECITATION", Kind.REFUSED),
        ("LANGUAGE", Kind.REFUSED),
        ("BLOCKLIST", Kind.REFUSED),
        ("PROHIBITED_CONTENT", Kind.REFUSED),
        ("SPII", Kind.REFUSED),
        ("PUP_LIMITED_DISABLED", Kind.REFUSED),
        ("A_REASON_OF_TOMORROW", Kind.REFUSED),
        ("MALFORMED_FUNCTION_CALL", Kind.MALFORMED),
        ("UNEXPECTED_TOOL_CALL", Kind.MALFORMED),
        ("MISSING_THOUGHT_SIGNATURE", Kind.BAD_REQUEST),
        ("OTHER", Kind.TRUNCATED),
        ("", Kind.TRUNCATED),
    ],
)
async def test_each_other_reason_to_finish_has_its_kind(finish: str, kind: Kind) -> None:
    error = await failure_of(candidate({"text": "Once"}, finish=finish))
    assert error.kind is kind
    assert finish in error.detail


async def test_a_refusal_says_why() -> None:
    error = await failure_of(candidate(finish="PROHIBITED_CONTENT"))
    assert str(error) == "Gemini native declined to answer: prohibited content."
    told = await failure_of(candidate(finish="SAFETY", finishMessage="Not with tasks like these."))
    assert str(told) == "Gemini native declined to answer: Not with tasks like these."
    asked = await failure_of({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {}})
    assert (asked.kind, str(asked)) == (Kind.REFUSED, "Gemini native declined to answer: safety.")


@pytest.mark.parametrize("finish", ["MAX_TOKENS", "max_tokens"])
async def test_an_answer_cut_off_at_the_limit_is_kept_and_said_to_be(finish: str) -> None:
    last = completed(await streamed(candidate({"text": "Once upon"}, finish=finish)))
    assert (last.message.text, last.stop) == ("Once upon", StopReason.LENGTH)
    thinking = completed(await streamed(candidate(finish=finish)))
    assert (thinking.message.parts, thinking.stop) == ((), StopReason.LENGTH)


async def test_an_answer_that_the_server_wants_to_go_on_with_is_paused() -> None:
    last = completed(
        await streamed(
            candidate({"text": "Once upon"}),
            candidate(finish="CONTINUATION", continuationToken="Z28gb24="),
        )
    )
    assert last.stop is StopReason.PAUSED
    assert last.message.parts == (Text("Once upon", {"continuation_token": "Z28gb24="}),)


@each_row(
    ("error", "kind"),
    [
        ({"code": 503, "status": "UNAVAILABLE", "message": "no"}, Kind.OVERLOADED),
        ({"code": 500, "status": "INTERNAL", "message": "no"}, Kind.OVERLOADED),
        ({"code": 504, "status": "DEADLINE_EXCEEDED", "message": "no"}, Kind.TIMEOUT),
        ({"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "no"}, Kind.RATE_LIMIT),
        ({"status": "RESOURCE_EXHAUSTED", "message": "no"}, Kind.RATE_LIMIT),
        ({"message": "no"}, Kind.TRUNCATED),
        ("no", Kind.TRUNCATED),
    ],
)
async def test_an_error_in_mid_stream_ends_the_answer(error: JsonValue, kind: Kind) -> None:
    for chunk in ({"error": error}, {"responseId": "r", "error": error}):
        failed = await failure_of(candidate({"text": "Once"}), chunk)
        assert failed.kind is kind


async def test_an_error_that_comes_as_bare_json_is_one_too() -> None:
    bare = json.dumps({"error": {"code": 503, "message": "no"}}, indent=2).encode()
    stream = sse(candidate({"text": "Once"}), done=False) + bare
    with pytest.raises(ProviderError) as caught:
        await answered(stream, row_id=ROW)
    assert caught.value.kind is Kind.OVERLOADED


@pytest.mark.parametrize(
    "body",
    [
        candidate({"text": "Hi"}, finish="STOP"),
        [candidate({"text": "H"}), candidate({"text": "i"}, finish="STOP")],
    ],
)
async def test_a_server_that_does_not_stream_is_understood(body: JsonValue) -> None:
    assert completed(await answered(http(body), row_id=ROW)).message.text == "Hi"


@each_row("end", ["\n\n", "\r\n\r\n", "\n", ""])
async def test_lines_may_end_in_any_way(end: str) -> None:
    chunks = (candidate({"text": "H"}), candidate({"text": "i\u2028"}, finish="STOP"))
    lines = [f"data: {json.dumps(chunk, ensure_ascii=False)}" for chunk in chunks]
    head, last = f": hello\nevent: m\nid: 1\n{lines[0]}\n\n", f"data:{lines[1][6:]}{end}"
    stream = http((head + last).encode(), content_type="text/event-stream")
    assert completed(await answered(stream, row_id=ROW)).message.text == "Hi\u2028"


async def test_a_web_page_points_at_the_address() -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(http(b"<html>Hi</html>", content_type="text/html"), row_id=ROW)
    assert caught.value.kind is Kind.BAD_REQUEST
    assert "GEMINI_NATIVE_BASE_URL" in (caught.value.hint or "")
