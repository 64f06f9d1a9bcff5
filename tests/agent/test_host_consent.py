"""Turns with a provider whose host has no consent yet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from tests.agent.conftest import Harness
from tests.agent.named_providers import NamedProvider, available_fallback, error
from tests.providers.wire import WireServer, delta, sse, wire_server
from tests.scripted import answer
from todo_tui.agent.approver import (
    ApprovalAnswer,
    ApprovalQuestion,
    ApproveAll,
    ApproveNone,
    Approver,
)
from todo_tui.agent.loop import run_turn
from todo_tui.agent.retry import RetryPolicy
from todo_tui.agent.run_config import Limits, RunConfig
from todo_tui.config.settings import ProviderSettings
from todo_tui.domain.errors import ProviderErrorKind
from todo_tui.domain.events import ApprovalAsked, TurnEvent, TurnFailed, TurnFinished
from todo_tui.domain.messages import Provider
from todo_tui.providers.factory import open_provider
from todo_tui.providers.registry import provider_row

HI = sse(delta(content="Hi."), delta("stop"))


@dataclass
class Answers:
    """Gives the same answer to each question and records them."""

    yes: bool
    asked: list[ApprovalQuestion] = field(default_factory=list)

    async def decide(self, question: ApprovalQuestion) -> ApprovalAnswer:
        self.asked.append(question)
        return ApprovalAnswer(self.yes)


def gated(harness: Harness, server: WireServer) -> Provider:
    """The provider `local` at that server, with consent as the store knows it."""
    settings = ProviderSettings(base_url=server.url, model="m")
    return open_provider(provider_row("local"), settings, may_send=harness.store.consents.covers)


@asynccontextmanager
async def desk_at(
    harness: Harness, approver: Approver
) -> AsyncIterator[tuple[RunConfig, WireServer]]:
    async with wire_server(HI) as server:
        provider = gated(harness, server)
        yield RunConfig(harness.store, provider, approver=approver), server
        await provider.aclose()


async def turn(config: RunConfig) -> list[TurnEvent]:
    return [event async for event in run_turn("my secret plan", config)]


async def test_the_person_is_asked_once_and_a_yes_is_remembered(harness: Harness) -> None:
    approver = Answers(yes=True)
    async with desk_at(harness, approver) as (config, server):
        events = await turn(config)
        assert isinstance(events[-1], TurnFinished)
        assert isinstance((await turn(config))[-1], TurnFinished)
        provider = gated(harness, server)
        assert isinstance((await turn(replace(config, provider=provider)))[-1], TurnFinished)
        await provider.aclose()
    (question,) = approver.asked
    assert question.words == f"Send messages to Local server at 127.0.0.1:{server.port}?"
    assert any("messages" in detail for detail in question.details)
    assert any(isinstance(event, ApprovalAsked) for event in events)
    assert len(server.received) == 3


@pytest.mark.parametrize(
    "approver", [Answers(yes=False), ApproveNone(), ApproveAll()], ids=["no", "none", "all"]
)
async def test_without_a_persons_yes_nothing_is_sent_and_the_message_is_kept(
    harness: Harness, approver: Approver
) -> None:
    async with desk_at(harness, approver) as (config, server):
        end = (await turn(config))[-1]
    assert isinstance(end, TurnFailed)
    assert end.error.kind == "consent_needed"
    assert "Local server" in end.error.message
    assert "--provider local" in (end.error.hint or "")
    assert server.received == []
    (kept,) = harness.store.turns.list(end.conversation_id)
    assert kept.user_text == "my secret plan"
    assert not harness.store.consents.covers(f"127.0.0.1:{server.port}")


async def test_failover_skips_hosts_without_consent(
    harness: Harness,
) -> None:
    async with wire_server(HI) as server:
        provider = gated(harness, server)
        config = RunConfig(
            harness.store,
            NamedProvider("groq", [error(ProviderErrorKind.QUOTA)]),
            approver=ApproveNone(),
            fallbacks=(available_fallback(provider),),
            limits=Limits(retry=RetryPolicy(tries=1)),
        )
        end = (await turn(config))[-1]
        assert isinstance(end, TurnFailed)
        assert end.error.kind == "consent_needed"
        assert server.received == []


async def test_a_summary_is_not_written_by_a_host_without_consent(harness: Harness) -> None:
    too_long = error(ProviderErrorKind.CONTEXT_TOO_LONG)
    harness.script(answer("First."), [too_long], answer("Second."))
    async with wire_server(HI) as server:
        provider = gated(harness, server)

        harness.changes["summarizer"] = available_fallback(provider)
        await harness.finished("hello")
        await harness.finished("again")
    assert server.received == []
