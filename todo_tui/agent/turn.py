"""One turn as it runs: who answers, what was said and done so far, and its record in the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from todo_tui.agent.cast import Cast, origin_of
from todo_tui.agent.context import with_own_ids
from todo_tui.agent.desk import Desk
from todo_tui.agent.dialogue import Dialogue
from todo_tui.agent.effects import TurnEffects
from todo_tui.agent.handle import TurnHandle
from todo_tui.agent.ledger import Ledger
from todo_tui.agent.repeats import RepeatedCalls
from todo_tui.agent.retry import Patience
from todo_tui.agent.speech import Speech
from todo_tui.domain.changes import Gesture, TaskChange
from todo_tui.domain.conversation import (
    Message,
    Role,
    Text,
    ToolResult,
    TurnContext,
    TurnStatus,
)
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.events import (
    StepStatus,
    TraceStep,
    TurnError,
    TurnEvent,
    TurnOutcome,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.request import Request, ToolMode, ToolSpec
from todo_tui.domain.text import whole_characters
from todo_tui.domain.usage import Usage
from todo_tui.store.records import Recollection
from todo_tui.tools.base import OpenBatch, Tool, ToolContext, ToolOutcome
from todo_tui.tools.undoing import UNDOING

Emit = Callable[[TurnEvent], None]
Selection = Sequence[tuple[int, str]]
"""(id, title) of the tasks that are marked in the list."""


class Turn:
    """The state of one turn; `emit` takes its events, `handle` stops it.

    Messages and steps are kept here until `store` writes them, all in one transaction.
    """

    def __init__(
        self, desk: Desk, turn_id: str, conversation_id: str, emit: Emit, handle: TurnHandle
    ) -> None:
        self.desk = desk
        self.id = turn_id
        self.conversation_id = conversation_id
        self.emit = emit
        self.handle = handle
        self.cast = Cast(desk.provider, desk.fallbacks)
        self.ledger = Ledger(desk.store.conversations, turn_id)
        self.speech = Speech(turn_id, emit)
        self.patience = Patience(desk.limits.retry, desk.random)
        self.tools = {tool.name: tool for tool in desk.tools}
        self.tool_context = ToolContext(desk.store, OpenBatch(self._gesture))
        self.effects = TurnEffects()
        self.repeats = RepeatedCalls(desk.store.tasks.log_position)
        self.model_calls = 0
        self.steps: list[TraceStep] = []
        self.worked = False
        """Whether a tool was called."""
        self.dialogue = self._dialogue(Recollection(()))
        self._specs: tuple[ToolSpec, ...] = ()
        self._call_ids: set[str] = set()
        self._batches: dict[str, None] = {}
        self._changes: list[TaskChange] = []
        """Of the call that runs, or ran last."""
        self._unreported: list[tuple[Usage, float | None]] = []
        self._began = time.perf_counter()
        self._unsubscribe = desk.store.tasks.subscribe(self._note_writes)

    @classmethod
    async def open(
        cls,
        text: str,
        desk: Desk,
        conversation_id: str | None,
        selection: Selection,
        emit: Emit,
        handle: TurnHandle,
    ) -> Turn:
        """Store what was said, before anything else, and begin the turn.

        Raises:
            TodoError: it is empty or could not be stored, or there is no such conversation.
        """
        if not text.strip():
            raise ValidationError("There is nothing to send.", hint="Say what to do.")
        provider = desk.provider

        def stored() -> tuple[str, str]:
            conversations = desk.store.conversations
            spoken = Text(whole_characters(text))
            message = Message(Role.USER, (spoken,), context=_context(desk, selection))
            place = conversation_id or conversations.start().id
            turn = conversations.open_turn(
                place, message, provider=provider.id, model=provider.model
            )
            return turn.id, place

        turn_id, place = await asyncio.to_thread(stored)
        emit(TurnStarted(turn_id, place, provider.id, provider.model))
        return cls(desk, turn_id, place, emit, handle)

    async def recall(self) -> None:
        """Read what was said before; it stays the same for all model calls of this turn."""

        def recalled() -> tuple[Dialogue, tuple[ToolSpec, ...]]:
            told = self.desk.store.conversations.recollect(
                self.conversation_id, self.desk.limits.context_messages
            )
            # The first turn of a process builds the schemas, here and not on the event loop.
            return self._dialogue(told), tuple(tool.spec for tool in self.desk.tools)

        self.dialogue, self._specs = await asyncio.to_thread(recalled)
        self._call_ids = {
            call.id for message in self.dialogue.messages for call in message.tool_calls
        }

    def request(self, mode: ToolMode) -> Request:
        """What the model is asked next."""
        return Request(self.desk.system, self.dialogue.messages, self._specs, mode)

    def heard(self, message: Message) -> Message:
        """A message is complete; the same with ids that are unique and valid."""
        own = with_own_ids(message, self._call_ids, self._fresh_ids())
        own = replace(own, origin=own.origin or origin_of(self.cast.provider))
        self.dialogue.add(own)
        self.ledger.add_message(own)
        self.ledger.confirm_summary()
        return own

    def spent(self, usage: Usage, cost_usd: float | None) -> None:
        """A model call is complete; `report_usage` tells what it cost."""
        self._unreported.append((usage, cost_usd))

    def report_usage(self) -> None:
        """Tell what was spent since this was told last."""
        told, self._unreported = self._unreported, []
        costs = [cost for _, cost in told if cost is not None]
        usage = sum((usage for usage, _ in told), Usage())
        self.emit(UsageReported(self.id, usage, sum(costs) if len(costs) == len(told) else None))

    def add_results(self, ran: Sequence[tuple[TraceStep, ToolOutcome]]) -> None:
        """Tools have answered, in the order asked."""
        foreign = {step.call_id: outcome.foreign for step, outcome in ran}
        if any(foreign.values()):
            self.effects.read_foreign_text = True
        self.add_steps([step for step, _ in ran], foreign)

    def add_steps(
        self, steps: Sequence[TraceStep], foreign: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """Calls have results; `foreign` names, by call, fields that others may have written."""
        results = tuple(
            ToolResult(
                step.call_id,
                step.name,
                step.result,
                is_error=step.status is not StepStatus.SUCCESS,
                foreign=(foreign or {}).get(step.call_id, ()),
            )
            for step in steps
        )
        self.worked = True
        self.note(steps)
        self.ledger.add_message(Message(Role.TOOL, results))
        self.dialogue.answer(results)

    def count(self, tool: Tool, outcome: ToolOutcome, *, by_person: bool) -> None:
        """Count what a call that has run did towards the limits, unless a person approved it."""
        changes, self._changes = self._changes, []
        if not by_person:
            self.effects.count(changes)
        if tool.name in UNDOING and not outcome.failed:
            self.effects.undos += 1

    def note(self, steps: Sequence[TraceStep]) -> None:
        """Put steps into the trace, of which the model is not told."""
        self.steps += steps
        self.ledger.add_steps(steps)

    async def store(self) -> None:
        """Write what is not in the store yet, off the event loop."""
        await asyncio.to_thread(self.ledger.write)

    async def close(self, status: TurnStatus, error: TurnError | None = None) -> TurnOutcome:
        """End the turn in the store, partial words and all; what is to be told of it.

        Raises:
            StoreError: it could not be written.
        """
        self._unsubscribe()
        if partial := self.speech.partial:
            origin = origin_of(self.speech.speaker or self.cast.provider)
            words = Text(whole_characters(partial))
            self.ledger.add_message(Message(Role.ASSISTANT, (words,), origin=origin))
        outcome = self.outcome()
        try:
            await asyncio.to_thread(self.ledger.close, status, error, outcome)
        finally:
            await self.cast.close()
        return outcome

    def outcome(self) -> TurnOutcome:
        """The turn as it stands."""
        return TurnOutcome(
            answer=self.speech.answer,
            trace=tuple(self.steps),
            provider=self.cast.provider.id,
            model=self.cast.provider.model,
            usage=self.ledger.usage,
            cost_usd=self.ledger.cost_usd,
            model_calls=self.model_calls,
            latency_ms=(time.perf_counter() - self._began) * 1000,
            kept_batches=tuple(self._batches),
        )

    def fresh_id(self) -> str:
        """An id for a call, or for a step that no model asked for."""
        return f"call_{self.desk.new_id()[:24]}"

    def _dialogue(self, told: Recollection) -> Dialogue:
        window = self.desk.limits.window
        return Dialogue(told, window=window, origin=origin_of(self.cast.provider))

    def _fresh_ids(self) -> Iterator[str]:
        while True:
            yield self.fresh_id()

    def _gesture(self) -> Gesture:
        return self.desk.store.gesture(self.desk.actor, self.id)

    def _note_writes(self, changes: tuple[TaskChange, ...]) -> None:
        own = [change for change in changes if change.gesture.turn_id == self.id]
        self._changes += own
        self._batches |= dict.fromkeys(change.gesture.batch for change in own)


def _context(desk: Desk, selection: Selection) -> TurnContext:
    store = desk.store
    counts = store.tasks.counts()
    return TurnContext(
        now=store.clock.now().replace(second=0, microsecond=0),
        zone=store.clock.zone,
        open_tasks=counts.open,
        overdue_tasks=counts.overdue,
        due_today=counts.today,
        selection=tuple(selection),
        date_style=store.style,
    )
