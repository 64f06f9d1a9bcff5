"""Tool calls that a model printed as text, found in a whole text.

Models whose chat template knows no tools write the call into their answer: as a
JSON object, in a code fence, or in the tags that they were trained on
(`<tool_call>` of Hermes and Qwen, `<function=…>` of Llama and Qwen-Coder,
`[TOOL_CALLS]` of Mistral, `<|python_tag|>` of Llama).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from todo_tui.domain.request import ToolSpec
from todo_tui.domain.task import JsonValue

_NAME_KEYS = ("name", "tool", "tool_name", "function")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input")
_FUNCTION = re.compile(r"<function=([\w.-]+)>?(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>(.*?)(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
_MISTRAL = re.compile(r"([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\s*\[ARGS\]", re.DOTALL)

_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class PrintedCall:
    """A call as text said it; `arguments` is the JSON text of an object."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CallReader:
    """Reads calls of the offered tools; with `any_name`, of tools that do not exist too."""

    tools: tuple[ToolSpec, ...]
    any_name: bool = False

    def read(self, text: str) -> tuple[PrintedCall, ...]:
        """The calls that the text consists of; empty where it holds anything else first."""
        text = text.strip()
        if "<function=" in text:
            return tuple(self._functions(text))
        mistral = _MISTRAL.match(text)
        if mistral:
            value = leading_json(text[mistral.end() :].lstrip())
            return self._called(mistral[1], value[0]) if value else ()
        found: list[PrintedCall] = []
        while (value := leading_json(text)) is not None:
            calls = self._of_value(value[0])
            if not calls:
                break
            found += calls
            text = text[value[1] :].lstrip(" \t\r\n,;")
        return tuple(found)

    def _of_value(self, value: JsonValue) -> tuple[PrintedCall, ...]:
        if isinstance(value, list):
            each = [self._of_value(item) for item in value]
            return tuple(call for calls in each for call in calls) if all(each) else ()
        if not isinstance(value, dict):
            return ()
        if isinstance(value.get("tool_calls"), list):
            return self._of_value(value["tool_calls"])
        inner = value.get("function")
        if isinstance(inner, dict):
            return self._of_value(inner)
        name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
        arguments = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
        if not isinstance(name, str) or (arguments is None and len(value) > 1):
            return ()
        return self._called(name, arguments)

    def _called(self, name: str, arguments: JsonValue) -> tuple[PrintedCall, ...]:
        if isinstance(arguments, str):
            decoded = leading_json(arguments.strip() or "{}")
            arguments = decoded[0] if decoded else None
        elif arguments is None:
            arguments = {}
        if not isinstance(arguments, dict) or not (self.any_name or self._tool(name)):
            return ()
        return (PrintedCall(name, json.dumps(arguments, ensure_ascii=False)),)

    def _functions(self, text: str) -> Iterator[PrintedCall]:
        for match in _FUNCTION.finditer(text):
            name, body = match[1], match[2].strip()
            value = leading_json(body)
            if value is not None:
                yield from self._called(name, value[0])
                continue
            tool = self._tool(name)
            arguments = {
                key: _typed(text.strip("\n"), tool, key) for key, text in _PARAMETER.findall(body)
            }
            if arguments or not body:
                yield from self._called(name, arguments)

    def _tool(self, name: str) -> ToolSpec | None:
        return next((tool for tool in self.tools if tool.name == name), None)


def leading_json(text: str) -> tuple[JsonValue, int] | None:
    """The JSON object or list that the text begins with, and its length."""
    if not text.startswith(("{", "[")):
        return None
    try:
        value, length = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value, length


def _typed(text: str, tool: ToolSpec | None, parameter: str) -> JsonValue:
    """The value of an XML parameter: JSON where the tool wants something else than words."""
    properties = tool.parameters.get("properties") if tool else None
    schema = properties.get(parameter) if isinstance(properties, Mapping) else None
    if _wants_words(schema):
        return text
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _wants_words(schema: JsonValue | Mapping[str, JsonValue]) -> bool:
    if not isinstance(schema, Mapping):
        return False
    kinds: list[JsonValue] = [schema.get("type")]
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and not isinstance(options, str):
        kinds += [option.get("type") for option in options if isinstance(option, Mapping)]
    return "string" in kinds
