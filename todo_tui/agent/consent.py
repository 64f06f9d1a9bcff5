"""Which tool calls wait for a yes, and what a person is told before giving it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from todo_tui.agent.turn import Turn
from todo_tui.agent.wishes import Wish, question_about, read_wish
from todo_tui.config.settings import Asking
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.errors import NobodyToAsk
from todo_tui.domain.events import ApprovalAsked
from todo_tui.domain.request import Decider
from todo_tui.tools.base import Tool, ToolOutcome
from todo_tui.tools.response import ToolErrorType
from todo_tui.tools.undoing import made_words

DENIED = "Denied. No changes were made."


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


class Consent:
    """What a person says to the calls of one message.

    A call is asked about alone by its kind, its name or how much it touches, and so is
    an undo. Those that touch too much only all together, or after text that others may
    have written, are asked about together, once.
    """

    def __init__(self, turn: Turn, calls: Sequence[ToolCall], decided_by: Decider) -> None:
        self._turn = turn
        self._rules = turn.desk.approvals
        self._calls = calls
        self._decided_by = decided_by
        self._together_weighed = False
        self._answers: dict[str, Grant | ToolOutcome] = {}
        self._refused: dict[str, ToolOutcome] = {}
        """By undo batch, the answer to all undos of this message that come to it."""

    async def given(self, call: ToolCall, tool: Tool) -> Grant | ToolOutcome:
        """Return the grant for a call, or the response to it where it may not run.

        Raises:
            TurnStopped: the person stopped the turn.
        """
        if call.id in self._answers:
            return self._answers[call.id]
        turn, by_person = self._turn, self._decided_by is Decider.PERSON
        if tool.reads_only and not self._asks_about_reads(tool):
            return Grant()
        wish = await asyncio.to_thread(read_wish, call, tool, turn.desk.store, turn.id)
        if wish is None:
            # What cannot be read will not run either, nor what finds nothing to do.
            return Grant(frozenset(), by_person=by_person)
        if wish.preview and wish.preview.batch in self._refused:
            return self._refused[wish.preview.batch]
        if reason := self._reason_alone(wish):
            return await self._ask([wish], reason)
        # What a call would touch now is what is granted, and nothing that comes after.
        granted = Grant(wish.approved, by_person=by_person)
        if tool.reads_only or wish.travels or by_person:
            return granted
        weighed = [wish]
        if not self._together_weighed and call is not self._calls[-1]:
            weighed, _ = await asyncio.to_thread(self._crowd, wish)
        self._together_weighed = True
        if reason := self._reason_together(weighed):
            crowd, unfound = await asyncio.to_thread(self._crowd, wish)
            for each in unfound:
                self._answers[each.id] = Grant(frozenset())
            return await self._ask(crowd, reason)
        return granted

    def _asks_about_reads(self, tool: Tool) -> bool:
        return self._rules.ask is Asking.ALWAYS or tool.name in self._rules.tools

    def _reason_alone(self, wish: Wish) -> Reason | None:
        rules, name = self._rules, wish.tool.name
        preview = wish.preview
        if preview is not None and not preview.is_expected:
            made = made_words(self._turn.desk.store, preview)
            return Reason(f"{name}ing a change made {made}", f"run todo-tui {name}")
        if self._decided_by is Decider.PERSON:
            return None
        if name in rules.tools:
            return Reason(f"the tool {name}", "change approvals.tools")
        writes = rules.ask is Asking.WRITES and not wish.tool.reads_only
        if rules.ask is Asking.ALWAYS or writes:
            return Reason("this call", "change approvals.ask")
        if not wish.travels and self._decided_by is Decider.RULES:
            # One order of the person: all of it is done, or nothing.
            return None
        if not wish.travels:
            return self._beyond_limit(len(wish.changed) + wish.unnamed, wish.added)
        if rules.ask is not Asking.NEVER and self._turn.effects.undos:
            what = "a second undo or redo in one turn"
            return Reason(what, "change approvals.ask", what[2:].capitalize())
        return self._reason_together([wish])

    def _reason_together(self, wishes: Sequence[Wish]) -> Reason | None:
        effects = self._turn.effects
        by_model = self._decided_by is Decider.MODEL
        if by_model and effects.read_foreign_text and self._rules.ask is not Asking.NEVER:
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

    def _crowd(self, first: Wish) -> tuple[list[Wish], list[ToolCall]]:
        """Return the writes from this one on that nobody is asked about alone; blocks.

        Besides, the calls that find nothing to do: what the others make is not theirs.
        """
        turn, crowd, unfound = self._turn, [first], []
        for call in self._calls[self._calls.index(first.call) + 1 :]:
            tool = turn.tools.get(call.name)
            if tool is None or turn.repeats.look_up(call, tool):
                continue
            wish = read_wish(call, tool, turn.desk.store, turn.id)
            if wish is None:
                unfound.append(call)
            elif not (tool.reads_only or wish.travels or self._reason_alone(wish)):
                crowd.append(wish)
        return crowd, unfound

    async def _ask(self, wishes: Sequence[Wish], reason: Reason) -> Grant | ToolOutcome:
        """Ask once about all of these; the answer to the first of them."""
        turn, store = self._turn, self._turn.desk.store
        question = await asyncio.to_thread(question_about, wishes, store, reason.details)
        turn.emit(ApprovalAsked(turn.id, question.call_id, question.words, question.details))
        refusal = DENIED
        with turn.handle.interruptible():
            try:
                agreed = await turn.desk.approver.decide(question)
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
                self._answers[wish.call.id] = Grant(wish.approved, batch, by_person=True)
                continue
            refused = ToolOutcome.refused(ToolErrorType.UNAUTHORIZED, refusal)
            self._answers[wish.call.id] = refused
            if batch is not None:
                self._refused[batch] = refused
        return self._answers[wishes[0].call.id]
