"""Approval of tool calls: decides which need it, asks, and remembers the answers of one message."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from todo_tui.agent.approval_question import ProposedCall, Reason, build_question
from todo_tui.agent.approver import (
    ApprovalAnswer,
    ApprovalQuestion,
    ReasonKind,
    SessionApprovals,
)
from todo_tui.config.settings import ApprovalMode, ApprovalSettings
from todo_tui.domain.changes import UNDO_TOOLS
from todo_tui.domain.errors import NobodyToAsk, TodoError, Unauthorized
from todo_tui.domain.messages import Decider, ToolCall
from todo_tui.domain.text import plain_line, plain_text, repair_surrogates, tool_words
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool, ToolPreview, ToolResponse
from todo_tui.tools.undo_redo import made_words, preview_revert

_SET = "(set in Settings)"
_DENIED = "Denied. This was not done."
"""Response to a call that was not asked about, after another one was denied."""


@dataclass(slots=True)
class TurnEffects:
    """Tasks touched by one turn; an approval beyond a limit resets the counts."""

    changed: set[int] = field(default_factory=set)
    """Ids of tasks changed or deleted, including their subtasks."""
    added: set[int] = field(default_factory=set)
    """Ids of tasks added."""
    undos: int = 0
    """Number of undos and redos."""


@dataclass(frozen=True, slots=True)
class ApprovalScope:
    """Turn of a conversation, or call of an agent, whose tool calls may need approval."""

    id: str
    conversation_id: str
    """Conversation for which the user may allow a tool."""
    store: Store
    tools: Mapping[str, Tool]
    approvals: ApprovalSettings
    """As configured, without the choices of the session."""
    session_approvals: SessionApprovals
    decide: Callable[[ApprovalQuestion], Awaitable[ApprovalAnswer]]
    """Waits for the user's answer; raises NobodyToAsk."""
    has_foreign_text: Callable[[], bool]
    """Returns True if the model has read text that others may have written; blocks."""
    effects: TurnEffects = field(default_factory=TurnEffects)


@dataclass(frozen=True, slots=True)
class Grant:
    """Permission to run a call, bound to what was checked."""

    tasks: frozenset[int] | None = None
    """Tasks that its filter found; None: any."""
    batch: str | None = None
    """Undo batch that the user approved, or that needs no approval."""
    by_person: bool = False
    """True if the user approved it, so that it counts towards no limit."""


