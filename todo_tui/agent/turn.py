"""State of one turn.

Provider chain, messages, streamed answer, usage, its record in the store, cancellation.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from todo_tui.agent.config import RunConfig
from todo_tui.agent.failover import ProviderChain, origin_of
from todo_tui.agent.history import MessageHistory, with_unique_call_ids
from todo_tui.agent.repeated_calls import RepeatedCalls
from todo_tui.agent.retry import RetryBudget
from todo_tui.domain import messages as request
from todo_tui.domain.changes import ChangeContext, ChangeKind, TaskChange
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.events import (
    CallRestarted,
    StepStatus,
    TextDelta,
    ThinkingDelta,
    TraceStep,
    TurnError,
    TurnEvent,
    TurnOutcome,
    TurnStarted,
    UsageReported,
)
from todo_tui.domain.messages import (
    Message,
    Provider,
    Request,
    Role,
    Text,
    ToolMode,
    ToolResult,
    ToolSpec,
    TurnContext,
    TurnStatus,
    Usage,
)
from todo_tui.domain.text import repair_surrogates
from todo_tui.store.conversations.records import ModelCall, ModelHistory, Summary
from todo_tui.store.conversations.repository import ConversationStore
from todo_tui.tools.base import Tool, ToolContext, ToolOutcome, TurnBatch
from todo_tui.tools.undo_redo import UNDOING

_PARAGRAPH_BREAK = "\n\n"
Emit = Callable[[TurnEvent], None]
Selection = Sequence[tuple[int, str]]
"""(id, title) of the tasks that are marked in the list."""


class TurnEffects:
    """Counts the tasks of one turn; a yes to what would be too many starts the count anew."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Ids of tasks that were changed or deleted, those included that went along."""
        self.added: set[int] = set()
        """Ids of tasks that were added; that the turn changes these too is not counted."""
        self.undos = 0
        """Undos and redos together."""
        self.read_foreign_text = False
        """Whether a response carried text that somebody else may have written."""

    def count(self, changes: Sequence[TaskChange]) -> None:
        """Count what one call wrote."""
        for each in changes:
            ids = self.added if each.kind is ChangeKind.ADDED else self.changed
            ids.add(each.task.id)

    def forget_counts(self) -> None:
        """Begin again at none: a person has approved what there was and what comes next."""
        self.changed.clear()
        self.added.clear()


class TurnStopped(Exception):  # a fact, not an error
    """The person has stopped the turn."""


class TurnHandle:
    """Stops one turn; give it to `run_turn` and keep it for the Esc key.

    The turn is interrupted only while it waits for a model, for the time of a retry
    or for a person. A tool that runs is let finish, so that what it wrote is recorded.
    """

    def __init__(self) -> None:
        self._stopped = False
        self._interrupted = False
        self._waiting: asyncio.Task[object] | None = None

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def interrupted(self) -> bool:
        """Whether the program was ended from outside, rather than the turn by the person."""
        return self._interrupted

    def stop(self, *, interrupted: bool = False) -> None:
        """End the turn as cancelled; its last event still arrives. From the loop's thread.

        With `interrupted` the store gets it as interrupted: the program is being ended.
        """
        self._interrupted = self._interrupted or (interrupted and not self._stopped)
        self._stopped = True
        waiting, self._waiting = self._waiting, None
        # Who is asked may stop the turn itself: its own answer then ends the wait.
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

    def raise_if_stopped(self) -> None:
        """Go on, unless stopped.

        Raises:
            TurnStopped: it was.
        """
        if self._stopped:
            raise TurnStopped

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """What waits inside ends with TurnStopped as soon as `stop` is called.

        So it does where what waits inside takes the interruption for something else:
        for an error of its own, or for an end.
        """
        self.raise_if_stopped()
        task = asyncio.current_task()
        self._waiting = task
        try:
            yield
        except (asyncio.CancelledError, Exception):
            if not self._stopped or (task is not None and _still_cancelled(task)):
                raise
            raise TurnStopped from None
        else:
            if self._stopped:
                if task is not None:
                    _still_cancelled(task)
                raise TurnStopped
        finally:
            self._waiting = None


