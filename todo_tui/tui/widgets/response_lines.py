"""A ToolResponse as lines that a person reads: tasks on a line each, no punctuation of JSON."""

from __future__ import annotations

import json

from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line, plain_text

JsonObject = dict[str, JsonValue]


def response_lines(result: str) -> list[str]:
    """The data of a success, the message of an error; text that is no JSON as it stands."""
    try:
        response: JsonValue = json.loads(result)
    except ValueError:
        return plain_text(result).splitlines()
    if not isinstance(response, dict) or "status" not in response:
        return [plain_line(line) for line in _lines(response, "")]
    lines: list[str] = []
    error = response.get("error")
    if isinstance(error, dict):
        lines.append(f"{_scalar(error.get('type'))}: {_scalar(error.get('message'))}")
    if response.get("data") is not None:
        lines += _lines(response["data"], "")
    return [plain_line(line) for line in lines]


def _lines(value: JsonValue, indent: str) -> list[str]:
    match value:
        case dict() if "title" in value and "id" in value:
            return _task(value, indent)
        case dict() if isinstance(value.get("error"), dict) and "id" in value:
            return [f"{indent}#{_scalar(value['id'])}  {_error(value['error'])}"]
        case dict() if "id" in value and "task" in value:
            return _pairs({k: v for k, v in value.items() if k not in ("id", "status")}, indent)
        case dict():
            return _pairs(value, indent)
        case list():
            return [line for each in value for line in _lines(each, indent)]
        case str():
            return [f"{indent}{line}" for line in plain_text(value).splitlines()]
        case _:
            return [f"{indent}{_scalar(value)}"]


def _task(task: JsonObject, indent: str) -> list[str]:
    """`#12 Buy milk` and below it what else is known of the task."""
    facts: JsonObject = {
        key: each
        for key, each in task.items()
        if key not in ("id", "title") and each not in (None, [], {}, "todo")
    }
    return [
        f"{indent}#{_scalar(task['id'])} {_scalar(task['title'])}",
        *_pairs(facts, indent + "  "),
    ]


def _pairs(pairs: JsonObject, indent: str) -> list[str]:
    """`key  value` lines with the values in a column; what is nested goes below its key."""
    kept = {key: each for key, each in pairs.items() if each not in (None, [], {})}
    flat = {key: _flat(each) for key, each in kept.items()}
    margin = max((len(key) for key, text in flat.items() if text is not None), default=0)
    lines: list[str] = []
    for key, each in kept.items():
        text = flat[key]
        if text is not None:
            lines.append(f"{indent}{key:<{margin}}  {text}")
        elif (isinstance(each, dict) and "title" in each) or key in ("tasks", "results"):
            lines += _lines(each, indent)
        else:
            lines += [f"{indent}{key}", *_lines(each, indent + "  ")]
    return lines


def _flat(value: JsonValue) -> str | None:
    """A value that fits behind its key; None for what has parts of its own."""
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        return ", ".join(_scalar(each) for each in value)
    return None if isinstance(value, dict | list) else _scalar(value)


def _error(error: JsonValue) -> str:
    return _scalar(error.get("message")) if isinstance(error, dict) else _scalar(error)


def _scalar(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
