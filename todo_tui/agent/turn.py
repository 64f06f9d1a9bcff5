"""One turn as it runs: what was said and done so far, and its record in the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from todo_tui.agent.context import current_turn, prepare, with_own_ids
from todo_tui.agent.desk import Desk
from todo_tui.agent.handle import TurnHandle
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
from todo_tui.domain.request import Request, ToolMode, ToolSpec, Usage
from todo_tui.domain.text import whole_characters
from todo_tui.store.records import ModelCall
from todo_tui.tools.base import OpenBatch, ToolContext

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
        self.speech = Speech(turn_id, emit)
        self.patience = Patience(desk.limits.retry, desk.random)
        self.tools = {tool.name: tool for tool in desk.tools}
        self.tool_context = ToolContext(desk.store, OpenBatch(self._gesture))
        self.model_calls = 0
        self._past: tuple[Message, ...] = ()
        self._said: list[Message] = []
        self._specs: tuple[ToolSpec, ...] = ()
        self._call_ids: set[str] = set()
        self.steps: list[TraceStep] = []
        self._batches: dict[str, None] = {}
        self._usage = Usage()
        self._cost: float | None = 0.0
        self._began = time.perf_counter()
        self._unstored_messages: list[Message] = []
        self._unstored_steps: list[TraceStep] = []
        self._unstored_calls: list[ModelCall] = []
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
        desk, limits = self.desk, self.desk.limits

        def recalled() -> tuple[tuple[Message, ...], tuple[ToolSpec, ...]]:
            told = desk.store.conversations.recollect(self.conversation_id, limits.context_messages)
            past = prepare(
                told.messages, origin=desk.origin, window=limits.window, before=told.before
            )
            # The first turn of a process builds the schemas, here and not on the event loop.
            return past, tuple(tool.spec for tool in desk.tools)

        self._past, self._specs = await asyncio.to_thread(recalled)
        self._call_ids = {call.id for message in self._past for call in message.tool_calls}

    def request(self, mode: ToolMode) -> Request:
        """What the model is asked next."""
        return Request(self.desk.system, (*self._past, *self._said), self._specs, mode)

    def forget_older_turns(self) -> bool:
        """Send only the current turn from now on; False where that is all there is."""
        shorter = current_turn(self._past)
        forgot = len(shorter) < len(self._past)
        self._past = shorter
        return forgot

    async def heard(self, message: Message, usage: Usage, milliseconds: float) -> Message:
        """A model call is complete; its message with ids that are unique and valid."""
        own = with_own_ids(message, self._call_ids, self._fresh_ids())
        own = replace(own, origin=own.origin or self.desk.origin)
        self._add(own)
        cost = await self.desk.pricing(self.desk.provider, usage)
        self._usage += usage
        self._cost = None if cost is None or self._cost is None else self._cost + cost
        self._unstored_calls.append(self._call(usage, cost, milliseconds))
        self.emit(UsageReported(self.id, usage, cost))
        return own

    def failed_call(self, error: str, milliseconds: float) -> None:
        """A model call brought no complete answer."""
        call = self._call(Usage(), None, milliseconds)
        self._unstored_calls.append(replace(call, status="failed", error=error))

    def add_steps(self, steps: Sequence[TraceStep]) -> None:
        """Tools have answered, in the order asked."""
        results = tuple(
            ToolResult(
                step.call_id, step.name, step.result, is_error=step.status is not StepStatus.SUCCESS
            )
            for step in steps
        )
        self.steps += steps
        self._unstored_steps += steps
        self._unstored_messages.append(Message(Role.TOOL, results))
        # The model sees the results of one of its messages together.
        if self._said[-1].role is Role.TOOL:
            results = (*self._said.pop().tool_results, *results)
        self._said.append(Message(Role.TOOL, results))

    def write(self) -> None:
        """Write what is not in the store yet; blocks.

        Raises:
            StoreError: it could not be written.
        """
        if not (self._unstored_messages or self._unstored_calls):
            return
        self.desk.store.conversations.append_round(
            self.id,
            self._unstored_messages,
            calls=self._unstored_calls,
            steps=self._unstored_steps,
        )
        self._forget_stored()

    async def store(self) -> None:
        """As `write`, off the event loop."""
        await asyncio.to_thread(self.write)

    async def close(self, status: TurnStatus, error: TurnError | None = None) -> TurnOutcome:
        """End the turn in the store, partial words and all; what is to be told of it.

        Raises:
            StoreError: it could not be written.
        """
        self._unsubscribe()
        if self.speech.partial:
            partial = Text(whole_characters(self.speech.partial))
            self._add(Message(Role.ASSISTANT, (partial,), origin=self.desk.origin))
        outcome = self.outcome()
        await asyncio.to_thread(
            self.desk.store.conversations.close_turn,
            self.id,
            status,
            messages=self._unstored_messages,
            calls=self._unstored_calls,
            steps=self._unstored_steps,
            error=error,
            usage=outcome.usage,
            cost_usd=outcome.cost_usd,
            latency_ms=outcome.latency_ms,
            model_calls=outcome.model_calls,
        )
        self._forget_stored()
        return outcome

    def outcome(self) -> TurnOutcome:
        """The turn as it stands."""
        return TurnOutcome(
            answer=self.speech.answer,
            trace=tuple(self.steps),
            provider=self.desk.provider.id,
            model=self.desk.provider.model,
            usage=self._usage,
            cost_usd=self._cost,
            model_calls=self.model_calls,
            latency_ms=(time.perf_counter() - self._began) * 1000,
            kept_batches=tuple(self._batches),
        )

    def _add(self, message: Message) -> None:
        self._said.append(message)
        self._unstored_messages.append(message)

    def _forget_stored(self) -> None:
        self._unstored_messages = []
        self._unstored_steps = []
        self._unstored_calls = []

    def _call(self, usage: Usage, cost: float | None, milliseconds: float) -> ModelCall:
        provider = self.desk.provider
        return ModelCall(provider.id, provider.model, usage, cost, milliseconds)

    def _fresh_ids(self) -> Iterator[str]:
        while True:
            yield f"call_{self.desk.new_id()[:24]}"

    def _gesture(self) -> Gesture:
        return self.desk.store.gesture(self.desk.actor, self.id)

    def _note_writes(self, changes: tuple[TaskChange, ...]) -> None:
        for change in changes:
            if change.gesture.turn_id == self.id:
                self._batches[change.gesture.batch] = None


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
