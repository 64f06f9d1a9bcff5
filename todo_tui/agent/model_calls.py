"""Model calls: the stream of one response, and the policies around it.

A policy is a Model around another one and yields its events besides its own. The chain of
a turn is `FailoverModel(RetryingModel(BudgetedModel(ProviderCall)))`: tries are counted
anew for each provider, and the budget is checked before each try.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Protocol

from todo_tui.agent.approver import ApprovalAnswer, ApprovalQuestion
from todo_tui.agent.budget import BudgetExceeded, BudgetState, check_budget, extend_budget
from todo_tui.agent.cancellation import TurnHandle, TurnStopped
from todo_tui.agent.config import Fallback, Limits, RunConfig
from todo_tui.agent.history import MessageHistory
from todo_tui.agent.retry import RetryBudget
from todo_tui.agent.turn_writer import TurnWriter
from todo_tui.domain.errors import (
    ConsentNeeded,
    NobodyToAsk,
    ProviderError,
    ProviderErrorKind,
    TodoError,
)
from todo_tui.domain.events import (
    ApprovalAsked,
    BudgetWarning,
    FailedOver,
    HistoryTruncated,
    Retrying,
    StepStatus,
    ToolStarted,
    TraceStep,
)
from todo_tui.domain.messages import (
    Completed,
    Exchange,
    Message,
    Provider,
    Request,
    StreamEvent,
    Text,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCallStarted,
    ToolChoice,
    ToolSpec,
    Usage,
    origin_of,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.store.conversations.records import ModelCall
from todo_tui.tools.base import ToolResponse, with_note

MAX_ANSWER_CHARACTERS = 400_000
"""Characters of text and thinking together: more than any model writes in one message."""
MAX_EVENTS = 200_000
"""Includes events without text, such as those while a model writes a tool call."""
SENT = (
    "the newest messages of this conversation",
    "what the assistant looks up in your tasks and documents, and task counts",
    "the selected task",
    "today's date and your time zone",
)
"""Shown when asking for consent: the data that a provider receives."""
FAILOVER_STEP = "take_over"
_NO_FAILOVER = frozenset({ProviderErrorKind.REFUSED})
"""Kinds without failover: a refusal is not a reason to try another provider."""
_TIMER_SLACK = 0.05
"""Share of the timeout by which it may last longer, to save moving the timer at each event."""
_TRY_ANOTHER = "Try again, or switch to another model."
_CLOSE_TIMEOUT_SECONDS = 2.0
_SAMPLE = Usage(input_tokens=1000, output_tokens=1000)
_log = logging.getLogger(__name__)


class ResponseTooLong(ProviderError):
    """The answer exceeds the limits; a retry would hardly be shorter."""

    def __init__(self, message: str) -> None:
        super().__init__(ProviderErrorKind.MALFORMED, message, hint=_TRY_ANOTHER)

    @property
    def retryable(self) -> bool:
        """False: the same model would write as much again."""
        return False


async def read_stream(
    provider: Provider, request: Request, limits: Limits
) -> AsyncIterator[StreamEvent]:
    """Send the request once and yield its events, the last of which is Completed.

    A model without an event for longer than the limits allow counts as stuck. Nothing
    after Completed is read.

    Raises:
        ProviderError: The stream failed or ended without Completed, or is too long.
    """
    now = asyncio.get_running_loop().time
    between = limits.stall_seconds
    slack = between * _TIMER_SLACK
    moved = float("-inf")
    events = characters = 0
    try:
        async with (
            asyncio.timeout(limits.first_token_seconds(provider)) as timer,
            _closing_stream(provider.stream(request)) as stream,
        ):
            async for event in stream:
                if now() - moved >= slack:
                    moved = now()
                    timer.reschedule(moved + between + slack)
                if isinstance(event, Completed):
                    _check_size(event.message)
                    yield event
                    return
                events += 1
                characters += 0 if isinstance(event, ToolCallStarted) else len(event.text)
                if characters > MAX_ANSWER_CHARACTERS or events > MAX_EVENTS:
                    raise ResponseTooLong("The answer was too long and was stopped.")
                yield event
    except TimeoutError as error:
        raise ProviderError(
            ProviderErrorKind.TIMEOUT,
            "The model stopped responding.",
            hint=_TRY_ANOTHER,
        ) from error
    raise ProviderError(
        ProviderErrorKind.TRUNCATED,
        "The answer ended before it was complete.",
        hint=_TRY_ANOTHER,
    )


def _check_size(message: Message) -> None:
    """Check the complete message too, which may differ from the sum of its deltas."""
    length = sum(len(part.text) for part in message.parts if isinstance(part, Text | Thinking))
    if length > MAX_ANSWER_CHARACTERS:
        raise ResponseTooLong(f"The answer is too long ({length:,} characters).")


@asynccontextmanager
async def _closing_stream(
    stream: AsyncIterator[StreamEvent],
) -> AsyncIterator[AsyncIterator[StreamEvent]]:
    """Close the stream on exit, even if it was not read to its end."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()