def _still_cancelled(task: asyncio.Task[object]) -> bool:
    """Take our own cancellation back; whether somebody else's is left."""
    return bool(task.cancelling()) and task.uncancel() > 0


class TurnWriter:
    """Collects messages, steps and calls until they are stored, all in one transaction."""

    def __init__(self, conversations: ConversationStore, turn_id: str) -> None:
        self._conversations = conversations
        self._turn_id = turn_id
        self._messages: list[Message] = []
        self._steps: list[TraceStep] = []
        self._calls: list[ModelCall] = []
        self._summary: Summary | None = None
        self._summary_holds = False
        self.usage = Usage()
        self.cost_usd: float | None = 0.0
        """None where the price of a call is not known."""

    @property
    def unstored_usd(self) -> float:
        """What the calls have cost that the store does not know of."""
        return sum(call.cost_usd or 0.0 for call in self._calls)

    def add_message(self, message: Message) -> None:
        """Something was said."""
        self._messages.append(message)

    def add_steps(self, steps: Sequence[TraceStep]) -> None:
        """Something was done."""
        self._steps += steps

    def add_call(self, call: ModelCall) -> None:
        """A model was called, well or not."""
        self._calls.append(call)
        self.usage += call.usage
        if call.cost_usd is not None:
            self.cost_usd = None if self.cost_usd is None else self.cost_usd + call.cost_usd
        elif call.status == "finished" or call.usage != Usage():
            self.cost_usd = None

    def propose_summary(self, summary: Summary, *, certain: bool) -> None:
        """Older turns were summed up; if not `certain`, it waits until that proved right."""
        self._summary = summary
        self._summary_holds = certain

    def confirm_summary(self) -> None:
        """With the summary in place of older turns the model has answered."""
        self._summary_holds = True

    def write(self) -> None:
        """Write what is not in the store yet; blocks.

        Raises:
            StoreError: it could not be written.
        """
        if not (self._messages or self._calls or self._steps):
            return
        self._conversations.append_round(
            self._turn_id,
            self._messages,
            calls=self._calls,
            steps=self._steps,
            summary=self._summary if self._summary_holds else None,
        )
        self._forget()

    def close(self, status: TurnStatus, error: TurnError | None, outcome: TurnOutcome) -> None:
        """Write the rest, and how the turn ended; blocks.

        Raises:
            StoreError: it could not be written.
        """
        self._conversations.close_turn(
            self._turn_id,
            status,
            messages=self._messages,
            calls=self._calls,
            steps=self._steps,
            summary=self._summary if self._summary_holds else None,
            error=error,
            answered_by=(outcome.provider, outcome.model),
            usage=outcome.usage,
            cost_usd=outcome.cost_usd,
            latency_ms=outcome.latency_ms,
            model_calls=outcome.model_calls,
        )
        self._forget()

    def _forget(self) -> None:
        self._messages = []
        self._steps = []
        self._calls = []
        self._summary = None


