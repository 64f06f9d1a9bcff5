"""Tool, ToolContext and the @tool decorator; ToolResponse and its errors."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
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
from todo_tui.domain.knowledge.evidence import TurnEvidence
from todo_tui.domain.messages import ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.store.store import Store
from todo_tui.store.tasks.results import Descendant, UndoPreview
from todo_tui.tools.arguments import Signature, parse_object

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex

_log = logging.getLogger(__name__)


_ERROR_TYPES: dict[type[TodoError], str] = {
    ValidationError: "validation_error",
    NotFound: "not_found",
    Conflict: "conflict",
    Unauthorized: "unauthorized",
}
"""Types of errors for models; any other is an `internal_error`."""


def error_data(error: TodoError) -> dict[str, JsonValue]:
    """Return an error for the model: its type, and a sentence with a remedy."""
    found = (type_ for kind, type_ in _ERROR_TYPES.items() if isinstance(error, kind))
    return {"type": next(found, "internal_error"), "message": error.text}


@dataclass(frozen=True, slots=True)
class ToolResponse:
    """Result of a tool call: `data` for the model, `summary` for the user.

    `error` is set if every item failed; `data` then has their errors.
    """

    data: JsonValue = None
    summary: str = ""
    """One plain line, safe for a terminal, once the call is finished."""
    error: TodoError | None = None
    foreign: tuple[str, ...] = ()
    """Fields of `data`, at any depth, whose text others may have written: a model may follow
    instructions in such text. `Tool.run` adds the names of the tasks whose ids are in `data`.
    """
    note: str = ""
    """Advice to the model on its next step, if the data does not suggest it."""

    @classmethod
    def refused(cls, error: TodoError) -> ToolResponse:
        """Create the response to a call that did nothing."""
        return cls(summary=plain_line(error.message), error=error)

    @property
    def failed(self) -> bool:
        """True if the response is an error."""
        return self.error is not None

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{"status": "success", "data": …}` or `{"status": "error", "error": …}`."""
        answer: dict[str, JsonValue] = {"status": "success", "data": self.data}
        if self.error is not None:
            answer = {"status": "error", "error": error_data(self.error)}
            if self.data is not None:
                answer["data"] = self.data
        return {**answer, "note": self.note} if self.note else answer

    def text(self) -> str:
        """Return the JSON form as text."""
        return _json_text(self.to_json())


def _task_ids(data: JsonValue) -> list[int]:
    """Return the ids of the tasks in the data of a response, where a name has its id beside it."""
    found: list[int] = []
    ahead = [data]
    while ahead:
        match ahead.pop():
            case list(values):
                ahead += values
            case dict(fields):
                if isinstance(task_id := fields.get("id"), int):
                    found.append(task_id)
                ahead += fields.values()
    return found


def with_note(text: str, note: str) -> str:
    """Add a note to a JSON response, after the one that it may have."""
    try:
        response: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        response = text
    if not isinstance(response, dict):
        response = {"data": response}
    notes = filter(None, (response.get("note"), note))
    return _json_text({**response, "note": "; ".join(map(str, notes))})


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
class OwnBatches:
    """Undo batches that a process wrote for an agent: changes, oldest first, and undos of them."""

    changes: list[str] = field(default_factory=list)
    undos: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Context of a tool call from the host; invisible to models.

    The store is bound to its user, so that a tool cannot name another one.
    """

    store: Store
    batch: TurnBatch
    evidence: TurnEvidence = field(default_factory=TurnEvidence)
    """Passages that the turn has retrieved."""
    vectors: VectorIndex | None = None
    """Search of documents by meaning; None without an embedding model."""
    approved: frozenset[int] | None = None
    """Tasks that the user approved, if asked about this call."""
    approved_batch: str | None = None
    """Undo batch that the user approved, if asked about this call."""
    agent: str | None = None
    """MCP client that calls; its own text is not foreign to it."""
    own: OwnBatches | None = None
    """Batches of an agent, the only ones that undo and redo reach; None: as the user's undo."""
    asked_at: datetime | None = None
    """Naive local time that date words in `details` are relative to; None: now."""

    @property
    def now(self) -> datetime:
        """Naive local wall time."""
        return self.store.clock.now()

    def foreign_names(self, ids: Sequence[int]) -> frozenset[str]:
        """Return in which of title, project and tags one of these tasks has a text of others."""
        return self.store.tasks.foreign_names(ids, self.agent)


