"""Run the tool calls of one message.

Read-only ones together, writes one by one, after approval where needed.
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
    """What needs it, for whoever cannot be asked: `a second undo or redo in one turn`."""
    remedy: str
    """What allows it beside `--yes`."""
    details: str = ""
    """What the question adds to the tasks that it names."""
    is_limit: bool = False
    """Whether it is about how many tasks the turn has touched."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A call that may run, with what of it was weighed."""

    tasks: frozenset[int] | None = None
    """The tasks that its filter found; None: any."""
    batch: str | None = None
    """The undo batch that a person said yes to."""
    by_person: bool = False
    """Whether a person said yes to it, so that it counts towards no limit."""


class CallApproval:
    """What a person says to the calls of one message.

    A call is asked about alone by its kind, its name or how much it touches, and so is
    an undo. Those that touch too much only all together, or after text that others may
    have written, are asked about together, once.
    """

    def __init__(self, turn: Turn, calls: Sequence[ToolCall], decided_by: Decider) -> None:
        self._turn = turn
        self._rules = turn.config.approvals
        self._calls = calls
        self._decided_by = decided_by
        self._together_weighed = False
        self._answers: dict[str, Grant | ToolOutcome] = {}
        self._refused: dict[str, ToolOutcome] = {}
        """By undo batch, the answer to all undos of this message that come to it."""

    async def is_approved(self, call: ToolCall, tool: Tool) -> Grant | ToolOutcome:
        """Return the grant for a call, or the response to it where it may not run.

        Raises:
            TurnStopped: the person stopped the turn.
        """
        if call.id in self._answers:
            return self._answers[call.id]
        turn, by_person = self._turn, self._decided_by is Decider.PERSON
        if tool.reads_only and not self._asks_about_reads(tool):
            return Grant()
        wish = await asyncio.to_thread(preview_call, call, tool, turn.config.store, turn.id)
        if wish is None:
            # What cannot be read will not run either, nor what finds nothing to do.
            return Grant(frozenset(), by_person=by_person)
        if wish.preview and wish.preview.batch in self._refused:
            return self._refused[wish.preview.batch]
        if reason := self._reason_alone(wish):
            return await self._ask([wish], reason)
        # What a call would touch now is what is granted, and nothing that comes after.
        granted = Grant(wish.approved_ids, by_person=by_person)
        if tool.reads_only or wish.travels or by_person:
            return granted
        weighed = [wish]
        if not self._together_weighed and call is not self._calls[-1]:
            weighed, _ = await asyncio.to_thread(self._grouped_calls, wish)
        self._together_weighed = True
        if reason := self._reason_together(weighed):
            crowd, unfound = await asyncio.to_thread(self._grouped_calls, wish)
            for each in unfound:
                self._answers[each.id] = Grant(frozenset())
            return await self._ask(crowd, reason)
        return granted

    def _asks_about_reads(self, tool: Tool) -> bool:
        return self._rules.ask is ApprovalMode.ALWAYS or tool.name in self._rules.tools

    def _reason_alone(self, wish: ProposedCall) -> Reason | None:
        rules, name = self._rules, wish.tool.name
        preview = wish.preview
        if preview is not None and not preview.is_expected:
            made = made_words(self._turn.config.store, preview)
            return Reason(f"{name}ing a change made {made}", f"run todo-tui {name}")
        if self._decided_by is Decider.PERSON:
            return None
        if name in rules.tools:
            return Reason(f"the tool {name}", "change approvals.tools")
        writes = rules.ask is ApprovalMode.WRITES and not wish.tool.reads_only
        if rules.ask is ApprovalMode.ALWAYS or writes:
            return Reason("this call", "change approvals.ask")
        if not wish.travels and self._decided_by is Decider.RULES:
            # One order of the person: all of it is done, or nothing.
            return None
        if not wish.travels:
            return self._beyond_limit(len(wish.changed) + wish.unnamed, wish.added)
        if rules.ask is not ApprovalMode.NEVER and self._turn.effects.undos:
            what = "a second undo or redo in one turn"
            return Reason(what, "change approvals.ask", what[2:].capitalize())
        return self._reason_together([wish])

    def _reason_together(self, wishes: Sequence[ProposedCall]) -> Reason | None:
        effects = self._turn.effects
        by_model = self._decided_by is Decider.MODEL
        if by_model and effects.read_foreign_text and self._rules.ask is not ApprovalMode.NEVER:
            return Reason(
                "a change after reading notes, or other text that may not be the user's own,",
                "change approvals.ask",
                "The assistant has read notes or other text that may contain instructions",
            )
        changed = len(effects.changed.union(*(wish.changed for wish in wishes)))
        changed += sum(wish.unnamed for wish in wishes)
        added = sum(wish.added for wish in wishes)
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
        """Return the writes from this one on that nobody is asked about alone; blocks.

        Besides, the calls that find nothing to do: what the others make is not theirs.
        """
        turn, crowd, unfound = self._turn, [first], []
        for call in self._calls[self._calls.index(first.call) + 1 :]:
            tool = turn.tools.get(call.name)
            if tool is None or turn.repeats.look_up(call, tool):
                continue
            wish = preview_call(call, tool, turn.config.store, turn.id)
            if wish is None:
                unfound.append(call)
            elif not (tool.reads_only or wish.travels or self._reason_alone(wish)):
                crowd.append(wish)
        return crowd, unfound

    async def _ask(self, wishes: Sequence[ProposedCall], reason: Reason) -> Grant | ToolOutcome:
        """Ask once about all of these; the answer to the first of them."""
        turn, store = self._turn, self._turn.config.store
        question = await asyncio.to_thread(build_question, wishes, store, reason.details)
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
        for wish in wishes:
            batch = wish.preview.batch if wish.preview else None
            if agreed:
                self._answers[wish.call.id] = Grant(wish.approved_ids, batch, by_person=True)
                continue
            refused = ToolOutcome.refused(ToolErrorType.UNAUTHORIZED, refusal)
            self._answers[wish.call.id] = refused
            if batch is not None:
                self._refused[batch] = refused
        return self._answers[wishes[0].call.id]


async def run_tool_calls(turn: Turn, reply: ModelReply) -> None:
    """Run what the model asked for; each result is stored before it is reported.

    A message that was cut at the model's length limit may have lost a part of its
    calls: none of them runs, and the model is told.

    Raises:
        TurnStopped: the person stopped the turn; calls that did not run are recorded so.
    """
    calls = reply.message.tool_calls
    earlier = len(turn.steps)
    consent = CallApproval(turn, calls, reply.decided_by)
    try:
        for group in _group_calls(turn, calls):
            turn.handle.raise_if_stopped()
            tasks = [await _plan_call(turn, call, consent, reply) for call in group]
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
class _PlannedCall:
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
        shown = plain_line(call.name)[:_MAX_NAME_LENGTH]
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
    """Run calls that only read at the same time; each is reported as it finishes."""

    async def run(task: _PlannedCall) -> tuple[TraceStep, ToolOutcome]:
        turn.emit(task.started(turn.id))
        ran = await asyncio.to_thread(task.run, turn)
        turn.emit(ToolFinished(turn.id, ran[0]))
        return ran

    turn.add_results(await asyncio.gather(*map(run, tasks)))
    await turn.store()


async def _plan_call(
    turn: Turn, call: ToolCall, consent: CallApproval, reply: ModelReply
) -> _PlannedCall:
    """What to do about a call; a person may be asked."""
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
        return _PlannedCall(call, tool, await consent.is_approved(call, tool))
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
