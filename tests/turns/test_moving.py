"""Conversations that move between any two providers; each is sent what it accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from math import gcd
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.turns.conversation import new_store, open_conversation
from tests.turns.histories import RandomTurn, conversations, run_random_turn
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import ONE_A_CLIENT, REMOTES, Remote
from tests.wires.rules import Body, judge
from tests.wires.server import FakeServer, answered, fake_server
from todo_tui.agent.history import MessageHistory
from todo_tui.agent.run_config import ContextWindow
from todo_tui.agent.system_prompt import SYSTEM_PROMPT
from todo_tui.domain.events import StepStatus
from todo_tui.domain.messages import (
    Message,
    NamedTool,
    Provider,
    Request,
    Role,
    Text,
    ThinkingDelta,
    ToolMode,
)
from todo_tui.tools.registry import TOOLS

_SPECS = tuple(tool.spec for tool in TOOLS)
_choices = st.sampled_from([*ToolMode, NamedTool("add_task")])
_windows = st.sampled_from([ContextWindow(), ContextWindow(messages=4), ContextWindow(tokens=40)])
_settings = st.fixed_dictionaries(
    {},
    optional={
        "temperature": st.sampled_from([0.0, 0.7]),
        "effort": st.sampled_from(["none", "low", "high", "max"]),
        "max_output_tokens": st.just(2000),
    },
)


@settings(max_examples=12)
@given(
    turns=conversations,
    choice=_choices,
    window=_windows,
    chosen=_settings,
)
async def test_messages_of_any_provider_can_be_sent_to_any_other(
    database: Path,
    turns: Sequence[RandomTurn],
    choice: ToolMode | NamedTool,
    window: ContextWindow,
    chosen: dict[str, object],
) -> None:
    with new_store(database) as store:
        conversation_id = store.conversations.start().id
        for turn in turns:
            await run_random_turn(turn, store, conversation_id)
        asked = Message(Role.USER, (Text("And now?"),))
        store.turns.open(conversation_id, asked, provider="any", model="any")
        told = store.turns.model_history(conversation_id, window.messages)
    for remote in REMOTES:
        messages = MessageHistory(told, window).messages(remote.origin)
        request = Request(SYSTEM_PROMPT, messages, _SPECS, choice)
        body = remote.wire_format(**chosen).body(request, remote.server(), remote.origin)
        judge(json.loads(json.dumps(body)), remote)


def _walk() -> Iterator[Remote]:
    """Return a walk that leads from a provider of each client straight to each other."""
    count = len(ONE_A_CLIENT)
    for stride in range(1, count):
        rings = gcd(stride, count)
        for start in range(rings):
            for step in range(count // rings + 1):
                yield ONE_A_CLIENT[(start + step * stride) % count]


def _says(body: Body) -> ModelMessage:
    """Return two calls after thinking, then an answer."""
    if answered(body):
        return ModelMessage("Both are on your list.", thinking="That went well.")
    adds = (ModelCall.with_arguments("add_task", each, title=each) for each in ("milk", "eggs"))
    return ModelMessage("Let me see.", thinking="Two tasks.", calls=tuple(adds))


async def test_a_conversation_walks_from_each_client_to_each_other(database: Path) -> None:
    async with AsyncExitStack() as stack:
        servers: dict[str, FakeServer] = {}
        providers: dict[str, Provider] = {}
        for remote in ONE_A_CLIENT:
            server = await stack.enter_async_context(fake_server(remote, _says))
            provider = remote.at(server.url)
            stack.push_async_callback(provider.aclose)
            servers[remote.id], providers[remote.id] = server, provider
        talk = await stack.enter_async_context(open_conversation(providers["openai"], database))
        before = None
        for remote in _walk():
            if remote is before:
                continue
            talk.provider = providers[remote.id]
            end = await talk.finished(f"Add milk and eggs, {remote.id}")
            assert end.outcome.answer == "Let me see.\n\nBoth are on your list."
            assert [step.status for step in end.outcome.trace] == [StepStatus.SUCCESS] * 2
            assert talk.counted(ThinkingDelta) > 0 or remote.id == "gemini"
            before = remote
    for remote in ONE_A_CLIENT:
        assert len(servers[remote.id].received) >= 2 * (len(ONE_A_CLIENT) - 1)
        for body in servers[remote.id].received:
            judge(body, remote)