@dataclass(frozen=True, slots=True)
class ToolPreview:
    """Effect that a call would have."""

    ids: tuple[int, ...] = ()
    """Tasks that it names or that its filter finds."""
    unchanged: frozenset[int] = frozenset()
    """Those of them that stay as they are, or do not exist."""
    descendants: Mapping[int, tuple[Descendant, ...]] = field(default_factory=dict)
    """Descendants changed with a task, by its id."""
    added: int = 0
    """Number of tasks it would add."""
    unnamed_changes: int = 0
    """Number of changes without a known task id."""
    undo: UndoPreview | None = None
    """Batch that an undo or redo would revert."""

    @property
    def changing(self) -> tuple[int, ...]:
        """Ids of the named tasks that it would change or delete, in the order of `ids`."""
        return tuple(task_id for task_id in self.ids if task_id not in self.unchanged)

    @property
    def changed(self) -> frozenset[int]:
        """Ids of the tasks it would change or delete, including subtasks."""
        below = (each.task.id for descendants in self.descendants.values() for each in descendants)
        return frozenset((*self.changing, *below))

    @property
    def changes_nothing(self) -> bool:
        """True if all tasks that it names stay as they are."""
        return bool(self.ids) and not self.changed

    @property
    def task_count(self) -> int:
        """Number of tasks it would add or change, including subtasks."""
        return len(self.changed) + self.added + self.unnamed_changes


Preview = Callable[[Store, str, Mapping[str, object], datetime | None], ToolPreview]
"""Returns the effect of a call in a turn with these arguments; blocks.

Date words in them are relative to the naive local time given; None: now.

Raises:
    TodoError: The call would change nothing.
"""


def preview_unknown(*_: object) -> ToolPreview:
    """Preview a write of which nothing is known."""
    return ToolPreview(unnamed_changes=1)


@dataclass(frozen=True, eq=False)
class Tool:
    """A function that a model can call.

    Its docstring is the description and its signature the schema, without the
    parameter of type ToolContext. Both are computed on first use.
    """

    function: Callable[..., ToolResponse]
    label: str
    """Shown while it runs: `Looking at your tasks…`."""
    reads_only: bool = False
    needs_documents: bool = False
    """True if it is offered only to users with documents."""
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
        return ToolSpec(self.name, description, self.signature.schema, self.reads_only)

    def read(self, arguments: str) -> dict[str, object]:
        """Read the arguments of a call, JSON text as the model wrote it.

        Raises:
            ValidationError: The text or an argument is invalid.
        """
        return self.signature.read(parse_object(arguments))

    def run(self, arguments: str, context: ToolContext) -> ToolResponse:
        """Run one call; blocks while the store works.

        Raises:
            StoreError: The database failed, which the model cannot correct.
        """
        try:
            response = self.function(context, **self.read(arguments))
        except StoreError:
            raise
        except TodoError as error:
            return ToolResponse.refused(error)
        except Exception:
            _log.exception("tool %s failed", self.name)
            return ToolResponse.refused(
                TodoError("Internal error in todo-tui; the log has details.")
            )
        names = context.foreign_names(_task_ids(response.data))
        return replace(
            response,
            summary=plain_line(response.summary),
            foreign=(*response.foreign, *sorted(names.difference(response.foreign))),
        )


def tool(
    label: str,
    *,
    reads_only: bool = False,
    needs_documents: bool = False,
    verb: str = "",
    question: str = "",
    preview: Preview = preview_unknown,
) -> Callable[[Callable[..., ToolResponse]], Tool]:
    """Decorate a function as a Tool; its first parameter is the ToolContext."""
    return partial(
        Tool,
        label=label,
        reads_only=reads_only,
        needs_documents=needs_documents,
        verb=verb,
        question=question,
        preview=preview,
    )
