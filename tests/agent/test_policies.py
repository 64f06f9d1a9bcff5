"""The policies around a provider, each alone: a model inside, its events and the policy's own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.agent.conftest import Harness, RecordedSleeps, ScriptedApprover
from tests.agent.named_providers import NamedProvider, available_fallback, error, missing
from tests.scripted import answer
from todo_tui.agent.cancellation import TurnHandle, TurnStopped
from todo_tui.agent.daily_budget import BudgetExceeded
from todo_tui.agent.history import MessageHistory
from todo_tui.agent.model_call_policies import (
    BudgetedModel,
    FailoverModel,
    Model,
    ModelEvent,
    Prompt,
    ProviderCall,
    RetryingModel,
    with_policies,
)
from todo_tui.agent.model_calls import TurnScope
from todo_tui.agent.retry import RetryBudget, RetryPolicy
from todo_tui.agent.run_config import ContextWindow, RunConfig
from todo_tui.agent.turn_writer import TurnWriter
from todo_tui.domain.errors import ConsentNeeded, ProviderError
from todo_tui.domain.errors import ProviderErrorKind as Kind
from todo_tui.domain.messages import (
    Completed,
    Message,
    Provider,
    Request,
    Role,
    StopReason,
    StreamEvent,
    Text,
    ToolMode,
)
from todo_tui.store.conversations.records import ModelHistory

DONE = Completed(Message(Role.ASSISTANT, (Text("Yes."),)), StopReason.END)


@dataclass
class PlayedModel:
    """Model that raises these errors, one a call, then answers."""

    errors: list[Exception] = field(default_factory=list)
    calls: int = 0

    async def reply(self, prompt: Prompt) -> AsyncIterator[ModelEvent]:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        yield DONE


def scope_of(harness: Harness, **changes: object) -> TurnScope:
    config: RunConfig = replace(harness.config, **changes)  # type: ignore[arg-type]  # fields by name
    conversations = harness.store.conversations
    asked = Message(Role.USER, (Text("go"),))
    turn = conversations.turns.open(conversations.start().id, asked, provider="p", model="m")
    return TurnScope(turn.id, config, TurnHandle(), TurnWriter(conversations, turn.id, []))


def a_prompt(*older: Message) -> Prompt:
    messages = (*older, Message(Role.USER, (Text("go"),)))
    history = MessageHistory(ModelHistory(messages), ContextWindow())
    return Prompt(history, "", (), ToolMode.AUTO)


async def events_of(model: Model, prompt: Prompt | None = None) -> list[str]:
    return [type(event).__name__ async for event in model.reply(prompt or a_prompt())]


def retrying(scope: TurnScope, model: Model, tries: int = 4) -> RetryingModel:
    budget = RetryBudget(RetryPolicy(tries=tries), lambda: 0.5)
    return RetryingModel(scope, budget, model)


async def test_a_passing_error_is_waited_out(harness: Harness) -> None:
    model = PlayedModel([error(Kind.OVERLOADED), error(Kind.NETWORK)])

    assert await events_of(retrying(scope_of(harness), model)) == [
        "Retrying", "Retrying", "Completed",
    ]  # fmt: skip
    assert len(harness.sleeps.taken) == 2


async def test_an_error_that_lasts_is_raised_after_the_last_try(harness: Harness) -> None:
    model = PlayedModel([error(Kind.OVERLOADED) for _ in range(9)])

    with pytest.raises(ProviderError):
        await events_of(retrying(scope_of(harness), model, tries=3))
    assert model.calls == 3


async def test_a_stopped_turn_is_not_asked_again(harness: Harness) -> None:
    scope = scope_of(harness)
    scope.handle.stop()
    with pytest.raises(TurnStopped):
        await events_of(retrying(scope, PlayedModel([error(Kind.OVERLOADED)])))
    assert harness.sleeps == RecordedSleeps()


async def test_the_history_is_shortened_before_it_is_sent_again(harness: Harness) -> None:
    prompt = a_prompt(Message(Role.USER, (Text("a"),)), Message(Role.ASSISTANT, (Text("b"),)))
    model = PlayedModel([error(Kind.CONTEXT_TOO_LONG)])

    assert await events_of(retrying(scope_of(harness), model), prompt) == [
        "HistoryTruncated", "Completed",
    ]  # fmt: skip
    assert [message.text for message in prompt.history.messages("any")] == ["go"]
    assert harness.sleeps.taken == []


def failing_over(scope: TurnScope, models: dict[str, PlayedModel]) -> FailoverModel:
    policies: Callable[[Provider], Model] = lambda provider: models[provider.id]  # noqa: E731
    return FailoverModel(scope, RetryBudget(RetryPolicy(), lambda: 0.5), policies)


async def test_the_next_fallback_that_opens_goes_on(harness: Harness) -> None:
    other = NamedProvider("other")
    scope = scope_of(
        harness,
        provider=NamedProvider("first"),
        fallbacks=(missing("Absent"), available_fallback(other)),
    )
    models = {"first": PlayedModel([error(Kind.AUTH)]), "other": PlayedModel()}
    model = failing_over(scope, models)

    assert await events_of(model) == ["FailedOver", "Completed"]
    assert model.provider is other
    await model.aclose()
    assert other.closed


async def test_without_a_fallback_the_error_says_who_could_not(harness: Harness) -> None:
    scope = scope_of(harness, provider=NamedProvider("first"), fallbacks=(missing("Absent"),))
    model = failing_over(scope, {"first": PlayedModel([error(Kind.AUTH)])})

    with pytest.raises(
        ProviderError, match=r"Could not switch to Absent: Absent needs an API key\."
    ):
        await events_of(model)


@pytest.mark.parametrize("agrees", [True, False])
async def test_a_used_up_budget_needs_a_yes(harness: Harness, agrees: bool) -> None:
    scope = scope_of(harness, daily_budget_usd=0.0, approver=ScriptedApprover([agrees]))
    model = PlayedModel()
    budgeted = BudgetedModel(scope, NamedProvider("paid", local=False), model)

    if agrees:
        assert await events_of(budgeted) == ["ApprovalAsked", "Completed"]
    else:
        with pytest.raises(BudgetExceeded):
            await events_of(budgeted)
    assert model.calls == agrees


async def test_consent_is_asked_for_before_the_call_is_made_again(harness: Harness) -> None:
    class Wary(NamedProvider):
        def stream(self, request: Request) -> AsyncIterator[StreamEvent]:
            if not harness.store.consents.covers("h:443"):
                raise ConsentNeeded("p", "P", address="h", places=("h:443",))
            return super().stream(request)

    provider = Wary("p", answer("Yes."))
    call = ProviderCall(scope_of(harness, approver=ScriptedApprover()), provider)

    names = await events_of(call)
    assert (names[:3], names[-1]) == (["CallStarted", "ApprovalAsked", "CallStarted"], "Completed")


async def test_all_of_them_together_make_the_model_of_a_turn(harness: Harness) -> None:
    provider = NamedProvider("p", [error(Kind.OVERLOADED)], answer("Yes."))
    model = with_policies(scope_of(harness, provider=provider))

    async with asyncio.timeout(300):
        names = await events_of(model)
    assert [name for name in names if name != "TextDelta"] == [
        "CallStarted", "Retrying", "CallStarted", "Completed",
    ]  # fmt: skip