class AnswerBuffer:
    """What the model says, reported as it comes.

    The TextDeltas of a turn, but for those before a CallRestarted of the same model
    call, are together its answer: a message of a later call begins a new paragraph.
    A message that its server paused in goes on in the next call, as if in the same.
    """

    def __init__(self, turn_id: str, emit: Callable[[TurnEvent], None]) -> None:
        self._turn_id = turn_id
        self._emit = emit
        self._settled = ""
        self._held = ""
        self._pieces: list[str] = []
        self._shown = False
        self._stale = False
        self._asked: Provider | None = None
        self.answering_provider: Provider | None = None
        """Whose words the partial ones are."""

    @property
    def partial(self) -> str:
        """The words of a message that is not complete."""
        return self._held + "".join(self._pieces)

    @property
    def answer(self) -> str:
        """All words so far."""
        partial = self.partial
        between = _PARAGRAPH_BREAK if self._settled and partial else ""
        return self._settled + between + partial

    def start_call(self, provider: Provider) -> None:
        """It is asked, perhaps again: what was said before counts until it speaks."""
        self._asked = provider
        self._stale = self._shown

    def add_delta(
        self, event: request.TextDelta | request.ThinkingDelta | request.ToolCallStarted
    ) -> None:
        """More of the present call."""
        match event:
            case request.TextDelta():
                self._say(event.text)
            case request.ThinkingDelta():
                self._think(event.text)
            case request.ToolCallStarted():
                self._begin()
            case _:
                assert_never(event)

    def complete_message(self, words: str) -> None:
        """The message is complete, and these are all its words."""
        self._complete(words)
        self._settled = self.answer
        self._held = ""
        self._pieces = []

    def pause_message(self, words: str) -> None:
        """The message so far has these words, and goes on in the next call."""
        self._complete(words)
        self._held = words
        self._pieces = []

    def restart_message(self) -> None:
        """Somebody else answers next and begins the message anew."""
        self._shown = self._shown or bool(self._held)
        self._pieces.insert(0, self._held)
        self._held = ""

    def _say(self, words: str) -> None:
        if not words:
            return
        self._begin()
        first = not (self._held or any(self._pieces))
        between = _PARAGRAPH_BREAK if first and self._settled else ""
        self._pieces.append(words)
        self._shown = True
        self._emit(TextDelta(self._turn_id, between + words))

    def _think(self, words: str) -> None:
        self._begin()
        if words:
            self._shown = True
            self._emit(ThinkingDelta(self._turn_id, words))

    def _complete(self, words: str) -> None:
        self._begin()
        said = self.partial
        if not words.startswith(said):
            self._held = said = ""
            self._restart()
        self._say(words[len(said) :])
        self._shown = False

    def _begin(self) -> None:
        """Who was asked last speaks now."""
        if self._stale:
            self._restart()
        self.answering_provider = self._asked

    def _restart(self) -> None:
        self._pieces = []
        self._shown = self._stale = False
        self._emit(CallRestarted(self._turn_id))
        if self._held:
            # What the paused part of the message said was taken from the screen too.
            between = _PARAGRAPH_BREAK if self._settled else ""
            self._emit(TextDelta(self._turn_id, between + self._held))


