"""The tool calls of one message: reads together, writes one by one, all in the order asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from todo_tui.agent.asking import Reply
from todo_tui.agent.consent import Consent
from todo_tui.agent.context import INTERRUPTED
from todo_tui.agent.turn import Turn
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.events import (
    StepStatus,
    ToolFinished,
    ToolStarted,
    TraceStep,
)
from todo_tui.domain.text import plain_line
from todo_tui.tools.base import Tool, ToolContext, ToolOutcome
from todo_tui.tools.response import ToolErrorType

_LONGEST_NAME = 40


async def run_calls(turn: Turn, reply: Reply) -> None:
    """Run what the model asked for; each result is stored before it is reported.

    A message that was cut at the model's length limit may have lost a part of its
    calls: none of them runs, and the model is told.

    Raises:
        TurnStopped: the person stopped the turn; calls that did not run are recorded so.
    """
    calls = reply.message.tool_calls
    earlier = len(turn.steps)
    consent = Consent(turn, calls)
    try:
        for group in _groups(turn, calls):
            turn.handle.check()
            tasks = [await _task_of(turn, call, consent, cut=reply.cut) for call in group]
            if len(tasks) == 1:
                await _run_alone(turn, tasks[0])
            else:
                await _run_together(turn, tasks)
    finally:
        if left := calls[len(turn.steps) - earlier :]:
            turn.add_steps([_interrupted(call) for call in left])
            await turn.store()


def _groups(turn: Turn, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
    """Neighbours that only read together, each other call alone."""
    reading: list[ToolCall] = []
    for call in calls:
        tool = turn.tools.get(call.name)
        if tool is not None and tool.reads_only:
            reading.append(call)
            continue
        if reading:
            yield reading
            reading = []
        yield [call]
    if reading:
        yield reading


@dataclass(frozen=True, slots=True)
class _Task:
    """A call, the tool for it, and why it may not run if it may not."""

    call: ToolCall
    tool: Tool | None
    refusal: ToolOutcome | None
    approved: frozenset[int] | None = None
    """The tasks that a person said yes to, where a filter chooses them."""

    def started(self, turn_id: str) -> ToolStarted:
        """The event that it runs now."""
        call = self.call
        shown = plain_line(call.name)[:_LONGEST_NAME]
        label = self.tool.label if self.tool else f"Looking for the tool {shown}…"
        return ToolStarted(turn_id, call.id, call.name, label, call.arguments)

    def run(self, context: ToolContext) -> TraceStep:
        """Run it; blocks."""
        call, began = self.call, time.perf_counter()
        if self.refusal is not None:
            outcome = self.refusal
        else:
            assert self.tool is not None  # noqa: S101  # a call without a tool has a refusal
            outcome = self.tool.run(call.arguments, replace(context, approved=self.approved))
        return TraceStep(
            call_id=call.id,
            name=call.name,
            summary=outcome.summary,
            arguments=call.arguments,
            result=outcome.response.text(),
            status=StepStatus.ERROR if outcome.failed else StepStatus.SUCCESS,
            milliseconds=(time.perf_counter() - began) * 1000,
        )


async def _run_alone(turn: Turn, task: _Task) -> None:
    """Run one call between two writes to the store, all three in one thread."""

    def run() -> TraceStep:
        turn.ledger.write()
        step = task.run(turn.tool_context)
        turn.add_steps([step])
        turn.ledger.write()
        return step

    turn.emit(task.started(turn.id))
    turn.emit(ToolFinished(turn.id, await asyncio.to_thread(run)))


async def _run_together(turn: Turn, tasks: Sequence[_Task]) -> None:
    """Run calls that only read at the same time; each is reported as it finishes."""

    async def run(task: _Task) -> TraceStep:
        turn.emit(task.started(turn.id))
        step = await asyncio.to_thread(task.run, turn.tool_context)
        turn.emit(ToolFinished(turn.id, step))
        return step

    turn.add_steps(await asyncio.gather(*map(run, tasks)))
    await turn.store()


async def _task_of(turn: Turn, call: ToolCall, consent: Consent, *, cut: bool) -> _Task:
    """What to do about a call; a person may be asked."""
    tool = turn.tools.get(call.name)
    if tool is None:
        known = ", ".join(turn.tools)
        refusal = ToolOutcome.refused(
            ToolErrorType.NOT_FOUND,
            f"There is no tool {call.name[:_LONGEST_NAME]!r}; there are: {known}.",
        )
    elif cut:
        refusal = ToolOutcome.refused(
            ToolErrorType.VALIDATION_ERROR,
            "The message was cut off at the length limit, so this call did not run; "
            "ask for less at once.",
        )
    elif not await consent.given(call, tool):
        refusal = ToolOutcome.refused(
            ToolErrorType.UNAUTHORIZED, "The person said no; it did not run."
        )
    else:
        return _Task(call, tool, None, consent.agreed(call))
    return _Task(call, tool, refusal)


def _interrupted(call: ToolCall) -> TraceStep:
    return TraceStep(
        call_id=call.id,
        name=call.name,
        summary="Stopped before it ran",
        arguments=call.arguments,
        result=INTERRUPTED,
        status=StepStatus.INTERRUPTED,
        milliseconds=0.0,
    )
