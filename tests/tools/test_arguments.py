"""Arguments from models: harmless slips are read, everything else is an error."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.fixed_bytes import fixed_bytes
from tests.tools.conftest import Toolbox
from todo_tui.domain.errors import ValidationError
from todo_tui.tools.arguments import parse_object, read_ids, read_names
from todo_tui.tools.base import Tool
from todo_tui.tools.registry import TOOLS

FORBIDDEN_WORDS = {
    "title", "$ref", "$defs", "$schema", "anyOf", "oneOf", "allOf", "const", "default",
    "format", "exclusiveMinimum", "exclusiveMaximum", "discriminator",
}  # fmt: skip


@pytest.mark.parametrize("sent", [3, "3", "#3", " #3 ", [3], ["3"], ["#3"], [3, 3], 3.0, "[3]"])
def test_one_id_is_read_however_it_is_written(sent: object) -> None:
    assert read_ids(sent) == [3]


@pytest.mark.parametrize("sent", ["3, 4", "#3 #4", "[3, 4]", ["#3", 4], "3;4"])
def test_several_ids_are_read_in_the_order_given(sent: object) -> None:
    assert read_ids(sent) == [3, 4]


@pytest.mark.parametrize(
    "sent", [[], "", "milk", True, [True], 3.5, {"id": 3}, [[3]], "3-5", -1, 2**63, None]
)
def test_what_could_mean_anything_is_no_id(tools: Toolbox, sent: object) -> None:
    error = tools.problem("complete_task", task_ids=sent)

    assert error["type"] == "validation_error"
    assert "task_ids" in error["message"]


@pytest.mark.parametrize("sent", ["a, b", ["a", "b"], '["a", "b"]', ["@a", "#b", "a"], "@a,@b"])
def test_tags_are_read_from_a_list_or_from_text(sent: object) -> None:
    assert read_names(sent) == ["a", "b"]


@pytest.mark.parametrize("sent", [3, [3], {"a": 1}, [["a"]]])
def test_tags_are_text(tools: Toolbox, sent: object) -> None:
    assert "tags" in tools.problem("add_task", title="Buy milk", tags=sent)["message"]


@pytest.mark.parametrize("sent", ["High", "HIGH", " high ", "!high"])
def test_a_priority_is_read_in_any_case(tools: Toolbox, sent: str) -> None:
    assert tools.data("add_task", title="x", priority=sent)["task"]["priority"] == "high"


def test_a_wrong_word_is_answered_with_the_right_ones(tools: Toolbox) -> None:
    message = tools.problem("add_task", title="x", priority="urgent")["message"]

    assert all(word in message for word in ("priority", "urgent", "high, medium, low"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_an_argument_that_is_not_declared_is_an_error(tools: Toolbox, tool: Tool) -> None:
    for sent in ("bob", None):
        error = tools.problem(tool.name, user_id=sent)

        assert error["type"] == "validation_error"
        assert "user_id" in error["message"]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
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
    tools: Toolbox, text: str
) -> None:
    answer = tools.raw("list_tasks", text)

    assert answer["error"]["type"] == "validation_error"
    assert "JSON" in answer["error"]["message"]


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_no_text_is_a_call_without_arguments(tools: Toolbox, text: str) -> None:
    assert tools.raw("current_time", text)["status"] == "success"


def test_a_missing_argument_is_named(tools: Toolbox) -> None:
    assert "'title' is missing" in tools.problem("add_task", due="today")["message"]


def test_all_wrong_arguments_are_named_at_once(tools: Toolbox) -> None:
    message = tools.problem("add_task", priority="x", colour="red", due=7)["message"]

    assert all(name in message for name in ("title", "priority", "colour", "due"))


def test_many_wrong_arguments_are_counted(tools: Toolbox) -> None:
    message = tools.problem("add_task", title="a", **{f"a{each}": 1 for each in range(1_000)})[
        "message"
    ]
    assert message.endswith("(990 more.)")


def test_names_in_text_that_is_nested_too_deeply_are_text(tools: Toolbox) -> None:
    for depth in (60, 600, 100_000):
        assert tools("add_task", title="a", tags="[" * depth + "]" * depth)["status"]


def test_one_call_is_about_a_thousand_tasks_at_most(tools: Toolbox) -> None:
    message = tools.problem("complete_task", task_ids=list(range(1, 1_002)))["message"]
    assert "at most 1,000 tasks, not 1,001" in message


def test_halves_of_a_character_are_made_whole(tools: Toolbox) -> None:
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


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_schemas_are_flat_and_plain(tool: Tool) -> None:
    schema = tool.spec.parameters

    assert set(schema) <= {"type", "properties", "required", "additionalProperties"}
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    assert isinstance(properties, dict)
    for shape in properties.values():
        assert isinstance(shape, dict)
        assert shape["type"] in ("string", "integer", "boolean", "array")
        assert not set(shape) & FORBIDDEN_WORDS
    json.dumps(schema)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_says_what_it_does_to_model_and_person(tool: Tool) -> None:
    assert tool.spec.description
    assert tool.label.endswith("…")


def test_the_fixed_part_of_a_request_stays_small_for_every_provider() -> None:
    for sent in fixed_bytes():
        assert sent.whole < 7000, sent.asked.row.label


def test_the_tools_are_those_that_are_promised() -> None:
    promised = {
        "add_task", "list_tasks", "update_task", "complete_task", "reopen_task", "delete_task",
        "undo", "redo", "current_time",
    }  # fmt: skip
    assert {tool.name for tool in TOOLS} >= promised
    reading = {tool.name for tool in TOOLS if tool.reads_only}
    assert reading & promised == {"list_tasks", "current_time"}
