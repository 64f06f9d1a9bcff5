"""What was sent once is sent again as it was, so that servers can keep it in their caches."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from tests.turns.talk import talk_with
from tests.wires.rows import REMOTES, Remote
from tests.wires.rules import Body
from tests.wires.said import Called, Said
from tests.wires.server import answered, speaking


def _says(body: Body) -> Said:
    if answered(body):
        return Said("It is on your list.", thinking="That went well.")
    call = Called.with_arguments("add_task", "call_1", title="milk")
    return Said("Let me see.", thinking="One task.", calls=(call,))


def _messages(body: Body) -> list[Body]:
    """The messages, less the thoughts that Anthropic wants in their own turn alone."""
    messages: list[Body] = body.get("messages") or body.get("input") or body["contents"]
    return [
        {**message, "content": [b for b in message["content"] if b["type"] != "thinking"]}
        if isinstance(message.get("content"), list)
        else message
        for message in messages
    ]


@pytest.mark.parametrize("remote", REMOTES, ids=lambda remote: remote.id)
async def test_a_request_begins_with_all_of_the_one_before(remote: Remote, database: Path) -> None:
    async with speaking(remote, _says) as server:
        async with talk_with(remote.at(server.url), database) as talk:
            for number in range(3):
                await talk.finished(f"Add milk, for the {number}. time")
        bodies = server.received
    assert len(bodies) == 6
    for before, after in pairwise(bodies):
        assert _messages(after)[: len(_messages(before))] == _messages(before)
        for fixed in ("system", "instructions", "systemInstruction", "tools"):
            assert after.get(fixed) == before.get(fixed)
