"""Tool arguments.

JSON Schema from a signature, lenient validation, and the parameter types that tools share.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, cast, get_args, get_origin, get_type_hints

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

_IDS = re.compile(r"\[?\s*+#?\d{1,18}+(?:(?:\s*+[,;]\s*+|\s++)#?\d{1,18}+)*+\s*+\]?")
_MAX_QUOTE_LENGTH = 60
_MOST_PROBLEMS = 10
_LARGEST_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """Annotation of a parameter: description for the model."""

    description: str = ""


def read_ids(given: object) -> object:
    """Read unique ids from a list, a number or text such as `#3, #4`.

    Raises:
        ValueError: Not a list of ids.
    """
    if isinstance(given, str) and _IDS.fullmatch(given.strip()):
        given = [int(digits) for digits in re.findall(r"\d+", given)]
    each = given if isinstance(given, list) else [given]
    ids = [_read_id(value) for value in each]
    if not ids:
        raise ValueError("no id was given")
    return list(dict.fromkeys(ids))


def _read_id(given: object) -> int:
    if isinstance(given, str) and (found := re.fullmatch(r"\s*#?(\d{1,18})\s*", given)):
        return int(found[1])
    if isinstance(given, float) and given.is_integer():
        given = int(given)
    if isinstance(given, bool) or not isinstance(given, int):
        raise ValueError("an id is a whole number")
    if not 0 <= given <= _LARGEST_ID:
        raise ValueError("there is no such id")
    return given


def parse_object(text: str) -> dict[str, JsonValue]:
    """Parse the arguments of a call; empty text means none.

    Raises:
        ValidationError: The text is not one JSON object. Nothing is guessed.
    """
    if not text.strip():
        return {}
    try:
        value: object = parse_json(text)
    except ValueError as error:
        raise ValidationError(
            f"The arguments cannot be read as JSON ({error}); nothing was done.",
            hint="Call again with one JSON object.",
        ) from error
    if not isinstance(value, dict):
        raise ValidationError(
            f"The arguments must be one JSON object, not {_quoted(value)}; nothing was done."
        )
    return cast(
        "dict[str, JsonValue]", _replace_surrogates(value) if "\\ud" in text.lower() else value
    )


def _replace_surrogates(value: object) -> object:
    """Join or replace lone surrogates, which SQLite refuses."""
    match value:
        case str():
            return repair_surrogates(value)
        case list():
            return [_replace_surrogates(item) for item in value]
        case dict():
            return {
                _replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()
            }
        case _:
            return value


@dataclass(frozen=True, slots=True)
class ParameterType:
    """Type of a parameter: JSON Schema, reader of its value, and its name for errors."""

    schema: Mapping[str, JsonValue]
    read: Callable[[object], object]
    expected: str


def _read_as(kind: type) -> Callable[[object], object]:
    def read(given: object) -> object:
        if isinstance(given, bool) and kind is not bool:
            raise ValueError("a truth value")
        if kind is int and isinstance(given, str):
            return int(given)
        if not isinstance(given, kind):
            raise ValueError("another type")
        return given

    return read


_TYPES: dict[object, ParameterType] = {
    str: ParameterType({"type": "string"}, _read_as(str), "text"),
    int: ParameterType({"type": "integer"}, _read_as(int), "a whole number"),
    bool: ParameterType({"type": "boolean"}, _read_as(bool), "true or false"),
    list[int]: ParameterType(
        {"type": "array", "items": {"type": "integer"}}, read_ids, "a list of ids, such as [3, 4]"
    ),
}


class Signature:
    """Parameters declared by a function, except those of type `injected`."""

    def __init__(self, name: str, function: Callable[..., object], injected: type) -> None:
        self._name = name
        hints = get_type_hints(function, include_extras=True)
        self._parameters = {
            parameter: each
            for parameter, each in inspect.signature(function).parameters.items()
            if hints[parameter] is not injected
        }
        self._types = {each: _TYPES[_bare_type(hints[each])] for each in self._parameters}
        self._descriptions = {each: _description(hints[each]) for each in self._parameters}

    def schema(self) -> dict[str, JsonValue]:
        """Return a flat JSON Schema object without titles, defaults or null."""
        properties: dict[str, JsonValue] = {}
        for name, type_ in self._types.items():
            described = self._descriptions[name]
            properties[name] = {
                **type_.schema,
                **({"description": described} if described else {}),
            }
        required: list[JsonValue] = [
            name for name, each in self._parameters.items() if each.default is each.empty
        ]
        return {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
        }

    def read(self, arguments: Mapping[str, JsonValue]) -> dict[str, object]:
        """Return the values to call the function with; null means the default.

        Raises:
            ValidationError: Names each wrong argument and its expected form.
        """
        problems: list[str] = []
        values: dict[str, object] = {}
        for name, parameter in self._parameters.items():
            given = arguments.get(name)
            if given is None:
                if parameter.default is parameter.empty:
                    problems.append(f"The argument {name!r} is missing.")
                continue
            try:
                values[name] = self._types[name].read(given)
            except ValueError:
                expected = self._types[name].expected
                problems.append(
                    f"The argument {name!r} was {_quoted(given)}; it should be {expected}."
                )
        taken = ", ".join(self._parameters) or "none"
        problems += [
            f"{self._name} has no argument {_quoted(name)}; it takes: {taken}."
            for name in arguments
            if name not in self._parameters
        ]
        if problems:
            more = len(problems) - _MOST_PROBLEMS
            more_text = f" ({more:,} more.)" if more > 0 else ""
            raise ValidationError(" ".join(problems[:_MOST_PROBLEMS]) + more_text)
        return values


def _bare_type(hint: object) -> object:
    """Return the type without annotation and `| None`."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    options = [each for each in get_args(hint) if each is not type(None)]
    return options[0] if type(None) in get_args(hint) else hint


def _description(hint: object) -> str:
    found = (each for each in get_args(hint)[1:] if isinstance(each, ParameterInfo))
    return next((each.description for each in found), "")


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_QUOTE_LENGTH else f"{text[:_MAX_QUOTE_LENGTH]}…"


TaskIds = list[int] | None
