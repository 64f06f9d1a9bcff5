"""Run the tool calls of one message.

Read-only calls together, writes one by one, after approval where needed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from todo_tui.agent.approval import ProposedCall, build_question, preview_call
from todo_tui.agent.history import INTERRUPTED
from todo_tui.agent.model_calls import ModelReply
from todo_tui.agent.turn import Turn
from todo_tui.config.settings import ApprovalMode
from todo_tui.domain.errors import NobodyToAsk
from todo_tui.domain.events import ApprovalAsked, StepStatus, ToolFinished, ToolStarted, TraceStep
from todo_tui.domain.messages import Decider, ToolCall
from todo_tui.domain.text import plain_line
from todo_tui.tools.base import Tool, ToolErrorType, ToolOutcome
from todo_tui.tools.undo_redo import made_words

DENIED = "Denied. No changes were made."
_MAX_NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a call needs approval."""

    what: str
    """Subject of the refusal if nobody can be asked: `a second undo or redo in one turn`."""
    remedy: str
    """Way to allow it, besides `--yes`."""
    details: str = ""
    """First detail of the question."""
    is_limit: bool = False
    """True if a limit of tasks per turn is the reason."""


@dataclass(frozen=True, slots=True)
class Grant:
    """Permission to run a call, bound to what was checked."""

    tasks: frozenset[int] | None = None
    """Tasks that its filter found; None: any."""
    batch: str | None = None
    """Undo batch that the user approved."""
    by_person: bool = False
    """True if the user approved it, so that it counts towards no limit."""