class Turn:
    """The state of one turn; `emit` takes its events, `handle` stops it.

    Messages and steps are kept here until `store` writes them, all in one transaction.
    """

    def __init__(
        self, desk: RunConfig, turn_id: str, conversation_id: str, emit: Emit, handle: TurnHandle
    ) -> None:
        self.config = desk
        self.id = turn_id
        self.conversation_id = conversation_id
        self.emit = emit
        self.handle = handle
        self.provider_chain = ProviderChain(desk.provider, desk.fallbacks)
        self.writer = TurnWriter(desk.store.conversations, turn_id)
        self.answer_buffer = AnswerBuffer(turn_id, emit)
        self.retry_budget = RetryBudget(desk.limits.retry, desk.random)
        self.tools = {tool.name: tool for tool in desk.tools}
        self.tool_context = ToolContext(desk.store, TurnBatch(self._change_context))
        self.effects = TurnEffects()
        self.repeats = RepeatedCalls(desk.store.tasks.log_position)
        self.model_calls = 0
        self.steps: list[TraceStep] = []
        self.has_used_tools = False
        """Whether a tool was called."""
        self.history = self._message_history(ModelHistory(()))
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
        desk: RunConfig,
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
            spoken = Text(repair_surrogates(text))
            message = Message(Role.USER, (spoken,), context=_turn_context(desk, selection))
            place = conversation_id or conversations.start().id
            turn = conversations.open_turn(
                place, message, provider=provider.id, model=provider.model
            )
            return turn.id, place

        turn_id, place = await asyncio.to_thread(stored)
        emit(TurnStarted(turn_id, place, provider.id, provider.model))
        return cls(desk, turn_id, place, emit, handle)

    async def load_history(self) -> None:
        """Read what was said before; it stays the same for all model calls of this turn."""

        def recalled() -> tuple[MessageHistory, tuple[ToolSpec, ...]]:
            told = self.config.store.conversations.model_history(
                self.conversation_id, self.config.limits.context_messages
            )
            # The first turn of a process builds the schemas, here and not on the event loop.
            return self._message_history(told), tuple(tool.spec for tool in self.config.tools)

        self.history, self._specs = await asyncio.to_thread(recalled)
        self._call_ids = {
            call.id for message in self.history.messages for call in message.tool_calls
        }

    def request(self, mode: ToolMode) -> Request:
        """What the model is asked next."""
        return Request(self.config.system, self.history.messages, self._specs, mode)

    def add_assistant_message(self, message: Message) -> Message:
        """A message is complete; the same with ids that are unique and valid."""
        own = with_unique_call_ids(message, self._call_ids, self._fresh_ids())
        own = replace(own, origin=own.origin or origin_of(self.provider_chain.provider))
        self.history.add(own)
        self.writer.add_message(own)
        self.writer.confirm_summary()
        return own

    def add_usage(self, usage: Usage, cost_usd: float | None) -> None:
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
        self.has_used_tools = True
        self.add_trace_steps(steps)
        self.writer.add_message(Message(Role.TOOL, results))
        self.history.add_results(results)

    def count(self, tool: Tool, outcome: ToolOutcome, *, by_person: bool) -> None:
        """Count what a call that has run did towards the limits, unless a person approved it."""
        changes, self._changes = self._changes, []
        if not by_person:
            self.effects.count(changes)
        if tool.name in UNDOING and not outcome.failed:
            self.effects.undos += 1

    def add_trace_steps(self, steps: Sequence[TraceStep]) -> None:
        """Put steps into the trace, of which the model is not told."""
        self.steps += steps
        self.writer.add_steps(steps)

    async def store(self) -> None:
        """Write what is not in the store yet, off the event loop."""
        await asyncio.to_thread(self.writer.write)

    async def close(self, status: TurnStatus, error: TurnError | None = None) -> TurnOutcome:
        """End the turn in the store, partial words and all; what is to be told of it.

        Raises:
            StoreError: it could not be written.
        """
        self._unsubscribe()
        if partial := self.answer_buffer.partial:
            origin = origin_of(
                self.answer_buffer.answering_provider or self.provider_chain.provider
            )
            words = Text(repair_surrogates(partial))
            self.writer.add_message(Message(Role.ASSISTANT, (words,), origin=origin))
        outcome = self.outcome()
        try:
            await asyncio.to_thread(self.writer.close, status, error, outcome)
        finally:
            await self.provider_chain.close()
        return outcome

    def outcome(self) -> TurnOutcome:
        """The turn as it stands."""
        return TurnOutcome(
            answer=self.answer_buffer.answer,
            trace=tuple(self.steps),
            provider=self.provider_chain.provider.id,
            model=self.provider_chain.provider.model,
            usage=self.writer.usage,
            cost_usd=self.writer.cost_usd,
            model_calls=self.model_calls,
            latency_ms=(time.perf_counter() - self._began) * 1000,
            kept_batches=tuple(self._batches),
        )

    def fresh_id(self) -> str:
        """An id for a call, or for a step that no model asked for."""
        return f"call_{self.config.new_id()[:24]}"

    def _message_history(self, told: ModelHistory) -> MessageHistory:
        window = self.config.limits.context_window
        return MessageHistory(told, window=window, origin=origin_of(self.provider_chain.provider))

    def _fresh_ids(self) -> Iterator[str]:
        while True:
            yield self.fresh_id()

    def _change_context(self) -> ChangeContext:
        return self.config.store.new_change_context(self.config.actor, self.id)

    def _note_writes(self, changes: tuple[TaskChange, ...]) -> None:
        own = [change for change in changes if change.context.turn_id == self.id]
        self._changes += own
        self._batches |= dict.fromkeys(change.context.batch for change in own)


def _turn_context(desk: RunConfig, selection: Selection) -> TurnContext:
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
