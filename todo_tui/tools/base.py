"""Tool, ToolContext and the @tool decorator; ToolResponse and its error types."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.changes import ChangeContext
from todo_tui.domain.errors import (
    Conflict,
    NotFound,
    StoreError,
    TodoError,
    Unauthorized,
    ValidationError,
)
from todo_tui.domain.messages import ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import DateStyle
from todo_tui.tools.arguments import Signature, parse_object

if TYPE_CHECKING:
    from datetime import datetime

    from todo_tui.store.store import Store

_log = logging.getLogger(__name__)


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


class TurnBatch:
    """The gesture that the writes of one turn share, so that one undo takes them back.

    It begins with the first write. `alone` ends it: what undo and redo write is a
    batch of its own, and what comes after them is another.
    """

    def __init__(self, begin: Callable[[], ChangeContext]) -> None:
        self._begin = begin
        self._open: ChangeContext | None = None

    def shared(self) -> ChangeContext:
        """The open gesture, begun if need be."""
        if self._open is None:
            self._open = self._begin()
        return self._open

    def separate(self) -> ChangeContext:
        """A gesture for one write that is undone by itself."""
        self._open = None
        return self._begin()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What the host gives a tool; no model sees or sets any of it.

    The store is already bound to its user, so a tool cannot name another one.
    """

    store: Store
    batch: TurnBatch
    approved: frozenset[int] | None = None
    """The tasks that a person said yes to, where one was asked about this call."""
    approved_batch: str | None = None
    """The undo batch that a person said yes to, where one was asked about this call."""

    @property
    def style(self) -> DateStyle:
        """How the person writes dates."""
        return self.store.style

    @property
    def now(self) -> datetime:
        """Naive local wall time."""
        return self.store.clock.now()


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool function returns: `data` for the model, `summary` for the person.

    `failure` is set where every item failed; `data` then says how each did. `foreign`
    names the fields of `data`, at any depth, whose text somebody else may have written:
    a model that has read such text may follow orders in it.
    """

    data: JsonValue
    summary: str
    failure: ToolError | None = None
    foreign: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """One call that has run; `summary` is one plain line, safe for a terminal."""

    response: ToolResponse
    summary: str
    foreign: tuple[str, ...] = ()
    """Fields of the data whose text somebody else may have written."""

    @property
    def failed(self) -> bool:
        """Whether the response is an error."""
        return self.response.error is not None

    @classmethod
    def refused(cls, type_: ToolErrorType, message: str) -> ToolOutcome:
        """The outcome of a call that did nothing."""
        return cls(ToolResponse.failed(type_, message), plain_line(message))


class Tool:
    """A function that a model can call.

    Its docstring is the description and its signature the schema, without the
    parameter of type ToolContext. Both are worked out once, when first needed.
    """

    def __init__(
        self, function: Callable[..., ToolAnswer], label: str, *, reads_only: bool
    ) -> None:
        self.name = function.__name__
        self.label = label
        """What it does, while it runs: `Looking at your tasks…`."""
        self.reads_only = reads_only
        self._function = function

    @cached_property
    def signature(self) -> Signature:
        """What it takes."""
        return Signature(self.name, self._function, ToolContext)

    @cached_property
    def spec(self) -> ToolSpec:
        """What the model reads of it."""
        description = " ".join((inspect.getdoc(self._function) or "").split())
        return ToolSpec(self.name, description, self.signature.schema(), self.reads_only)

    def run(self, arguments: str, context: ToolContext) -> ToolOutcome:
        """Run one call with `arguments`, JSON text as the model wrote it.

        Blocks while the store works.

        Raises:
            StoreError: the database failed, which no model can correct and no server
                needs to know of.
        """
        try:
            values = self.signature.read(parse_object(arguments))
            answer = self._function(context, **values)
        except StoreError:
            raise
        except TodoError as error:
            return ToolOutcome(ToolResponse(error=ToolError.of(error)), plain_line(error.message))
        except Exception:
            _log.exception("tool %s failed", self.name)
            return ToolOutcome.refused(
                ToolErrorType.INTERNAL_ERROR, "Something went wrong; the log has more."
            )
        response = ToolResponse(answer.data, answer.failure)
        return ToolOutcome(response, plain_line(answer.summary), answer.foreign)


def tool(label: str, *, reads_only: bool = False) -> Callable[[Callable[..., ToolAnswer]], Tool]:
    """Make a Tool of the function below; its first parameter is the ToolContext."""

    def make(function: Callable[..., ToolAnswer]) -> Tool:
        return Tool(function, label, reads_only=reads_only)

    return make