class CallApproval:
    """Approval of the calls of one message: one question for all that need it.

    The question comes before the first of them runs. Undos in a row are one question. An undo
    after another write is left to one of its own, since what it would undo is not known before.
    After a denial no other call of the message runs that needs approval.

    A call is undecided; or approved, if the question about an earlier call was about it too: it
    is checked again before it runs, and asked about again where there is a new reason; or decided.

    | reason to ask | calls of a model | calls of rules | calls of a person |
    |---|---|---|---|
    | OTHERS_CHANGE | yes | yes | unless the user made the change |
    | TOOL, MODE | as configured | as configured | no |
    | REPEATED_UNDO | unless `ask` is never | unless `ask` is never | no |
    | LIMIT | by one call, or all together | by all together, or one undo | no |
    | FOREIGN_TEXT | unless `ask` is never | no | no |
    """

    def __init__(
        self,
        turn: ApprovalScope,
        calls: Sequence[ToolCall],
        decided_by: Decider,
        may_run: Callable[[ToolCall], bool],
    ) -> None:
        self._turn = turn
        self._calls = calls
        self._decided_by = decided_by
        self._may_run = may_run
        """Returns false for a call that does not run whatever the user says; blocks."""
        self._is_limit_checked = False
        """True once all calls were checked against the limit together."""
        self._approved: dict[str, ProposedCall] = {}
        """Calls as the user was shown them, with the reasons to ask, by call id."""
        self.decisions: dict[str, Grant | ToolResponse] = {}
        """Grants, and responses to calls that may not run, by call id; they are final."""
        self._denial: ToolResponse | None = None

    @property
    def _rules(self) -> ApprovalSettings:
        return self._turn.session_approvals.apply(self._turn.approvals)

    async def decide(self, call: ToolCall, tool: Tool) -> AsyncIterator[ApprovalQuestion]:
        """Add the decision about a call to `decisions`; yield the question if one is asked.

        Raises:
            TurnStopped: The user stopped the turn.
        """
        if call.id in self.decisions:
            return
        if tool.reads_only and not self._asks_about_reads(tool):
            self.decisions[call.id] = Grant()
            return
        group = await asyncio.to_thread(self._collect, call, tool)
        if not group:
            return
        if self._denial is not None:
            self.decisions |= {each.call.id: self._denial for each in group}
            return
        question = await asyncio.to_thread(build_question, group, self._turn.store)
        yield question
        await self._ask(group, question)

    def _asks_about_reads(self, tool: Tool) -> bool:
        return self._rules.ask is ApprovalMode.ALWAYS or tool.name in self._rules.tools

    def _collect(self, call: ToolCall, tool: Tool) -> list[ProposedCall]:
        """Return the calls to ask about now; none if this one may run, with a grant. Blocks."""
        by_person = self._decided_by is Decider.PERSON
        first = self._examine(call, tool)
        if first is None:
            # Invalid calls and filters without a match change nothing when they run.
            self.decisions[call.id] = Grant(frozenset(), by_person=by_person)
            return []
        if first.preview.changes_nothing:
            self.decisions[call.id] = self._grant(first)
            return []
        counts = self._counts_with_others(first)
        # Once for all calls: to preview the later ones at each call takes too long.
        is_limit_due = counts and (not self._is_limit_checked or self._limit_together([first]))
        self._is_limit_checked = self._is_limit_checked or counts
        if first.reasons or is_limit_due:
            following, without_tasks = self._following(first)
            group = self._with_limit([first, *following])
            if group[0].reasons:
                # They must not match what the others create.
                self.decisions |= {each.id: Grant(frozenset()) for each in without_tasks}
                undoes = first.is_undo_or_redo
                return [each for each in group if each.reasons or (undoes and each.is_undo_or_redo)]
        self.decisions[call.id] = self._grant(first)
        return []

    def _grant(self, proposal: ProposedCall) -> Grant:
        """Return the grant of a call that the user approved, or that needs no approval.

        It is bound to the tasks found now: a filter may match more when the call runs.
        """
        is_exempt = (
            proposal.approved_for is not None
            or self._decided_by is Decider.PERSON
            or self._is_allowed(proposal, ReasonKind.LIMIT)
        )
        undo = proposal.preview.undo
        return Grant(
            proposal.approved_ids,
            undo.batch if undo else None,
            by_person=is_exempt,
        )

    def _following(self, first: ProposedCall) -> tuple[list[ProposedCall], list[ToolCall]]:
        """Return later calls to ask about with this one, and those that change nothing. Blocks."""
        following, without_tasks = [], []
        writes = [] if first.tool.reads_only else [first.tool]
        for call in self._calls[self._calls.index(first.call) + 1 :]:
            if call.id in self.decisions or not self._may_run(call):
                continue
            tool = self._turn.tools[call.name]
            if tool.reads_only and not self._asks_about_reads(tool):
                continue
            undoes = tool.name in UNDO_TOOLS
            if undoes and any(each is not tool for each in writes):
                continue
            proposal = self._examine(call, tool, len(writes) if undoes else 0)
            if proposal is None:
                without_tasks.append(call)
                continue
            if proposal.preview.changes_nothing:
                # Checked at its turn: the others may change that.
                continue
            following.append(proposal)
            writes += [] if tool.reads_only else [tool]
        return following, without_tasks

    def _examine(self, call: ToolCall, tool: Tool, undos_before: int = 0) -> ProposedCall | None:
        """Return a call with its reasons; None if it changes nothing, or is invalid. Blocks.

        Of an undo or redo `undos_before` others run before it. An approved call comes as it was
        shown, with new reasons only, unless earlier calls have made it affect other tasks.
        """
        proposal = self._propose(call, tool, undos_before)
        approved = self._approved.get(call.id)
        if approved is not None and (proposal is None or approved.covers(proposal)):
            kinds = {reason.kind for reason in approved.reasons}
            new = (each for each in self._reasons(approved) if each.kind not in kinds)
            return replace(approved, reasons=tuple(new), approved_for=approved.reasons)
        return proposal and replace(proposal, reasons=tuple(self._reasons(proposal)))

    def _propose(self, call: ToolCall, tool: Tool, undos_before: int) -> ProposedCall | None:
        turn = self._turn
        try:
            arguments = tool.read(call.arguments)
            preview = ToolPreview()
            if undos_before:
                redo = tool.name == "redo"
                preview = preview_revert(
                    turn.store, turn.id, arguments, redo=redo, after=undos_before
                )
            elif not tool.reads_only:
                preview = tool.preview(turn.store, turn.id, arguments, None)
        except TodoError:
            return None
        return ProposedCall(call, tool, arguments, preview, undos_before)

    def _is_allowed(self, proposal: ProposedCall, kind: ReasonKind) -> bool:
        turn = self._turn
        allows = turn.session_approvals.allows
        return allows(turn.conversation_id, proposal.tool.name, kind)

    def _reasons(self, proposal: ProposedCall) -> Iterator[Reason]:
        """Yield why a call needs approval whatever the others do."""
        undo, name = proposal.preview.undo, proposal.tool.name
        by_person = self._decided_by is Decider.PERSON
        if undo is not None and not (undo.is_expected or (by_person and undo.is_users)):
            what = f"{name}ing a change made {made_words(self._turn.store, undo)}"
            yield Reason(ReasonKind.OTHERS_CHANGE, what, f"run todo-tui {name}")
        if by_person:
            return
        for reason in (*self._configured_reasons(proposal.tool), *self._risks(proposal)):
            if not self._is_allowed(proposal, reason.kind):
                yield reason

    def _configured_reasons(self, tool: Tool) -> Iterator[Reason]:
        rules = self._rules
        if tool.name in rules.tools:
            what, why = f"the tool {tool.name}", f"Asks before “{tool_words(tool.name)}” {_SET}"
            yield Reason(ReasonKind.TOOL, what, "change approvals.tools", why)
        writes = rules.ask is ApprovalMode.WRITES and not tool.reads_only
        if rules.ask is ApprovalMode.ALWAYS or writes:
            scope = "change" if writes else "tool call"
            why = f"Asks before every {scope} {_SET}"
            yield Reason(ReasonKind.MODE, "this call", "change approvals.ask", why)

    def _risks(self, proposal: ProposedCall) -> Iterator[Reason]:
        effects, preview = self._turn.effects, proposal.preview
        if proposal.tool.reads_only:
            return
        checks_risks = self._rules.ask is not ApprovalMode.NEVER
        if proposal.is_undo_or_redo:
            if checks_risks and (effects.undos or proposal.undos_before):
                what = "a second undo or redo in one turn"
                # The question itself says that it is about several.
                details = what[2:].capitalize() if effects.undos else ""
                yield Reason(ReasonKind.REPEATED_UNDO, what, "change approvals.ask", details)
            limit = self._limit_together([proposal])
        elif self._decided_by is Decider.RULES:
            # The rules turn one request of the user into several calls: all run, or none.
            limit = None
        else:
            limit = self._beyond_limit(
                len(preview.changed) + preview.unnamed_changes, preview.added
            )
        if limit is not None:
            yield limit
        if checks_risks and self._decided_by is Decider.MODEL and self._turn.has_foreign_text():
            yield Reason(
                ReasonKind.FOREIGN_TEXT,
                "a change after reading notes or other untrusted text",
                "change approvals.ask",
                "The assistant has read notes or other text that may contain instructions",
            )

    def _with_limit(self, group: Sequence[ProposedCall]) -> list[ProposedCall]:
        """Add the limit to the reasons of the calls that exceed it together."""
        together = [each for each in group if self._counts_with_others(each)]
        limit = self._limit_together(together)
        if limit is None:
            return [*group]
        return [replace(each, reasons=(limit,)) if each in together else each for each in group]

    def _counts_with_others(self, proposal: ProposedCall) -> bool:
        return (
            proposal.counts
            and not proposal.reasons
            and self._decided_by is not Decider.PERSON
            and proposal.approved_for is None
            and not self._is_allowed(proposal, ReasonKind.LIMIT)
        )

    def _limit_together(self, proposals: Sequence[ProposedCall]) -> Reason | None:
        effects = self._turn.effects
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
        earlier = f", {before:,} so far" if before else ""
        for count, most, what, setting in (
            (changed, rules.most_changed, "changing", "more_than"),
            (added, rules.most_added, "adding", "more_added"),
        ):
            if most is not None and count > most:
                return Reason(
                    ReasonKind.LIMIT,
                    f"{what} more than {most} tasks in one turn",
                    f"change approvals.{setting}",
                    f"Asks before {what} more than {most} tasks at once{earlier} {_SET}",
                )
        return None

    async def _ask(self, group: Sequence[ProposedCall], question: ApprovalQuestion) -> None:
        """Ask once about all of these."""
        what = question.words.removesuffix("?")
        try:
            answer = await self._turn.decide(question)
        except NobodyToAsk:
            foreign = await self._foreign_names(group)
            for proposal in group:
                reason = (proposal.reasons or group[0].reasons)[0]
                refusal = (
                    f"Not done: {what}. {reason.what[:1].upper()}{reason.what[1:]} needs approval, "
                    f"and there is no terminal to ask on. Approve with --yes, or {reason.remedy}."
                )
                self._refuse(proposal, Unauthorized(refusal), foreign)
            return
        if answer.approves:
            self._approve(group, answer)
            return
        why = plain_text(repair_surrogates(answer.reason)).strip()
        hint = f"Reason: {why}" if why else None
        denied = Unauthorized(f"Denied: {what}. This was not done.", hint=hint)
        foreign = await self._foreign_names(group)
        for proposal in group:
            self._refuse(proposal, denied, foreign, says_why=proposal is group[0])
        self._denial = ToolResponse.refused(Unauthorized(_DENIED, hint=hint))

    async def _foreign_names(self, group: Sequence[ProposedCall]) -> tuple[str, ...]:
        """Return the names by others in the question, which becomes part of what the model reads.

        It may quote a title.
        """
        ids = sorted({each for proposal in group for each in proposal.preview.ids})
        return tuple(sorted(await asyncio.to_thread(self._turn.store.tasks.foreign_names, ids)))

    def _approve(self, group: Sequence[ProposedCall], answer: ApprovalAnswer) -> None:
        turn = self._turn
        for proposal in group:
            kinds = {each.kind for each in proposal.reasons}
            if ReasonKind.LIMIT in kinds:
                turn.effects.changed.clear()
                turn.effects.added.clear()
            if answer.for_conversation:
                allow = turn.session_approvals.allow
                allow(turn.conversation_id, proposal.tool.name, kinds)
            reasons = (*(proposal.approved_for or ()), *proposal.reasons)
            self._approved[proposal.call.id] = replace(
                proposal, reasons=reasons, approved_for=reasons
            )
        first = group[0].call.id
        self.decisions[first] = self._grant(self._approved[first])

    def _refuse(
        self,
        proposal: ProposedCall,
        error: Unauthorized,
        foreign: tuple[str, ...],
        *,
        says_why: bool = True,
    ) -> None:
        refused = replace(ToolResponse.refused(error), foreign=foreign)
        if says_why:
            # The user sees the reason of a denial in one row, so that no answer repeats it.
            refused = replace(refused, summary=plain_line(error.text))
        self.decisions[proposal.call.id] = refused
