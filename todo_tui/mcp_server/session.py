"""AgentSession: tool calls of one MCP client, within its role, with approvals and proposals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from todo_tui.agent.approval_policy import ApprovalScope, CallApproval, Grant
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion, SessionApprovals
from todo_tui.agent.proposals import propose
from todo_tui.config.settings import ApprovalSettings
from todo_tui.domain.changes import UNDO_TOOLS
from todo_tui.domain.errors import (
    NobodyToAsk,
    NotFound,
    StoreError,
    StoreReplaced,
    TodoError,
)
from todo_tui.domain.messages import Decider, ToolCall
from todo_tui.domain.task import Actor, JsonValue
from todo_tui.domain.text import plain_line, shorten
from todo_tui.mcp_server.roles import AgentRole
from todo_tui.store.store import Store
from todo_tui.tools.base import OwnBatches, Tool, ToolContext, ToolPreview, ToolResponse, TurnBatch
from todo_tui.tools.registry import TOOLS

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex

_MAX_READS = 4
"""Calls that read at the same time; the others wait, so that threads stay few."""
_MAX_NAME = 40
UNNAMED_AGENT = "mcp"
Result = TypeVar("Result")
Ask = Callable[[ApprovalQuestion, str], Awaitable[ApprovalAnswer]]
"""Asks the user through the client; the text is equal if a call affects the same tasks.

Raises NobodyToAsk where the client fails to ask.
"""


class _NoBackChannel(Exception):
    """The client cannot ask its user."""


@dataclass(slots=True)
class _AgentCall:
    """One call, and what the user was asked about it."""

    store: Store
    tool: Tool
    call: ToolCall
    ask: Ask | None
    asked_about: str = ""
    """What the call affected when the user was asked about it; empty before."""

    def preview(self) -> ToolPreview:
        """Return what the call would change. Blocks."""
        arguments = self.tool.read(self.call.arguments)
        return self.tool.preview(self.store, self.call.id, arguments, None)

    def affected(self) -> str:
        """Return the call and the tasks that it would change, as text. Blocks."""
        try:
            tasks = sorted(self.preview().changed)
        except TodoError:
            tasks = []
        return json.dumps([self.call.name, self.call.arguments, tasks])

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Ask through the client, if it can.

        Raises:
            NobodyToAsk: The client cannot, and the call changes nothing that could wait.
        """
        if self.ask is not None:
            self.asked_about = await asyncio.to_thread(self.affected)
            with suppress(NobodyToAsk):
                return await self.ask(question, self.asked_about)
        if self.tool.reads_only:
            raise NobodyToAsk
        raise _NoBackChannel


