"""Conversation with a server that receives a single request."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.turns.conversation import QUICK, ConversationDriver, open_conversation
from tests.wires.encoders import encoder_of
from tests.wires.model_messages import ModelMessage
from tests.wires.remotes import ONE_A_CLIENT, Remote
from tests.wires.rules import Body, judge
from tests.wires.server import fake_server
from tests.wires.stream_parts import encrypted_content_of
from todo_tui.agent.retry import RetryPolicy
from todo_tui.domain.task import JsonValue

ONCE = replace(QUICK, retry=RetryPolicy(tries=1))
HERE = "Here it is."

every_wire = pytest.mark.parametrize(
    "remote",
    ONE_A_CLIENT,
    ids=lambda remote: remote.id,
)


@asynccontextmanager
async def asked_once(
    remote: Remote, database: Path, says: Callable[[Body], ModelMessage | Iterator[bytes] | bytes]
) -> AsyncIterator[ConversationDriver]:
    """Open a conversation with such a server; check its requests at the end."""
    async with fake_server(remote, says) as server:
        async with open_conversation(remote.at(server.url), database) as talk:
            talk.limits = ONCE
            yield talk
        for body in server.received:
            judge(body, remote, signs=False)


def events(remote: Remote, said: ModelMessage) -> list[bytes]:
    return list(encoder_of(remote.row)(said, encrypted_content_of(remote.origin)))


def data(*values: JsonValue) -> list[bytes]:
    return [b"data: " + json.dumps(value).encode() + b"\n\n" for value in values]
