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
from todo_tui.domain.changes import ChangeContext, ChangeKind, TaskChange
from todo_tui.domain.errors import ValidationError
from todo_tui.domain.events import (
    CallRestarted,
    StepStatus,
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
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
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
"""(id, title) of the tasks selected in the list."""


class TurnEffects:
    """Tasks touched by one turn; an approval beyond a limit resets the counts."""

    def __init__(self) -> None:
        self.changed: set[int] = set()
        """Ids of tasks changed or deleted, including their subtasks."""
        self.added: set[int] = set()
        """Ids of tasks added."""
        self.undos = 0
        """Number of undos and redos."""
        self.read_foreign_text = False
        """True once a response contained text that others may have written."""

    def count(self, changes: Sequence[TaskChange]) -> None:
        """Count the tasks written by one call."""
        for each in changes:
            ids = self.added if each.kind is ChangeKind.ADDED else self.changed
            ids.add(each.task.id)

    def forget_counts(self) -> None:
        """Reset the counts after the user has approved going beyond a limit."""
        self.changed.clear()
        self.added.clear()


class TurnStopped(Exception):
    """The user has stopped the turn."""


class TurnHandle:
    """Stops one turn; pass it to `run_turn` and keep it for the Esc key.

    The turn is interrupted only while it waits for a model, before a retry or for an
    approval. A running tool finishes first, so that its writes are recorded.
    """

    def __init__(self) -> None:
        self._stopped = False
        self._interrupted = False
        self._waiting: asyncio.Task[object] | None = None

    @property
    def stopped(self) -> bool:
        """True after `stop`."""
        return self._stopped

    @property
    def interrupted(self) -> bool:
        """True if the program is being ended, rather than the turn by the user."""
        return self._interrupted

    def stop(self, *, interrupted: bool = False) -> None:
        """End the turn as cancelled; its TurnEnd is still delivered.

        Call it from the event loop's thread. With `interrupted` the turn is stored as
        interrupted, because the program is being ended.
        """
        self._interrupted = self._interrupted or (interrupted and not self._stopped)
        self._stopped = True
        waiting, self._waiting = self._waiting, None
        # An approver may stop the turn from inside its own wait, which then ends by itself.
        if waiting is not None and waiting is not asyncio.current_task():
            waiting.cancel()

    def raise_if_stopped(self) -> None:
        """Raise TurnStopped after `stop`.

        Raises:
            TurnStopped: The turn was stopped.
        """
        if self._stopped:
            raise TurnStopped

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Raise TurnStopped from the block as soon as `stop` is called.

        Also where the block turns the cancellation into an error of its own, or returns
        normally after it.

        Raises:
            TurnStopped: The turn was stopped.
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
    """Undo the handle's own cancellation; return True if another request remains."""
    return bool(task.cancelling()) and task.uncancel() > 0


class TurnWriter:
    """Buffers messages, trace steps and model calls, and stores them in one transaction."""

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
        """None once the price of a call is unknown."""

    @property
    def unstored_usd(self) -> float:
        """Cost of the model calls that are not stored yet."""
        return sum(call.cost_usd or 0.0 for call in self._calls)

    def add_message(self, message: Message) -> None:
        """Buffer a message."""
        self._messages.append(message)

    def add_steps(self, steps: Sequence[TraceStep]) -> None:
        """Buffer trace steps."""
        self._steps += steps

    def add_call(self, call: ModelCall) -> None:
        """Buffer a model call, successful or not, and add up its usage."""
        self._calls.append(call)
        self.usage += call.usage
        if call.cost_usd is not None:
            self.cost_usd = None if self.cost_usd is None else self.cost_usd + call.cost_usd
        elif call.status == "finished" or call.usage != Usage():
            self.cost_usd = None

    def propose_summary(self, summary: Summary, *, certain: bool) -> None:
        """Keep a summary of older turns; unless `certain`, store it only once confirmed."""
        self._summary = summary
        self._summary_holds = certain

    def confirm_summary(self) -> None:
        """Let the summary be stored: the model has answered the request that contains it."""
        self._summary_holds = True

    def write(self) -> None:
        """Write everything buffered; blocks.

        Raises:
            StoreError: The database failed.
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
        self._clear()

    def close(self, status: TurnStatus, error: TurnError | None, outcome: TurnOutcome) -> None:
        """Write the rest and the end of the turn; blocks.

        Raises:
            StoreError: The database failed.
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
        self._clear()

    def _clear(self) -> None:
        self._messages = []
        self._steps = []
        self._calls = []
        self._summary = None


class AnswerBuffer:
    """Text of the answer, emitted as it streams in.

    The TextDeltas of a turn, except those before a CallRestarted of the same model
    call, add up to its answer: the message of a later call begins a new paragraph.
    A message paused by its server continues in the next call as if in the same one.
    """

    def __init__(self, turn_id: str, emit: Callable[[TurnEvent], None]) -> None:
        self._turn_id = turn_id
        self._emit = emit
        self._completed = ""
        self._paused = ""
        self._pieces: list[str] = []
        self._has_emitted = False
        self._is_stale = False
        self._provider: Provider | None = None
        self.answering_provider: Provider | None = None
        """Provider of the partial text."""

    @property
    def partial(self) -> str:
        """Text of the incomplete message."""
        return self._paused + "".join(self._pieces)

    @property
    def answer(self) -> str:
        """Text of all messages so far."""
        partial = self.partial
        between = _PARAGRAPH_BREAK if self._completed and partial else ""
        return self._completed + between + partial

    def start_call(self, provider: Provider) -> None:
        """Begin a model call; partial text of a failed attempt stays until the first delta."""
        self._provider = provider
        self._is_stale = self._has_emitted

    def add_delta(self, event: TextDelta | ThinkingDelta | ToolCallStarted) -> None:
        """Append an event of the current call."""
        match event:
            case TextDelta():
                self._add_text(event.text)
            case ThinkingDelta():
                self._add_thinking(event.text)
            case ToolCallStarted():
                self._begin()
            case _:
                assert_never(event)

    def complete_message(self, words: str) -> None:
        """End the message; `words` is its whole text."""
        self._complete(words)
        self._completed = self.answer
        self._paused = ""
        self._pieces = []

    def pause_message(self, words: str) -> None:
        """Keep the text of a message that continues in the next call."""
        self._complete(words)
        self._paused = words
        self._pieces = []

    def restart_message(self) -> None:
        """Treat a paused message as partial: another provider starts it again."""
        self._has_emitted = self._has_emitted or bool(self._paused)
        self._pieces.insert(0, self._paused)
        self._paused = ""

    def _add_text(self, words: str) -> None:
        if not words:
            return
        self._begin()
        first = not (self._paused or any(self._pieces))
        between = _PARAGRAPH_BREAK if first and self._completed else ""
        self._pieces.append(words)
        self._has_emitted = True
        self._emit(TextDelta(between + words))

    def _add_thinking(self, words: str) -> None:
        self._begin()
        if words:
            self._has_emitted = True
            self._emit(ThinkingDelta(words))

    def _complete(self, words: str) -> None:
        self._begin()
        streamed = self.partial
        if not words.startswith(streamed):
            self._paused = streamed = ""
            self._restart()
        self._add_text(words[len(streamed) :])
        self._has_emitted = False

    def _begin(self) -> None:
        if self._is_stale:
            self._restart()
        self.answering_provider = self._provider

    def _restart(self) -> None:
        self._pieces = []
        self._has_emitted = self._is_stale = False
        self._emit(CallRestarted(self._turn_id))
        if self._paused:
            # CallRestarted has removed the paused part from the screen too.
            between = _PARAGRAPH_BREAK if self._completed else ""
            self._emit(TextDelta(between + self._paused))


class Turn:
    """State of one turn; `emit` receives its events, `handle` stops it."""

    def __init__(
        self, config: RunConfig, turn_id: str, conversation_id: str, emit: Emit, handle: TurnHandle
    ) -> None:
        self.config = config
        self.id = turn_id
        self.conversation_id = conversation_id
        self.emit = emit
        self.handle = handle
        self.provider_chain = ProviderChain(config.provider, config.fallbacks)
        self.writer = TurnWriter(config.store.conversations, turn_id)
        self.answer_buffer = AnswerBuffer(turn_id, emit)
        self.retry_budget = RetryBudget(config.limits.retry, config.random)
        self.tools = {tool.name: tool for tool in config.tools}
        self.tool_context = ToolContext(config.store, TurnBatch(self._change_context))
        self.effects = TurnEffects()
        self.repeats = RepeatedCalls(config.store.tasks.log_position)
        self.model_calls = 0
        self.steps: list[TraceStep] = []
        self.has_used_tools = False
        self.history = self._message_history(ModelHistory(()))
        self._specs: tuple[ToolSpec, ...] = ()
        self._call_ids: set[str] = set()
        self._batches: dict[str, None] = {}
        self._changes: list[TaskChange] = []
        """Writes of the latest call."""
        self._unreported: list[tuple[Usage, float | None]] = []
        self._started = time.perf_counter()
        self._unsubscribe = config.store.tasks.subscribe(self._on_changes)

    @classmethod
    async def open(
        cls,
        text: str,
        config: RunConfig,
        conversation_id: str | None,
        selection: Selection,
        emit: Emit,
        handle: TurnHandle,
    ) -> Turn:
        """Store the user message, before anything else, and start the turn.

        Raises:
            TodoError: The message is empty or could not be stored, or the conversation
                does not exist.
        """
        if not text.strip():
            raise ValidationError("There is nothing to send.", hint="Say what to do.")
        provider = config.provider

        def store_message() -> tuple[str, str]:
            conversations = config.store.conversations
            part = Text(repair_surrogates(text))
            message = Message(Role.USER, (part,), context=_turn_context(config, selection))
            stored_in = conversation_id or conversations.start().id
            turn = conversations.open_turn(
                stored_in, message, provider=provider.id, model=provider.model
            )
            return turn.id, stored_in

        turn_id, stored_in = await asyncio.to_thread(store_message)
        emit(TurnStarted(turn_id, stored_in, provider.id, provider.model))
        return cls(config, turn_id, stored_in, emit, handle)

    async def load_history(self) -> None:
        """Load the conversation; it stays the same for all model calls of this turn."""

        def load() -> tuple[MessageHistory, tuple[ToolSpec, ...]]:
            stored = self.config.store.conversations.model_history(
                self.conversation_id, self.config.limits.context_messages
            )
            # The first turn of a process builds the schemas, so do it off the event loop.
            return self._message_history(stored), tuple(tool.spec for tool in self.config.tools)

        self.history, self._specs = await asyncio.to_thread(load)
        self._call_ids = {
            call.id for message in self.history.messages for call in message.tool_calls
        }

    def request(self, mode: ToolMode) -> Request:
        """Build the request of the next model call."""
        return Request(self.config.system, self.history.messages, self._specs, mode)

    def add_assistant_message(self, message: Message) -> Message:
        """Add a complete message; return it with unique and valid call ids."""
        own = with_unique_call_ids(message, self._call_ids, self._fresh_ids())
        own = replace(own, origin=own.origin or origin_of(self.provider_chain.provider))
        self.history.add(own)
        self.writer.add_message(own)
        self.writer.confirm_summary()
        return own

    def add_usage(self, usage: Usage, cost_usd: float | None) -> None:
        """Remember the usage of a model call for `report_usage`."""
        self._unreported.append((usage, cost_usd))

    def report_usage(self) -> None:
        """Emit the usage that has not been reported yet."""
        calls, self._unreported = self._unreported, []
        costs = [cost for _, cost in calls if cost is not None]
        usage = sum((usage for usage, _ in calls), Usage())
        self.emit(UsageReported(self.id, usage, sum(costs) if len(costs) == len(calls) else None))

    def add_results(self, ran: Sequence[tuple[TraceStep, ToolOutcome]]) -> None:
        """Add tool results, in the order of their calls."""
        foreign = {step.call_id: outcome.foreign for step, outcome in ran}
        if any(foreign.values()):
            self.effects.read_foreign_text = True
        self.add_steps([step for step, _ in ran], foreign)

    def add_steps(
        self, steps: Sequence[TraceStep], foreign: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        """Add results from steps; `foreign` has, by call id, the fields written by others."""
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
        """Count the writes of a call towards the limits, unless the user approved it."""
        changes, self._changes = self._changes, []
        if not by_person:
            self.effects.count(changes)
        if tool.name in UNDOING and not outcome.failed:
            self.effects.undos += 1

    def add_trace_steps(self, steps: Sequence[TraceStep]) -> None:
        """Add steps to the trace; the model does not see them."""
        self.steps += steps
        self.writer.add_steps(steps)

    async def store(self) -> None:
        """Write everything buffered, off the event loop."""
        await asyncio.to_thread(self.writer.write)

    async def close(self, status: TurnStatus, error: TurnError | None = None) -> TurnOutcome:
        """Store the end of the turn, including partial text, and return the outcome.

        Raises:
            StoreError: The database failed.
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
        """Return the outcome of the turn so far."""
        return TurnOutcome(
            answer=self.answer_buffer.answer,
            trace=tuple(self.steps),
            provider=self.provider_chain.provider.id,
            model=self.provider_chain.provider.model,
            usage=self.writer.usage,
            cost_usd=self.writer.cost_usd,
            model_calls=self.model_calls,
            latency_ms=(time.perf_counter() - self._started) * 1000,
            kept_batches=tuple(self._batches),
        )

    def fresh_id(self) -> str:
        """Create a call id, also for a trace step that no model requested."""
        return f"call_{self.config.new_id()[:24]}"

    def _message_history(self, stored: ModelHistory) -> MessageHistory:
        window = self.config.limits.context_window
        return MessageHistory(stored, window=window, origin=origin_of(self.provider_chain.provider))

    def _fresh_ids(self) -> Iterator[str]:
        while True:
            yield self.fresh_id()

    def _change_context(self) -> ChangeContext:
        return self.config.store.new_change_context(self.config.actor, self.id)

    def _on_changes(self, changes: tuple[TaskChange, ...]) -> None:
        own = [change for change in changes if change.context.turn_id == self.id]
        self._changes += own
        self._batches |= dict.fromkeys(change.context.batch for change in own)


def _turn_context(config: RunConfig, selection: Selection) -> TurnContext:
    store = config.store
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
