"""Recorded answers of a llama.cpp server, read by the real SDKs."""

from __future__ import annotations

import json

import pytest

from tests.providers.wire import (
    RECORDED,
    answered,
    collect,
    completed,
    provider_at,
    recorded,
    request,
    wire_server,
    words,
)
from tests.rows import each_row
from todo_tui.domain.errors import ProviderError, ProviderErrorKind
from todo_tui.domain.messages import NamedTool, StopReason, ToolSpec, Usage
from todo_tui.domain.task import JsonValue

Kind = ProviderErrorKind

CALLS: dict[str, tuple[str, JsonValue, Usage]] = {
    "q-01-stream-tool-auto": (
        "add_task",
        {"title": "Eggs", "due": "2027-01-10", "priority": "normal"},
        Usage(951, 0, 40),
    ),
    "q-02-stream-tool-required": ("complete_task", {"task_id": 2}, Usage(950, 941, 18)),
    "q-03-stream-parallel": (
        "add_task",
        {"title": "Eggs and bread", "due": "2027-01-10", "priority": "normal"},
        Usage(954, 941, 42),
    ),
    "q-08-nonstream-tool": ("delete_task", {"task_id": 3}, Usage(950, 941, 18)),
    "q-12-named-tool-choice": ("complete_task", {"task_id": 2}, Usage(950, 941, 18)),
    "q-15-orphan-tool-message": ("complete_task", {"task_id": 2}, Usage(966, 948, 18)),
    "q-16-wrong-model-name": ("complete_task", {"task_id": 2}, Usage(950, 948, 18)),
    "q-19-content-parts": ("complete_task", {"task_id": 2}, Usage(950, 941, 18)),
}
TEXTS = {
    "q-04-stream-text-only": "You're welcome! If you have any more tasks, feel free to ask.",
    "q-05-stream-after-tool-result": "Done.",
    "q-18-tool-choice-none": "To start, you should call the dentist.",
    "q-21-stream-json-schema": (
        '{"tool": "add_task", "args": {"title": "Eggs", "due": "2027-01-10", "priority": "high"}}'
    ),
    "t-40-smollm2-tools-silently-ignored": "You can add eggs to your list.",
    "t-41-smollm2-required-silently-ignored": "You can add eggs to your list.",
}
ERRORS = {
    "e-50-loading": Kind.LOADING,
    "e-51-no-api-key-401": Kind.AUTH,
    "get-v1_nothing": Kind.BAD_REQUEST,
    "get-props_nothing": Kind.BAD_REQUEST,
    "q-07-stream-midstream-error-500": Kind.MALFORMED,
    "q-07b-nonstream-parse-error-500": Kind.MALFORMED,
    "q-09-err-context-overflow": Kind.CONTEXT_TOO_LONG,
    "q-10-err-bad-json": Kind.BAD_REQUEST,
    "q-11-err-bad-tool-choice": Kind.BAD_REQUEST,
    "q-13-err-grammar-with-tools": Kind.BAD_REQUEST,
    "q-14-err-no-messages": Kind.BAD_REQUEST,
    "q-17-n-2": Kind.BAD_REQUEST,
    "q-20-history-bad-args-json": Kind.BAD_REQUEST,
}
TEXT_CALLS = ("s-30-stock-tool-call-as-text", "s-31-stock-required-runs-to-length")
LENGTH = ("q-06-stream-length-mid-args",)
NO_ANSWERS = ("get-health", "get-metrics", "get-v1_models")


def tools_of(name: str) -> tuple[ToolSpec, ...]:
    """Return the tools that were offered when the answer was recorded."""
    path = RECORDED / "requests" / f"{name}.json"
    body = json.loads(path.read_text()) if path.exists() else {}
    offered = [tool["function"] for tool in body.get("tools", [])]
    return tuple(ToolSpec(f["name"], f["description"], f["parameters"]) for f in offered)


