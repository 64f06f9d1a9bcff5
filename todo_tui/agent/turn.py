"""State of one turn: messages, streamed answer, tools, trace, and its record in the store."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from todo_tui.agent.answer_buffer import AnswerBuffer
from todo_tui.agent.approval_policy import ApprovalScope
from todo_tui.agent.cancellation import TurnHandle
from todo_tui.agent.final_answer import SUM_UP, LastRound, complete_answer, without_notes
from todo_tui.agent.history import MessageHistory
from todo_tui.agent.malformed_calls import with_valid_calls
from todo_tui.agent.model_call_policies import CallStarted, ModelEvent, Prompt
from todo_tui.agent.model_calls import TurnScope, is_output
from todo_tui.agent.repeated_calls import RepeatedCalls
from todo_tui.agent.run_config import RunConfig
from todo_tui.agent.system_prompt import DOCUMENTS_RULE
from todo_tui.agent.turn_writer import TurnWriter
from todo_tui.domain.changes import UNDO_TOOLS, ChangeKind, TaskChange
from todo_tui.domain.errors import TodoError, ValidationError
from todo_tui.domain.events import (
    FailedOver,
    HistoryTruncated,
    Retrying,
    StepStatus,
    TraceStep,
    TurnError,
    TurnEvent,
    TurnOutcome,
    UsageReported,
)
from todo_tui.domain.knowledge.evidence import cited_evidence, cited_numbers
from todo_tui.domain.messages import (
    Completed,
    Decider,
    Message,
    Provider,
    Role,
    StopReason,
    Text,
    TextDelta,
    ThinkingDelta,
    ToolCallStarted,
    ToolMode,
    ToolResult,
    ToolSpec,
    TurnContext,
    TurnStatus,
    origin_of,
)
from todo_tui.domain.text import repair_surrogates
from todo_tui.store.conversations.records import ModelHistory
from todo_tui.tools.base import Tool, ToolContext, ToolResponse, TurnBatch

if TYPE_CHECKING:
    from todo_tui.domain.knowledge.answer_quality import AnswerQuality

_log = logging.getLogger(__name__)
_SAVE_SECONDS = 1.0
Selection = Sequence[tuple[int, str]]
"""(id, title) of the tasks selected in the list."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """One message of the model; `is_cut` if the length limit ended it."""

    message: Message
    is_cut: bool = False
    decided_by: Decider = Decider.MODEL
    refused: Mapping[str, str] = field(default_factory=dict)
    """Reasons why calls may not run, by call id."""
    asks: bool = False
    """True if a yes to its question makes changes."""


class Turn:
    """State of one turn. `apply` takes the events of the model, `add_results` those of tools."""

    def __init__(
        self,
        config: RunConfig,
        turn_id: str,
        conversation_id: str,
        handle: TurnHandle,
        *,
        question: str,
        has_documents: bool,
    ) -> None:
        self.config = config
        self._question = question
        self._has_documents = has_documents
        self.id = turn_id
        self.conversation_id = conversation_id
        self.messages: list[Message] = []
        """Messages after the user's, as they are stored."""
        self.history = MessageHistory(ModelHistory(()), config.limits.window)
        self.writer = TurnWriter(config.store.conversations, turn_id, self.messages)
        self.scope = TurnScope(turn_id, config, handle, self.writer)
        offered = [tool for tool in config.tools if has_documents or not tool.needs_documents]
        self.tools = {tool.name: tool for tool in offered}
        self._system = config.system + (DOCUMENTS_RULE if has_documents else "")
        new_context = partial(config.store.new_change_context, config.actor, turn_id)
        self.tool_context = ToolContext(
            config.store, TurnBatch(new_context), vectors=config.vectors
        )
        self.approval_scope = ApprovalScope(
            turn_id,
            conversation_id,
            config.store,
            self.tools,
            config.approvals,
            config.session_approvals,
            self.scope.decide,
            self._has_foreign_text,
        )
        self.repeats = RepeatedCalls(config.store.tasks.log_position)
        self.reply = ModelReply(Message(Role.ASSISTANT, ()))
        """Newest message of the model."""
        self._answer = AnswerBuffer(turn_id, config.provider)
        self._last_round: LastRound | None = None
        self._specs: tuple[ToolSpec, ...] = ()
        self._call_ids: set[str] = set()
        self._batches: dict[str, None] = {}
        self._changes: list[TaskChange] = []
        """Writes of the latest call."""
        self._started = time.perf_counter()
        self._first_token_ms: float | None = None
        self._unsubscribe = config.store.tasks.subscribe(self._on_changes)

    @classmethod
    async def open(
        cls,
        text: str,
        config: RunConfig,
        conversation_id: str | None,
        selection: Selection,
        replaces: str | None,
        handle: TurnHandle,
    ) -> Turn:
        """Store the user message, before anything else, and start the turn.

        Raises:
            TodoError: The message is empty or could not be stored, or the conversation
                or the replaced turn does not exist.
        """
        if not text.strip():
            raise ValidationError("The message is empty.", hint="Type a message first.")
        provider = config.provider

        def store_message() -> tuple[str, str, bool]:
            conversations = config.store.conversations
            part = Text(repair_surrogates(text))
            message = Message(Role.USER, (part,), context=_turn_context(config, selection))
            turn = conversations.turns.open(
                conversation_id,
                message,
                provider=provider.id,
                model=provider.model,
                replaces=replaces,
                gives_up=lambda: handle.stopped,
            )
            return turn.id, turn.conversation_id, config.store.knowledge.has_documents()

        turn_id, stored_in, has_documents = await asyncio.to_thread(store_message)
        return cls(config, turn_id, stored_in, handle, question=text, has_documents=has_documents)

    def load_history(self) -> None:
        """Load the conversation; it stays the same for all model calls of this turn. Blocks."""
        limits = self.config.limits
        stored = self.config.store.turns.model_history(
            self.conversation_id, limits.window.messages, turn_id=self.id
        )
        self.history = MessageHistory(stored, limits.window, self.messages)
        messages = self.history.messages(origin_of(self.config.provider))
        if self._has_documents:
            earlier = self.config.store.turns.retrieved(self.conversation_id)
            self.tool_context.evidence.earlier = {each.number: each for each in earlier}
        self._call_ids = {call.id for message in messages for call in message.tool_calls}
        # The first turn of a process builds the schemas.
        tools = (*self.tools.values(), *self.config.withheld)
        self._specs = tuple(tool.spec for tool in tools)

    async def save_partial_answers(self) -> None:
        """Store the unfinished answer again and again, until cancelled.

        So a kill of the process loses a second of it at most.
        """
        saved = ""
        while True:
            await asyncio.sleep(_SAVE_SECONDS)
            partial = self._answer.partial
            if partial and partial != saved:
                saved = partial
                try:
                    await asyncio.to_thread(self.config.store.turns.save_partial, self.id, partial)
                except TodoError as error:
                    _log.warning("the unfinished answer is not saved: %s", error.message)

    def next_prompt(self, *, is_last_allowed: bool) -> Prompt:
        """Return the input of the next model call; tools are disabled in the last one.

        It is the last one that the limit allows, or follows calls that repeat.
        """
        mode, note = ToolMode.AUTO, ""
        if is_last_allowed or self.repeats.is_stuck:
            has_called_tools = bool(self.messages) and self.messages[-1].role is Role.TOOL
            reaches_limit = is_last_allowed and has_called_tools
            self._last_round = LastRound(reaches_limit, self.repeats.is_stuck)
            mode, note = ToolMode.NONE, SUM_UP if reaches_limit else ""
        self.writer.model_calls += 1
        return Prompt(self.history, self._system, self._specs, mode, note)

    def _has_foreign_text(self) -> bool:
        """Return True if the conversation holds text that others may have written. Blocks."""
        return self._began_with_foreign_text or any(
            result.foreign for message in self.messages for result in message.tool_results
        )

    @cached_property
    def _began_with_foreign_text(self) -> bool:
        return self.config.store.turns.have_foreign_text(self.conversation_id)

    def apply(self, event: ModelEvent) -> Iterator[TurnEvent]:
        """Apply an event of the model; yield the events that report it."""
        if self._first_token_ms is None and is_output(event):
            self._first_token_ms = self._elapsed_ms()
        match event:
            case TextDelta() | ThinkingDelta() | ToolCallStarted():
                yield from self._answer.add(event)
            case CallStarted():
                self._answer.start_call(event.provider)
            case Completed():
                yield from self._complete(event)
            case FailedOver() | HistoryTruncated():
                if isinstance(event, FailedOver):
                    self.writer.failovers += 1
                    self._answer.restart_message()
                self.writer.add_steps([event.step])
                yield event
            case Retrying():
                self.writer.retries += 1
                yield event
            case _:
                yield event

    def _complete(self, event: Completed) -> Iterator[TurnEvent]:
        """Add the completed message to the turn."""
        message, paused = event.message, self.history.unfinished
        origin = message.origin or (paused.origin if paused else None)
        parts = (*paused.parts, *message.parts) if paused else message.parts
        message = Message(message.role, parts, origin or origin_of(self._answer.provider))
        if event.stop is StopReason.PAUSED and not (self._last_round or message.tool_calls):
            self.history.unfinished = message
            yield from self._answer.end_message(message.text, is_paused=True)
            self.reply = ModelReply(message)
            return
        is_cut = event.stop is StopReason.LENGTH
        message = complete_answer(
            message,
            self._last_round,
            is_cut=is_cut,
            has_used_tools=any(each.role is Role.TOOL for each in self.messages),
            has_changes=bool(self._batches),
        )
        yield from self._answer.end_message(message.text)
        yield UsageReported(self.id, *self.writer.take_unreported_usage())
        message, refused = with_valid_calls(message, self._call_ids, self.scope.new_call_id)
        self.messages.append(message)
        self.history.unfinished = None
        self.reply = ModelReply(message, is_cut, event.decided_by, refused, event.asks)

    def count(self, tool: Tool, outcome: ToolResponse, *, by_person: bool) -> None:
        """Count the writes of a call towards the limits, unless the user approved it."""
        effects = self.approval_scope.effects
        changes, self._changes = self._changes, []
        if not by_person:
            for each in changes:
                is_new = each.kind is ChangeKind.ADDED
                (effects.added if is_new else effects.changed).add(each.task.id)
        if tool.name in UNDO_TOOLS and not outcome.failed:
            effects.undos += 1

    def add_results(self, ran: Sequence[tuple[TraceStep, tuple[str, ...]]]) -> None:
        """Add steps with the fields written by others, in the order of their calls."""
        results = tuple(
            ToolResult(
                step.call_id,
                step.name,
                step.result,
                is_error=step.status is not StepStatus.SUCCESS,
                foreign=foreign,
                summary="" if step.status is StepStatus.SUCCESS else step.summary,
            )
            for step, foreign in ran
        )
        self.writer.add_steps([step for step, _ in ran])
        self.messages.append(Message(Role.TOOL, results))

    async def close(
        self, status: TurnStatus, error: TurnError | None, provider: Provider
    ) -> TurnOutcome:
        """Store the end of the turn, including partial text, and return the outcome.

        `provider` is the one that was asked last.

        Raises:
            StoreError: The database failed.
        """
        self._unsubscribe()
        if partial := self._answer.partial:
            origin = origin_of(self._answer.answering_provider)
            text = Text(repair_surrogates(partial))
            self.messages.append(Message(Role.ASSISTANT, (text,), origin=origin))
        outcome = self.outcome(provider)
        if status is TurnStatus.FINISHED:
            quality = await asyncio.to_thread(self._assess_answer)
            outcome = replace(outcome, quality=quality)
        await asyncio.to_thread(self.writer.close, status, error, outcome)
        return outcome

    def _assess_answer(self) -> AnswerQuality | None:
        """Score the last message by the passages that the turn retrieved, if any.

        One of the built-in assistant without citations does not rely on them.
        """
        evidence, answer = self.tool_context.evidence, without_notes(self.messages[-1].text)
        is_apart = self.reply.decided_by is not Decider.MODEL and not cited_numbers(answer)
        if not evidence.by_number() or is_apart:
            return None
        # 25 ms, for few turns.
        from todo_tui.domain.knowledge.answer_quality import assess_answer, is_comparable

        results = (result for message in self.messages for result in message.tool_results)
        tools = {name for name, tool in self.tools.items() if not tool.needs_documents}
        other = [result.content for result in results if result.name in tools]
        texts = {number: each.searchable for number, each in evidence.behind(answer).items()}
        if not is_comparable(answer, texts):
            return None
        return assess_answer(answer, texts, "\n".join(other), self._question)

    def outcome(self, provider: Provider) -> TurnOutcome:
        """Return the outcome of the turn so far."""
        answer, evidence = self._answer.answer, self.tool_context.evidence
        return TurnOutcome(
            answer=answer,
            trace=tuple(self.writer.trace),
            provider=provider.id,
            model=provider.model,
            usage=self.writer.usage,
            cost_usd=self.writer.cost_usd,
            model_calls=self.writer.model_calls,
            latency_ms=self._elapsed_ms(),
            kept_batches=tuple(self._batches),
            first_token_ms=self._first_token_ms,
            retries=self.writer.retries,
            failovers=self.writer.failovers,
            sources=tuple(cited_evidence(answer, evidence.behind(answer).values())),
            asks=self.reply.asks,
        )

    def _elapsed_ms(self) -> float:
        passed = time.perf_counter() - self._started
        return (passed - self.scope.waited_seconds) * 1000

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
        foreign="title" in store.tasks.foreign_names([task_id for task_id, _ in selection]),
    )
