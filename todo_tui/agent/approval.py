"""Approval of tool calls: which need it, and the question about them."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from todo_tui.agent.approver import ApprovalQuestion
from todo_tui.agent.turn import Turn
from todo_tui.config.settings import ApprovalMode
from todo_tui.domain.dates.text import format_when
from todo_tui.domain.errors import NobodyToAsk, TodoError, Unauthorized
from todo_tui.domain.events import ApprovalAsked
from todo_tui.domain.messages import Decider, ToolCall
from todo_tui.domain.task import Task
from todo_tui.domain.text import format_count, plain_line, shorten
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool, ToolPreview, ToolResponse
from todo_tui.tools.undo_redo import UNDOING, made_words

DENIED = "Denied. No changes were made."
_MAX_VALUE_LENGTH = 120
_MAX_QUESTION_LINES = 40


@dataclass(frozen=True, slots=True)
class ProposedCall:
    """A call that may need approval; `arguments` are as the tool reads them."""

    call: ToolCall
    tool: Tool
    arguments: Mapping[str, object]
    preview: ToolPreview

    @property
    def is_undo_or_redo(self) -> bool:
        """True for undo and redo."""
        return self.tool.name in UNDOING

    @property
    def approved_ids(self) -> frozenset[int] | None:
        """Tasks that an approval covers, if a filter chose them."""
        return frozenset(self.preview.ids) if self.arguments.get("filter") else None


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
        self.decisions: dict[str, Grant | ToolResponse] = {}
        """Grants, and responses to calls that may not run, by call id."""
        self._refused: dict[str, ToolResponse] = {}
        """Response to all undos of a refused batch in this message, by batch."""

    async def decide(self, call: ToolCall, tool: Tool) -> AsyncIterator[ApprovalAsked]:
        """Add the decision about a call to `decisions`; yield the question if one is asked.

        Raises:
            TurnStopped: The user stopped the turn.
        """
        if call.id in self.decisions:
            return
        by_person = self._decided_by is Decider.PERSON
        asks_about_reads = self._rules.ask is ApprovalMode.ALWAYS or tool.name in self._rules.tools
        if tool.reads_only and not asks_about_reads:
            self.decisions[call.id] = Grant()
            return
        proposal = await asyncio.to_thread(self._propose, call, tool)
        if proposal is None:
            # Invalid calls and filters without a match change nothing when they run.
            self.decisions[call.id] = Grant(frozenset(), by_person=by_person)
            return
        if proposal.preview.undo and proposal.preview.undo.batch in self._refused:
            self.decisions[call.id] = self._refused[proposal.preview.undo.batch]
            return
        group, reason = [proposal], self._reason_alone(proposal)
        if reason is None:
            # Bound to the tasks found now: a filter may match more when the call runs.
            self.decisions[call.id] = Grant(proposal.approved_ids, by_person=by_person)
            if tool.reads_only or proposal.is_undo_or_redo or by_person:
                return
            group, reason = await asyncio.to_thread(self._reason_for_group, proposal)
        if reason is not None:
            store = self._turn.config.store
            question = await asyncio.to_thread(_build_question, group, store, reason.details)
            yield self._turn.scope.asked(question)
            await self._ask(group, reason, question)

    def _propose(self, call: ToolCall, tool: Tool) -> ProposedCall | None:
        """Work out the effect of a call; None if it changes nothing, or is invalid. Blocks."""
        try:
            arguments = tool.read(call.arguments)
            if tool.reads_only:
                return ProposedCall(call, tool, arguments, ToolPreview())
            preview = tool.preview(self._turn.config.store, self._turn.id, arguments)
        except TodoError:
            return None
        return ProposedCall(call, tool, arguments, preview)

    def _reason_for_group(self, proposal: ProposedCall) -> tuple[list[ProposedCall], Reason | None]:
        """Return the calls that share a question with this one, and why they need it. Blocks."""
        is_first, self._group_checked = not self._group_checked, True
        group, without_tasks = self._grouped_calls(proposal) if is_first else ([proposal], [])
        reason = self._reason_together(group)
        if reason and not is_first:
            group, without_tasks = self._grouped_calls(proposal)
        if reason:
            self.decisions |= {each.id: Grant(frozenset()) for each in without_tasks}
        return group, reason

    def _reason_alone(self, proposal: ProposedCall) -> Reason | None:
        rules, name = self._rules, proposal.tool.name
        preview = proposal.preview
        if preview.undo is not None and not preview.undo.is_expected:
            made = made_words(self._turn.config.store, preview.undo)
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
            return self._beyond_limit(len(preview.changed) + preview.unnamed_changes, preview.added)
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
        previews = [proposal.preview for proposal in proposals]
        changed = len(effects.changed.union(*(preview.changed for preview in previews)))
        changed += sum(preview.unnamed_changes for preview in previews)
        added = sum(preview.added for preview in previews)
        return self._beyond_limit(
            changed if changed > len(effects.changed) else 0,
            len(effects.added) + added if added else 0,
        )

    def _beyond_limit(self, changed: int, added: int) -> Reason | None:
        rules, effects = self._rules, self._turn.effects
        before = len(effects.changed) + len(effects.added)
        details = f"Already changed for this message: {format_count(before, 'task')}"
        for count, most, what, setting in (
            (changed, rules.most_changed, "changing", "more_than"),
            (added, rules.most_added, "adding", "more_added"),
        ):
            if most is not None and count > most:
                return Reason(
                    f"{what} more than {most} tasks in one turn",
                    f"change approvals.{setting}",
                    details if before else "",
                    is_limit=True,
                )
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
            proposal = self._propose(call, tool)
            if proposal is None:
                without_tasks.append(call)
            elif not (tool.reads_only or proposal.is_undo_or_redo or self._reason_alone(proposal)):
                group.append(proposal)
        return group, without_tasks

    async def _ask(
        self, proposals: Sequence[ProposedCall], reason: Reason, question: ApprovalQuestion
    ) -> None:
        """Ask once about all of these."""
        refusal = DENIED
        try:
            agreed = await self._turn.scope.decide(question)
        except NobodyToAsk:
            agreed = False
            refusal = (
                f"No changes were made: {reason.what} needs approval, and there is no "
                f"terminal to ask on. Approve with --yes, or {reason.remedy}."
            )
        if agreed and reason.is_limit:
            self._turn.effects.changed.clear()
            self._turn.effects.added.clear()
        for proposal in proposals:
            undo, call_id = proposal.preview.undo, proposal.call.id
            batch = undo.batch if undo else None
            if agreed:
                self.decisions[call_id] = Grant(proposal.approved_ids, batch, by_person=True)
                continue
            refused = ToolResponse.refused(Unauthorized(refusal))
            self.decisions[call_id] = refused
            if batch is not None:
                self._refused[batch] = refused


def _build_question(proposals: Sequence[ProposedCall], store: Store, why: str) -> ApprovalQuestion:
    """Build the question for these calls, with `why` as its first detail. Blocks."""
    lines = [why] if why else []
    for proposal in proposals:
        lines += _details(proposal, store, alone=len(proposals) == 1)
    more = len(lines) - _MAX_QUESTION_LINES + 1
    if more > 1:
        lines[-more:] = [f"… and {more:,} more lines"]
    return ApprovalQuestion(_question_text(proposals, store), tuple(lines), proposals[0].call.id)


def _question_text(proposals: Sequence[ProposedCall], store: Store) -> str:
    names = {proposal.tool.name for proposal in proposals}
    task_count = sum(proposal.preview.task_count for proposal in proposals)
    tool = proposals[0].tool
    if len(names) > 1:
        return f"Make {len(proposals)} changes to {task_count:,} tasks?"
    if tool.question:
        return tool.question
    if not tool.verb:
        return f"Run {_value_text(tool.name)}?"
    if task_count != 1:
        return f"{tool.verb} {task_count:,} tasks?"
    ids, title = proposals[0].preview.ids, proposals[0].arguments.get("title", "")
    tasks = store.tasks.rows(ids)
    if ids and not tasks:
        return f"{tool.verb} #{ids[0]}?"
    return f"{tool.verb} “{_value_text(tasks[0].title if tasks else title)}”?"


def _details(proposal: ProposedCall, store: Store, *, alone: bool) -> Iterator[str]:
    """Yield the rows that would change, then the arguments."""
    tool, preview = proposal.tool, proposal.preview
    if preview.undo is not None:
        made = made_words(store, preview.undo)
        yield f"{made[:1].upper()}{made[1:]}"
        yield from (
            f"{verb} #{task_id} {_value_text(title)}" for task_id, title, verb in preview.undo.tasks
        )
        return
    verb = "" if alone else f"{tool.verb or _value_text(tool.name)} "
    tasks, now = {task.id: task for task in store.tasks.rows(preview.ids)}, store.clock.now()
    for task_id in preview.ids:
        yield f"{verb}{_row(task_id, tasks.get(task_id), now)}"
        for below in preview.descendants.get(task_id, ()):
            yield f"{'  ' * below.depth}#{below.task.id} {_value_text(below.task.title)}"
    if not alone and not preview.ids:
        yield f"{verb}{_value_text(proposal.arguments.get('title', ''))}".rstrip()
    for argument, value in proposal.arguments.items():
        is_shown = argument == "task_ids" or (argument == "title" and tool.verb)
        if not is_shown and value is not None:
            yield f"{argument.replace('_', ' ')}: {_value_text(value) or 'none'}"


def _row(task_id: int, task: Task | None, now: datetime) -> str:
    """Return a row such as `#3 Buy milk · tomorrow 17:00`."""
    if task is None:
        return f"#{task_id} (there is no such task)"
    due = f" · {format_when(task.due, now)}" if task.due else ""
    return f"#{task_id} {_value_text(task.title)}{due}"


def _value_text(value: object) -> str:
    """Return a value as one plain line, cut if very long."""
    if isinstance(value, list | tuple):
        value = ", ".join(map(str, value))
    return shorten(plain_line(str(value)).strip(), _MAX_VALUE_LENGTH)