class AgentSession:
    """Runs the tool calls of one client process; writes one by one, reads a few at a time.

    Each call is approved as a turn of its own, so that limits count its tasks alone. Text of
    others that was read counts for the rest of the session. Undo and redo reach the batches
    of this session, and so need no approval.
    """

    def __init__(
        self,
        store: Store,
        role: AgentRole,
        approvals: ApprovalSettings,
        vectors: VectorIndex | None = None,
    ) -> None:
        self.store = store
        self._role = role
        self._approvals = approvals
        self._vectors = vectors
        self._id = store.new_change_context(Actor.MCP).batch
        self._session_approvals = SessionApprovals()
        self._own = OwnBatches()
        self._writer = asyncio.Lock()
        self._readers = asyncio.Semaphore(_MAX_READS)
        self._has_foreign_text = False
        self._calls = 0

    def tools(self) -> tuple[Tool, ...]:
        """Return the tools that the role may call, and the user has documents for. Blocks."""
        has_documents = self.store.knowledge.has_documents()
        offered = [tool for tool in TOOLS if has_documents or not tool.needs_documents]
        return tuple(tool for tool in offered if self._role.allows(tool))

    def note_foreign_text(self) -> None:
        """Remember that the agent has read text that others may have written."""
        self._has_foreign_text = True

    async def read(self, function: Callable[[], Result]) -> Result:
        """Run a function that reads the store in a thread."""
        async with self._readers:
            return await asyncio.to_thread(function)

    async def call(
        self, agent: str, name: str, arguments: Mapping[str, JsonValue], ask: Ask | None
    ) -> ToolResponse:
        """Run one call of a client that calls itself `agent`; `ask` is None if it cannot."""
        agent = shorten(plain_line(agent).strip(), _MAX_NAME) or UNNAMED_AGENT
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            known = ", ".join(each.name for each in await self.read(self.tools))
            return ToolResponse.refused(
                NotFound(f"There is no tool {plain_line(name)[:_MAX_NAME]!r}; there are: {known}.")
            )
        if (refusal := self._role.refusal(tool, arguments)) is not None:
            return ToolResponse.refused(refusal)
        self._calls += 1
        call = ToolCall(f"call-{self._calls}", name, json.dumps(arguments))
        agent_call = _AgentCall(self.store, tool, call, ask)
        try:
            decision = await self._approve(agent_call)
            if isinstance(decision, ToolResponse):
                return decision
            run = partial(self._run, agent_call, agent, decision)
            if tool.reads_only:
                return await self.read(run)
            async with self._writer:
                return await asyncio.to_thread(run)
        except _NoBackChannel:
            async with self._writer:
                return await asyncio.to_thread(self._propose, agent_call, agent, arguments)
        except StoreError as error:
            if isinstance(error, StoreReplaced):
                with suppress(StoreError):
                    await asyncio.to_thread(self.store.reopen)
            return ToolResponse.refused(error)

    async def _approve(self, agent_call: _AgentCall) -> Grant | ToolResponse:
        if agent_call.tool.name in UNDO_TOOLS:
            return Grant()
        # The call is a turn of its own in the conversation of the session.
        turn = ApprovalScope(
            agent_call.call.id,
            self._id,
            self.store,
            {agent_call.tool.name: agent_call.tool},
            self._approvals,
            self._session_approvals,
            agent_call.decide,
            lambda: self._has_foreign_text,
        )
        while True:
            approval = CallApproval(turn, [agent_call.call], Decider.MODEL, lambda _: True)
            async for _ in approval.decide(agent_call.call, agent_call.tool):
                pass
            decision = approval.decisions[agent_call.call.id]
            # The tasks may have changed while the user was asked.
            if isinstance(decision, ToolResponse) or agent_call.asked_about in (
                "",
                await asyncio.to_thread(agent_call.affected),
            ):
                return decision

    def _run(self, agent_call: _AgentCall, agent: str, grant: Grant) -> ToolResponse:
        batch = TurnBatch(partial(self.store.new_change_context, Actor.MCP, agent=agent))
        context = ToolContext(
            self.store, batch, vectors=self._vectors, approved=grant.tasks, agent=agent,
            own=self._own,
        )  # fmt: skip
        try:
            response = agent_call.tool.run(agent_call.call.arguments, context)
        finally:
            # Also of a call that failed halfway.
            if not agent_call.tool.reads_only and agent_call.tool.name not in UNDO_TOOLS:
                self._own.changes.append(batch.shared().batch)
        if response.foreign:
            self.note_foreign_text()
        return response

    def _propose(
        self, agent_call: _AgentCall, agent: str, arguments: Mapping[str, JsonValue]
    ) -> ToolResponse:
        try:
            number = propose(self.store, agent, agent_call.tool, arguments, agent_call.preview())
        except StoreError:
            raise
        except TodoError as error:
            return ToolResponse.refused(error)
        return ToolResponse(
            {"proposed": number, "resource": f"todo://proposal/{number}"},
            f"Proposed, id {number}",
            note="Nothing was changed: the user decides in the app or with `todo-tui proposals`. "
            "Read the resource to see what became of it.",
        )