@dataclass(slots=True)
class TurnScope:
    """Parts of a turn that its model calls share."""

    turn_id: str
    config: RunConfig
    handle: TurnHandle
    writer: TurnWriter
    waited_seconds: float = 0.0
    """Time for which the turn has waited for answers of the user; no latency of anything."""

    def new_call_id(self) -> str:
        """Create a call id, also for a trace step that no model requested."""
        return f"call_{self.config.new_id()[:24]}"

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        """Wait for the user's answer.

        Raises:
            NobodyToAsk: There is nobody to answer.
            TurnStopped: The user stopped the turn.
        """
        started = time.perf_counter()
        try:
            with self.handle.interruptible():
                return await self.config.approver.decide(question)
        finally:
            self.waited_seconds += time.perf_counter() - started

    async def is_approved(self, question: ApprovalQuestion) -> bool:
        """Wait for the user's answer; False if there is nobody to ask."""
        try:
            return (await self.decide(question)).approves
        except NobodyToAsk:
            return False

    def asked(self, question: ApprovalQuestion) -> ApprovalAsked:
        """Return the event of a question."""
        return ApprovalAsked(self.turn_id, question.call_id, question.words, question.details)


async def call_provider(
    scope: TurnScope, provider: Provider, request: Request
) -> AsyncIterator[StreamEvent]:
    """Send the request once; record usage and cost, whatever the result.

    Raises:
        ConsentNeeded: The user has not agreed to the host; nothing was sent.
        ProviderError: No complete answer came.
        TurnStopped: The user stopped the turn.
    """
    started = time.perf_counter()
    first_token_ms: float | None = None
    note_call = scope.config.note_call
    exchanges: list[Exchange] = []
    if note_call is not None:
        request = replace(request, exchanges=exchanges)

    async def record(usage: Usage | None, status: str, error: ProviderError | None = None) -> None:
        # Before the price: its first look-up takes 0.3 s.
        ms, ended = (time.perf_counter() - started) * 1000, time.time_ns()
        # The cost is unknown without usage.
        cost = None if usage is None else await scope.config.pricing(provider, usage)
        call = ModelCall(
            provider.id,
            provider.model,
            usage or Usage(),
            cost,
            ms,
            status,
            error=error.message if error else None,
            error_kind=error.kind.value if error else None,
            first_token_ms=first_token_ms,
            exchanges=exchanges,
        )
        scope.writer.add_call(call)
        if note_call is not None:
            note_call(scope.turn_id, call)
        if scope.config.telemetry is not None:
            scope.config.telemetry.note_call(scope.turn_id, call, ended)

    try:
        with scope.handle.interruptible():
            async for event in read_stream(provider, request, scope.config.limits):
                if first_token_ms is None and is_output(event):
                    first_token_ms = (time.perf_counter() - started) * 1000
                if not isinstance(event, Completed):
                    yield event
    except ProviderError as error:
        await record(error.usage, "failed", error)
        raise
    except (TurnStopped, asyncio.CancelledError):
        await record(None, "cancelled")
        raise
    assert isinstance(event, Completed)  # noqa: S101  # the last event of any stream
    await record(event.usage or Usage(), "finished")
    yield event


@dataclass(frozen=True, slots=True)
class Prompt:
    """Input of the model for one message, rendered for whichever provider is asked."""

    history: MessageHistory
    system: str
    tools: tuple[ToolSpec, ...]
    tool_choice: ToolChoice
    note: str = ""
    """Added to the newest tool result, for the next message alone."""

    def request(self, provider: Provider) -> Request:
        """Build the request to a provider."""
        messages = self.history.messages(origin_of(provider))
        if self.note and messages[-1].tool_results:
            *before, last = messages[-1].tool_results
            noted = replace(last, content=with_note(last.content, self.note))
            messages = (*messages[:-1], replace(messages[-1], parts=(*before, noted)))
        return Request(self.system, messages, self.tools, self.tool_choice)


@dataclass(frozen=True, slots=True)
class CallStarted:
    """Start of a call to a provider; partial text of an earlier one is void."""

    provider: Provider


