"""The tool calls of one message: reads together, writes one by one, all in the order asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence

from todo_tui.agent.asking import Reply
from todo_tui.agent.context import INTERRUPTED
from todo_tui.agent.turn import Turn
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.events import (
    ApprovalAsked,
    StepStatus,
    ToolFinished,
    ToolStarted,
    TraceStep,
)
from todo_tui.domain.text import plain_line
from todo_tui.tools.base import ToolOutcome
from todo_tui.tools.response import ToolErrorType

_LONGEST_NAME = 40


async def run_calls(turn: Turn, reply: Reply) -> None:
    """Run what the model asked for and record each result before the next write runs.

    A message that was cut at the model's length limit may have lost a part of its
    calls: none of them runs, and the model is told.

    Raises:
        TurnStopped: the person stopped the turn; calls that did not run are recorded so.
    """
    calls = reply.message.tool_calls
    done = 0
    try:
        await turn.store()
        for group in _groups(turn, calls):
            turn.handle.check()
            allowed = [await _allowed(turn, call) for call in group]
            steps = await asyncio.gather(
                *(
                    _run(turn, call, cut=reply.cut, allowed=yes)
                    for call, yes in zip(group, allowed, strict=True)
                )
            )
            done += len(steps)
            await turn.add_steps(steps)
    finally:
        if calls[done:]:
            await turn.add_steps([_interrupted(call) for call in calls[done:]])


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


async def _allowed(turn: Turn, call: ToolCall) -> bool:
    tool = turn.tools.get(call.name)
    if tool is None:
        return True
    question = turn.desk.approver.question(call, tool.spec)
    if question is None:
        return True
    turn.emit(ApprovalAsked(turn.id, call.id, plain_line(question)))
    with turn.handle.interruptible():
        return await turn.desk.approver.decide(call, tool.spec)


async def _run(turn: Turn, call: ToolCall, *, cut: bool, allowed: bool) -> TraceStep:
    tool = turn.tools.get(call.name)
    label = tool.label if tool else f"Looking for the tool {plain_line(call.name)[:_LONGEST_NAME]}…"
    turn.emit(ToolStarted(turn.id, call.id, call.name, label, call.arguments))
    started = time.perf_counter()
    if cut:
        outcome = ToolOutcome.refused(
            ToolErrorType.VALIDATION_ERROR,
            "The message was cut off at the length limit, so this call did not run; "
            "ask for less at once.",
        )
    elif tool is None:
        outcome = ToolOutcome.refused(
            ToolErrorType.NOT_FOUND,
            f"There is no tool {call.name[:_LONGEST_NAME]!r}; there are: {', '.join(turn.tools)}.",
        )
    elif not allowed:
        outcome = ToolOutcome.refused(
            ToolErrorType.UNAUTHORIZED, "The person said no; it did not run."
        )
    else:
        outcome = await asyncio.to_thread(tool.run, call.arguments, turn.tool_context)
    step = TraceStep(
        call_id=call.id,
        name=call.name,
        summary=outcome.summary,
        arguments=call.arguments,
        result=outcome.response.text(),
        status=StepStatus.ERROR if outcome.failed else StepStatus.SUCCESS,
        milliseconds=(time.perf_counter() - started) * 1000,
    )
    turn.emit(ToolFinished(turn.id, step))
    return step


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
