"""What a tool is: a typed function, what the model reads of it, how a call of it runs."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from todo_tui.domain.changes import Gesture
from todo_tui.domain.errors import StoreError, TodoError
from todo_tui.domain.request import ToolSpec
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import plain_line
from todo_tui.domain.when import DateStyle
from todo_tui.tools.arguments import Signature, parse_object
from todo_tui.tools.response import ToolError, ToolErrorType, ToolResponse

if TYPE_CHECKING:
    from datetime import datetime

    from todo_tui.store.workspace import Store

_log = logging.getLogger(__name__)


class OpenBatch:
    """The gesture that the writes of one turn share, so that one undo takes them back.

    It begins with the first write. `alone` ends it: what undo and redo write is a
    batch of its own, and what comes after them is another.
    """

    def __init__(self, begin: Callable[[], Gesture]) -> None:
        self._begin = begin
        self._open: Gesture | None = None

    def gesture(self) -> Gesture:
        """The open gesture, begun if need be."""
        if self._open is None:
            self._open = self._begin()
        return self._open

    def alone(self) -> Gesture:
        """A gesture for one write that is undone by itself."""
        self._open = None
        return self._begin()


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What the host gives a tool; no model sees or sets any of it.

    The store is already bound to its user, so a tool cannot name another one.
    """

    store: Store
    batch: OpenBatch
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
class Answer:
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

    def __init__(self, function: Callable[..., Answer], label: str, *, reads_only: bool) -> None:
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


def tool(label: str, *, reads_only: bool = False) -> Callable[[Callable[..., Answer]], Tool]:
    """Make a Tool of the function below; its first parameter is the ToolContext."""

    def make(function: Callable[..., Answer]) -> Tool:
        return Tool(function, label, reads_only=reads_only)

    return make