PolicyEvent = Retrying | FailedOver | HistoryTruncated | BudgetWarning | ApprovalAsked | ToolStarted
"""Events of the policies, which the turn reports as they are."""
ModelEvent = StreamEvent | CallStarted | PolicyEvent


def is_output(event: ModelEvent) -> bool:
    """Return True for a piece of what the model writes, or all of it."""
    if isinstance(event, TextDelta | ThinkingDelta):
        return bool(event.text)
    return isinstance(event, ToolCallStarted | Completed)


class Model(Protocol):
    """Provider with policies around it."""

    def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Request one message; the last stream event is Completed.

        Raises:
            TodoError: No complete answer, budget used up, or no consent.
            TurnStopped: The user stopped the turn.
        """
        ...


@dataclass(frozen=True, slots=True)
class ProviderCall:
    """Calls one provider once, after consent to its host."""

    scope: TurnScope
    provider: Provider

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Yield the events of the provider; ask for consent if it is missing."""
        while True:
            yield CallStarted(self.provider)
            try:
                request = prompt.request(self.provider)
                async for event in call_provider(self.scope, self.provider, request):
                    yield event
                return
            except ConsentNeeded as error:
                needed = error
            words = plain_line(f"Send messages to {needed.label} at {needed.address}?")
            question = ApprovalQuestion(words, SENT, host=needed.address)
            yield self.scope.asked(question)
            if not await self.scope.is_approved(question):
                raise needed
            await asyncio.to_thread(self.scope.config.store.consents.give, *needed.places)


@dataclass(frozen=True, slots=True)
class BudgetedModel:
    """Checks the daily budget; the user is warned near its end, and asked when it is used up."""

    scope: TurnScope
    provider: Provider
    model: Model

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Yield the events of the model between BudgetWarnings.

        Raises:
            BudgetExceeded: The user did not extend the budget.
        """
        config, provider = self.scope.config, self.provider
        budget = config.daily_budget_usd
        if budget is not None and not provider.local:
            state = await self._check(budget)
            if state.must_warn:
                yield BudgetWarning(self.scope.turn_id, state.spent, budget)
            # An unknown price is None, and may be anything.
            if state.is_used_up and await config.pricing(provider, _SAMPLE) != 0:
                limit, spent = format_dollars(budget), format_dollars(state.spent)
                answers_next = plain_line(f"{provider.model or provider.id} answers next")
                question = ApprovalQuestion(
                    f"Today's budget of {limit} is used up. Spend up to {limit} more?",
                    (f"{spent} spent today", answers_next),
                )
                yield self.scope.asked(question)
                if not await self.scope.is_approved(question):
                    raise BudgetExceeded(budget, state.spent)
                await asyncio.to_thread(extend_budget, config.store, budget, state)
        async for event in self.model.reply(prompt):
            yield event
        if budget is not None and self.scope.writer.unstored_usd > 0:
            state = await self._check(budget)
            if state.must_warn:
                yield BudgetWarning(self.scope.turn_id, state.spent, budget)

    async def _check(self, budget: float) -> BudgetState:
        store, unstored = self.scope.config.store, self.scope.writer.unstored_usd
        return await asyncio.to_thread(check_budget, store, budget, unstored)


@dataclass(frozen=True, slots=True)
class RetryingModel:
    """Asks a model again after a passing error, and with a shorter history if it is too long."""

    scope: TurnScope
    budget: RetryBudget
    shorten: Callable[[MessageHistory, ProviderError], AsyncIterator[PolicyEvent]]
    model: Model

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Yield the events of all tries; they are counted anew after a request was too long."""
        history, attempt = prompt.history, 1
        while True:
            try:
                async for event in self.model.reply(prompt):
                    yield event
                return
            except ProviderError as caught:
                error = caught
            self.scope.handle.raise_if_stopped()
            attempt += 1
            is_too_long = error.kind is ProviderErrorKind.CONTEXT_TOO_LONG
            # The first failure is too little evidence.
            may_be_too_long = error.may_be_too_long and attempt > 2 and history.older
            if may_be_too_long or (is_too_long and (history.older or history.summary)):
                async for shortened in self.shorten(history, error):
                    yield shortened
                attempt = 1 if is_too_long else attempt
                continue
            seconds = self.budget.delay_before(attempt, error)
            if seconds is None:
                raise error
            tries = self.budget.policy.tries
            turn_id = self.scope.turn_id
            yield Retrying(turn_id, error.kind, error.message, seconds, attempt, tries)
            with self.scope.handle.interruptible():
                await self.scope.config.sleep(seconds)


