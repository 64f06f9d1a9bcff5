"""The tool calls of one message: reads together, writes one by one, all in the order asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from todo_tui.agent.asking import Reply
from todo_tui.agent.consent import Consent, Grant
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
from todo_tui.tools.base import Tool, ToolOutcome
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
    consent = Consent(turn, calls, reply.decided_by)
    try:
        for group in _groups(turn, calls):
            turn.handle.check()
            tasks = [await _task_of(turn, call, consent, reply) for call in group]
            if len(tasks) == 1:
                await _run_alone(turn, tasks[0])
            else:
                await _run_together(turn, tasks)
        turn.repeats.end_message()
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
    """A call, and the grant to run it or the response that it gets without running.

    A call that was cut off is not remembered: the model is to send it again.
    """

    call: ToolCall
    tool: Tool | None
    decision: Grant | ToolOutcome
    is_repeat: bool = False
    is_cut: bool = False

    def started(self, turn_id: str) -> ToolStarted:
        """The event that it runs now."""
        call = self.call
        shown = plain_line(call.name)[:_LONGEST_NAME]
        label = self.tool.label if self.tool else f"Looking for the tool {shown}…"
        return ToolStarted(turn_id, call.id, call.name, label, call.arguments)

    def run(self, turn: Turn) -> tuple[TraceStep, ToolOutcome]:
        """Run it and remember what came of it; blocks."""
        call, decision, began = self.call, self.decision, time.perf_counter()
        position = turn.repeats.position()
        if isinstance(decision, ToolOutcome):
            outcome = decision
        else:
            assert self.tool is not None  # noqa: S101  # a call without a tool has a response
            context = replace(
                turn.tool_context, approved=decision.tasks, approved_batch=decision.batch
            )
            outcome = self.tool.run(call.arguments, context)
            turn.count(self.tool, outcome, by_person=decision.by_person)
        if self.is_repeat:
            turn.repeats.note_repeat(call, self.tool)
        elif not self.is_cut:
            turn.repeats.note_run(call, self.tool, outcome, position)
        step = TraceStep(
            call_id=call.id,
            name=call.name,
            summary=outcome.summary,
            arguments=call.arguments,
            result=outcome.response.text(),
            status=StepStatus.ERROR if outcome.failed else StepStatus.SUCCESS,
            milliseconds=(time.perf_counter() - began) * 1000,
        )
        return step, outcome


async def _run_alone(turn: Turn, task: _Task) -> None:
    """Run one call between two writes to the store, all three in one thread."""

    def run() -> TraceStep:
        turn.ledger.write()
        ran = task.run(turn)
        turn.add_results([ran])
        turn.ledger.write()
        return ran[0]

    turn.emit(task.started(turn.id))
    turn.emit(ToolFinished(turn.id, await asyncio.to_thread(run)))


async def _run_together(turn: Turn, tasks: Sequence[_Task]) -> None:
    """Run calls that only read at the same time; each is reported as it finishes."""

    async def run(task: _Task) -> tuple[TraceStep, ToolOutcome]:
        turn.emit(task.started(turn.id))
        ran = await asyncio.to_thread(task.run, turn)
        turn.emit(ToolFinished(turn.id, ran[0]))
        return ran

    turn.add_results(await asyncio.gather(*map(run, tasks)))
    await turn.store()


async def _task_of(turn: Turn, call: ToolCall, consent: Consent, reply: Reply) -> _Task:
    """What to do about a call; a person may be asked."""
    tool = turn.tools.get(call.name)
    if reply.cut and tool is not None:
        refusal = ToolOutcome.refused(
            ToolErrorType.VALIDATION_ERROR,
            "The message was cut off at the length limit, so this call did not run; "
            "ask for less at once.",
        )
        return _Task(call, tool, refusal, is_cut=True)
    if not turn.repeats.is_empty:
        repeated = await asyncio.to_thread(turn.repeats.look_up, call, tool)
        if repeated is not None:
            return _Task(call, tool, repeated, is_repeat=True)
    if reason := reply.refused.get(call.id):
        refusal = ToolOutcome.refused(ToolErrorType.VALIDATION_ERROR, reason)
    elif tool is None:
        known = ", ".join(turn.tools)
        refusal = ToolOutcome.refused(
            ToolErrorType.NOT_FOUND,
            f"There is no tool {call.name[:_LONGEST_NAME]!r}; there are: {known}.",
        )
    else:
        return _Task(call, tool, await consent.given(call, tool))
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
