"""Byte-identical history in later requests, so that servers can cache it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.turns.conversation import open_conversation
from tests.wires.model_messages import ModelCall, ModelMessage
from tests.wires.remotes import REMOTES, Remote
from tests.wires.rules import Body
from tests.wires.server import answered, fake_server


def _says(body: Body) -> ModelMessage:
    if answered(body):
        return ModelMessage("It is on your list.", thinking="That went well.")
    call = ModelCall.with_arguments("add_task", "call_1", title="milk")
    return ModelMessage("Let me see.", thinking="One task.", calls=(call,))


def _messages(body: Body) -> list[Body]:
    """Return the messages without thinking that Anthropic accepts only in its own turn."""
    messages: list[Body] = body.get("messages") or body.get("input") or body["contents"]
    return [
        {**message, "content": [b for b in message["content"] if b["type"] != "thinking"]}
        if isinstance(message.get("content"), list)
        else message
        for message in messages
    ]


@pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
async def test_a_request_begins_with_all_of_the_one_before(remote: Remote, database: Path) -> None:
    async with fake_server(remote, _says) as server:
        async with open_conversation(remote.at(server.url), database) as talk:
            for number in range(3):
                await talk.finished(f"Add milk, for the {number}. time")
        bodies = server.received
    assert len(bodies) == 6
    for before, after in pairwise(bodies):
        assert _messages(after)[: len(_messages(before))] == _messages(before)
        for fixed in ("system", "instructions", "systemInstruction", "tools"):
            assert after.get(fixed) == before.get(fixed)