class FailoverModel:
    """Asks the provider of the turn, and its fallbacks in order when it fails.

    `policies` returns the model of a provider. Each fallback is opened at most once, and
    a model that has failed in this turn is left out.
    """

    def __init__(
        self, scope: TurnScope, budget: RetryBudget, policies: Callable[[Provider], Model]
    ) -> None:
        self.provider = scope.config.provider
        """Provider that is asked at present."""
        self._scope = scope
        self._budget = budget
        self._policies = policies
        self._remaining = list(scope.config.fallbacks)
        self._failed: list[Provider] = []
        self._opened: list[Provider] = []

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        """Yield the events of all providers asked."""
        while True:
            try:
                async for event in self._policies(self.provider).reply(prompt):
                    yield event
                return
            except ProviderError as caught:
                error = caught
            skipped: list[tuple[str, str]] = []
            before, started = self.provider, time.perf_counter()
            fallback = None
            if error.kind not in _NO_FAILOVER:
                with self._scope.handle.interruptible():
                    fallback = await self._open_next(skipped)
            if fallback is None:
                raise _with_reasons(error, self._budget, skipped)
            # Only the server that paused a message can continue it.
            prompt.history.unfinished = None
            step = self._failover_step(error, before, fallback, skipped, started)
            yield FailedOver(self._scope.turn_id, step, self.provider.id, self.provider.model)

    async def aclose(self) -> None:
        """Close the fallbacks; the first provider belongs to the caller."""
        opened, self._opened = self._opened, []
        for provider in opened:
            await close_provider(provider)

    async def _open_next(self, skipped: list[tuple[str, str]]) -> Fallback | None:
        """Switch to the next fallback; None if there is none left.

        Label and reason of those that cannot be opened are added to `skipped`.
        """
        self._failed.append(self.provider)
        while self._remaining:
            fallback = self._remaining.pop(0)
            try:
                provider = await fallback.open()
            except TodoError as error:
                _log.warning("%s could not take over: %s", fallback.id, error.message)
                skipped.append((fallback.label, error.message))
                continue
            self._opened.append(provider)
            # An unknown model of the same provider may be the one that failed.
            if not any(
                provider.id == failed.id and provider.model in (failed.model, "")
                for failed in self._failed
            ):
                self.provider = provider
                return fallback
        return None

    def _failover_step(
        self,
        error: ProviderError,
        before: Provider,
        fallback: Fallback,
        skipped: Sequence[tuple[str, str]],
        started: float,
    ) -> TraceStep:
        """Build the step whose summary is `Groq is over its rate limit: Gemini goes on`."""
        after = self.provider
        # Within one provider the label would not tell the models apart.
        label = after.model if after.id == before.id else fallback.label
        facts = [f"{name} unavailable ({reason.rstrip('.')})" for name, reason in skipped]
        cause = error.message.partition(": ")[0].rstrip(".")
        result: dict[str, JsonValue] = {"kind": error.kind.value, "reason": error.message}
        if skipped:
            result["passed_over"] = [
                {"provider": name, "reason": reason} for name, reason in skipped
            ]
        ends = {"from": origin_of(before), "to": origin_of(after)}
        return TraceStep(
            call_id=self._scope.new_call_id(),
            name=FAILOVER_STEP,
            summary=plain_line(f"{cause}: {', '.join([*facts, f'switched to {label}'])}"),
            arguments=json.dumps(ends, ensure_ascii=False),
            result=ToolResponse(result).text(),
            status=StepStatus.SUCCESS,
            milliseconds=(time.perf_counter() - started) * 1000,
        )


def _with_reasons(
    error: ProviderError, budget: RetryBudget, skipped: Sequence[tuple[str, str]]
) -> ProviderError:
    """Add to an error why there is no retry and which fallbacks could not take over."""
    sentences = []
    if error.retry_after is not None and budget.is_exceeded_by(error):
        wait_text = f"{error.retry_after:,.0f} s"
        if wait_text not in error.message:
            sentences.append(f"Retry after {wait_text}.")
        sentences.append("The wait exceeds limits.retry_seconds.")
    sentences += [f"Could not switch to {label}: {reason}" for label, reason in skipped]
    if not sentences:
        return error
    extended = ProviderError(
        error.kind,
        " ".join([error.message, *sentences]),
        hint=error.hint,
        retry_after=error.retry_after,
        detail=error.detail,
        usage=error.usage,
    )
    extended.__cause__ = error
    return extended


async def close_provider(provider: Provider) -> None:
    """Close a provider's connections; log errors and go on."""
    try:
        async with asyncio.timeout(_CLOSE_TIMEOUT_SECONDS):
            await provider.aclose()
    except Exception:
        _log.warning("%s could not be closed", provider.id, exc_info=True)
