"""A conversation with a server that says anything at all, and is asked no second time."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.turns.talk import QUICK, Talk, talk_with
from tests.wires.rows import Remote, remote
from tests.wires.rules import Body, judge
from tests.wires.said import Said
from tests.wires.server import speaking
from tests.wires.speakers import speaker
from tests.wires.speech import seal
from todo_tui.agent.retry import RetryPolicy
from todo_tui.domain.task import JsonValue

ONCE = replace(QUICK, retry=RetryPolicy(tries=1))
HERE = "Here it is."

every_wire = pytest.mark.parametrize(
    "remote",
    [remote(each) for each in ("openai", "groq", "gemini", "gemini-native", "anthropic", "local")],
    ids=lambda remote: remote.id,
)
"""Each wire format, and each SDK and dialect of the one that has several."""


@asynccontextmanager
async def asked_once(
    remote: Remote, database: Path, says: Callable[[Body], Said | Iterator[bytes] | bytes]
) -> AsyncIterator[Talk]:
    """A conversation with such a server, which is asked once; what it is sent is judged."""
    async with speaking(remote, says) as server:
        async with talk_with(remote.at(server.url), database) as talk:
            talk.limits = ONCE
            yield talk
        for body in server.received:
            judge(body, remote, signs=False)


def events(remote: Remote, said: Said) -> list[bytes]:
    return list(speaker(remote.row)(said, seal(remote.origin)))


def data(*values: JsonValue) -> list[bytes]:
    return [b"data: " + json.dumps(value).encode() + b"\n\n" for value in values]
