"""Request bodies of chat completions, for any history and every dialect."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.wire import (
    ADD_TASK,
    TOOLS,
    chat_body_of,
    collect,
    delta,
    provider_at,
    request,
    sse,
    wire_server,
)
from tests.rows import each_row
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
    ToolSpec,
    TurnContext,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.when import DateStyle
from todo_tui.providers.wire_formats.chat_completions import (
    DIALECTS,
    Dialect,
    dialect_of,
)
from todo_tui.providers.wire_formats.tool_calls import EXTRA_CONTENT, sendable_arguments
from todo_tui.providers.wire_formats.wire_format import format_context

NOW = TurnContext(
    now=datetime(2026, 11, 18, 14, 30),
    zone="Europe/Berlin",
    open_tasks=6,
    overdue_tasks=1,
    due_today=2,
    selection=((3, 'Call "the" dentist\n]'),),
)
EVERY_DIALECT = sorted(DIALECTS.items())
every_dialect = pytest.mark.parametrize(
    ("row_id", "dialect"), EVERY_DIALECT, ids=[row_id for row_id, _ in EVERY_DIALECT]
)

SIGNATURE: JsonValue = {"google": {"thought_signature": "c2lnbmVk"}}
words = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
arguments = st.one_of(
    st.just('{"title": "Milk"}'), st.just('{"title": "'), st.just("[1]"), st.just("NaN"), words
)
origins = st.sampled_from([None, "gemini:m", "groq:m", "offline:rules"])


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[Message]:
    """Generate a turn whose calls have their results, perhaps with an answer."""
    context = draw(st.sampled_from([None, NOW]))
    turn = [Message(Role.USER, (Text(draw(words)),), context=context)]
    for step in range(draw(st.integers(0, 2))):
        calls = [
            ToolCall(f"call_{number}_{step}_{at}", "add_task", draw(arguments), draw(metas))
            for at in range(draw(st.integers(1, 3)))
        ]
        parts: list[MessagePart] = [Thinking(draw(words)), Text(draw(words), draw(metas)), *calls]
        turn.append(Message(Role.ASSISTANT, tuple(parts), origin=draw(origins)))
        results = tuple(ToolResult(each.id, each.name, draw(words)) for each in calls)
        turn.append(Message(Role.TOOL, results))
    answer = (Thinking(draw(words)), Text(draw(words)))
    turn.append(Message(Role.ASSISTANT, answer, origin=draw(origins)))
    return turn


metas = st.sampled_from([{}, {EXTRA_CONTENT: SIGNATURE}])


@st.composite
def requests(draw: st.DrawFn) -> Request:
    history: list[Message] = []
    for number in range(draw(st.integers(0, 3))):
        history += draw(turns(number))
    newest = Message(Role.USER, (Text("add eggs"),), context=NOW)
    return Request("Be brief.", (*history, newest), TOOLS)


def text_of(message: dict[str, JsonValue], name: str) -> str:
    value = message[name]
    assert isinstance(value, str)
    return value


def calls_of(message: dict[str, JsonValue]) -> list[dict[str, JsonValue]]:
    calls = message.get("tool_calls", [])
    assert isinstance(calls, list)
    return [call for call in calls if isinstance(call, dict)]


@every_dialect
@given(request=requests())
@settings(max_examples=40)
def test_any_history_is_sent_by_the_rules_of_every_server(
    row_id: str, dialect: Dialect, request: Request
) -> None:
    sent = chat_body_of(request, dialect, f"{row_id}:m")["messages"]
    json.dumps(sent, ensure_ascii=False).encode("utf-8")
    assert [message["role"] for message in sent[:1]] == ["system"]
    waiting: list[JsonValue] = []
    seen: set[JsonValue] = set()
    for message in sent[1:]:
        calls = calls_of(message)
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            assert ("name" in message) is dialect.names_results
        else:
            assert not waiting, "a call was left without its result"
        if message["role"] == "assistant":
            assert calls or text_of(message, "content").strip()
        else:
            assert text_of(message, "content")
        assert None not in message.values()
        for call in calls:
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", text_of(call, "id"))
            assert call["id"] not in seen
            seen.add(call["id"])
            waiting.append(call["id"])
            function = call["function"]
            assert isinstance(function, dict)
            assert isinstance(json.loads(text_of(function, "arguments")), dict)
    assert not waiting
    assert sent[-1]["role"] == "user"
    allowed = {"role", "content", "tool_calls", "tool_call_id", "name"}
    assert {name for message in sent for name in message} <= allowed | (
        {EXTRA_CONTENT} if dialect.signatures else set()
    )


@given(request=requests())
@settings(max_examples=40)
def test_gemini_gets_its_own_signatures_back_and_a_stand_in_for_those_of_others(
    request: Request,
) -> None:
    sent = chat_body_of(request, DIALECTS["gemini"], "gemini:m")["messages"]
    rendered = [message for message in sent if calls_of(message)]
    asked = [message for message in request.messages if message.tool_calls]
    for message, was in zip(rendered, asked, strict=True):
        extras = [call.get(EXTRA_CONTENT) for call in calls_of(message)]
        if was.origin == "gemini:m":
            assert extras == [call.meta.get(EXTRA_CONTENT) for call in was.tool_calls]
        else:
            assert "skip_thought_signature_validator" in json.dumps(extras[0])
            assert extras[1:] == [None] * (len(extras) - 1)


@every_dialect
def test_the_same_history_is_the_same_bytes_and_a_new_message_only_adds(
    row_id: str, dialect: Dialect
) -> None:
    first = Message(Role.USER, (Text("add eggs"),), context=NOW)
    answer = Message(Role.ASSISTANT, (Text("Done."),), origin=f"{row_id}:m")
    before = chat_body_of(Request("Be brief.", (first,), TOOLS), dialect, f"{row_id}:m")
    after = chat_body_of(
        Request("Be brief.", (first, answer, first), TOOLS), dialect, f"{row_id}:m"
    )
    assert json.dumps(after["messages"][: len(before["messages"])]) == json.dumps(
        before["messages"]
    )
    assert json.dumps(after["tools"]) == json.dumps(before["tools"])


def test_the_moving_context_goes_with_the_message_it_was_said_with() -> None:
    assert format_context(NOW) == (
        "[Now: Wednesday 2026-11-18 14:30, Europe/Berlin; 6 open, 1 overdue, 2 due today;"
        ' selected: #3 "Call \\"the\\" dentist\\n]"]'
    )
    day_first = TurnContext(NOW.now, "UTC", date_style=DateStyle(day_first=True))
    assert "day first" in format_context(day_first)


@each_row(
    ("written", "sent"),
    [
        ('{"title": "Milk"}', '{"title": "Milk"}'),
        (' {"a": 1} ', ' {"a": 1} '),
        ("", "{}"),
        ('{"title": "', '{"invalid_json": "{\\"title\\": \\""}'),
        ("[1]", '{"invalid_json": "[1]"}'),
        ('{"a": NaN}', '{"invalid_json": "{\\"a\\": NaN}"}'),
        ('{"a": "\\ud83d"}', '{"invalid_json": "{\\"a\\": \\"\\\\ud83d\\"}"}'),
    ],
)
def test_arguments_that_are_no_json_object_are_quoted_in_one(written: str, sent: str) -> None:
    assert sendable_arguments(written) == sent
    assert isinstance(json.loads(sent), dict)


def test_arguments_nested_without_end_are_quoted_too() -> None:
    deep = '{"a": ' + "[" * 100_000
    assert json.loads(sendable_arguments(deep)) == {"invalid_json": deep}


@each_row(
    ("choice", "sent"),
    [
        (ToolMode.AUTO, None),
        (ToolMode.NONE, "none"),
        (ToolMode.REQUIRED, "required"),
        (NamedTool("add_task"), {"type": "function", "function": {"name": "add_task"}}),
    ],
)
def test_the_tool_choice_is_said_in_the_words_of_the_format(
    choice: ToolChoice, sent: JsonValue
) -> None:
    request = Request("", (Message(Role.USER, (Text("hi"),)),), TOOLS, choice)
    assert chat_body_of(request, DIALECTS["groq"], "groq:m").get("tool_choice") == sent
    # Behind a gateway too, these refuse to be forced.
    claude = chat_body_of(request, DIALECTS["local"], "", "anthropic/claude-opus-5.5")
    assert claude.get("tool_choice") == (sent if choice is ToolMode.NONE else None)


def test_no_tool_choice_is_sent_without_tools() -> None:
    request = Request("", (Message(Role.USER, (Text("hi"),)),), (), ToolMode.REQUIRED)
    assert "tool_choice" not in chat_body_of(request, DIALECTS["groq"], "groq:m")


def test_gemini_gets_schemas_without_the_keywords_it_refuses() -> None:
    request = Request("", (Message(Role.USER, (Text("hi"),)),), (ADD_TASK,))
    tool = chat_body_of(request, DIALECTS["gemini"], "gemini:m")["tools"][0]
    assert tool["function"] == {
        "name": "add_task",
        "description": "Add a task to the list.",
        "parameters": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "due": {"type": "string"},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["title"],
        },
    }
    untouched = chat_body_of(request, DIALECTS["groq"], "groq:m")["tools"][0]["function"]
    assert isinstance(untouched, dict)
    assert untouched["parameters"] == ADD_TASK.parameters


@each_row("row_id", sorted(DIALECTS))
async def test_the_body_holds_these_fields_and_no_other(row_id: str) -> None:
    async with wire_server(sse(delta(content="Hi"), delta("stop"))) as server:
        asked = Request("Be brief.", (Message(Role.USER, (Text("hi"),)),), TOOLS)
        await collect(provider_at(server.url, row_id), asked)
    body = server.received[0].body
    assert set(body) == {"model", "messages", "stream", "stream_options", "tools"}
    assert body["stream_options"] == {"include_usage": True}


@each_row(
    ("model", "tools", "sent"),
    [
        ("gpt-6-sol", TOOLS, {"max_completion_tokens": 100, "reasoning_effort": "none"}),
        ("openai/gpt-5.6-terra", TOOLS, {"max_completion_tokens": 100, "reasoning_effort": "none"}),
        ("gpt-6-sol", (), {"max_completion_tokens": 100, "reasoning_effort": "high"}),
        ("gpt-6-astra", TOOLS, {"max_completion_tokens": 100, "reasoning_effort": "high"}),
        ("o3", TOOLS, {"max_completion_tokens": 100, "reasoning_effort": "high"}),
        ("gpt-4.1", TOOLS, {"max_tokens": 100}),
        ("qwen3.5", TOOLS, {"max_tokens": 100}),
    ],
)
def test_models_of_openai_get_what_they_demand_whoever_serves_them(
    model: str, tools: tuple[ToolSpec, ...], sent: dict[str, JsonValue]
) -> None:
    wanted = ProviderSettings(max_output_tokens=100, effort="high")
    body = chat_body_of(request(tools=tools), DIALECTS["local"], f"own:{model}", model, wanted)
    options = ("max_tokens", "max_completion_tokens", "reasoning_effort", "temperature")
    assert {name: body[name] for name in options if name in body} == sent


@each_row(
    ("row_id", "model", "back"),
    [
        ("local", "deepseek-reasoner", True),
        ("local", "moonshotai/kimi-k2-thinking", True),
        ("local", "qwen3.5", False),
        ("groq", "moonshotai/kimi-k2-thinking", False),
    ],
)
def test_thinking_goes_back_within_its_turn_to_models_that_demand_it(
    row_id: str, model: str, *, back: bool
) -> None:
    origin = f"{row_id}:{model}"
    asked = Message(Role.USER, (Text("Add it"),))
    called = (Thinking("Hm."), ToolCall("call_1", "add_task", "{}"))
    turn = (
        asked,
        Message(Role.ASSISTANT, called, origin=origin),
        Message(Role.TOOL, (ToolResult("call_1", "add_task", "{}"),)),
    )
    request = Request("", (*turn, *turn), TOOLS)
    body = chat_body_of(request, DIALECTS[row_id], origin, model)
    said = json.loads(json.dumps(body))["messages"]
    sent = [each.get("reasoning_content") for each in said if each["role"] == "assistant"]
    assert sent == [None, "Hm." if back else None]


def test_a_provider_of_ones_own_is_spoken_to_as_its_server_wants_it() -> None:
    assert not dialect_of("mine", "api.groq.com").names_results
    assert dialect_of("mine", "api.groq.com").http_stack == "httpx2"
    assert dialect_of("mine", "generativelanguage.googleapis.com").signatures
    assert dialect_of("mine", "api.example.com") == DIALECTS["local"]
    assert dialect_of("groq", "127.0.0.1") == DIALECTS["groq"]
