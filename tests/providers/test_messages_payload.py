"""Request bodies of the Messages format, for any history and any model."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agent.complete import prepare_history
from tests.providers.messages_stream import (
    MODEL,
    ORIGIN,
    block,
    body_of,
    call,
    messages_provider,
    sent,
    start,
    stop,
    stream,
    text,
    thinking,
)
from tests.providers.wire import ADD_TASK, TOOLS, completed, wire_server
from tests.rows import each_row
from todo_tui.agent.run_config import ContextWindow
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    NamedTool,
    Request,
    Role,
    Text,
    Thinking,
    ToolCall,
    ToolChoice,
    ToolMode,
    ToolResult,
    TurnContext,
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.wire_formats.anthropic_messages import prefix_digest
from todo_tui.providers.wire_formats.wire_format import format_context

NOW = TurnContext(now=datetime(2026, 11, 18, 14, 30), zone="Europe/Berlin", open_tasks=6)
GO_ON = {"role": "user", "content": [{"type": "text", "text": "Go on."}]}
MILK = '{"title": "Milk"}'

words = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
arguments = st.one_of(
    st.just(MILK), st.just('{"title": "'), st.just("[1]"), st.just("NaN"), st.just(""), words
)
origins = st.sampled_from([None, ORIGIN, "mine:glm-5", "gemini:m", "offline:rules"])
metas = st.sampled_from(
    [{}, {"extra_content": {"google": {}}}, {"signature": "c2ln", "prefix": "elsewhere"}]
)
thoughts = st.builds(Thinking, words, metas)
call_ids = st.one_of(st.just("call_1"), st.just("bad id"), st.just(""), words)


def user(words: str = "add eggs") -> Message:
    return Message(Role.USER, (Text(words),))


def said(*parts: MessagePart, origin: str | None = ORIGIN) -> Message:
    return Message(Role.ASSISTANT, parts, origin=origin)


def result(call_id: str = "toolu_01", content: str = "{}", *, failed: bool = False) -> Message:
    return Message(Role.TOOL, (ToolResult(call_id, "add_task", content, is_error=failed),))


def turn_of(*after: Message, thought: str = "Hm.", past: tuple[Message, ...] = ()) -> Request:
    """Return a turn in which a call was just answered, with thinking, and later messages."""
    asked = Request("Be brief.", (*past, user()), TOOLS)
    signed = Thinking(thought, {"signature": "c2ln", "prefix": prefix_digest(asked)})
    called = said(signed, ToolCall("toolu_01", "add_task", MILK))
    return replace(asked, messages=(*asked.messages, called, result(), *after))


@st.composite
def turns(draw: st.DrawFn) -> list[Message]:
    """Generate a stored turn, whole or broken off anywhere."""
    context = draw(st.sampled_from([None, NOW]))
    turn = [Message(Role.USER, (Text(draw(words)),), context=context)]
    for _ in range(draw(st.integers(0, 2))):
        calls = [
            ToolCall(draw(call_ids), "add_task", draw(arguments))
            for _ in range(draw(st.integers(1, 3)))
        ]
        mixed: list[MessagePart] = [draw(thoughts), Text(draw(words)), *calls, Text(draw(words))]
        turn.append(said(*mixed, origin=draw(origins)))
        results = [
            ToolResult(each.id, each.name, draw(words), draw(st.booleans())) for each in calls
        ]
        turn.append(Message(Role.TOOL, tuple(results[: draw(st.integers(0, len(results)))])))
    turn.append(said(draw(thoughts), Text(draw(words)), origin=draw(origins)))
    return turn[: draw(st.integers(1, len(turn)))]


@st.composite
def requests(draw: st.DrawFn) -> Request:
    """Generate a request with any history."""
    history: list[Message] = []
    for _ in range(draw(st.integers(0, 3))):
        history += draw(turns())
    history.append(Message(Role.USER, (Text("add eggs"),), context=NOW))
    return Request(
        "Be brief.", prepare_history(history, origin=ORIGIN, window=ContextWindow()), TOOLS
    )


def check_rules(body: Any) -> None:  # noqa: ANN401 - JSON of any shape
    """Check the rules whose violation the API answers with 400."""
    json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8")
    messages = body["messages"]
    assert messages[0]["role"] == messages[-1]["role"] == "user"
    seen: set[str] = set()
    waiting: list[str] = []
    for message in messages:
        blocks = message["content"]
        assert blocks
        types = [each["type"] for each in blocks]
        if message["role"] == "user":
            results = [each for each in blocks if each["type"] == "tool_result"]
            assert types[: len(results)] == ["tool_result"] * len(results)
            assert [each["tool_use_id"] for each in results] == waiting
            assert all(each["content"] for each in results)
            waiting = []
            continue
        assert not waiting, "a call was left without its result"
        assert {"text", "tool_use"} & set(types)
        assert types == sorted(types, key=lambda kind: kind == "tool_use")
        for each in blocks:
            if each["type"] == "text":
                assert each["text"].strip()
            elif each["type"] == "tool_use":
                assert re.fullmatch(r"[a-zA-Z0-9_-]+", each["id"])
                assert each["id"] not in seen
                assert isinstance(each["input"], dict)
                seen.add(each["id"])
                waiting.append(each["id"])
    assert not waiting


@given(asked=requests())
@settings(max_examples=100)
def test_any_history_is_sent_by_the_rules(asked: Request) -> None:
    body = body_of(asked)
    check_rules(body)
    assert "thinking" not in {
        each["type"] for message in body["messages"] for each in message["content"]
    }


@given(past=requests())
@settings(max_examples=40)
def test_thoughts_of_this_turn_go_back_behind_the_very_same_words(past: Request) -> None:
    asked = turn_of(past=past.messages)
    body = body_of(asked)
    check_rules(body)
    assert body["messages"][-2]["content"][0] == {
        "type": "thinking",
        "thinking": "Hm.",
        "signature": "c2ln",
    }
    assert (
        body["messages"][:-2] == body_of(replace(asked, messages=asked.messages[:-2]))["messages"]
    )


def thoughts_sent(asked: Request, origin: str = ORIGIN) -> list[str]:
    return [
        each["type"]
        for message in body_of(asked, origin=origin)["messages"]
        for each in message["content"]
        if "thinking" in each["type"]
    ]


def test_thoughts_go_back_to_their_own_origin_alone() -> None:
    asked = turn_of()
    assert thoughts_sent(asked) == ["thinking"]
    assert thoughts_sent(asked, origin="anthropic:claude-opus-5-5") == []
    assert thoughts_sent(asked, origin=f"mine:{MODEL}") == []


def test_thoughts_are_left_out_once_the_turn_is_over() -> None:
    assert thoughts_sent(turn_of(said(Text("Done.")), user("and tea"))) == []


def test_thoughts_are_left_out_where_what_was_said_before_them_has_changed() -> None:
    earlier = (user("hello"), said(Text("Hi.")))
    asked = turn_of(past=earlier)
    assert thoughts_sent(asked) == ["thinking"]
    assert thoughts_sent(replace(asked, messages=asked.messages[2:])) == []
    assert thoughts_sent(replace(asked, system="Be kind.")) == []
    assert thoughts_sent(replace(asked, tools=TOOLS[:1])) == []
    assert thoughts_sent(replace(asked, tool_choice=ToolMode.NONE)) == ["thinking"]


def test_thoughts_alone_are_no_message() -> None:
    asked = turn_of()
    alone = said(*(part for part in asked.messages[1].parts if isinstance(part, Thinking)))
    messages = body_of(replace(asked, messages=(*asked.messages, alone)))["messages"]
    assert messages[-1]["role"] == "user"
    assert len(messages) == 3


async def test_a_tool_loop_sends_each_answer_back_as_it_came() -> None:
    first = stream(
        start(),
        *thinking(0, "They want ", "milk."),
        *block(1, "redacted_thinking", data="aGlkZGVu"),
        *text(2, "One moment."),
        *thinking(3, signature="ZW1wdHk="),
        *call(4, "add_task", MILK),
        *stop("tool_use"),
    )
    last = stream(start(), *text(0, "Done."), *stop())
    asked = Request("Be brief.", (user(),), TOOLS)
    async with wire_server(first, last, last) as server:
        provider = messages_provider(server.url)
        made = completed([each async for each in provider.stream(asked)]).message
        asked = replace(asked, messages=(*asked.messages, made, result()))
        done = completed([each async for each in provider.stream(asked)]).message
        asked = replace(asked, messages=(*asked.messages, done, user("thanks")))
        assert [each async for each in provider.stream(asked)]
        await provider.aclose()
    _, inside, after = (each.body["messages"] for each in server.received)
    assert isinstance(inside, list)
    assert isinstance(after, list)
    spoken: list[JsonValue] = [
        {"type": "text", "text": "One moment."},
        {"type": "tool_use", "id": "toolu_01", "name": "add_task", "input": {"title": "Milk"}},
    ]
    assert inside[1] == {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "They want milk.", "signature": "c2lnbmVk"},
            {"type": "redacted_thinking", "data": "aGlkZGVu"},
            spoken[0],
            {"type": "thinking", "thinking": "", "signature": "ZW1wdHk="},
            spoken[1],
        ],
    }
    assert after[1] == {"role": "assistant", "content": spoken}


def test_words_that_came_behind_a_call_are_sent_before_it() -> None:
    late = said(Text("First."), ToolCall("toolu_01", "add_task", MILK), Text("Last."), origin=None)
    assert [each["type"] for each in sent(user(), late, result())[1]["content"]] == [
        "text",
        "text",
        "tool_use",
    ]


def test_results_say_which_of_them_failed() -> None:
    made = said(ToolCall("toolu_01", "add_task", MILK), ToolCall("toolu_02", "add_task", "{}"))
    results = Message(
        Role.TOOL,
        (
            ToolResult("toolu_01", "add_task", ""),
            ToolResult("toolu_02", "add_task", '{"status": "error"}', is_error=True),
        ),
    )
    assert sent(user(), made, results)[-1] == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_01", "content": "{}"},
            {
                "type": "tool_result",
                "tool_use_id": "toolu_02",
                "content": '{"status": "error"}',
                "is_error": True,
            },
        ],
    }


@each_row(
    ("written", "read"),
    [
        (MILK, {"title": "Milk"}),
        ("", {}),
        ('{"title": "', {"invalid_json": '{"title": "'}),
        ("[1]", {"invalid_json": "[1]"}),
    ],
)
def test_arguments_are_sent_as_an_object_whatever_the_model_wrote(
    written: str, read: JsonValue
) -> None:
    made = said(ToolCall("toolu_01", "add_task", written))
    assert sent(user(), made, result())[1]["content"][0]["input"] == read


def test_an_assistant_never_has_the_first_word_nor_the_last_nor_two() -> None:
    hi = {"role": "assistant", "content": [{"type": "text", "text": "Hi."}]}
    assert sent(user(" "), said(Text("Hi."))) == [GO_ON, hi, GO_ON]
    assert [each["role"] for each in sent(user(), said(Text("1")), said(Text("2")))] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert sent(user(" ")) == [GO_ON]


def test_the_moving_context_goes_with_the_message_it_was_said_with() -> None:
    message = Message(Role.USER, (Text("hi"),), context=NOW)
    (only,) = sent(message)
    assert only["content"] == [{"type": "text", "text": f"{format_context(NOW)}\n\nhi"}]


def test_what_never_changes_comes_first_and_is_cached() -> None:
    first = Message(Role.USER, (Text("add eggs"),), context=NOW)
    answer = said(Text("Done."))
    before = body_of(Request("Be brief.", (first,), TOOLS))
    after = body_of(Request("Be brief.", (first, answer, first), TOOLS))
    assert before["cache_control"] == {"type": "ephemeral"}
    assert before["system"] == [
        {"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}
    ]
    assert before["tools"][0] == {
        "name": "add_task",
        "description": "Add a task to the list.",
        "input_schema": ADD_TASK.parameters,
    }
    for part in ("system", "tools"):
        assert json.dumps(before[part]) == json.dumps(after[part])
    assert json.dumps(after["messages"][:1]) == json.dumps(before["messages"])


async def test_the_body_holds_these_fields_and_no_other() -> None:
    asked = Request("Be brief.", (user(),), TOOLS)
    async with wire_server(stream(start(), *text(0, "Hi."), *stop())) as server:
        provider = messages_provider(server.url)
        assert [each async for each in provider.stream(asked)]
        await provider.aclose()
    (received,) = server.received
    assert received.body == {
        **body_of(asked),
        "model": MODEL,
        "max_tokens": 32_000,
        "stream": True,
        "thinking": {"type": "adaptive", "display": "summarized"},
    }
    assert set(received.body) == {
        "model", "max_tokens", "stream", "cache_control", "system", "tools", "messages", "thinking"
    }  # fmt: skip


def test_nothing_empty_is_sent() -> None:
    assert set(body_of(Request("", (user(),)), model="glm-5")) == {
        "model",
        "max_tokens",
        "stream",
        "cache_control",
        "messages",
    }


@each_row(
    ("model", "choice", "said"),
    [
        (MODEL, ToolMode.AUTO, None),
        (MODEL, ToolMode.NONE, {"type": "none"}),
        (MODEL, ToolMode.REQUIRED, {"type": "any"}),
        (MODEL, NamedTool("add_task"), {"type": "tool", "name": "add_task"}),
        ("claude-opus-5-5", ToolMode.NONE, {"type": "none"}),
        ("claude-opus-5-5", ToolMode.REQUIRED, None),
        ("claude-sonnet-5-5", NamedTool("add_task"), None),
        ("claude-fable-5-1", ToolMode.REQUIRED, None),
        ("claude-fable-5", ToolMode.REQUIRED, {"type": "any"}),
        ("claude-opus-6", ToolMode.REQUIRED, None),
        ("glm-5", ToolMode.REQUIRED, {"type": "any"}),
    ],
)
def test_the_tool_choice_is_said_where_the_model_takes_it(
    model: str, choice: ToolChoice, said: JsonValue
) -> None:
    body = body_of(Request("", (user(),), TOOLS, choice), model=model)
    assert body.get("tool_choice") == said
    assert [each["name"] for each in body["tools"]] == ["add_task", "complete_task"]
    if said is not None and choice is not ToolMode.NONE:
        assert "thinking" not in body


def test_no_tool_choice_is_sent_without_tools() -> None:
    asked = Request("", (user(),), (), ToolMode.REQUIRED)
    assert "tool_choice" not in body_of(asked)


ADAPTIVE = {"type": "adaptive", "display": "summarized"}


@each_row(
    ("model", "effort", "thinking", "told"),
    [
        ("claude-haiku-5-5", "", ADAPTIVE, None),
        ("claude-haiku-5-5", "high", ADAPTIVE, "high"),
        ("claude-haiku-5-5", "minimal", ADAPTIVE, "low"),
        ("claude-haiku-5-5", "none", {"type": "disabled"}, None),
        ("claude-sonnet-5", "none", {"type": "disabled"}, None),
        ("claude-opus-5-20260701", "none", {"type": "disabled"}, None),
        ("claude-sonnet-5-5", "none", {"type": "between_tools"}, None),
        ("claude-sonnet-5-5", "xhigh", ADAPTIVE, "xhigh"),
        ("claude-opus-5-5", "none", ADAPTIVE, "low"),
        ("claude-fable-5-2", "none", ADAPTIVE, "low"),
        ("claude-mythos-5", "none", ADAPTIVE, "low"),
        ("claude-opus-4-8", "", None, None),
        ("claude-opus-4-8", "none", None, None),
        ("claude-opus-4-8", "max", ADAPTIVE, "max"),
        ("claude-sonnet-4-6", "xhigh", ADAPTIVE, "high"),
        ("claude-opus-4-5", "max", None, "high"),
        ("claude-haiku-4-5", "high", None, None),
        ("claude-sonnet-4-5-20250929", "none", None, None),
        ("claude-3-5-haiku-latest", "high", None, None),
        ("claude-opus-7", "medium", ADAPTIVE, "medium"),
        ("anthropic/claude-sonnet-4.6", "high", ADAPTIVE, "high"),
        ("us.anthropic.claude-haiku-5-5", "none", {"type": "disabled"}, None),
        ("glm-5", "high", None, None),
    ],
)
def test_each_family_is_told_how_hard_to_think_in_its_own_way(
    model: str, effort: str, thinking: JsonValue, told: JsonValue
) -> None:
    body = body_of(Request("", (user(),)), model=model, settings=ProviderSettings(effort=effort))
    assert body.get("thinking") == thinking
    assert body.get("output_config") == (told and {"effort": told})


@each_row(
    ("model", "temperature"),
    [
        ("claude-haiku-5-5", None),
        ("claude-haiku-4-5", None),
        ("claude-opus-9", None),
        ("glm-5", 0.2),
    ],
)
def test_a_temperature_is_sent_where_the_model_takes_it(
    model: str, temperature: float | None
) -> None:
    given_temperature = ProviderSettings(temperature=0.2)
    body = body_of(Request("", (user(),)), model=model, settings=given_temperature)
    assert body.get("temperature") == temperature


@each_row(
    ("model", "limit", "sent_limit"),
    [
        ("claude-haiku-5-5", None, 32_000),
        ("claude-haiku-5-5", 500, 500),
        ("claude-3-haiku-20240307", None, 4_096),
        ("glm-5", None, 8_192),
    ],
)
def test_a_limit_of_the_answer_is_always_sent(
    model: str, limit: int | None, sent_limit: int
) -> None:
    body = body_of(
        Request("", (user(),)), model=model, settings=ProviderSettings(max_output_tokens=limit)
    )
    assert body["max_tokens"] == sent_limit
