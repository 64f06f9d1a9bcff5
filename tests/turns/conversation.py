"""Conversation with a real provider, with checks after each turn."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from pathlib import Path

from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits, RunConfig
from todo_tui.domain.events import (
    StepStatus,
    TurnEnd,
    TurnEvent,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from todo_tui.domain.messages import Provider, Role, Usage
from todo_tui.domain.when import Clock
from todo_tui.store.store import Store, open_store

_USERS = count()
NOW = datetime(2026, 11, 18, 14, 30)
"""Wednesday."""
QUICK = Limits(
    stall_seconds=10.0,
    first_token_remote_seconds=10.0,
    first_token_local_seconds=10.0,
    retry=RetryPolicy(first_wait=0.06),
)


@dataclass
class ShortSleep:
    """Sleep that takes a part of its time and records its length."""

    pace: float = 1.0
    before: Callable[[], object] = list
    """Called before each sleep."""
    taken: list[float] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, seconds: float) -> None:
        self.before()
        self.taken.append(seconds)
        self.begun.set()
        await asyncio.sleep(seconds * self.pace)


@dataclass
class ConversationDriver:
    """Runs the turns of one conversation; checks after each what must always hold."""

    store: Store
    provider: Provider
    limits: Limits = QUICK
    naps: ShortSleep = field(default_factory=ShortSleep)
    conversation_id: str | None = None
    events: list[TurnEvent] = field(default_factory=list)
    """Events of the last turn."""

    @property
    def config(self) -> RunConfig:
        return RunConfig(
            self.store,
            self.provider,
            limits=self.limits,
            sleep=self.naps,
            random=lambda: 0.5,
            pricing=free,
        )

    async def say(self, text: str, handle: TurnHandle | None = None) -> TurnEnd:
        """Run a turn; return its last event."""
        self.events = []
        turn = run_turn(text, self.config, conversation_id=self.conversation_id, handle=handle)
        async for event in turn:
            self.events.append(event)
        end = self.events[-1]
        assert isinstance(end, TurnEnd)
        self.conversation_id = end.conversation_id
        self._check(end, text)
        return end

    async def finished(self, text: str) -> TurnFinished:
        end = await self.say(text)
        assert isinstance(end, TurnFinished), end
        return end

    async def failed(self, text: str) -> TurnFailed:
        end = await self.say(text)
        assert isinstance(end, TurnFailed), end
        return end

    def counted(self, kind: type[object]) -> int:
        """Count the events of a type in the last turn."""
        return sum(isinstance(event, kind) for event in self.events)

    def titles(self) -> list[str]:
        return [task.title for task in self.store.tasks.list().tasks]

    def created_in(self, turn_id: str) -> int:
        """Count the tasks that a turn created, by the operation log."""
        with closing(sqlite3.connect(self.store.path)) as database:
            query = "SELECT count(*) FROM ops WHERE turn_id = ? AND kind = 'create'"
            (count,) = database.execute(query, (turn_id,)).fetchone()
        return int(count)

    def _check(self, end: TurnEnd, text: str) -> None:
        assert self.counted(TurnStarted) == 1
        assert sum(isinstance(event, TurnEnd) for event in self.events) == 1
        stored = self.store.turns.list(end.conversation_id)[-1]
        outcome = end.outcome
        assert stored.id == end.turn_id
        assert stored.status.value == type(end).__name__.removeprefix("Turn").lower()
        assert (stored.user_text, stored.answer) == (text, outcome.answer)
        assert stored.steps == outcome.trace
        assert stored.model_calls == outcome.model_calls
        assert len({step.call_id for step in stored.steps}) == len(stored.steps)
        if isinstance(end, TurnFailed):
            assert stored.error == end.error
        added = [step for step in outcome.trace if step.name == "add_task"]
        done = [step for step in added if step.status is StepStatus.SUCCESS]
        assert self.created_in(end.turn_id) == len(done)
        self._check_history(end.conversation_id)

    def _check_history(self, conversation_id: str) -> None:
        history = self.store.turns.model_history(conversation_id, 8).messages
        assert history[0].role is Role.USER
        asked = [call.id for message in history for call in message.tool_calls]
        answered = [result.call_id for message in history for result in message.tool_results]
        assert asked == answered


def new_store(database: Path) -> Store:
    """Open the store of a new user."""
    return open_store(database, user=f"user {next(_USERS)}", clock=Clock("Europe/Berlin", NOW))


@asynccontextmanager
async def open_conversation(
    provider: Provider, database: Path
) -> AsyncIterator[ConversationDriver]:
    """Open a conversation of a new user; close the provider at the end."""
    with new_store(database) as store:
        try:
            yield ConversationDriver(store, provider)
        finally:
            await provider.aclose()


def with_stall_seconds(limits: Limits, seconds: float) -> Limits:
    """Return the limits with that silence allowed."""
    return replace(
        limits,
        stall_seconds=seconds,
        first_token_remote_seconds=seconds,
        first_token_local_seconds=seconds,
    )


async def free(provider: Provider, usage: Usage) -> float | None:
    """Return no cost, without loading a price list."""
    return 0.0
