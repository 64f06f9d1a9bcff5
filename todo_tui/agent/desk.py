"""What a turn is run with: store, model, tools, limits and what tests replace."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from todo_tui.agent.approval import ApproveNone, Approver
from todo_tui.agent.context import Window
from todo_tui.agent.listening import Silence
from todo_tui.agent.pricing import Pricing, cost_usd
from todo_tui.agent.prompt import SYSTEM_PROMPT
from todo_tui.agent.retry import RetryPolicy
from todo_tui.config.settings import ApprovalSettings
from todo_tui.domain.clock import NewId, random_id
from todo_tui.domain.request import Provider
from todo_tui.domain.task import Actor
from todo_tui.store.workspace import Store
from todo_tui.tools.base import Tool
from todo_tui.tools.registry import TOOLS


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a turn ends; times are in seconds of silence."""

    max_iterations: int = 15
    """Model calls of one turn; the last of them may call no tool."""
    context_messages: int = 50
    context_tokens: int = 24_000
    stall_seconds: float = 30.0
    """Between two chunks."""
    first_token_remote_seconds: float = 60.0
    first_token_local_seconds: float = 300.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)

    def silence(self, provider: Provider) -> Silence:
        """How long this provider may say nothing."""
        local = provider.local
        first = self.first_token_local_seconds if local else self.first_token_remote_seconds
        return Silence(first, self.stall_seconds)

    @property
    def window(self) -> Window:
        """How much of the past is sent."""
        return Window(self.context_messages, self.context_tokens)


@dataclass(frozen=True, slots=True)
class Understudy:
    """A provider that is opened when it is needed.

    `open` may import an SDK, off the event loop.

    Raises from `open`:
        TodoError: it cannot be opened.
    """

    id: str
    label: str
    open: Callable[[], Awaitable[Provider]]


@dataclass(frozen=True, slots=True)
class Desk:
    """Everything that `run_turn` works with."""

    store: Store
    provider: Provider
    tools: tuple[Tool, ...] = TOOLS
    approver: Approver = field(default_factory=ApproveNone)
    approvals: ApprovalSettings = field(default_factory=ApprovalSettings)
    fallbacks: tuple[Understudy, ...] = ()
    """Who takes over, in this order, from a provider that fails; the person has agreed to each."""
    compact: Understudy | None = None
    """Who sums up older turns where a conversation is too long; None: they are left out."""
    daily_budget_usd: float | None = None
    limits: Limits = field(default_factory=Limits)
    actor: Actor = Actor.ASSISTANT
    """Whose hand the log names for what tools write."""
    system: str = SYSTEM_PROMPT
    pricing: Pricing = cost_usd
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    random: Callable[[], float] = random.random
    new_id: NewId = random_id
