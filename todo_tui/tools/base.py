"""Tool, ToolContext and the @tool decorator; ToolResponse and its error types."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property

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
from todo_tui.store.store import Store
from todo_tui.store.tasks.select import Descendant, UndoPreview
from todo_tui.tools.arguments import Signature, parse_object

_log = logging.getLogger(__name__)


class ToolErrorType(StrEnum):
    """Closed set of error types in a ToolResponse."""

    NOT_FOUND = "not_found"
    VALIDATION_ERROR = "validation_error"
    UNAUTHORIZED = "unauthorized"
    CONFLICT = "conflict"
    INTERNAL_ERROR = "internal_error"


@dataclass(frozen=True, slots=True)
class ToolError:
    """Error for the model: a sentence with a remedy, without a stack trace."""

    type: ToolErrorType
    message: str

    @classmethod
    def of(cls, error: TodoError) -> ToolError:
        """Translate one of our errors for the model."""
        message = f"{error.message} {error.hint}" if error.hint else error.message
        return cls(_type_of(error), message)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the JSON object."""
        return {"type": self.type.value, "message": self.message}


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """Result of a tool call; `data` accompanies an error if items have results of their own.

    `note` tells the model what to do next if the data does not suggest it.
    """

    data: JsonValue = None
    error: ToolError | None = None
    note: str = ""

    @classmethod
    def failed(cls, type_: ToolErrorType, message: str) -> ToolResponse:
        """Create an error without data."""
        return cls(error=ToolError(type_, message))

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{"status": "success", "data": …}` or `{"status": "error", "error": …}`."""
        answer: dict[str, JsonValue] = {"status": "success", "data": self.data}
        if self.error is not None:
            answer = {"status": "error", "error": self.error.to_json()}
            if self.data is not None:
                answer["data"] = self.data
        return {**answer, "note": self.note} if self.note else answer

    def text(self) -> str:
        """Return the JSON text for a ToolResult."""
        return _json_text(self.to_json())


def without_fields(text: str, names: Collection[str]) -> str:
    """Remove fields from the data of a JSON response; `left_out` then names them."""
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
    """Change context shared by the writes of one turn, so that one undo reverts them.

    Created at the first write. `separate` ends it: undo and redo write a batch of their
    own, and later writes another.
    """

    def __init__(self, new_context: Callable[[], ChangeContext]) -> None:
        self._new_context = new_context
        self._shared: ChangeContext | None = None

    def shared(self) -> ChangeContext:
        """Return the shared change context, created on first use."""
        if self._shared is None:
            self._shared = self._new_context()
        return self._shared

    def separate(self) -> ChangeContext:
        """Return a change context for one write that is undone by itself."""
        self._shared = None
        return self._new_context()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Context of a tool call from the host; invisible to models.

    The store is bound to its user, so that a tool cannot name another one.
    """

    store: Store
    batch: TurnBatch
    approved: frozenset[int] | None = None
    """Tasks that the user approved, if asked about this call."""
    approved_batch: str | None = None
    """Undo batch that the user approved, if asked about this call."""

    @property
    def style(self) -> DateStyle:
        """Date style of the user."""
        return self.store.style

    @property
    def now(self) -> datetime:
        """Naive local wall time."""
        return self.store.clock.now()


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """Return value of a tool function: `data` for the model, `summary` for the user.

    `failure` is set if every item failed; `data` then has their errors. `foreign` names
    the fields of `data`, at any depth, whose text others may have written: a model may
    follow instructions in such text.
    """

    data: JsonValue
    summary: str
    failure: ToolError | None = None
    foreign: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """Result of a finished call; `summary` is one plain line, safe for a terminal."""

    response: ToolResponse
    summary: str
    foreign: tuple[str, ...] = ()
    """Fields of the data whose text others may have written."""

    @property
    def failed(self) -> bool:
        """True if the response is an error."""
        return self.response.error is not None

    @classmethod
    def refused(cls, type_: ToolErrorType, message: str) -> ToolOutcome:
        """Create the outcome of a call that did nothing."""
        return cls(ToolResponse.failed(type_, message), plain_line(message))


@dataclass(frozen=True, slots=True)
class ToolPreview:
    """Effect that a call would have."""

    ids: tuple[int, ...] = ()
    """Tasks that it names or that its filter finds."""
    descendants: Mapping[int, tuple[Descendant, ...]] = field(default_factory=dict)
    """Descendants changed with a task, by its id."""
    added: int = 0
    """Number of tasks it would add."""
    unnamed_changes: int = 0
    """Number of changes without a known task id."""
    undo: UndoPreview | None = None
    """Batch that an undo or redo would revert."""

    @property
    def changed(self) -> frozenset[int]:
        """Ids of the tasks it would change or delete."""
        below = (each.task.id for descendants in self.descendants.values() for each in descendants)
        return frozenset((*self.ids, *below))

    @property
    def task_count(self) -> int:
        """Number of tasks it would add or change, including subtasks."""
        return len(self.changed) + self.added + self.unnamed_changes


Preview = Callable[[Store, str, Mapping[str, object]], ToolPreview]
"""Returns the effect of a call in a turn with these arguments; blocks.

Raises:
    TodoError: The call would change nothing.
"""


def preview_unknown(_store: Store, _turn_id: str, _arguments: Mapping[str, object]) -> ToolPreview:
    """Preview a write of which nothing is known."""
    return ToolPreview(unnamed_changes=1)


@dataclass(frozen=True, eq=False)
class Tool:
    """A function that a model can call.

    Its docstring is the description and its signature the schema, without the
    parameter of type ToolContext. Both are computed on first use.
    """

    function: Callable[..., ToolAnswer]
    label: str
    """Shown while it runs: `Looking at your tasks…`."""
    reads_only: bool = False
    verb: str = ""
    """Imperative for a question about its tasks: `Delete`."""
    question: str = ""
    """Question about a call without tasks: `Undo the last change?`."""
    preview: Preview = preview_unknown

    @property
    def name(self) -> str:
        """Name of the function."""
        return self.function.__name__

    @cached_property
    def signature(self) -> Signature:
        """Declared arguments."""
        return Signature(self.name, self.function, ToolContext)

    @cached_property
    def spec(self) -> ToolSpec:
        """Name, description and schema for the model."""
        description = " ".join((inspect.getdoc(self.function) or "").split())
        return ToolSpec(self.name, description, self.signature.schema(), self.reads_only)

    def run(self, arguments: str, context: ToolContext) -> ToolOutcome:
        """Run one call with `arguments`, JSON text as the model wrote it.

        Blocks while the store works.

        Raises:
            StoreError: The database failed, which the model cannot correct.
        """
        try:
            values = self.signature.read(parse_object(arguments))
            answer = self.function(context, **values)
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


def tool(
    label: str,
    *,
    reads_only: bool = False,
    verb: str = "",
    question: str = "",
    preview: Preview = preview_unknown,
) -> Callable[[Callable[..., ToolAnswer]], Tool]:
    """Decorate a function as a Tool; its first parameter is the ToolContext."""

    def decorate(function: Callable[..., ToolAnswer]) -> Tool:
        return Tool(function, label, reads_only, verb, question, preview)

    return decorate
