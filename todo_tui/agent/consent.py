"""Which tool calls wait for a yes, and what a person is told before giving it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from todo_tui.agent.turn import Turn
from todo_tui.agent.wishes import Wish, question_about, read_wish
from todo_tui.config.settings import Asking
from todo_tui.domain.conversation import ToolCall
from todo_tui.domain.events import ApprovalAsked
from todo_tui.tools.base import Tool


class Consent:
    """What a person says to the calls of one message.

    A call is asked about alone by its kind, its name or how much it touches. Those that
    touch too much only all together are asked about together, once.
    """

    def __init__(self, turn: Turn, calls: Sequence[ToolCall]) -> None:
        self._turn = turn
        self._rules = turn.desk.approvals
        self._calls = calls
        self._together: bool | None = None
        self._agreed: dict[str, frozenset[int]] = {}

    def agreed(self, call: ToolCall) -> frozenset[int] | None:
        """The tasks that were weighed, of a call whose filter finds them; None: any."""
        return self._agreed.get(call.id)

    async def given(self, call: ToolCall, tool: Tool) -> bool:
        """Whether it may run; a person may be asked.

        Raises:
            TurnStopped: the person stopped the turn.
        """
        rules = self._rules
        if rules.ask is Asking.NEVER and not rules.tools and rules.more_than is None:
            return True
        wish = await asyncio.to_thread(read_wish, call, tool, self._turn.desk.store)
        if wish is None:
            # What cannot be read will not run either, nor what finds nothing to do.
            self._agreed.setdefault(call.id, frozenset())
            return True
        if wish.approved is not None:
            # What it would touch now is what is weighed here, and nothing that comes after.
            self._agreed.setdefault(call.id, wish.approved)
        if self._is_asked_alone(wish):
            return await self._ask([wish])
        if tool.reads_only or rules.more_than is None:
            return True
        if self._together is None:
            crowd = await asyncio.to_thread(self._crowd)
            too_many = sum(each.touched for each in crowd) > rules.more_than
            self._together = await self._ask(crowd) if too_many else True
        return self._together

    def _is_asked_alone(self, wish: Wish) -> bool:
        rules = self._rules
        if rules.ask is Asking.ALWAYS or wish.call.name in rules.tools:
            return True
        if rules.ask is Asking.WRITES and not wish.tool.reads_only:
            return True
        return rules.more_than is not None and wish.touched > rules.more_than

    def _crowd(self) -> list[Wish]:
        """The calls of the message that nobody is asked about alone."""
        tools, store = self._turn.tools, self._turn.desk.store
        crowd = []
        for call in self._calls:
            wish = read_wish(call, tools[call.name], store) if call.name in tools else None
            if wish is None:
                self._agreed.setdefault(call.id, frozenset())
            elif wish.touched and not self._is_asked_alone(wish):
                crowd.append(wish)
        return crowd

    async def _ask(self, wishes: Sequence[Wish]) -> bool:
        turn = self._turn
        question = await asyncio.to_thread(question_about, wishes, turn.desk.store)
        turn.emit(ApprovalAsked(turn.id, question.call_id, question.words, question.details))
        with turn.handle.interruptible():
            agreed = await turn.desk.approver.decide(question)
        for wish in wishes if agreed else ():
            if wish.approved is not None:
                self._agreed[wish.call.id] = wish.approved
        return agreed
