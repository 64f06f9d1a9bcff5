"""Tool arguments.

JSON Schema from a signature, lenient validation, and the parameter types that tools share.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from todo_tui.domain.errors import ValidationError
from todo_tui.domain.foreign_json import parse_json
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import repair_surrogates

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic import ValidationError as InvalidModel
    from pydantic_core import ErrorDetails

_IDS = re.compile(r"\[?\s*+#?\d{1,18}+(?:(?:\s*+[,;]\s*+|\s++)#?\d{1,18}+)*+\s*+\]?")
_MAX_QUOTE_LENGTH = 60
_MOST_PROBLEMS = 10
_LARGEST_ID = 2**63 - 1
_SCHEMA_WORDS = ("title", "default", "const", "format")


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """Annotation of a parameter: description for the model and reader of its value."""

    description: str = ""
    read: Callable[[object], object] | None = None
    example: str = ""
    """Expected form, for the error message."""


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


class Signature:
    """Arguments declared by a function, except those of type `injected`.

    Construction imports pydantic, so a tool creates it on first use.
    """

    def __init__(self, name: str, function: Callable[..., object], injected: type) -> None:
        self._name = name
        self._infos: dict[str, ParameterInfo] = {}
        self._model = self._build(function, injected)

    def schema(self) -> dict[str, JsonValue]:
        """Return a flat JSON Schema object: no titles, references, defaults or null."""
        schema = self._model.model_json_schema()
        properties: dict[str, JsonValue] = {
            name: _property_schema(shape, self._infos[name])
            for name, shape in schema["properties"].items()
        }
        required = {"required": schema["required"]} if "required" in schema else {}
        return {
            "type": "object",
            "properties": properties,
            **required,
            "additionalProperties": False,
        }

    def read(self, arguments: Mapping[str, JsonValue]) -> dict[str, object]:
        """Return the values to call the function with; null means the default.

        Raises:
            ValidationError: Names each wrong argument and its expected form.
        """
        from pydantic import ValidationError as InvalidModel

        given = {
            name: value
            for name, value in arguments.items()
            if value is not None or name not in self._infos
        }
        try:
            values = self._model.model_validate(given)
        except InvalidModel as error:
            raise ValidationError(self._sentence(error)) from error
        return {name: getattr(values, name) for name in values.model_fields_set}

    def _build(self, function: Callable[..., object], injected: type) -> type[BaseModel]:
        # pydantic takes longer to import than all else here, so only tool calls pay for it.
        from pydantic import BeforeValidator, ConfigDict, Field, create_model

        hints = get_type_hints(function, include_extras=True)
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(function).parameters.items():
            if hints[name] is injected:
                continue
            info = self._infos[name] = _parameter_info(hints[name])
            hint = _bare_type(hints[name])
            if info.read is not None:
                hint = Annotated[hint, BeforeValidator(info.read)]
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hint, Field(default, description=info.description or None))
        return create_model(self._name, __config__=ConfigDict(extra="forbid"), **fields)

    def _sentence(self, error: InvalidModel) -> str:
        problems = [*dict.fromkeys(map(self._problem, error.errors(include_url=False)))]
        more = len(problems) - _MOST_PROBLEMS
        return " ".join(problems[:_MOST_PROBLEMS]) + (f" ({more:,} more.)" if more > 0 else "")

    def _problem(self, found: ErrorDetails) -> str:
        name = str(found["loc"][0])
        if found["type"] == "extra_forbidden":
            taken = ", ".join(self._infos) or "none"
            return f"{self._name} has no argument {_quoted(name)}; it takes: {taken}."
        if found["type"] == "missing":
            return f"The argument {name!r} is missing."
        expected = self._infos[name].example or _expectation(found)
        return f"The argument {name!r} was {_quoted(found['input'])}; it should be {expected}."


def _parameter_info(hint: object) -> ParameterInfo:
    metadata: Sequence[object] = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((each for each in metadata if isinstance(each, ParameterInfo)), ParameterInfo())


def _bare_type(hint: object) -> object:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _property_schema(shape: Mapping[str, Any], info: ParameterInfo) -> dict[str, JsonValue]:
    """Return a property without keys that models do not need or some servers reject."""
    if "anyOf" in shape:
        real = [each for each in shape["anyOf"] if each != {"type": "null"}]
        shape = {**real[0], **{key: shape[key] for key in shape if key != "anyOf"}}
    plain = {key: value for key, value in shape.items() if key not in _SCHEMA_WORDS}
    if info.description:
        plain["description"] = info.description
    return plain


def _expectation(found: ErrorDetails) -> str:
    message = found["msg"].removeprefix("Value error, ")
    return message.removeprefix("Input should be ")


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _MAX_QUOTE_LENGTH else f"{text[:_MAX_QUOTE_LENGTH]}…"


TaskIds = Annotated[
    list[int] | None, ParameterInfo(read=read_ids, example="a list of ids, such as [3, 4]")
]

FilterText = Annotated[str | None, ParameterInfo("Instead of ids", example="text")]

Title = Annotated[str, ParameterInfo("Without date, tags, …", example="text")]

NewTitle = Annotated[str | None, ParameterInfo("One task only", example="text")]

Details = Annotated[
    str | None,
    ParameterInfo(
        "Date, repeat, start, !priority, #project, @tag, parent, blocker, status", example="text"
    ),
]

Notes = Annotated[str | None, ParameterInfo('Replaces; "+ " in front adds', example="text")]
