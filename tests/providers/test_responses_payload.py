"""Request bodies of the Responses format, for any history."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import settings as example_settings
from hypothesis import strategies as st

from tests.providers.responses_stream import (
    call,
    done,
    end,
    message,
    own_provider,
    reasoning,
    words,
)
from tests.providers.wire import (
    ADD_TASK,
    KEY,
    TOOLS,
    answered,
    collect,
    completed,
    provider_at,
    request,
    sse,
    wire_server,
)
from tests.providers.wire import body_of as body_in
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
    TurnContext,
)
from todo_tui.domain.task import JsonValue
from todo_tui.providers.wire_formats.openai_responses import ResponsesFormat
from todo_tui.providers.wire_formats.wire_format import format_context

NOW = TurnContext(now=datetime(2026, 11, 18, 14, 30), zone="Europe/Berlin", open_tasks=6)
OWN = "openai:m"


def sent(
    asked: Request, *, origin: str = OWN, model: str = "m", settings: ProviderSettings | None = None
) -> dict[str, JsonValue]:
    body: dict[str, JsonValue] = body_in(
        ResponsesFormat(settings or ProviderSettings()), asked, origin, model
    )
    return body


def items_of(asked: Request, *, origin: str = OWN) -> list[dict[str, JsonValue]]:
    items = sent(asked, origin=origin)["input"]
    assert isinstance(items, list)
    return [item for item in items if isinstance(item, dict)]


def sealed(number: int = 1) -> Thinking:
    meta: Meta = {
        "id": f"rs_{number}",
        "summary": [{"type": "summary_text", "text": "Hm."}],
        "encrypted_content": f"sealed {number}",
    }
    return Thinking("Hm.", meta)


def rendered(number: int = 1) -> JsonValue:
    return {
        "type": "reasoning",
        "id": f"rs_{number}",
        "summary": [{"type": "summary_text", "text": "Hm."}],
        "encrypted_content": f"sealed {number}",
    }


def said(text: str, **members: JsonValue) -> JsonValue:
    return {"type": "message", "role": "assistant", "content": text, **members}


CALL = ToolCall("call_a", "add_task", '{"title": "Milk"}')
CALLED: JsonValue = {
    "type": "function_call",
    "call_id": "call_a",
    "name": "add_task",
    "arguments": '{"title": "Milk"}',
}


def replayed(*parts: MessagePart, origin: str = OWN) -> list[dict[str, JsonValue]]:
    """Return how an assistant message of these parts is sent back."""
    return items_of(Request("", (Message(Role.ASSISTANT, parts, origin=origin),)))


halves = st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
written = st.one_of(
    st.just('{"title": "Milk"}'), st.just('{"title": "'), st.just("[1]"), st.just("NaN"), halves
)
origins = st.sampled_from([None, OWN, "gemini:m", "offline:rules"])
metas = st.sampled_from([{}, {"phase": "commentary"}, sealed().meta, {"id": "rs_9"}])


@st.composite
def turns(draw: st.DrawFn, number: int) -> list[Message]:
    """Generate a turn whose calls have their results, perhaps with an answer."""
    turn = [Message(Role.USER, (Text(draw(halves)),), context=draw(st.sampled_from([None, NOW])))]
    for step in range(draw(st.integers(0, 2))):
        calls = [
            ToolCall(f"call_{number}_{step}_{at}", "add_task", draw(written), draw(metas))
            for at in range(draw(st.integers(1, 3)))
        ]
        parts: list[MessagePart] = [
            Thinking(draw(halves), draw(metas)),
            Text(draw(halves), draw(metas)),
        ]
        parts += [*calls, Thinking(draw(halves), draw(metas))]
        turn.append(Message(Role.ASSISTANT, tuple(parts), origin=draw(origins)))
        turn.append(
            Message(Role.TOOL, tuple(ToolResult(c.id, c.name, draw(halves)) for c in calls))
        )
    answer = (Thinking(draw(halves), draw(metas)), Text(draw(halves), draw(metas)))
    turn.append(Message(Role.ASSISTANT, answer, origin=draw(origins)))
    return turn


@st.composite
def requests(draw: st.DrawFn) -> Request:
    history: list[Message] = []
    for number in range(draw(st.integers(0, 3))):
        history += draw(turns(number))
    newest = Message(Role.USER, (Text("add eggs"),), context=NOW)
    return Request("Be brief.", (*history, newest), TOOLS)


FIELDS: dict[JsonValue, set[str]] = {
    "message": {"type", "role", "content"},
    "reasoning": {"type", "id", "summary", "encrypted_content"},
    "function_call": {"type", "call_id", "name", "arguments"},
    "function_call_output": {"type", "call_id", "output"},
}


@given(request=requests())
@example_settings(max_examples=80)
def test_any_history_is_sent_by_the_rules_of_the_format(request: Request) -> None:
    items = items_of(request)
    json.dumps(sent(request), ensure_ascii=False).encode("utf-8")
    waiting: set[JsonValue] = set()
    thinking = False
    for item in items:
        kind = item["type"]
        assert item.keys() - {"phase"} == FIELDS[kind]
        if kind == "message":
            assert str(item["content"]).strip()
        if kind == "function_call":
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", str(item["call_id"]))
            assert isinstance(json.loads(str(item["arguments"])), dict)
            waiting.add(item["call_id"])
        elif kind == "function_call_output":
            assert item["output"]
            waiting.remove(item["call_id"])
        elif item.get("role") == "user":
            assert not waiting, "a call was left without its result"
        spoken_next = kind == "function_call" or item.get("role") == "assistant"
        assert not thinking or kind == "reasoning" or spoken_next, "thinking was left alone"
        thinking = kind == "reasoning"
    assert not waiting
    assert items[-1]["role"] == "user"


@given(request=requests())
@example_settings(max_examples=40)
def test_a_history_of_others_carries_nothing_of_theirs(request: Request) -> None:
    items = items_of(request, origin="mine:other")
    assert "reasoning" not in {item["type"] for item in items}
    assert not any("phase" in item for item in items)


def test_a_history_of_another_provider_is_words_calls_and_results() -> None:
    history = (
        Message(Role.USER, (Text("Add milk"),)),
        Message(
            Role.ASSISTANT,
            (Thinking("Hm", {"signature": "x"}), Text("Let me "), Text("see."), CALL),
            origin="anthropic:claude-haiku-5-5",
        ),
        Message(Role.TOOL, (ToolResult("call_a", "add_task", '{"status": "success"}'),)),
        Message(Role.ASSISTANT, (Text("Done."),), origin="gemini:x"),
        Message(Role.USER, (Text("Thanks"),), context=NOW),
    )
    assert items_of(Request("", history)) == [
        {"type": "message", "role": "user", "content": "Add milk"},
        said("Let me see."),
        CALLED,
        {
            "type": "function_call_output",
            "call_id": "call_a",
            "output": '{"status": "success"}',
        },
        said("Done."),
        {"type": "message", "role": "user", "content": f"{format_context(NOW)}\n\nThanks"},
    ]


def test_thinking_goes_back_before_what_it_led_to() -> None:
    other = ToolCall("call_b", "undo", "{}")
    items = replayed(sealed(1), Text("Sure."), sealed(2), CALL, other)
    assert items[:4] == [rendered(1), said("Sure."), rendered(2), CALLED]
    assert items[4]["call_id"] == "call_b"


@each_row(
    "parts",
    [
        (sealed(),),
        (sealed(), Text("  ")),
        (sealed(1), sealed(2)),
        (Thinking("Hm."),),
        (Thinking("Hm.", {"id": "rs_1", "summary": []}),),
    ],
)
def test_thinking_is_never_sent_alone_nor_by_its_id_alone(parts: tuple[MessagePart, ...]) -> None:
    assert replayed(*parts) == []


def test_thinking_whose_id_was_sent_already_is_left_out() -> None:
    assert replayed(sealed(1), Text("One."), sealed(1), Text("Two."))[2] == said("Two.")


def test_thinking_after_the_last_word_is_left_out() -> None:
    assert replayed(Text("Sure."), sealed()) == [said("Sure.")]


@pytest.mark.parametrize("origin", ["openai:other", "mine:m"])
def test_thinking_goes_back_to_the_model_that_it_came_from_alone(origin: str) -> None:
    assert replayed(sealed(), Text("Sure.", {"phase": "commentary"}), CALL, origin=origin) == [
        said("Sure."),
        CALLED,
    ]


def test_open_thinking_goes_back_in_plain_words() -> None:
    content: JsonValue = [{"type": "reasoning_text", "text": "Hm"}]
    thought = Thinking("Hm", {"id": "rs_1", "summary": [], "content": content})
    assert replayed(thought, CALL)[0] == {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [],
        "content": content,
    }


async def test_an_answer_goes_back_as_it_came() -> None:
    output = (
        reasoning("One", "Two"),
        message("Let me see.", phase="commentary"),
        message("Done.", "msg_2", phase="final_answer"),
        reasoning(item_id="rs_2"),
        call(given='{"title": "Milk"}'),
    )
    stream = sse(*(done(item, at) for at, item in enumerate(output)), end(), done=False)
    answer = completed(await answered(stream, row_id="openai")).message
    summaries: list[JsonValue] = [{"type": "summary_text", "text": text} for text in ("One", "Two")]
    first: JsonValue = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": summaries,
        "encrypted_content": "c2VhbGVk",
    }
    second: JsonValue = {
        "type": "reasoning",
        "id": "rs_2",
        "summary": [],
        "encrypted_content": "c2VhbGVk",
    }
    assert items_of(Request("", (answer,))) == [
        first,
        said("Let me see.", phase="commentary"),
        said("Done.", phase="final_answer"),
        second,
        CALLED,
    ]


def test_the_same_history_is_the_same_bytes_and_a_new_message_only_adds() -> None:
    first = Message(Role.USER, (Text("add eggs"),), context=NOW)
    answer = Message(Role.ASSISTANT, (sealed(), Text("Done.")), origin=OWN)
    before = sent(Request("Be brief.", (first,), TOOLS))
    after = sent(Request("Be brief.", (first, answer, first), TOOLS))
    items, more = before.pop("input"), after.pop("input")
    assert isinstance(items, list)
    assert isinstance(more, list)
    assert json.dumps(more[: len(items)]) == json.dumps(items)
    assert json.dumps(after) == json.dumps(before)


def test_what_stays_the_same_is_said_first() -> None:
    names = list(sent(Request("Be brief.", request().messages, TOOLS)))
    assert names.index("instructions") < names.index("tools") < names.index("input")


def test_a_tool_says_that_it_is_not_strict() -> None:
    assert sent(Request("", request().messages, (ADD_TASK,)))["tools"] == [
        {
            "type": "function",
            "name": "add_task",
            "description": "Add a task to the list.",
            "parameters": ADD_TASK.parameters,
            "strict": False,
        }
    ]


@each_row(
    ("choice", "said"),
    [
        (ToolMode.AUTO, None),
        (ToolMode.NONE, "none"),
        (ToolMode.REQUIRED, "required"),
        (NamedTool("add_task"), {"type": "function", "name": "add_task"}),
    ],
)
def test_the_tool_choice_is_said_in_the_words_of_the_format(
    choice: ToolChoice, said: JsonValue
) -> None:
    asked = Request("", request().messages, TOOLS, choice)
    assert sent(asked).get("tool_choice") == said
    assert "tools" in sent(asked)
    assert "tool_choice" not in sent(Request("", request().messages, (), choice))


SET = ProviderSettings(temperature=0.2, max_output_tokens=900, effort="low")


@each_row(
    ("model", "settings", "options"),
    [
        ("gpt-6-luna", ProviderSettings(), {"reasoning": {"summary": "auto"}}),
        (
            "gpt-6-luna",
            SET,
            {"max_output_tokens": 900, "reasoning": {"effort": "low", "summary": "auto"}},
        ),
        (
            "gpt-6-luna",
            ProviderSettings(temperature=0.2, effort="none"),
            {"temperature": 0.2, "reasoning": {"effort": "none"}},
        ),
        ("gpt-5.4", ProviderSettings(temperature=0.2), {"temperature": 0.2}),
        ("gpt-4.1-mini", SET, {"temperature": 0.2, "max_output_tokens": 900}),
        ("anybodys", SET, {"temperature": 0.2, "max_output_tokens": 900}),
        ("anybodys", ProviderSettings(max_output_tokens=1), {"max_output_tokens": 16}),
    ],
)
def test_settings_are_sent_where_the_model_takes_them(
    model: str, settings: ProviderSettings, options: dict[str, JsonValue]
) -> None:
    body = sent(request(), model=model, settings=settings)
    fixed = {"model", "stream", "store", "instructions", "tools", "input", "include"}
    assert {name: body[name] for name in body.keys() - fixed} == options


@pytest.mark.parametrize(
    ("model", "asks"), [("gpt-6-luna", True), ("anybodys", True), ("gpt-4o-mini", False)]
)
def test_sealed_thinking_is_asked_for_unless_the_model_is_known_not_to_think(
    model: str, *, asks: bool
) -> None:
    include = sent(request(), model=model).get("include")
    assert include == (["reasoning.encrypted_content"] if asks else None)


HEADERS = {
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
    "x-stainless-raw-response",
}


async def test_the_body_and_the_headers_hold_these_fields_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("ORG_ID", "PROJECT_ID", "CUSTOM_HEADERS", "API_KEY", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "sk-leaked-123456789: x")
    async with wire_server(sse(words("Hi"), end(), done=False)) as server:
        await collect(provider_at(server.url, "openai"))
        await collect(own_provider(server.url))
    ours, own = server.received
    fields = {"model", "instructions", "tools", "input", "stream", "store", "include"}
    assert set(ours.body) == set(own.body) == fields
    assert (ours.body["store"], ours.body["stream"]) == (False, True)
    assert ours.headers.keys() == HEADERS
    assert ours.headers["authorization"] == f"bearer {KEY}".lower()
    assert own.headers.keys() == HEADERS - {"authorization"}
    assert "leaked" not in f"{ours.headers} {own.headers} {ours.body} {own.body}"


@each_row("path", ["", "/", "/v1", "/v1/"])
async def test_a_bare_address_is_asked_under_its_first_version(path: str) -> None:
    async with wire_server(sse(words("Hi"), end(), done=False)) as server:
        await collect(provider_at(f"{server.url}{path}", "openai"))
    assert server.received[0].line == "POST /v1/responses HTTP/1.1"
