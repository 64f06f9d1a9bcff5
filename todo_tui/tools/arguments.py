"""Tool arguments.

JSON Schema from a signature, lenient validation, and the parameter types that tools share.
"""

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, cast, get_args, get_origin, get_type_hints

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import MAX_ID, JsonValue
from todo_tui.domain.text import repair_surrogates

_IDS = re.compile(r"\[?\s*+#?\d{1,18}+(?:(?:\s*+[,;]\s*+|\s++)#?\d{1,18}+)*+\s*+\]?")
_MAX_QUOTE_LENGTH = 60
_MAX_PROBLEMS = 10


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
    if not 0 <= given <= MAX_ID:
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
    if "\\ud" in text.lower():
        # SQLite refuses lone surrogates.
        value = json.loads(repair_surrogates(json.dumps(value, ensure_ascii=False)))
    return cast("dict[str, JsonValue]", value)


@dataclass(frozen=True, slots=True)
class ParameterType:
    """Type of a parameter: JSON Schema, reader of its value, and its name for errors."""

    schema: Mapping[str, JsonValue]
    read: Callable[[object], object]
    expected: str


def _read_text(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError("another type")
    return given


def _read_whole_number(given: object) -> int:
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise ValueError("another type")
    return int(given)


_TYPES: dict[object, ParameterType] = {
    str: ParameterType({"type": "string"}, _read_text, "text"),
    int: ParameterType({"type": "integer"}, _read_whole_number, "a whole number"),
    list[int]: ParameterType(
        {"type": "array", "items": {"type": "integer"}}, read_ids, "a list of ids, such as [3, 4]"
    ),
}


class Signature:
    """Parameters declared by a function, except those of type `injected`.

    The text in an `Annotated` type describes its parameter to the model.
    """

    def __init__(self, name: str, function: Callable[..., object], injected: type) -> None:
        self._name = name
        self._types: dict[str, ParameterType] = {}
        self._required: list[str] = []
        properties: dict[str, JsonValue] = {}
        hints = get_type_hints(function, include_extras=True)
        for parameter in inspect.signature(function).parameters.values():
            hint, described = hints[parameter.name], {}
            if hint is injected:
                continue
            if get_origin(hint) is Annotated:
                hint, description = get_args(hint)
                described = {"description": description}
            if type(None) in get_args(hint):
                hint = get_args(hint)[0]
            self._types[parameter.name] = _TYPES[hint]
            properties[parameter.name] = {**_TYPES[hint].schema, **described}
            if parameter.default is parameter.empty:
                self._required.append(parameter.name)
        self.schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
        """Flat JSON Schema object without titles, defaults or null."""
        if self._required:
            self.schema["required"] = list(self._required)

    def read(self, arguments: Mapping[str, JsonValue]) -> dict[str, object]:
        """Return the values to call the function with, as given; null means the default.

        Raises:
            ValidationError: Names each wrong argument and its expected form.
        """
        problems: list[str] = []
        values: dict[str, object] = {}
        for name, type_ in self._types.items():
            given = arguments.get(name)
            if given is None:
                if name in self._required:
                    problems.append(f"The argument {name!r} is missing.")
                continue
            try:
                values[name] = type_.read(given)
            except ValueError:
                problems.append(
                    f"The argument {name!r} was {_quoted(given)}; it should be {type_.expected}."
                )
        taken = ", ".join(self._types) or "none"
        problems += [
            f"{self._name} has no argument {_quoted(name)}; it takes: {taken}."
            for name in arguments
            if name not in self._types
        ]
        if problems:
            more = len(problems) - _MAX_PROBLEMS
            more_text = f" ({more:,} more.)" if more > 0 else ""
            raise ValidationError(" ".join(problems[:_MAX_PROBLEMS]) + more_text)
        return {name: values[name] for name in arguments if name in values}


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_QUOTE_LENGTH else f"{text[:_MAX_QUOTE_LENGTH]}…"


TaskIds = list[int] | None
