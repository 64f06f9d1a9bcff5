"""What a tool answers a model: success with data, or an error that it can correct."""

from __future__ import annotations

import json
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
    """`data` of a success; of an error too, where single items have their own."""

    data: JsonValue = None
    error: ToolError | None = None

    @classmethod
    def failed(cls, type_: ToolErrorType, message: str) -> ToolResponse:
        """An error without data."""
        return cls(error=ToolError(type_, message))

    def to_json(self) -> dict[str, JsonValue]:
        """`{"status": "success", "data": …}` or `{"status": "error", "error": …}`."""
        if self.error is None:
            return {"status": "success", "data": self.data}
        answer: dict[str, JsonValue] = {"status": "error", "error": self.error.to_json()}
        if self.data is not None:
            answer["data"] = self.data
        return answer

    def text(self) -> str:
        """The JSON text that goes into a ToolResult."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":"))


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
