"""Policies around a model call: consent, daily budget, retries, failover.

A policy is a Model around another one and yields its events besides its own. The chain of
a turn is `FailoverModel(RetryingModel(BudgetedModel(ProviderCall)))`: tries are counted
anew for each provider, and the budget is checked before each try.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from todo_tui.agent.approver import ApprovalQuestion
from todo_tui.agent.daily_budget import (
    BudgetExceeded,
    BudgetState,
    check_budget,
    extend_budget,
)
from todo_tui.agent.history import MessageHistory, shorten_history
from todo_tui.agent.model_calls import TurnScope, call_provider, close_provider
from todo_tui.agent.retry import RetryBudget
from todo_tui.agent.run_config import Fallback
from todo_tui.domain.errors import ConsentNeeded, ProviderError, ProviderErrorKind, TodoError
from todo_tui.domain.events import (
    AgentStep,
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
    Provider,
    Request,
    StreamEvent,
    ToolChoice,
    ToolSpec,
    Usage,
    origin_of,
)
from todo_tui.domain.task import JsonValue
from todo_tui.domain.text import format_dollars, plain_line
from todo_tui.tools.base import ToolResponse, with_note

SENT = (
    "the newest messages of this conversation",
    "what the assistant looks up in your tasks and documents, and task counts",
    "the selected task",
    "today's date and your time zone",
)
"""Shown when asking for consent: the data that a provider receives."""
_NO_FAILOVER = frozenset({ProviderErrorKind.REFUSED})
"""Kinds without failover: a refusal is not a reason to try another provider."""
_SAMPLE_USAGE = Usage(input_tokens=1000, output_tokens=1000)
"""A call that costs nothing with it is free."""
_log = logging.getLogger(__name__)


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
            text = plain_line(f"Send messages to {needed.label} at {needed.address}?")
            question = ApprovalQuestion(text, SENT, host=needed.address)
            yield self.scope.question_event(question)
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
            if state.is_used_up and await config.pricing(provider, _SAMPLE_USAGE) != 0:
                limit, spent = format_dollars(budget), format_dollars(state.spent)
                answers_next = plain_line(f"{provider.model or provider.id} answers next")
                question = ApprovalQuestion(
                    f"Today's budget of {limit} is used up. Spend up to {limit} more?",
                    (f"{spent} spent today", answers_next),
                )
                yield self.scope.question_event(question)
                if not await self.scope.is_approved(question):
                    raise BudgetExceeded(budget, state.spent)
                await asyncio.to_thread(extend_budget, config.store, state, budget)
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
            if is_too_long and (history.older or history.summary):
                async for shortened in shorten_history(self.scope, history, error):
                    yield shortened
                attempt = 1
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
            name=AgentStep.FAILOVER,
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


def with_policies(scope: TurnScope) -> FailoverModel:
    """Return the provider of a turn with budget, retries and failover around it."""
    retries = RetryBudget(scope.config.limits.retry, scope.config.random)

    def policies(provider: Provider) -> Model:
        call = ProviderCall(scope, provider)
        return RetryingModel(scope, retries, BudgetedModel(scope, provider, call))

    return FailoverModel(scope, retries, policies)
