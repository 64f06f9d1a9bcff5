"""Tool calls in the text that Groq could not read as one (`failed_generation`)."""

import json
import re
from collections.abc import Iterator, Sequence

from todo_tui.domain.messages import ToolCall, ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.providers.json_values import (
    get_items,
    get_member,
    get_text,
    json_or_text,
    parse_leading_json,
)
from todo_tui.providers.wire_formats.tool_calls import resolve_name

_START = re.compile(r"<function=|[{\[]")
_FUNCTION = re.compile(r"<function=([\w.-]+)>?(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)


def read_failed_generation(text: str, tools: Sequence[ToolSpec]) -> tuple[ToolCall, ...]:
    """Return the calls in the text, without ids; empty if there are none.

    They may be of tools that do not exist: Groq reports those too.
    """
    start = _START.search(text)
    if start is None:
        return ()
    text = text[start.start() :].strip()
    read = _xml_calls(text, tools) if text.startswith("<") else _json_calls(text)
    try:
        return tuple(read)
    except RecursionError:
        # JSON that can be parsed, but is nested too deeply to be written again.
        return ()


def _json_calls(text: str) -> Iterator[ToolCall]:
    while (value := _leading_json(text)) is not None:
        calls = _calls_of_value(value[0])
        if not calls:
            return
        yield from calls
        text = text[value[1] :].lstrip(" \t\r\n,;")


def _calls_of_value(value: JsonValue) -> tuple[ToolCall, ...]:
    if isinstance(value, list):
        each = [_calls_of_value(item) for item in value]
        return tuple(call for calls in each for call in calls) if all(each) else ()
    if not isinstance(value, dict):
        return ()
    name = value.get("name")
    arguments = value.get("arguments", value.get("parameters"))
    if not isinstance(name, str) or (arguments is None and len(value) > 1):
        return ()
    return _call(name, arguments)


def _xml_calls(text: str, tools: Sequence[ToolSpec]) -> Iterator[ToolCall]:
    while match := _FUNCTION.match(text):
        text = text[match.end() :].lstrip()
        name, body = match[1], match[2].strip()
        value = _leading_json(body)
        if value is not None:
            yield from _call(name, value[0])
            continue
        wanted = resolve_name(name, [tool.name for tool in tools])
        tool = next((tool for tool in tools if tool.name == wanted), None)
        arguments = {
            key: _typed(written.strip("\n"), tool, key) for key, written in _PARAMETER.findall(body)
        }
        if arguments or not body:
            yield from _call(name, arguments)


def _call(name: str, arguments: JsonValue) -> tuple[ToolCall, ...]:
    if isinstance(arguments, str):
        decoded = _leading_json(arguments.strip() or "{}")
        arguments = decoded[0] if decoded else None
    elif arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        return ()
    return (ToolCall("", name, json.dumps(arguments, ensure_ascii=False)),)


def _leading_json(text: str) -> tuple[JsonValue, int] | None:
    """Return the JSON object or list at the beginning of the text, and its length."""
    return parse_leading_json(text) if text.startswith(("{", "[")) else None


def _typed(text: str, tool: ToolSpec | None, name: str) -> JsonValue:
    """Parse the value of an XML parameter, which is JSON unless the tool wants a string."""
    schema = get_member(get_member(tool and tool.parameters, "properties"), name)
    kinds = [get_text(each, "type") for each in (schema, *get_items(schema, "anyOf"))]
    return text if "string" in kinds else json_or_text(text)
