"""Request bodies of Gemini's own API, for any history."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers.wire import ADD_TASK, TOOLS
from tests.providers.wire import body_of as rendered
from tests.rows import each_row
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.messages import (
    Message,
    MessagePart,
    Meta,
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
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.traits import traits_of
from todo_tui.providers.wire_formats.gemini import GeminiFormat

OWN = "gemini-native:gemini-3.5-flash-lite"
SIGNED: Meta = {"thought_signature": "c2lnbmVk"}
STAND_IN = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
HI = Message(Role.USER, (Text("hi"),))


def body_of(
    asked: Request,
    model: str = "gemini-3.5-flash-lite",
    options: ProviderSettings | None = None,
) -> Any:  # noqa: ANN401 - JSON of any shape
    return rendered(GeminiFormat(options or ProviderSettings()), asked, OWN, model)


def contents_of(*messages: Message) -> Any:  # noqa: ANN401 - JSON of any shape
    return body_of(Request("", messages))["contents"]


words = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
arguments = st.one_of(
    st.just('{"title": "Milk"}'), st.just('{"title": "'), st.just("[1]"), st.just("NaN"), words
)
origins = st.sampled_from([None, OWN, "gemini-native:gemini-3.8-flash", "anthropic:claude-x"])
metas = st.sampled_from([{}, SIGNED, {**SIGNED, "given_id": "fc/1"}, {"given_id": "fc/2"}])


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[Message]:
    """Generate a turn whose calls have their results, perhaps with an answer."""
    turn = [Message(Role.USER, (Text(draw(words)),))]
    for step in range(draw(st.integers(0, 2))):
        calls = [
            ToolCall(f"call_{number}_{step}_{at}", "add_task", draw(arguments), draw(metas))
            for at in range(draw(st.integers(1, 3)))
        ]
        said: list[MessagePart] = [
            Thinking(draw(words), draw(metas)),
            Text(draw(words), draw(metas)),
        ]
        turn.append(Message(Role.ASSISTANT, (*said, *calls), origin=draw(origins)))
        results = tuple(ToolResult(each.id, each.name, draw(arguments)) for each in calls)
        turn.append(Message(Role.TOOL, results))
    answer = (Thinking(draw(words)), Text(draw(words), draw(metas)))
    turn.append(Message(Role.ASSISTANT, answer, origin=draw(origins)))
    return turn


@st.composite
def requests(draw: st.DrawFn) -> Request:
    history: list[Message] = []
    for number in range(draw(st.integers(0, 3))):
        history += draw(turns(number))
    return Request("Be brief.", (*history, Message(Role.USER, (Text("add eggs"),))), TOOLS)


@given(asked=requests())
@settings(max_examples=80)
def test_any_history_is_sent_by_the_rules_of_the_protocol(asked: Request) -> None:
    contents = body_of(asked)["contents"]
    json.dumps(contents, ensure_ascii=False).encode("utf-8")
    assert contents[0]["role"] == "user"
    assert contents[-1] == {"role": "user", "parts": [{"text": "add eggs"}]}
    waiting: list[Any] = []
    for content in contents:
        assert set(content) == {"role", "parts"}
        assert content["parts"], "a content without a part"
        results = [part["functionResponse"] for part in content["parts"] if "text" not in part
                   and "functionResponse" in part]  # fmt: skip
        # As many results as calls, in their order, in the one content that follows.
        assert [(each["name"], each.get("id")) for each in results] == waiting
        assert not results or len(results) == len(content["parts"])
        waiting = []
        for part in content["parts"]:
            kinds = {"text", "functionCall", "functionResponse"} & set(part)
            assert len(kinds) == 1
            assert set(part) - kinds <= {"thought", "thoughtSignature"}
            assert part.get("text", " ") != "", "an empty part"
            if "functionCall" in part:
                assert content["role"] == "model"
                assert isinstance(part["functionCall"]["args"], dict)
                waiting.append((part["functionCall"]["name"], part["functionCall"].get("id")))
            if "functionResponse" in part:
                assert content["role"] == "user"
                assert isinstance(part["functionResponse"]["response"], dict)
    assert not waiting


@given(asked=requests())
@settings(max_examples=60)
def test_it_gets_its_own_signatures_back_and_a_stand_in_for_calls_of_others(
    asked: Request,
) -> None:
    sent = [
        content["parts"]
        for content in body_of(asked)["contents"]
        if any("functionCall" in part for part in content["parts"])
    ]
    called = [message for message in asked.messages if message.tool_calls]
    # Those before the first words of the user are not sent.
    called = called[len(called) - len(sent) :]
    for parts, message in zip(sent, called, strict=True):
        signatures = [part.get("thoughtSignature") for part in parts if "functionCall" in part]
        if message.origin == OWN:
            kept = [call.meta.get("thought_signature") for call in message.tool_calls]
            assert signatures == kept
        else:
            assert signatures == [STAND_IN] + [None] * (len(signatures) - 1)
            assert not any("thoughtSignature" in part for part in parts if "text" in part)
            assert not any("id" in part.get("functionCall", {}) for part in parts)


def test_a_turn_with_calls_is_sent_as_it_was_said() -> None:
    first = ToolCall("call_a", "add_task", '{"title": "Milk"}', {**SIGNED, "given_id": "fc.1"})
    second = ToolCall("call_b", "undo", "{}", {"given_id": "fc.2"})
    said: tuple[MessagePart, ...] = (
        Thinking("Two things."),
        Thinking("Indeed.", {"thought_signature": "dGhvdWdodA=="}),
        Text("Both.", {"thought_signature": "d29yZHM="}),
        first,
        second,
    )
    results = (
        ToolResult("call_a", "add_task", '{"status": "success", "data": 1}'),
        ToolResult("call_b", "undo", "no JSON", is_error=True),
    )
    assert contents_of(
        HI, Message(Role.ASSISTANT, said, origin=OWN), Message(Role.TOOL, results)
    ) == [
        {"role": "user", "parts": [{"text": "hi"}]},
        {
            "role": "model",
            "parts": [
                {"text": "Indeed.", "thought": True, "thoughtSignature": "dGhvdWdodA=="},
                {"text": "Both.", "thoughtSignature": "d29yZHM="},
                {
                    "functionCall": {"name": "add_task", "id": "fc.1", "args": {"title": "Milk"}},
                    "thoughtSignature": "c2lnbmVk",
                },
                {"functionCall": {"name": "undo", "id": "fc.2", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {
                    "functionResponse": {
                        "name": "add_task",
                        "id": "fc.1",
                        "response": {"status": "success", "data": 1},
                    }
                },
                {
                    "functionResponse": {
                        "name": "undo",
                        "id": "fc.2",
                        "response": {"output": "no JSON"},
                    }
                },
            ],
        },
    ]


def test_a_paused_answer_is_gone_on_with_by_its_token_alone() -> None:
    begun = (Text("Once", {"continuation_token": "Z28gb24="}),)
    paused = Message(Role.ASSISTANT, begun, origin=OWN)
    body = body_of(Request("", (HI, paused)))
    assert body["continuationToken"] == "Z28gb24="
    assert body["contents"] == [{"role": "user", "parts": [{"text": "hi"}]}]
    # Once something was said after it, it is an answer like any other.
    later = body_of(Request("", (HI, paused, HI)))
    assert "continuationToken" not in later
    assert [content["role"] for content in later["contents"]] == ["user", "model", "user"]


@each_row(
    ("choice", "sent"),
    [
        (ToolMode.AUTO, None),
        (ToolMode.NONE, {"mode": "NONE"}),
        (ToolMode.REQUIRED, {"mode": "ANY"}),
        (NamedTool("add_task"), {"mode": "ANY", "allowedFunctionNames": ["add_task"]}),
    ],
)
def test_the_tool_choice_is_said_in_the_words_of_the_format(
    choice: ToolChoice, sent: JsonValue
) -> None:
    body = body_of(Request("", (HI,), TOOLS, choice))
    assert body.get("toolConfig", {}).get("functionCallingConfig") == sent
    assert "toolConfig" not in body_of(Request("", (HI,), (), choice))


def test_tools_are_declared_by_their_schemas_less_what_is_refused() -> None:
    plain = ToolSpec("undo", "Take it back.", {"type": "object", "properties": {}})
    body = body_of(Request("Be brief.", (HI,), (ADD_TASK, plain)))
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert body["tools"] == [
        {
            "functionDeclarations": [
                {
                    "name": "add_task",
                    "description": "Add a task to the list.",
                    "parametersJsonSchema": {
                        "type": "object",
                        "properties": {
                            "title": {"type": "string"},
                            "due": {"type": "string"},
                            "tags": {"type": "array", "items": {"type": "string"}},
                        },
                        "required": ["title"],
                        "additionalProperties": False,
                    },
                },
                {"name": "undo", "description": "Take it back."},
            ]
        }
    ]


def test_the_same_history_is_the_same_bytes_and_a_new_message_only_adds() -> None:
    answer = Message(Role.ASSISTANT, (Text("Done."),), origin=OWN)
    before = body_of(Request("Be brief.", (HI,), TOOLS))
    after = body_of(Request("Be brief.", (HI, answer, HI), TOOLS))
    assert json.dumps(after["contents"][:1]) == json.dumps(before["contents"])
    for name in ("systemInstruction", "tools"):
        assert json.dumps(after[name]) == json.dumps(before[name])


@each_row(
    ("model", "effort", "thinking"),
    [
        ("gemini-3.5-flash-lite", "", {"includeThoughts": True}),
        ("gemini-3.5-flash-lite", "none", {"includeThoughts": True, "thinkingLevel": "MINIMAL"}),
        ("models/gemini-3.8-flash", "minimal", {"includeThoughts": True, "thinkingLevel": "LOW"}),
        ("gemini-3.8-flash", "max", {"includeThoughts": True, "thinkingLevel": "HIGH"}),
        ("gemini-3.1-pro-preview", "medium", {"includeThoughts": True, "thinkingLevel": "MEDIUM"}),
        ("gemini-3.1-flash-lite", "minimal", {"includeThoughts": True, "thinkingLevel": "MINIMAL"}),
        ("gemini-2.5-flash", "none", {"thinkingBudget": 0}),
        ("gemini-2.5-flash-lite", "low", {"includeThoughts": True, "thinkingBudget": 1024}),
        ("gemini-2.5-pro", "none", {"includeThoughts": True, "thinkingBudget": 1024}),
        ("gemini-2.0-flash", "high", None),
        ("gemma-3-27b-it", "", None),
        ("somebody-elses", "high", None),
    ],
)
def test_each_family_is_told_how_hard_to_think_in_its_own_way(
    model: str, effort: str, thinking: JsonValue
) -> None:
    body = body_of(Request("", (HI,)), model, ProviderSettings(effort=effort))
    assert body.get("generationConfig", {}).get("thinkingConfig") == thinking


def test_temperature_and_limit_are_sent_where_the_model_takes_them() -> None:
    options = ProviderSettings(temperature=0.3, max_output_tokens=500)
    for model, temperature in {
        "gemini-2.5-flash": 0.3,
        "gemini-3-flash-preview": 0.3,
        "gemini-3.5-flash": 0.3,
        "gemini-3.5-flash-lite": None,
        "gemini-3.6-flash": None,
        "gemini-3.8-flash": None,
        "gemini-flash-latest": None,
    }.items():
        configuration = body_of(Request("", (HI,)), model, options)["generationConfig"]
        assert configuration["maxOutputTokens"] == 500
        assert configuration.get("temperature") == temperature, model


def test_the_compatible_endpoint_is_told_no_effort_that_its_models_refuse() -> None:
    assert traits_of("gemini-3.8-flash").effort("none") == "low"
    assert traits_of("gemini-2.5-flash").effort("none") == "none"
    assert traits_of("gemini-2.5-flash").effort("minimal") == "low"
    assert traits_of("gemini-2.0-flash").effort("high") == ""