class CallApproval:
    """Approval of the calls of one message.

    A call gets a question of its own for its kind, its name or the number of its tasks,
    and so does an undo. Calls that exceed a limit only together, or that follow text
    which others may have written, share one question.
    """

    def __init__(self, turn: Turn, calls: Sequence[ToolCall], decided_by: Decider) -> None:
        self._turn = turn
        self._rules = turn.config.approvals
        self._calls = calls
        self._decided_by = decided_by
        self._group_checked = False
        self._answers: dict[str, Grant | ToolOutcome] = {}
        self._refused: dict[str, ToolOutcome] = {}
        """Response to all undos of a refused batch in this message, by batch."""

    async def is_approved(self, call: ToolCall, tool: Tool) -> Grant | ToolOutcome:
        """Return the grant for a call, or the response if it may not run.

        Raises:
            TurnStopped: The user stopped the turn.
        """
        if call.id in self._answers:
            return self._answers[call.id]
        turn, by_person = self._turn, self._decided_by is Decider.PERSON
        if tool.reads_only and not self._asks_about_reads(tool):
            return Grant()
        proposal = await asyncio.to_thread(preview_call, call, tool, turn.config.store, turn.id)
        if proposal is None:
            # Invalid calls and filters without a match change nothing when they run.
            return Grant(frozenset(), by_person=by_person)
        if proposal.preview and proposal.preview.batch in self._refused:
            return self._refused[proposal.preview.batch]
        if reason := self._reason_alone(proposal):
            return await self._ask([proposal], reason)
        # Bound to the tasks found now: a filter may match more when the call runs.
        granted = Grant(proposal.approved_ids, by_person=by_person)
        if tool.reads_only or proposal.is_undo_or_redo or by_person:
            return granted
        considered = [proposal]
        if not self._group_checked and call is not self._calls[-1]:
            considered, _ = await asyncio.to_thread(self._grouped_calls, proposal)
        self._group_checked = True
        if reason := self._reason_together(considered):
            group, without_tasks = await asyncio.to_thread(self._grouped_calls, proposal)
            for each in without_tasks:
                self._answers[each.id] = Grant(frozenset())
            return await self._ask(group, reason)
        return granted

    def _asks_about_reads(self, tool: Tool) -> bool:
        return self._rules.ask is ApprovalMode.ALWAYS or tool.name in self._rules.tools

    def _reason_alone(self, proposal: ProposedCall) -> Reason | None:
        rules, name = self._rules, proposal.tool.name
        preview = proposal.preview
        if preview is not None and not preview.is_expected:
            made = made_words(self._turn.config.store, preview)
            return Reason(f"{name}ing a change made {made}", f"run todo-tui {name}")
        if self._decided_by is Decider.PERSON:
            return None
        if name in rules.tools:
            return Reason(f"the tool {name}", "change approvals.tools")
        writes = rules.ask is ApprovalMode.WRITES and not proposal.tool.reads_only
        if rules.ask is ApprovalMode.ALWAYS or writes:
            return Reason("this call", "change approvals.ask")
        if not proposal.is_undo_or_redo and self._decided_by is Decider.RULES:
            # The rules turn one request of the user into several calls: all run, or none.
            return None
        if not proposal.is_undo_or_redo:
            return self._beyond_limit(
                len(proposal.changed) + proposal.unnamed_changes, proposal.added
            )
        if rules.ask is not ApprovalMode.NEVER and self._turn.effects.undos:
            what = "a second undo or redo in one turn"
            return Reason(what, "change approvals.ask", what[2:].capitalize())
        return self._reason_together([proposal])

    def _reason_together(self, proposals: Sequence[ProposedCall]) -> Reason | None:
        effects = self._turn.effects
        by_model = self._decided_by is Decider.MODEL
        if by_model and effects.read_foreign_text and self._rules.ask is not ApprovalMode.NEVER:
            return Reason(
                "a change after reading notes, or other text that may not be the user's own,",
                "change approvals.ask",
                "The assistant has read notes or other text that may contain instructions",
            )
        changed = len(effects.changed.union(*(proposal.changed for proposal in proposals)))
        changed += sum(proposal.unnamed_changes for proposal in proposals)
        added = sum(proposal.added for proposal in proposals)
        return self._beyond_limit(
            changed if changed > len(effects.changed) else 0,
            len(effects.added) + added if added else 0,
        )

    def _beyond_limit(self, changed: int, added: int) -> Reason | None:
        rules, effects = self._rules, self._turn.effects
        before = len(effects.changed) + len(effects.added)
        word = "task" if before == 1 else "tasks"
        details = f"Already changed for this message: {before:,} {word}" if before else ""
        most = rules.most_changed
        if most is not None and changed > most:
            what = f"changing more than {most} tasks in one turn"
            return Reason(what, "change approvals.more_than", details, is_limit=True)
        most = rules.most_added
        if most is not None and added > most:
            what = f"adding more than {most} tasks in one turn"
            return Reason(what, "change approvals.more_added", details, is_limit=True)
        return None

    def _grouped_calls(self, first: ProposedCall) -> tuple[list[ProposedCall], list[ToolCall]]:
        """Return the writes from this one on that share a question; blocks.

        Besides, the calls without tasks: they must not match what the others create.
        """
        turn, group, without_tasks = self._turn, [first], []
        for call in self._calls[self._calls.index(first.call) + 1 :]:
            tool = turn.tools.get(call.name)
            if tool is None or turn.repeats.look_up(call, tool):
                continue
            proposal = preview_call(call, tool, turn.config.store, turn.id)
            if proposal is None:
                without_tasks.append(call)
            elif not (tool.reads_only or proposal.is_undo_or_redo or self._reason_alone(proposal)):
                group.append(proposal)
        return group, without_tasks

    async def _ask(self, proposals: Sequence[ProposedCall], reason: Reason) -> Grant | ToolOutcome:
        """Ask once about all of these; return the answer for the first."""
        turn, store = self._turn, self._turn.config.store
        question = await asyncio.to_thread(build_question, proposals, store, reason.details)
        turn.emit(ApprovalAsked(turn.id, question.call_id, question.words, question.details))
        refusal = DENIED
        with turn.handle.interruptible():
            try:
                agreed = await turn.config.approver.decide(question)
            except NobodyToAsk:
                agreed = False
                refusal = (
                    f"No changes were made: {reason.what} needs approval, and there is no "
                    f"terminal to ask on. Approve with --yes, or {reason.remedy}."
                )
        if agreed and reason.is_limit:
            turn.effects.forget_counts()
        for proposal in proposals:
            batch = proposal.preview.batch if proposal.preview else None
            if agreed:
                self._answers[proposal.call.id] = Grant(
                    proposal.approved_ids, batch, by_person=True
                )
                continue
            refused = ToolOutcome.refused(ToolErrorType.UNAUTHORIZED, refusal)
            self._answers[proposal.call.id] = refused
            if batch is not None:
                self._refused[batch] = refused
        return self._answers[proposals[0].call.id]


