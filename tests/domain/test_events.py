"""Tests of a turn's JSON."""

from __future__ import annotations

import json

import pytest

from tests.rows import each_row
from todo_tui.domain.events import StepStatus, TraceStep, TurnFinished, TurnOutcome, outcome_to_json
from todo_tui.domain.json_text import format_json
from todo_tui.domain.messages import Usage
from todo_tui.domain.task import JsonValue


def printed(arguments: str) -> JsonValue:
    """The arguments in the trace, as a program reads them."""
    step = TraceStep("c1", "add_task", "?", arguments, "{}", StepStatus.ERROR, 1.0)
    outcome = TurnOutcome("", (step,), "local", "m", Usage(), 0.0, 1, 1.0)
    text = format_json(outcome_to_json(TurnFinished("t", "c", outcome)), indent=2)
    read: JsonValue = json.loads(text, parse_constant=pytest.fail)["trace"][0]["arguments"]
    return read


@each_row(
    "arguments",
    [
        "{", '{"a": NaN}', '{"a": 1e999}', '{"a": -Infinity}', '{"a": ' + "1" * 5_000 + "}",
        "[" * 60 + "]" * 60, "[" * 900 + "]" * 900, '{"a": ' * 5_000 + "1" + "}" * 5_000,
    ],
)  # fmt: skip
def test_invalid_json_arguments_are_text(arguments: str) -> None:
    assert printed(arguments) == arguments


def test_json_arguments_are_parsed() -> None:
    assert printed('{"title": "Milk", "tags": [["a"]]}') == {"title": "Milk", "tags": [["a"]]}
    assert printed(r'{"title": "\ud83d"}') == {"title": "\ud83d"}