def test_every_recorded_answer_is_covered() -> None:
    covered = {*CALLS, *TEXTS, *ERRORS, *TEXT_CALLS, *LENGTH, *NO_ANSWERS}
    assert covered == {path.stem for path in RECORDED.glob("*.http")}


@each_row("row_id", ["local", "groq"])
@each_row("name", CALLS)
async def test_a_streamed_call_is_read_with_its_usage(name: str, row_id: str) -> None:
    tool, arguments, usage = CALLS[name]
    events = await answered(
        recorded(name), row_id=row_id, asked=request(tools=tools_of("q-01-stream-tool-auto"))
    )
    last = completed(events)
    assert [call.name for call in last.message.tool_calls] == [tool]
    assert json.loads(last.message.tool_calls[0].arguments) == arguments
    assert (last.stop, last.usage) == (StopReason.TOOL_CALLS, usage)
    assert not words(events)


@each_row("row_id", ["local", "groq"])
@each_row("name", TEXTS)
async def test_a_streamed_answer_in_words_is_read(name: str, row_id: str) -> None:
    events = await answered(recorded(name), row_id=row_id, asked=request(tools=tools_of(name)))
    last = completed(events)
    assert words(events) == last.message.text == TEXTS[name]
    assert last.stop is StopReason.END
    assert last.usage is not None


@each_row("row_id", ["local", "groq"])
@each_row("name", ERRORS)
async def test_a_recorded_error_is_sorted_into_its_kind(name: str, row_id: str) -> None:
    with pytest.raises(ProviderError) as caught:
        await answered(recorded(name), row_id=row_id)
    assert caught.value.kind is ERRORS[name]
    assert caught.value.hint


async def test_a_call_cut_off_by_length_is_not_complete_and_keeps_its_text() -> None:
    last = completed(await answered(recorded(LENGTH[0])))
    assert last.stop is StopReason.LENGTH
    assert last.message.tool_calls[0].arguments == '{"title": "'


@each_row("name", TEXT_CALLS)
@each_row(
    ("row_id", "hint"),
    [
        ("local", "Choose a model that supports tools; llama-server needs --jinja."),
        ("ollama", "Choose a model that supports tools, such as qwen3.5."),
        ("groq", "Choose a model that supports tools."),
    ],
)
async def test_a_call_that_a_model_wrote_as_text_is_an_error_with_the_way_out(
    name: str, row_id: str, hint: str
) -> None:
    asked = request(tools=tools_of(name))
    with pytest.raises(ProviderError) as caught:
        await answered(recorded(name), row_id=row_id, asked=asked)
    assert caught.value.kind is Kind.TOOLS_UNSUPPORTED
    assert caught.value.message == "m wrote a tool call as text, so it was not run."
    assert caught.value.hint == hint


async def test_the_first_listed_model_is_asked_where_none_is_named() -> None:
    async with wire_server(recorded("get-v1_models"), recorded("q-04-stream-text-only")) as server:
        provider = provider_at(server.url, model="")
        assert provider.model == ""
        last = completed(await collect(provider))
    assert provider.model == "qwen2.5-coder-0.5b"
    assert last.message.origin == "local:qwen2.5-coder-0.5b"
    assert [each.line.split()[:2] for each in server.received] == [
        ["GET", "/v1/models"],
        ["POST", "/v1/chat/completions"],
    ]


async def test_the_request_has_the_shape_that_was_recorded() -> None:
    asked = request(tools=tools_of("q-12-named-tool-choice"))
    named = type(asked)(asked.system, asked.messages, asked.tools, NamedTool("complete_task"))
    async with wire_server(recorded("q-12-named-tool-choice")) as server:
        await collect(provider_at(server.url), named)
    sent = server.received[0].body
    was = json.loads((RECORDED / "requests" / "q-12-named-tool-choice.json").read_text())
    for name in ("stream", "stream_options", "tools", "tool_choice"):
        assert sent[name] == was[name]
