"""Arguments from models: harmless slips are read, everything else is an error."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.fixed_bytes import fixed_bytes
from tests.rows import each_row
from tests.tools.conftest import ToolRunner
from todo_tui.agent.system_prompt import DOCUMENTS_RULE, SYSTEM_PROMPT
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.task import JsonValue
from todo_tui.tools.arguments import parse_object, read_ids
from todo_tui.tools.base import Tool
from todo_tui.tools.registry import TOOLS

FORBIDDEN_WORDS = {
    "title", "$ref", "$defs", "$schema", "anyOf", "oneOf", "allOf", "const", "default",
    "format", "exclusiveMinimum", "exclusiveMaximum", "discriminator",
}  # fmt: skip


@each_row("sent", [3, "3", "#3", " #3 ", [3], ["3"], ["#3"], [3, 3], 3.0, "[3]"])
def test_one_id_is_read_however_it_is_written(sent: object) -> None:
    assert read_ids(sent) == [3]


@each_row("sent", ["3, 4", "#3 #4", "[3, 4]", ["#3", 4], "3;4"])
def test_several_ids_are_read_in_the_order_given(sent: object) -> None:
    assert read_ids(sent) == [3, 4]


@pytest.mark.parametrize(
    "sent", [[], "", "milk", True, [True], 3.5, {"id": 3}, [[3]], "3-5", -1, 2**63, None]
)
def test_what_could_mean_anything_is_no_id(tools: ToolRunner, sent: object) -> None:
    error = tools.problem("complete_task", task_ids=sent)

    assert error["type"] == "validation_error"
    assert "task_ids" in error["message"]


@pytest.mark.parametrize("sent", [3, [3], {"a": 1}, True])
def test_text_is_text(tools: ToolRunner, sent: object) -> None:
    message = tools.problem("add_task", title="Buy milk", details=sent)["message"]
    assert "'details'" in message
    assert "should be text" in message


@pytest.mark.parametrize(
    ("tool", "removed"),
    [
        ("add_task", "due"),
        ("add_task", "tags"),
        ("list_tasks", "limit"),
        ("list_tasks", "show"),
        ("update_task", "position"),
        ("update_task", "title"),
        ("complete_task", "subtasks"),
        ("delete_task", "title"),
    ],
)
def test_values_have_one_argument_only(tools: ToolRunner, tool: str, removed: str) -> None:
    message = tools.problem(tool, **{removed: "x"})["message"]
    assert f'has no argument "{removed}"; it takes: ' in message


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_argument_that_is_not_declared_is_an_error(tools: ToolRunner, tool: Tool) -> None:
    for sent in ("bob", None):
        error = tools.problem(tool.name, user_id=sent)

        assert error["type"] == "validation_error"
        assert "user_id" in error["message"]


@each_row("tool", TOOLS)
def test_no_tool_has_the_user_as_a_parameter(tool: Tool) -> None:
    assert not any("user" in name for name in tool.spec.parameters["properties"])  # type: ignore[union-attr, operator]  # an object by the test below


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        "3",
        '"x"',
        "{",
        '{"title": "x"',
        "{title: x}",
        "NaN",
        "[" * 100_000,
        '{"title": ' + "[" * 60 + "]" * 60 + "}",
        '{"title": ' + "[" * 600 + "]" * 600 + "}",
        '{"title": 1e999}',
        '{"title": ' + "1" * 5_000 + "}",
    ],
)
def test_arguments_that_are_no_json_object_are_an_error_never_empty(
    tools: ToolRunner, text: str
) -> None:
    answer = tools.raw("list_tasks", text)

    assert answer["error"]["type"] == "validation_error"
    assert "JSON" in answer["error"]["message"]


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_no_text_is_a_call_without_arguments(tools: ToolRunner, text: str) -> None:
    assert tools.raw("list_tasks", text)["status"] == "success"


def test_a_missing_argument_is_named(tools: ToolRunner) -> None:
    assert "'title' is missing" in tools.problem("add_task", details="today")["message"]


def test_all_wrong_arguments_are_named_at_once(tools: ToolRunner) -> None:
    message = tools.problem("add_task", details=7, colour="red")["message"]

    assert all(name in message for name in ("title", "details", "colour"))


def test_many_wrong_arguments_are_counted(tools: ToolRunner) -> None:
    message = tools.problem("add_task", title="a", **{f"a{each}": 1 for each in range(1_000)})[
        "message"
    ]
    assert message.endswith("(990 more.)")


def test_one_call_is_about_a_thousand_tasks_at_most(tools: ToolRunner) -> None:
    message = tools.problem("complete_task", task_ids=list(range(1, 1_002)))["message"]
    assert "at most 1,000 tasks, not 1,001" in message


def test_halves_of_a_character_are_made_whole(tools: ToolRunner) -> None:
    answer = tools.raw("add_task", r'{"title": "Party \ud83c\udf89 \ud83c"}')

    assert answer["data"]["task"]["title"] == "Party 🎉 �"


@given(st.text() | st.from_regex(r"\{.*\}"))
@settings(max_examples=200)
def test_any_text_is_an_object_or_our_error(text: str) -> None:
    try:
        read = parse_object(text)
    except ValidationError as error:
        told = error.message
    else:
        assert isinstance(read, dict)
        return
    assert "JSON" in told


@each_row("tool", TOOLS)
def test_schemas_are_flat_and_plain(tool: Tool) -> None:
    schema = tool.spec.parameters

    assert set(schema) <= {"type", "properties", "required"}
    properties = schema["properties"]
    assert isinstance(properties, dict)
    for shape in properties.values():
        assert isinstance(shape, dict)
        assert shape["type"] in ("string", "integer", "boolean", "array")
        assert not set(shape) & FORBIDDEN_WORDS
    json.dumps(schema)


@each_row("tool", TOOLS)
def test_every_tool_says_what_it_does_to_model_and_person(tool: Tool) -> None:
    assert tool.spec.description
    assert tool.label.endswith("…")


_MAX_TOOL_BYTES = 2_200
_MAX_FIXED_BYTES = 3_600
_MAX_FIXED_BYTES_WITH_DOCUMENTS = 5_500
_WITHOUT_DOCUMENTS = [tool for tool in TOOLS if not tool.needs_documents]


def test_tools_and_instructions_stay_small() -> None:
    tools = _bytes(_WITHOUT_DOCUMENTS)
    assert tools <= _MAX_TOOL_BYTES
    assert tools + len(SYSTEM_PROMPT.encode()) <= _MAX_FIXED_BYTES

    fixed = _bytes(TOOLS) + len((SYSTEM_PROMPT + DOCUMENTS_RULE).encode())
    assert fixed <= _MAX_FIXED_BYTES_WITH_DOCUMENTS


def _bytes(tools: Iterable[Tool]) -> int:
    chat: list[JsonValue] = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.spec.description,
                "parameters": dict(tool.spec.parameters),
            },
        }
        for tool in tools
    ]
    return len(json.dumps(chat, ensure_ascii=False, separators=(",", ":")).encode())


def test_the_fixed_part_of_a_request_stays_small_for_every_provider() -> None:
    for sent in fixed_bytes():
        assert sent.whole < 5_200, sent.asked.row.label


def test_the_fixed_part_with_documents_stays_small_for_every_provider() -> None:
    for sent in fixed_bytes(with_documents=True):
        assert sent.whole <= _MAX_FIXED_BYTES_WITH_DOCUMENTS, sent.asked.row.label


def test_schemas_have_no_values_to_copy() -> None:
    """Small models put any value that they see into their calls."""
    for tool in TOOLS:
        text = json.dumps(tool.spec.parameters, ensure_ascii=False)
        assert not re.search(r"\d|friday|monday|tomorrow|!high|e\.g\.|example", text), tool.name


def test_the_tools_are_those_that_are_promised() -> None:
    ids = ["task_ids", "filter"]
    promised = {
        "add_task": ["title", "details", "notes"],
        "list_tasks": ["filter"],
        "update_task": [*ids, "details", "new_title", "notes"],
        "complete_task": ids,
        "reopen_task": ids,
        "delete_task": ids,
        "undo": [],
        "redo": [],
        "retrieve_knowledge": ["query", "limit"],
        "validate_query": ["query"],
        "assess_answer_quality": ["answer", "evidence"],
    }
    documents = ["retrieve_knowledge", "validate_query", "assess_answer_quality"]
    offered = {tool.name: list(tool.spec.parameters["properties"]) for tool in TOOLS}  # type: ignore[arg-type]  # an object by the test above
    assert offered == promised
    assert [tool.name for tool in TOOLS if tool.reads_only] == ["list_tasks", *documents]
    assert [tool.name for tool in TOOLS if tool.needs_documents] == documents
    required = {tool.name: tool.spec.parameters.get("required") for tool in TOOLS}
    assert required == dict.fromkeys(promised) | {
        "add_task": ["title"],
        "retrieve_knowledge": ["query"],
        "validate_query": ["query"],
        "assess_answer_quality": ["answer"],
    }
