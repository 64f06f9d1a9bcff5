"""What a tool answers a model: success with data, or an error that it can correct."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from todo_tui.domain.errors import Conflict, NotFound, TodoError, Unauthorized, ValidationError
from todo_tui.domain.task import JsonValue


class ToolErrorType(StrEnum):
    """The closed set of types that an error of a ToolResponse has."""

    NOT_FOUND = "not_found"
    VALIDATION_ERROR = "validation_error"
    UNAUTHORIZED = "unauthorized"
    CONFLICT = "conflict"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True, slots=True)
class ToolError:
    """What is wrong, in a sentence without stack that says what would be right."""

    type: ToolErrorType
    message: str

    @classmethod
    def of(cls, error: TodoError) -> ToolError:
        """The form in which a model gets to see one of our errors."""
        message = f"{error.message} {error.hint}" if error.hint else error.message
        return cls(_type_of(error), message)

    def to_json(self) -> dict[str, JsonValue]:
        """Its JSON object."""
        return {"type": self.type.value, "message": self.message}


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """`data` of a success; of an error too, where single items have their own.

    `note` tells the model what to do next, where it is not what the data suggests.
    """

    data: JsonValue = None
    error: ToolError | None = None
    note: str = ""

    @classmethod
    def failed(cls, type_: ToolErrorType, message: str) -> ToolResponse:
        """An error without data."""
        return cls(error=ToolError(type_, message))

    def to_json(self) -> dict[str, JsonValue]:
        """`{"status": "success", "data": …}` or `{"status": "error", "error": …}`."""
        answer: dict[str, JsonValue] = {"status": "success", "data": self.data}
        if self.error is not None:
            answer = {"status": "error", "error": self.error.to_json()}
            if self.data is not None:
                answer["data"] = self.data
        return {**answer, "note": self.note} if self.note else answer

    def text(self) -> str:
        """The JSON text that goes into a ToolResult."""
        return _json_text(self.to_json())


def without_fields(text: str, names: Collection[str]) -> str:
    """The JSON text of a response without some fields of its data, which it then names."""
    try:
        response: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(response, dict):
        return text
    data = _without(response.get("data"), names)
    if data == response.get("data"):
        return text
    return _json_text({**response, "data": data})


def _without(value: JsonValue, names: Collection[str]) -> JsonValue:
    match value:
        case list():
            return [_without(each, names) for each in value]
        case dict():
            kept = {
                name: _without(each, names) for name, each in value.items() if name not in names
            }
            left_out: list[JsonValue] = [name for name in value if name in names]
            return {**kept, "left_out": left_out} if left_out else kept
        case _:
            return value


def _json_text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _type_of(error: TodoError) -> ToolErrorType:
    match error:
        case ValidationError():
            return ToolErrorType.VALIDATION_ERROR
        case NotFound():
            return ToolErrorType.NOT_FOUND
        case Conflict():
            return ToolErrorType.CONFLICT
        case Unauthorized():
            return ToolErrorType.UNAUTHORIZED
        case _:
            return ToolErrorType.INTERNAL_ERROR
