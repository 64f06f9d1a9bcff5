"""Run the tool calls of one message.

Read-only calls together, writes one by one, after approval where needed.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from todo_tui.agent.approval_policy import CallApproval, Grant
from todo_tui.agent.approval_question import ProposedCall, describe_call
from todo_tui.agent.history import INTERRUPTED
from todo_tui.agent.turn import ModelReply, Turn
from todo_tui.domain.errors import NotFound, TodoError, Unauthorized, ValidationError
from todo_tui.domain.events import (
    COMPARED,
    ApprovalAsked,
    StepStatus,
    ToolFinished,
    ToolStarted,
    TraceStep,
)
from todo_tui.domain.messages import ToolCall
from todo_tui.domain.text import plain_line
from todo_tui.tools.base import Tool, ToolResponse

_MAX_NAME_LENGTH = 40
_SAY_INSTEAD = "Say what you would change."
ToolEvent = ToolStarted | ToolFinished | ApprovalAsked


async def run_tool_calls(turn: Turn, reply: ModelReply) -> AsyncIterator[ToolEvent]:
    """Run the tool calls of a message; each result is stored before it is reported.

    A message cut at the model's length limit may lack some of its calls: none of them
    runs, and each gets an error result.

    Raises:
        TurnStopped: The user stopped the turn; the remaining calls are recorded as
            interrupted.
    """
    calls = reply.message.tool_calls
    earlier = len(turn.writer.trace)

    def may_run(call: ToolCall) -> bool:
        return _plan_refusal(turn, call, reply) is None

    approval = CallApproval(turn.approval_scope, calls, reply.decided_by, may_run)
    try:
        for group in _group_calls(turn, calls):
            turn.scope.handle.raise_if_stopped()
            planned = []
            for call in group:
                plan = await asyncio.to_thread(_plan_refusal, turn, call, reply)
                if plan is None:
                    tool = turn.tools[call.name]
                    async for question in approval.decide(call, tool):
                        yield turn.scope.question_event(question)
                    plan = _PlannedCall(call, tool, approval.decisions[call.id])
                planned.append(plan)
            async for event in _run_group(turn, planned):
                yield event
        turn.repeats.end_message()
    finally:
        if left := calls[len(turn.writer.trace) - earlier :]:
            turn.add_results([(_interrupted_step(call), ()) for call in left])
            await asyncio.to_thread(turn.writer.write)


def _group_calls(turn: Turn, calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
    """Put adjacent read-only calls together, each write alone."""

    def key(numbered: tuple[int, ToolCall]) -> int:
        tool = turn.tools.get(numbered[1].name)
        return -1 if tool is not None and tool.reads_only else numbered[0]

    return [[call for _, call in group] for _, group in groupby(enumerate(calls), key)]


@dataclass(frozen=True, slots=True)
class _PlannedCall:
    """A call with the grant to run it, or with the response it gets without running.

    A call that was cut off is not remembered as a repeat: the model should send it again.
    """

    call: ToolCall
    tool: Tool | None
    decision: Grant | ToolResponse
    is_repeat: bool = False
    is_cut: bool = False

    def started(self, turn_id: str) -> ToolStarted:
        """Build the event of its start."""
        call = self.call
        label = self.tool.label if self.tool else "Calling an unknown tool…"
        return ToolStarted(turn_id, call.id, call.name, label, call.arguments)

    def run(self, turn: Turn) -> tuple[TraceStep, tuple[str, ...]]:
        """Run it; return its step and the fields written by others. Blocks.

        The outcome is recorded for repeats and limits.
        """
        call, decision, began = self.call, self.decision, time.perf_counter()
        position = turn.repeats.position()
        if isinstance(decision, ToolResponse):
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
            result=outcome.text(),
            status=StepStatus.ERROR if outcome.failed else StepStatus.SUCCESS,
            milliseconds=(time.perf_counter() - began) * 1000,
        )
        return step, outcome.foreign


async def _run_group(turn: Turn, planned: Sequence[_PlannedCall]) -> AsyncIterator[ToolEvent]:
    """Run one call, stored before it runs if it writes; or read-only calls concurrently."""
    for plan in planned:
        yield plan.started(turn.id)
    if len(planned) == 1:
        tool = planned[0].tool

        def run() -> TraceStep:
            if tool is None or not tool.reads_only:
                turn.writer.write()
            ran = planned[0].run(turn)
            turn.add_results([ran])
            turn.writer.write()
            return ran[0]

        yield ToolFinished(turn.id, await asyncio.to_thread(run))
        return
    runs = [asyncio.create_task(asyncio.to_thread(plan.run, turn)) for plan in planned]
    try:
        for finished in asyncio.as_completed(runs):
            step, _ = await finished
            yield ToolFinished(turn.id, step)
    finally:
        await asyncio.wait(runs)
    turn.add_results([run.result() for run in runs])
    await asyncio.to_thread(turn.writer.write)


def _plan_refusal(turn: Turn, call: ToolCall, reply: ModelReply) -> _PlannedCall | None:
    """Plan the response to a call that does not run whatever the user says; else None. Blocks."""
    tool = turn.tools.get(call.name)
    if reply.is_cut and tool is not None:
        cut_off = ValidationError(
            "The message was cut off at the length limit, so this call did not run; "
            "ask for less at once."
        )
        return _PlannedCall(call, tool, ToolResponse.refused(cut_off), is_cut=True)
    if (repeated := turn.repeats.look_up(call, tool)) is not None:
        return _PlannedCall(call, tool, repeated, is_repeat=True)
    response = None
    if reason := reply.refused.get(call.id):
        response = ToolResponse.refused(ValidationError(reason))
    elif withheld := next((each for each in turn.config.withheld if each.name == call.name), None):
        tool = withheld
        response = _compared(turn, call, tool)
    elif tool is None:
        name, known = call.name[:_MAX_NAME_LENGTH], ", ".join(turn.tools)
        missing = NotFound(
            "The model called a tool that does not exist.",
            hint=f"There is no tool {name!r}; there are: {known}.",
        )
        response = ToolResponse.refused(missing)
    return None if response is None else _PlannedCall(call, tool, response)


def _compared(turn: Turn, call: ToolCall, tool: Tool) -> ToolResponse:
    """Return the response to a call in a comparison: it says what the call would do. Blocks."""
    refusal = Unauthorized("Not run in a comparison, which changes nothing.", hint=_SAY_INSTEAD)
    response = ToolResponse.refused(refusal)
    try:
        arguments = tool.read(call.arguments)
        preview = tool.preview(turn.config.store, turn.id, arguments, None)
    except TodoError:
        return response
    words = describe_call(ProposedCall(call, tool, arguments, preview), turn.config.store)
    return replace(response, summary=plain_line(f"would {words}"), data={COMPARED: True})


def _interrupted_step(call: ToolCall) -> TraceStep:
    return TraceStep(
        call_id=call.id,
        name=call.name,
        summary="Stopped before it ran",
        arguments=call.arguments,
        result=INTERRUPTED,
        status=StepStatus.INTERRUPTED,
        milliseconds=0.0,
    )
