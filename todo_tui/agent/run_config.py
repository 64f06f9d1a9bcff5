"""RunConfig: store, provider, tools, limits and injected functions of a turn."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from todo_tui.agent.approver import ApproveNone, Approver, SessionApprovals
from todo_tui.agent.pricing import Pricing, cost_usd
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.system_prompt import READ_ONLY_RULE, SYSTEM_PROMPT
from todo_tui.agent.telemetry import Telemetry
from todo_tui.config.settings import ApprovalSettings, LimitSettings
from todo_tui.domain.messages import Provider
from todo_tui.domain.task import Actor
from todo_tui.domain.when import NewId, random_id
from todo_tui.store.conversations.records import ModelCall
from todo_tui.store.store import Store
from todo_tui.tools.base import Tool
from todo_tui.tools.registry import TOOLS

if TYPE_CHECKING:
    from todo_tui.knowledge.vectors import VectorIndex


_DEFAULTS = LimitSettings()


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """Bounds of the history in a request; the current turn is never cut."""

    messages: int = _DEFAULTS.context_messages
    tokens: int = _DEFAULTS.context_tokens


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a turn; times are seconds without a stream event."""

    max_iterations: int = _DEFAULTS.max_iterations
    """Model calls in one turn; the last one is made without tools."""
    window: ContextWindow = field(default_factory=ContextWindow)
    stall_seconds: float = _DEFAULTS.timeout
    """Between two chunks."""
    first_token_remote_seconds: float = 60.0
    first_token_local_seconds: float = 300.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)

    def first_token_seconds(self, provider: Provider) -> float:
        """Return the seconds that this provider may take for its first stream event."""
        if provider.local:
            return self.first_token_local_seconds
        return self.first_token_remote_seconds


@dataclass(frozen=True, slots=True)
class Fallback:
    """A provider that is opened on first use.

    `open` may import an SDK, off the event loop.

    Raises from `open`:
        TodoError: The provider cannot be opened.
    """

    id: str
    label: str
    open: Callable[[], Awaitable[Provider]]


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Collaborators and settings of `run_turn`."""

    store: Store
    provider: Provider
    tools: tuple[Tool, ...] = TOOLS
    withheld: tuple[Tool, ...] = ()
    """Tools that the model may call, but that are not run in this turn."""
    approver: Approver = field(default_factory=ApproveNone)
    approvals: ApprovalSettings = field(default_factory=ApprovalSettings)
    session_approvals: SessionApprovals = field(default_factory=SessionApprovals)
    fallbacks: tuple[Fallback, ...] = ()
    """Tried in this order when a provider fails; the user has consented to each."""
    summarizer: Fallback | None = None
    """Summarises older turns when a conversation is too long; None leaves them out."""
    daily_budget_usd: float | None = None
    limits: Limits = field(default_factory=Limits)
    actor: Actor = Actor.ASSISTANT
    """Recorded in the operation log for writes of the tools."""
    system: str = SYSTEM_PROMPT
    note_call: Callable[[str, ModelCall], None] | None = None
    """Called with the id of the turn after each model call, which then carries its exchanges."""
    telemetry: Telemetry | None = None
    vectors: VectorIndex | None = None
    """Search of documents by meaning; None without an embedding model."""
    pricing: Pricing = cost_usd
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random
    new_id: NewId = random_id


def read_only(config: RunConfig) -> RunConfig:
    """Return the configuration for an answer that changes no tasks and asks for no approval."""
    tools = tuple(tool for tool in config.tools if tool.reads_only)
    withheld = tuple(tool for tool in config.tools if not tool.reads_only)
    system = config.system + READ_ONLY_RULE
    return replace(config, tools=tools, withheld=withheld, system=system, approver=ApproveNone())
