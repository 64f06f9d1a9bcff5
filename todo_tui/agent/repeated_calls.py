"""Calls that a model repeats: they get their earlier response, and at last no more tools."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from todo_tui.domain.errors import TodoError
from todo_tui.domain.messages import ToolCall
from todo_tui.tools.arguments import parse_object
from todo_tui.tools.base import Tool, ToolResponse

ALREADY_DONE = "already done; answer the user"
_MAX_REPEATS = 3
"""Number of messages with the same call after which tools are disabled."""
Position = tuple[int, int]
"""Position in the operation log and number of writing calls; differs after any write."""


@dataclass(slots=True)
class _EarlierCall:
    """Outcome of an earlier call; position before it, or after it if it writes."""

    outcome: ToolResponse
    position: Position
    writes: bool
    messages: int = 1
    """Number of messages with this call."""


class RepeatedCalls:
    """Remembers the calls of the model messages of one turn.

    `log_position` grows with every write to tasks, of any process; it blocks, and so do
    the methods that use it.
    """

    def __init__(self, log_position: Callable[[], int]) -> None:
        self.is_stuck = False
        """True once the model has repeated a call too often."""
        self._log_position = log_position
        self._writes = 0
        """Number of writing calls, which may write to other places than tasks."""
        self._earlier: dict[str, _EarlierCall] = {}
        self._current: dict[str, _EarlierCall] = {}
        self._repeated: set[str] = set()

    def look_up(self, call: ToolCall, tool: Tool | None) -> ToolResponse | None:
        """Return the response to the same call in an earlier message, with a note.

        None if there is no such call or anything was written since: then the call has to
        run. Blocks.
        """
        earlier = self._earlier.get(_key(call, tool)) if self._earlier else None
        if earlier is None or earlier.position != self.position():
            return None
        outcome = earlier.outcome
        return replace(outcome, note=ALREADY_DONE, summary=f"{outcome.summary} (repeated)")

    def position(self) -> Position:
        """Return the position before a call runs. Blocks."""
        return self._log_position(), self._writes

    def note_repeat(self, call: ToolCall, tool: Tool | None) -> None:
        """Count a call that was not run again, once per message."""
        self._repeated.add(_key(call, tool))

    def note_run(
        self, call: ToolCall, tool: Tool | None, outcome: ToolResponse, before: Position
    ) -> None:
        """Remember a call that was run, or refused. Blocks."""
        earlier = _EarlierCall(outcome, before, writes=tool is not None and not tool.reads_only)
        if earlier.writes:
            self._writes += not outcome.failed
            earlier.position = self.position()
            # Models repeat whole messages, so the writes of one message count as one: they
            # do not invalidate each other. They do invalidate the reads before them.
            for each in self._current.values():
                if each.writes:
                    each.position = earlier.position
        self._current[_key(call, tool)] = earlier

    def end_message(self) -> None:
        """End a message after all its calls have results."""
        for key in self._repeated - self._current.keys():
            self._earlier[key].messages += 1
            self.is_stuck = self.is_stuck or self._earlier[key].messages >= _MAX_REPEATS
        self._earlier |= self._current
        self._current, self._repeated = {}, set()


def _key(call: ToolCall, tool: Tool | None) -> str:
    """Return the same key for equivalent arguments, however they are written."""
    arguments: object = call.arguments
    with suppress(TodoError):
        parsed = arguments = parse_object(call.arguments)
        if tool is not None:
            arguments = tool.signature.read(parsed)
    try:
        return json.dumps([call.name, arguments], sort_keys=True, default=str)
    except RecursionError:
        return f"{call.name} {call.arguments}"