async def run_tool_calls(turn: Turn, reply: ModelReply) -> None:
    """Run the tool calls of a message; each result is stored before it is reported.

    A message cut at the model's length limit may lack some of its calls: none of them
    runs, and each gets an error result.

    Raises:
        TurnStopped: The user stopped the turn; the remaining calls are recorded as
            interrupted.
    """
    calls = reply.message.tool_calls
    earlier = len(turn.steps)
    approval = CallApproval(turn, calls, reply.decided_by)
    try:
        for group in _group_calls(turn, calls):
            turn.handle.raise_if_stopped()
            tasks = [await _plan_call(turn, call, approval, reply) for call in group]
            if len(tasks) == 1:
                await _run_alone(turn, tasks[0])
            else:
                await _run_together(turn, tasks)
        turn.repeats.end_message()
    finally:
        if left := calls[len(turn.steps) - earlier :]:
            turn.add_steps([_interrupted_step(call) for call in left])
            await turn.store()


def _group_calls(turn: Turn, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
    """Yield adjacent read-only calls together, each write alone."""
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
class _PlannedCall:
    """A call with the grant to run it, or with the response it gets without running.

    A call that was cut off is not remembered as a repeat: the model shall send it again.
    """

    call: ToolCall
    tool: Tool | None
    decision: Grant | ToolOutcome
    is_repeat: bool = False
    is_cut: bool = False

    def started(self, turn_id: str) -> ToolStarted:
        """Build the event of its start."""
        call = self.call
        shown = plain_line(call.name)[:_MAX_NAME_LENGTH]
        label = self.tool.label if self.tool else f"Looking for the tool {shown}…"
        return ToolStarted(turn_id, call.id, call.name, label, call.arguments)

    def run(self, turn: Turn) -> tuple[TraceStep, ToolOutcome]:
        """Run it and record the outcome for repeats and limits; blocks."""
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


async def _run_alone(turn: Turn, task: _PlannedCall) -> None:
    """Run one call between two writes to the store, all three in one thread."""

    def run() -> TraceStep:
        turn.writer.write()
        ran = task.run(turn)
        turn.add_results([ran])
        turn.writer.write()
        return ran[0]

    turn.emit(task.started(turn.id))
    turn.emit(ToolFinished(turn.id, await asyncio.to_thread(run)))


async def _run_together(turn: Turn, tasks: Sequence[_PlannedCall]) -> None:
    """Run read-only calls concurrently; each is reported as it finishes."""

    async def run(task: _PlannedCall) -> tuple[TraceStep, ToolOutcome]:
        turn.emit(task.started(turn.id))
        ran = await asyncio.to_thread(task.run, turn)
        turn.emit(ToolFinished(turn.id, ran[0]))
        return ran

    turn.add_results(await asyncio.gather(*map(run, tasks)))
    await turn.store()


async def _plan_call(
    turn: Turn, call: ToolCall, approval: CallApproval, reply: ModelReply
) -> _PlannedCall:
    """Decide how to handle a call; may ask the user."""
    tool = turn.tools.get(call.name)
    if reply.is_cut and tool is not None:
        refusal = ToolOutcome.refused(
            ToolErrorType.VALIDATION_ERROR,
            "The message was cut off at the length limit, so this call did not run; "
            "ask for less at once.",
        )
        return _PlannedCall(call, tool, refusal, is_cut=True)
    if not turn.repeats.is_empty:
        repeated = await asyncio.to_thread(turn.repeats.look_up, call, tool)
        if repeated is not None:
            return _PlannedCall(call, tool, repeated, is_repeat=True)
    if reason := reply.refused.get(call.id):
        refusal = ToolOutcome.refused(ToolErrorType.VALIDATION_ERROR, reason)
    elif tool is None:
        known = ", ".join(turn.tools)
        refusal = ToolOutcome.refused(
            ToolErrorType.NOT_FOUND,
            f"There is no tool {call.name[:_MAX_NAME_LENGTH]!r}; there are: {known}.",
        )
    else:
        return _PlannedCall(call, tool, await approval.is_approved(call, tool))
    return _PlannedCall(call, tool, refusal)


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
