"""Turns over a real store, with a scripted provider."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.scripted import Round, ScriptedProvider, in_order
from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.loop import run_turn
from todo_tui.agent.run_config import RunConfig
from todo_tui.agent.turn import Selection
from todo_tui.domain.events import (
    TurnCancelled,
    TurnEnd,
    TurnEvent,
    TurnFailed,
    TurnFinished,
)
from todo_tui.domain.messages import Request, TextDelta
from todo_tui.store.store import Store


@dataclass
class ScriptedApprover:
    """Gives these answers, then approves everything."""

    answers: list[bool | ApprovalAnswer] = field(default_factory=list)
    asked: list[ApprovalQuestion] = field(default_factory=list)

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        self.asked.append(question)
        answer = self.answers.pop(0) if self.answers else True
        return answer if isinstance(answer, ApprovalAnswer) else ApprovalAnswer(answer)


@dataclass
class RecordedSleeps:
    """Sleep function that returns at once and records the seconds."""

    taken: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


@dataclass
class Harness:
    """One conversation with a scripted model."""

    store: Store
    provider: ScriptedProvider = field(default_factory=lambda: ScriptedProvider(in_order()))
    sleeps: RecordedSleeps = field(default_factory=RecordedSleeps)
    conversation_id: str | None = None
    changes: dict[str, object] = field(default_factory=dict)
    selection: Selection = ()

    @property
    def config(self) -> RunConfig:
        config = RunConfig(self.store, self.provider, sleep=self.sleeps, random=lambda: 0.5)
        return replace(config, **self.changes)  # type: ignore[arg-type]  # fields of RunConfig by name

    @property
    def requests(self) -> list[Request]:
        return self.provider.requests

    def script(self, *rounds: Round, **options: object) -> None:
        """Set the next rounds of the model."""
        self.provider = ScriptedProvider(in_order(*rounds), **options)  # type: ignore[arg-type]  # its options by name

    def say(self, text: str, handle: TurnHandle | None = None) -> AsyncIterator[TurnEvent]:
        return run_turn(
            text,
            self.config,
            conversation_id=self.conversation_id,
            selection=self.selection,
            handle=handle,
        )

    async def events(
        self, text: str = "do all of that", handle: TurnHandle | None = None
    ) -> list[TurnEvent]:
        """Run one turn and return its events; checks that it ends once."""
        events = [event async for event in self.say(text, handle)]
        ends = [event for event in events if isinstance(event, TurnEnd)]
        assert ends == events[-1:]
        self.conversation_id = ends[0].conversation_id or self.conversation_id
        return events

    async def finished(self, text: str = "do all of that") -> TurnFinished:
        end = (await self.events(text))[-1]
        assert isinstance(end, TurnFinished), end
        return end

    async def failed(self, text: str = "do all of that") -> TurnFailed:
        end = (await self.events(text))[-1]
        assert isinstance(end, TurnFailed), end
        return end

    async def cancelled(self, text: str, handle: TurnHandle) -> TurnCancelled:
        end = (await self.events(text, handle))[-1]
        assert isinstance(end, TurnCancelled), end
        return end

    def titles(self) -> list[str]:
        return [task.title for task in self.store.tasks.list().tasks]


def answer_text(events: list[TurnEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def kinds(events: list[TurnEvent]) -> list[str]:
    """Return the names of the events, consecutive deltas once."""
    names: list[str] = []
    for event in events:
        name = type(event).__name__
        if not (names and names[-1] == name == "TextDelta"):
            names.append(name)
    return names


@pytest.fixture
def harness(open_as: Callable[[str], Store]) -> Harness:
    return Harness(open_as("ann"))
